// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// SortedCopy: its chunks share out all nonzeros and all output rows, each exactly once.

#include <genten/format/make_sorted_copy.hpp>

#include "reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <utility>

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
  const auto packed = genten::pack_records(
      exec, genten::RelabeledTensor(genten_test::to_sptensor<double, std::uint64_t, Exec>(tensor)),
      modes);
  exec.fence();
  EXPECT_TRUE(packed.has_value());
  genten::detail::SortWorkspace<Exec> workspace;
  const auto copy = genten::make_sorted_copy(exec, *packed, order, chunk, input, workspace);
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

/// What a NonzeroOrder sorts by: the tiles.
std::vector<std::size_t> rank_of(const NonzeroOrder& order, const std::vector<std::size_t>& at) {
  std::vector<std::size_t> result;
  for (const auto& tile : order.tiles) {
    result.push_back(at[static_cast<std::size_t>(tile.mode)] >> tile.bits);
  }
  return result;
}

/// Row blocks of 2^bits rows of a mode, together in the order.
NonzeroOrder row_blocks(int row_mode, int bits, std::vector<NonzeroOrder::Tile> tiles = {}) {
  tiles.insert(tiles.begin(), {row_mode, bits});
  return {.tiles = std::move(tiles), .row_mode = row_mode, .row_block_bits = bits, .fetched_mode{}};
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
  // Every nonzero lies in one range of one chunk, which covers its row. A row's nonzeros are taken
  // in the order in which they lie.
  std::vector<SortedChunk> chunks(copy.chunks.data(), copy.chunks.data() + copy.chunks.extent(0));
  std::vector<int> takers(static_cast<std::size_t>(copy.nnz()), 0);
  std::vector<offset_t> latest(static_cast<std::size_t>(copy.rows), -1);
  offset_t next = 0;
  for (const SortedChunk& chunk : chunks) {
    ASSERT_EQ(chunk.ranges_begin, next);
    ASSERT_LE(chunk.ranges_begin, chunk.ranges_end);
    next = chunk.ranges_end;
    offset_t count = 0;
    for (offset_t r = chunk.ranges_begin; r < chunk.ranges_end; ++r) {
      for (offset_t p = copy.ranges(r).begin; p < copy.ranges(r).end; ++p) {
        const auto row = static_cast<offset_t>(
            subscripts_at(copy, p)[static_cast<std::size_t>(copy.order.row_mode)]);
        ASSERT_GE(row, chunk.row_begin);
        ASSERT_LT(row, chunk.row_end);
        ASSERT_LT(std::exchange(latest[static_cast<std::size_t>(row)], p), p);
        ++takers[static_cast<std::size_t>(p)];
        ++count;
      }
    }
    ASSERT_LE(count, longest);
  }
  ASSERT_EQ(next, static_cast<offset_t>(copy.ranges.extent(0)));
  for (std::size_t p = 0; p < takers.size(); ++p) ASSERT_EQ(takers[p], 1) << "nonzero " << p;
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
    const auto row_mode = static_cast<int>(random() % 3);
    const auto bits = static_cast<int>(random() % 7);  // up to one block of all rows
    NonzeroOrder order = row_blocks(row_mode, bits);
    if (trial % 4 >= 2) order.tiles.push_back({(row_mode + 1) % 3, 2});
    if (trial % 8 >= 4) order.tiles.push_back({(row_mode + 2) % 3, 1});
    // Row blocks may lie together or in many ranges.
    std::rotate(order.tiles.begin(),
                order.tiles.begin() + static_cast<std::ptrdiff_t>(random() % order.tiles.size()),
                order.tiles.end());
    const auto chunk = static_cast<offset_t>(1 + random() % 50);
    const auto copy = sort(tensor, order, chunk);
    expect_nonzeros_in_order(tensor, copy);
    // A block that is not cut may be twice the target length, and another may follow in its chunk.
    expect_chunks_partition(copy, 5 * chunk + 5);
    if (HasFatalFailure()) return;
  }
}

/// The ranges of a single chunk, by comparing the row block of each nonzero with the one before.
std::vector<std::pair<offset_t, offset_t>> ranges_by_block(const Copy& copy) {
  const auto block_of = [&](offset_t p) {
    return subscripts_at(copy, p)[static_cast<std::size_t>(copy.order.row_mode)] >>
           copy.order.row_block_bits;
  };
  std::vector<std::pair<offset_t, offset_t>> ranges;
  for (offset_t p = 0; p < copy.nnz(); ++p) {
    if (p == 0 || block_of(p) != block_of(p - 1)) ranges.emplace_back(p, p);
    ++ranges.back().second;
  }
  std::stable_sort(ranges.begin(), ranges.end(), [&](const auto& a, const auto& b) {
    return block_of(a.first) < block_of(b.first);
  });
  return ranges;
}

// Row blocks of the tile's rows and of several tiles', in many entries of few nonzeros and in few
// of many, over the ends of the pieces that threads look at.
TEST(SortedCopyTest, RangesAreTheRunsOfRowBlocks) {
  const auto tensor =
      random_tensor({.dimensions = {500, 400, 300}, .nnz = 60000, .seed = 5, .heavy_slice = true});
  for (const auto& [first, row, block] :
       {std::tuple{7, 5, 5}, std::tuple{2, 3, 5}, std::tuple{8, 0, 0}, std::tuple{0, 6, 6}}) {
    NonzeroOrder order = row_blocks(0, first, {{1, row}, {2, 5}});
    order.row_mode = 1;
    order.row_block_bits = block;
    const auto copy = sort(tensor, order, static_cast<offset_t>(tensor.nnz()));
    ASSERT_EQ(copy.chunks.extent(0), 1u);
    const auto expected = ranges_by_block(copy);
    ASSERT_EQ(copy.ranges.extent(0), expected.size());
    for (std::size_t r = 0; r < expected.size(); ++r) {
      ASSERT_EQ(std::pair(copy.ranges(r).begin, copy.ranges(r).end), expected[r]) << r;
    }
  }
}

TEST(SortedCopyTest, CopiesOfTheSameOrderShareTheirRecords) {
  const auto tensor = random_tensor({.dimensions = {30, 40, 50}, .nnz = 5000});
  const Exec exec{};
  const auto packed = genten::pack_records(
      exec, genten::RelabeledTensor(genten_test::to_sptensor<double, std::uint32_t, Exec>(tensor)),
      {{{0}}, {{1}}, {{2}}});
  ASSERT_TRUE(packed.has_value());
  genten::detail::SortWorkspace<Exec> workspace;
  const auto sorted = [&](NonzeroOrder order, int row_mode, SortInput input) {
    order.row_mode = row_mode;
    const auto copy = genten::make_sorted_copy(exec, *packed, order, 100, input, workspace);
    expect_nonzeros_in_order(tensor, copy);
    expect_chunks_partition(copy, 505);
    return copy.records;
  };
  const NonzeroOrder entries = row_blocks(0, 3, {{1, 3}, {2, 1}});
  const auto shared = sorted(entries, 0, SortInput::keep);
  EXPECT_EQ(sorted(entries, 1, SortInput::keep).data(), shared.data());
  EXPECT_EQ(sorted(entries, 2, SortInput::keep).data(), shared.data());
  const NonzeroOrder other = row_blocks(2, 1, {{1, 3}});
  const auto last = sorted(other, 2, SortInput::consume);
  EXPECT_NE(last.data(), shared.data());
  EXPECT_EQ(sorted(other, 0, SortInput::consume).data(), last.data());
}

// One, two and three passes, after the last of which the result lies here or there.
TEST(SortedCopyTest, CopiesMayLieWhereTheRecordsLay) {
  const auto tensor = random_tensor({.dimensions = {4000, 3000, 2000}, .nnz = 140000, .seed = 3});
  for (const NonzeroOrder& order :
       {row_blocks(0, 4), row_blocks(0, 2, {{1, 2}}), row_blocks(0, 0, {{1, 0}})}) {
    const auto copy = sort(tensor, order, 10000, SortInput::consume);
    expect_nonzeros_in_order(tensor, copy);
    expect_chunks_partition(copy, 100000);
  }
}

// Two passes each, the first by the same digit, from workspace that is used again, or given away.
TEST(SortedCopyTest, OrdersMayHaveTheirFirstPassInCommon) {
  const auto tensor =
      random_tensor({.dimensions = {500, 700, 2000, 2000}, .nnz = 20000, .seed = 5});
  const Exec exec{};
  const auto packed = genten::pack_records(
      exec, genten::RelabeledTensor(genten_test::to_sptensor<double, std::uint32_t, Exec>(tensor)),
      {{{0}}, {{1}}, {{2}}, {{3}}});
  ASSERT_TRUE(packed.has_value());
  genten::detail::SortWorkspace<Exec> workspace;
  const NonzeroOrder orders[] = {
      row_blocks(0, 4, {{1, 4}, {2, 3}}), row_blocks(1, 4, {{0, 4}, {2, 3}}),
      row_blocks(3, 4, {{0, 4}, {1, 4}}), row_blocks(0, 3, {{1, 4}, {2, 3}}),
      row_blocks(1, 4, {{0, 3}, {2, 3}}), row_blocks(1, 3, {{0, 4}, {2, 3}})};
  for (const NonzeroOrder& order : orders) {
    const auto input = &order == &orders[5] ? SortInput::consume : SortInput::keep;
    const auto copy = genten::make_sorted_copy(exec, *packed, order, 1000, input, workspace);
    expect_nonzeros_in_order(tensor, copy);
  }
  EXPECT_FALSE(workspace.first_pass);
}

TEST(SortedCopyTest, ShapesAtTheEdge) {
  for (const auto& tensor :
       {PlainTensor{{5, 4}, {}, {}}, PlainTensor{{0, 4}, {}, {}}, PlainTensor{{1}, {{0}}, {2.0}},
        PlainTensor{{9}, {{8}, {8}, {8}}, {1.0, 2.0, 3.0}}}) {
    const auto copy = sort(tensor, NonzeroOrder::by_row(0), 1);
    expect_nonzeros_in_order(tensor, copy);
    expect_chunks_partition(copy, 3);
  }
}

/// Against a plain count of the windows of nonzeros that are looked at.
TEST(SortedCopyTest, MeanRunsAreThoseOfNeighboursInOneRow) {
  for (const std::size_t nnz : {0U, 1U, 2U, 500U, 1024U, 1025U, 20000U}) {
    for (const std::size_t rows : {1U, 7U, 5000U}) {
      const auto tensor = random_tensor({.dimensions = {rows, 50, 60}, .nnz = nnz, .seed = 9});
      const auto copy = sort(tensor, NonzeroOrder::by_row(0), 1000);
      const auto row = [&](std::size_t p) {
        return subscripts_at(copy, static_cast<offset_t>(p))[0];
      };
      const std::size_t window = std::min<std::size_t>(nnz, 1024);
      double looked_at = 0.0, runs = 0.0;
      for (std::size_t begin = 0; window != 0 && begin + window <= nnz; begin += window) {
        for (std::size_t p = begin; p < begin + window; ++p) {
          looked_at += 1.0;
          if (p == begin || row(p) != row(p - 1)) runs += 1.0;
        }
      }
      EXPECT_EQ(copy.mean_run, runs == 0.0 ? 0.0 : looked_at / runs) << nnz << ", " << rows;
    }
  }
}

TEST(SortedCopyTest, TwoWordKeysAreSortedToo) {
  const std::size_t k40 = std::size_t{1} << 40;
  auto tensor = random_tensor({.dimensions = {k40, 30, k40}, .nnz = 2000});
  // Few rows of the long modes, far apart.
  for (auto& at : tensor.subscripts) at[0] = at[0] % 16 << 36, at[2] = at[2] % 64 << 34;
  const auto order = row_blocks(1, 0, {{0, 37}, {2, 35}});
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
  NonzeroOrder order = row_blocks(0, 4);
  for (int mode = 1; mode < 6; ++mode) order.tiles.push_back({mode, 4});
  const auto copy = sort(tensor, order, 100);
  expect_chunks_partition(copy, 505);
  for (offset_t p = 1; p < copy.nnz(); ++p) {
    ASSERT_LE(subscripts_at(copy, p - 1)[0] >> 4, subscripts_at(copy, p)[0] >> 4) << p;
  }
}

}  // namespace
