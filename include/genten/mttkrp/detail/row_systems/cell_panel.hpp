// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A panel: for some cells of a row, side by side, the products of the other modes' factor rows.
/// Host code only.

#include <genten/base/detail/pack.hpp>
#include <genten/mttkrp/detail/row_systems/row_cells.hpp>
#include <genten/mttkrp/detail/row_systems/small_system.hpp>
#include <genten/mttkrp/kernel_concept.hpp>

namespace genten::detail {

/// Cells in a panel: few enough for it to stay in the nearest cache.
[[nodiscard]] constexpr int panel_cells(std::size_t line) {
  const std::size_t fitting = (std::size_t{16} << 10) / (line * sizeof(double));
  return static_cast<int>(fitting < 8 ? 8 : fitting > 128 ? 128 : fitting);
}

/// Gathers and multiplies factor rows, in Scalar, into panels of doubles. What is behind the rows'
/// stride in a line of a panel is not written.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
class CellGather {
 public:
  /// `factors` are all modes' but `mode`'s rows, padded, their padding zero.
  template <ExecutionSpace Exec>
  CellGather(const RowCells<Scalar, Ordinal, Exec>& cells,
             std::span<const FacMatrix<Scalar, Exec>> factors, int mode, std::size_t line)
      : m_subscripts(cells.subscripts.data()),
        m_values(cells.values.data()),
        m_cells(cells.nnz()),
        m_others(cells.others),
        m_stride(factors[static_cast<std::size_t>(mode)].stride()),
        m_line(line) {
    for (int n = 0; n < m_others; ++n) {
      m_rows[n] = factors[static_cast<std::size_t>(n < mode ? n : n + 1)].data();
    }
  }

  /// Line b of the panel belongs to cell `first` + b, values[b] is its value.
  void fill(offset_t first, int count, double* panel, double* values) const {
    switch (m_others) {
      case 1:
        return fill_products<1>(first, count, panel, values);
      case 2:
        return fill_products<2>(first, count, panel, values);
      case 3:
        return fill_products<3>(first, count, panel, values);
      default:
        return fill_products<0>(first, count, panel, values);
    }
  }

 private:
  /// Cells that rows are fetched ahead.
  static constexpr offset_t ahead = 32;

  template <int Others>
  void fill_products(offset_t first, int count, double* panel, double* values) const {
    for (int b = 0; b < count; ++b, panel += m_line) {
      const offset_t cell = first + b;
      values[b] = static_cast<double>(m_values[cell]);
      if (cell + ahead < m_cells) fetch<Others>(cell + ahead);
      const Scalar* rows[Others == 0 ? max_order : Others];
      const Ordinal* const subscripts = m_subscripts + cell * m_others;
      for (int n = 0; n < others<Others>(); ++n) rows[n] = m_rows[n] + subscripts[n] * m_stride;
      std::size_t column = 0;
      for (; column + 8 <= m_stride; column += 8) multiply<Others, 8>(rows, column, panel);
      if ((m_stride & 4) != 0) multiply<Others, 4>(rows, column, panel), column += 4;
      if ((m_stride & 2) != 0) multiply<Others, 2>(rows, column, panel), column += 2;
      if ((m_stride & 1) != 0) multiply<Others, 1>(rows, column, panel);
    }
  }
  template <int Others>
  [[nodiscard]] int others() const {
    return Others == 0 ? m_others : Others;
  }
  template <int Others>
  void fetch(offset_t cell) const {
    constexpr std::size_t cache_line = 64 / sizeof(Scalar);
    const Ordinal* const subscripts = m_subscripts + cell * m_others;
    for (int n = 0; n < others<Others>(); ++n) {
      const Scalar* const row = m_rows[n] + subscripts[n] * m_stride;
      for (std::size_t j = 0; j < m_stride; j += cache_line) __builtin_prefetch(row + j);
    }
  }
  template <int Others, int Width>
  void multiply(const Scalar* const* rows, std::size_t column, double* panel) const {
    auto product = others<Others>() == 0 ? Pack<Scalar, Width>::broadcast(Scalar(1))
                                         : Pack<Scalar, Width>::load(rows[0] + column);
    for (int n = 1; n < others<Others>(); ++n) {
      product *= Pack<Scalar, Width>::load(rows[n] + column);
    }
    Pack<double, Width> wide;
    wide.lanes = __builtin_convertvector(product.lanes, typename Pack<double, Width>::Vector);
    wide.store(panel + column);
  }

  const Scalar* m_rows[max_order] = {};
  const Ordinal* m_subscripts;
  const Scalar* m_values;
  offset_t m_cells;
  int m_others;
  std::size_t m_stride;
  std::size_t m_line;
};

}  // namespace genten::detail
