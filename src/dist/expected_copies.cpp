// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dist/expected_copies.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace genten {

// Class k < 32 holds rows of k + 1 nonzeros; beyond, the three bits below the leading one choose
// among eight classes of an octave.
std::size_t SliceHistogram::class_of(std::uint64_t nonzeros) {
  if (nonzeros <= 32) return static_cast<std::size_t>(nonzeros) - 1;
  const int octave = std::bit_width(nonzeros) - 1;
  const auto eighth = static_cast<std::size_t>(nonzeros >> (octave - 3)) & 7;
  return std::min(32 + 8 * static_cast<std::size_t>(octave - 5) + eighth, classes - 1);
}

double SliceHistogram::nonzeros_of(std::size_t number) {
  if (number < 32) return static_cast<double>(number + 1);
  const auto octave = static_cast<int>((number - 32) / 8) + 5;
  const double eighth = static_cast<double>((number - 32) % 8);
  return std::ldexp((8.5 + eighth) / 8.0, octave);
}

template <SubscriptOrdinal Ordinal>
SliceHistogram SliceHistogram::of(const TensorSlices<Ordinal>& slices, int mode) {
  SliceHistogram histogram;
  const auto& own = slices.mode(mode);
  for (std::size_t place = 0; place < own.rows.size(); ++place) histogram.add(own.count(place));
  return histogram;
}

template SliceHistogram SliceHistogram::of(const TensorSlices<std::uint32_t>&, int);
template SliceHistogram SliceHistogram::of(const TensorSlices<std::uint64_t>&, int);

double expected_copies(double nonzeros, double processes) {
  if (processes <= 1.0 || nonzeros <= 1.0) return 0.0;
  return -processes * std::expm1(nonzeros * std::log1p(-1.0 / processes)) - 1.0;
}

double expected_copies(const SliceHistogram& histogram, double processes) {
  double copies = 0.0;
  for (std::size_t k = 0; k < SliceHistogram::classes; ++k) {
    if (histogram.rows(k) == 0) continue;
    copies += histogram.rows(k) * expected_copies(SliceHistogram::nonzeros_of(k), processes);
  }
  return copies;
}

double expected_words(const std::vector<SliceHistogram>& modes, const Grid& grid) {
  double processes = 1.0, words = 0.0;
  for (const std::size_t layers : grid) processes *= static_cast<double>(layers);
  for (std::size_t n = 0; n < modes.size(); ++n) {
    words += expected_copies(modes[n], processes / static_cast<double>(grid[n]));
  }
  return words;
}

std::vector<ExpectedGrid> ranked_grids(const std::vector<SliceHistogram>& modes,
                                       std::size_t processes) {
  std::vector<ExpectedGrid> ranked;
  for (Grid& grid : all_grids(processes, static_cast<int>(modes.size()))) {
    const double words = expected_words(modes, grid);
    ranked.push_back({std::move(grid), words});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.words < b.words; });
  return ranked;
}

}  // namespace genten
