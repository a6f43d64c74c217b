// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ValueDictionary: the distinct values of a tensor, where they are few.

#include <genten/base/types.hpp>
#include <genten/format/record_layout.hpp>

namespace genten {

/// Numbers the distinct values of a tensor in ascending order. Counts, ratings and indicators have
/// few of them, so that a number of some bits takes the place of 8 bytes; the values themselves
/// stay exact. Values that differ in their bits, such as 0 and -0, are distinct.
template <RealScalar Scalar, ExecutionSpace Exec>
class ValueDictionary {
 public:
  /// With more distinct values there is no dictionary: it would no longer stay in the first cache.
  static constexpr std::uint32_t most_values = 2048;

  /// Reads the values once, or as far as it takes to see that they are too many: then empty.
  /// `values` must be finite.
  static std::optional<ValueDictionary> of(
      const Exec& exec, const Kokkos::View<const Scalar*, typename Exec::memory_space>& values);

  /// By code, ascending.
  [[nodiscard]] const Kokkos::View<Scalar*, typename Exec::memory_space>& values() const {
    return m_values;
  }
  [[nodiscard]] int code_bits() const { return detail::bits_for(m_values.extent(0)); }

  /// The number of a value that occurs.
  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t code(Scalar value) const {
    const std::uint64_t word = word_of_value(value);
    std::uint64_t slot = first_slot(word);
    while (m_slots(slot) != word) slot = (slot + 1) % slots;
    return m_codes(slot);
  }

 private:
  static constexpr std::uint64_t slots = 8 * most_values;
  static constexpr int slot_bits = std::bit_width(slots - 1);
  static constexpr std::uint64_t empty_slot = ~std::uint64_t{0};  ///< the bits of a NaN

  [[nodiscard]] static KOKKOS_FUNCTION std::uint64_t first_slot(std::uint64_t word) {
    return (word * 0x9e3779b97f4a7c15u) >> (64 - slot_bits);
  }

 public:  // device lambdas may not stand in private members
  /// \cond not API
  /// Enters all values into the hash table; returns how many are distinct, or a larger number than
  /// most_values.
  std::uint32_t enter(const Exec& exec,
                      const Kokkos::View<const Scalar*, typename Exec::memory_space>& values) const;
  /// \endcond

 private:
  /// Lists and numbers what the hash table holds.
  void number(const Exec& exec, std::uint32_t count);

  Kokkos::View<std::uint64_t*, typename Exec::memory_space> m_slots;  ///< hash table of values
  Kokkos::View<std::uint32_t*, typename Exec::memory_space> m_codes;  ///< by slot
  Kokkos::View<Scalar*, typename Exec::memory_space> m_values;
};

}  // namespace genten

#include <genten/format/detail/value_dictionary_impl.hpp>
