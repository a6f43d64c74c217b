// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// In which order the sorted kernel walks on hosts, and in what pieces.

#include <genten/mttkrp/kernels/sorted/sorted.hpp>

#include <bit>
#include <cmath>
#include <numeric>

namespace genten::detail {

/// The orders that there are for the MTTKRPs of a tensor's modes, each the best when it fits.
class OrderChoice {
 public:
  /// Rows that are met less than `low_reuse` times are fetched ahead.
  OrderChoice(std::span<const std::size_t> dimensions, double nonzeros, double row_bytes,
              double low_reuse)
      : m_dimensions(dimensions),
        m_longest(by_length().back()),
        m_nonzeros(nonzeros),
        m_row_bytes(row_bytes),
        m_low_reuse(low_reuse) {}

  /// The mode that is walked from end to end.
  [[nodiscard]] int longest() const { return m_longest; }
  [[nodiscard]] int shortest() const { return by_length().front(); }
  /// Bytes of all tables, of the longest, and of all others.
  [[nodiscard]] double factor_bytes() const {
    return std::accumulate(m_dimensions.begin(), m_dimensions.end(), 0.0) * m_row_bytes;
  }
  [[nodiscard]] double longest_bytes() const {
    return static_cast<double>(length(m_longest)) * m_row_bytes;
  }
  [[nodiscard]] double other_bytes() const { return factor_bytes() - longest_bytes(); }
  /// Cells that tiles of 2^bits subscripts of every mode make.
  [[nodiscard]] double cells(int bits) const {
    double product = 1.0;
    for (int m = 0; m < modes(); ++m) product *= tiles_of(m, bits);
    return product;
  }

  /// The bits of tiles, from `most` down to `least`: the fewest with which a cell still has so many
  /// nonzeros a row of a tile.
  [[nodiscard]] int cell_bits(int least, int most, double meetings) const {
    int bits = most;
    while (bits > least && m_nonzeros >= meetings * std::ldexp(cells(bits - 1), bits - 1)) --bits;
    return bits;
  }

  /// The longest table from end to end, whatever the row mode.
  [[nodiscard]] NonzeroOrder streamed(int row_mode, int bits) const {
    NonzeroOrder order;
    order.row_mode = row_mode;
    order.row_block_bits = row_mode == m_longest ? bits : bits_for(length(row_mode));
    order.tiles = {{m_longest, bits}};
    if (row_mode != m_longest) order.fetched_mode = m_longest;
    return order;
  }

  /// Cell by cell, whatever the row mode. Within a cell, and from one cell to the next of the same
  /// tiles of the other modes, rows of the longest mode are met in ascending order, in runs of
  /// 2^fine_bits: a stream that the processor's prefetchers follow.
  [[nodiscard]] NonzeroOrder in_cells(int row_mode, int bits, int fine_bits) const {
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
  /// its rows are met but few times meanwhile: they then come from afar.
  [[nodiscard]] std::optional<int> fetched_mode(const std::vector<int>& sequence, int row_mode,
                                                int bits) const {
    const int last = sequence.back();
    double rows = static_cast<double>(length(last));
    int mode = last;
    double visits = cells(bits);
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

/// The largest power of two of rows that fit.
[[nodiscard]] inline int tile_bits(double bytes, double row_bytes) {
  return std::bit_width(static_cast<std::size_t>(std::max(1.0, bytes / row_bytes))) - 1;
}

}  // namespace genten::detail

namespace genten::kernels {

inline bool Sorted::uses_panel(std::span<const std::size_t> dimensions, double row_bytes,
                               double nonzeros, const MachineProperties& machine,
                               const Tuning& tuning) {
  const auto rows = std::accumulate(dimensions.begin(), dimensions.end(), 0.0);
  return row_bytes > 64.0 * tuning.packs_per_panel &&
         rows * row_bytes > tuning.panel_share * machine.shared_cache &&
         rows * tuning.nonzeros_per_panel_row <= nonzeros;
}

inline std::vector<NonzeroOrder> Sorted::choose_orders(std::span<const std::size_t> dimensions,
                                                       double nonzeros, double row_bytes,
                                                       const MachineProperties& machine,
                                                       const Tuning& tuning,
                                                       const RowReuse& meetings) {
  const detail::OrderChoice choice(dimensions, nonzeros, row_bytes, tuning.low_reuse);
  const bool streamed = choice.longest_bytes() > tuning.streamed_share * machine.shared_cache &&
                        choice.other_bytes() <= tuning.streamed_others * machine.near_cache;
  const int most = detail::tile_bits(tuning.tile_share * machine.near_cache, row_bytes);
  // A nonzero of two modes gathers but one row, for which the near cache is near enough; nonzeros
  // of the other mode's row then follow each other, and it stays in registers or nearly so.
  const bool two_modes = dimensions.size() == 2;
  const int fine_bits = two_modes ? 0 : tuning.fine_bits;
  const double least_share = two_modes ? tuning.tile_share : tuning.least_tile_share;
  const int least = detail::tile_bits(least_share * machine.near_cache, row_bytes);
  const bool few_cells = choice.cells(most) * tuning.nonzeros_per_cell <= nonzeros;
  const int bits = choice.cell_bits(least, most, tuning.reuse_per_cell);
  const bool near = choice.factor_bytes() <= tuning.non_temporal_share * machine.shared_cache;
  bool non_temporal = false;
  if (few_cells && near && dimensions.size() > 2) {
    const NonzeroOrder order = choice.in_cells(choice.shortest(), bits, fine_bits);
    // On uniform subscripts none meet more often, but on others some may meet much more often.
    non_temporal = order.fetched_mode && meetings(order) <= 1.0 + tuning.low_reuse;
  }
  std::vector<NonzeroOrder> orders;
  for (int mode = 0; mode < static_cast<int>(dimensions.size()); ++mode) {
    if (streamed) {
      orders.push_back(choice.streamed(mode, fine_bits));
    } else if (few_cells) {
      // Rows that pass by are gathered ones: the longest mode has an order of its own then.
      orders.push_back(non_temporal && mode == choice.longest()
                           ? choice.in_row_blocks(mode, bits, fine_bits)
                           : choice.in_cells(mode, bits, fine_bits));
      orders.back().non_temporal = non_temporal && orders.back().fetched_mode.has_value();
    } else {
      // Cells would be too many.
      orders.push_back(choice.in_row_blocks(mode, most, fine_bits));
    }
  }
  return orders;
}

inline offset_t Sorted::chunk_length(const NonzeroOrder& order, std::size_t rows, double row_bytes,
                                     double records, double record_bytes,
                                     const MachineProperties& machine, const Tuning& tuning) {
  if (order.row_block_bits == 0) return tuning.nonzeros_per_chunk;
  const double block_rows =
      std::min(static_cast<double>(rows), std::ldexp(1.0, order.row_block_bits));
  const double affordable = tuning.records_per_sums * block_rows * row_bytes / record_bytes;
  const double balanced = records / (tuning.chunks_per_core * machine.cores);
  return std::max(tuning.nonzeros_per_chunk, static_cast<offset_t>(std::min(affordable, balanced)));
}

}  // namespace genten::kernels
