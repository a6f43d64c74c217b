// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SortedTuning: the numbers of the kernel `sorted` that measurements set.

#include <genten/base/types.hpp>

#include <algorithm>

namespace genten::kernels {

/// "Measured on Cascade Lake" means: two threads of an Intel Xeon at 2.5 GHz with 1 MB of L2 a
/// core, by the iteration times of the tensors that the project's tables of CPU speeds list; "on
/// the H200": one NVIDIA H200, by those of its tables of GPU speeds; "on Xeon and EPYC": one thread
/// of an Intel Xeon with 48 KB of L1 and 2 MB of L2 a core (Sapphire Rapids class), and of an AMD
/// EPYC with 32 KB and 1 MB, by the times of MTTKRP.
struct SortedTuning {
  /// A row block or tile is at most so wide that its factor rows, or what one pass reads of them,
  /// take this share of the L2 cache; measured on Cascade Lake, and on Xeon and EPYC.
  double tile_share = 0.25;
  /// Tiles are made smaller down to this share of the L1 cache while `reuse_per_block` allows
  /// it: two tiles and some rows of a third mode then stay there; measured on Xeon and EPYC.
  double least_tile_share = 0.5;
  /// A tile is made smaller only while each of its rows is still used by at least so many nonzeros,
  /// on average, of a block of tiles of all modes; measured on Cascade Lake.
  double reuse_per_block = 2.0;
  /// Subscripts of the last tiled mode are sorted up to runs of 2^fine_bits of them, and one by one
  /// where there are two modes only; a number of bits, measured on Cascade Lake.
  int fine_bits = 5;
  /// One copy in blocks serves all modes if a block has at least so many nonzeros on average;
  /// measured on Cascade Lake.
  double nonzeros_per_block = 128.0;
  /// Rows are fetched ahead if fewer nonzeros than this use each of them, on average, while they
  /// are in L2; measured on Cascade Lake.
  double low_reuse = 2.0;
  /// Rows that are fetched ahead bypass the L2 cache if all factors together take at most this
  /// share of the shared cache, since rows from farther away are worth keeping there; measured on
  /// Cascade Lake.
  double non_temporal_share = 0.5;
  /// The longest factor is streamed from end to end, instead of being read once for each tile of
  /// the others, if it takes more than this share of the shared cache; measured on Cascade Lake.
  double streamed_share = 0.5;
  /// A factor is streamed only if all others, the output included, together take at most so many
  /// L2 caches; measured on Cascade Lake.
  double streamed_others = 4.0;
  /// Neighbouring modes are fused if there are at least so many nonzeros for each possible tuple of
  /// their subscripts; measured on Cascade Lake.
  double fuse_density = 16.0;
  /// All modes but one are fused by the tuples that occur if each tuple has at least so many
  /// nonzeros on average, if the rows of all take at most so many L2 caches and those of all
  /// factors at least so many, and if there are so many sweeps at least to make; measured on EPYC
  /// at R = 16.
  double nonzeros_per_tuple = 8.0;
  double tuple_l2_caches = 16.0;
  double tuple_factor_caches = 4.0;
  double tuple_sweeps = 4.0;
  /// Rows of the mode that is left out are then taken in tiles of so many L2 caches, since busy
  /// rows come first; measured likewise.
  double tuple_tile_caches = 2.0;
  /// These tiles are many times as long as others, and each chunk has sums of its own for one: its
  /// records take at least as many bytes, and tiles are shorter where that would leave fewer chunks
  /// than so many for each core; measured on EPYC with 16 cores told.
  double tuple_chunks_per_core = 2.0;
  /// Nonzeros stay in the order they came in, and values stay as they are, if there are no more
  /// sweeps to make than so many and if the rows of all factors take at most so many L2 caches;
  /// measured on EPYC at R = 17.
  double unsorted_sweeps = 2.0;
  double unsorted_l2_caches = 0.5;
  /// A chunk has at least so many nonzeros; measured on Cascade Lake.
  offset_t nonzeros_per_chunk = 32768;
  /// The records of a chunk take at least so many times the bytes of the private sums of its row
  /// block, which it needs where the block is split; measured on Cascade Lake.
  double records_per_sums = 8.0;
  /// `records_per_sums` makes chunks no longer than such that there are so many of them for each
  /// core of the machine; measured on Cascade Lake.
  double chunks_per_core = 4.0;
  /// Consecutive nonzeros of the same row are summed in registers if there are at least so many of
  /// them on average, and so many packs of 64 bytes of their rows, since the branch at the end of
  /// shorter runs costs more than adding one by one: from 6 rows of two packs on for EPYC, from
  /// more than 10 on for Xeon, from 3 and 4 rows of eight packs on; measured on Xeon and EPYC.
  double shortest_run = 3.0;
  double packs_per_run = 16.0;
  [[nodiscard]] bool sums_runs(double mean_run, double packs) const {
    return mean_run >= std::max(shortest_run, packs_per_run / packs);
  }
  /// Wide rows are copied to column panels of so many packs of 64 bytes, where tiles of as wide
  /// rows are used often enough (`reuse_per_block`), or else of fewer; measured on Xeon and EPYC.
  int wide_panel = 4;
  int narrow_panel = 2;
  /// Rows that one pass reads whole stay where they lie if a tile of them takes less than this
  /// share of the L2 cache; measured on Xeon and EPYC.
  double panelled_tile_share = 1.0 / 16.0;
  /// Panels are used if so many nonzeros, on average, gather each row that has to be copied to
  /// them; measured on Cascade Lake.
  double nonzeros_per_panel_row = 4.0;
  /// A device contracts so many columns at a time that their gathered rows take this share of the
  /// shared cache, whose size is first rounded up to a power of two, because what a device tells of
  /// it varies (50 or 60 MiB of an H200, both of which give 24 MiB); measured on the H200.
  double device_cache_share = 0.375;
  /// On a device a row that is gathered from the shared cache takes this share of the time of one
  /// from its memory, a nonzero or tuple of a pass as long as so many bytes from memory beside its
  /// rows, and a pass as long as so many; fitted to MTTKRP of mails, triples and baskets with and
  /// without fused modes, see perf/README.md; measured on the H100.
  double device_near = 0.33;
  double device_record_bytes = 32.0;
  double device_pass_bytes = 1e8;
  /// Modes are fused, those of all but one by the tuples that occur on hosts and short ones on
  /// devices excepted, only if FusionCost predicts that MTTKRP of all modes then takes at most this
  /// share of the time that it takes with fewer modes fused; chosen: a margin for the errors of the
  /// prediction.
  double fused_time = 0.85;
  /// Those whose tuples occur are fused only if so many sweeps gain the time that sorting by tuples
  /// takes; chosen: as many as CP-ALS plans for.
  double sweeps_to_gain = 10.0;
  /// Sorting the nonzeros by the tuples of one group takes so many nanoseconds a nonzero; rounded
  /// from the preparation of tensors with two fused pairs in perf/README.md.
  double tuple_sort_ns = 20.0;
  /// Tuples are counted for that only if the rows of all factors take at least so many L2 caches;
  /// chosen: nearer rows cost nothing that fusing could spare.
  double set_factor_caches = 1.0;
  /// A pass over the nonzeros takes so many nanoseconds for each, beside the rows that it gathers.
  /// This and the next four were measured with perf/fused_pairs.py on one core of a Xeon with 2 MB
  /// of L2, at R = 16 in double.
  double pass_ns = 1.9;
  /// A row that is gathered from L2 takes so many nanoseconds.
  double gather_ns = 0.7;
  /// One of rows that take n L1 caches takes beyond_l1_ns log2(n) nanoseconds more; by nine ratios
  /// with and without short modes fused on Xeon with 2 MB of L2 and EPYC with 512 KB, see
  /// perf/README.md.
  double beyond_l1_ns = 0.1;
  /// One pass over the tuples of a group takes so many nanoseconds for each tuple.
  double tuple_ns = 15.0;
  /// A row that is fetched from beyond L2, where all rows take n L2 caches, takes
  /// fetch_ns log2(n) - near_ns nanoseconds, but not less than 0.
  double fetch_ns = 2.0;
  double near_ns = 3.0;
  /// Bytes of the rows that these were measured with.
  double measured_row = 128.0;
};

}  // namespace genten::kernels
