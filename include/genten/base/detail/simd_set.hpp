// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The instruction set that a source is compiled for. What depends on it (vectors, and the hot
/// loops made of them) stands in an inline namespace of that name, so that a program may hold the
/// same loops for several sets: the library's sources in src/simd/loops are compiled for each of
/// them, with GENTEN_SIMD_SET naming it; all others are `own_flags`.

#ifndef GENTEN_SIMD_SET
#define GENTEN_SIMD_SET own_flags
#endif

#define GENTEN_SIMD_SET_IS_x86_64_v2 2
#define GENTEN_SIMD_SET_IS_x86_64_v3 3
#define GENTEN_SIMD_SET_IS_x86_64_v3_shift 3
#define GENTEN_SIMD_SET_IS_(SET) GENTEN_SIMD_SET_IS_##SET
#define GENTEN_SIMD_SET_IS(SET) GENTEN_SIMD_SET_IS_(SET)
#if (GENTEN_SIMD_SET_IS(GENTEN_SIMD_SET) == 2 && defined(__AVX__)) || \
    (GENTEN_SIMD_SET_IS(GENTEN_SIMD_SET) == 3 && defined(__AVX512F__))
#error "another -march comes after that of the instruction set"
#endif

namespace genten::detail {

/// Bytes of a cache line, which rows are padded to.
inline constexpr int line_bytes = 64;
/// Elements of a cache line.
template <class Scalar>
inline constexpr int line_width = line_bytes / static_cast<int>(sizeof(Scalar));

inline namespace GENTEN_SIMD_SET {

/// Of the vector registers of the instruction set.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
inline constexpr int vector_registers = 32;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
inline constexpr int vector_registers = 16;
#elif defined(__x86_64__)
inline constexpr int vector_bytes = 16;
inline constexpr int vector_registers = 16;
#else  // NEON's, and what others are likely to have
inline constexpr int vector_bytes = 16;
inline constexpr int vector_registers = 32;
#endif
/// Vectors that a cache line takes.
inline constexpr int vectors_per_line = line_bytes / vector_bytes;

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
