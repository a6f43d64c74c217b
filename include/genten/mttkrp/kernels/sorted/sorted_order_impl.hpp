// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// In which orders the sorted kernel copies the nonzeros, and into what chunks it cuts them.

#include <genten/mttkrp/kernels/sorted/fusion_choice_impl.hpp>

namespace genten::detail {

/// The orders that there are for the MTTKRPs of a tensor's modes, each the best when it fits.
class OrderChoice {
 public:
  /// Rows that fewer than `low_reuse` nonzeros use while they are in L2 are fetched ahead.
  OrderChoice(std::span<const std::size_t> dimensions, double nonzeros, double row_bytes,
              double low_reuse)
      : m_dimensions(dimensions),
        m_longest(by_length().back()),
        m_nonzeros(nonzeros),
        m_row_bytes(row_bytes),
        m_low_reuse(low_reuse) {}

  /// The mode that comes last in the order of tiles.
  [[nodiscard]] int longest() const { return m_longest; }
  [[nodiscard]] int shortest() const { return by_length().front(); }
  /// Bytes of all factors, of the longest, and of all others.
  [[nodiscard]] double factor_bytes() const {
    return std::accumulate(m_dimensions.begin(), m_dimensions.end(), 0.0) * m_row_bytes;
  }
  [[nodiscard]] double longest_bytes() const {
    return static_cast<double>(length(m_longest)) * m_row_bytes;
  }
  [[nodiscard]] double other_bytes() const { return factor_bytes() - longest_bytes(); }
  /// Blocks that tiles of 2^bits subscripts of every mode make.
  [[nodiscard]] double blocks(int bits) const {
    double product = 1.0;
    for (int m = 0; m < modes(); ++m) product *= tiles_of(m, bits);
    return product;
  }

  /// Nonzeros that use each row of a tile of 2^bits rows in a block of such tiles, on average.
  [[nodiscard]] double reuse(int bits) const { return m_nonzeros / std::ldexp(blocks(bits), bits); }

  /// The bits of tiles, from `most` down to `least`: the fewest with which a block still has so
  /// many nonzeros a row of a tile.
  [[nodiscard]] int block_bits(int least, int most, double reuse) const {
    int bits = most;
    while (bits > least && this->reuse(bits - 1) >= reuse) --bits;
    return bits;
  }

  /// The longest factor from end to end, whatever the row mode.
  [[nodiscard]] NonzeroOrder streamed(int row_mode, int bits) const {
    NonzeroOrder order;
    order.row_mode = row_mode;
    order.row_block_bits = row_mode == m_longest ? bits : bits_for(length(row_mode));
    order.tiles = {{m_longest, bits}};
    if (row_mode != m_longest) order.fetched_mode = m_longest;
    return order;
  }

  /// Block by block, whatever the row mode. Within a block, and from one entry to the next of the
  /// same tiles of the other modes, rows of the longest mode are used in ascending order, in runs
  /// of 2^fine_bits: a stream that the processor's prefetchers follow.
  [[nodiscard]] NonzeroOrder in_blocks(int row_mode, int bits, int fine_bits) const {
    return tiled_by(by_length(), row_mode, bits, fine_bits);
  }

  /// An order for this row mode: its tiles first, and those of the longest other mode last.
  [[nodiscard]] NonzeroOrder in_row_blocks(int row_mode, int bits, int fine_bits) const {
    std::vector<int> sequence = by_length();
    const auto row = std::find(sequence.begin(), sequence.end(), row_mode);
    std::rotate(sequence.begin(), row, row + 1);
    return tiled_by(sequence, row_mode, bits, fine_bits);
  }

 private:
  [[nodiscard]] int modes() const { return static_cast<int>(m_dimensions.size()); }
  [[nodiscard]] std::size_t length(int mode) const {
    return m_dimensions[static_cast<std::size_t>(mode)];
  }
  [[nodiscard]] double tiles_of(int mode, int bits) const {
    return std::ceil(std::ldexp(static_cast<double>(length(mode)), -bits));
  }
  [[nodiscard]] std::vector<int> by_length() const {
    std::vector<int> sequence(m_dimensions.size());
    std::iota(sequence.begin(), sequence.end(), 0);
    std::stable_sort(sequence.begin(), sequence.end(),
                     [&](int a, int b) { return length(a) < length(b); });
    return sequence;
  }

  [[nodiscard]] NonzeroOrder tiled_by(const std::vector<int>& sequence, int row_mode, int bits,
                                      int fine_bits) const {
    NonzeroOrder order;
    order.row_mode = row_mode;
    order.row_block_bits = std::min(bits, bits_for(length(row_mode)));
    const auto end = sequence.end() - 1;
    for (auto mode = sequence.begin(); mode != end; ++mode) {
      if (bits_for(length(*mode)) > bits) order.tiles.push_back({*mode, bits});
    }
    order.tiles.push_back({*end, std::min(bits, fine_bits)});
    order.fetched_mode = fetched_mode(sequence, row_mode, bits);
    return order;
  }

  /// The mode whose tile changes most often, or whose rows are run through from end to end, if
  /// few nonzeros use each of its rows meanwhile: they then come from afar.
  [[nodiscard]] std::optional<int> fetched_mode(const std::vector<int>& sequence, int row_mode,
                                                int bits) const {
    const int last = sequence.back();
    double rows = static_cast<double>(length(last));
    int mode = last;
    double visits = blocks(bits);
    if (last != row_mode) {
      visits /= tiles_of(last, bits);
    } else if (sequence.size() > 1) {
      mode = sequence[sequence.size() - 2];
      rows = std::min(std::ldexp(1.0, bits), static_cast<double>(length(mode)));
    }
    if (mode == row_mode || m_nonzeros >= m_low_reuse * visits * rows) return std::nullopt;
    return mode;
  }

  std::span<const std::size_t> m_dimensions;
  int m_longest;
  double m_nonzeros;
  double m_row_bytes;
  double m_low_reuse;
};

/// The bits of tiles where a pass reads so many bytes of each row.
struct TileBits {
  int most = 0;       ///< of tiles that have their share of the L2 cache
  int in_blocks = 0;  ///< of the smallest that still are used often enough in blocks of such tiles
};
/// Tiles in blocks take at least `least_bytes`, if the largest do.
[[nodiscard]] inline TileBits bits_of_tiles(const OrderChoice& choice, double pass_bytes,
                                            double least_bytes, const MachineProperties& machine,
                                            const kernels::SortedTuning& tuning) {
  const int most = tile_bits(tuning.tile_share * machine.l2_cache, pass_bytes);
  return {most,
          choice.block_bits(tile_bits(least_bytes, pass_bytes), most, tuning.reuse_per_block)};
}

}  // namespace genten::detail

namespace genten::kernels {

inline bool Sorted::keeps_order(const MttkrpProblem& problem, const MachineProperties& machine,
                                const Tuning& tuning) {
  const bool few = problem.sweeps > 0.0 && problem.sweeps <= tuning.unsorted_sweeps;
  const double rows = std::accumulate(problem.dimensions.begin(), problem.dimensions.end(), 0.0);
  return few && !machine.device &&
         rows * problem.row_bytes() <= tuning.unsorted_l2_caches * machine.l2_cache;
}

inline std::vector<NonzeroOrder> Sorted::choose_tuple_orders(
    std::span<const std::size_t> dimensions, double records, double row_bytes,
    const MachineProperties& machine, const Tuning& tuning) {
  constexpr int tuples = 0, other = 1;
  const double pass_bytes = detail::bytes_of_pass(row_bytes);
  const auto length = [&](int mode) { return dimensions[static_cast<std::size_t>(mode)]; };
  const double chunk = records / (tuning.tuple_chunks_per_core * machine.cores);
  const double tile = std::min(tuning.tuple_tile_caches * machine.l2_cache,
                               std::max(chunk, tuning.tile_share * machine.l2_cache));
  const int bits = std::min(detail::tile_bits(tile, pass_bytes), detail::bits_for(length(other)));
  // Blocks of tuples: no more than threads need, since each reads all rows of the other mode, and
  // the fewer they are, the more often while a tile is in L2.
  const int blocks = std::bit_width(static_cast<unsigned>(machine.cores));
  const int block_bits = std::max(0, detail::bits_for(length(tuples)) - blocks);
  std::vector<NonzeroOrder::Tile> tiles;
  if (bits < detail::bits_for(length(other))) tiles.push_back({other, bits});
  tiles.push_back({tuples, block_bits});
  std::vector<NonzeroOrder> orders(2);
  for (int mode = 0; mode < 2; ++mode) {
    orders[static_cast<std::size_t>(mode)].row_mode = mode;
    orders[static_cast<std::size_t>(mode)].tiles = tiles;
  }
  orders[tuples].row_block_bits = block_bits;
  orders[other].row_block_bits = bits;
  return orders;
}

inline NonzeroOrder Sorted::tuple_order(int mode, std::size_t rows, double row_bytes,
                                        const MachineProperties& machine, const Tuning& tuning) {
  NonzeroOrder order;
  order.row_mode = mode;
  order.row_block_bits = std::min(
      detail::tile_bits(tuning.tile_share * machine.l2_cache, detail::bytes_of_pass(row_bytes)),
      detail::bits_for(rows));
  if (order.row_block_bits < detail::bits_for(rows)) order.tiles = {{mode, order.row_block_bits}};
  return order;
}

inline SortedChoice Sorted::choose(const MttkrpProblem& problem, std::vector<ModeGroup> groups,
                                   std::span<const std::size_t> lengths, int words,
                                   const MachineProperties& machine, const Tuning& tuning,
                                   const RowReuse& reuse) {
  Choice choice;
  choice.groups = std::move(groups);
  const auto nonzeros = static_cast<double>(problem.nnz);
  double row_bytes = problem.row_bytes();
  if (!machine.device) {
    choice.panel_packs = choose_panel(lengths, row_bytes, nonzeros, machine, tuning);
    if (choice.panel_packs > 0) row_bytes = 64.0 * choice.panel_packs;
  }
  if (machine.device) {
    // Devices hide the latency of gathers by their many threads.
    for (std::size_t g = 0; g < lengths.size(); ++g) {
      choice.orders.push_back(NonzeroOrder::by_row(static_cast<int>(g)));
    }
  } else if (keeps_order(problem, machine, tuning)) {
    for (std::size_t g = 0; g < lengths.size(); ++g) {
      choice.orders.push_back(NonzeroOrder::as_they_came(static_cast<int>(g), lengths[g]));
    }
  } else if (detail::are_tuples_and_one(choice.groups)) {
    choice.orders =
        choose_tuple_orders(lengths, nonzeros * 8.0 * words, row_bytes, machine, tuning);
  } else {
    choice.orders = choose_orders(lengths, nonzeros, row_bytes, machine, tuning, reuse);
  }
  for (std::size_t g = 0; g < lengths.size(); ++g) {
    choice.chunk_lengths.push_back(
        chunk_length(choice.orders[g], lengths[g], row_bytes, nonzeros, 8.0 * words, machine,
                     tuning, detail::are_tuples_and_one(choice.groups) ? 1.0 : 0.0));
  }
  return choice;
}

inline double Sorted::cost(const MttkrpProblem& problem, const MachineProperties& machine,
                           const Tuning&) {
  const double row = problem.row_bytes();
  double bytes = 0.0;
  for (int n = 0; n < problem.order(); ++n) {
    double gathered = 0.0;
    for (int m = 0; m < problem.order(); ++m) {
      const double factor =
          static_cast<double>(problem.dimensions[static_cast<std::size_t>(m)]) * row;
      if (m != n && factor > machine.l2_cache) gathered += row;
    }
    bytes += static_cast<double>(problem.nnz) *
             (8.0 + static_cast<double>(problem.scalar_bytes) + 0.25 * gathered);
  }
  return bytes;
}

inline int Sorted::choose_panel(std::span<const std::size_t> dimensions, double row_bytes,
                                double nonzeros, const MachineProperties& machine,
                                const Tuning& tuning) {
  const auto rows = std::accumulate(dimensions.begin(), dimensions.end(), 0.0);
  if (rows * tuning.nonzeros_per_panel_row > nonzeros) return 0;
  const detail::OrderChoice choice(dimensions, nonzeros, row_bytes, tuning.low_reuse);
  const auto tiles = [&](double bytes) {
    return detail::bits_of_tiles(choice, bytes, 0.0, machine, tuning);
  };
  // Whether rows are used often enough while they are in L2, where passes read so much of them.
  const auto reused = [&](double bytes) {
    return choice.reuse(tiles(bytes).most) >= tuning.reuse_per_block;
  };
  const double wide = 64.0 * tuning.wide_panel, narrow = 64.0 * tuning.narrow_panel;
  if (detail::bytes_of_pass(row_bytes) == row_bytes && reused(row_bytes)) {
    const double tile = std::ldexp(row_bytes, tiles(row_bytes).in_blocks);
    const bool cached = tile < tuning.panelled_tile_share * machine.l2_cache;
    return row_bytes <= wide || cached ? 0 : tuning.wide_panel;
  }
  // What lies between the columns of a pass takes a part of the caches, too.
  if (row_bytes > wide && reused(wide)) return tuning.wide_panel;
  return row_bytes > narrow ? tuning.narrow_panel : 0;
}

inline std::vector<NonzeroOrder> Sorted::choose_orders(std::span<const std::size_t> dimensions,
                                                       double nonzeros, double row_bytes,
                                                       const MachineProperties& machine,
                                                       const Tuning& tuning,
                                                       const RowReuse& reuse) {
  const detail::OrderChoice choice(dimensions, nonzeros, row_bytes, tuning.low_reuse);
  const bool streamed = choice.longest_bytes() > tuning.streamed_share * machine.shared_cache &&
                        choice.other_bytes() <= tuning.streamed_others * machine.l2_cache;
  // A nonzero of two modes gathers but one row, for which the L2 cache is near enough; nonzeros
  // of the other mode's row then follow each other, and it stays in registers or nearly so.
  const bool two_modes = dimensions.size() == 2;
  const int fine_bits = two_modes ? 0 : tuning.fine_bits;
  const double least_bytes =
      two_modes ? tuning.tile_share * machine.l2_cache : tuning.least_tile_share * machine.l1_cache;
  const auto [most, bits] =
      detail::bits_of_tiles(choice, detail::bytes_of_pass(row_bytes), least_bytes, machine, tuning);
  const bool few_blocks = choice.blocks(most) * tuning.nonzeros_per_block <= nonzeros;
  const bool cached = choice.factor_bytes() <= tuning.non_temporal_share * machine.shared_cache;
  bool non_temporal = false;
  if (few_blocks && cached && dimensions.size() > 2) {
    const NonzeroOrder order = choice.in_blocks(choice.shortest(), bits, fine_bits);
    // Evenly spread subscripts use no row more often, but of others some may be used much more.
    non_temporal = order.fetched_mode && reuse(order) <= 1.0 + tuning.low_reuse;
  }
  std::vector<NonzeroOrder> orders;
  for (int mode = 0; mode < static_cast<int>(dimensions.size()); ++mode) {
    if (streamed) {
      orders.push_back(choice.streamed(mode, fine_bits));
    } else if (few_blocks) {
      // Only gathered rows can bypass the L2 cache: the longest mode has an order of its own
      // then.
      orders.push_back(non_temporal && mode == choice.longest()
                           ? choice.in_row_blocks(mode, bits, fine_bits)
                           : choice.in_blocks(mode, bits, fine_bits));
      orders.back().non_temporal = non_temporal && orders.back().fetched_mode.has_value();
    } else {
      // Blocks would be too many.
      orders.push_back(choice.in_row_blocks(mode, most, fine_bits));
    }
  }
  return orders;
}

inline offset_t Sorted::chunk_length(const NonzeroOrder& order, std::size_t rows, double row_bytes,
                                     double records, double record_bytes,
                                     const MachineProperties& machine, const Tuning& tuning,
                                     double least_share) {
  if (order.row_block_bits == 0) return tuning.nonzeros_per_chunk;
  const double block_rows =
      std::min(static_cast<double>(rows), std::ldexp(1.0, order.row_block_bits));
  const double sums = block_rows * row_bytes / record_bytes;
  const double affordable = tuning.records_per_sums * sums;
  const double balanced =
      std::max(records / (tuning.chunks_per_core * machine.cores), least_share * sums);
  return std::max(tuning.nonzeros_per_chunk, static_cast<offset_t>(std::min(affordable, balanced)));
}

}  // namespace genten::kernels
