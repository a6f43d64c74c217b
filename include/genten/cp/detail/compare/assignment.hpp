// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Matching rows of a matrix with different columns so that the sum of the matched entries is
/// large. Host code, serial: the matrices are ranks squared.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace genten::detail {

/// A dense host matrix by rows.
struct GainMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> gains;

  GainMatrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), gains(row_count * column_count, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return gains[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return gains[i * columns + j]; }
};

/// Shortest augmenting paths with dual variables (Kuhn 1955, Munkres 1957; Jonker and Volgenant
/// 1987). Row by row, the cheapest path to a free column is found as Dijkstra's algorithm does.
class BestAssignment {
 public:
  explicit BestAssignment(const GainMatrix& gain)
      : m_gain(gain),
        m_row_dual(gain.rows, 0.0),
        m_column_dual(gain.columns, 0.0),
        m_row_of(gain.columns, none) {
    for (std::size_t i = 0; i < gain.rows; ++i) augment(i);
  }

  /// The column of each row.
  [[nodiscard]] std::vector<std::size_t> columns() const {
    std::vector<std::size_t> result(m_gain.rows, none);
    for (std::size_t j = 0; j < m_gain.columns; ++j) {
      if (m_row_of[j] != none) result[m_row_of[j]] = j;
    }
    return result;
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  /// Matches row `start`, rematching others along the cheapest alternating path.
  void augment(std::size_t start) {
    std::vector<double> distance(m_gain.columns, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> from_row(m_gain.columns, none);
    std::vector<std::size_t> reached;  // columns whose distance is final
    std::vector<bool> is_reached(m_gain.columns, false);
    std::size_t row = start, column = none;
    double length = 0.0;
    while (true) {
      for (std::size_t j = 0; j < m_gain.columns; ++j) {
        if (is_reached[j]) continue;
        const double through = length - m_gain(row, j) - m_row_dual[row] - m_column_dual[j];
        if (through < distance[j]) {
          distance[j] = through;
          from_row[j] = row;
        }
      }
      column = nearest(distance, is_reached);
      length = distance[column];
      if (m_row_of[column] == none) break;
      is_reached[column] = true;
      reached.push_back(column);
      row = m_row_of[column];
    }
    m_row_dual[start] += length;
    for (const std::size_t j : reached) {
      m_row_dual[m_row_of[j]] += length - distance[j];
      m_column_dual[j] -= length - distance[j];
    }
    flip_path(start, column, from_row);
  }

  [[nodiscard]] static std::size_t nearest(const std::vector<double>& distance,
                                           const std::vector<bool>& is_reached) {
    std::size_t best = none;
    for (std::size_t j = 0; j < distance.size(); ++j) {
      if (!is_reached[j] && (best == none || distance[j] < distance[best])) best = j;
    }
    return best;
  }

  void flip_path(std::size_t start, std::size_t column, const std::vector<std::size_t>& from_row) {
    while (true) {
      const std::size_t row = from_row[column];
      std::size_t previous = none;
      if (row != start) {
        previous = static_cast<std::size_t>(std::find(m_row_of.begin(), m_row_of.end(), row) -
                                            m_row_of.begin());
      }
      m_row_of[column] = row;
      if (row == start) return;
      column = previous;
    }
  }

  const GainMatrix& m_gain;
  std::vector<double> m_row_dual, m_column_dual;
  std::vector<std::size_t> m_row_of;
};

/// The column of each row, all different, with the largest sum of gains. O(rows^2 columns) time.
/// There must be at least as many columns as rows; gains must be finite.
[[nodiscard]] inline std::vector<std::size_t> best_assignment(const GainMatrix& gain) {
  return BestAssignment(gain).columns();
}

/// The column of each row, all different, by taking the largest gain left again and again; among
/// equal gains, the one of the lowest row, then column.
[[nodiscard]] inline std::vector<std::size_t> greedy_assignment(const GainMatrix& gain) {
  std::vector<std::size_t> order(gain.gains.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gain.gains[a] > gain.gains[b]; });
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> result(gain.rows, none);
  std::vector<bool> taken(gain.columns, false);
  for (const std::size_t index : order) {
    const std::size_t i = index / gain.columns, j = index % gain.columns;
    if (result[i] != none || taken[j]) continue;
    result[i] = j;
    taken[j] = true;
  }
  return result;
}

}  // namespace genten::detail
