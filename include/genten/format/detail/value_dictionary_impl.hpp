// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/detail/staged_copy.hpp>
#include <genten/format/value_dictionary.hpp>

#include <tuple>

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
std::optional<ValueDictionary<Scalar, Exec>> ValueDictionary<Scalar, Exec>::of(
    const Exec& exec, const Kokkos::View<const Scalar*, typename Exec::memory_space>& values) {
  ValueDictionary dictionary;
  dictionary.m_slots =
      detail::uninitialized_view<decltype(dictionary.m_slots)>("genten::value_slots", slots);
  dictionary.m_codes =
      detail::uninitialized_view<decltype(dictionary.m_codes)>("genten::value_codes", slots);
  Kokkos::deep_copy(exec, dictionary.m_slots, empty_slot);
  const std::uint32_t count = dictionary.enter(exec, values);
  if (count > most_values) return std::nullopt;
  dictionary.number(exec, count);
  return dictionary;
}

template <RealScalar Scalar, ExecutionSpace Exec>
std::uint32_t ValueDictionary<Scalar, Exec>::enter(
    const Exec& exec,
    const Kokkos::View<const Scalar*, typename Exec::memory_space>& values) const {
  const Kokkos::View<std::uint32_t, typename Exec::memory_space> count("genten::value_count");
  const auto table = m_slots;
  Kokkos::parallel_for(
      "genten::enter_values",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(
          exec, 0, static_cast<offset_t>(values.extent(0))),
      KOKKOS_LAMBDA(const offset_t p) {
        if (*static_cast<volatile std::uint32_t*>(count.data()) > most_values) return;
        const std::uint64_t word = word_of_value(values(p));
        std::uint64_t slot = first_slot(word);
        // Many threads may still enter a value each after the last that is allowed, so the table
        // may fill up: a search that takes too long counts as too many values.
        for (int tries = 0; tries < 64; ++tries, slot = (slot + 1) % slots) {
          std::uint64_t* const entry = &table(slot);
          std::uint64_t found = *static_cast<volatile std::uint64_t*>(entry);
          if (found == empty_slot) {
            found = Kokkos::atomic_compare_exchange(entry, empty_slot, word);
            if (found == empty_slot) {
              Kokkos::atomic_add(count.data(), 1u);
              return;
            }
          }
          if (found == word) return;
        }
        Kokkos::atomic_add(count.data(), most_values + 1);
      });
  std::uint32_t result = 0;
  detail::fence(exec, "genten::enter_values");
  Kokkos::deep_copy(result, count);
  return result;
}

template <RealScalar Scalar, ExecutionSpace Exec>
void ValueDictionary<Scalar, Exec>::number(const Exec& exec, std::uint32_t count) {
  const auto table = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_slots);
  std::vector<std::tuple<Scalar, std::uint64_t, std::size_t>> found;  // value, its bits, its slot
  found.reserve(count);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (table(slot) == empty_slot) continue;
    found.emplace_back(value_of_word<Scalar>(table(slot)), table(slot), slot);
  }
  std::sort(found.begin(), found.end());
  m_values = detail::uninitialized_view<decltype(m_values)>("genten::dictionary",
                                                            std::max<std::size_t>(count, 1));
  const auto values = Kokkos::create_mirror_view(m_values);
  const auto codes = Kokkos::create_mirror_view(m_codes);
  values(0) = Scalar(0);  // of a tensor without nonzeros
  for (std::size_t code = 0; code < found.size(); ++code) {
    values(code) = std::get<0>(found[code]);
    codes(std::get<2>(found[code])) = static_cast<std::uint32_t>(code);
  }
  detail::copy_view(exec, m_values, values);
  detail::copy_view(exec, m_codes, codes);
  detail::fence(exec, "genten::number_values");
}

}  // namespace genten

#define GENTEN_ETI_VALUE_DICTIONARY(PREFIX, SCALAR, EXEC)              \
  PREFIX template std::optional<genten::ValueDictionary<SCALAR, EXEC>> \
  genten::ValueDictionary<SCALAR, EXEC>::of(                           \
      const EXEC&, const Kokkos::View<const SCALAR*, EXEC::memory_space>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_VALUE_DICTIONARY, extern)
#endif
