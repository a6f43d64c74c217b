// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/dist/cp_als.hpp>
#include <genten/dist/process_exchange.hpp>

#include <optional>

namespace genten {

namespace detail {

/// The whole model on process 0, in place of the parts.
template <RealScalar Scalar, ExecutionSpace Exec>
void gather_result(Communicator& processes, DistributedCpAlsResult<Scalar, Exec>& result) {
  const Stopwatch watch;
  Ktensor<Scalar, HostExec> whole = gather(processes, result.part);
  result.part = {};
  together(processes, [&] {
    result.model = {};
    if (processes.process() != 0) return;
    if constexpr (std::is_same_v<Exec, HostExec>) {
      result.model = std::move(whole);
    } else {
      result.model = clone_to<Exec>(whole);
    }
  });
  for (PhaseTiming& phase : result.timings) {
    if (phase.name == "arrange" || phase.name == "total") phase.seconds += watch.seconds();
  }
}

/// Runs `solve(part, exchange)` on a distributed tensor, and adds up what was sent.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal, class Solve>
[[nodiscard]] DistributedCpAlsResult<Scalar, Exec> run_on_processes(
    Communicator& processes, const DistributedTensor<Scalar, Ordinal>& tensor, std::size_t rank,
    const CpAlsOptions& options, const ProcessOptions& how, const Solve& solve) {
  if (how.gather) require_memory_to_gather<Exec>(processes, tensor, rank, options);
  std::optional<ProcessExchange<Scalar, Exec>> exchange;
  TensorPart<Scalar, Ordinal, Exec> part;
  exchange.emplace(processes, tensor.shared, rank, how.direct, how.interrupted);
  together(processes, [&] { part = copy_to<Exec>(tensor.part); });
  DistributedCpAlsResult<Scalar, Exec> result{solve(part, *exchange), {}};
  std::vector<double> counts;
  for (std::size_t n = 0; n < tensor.shared.size(); ++n) {
    const auto mode = static_cast<int>(n);
    for (const RowsSent& sent : {exchange->folded(mode), exchange->expanded(mode)}) {
      counts.push_back(static_cast<double>(sent.rows));
      counts.push_back(static_cast<double>(sent.messages));
    }
  }
  combine(processes, counts, {});
  for (std::size_t n = 0; n < tensor.shared.size(); ++n) {
    const double* const of = counts.data() + 4 * n;
    const auto sent = [](const double* from) {
      return RowsSent{static_cast<std::uint64_t>(from[0]), static_cast<std::uint64_t>(from[1])};
    };
    result.exchange.folded.push_back(sent(of));
    result.exchange.expanded.push_back(sent(of + 2));
  }
  exchange.reset();
  if (how.gather) gather_result(processes, result);
  return result;
}

}  // namespace detail

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
DistributedCpAlsResult<Scalar, Exec> cp_als(
    const Exec& exec, Communicator& processes, const DistributedTensor<Scalar, Ordinal>& tensor,
    const CpAlsOptions& options, ObserverArgument<Scalar, Exec> observer,
    const std::type_identity_t<Ktensor<Scalar, Exec>>* initial_guess, const ProcessOptions& how) {
  const std::size_t rank = initial_guess == nullptr ? options.rank : initial_guess->rank();
  return detail::run_on_processes<Exec>(processes, tensor, rank, options, how,
                                        [&](const auto& part, Exchange<Scalar, Exec>& exchange) {
                                          return cp_als(exec, part, exchange, options, observer,
                                                        initial_guess);
                                        });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
DistributedCpAlsResult<Scalar, Exec> cp_als(const Exec& exec, Communicator& processes,
                                            const DistributedTensor<Scalar, Ordinal>& tensor,
                                            const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint,
                                            const CpAlsOptions& options,
                                            ObserverArgument<Scalar, Exec> observer,
                                            const ProcessOptions& how) {
  return detail::run_on_processes<Exec>(processes, tensor, options.rank, options, how,
                                        [&](const auto& part, Exchange<Scalar, Exec>& exchange) {
                                          return cp_als(exec, part, exchange, checkpoint, options,
                                                        observer);
                                        });
}

template <RealScalar Scalar, ExecutionSpace Exec>
CpAlsOptions checkpoint_options(Communicator& processes,
                                const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  CpAlsOptions options;
  first_alone(processes, [&] { options = checkpoint_options(checkpoint); });
  share_options(processes, options);
  return options;
}

}  // namespace genten

#define GENTEN_ETI_DIST_CP_ALS(PREFIX, SCALAR, ORDINAL, EXEC)                                \
  PREFIX template genten::DistributedCpAlsResult<SCALAR, EXEC> genten::cp_als(               \
      const EXEC&, genten::Communicator&, const genten::DistributedTensor<SCALAR, ORDINAL>&, \
      const genten::CpAlsOptions&, const genten::KtensorObserver<SCALAR, EXEC>&,             \
      const genten::Ktensor<SCALAR, EXEC>*, const genten::ProcessOptions&);                  \
  PREFIX template genten::DistributedCpAlsResult<SCALAR, EXEC> genten::cp_als(               \
      const EXEC&, genten::Communicator&, const genten::DistributedTensor<SCALAR, ORDINAL>&, \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&, const genten::CpAlsOptions&, \
      const genten::KtensorObserver<SCALAR, EXEC>&, const genten::ProcessOptions&);
#define GENTEN_ETI_DIST_OPTIONS(PREFIX, SCALAR, EXEC)              \
  PREFIX template genten::CpAlsOptions genten::checkpoint_options( \
      genten::Communicator&, const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_DIST_CP_ALS, extern)
GENTEN_ETI_SCALARS(GENTEN_ETI_DIST_OPTIONS, extern)
#endif
