// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MovedRows: the rows of a factor, moved on by what the last sweep has changed.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/core/fac_matrix.hpp>

namespace genten::detail {

/// Writes p(r) now(i, r) - q(r) before(i, r), within the bounds, in the place of `before`. What
/// FactorUpdate::write_and_measure takes: an index is a row on hosts, an element on devices.
template <RealScalar Scalar, ExecutionSpace Exec>
struct MovedRows {
  using Numbers = Kokkos::View<Scalar*, typename Exec::memory_space>;

  FacMatrix<Scalar, Exec> now, before;
  Numbers p, q;  ///< one a column
  Scalar lower, upper;

  [[nodiscard]] std::size_t indices_of(std::size_t rows) const {
    return is_host_space<Exec> ? rows : rows * now.columns();
  }
  KOKKOS_FUNCTION void operator()(const std::size_t index) const {
    const std::size_t columns = now.columns();
    if constexpr (is_host_space<Exec>) {
      for (std::size_t r = 0; r < columns; ++r) write(index, r);
    } else {
      write(index / columns, index % columns);
    }
  }

 private:
  KOKKOS_FUNCTION void write(std::size_t i, std::size_t r) const {
    Scalar& element = before.row(i)[r];
    const Scalar moved = p(r) * now.row(i)[r] - q(r) * element;
    element = moved < lower ? lower : (moved > upper ? upper : moved);
  }
};

/// Writes the first rows.
template <RealScalar Scalar, ExecutionSpace Exec>
void write_rows(const Exec& exec, const MovedRows<Scalar, Exec>& moved, std::size_t rows) {
  Kokkos::parallel_for(
      "genten::write_moved_rows",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, moved.indices_of(rows)),
      moved);
}

}  // namespace genten::detail
