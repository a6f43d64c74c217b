// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parallel stable radix sort of records by a number that is computed from each: only the bits that
/// an order needs are sorted.

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/sort_pairs.hpp>
#include <genten/format/detail/counting_pass.hpp>

#include <optional>

namespace genten::detail {

template <ExecutionSpace Exec>
using Records = Kokkos::View<std::uint64_t*, typename Exec::memory_space>;

/// What sorts of the same records keep from one to the next: memory, and the results, since another
/// sort may ask for the same order.
template <ExecutionSpace Exec>
struct SortWorkspace {
  struct Result {
    RecordNumber number;
    Records<Exec> from;
    Records<Exec> sorted;
  };
  Records<Exec> records;
  std::vector<Result> results;
  /// What the first pass of an earlier sort has left in `records`, if it is still there.
  std::optional<Result> first_pass;

  /// Whether `at` holds the pass over `from` by that digit.
  [[nodiscard]] bool holds(const Records<Exec>& from, const RecordNumber& digit,
                           const Records<Exec>& at) const {
    return first_pass && first_pass->sorted.data() == at.data() &&
           first_pass->from.data() == from.data() && first_pass->number.same_as(digit);
  }
  /// Notes that a pass over `from`, the first of its sort or not, has written to `at`.
  void note(const Records<Exec>& from, const RecordNumber& digit, const Records<Exec>& at,
            bool first) {
    if (first && at.data() == records.data()) {
      first_pass = Result{digit, from, at};
    } else if (first_pass &&
               (at.data() == first_pass->sorted.data() || at.data() == first_pass->from.data())) {
      first_pass.reset();
    }
  }

  /// Memory for so many words, which stays the workspace's.
  Records<Exec> at_least(std::size_t words) {
    if (records.extent(0) < words) grow(words);
    return Kokkos::subview(records, Kokkos::make_pair(std::size_t{0}, words));
  }
  /// The same to keep.
  Records<Exec> take(std::size_t words) {
    if (records.extent(0) != words) grow(words);
    return std::exchange(records, Records<Exec>());
  }

 private:
  void grow(std::size_t words) {
    first_pass.reset();
    records = {};
    records = uninitialized_view<Records<Exec>>("genten::sort_workspace", words);
  }
};

/// Whether a sort leaves its input as it is, or may use its memory.
enum class SortInput { keep, consume };

/// Returns where the result lies: in memory of its own, in that of `from` if it may be consumed, or
/// in the workspace, which then has none.
template <int Words, ExecutionSpace Exec>
requires is_host_space<Exec> Records<Exec> sort_records(const Exec& exec, const Records<Exec>& from,
                                                        const RecordNumber& number, SortInput input,
                                                        SortWorkspace<Exec>& workspace) {
  constexpr int widest = CountingPass<Words, 0, Exec>::widest_digit;
  const std::size_t words = from.extent(0);
  // Without bits, one pass into a single bucket copies.
  const int passes = std::max(1, (number.bits() + widest - 1) / widest);
  // The result lies in `to` after an odd number of passes into it and the other in turn.
  Records<Exec> to = input == SortInput::consume
                         ? workspace.take(words)
                         : uninitialized_view<Records<Exec>>("genten::sorted_records", words);
  Records<Exec> other = input == SortInput::consume ? from : Records<Exec>();
  if (passes > 1 && input == SortInput::keep) {
    other = workspace.at_least(words);
    if (passes % 2 == 0) std::swap(to, other);
  }
  Records<Exec> source = from;
  for (int pass = 0, done = 0; pass < passes; ++pass) {
    const int width = (number.bits() - done + (passes - pass) - 1) / (passes - pass);
    const RecordNumber digit = number.slice(done, width);
    const Records<Exec>& target = pass % 2 == 0 ? to : other;
    // Orders that differ in their leading parts alone have the first pass of their sorts in common.
    if (pass != 0 || !workspace.holds(from, digit, target)) {
      counting_pass<Words>(exec, digit, static_cast<offset_t>(words) / Words, source.data(),
                           target.data());
      workspace.note(from, digit, target, pass == 0);
    }
    source = target;
    done += width;
  }
  if (input == SortInput::consume) workspace.first_pass.reset();  // it would keep memory alive
  return source;
}

/// The same on a device: numbers and positions are sorted, then the records gathered.
template <class Number, class Position, int Words, ExecutionSpace Exec>
void sort_records_by(const Exec& exec, const Records<Exec>& from, const Records<Exec>& to,
                     const RecordNumber& number) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  const auto size = static_cast<offset_t>(to.extent(0)) / Words;
  SortPairs<Number, Position, typename Exec::memory_space> pairs(size);
  const auto numbers = pairs.keys;
  const auto positions = pairs.values;
  Kokkos::parallel_for(
      "genten::sort_number", Policy(exec, 0, size), KOKKOS_LAMBDA(const offset_t p) {
        numbers(p) = static_cast<Number>(number.of(&from(p * Words)));
        positions(p) = static_cast<Position>(p);
      });
  sort_pairs(exec, pairs, number.bits());
  const auto sorted = pairs.values;
  Kokkos::parallel_for(
      "genten::sort_gather", Policy(exec, 0, size), KOKKOS_LAMBDA(const offset_t p) {
        const auto q = static_cast<offset_t>(sorted(p));
        for (int w = 0; w < Words; ++w) to(p * Words + w) = from(q * Words + w);
      });
  fence(exec, "genten::sort_records");
}

template <int Words, ExecutionSpace Exec>
requires(!is_host_space<Exec>) Records<Exec> sort_records(const Exec& exec,
                                                          const Records<Exec>& from,
                                                          const RecordNumber& number, SortInput,
                                                          SortWorkspace<Exec>&) {
  const auto to = uninitialized_view<Records<Exec>>("genten::sorted_records", from.extent(0));
  const auto size = to.extent(0) / Words;
  const bool narrow = number.bits() <= 32;
  if (size == 0) {
    return to;
  } else if (size < (std::size_t{1} << 32)) {
    narrow ? sort_records_by<std::uint32_t, std::uint32_t, Words>(exec, from, to, number)
           : sort_records_by<std::uint64_t, std::uint32_t, Words>(exec, from, to, number);
  } else {
    sort_records_by<std::uint64_t, std::uint64_t, Words>(exec, from, to, number);
  }
  return to;
}

/// The records `from`, of `words` words each, in the order of `number`; stable, so the same
/// whatever the number of threads. Sorts of the same records by the same number share their result;
/// consumed records can be asked for in that order only.
template <ExecutionSpace Exec>
[[nodiscard]] Records<Exec> sorted_records(const Exec& exec, const Records<Exec>& from, int words,
                                           const RecordNumber& number, SortInput input,
                                           SortWorkspace<Exec>& workspace) {
  for (const auto& result : workspace.results) {
    if (result.from.data() == from.data() && result.number.same_as(number)) return result.sorted;
  }
  if (input == SortInput::consume) {
    std::erase_if(workspace.results, [&](const auto& r) { return r.from.data() == from.data(); });
  }
  Records<Exec> sorted;
  switch (words) {
    case 1:
      sorted = sort_records<1>(exec, from, number, input, workspace);
      break;
    case 2:
      sorted = sort_records<2>(exec, from, number, input, workspace);
      break;
    default:
      sorted = sort_records<RecordLayout::most_words>(exec, from, number, input, workspace);
      break;
  }
  workspace.results.push_back({number, from, sorted});
  return sorted;
}

}  // namespace genten::detail

#define GENTEN_ETI_SORTED_RECORDS(PREFIX, EXEC)                                                    \
  PREFIX template genten::detail::Records<EXEC> genten::detail::sorted_records(                    \
      const EXEC&, const genten::detail::Records<EXEC>&, int, const genten::detail::RecordNumber&, \
      genten::detail::SortInput, genten::detail::SortWorkspace<EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SPACES(GENTEN_ETI_SORTED_RECORDS, extern)
#endif
