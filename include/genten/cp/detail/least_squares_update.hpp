// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// LeastSquaresUpdate: the row update that minimizes the residual, exactly.

#include <genten/base/detail/memory_peak.hpp>
#include <genten/cp/detail/als_algebra_device.hpp>
#include <genten/cp/detail/row_update.hpp>
#include <genten/cp/exchange.hpp>
#include <genten/dense/factor_update.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

/// Makes of what a pass over a rank's own rows has found that of all ranks' rows; `largest` is one
/// more number of which the largest counts.
template <class Ranks, class Pass>
void combine_pass(Ranks& ranks, const Pass& pass, double& largest) {
  const auto gram = pass.gram();
  const auto maxima = pass.column_max();
  std::vector<std::decay_t<decltype(pass.dots())>> columns{pass.dots()};
  if constexpr (requires { pass.absolute_sums(); }) columns.push_back(pass.absolute_sums());
  const std::size_t rank = gram.extent(0);
  std::vector<double> sums, most(maxima.data(), maxima.data() + rank);
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t q = 0; q < rank; ++q) sums.push_back(gram(r, q));
  }
  for (const auto& column : columns) sums.insert(sums.end(), column.data(), column.data() + rank);
  most.push_back(largest);
  ranks.combine(sums, most);
  std::copy_n(most.data(), rank, maxima.data());
  largest = most.back();
  const double* next = sums.data();
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t q = 0; q < rank; ++q) gram(r, q) = *next++;
  }
  for (const auto& column : columns) {
    std::copy_n(next, rank, column.data());
    next += rank;
  }
}

/// Multiplies each row by the (pseudo)inverse of the Hadamard product of the other modes' Gram
/// matrices, in one pass of FactorUpdate. A RowUpdate.
template <RealScalar Scalar, ExecutionSpace ExecSpace>
class LeastSquaresUpdate {
 public:
  using Exec = ExecSpace;
  using Algebra = std::conditional_t<is_host_space<Exec>, HostAlsAlgebra<Scalar, Exec>,
                                     DeviceAlsAlgebra<Scalar, Exec>>;
  using Matrix = FacMatrix<Scalar, Exec>;
  using Mark = typename Algebra::Mark;
  using Solved = typename Algebra::Solved;
  using Applied = typename Algebra::Applied;

  /// For factors of `rank` columns and at most `most_rows` rows.
  LeastSquaresUpdate(int order, std::size_t rank, std::size_t most_rows,
                     ColumnScaling scaling = ColumnScaling::normalized)
      : m_algebra(order, rank, std::is_same_v<Scalar, float> ? 1e-3 : 1e-8, scaling),
        m_pass(rank, most_rows) {
    for (int i = 0; i < 2; ++i) m_transforms.emplace_back(rank, rank);
  }

  /// Bytes that such an object takes where factors lie.
  [[nodiscard]] static double memory(int order, std::size_t rank, std::size_t most_rows) {
    const double transform = static_cast<double>(rank) *
                             static_cast<double>(padded_stride(rank, sizeof(Scalar))) *
                             sizeof(Scalar);
    return Algebra::memory(order, rank) + 2.0 * array_bytes(transform, !is_host_space<Exec>) +
           FactorUpdate<Scalar, Exec>::memory(rank, most_rows);
  }

  /// The rows are from now on those of one of several ranks, and what is found in them counts
  /// together with what the others find in theirs.
  void join(Exchange<Scalar, Exec>* ranks) { m_ranks = ranks; }

  /// Notes the Gram matrix of a mode's initial factor.
  template <class Square>
  void set_gram(int mode, const Square& gram) {
    m_algebra.set_gram(mode, gram);
  }
  /// Computes it from the factor and notes it.
  void measure(const Exec& exec, int mode, const Matrix& factor) {
    m_pass.measure(exec, factor);
    fence(exec, "genten::gram");
    double none = 0.0;
    if (m_ranks != nullptr) combine_pass(*m_ranks, m_pass, none);
    m_algebra.set_gram(mode, m_pass.gram());
  }

  /// The Gram matrix that `measure` has found last.
  [[nodiscard]] const auto& measured_gram() const { return m_pass.gram(); }

  /// MTTKRP does not read the factor of its own mode, so it writes there.
  [[nodiscard]] Matrix mttkrp_output(int /*mode*/, const Matrix& rows) const { return rows; }
  [[nodiscard]] Solved solve(int mode) { return solve(mode, 0.0); }
  [[nodiscard]] Applied apply(const Exec& exec, const Matrix& rows, Solved solved, Mark& updated) {
    m_pass.run(exec, rows, std::span<const Matrix>(m_transforms).first(solved.transforms));
    updated.set(exec);
    return Applied(std::move(solved), updated);
  }
  void absorb(Applied applied, bool first_sweep) {
    double none = 0.0;
    combine(applied, m_pass, none);
    absorb_combined(std::move(applied), first_sweep);
  }

  /// After all modes of a sweep.
  void end_sweep() {}

  /// Of all that was absorbed; waits for it.
  [[nodiscard]] AlsStatistics statistics() const { return m_algebra.statistics(); }
  /// By column, what the stored factor of a mode lacks: see als_algebra.hpp.
  [[nodiscard]] std::vector<double> correction(int mode) const {
    return m_algebra.correction(mode);
  }
  /// The same, for a pass that multiplies the factor by it.
  [[nodiscard]] std::vector<double> take_correction(int mode) {
    return m_algebra.take_correction(mode);
  }
  [[nodiscard]] std::vector<double> weights() const { return m_algebra.weights(); }
  [[nodiscard]] std::size_t rank_deficient_solves() const {
    return m_algebra.rank_deficient_solves();
  }
  [[nodiscard]] AlgebraState save() const { return m_algebra.save(); }
  void restore(const AlgebraState& state) { m_algebra.restore(state); }

 protected:
  /// What the pass has found, of all ranks.
  template <class Pass>
  void combine(Applied& applied, const Pass& pass, double& largest) {
    if (m_ranks == nullptr) return;
    applied.updated.wait();
    combine_pass(*m_ranks, pass, largest);
  }
  void absorb_combined(Applied applied, bool first_sweep) {
    m_algebra.absorb(std::move(applied), m_pass, first_sweep);
  }
  [[nodiscard]] Exchange<Scalar, Exec>* ranks() const { return m_ranks; }
  [[nodiscard]] Solved solve(int mode, double ridge) {
    return m_algebra.solve(mode, m_transforms, ridge);
  }
  [[nodiscard]] Algebra& algebra() { return m_algebra; }
  /// Of the last factor that a linear update has gone over.
  [[nodiscard]] const FactorUpdate<Scalar, Exec>& pass() const { return m_pass; }

 private:
  Exchange<Scalar, Exec>* m_ranks = nullptr;  ///< null: there is one
  Algebra m_algebra;
  FactorUpdate<Scalar, Exec> m_pass;
  std::vector<Matrix> m_transforms;
};

}  // namespace genten::detail
