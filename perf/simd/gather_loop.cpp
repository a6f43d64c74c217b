// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../gather_loop.hpp"

#include <genten/base/detail/simd.hpp>

namespace genten::perf {
inline namespace GENTEN_SIMD_SET {

template <int Columns, bool Prefetch>
double sum_rows(const double* table, const std::uint32_t* index, std::size_t look_ahead,
                std::size_t begin, std::size_t end) {
  constexpr int width = Columns < 8 ? Columns : 8;
  constexpr int block = Columns < 64 ? Columns : 64;  // columns summed at a time
  constexpr int line = 64 / sizeof(double);
  using Row = detail::SimdRow<double, width, block / width>;
  Row sums[Columns / block];
  for (auto& sum : sums) sum = Row::zero();
  for (std::size_t i = begin; i < end; ++i) {
    if constexpr (Prefetch) {
      const double* const next = table + std::size_t{index[i + look_ahead]} * Columns;
#pragma GCC unroll 16
      for (int c = 0; c < Columns; c += line) __builtin_prefetch(next + c, 0, 3);
    }
    const double* const row = table + std::size_t{index[i]} * Columns;
#pragma GCC unroll 2
    for (int b = 0; b < Columns / block; ++b) sums[b].add_scaled(1.0, Row::load(row + b * block));
  }
  double result[block] = {};
  for (const auto& sum : sums) sum.add_to(result);
  double total = 0.0;
  for (const double value : result) total += value;
  return total;
}

template <int Columns = 128>
GatherLoop choose(int columns, bool prefetch) {
  if constexpr (Columns > 4) {
    if (columns < Columns) return choose<Columns / 2>(columns, prefetch);
  }
  return prefetch ? sum_rows<Columns, true> : sum_rows<Columns, false>;
}

GatherLoop compiled_gather_loop(int columns, bool prefetch) {
  return choose(columns, prefetch);
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::perf
