// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Stable radix sort of keys with values, wherever they lie: our own on hosts, the vendors' on
/// devices.

#include <genten/base/detail/device_sort.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/radix_sort.hpp>

namespace genten::detail {

/// Keys and values that are sorted together, and as much memory again to sort into.
template <class Key, class Value, class Space>
struct SortPairs {
  Kokkos::View<Key*, Space> keys, spare_keys;
  Kokkos::View<Value*, Space> values, spare_values;

  explicit SortPairs(offset_t size)
      : keys(uninitialized_view<decltype(keys)>("genten::sort_keys", size)),
        spare_keys(uninitialized_view<decltype(keys)>("genten::sort_spare_keys", size)),
        values(uninitialized_view<decltype(values)>("genten::sort_values", size)),
        spare_values(uninitialized_view<decltype(values)>("genten::sort_spare_values", size)) {}

  [[nodiscard]] offset_t size() const { return static_cast<offset_t>(keys.extent(0)); }
};

/// Sorts by the low `bits` bits of the keys, of which higher ones must be zero; equal keys keep
/// their order, so the result is the same on every backend and for any number of threads. It lies
/// in `keys` and `values`; what the spare memory holds then is not said.
template <ExecutionSpace Exec, SortWord Key, class Value, class Space>
void sort_pairs(const Exec& exec, SortPairs<Key, Value, Space>& pairs, int bits) {
  if (pairs.size() == 0 || bits == 0) return;
  if constexpr (is_host_space<Exec>) {
    const Key mask = static_cast<Key>(~Key{0}) >> (8 * static_cast<int>(sizeof(Key)) - bits);
    RadixSort<Exec, Key, Value>(exec, {pairs.keys.data(), pairs.spare_keys.data()},
                                {pairs.values.data(), pairs.spare_values.data()})
        .sort(pairs.keys.extent(0), mask);
  } else {
    if (!sort_on_device(exec, pairs, bits)) return;
    std::swap(pairs.keys, pairs.spare_keys);
    std::swap(pairs.values, pairs.spare_values);
  }
}

}  // namespace genten::detail

#define GENTEN_ETI_SORT_PAIRS(PREFIX, KEY, VALUE, EXEC)  \
  PREFIX template void genten::detail::sort_pairs<EXEC>( \
      const EXEC&, genten::detail::SortPairs<KEY, VALUE, EXEC::memory_space>&, int);
/// Positions are numbers of any kind, and keys unsigned ones.
#define GENTEN_ETI_SORT(PREFIX)                                                    \
  GENTEN_ETI_EXECS(GENTEN_ETI_SORT_PAIRS, PREFIX, std::uint32_t, std::uint32_t)    \
  GENTEN_ETI_EXECS(GENTEN_ETI_SORT_PAIRS, PREFIX, std::uint32_t, std::uint64_t)    \
  GENTEN_ETI_EXECS(GENTEN_ETI_SORT_PAIRS, PREFIX, std::uint32_t, genten::offset_t) \
  GENTEN_ETI_EXECS(GENTEN_ETI_SORT_PAIRS, PREFIX, std::uint64_t, std::uint32_t)    \
  GENTEN_ETI_EXECS(GENTEN_ETI_SORT_PAIRS, PREFIX, std::uint64_t, std::uint64_t)    \
  GENTEN_ETI_EXECS(GENTEN_ETI_SORT_PAIRS, PREFIX, std::uint64_t, genten::offset_t)

#ifdef GENTEN_ETI
GENTEN_ETI_SORT(extern)
#endif
