// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mttkrp/kernels/sorted/sorted.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::NonzeroOrder;
using genten::kernels::Sorted;
using testing::ElementsAre;

constexpr double row_bytes = 128.0;

genten::MachineProperties machine(double cores = 2.0) {
  genten::MachineProperties result;
  result.l1_cache = 32 << 10;
  result.l2_cache = 1 << 20;
  result.shared_cache = 32 << 20;
  result.cores = cores;
  return result;
}

constexpr double many = 100.0;

/// Orders where so many nonzeros use a row while it is in L2.
std::vector<NonzeroOrder> orders_of(const std::vector<std::size_t>& dimensions, double nonzeros,
                                    double reuse = many) {
  return Sorted::choose_orders(dimensions, nonzeros, row_bytes, machine(), {},
                               [=](const NonzeroOrder&) { return reuse; });
}

std::vector<std::pair<int, int>> tiles_of(const NonzeroOrder& order) {
  std::vector<std::pair<int, int>> result;
  for (const auto& tile : order.tiles) result.emplace_back(tile.mode, tile.bits);
  return result;
}

TEST(SortedOrderTest, FewSweepsOverNearFactorsSortNothing) {
  genten::MttkrpProblem problem;
  problem.dimensions = {600, 500, 50};
  problem.nnz = 100'000;
  problem.rank = 16;
  problem.update_order = {0, 1, 2};
  EXPECT_FALSE(Sorted::keeps_order(problem, machine())) << "nothing is known of the sweeps";
  problem.sweeps = 2.0;
  EXPECT_TRUE(Sorted::keeps_order(problem, machine()));
  const auto choice = Sorted::choose(problem, {{{0}}, {{1}}, {{2}}}, problem.dimensions, 2,
                                     machine(), {}, [](const NonzeroOrder&) { return many; });
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_TRUE(choice.orders[n].tiles.empty());
    EXPECT_GE(std::size_t{1} << choice.orders[n].row_block_bits, problem.dimensions[n]);
  }
  problem.sweeps = 3.0;
  EXPECT_FALSE(Sorted::keeps_order(problem, machine()));
  problem.sweeps = 1.0;
  problem.dimensions[0] = 60'000;
  EXPECT_FALSE(Sorted::keeps_order(problem, machine())) << "factors are far";
  problem.dimensions[0] = 600;
  auto device = machine();
  device.device = true;
  EXPECT_FALSE(Sorted::keeps_order(problem, device));
}

TEST(SortedOrderTest, EntriesServeAllModes) {
  const std::vector<std::size_t> dimensions{12092, 9184, 28818};
  const auto orders = orders_of(dimensions, 8e6);
  ASSERT_EQ(orders.size(), 3u);
  for (int mode = 0; mode < 3; ++mode) {
    const auto& order = orders[static_cast<std::size_t>(mode)];
    EXPECT_EQ(order.row_mode, mode);
    EXPECT_EQ(order.row_block_bits, 10) << "rows are used twice in entries of 2^10, not of 2^9";
    EXPECT_THAT(tiles_of(order), ElementsAre(std::pair(1, 10), std::pair(0, 10), std::pair(2, 5)));
    EXPECT_FALSE(order.fetched_mode);
  }
}

TEST(SortedOrderTest, TilesOfDenseTensorsAreSmallerButNotTooSmall) {
  const auto orders = orders_of({4392, 1140, 1717}, 3.3e6);
  EXPECT_EQ(orders[0].row_block_bits, 7) << "half of L1";
  EXPECT_EQ(orders_of({10, 300}, 1e6)[0].row_block_bits, 4) << "one block of all rows";
}

TEST(SortedOrderTest, TilesOfWideRowsHaveRoomForWhatOnePassReadsOfThem) {
  const auto bits = [](double bytes) {
    return Sorted::choose_orders(std::vector<std::size_t>{120920, 91840, 288180}, 1e9, bytes,
                                 machine(), {}, {})[0]
        .row_block_bits;
  };
  EXPECT_EQ(bits(512.0), 9);
  EXPECT_EQ(bits(1024.0), 9) << "two passes of 512 bytes";
  EXPECT_EQ(bits(576.0), 9) << "two of 288";
}

TEST(SortedOrderTest, LongRunsOfARowAreSummedInRegistersAndShorterOnesOfWideRows) {
  const genten::kernels::SortedTuning tuning;
  EXPECT_FALSE(tuning.sums_runs(7.0, 2.0));
  EXPECT_TRUE(tuning.sums_runs(8.0, 2.0));
  EXPECT_TRUE(tuning.sums_runs(3.0, 8.0));
  EXPECT_FALSE(tuning.sums_runs(2.9, 8.0));
  EXPECT_FALSE(tuning.sums_runs(31.0, 0.5)) << "rows of half a pack";
}

TEST(SortedOrderTest, RowsThatAreHardlyUsedTwiceAreFetched) {
  const auto orders = orders_of({30000, 40000, 50000}, 1e7);
  for (const auto& order : orders) {
    EXPECT_THAT(tiles_of(order), ElementsAre(std::pair(0, 11), std::pair(1, 11), std::pair(2, 5)));
  }
  EXPECT_EQ(orders[0].fetched_mode, 2);
  EXPECT_EQ(orders[1].fetched_mode, 2);
  EXPECT_EQ(orders[2].fetched_mode, 1) << "its tiles change the most often";
}

TEST(SortedOrderTest, RowsThatAreUsedOnceOrTwiceBypassTheNearCacheWhateverTheRowMode) {
  const auto orders = orders_of({30000, 40000, 50000}, 1e7, 1.7);
  for (const int mode : {0, 1}) {
    const auto& order = orders[static_cast<std::size_t>(mode)];
    EXPECT_THAT(tiles_of(order), ElementsAre(std::pair(0, 11), std::pair(1, 11), std::pair(2, 5)));
    EXPECT_EQ(order.fetched_mode, 2);
    EXPECT_TRUE(order.non_temporal);
  }
  EXPECT_THAT(tiles_of(orders[2]), ElementsAre(std::pair(2, 11), std::pair(0, 11), std::pair(1, 5)))
      << "output rows cannot bypass it";
  EXPECT_EQ(orders[2].fetched_mode, 1);
  EXPECT_TRUE(orders[2].non_temporal);
}

TEST(SortedOrderTest, TheLastOfTheLongestModesBypassesTheNearCache) {
  const auto orders = orders_of({40000, 40000, 40000}, 1e7, 1.7);
  EXPECT_EQ(orders[0].fetched_mode, 2);
  EXPECT_EQ(orders[1].fetched_mode, 2);
  EXPECT_THAT(tiles_of(orders[2]),
              ElementsAre(std::pair(2, 11), std::pair(0, 11), std::pair(1, 5)));
}

TEST(SortedOrderTest, RowsDoNotBypassTheNearCacheWhereTheyAreUsedOftenOrComeFromMemory) {
  for (const auto& order : orders_of({30000, 40000, 50000}, 1e7)) EXPECT_FALSE(order.non_temporal);
  for (const auto& order : orders_of({60000, 80000, 100000}, 1e7, 1.1)) {
    EXPECT_FALSE(order.non_temporal) << "31 MB of rows";
  }
}

TEST(SortedOrderTest, RowReuseIsCountedWhereItMattersOnly) {
  int asked = 0;
  const auto ask = [&](const std::vector<std::size_t>& dimensions, double nonzeros) {
    (void)Sorted::choose_orders(dimensions, nonzeros, row_bytes, machine(), {},
                                [&](const NonzeroOrder& order) {
                                  EXPECT_EQ(order.tiles.back().mode, 2);
                                  ++asked;
                                  return many;
                                });
  };
  ask({12092, 9184, 28818}, 8e6);
  ask({532924, 17262471, 2480308, 1443}, 8e6);
  ask({40000, 50000}, 1e7);
  EXPECT_EQ(asked, 0);
  ask({30000, 40000, 50000}, 1e7);
  EXPECT_EQ(asked, 1);
}

TEST(SortedOrderTest, TooManyEntriesGiveEveryModeAnOrderOfItsOwn) {
  const auto orders = orders_of({532924, 17262471, 2480308, 1443}, 8e6);
  EXPECT_THAT(tiles_of(orders[3]), ElementsAre(std::pair(0, 11), std::pair(2, 11), std::pair(1, 5)))
      << "all rows of the short mode are one tile";
  EXPECT_THAT(tiles_of(orders[1]),
              ElementsAre(std::pair(1, 11), std::pair(0, 11), std::pair(2, 5)));
  EXPECT_EQ(orders[1].row_block_bits, 11);
  EXPECT_EQ(orders[1].fetched_mode, 2);
}

TEST(SortedOrderTest, OneFactorBeyondTheSharedCacheIsStreamedWhateverTheRowMode) {
  const auto orders = orders_of({165427, 11374, 17800}, 5e6);
  for (const auto& order : orders) EXPECT_THAT(tiles_of(order), ElementsAre(std::pair(0, 5)));
  EXPECT_EQ(orders[0].row_block_bits, 5);
  EXPECT_FALSE(orders[0].fetched_mode);
  for (const std::size_t mode : {1, 2}) {
    EXPECT_EQ(1 << orders[mode].row_block_bits, mode == 1 ? 16384 : 32768)
        << "one block of all rows";
    EXPECT_EQ(orders[mode].fetched_mode, 0);
  }
}

TEST(SortedOrderTest, TensorsOfOneModeAndEmptyOnesHaveOrdersToo) {
  EXPECT_THAT(tiles_of(orders_of({500000}, 1e5)[0]), ElementsAre(std::pair(0, 5)));
  EXPECT_EQ(orders_of({0, 3}, 0.0).size(), 2u);
}

TEST(SortedOrderTest, PanelsAreUsedWhereWideRowsWouldNotStayNear) {
  const auto panel = [](const std::vector<std::size_t>& dimensions, std::size_t rank,
                        double nonzeros) {
    return Sorted::choose_panel(dimensions, 8.0 * static_cast<double>(rank), nonzeros, machine(),
                                {});
  };
  const std::vector<std::size_t> uniform{30000, 40000, 50000}, nell2{12092, 9184, 28818},
      uber{4392, 1140, 1717};
  EXPECT_EQ(panel(uniform, 128, 1e7), 2);
  EXPECT_EQ(panel(uniform, 32, 1e7), 2) << "tiles of 2^10 rows are used less than twice";
  EXPECT_EQ(panel(uniform, 16, 1e7), 0) << "rows are as narrow as a panel's";
  EXPECT_EQ(panel(uniform, 128, 4.7e5), 0) << "rows are hardly gathered more often than copied";
  EXPECT_EQ(panel(nell2, 128, 8e6), 4);
  EXPECT_EQ(panel(nell2, 64, 8e6), 4);
  EXPECT_EQ(panel(nell2, 32, 8e6), 0);
  EXPECT_EQ(panel(uber, 128, 3.3e6), 4) << "two passes over half of each row";
  EXPECT_EQ(panel({400, 400, 400}, 64, 5e6), 0) << "tiles are in L2 where they lie";
}

TEST(SortedOrderTest, ChunksAreAsLongAsTheirSumsAskForButNotTooFew) {
  const auto length = [](const NonzeroOrder& order, std::size_t rows, double nonzeros,
                         double cores) {
    return Sorted::chunk_length(order, rows, row_bytes, nonzeros, 8.0, machine(cores), {});
  };
  EXPECT_EQ(length(NonzeroOrder::by_row(0), 4392, 3.3e6, 2), 32768);
  // 2^10 rows of 128 bytes, and 8 times as many bytes of records.
  const auto tiled = orders_of({12092, 9184, 28818}, 8e6)[0];
  EXPECT_EQ(length(tiled, 12092, 8e6, 2), 131072);
  EXPECT_EQ(length(tiled, 12092, 8e6, 64), 32768);
  const auto streamed = orders_of({165427, 11374, 17800}, 5e6)[1];
  EXPECT_EQ(length(streamed, 11374, 5e6, 2), 625000);  // four a core
}

TEST(SortedOrderTest, DevicesContractTheSameColumnsWhateverTheyTellOfTheirCache) {
  // An H200 tells 50 or 60 MiB.
  for (const double told : {50.0, 60.0}) {
    const std::size_t cached = genten::detail::device_cached_bytes(
        told * 1048576.0, genten::kernels::SortedTuning().device_cache_share);
    EXPECT_EQ(cached, std::size_t{24} << 20);
    const auto block = [&](std::size_t rows, std::size_t stride) {
      return genten::detail::device_column_block(rows, stride, 8, cached);
    };
    EXPECT_EQ(block(90'000, 16), 16u);
    EXPECT_EQ(block(90'000, 128), 32u);
    EXPECT_EQ(block(70'000, 128), 48u);
    EXPECT_EQ(block(20'000'000, 128), 128u) << "no block would stay in L2";
  }
}

}  // namespace
