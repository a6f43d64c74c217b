// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/error.hpp>
#include <genten/cp/detail/project/bounded_quadratic.hpp>
#include <genten/cp/detail/project/quadratic_rows.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace genten::detail {

QuadraticRows::QuadraticRows(SmallMatrix gram, const RowConstraint& constraint, const char* what)
    : m_matrix(std::move(gram)), m_constraint(constraint) {
  for (std::size_t r = 0; r < m_matrix.size; ++r) m_matrix(r, r) += constraint.ridge;
  if (!std::all_of(m_matrix.values.begin(), m_matrix.values.end(),
                   [](double each) { return std::isfinite(each); })) {
    throw Error::in(what, Error::Kind::runtime, "the normal equations have numbers beyond range");
  }
  if (constraint.is_linear()) m_inverse = spd_inverse(m_matrix).factors;
}

void QuadraticRows::solve(const double* b, std::vector<double>& row) const {
  const std::size_t rank = m_matrix.size;
  if (m_constraint.is_linear()) {
    row.assign(b, b + rank);
    std::vector<double> next(rank);
    for (const SmallMatrix& factor : m_inverse) {
      std::fill(next.begin(), next.end(), 0.0);
      for (std::size_t s = 0; s < rank; ++s) {
        for (std::size_t r = 0; r < rank; ++r) next[r] += row[s] * factor(s, r);
      }
      row.swap(next);
    }
    return;
  }
  std::vector<double> linear(rank);
  std::vector<std::size_t> all(rank);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t r = 0; r < rank; ++r) {
    linear[r] = -b[r];
    row[r] = std::clamp(row[r], m_constraint.lower, m_constraint.upper);
  }
  BoundedQuadratic().minimize(m_matrix.values, linear, all,
                              {m_constraint.lower, m_constraint.upper, m_constraint.l1}, row);
}

}  // namespace genten::detail
