// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// SortedCopy: its chunks share out all nonzeros and all output rows, each exactly once.

#include <genten/format/sorted_copy.hpp>

#include "reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using genten::NonzeroOrder;
using genten::offset_t;
using genten::SortedChunk;
using genten::detail::SortInput;
using Copy = genten::SortedCopy<double, Exec>;
using genten_test::PlainTensor;
using genten_test::random_tensor;

Copy sort(const PlainTensor& tensor, const NonzeroOrder& order, offset_t chunk,
          SortInput input = SortInput::keep) {
  const Exec exec{};
  std::vector<genten::ModeGroup> modes;
  for (std::size_t n = 0; n < tensor.dimensions.size(); ++n)
    modes.push_back({{static_cast<int>(n)}});
  const auto packed = genten::pack(
      exec, genten::RelabeledTensor(genten_test::to_sptensor<double, std::uint64_t, Exec>(tensor)),
      modes);
  exec.fence();
  EXPECT_TRUE(packed.has_value());
  genten::detail::SortRoom<Exec> room;
  const auto copy = genten::make_sorted_copy(exec, *packed, order, chunk, input, room);
  exec.fence();
  return copy;
}

std::vector<std::size_t> subscripts_at(const Copy& copy, offset_t p) {
  std::vector<std::size_t> result;
  for (int n = 0; n < copy.layout.order; ++n) {
    result.push_back(copy.layout.fields[n].get(&copy.records(p * copy.layout.words)));
  }
  return result;
}

/// What a NonzeroOrder sorts by: row block, then tiles.
std::vector<std::size_t> rank_of(const NonzeroOrder& order, const std::vector<std::size_t>& at) {
  const auto row = at[static_cast<std::size_t>(order.row_mode)];
  std::vector<std::size_t> result{row >> order.row_block_bits};
  for (const auto& tile : order.tiles) {
    result.push_back(at[static_cast<std::size_t>(tile.mode)] >> tile.bits);
  }
  return result;
}

void expect_nonzeros_in_order(const PlainTensor& tensor, const Copy& copy) {
  std::vector<std::size_t> positions(tensor.nnz());
  for (std::size_t p = 0; p < positions.size(); ++p) positions[p] = p;
  std::stable_sort(positions.begin(), positions.end(), [&](std::size_t a, std::size_t b) {
    return rank_of(copy.order, tensor.subscripts[a]) < rank_of(copy.order, tensor.subscripts[b]);
  });
  ASSERT_EQ(copy.nnz(), static_cast<offset_t>(tensor.nnz()));
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const auto p = static_cast<offset_t>(k);
    ASSERT_EQ(subscripts_at(copy, p), tensor.subscripts[positions[k]]) << "nonzero " << k;
    ASSERT_EQ(copy.layout.value(&copy.records(p * copy.layout.words), copy.dictionary.data()),
              tensor.values[positions[k]])
        << "nonzero " << k;
  }
}

void expect_chunks_partition(const Copy& copy, offset_t longest) {
  // Every nonzero lies in one chunk, which covers its row.
  std::vector<SortedChunk> chunks(copy.chunks.data(), copy.chunks.data() + copy.chunks.extent(0));
  offset_t next = 0;
  for (const SortedChunk& chunk : chunks) {
    ASSERT_LE(chunk.begin, chunk.end);
    ASSERT_TRUE(chunk.begin == next || chunk.begin == chunk.end);
    for (offset_t p = chunk.begin; p < chunk.end; ++p) {
      const auto row = static_cast<offset_t>(
          subscripts_at(copy, p)[static_cast<std::size_t>(copy.order.row_mode)]);
      ASSERT_GE(row, chunk.row_begin);
      ASSERT_LT(row, chunk.row_end);
    }
    if (chunk.end > chunk.begin) next = chunk.end;
    ASSERT_LE(chunk.end - chunk.begin, longest);
  }
  ASSERT_EQ(next, copy.nnz());
  // Every row is written by one chunk, or by the sum of a split block's pieces.
  std::vector<int> writers(static_cast<std::size_t>(copy.rows), 0);
  const auto count = [&](offset_t begin, offset_t end) {
    for (offset_t i = begin; i < end; ++i) ++writers[static_cast<std::size_t>(i)];
  };
  for (const SortedChunk& chunk : chunks) {
    if (chunk.partial_row < 0) count(chunk.row_begin, chunk.row_end);
  }
  offset_t partial_rows = 0;
  for (std::size_t s = 0; s < copy.split_blocks.extent(0); ++s) {
    const auto& block = copy.split_blocks(s);
    count(block.row_begin, block.zero_end);
    ASSERT_GE(block.zero_end, block.row_end);
    ASSERT_EQ(block.partial_row, partial_rows);
    for (offset_t piece = 0; piece < block.pieces; ++piece) {
      // The pieces are the chunks with these partial rows.
      const auto found = std::count_if(chunks.begin(), chunks.end(), [&](const SortedChunk& chunk) {
        return chunk.partial_row == partial_rows && chunk.row_begin == block.row_begin &&
               chunk.row_end == block.row_end;
      });
      ASSERT_EQ(found, 1) << "piece " << piece << " of split block " << s;
      partial_rows += block.row_end - block.row_begin;
    }
  }
  ASSERT_EQ(partial_rows, copy.partial_rows);
  for (std::size_t i = 0; i < writers.size(); ++i) ASSERT_EQ(writers[i], 1) << "row " << i;
}

TEST(SortedCopyTest, ChunksPartitionRowsAndNonzerosOfRandomTensors) {
  std::mt19937_64 random(3);
  for (unsigned trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const std::vector<std::size_t> dimensions{1 + random() % 60, 1 + random() % 60,
                                              1 + random() % 60};
    const auto tensor = random_tensor({.dimensions = dimensions,
                                       .nnz = random() % 400,
                                       .seed = trial,
                                       .empty_slices = trial % 3 == 0,
                                       .heavy_slice = trial % 2 == 0});
    NonzeroOrder order;
    order.row_mode = static_cast<int>(random() % 3);
    order.row_block_bits = static_cast<int>(random() % 7);  // up to one block of all rows
    if (trial % 4 >= 2) order.tiles.push_back({(order.row_mode + 1) % 3, 2});
    if (trial % 8 >= 4) order.tiles.push_back({(order.row_mode + 2) % 3, 1});
    const auto chunk = static_cast<offset_t>(1 + random() % 50);
    const auto copy = sort(tensor, order, chunk);
    expect_nonzeros_in_order(tensor, copy);
    // A block that is not cut may be twice the target length, and another may follow in its chunk.
    expect_chunks_partition(copy, 5 * chunk + 5);
    if (HasFatalFailure()) return;
  }
}

// With one block of all rows the order does not depend on the row mode.
TEST(SortedCopyTest, CopiesOfTheSameOrderShareTheirRecords) {
  const auto tensor = random_tensor({.dimensions = {30, 40, 50}, .nnz = 500});
  const Exec exec{};
  const auto packed = genten::pack(
      exec, genten::RelabeledTensor(genten_test::to_sptensor<double, std::uint32_t, Exec>(tensor)),
      {{{0}}, {{1}}, {{2}}});
  ASSERT_TRUE(packed.has_value());
  genten::detail::SortRoom<Exec> room;
  const NonzeroOrder first{0, 5, {{2, 1}}}, second{1, 6, {{2, 1}}}, rows{2, 1, {}}, other{2, 2, {}};
  const auto sorted = [&](const NonzeroOrder& order) {
    const auto copy = genten::make_sorted_copy(exec, *packed, order, 100, SortInput::keep, room);
    expect_nonzeros_in_order(tensor, copy);
    expect_chunks_partition(copy, 505);
    return copy.records.data();
  };
  const auto* const shared = sorted(first);
  EXPECT_EQ(sorted(second), shared);
  EXPECT_EQ(sorted(rows), shared);
  EXPECT_NE(sorted(other), shared);
}

// One, two and three passes, after the last of which the result lies here or there.
TEST(SortedCopyTest, CopiesMayLieWhereTheRecordsLay) {
  const auto tensor = random_tensor({.dimensions = {4000, 3000, 2000}, .nnz = 140000, .seed = 3});
  for (const NonzeroOrder& order :
       {NonzeroOrder{0, 4, {}}, NonzeroOrder{0, 2, {{1, 2}}}, NonzeroOrder{0, 0, {{1, 0}}}}) {
    const auto copy = sort(tensor, order, 10000, SortInput::consume);
    expect_nonzeros_in_order(tensor, copy);
    expect_chunks_partition(copy, 100000);
  }
}

// Two passes each, the first by the same digit, from room that is used again, or given away.
TEST(SortedCopyTest, OrdersMayHaveTheirFirstPassInCommon) {
  const auto tensor =
      random_tensor({.dimensions = {500, 700, 2000, 2000}, .nnz = 20000, .seed = 5});
  const Exec exec{};
  const auto packed = genten::pack(
      exec, genten::RelabeledTensor(genten_test::to_sptensor<double, std::uint32_t, Exec>(tensor)),
      {{{0}}, {{1}}, {{2}}, {{3}}});
  ASSERT_TRUE(packed.has_value());
  genten::detail::SortRoom<Exec> room;
  const NonzeroOrder orders[] = {{0, 4, {{1, 4}, {2, 3}}}, {1, 4, {{0, 4}, {2, 3}}},
                                 {3, 4, {{0, 4}, {1, 4}}}, {0, 3, {{1, 4}, {2, 3}}},
                                 {1, 4, {{0, 3}, {2, 3}}}, {1, 3, {{0, 4}, {2, 3}}}};
  for (const NonzeroOrder& order : orders) {
    const auto input = &order == &orders[5] ? SortInput::consume : SortInput::keep;
    const auto copy = genten::make_sorted_copy(exec, *packed, order, 1000, input, room);
    expect_nonzeros_in_order(tensor, copy);
  }
  EXPECT_FALSE(room.first_pass);
}

TEST(SortedCopyTest, ShapesAtTheEdge) {
  for (const auto& tensor :
       {PlainTensor{{5, 4}, {}, {}}, PlainTensor{{0, 4}, {}, {}}, PlainTensor{{1}, {{0}}, {2.0}},
        PlainTensor{{9}, {{8}, {8}, {8}}, {1.0, 2.0, 3.0}}}) {
    const auto copy = sort(tensor, {}, 1);
    expect_nonzeros_in_order(tensor, copy);
    expect_chunks_partition(copy, 3);
  }
}

TEST(SortedCopyTest, TwoWordKeysAreSortedToo) {
  const std::size_t k40 = std::size_t{1} << 40;
  auto tensor = random_tensor({.dimensions = {k40, 30, k40}, .nnz = 2000});
  // Few rows of the long modes, far apart.
  for (auto& at : tensor.subscripts) at[0] = at[0] % 16 << 36, at[2] = at[2] % 64 << 34;
  NonzeroOrder order;
  order.row_mode = 1;
  order.tiles = {{0, 37}, {2, 35}};
  const auto copy = sort(tensor, order, 100);
  EXPECT_EQ(copy.layout.key_words, 2);
  expect_nonzeros_in_order(tensor, copy);
  expect_chunks_partition(copy, 505);
}

// Row blocks and tiles whose leading bits together are more than one word: the later tiles may be
// left out of the order, but rows must stay in order and every nonzero must be there.
TEST(SortedCopyTest, MoreOrderBitsThanAWordKeepTheRowsInOrder) {
  const auto tensor =
      random_tensor({.dimensions = std::vector<std::size_t>(6, std::size_t{1} << 20), .nnz = 3000});
  NonzeroOrder order;
  order.row_block_bits = 4;
  for (int mode = 1; mode < 6; ++mode) order.tiles.push_back({mode, 4});
  const auto copy = sort(tensor, order, 100);
  expect_chunks_partition(copy, 505);
  for (offset_t p = 1; p < copy.nnz(); ++p) {
    ASSERT_LE(subscripts_at(copy, p - 1)[0] >> 4, subscripts_at(copy, p)[0] >> 4) << p;
  }
}

}  // namespace
