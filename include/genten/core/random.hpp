// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Counter-based random numbers: a value is a hash of (seed, stream, counter) and of nothing else,
/// so it is the same on every backend, for every number of threads and in any order of evaluation.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace genten {

/// Mixes 64 bits so that every input bit reaches every output bit (the finalizer published as
/// SplitMix64; Steele, Lea, Flood 2014).
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// 64 random bits for (seed, a, b, c). The usual meaning is (seed, mode, row, column).
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t a,
                                                           std::uint64_t b = 0,
                                                           std::uint64_t c = 0) {
  return mix_bits(mix_bits(mix_bits(mix_bits(seed) ^ a) ^ b) ^ c);
}

/// Uniform in [0, 1) with 53 random bits.
KOKKOS_INLINE_FUNCTION constexpr double uniform_from_bits(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

/// Uniform in [0, 1) for (seed, a, b, c).
KOKKOS_INLINE_FUNCTION constexpr double random_uniform(std::uint64_t seed, std::uint64_t a,
                                                       std::uint64_t b = 0, std::uint64_t c = 0) {
  return uniform_from_bits(random_bits(seed, a, b, c));
}

/// Standard normal for (seed, a, b, c), by the Box-Muller formula on two independent hashes.
KOKKOS_INLINE_FUNCTION double random_normal(std::uint64_t seed, std::uint64_t a,
                                            std::uint64_t b = 0, std::uint64_t c = 0) {
  const std::uint64_t bits = random_bits(seed, a, b, c);
  // 1 - u is in (0, 1], so the logarithm is finite.
  const double radius = ::sqrt(-2.0 * ::log(1.0 - uniform_from_bits(bits)));
  return radius * ::cos(6.283185307179586476925287 * uniform_from_bits(mix_bits(bits)));
}

}  // namespace genten
