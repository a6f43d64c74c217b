// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsRun: one CP-ALS run from one initial guess, on the relabeled tensor.

#include <genten/base/detail/backend.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/als_algebra_device.hpp>
#include <genten/cp/detail/phase_timer.hpp>
#include <genten/cp/observer.hpp>
#include <genten/cp/options.hpp>
#include <genten/dense/factor_update.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/plan.hpp>

#include <optional>

namespace genten::detail {

/// The fit of a model whose residual has this norm: 1 - residual / tensor. Of a zero tensor, where
/// that says nothing, 1 if it is met exactly and 0 otherwise.
[[nodiscard]] inline double fit_of(double residual_norm, double tensor_norm) {
  if (tensor_norm > 0.0) return 1.0 - residual_norm / tensor_norm;
  return residual_norm == 0.0 ? 1.0 : 0.0;
}

/// What all starts of a decomposition share.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct CpAlsProblem {
  Relabeling<Ordinal, Exec> relabeling;
  std::optional<MttkrpPlan<Scalar, Ordinal, Exec>> plan;  ///< until the last start has used it
  std::vector<std::size_t> dimensions;                    ///< of the tensor as given
  std::vector<int> updates;                               ///< modes to update, in order
  double tensor_norm = 0.0;
  std::size_t rank = 0;
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class CpAlsRun {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using Problem = CpAlsProblem<Scalar, Ordinal, Exec>;

  CpAlsRun(const Exec& exec, Problem& problem, const CpAlsOptions& options,
           const CpAlsObserver<Scalar, Exec>& observer, std::size_t start, double elapsed)
      : m_exec(exec),
        m_problem(problem),
        m_options(options),
        m_observer(observer),
        m_start(start),
        m_elapsed(elapsed),
        m_algebra(static_cast<int>(problem.dimensions.size()), problem.rank,
                  std::is_same_v<Scalar, float> ? 1e-3 : 1e-8),
        m_update(problem.rank, longest()) {
    for (const std::size_t rows : problem.relabeling.dimensions()) {
      m_factors.emplace_back(rows, problem.rank);
    }
    for (int i = 0; i < 2; ++i) {
      m_transforms.emplace_back(problem.rank, problem.rank);
    }
    for (std::size_t m = 0; m < m_factors.size(); ++m) m_versions[m] = ++m_version;
    for (const int mode : problem.updates) m_steps.push_back({.mode = mode});
  }

  /// Starts from random factors: row i of a factor gets the numbers of the original row's number.
  void start_random(std::uint64_t seed) {
    m_timings.time(m_exec, "gram", [&] {
      for (int mode = 0; mode < order(); ++mode) {
        fill_random(mode, seed);
        m_update.measure(m_exec, factor(mode));
        fence(m_exec, "genten::gram");
        m_algebra.set_gram(mode, m_update.gram());
      }
    });
  }

  /// Starts from a copy of the caller's model, whose weights go into the last factor.
  void start_from(const Ktensor<Scalar, Exec>& guess) {
    m_guess = clone(guess);
    redistribute(m_exec, *m_guess, order() - 1);
    m_timings.time(m_exec, "gram", [&] {
      for (int mode = 0; mode < order(); ++mode) {
        // Rows without nonzeros count in the Gram matrix until the mode's first update clears them.
        m_algebra.set_gram(mode, cross_gram(m_exec, m_guess->factor(mode), m_guess->factor(mode)));
        m_problem.relabeling.gather_rows(m_exec, mode, m_guess->factor(mode), factor(mode));
      }
    });
  }

  /// Iterates until there is a reason to stop.
  void iterate();

  /// The model as it stands, with all rows, normalized.
  [[nodiscard]] Ktensor<Scalar, Exec> model() const {
    return with_all_rows(normalized(clone(m_exec, stored_model())));
  }

  /// The result but for what concerns all starts. The factors are used up; after the last start the
  /// plan is too.
  [[nodiscard]] CpAlsResult<Scalar, Exec> result(bool last_start);

  [[nodiscard]] double fit() const { return m_history.empty() ? 0.0 : m_history.back().fit; }

  /// \cond device lambdas must stand in public members
  void fill_random(int mode, std::uint64_t seed) {
    const Matrix matrix = factor(mode);
    const auto original = m_problem.relabeling.original_rows(mode);
    const bool normal = m_options.init == InitialGuess::normal;
    const auto columns = static_cast<offset_t>(m_problem.rank);
    const auto stream = static_cast<std::uint64_t>(mode);
    Kokkos::parallel_for(
        "genten::random_guess",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(
            m_exec, 0, static_cast<offset_t>(matrix.rows()) * columns),
        KOKKOS_LAMBDA(const offset_t index) {
          const auto i = static_cast<std::size_t>(index / columns);
          const auto j = static_cast<std::uint64_t>(index % columns);
          matrix(i, j) = static_cast<Scalar>(normal ? random_normal(seed, stream, original(i), j)
                                                    : random_uniform(seed, stream, original(i), j));
        });
  }
  /// \endcond

 private:
  [[nodiscard]] int order() const { return static_cast<int>(m_problem.dimensions.size()); }
  [[nodiscard]] const Matrix& factor(int mode) const {
    return m_factors[static_cast<std::size_t>(mode)];
  }
  [[nodiscard]] std::size_t longest() const {
    std::size_t rows = 0;
    for (const std::size_t length : m_problem.relabeling.dimensions())
      rows = std::max(rows, length);
    return rows;
  }

  /// The matrix that holds a mode's rows: those with nonzeros, or all while they are the caller's.
  [[nodiscard]] const Matrix& stored(int mode) const {
    return whole(mode) ? m_guess->factor(mode) : factor(mode);
  }
  [[nodiscard]] bool whole(int mode) const { return m_guess && !m_updated[mode]; }

  /// The stored rows as a model, not copied, and its weights not yet set.
  [[nodiscard]] Ktensor<Scalar, Exec> stored_model() const;
  /// The model that stored rows, which are changed, stand for, normalized.
  [[nodiscard]] Ktensor<Scalar, Exec> normalized(Ktensor<Scalar, Exec> model) const;
  /// The same with all rows. Takes memory for one factor more than the result's at a time.
  [[nodiscard]] Ktensor<Scalar, Exec> with_all_rows(Ktensor<Scalar, Exec> model) const;

  /// A mode's update, as it is queued.
  struct Step {
    int mode = 0;
    typename Backend<Exec>::Mark begun{};
    typename Backend<Exec>::Mark contracted{};  ///< MTTKRP is done
    typename Backend<Exec>::Mark updated{};     ///< so is the rest
  };

  /// Updates all modes. The next mode's MTTKRP needs the rows of this one's factor, not the figures
  /// found in them: a device takes those in and solves while it computes MTTKRP.
  void sweep(bool first_sweep);
  void queue_mttkrp(Step& step);
  void queue_update(Step& step);
  /// Divides a factor by its weights, which the first sweep does not foresee, so that stored
  /// columns have norm one.
  void scale(int mode);
  /// Adds the times of the steps, which are done.
  void add_times();
  IterationRecord evaluate(std::size_t iteration, const Stopwatch& watch);
  std::optional<StopReason> reason_to_stop(const IterationRecord& record);

  Exec m_exec;
  Problem& m_problem;
  const CpAlsOptions& m_options;
  const CpAlsObserver<Scalar, Exec>& m_observer;
  std::size_t m_start;
  double m_elapsed;  ///< seconds that count against the time limit already
  PhaseTimings m_timings;
  std::conditional_t<is_host_space<Exec>, HostAlsAlgebra<Scalar, Exec>,
                     DeviceAlsAlgebra<Scalar, Exec>>
      m_algebra;
  FactorUpdate<Scalar, Exec> m_update;
  std::vector<Matrix> m_factors;
  std::vector<Matrix> m_transforms;
  std::vector<Step> m_steps;  ///< of a sweep
  FactorVersions m_versions{};
  std::uint64_t m_version = 0;
  Kokkos::Array<bool, max_order> m_updated{};
  std::optional<Ktensor<Scalar, Exec>> m_guess;
  std::vector<IterationRecord> m_history;
  StopReason m_reason = StopReason::iteration_limit;
  std::size_t m_mttkrps = 0;
};

}  // namespace genten::detail

#include <genten/cp/detail/cp_als_run_impl.hpp>
