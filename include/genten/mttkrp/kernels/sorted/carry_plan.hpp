// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CarryPlan: where the sums go that pieces of nonzeros share with their neighbours, and how they
/// are added up. It follows from the order of the nonzeros, and is made once.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/format/sorted_copy.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace genten::detail {

/// The list of what is carried, and of what is carried from that: a piece leaves the sums of its
/// first and of its last row there as entries, all in the order of rows. Entries of a row are
/// neighbours: a segment, at most `longest_segment` of them, is summed to the output where it is
/// all of its row, and else to an entry of the next level.
template <ExecutionSpace Exec>
struct CarryPlan {
  using Numbers = Kokkos::View<offset_t*, typename Exec::memory_space>;
  static constexpr offset_t longest_segment = 64;

  struct Level {
    offset_t entries = 0;
    offset_t segments = 0;
    offset_t late = 0;  ///< of these, so many are of rows before the early ones
    Numbers begins;     ///< by segment, its first entry; at last, the end of the last one
    Numbers targets;    ///< by segment, its row, or -1 - entry for the entry of the next level
  };

  offset_t piece = 0;   ///< nonzeros of a piece
  offset_t pieces = 0;  ///< how many there are
  offset_t late = 0;    ///< of these, so many have rows before the early ones alone
  /// By piece, the entry of its first row; that of its last row, where it is another, follows.
  Numbers places;
  std::vector<Level> levels;

  /// Pieces of so many nonzeros.
  [[nodiscard]] static offset_t pieces_of(offset_t nnz, offset_t piece) {
    return (nnz + piece - 1) / piece;
  }
  /// The most entries that so many pieces can leave. Only rows with more entries than a segment
  /// leave more to a next level, of each of these at most two for as many.
  [[nodiscard]] static offset_t most_entries(offset_t pieces) {
    offset_t all = 0;
    for (offset_t entries = 2 * pieces; entries > 0; entries = 2 * (entries / longest_segment)) {
      all += entries;
    }
    return all;
  }
  /// The most bytes of the plan, and of what making it takes besides.
  [[nodiscard]] static double most_memory(offset_t pieces) {
    return 8.0 * static_cast<double>(pieces) + 16.0 * static_cast<double>(most_entries(pieces));
  }
  [[nodiscard]] static double most_workspace(offset_t pieces) {
    return 24.0 * static_cast<double>(2 * pieces);
  }
};

/// How long pieces are, for so many nonzeros and threads a nonzero: long enough to spread what is
/// carried, and enough of them to fill the device several times.
[[nodiscard]] inline offset_t device_piece(offset_t nnz, offset_t lanes) {
  constexpr offset_t threads = 1 << 20;
  offset_t piece = 64;
  while (piece < 512 && nnz * lanes > 2 * threads * piece) piece *= 2;
  while (piece > 16 && nnz * lanes < threads / 4 * piece) piece /= 2;
  return piece;
}

/// Notes the entries of each piece: a scan over the pieces.
struct PlaceEntries {
  const std::uint64_t* records;
  int words;
  RecordField row;
  offset_t nnz, piece;
  offset_t* places;
  offset_t* rows;  ///< by entry

  KOKKOS_FUNCTION void operator()(offset_t g, offset_t& next, bool final) const {
    const offset_t end = (g + 1) * piece < nnz ? (g + 1) * piece : nnz;
    const offset_t first = row_of(g * piece), last = row_of(end - 1);
    if (final) {
      places[g] = next;
      rows[next] = first;
      if (first != last) rows[next + 1] = last;
    }
    next += first == last ? 1 : 2;
  }

 private:
  [[nodiscard]] KOKKOS_FUNCTION offset_t row_of(offset_t q) const {
    return static_cast<offset_t>(row.get(records + q * words));
  }
};

/// Finds where the rows of entries begin, and at last where they end: a scan over the entries.
struct BeginRows {
  const offset_t* rows;
  offset_t count;
  offset_t* starts;
  KOKKOS_FUNCTION void operator()(offset_t q, offset_t& next, bool final) const {
    if (q == 0 || rows[q] != rows[q - 1]) {
      if (final) starts[next] = q;
      ++next;
    }
    if (final && q + 1 == count) starts[next] = count;
  }
};

/// Cuts rows of entries into segments: a scan over the rows.
struct CutSegments {
  const offset_t* starts;
  offset_t rows, longest, base;
  offset_t* begins;  ///< and at last, where they end
  offset_t* first;   ///< by row, its first segment; at last, their number
  KOKKOS_FUNCTION void operator()(offset_t k, offset_t& next, bool final) const {
    const offset_t count = (starts[k + 1] - starts[k] + longest - 1) / longest;
    if (final) {
      first[k] = next;
      for (offset_t s = 0; s < count; ++s) begins[next + s] = base + starts[k] + s * longest;
    }
    next += count;
    if (final && k + 1 == rows) {
      first[rows] = next;
      begins[next] = base + starts[rows];
    }
  }
};

/// Says where the sums of segments go, and which rows the entries of the next level, from `base`
/// on, are of: a scan over the rows.
struct AimSegments {
  const offset_t* rows;
  const offset_t* starts;
  const offset_t* first;
  offset_t base;
  offset_t* targets;
  offset_t* next_rows;
  KOKKOS_FUNCTION void operator()(offset_t k, offset_t& next, bool final) const {
    const offset_t count = first[k + 1] - first[k], row = rows[starts[k]];
    if (count == 1) {
      if (final) targets[first[k]] = row;
      return;
    }
    for (offset_t s = 0; final && s < count; ++s) {
      targets[first[k] + s] = -1 - (base + next + s);
      next_rows[next + s] = row;
    }
    next += count;
  }
};

/// Counts rows before a row: a reduction over entries, pieces or segments, all in their order.
struct CountBefore {
  const offset_t* numbers;
  offset_t bound;
  KOKKOS_FUNCTION void operator()(offset_t k, offset_t& count) const {
    if (numbers[k] < bound) ++count;
  }
};

/// Makes the plan, level by level.
template <ExecutionSpace Exec>
class CarryPlanner {
 public:
  using Numbers = typename CarryPlan<Exec>::Numbers;

  explicit CarryPlanner(const Exec& exec) : m_exec(exec) {}

  /// For records in the order of the rows in `row`. Rows from `early` on can be summed before the
  /// others.
  template <RealScalar Scalar>
  [[nodiscard]] CarryPlan<Exec> plan(const SortedCopy<Scalar, Exec>& copy, const RecordField& row,
                                     offset_t piece, offset_t early) {
    m_early = early;
    CarryPlan<Exec> plan;
    plan.piece = piece;
    plan.pieces = CarryPlan<Exec>::pieces_of(copy.nnz(), piece);
    plan.places = numbers(plan.pieces);
    // Rows of entries, where they begin, and their first segments.
    const offset_t most = 2 * plan.pieces + 1;
    m_workspace = numbers(3 * most);
    offset_t* rows = m_workspace.data();
    m_starts = rows + most;
    m_first = m_starts + most;
    offset_t count = scan("genten::place_entries", plan.pieces,
                          PlaceEntries{copy.records.data(), copy.layout.words, row, copy.nnz(),
                                       piece, plan.places.data(), rows});
    plan.late = late_pieces(plan, rows, count);
    Numbers held;  // the rows of this level's entries, but for the first level's
    for (offset_t base = 0; count > 0;) {
      const Numbers next_rows = numbers(2 * (count / CarryPlan<Exec>::longest_segment));
      offset_t next = 0;
      plan.levels.push_back(next_level(rows, count, base, next_rows.data(), &next));
      base += count;
      count = next;
      held = next_rows;
      rows = held.data();
    }
    return plan;
  }

 private:
  static Numbers numbers(offset_t count) {
    return uninitialized_view<Numbers>("genten::carry_plan", static_cast<std::size_t>(count));
  }
  template <class Functor>
  offset_t scan(const char* label, offset_t count, const Functor& functor) const {
    offset_t total = 0;
    Kokkos::parallel_scan(label,
                          Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(m_exec, 0, count),
                          functor, total);
    return total;
  }
  offset_t count_before(const offset_t* numbers, offset_t size, offset_t bound) const {
    offset_t count = 0;
    Kokkos::parallel_reduce("genten::count_before",
                            Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(m_exec, 0, size),
                            CountBefore{numbers, bound}, count);
    return count;
  }
  /// Pieces have early rows where their last row is one, which is an entry: from the piece of the
  /// first early entry on.
  offset_t late_pieces(const CarryPlan<Exec>& plan, const offset_t* rows, offset_t count) const {
    if (m_early <= 0) return 0;
    const offset_t late_entries = count_before(rows, count, m_early);
    if (late_entries == count) return plan.pieces;
    // The piece that has the first early entry, perhaps beside a late one, is early.
    return std::max<offset_t>(count_before(plan.places.data(), plan.pieces, late_entries + 1), 1) -
           1;
  }

  /// The level of `count` entries, from `base` on, of these rows; writes those of the entries of
  /// the next level, and how many they are.
  typename CarryPlan<Exec>::Level next_level(const offset_t* entry_rows, offset_t count,
                                             offset_t base, offset_t* next_rows,
                                             offset_t* next_count) {
    constexpr offset_t longest = CarryPlan<Exec>::longest_segment;
    const offset_t rows = scan("genten::begin_rows", count, BeginRows{entry_rows, count, m_starts});
    typename CarryPlan<Exec>::Level level;
    level.entries = count;
    // Of each row, at most one segment is shorter.
    level.begins = numbers(rows + count / longest + 1);
    level.segments = scan("genten::cut_segments", rows,
                          CutSegments{m_starts, rows, longest, base, level.begins.data(), m_first});
    if (m_early > 0) {
      const offset_t late = count_before(entry_rows, count, m_early);
      level.late = count_before(level.begins.data(), level.segments, base + late);
    }
    level.targets = numbers(level.segments);
    *next_count = scan(
        "genten::aim_segments", rows,
        AimSegments{entry_rows, m_starts, m_first, base + count, level.targets.data(), next_rows});
    return level;
  }

  Exec m_exec;
  Numbers m_workspace;
  offset_t* m_starts = nullptr;
  offset_t* m_first = nullptr;
  offset_t m_early = 0;
};

}  // namespace genten::detail
