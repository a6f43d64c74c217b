// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Random subscripts: power-law popularity, scattering over a mode, clusters.

#include <genten/base/detail/bits.hpp>
#include <genten/base/types.hpp>
#include <genten/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace genten::detail {

/// Streams of random numbers that one seed feeds; each is the second argument of `random_bits`
/// (per-mode streams add the mode), so the numbers of one never depend on another.
enum class RandomStream : std::uint64_t {
  subscript = 0x100,  ///< + mode: rank of the item drawn
  scatter = 0x200,    ///< + mode: the bijection of a mode
  cluster = 0x300,
  value = 0x400,
  noise = 0x500,
  support = 0x600,  ///< + mode
  planted = 0x700   ///< + mode
};
/// What `random_bits` makes the seed of a model from.
inline constexpr std::uint64_t model_stream = 0x800;

KOKKOS_INLINE_FUNCTION constexpr std::uint64_t stream(RandomStream s, int mode = 0) {
  return static_cast<std::uint64_t>(s) + static_cast<std::uint64_t>(mode);
}

/// Ranks 0 <= k < size whose popularity falls off as (k + 1)^-exponent, drawn by inverting the
/// cumulative distribution of the continuous power law with density x^-exponent on
/// [1/2, size + 1/2) and rounding: k = floor(x - 1/2), so that P(k) is the density's integral over
/// the unit interval around k + 1, within a few per cent of the discrete law. With y = 2 x and
/// u uniform in [0, 1):
///     y = (1 + u ((2 size + 1)^(1 - a) - 1))^(1 / (1 - a))    for a != 1,
///     y = (2 size + 1)^u                                      for a = 1.
/// Exponent 0 is uniform.
class PowerLaw {
 public:
  PowerLaw() = default;
  PowerLaw(std::uint64_t size, double exponent) : m_size(size) {
    if (exponent == 0.0) return;
    const double one_minus = 1.0 - exponent;
    m_kind = std::fabs(one_minus) < 1e-9 ? Kind::logarithmic : Kind::power;
    const double log_end = std::log(2.0 * static_cast<double>(size) + 1.0);
    m_range = m_kind == Kind::power ? std::expm1(one_minus * log_end) : log_end;
    m_inverse = m_kind == Kind::power ? 1.0 / one_minus : 1.0;
  }

  /// The rank at quantile u, 0 <= u < 1.
  KOKKOS_FUNCTION std::uint64_t operator()(double u) const {
    double x = 0.0;  // (y - 1) / 2, that is x - 1/2 of the formulas above
    switch (m_kind) {
      case Kind::uniform:
        x = u * static_cast<double>(m_size);
        break;
      case Kind::power:
        x = 0.5 * ::expm1(m_inverse * ::log1p(u * m_range));
        break;
      case Kind::logarithmic:
        x = 0.5 * ::expm1(u * m_range);
        break;
    }
    const auto rank = static_cast<std::uint64_t>(x > 0.0 ? x : 0.0);
    return rank < m_size ? rank : m_size - 1;  // rounding may reach the open end
  }

  /// The same for `count` quantiles.
  void operator()(const double* u, int count, std::uint64_t* ranks) const {
    if (m_kind != Kind::uniform) {
      for (int j = 0; j < count; ++j) ranks[j] = (*this)(u[j]);
      return;
    }
    const auto size = static_cast<double>(m_size);
    for (int j = 0; j < count; ++j) {
      const auto rank = static_cast<std::uint64_t>(u[j] * size);
      ranks[j] = rank < m_size ? rank : m_size - 1;
    }
  }

 private:
  enum class Kind { uniform, power, logarithmic };
  std::uint64_t m_size = 1;
  Kind m_kind = Kind::uniform;
  double m_range = 0.0;
  double m_inverse = 1.0;
};

/// A pseudo-random bijection of {0, ..., size - 1}: odd multiplications and xor-shifts permute the
/// next power of two, and what falls outside is permuted again until it falls inside (under two
/// turns on average).
class Scatter {
 public:
  Scatter() = default;
  Scatter(std::uint64_t size, std::uint64_t seed) : m_size(size) {
    const int bits = std::max(1, bits_for(size));
    m_mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    m_shift = bits / 2 + 1;
    m_multiplier = mix_bits(seed) | 1;
    m_increment = mix_bits(seed + 1);
  }

  KOKKOS_FUNCTION std::uint64_t operator()(std::uint64_t x) const {
    do x = permuted(x);
    while (x >= m_size);
    return x;
  }

  /// Replaces `count` numbers by where they go.
  void operator()(std::uint64_t* numbers, int count) const {
    const std::uint64_t size = m_size;
    int outside = 0;
    for (int j = 0; j < count; ++j) {
      numbers[j] = permuted(numbers[j]);
      outside += numbers[j] >= size ? 1 : 0;
    }
    while (outside != 0) {
      outside = 0;
      for (int j = 0; j < count; ++j) {
        const std::uint64_t again = permuted(numbers[j]);
        numbers[j] = numbers[j] >= size ? again : numbers[j];
        outside += numbers[j] >= size ? 1 : 0;
      }
    }
  }

 private:
  KOKKOS_FUNCTION std::uint64_t permuted(std::uint64_t x) const {
    for (int round = 0; round < 3; ++round) {
      x = (x * m_multiplier + m_increment) & m_mask;
      x ^= m_shift < 64 ? x >> m_shift : 0;
    }
    return x;
  }

  std::uint64_t m_size = 1;
  std::uint64_t m_mask = 1;
  std::uint64_t m_multiplier = 1;
  std::uint64_t m_increment = 0;
  int m_shift = 1;
};

/// random_uniform(seed, stream, t) of one seed and stream, which are hashed once for all t.
class UniformNumbers {
 public:
  UniformNumbers() = default;
  UniformNumbers(std::uint64_t seed, std::uint64_t stream)
      : m_hashed(mix_bits(mix_bits(seed) ^ stream)) {}

  KOKKOS_FUNCTION double operator()(std::uint64_t t) const {
    return uniform_from_bits(mix_bits(mix_bits(m_hashed ^ t)));
  }

 private:
  std::uint64_t m_hashed = 0;
};

/// The endless sequence of random subscript tuples that a recipe describes: element t depends on
/// the seed and t alone.
class SubscriptDraws {
 public:
  SubscriptDraws(std::span<const std::size_t> dimensions, std::span<const double> exponents,
                 int clusters, std::uint64_t seed, std::span<const std::size_t> runs = {})
      : m_order(static_cast<int>(dimensions.size())),
        m_clusters(clusters),
        m_cluster_numbers(seed, stream(RandomStream::cluster)) {
    if (!runs.empty()) m_longest_run = *std::max_element(runs.begin(), runs.end());
    for (int n = 0; n < m_order; ++n) {
      m_run[n] = runs.empty() ? 1 : runs[static_cast<std::size_t>(n)];
      const std::uint64_t size = dimensions[static_cast<std::size_t>(n)];
      const double exponent = exponents.empty() ? 0.0 : exponents[static_cast<std::size_t>(n)];
      m_size[n] = size;
      m_law[n] = PowerLaw(size, exponent);
      m_scatter[n] = Scatter(size, random_bits(seed, stream(RandomStream::scatter, n)));
      m_numbers[n] = UniformNumbers(seed, stream(RandomStream::subscript, n));
    }
  }

  KOKKOS_FUNCTION int order() const { return m_order; }

  /// The cluster of draw t.
  KOKKOS_FUNCTION std::uint64_t cluster(offset_t t) const {
    if (m_clusters <= 1) return 0;
    const double u = m_cluster_numbers(static_cast<std::uint64_t>(t) / m_longest_run);
    return static_cast<std::uint64_t>(u * m_clusters);
  }

  /// The subscript of draw t, of cluster c, in mode n. A cluster shifts the order of popularity
  /// around the mode, so that each has favourites of its own in all modes at once.
  KOKKOS_FUNCTION std::uint64_t subscript(offset_t t, std::uint64_t c, int n) const {
    const double u = m_numbers[n](static_cast<std::uint64_t>(t) / m_run[n]);
    return m_scatter[n](shifted(m_law[n](u), c, n));
  }

  /// So many draws can be asked for at once.
  static constexpr int most_at_once = 256;

  /// The clusters of draws with these numbers.
  void clusters(const std::uint64_t* numbers, int count, std::uint64_t* cluster) const {
    std::fill_n(cluster, count, std::uint64_t{0});
    if (m_clusters <= 1) return;
    const UniformNumbers uniform = m_cluster_numbers;
    const double size = m_clusters;
    double u[most_at_once];
    uniform_by_run(uniform, m_longest_run, numbers, count, u);
    for (int j = 0; j < count; ++j) cluster[j] = static_cast<std::uint64_t>(u[j] * size);
  }
  /// Their subscripts in mode n.
  void subscripts(const std::uint64_t* numbers, const std::uint64_t* cluster, int count, int n,
                  std::uint64_t* out) const {
    double u[most_at_once];
    uniform_by_run(m_numbers[n], m_run[n], numbers, count, u);
    m_law[n](u, count, out);
    if (m_clusters > 1) {
      for (int j = 0; j < count; ++j) out[j] = shifted(out[j], cluster[j], n);
    }
    m_scatter[n](out, count);
  }

 private:
  /// u[j] = uniform(numbers[j] / run). Divisions are slow, and most recipes have none.
  static void uniform_by_run(const UniformNumbers& uniform, std::uint64_t run,
                             const std::uint64_t* numbers, int count, double* u) {
    if (run == 1) {
      for (int j = 0; j < count; ++j) u[j] = uniform(numbers[j]);
    } else {
      for (int j = 0; j < count; ++j) u[j] = uniform(numbers[j] / run);
    }
  }

  /// An item of mode n as cluster c shifts it.
  KOKKOS_FUNCTION std::uint64_t shifted(std::uint64_t item, std::uint64_t c, int n) const {
    if (c == 0) return item;
    // floor(c size / clusters), in two parts: the product for a long mode might not fit.
    const auto clusters = static_cast<std::uint64_t>(m_clusters);
    const std::uint64_t shift = m_size[n] / clusters * c + m_size[n] % clusters * c / clusters;
    return item < m_size[n] - shift ? item + shift : item - (m_size[n] - shift);
  }

  int m_order;
  int m_clusters;
  std::uint64_t m_longest_run = 1;
  UniformNumbers m_cluster_numbers;
  Kokkos::Array<UniformNumbers, max_order> m_numbers{};
  Kokkos::Array<std::uint64_t, max_order> m_size{};
  Kokkos::Array<std::uint64_t, max_order> m_run{};
  Kokkos::Array<PowerLaw, max_order> m_law{};
  Kokkos::Array<Scatter, max_order> m_scatter{};
};

}  // namespace genten::detail
