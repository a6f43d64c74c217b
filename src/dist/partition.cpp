// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../base/usual_types.hpp"

#include <genten/dist/partition.hpp>

#include <algorithm>

namespace genten {
namespace {

/// Builds the tree of a grid: binary searches, mode after mode.
class GridTree {
 public:
  GridTree(const Grid& grid, const std::vector<LayerCuts>& cuts)
      : m_grid(grid), m_cuts(cuts), m_partition(static_cast<int>(grid.size())) {
    divide(0, 0, grid.empty() ? 1 : grid[0], 0);
  }
  [[nodiscard]] const Partition& partition() const { return m_partition; }

 private:
  /// The root of what cuts layers [begin, end) of a mode, and all modes after it, into processes
  /// from `process` on.
  std::int32_t divide(std::size_t mode, std::size_t begin, std::size_t end, std::size_t process) {
    if (mode == m_grid.size()) return ~static_cast<std::int32_t>(process);
    if (end - begin == 1) {
      const bool last = mode + 1 == m_grid.size();
      return divide(mode + 1, 0, last ? 1 : m_grid[mode + 1], process);
    }
    const std::size_t middle = begin + (end - begin) / 2;
    std::vector<std::uint64_t> place(m_grid.size(), 0);
    place[mode] = m_cuts[mode][middle - 1];
    const std::size_t cut = m_partition.add(static_cast<int>(mode), place);
    std::size_t processes_of_layer = 1;
    for (std::size_t n = mode + 1; n < m_grid.size(); ++n) processes_of_layer *= m_grid[n];
    m_partition.set(cut, false, divide(mode, begin, middle, process));
    m_partition.set(cut, true,
                    divide(mode, middle, end, process + (middle - begin) * processes_of_layer));
    return static_cast<std::int32_t>(cut);
  }

  const Grid& m_grid;
  const std::vector<LayerCuts>& m_cuts;
  Partition m_partition;
};

}  // namespace

std::size_t Partition::add(int mode, std::span<const std::uint64_t> place) {
  if (mode < 0 || mode >= m_order || place.size() != static_cast<std::size_t>(m_order)) {
    throw Error::in("Partition", "expected a mode and a place of order " + std::to_string(m_order) +
                                     ", got mode " + error_text::number(mode) + " and " +
                                     std::to_string(place.size()) + " subscripts");
  }
  m_cuts.push_back({place[static_cast<std::size_t>(mode)], mode, ~0, ~0});
  m_places.insert(m_places.end(), place.begin(), place.end());
  return m_cuts.size() - 1;
}

Partition grid_partition(const Grid& grid, const std::vector<LayerCuts>& cuts) {
  bool good = grid.size() == cuts.size() && !grid.empty();
  for (std::size_t n = 0; good && n < grid.size(); ++n) {
    good = grid[n] == cuts[n].size() + 1 && std::is_sorted(cuts[n].begin(), cuts[n].end());
  }
  if (!good) {
    throw Error::in("grid_partition",
                    "expected for each mode one ascending cut less than layers, got " +
                        std::to_string(cuts.size()) + " lists of cuts that do not fit the grid " +
                        grid_text(grid));
  }
  return GridTree(grid, cuts).partition();
}

template <SubscriptOrdinal Ordinal>
Partition grid_partition(const TensorSlices<Ordinal>& slices, const Grid& grid) {
  std::vector<LayerCuts> cuts;
  for (std::size_t n = 0; n < grid.size() && n < slices.dimensions().size(); ++n) {
    cuts.push_back(even_layers(slices, static_cast<int>(n), grid[n]));
  }
  return grid_partition(grid, cuts);
}

template <SubscriptOrdinal Ordinal>
detail::HostArray<std::uint32_t> processes_of(const HostExec& exec, const Partition& partition,
                                              const TensorSlices<Ordinal>& slices) {
  const auto subscripts = slices.subscripts();
  const auto processes =
      detail::uninitialized_array<std::uint32_t>("genten::processes_of", slices.nnz());
  const detail::EvenChunks chunks(slices.nnz());
  detail::for_each_index(
      "genten::processes_of", exec, chunks.count(), [&](const std::size_t chunk) {
        for (std::size_t p = chunks.begin(chunk); p < chunks.end(chunk); ++p) {
          processes(p) = partition.process_of([&](int n) { return subscripts(p, n); });
        }
      });
  return processes;
}

#define GENTEN_PARTITION(ORDINAL)                                                           \
  template Partition grid_partition(const TensorSlices<ORDINAL>&, const Grid&);             \
  template detail::HostArray<std::uint32_t> processes_of(const HostExec&, const Partition&, \
                                                         const TensorSlices<ORDINAL>&);
GENTEN_FOR_ORDINALS(GENTEN_PARTITION)
#undef GENTEN_PARTITION

}  // namespace genten
