// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Stores of whole cache lines past the caches. Host code only.

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace genten::detail {

inline constexpr std::size_t cache_line_bytes = 64;

/// Copies a line to memory that is not read soon. An ordinary store would first fetch the old line.
/// `to` and `from` must be aligned to lines.
inline void stream_line(std::uint64_t* to, const std::uint64_t* from) {
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_load_si512(from));
#elif defined(__AVX__)
  for (int i = 0; i < 2; ++i) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to) + i,
                        _mm256_load_si256(reinterpret_cast<const __m256i*>(from) + i));
  }
#elif defined(__SSE2__)
  for (int i = 0; i < 4; ++i) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i,
                     _mm_load_si128(reinterpret_cast<const __m128i*>(from) + i));
  }
#else
  std::memcpy(to, from, cache_line_bytes);
#endif
}

/// Before other threads may read what stream_line has written.
inline void finish_streams() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace genten::detail
