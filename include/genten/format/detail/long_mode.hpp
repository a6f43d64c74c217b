// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Modes much longer than there are nonzeros, such as those whose subscripts are hashes: what a
/// table by row would do for others, sorting does here, in memory that the nonzeros alone decide.

#include <genten/base/detail/bits.hpp>
#include <genten/base/detail/sort_pairs.hpp>

namespace genten::detail {

/// A mode is long where each of its rows would have this many times as many places in a table as
/// there are nonzeros. Sorting takes longer than counting does, so that the factor is generous.
inline constexpr std::size_t rows_by_nonzero_of_long_mode = 16;

[[nodiscard]] constexpr bool is_long_mode(std::size_t rows, offset_t nnz) {
  return nnz != 0 && rows / rows_by_nonzero_of_long_mode > static_cast<std::size_t>(nnz);
}

/// The rows that have nonzeros, by descending number of them, ties in their order.
template <class Ordinal, class Exec, class Subscripts>
[[nodiscard]] Kokkos::View<Ordinal*, typename Exec::memory_space> rows_by_count_of_long_mode(
    const Exec& exec, const Subscripts& subscripts, int mode, std::size_t rows) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  using Space = typename Exec::memory_space;
  const auto nnz = static_cast<offset_t>(subscripts.extent(0));
  SortPairs<Ordinal, Ordinal, Space> sorted(nnz);  // the values are not looked at
  const auto unsorted = sorted.keys, ignored = sorted.values;
  Kokkos::parallel_for(
      "genten::take_subscripts", Policy(exec, 0, nnz), KOKKOS_LAMBDA(const offset_t p) {
        unsorted(p) = subscripts(p, mode);
        ignored(p) = 0;
      });
  sort_pairs(exec, sorted, bits_for(rows));
  const auto keys = sorted.keys;
  const auto begins = uninitialized_view<Kokkos::View<offset_t*, Space>>("genten::row_begins", nnz);
  offset_t used = 0;
  Kokkos::parallel_scan(
      "genten::row_begins", Policy(exec, 0, nnz),
      KOKKOS_LAMBDA(const offset_t p, offset_t& row, const bool last) {
        if (p != 0 && keys(p) == keys(p - 1)) return;
        if (last) begins(row) = p;
        ++row;
      },
      used);
  fence(exec, "genten::row_begins");
  SortPairs<std::uint32_t, Ordinal, Space> counted(used);
  const auto counts = counted.keys;
  const auto listed = counted.values;
  Kokkos::parallel_for(
      "genten::count_rows", Policy(exec, 0, used), KOKKOS_LAMBDA(const offset_t row) {
        const offset_t end = row + 1 < used ? begins(row + 1) : nnz;
        counts(row) = ~static_cast<std::uint32_t>(end - begins(row));
        listed(row) = keys(begins(row));
      });
  sort_pairs(exec, counted, 32);
  return counted.values;
}

/// By nonzero, the place of its row in `listed`, which lists every row that has nonzeros.
template <class Ordinal, class Exec, class Subscripts, class Rows>
[[nodiscard]] Kokkos::View<Ordinal*, typename Exec::memory_space> numbers_in_long_mode(
    const Exec& exec, const Subscripts& subscripts, int mode, std::size_t rows,
    const Rows& listed) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  using Numbers = Kokkos::View<Ordinal*, typename Exec::memory_space>;
  const auto nnz = static_cast<offset_t>(subscripts.extent(0));
  const auto used = static_cast<offset_t>(listed.extent(0));
  SortPairs<Ordinal, Ordinal, typename Exec::memory_space> sorted(used);
  const auto unsorted = sorted.keys, places = sorted.values;
  Kokkos::parallel_for(
      "genten::list_rows", Policy(exec, 0, used), KOKKOS_LAMBDA(const offset_t i) {
        unsorted(i) = static_cast<Ordinal>(listed(i));
        places(i) = static_cast<Ordinal>(i);
      });
  sort_pairs(exec, sorted, bits_for(rows));
  const auto keys = sorted.keys, numbers = sorted.values;
  const auto result = uninitialized_view<Numbers>("genten::nonzero_numbers", nnz);
  Kokkos::parallel_for(
      "genten::number_nonzeros", Policy(exec, 0, nnz), KOKKOS_LAMBDA(const offset_t p) {
        const Ordinal row = subscripts(p, mode);
        offset_t low = 0, high = used - 1;  // the row is there
        while (low < high) {
          const offset_t middle = low + (high - low) / 2;
          if (keys(middle) < row) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
        result(p) = numbers(low);
      });
  fence(exec, "genten::number_nonzeros");
  return result;
}

}  // namespace genten::detail
