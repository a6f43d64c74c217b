// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CP-ALS on several ranks.

#include <genten/cp/cp_als.hpp>
#include <genten/dist/distribute.hpp>
#include <genten/dist/rank_exchange.hpp>

namespace genten {

/// What the ranks have sent each other in a run, all together.
struct ExchangeAccount {
  /// By mode, rows of R words and messages of all folds, and of all expands.
  std::vector<RowsSent> folded, expanded;
};

/// The result of CP-ALS on several ranks.
template <RealScalar Scalar, ExecutionSpace Exec>
struct DistributedCpAlsResult : CpAlsResult<Scalar, Exec> {
  ExchangeAccount exchange;
};

/// A rank's part where `Exec` computes.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] TensorPart<Scalar, Ordinal, Exec> copy_to(
    const TensorPart<Scalar, Ordinal, HostExec>& part) {
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return part;
  } else {
    TensorPart<Scalar, Ordinal, Exec> copy{copy_to<Exec>(part.tensor), part.dimensions, {}, {}};
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
};

/// Decomposes a distributed tensor: see the overload of cp_als for a TensorPart in cp/cp_als.hpp,
/// which says what each rank gets. Phases of the result are, besides those of CP-ALS, those of
/// Exchange: `fold`, `expand`, `reduce` and `wait`.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] DistributedCpAlsResult<Scalar, Exec> cp_als(
    const Exec& exec, Communicator& ranks, const DistributedTensor<Scalar, Ordinal>& tensor,
    const CpAlsOptions& options, ObserverArgument<Scalar, Exec> observer = {},
    const std::type_identity_t<Ktensor<Scalar, Exec>>* initial_guess = nullptr,
    const RankOptions& how = {}) {
  const std::size_t rank = initial_guess == nullptr ? options.rank : initial_guess->rank();
  std::optional<RankExchange<Scalar, Exec>> exchange;
  TensorPart<Scalar, Ordinal, Exec> part;
  together(ranks, [&] {
    exchange.emplace(ranks, tensor.shared, rank, how.direct, how.interrupted);
    part = copy_to<Exec>(tensor.part);
  });
  DistributedCpAlsResult<Scalar, Exec> result{
      cp_als(exec, part, *exchange, options, observer, initial_guess), {}};
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
  return result;
}

}  // namespace genten
