// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Draws until so many distinct subscripts have been seen.

#include <genten/core/detail/generate_merge.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <span>

namespace genten::detail {

/// Those who draw the other parts of the same tensor; here: nobody.
class DrawPeers {
 public:
  DrawPeers() = default;
  DrawPeers(const DrawPeers&) = delete;
  DrawPeers& operator=(const DrawPeers&) = delete;
  virtual ~DrawPeers() = default;

  /// Replaces each number by the sum of everybody's.
  virtual void sum(std::span<std::uint64_t> /*numbers*/) {}
  /// Runs `body`; throws on all what it throws on one.
  virtual void together(const std::function<void()>& body) { body(); }
};

/// How many draws to begin with: a hundredth more than entries are wanted, so that a few duplicates
/// cost no second round.
[[nodiscard]] inline offset_t first_draws(offset_t wanted, offset_t most) {
  return wanted == 0 ? 0 : std::min(wanted + wanted / 100 + 64, most);
}

/// How many draws will probably do where `drawn` have found too few entries, and each of the next
/// is a new one with probability `fresh`.
[[nodiscard]] inline offset_t draws_for(offset_t drawn, double missing, double fresh,
                                        offset_t most) {
  const double more = 1.1 * missing / std::max(0.01, fresh) + 64.0;
  return drawn + static_cast<offset_t>(std::min(more, static_cast<double>(most - drawn)));
}

/// The number of draws after which all peers together have seen `wanted` distinct subscripts, of
/// the `found` that `drawn` draws have: one more than the wanted-th smallest of the numbers that
/// entries were first drawn by. All draws, where they have fewer.
template <class Entries>
[[nodiscard]] std::uint64_t draws_until(const Entries& entries, DrawPeers& peers,
                                        std::uint64_t found, std::uint64_t wanted,
                                        std::uint64_t drawn) {
  if (found < wanted || wanted == 0) return drawn;
  constexpr int bits_of_bins = 12;
  constexpr std::size_t bins = std::size_t{1} << bits_of_bins;
  std::uint64_t begin = 0, end = drawn;
  while (end - begin > 1) {
    const int bits = std::max(0, bits_for(end - begin) - bits_of_bins);
    std::vector<std::uint64_t> counts;
    peers.together([&] { counts = entries.count_first_draws(begin, bits, bins); });
    peers.sum(counts);
    std::size_t bin = 0;
    while (counts[bin] < wanted) wanted -= counts[bin++];
    begin += bin << bits;
    end = std::min(end, begin + (std::uint64_t{1} << bits));
  }
  return end;
}

/// What the peers want together.
struct DrawDemand {
  offset_t entries = 0;  ///< distinct ones
  offset_t draws = 0;    ///< to begin with
  offset_t most = 0;     ///< draws at most
};

/// The distinct subscripts that `store` has of the first draws that have `demand.entries` different
/// ones, or of the most draws if they have fewer; `value_of` as for `DrawnEntries::merge`. The
/// result depends on the sequence of draws and on these two numbers alone: how many draws are made
/// at a time changes nothing.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class ValueOf>
[[nodiscard]] DistinctSubscripts<Scalar, Ordinal> draw_distinct(const Exec& exec,
                                                                DrawStore<Exec>& store,
                                                                DrawDemand demand,
                                                                const ValueOf& value_of,
                                                                DrawPeers& peers) {
  std::optional<DistinctSubscripts<Scalar, Ordinal>> result;
  const auto round = [&]<class Number>(Number) {
    std::optional<DrawnEntries<Exec, Number>> entries;
    std::array<std::uint64_t, 2> found{};
    peers.together([&] {
      store.draw_to(demand.draws);
      entries.emplace(exec, sorted_keys(exec, store.packing(), store.template take<Number>()));
      const auto mine = entries->survey();
      found = {mine.entries, mine.singles};
    });
    peers.sum(found);
    const auto wanted = static_cast<std::uint64_t>(demand.entries);
    if (found[0] < wanted && demand.draws < demand.most) {
      store.put_back(entries->take());
      // By Good and Turing, the next draw is new with the probability that a draw so far is a
      // single one.
      const double drawn = static_cast<double>(std::max<offset_t>(demand.draws, 1));
      demand.draws = draws_for(demand.draws, static_cast<double>(wanted - found[0]),
                               static_cast<double>(found[1]) / drawn, demand.most);
      return;
    }
    const auto drawn = static_cast<std::uint64_t>(demand.draws);
    const std::uint64_t end = draws_until(*entries, peers, found[0], wanted, drawn);
    peers.together(
        [&] { result = entries->template merge<Ordinal, Scalar>(store.packing(), end, value_of); });
  };
  while (!result) {
    const bool narrow = demand.draws <= std::numeric_limits<std::uint32_t>::max();
    narrow ? round(std::uint32_t{0}) : round(std::uint64_t{0});
  }
  return *std::move(result);
}

}  // namespace genten::detail
