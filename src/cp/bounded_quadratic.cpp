// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/project/bounded_quadratic.hpp>

#include <algorithm>
#include <cmath>

namespace genten::detail {

void ScaledCholesky::factorize(const std::vector<double>& matrix, std::size_t size,
                               const std::vector<std::size_t>& chosen) {
  const std::size_t n = chosen.size();
  m_lower.assign(n * n, 0.0);
  m_scale.resize(n);
  m_positive = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double diagonal = matrix[chosen[i] * size + chosen[i]];
    m_positive = m_positive && diagonal > 0.0;
    m_scale[i] = diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 1.0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[chosen[i] * size + chosen[j]] * m_scale[i] * m_scale[j];
      for (std::size_t k = 0; k < j; ++k) sum -= m_lower[i * n + k] * m_lower[j * n + k];
      if (j < i) {
        m_lower[i * n + j] = sum / m_lower[j * n + j];
        continue;
      }
      if (!(sum > least_pivot)) m_positive = false;
      m_lower[i * n + i] = std::sqrt(std::max(sum, least_pivot));
    }
  }
}

void ScaledCholesky::solve(std::vector<double>& vector) const {
  const std::size_t n = m_scale.size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = vector[i] * m_scale[i];
    for (std::size_t k = 0; k < i; ++k) sum -= m_lower[i * n + k] * vector[k];
    vector[i] = sum / m_lower[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    double sum = vector[i];
    for (std::size_t k = i + 1; k < n; ++k) sum -= m_lower[k * n + i] * vector[k];
    vector[i] = sum / m_lower[i * n + i];
  }
  for (std::size_t i = 0; i < n; ++i) vector[i] *= m_scale[i];
}

double violation(double z, double slope, const BoxL1& box) {
  const double up = slope + (z >= 0.0 ? box.l1 : -box.l1);
  const double down = slope + (z > 0.0 ? box.l1 : -box.l1);
  return std::max({z < box.upper ? -up : 0.0, z > box.lower ? down : 0.0, 0.0});
}

double BoundedQuadratic::slope(std::size_t r, const std::vector<double>& z) const {
  double sum = (*m_linear)[r];
  const double* const row = m_matrix->data() + r * z.size();
  for (std::size_t s = 0; s < z.size(); ++s) sum += row[s] * z[s];
  return sum;
}

void BoundedQuadratic::sweep(const std::vector<std::size_t>& chosen, const BoxL1& box,
                             std::vector<double>& z) const {
  for (const std::size_t r : chosen) {
    const double diagonal = (*m_matrix)[r * z.size() + r];
    if (!(diagonal > 0.0)) continue;
    const double target = diagonal * z[r] - slope(r, z);
    const double kept = std::max(std::abs(target) - box.l1, 0.0);
    z[r] = std::clamp(std::copysign(kept, target) / diagonal, box.lower, box.upper);
  }
}

void BoundedQuadratic::solve_face(const std::vector<std::size_t>& chosen, const BoxL1& box,
                                  std::vector<double>& z) {
  m_face.clear();
  for (const std::size_t r : chosen) {
    if (z[r] > box.lower && z[r] < box.upper && (box.l1 == 0.0 || z[r] != 0.0)) m_face.push_back(r);
  }
  while (!m_face.empty()) {
    m_cholesky.factorize(*m_matrix, z.size(), m_face);
    m_right.clear();
    for (const std::size_t r : m_face) {
      m_right.push_back(-slope(r, z) - (box.l1 > 0.0 ? std::copysign(box.l1, z[r]) : 0.0));
    }
    m_cholesky.solve(m_right);
    // The longest step that keeps bounds and, with a penalty of magnitudes, signs.
    double longest = 1.0;
    std::size_t first = m_face.size();
    double stop = 0.0;
    for (std::size_t i = 0; i < m_face.size(); ++i) {
      const double from = z[m_face[i]], step = m_right[i];
      double end = step > 0.0 ? box.upper : box.lower;
      if (box.l1 > 0.0 && from != 0.0 && (from < 0.0) == (step > 0.0)) {
        end = from < 0.0 ? std::min(end, 0.0) : std::max(end, 0.0);
      }
      const double room = (end - from) / step;
      if (step == 0.0 || !(room < longest)) continue;
      longest = std::max(room, 0.0);
      first = i;
      stop = end;
    }
    for (std::size_t i = 0; i < m_face.size(); ++i) {
      z[m_face[i]] = std::clamp(z[m_face[i]] + longest * m_right[i], box.lower, box.upper);
    }
    if (first == m_face.size()) return;
    z[m_face[first]] = stop;
    m_face.erase(m_face.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

bool BoundedQuadratic::is_minimum(const std::vector<std::size_t>& chosen, const BoxL1& box,
                                  const std::vector<double>& z) const {
  for (const std::size_t r : chosen) {
    double terms = std::abs((*m_linear)[r]) + box.l1;
    for (std::size_t s = 0; s < z.size(); ++s) {
      terms += std::abs((*m_matrix)[r * z.size() + s] * z[s]);
    }
    if (violation(z[r], slope(r, z), box) > 1e-14 * static_cast<double>(z.size()) * terms) {
      return false;
    }
  }
  return true;
}

void BoundedQuadratic::minimize(const std::vector<double>& matrix,
                                const std::vector<double>& linear,
                                const std::vector<std::size_t>& chosen, const BoxL1& box,
                                std::vector<double>& z) {
  constexpr int most_rounds = 100, sweeps = 3;
  m_matrix = &matrix;
  m_linear = &linear;
  for (int round = 0; round < most_rounds; ++round) {
    for (int i = 0; i < sweeps; ++i) sweep(chosen, box, z);
    solve_face(chosen, box, z);
    if (is_minimum(chosen, box, z)) return;
  }
}

}  // namespace genten::detail
