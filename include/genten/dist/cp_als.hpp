// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CP-ALS on several ranks.

#include <genten/cp/cp_als.hpp>
#include <genten/dist/distribute.hpp>
#include <genten/dist/model_parts.hpp>
#include <genten/dist/rank_exchange.hpp>
#include <genten/dist/rank_memory.hpp>

namespace genten {

/// What the ranks have sent each other in a run, all together.
struct ExchangeAccount {
  /// By mode, rows of R words and messages of all folds, and of all expands.
  std::vector<RowsSent> folded, expanded;
};

/// The result of CP-ALS on several ranks. Where RankOptions say `gather`, rank 0 has the whole
/// `model` and the others one without components; otherwise `model` has the weights alone, and
/// `part` each rank's rows: see model_parts.hpp for what can be done with them.
template <RealScalar Scalar, ExecutionSpace Exec>
struct DistributedCpAlsResult : CpAlsPartResult<Scalar, Exec> {
  ExchangeAccount exchange;
};

/// A rank's part where `Exec` computes.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] TensorPart<Scalar, Ordinal, Exec> copy_to(
    const TensorPart<Scalar, Ordinal, HostExec>& part) {
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return part;
  } else {
    TensorPart<Scalar, Ordinal, Exec> copy{
        copy_to<Exec>(part.tensor), part.dimensions, {}, {}, part.mark};
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

/// How the ranks of a run work together.
struct RankOptions {
  DeviceTransport* direct = nullptr;  ///< moves rows of devices; null: their hosts do
  /// Asked on every rank after each sweep; one rank's yes ends the run on all, after the same
  /// iteration and with StopReason::observer. Empty: never.
  std::function<bool()> interrupted = {};
  /// Whether rank 0 gets the whole model where it computes, by its host, both of which must have
  /// room for it: that is looked at before the run.
  bool gather = true;
};

namespace detail {

/// The whole model on rank 0, in place of the parts.
template <RealScalar Scalar, ExecutionSpace Exec>
void gather_result(Communicator& ranks, DistributedCpAlsResult<Scalar, Exec>& result) {
  const Stopwatch watch;
  Ktensor<Scalar, HostExec> whole = gather(ranks, result.part);
  result.part = {};
  together(ranks, [&] {
    result.model = {};
    if (ranks.rank() != 0) return;
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
[[nodiscard]] DistributedCpAlsResult<Scalar, Exec> run_on_ranks(
    Communicator& ranks, const DistributedTensor<Scalar, Ordinal>& tensor, std::size_t rank,
    const CpAlsOptions& options, const RankOptions& how, const Solve& solve) {
  if (how.gather) require_memory_to_gather<Exec>(ranks, tensor, rank, options);
  std::optional<RankExchange<Scalar, Exec>> exchange;
  TensorPart<Scalar, Ordinal, Exec> part;
  exchange.emplace(ranks, tensor.shared, rank, how.direct, how.interrupted);
  together(ranks, [&] { part = copy_to<Exec>(tensor.part); });
  DistributedCpAlsResult<Scalar, Exec> result{solve(part, *exchange), {}};
  std::vector<double> counts;
  for (std::size_t n = 0; n < tensor.shared.size(); ++n) {
    const auto mode = static_cast<int>(n);
    for (const RowsSent& sent : {exchange->folded(mode), exchange->expanded(mode)}) {
      counts.push_back(static_cast<double>(sent.rows));
      counts.push_back(static_cast<double>(sent.messages));
    }
  }
  combine(ranks, counts, {});
  for (std::size_t n = 0; n < tensor.shared.size(); ++n) {
    const double* const of = counts.data() + 4 * n;
    const auto sent = [](const double* from) {
      return RowsSent{static_cast<std::uint64_t>(from[0]), static_cast<std::uint64_t>(from[1])};
    };
    result.exchange.folded.push_back(sent(of));
    result.exchange.expanded.push_back(sent(of + 2));
  }
  exchange.reset();
  if (how.gather) gather_result(ranks, result);
  return result;
}

}  // namespace detail

/// Decomposes a distributed tensor: see the overload of cp_als for a TensorPart in cp/cp_als.hpp,
/// and DistributedCpAlsResult for what each rank gets. Phases of the result are, besides those of
/// CP-ALS, those of Exchange: `fold`, `expand`, `reduce` and `wait`.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] DistributedCpAlsResult<Scalar, Exec> cp_als(
    const Exec& exec, Communicator& ranks, const DistributedTensor<Scalar, Ordinal>& tensor,
    const CpAlsOptions& options, ObserverArgument<Scalar, Exec> observer = {},
    const std::type_identity_t<Ktensor<Scalar, Exec>>* initial_guess = nullptr,
    const RankOptions& how = {}) {
  const std::size_t rank = initial_guess == nullptr ? options.rank : initial_guess->rank();
  return detail::run_on_ranks<Exec>(
      ranks, tensor, rank, options, how, [&](const auto& part, Exchange<Scalar, Exec>& exchange) {
        return cp_als(exec, part, exchange, options, observer, initial_guess);
      });
}

/// Goes on from rank 0's checkpoint: see cp/cp_als.hpp. The tensor must be that of the checkpoint,
/// and duplicates, where it has any, have been added in the same order.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] DistributedCpAlsResult<Scalar, Exec> cp_als(
    const Exec& exec, Communicator& ranks, const DistributedTensor<Scalar, Ordinal>& tensor,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpAlsOptions& options,
    ObserverArgument<Scalar, Exec> observer = {}, const RankOptions& how = {}) {
  return detail::run_on_ranks<Exec>(ranks, tensor, options.rank, options, how,
                                    [&](const auto& part, Exchange<Scalar, Exec>& exchange) {
                                      return cp_als(exec, part, exchange, checkpoint, options,
                                                    observer);
                                    });
}

/// The options of the run that rank 0's checkpoint is of, on all ranks.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAlsOptions checkpoint_options(Communicator& ranks,
                                              const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  std::string bytes;
  first_alone(ranks, [&] { bytes = detail::to_bytes(checkpoint_options(checkpoint)); });
  std::size_t length = bytes.size();
  ranks.broadcast(&length, sizeof length, 0);
  bytes.resize(length);
  ranks.broadcast(bytes.data(), length, 0);
  CpAlsOptions options;
  detail::ByteReader read(bytes);
  read(options);
  return options;
}

}  // namespace genten
