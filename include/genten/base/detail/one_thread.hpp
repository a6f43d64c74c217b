// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Work too small for several threads, which take some tens of microseconds to begin and end
/// together, and milliseconds where other programs keep cores busy.

#include <genten/base/types.hpp>

#include <algorithm>
#include <exception>
#include <type_traits>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace genten::detail {

/// Calls `body()`, whose kernels on `Exec` run on the calling thread alone, where Kokkos can do so:
/// with OpenMP before version 3.7.
template <ExecutionSpace Exec, class Body>
void on_one_thread(const Body& body) {
#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION < 30700
  if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>) {
    if (Kokkos::OpenMP::in_parallel()) {  // on threads of the caller there is no pool, either
      body();
      return;
    }
    std::exception_ptr thrown;
    const int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(std::max(levels, 2));  // else the call is on all threads
    Kokkos::OpenMP::partition_master(
        [&](int, int) {
          try {
            body();
          } catch (...) {  // must not leave the parallel region
            thrown = std::current_exception();
          }
        },
        1, 1);
    omp_set_max_active_levels(levels);
    if (thrown) std::rethrow_exception(thrown);
    return;
  }
#endif
  body();
}

}  // namespace genten::detail
