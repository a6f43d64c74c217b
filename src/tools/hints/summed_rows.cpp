// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "summed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace genten::tools {
namespace {

/// Whether two sums differ by no more than rounded values of a table do.
bool are_equal(double a, double b, double scale) {
  constexpr double rounded = 1e-4;
  return std::abs(a - b) <= rounded * scale;
}

/// The rows of a mode that have half of the sum of all values, as those of sums have.
std::vector<std::uint64_t> rows_of_half(const ModesOfTable& table, std::size_t mode) {
  constexpr std::size_t fewest = 3;
  const auto& column = table.subscripts[mode];
  std::vector<double> sums(*std::max_element(column.begin(), column.end()) + 1);
  double total = 0.0, scale = 0.0;
  for (std::size_t p = 0; p < column.size(); ++p) {
    sums[column[p]] += table.values[p];
    total += table.values[p];
    scale += std::abs(table.values[p]);
  }
  std::vector<std::uint64_t> rows;
  for (std::size_t row = 0; row < sums.size() && sums.size() >= fewest; ++row) {
    if (sums[row] != 0.0 && are_equal(2.0 * sums[row], total, scale)) rows.push_back(row);
  }
  return rows;
}

/// Whether a row's entries are the sums of all others beside them.
bool is_sum(const ModesOfTable& table, std::size_t mode, std::uint64_t row) {
  constexpr int fewest = 3;
  const auto order_of = [&](std::size_t p, std::size_t q) {
    for (std::size_t n = 0; n < table.subscripts.size(); ++n) {
      const auto& column = table.subscripts[n];
      if (n != mode && column[p] != column[q]) return column[p] < column[q] ? -1 : 1;
    }
    return 0;
  };
  std::vector<std::size_t> places(table.values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(),
            [&](std::size_t p, std::size_t q) { return order_of(p, q) < 0; });
  int sums = 0;
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    double own = 0.0, others = 0.0, scale = 0.0;
    std::size_t count = 0;
    for (; end < places.size() && order_of(places[begin], places[end]) == 0; ++end) {
      const double value = table.values[places[end]];
      const bool is_own = table.subscripts[mode][places[end]] == row;
      (is_own ? own : others) += value;
      scale += std::abs(value);
      count += is_own || value == 0.0 ? 0 : 1;
    }
    if (!are_equal(own, others, scale)) return false;
    sums += count > 1 ? 1 : 0;
  }
  return sums >= fewest;
}

}  // namespace

std::vector<std::size_t> summed_rows(const ModesOfTable& table) {
  std::vector<std::size_t> found(table.named.size(), no_row);
  if (table.values.empty() || table.values.size() > most_looked_at) return found;
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (!table.named[n]) continue;
    const auto rows = rows_of_half(table, n);
    // Of values around zero any row may have half of their sum.
    constexpr std::size_t most = 2;
    if (rows.size() > most) continue;
    for (const std::uint64_t row : rows) {
      if (found[n] == no_row && is_sum(table, n, row)) found[n] = row;
    }
  }
  return found;
}

}  // namespace genten::tools
