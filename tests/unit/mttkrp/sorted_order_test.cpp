// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mttkrp/kernels/sorted.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::NonzeroOrder;
using genten::Sorted;
using testing::ElementsAre;

constexpr double row_bytes = 128.0;

genten::Machine machine(double cores = 2.0) {
  genten::Machine result;
  result.near_cache = 1 << 20;
  result.shared_cache = 32 << 20;
  result.cores = cores;
  return result;
}

NonzeroOrder order_of(const std::vector<std::size_t>& dimensions, int row_mode) {
  return Sorted::choose_order(dimensions, row_mode, row_bytes, machine(), {});
}

std::vector<std::pair<int, int>> tiles_of(const NonzeroOrder& order) {
  std::vector<std::pair<int, int>> result;
  for (const auto& tile : order.tiles) result.emplace_back(tile.mode, tile.bits);
  return result;
}

TEST(SortedOrderTest, TablesInTheNearCacheAreWalkedByRow) {
  const auto order = order_of({4392, 1140, 1717}, 1);
  EXPECT_EQ(order.row_mode, 1);
  EXPECT_EQ(order.row_block_bits, 0);
  EXPECT_THAT(order.tiles, testing::IsEmpty());
}

TEST(SortedOrderTest, TablesBeyondTheNearCacheAreTiledButForTheLongest) {
  const auto order = order_of({12092, 9184, 28818}, 0);
  EXPECT_EQ(order.row_block_bits, 11);
  EXPECT_THAT(tiles_of(order), ElementsAre(std::pair(1, 11), std::pair(2, 5)));
  EXPECT_FALSE(order.streamed_mode);
  // Too many rows besides the longest mode for one walk over it.
  const auto four = order_of({532924, 17262471, 2480308, 1443}, 3);
  EXPECT_EQ(four.row_block_bits, 11);
  EXPECT_THAT(tiles_of(four), ElementsAre(std::pair(0, 11), std::pair(2, 11), std::pair(1, 5)));
}

TEST(SortedOrderTest, OneTableBeyondTheSharedCacheIsStreamedInOneOrderForAllModes) {
  const std::vector<std::size_t> dimensions{165427, 11374, 17800};
  const auto own = order_of(dimensions, 0);
  EXPECT_EQ(own.row_block_bits, 5);
  EXPECT_THAT(own.tiles, testing::IsEmpty());
  EXPECT_FALSE(own.streamed_mode);
  for (const int mode : {1, 2}) {
    const auto order = order_of(dimensions, mode);
    EXPECT_EQ(1 << order.row_block_bits, mode == 1 ? 16384 : 32768) << "one block of all rows";
    EXPECT_THAT(tiles_of(order), ElementsAre(std::pair(0, 5)));
    EXPECT_EQ(order.streamed_mode, 0);
  }
}

TEST(SortedOrderTest, ColumnsAreMovedWhereWideTablesTakeMuchOfTheSharedCache) {
  const auto moves = [](const std::vector<std::size_t>& dimensions, std::size_t rank,
                        double nonzeros) {
    return Sorted::moves_columns(dimensions, 8.0 * static_cast<double>(rank), nonzeros, machine(),
                                 {});
  };
  const std::vector<std::size_t> uniform{30000, 40000, 50000};
  EXPECT_TRUE(moves(uniform, 128, 1e7));
  EXPECT_FALSE(moves(uniform, 16, 1e7)) << "rows are as narrow as a slab's";
  EXPECT_FALSE(moves(uniform, 128, 4.7e5)) << "rows are hardly gathered more often than moved";
  EXPECT_FALSE(moves({4392, 1140, 1717}, 64, 3.3e6)) << "tables are near where they lie";
}

TEST(SortedOrderTest, ChunksAreAsLongAsTheirSumsAskForButNotTooFew) {
  const auto length = [](const NonzeroOrder& order, std::size_t rows, double nonzeros,
                         double cores) {
    return Sorted::chunk_length(order, rows, row_bytes, nonzeros, 8.0, machine(cores), {});
  };
  EXPECT_EQ(length(order_of({4392, 1140, 1717}, 0), 4392, 3.3e6, 2), 32768);
  // 2^11 rows of 128 bytes, and 8 times as many bytes of records.
  const auto tiled = order_of({12092, 9184, 28818}, 0);
  EXPECT_EQ(length(tiled, 12092, 8e6, 2), 262144);
  EXPECT_EQ(length(tiled, 12092, 8e6, 64), 32768);
  const auto streamed = order_of({165427, 11374, 17800}, 1);
  EXPECT_EQ(length(streamed, 11374, 5e6, 2), 625000);  // four a core
}

}  // namespace
