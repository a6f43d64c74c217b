// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How many copies of its rows a mode is expected to need, from its histogram alone.

#include <genten/dist/grid.hpp>

#include <array>
#include <vector>

namespace genten {

/// Rows by their number of nonzeros: exactly up to 32, beyond in classes of an eighth of an octave.
class SliceHistogram {
 public:
  static constexpr std::size_t classes = 32 + 8 * 28;

  /// The class of rows with so many nonzeros, at least one.
  [[nodiscard]] static std::size_t class_of(std::uint64_t nonzeros);
  /// The number of nonzeros that stands for a class.
  [[nodiscard]] static double nonzeros_of(std::size_t number);

  void add(std::uint64_t nonzeros) { ++m_rows[class_of(nonzeros)]; }
  [[nodiscard]] std::uint32_t rows(std::size_t number) const { return m_rows[number]; }

  /// Of the rows of a mode that have nonzeros.
  template <SubscriptOrdinal Ordinal>
  [[nodiscard]] static SliceHistogram of(const TensorSlices<Ordinal>& slices, int mode);

 private:
  std::array<std::uint32_t, classes> m_rows{};
};

/// The copies beyond the first that a row with that many nonzeros is expected to need when each of
/// them is given to one of `processes` at random: processes (1 - (1 - 1/processes)^nonzeros) - 1.
[[nodiscard]] double expected_copies(double nonzeros, double processes);

/// The same for all rows of a mode together.
[[nodiscard]] double expected_copies(const SliceHistogram& histogram, double processes);

/// The histograms of all modes.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] std::vector<SliceHistogram> slice_histograms(const TensorSlices<Ordinal>& slices) {
  std::vector<SliceHistogram> modes;
  for (int n = 0; n < slices.order(); ++n) modes.push_back(SliceHistogram::of(slices, n));
  return modes;
}

/// The rows that all processes of a grid together are expected to send in the folds of a sweep, one
/// way: of each mode, its copies among the processes that share a layer.
[[nodiscard]] double expected_words(const std::vector<SliceHistogram>& modes, const Grid& grid);

/// A grid, and what it is expected to send.
struct ExpectedGrid {
  Grid grid;
  double words = 0.0;
};

/// All grids of that many processes, those that are expected to send the fewest rows first.
[[nodiscard]] std::vector<ExpectedGrid> ranked_grids(const std::vector<SliceHistogram>& modes,
                                                     std::size_t processes);

}  // namespace genten
