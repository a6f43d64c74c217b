// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Updates of all rows of a factor, over the entries that are listed or over all but those.

#include <genten/base/detail/staged_copy.hpp>
#include <genten/cp/detail/completion/completion_problem.hpp>
#include <genten/cp/detail/completion/completion_sums.hpp>
#include <genten/cp/timings.hpp>
#include <genten/dense/factor_update.hpp>
#include <genten/dense/spd_inverse.hpp>

#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace genten::detail {

/// How far rows that descend were from where they should be, of a sweep.
class RowViolation {
 public:
  /// Since it was last taken; NaN where no coordinate descent has run.
  [[nodiscard]] double take_violation() {
    return std::exchange(m_violation, std::numeric_limits<double>::quiet_NaN());
  }

 protected:
  void note_violation(double violation) { m_violation = std::fmax(m_violation, violation); }

 private:
  double m_violation = std::numeric_limits<double>::quiet_NaN();
};

/// Rows by the entries that are listed.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class ListedRows : public RowViolation {
 public:
  using Problem = CompletionProblem<Scalar, Ordinal, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;

  ListedRows(const Exec& exec, Problem& problem, std::size_t) : m_exec(exec), m_problem(problem) {}

  void begin(const std::vector<Matrix>&) {}

  /// Solves the rows of a mode, or improves them within its bounds, `first`: in one of the
  /// FirstSweeps. Returns how many systems were not safely positive definite.
  [[nodiscard]] std::size_t update(const std::vector<Matrix>& factors, int mode, bool first,
                                   PhaseTimings& timings) {
    const auto n = static_cast<std::size_t>(mode);
    return timings.time(m_exec, "rows", [&] {
      if (first || m_problem.descends(mode)) {
        const double violation = m_problem.systems->coordinate_descent(
            m_exec, factors, mode, m_problem.rule(mode, first), factors[n]);
        if (m_problem.descends(mode)) note_violation(violation);
        return std::size_t{0};
      }
      // Rows without entries are zero.
      Kokkos::deep_copy(m_exec, factors[n].padded_view(), Scalar(0));
      const auto counts =
          m_problem.systems->solve(m_exec, factors, mode, m_problem.ridge[n], factors[n]);
      return static_cast<std::size_t>(counts.least_norm);
    });
  }
  /// ||X - M||^2 over the entries that count.
  [[nodiscard]] double squared_residual(const std::vector<Matrix>& factors) {
    return m_problem.systems->squared_residual(m_exec, factors, m_problem.systems->longest_mode());
  }
  [[nodiscard]] double squared_residual_of_guess(const std::vector<Matrix>& factors) {
    return squared_residual(factors);
  }

 private:
  Exec m_exec;
  Problem& m_problem;
};

/// Rows by all entries but the missing ones: those of rows that have some by systems of their own,
/// all others by one.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class UnlistedRows : public RowViolation {
 public:
  using Problem = CompletionProblem<Scalar, Ordinal, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;
  using Square = typename RowEquations<Scalar, Exec>::Square;

  UnlistedRows(const Exec& exec, Problem& problem, std::size_t rank)
      : m_exec(exec),
        m_problem(problem),
        m_rank(rank),
        m_base(new_view<Square>("genten::base", rank, rank)),
        m_update(rank, longest(problem)) {
    m_memory = Matrix(longest(problem), rank, "genten::products");
  }

  void begin(const std::vector<Matrix>& factors) {
    m_grams.clear();
    for (const Matrix& factor : factors) m_grams.push_back(cross_gram(m_exec, factor, factor));
  }

  [[nodiscard]] std::size_t update(const std::vector<Matrix>& factors, int mode, bool first,
                                   PhaseTimings& timings) {
    const Matrix& factor = factors[static_cast<std::size_t>(mode)];
    const Matrix products = products_of(factor);
    timings.time(m_exec, "mttkrp",
                 [&] { m_problem.plan->execute(m_exec, factors, mode, products); });
    return timings.time(m_exec, "rows", [&] {
      const std::size_t deficient = solve(factors, mode, first, products);
      m_grams[static_cast<std::size_t>(mode)] = cross_gram(m_exec, factor, factor);
      if (mode + 1 == m_problem.order()) m_product = inner_product(m_exec, products, factor);
      return deficient;
    });
  }
  /// Of the factors as the last update of the last mode has left them, however scaled since.
  [[nodiscard]] double squared_residual(const std::vector<Matrix>& factors) {
    begin(factors);
    const HostMatrix all = gram_product(m_grams, -1, m_rank);
    double model = 0.0;
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t s = 0; s < m_rank; ++s) model += all(r, s);
    }
    const double at_missing =
        m_problem.systems->squared_residual(m_exec, factors, m_problem.systems->longest_mode());
    const double square = m_problem.norm * m_problem.norm - 2.0 * m_product + model - at_missing;
    return square < 0.0 ? 0.0 : square;  // by rounding
  }
  /// The same of factors that no update has left.
  [[nodiscard]] double squared_residual_of_guess(const std::vector<Matrix>& factors) {
    const Matrix products = products_of(factors.back());
    m_problem.plan->execute(m_exec, factors, m_problem.order() - 1, products);
    m_product = inner_product(m_exec, products, factors.back());
    return squared_residual(factors);
  }

 private:
  [[nodiscard]] static std::size_t longest(const Problem& problem) {
    return *std::max_element(problem.dimensions.begin(), problem.dimensions.end());
  }
  [[nodiscard]] Matrix products_of(const Matrix& factor) const {
    return Matrix(typename Matrix::view_type(m_memory.data(), factor.rows(), m_memory.stride()),
                  m_rank);
  }

  [[nodiscard]] std::size_t solve(const std::vector<Matrix>& factors, int mode, bool first,
                                  const Matrix& products) {
    const auto n = static_cast<std::size_t>(mode);
    const HostMatrix base = gram_product(m_grams, mode, m_rank);
    if (first || m_problem.descends(mode)) {
      Kokkos::deep_copy(m_base, base);
      const double violation = m_problem.systems->coordinate_descent_without(
          m_exec, factors, mode, m_problem.rule(mode, first), m_base, products, factors[n]);
      if (m_problem.descends(mode)) note_violation(violation);
      return 0;
    }
    SmallMatrix system(m_rank);
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t s = 0; s < m_rank; ++s) system(r, s) = base(r, s);
      system(r, r) += m_problem.ridge[n];
    }
    const SpdInverse inverse = spd_inverse(system);
    std::vector<Matrix> transforms;
    for (const SmallMatrix& each : inverse.factors) transforms.push_back(to_device(each));
    deep_copy(m_exec, factors[n], products);
    m_update.run(m_exec, factors[n], transforms);
    fence(m_exec, "genten::shared_rows");
    Kokkos::deep_copy(m_base, base);
    const auto counts = m_problem.systems->solve_without(m_exec, factors, mode, m_problem.ridge[n],
                                                         m_base, products, factors[n]);
    return (inverse.rank_deficient ? 1U : 0U) + static_cast<std::size_t>(counts.least_norm);
  }
  [[nodiscard]] Matrix to_device(const SmallMatrix& from) const {
    const Matrix to(m_exec, m_rank, m_rank, "genten::transform");
    const auto host = create_mirror_view(to);
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t s = 0; s < m_rank; ++s) host(r, s) = static_cast<Scalar>(from(r, s));
    }
    genten::deep_copy(to, host);
    return to;
  }

  Exec m_exec;
  Problem& m_problem;
  std::size_t m_rank;
  Square m_base;
  FactorUpdate<Scalar, Exec> m_update;
  Matrix m_memory;  ///< of MTTKRP's results
  std::vector<HostMatrix> m_grams;
  double m_product = 0.0;  ///< of tensor and model
};

}  // namespace genten::detail
