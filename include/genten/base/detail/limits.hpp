// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Limits of numbers that kernels of devices can read: nvcc lets them call no function of the host,
/// even one that is constexpr.

#include <limits>

namespace genten::detail {

template <class T>
struct Limits {
  static constexpr T least = std::numeric_limits<T>::min();  ///< the smallest normal one above 0
  static constexpr T most = std::numeric_limits<T>::max();
  static constexpr T epsilon = std::numeric_limits<T>::epsilon();
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
};

}  // namespace genten::detail
