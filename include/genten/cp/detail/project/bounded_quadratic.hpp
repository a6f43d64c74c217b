// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A convex quadratic function under bounds, for the steps of a row.

#include <cstddef>
#include <vector>

namespace genten::detail {

/// The Cholesky factorization of some rows and columns of a matrix after its symmetric scaling to
/// unit diagonal. Pivots below `least_pivot` are raised to it.
class ScaledCholesky {
 public:
  static constexpr double least_pivot = 1e-13;

  /// `matrix` is size x size by rows.
  void factorize(const std::vector<double>& matrix, std::size_t size,
                 const std::vector<std::size_t>& chosen);
  /// Whether no pivot was raised.
  [[nodiscard]] bool positive() const { return m_positive; }
  /// Solves for the chosen ones, in place.
  void solve(std::vector<double>& vector) const;

 private:
  std::vector<double> m_lower, m_scale;
  bool m_positive = true;
};

/// Bounds and the penalty of the 1-norm.
struct BoxL1 {
  double lower, upper, l1;
};

/// Improves z, which is within the bounds, to the minimum of
///   c z + 1/2 z H z + l1 sum |z|
/// over the elements that are chosen, others staying. Coordinate descent finds which elements are
/// at a bound or at 0, a solve on the face the others, in turn until the conditions of Karush, Kuhn
/// and Tucker hold.
class BoundedQuadratic {
 public:
  void minimize(const std::vector<double>& matrix, const std::vector<double>& linear,
                const std::vector<std::size_t>& chosen, const BoxL1& box, std::vector<double>& z);

 private:
  void sweep(const std::vector<std::size_t>& chosen, const BoxL1& box,
             std::vector<double>& z) const;
  void solve_face(const std::vector<std::size_t>& chosen, const BoxL1& box, std::vector<double>& z);
  [[nodiscard]] bool is_minimum(const std::vector<std::size_t>& chosen, const BoxL1& box,
                                const std::vector<double>& z) const;
  [[nodiscard]] double slope(std::size_t r, const std::vector<double>& z) const;

  const std::vector<double>* m_matrix = nullptr;
  const std::vector<double>* m_linear = nullptr;
  ScaledCholesky m_cholesky;
  std::vector<std::size_t> m_face;
  std::vector<double> m_right;
};

/// How much an element's derivatives to both sides violate the conditions at a minimum: 0 where
/// they hold. `slope` is without the 1-norm.
[[nodiscard]] double violation(double z, double slope, const BoxL1& box);

}  // namespace genten::detail
