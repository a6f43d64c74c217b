// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/simd_set.hpp>

#include <math.h>

#include <cstdint>
#include <cstring>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

typedef double Numbers __attribute__((vector_size(vector_bytes)));
typedef std::uint64_t Bits __attribute__((vector_size(vector_bytes)));

/// With k = x / log 2, rounded, and r the rest, exp(x) - 1 = 2^k (exp(r) - 1) + (2^k - 1), and
/// exp(r) - 1 is its series: |r| <= log(2) / 2, and the first term left out is below 2e-17 r.
[[gnu::always_inline]] inline Numbers expm1_of(Numbers x) {
  constexpr double log2_of_e = 1.44269504088896340736, most = 709.0, least = -700.0;
  // The upper part has so few digits that k times it is exact.
  constexpr double log_2_upper = 6.93147180369123816490e-01,
                   log_2_lower = 1.90821492927058770002e-10;
  constexpr double rounder = 0x1.8p52;  // whose last bits then are those of k
  const Numbers below = x > most ? Numbers{} + most : x;
  const Numbers at = below < least ? Numbers{} + least : below;
  const Numbers shifted = at * log2_of_e + rounder, k = shifted - rounder;
  const Numbers r = (at - k * log_2_upper) - k * log_2_lower;
  Bits bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  bits = (bits << 52) + (std::uint64_t{1023} << 52);
  Numbers power;
  std::memcpy(&power, &bits, sizeof(power));
  Numbers sum = Numbers{} + 1.0 / 6227020800.0;
  constexpr double terms[] = {1.0 / 479001600.0,
                              1.0 / 39916800.0,
                              1.0 / 3628800.0,
                              1.0 / 362880.0,
                              1.0 / 40320.0,
                              1.0 / 5040.0,
                              1.0 / 720.0,
                              1.0 / 120.0,
                              1.0 / 24.0,
                              1.0 / 6.0,
                              0.5};
  for (const double next : terms) {
    sum = sum * r + next;
  }
  return power * (r + r * r * sum) + (power - 1.0);
}

/// With x = 2^k f, f between the square roots of 1/2 and 2, and s = (f - 1) / (f + 1), log x = k
/// log 2 + 2 (s + s^3 / 3 + ...): s^2 < .0295, and the first term left out is below 1e-18 s.
[[gnu::always_inline]] inline Numbers log_of(Numbers x) {
  constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcd, two_to_52 = 0x4330000000000000;
  constexpr double log_2_upper = 6.93147180369123816490e-01,
                   log_2_lower = 1.90821492927058770002e-10;
  Bits bits;
  std::memcpy(&bits, &x, sizeof(bits));
  const Bits above = (bits - root_of_half + (std::uint64_t{1024} << 52)) >> 52;  // k + 1024
  bits -= (above - std::uint64_t{1024}) << 52;
  Numbers f, k;
  std::memcpy(&f, &bits, sizeof(f));
  const Bits shifted = above | two_to_52;
  std::memcpy(&k, &shifted, sizeof(k));
  k -= 0x1p52 + 1024.0;
  const Numbers s = (f - 1.0) / (f + 1.0), square = s * s;
  Numbers sum = Numbers{} + 2.0 / 23.0;
  constexpr double terms[] = {2.0 / 21.0, 2.0 / 19.0, 2.0 / 17.0, 2.0 / 15.0, 2.0 / 13.0,
                              2.0 / 11.0, 2.0 / 9.0,  2.0 / 7.0,  2.0 / 5.0,  2.0 / 3.0};
  for (const double next : terms) {
    sum = sum * square + next;
  }
  return k * log_2_upper + (2.0 * s + (s * square * sum + k * log_2_lower));
}

constexpr int width = vector_bytes / static_cast<int>(sizeof(double));

template <class Function>
[[gnu::always_inline]] inline void for_vectors(const double* x, double* y, int count,
                                               const Function& function) {
  for (int i = 0; i < count; i += width) {
    const int lanes = count - i < width ? count - i : width;
    Numbers numbers = Numbers{} + 1.0;
    if (lanes == width) {
      std::memcpy(&numbers, x + i, sizeof(numbers));
    } else {
      for (int j = 0; j < lanes; ++j) numbers[j] = x[i + j];
    }
    numbers = function(numbers);
    if (lanes == width) {
      std::memcpy(y + i, &numbers, sizeof(numbers));
    } else {
      for (int j = 0; j < lanes; ++j) y[i + j] = numbers[j];
    }
  }
}

void expm1_loop(const double* x, double* y, int count) {
  for_vectors(x, y, count, [](Numbers numbers) { return expm1_of(numbers); });
}

void log_loop(const double* x, double* y, int count) {
  for_vectors(x, y, count, [](Numbers numbers) {
    Numbers result = log_of(numbers);
    const auto usual = (numbers >= 0x1p-1022) & (numbers <= 0x1.fffffffffffffp1023);
    for (int j = 0; j < width; ++j) {
      if (usual[j] == 0) result[j] = ::log(numbers[j]);
    }
    return result;
  });
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
