// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The kernel `sorted`: a sorted copy of the nonzeros for each mode, short modes fused. README.md
/// in this folder names all that lies between the tensor and an output row.

#include <genten/mttkrp/kernels/sorted/choice.hpp>
#include <genten/mttkrp/kernels/sorted/tuning.hpp>
#include <genten/mttkrp/problem.hpp>

#include <functional>
#include <string_view>

namespace genten::kernels {

/// Packed copies of the nonzeros in an order that keeps rows in the nearest cache, cut into chunks
/// that do not depend on the number of threads. On hosts one copy, in blocks of neighbouring
/// subscripts of all modes, serves all modes unless blocks would be too many; where rows of the
/// longest mode are used once or twice before they leave the L2 cache, they bypass it, and that
/// mode has a copy of its own. Devices have a copy by row for each mode (or group of short
/// neighbouring modes). No atomics; the same bits for every number of threads.
///
/// Memory traffic per nonzero and copy: a record of 8 bytes (16 where subscripts need more than 64
/// bits; 8 more where there are too many distinct values to number them), streamed, and one
/// gathered row per other mode or group.
struct Sorted {
  static constexpr std::string_view name = "sorted";
  static constexpr bool deterministic = true;
  static constexpr bool needs_padding = true;
  static constexpr bool reads_relabeled = true;
  static constexpr bool takes_wider = true;
  static constexpr std::string_view accepted =
      "a tensor whose subscripts fit into two words, 128 bits";
  using Tuning = SortedTuning;
  using Choice = SortedChoice;

  template <ExecutionSpace Exec>
  static constexpr bool supports = true;

  /// Whether two words hold the subscripts.
  static bool accepts(const MttkrpProblem& problem) {
    return RecordLayout::for_dimensions(problem.dimensions, std::nullopt).has_value();
  }

  /// Bytes of memory traffic predicted for a sweep: streams, and gathers that leave the caches.
  static double cost(const MttkrpProblem& problem, const MachineProperties& machine,
                     const Tuning& tuning = {});

  /// Bytes of preparation, replayed array by array, for a problem that it accepts. Subscripts are
  /// taken for spread evenly: where they are not, rows may be used often enough for a copy less,
  /// fused modes may have fewer tuples, and sums of split blocks may be more or fewer.
  static KernelMemory memory(const MttkrpProblem& problem, const MachineProperties& machine,
                             const Tuning& tuning = {});

  /// How many nonzeros use, on average, a row of the last mode of an order while the tiles of the
  /// others stay.
  using RowReuse = std::function<double(const NonzeroOrder&)>;

  /// The groups of modes, single or fused.
  static std::vector<ModeGroup> choose_groups(const MttkrpProblem& problem,
                                              const MachineProperties& machine,
                                              const Tuning& tuning);

  /// The groups without such whose tuples occur: neighbouring short modes.
  static std::vector<ModeGroup> short_groups(const MttkrpProblem& problem,
                                             const MachineProperties& machine,
                                             const Tuning& tuning);
  /// All modes but one as one group, sorted, and that one; empty where their tuples are too many.
  static std::vector<ModeGroup> all_but_one(const MttkrpProblem& problem,
                                            const MachineProperties& machine, const Tuning& tuning);
  /// The most tuples with which they are fused.
  static double most_tuples(const MttkrpProblem& problem, const MachineProperties& machine,
                            const Tuning& tuning = {});
  /// Tensors of more modes are not cut into several groups by tuples: there would be too many ways.
  static constexpr std::size_t most_partitioned = 8;
  /// The sets of modes whose tuples are worth counting.
  static std::vector<std::vector<int>> sets_to_count(const MttkrpProblem& problem,
                                                     const MachineProperties& machine,
                                                     const Tuning& tuning = {});

  /// Whether so few sweeps are to be made that neither sorting nor numbering values pays.
  static bool keeps_order(const MttkrpProblem& problem, const MachineProperties& machine,
                          const Tuning& tuning = {});

  /// All that is chosen before the nonzeros are sorted, for groups with so many rows and records of
  /// so many words. `reuse` is asked only where the answer matters.
  static Choice choose(const MttkrpProblem& problem, std::vector<ModeGroup> groups,
                       std::span<const std::size_t> lengths, int words,
                       const MachineProperties& machine, const Tuning& tuning,
                       const RowReuse& reuse);

  /// How many packs of 64 bytes of all rows of a (fused) tensor's factors are copied at a time to
  /// where they lie close together; 0: columns stay where they lie.
  static int choose_panel(std::span<const std::size_t> dimensions, double row_bytes,
                          double nonzeros, const MachineProperties& machine,
                          const Tuning& tuning = {});

  /// The orders for the MTTKRPs of all modes of a (fused) tensor with rows of `row_bytes` bytes, on
  /// a host.
  static std::vector<NonzeroOrder> choose_orders(std::span<const std::size_t> dimensions,
                                                 double nonzeros, double row_bytes,
                                                 const MachineProperties& machine,
                                                 const Tuning& tuning, const RowReuse& reuse);

  /// Those of a tensor of two modes, tuples, in whose order the records lie, which take so many
  /// bytes, and another: its rows in tiles, and tuple by tuple in a tile.
  static std::vector<NonzeroOrder> choose_tuple_orders(std::span<const std::size_t> dimensions,
                                                       double records, double row_bytes,
                                                       const MachineProperties& machine,
                                                       const Tuning& tuning);
  /// That of the tuples themselves, which are sorted, for the rows of one of their modes, `rows`
  /// long: as they lie, or block by block where those rows do not stay in L2.
  static NonzeroOrder tuple_order(int mode, std::size_t rows, double row_bytes,
                                  const MachineProperties& machine, const Tuning& tuning);

  /// Nonzeros of a chunk in that order. They take at least `least_share` of the bytes of its sums.
  static offset_t chunk_length(const NonzeroOrder& order, std::size_t rows, double row_bytes,
                               double records, double record_bytes,
                               const MachineProperties& machine, const Tuning& tuning = {},
                               double least_share = 0.0);

  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  class Prepared;
};

}  // namespace genten::kernels

#include <genten/mttkrp/kernels/sorted/sorted_kernel_impl.hpp>
#include <genten/mttkrp/kernels/sorted/sorted_memory_impl.hpp>
#include <genten/mttkrp/kernels/sorted/update_order_impl.hpp>
