// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Adam: epochs of steps along gradients of few random entries.

#include <genten/cp/detail/gcp/entry_batches.hpp>
#include <genten/cp/detail/gcp/stacked_model.hpp>
#include <genten/cp/timings.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace genten::detail {

/// What ends a run from outside.
struct GcpEnd {
  const Stopwatch& watch;  ///< since the call began
  const CpGcpOptions& options;

  [[nodiscard]] std::optional<StopReason> operator()() const {
    if (options.interrupted && options.interrupted()) return StopReason::observer;
    const bool late = options.time_limit > 0.0 && watch.seconds() >= options.time_limit;
    return late ? std::optional(StopReason::time_limit) : std::nullopt;
  }
};

/// Kingma and Ba, ICLR 2015, with bounds by projection.
template <RealScalar Scalar, ExecutionSpace Exec>
struct AdamUpdate {
  static constexpr double first_decay = 0.9, second_decay = 0.999, epsilon = 1e-8;

  FacMatrix<Scalar, Exec> x, gradient, first, second;
  GcpLimits limits;
  Kokkos::Array<double, max_order> ridge, l1;
  double rate, first_correction, second_correction;
  static constexpr auto largest = static_cast<double>(std::numeric_limits<Scalar>::max());

  /// Updates row i by its gradient, which becomes 0.
  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    const int mode = limits.mode_of(i);
    if (limits.fixed[mode]) return;
    const double lower = limits.lower[mode], upper = limits.upper[mode];
    for (std::size_t r = 0; r < x.columns(); ++r) {
      const auto before = static_cast<double>(x(i, r));
      const double slope = static_cast<double>(gradient(i, r)) + ridge[mode] * before + l1[mode];
      const double mean =
          first_decay * static_cast<double>(first(i, r)) + (1.0 - first_decay) * slope;
      const double square =
          second_decay * static_cast<double>(second(i, r)) + (1.0 - second_decay) * slope * slope;
      const double step =
          rate * mean / first_correction / (::sqrt(square / second_correction) + epsilon);
      const double moved = before - step;
      x(i, r) = static_cast<Scalar>(moved < lower ? lower : moved > upper ? upper : moved);
      first(i, r) = static_cast<Scalar>(mean);
      // Beyond its type's range a moment would never come down again.
      second(i, r) = static_cast<Scalar>(square < largest ? square : largest);
      gradient(i, r) = Scalar(0);
    }
  }
};

/// Entries of a gradient by default: as pyttb and GenTen have it, three times the nonzeros an
/// epoch.
[[nodiscard]] inline std::size_t batch_size(const CpGcpOptions& options, offset_t nonzeros) {
  if (options.batch != 0) return options.batch;
  const double part =
      3.0 * static_cast<double>(nonzeros) / static_cast<double>(options.epoch_steps);
  return std::max<std::size_t>(1000, static_cast<std::size_t>(std::ceil(part)));
}

/// The moments of all elements, and the epochs that have failed.
template <RealScalar Scalar, ExecutionSpace Exec>
class Adam {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using Model = StackedModel<Scalar, Exec>;

  Adam(const Exec& exec, const GcpProblem<Scalar, Exec>& problem, const CpGcpOptions& options,
       std::size_t rows)
      : m_options(options),
        m_limits(problem.limits()),
        m_batches(exec, problem.objective->entries_to_draw(), problem.zeros != ZeroSums::none,
                  batch_size(options, problem.objective->entries_to_draw().listed.nnz())) {
    for (Matrix& each : m_moments) {
      each = Matrix(exec, rows, options.rank, "genten::adam_moments");
    }
    for (std::size_t n = 0; n < problem.ridge.size(); ++n) {
      m_ridge[n] = problem.ridge[n];
      m_l1[n] = problem.l1[n];
    }
  }

  [[nodiscard]] const GcpEpochs& epochs() const { return m_epochs; }
  /// First and second moments, as they were when the last epoch that did not fail had ended.
  [[nodiscard]] const Matrix& moment(std::size_t which) const { return m_moments[which]; }
  /// Goes on from there; by default from the start.
  void begin(const Exec& exec, const GcpEpochs& epochs = {}) {
    m_epochs = epochs;
    if (epochs.steps != 0) return;
    for (const Matrix& each : m_moments) Kokkos::deep_copy(exec, each.padded_view(), Scalar(0));
  }

  /// Moves the model by the steps of an epoch, up to one after which `ends()`, and says whether
  /// they were all; `gradient` is memory.
  template <class Ends>
  [[nodiscard]] bool run_epoch(const Exec& exec, std::size_t number, const Model& x,
                               const Matrix& gradient, const Ends& ends) {
    genten::deep_copy(exec, m_moments[2], m_moments[0]);
    genten::deep_copy(exec, m_moments[3], m_moments[1]);
    Kokkos::deep_copy(exec, gradient.padded_view(), Scalar(0));
    AdamUpdate<Scalar, Exec> update{.x = x.all(),
                                    .gradient = gradient,
                                    .first = m_moments[2],
                                    .second = m_moments[3],
                                    .limits = m_limits,
                                    .ridge = m_ridge,
                                    .l1 = m_l1,
                                    .rate = rate(),
                                    .first_correction = 1.0,
                                    .second_correction = 1.0};
    bool ended = false;
    for (std::size_t step = 0; step < m_options.epoch_steps && !ended; ++step) {
      const std::size_t drawn = step % m_batches.at_once();
      if (drawn == 0) {
        m_batches.draw(exec, random_bits(m_options.seed, batch_stream, number, step));
      }
      m_batches.add_gradient(exec, drawn, x, m_limits, gradient);
      const auto steps = static_cast<double>(m_epochs.steps + step + 1);
      update.first_correction = 1.0 - std::pow(update.first_decay, steps);
      update.second_correction = 1.0 - std::pow(update.second_decay, steps);
      Kokkos::parallel_for(
          "genten::adam",
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, gradient.rows()),
          update);
      ended = step + 1 < m_options.epoch_steps && ends();
    }
    fence(exec, "genten::adam");
    return !ended;
  }
  /// After an epoch that has brought the objective down.
  void keep() {
    m_epochs.steps += m_options.epoch_steps;
    std::swap(m_moments[0], m_moments[2]);
    std::swap(m_moments[1], m_moments[3]);
  }
  /// After one that has not: the next one has a tenth of its rate.
  void fail() { ++m_epochs.failed; }
  [[nodiscard]] bool has_failed() const { return m_epochs.failed > m_options.failures; }

 private:
  [[nodiscard]] double rate() const {
    return m_options.rate * std::pow(0.1, static_cast<double>(m_epochs.failed));
  }
  static constexpr std::uint64_t batch_stream = 0x6261746368;  ///< no mode's random numbers

  const CpGcpOptions& m_options;
  GcpLimits m_limits;
  EntryBatches<Scalar, Exec> m_batches;
  std::array<Matrix, 4> m_moments;  ///< those of `moment`, and those of the epoch that runs
  Kokkos::Array<double, max_order> m_ridge{}, m_l1{};
  GcpEpochs m_epochs;
};

}  // namespace genten::detail
