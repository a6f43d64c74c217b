// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// extract_bits: a number out of a word. Host code only.

#include <bit>
#include <cstdint>

// AMD's processors before Zen 3 have the instruction, but in slow microcode.
#if defined(__BMI2__) && !defined(__znver1__) && !defined(__znver2__) && !defined(GENTEN_SLOW_PEXT)
#include <immintrin.h>
#define GENTEN_HAS_FAST_PEXT 1
#endif

namespace genten::detail {

/// The bits of `word` under `mask`, which are neighbours, moved to the low end.
[[gnu::always_inline]] inline std::uint64_t extract_bits(std::uint64_t word, std::uint64_t mask) {
#ifdef GENTEN_HAS_FAST_PEXT
  return _pext_u64(word, mask);
#else
  // An empty mask has 64 trailing zeros, more than a shift may have.
  return (word & mask) >> (std::countr_zero(mask) & 63);
#endif
}

}  // namespace genten::detail
