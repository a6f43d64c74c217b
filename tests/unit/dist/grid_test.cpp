// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dist/expected_copies.hpp>
#include <genten/dist/partition.hpp>

#include "../../../perf/peer_partitions.hpp"

#include <gtest/gtest.h>

#include <set>

#include "dist_support.hpp"

namespace {

using genten::all_grids;
using genten::even_layers;
using genten::expected_copies;
using genten::Grid;
using genten::grid_partition;
using genten::HostExec;
using genten::LayerCuts;
using genten::SliceHistogram;
using genten_test::skewed_tensor;

using Slices = genten::TensorSlices<std::uint32_t>;

/// A matrix of one column that has so many nonzeros in each row, duplicates all.
Slices slices_of(const std::vector<std::size_t>& nonzeros) {
  std::vector<std::uint32_t> subscripts;
  for (std::uint32_t i = 0; i < nonzeros.size(); ++i) {
    for (std::size_t p = 0; p < nonzeros[i]; ++p) subscripts.insert(subscripts.end(), {i, 0});
  }
  const std::vector<double> values(subscripts.size() / 2, 1.0);
  return {HostExec(), genten::Sptensor<double, std::uint32_t, HostExec>::from_host(
                          {nonzeros.size(), 1}, subscripts, values)};
}

TEST(Grid, AllGridsAreAllFactorizations) {
  EXPECT_EQ(all_grids(6, 2), (std::vector<Grid>{{1, 6}, {2, 3}, {3, 2}, {6, 1}}));
  EXPECT_EQ(all_grids(7, 1), (std::vector<Grid>{{7}}));
  EXPECT_EQ(all_grids(64, 4).size(), 84u);      // C(6 + 3, 3)
  EXPECT_EQ(all_grids(1024, 6).size(), 3003u);  // C(10 + 5, 5)
  const auto grids = all_grids(360, 4);
  for (const Grid& grid : grids) EXPECT_EQ(grid[0] * grid[1] * grid[2] * grid[3], 360u);
  EXPECT_EQ(std::set<Grid>(grids.begin(), grids.end()).size(), grids.size());
  EXPECT_THROW((void)all_grids(0, 2), genten::Error);
  EXPECT_EQ(genten::grid_text({4, 1, 2}), "4x1x2");
}

TEST(Grid, LayersAreEven) {
  EXPECT_EQ(even_layers(slices_of({1, 1, 1, 1, 1, 1}), 0, 3), (LayerCuts{2, 4}));
  EXPECT_EQ(even_layers(slices_of({4, 1, 1, 1, 1}), 0, 2), (LayerCuts{1}));
  EXPECT_EQ(even_layers(slices_of({1, 1, 1, 9}), 0, 2), (LayerCuts{3}));
  EXPECT_EQ(even_layers(slices_of({0, 0, 3, 0, 3, 0}), 0, 2), (LayerCuts{4}));
  // More layers than rows: some are empty.
  const LayerCuts cuts = even_layers(slices_of({5, 5}), 0, 6);
  EXPECT_EQ(cuts.size(), 5u);
  EXPECT_TRUE(std::is_sorted(cuts.begin(), cuts.end()));
  EXPECT_LE(cuts.back(), 2u);
  EXPECT_TRUE(even_layers(slices_of({5, 5}), 0, 1).empty());
}

TEST(Grid, ProcessesAreThoseOfTheLayers) {
  const std::vector<LayerCuts> cuts = {{3, 5}, {}, {4}};
  const auto partition = grid_partition({3, 1, 2}, cuts);
  ASSERT_EQ(partition.processes(), 6u);
  for (std::uint64_t i = 0; i < 8; ++i) {
    for (std::uint64_t k = 0; k < 8; ++k) {
      const std::uint64_t at[] = {i, 7, k};
      const std::uint32_t layer = i < 3 ? 0 : i < 5 ? 1 : 2;
      EXPECT_EQ(partition.process_of([&](int n) { return at[n]; }), layer * 2 + (k < 4 ? 0 : 1));
    }
  }
  EXPECT_THROW((void)grid_partition({3, 1}, {{3}, {}}), genten::Error);
  EXPECT_THROW((void)grid_partition({3, 1}, {{5, 3}, {}}), genten::Error);
  EXPECT_THROW((void)grid_partition({2}, {{5}, {}}), genten::Error);
}

TEST(ExpectedCopies, OfKnownRows) {
  EXPECT_EQ(expected_copies(5.0, 1.0), 0.0);
  EXPECT_EQ(expected_copies(1.0, 9.0), 0.0);
  EXPECT_NEAR(expected_copies(2.0, 4.0), 0.75, 1e-14);      // apart with probability 3/4
  EXPECT_NEAR(expected_copies(3.0, 2.0), 0.75, 1e-14);      // all alike with probability 1/4
  EXPECT_NEAR(expected_copies(1e9, 1024.0), 1023.0, 1e-9);  // everywhere
}

TEST(ExpectedCopies, ClassesOfRowsAreNarrow) {
  std::size_t before = 0;
  for (std::uint64_t c = 1; c < 300'000; ++c) {
    const std::size_t at = SliceHistogram::class_of(c);
    ASSERT_LT(at, SliceHistogram::classes);
    ASSERT_TRUE(at == before || at == before + 1) << c;
    ASSERT_NEAR(SliceHistogram::nonzeros_of(at) / static_cast<double>(c), 1.0, c <= 32 ? 0 : 0.07);
    before = at;
  }
  EXPECT_LT(SliceHistogram::class_of(~std::uint64_t{0}), SliceHistogram::classes);
}

// Uniform subscripts are what the formula assumes.
TEST(ExpectedCopies, AgreeWithTheCountOfUniformSubscripts) {
  const HostExec exec;
  std::vector<std::uint32_t> subscripts;
  const std::vector<std::size_t> dimensions = {500, 3000, 20000};
  for (std::size_t p = 0; p < 40000; ++p) {
    for (std::size_t n = 0; n < 3; ++n) {
      subscripts.push_back(
          static_cast<std::uint32_t>(genten::random_bits(1, p, n) % dimensions[n]));
    }
  }
  const Slices slices(exec, genten::Sptensor<double, std::uint32_t, HostExec>::from_host(
                                dimensions, subscripts, std::vector<double>(40000, 1.0)));
  const auto modes = genten::slice_histograms(slices);
  for (const auto& [grid, words] : genten::ranked_grids(modes, 24)) {
    const auto count = count_exchange(exec, slices, grid_partition(slices, grid));
    EXPECT_NEAR(static_cast<double>(count.words()) / words, 1.0, 0.02) << genten::grid_text(grid);
  }
}

TEST(ExpectedCopies, GridsAreRankedByWords) {
  const Slices slices(HostExec(), skewed_tensor<std::uint32_t>({90, 900, 9}, 4000, 1));
  const auto ranked = genten::ranked_grids(genten::slice_histograms(slices), 16);
  ASSERT_EQ(ranked.size(), all_grids(16, 3).size());
  for (std::size_t g = 1; g < ranked.size(); ++g) {
    EXPECT_GE(ranked[g].words, ranked[g - 1].words);
  }
}

// What the sources of the two programs choose.
TEST(PeerPartitions, GridsOfTheirRules) {
  using genten::perf::gentens_grid;
  using genten::perf::splatt_grid;
  EXPECT_EQ(splatt_grid({30000, 40000, 50000}, 8), (Grid{2, 2, 2}));
  EXPECT_EQ(splatt_grid({532924, 17262471, 2480308, 1443}, 8), (Grid{1, 8, 1, 1}));
  EXPECT_EQ(splatt_grid({532924, 17262471, 2480308, 1443}, 64), (Grid{1, 16, 4, 1}));
  EXPECT_EQ(splatt_grid({100, 10}, 6), (Grid{6, 1}));  // the 3 first, then the 2
  EXPECT_EQ(gentens_grid({30000, 40000, 50000}, 64), (Grid{4, 4, 4}));
  // 4x2x1 has fewer rows, but of 8 its search tries 1, 2 and 8.
  EXPECT_EQ(gentens_grid({4, 2, 1}, 8), (Grid{2, 2, 2}));
  EXPECT_EQ(genten::perf::all_reduce_words({30, 40, 50}, {2, 2, 2}), 360.0);
}

TEST(PeerPartitions, LayersOfTheirRules) {
  using genten::perf::splatt_layers;
  using genten::perf::uniform_layers;
  EXPECT_EQ(splatt_layers(slices_of({1, 1, 1, 1, 1, 1}), 0, 3), (LayerCuts{2, 4}));
  // The first layer ends with the row that fills it, though the row before is closer to the share.
  EXPECT_EQ(splatt_layers(slices_of({4, 4, 1, 1}), 0, 2), (LayerCuts{2}));
  EXPECT_EQ(splatt_layers(slices_of({5, 5}), 0, 4), (LayerCuts{1, 2, 2}));
  EXPECT_EQ(uniform_layers(10, 4), (LayerCuts{3, 6, 8}));
  EXPECT_EQ(uniform_layers(2, 4), (LayerCuts{1, 2, 2}));
}

}  // namespace
