// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CP-ALS on several processes.

#include <genten/cp/cp_als.hpp>
#include <genten/dist/device_transport.hpp>
#include <genten/dist/distribute.hpp>
#include <genten/dist/model_parts.hpp>
#include <genten/dist/process_memory.hpp>
#include <genten/dist/shared_rows.hpp>

#include <functional>
#include <vector>

namespace genten {

/// What the processes have sent each other in a run, all together.
struct ExchangeAccount {
  /// By mode, rows of R words and messages of all folds, and of all expands.
  std::vector<RowsSent> folded, expanded;
};

/// The result of CP-ALS on several processes. Where ProcessOptions say `gather`, process 0 has the
/// whole `model` and the others one without components; otherwise `model` has the weights alone,
/// and `part` each process's rows: see model_parts.hpp for what can be done with them.
template <RealScalar Scalar, ExecutionSpace Exec>
struct DistributedCpAlsResult : CpAlsPartResult<Scalar, Exec> {
  ExchangeAccount exchange;
};

/// A process's part where `Exec` computes.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] TensorPart<Scalar, Ordinal, Exec> copy_to(
    const TensorPart<Scalar, Ordinal, HostExec>& part) {
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return part;
  } else {
    TensorPart<Scalar, Ordinal, Exec> copy{
        copy_to<Exec>(part.tensor), part.dimensions, {}, {}, part.fingerprint};
    const Exec exec;
    const auto copy_rows = [&](const auto& from, auto& to) {
      for (const auto& rows : from) to.push_back(detail::view_on(exec, rows));
    };
    copy_rows(part.rows, copy.rows);
    copy_rows(part.gathered_rows, copy.gathered_rows);
    detail::fence(exec, "genten::copy_part");
    return copy;
  }
}

/// How the processes of a run work together.
struct ProcessOptions {
  DeviceTransport* direct = nullptr;  ///< moves rows of devices; null: their hosts do
  /// Asked on every process after each sweep; one process's yes ends the run on all, after the same
  /// iteration and with StopReason::observer. Empty: never.
  std::function<bool()> interrupted = {};
  /// Whether process 0 gets the whole model where it computes, by its host, both of which must have
  /// room for it: that is looked at before the run.
  bool gather = true;
};

/// Decomposes a distributed tensor: see the overload of cp_als for a TensorPart in cp/cp_als.hpp,
/// and DistributedCpAlsResult for what each process gets. Phases of the result are, besides those
/// of CP-ALS, those of Exchange: `fold`, `expand`, `reduce` and `wait`.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] DistributedCpAlsResult<Scalar, Exec> cp_als(
    const Exec& exec, Communicator& processes, const DistributedTensor<Scalar, Ordinal>& tensor,
    const CpAlsOptions& options, ObserverArgument<Scalar, Exec> observer = {},
    const std::type_identity_t<Ktensor<Scalar, Exec>>* initial_guess = nullptr,
    const ProcessOptions& how = {});

/// Goes on from process 0's checkpoint: see cp/cp_als.hpp. The tensor must be that of the
/// checkpoint, and duplicates, where it has any, have been added in the same order.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] DistributedCpAlsResult<Scalar, Exec> cp_als(
    const Exec& exec, Communicator& processes, const DistributedTensor<Scalar, Ordinal>& tensor,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpAlsOptions& options,
    ObserverArgument<Scalar, Exec> observer = {}, const ProcessOptions& how = {});

/// Replaces the options by those of process 0. All processes call it.
void share_options(Communicator& processes, CpAlsOptions& options);

/// The options of the run that process 0's checkpoint is of, on all processes.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAlsOptions checkpoint_options(Communicator& processes,
                                              const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/dist/detail/cp_als_impl.hpp>
#endif
