// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The ranks of a run as a solver has them, and what they agree on after each sweep.

#include <genten/cp/exchange.hpp>
#include <genten/cp/memory.hpp>
#include <genten/cp/options.hpp>
#include <genten/cp/stop.hpp>

#include <array>

namespace genten::detail {

/// What the ranks of a run agree on after each sweep, by one small exchange. What rank 0 has found
/// holds for all, so that all decide alike, also where other kinds of processors round otherwise;
/// and what comes to one rank from outside, a signal or the end of its time, comes to all.
template <RealScalar Scalar, ExecutionSpace Exec>
class SweepAgreement {
 public:
  /// `watch` has run since the call began, and must go on; a limit of 0 is none.
  SweepAgreement(Exchange<Scalar, Exec>& ranks, const Stopwatch& watch, double time_limit)
      : m_ranks(ranks), m_watch(watch), m_time_limit(time_limit) {}

  /// The outcome of rank 0, and on the way what comes from outside.
  [[nodiscard]] SweepOutcome agree(const SweepOutcome& own) {
    // The others add nothing.
    std::array<double, 6> sums{};
    if (m_ranks.rank() == 0) {
      sums = {own.fit,           own.residual_norm, own.objective,
              own.kkt_violation, own.holdout_rmse,  own.holdout_mae};
    }
    combine(sums);
    return {sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]};
  }
  /// What comes from outside alone: before the first sweep.
  void agree() { combine({}); }

  /// Whether one of the ranks is to stop, and so all.
  [[nodiscard]] bool interrupted() const { return m_interrupted; }
  [[nodiscard]] bool time_is_up() const { return m_time_is_up; }

 private:
  void combine(std::span<double> sums) {
    const bool late = m_time_limit > 0.0 && m_watch.seconds() >= m_time_limit;
    std::array<double, 2> outside = {m_ranks.interrupted() ? 1.0 : 0.0, late ? 1.0 : 0.0};
    m_ranks.combine(sums, outside);
    m_interrupted = outside[0] > 0.0;
    m_time_is_up = outside[1] > 0.0;
  }

  Exchange<Scalar, Exec>& m_ranks;
  const Stopwatch& m_watch;
  double m_time_limit;
  bool m_interrupted = false;
  bool m_time_is_up = false;
};

/// Stops all ranks after the iteration in which one of them has a reason that all have agreed on.
/// Without ranks never.
template <class Agreement>
struct AgreedStop {
  const Agreement* agreement = nullptr;
  bool (Agreement::*is_agreed)() const = nullptr;
  StopReason reason{};

  std::optional<StopReason> operator()(const RunState& state) const {
    const bool none = agreement == nullptr || state.history.empty();
    if (none || !(agreement->*is_agreed)()) return std::nullopt;
    return reason;
  }
};

/// The ranks of a run, and what this one has of the tensor; of a run in one process there are none.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct Ranks {
  using Agreement = SweepAgreement<Scalar, Exec>;

  Exchange<Scalar, Exec>* exchange = nullptr;
  const TensorPart<Scalar, Ordinal, Exec>* part = nullptr;
  Agreement* agreement = nullptr;

  /// Whether this process has the whole model: the only one, or rank 0.
  [[nodiscard]] bool has_model() const { return exchange == nullptr || exchange->rank() == 0; }
  /// The rows of the whole tensor that a process with the whole model has of a mode, in its order.
  template <class Relabeling>
  [[nodiscard]] const auto& rows_of_model(const Relabeling& relabeling, int mode) const {
    return part == nullptr ? relabeling.original_rows(mode)
                           : part->gathered_rows[static_cast<std::size_t>(mode)];
  }
  /// Runs `body`; what it throws on one rank it throws on all.
  void together(const std::function<void()>& body) const {
    exchange == nullptr ? body() : exchange->together(body);
  }
  [[nodiscard]] SweepOutcome agreed(const SweepOutcome& outcome) const {
    return agreement == nullptr ? outcome : agreement->agree(outcome);
  }
  /// Bytes that this process may take: what the options say, or its part of what is free.
  [[nodiscard]] double available(const CpAlsOptions& options) const {
    const double all = available_to<Exec>(options);
    return shares_memory(options) ? all / static_cast<double>(exchange->sharing_memory()) : all;
  }
  [[nodiscard]] bool shares_memory(const CpAlsOptions& options) const {
    return exchange != nullptr && options.memory_available <= 0.0 && exchange->sharing_memory() > 1;
  }
  /// What a refusal says besides; empty where there is nothing to say.
  [[nodiscard]] std::string memory_note(const CpAlsOptions& options) const {
    if (!shares_memory(options)) return "";
    return "each of the " + std::to_string(exchange->sharing_memory()) +
           " ranks of the machine may take as much";
  }
};

}  // namespace genten::detail
