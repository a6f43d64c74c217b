// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SortedCopy: the nonzeros once more, in the order that suits the MTTKRP of one mode.

#include <genten/base/types.hpp>
#include <genten/format/record_layout.hpp>

#include <optional>
#include <vector>

namespace genten {

/// The order of a SortedCopy, and how the rows of one mode are computed from it.
struct NonzeroOrder {
  /// A tile is 2^bits neighbouring subscripts of a mode.
  struct Tile {
    int mode = 0;
    int bits = 0;
    bool operator==(const Tile&) const = default;
  };
  /// Nonzeros are sorted by the tile of each of these modes in turn; within that they keep the
  /// order they came in.
  std::vector<Tile> tiles;
  int row_mode = 0;        ///< the mode whose rows are computed
  int row_block_bits = 0;  ///< a row block, which is computed as a whole, is 2^row_block_bits rows
  /// The mode, if any, whose rows are worth fetching some nonzeros before they are multiplied.
  std::optional<int> fetched_mode;
  /// Whether those rows bypass the L2 cache: they come from the shared cache and would have left
  /// the near one before they are used again, so that they had better not displace other rows.
  bool non_temporal = false;

  /// The order that the nonzeros came in, of a mode of so many rows, which are one block.
  static NonzeroOrder as_they_came(int mode, std::size_t rows) {
    NonzeroOrder order;
    order.row_mode = mode;
    order.row_block_bits = detail::bits_for(rows);
    return order;
  }

  /// The plain order by row.
  static NonzeroOrder by_row(int mode) {
    NonzeroOrder order;
    order.tiles = {{mode, 0}};
    order.row_mode = mode;
    return order;
  }
};

/// Neighbouring nonzeros of a SortedCopy.
struct NonzeroRange {
  offset_t begin = 0;
  offset_t end = 0;
};

/// What one thread or team processes alone: some ranges of nonzeros.
struct SortedChunk {
  offset_t ranges_begin = 0;
  offset_t ranges_end = 0;
  /// Output rows that this chunk alone writes; for a partial chunk, the rows of its block.
  offset_t row_begin = 0;
  offset_t row_end = 0;
  /// -1: output rows are written directly. Otherwise the chunk is one of several of a heavy row
  /// block and sums into rows of its own, from this row of the partial sums on.
  offset_t partial_row = -1;
};

/// A row block that several chunks share, whose partial sums are added in order at the end.
struct SplitBlock {
  offset_t row_begin = 0;
  offset_t row_end = 0;      ///< rows of the block
  offset_t zero_end = 0;     ///< rows after the block that no chunk holds and that are zero
  offset_t partial_row = 0;  ///< its first row in the partial sums
  offset_t pieces = 0;       ///< chunks; each has row_end - row_begin rows of partial sums
};

/// Records in the order `order`, shared out to chunks of about equal numbers of nonzeros. A row
/// block whose nonzeros do not lie together is processed range by range: so one copy of the
/// nonzeros serves all modes whose orders have the same tiles. Chunks depend on the nonzeros alone,
/// not on the number of threads, so sums over them are deterministic.
template <RealScalar Scalar, ExecutionSpace Exec>
struct SortedCopy {
  using memory_space = typename Exec::memory_space;

  NonzeroOrder order;
  RecordLayout layout;
  offset_t rows = 0;
  std::vector<std::size_t> dimensions;
  /// Every row has nonzeros, and nonzeros are in the plain order by row; found out on devices only.
  bool every_row = false;
  Kokkos::View<std::uint64_t*, memory_space> records;  ///< nnz * layout.words
  Kokkos::View<Scalar*, memory_space> dictionary;      ///< values by code
  Kokkos::View<NonzeroRange*, memory_space> ranges;
  Kokkos::View<SortedChunk*, memory_space> chunks;
  Kokkos::View<SplitBlock*, memory_space> split_blocks;
  offset_t partial_rows = 0;
  /// Consecutive nonzeros of the same row, on average; on hosts from samples.
  double mean_run = 0.0;

  [[nodiscard]] offset_t nnz() const {
    return static_cast<offset_t>(records.extent(0)) / layout.words;
  }
};

}  // namespace genten
