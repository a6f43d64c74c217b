// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// From a sequence of random subscripts to distinct nonzeros in lexicographic order.

#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/core/detail/generate_draws.hpp>
#include <genten/core/detail/key_packing.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

template <SubscriptOrdinal Ordinal>
using DrawnSubscripts = Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// Distinct subscripts, sorted; of each the draw that brought it first and how often it was drawn.
template <SubscriptOrdinal Ordinal>
struct DistinctDraws {
  DrawnSubscripts<Ordinal> subscripts;
  HostArray<offset_t> first_draw;
  HostArray<offset_t> count;
};

/// Writes draws [begin, end) to the rows of the same numbers.
template <ExecutionSpace Exec, SubscriptOrdinal Ordinal>
void draw_rows(const Exec& exec, const SubscriptDraws& draws, const DrawnSubscripts<Ordinal>& rows,
               offset_t begin, offset_t end) {
  Kokkos::parallel_for("genten::generate_draw",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, begin, end),
                       [=](const offset_t t) {
                         const std::uint64_t c = draws.cluster(t);
                         for (int n = 0; n < draws.order(); ++n) {
                           rows(t, n) = static_cast<Ordinal>(draws.subscript(t, c, n));
                         }
                       });
  exec.fence();
}

/// The stable permutation that puts `rows` into lexicographic order.
template <ExecutionSpace Exec, SubscriptOrdinal Ordinal>
[[nodiscard]] HostArray<std::uint64_t> lexicographic_order(const Exec& exec,
                                                           std::span<const std::size_t> dimensions,
                                                           const DrawnSubscripts<Ordinal>& rows) {
  const std::size_t count = rows.extent(0);
  const KeyPacking packing(dimensions);
  std::vector<HostArray<std::uint64_t>> words;
  for (int w = 0; w < packing.words(); ++w) {
    const auto keys = uninitialized_array<std::uint64_t>("genten::generate_keys", count);
    Kokkos::parallel_for("genten::generate_keys",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, count),
                         [=](const std::size_t t) { keys(t) = packing.pack(rows, t, w); });
    words.push_back(keys);
  }
  exec.fence();
  return sorting_permutation_destroying<std::uint64_t, Exec, std::uint64_t>(exec, words);
}

/// A sorted sequence of draws, in which equal rows stand together as groups.
template <SubscriptOrdinal Ordinal>
class DrawGroups {
 public:
  template <ExecutionSpace Exec>
  DrawGroups(const Exec& exec, std::span<const std::size_t> dimensions,
             DrawnSubscripts<Ordinal> rows)
      : m_order(static_cast<int>(dimensions.size())),
        m_rows(rows),
        m_sorted(lexicographic_order(exec, dimensions, rows)),
        m_heads(uninitialized_array<bool>("genten::generate_heads", rows.extent(0))) {
    mark_heads(exec);
  }

  [[nodiscard]] std::size_t draws() const { return m_sorted.extent(0); }
  /// The draw at sorted position i. Within a group, draws ascend.
  [[nodiscard]] offset_t draw(std::size_t i) const { return static_cast<offset_t>(m_sorted(i)); }
  /// Whether a group begins at sorted position i; one also "begins" at the end.
  [[nodiscard]] bool is_head(std::size_t i) const { return i >= draws() || m_heads(i); }
  [[nodiscard]] Ordinal subscript(std::size_t i, int n) const { return m_rows(m_sorted(i), n); }
  [[nodiscard]] int order() const { return m_order; }

 private:
  template <ExecutionSpace Exec>
  void mark_heads(const Exec& exec) {
    const int order = m_order;
    const auto rows = m_rows;
    const auto sorted = m_sorted;
    const auto heads = m_heads;
    Kokkos::parallel_for(
        "genten::generate_heads",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, draws()),
        [=](const std::size_t i) {
          bool differs = i == 0;
          for (int n = 0; n < order && !differs; ++n) {
            differs = rows(sorted(i), n) != rows(sorted(i - 1), n);
          }
          heads(i) = differs;
        });
    exec.fence();
  }

  int m_order;
  DrawnSubscripts<Ordinal> m_rows;
  HostArray<std::uint64_t> m_sorted;
  HostArray<bool> m_heads;
};

/// Numbers of groups, and of groups with a single draw.
struct GroupCounts {
  offset_t groups = 0;
  offset_t singles = 0;
};

template <ExecutionSpace Exec, SubscriptOrdinal Ordinal>
[[nodiscard]] GroupCounts count_groups(const Exec& exec, const DrawGroups<Ordinal>& groups) {
  GroupCounts counts;
  const std::size_t draws = groups.draws();
  Kokkos::parallel_reduce(
      "genten::generate_count",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, draws),
      [=](const std::size_t i, offset_t& heads, offset_t& singles) {
        const bool head = groups.is_head(i);
        heads += head;
        singles += head && groups.is_head(i + 1);
      },
      counts.groups, counts.singles);
  return counts;
}

/// The number of draws after which `wanted` distinct rows have been seen: one more than the
/// wanted-th smallest of the groups' first draws. All draws, if there are not that many groups.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] offset_t draws_until(const DrawGroups<Ordinal>& groups, offset_t found,
                                   offset_t wanted) {
  if (found <= wanted || wanted <= 0) return static_cast<offset_t>(groups.draws());
  std::vector<offset_t> first;
  first.reserve(static_cast<std::size_t>(found));
  for (std::size_t i = 0; i < groups.draws(); ++i) {
    if (groups.is_head(i)) first.push_back(groups.draw(i));
  }
  std::nth_element(first.begin(), first.begin() + (wanted - 1), first.end());
  return first[static_cast<std::size_t>(wanted - 1)] + 1;
}

/// Merges the draws of numbers below `end`.
template <ExecutionSpace Exec, SubscriptOrdinal Ordinal>
[[nodiscard]] DistinctDraws<Ordinal> merge_groups(const Exec& exec,
                                                  const DrawGroups<Ordinal>& groups,
                                                  offset_t distinct, offset_t end) {
  const auto size = static_cast<std::size_t>(distinct);
  DistinctDraws<Ordinal> out{
      DrawnSubscripts<Ordinal>(
          Kokkos::view_alloc(std::string("genten::subscripts"), Kokkos::WithoutInitializing), size,
          groups.order()),
      uninitialized_array<offset_t>("genten::generate_first", size),
      uninitialized_array<offset_t>("genten::generate_multiplicity", size)};
  const std::size_t draws = groups.draws();
  Kokkos::parallel_scan("genten::generate_merge",
                        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, draws),
                        [=](const std::size_t i, offset_t& position, const bool final) {
                          if (groups.draw(i) >= end || !groups.is_head(i)) return;
                          if (final) {
                            for (int n = 0; n < groups.order(); ++n) {
                              out.subscripts(position, n) = groups.subscript(i, n);
                            }
                            out.first_draw(position) = groups.draw(i);
                            offset_t count = 1;
                            for (std::size_t j = i + 1; !groups.is_head(j); ++j) {
                              count += groups.draw(j) < end;
                            }
                            out.count(position) = count;
                          }
                          ++position;
                        });
  exec.fence();
  return out;
}

/// A longer copy of `rows`, what follows them uninitialized.
template <ExecutionSpace Exec, SubscriptOrdinal Ordinal>
[[nodiscard]] DrawnSubscripts<Ordinal> lengthened(const Exec& exec,
                                                  const DrawnSubscripts<Ordinal>& rows,
                                                  std::size_t count, std::size_t order) {
  DrawnSubscripts<Ordinal> longer(
      Kokkos::view_alloc(std::string("genten::generate_draws"), Kokkos::WithoutInitializing), count,
      order);
  const std::size_t old = rows.extent(0);
  if (old != 0) {
    Kokkos::deep_copy(
        exec, Kokkos::subview(longer, Kokkos::make_pair(std::size_t{0}, old), Kokkos::ALL()), rows);
  }
  return longer;
}

/// Draws until `wanted` distinct rows have been seen, or until `most` draws.
/// The result depends on the sequence of draws and on `wanted` alone: how many draws are made at a
/// time changes nothing.
template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] DistinctDraws<Ordinal> draw_distinct(const Exec& exec,
                                                   std::span<const std::size_t> dimensions,
                                                   const SubscriptDraws& draws, offset_t wanted,
                                                   offset_t most) {
  DrawnSubscripts<Ordinal> rows;
  offset_t drawn = 0;
  // A hundredth more at once, so that a few duplicates cost no second turn.
  offset_t goal = wanted == 0 ? 0 : std::min(wanted + wanted / 100 + 64, most);
  while (true) {
    rows = lengthened(exec, rows, static_cast<std::size_t>(goal), dimensions.size());
    draw_rows(exec, draws, rows, drawn, goal);
    drawn = goal;
    const DrawGroups<Ordinal> groups(exec, dimensions, rows);
    const GroupCounts found = count_groups(exec, groups);
    if (found.groups >= wanted || drawn >= most) {
      const offset_t distinct = std::min(found.groups, wanted);
      return merge_groups(exec, groups, distinct, draws_until(groups, found.groups, wanted));
    }
    // Good and Turing: the next draw is new with the probability that a draw so far is a single.
    const double fresh = std::max(0.01, static_cast<double>(found.singles) /
                                            static_cast<double>(std::max<offset_t>(drawn, 1)));
    const double missing = static_cast<double>(wanted - found.groups);
    const double more = std::min(1.1 * missing / fresh + 64.0, static_cast<double>(most - drawn));
    goal = drawn + std::max<offset_t>(1, static_cast<offset_t>(more));
  }
}

}  // namespace genten::detail
