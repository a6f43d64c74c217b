// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The kernel `sorted`: a sorted copy of the nonzeros for each mode, short modes fused.

#include <genten/mttkrp/kernels/sorted/contraction.hpp>
#include <genten/mttkrp/options.hpp>
#include <genten/mttkrp/problem.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace genten::kernels {

/// Packed copies of the nonzeros in an order that keeps rows in the nearest cache, cut into chunks
/// that do not depend on the number of threads. On hosts one copy, in cells of neighbouring
/// subscripts of all modes, serves all modes unless cells would be too many; where rows of the
/// longest mode pass by, met once or twice, that mode has a copy of its own. Devices have a copy by
/// row for each mode (or group of short neighbouring modes). No atomics; the same bits for every
/// number of threads.
///
/// Memory traffic per nonzero and copy: a record of 8 bytes (16 where subscripts need more than 64
/// bits; 8 more where there are too many distinct values to number them), streamed, and one
/// gathered row per other mode or group.
struct Sorted {
  static constexpr std::string_view name = "sorted";
  static constexpr bool deterministic = true;
  static constexpr bool needs_padding = true;

  /// Plain numbers that measurements set.
  struct Tuning {
    /// Part of the near cache that the rows of one row block or tile may take,
    double tile_share = 0.25;
    /// and that to which tiles are made smaller, if their rows are then still met so often while a
    /// cell of tiles of all modes is walked.
    double least_tile_share = 1.0 / 32.0;
    double reuse_per_cell = 2.0;
    /// Subscripts of the last tiled mode are sorted up to runs of this many bits; one by one where
    /// there are two modes only.
    int fine_bits = 5;
    /// Cells of tiles of all modes with fewer nonzeros than this, on average, are not walked one by
    /// one.
    double nonzeros_per_cell = 128.0;
    /// Rows that are met less often while they are near are fetched ahead,
    double low_reuse = 2.0;
    /// and pass the near cache by where all tables together take no more than this part of the
    /// shared cache. From farther away, what the shared cache keeps of them is worth more.
    double non_temporal_share = 0.5;
    /// A table longer than this part of the shared cache is not read once a tile of the others: it
    /// is walked from end to end, if the others' rows are near enough.
    double streamed_share = 0.5;
    /// Near enough: all tables but the streamed one, that of the output included, together take at
    /// most so many near caches.
    double streamed_others = 4.0;
    /// Nonzeros per possible tuple from which on modes are fused.
    double fuse_density = 16.0;
    offset_t nonzeros_per_chunk = 32768;
    /// In tiled orders a chunk may need private sums for a whole row block: its records take at
    /// least so many times the bytes of these,
    double records_per_sums = 8.0;
    /// unless there were fewer chunks than this for each core of the machine.
    double chunks_per_core = 4.0;
    /// Tables wider than so many packs of 64 bytes that together take more than this part of the
    /// shared cache are moved so many packs at a time to where they lie close together,
    int packs_per_panel = 2;
    double panel_share = 0.25;
    /// if their rows are met by so many nonzeros each.
    double nonzeros_per_panel_row = 4.0;
  };

  template <ExecutionSpace Exec>
  static constexpr bool supports = true;

  /// Bytes of memory traffic predicted for a sweep: streams, and gathers that leave the caches.
  static double cost(const MttkrpProblem& problem, const MachineProperties& machine);

  /// Bytes that preparation keeps at most: a copy for each mode.
  static double memory(const MttkrpProblem& problem) {
    return static_cast<double>(problem.nnz) * problem.order() *
           (8.0 + static_cast<double>(problem.scalar_bytes));
  }

  /// Whether the factors of a (fused) tensor are moved, a few columns at a time, to where these lie
  /// close together.
  static bool uses_panel(std::span<const std::size_t> dimensions, double row_bytes, double nonzeros,
                         const MachineProperties& machine, const Tuning& tuning);

  /// How many nonzeros meet, on average, in a row of the last mode of an order while the tiles of
  /// the others stay.
  using RowReuse = std::function<double(const NonzeroOrder&)>;

  /// The orders for the MTTKRPs of all modes of a (fused) tensor with rows of `row_bytes` bytes.
  /// `meetings` is asked only where the answer matters.
  static std::vector<NonzeroOrder> choose_orders(std::span<const std::size_t> dimensions,
                                                 double nonzeros, double row_bytes,
                                                 const MachineProperties& machine,
                                                 const Tuning& tuning, const RowReuse& meetings);

  /// Nonzeros of a chunk in that order.
  static offset_t chunk_length(const NonzeroOrder& order, std::size_t rows, double row_bytes,
                               double records, double record_bytes,
                               const MachineProperties& machine, const Tuning& tuning);

  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  class Prepared;
};

}  // namespace genten::kernels

#include <genten/mttkrp/kernels/sorted/sorted_kernel_impl.hpp>
