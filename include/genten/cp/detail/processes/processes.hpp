// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The processes of a run as a solver has them, and what they agree on after each sweep.

#include <genten/cp/detail/processes/one_process.hpp>
#include <genten/cp/memory.hpp>
#include <genten/cp/options.hpp>
#include <genten/cp/stop.hpp>

#include <array>

namespace genten::detail {

/// The processes of a run, and what this one has of the tensor.
///
/// After each sweep they agree by one small exchange. What process 0 has found holds for all, so
/// that all decide alike, also where other kinds of processors round otherwise; and what comes to
/// one process from outside, a signal or the end of its time, comes to all.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class Processes {
 public:
  using Part = TensorPart<Scalar, Ordinal, Exec>;

  /// One process, which has the whole tensor.
  Processes() = default;
  /// Those that have a tensor in parts.
  Processes(Exchange<Scalar, Exec>& exchange, const Part& part)
      : m_exchange(&exchange), m_part(&part) {}

  [[nodiscard]] Exchange<Scalar, Exec>& exchange() const { return *m_exchange; }
  /// See Exchange.
  [[nodiscard]] bool are_distributed() const { return m_exchange->is_distributed(); }
  /// Null unless they are.
  [[nodiscard]] const Part* part() const { return m_part; }
  /// Whether this process has the whole model: the only one, or process 0.
  [[nodiscard]] bool has_model() const { return m_exchange->process() == 0; }
  /// Runs `body`; what it throws on one process it throws on all.
  void together(const std::function<void()>& body) const { m_exchange->together(body); }

  /// Of the whole tensor, if `tensor` is what this process has of it.
  [[nodiscard]] TensorFingerprint fingerprint(const Exec& exec,
                                              const Sptensor<Scalar, Ordinal, Exec>& tensor) const {
    return m_part != nullptr ? m_part->fingerprint : TensorFingerprint::of(exec, tensor);
  }

  /// Bytes that this process may take: what the options say, or its part of what is free.
  [[nodiscard]] double available(const CpAlsOptions& options) const {
    const double all = available_to<Exec>(options);
    return shares_memory(options) ? all / static_cast<double>(m_exchange->sharing_memory()) : all;
  }
  /// What a refusal says besides; empty where there is nothing to say.
  [[nodiscard]] std::string memory_note(const CpAlsOptions& options) const {
    if (!shares_memory(options)) return "";
    return "each of the " + std::to_string(m_exchange->sharing_memory()) +
           " processes of the machine may take as much";
  }

  /// Seconds of `watch`, which has run since the call began; 0: no limit.
  void limit_time(const Stopwatch& watch, double seconds) {
    m_watch = watch;
    m_time_limit = seconds;
  }
  /// The outcome of process 0, and on the way what comes from outside.
  [[nodiscard]] SweepOutcome agree(const SweepOutcome& own) {
    // The others add nothing.
    std::array<double, 6> sums{};
    if (has_model()) {
      sums = {own.fit,           own.residual_norm, own.objective,
              own.kkt_violation, own.holdout_rmse,  own.holdout_mae};
    }
    combine(sums);
    return {sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]};
  }
  /// What comes from outside alone: before the first sweep.
  void agree() { combine({}); }

  /// Whether one of the processes is to stop, and so all.
  [[nodiscard]] bool interrupted() const { return m_interrupted; }
  [[nodiscard]] bool time_is_up() const { return m_time_is_up; }

 private:
  [[nodiscard]] bool shares_memory(const CpAlsOptions& options) const {
    return options.memory_available <= 0.0 && m_exchange->sharing_memory() > 1;
  }
  void combine(std::span<double> sums) {
    const bool late = m_time_limit > 0.0 && m_watch.seconds() >= m_time_limit;
    std::array<double, 2> outside = {m_exchange->interrupted() ? 1.0 : 0.0, late ? 1.0 : 0.0};
    m_exchange->combine(sums, outside);
    m_interrupted = outside[0] > 0.0;
    m_time_is_up = outside[1] > 0.0;
  }

  Exchange<Scalar, Exec>* m_exchange = &OneProcess<Scalar, Exec>::instance();
  const Part* m_part = nullptr;
  Stopwatch m_watch;
  double m_time_limit = 0.0;
  bool m_interrupted = false;
  bool m_time_is_up = false;
};

/// Stops all processes after the iteration in which one of them has a reason that all have agreed
/// on.
template <class Processes>
struct AgreedStop {
  const Processes* processes = nullptr;
  bool (Processes::*is_agreed)() const = nullptr;
  StopReason reason{};

  std::optional<StopReason> operator()(const RunState& state) const {
    if (state.history.empty() || !(processes->*is_agreed)()) return std::nullopt;
    return reason;
  }
};

}  // namespace genten::detail
