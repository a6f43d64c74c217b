// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Momentum: Nesterov's acceleration of ALS, with restarts.
///
/// After D. Mitchell, N. Ye and H. De Sterck, Nesterov acceleration of alternating least squares
/// for canonical tensor decomposition: momentum step size selection and restart mechanisms, Numer.
/// Linear Algebra Appl. 27 (2020), e2297: with x_k what sweep k has made of all factors,
///   y_k = x_k + beta_k (x_k - x_{k-1}),   x_{k+1} = ALS(y_k),
///   beta_k = (t_k - 1) / t_{k+1},   t_{k+1} = (1 + sqrt(1 + 4 t_k^2)) / 2,   t_1 = 1,
/// and, where ALS(y_k) is worse than x_k, a restart: x_{k+1} = x_k and t_{k+1} = 1. So after the
/// first sweep and after every restart one follows without momentum, and the model never gets
/// worse. What ALS(y_k) amounts to comes out of the sweep, as without acceleration.

#include <genten/cp/detail/cp_als_problem.hpp>
#include <genten/cp/detail/nesterov/momentum_state.hpp>
#include <genten/cp/detail/nesterov/moved_rows.hpp>
#include <genten/cp/run_state.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace genten::detail {

/// By column, n / (w n_1 n_2 ...)^(1 / N) of a mode, with n the norms of the columns of the N modes
/// `updates` and w the weight: what the mode's column is longer than if all modes had the same part
/// of the component's length. 0 for components of zeros. Weights are divided by `unit`, a power of
/// two of the tensor's size: what is compared is then the same for a tensor 2^k times as large.
[[nodiscard]] inline std::vector<double> relative_lengths(const AlgebraState& state,
                                                          const std::vector<int>& updates, int mode,
                                                          double unit) {
  const std::size_t rank = state.weights.size();
  const auto log_norm = [&](int n, std::size_t r) {
    return 0.5 * std::log(state.gram[(static_cast<std::size_t>(n) * rank + r) * rank + r]);
  };
  std::vector<double> lengths;
  for (std::size_t r = 0; r < rank; ++r) {
    double of_all = std::log(state.weights[r] / unit);
    for (const int n : updates) of_all += log_norm(n, r);
    const double length =
        std::exp(log_norm(mode, r) - of_all / static_cast<double>(updates.size()));
    lengths.push_back(std::isfinite(length) ? length : 0.0);
  }
  return lengths;
}

/// The momentum of a start of CP-ALS: what is done to its factors before and after every sweep but
/// the first. It keeps one more copy of the factors that are updated, x_k, while they are y_k and
/// become x_{k+1}; before that it held x_{k-1}, and y_k is written in its place, in one pass that
/// finds its Gram matrix, too. Rows of other processes are computed by the kernel that computes a
/// rank's own, from what their owners have sent, and so have the bits that they have there.
///
/// Columns of x_k and x_{k-1} are compared as if all modes had equal parts of their component's
/// length; y_k is then made as long as x_k. Where the lengths of columns mean something they stay
/// as they are. What would be outside of bounds is on them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class Momentum {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using Problem = CpAlsProblem<Scalar, Ordinal, Exec>;

  explicit Momentum(const Problem& problem)
      : m_problem(problem),
        m_numbers(new_view<Numbers>("genten::momentum", numbers())),
        m_staging(new_view<decltype(m_staging)>("genten::momentum_staging", numbers())) {
    for (const int mode : problem.updates) {
      const auto n = static_cast<std::size_t>(mode);
      m_before.emplace_back(problem.relabeling.dimensions()[n], problem.rank);
    }
  }

  /// As before the first sweep.
  void begin() {
    m_length = m_next_length = 1.0;
    m_restarts = 0;
    m_reached = {};
    m_least = std::numeric_limits<double>::infinity();
  }

  /// After the last sweep.
  void end() { m_before.clear(); }

  /// Makes y_k of x_k, and keeps this. `rows`, the RowUpdate, knows these factors.
  template <class Rows>
  void move_on(const Exec& exec, Rows& rows, std::vector<Matrix>& factors) {
    AlgebraState now = rows.save();
    m_next_length = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * m_length * m_length));
    if (moves()) choose_numbers(exec, now);
    for (std::size_t k = 0; k < m_before.size(); ++k) {
      const int mode = m_problem.updates[k];
      Matrix& factor = factors[static_cast<std::size_t>(mode)];
      // The first update does not look at its own mode's rows unless they descend.
      const bool is_read = k > 0 || !m_problem.constraints.empty();
      if (moves() && is_read) {
        write(exec, rows, k, factor);
      } else if (is_read) {
        deep_copy(exec, m_before[k], factor);
        continue;
      }
      std::swap(factor, m_before[k]);
    }
    m_algebra = std::move(now);
  }

  /// After the sweep that has reached `outcome`: whether its factors are x_{k+1}. If not, they are
  /// x_k again, which has reached `reached()`.
  template <class Rows>
  [[nodiscard]] bool accept(const SweepOutcome& outcome, Rows& rows, std::vector<Matrix>& factors) {
    if (!moves() || !is_worse(outcome)) {
      m_length = m_next_length;
      m_reached = outcome;
      m_least = std::fmin(m_least, cost(outcome));
      return true;
    }
    for (std::size_t k = 0; k < m_before.size(); ++k) {
      std::swap(factors[static_cast<std::size_t>(m_problem.updates[k])], m_before[k]);
    }
    rows.restore(m_algebra);
    m_length = m_next_length = 1.0;
    ++m_restarts;
    return false;
  }
  [[nodiscard]] const SweepOutcome& reached() const { return m_reached; }
  [[nodiscard]] std::size_t restarts() const { return m_restarts; }

  /// Whether x_{k-1} is needed, and the sweep to come, or that just done, has momentum.
  [[nodiscard]] bool moves() const { return m_length > 1.0; }
  /// x_{k-1} of the mode that is updated as the k-th.
  [[nodiscard]] Matrix& before(std::size_t k) { return m_before[k]; }
  [[nodiscard]] const Matrix& before(std::size_t k) const { return m_before[k]; }

  /// All but x_{k-1}.
  [[nodiscard]] MomentumState<Scalar> save() const {
    MomentumState<Scalar> state{.length = m_length, .least_cost = m_least, .restarts = m_restarts};
    if (moves()) state.algebra = m_algebra;
    return state;
  }
  /// Takes it back, after a sweep that has reached `reached`. Throws Error for that of another
  /// problem.
  void restore(const MomentumState<Scalar>& state, const SweepOutcome& reached) {
    if (state.moves()) {
      state.algebra.check(static_cast<std::size_t>(m_problem.order()), m_problem.rank);
    }
    m_length = m_next_length = state.length;
    m_least = state.least_cost;
    m_restarts = state.restarts;
    m_algebra = state.algebra;
    m_reached = reached;
  }

 private:
  using Numbers = typename MovedRows<Scalar, Exec>::Numbers;

  /// Two lines a mode.
  [[nodiscard]] std::size_t numbers() const {
    return 2 * m_problem.updates.size() * m_problem.rank;
  }
  /// Puts what columns of x_k and x_{k-1} are multiplied by where kernels read it: of all modes at
  /// once, so that a device waits for nothing between them.
  void choose_numbers(const Exec& exec, const AlgebraState& now) {
    const double beta = (m_length - 1.0) / m_next_length;
    const std::size_t rank = m_problem.rank;
    Scalar* p = m_staging.data();
    for (const int mode : m_problem.updates) {
      const std::size_t first = static_cast<std::size_t>(mode) * rank;
      const double unit = m_problem.unit();
      const auto lengths = relative_lengths(now, m_problem.updates, mode, unit);
      const auto lengths_before = relative_lengths(m_algebra, m_problem.updates, mode, unit);
      Scalar* const q = p + rank;
      for (std::size_t r = 0; r < rank; ++r) {
        const bool is_there = lengths[r] > 0.0 && lengths_before[r] > 0.0;
        const double ratio = m_problem.counts_lengths() ? 1.0
                             : is_there                 ? lengths[r] / lengths_before[r]
                                                        : 0.0;
        const double part = std::isfinite(ratio) && ratio > 0.0 ? beta : 0.0;
        p[r] = static_cast<Scalar>((1.0 + part) * now.correction[first + r]);
        q[r] =
            static_cast<Scalar>(part > 0.0 ? part * ratio * m_algebra.correction[first + r] : 0.0);
      }
      p = q + rank;
    }
    Backend<Exec>::queue_copy(exec, m_numbers.data(), m_staging.data(), numbers() * sizeof(Scalar));
  }

  /// y_k in the place of x_{k-1}, and what `rows` is to know of it.
  template <class Rows>
  void write(const Exec& exec, Rows& rows, std::size_t k, const Matrix& factor) {
    const int mode = m_problem.updates[k];
    const std::size_t rank = m_problem.rank;
    Scalar* const p = m_numbers.data() + 2 * k * rank;
    constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();
    MovedRows<Scalar, Exec> moved{factor,    m_before[k], Numbers(p, rank), Numbers(p + rank, rank),
                                  -infinity, infinity};
    if (!m_problem.constraints.empty()) {
      const RowConstraint& bounds = m_problem.constraints[static_cast<std::size_t>(mode)];
      moved.lower = static_cast<Scalar>(bounds.lower);
      moved.upper = static_cast<Scalar>(bounds.upper);
    }
    if (!m_problem.processes.are_distributed()) {
      rows.write_and_replace(exec, mode, m_before[k], moved);
      return;
    }
    write_rows(exec, moved, factor.rows());
    rows.replace(exec, mode, m_problem.own_rows(mode, m_before[k]));
  }

  /// Than the best so far, by more than what is minimized is certain to; what is not finite always
  /// is.
  [[nodiscard]] bool is_worse(const SweepOutcome& outcome) const {
    return !(cost(outcome) <= m_least + m_problem.rounding());
  }
  /// What is minimized, of the tensor without its scale.
  [[nodiscard]] double cost(const SweepOutcome& outcome) const {
    const double residual = std::ldexp(outcome.residual_norm, -m_problem.exponent);
    if (!std::isfinite(outcome.fit)) return std::numeric_limits<double>::quiet_NaN();
    const bool lost = outcome.objective == 0.0 || !std::isfinite(outcome.objective);
    if (m_problem.constraints.empty() || lost) return 0.5 * residual * residual;
    return std::ldexp(outcome.objective, -2 * m_problem.exponent);
  }

  const Problem& m_problem;
  Numbers m_numbers;
  Kokkos::View<Scalar*, typename Backend<Exec>::pinned_space> m_staging;  ///< of the numbers
  std::vector<Matrix> m_before;                ///< by mode that is updated, in their order
  AlgebraState m_algebra;                      ///< that belongs to them
  SweepOutcome m_reached;                      ///< by x_k
  double m_length = 1.0, m_next_length = 1.0;  ///< t_k and t_{k+1}
  double m_least = std::numeric_limits<double>::infinity();  ///< cost of any x_k so far
  std::size_t m_restarts = 0;
};

}  // namespace genten::detail
