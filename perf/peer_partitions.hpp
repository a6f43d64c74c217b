// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The grids and layers that SPLATT and Sandia's GenTen choose, for comparison: their rules, as
/// their sources have them (SPLATT at 6cb8628, GenTen at 0cd9151).

#include <genten/dist/partition.hpp>

#include <algorithm>
#include <limits>

namespace genten::perf {

/// SPLATT's grid: the prime factors of P, the largest first, go each to the mode whose layers are
/// longest, longer than the sum of all dimensions divided by P.
[[nodiscard]] inline Grid splatt_grid(const std::vector<std::size_t>& dimensions,
                                      std::size_t processes) {
  std::size_t sum = 0;
  for (const std::size_t dimension : dimensions) sum += dimension;
  const std::size_t target = sum / processes;
  std::vector<std::size_t> primes;
  for (std::size_t prime = 2, rest = processes; rest > 1; ++prime) {
    for (; rest % prime == 0; rest /= prime) primes.push_back(prime);
  }
  Grid grid(dimensions.size(), 1);
  for (auto prime = primes.rbegin(); prime != primes.rend(); ++prime) {
    const auto excess = [&](std::size_t n) {
      const std::size_t length = dimensions[n] / grid[n];
      return length > target ? length - target : 0;
    };
    std::size_t longest = 0;
    for (std::size_t n = 1; n < grid.size(); ++n) {
      if (excess(n) > excess(longest)) longest = n;
    }
    grid[longest] *= *prime;
  }
  return grid;
}

/// SPLATT's layers: a layer ends with the row by which it has its share of the nonzeros; the next
/// share is what is left, counted from there or from the row before, whichever is closer to the
/// share, divided among the layers that are left.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] LayerCuts splatt_layers(const TensorSlices<Ordinal>& slices, int mode,
                                      std::size_t layers) {
  const auto& own = slices.mode(mode);
  const std::size_t length = slices.dimensions()[static_cast<std::size_t>(mode)];
  const std::uint64_t nnz = slices.nnz();
  LayerCuts cuts;
  std::uint64_t begin = 0, share = nnz / layers;
  for (std::size_t place = 0; place < own.rows.size() && cuts.size() + 1 < layers; ++place) {
    const std::uint64_t below = own.starts[place + 1];
    if (below < begin + share || own.rows[place] + 1 >= length) continue;
    const std::uint64_t before = own.starts[place];
    const bool closer = begin + share - std::min(before, begin + share) < below - (begin + share);
    begin = closer ? before : below;
    cuts.push_back(own.rows[place] + 1);
    share = (nnz - begin) / std::max<std::size_t>(1, layers - cuts.size());
  }
  cuts.resize(layers - 1, length);  // where there are more layers than rows
  return cuts;
}

/// SPLATT's partition, with that grid or another.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] Partition splatt_partition(const TensorSlices<Ordinal>& slices, const Grid& grid) {
  std::vector<LayerCuts> cuts;
  for (std::size_t n = 0; n < grid.size(); ++n) {
    cuts.push_back(splatt_layers(slices, static_cast<int>(n), grid[n]));
  }
  return grid_partition(grid, cuts);
}

/// GenTen's grid: the one with the fewest rows of all processes together. Of each divisor below the
/// root of P its search also takes the quotient, but not of the root itself, rounded down.
[[nodiscard]] inline Grid gentens_grid(const std::vector<std::size_t>& dimensions,
                                       std::size_t processes) {
  const auto tried = [](std::size_t divisor, std::size_t of) {
    std::size_t root = 1;
    while ((root + 1) * (root + 1) <= of) ++root;
    return divisor == of || divisor <= root || of / divisor != root;
  };
  Grid best;
  double least = std::numeric_limits<double>::infinity();
  for (const Grid& grid : all_grids(processes, static_cast<int>(dimensions.size()))) {
    double rows = 0.0;
    std::size_t rest = processes;
    bool good = true;
    for (std::size_t n = 0; n < grid.size(); ++n) {
      good = good && (n + 1 == grid.size() || tried(grid[n], rest));
      rest /= grid[n];
      rows += static_cast<double>(dimensions[n]) * static_cast<double>(processes / grid[n]);
    }
    if (!good || rows >= least) continue;
    least = rows;
    best = grid;
  }
  return best;
}

/// GenTen's layers: as many rows in each, the first few one more.
[[nodiscard]] inline LayerCuts uniform_layers(std::size_t length, std::size_t layers) {
  LayerCuts cuts;
  for (std::size_t layer = 1; layer < layers; ++layer) {
    cuts.push_back(length / layers * layer + std::min(layer, length % layers));
  }
  return cuts;
}

[[nodiscard]] inline Partition uniform_partition(const std::vector<std::size_t>& dimensions,
                                                 const Grid& grid) {
  std::vector<LayerCuts> cuts;
  for (std::size_t n = 0; n < grid.size(); ++n) {
    cuts.push_back(uniform_layers(dimensions[n], grid[n]));
  }
  return grid_partition(grid, cuts);
}

/// The rows that all processes of a grid send one way when all that share a layer add up all of its
/// rows, touched or not, by an all-reduce that moves as little as one can: of each mode,
/// I_n (processes of a layer - 1). GenTen's default.
[[nodiscard]] inline double all_reduce_words(const std::vector<std::size_t>& dimensions,
                                             const Grid& grid) {
  double processes = 1.0, words = 0.0;
  for (const std::size_t layers : grid) processes *= static_cast<double>(layers);
  for (std::size_t n = 0; n < grid.size(); ++n) {
    words += static_cast<double>(dimensions[n]) * (processes / static_cast<double>(grid[n]) - 1.0);
  }
  return words;
}

}  // namespace genten::perf
