// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// LaneColumns: the columns of a row that one lane of a device keeps in registers.

#include <Kokkos_Core.hpp>

namespace genten::detail {

/// `Width` neighbouring elements that are loaded and stored as one word.
template <class Scalar, int Width>
struct alignas(Width * sizeof(Scalar)) LaneColumns {
  Scalar element[Width];

  KOKKOS_FUNCTION static const LaneColumns& at(const Scalar* from) {
    return *reinterpret_cast<const LaneColumns*>(from);
  }
  KOKKOS_FUNCTION void store(Scalar* to) const { *reinterpret_cast<LaneColumns*>(to) = *this; }
};

}  // namespace genten::detail
