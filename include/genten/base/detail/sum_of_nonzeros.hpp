// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sums over nonzeros that do not depend on the number of threads.

#include <genten/base/detail/even_chunks.hpp>

namespace genten::detail {

/// The chunks that nonzeros are summed in.
[[nodiscard]] inline EvenChunks chunks_of_nonzeros(offset_t nonzeros) {
  return EvenChunks(static_cast<std::size_t>(nonzeros), 512, 8192);
}

/// The sum of term(p) over all nonzeros, in chunks that depend on their number alone, so that it is
/// the same for every number of threads.
template <class Sums, ExecutionSpace Exec, class Term>
[[nodiscard]] Sums sum_of_nonzeros(const char* label, const Exec& exec, offset_t nonzeros,
                                   const Term& term) {
  const EvenChunks chunks = chunks_of_nonzeros(nonzeros);
  const Kokkos::View<Sums*, typename Exec::memory_space> partial("genten::nonzero_sums",
                                                                 chunks.count());
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, chunks.count()),
      KOKKOS_LAMBDA(const std::size_t chunk) {
        Sums sums;
        for (std::size_t p = chunks.begin(chunk); p < chunks.end(chunk); ++p) {
          sums.add(term(static_cast<offset_t>(p)));
        }
        partial(chunk) = sums;
      });
  fence(exec, label);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), partial);
  Sums total;
  for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk) total.add(host(chunk));
  return total;
}

}  // namespace genten::detail
