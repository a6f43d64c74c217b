// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Ttensor: a Tucker model [[G; A1, ..., AN]], a small core tensor times a matrix in each mode.

#include <genten/core/fac_matrix.hpp>

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace genten {

/// A core tensor G of ranks R_1 x ... x R_N and N factor matrices, I_n x R_n:
///   M(i_1, ..., i_N) = sum over r_1, ..., r_N of G(r_1, ..., r_N) A_1(i_1, r_1) ... A_N(i_N, r_N).
///
/// A mode may be uncompressed: then R_n = I_n, its factor is the identity and is not stored. Copies
/// are shallow.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class Ttensor {
 public:
  using scalar_type = Scalar;
  using execution_space = Exec;
  using memory_space = typename Exec::memory_space;
  using factor_type = FacMatrix<Scalar, Exec>;
  /// The core's elements, the first subscript varying fastest.
  using core_view = Kokkos::View<Scalar*, memory_space>;

  Ttensor() = default;

  /// Takes core and factors as they are, without a copy. A factor without columns stands for the
  /// identity of an uncompressed mode. Throws Error where shapes do not agree.
  Ttensor(std::vector<std::size_t> ranks, core_view core, std::vector<factor_type> factors)
      : m_ranks(std::move(ranks)), m_core(core), m_factors(std::move(factors)) {
    check_shape();
  }

  [[nodiscard]] int order() const { return static_cast<int>(m_factors.size()); }
  /// The dimensions of the core.
  [[nodiscard]] const std::vector<std::size_t>& ranks() const { return m_ranks; }
  [[nodiscard]] std::size_t rank(int n) const { return m_ranks[static_cast<std::size_t>(n)]; }
  /// Whether mode n has a factor; otherwise the identity stands for it.
  [[nodiscard]] bool is_compressed(int n) const { return factor(n).columns() != 0; }
  [[nodiscard]] std::size_t dimension(int n) const {
    return is_compressed(n) ? factor(n).rows() : rank(n);
  }
  [[nodiscard]] std::vector<std::size_t> dimensions() const {
    std::vector<std::size_t> result;
    for (int n = 0; n < order(); ++n) result.push_back(dimension(n));
    return result;
  }
  [[nodiscard]] const core_view& core() const { return m_core; }
  /// The factor of mode n, 0 <= n < order(); without rows and columns for an uncompressed mode.
  [[nodiscard]] const factor_type& factor(int n) const {
    return m_factors[static_cast<std::size_t>(n)];
  }
  [[nodiscard]] const std::vector<factor_type>& factors() const { return m_factors; }

 private:
  void check_shape() const {
    if (m_ranks.size() != m_factors.size()) {
      throw Error::in("Ttensor", "expected one rank a mode, got " + std::to_string(m_ranks.size()) +
                                     " ranks and " + std::to_string(m_factors.size()) + " factors");
    }
    std::size_t elements = 1;
    for (std::size_t n = 0; n < m_ranks.size(); ++n) {
      elements *= m_ranks[n];
      const std::size_t columns = m_factors[n].columns();
      if (columns == 0 || columns == m_ranks[n]) continue;
      throw Error::in("Ttensor", "expected " + std::to_string(m_ranks[n]) +
                                     " columns (the rank) in the factor of mode " +
                                     error_text::number(n) + ", got " + std::to_string(columns));
    }
    if (m_ranks.empty() || elements == m_core.extent(0)) return;
    throw Error::in("Ttensor", "expected " + std::to_string(elements) +
                                   " elements in the core (the product of the ranks), got " +
                                   std::to_string(m_core.extent(0)));
  }

  std::vector<std::size_t> m_ranks;
  core_view m_core;
  std::vector<factor_type> m_factors;
};

/// The model's entry at one subscript a mode (0-based), in double: one pass over the core. A
/// convenience for models on the host. Throws Error for a wrong number of subscripts or one beyond
/// its mode.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] double value_at(const Ttensor<Scalar, Exec>& model,
                              std::span<const std::size_t> subscripts) {
  if (subscripts.size() != static_cast<std::size_t>(model.order())) {
    throw Error::in("value_at", "expected " + std::to_string(model.order()) + " subscripts, got " +
                                    std::to_string(subscripts.size()));
  }
  // Mode after mode, the first one away: what is left is the core of the others.
  const auto core = model.core();
  std::vector<double> left(core.extent(0));
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = static_cast<double>(core(k));
  for (int n = 0; n < model.order(); ++n) {
    const std::size_t i = subscripts[static_cast<std::size_t>(n)], rank = model.rank(n);
    if (i >= model.dimension(n)) {
      throw Error::in("value_at", "expected a subscript below " +
                                      std::to_string(model.dimension(n)) + " in mode " +
                                      error_text::number(n) + ", got " + std::to_string(i));
    }
    for (std::size_t k = 0; k < left.size() / rank; ++k) {
      double sum = model.is_compressed(n) ? 0.0 : left[k * rank + i];
      for (std::size_t r = 0; model.is_compressed(n) && r < rank; ++r) {
        sum += left[k * rank + r] * static_cast<double>(model.factor(n)(i, r));
      }
      left[k] = sum;
    }
    left.resize(left.size() / rank);
  }
  return left.empty() ? 0.0 : left.front();
}

/// Frobenius norm of the core, in double; of the model, too, where its factors are orthonormal.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] double core_norm(const Ttensor<Scalar, Exec>& model) {
  double largest = 0.0, sum = 0.0;
  for (std::size_t k = 0; k < model.core().extent(0); ++k) {
    largest = std::max(largest, std::abs(static_cast<double>(model.core()(k))));
  }
  if (largest == 0.0) return 0.0;
  for (std::size_t k = 0; k < model.core().extent(0); ++k) {
    const double ratio = static_cast<double>(model.core()(k)) / largest;
    sum += ratio * ratio;
  }
  return largest * std::sqrt(sum);
}

}  // namespace genten
