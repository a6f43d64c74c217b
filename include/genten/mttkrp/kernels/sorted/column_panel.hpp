// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ColumnPanel: a few columns of wide matrices, copied close together. Host code only.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/detail/simd_set.hpp>
#include <genten/base/types.hpp>

#include <algorithm>

namespace genten::detail {

/// Workspace for the columns of one column block, of all matrices of a contraction.
///
/// Wide rows are processed a column block at a time. Where they lie, rows of 1024 bytes of which
/// 128 are used share an eighth of a cache's sets; next to each other the same columns have all of
/// it, and eight times as many rows stay in L2. A row is copied once but gathered once a nonzero.
template <RealScalar Scalar, ExecutionSpace Exec>
class ColumnPanel {
 public:
  ColumnPanel() = default;

  /// For `rows` rows, of all matrices together, of `lines` cache lines.
  ColumnPanel(std::size_t rows, int lines)
      : m_lines(lines),
        m_elements(uninitialized_view<decltype(m_elements)>(
            "genten::column_panel",
            rows * static_cast<std::size_t>(lines) * line_bytes / sizeof(Scalar))) {}

  [[nodiscard]] int lines() const { return m_lines; }
  [[nodiscard]] Scalar* data() const { return m_elements.data(); }

 private:
  int m_lines = 0;
  Kokkos::View<Scalar*, typename Exec::memory_space> m_elements;
};

/// Copies `columns` columns of `rows` rows, which are so many elements apart in either matrix.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
void copy_panel(const Exec& exec, std::size_t rows, std::size_t columns, const Scalar* from,
                std::size_t from_stride, Scalar* to, std::size_t to_stride) {
  Kokkos::parallel_for("genten::copy_panel",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, rows),
                       [=](const std::size_t i) {
                         std::copy_n(from + i * from_stride, columns, to + i * to_stride);
                       });
}

}  // namespace genten::detail
