// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What it costs to cut a block of nonzeros in two, and each part further.

#include <genten/dist/expected_copies.hpp>

#include <map>
#include <memory>
#include <span>

namespace genten {

/// What a cut in some mode does to the rows of another: those that both parts touch, and the rows
/// of either part by their nonzeros.
class SplitCount {
 public:
  /// A row with so many nonzeros below the cut and above it. With `more`, what the parts look like
  /// is of interest.
  void add(std::uint64_t below, std::uint64_t above, bool more) {
    if (below != 0 && above != 0) ++m_shared;
    if (!more) return;
    if (!m_below) {
      m_below = std::make_unique<SliceHistogram>();
      m_above = std::make_unique<SliceHistogram>();
    }
    if (below != 0) m_below->add(below);
    if (above != 0) m_above->add(above);
  }
  [[nodiscard]] std::uint64_t shared() const { return m_shared; }
  /// Null where nothing was added, or was of interest.
  [[nodiscard]] const SliceHistogram* below() const { return m_below.get(); }
  [[nodiscard]] const SliceHistogram* above() const { return m_above.get(); }

 private:
  std::uint64_t m_shared = 0;
  std::unique_ptr<SliceHistogram> m_below, m_above;
};

/// Expected costs of the cuts to come.
class SplitCosts {
 public:
  /// Makes the tables for parts of that many processes; `of` may then be called by many threads.
  void prepare(std::size_t below, std::size_t above);

  /// Copies of rows that a cut makes, and that the best grids would make in its parts: of every
  /// mode what the cut does to it, and the processes of the parts.
  [[nodiscard]] double of(std::span<const SplitCount> modes, std::size_t below,
                          std::size_t above) const;

 private:
  /// For parts of P processes, which h = log2 P halvings make (rounded up, P^(1/h) each): by number
  /// of halvings that share a row among their parts, the expected copies of a row of each class.
  using Copies = std::vector<std::array<double, SliceHistogram::classes>>;

  [[nodiscard]] double best_grid(std::span<const SplitCount> modes, bool above,
                                 std::size_t processes) const;

  std::map<std::size_t, Copies> m_copies;  // by processes
};

}  // namespace genten
