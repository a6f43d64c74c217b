// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAprStep: a sweep of multiplicative updates over all modes, and the model that it improves.

#include <genten/core/columns.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/model_values.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/detail/apr/apr_state.hpp>
#include <genten/cp/detail/apr/extrapolation.hpp>
#include <genten/cp/detail/apr/multiplicative.hpp>
#include <genten/cp/detail/apr/poisson_sums.hpp>
#include <genten/cp/detail/entries_by_row.hpp>
#include <genten/cp/detail/packed_model.hpp>
#include <genten/cp/iterate.hpp>
#include <genten/mttkrp/plan.hpp>
#include <genten/mttkrp/poisson_newton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// Newton's steps, where there are any: on hosts.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct NoNewtonTraversal {
  double step(const Exec&, std::span<const FacMatrix<Scalar, Exec>>, int,
              const FacMatrix<Scalar, Exec>&, CountStepKind) {
    return 0.0;
  }
};
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct NewtonTraversalOf {
  using type = NoNewtonTraversal<Scalar, Ordinal, Exec>;
};
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
struct NewtonTraversalOf<Scalar, Ordinal, Exec> {
  using type = PoissonNewton<Scalar, Exec>;
};
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
using NewtonTraversal = typename NewtonTraversalOf<Scalar, Ordinal, Exec>::type;

/// What CP-APR knows of its tensor, which has no duplicates. The paper's numbers are for counts: a
/// tensor is divided by the power of two that makes its smallest value, as of most counts, 1 to 2.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct CpAprProblem {
  Sptensor<Scalar, Ordinal, Exec> tensor;
  int exponent = 0;  ///< the tensor as given is 2^exponent times this one
  double norm = 0.0;
  ValueSums values{};
  /// The traversal over its nonzeros: one of both.
  std::optional<MttkrpPlan<Scalar, Ordinal, Exec>> plan = std::nullopt;
  std::optional<NewtonTraversal<Scalar, Ordinal, Exec>> newton = std::nullopt;
};

/// The exponent of the power of two that a tensor with these values above 0 is divided by. The
/// largest is then below 2^64, whatever the smallest.
[[nodiscard]] inline int count_exponent(double smallest, double largest) {
  if (!(largest > 0.0)) return 0;
  return std::max(std::ilogb(smallest), std::ilogb(largest) - 63);
}

/// A SolverStep. Between sweeps columns of all factors have 1-norm one, and weights are counts.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class CpAprStep {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;
  using Problem = CpAprProblem<Scalar, Ordinal, Exec>;

  CpAprStep(const Exec& exec, Problem& problem, const CpAprOptions& options)
      : m_exec(exec), m_problem(problem), m_options(options) {
    std::size_t most_rows = 0;
    for (const std::size_t rows : problem.tensor.dimensions()) {
      most_rows = std::max(most_rows, rows);
    }
    if (problem.plan) m_phi = Matrix(most_rows, options.rank, "genten::phi");
    m_versions.assign(problem.tensor.dimensions().size(), 0);
  }

  /// Starts from random numbers of [0, 1).
  void start_random(std::uint64_t seed) {
    m_beginning = Beginning{.seed = seed};
    begin();
  }
  /// Starts from a model of nonnegative numbers, which is not changed, of counts scaled so that it
  /// adds up to what the tensor does. Where it is 0 at a nonzero, for which there is no likelihood,
  /// its zeros are lifted as those are that a run meets. Throws Error where that does not help, as
  /// with a kappa of 0.
  void start_from(const Model& guess) {
    m_beginning = Beginning{.guess = guess};
    begin();
    if (!std::isfinite(m_reached.objective)) {
      throw Error::in("cp_apr",
                      "expected an initial guess that is above 0 wherever the tensor is, or a "
                      "kappa above 0, to which its zeros there are raised")
          .as(Error::Code::guess);
    }
  }
  /// Goes on from what `save` gave after so many iterations. Throws Error where that is of another
  /// problem.
  void start_at(AprStepState<Scalar> state, std::size_t iterations) {
    m_beginning = Beginning{.saved = std::move(state), .iterations = iterations};
    begin();
  }
  std::size_t restart() {
    fence(m_exec, "genten::restart");
    begin();
    return m_beginning.iterations;
  }
  /// All that what follows depends on, after a sweep.
  [[nodiscard]] AprStepState<Scalar> save() const {
    AprStepState<Scalar> state;
    state.weights = m_weights;
    state.inner_iterations = m_inner;
    state.lifted_zeros = m_lifted_zeros;
    state.weights_before = m_extrapolation.weights();
    state.length = m_extrapolation.length();
    state.first_deviance = m_first_deviance;
    state.by_newton = m_by_newton;
    for (const Matrix& factor : m_model.factors()) state.factors.push_back(packed_elements(factor));
    for (const Matrix& factor : m_extrapolation.before().factors()) {
      state.before.push_back(packed_elements(factor));
    }
    return state;
  }

  [[nodiscard]] SweepOutcome sweep(std::size_t iteration, PhaseTimings& timings) {
    double violation = 0.0;
    for (int mode = 0; mode < m_model.order(); ++mode) {
      violation = std::max(violation, m_problem.newton ? update_by_newton(mode, timings)
                                                       : update(mode, iteration, timings));
    }
    const double before = m_half_deviance;
    timings.time(m_exec, "objective", [&] { evaluate(); });
    const double gained = before - m_half_deviance;
    m_by_newton = m_by_newton || !(gained > newton_part * (m_first_deviance - m_half_deviance));
    // What is at a minimum stays there.
    if (!(violation < m_options.tolerance)) {
      timings.time(m_exec, "objective", [&] { extrapolate(); });
    }
    timings.time(m_exec, "objective", [&] { find_fit(); });
    m_reached.kkt_violation = violation;
    return m_reached;
  }

  [[nodiscard]] Model model() const { return finished(clone(m_exec, m_model)); }
  /// The same of a step that is done: its factors are used up.
  [[nodiscard]] Model take_model() { return finished(m_model); }
  /// What the last sweep of the run has reached or, before the first, the guess.
  [[nodiscard]] SweepOutcome reached(const RunState& run) const {
    SweepOutcome reached = m_reached;
    if (!run.history.empty()) reached.kkt_violation = run.history.back().kkt_violation;
    return reached;
  }
  /// Of the last sweep: twice the sum over all entries of x log(x / m) - x + m.
  [[nodiscard]] double deviance() const {
    // Rounding may leave a small negative number.
    const double positive = m_half_deviance < 0.0 ? 0.0 : m_half_deviance;
    return std::ldexp(2.0 * positive, m_problem.exponent);
  }
  /// Steps of modes so far.
  [[nodiscard]] std::size_t inner_iterations() const { return m_inner; }
  /// Elements of the caller's guess that were raised from 0.
  [[nodiscard]] std::size_t lifted_zeros() const { return m_lifted_zeros; }

 private:
  /// What it started from: the caller's guess, or what was saved, or random factors.
  struct Beginning {
    std::optional<Model> guess{};
    std::optional<AprStepState<Scalar>> saved{};
    std::size_t iterations = 0;  ///< that were done when it was saved
    std::uint64_t seed = 0;
  };

  void begin() {
    m_inner = 0;
    m_lifted_zeros = 0;
    m_reached = {};
    m_extrapolation = {};
    m_by_newton = false;
    if (m_beginning.saved) {
      begin_from(*m_beginning.saved);
    } else {
      m_model = Model();  // before there is another
      const auto& dimensions = m_problem.tensor.dimensions();
      m_model = m_beginning.guess ? clone(m_exec, *m_beginning.guess)
                                  : random_ktensor<Scalar>(m_exec, dimensions, m_options.rank,
                                                           m_beginning.seed, m_options.init);
      normalize(m_exec, m_model, NormKind::one);
      m_weights = host_weights(m_exec, m_model);
      if (!m_beginning.guess || m_options.loss == CountLoss::poisson) take_sum_of_tensor();
      set_weights(m_exec, m_model, m_weights);
    }
    evaluate();
    if (m_beginning.guess && !std::isfinite(m_reached.objective)) lift_impossible_zeros();
    find_fit();
    if (!m_beginning.saved) m_first_deviance = m_half_deviance;
    std::fill(m_versions.begin(), m_versions.end(), ++m_version);
  }
  void take_sum_of_tensor() {
    const double sum = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
    for (double& weight : m_weights) weight *= sum > 0.0 ? m_problem.values.sum / sum : 0.0;
  }
  /// Makes a guess possible that is 0 at nonzeros.
  void lift_impossible_zeros() {
    const auto& tensor = m_problem.tensor;
    const auto rows = listed_by_row(
        m_exec, tensor,
        ImpossibleEntries{tensor.subscripts(), tensor.values(), ModelValues<Scalar>(m_model)});
    for (int mode = 0; mode < m_model.order(); ++mode) {
      const Matrix b = m_model.factor(mode);
      scale_columns(m_exec, b, m_weights);
      m_lifted_zeros += lift(b, InImpossibleRows<Exec>{rows[static_cast<std::size_t>(mode)]});
      take_weights(b);
    }
    if (m_options.loss == CountLoss::poisson) {
      take_sum_of_tensor();
      set_weights(m_exec, m_model, m_weights);
    }
    evaluate();
  }
  template <class IsWrong>
  std::size_t lift(const Matrix& b, const IsWrong& is_wrong) {
    return lift_zeros(m_exec, b, is_wrong, m_options.kappa, m_options.kappa_tolerance);
  }
  void begin_from(const AprStepState<Scalar>& saved) {
    const auto& dimensions = m_problem.tensor.dimensions();
    const auto whole = [&](const auto& factors, const std::vector<double>& weights) {
      return factors.size() == dimensions.size() && weights.size() == m_options.rank;
    };
    if (!whole(saved.factors, saved.weights) ||
        !(saved.weights_before.empty() || whole(saved.before, saved.weights_before))) {
      throw Error::in("cp_apr", "the checkpoint's factors are not those of its tensor")
          .as(Error::Code::checkpoint);
    }
    m_model = unpacked(saved.factors);
    if (!saved.weights_before.empty()) {
      m_extrapolation = {unpacked(saved.before), saved.weights_before, saved.length};
    }
    m_first_deviance = saved.first_deviance;
    m_by_newton = saved.by_newton;
    m_weights = saved.weights;
    m_inner = saved.inner_iterations;
    m_lifted_zeros = saved.lifted_zeros;
    set_weights(m_exec, m_model, m_weights);
  }

  /// Without its weights.
  [[nodiscard]] Model unpacked(const std::vector<std::vector<Scalar>>& factors) const {
    const auto& dimensions = m_problem.tensor.dimensions();
    std::vector<Matrix> matrices;
    for (std::size_t n = 0; n < dimensions.size(); ++n) {
      matrices.push_back(unpacked_matrix(m_exec, factors[n], dimensions[n], m_options.rank));
    }
    return Model(typename Model::weights_view("genten::weights", m_options.rank),
                 std::move(matrices));
  }

  /// With the scale of the tensor as it is given, in the order of results.
  [[nodiscard]] Model finished(const Model& model) const {
    std::vector<double> weights;
    for (const double weight : m_weights) {
      weights.push_back(std::ldexp(weight, m_problem.exponent));
      const bool fits =
          std::abs(weights.back()) <= static_cast<double>(std::numeric_limits<Scalar>::max());
      if (fits || !std::isfinite(weight)) continue;
      throw Error::in("cp_apr", Error::Kind::runtime,
                      "the weight of component " + std::to_string(weights.size()) +
                          " is not representable in " +
                          (sizeof(Scalar) == sizeof(float) ? "float" : "double"));
    }
    set_weights(m_exec, model, weights);
    arrange(m_exec, model);
    return model;
  }

  /// Newton's steps of one mode, on B = A_n Lambda. Returns the violation before them.
  double update_by_newton(int mode, PhaseTimings& timings) {
    const Matrix b = m_model.factor(mode);
    timings.time(m_exec, "update", [&] { scale_columns(m_exec, b, m_weights); });
    const std::size_t most = m_options.inner_iterations != 0 ? m_options.inner_iterations : 1;
    const auto kind = m_by_newton ? CountStepKind::newton : CountStepKind::multiplicative;
    double violation = 0.0;
    for (std::size_t inner = 0; inner < most; ++inner) {
      const double now = timings.time("traversal", [&] {
        return m_problem.newton->step(m_exec, std::span<const Matrix>(m_model.factors()), mode, b,
                                      kind);
      });
      ++m_inner;
      if (inner == 0) violation = now;
      if (now < m_options.tolerance) break;
    }
    timings.time(m_exec, "update", [&] { take_weights(b); });
    return violation;
  }

  /// Multiplicative steps likewise.
  double update(int mode, std::size_t iteration, PhaseTimings& timings) {
    const Matrix b = m_model.factor(mode);
    const Matrix phi(typename Matrix::view_type(m_phi.data(), b.rows(), m_phi.stride()),
                     b.columns());
    timings.time(m_exec, "update", [&] { scale_columns(m_exec, b, m_weights); });
    double violation = 0.0;
    const std::size_t most = m_options.inner_iterations != 0 ? m_options.inner_iterations : 10;
    for (std::size_t inner = 0; inner < most; ++inner) {
      traversal(mode, phi, timings);
      if (inner == 0 && iteration > 1 &&
          timings.time("update", [&] { return lift(b, Inadmissible<Scalar, Exec>{phi}) != 0; })) {
        traversal(mode, phi, timings);
      }
      const double now = timings.time("update", [&] { return poisson_violation(m_exec, b, phi); });
      if (inner == 0) violation = now;
      if (now < m_options.tolerance) break;
      timings.time(m_exec, "update", [&] { multiply_by(m_exec, b, phi); });
      ++m_inner;
    }
    timings.time(m_exec, "update", [&] { take_weights(b); });
    m_versions[static_cast<std::size_t>(mode)] = ++m_version;
    return violation;
  }

  void traversal(int mode, const Matrix& phi, PhaseTimings& timings) {
    m_versions[static_cast<std::size_t>(mode)] = ++m_version;
    timings.time(m_exec, "traversal", [&] {
      FactorVersions versions{};
      for (std::size_t n = 0; n < m_versions.size(); ++n) versions[n] = m_versions[n];
      const std::span<const Matrix> factors(m_model.factors());
      if (m_options.loss == CountLoss::poisson) {
        m_problem.plan->execute_with(m_exec, PoissonRatio<Scalar>{}, factors, mode, phi, versions);
      } else {
        m_problem.plan->execute_with(m_exec, TruncatedRatio<Scalar>{}, factors, mode, phi,
                                     versions);
      }
    });
  }

  /// Column sums become the weights, of columns that then add up to one.
  void take_weights(const Matrix& b) {
    m_weights = column_norms(m_exec, b, NormKind::one);
    std::vector<double> divisors = m_weights;
    std::replace(divisors.begin(), divisors.end(), 0.0, 1.0);
    scale_columns(m_exec, b, divisors, true);
    set_weights(m_exec, m_model, m_weights);
  }

  /// Where that lowers the objective.
  void extrapolate() {
    const SweepOutcome reached = m_reached;
    const double half_deviance = m_half_deviance, inner_product = m_inner_product;
    const bool moved = m_extrapolation.extrapolate(m_exec, m_model, m_weights, [&] {
      evaluate();
      return m_half_deviance < half_deviance;
    });
    if (moved) {
      std::fill(m_versions.begin(), m_versions.end(), ++m_version);
      return;
    }
    m_reached = reached;
    m_half_deviance = half_deviance;
    m_inner_product = inner_product;
  }

  [[nodiscard]] DevianceSums sums() {
    if constexpr (is_host_space<Exec>) {
      if (m_problem.newton) {
        return m_problem.newton->sums(m_exec, std::span<const Matrix>(m_model.factors()),
                                      m_weights);
      }
    }
    return deviance_sums(m_exec, m_problem.tensor, m_model, m_options.loss);
  }

  /// The objective of the model as it stands, in the unit of the tensor as given.
  void evaluate() {
    const DevianceSums found = sums();
    const ValueSums& of_values = m_problem.values;
    const double sum = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
    double entries = 1.0;
    for (const std::size_t length : m_problem.tensor.dimensions()) {
      entries *= static_cast<double>(length);
    }
    const bool all_listed = static_cast<double>(m_problem.tensor.nnz()) == entries;
    m_half_deviance = found.half_deviance + sum_of_others(sum, found.model, all_listed);
    const double logarithm = m_problem.exponent * std::log(2.0);
    const bool counts = m_options.loss == CountLoss::poisson;
    const double of_data =
        counts ? of_values.sum - of_values.log_value - of_values.sum * logarithm : 0.0;
    m_inner_product = found.inner_product;
    m_reached.objective = std::ldexp(m_half_deviance + of_data, m_problem.exponent);
  }
  /// What else is reported of it, once it is the one that stays: its norm takes the Gram matrices
  /// of all factors.
  void find_fit() {
    const double model_norm = norm(m_exec, m_model);
    const double square =
        m_problem.norm * m_problem.norm + model_norm * model_norm - 2.0 * m_inner_product;
    const double residual = square < 0.0 ? 0.0 : std::sqrt(square);
    m_reached.residual_norm = std::ldexp(residual, m_problem.exponent);
    m_reached.fit = m_problem.norm > 0.0 ? 1.0 - residual / m_problem.norm
                    : residual == 0.0    ? 1.0
                                         : 0.0;
    // Without a likelihood there is nothing to go on from.
    if (!std::isfinite(m_reached.objective)) m_reached.fit = m_reached.objective;
  }

  /// Newton's steps begin when a sweep has gained no more than this part of what all have: from
  /// far away they set elements to 0 that belong to better minima.
  static constexpr double newton_part = 0.01;

  Exec m_exec;
  Problem& m_problem;
  const CpAprOptions& m_options;
  Beginning m_beginning;
  Model m_model;
  std::vector<double> m_weights;
  Matrix m_phi;
  std::vector<std::uint64_t> m_versions;
  std::uint64_t m_version = 0;
  SweepOutcome m_reached;
  /// The objective but for what the values add, and so without its rounding: what is compared.
  double m_half_deviance = 0.0;
  double m_inner_product = 0.0;  ///< with the tensor
  std::size_t m_inner = 0;
  std::size_t m_lifted_zeros = 0;
  Extrapolation<Scalar, Exec> m_extrapolation;
  double m_first_deviance = 0.0;
  bool m_by_newton = false;
};

}  // namespace genten::detail
