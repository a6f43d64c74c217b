// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RecordLayout: how one nonzero, its subscripts and its value, is packed into 64-bit words.

#include <genten/base/detail/bits.hpp>
#include <genten/base/numbers.hpp>

#include <Kokkos_Array.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace genten {

/// Where a number lies in a record; it never straddles two words.
struct RecordField {
  std::uint64_t mask = 0;  ///< of the number, before shifting
  int word = 0;
  int shift = 0;

  /// The number in the record that starts at `record`.
  KOKKOS_FUNCTION std::uint64_t get(const std::uint64_t* record) const {
    return (record[word] >> shift) & mask;
  }
  /// Its bits in its word.
  KOKKOS_FUNCTION std::uint64_t put(std::uint64_t number) const { return number << shift; }
  [[nodiscard]] int bits() const { return std::popcount(mask); }
};

/// A word that holds a value as it is.
template <RealScalar Scalar>
[[nodiscard]] KOKKOS_FUNCTION std::uint64_t word_of_value(Scalar value) {
  std::uint64_t word = 0;
  memcpy(&word, &value, sizeof(Scalar));
  return word;
}
/// The value that a word holds.
template <RealScalar Scalar>
[[nodiscard]] KOKKOS_FUNCTION Scalar value_of_word(std::uint64_t word) {
  Scalar value;
  memcpy(&value, &word, sizeof(Scalar));
  return value;
}

/// One or two words hold the subscripts, each as narrow as its dimension allows. The value is a
/// code, its number in a ValueDictionary, where the bits left over hold one, and otherwise fills a
/// word of its own, the last.
struct RecordLayout {
  static constexpr int most_words = 3;

  Kokkos::Array<RecordField, max_order> fields{};  ///< of the modes' subscripts
  int order = 0;
  int key_words = 1;  ///< words that hold subscripts
  int words = 1;      ///< words of a record
  bool coded = true;
  /// Bits below each subscript that are zero in all records, where one word holds all subscripts
  /// and has them to spare: what takes them with the subscript has it times 2^zeros.
  std::uint8_t zeros = 0;
  RecordField code;  ///< of the value, if it is coded

  /// Packs the modes, longest first, each into the first word that holds it; empty when two words
  /// do not hold them. Which tensors fit does not depend on the order of their modes. Codes of
  /// `code_bits` bits come after the subscripts; without a number of bits, or where they do not
  /// fit, values are stored as they are.
  static std::optional<RecordLayout> for_dimensions(std::span<const std::size_t> dimensions,
                                                    std::optional<int> code_bits) {
    auto layout = pack(dimensions, code_bits, 0);
    if (!layout || layout->key_words > 1) return layout;
    int bits = layout->coded ? *code_bits : 0;
    for (const std::size_t length : dimensions) bits += detail::bits_for(length);
    const int zeros = (64 - bits) / std::max(1, layout->order);
    return zeros == 0 ? layout : pack(dimensions, code_bits, std::min(zeros, most_zeros));
  }

  /// The value of a record; `dictionary` lists the values by code.
  template <RealScalar Scalar>
  [[nodiscard]] KOKKOS_FUNCTION Scalar value(const std::uint64_t* record,
                                             const Scalar* dictionary) const {
    return coded ? dictionary[code.get(record)] : value_of_word<Scalar>(record[words - 1]);
  }

 private:
  /// Enough for the elements of the widest rows that one loop takes in whole.
  static constexpr int most_zeros = 7;

  static std::optional<RecordLayout> pack(std::span<const std::size_t> dimensions,
                                          std::optional<int> code_bits, int zeros) {
    RecordLayout layout;
    layout.zeros = static_cast<std::uint8_t>(zeros);
    layout.order = static_cast<int>(dimensions.size());
    std::vector<std::size_t> longest_first(dimensions.size());
    std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
    std::stable_sort(longest_first.begin(), longest_first.end(), [&](std::size_t a, std::size_t b) {
      return detail::bits_for(dimensions[a]) > detail::bits_for(dimensions[b]);
    });
    int used[2] = {0, 0};
    const auto take = [&used](int bits, int word) {
      // A field without bits reads as 0 wherever it stands; a shift of 64 would be undefined.
      const int shift = bits == 0 ? 0 : used[word];
      const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
      used[word] += bits;
      return RecordField{mask, word, shift};
    };
    for (const std::size_t n : longest_first) {
      const int bits = detail::bits_for(dimensions[n]);
      const int word = used[0] + bits <= 64 ? 0 : 1;
      if (used[word] + bits > 64) return std::nullopt;
      used[word] += zeros;
      layout.fields[n] = take(bits, word);
      if (word == 1) layout.key_words = 2;
    }
    layout.words = layout.key_words;
    for (int word = 0; code_bits && word < layout.key_words; ++word) {
      if (used[word] + *code_bits > 64) continue;
      layout.code = take(*code_bits, word);
      return layout;
    }
    layout.coded = false;
    layout.words = layout.key_words + 1;
    return layout;
  }
};

}  // namespace genten
