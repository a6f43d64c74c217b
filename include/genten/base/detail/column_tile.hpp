// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ColumnTile: the columns of a row that one lane of a device keeps in registers.

#include <Kokkos_Core.hpp>

namespace genten::detail {

/// `Width` neighbouring elements that are loaded and stored as one word.
template <class Scalar, int Width>
struct alignas(Width * sizeof(Scalar)) ColumnTile {
  Scalar element[Width];

  KOKKOS_FUNCTION static const ColumnTile& at(const Scalar* from) {
    return *reinterpret_cast<const ColumnTile*>(from);
  }
  KOKKOS_FUNCTION void store(Scalar* to) const { *reinterpret_cast<ColumnTile*>(to) = *this; }
};

}  // namespace genten::detail
