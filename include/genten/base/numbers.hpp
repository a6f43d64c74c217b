// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Types of values, subscripts and counts. Without Kokkos, whose headers take longer to parse than
/// many a source of hot loops takes to compile.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace genten {

/// Highest order (number of modes) that a tensor may have. Kernels keep per-mode data in arrays of
/// this length, so it bounds their argument size, not what a mode may hold.
inline constexpr int max_order = 16;

/// Counts and positions of nonzeros: always 64 bits, because nnz passes 2^31 long before a
/// dimension does.
using offset_t = std::int64_t;

/// Element type of tensors and models: float or double.
template <class T>
concept RealScalar = std::same_as<T, float> || std::same_as<T, double>;

/// Element type of a matrix that may be read-only.
template <class T>
concept MatrixScalar = RealScalar<std::remove_const_t<T>>;

/// Subscript type: 32 bits by default, 64 for modes longer than 2^32.
template <class T>
concept SubscriptOrdinal = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

}  // namespace genten
