// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// KeyPacking: the subscripts of a nonzero as one integer key, or a few where 64 bits do not do.

#include <genten/base/detail/bits.hpp>
#include <genten/base/error.hpp>
#include <genten/base/types.hpp>
#include <genten/core/mode_order.hpp>

#include <span>
#include <string>
#include <vector>

namespace genten::detail {

/// Throws Error unless `modes` names every mode of a tensor of this order once.
inline void check_mode_order(std::span<const int> modes, std::size_t order) {
  std::vector<bool> seen(order, false);
  bool good = modes.size() == order;
  for (const int mode : modes) {
    good = good && mode >= 0 && static_cast<std::size_t>(mode) < order &&
           !seen[static_cast<std::size_t>(mode)];
    if (good) seen[static_cast<std::size_t>(mode)] = true;
  }
  if (good) return;
  std::string got;
  for (const int mode : modes) got += (got.empty() ? "" : ", ") + error_text::number(mode);
  throw Error("mode order: expected each mode from " + error_text::number(0) + " to " +
              error_text::number(order - 1) + " once" + error_text::counted() + ", got " +
              (got.empty() ? "none" : got));
}

/// Where each mode's subscript goes in a key of one or more 64-bit words. Keys compare, most
/// significant word last, as the subscripts do lexicographically in the given order of modes. No
/// subscript is split between words.
class KeyPacking {
 public:
  KeyPacking() = default;

  /// `mode_order` lists the modes, most significant first.
  KeyPacking(std::span<const std::size_t> dimensions, std::span<const int> mode_order)
      : m_order(static_cast<int>(dimensions.size())) {
    check_mode_order(mode_order, dimensions.size());
    int used = 0;
    for (std::size_t k = mode_order.size(); k-- > 0;) {
      const int mode = mode_order[k];
      const int bits = bits_for(dimensions[static_cast<std::size_t>(mode)]);
      if (used + bits > 64) {
        ++m_words;
        used = 0;
      }
      m_fields[mode] = {m_words - 1, bits == 0 ? 0 : used, bits};
      used += bits;
      m_total_bits += bits;
    }
  }
  explicit KeyPacking(std::span<const std::size_t> dimensions)
      : KeyPacking(dimensions, natural_mode_order(dimensions.size())) {}

  KOKKOS_FUNCTION int order() const { return m_order; }
  /// Number of 64-bit words of a key, at least one.
  KOKKOS_FUNCTION int words() const { return m_words; }
  KOKKOS_FUNCTION int total_bits() const { return m_total_bits; }
  KOKKOS_FUNCTION int bits(int mode) const { return m_fields[mode].bits; }
  /// Bits in use of a word.
  [[nodiscard]] int word_bits(int word) const {
    int bits = 0;
    for (int mode = 0; mode < m_order; ++mode) {
      if (m_fields[mode].word == word) bits += m_fields[mode].bits;
    }
    return bits;
  }
  /// The word that holds a mode's subscript; word 0 is the least significant.
  KOKKOS_FUNCTION int word(int mode) const { return m_fields[mode].word; }
  KOKKOS_FUNCTION int shift(int mode) const { return m_fields[mode].shift; }

  /// Word `w` of the key of nonzero `p` of a subscripts View.
  template <class Subscripts>
  KOKKOS_FUNCTION std::uint64_t pack(const Subscripts& subscripts, std::size_t p, int w = 0) const {
    std::uint64_t key = 0;
    for (int mode = 0; mode < m_order; ++mode) {
      const Field field = m_fields[mode];
      if (field.word == w) key |= static_cast<std::uint64_t>(subscripts(p, mode)) << field.shift;
    }
    return key;
  }

  /// A mode's subscript from the word `word(mode)` of a key.
  KOKKOS_FUNCTION std::uint64_t unpack(std::uint64_t key_word, int mode) const {
    const Field field = m_fields[mode];
    if (field.bits == 64) return key_word;
    return (key_word >> field.shift) & ((std::uint64_t{1} << field.bits) - 1);
  }

 private:
  struct Field {
    int word;
    int shift;
    int bits;
  };
  Kokkos::Array<Field, max_order> m_fields{};
  int m_order = 0;
  int m_words = 1;
  int m_total_bits = 0;
};

}  // namespace genten::detail
