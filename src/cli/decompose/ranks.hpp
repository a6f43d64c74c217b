// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// genten decompose on the ranks of a launcher: what differs from one process.

#include "decompose.hpp"
#include "tools/launch/on_ranks.hpp"
#include "tools/launch/rank_report.hpp"

#include <genten/dist/cp_als.hpp>
#include <genten/run/run_cp.hpp>

namespace genten::cli {

/// Throws a usage error for what needs one process, or several ranks, and has the other.
void require_options_for_ranks(const DecomposeOptions& options);

/// The signal that was noted here or, if there was none, on the first rank that noted one; 0: none
/// did. All ranks call it.
[[nodiscard]] int signal_of_any_rank();

/// A tensor that several ranks have, as the tool's solvers take it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct RanksTensor {
  using scalar_type = Scalar;
  DistributedTensor<Scalar, Ordinal> parts;
};
template <class Scalar, class Ordinal>
RanksTensor(DistributedTensor<Scalar, Ordinal>) -> RanksTensor<Scalar, Ordinal>;

/// Runs on several ranks.
struct OnRanks {
  RankModule& module;
  RankOptions how = {};

  template <RealScalar Scalar, ExecutionSpace Exec>
  CpRequest saved_request(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) const {
    CpRequest request;
    request.als = checkpoint_options(module.ranks(), checkpoint);
    return request;
  }
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  auto run(const RanksTensor<Scalar, Ordinal>& tensor, const CpRequest& request,
           const Beginning<Scalar, Exec>& from, const KtensorObserver<Scalar, Exec>& observer,
           const InterruptCheck& /*interrupted*/) const {
    Communicator& ranks = module.ranks();
    if (from.checkpoint) {
      return cp_als(Exec(), ranks, tensor.parts, *from.checkpoint, request.als, observer, how);
    }
    return cp_als(Exec(), ranks, tensor.parts, request.als, observer,
                  from.guess ? &*from.guess : nullptr, how);
  }
};

}  // namespace genten::cli
