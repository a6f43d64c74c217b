// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Row numbers of 32 bits, which plans and solvers compute with, whatever subscripts a tensor has.

#include <genten/base/detail/eti.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/core/sptensor.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

namespace genten {

/// The number of a row among those that a solver stores.
using RowNumber = std::uint32_t;

/// Rows of a whole tensor, by their numbers there.
template <ExecutionSpace Exec>
using RowList = Kokkos::View<std::uint64_t*, typename Exec::memory_space>;

namespace detail {

/// Throws Error of kind memory, for `who`, where a mode has more rows than row numbers say.
inline void require_row_numbers_suffice(const std::string& who,
                                        const std::vector<std::size_t>& dimensions,
                                        std::size_t scalar_bytes, double available, bool device) {
  constexpr std::size_t most_rows = std::numeric_limits<RowNumber>::max();
  const auto longest = std::max_element(dimensions.begin(), dimensions.end());
  if (longest == dimensions.end() || *longest <= most_rows) return;
  const std::string mode = error_text::number(longest - dimensions.begin());
  const std::string remedy =
      "dropping empty slices (" + error_text::remedy("drop_empty_slices") + ") may make it fit";
  const auto row_bytes = static_cast<double>(padded_stride(1, scalar_bytes) * scalar_bytes);
  require_memory({.function = who,
                  .what = "a model of one component, with the rows of mode " + mode + ",",
                  .parts = {{"factor of mode " + mode, row_bytes * static_cast<double>(*longest)}},
                  .available = available,
                  .device = device,
                  .remedy = remedy});
  throw Error::in(who, Error::Kind::memory,
                  "expected modes of at most " + std::to_string(most_rows) + " rows, got " +
                      std::to_string(*longest) + " in mode " + mode + "; " + remedy);
}

}  // namespace detail

/// The tensor with subscripts of 32 bits: itself where it has them, else a copy of the subscripts
/// beside the same values. Throws Error of kind memory, for `who`, naming a mode of 2^32 rows
/// or more: of such a mode a factor of one column takes 32 GiB.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, RowNumber, Exec> with_row_numbers(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const std::string& who) {
  if constexpr (std::is_same_v<Ordinal, RowNumber>) {
    return tensor;
  } else {
    detail::require_row_numbers_suffice(who, tensor.dimensions(), sizeof(Scalar),
                                        available_memory<Exec>(), !is_host_space<Exec>);
    using Subscripts = Kokkos::View<RowNumber**, Kokkos::LayoutRight, typename Exec::memory_space>;
    const int order = tensor.order();
    const auto wide = tensor.subscripts();
    const auto narrow = detail::uninitialized_view<Subscripts>("genten::row_numbers", tensor.nnz(),
                                                               static_cast<std::size_t>(order));
    Kokkos::parallel_for(
        "genten::with_row_numbers",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
        KOKKOS_LAMBDA(const offset_t p) {
          for (int n = 0; n < order; ++n) narrow(p, n) = static_cast<RowNumber>(wide(p, n));
        });
    detail::fence(exec, "genten::with_row_numbers");
    return Sptensor<Scalar, RowNumber, Exec>::trusted(exec, tensor.dimensions(), narrow,
                                                      tensor.values(), tensor.facts());
  }
}

}  // namespace genten

#define GENTEN_ETI_ROW_NUMBERS(PREFIX, SCALAR, EXEC)                \
  PREFIX template genten::Sptensor<SCALAR, genten::RowNumber, EXEC> \
  genten::with_row_numbers<SCALAR, std::uint64_t, EXEC>(            \
      const EXEC&, const genten::Sptensor<SCALAR, std::uint64_t, EXEC>&, const std::string&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_ROW_NUMBERS, extern)
#endif
