// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dist/grid.hpp>

namespace genten {
namespace {

void add_grids(std::size_t processes, int modes, Grid& begun, std::vector<Grid>& grids) {
  if (modes == 1) {
    begun.push_back(processes);
    grids.push_back(begun);
    begun.pop_back();
    return;
  }
  for (std::size_t layers = 1; layers <= processes; ++layers) {
    if (processes % layers != 0) continue;
    begun.push_back(layers);
    add_grids(processes / layers, modes - 1, begun, grids);
    begun.pop_back();
  }
}

}  // namespace

std::vector<Grid> all_grids(std::size_t processes, int order) {
  if (processes == 0 || order < 1) {
    throw Error::in("all_grids", "expected at least one process and one mode, got " +
                                     std::to_string(processes) + " and " + std::to_string(order));
  }
  std::vector<Grid> grids;
  Grid begun;
  add_grids(processes, order, begun, grids);
  return grids;
}

std::string grid_text(const Grid& grid) {
  std::string text;
  for (const std::size_t layers : grid) {
    if (!text.empty()) text += 'x';
    text += std::to_string(layers);
  }
  return text;
}

template <SubscriptOrdinal Ordinal>
LayerCuts even_layers(const TensorSlices<Ordinal>& slices, int mode, std::size_t layers) {
  const ModeSlices<Ordinal>& own = slices.mode(mode);
  const auto length =
      static_cast<std::uint64_t>(slices.dimensions()[static_cast<std::size_t>(mode)]);
  LayerCuts cuts;
  std::size_t place = 0;  // among the rows with nonzeros
  for (std::size_t layer = 1; layer < layers; ++layer) {
    const double share = static_cast<double>(slices.nnz()) * static_cast<double>(layer) /
                         static_cast<double>(layers);
    const auto below = [&](std::size_t at) { return static_cast<double>(own.starts[at]); };
    while (place < own.rows.size() && below(place) < share) ++place;
    if (place > 0 && share - below(place - 1) <= below(place) - share) --place;
    cuts.push_back(place < own.rows.size() ? static_cast<std::uint64_t>(own.rows[place]) : length);
  }
  return cuts;
}

template LayerCuts even_layers(const TensorSlices<std::uint32_t>&, int, std::size_t);
template LayerCuts even_layers(const TensorSlices<std::uint64_t>&, int, std::size_t);

}  // namespace genten
