// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The permutation that sorts elements by keys of one or several words.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/sort_pairs.hpp>
#include <genten/base/error.hpp>

#include <limits>
#include <string>

namespace genten::detail {

/// Takes word `word` of the key of each element, in the order that lesser words have given.
template <class Keys, class Positions, class KeyWords>
struct TakeKeyWord {
  Keys keys;
  Positions positions;
  KeyWords key_words;
  int word;

  GENTEN_CALLS_ARGUMENT
  KOKKOS_FUNCTION void operator()(const offset_t i) const {
    using Key = typename Keys::value_type;
    using Position = typename Positions::value_type;
    if (word == 0) positions(i) = static_cast<Position>(i);
    keys(i) = static_cast<Key>(key_words(static_cast<offset_t>(positions(i)), word));
  }
};

/// Sorts the positions 0, 1, ..., count - 1 by the keys of the elements there; equal keys keep
/// their order. The result's `values` are the positions, its `keys` the most significant words of
/// the keys in that order. Throws Error where `Position` cannot hold count - 1.
///
/// `key_words` is callable where `Exec` runs: key_words(p, w) is word w, the least significant
/// first, of the key of element p; words() says how many there are, bits(w) how long each is.
template <SortWord Key, class Position, ExecutionSpace Exec, class KeyWords>
[[nodiscard]] SortPairs<Key, Position, typename Exec::memory_space> sorted_positions(
    const Exec& exec, offset_t count, const KeyWords& key_words) {
  if (count != 0 && static_cast<std::uint64_t>(count - 1) >
                        static_cast<std::uint64_t>(std::numeric_limits<Position>::max())) {
    throw Error::in("sorted_positions", std::to_string(count) + " positions need 64 bits, got " +
                                            std::to_string(8 * sizeof(Position)));
  }
  SortPairs<Key, Position, typename Exec::memory_space> pairs(count);
  using Take = TakeKeyWord<decltype(pairs.keys), decltype(pairs.values), KeyWords>;
  for (int word = 0; word < key_words.words(); ++word) {
    Kokkos::parallel_for("genten::take_key_word",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count),
                         Take{pairs.keys, pairs.values, key_words, word});
    fence(exec, "genten::take_key_word");
    sort_pairs(exec, pairs, key_words.bits(word));
  }
  return pairs;
}

}  // namespace genten::detail
