// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// choose_rank: several numbers of components are tried, and one is suggested, with reasons.

#include <genten/run/rank_choice.hpp>
#include <genten/run/run_cp.hpp>

#include <functional>
#include <optional>

namespace genten {

/// An iteration of one of the runs of choose_rank. Valid only during the call.
template <RealScalar Scalar, ExecutionSpace Exec>
struct RankIteration {
  std::size_t rank = 0;
  /// Which draw of held-out entries the run does without, from 0; none: it has all entries.
  std::optional<std::size_t> draw = std::nullopt;
  const KtensorIteration<Scalar, Exec>& iteration;  ///< its start is one of all starts of the rank
};

/// A rank that is finished. Valid only during the call.
template <RealScalar Scalar, ExecutionSpace Exec>
struct FinishedRank {
  const RankRow& row;  ///< without differences, which all ranks are needed for
  /// Of the best start on all entries; `starts` of its figures has all, the one that went on from
  /// the rank before last.
  const CpRun<Scalar, Exec>& run;
  const CpRequest& request;  ///< of that run
  /// Makes a checkpoint, with which choose_rank goes on behind this rank.
  std::function<Checkpoint<Ktensor<Scalar, Exec>>()> checkpoint;
};

/// How a caller follows choose_rank. Empty functions are not called.
template <RealScalar Scalar, ExecutionSpace Exec>
struct RankObserver {
  /// After each iteration of every run: whether to go on. Where not, the rank is left out, unless
  /// it is the first.
  std::function<ObserverAction(const RankIteration<Scalar, Exec>&)> iterated = {};
  /// After each rank.
  std::function<void(const FinishedRank<Scalar, Exec>&)> finished = {};
  /// For each rank of a checkpoint, before all others: its run has the model and no iterations.
  std::function<void(const FinishedRank<Scalar, Exec>&)> resumed = {};
  /// While error bars of the suggested model are made: whether these are to end.
  InterruptCheck interrupted = {};
};

/// What choose_rank returns.
template <RealScalar Scalar>
struct RankSearchResult : RankChoice {
  std::vector<Ktensor<Scalar, HostExec>> models = {};  ///< by row, the best
};

/// Throws Error for what concerns a single run or cannot go with ranks: fixed modes,
/// held-out entries as options of the request, several starts there.
void check_rank_request(const CpRequest& request);

/// The request of the runs of choose_rank on all entries: least squares go on to a tolerance of
/// 1e-6, and for 500 iterations at most, unless these are given. They have no error bars.
[[nodiscard]] CpRequest rank_request(const CpRequest& request);

/// Decomposes a tensor with each of several numbers of components, and suggests one.
///
/// `request` is settled, and says all but the ranks, starts, held-out part and time limit, which
/// `options` have. Each rank is run from several starts on all entries: random ones and, last, the
/// best model of the rank before with random components added, unless factors have bounds other
/// than 0. Then it is run again without a part of the entries, the same for all ranks, by the usual
/// solver for the loss where these are missing (cp_completion or cp_gcp), and the model with the
/// least objective tells the losses at these entries. That is from three random starts, and more,
/// up to `starts`, until one comes to an objective as low as that of the best model of all entries
/// there; where none does, from that model. Where fewer than 200 of them are nonzeros, up
/// to 20 draws are made, of a million entries in all at most.
///
/// Losses that need nonnegative models add a hundredth of the mean of all entries to the model's
/// values where they are compared with held-out entries, so that a zero where a count was is a
/// large loss, and not one beyond all others; the same for all ranks.
///
/// Error bars that the request wants are those of the best model of the suggested rank alone.
///
/// `missing` as for run_cp. `resume` goes on from a checkpoint of a FinishedRank: its ranks must be
/// the first ones of `options.ranks`. Numbers are the same for every number of threads where those
/// of the solvers are, but for seconds. Throws what the solvers throw, and Error for options
/// that are not those of the checkpoint.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] RankSearchResult<Scalar> choose_rank(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    const CpRequest& request, const RankChoiceOptions& options,
    const std::type_identity_t<std::optional<Checkpoint<Ktensor<Scalar, Exec>>>>& resume,
    const std::type_identity_t<RankObserver<Scalar, Exec>>& observer);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/run/detail/choose_rank_impl.hpp>
#endif
