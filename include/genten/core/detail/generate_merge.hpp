// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// From sorted draws to distinct nonzeros in lexicographic order.

#include <genten/core/detail/drawn_keys.hpp>

namespace genten::detail {

template <SubscriptOrdinal Ordinal>
using DrawnSubscripts = Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// Distinct entries, sorted, and a value of each, or none.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct DistinctSubscripts {
  DrawnSubscripts<Ordinal> subscripts;
  HostArray<Scalar> values;
};

/// For entries whose values nobody asks for.
struct NoValues {};

/// Sorted draws, entry by entry. All passes are over the same chunks, which divide no entry.
template <ExecutionSpace Exec, class Number>
class DrawnEntries {
 public:
  DrawnEntries(const Exec& exec, DrawnKeys<Number> sorted)
      : m_exec(exec), m_draws(std::move(sorted)) {
    const EvenChunks chunks(m_draws.size(), 4096, 512);
    m_bounds.push_back(0);
    for (std::size_t chunk = 1; chunk <= chunks.count(); ++chunk) {
      std::size_t at = std::max(m_bounds.back(), chunks.begin(chunk));
      while (!m_draws.is_head(at)) ++at;
      m_bounds.push_back(at);
    }
  }

  struct Survey {
    std::uint64_t entries = 0;
    std::uint64_t singles = 0;  ///< entries of one draw
  };
  [[nodiscard]] Survey survey() const {
    std::vector<Survey> found(chunks());
    for_each_chunk("genten::survey_draws", [&](const std::size_t chunk) {
      Survey mine;
      for_each_entry(chunk, [&](const std::size_t begin, const std::size_t end) {
        ++mine.entries;
        mine.singles += end - begin == 1;
      });
      found[chunk] = mine;
    });
    Survey all;
    for (const Survey& each : found) {
      all.entries += each.entries;
      all.singles += each.singles;
    }
    return all;
  }

  /// For each of `bins` ranges of 2^`bits` numbers, the first from `from` on, how many entries were
  /// drawn first by one of them.
  [[nodiscard]] std::vector<std::uint64_t> count_first_draws(std::uint64_t from, int bits,
                                                             std::size_t bins) const {
    // Memory for the counts is taken once, for as many as count at the same time.
    const std::size_t shares =
        std::min(chunks(), static_cast<std::size_t>(std::max(1, m_exec.concurrency())));
    std::vector<std::uint64_t> found(shares * bins, 0);
    for_each_index("genten::count_first_draws", m_exec, shares, [&](const std::size_t share) {
      std::uint64_t* const mine = found.data() + share * bins;
      for (std::size_t chunk = share; chunk < chunks(); chunk += shares) {
        for_each_entry(chunk, [&](const std::size_t begin, std::size_t) {
          const std::uint64_t first = m_draws.numbers(begin);
          if (first >= from && (first - from) >> bits < bins) ++mine[(first - from) >> bits];
        });
      }
    });
    std::vector<std::uint64_t> all(bins, 0);
    for (std::size_t i = 0; i < found.size(); ++i) all[i % bins] += found[i];
    return all;
  }

  /// The entries of draws below `end`, and of each `value_of(its first draw, how many it has)`. The
  /// draws are used up: their memory is given back while that of the result is taken.
  template <SubscriptOrdinal Ordinal, RealScalar Scalar, class ValueOf>
  [[nodiscard]] DistinctSubscripts<Scalar, Ordinal> merge(const KeyPacking& packing,
                                                          std::uint64_t end,
                                                          const ValueOf& value_of) {
    std::vector<std::size_t> places(chunks() + 1, 0);
    for_each_chunk("genten::count_entries", [&](const std::size_t chunk) {
      std::size_t count = 0;
      for_each_entry(chunk, [&](const std::size_t begin, std::size_t) {
        count += m_draws.numbers(begin) < end;
      });
      places[chunk + 1] = count;
    });
    std::partial_sum(places.begin(), places.end(), places.begin());
    DistinctSubscripts<Scalar, Ordinal> entries;
    constexpr bool has_values = !std::is_same_v<ValueOf, NoValues>;
    if constexpr (has_values) {
      entries.values = uninitialized_view<HostArray<Scalar>>("genten::values", places.back());
    }
    for_each_chunk("genten::merge_draws", [&](const std::size_t chunk) {
      std::size_t to = 0;
      for_each_entry(chunk, [&](const std::size_t first, const std::size_t last) {
        if (m_draws.numbers(first) >= end) return;
        if constexpr (has_values) {
          std::size_t below = first + 1;
          while (below < last && m_draws.numbers(below) < end) ++below;
          entries.values(places[chunk] + to) = value_of(m_draws.numbers(first), below - first);
        }
        // The keys that stay move to the front of the chunk, behind those that are read.
        m_draws.copy_key(first, m_bounds[chunk] + to);
        ++to;
      });
    });
    m_draws.numbers = {};
    entries.subscripts = uninitialized_view<DrawnSubscripts<Ordinal>>(
        "genten::subscripts", places.back(), static_cast<std::size_t>(packing.order()));
    for_each_chunk("genten::unpack_keys", [&](const std::size_t chunk) {
      for (std::size_t i = places[chunk]; i < places[chunk + 1]; ++i) {
        const std::uint64_t* const key = m_draws.key(m_bounds[chunk] + i - places[chunk]);
        for (int n = 0; n < packing.order(); ++n) {
          entries.subscripts(i, n) = static_cast<Ordinal>(packing.unpack(key[packing.word(n)], n));
        }
      }
    });
    m_draws = {};
    return entries;
  }

  /// Gives the draws away.
  [[nodiscard]] DrawnKeys<Number> take() { return std::exchange(m_draws, {}); }

 private:
  [[nodiscard]] std::size_t chunks() const { return m_bounds.size() - 1; }

  template <class Body>
  void for_each_chunk(const char* label, const Body& body) const {
    for_each_index(label, m_exec, chunks(), body);
  }
  /// Calls body(begin, end) for the draws of each entry of a chunk, in order.
  template <class Body>
  void for_each_entry(std::size_t chunk, const Body& body) const {
    const std::size_t stop = m_bounds[chunk + 1];
    for (std::size_t begin = m_bounds[chunk], end = begin; begin < stop; begin = end) {
      do ++end;
      while (end < stop && !m_draws.is_head(end));
      body(begin, end);
    }
  }

  Exec m_exec;
  DrawnKeys<Number> m_draws;
  std::vector<std::size_t> m_bounds;
};

}  // namespace genten::detail
