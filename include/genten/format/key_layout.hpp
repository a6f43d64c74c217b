// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// KeyLayout: how the subscripts of one nonzero are packed into one or two 64-bit words.

#include <genten/core/types.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace genten {

/// Where one mode's subscript lies in the key of a nonzero; it never straddles two words.
struct KeyField {
  std::uint64_t mask = 0;  ///< of the subscript, before shifting
  int word = 0;
  int shift = 0;

  /// The subscript in the key that starts at `key`.
  KOKKOS_FUNCTION std::uint64_t get(const std::uint64_t* key) const {
    return (key[word] >> shift) & mask;
  }
  /// Its bits in its word.
  KOKKOS_FUNCTION std::uint64_t put(std::uint64_t subscript) const { return subscript << shift; }
  [[nodiscard]] int bits() const { return std::popcount(mask); }
};

/// Bits that subscripts below `dimension` need.
[[nodiscard]] constexpr int bits_for(std::size_t dimension) {
  return dimension <= 1 ? 0 : std::bit_width(dimension - 1);
}

/// Fields of all modes, each as narrow as its dimension allows.
struct KeyLayout {
  Kokkos::Array<KeyField, max_order> fields{};
  int order = 0;
  int words = 1;

  /// Packs the modes, longest first, each into the first word that has room; empty when two words
  /// do not hold them. Which tensors fit does not depend on the order of their modes.
  static std::optional<KeyLayout> for_dimensions(std::span<const std::size_t> dimensions) {
    KeyLayout layout;
    layout.order = static_cast<int>(dimensions.size());
    std::vector<std::size_t> longest_first(dimensions.size());
    std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
    std::stable_sort(longest_first.begin(), longest_first.end(), [&](std::size_t a, std::size_t b) {
      return bits_for(dimensions[a]) > bits_for(dimensions[b]);
    });
    int used[2] = {0, 0};
    for (const std::size_t n : longest_first) {
      const int bits = bits_for(dimensions[n]);
      const int word = used[0] + bits <= 64 ? 0 : 1;
      if (used[word] + bits > 64) return std::nullopt;
      // A field without bits reads as 0 wherever it stands; a shift of 64 would be undefined.
      const int shift = bits == 0 ? 0 : used[word];
      const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
      layout.fields[n] = KeyField{mask, word, shift};
      used[word] += bits;
      if (word == 1) layout.words = 2;
    }
    return layout;
  }
};

}  // namespace genten
