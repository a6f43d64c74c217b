// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SubscriptGroups: which nonzeros have the same subscripts. One algorithm for hosts and devices:
/// keys of the subscripts are sorted with positions, and where the key changes a group begins.

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/core/detail/key_packing.hpp>

#include <limits>
#include <span>

namespace genten::detail {

/// The rows of a subscripts View (nonzeros x modes) in lexicographic order, equal ones, a group,
/// side by side and in the order in which they are stored. All functions work where `Exec` runs.
template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct SubscriptGroups {
  using execution_space = Exec;
  using Space = typename Exec::memory_space;
  using Subscripts = Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Space>;

  Subscripts subscripts;
  /// By place in lexicographic order, the row; the array whose type is wide enough, or none where
  /// the rows are in that order already.
  Kokkos::View<std::uint32_t*, Space> narrow_rows;
  Kokkos::View<std::uint64_t*, Space> wide_rows;
  Kokkos::View<bool*, Space> heads;  ///< whether a group begins at that place

  KOKKOS_FUNCTION offset_t size() const { return static_cast<offset_t>(subscripts.extent(0)); }
  KOKKOS_FUNCTION int order() const { return static_cast<int>(subscripts.extent(1)); }
  /// The row at place i of the lexicographic order. Within a group, rows ascend.
  KOKKOS_FUNCTION offset_t row(offset_t i) const {
    if (narrow_rows.data() != nullptr) return static_cast<offset_t>(narrow_rows(i));
    return wide_rows.data() != nullptr ? static_cast<offset_t>(wide_rows(i)) : i;
  }
  /// Whether a group begins at place i; one also "begins" at the end.
  KOKKOS_FUNCTION bool is_head(offset_t i) const { return i >= size() || heads(i); }
  KOKKOS_FUNCTION Ordinal subscript(offset_t i, int mode) const { return subscripts(row(i), mode); }
};

/// The keys of the rows of a subscripts View, for `sorted_positions`.
template <class Subscripts>
struct SubscriptKeys {
  KeyPacking packing;
  Subscripts subscripts;

  [[nodiscard]] int words() const { return packing.words(); }
  [[nodiscard]] int bits(int word) const { return packing.word_bits(word); }
  KOKKOS_FUNCTION std::uint64_t operator()(offset_t p, int word) const {
    return packing.pack(subscripts, static_cast<std::size_t>(p), word);
  }
};

/// Marks where groups begin. Sorted keys, read in order, spare most of the gathers of subscripts;
/// they say all if they have one word.
template <class Groups, class Key>
struct MarkHeads {
  Groups groups;
  const Key* keys;  ///< most significant words in lexicographic order; null where rows were sorted
  bool keys_say_all;

  KOKKOS_FUNCTION void operator()(const offset_t i) const {
    bool differs = i == 0 || (keys != nullptr && keys[i] != keys[i - 1]);
    if (!differs && !keys_say_all) {
      for (int n = 0; n < groups.order() && !differs; ++n) {
        differs = groups.subscript(i, n) != groups.subscript(i - 1, n);
      }
    }
    groups.heads(i) = differs;
  }
};

template <ExecutionSpace Exec, class Groups, class Key>
void mark_heads(const Exec& exec, const Groups& groups, const Key* keys, bool keys_say_all) {
  Kokkos::parallel_for(
      "genten::mark_heads",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, groups.size()),
      MarkHeads<Groups, Key>{groups, keys, keys_say_all});
  fence(exec, "genten::mark_heads");
}

/// Sorts, and marks heads; `rows` is the array of `groups` that is wide enough.
template <SortWord Key, ExecutionSpace Exec, class Groups, class Rows>
void sort_groups(const Exec& exec, const KeyPacking& packing, Groups& groups, Rows& rows) {
  using Subscripts = typename Groups::Subscripts;
  const auto pairs = sorted_positions<Key, typename Rows::value_type>(
      exec, groups.size(), SubscriptKeys<Subscripts>{packing, groups.subscripts});
  rows = pairs.values;
  mark_heads(exec, groups, static_cast<const Key*>(pairs.keys.data()), packing.words() == 1);
}

/// The groups of equal rows of a tensor's subscripts. `sorted` says that the rows are known to be
/// in lexicographic order; otherwise keys of them are sorted where they lie, which takes 25 bytes a
/// nonzero while it lasts (17 where the subscripts take 32 bits together, 33 beyond 2^32 nonzeros).
template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] SubscriptGroups<Ordinal, Exec> group_subscripts(
    const Exec& exec, std::span<const std::size_t> dimensions,
    const typename SubscriptGroups<Ordinal, Exec>::Subscripts& subscripts, bool sorted) {
  SubscriptGroups<Ordinal, Exec> groups;
  groups.subscripts = subscripts;
  groups.heads =
      uninitialized_view<decltype(groups.heads)>("genten::group_heads", subscripts.extent(0));
  const KeyPacking packing(dimensions);
  const bool narrow = subscripts.extent(0) <= std::numeric_limits<std::uint32_t>::max();
  if (sorted) {
    mark_heads(exec, groups, static_cast<const std::uint64_t*>(nullptr), false);
  } else if (!narrow) {
    sort_groups<std::uint64_t>(exec, packing, groups, groups.wide_rows);
  } else if (packing.total_bits() > 32) {
    sort_groups<std::uint64_t>(exec, packing, groups, groups.narrow_rows);
  } else {
    sort_groups<std::uint32_t>(exec, packing, groups, groups.narrow_rows);
  }
  return groups;
}

/// The number of groups.
template <class Groups, ExecutionSpace Exec>
[[nodiscard]] offset_t count_groups(const Exec& exec, const Groups& groups) {
  const auto heads = groups.heads;
  offset_t count = 0;
  Kokkos::parallel_reduce(
      "genten::count_groups",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, groups.size()),
      KOKKOS_LAMBDA(const offset_t i, offset_t& sum) { sum += heads(i) ? 1 : 0; }, count);
  return count;
}

/// Calls write(k, i) for the k-th of the groups whose first row is below `end`, i being the place
/// where it begins.
template <class Groups, ExecutionSpace Exec, class Write>
void for_each_group(const char* label, const Exec& exec, const Groups& groups, offset_t end,
                    const Write& write) {
  Kokkos::parallel_scan(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, groups.size()),
      KOKKOS_LAMBDA(const offset_t i, offset_t& number, const bool last) {
        if (!groups.heads(i) || groups.row(i) >= end) return;
        if (last) write(number, i);
        ++number;
      });
  fence(exec, label);
}

}  // namespace genten::detail

#define GENTEN_ETI_SUBSCRIPT_GROUPS(PREFIX, ORDINAL, EXEC)                      \
  PREFIX template genten::detail::SubscriptGroups<ORDINAL, EXEC>                \
  genten::detail::group_subscripts<ORDINAL, EXEC>(                              \
      const EXEC&, std::span<const std::size_t>,                                \
      const genten::detail::SubscriptGroups<ORDINAL, EXEC>::Subscripts&, bool); \
  PREFIX template genten::offset_t genten::detail::count_groups(                \
      const EXEC&, const genten::detail::SubscriptGroups<ORDINAL, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_ORDINALS(GENTEN_ETI_SUBSCRIPT_GROUPS, extern)
#endif
