// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// In which order the sorted kernel walks on hosts, and in what pieces.

#include <genten/mttkrp/kernels/sorted.hpp>

#include <bit>
#include <cmath>
#include <numeric>

namespace genten::detail {

/// The orders that there are for one MTTKRP, each in its turn the best when it fits.
class OrderChoice {
 public:
  OrderChoice(std::span<const std::size_t> dimensions, int row_mode, double row_bytes)
      : m_dimensions(dimensions),
        m_row_mode(row_mode),
        m_longest(static_cast<int>(std::max_element(dimensions.begin(), dimensions.end()) -
                                   dimensions.begin())),
        m_row_bytes(row_bytes) {}

  /// Bytes of the table of a mode, and of all of them.
  [[nodiscard]] double bytes(int mode) const {
    return static_cast<double>(length(mode)) * m_row_bytes;
  }
  [[nodiscard]] double all_bytes() const {
    double sum = 0.0;
    for (int m = 0; m < modes(); ++m) sum += bytes(m);
    return sum;
  }
  [[nodiscard]] int longest() const { return m_longest; }

  /// Row after row.
  [[nodiscard]] NonzeroOrder by_row() const {
    NonzeroOrder order;
    order.row_mode = m_row_mode;
    return order;
  }

  /// The longest table from end to end, whatever the row mode: one order for all modes, so one
  /// copy.
  [[nodiscard]] NonzeroOrder streamed(int bits) const {
    NonzeroOrder order = by_row();
    order.row_block_bits = bits;
    if (m_row_mode == m_longest) return order;
    order.row_block_bits = bits_for(length(m_row_mode));
    order.tiles.push_back({m_longest, bits});
    order.streamed_mode = m_longest;
    return order;
  }

  /// By tiles of 2^bits rows of each table, that of the output included, but for the longest of the
  /// gathered ones: within the tiles of all others its rows are met in ascending order, in runs of
  /// 2^streamed_bits, a stream that the processor's prefetchers follow.
  [[nodiscard]] NonzeroOrder tiled(int bits, int streamed_bits) const {
    NonzeroOrder order = by_row();
    order.row_block_bits = std::min(bits, bits_for(length(m_row_mode)));
    for (int m = 0; m < modes(); ++m) {
      if (m != m_row_mode && bits_for(length(m)) > bits) order.tiles.push_back({m, bits});
    }
    std::sort(order.tiles.begin(), order.tiles.end(),
              [&](const auto& a, const auto& b) { return length(a.mode) < length(b.mode); });
    if (!order.tiles.empty()) order.tiles.back().bits = std::min(bits, streamed_bits);
    return order;
  }

 private:
  [[nodiscard]] int modes() const { return static_cast<int>(m_dimensions.size()); }
  [[nodiscard]] std::size_t length(int mode) const {
    return m_dimensions[static_cast<std::size_t>(mode)];
  }

  std::span<const std::size_t> m_dimensions;
  int m_row_mode;
  int m_longest;
  double m_row_bytes;
};

/// The largest power of two of rows that fit.
[[nodiscard]] inline int tile_bits(double bytes, double row_bytes) {
  return std::bit_width(static_cast<std::size_t>(std::max(1.0, bytes / row_bytes))) - 1;
}

}  // namespace genten::detail

namespace genten {

inline bool Sorted::moves_columns(std::span<const std::size_t> dimensions, double row_bytes,
                                  double nonzeros, const Machine& machine, const Tuning& tuning) {
  const auto rows = std::accumulate(dimensions.begin(), dimensions.end(), 0.0);
  return row_bytes > 64.0 * tuning.packs_per_slab &&
         rows * row_bytes > tuning.slab_share * machine.shared_cache &&
         rows * tuning.nonzeros_per_moved_row <= nonzeros;
}

inline NonzeroOrder Sorted::choose_order(std::span<const std::size_t> dimensions, int row_mode,
                                         double row_bytes, const Machine& machine,
                                         const Tuning& tuning) {
  const detail::OrderChoice choice(dimensions, row_mode, row_bytes);
  const double gathered = choice.all_bytes() - choice.bytes(row_mode);
  if (gathered <= tuning.resident_share * machine.near_cache) return choice.by_row();
  const double longest = choice.bytes(choice.longest());
  if (longest > tuning.streamed_share * machine.shared_cache &&
      choice.all_bytes() - longest <= tuning.streamed_others * machine.near_cache) {
    return choice.streamed(tuning.streamed_bits);
  }
  return choice.tiled(detail::tile_bits(tuning.tile_share * machine.near_cache, row_bytes),
                      tuning.streamed_bits);
}

inline offset_t Sorted::chunk_length(const NonzeroOrder& order, std::size_t rows, double row_bytes,
                                     double records, double record_bytes, const Machine& machine,
                                     const Tuning& tuning) {
  if (order.row_block_bits == 0) return tuning.nonzeros_per_chunk;
  const double block_rows =
      std::min(static_cast<double>(rows), std::ldexp(1.0, order.row_block_bits));
  const double affordable = tuning.records_per_sums * block_rows * row_bytes / record_bytes;
  const double balanced = records / (tuning.chunks_per_core * machine.cores);
  return std::max(tuning.nonzeros_per_chunk, static_cast<offset_t>(std::min(affordable, balanced)));
}

}  // namespace genten
