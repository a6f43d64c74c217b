// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The order by which maxima are taken, on hosts and devices: NaN is above all numbers, so that a
/// maximum over anything that has a NaN is NaN, whatever the order of its elements.

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace genten::detail {

/// Whether `a` comes before `b`: a < b, with NaN above all numbers.
template <class T>
[[nodiscard]] KOKKOS_FUNCTION bool below(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a < b || (b != b && a == a);
  } else {
    return a < b;
  }
}

/// The larger of two; NaN where one is.
template <class T>
[[nodiscard]] KOKKOS_FUNCTION T larger(const T& a, const T& b) {
  return below(a, b) ? b : a;
}

}  // namespace genten::detail
