// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// From a sequence of random subscripts to distinct nonzeros in lexicographic order.

#include <genten/base/detail/staged_copy.hpp>
#include <genten/core/detail/generate_draws.hpp>
#include <genten/core/detail/subscript_groups.hpp>

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

/// Draws in lexicographic order; row t of the subscripts is draw t.
template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
using DrawGroups = SubscriptGroups<Ordinal, Exec>;

/// The number of groups with a single draw.
template <ExecutionSpace Exec, SubscriptOrdinal Ordinal>
[[nodiscard]] offset_t count_singles(const Exec& exec, const DrawGroups<Ordinal, Exec>& groups) {
  offset_t singles = 0;
  Kokkos::parallel_reduce(
      "genten::generate_singles",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, groups.size()),
      [=](const offset_t i, offset_t& sum) { sum += groups.is_head(i) && groups.is_head(i + 1); },
      singles);
  return singles;
}

/// The number of draws after which `wanted` distinct rows have been seen: one more than the
/// wanted-th smallest of the groups' first draws. All draws, if there are not that many groups.
template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] offset_t draws_until(const DrawGroups<Ordinal, Exec>& groups, offset_t found,
                                   offset_t wanted) {
  if (found <= wanted || wanted <= 0) return groups.size();
  std::vector<offset_t> first;
  first.reserve(static_cast<std::size_t>(found));
  for (offset_t i = 0; i < groups.size(); ++i) {
    if (groups.is_head(i)) first.push_back(groups.row(i));
  }
  std::nth_element(first.begin(), first.begin() + (wanted - 1), first.end());
  return first[static_cast<std::size_t>(wanted - 1)] + 1;
}

/// Writes what becomes of the draws of a group with numbers below `end`.
template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct MergeDraws {
  DrawGroups<Ordinal, Exec> groups;
  offset_t end;
  DistinctDraws<Ordinal> out;

  KOKKOS_FUNCTION void operator()(const offset_t number, const offset_t i) const {
    for (int n = 0; n < groups.order(); ++n) out.subscripts(number, n) = groups.subscript(i, n);
    out.first_draw(number) = groups.row(i);
    offset_t count = 1;
    for (offset_t j = i + 1; !groups.is_head(j); ++j) count += groups.row(j) < end ? 1 : 0;
    out.count(number) = count;
  }
};

/// Merges the draws of numbers below `end`, of `distinct` different rows.
template <ExecutionSpace Exec, SubscriptOrdinal Ordinal>
[[nodiscard]] DistinctDraws<Ordinal> merge_draws(const Exec& exec,
                                                 const DrawGroups<Ordinal, Exec>& groups,
                                                 offset_t distinct, offset_t end) {
  const auto size = static_cast<std::size_t>(distinct);
  const DistinctDraws<Ordinal> out{
      uninitialized_view<DrawnSubscripts<Ordinal>>("genten::subscripts", size, groups.order()),
      uninitialized_array<offset_t>("genten::generate_first", size),
      uninitialized_array<offset_t>("genten::generate_multiplicity", size)};
  for_each_group("genten::generate_merge", exec, groups, end,
                 MergeDraws<Ordinal, Exec>{groups, end, out});
  return out;
}

/// A longer copy of `rows`, what follows them uninitialized.
template <ExecutionSpace Exec, SubscriptOrdinal Ordinal>
[[nodiscard]] DrawnSubscripts<Ordinal> lengthened(const Exec& exec,
                                                  const DrawnSubscripts<Ordinal>& rows,
                                                  std::size_t count, std::size_t order) {
  const auto longer = new_view<DrawnSubscripts<Ordinal>>(
      Kokkos::view_alloc(std::string("genten::generate_draws"), Kokkos::WithoutInitializing), count,
      order);
  const std::size_t old = rows.extent(0);
  if (old != 0) {
    copy_view(exec, Kokkos::subview(longer, Kokkos::make_pair(std::size_t{0}, old), Kokkos::ALL()),
              rows);
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
    const auto groups = group_subscripts<Ordinal>(exec, dimensions, rows, false);
    const offset_t found = count_groups(exec, groups);
    if (found >= wanted || drawn >= most) {
      return merge_draws(exec, groups, std::min(found, wanted), draws_until(groups, found, wanted));
    }
    // Good and Turing: the next draw is new with the probability that a draw so far is a single.
    const double fresh = std::max(0.01, static_cast<double>(count_singles(exec, groups)) /
                                            static_cast<double>(std::max<offset_t>(drawn, 1)));
    const double missing = static_cast<double>(wanted - found);
    const double more = std::min(1.1 * missing / fresh + 64.0, static_cast<double>(most - drawn));
    goal = drawn + std::max<offset_t>(1, static_cast<offset_t>(more));
  }
}

}  // namespace genten::detail
