// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A panel: for some entries of a row, side by side, the products of the other modes' factor rows.
/// Host code only.

#include <genten/base/detail/simd.hpp>
#include <genten/mttkrp/detail/row_equations/mode_entries.hpp>
#include <genten/mttkrp/detail/row_equations/small_system.hpp>
#include <genten/mttkrp/kernel_concept.hpp>

namespace genten::detail {

/// Entries in a panel at most.
inline constexpr int most_panel_entries = 128;

/// Entries in a panel: few enough for it to stay in the nearest cache.
[[nodiscard]] constexpr int panel_entries(std::size_t line) {
  const std::size_t fitting = (std::size_t{16} << 10) / (line * sizeof(double));
  constexpr std::size_t most = most_panel_entries;
  return static_cast<int>(fitting < 8 ? 8 : fitting > most ? most : fitting);
}

/// Where the factor rows of a mode's entries are gathered from.
template <RealScalar Scalar>
struct EntryGather {
  /// `all_factors` are all modes', padded, their padding zero.
  template <ExecutionSpace Exec>
  EntryGather(const ModeEntries<Scalar, Exec>& of,
              std::span<const FacMatrix<Scalar, Exec>> all_factors, int mode,
              std::size_t system_line)
      : subscripts(of.subscripts.data()),
        values(of.values.data()),
        entries(of.nnz()),
        others(of.others),
        stride(all_factors[static_cast<std::size_t>(mode)].stride()),
        line(system_line) {
    for (int n = 0; n < others; ++n) {
      factors[n] = all_factors[static_cast<std::size_t>(n < mode ? n : n + 1)].data();
    }
  }

  const Scalar* factors[max_order] = {};  ///< of all modes but one
  const RowNumber* subscripts;
  const Scalar* values;
  offset_t entries;
  int others;
  std::size_t stride;
  std::size_t line;
};

inline namespace GENTEN_SIMD_SET {

/// Gathers and multiplies factor rows, in Scalar, into panels of doubles. What is behind the rows'
/// stride in a line of a panel is not written.
template <RealScalar Scalar>
class EntryPanel {
 public:
  explicit EntryPanel(const EntryGather<Scalar>& gather) : m_gather(gather) {}

  /// Line b of the panel belongs to entry `first` + b, values[b] is its value.
  void fill(offset_t first, int count, double* panel, double* values) const {
    switch (m_gather.others) {
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

  /// models[b] is the product of that line and `row`, the model's value at the entry.
  void find_models(offset_t first, int count, const double* row, double* values,
                   double* models) const {
    switch (m_gather.others) {
      case 1:
        return find_models_of<1>(first, count, row, values, models);
      case 2:
        return find_models_of<2>(first, count, row, values, models);
      case 3:
        return find_models_of<3>(first, count, row, values, models);
      default:
        return find_models_of<0>(first, count, row, values, models);
    }
  }

 private:
  /// Entries that rows are fetched ahead.
  static constexpr offset_t ahead = 32;

  template <int Others>
  void fill_products(offset_t first, int count, double* panel, double* values) const {
    for (int b = 0; b < count; ++b, panel += m_gather.line) {
      const Scalar* rows[Others == 0 ? max_order : Others];
      values[b] = find_rows<Others>(first + b, rows);
      std::size_t column = 0;
      for (; column + 8 <= m_gather.stride; column += 8) multiply<Others, 8>(rows, column, panel);
      if ((m_gather.stride & 4) != 0) multiply<Others, 4>(rows, column, panel), column += 4;
      if ((m_gather.stride & 2) != 0) multiply<Others, 2>(rows, column, panel), column += 2;
      if ((m_gather.stride & 1) != 0) multiply<Others, 1>(rows, column, panel);
    }
  }
  template <int Others>
  void find_models_of(offset_t first, int count, const double* row, double* values,
                      double* models) const {
    for (int b = 0; b < count; ++b) {
      const Scalar* rows[Others == 0 ? max_order : Others];
      values[b] = find_rows<Others>(first + b, rows);
      auto sum = SimdVector<double, 8>::zero();
      std::size_t column = 0;
      for (; column + 8 <= m_gather.stride; column += 8) {
        sum += terms<Others, 8>(rows, column, row);
      }
      double model = sum.sum();
      if ((m_gather.stride & 4) != 0)
        model += terms<Others, 4>(rows, column, row).sum(), column += 4;
      if ((m_gather.stride & 2) != 0)
        model += terms<Others, 2>(rows, column, row).sum(), column += 2;
      if ((m_gather.stride & 1) != 0) model += terms<Others, 1>(rows, column, row).sum();
      models[b] = model;
    }
  }
  /// The factor rows of an entry, and its value; those of a later one are fetched.
  template <int Others>
  [[gnu::always_inline]] double find_rows(offset_t entry, const Scalar** rows) const {
    if (entry + ahead < m_gather.entries) fetch<Others>(entry + ahead);
    const RowNumber* const subscripts = m_gather.subscripts + entry * m_gather.others;
    for (int n = 0; n < others<Others>(); ++n)
      rows[n] = m_gather.factors[n] + subscripts[n] * m_gather.stride;
    return static_cast<double>(m_gather.values[entry]);
  }
  template <int Others>
  [[nodiscard]] int others() const {
    return Others == 0 ? m_gather.others : Others;
  }
  template <int Others>
  void fetch(offset_t entry) const {
    constexpr std::size_t cache_line = line_width<Scalar>;
    const RowNumber* const subscripts = m_gather.subscripts + entry * m_gather.others;
    for (int n = 0; n < others<Others>(); ++n) {
      const Scalar* const row = m_gather.factors[n] + subscripts[n] * m_gather.stride;
      for (std::size_t j = 0; j < m_gather.stride; j += cache_line) __builtin_prefetch(row + j);
    }
  }
  template <int Others, int Width>
  void multiply(const Scalar* const* rows, std::size_t column, double* panel) const {
    product<Others, Width>(rows, column).store(panel + column);
  }
  template <int Others, int Width>
  [[nodiscard]] SimdVector<double, Width> terms(const Scalar* const* rows, std::size_t column,
                                                const double* row) const {
    return product<Others, Width>(rows, column) * SimdVector<double, Width>::load(row + column);
  }
  template <int Others, int Width>
  [[nodiscard]] SimdVector<double, Width> product(const Scalar* const* rows,
                                                  std::size_t column) const {
    auto product = others<Others>() == 0 ? SimdVector<Scalar, Width>::broadcast(Scalar(1))
                                         : SimdVector<Scalar, Width>::load(rows[0] + column);
    for (int n = 1; n < others<Others>(); ++n) {
      product *= SimdVector<Scalar, Width>::load(rows[n] + column);
    }
    return product.template convert<double>();
  }

  const EntryGather<Scalar>& m_gather;
};

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
