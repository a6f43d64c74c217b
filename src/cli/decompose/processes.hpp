// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// genten decompose on the processes of a launcher: what differs from one process.

#include "decompose.hpp"
#include "tools/launch/on_processes.hpp"
#include "tools/launch/process_report.hpp"

#include <genten/dist/cp_als.hpp>
#include <genten/run/run_cp.hpp>

namespace genten::cli {

/// Throws a usage error for what needs one process, or several processes, and has the other.
void require_options_for_processes(const DecomposeOptions& options);

/// The signal that was noted here or, if there was none, on the first process that noted one; 0:
/// none did. All processes call it.
[[nodiscard]] int signal_of_any_process();

/// A tensor that several processes have, as the tool's solvers take it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct ProcessesTensor {
  using scalar_type = Scalar;
  DistributedTensor<Scalar, Ordinal> parts;
};
template <class Scalar, class Ordinal>
ProcessesTensor(DistributedTensor<Scalar, Ordinal>) -> ProcessesTensor<Scalar, Ordinal>;

/// Runs on several processes.
struct OnProcesses {
  MpiModule& module;
  ProcessOptions how = {};

  template <RealScalar Scalar, ExecutionSpace Exec>
  CpRequest saved_request(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) const {
    CpRequest request;
    request.als = checkpoint_options(module.processes(), checkpoint);
    return request;
  }
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  auto run(const ProcessesTensor<Scalar, Ordinal>& tensor, const CpRequest& request,
           const Beginning<Scalar, Exec>& from, const KtensorObserver<Scalar, Exec>& observer,
           const InterruptCheck& /*interrupted*/) const {
    Communicator& processes = module.processes();
    if (from.checkpoint) {
      return cp_als(Exec(), processes, tensor.parts, *from.checkpoint, request.als, observer, how);
    }
    return cp_als(Exec(), processes, tensor.parts, request.als, observer,
                  from.guess ? &*from.guess : nullptr, how);
  }
};

}  // namespace genten::cli
