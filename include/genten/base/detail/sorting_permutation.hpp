// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The permutation that sorts keys of one or several words, on host execution spaces.

#include <genten/base/detail/radix_sort.hpp>

#include <span>

namespace genten::detail {

/// The positions 0, 1, ..., count - 1. Throws Error when `Payload` cannot hold them.
template <SortWord Payload, ExecutionSpace Exec>
[[nodiscard]] HostArray<Payload> positions_array(const Exec& exec, std::size_t count) {
  if (count != 0 && count - 1 > std::numeric_limits<Payload>::max()) {
    throw Error("sorting_permutation: " + std::to_string(count) + " positions need 64 bits, got " +
                std::to_string(8 * sizeof(Payload)));
  }
  const auto positions = uninitialized_array<Payload>("genten::sorting_permutation", count);
  const EvenChunks chunks(count);
  for_each_index("genten::positions", exec, chunks.count(), [=](const std::size_t chunk) {
    const std::size_t end = chunks.end(chunk);
    for (std::size_t i = chunks.begin(chunk); i < end; ++i) positions(i) = static_cast<Payload>(i);
  });
  return positions;
}

/// The stable permutation that sorts keys of several words: entry i is the position of the i-th
/// smallest key. `words` holds the words of the keys, the least significant first, one array of
/// all keys for each. Their contents are destroyed.
template <SortWord Payload, ExecutionSpace Exec, SortWord Key>
[[nodiscard]] HostArray<Payload> sorting_permutation_destroying(
    const Exec& exec, std::span<const HostArray<Key>> words) {
  if (words.empty()) throw Error("sorting_permutation: expected at least one key word, got none");
  const std::size_t count = words[0].extent(0);
  const auto permutation = positions_array<Payload>(exec, count);
  sort_pairs(exec, words[0], permutation);
  for (std::size_t w = 1; w < words.size(); ++w) {
    // The previous word is spent and takes this one's keys in the order reached so far.
    const HostArray<Key> from = words[w], to = words[w - 1];
    const EvenChunks chunks(count);
    for_each_index("genten::gather_key_word", exec, chunks.count(), [=](const std::size_t chunk) {
      const std::size_t end = chunks.end(chunk);
      for (std::size_t i = chunks.begin(chunk); i < end; ++i) to(i) = from(permutation(i));
    });
    sort_pairs(exec, to, permutation);
  }
  return permutation;
}

/// The stable permutation that sorts `keys`: entry i is the position of the i-th smallest key.
template <SortWord Payload = std::uint64_t, ExecutionSpace Exec, SortWord Key>
[[nodiscard]] HostArray<Payload> sorting_permutation(
    const Exec& exec, const Kokkos::View<const Key*, Kokkos::HostSpace>& keys) {
  const auto copy = uninitialized_array<Key>("genten::sorting_keys", keys.extent(0));
  Kokkos::deep_copy(exec, copy, keys);
  const auto permutation = positions_array<Payload>(exec, keys.extent(0));
  sort_pairs(exec, copy, permutation);
  return permutation;
}
template <SortWord Payload = std::uint64_t, ExecutionSpace Exec, SortWord Key>
[[nodiscard]] HostArray<Payload> sorting_permutation(const Exec& exec, const HostArray<Key>& keys) {
  return sorting_permutation<Payload>(exec, Kokkos::View<const Key*, Kokkos::HostSpace>(keys));
}

}  // namespace genten::detail
