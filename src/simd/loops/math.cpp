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

/// Of log 2; the upper part has so few digits that k times it is exact.
constexpr double log_2_upper = 6.93147180369123816490e-01, log_2_lower = 1.90821492927058770002e-10;

/// With k = x / log 2, rounded, and r the rest, exp(x) - 1 = 2^k (exp(r) - 1) + (2^k - 1), and
/// exp(r) - 1 is its series: |r| <= log(2) / 2, and the first term left out is below 2e-17 r.
[[gnu::always_inline]] inline Numbers expm1_of(Numbers x) {
  constexpr double log2_of_e = 1.44269504088896340736, most = 709.0, least = -700.0;
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

/// log((1 + s) / (1 - s)) = 2 s + s^3 (2 / 3 + 2 / 5 s^2 + ...), of which this is the sum in
/// brackets: for s^2 <= .04 the first term left out is below 1e-18 s.
[[gnu::always_inline]] inline Numbers log_series(Numbers square) {
  Numbers sum = Numbers{} + 2.0 / 23.0;
  constexpr double terms[] = {2.0 / 21.0, 2.0 / 19.0, 2.0 / 17.0, 2.0 / 15.0, 2.0 / 13.0,
                              2.0 / 11.0, 2.0 / 9.0,  2.0 / 7.0,  2.0 / 5.0,  2.0 / 3.0};
  for (const double next : terms) {
    sum = sum * square + next;
  }
  return sum;
}

template <class To, class From>
[[gnu::always_inline]] inline To same_bits(From from) {
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// With x = 2^k f, f between the square roots of 1/2 and 2, and s = (f - 1) / (f + 1), log x = k
/// log 2 + log((1 + s) / (1 - s)).
[[gnu::always_inline]] inline Numbers log_of(Numbers x) {
  constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcd, two_to_52 = 0x4330000000000000;
  const auto bits = same_bits<Bits>(x);
  const Bits above = (bits - root_of_half + (std::uint64_t{1024} << 52)) >> 52;  // k + 1024
  const auto f = same_bits<Numbers>(bits - ((above - std::uint64_t{1024}) << 52));
  const Numbers k = same_bits<Numbers>(above | two_to_52) - (0x1p52 + 1024.0);
  const Numbers s = (f - 1.0) / (f + 1.0), square = s * s;
  return k * log_2_upper + (2.0 * s + (s * square * log_series(square) + k * log_2_lower));
}

/// With n = 2^k m between 2/3 and 3/2 of x, and s = (x - n) / (x + n), log(x / m) = k log 2 +
/// log((1 + s) / (1 - s)), and 2 x s = (x - n) + s (x - n): what cancels in x log(x / m) - x + m is
/// left out.
[[gnu::always_inline]] inline Numbers half_deviance_of(Numbers x, Numbers m) {
  constexpr std::uint64_t half = std::uint64_t{1} << 51, two_to_52 = 0x4330000000000000;
  const auto of_m = same_bits<Bits>(m);
  const Bits above = (same_bits<Bits>(x) - of_m + half + (std::uint64_t{2048} << 52)) >> 52;
  const auto n = same_bits<Numbers>(of_m + ((above - std::uint64_t{2048}) << 52));
  const Numbers k = same_bits<Numbers>(above | two_to_52) - (0x1p52 + 2048.0);
  const Numbers difference = x - n, s = difference / (x + n), square = s * s;
  const Numbers small = s * difference + x * (s * square * log_series(square) + k * log_2_lower);
  return (x * (k * log_2_upper) + (m - n)) + small;
}

constexpr int width = vector_bytes / static_cast<int>(sizeof(double));

/// The first `lanes` numbers, the others being 1.
[[gnu::always_inline]] inline Numbers load(const double* from, int lanes) {
  Numbers numbers = Numbers{} + 1.0;
  if (lanes == width) {
    std::memcpy(&numbers, from, sizeof(numbers));
  } else {
    for (int j = 0; j < lanes; ++j) numbers[j] = from[j];
  }
  return numbers;
}
[[gnu::always_inline]] inline void store(Numbers numbers, double* to, int lanes) {
  if (lanes == width) {
    std::memcpy(to, &numbers, sizeof(numbers));
  } else {
    for (int j = 0; j < lanes; ++j) to[j] = numbers[j];
  }
}

/// function(i, lanes) for all vectors of `count` numbers.
template <class Function>
[[gnu::always_inline]] inline void for_vectors(int count, const Function& function) {
  int i = 0;
  for (; i + width <= count; i += width) function(i, width);
  if (i < count) function(i, count - i);
}

void expm1_loop(const double* x, double* y, int count) {
  for_vectors(
      count, [&](int i, int lanes) __attribute__((always_inline)) {
        store(expm1_of(load(x + i, lanes)), y + i, lanes);
      });
}

void log_loop(const double* x, double* y, int count) {
  for_vectors(
      count, [&](int i, int lanes) __attribute__((always_inline)) {
        const Numbers numbers = load(x + i, lanes);
        Numbers result = log_of(numbers);
        const auto usual = (numbers >= 0x1p-1022) & (numbers <= 0x1.fffffffffffffp1023);
        for (int j = 0; j < width; ++j) {
          if (usual[j] == 0) result[j] = ::log(numbers[j]);
        }
        store(result, y + i, lanes);
      });
}

/// Whether none is left to do: those are NaN that have x or m near the ends of the range.
bool half_deviance_loop(const double* x, const double* m, double* d, int count) {
  constexpr double least = 0x1p-1000, most = 0x1p1000;
  using Mask = decltype(Numbers{} >= least);
  const Numbers unknown = Numbers{} + __builtin_nan("");
  Mask done = Numbers{} == 0.0;
  for_vectors(
      count, [&](int i, int lanes) __attribute__((always_inline)) {
        const Numbers values = load(x + i, lanes), models = load(m + i, lanes);
        const Mask none = values == 0.0, usual = (values >= least) & (values <= most) &
                                                 (models >= least) & (models <= most);
        const Numbers result = usual ? half_deviance_of(values, models) : unknown;
        store(none ? models : result, d + i, lanes);
        done &= none | usual;
      });
  for (int j = 0; j < width; ++j) {
    if (done[j] == 0) return false;
  }
  return true;
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
