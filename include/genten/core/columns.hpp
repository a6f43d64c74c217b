// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Passes that write the columns of a factor. Every function takes the execution space instance on
/// which it works and returns when the work is done. Padding columns are never written.

#include <genten/core/detail/element_policy.hpp>

#include <utility>
#include <vector>

namespace genten {

/// Rows keep their numbers.
struct SameRow {
  KOKKOS_FUNCTION std::size_t operator()(std::size_t i) const { return i; }
};

/// How a column follows from the column `source` of another matrix: multiplied, divided, and times
/// 1 or -1, each result rounded as if it were stored.
struct ColumnChange {
  std::size_t source = 0;
  double multiplier = 1.0;
  double divisor = 1.0;
  double sign = 1.0;
};

namespace detail {

/// The work of `copy_columns`: a row an index on a host, an element on a device.
template <RealScalar Scalar, ExecutionSpace Exec, class RowNumber>
struct CopyColumns {
  FacMatrix<Scalar, Exec> from, to;
  Kokkos::View<ColumnChange*, typename Exec::memory_space> changes;
  RowNumber row_number;

  [[nodiscard]] offset_t indices() const {
    return static_cast<offset_t>(from.rows() * (is_host_space<Exec> ? 1 : changes.extent(0)));
  }
  KOKKOS_FUNCTION void operator()(const offset_t index) const {
    const auto columns = static_cast<offset_t>(changes.extent(0));
    if constexpr (is_host_space<Exec>) {
      const Scalar* const source = from.row(static_cast<std::size_t>(index));
      Scalar* const target = to.row(row_number(static_cast<std::size_t>(index)));
      for (offset_t j = 0; j < columns; ++j) target[j] = changed(source, changes(j));
    } else {
      const auto i = static_cast<std::size_t>(index / columns);
      const offset_t j = index % columns;
      to.row(row_number(i))[j] = changed(from.row(i), changes(j));
    }
  }

 private:
  KOKKOS_FUNCTION static Scalar changed(const Scalar* row, const ColumnChange& change) {
    const double stored = static_cast<double>(row[change.source]);
    const auto product = static_cast<Scalar>(stored * change.multiplier);
    const auto quotient = static_cast<Scalar>(static_cast<double>(product) / change.divisor);
    return static_cast<Scalar>(static_cast<double>(quotient) * change.sign);
  }
};

}  // namespace detail

/// Column j of row row_number(i) of `to` becomes what changes(j) makes of row i of `from`; other
/// rows stay. One pass. `row_number` is callable on the device, e.g. a View. The matrices do not
/// overlap, or are the same with every column and row at its place.
template <RealScalar Scalar, ExecutionSpace Exec, class RowNumber = SameRow>
void copy_columns(
    const Exec& exec, const FacMatrix<Scalar, Exec>& from, const FacMatrix<Scalar, Exec>& to,
    const std::type_identity_t<Kokkos::View<ColumnChange*, typename Exec::memory_space>>& changes,
    const RowNumber& row_number = {}) {
  const detail::CopyColumns<Scalar, Exec, RowNumber> work{from, to, changes, row_number};
  Kokkos::parallel_for(
      "genten::copy_columns",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, work.indices()), work);
  detail::fence(exec, "genten::copy_columns");
}

/// The same with the changes on the host.
template <RealScalar Scalar, ExecutionSpace Exec>
void copy_columns(const Exec& exec, const FacMatrix<Scalar, Exec>& from,
                  const FacMatrix<Scalar, Exec>& to, const std::vector<ColumnChange>& changes) {
  copy_columns(exec, from, to, detail::to_space<typename Exec::memory_space>(exec, changes));
}

/// Multiplies (or divides) each column by its number.
template <RealScalar Scalar, ExecutionSpace Exec>
void scale_columns(const Exec& exec, const FacMatrix<Scalar, Exec>& factor,
                   const std::vector<double>& numbers, bool divide = false) {
  std::vector<ColumnChange> changes;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    changes.push_back(divide ? ColumnChange{.source = j, .divisor = numbers[j]}
                             : ColumnChange{.source = j, .multiplier = numbers[j]});
  }
  copy_columns(exec, factor, factor, changes);
}

/// Sets all elements of each column to its number.
template <RealScalar Scalar, ExecutionSpace Exec>
void fill_columns(const Exec& exec, const FacMatrix<Scalar, Exec>& factor,
                  const std::vector<double>& numbers) {
  const auto number = detail::to_space<typename Exec::memory_space>(exec, numbers);
  const auto columns = static_cast<offset_t>(factor.columns());
  Kokkos::parallel_for(
      "genten::fill_columns", detail::element_policy(exec, factor),
      KOKKOS_LAMBDA(const offset_t index) {
        const offset_t i = index / columns, j = index % columns;
        factor(i, j) = static_cast<Scalar>(number(j));
      });
  detail::fence(exec, "genten::fill_columns");
}

/// Column j becomes what column permutation[j] was. In place: factors may fill half of the memory.
template <RealScalar Scalar, ExecutionSpace Exec>
void permute_columns(const Exec& exec, const FacMatrix<Scalar, Exec>& factor,
                     const std::vector<std::size_t>& permutation) {
  // The cycles of two columns and more, one after another, and where each ends.
  std::vector<std::size_t> columns, ends;
  std::vector<char> done(permutation.size(), 0);
  for (std::size_t start = 0; start < permutation.size(); ++start) {
    if (done[start] != 0 || permutation[start] == start) continue;
    for (std::size_t j = start; done[j] == 0; j = permutation[j]) {
      columns.push_back(j);
      done[j] = 1;
    }
    ends.push_back(columns.size());
  }
  const auto cycle = detail::to_space<typename Exec::memory_space>(exec, columns);
  const auto end = detail::to_space<typename Exec::memory_space>(exec, ends);
  const std::size_t cycles = ends.size();
  Kokkos::parallel_for(
      "genten::permute_columns",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0,
                                                             static_cast<offset_t>(factor.rows())),
      KOKKOS_LAMBDA(const offset_t i) {
        Scalar* const row = factor.row(static_cast<std::size_t>(i));
        std::size_t k = 0;
        for (std::size_t c = 0; c < cycles; ++c, ++k) {
          const Scalar first = row[cycle(k)];
          for (; k + 1 < end(c); ++k) row[cycle(k)] = row[cycle(k + 1)];
          row[cycle(k)] = first;
        }
      });
  detail::fence(exec, "genten::permute_columns");
}

}  // namespace genten

#define GENTEN_ETI_COLUMNS(PREFIX, SCALAR, EXEC)                                                   \
  PREFIX template void genten::copy_columns<SCALAR, EXEC, genten::SameRow>(                        \
      const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&, const genten::FacMatrix<SCALAR, EXEC>&, \
      const Kokkos::View<genten::ColumnChange*, EXEC::memory_space>&, const genten::SameRow&);     \
  PREFIX template void genten::copy_columns(const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&,   \
                                            const genten::FacMatrix<SCALAR, EXEC>&,                \
                                            const std::vector<genten::ColumnChange>&);             \
  PREFIX template void genten::scale_columns(const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&,  \
                                             const std::vector<double>&, bool);                    \
  PREFIX template void genten::fill_columns(const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&,   \
                                            const std::vector<double>&);                           \
  PREFIX template void genten::permute_columns(                                                    \
      const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&, const std::vector<std::size_t>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_COLUMNS, extern)
#endif
