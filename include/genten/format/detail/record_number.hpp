// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RecordNumber: what records are sorted by.

#include <genten/format/record_layout.hpp>

#include <algorithm>

namespace genten::detail {

/// A number put together from bits of a record: parts of some fields, one after another.
class RecordNumber {
 public:
  struct Part {
    int word = 0;
    int shift = 0;
    int width = 1;
    int to = 0;  ///< its lowest bit in the number
  };

  [[nodiscard]] KOKKOS_FUNCTION int bits() const { return m_bits; }
  [[nodiscard]] int parts() const { return m_count; }
  [[nodiscard]] const Part& part(int i) const { return m_parts[i]; }

  /// Appends the bits of `field` but for the lowest `drop`, as the new lowest bits. Where 64 bits
  /// do not hold them, some more of the lowest are left out.
  void append(const RecordField& field, int drop) {
    int width = field.bits() - drop;
    const int excess = width - (64 - m_bits);
    if (excess > 0) {
      drop += excess;
      width -= excess;
    }
    if (width <= 0) return;
    for (int i = 0; i < m_count; ++i) m_parts[i].to += width;
    m_parts[m_count++] = Part{field.word, field.shift + drop, width, 0};
    m_bits += width;
  }

  /// Bits [first, first + width) of the number.
  [[nodiscard]] RecordNumber slice(int first, int width) const {
    RecordNumber result;
    result.m_bits = width;
    for (int i = 0; i < m_count; ++i) {
      const Part& part = m_parts[i];
      const int low = std::max(part.to, first);
      const int high = std::min(part.to + part.width, first + width);
      if (low >= high) continue;
      result.m_parts[result.m_count++] =
          Part{part.word, part.shift + low - part.to, high - low, low - first};
    }
    return result;
  }

  /// Whether the other number is made of the same bits.
  [[nodiscard]] bool same_as(const RecordNumber& other) const {
    if (m_count != other.m_count) return false;
    for (int i = 0; i < m_count; ++i) {
      const Part &a = m_parts[i], &b = other.m_parts[i];
      if (a.word != b.word || a.shift != b.shift || a.width != b.width || a.to != b.to)
        return false;
    }
    return true;
  }

  /// The number.
  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t of(const std::uint64_t* record) const {
    std::uint64_t number = 0;
    for (int i = 0; i < m_count; ++i) {
      const Part& part = m_parts[i];
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - part.width);
      number |= ((record[part.word] >> part.shift) & mask) << part.to;
    }
    return number;
  }

 private:
  Kokkos::Array<Part, max_order> m_parts{};
  int m_count = 0;
  int m_bits = 0;
};

}  // namespace genten::detail
