// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How many starts of CP-ALS run side by side, and what memory that takes.

#include <genten/cp/detail/least_squares_update.hpp>
#include <genten/mttkrp/choose_kernel.hpp>
#include <genten/mttkrp/kernels/sorted/sorted.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace genten::detail {

/// Plain numbers that measurements set. On hosts: measured on two threads of a processor with 1 MB
/// of L2 a core, where the iterations of eight starts of rank 8 on 100,000 nonzeros of 200 x 200 x
/// 200 took 4 to 5 times as long as one's, of rank 2 less than 1.5 times; on devices: chosen for an
/// H200.
struct StartBatchTuning {
  /// Rows of all starts together take at most so many bytes: on hosts as many as one loop over the
  /// nonzeros holds in registers.
  std::size_t host_row = 512, device_row = 1024;
  /// Starts with rows of more bytes run one by one: on hosts little is left that they could share.
  std::size_t host_start = 128, device_start = 320;
  /// Factors of all starts take at most this share of a host's L2 cache: what they share would
  /// otherwise be lost again on rows from farther away.
  double l2_share = 1.0;
  /// Nonzeros times columns for each multiprocessor from which on a device is busy with less.
  double device_work = 1 << 18;
};

/// As many of `starts` starts as are faster side by side than one by one; 1 where none are.
template <RealScalar Scalar>
[[nodiscard]] std::size_t starts_side_by_side(const MttkrpProblem& problem,
                                              const MachineProperties& machine, std::size_t starts,
                                              const StartBatchTuning& tuning = {}) {
  const auto& lengths = problem.dimensions;
  const auto rows = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  const std::size_t row = problem.row_stride() * sizeof(Scalar);
  // Wide matrices are a vendor's BLAS's on devices, one after another.
  using Update = DeviceUpdate<Scalar, HostExec>;
  const bool wide =
      machine.device && (problem.rank >= FactorUpdate<Scalar, HostExec>::least_wide_rank ||
                         problem.row_stride() > Update::most_together);
  if (wide || row > (machine.device ? tuning.device_start : tuning.host_start)) return 1;
  const std::size_t fitting = (machine.device ? tuning.device_row : tuning.host_row) / row;
  const double cached = tuning.l2_share * machine.l2_cache / static_cast<double>(rows * row + 1);
  const double busy =
      tuning.device_work * machine.workers /
      (static_cast<double>(problem.nnz) * static_cast<double>(problem.row_stride()) + 1.0);
  const double paying = std::min(machine.device ? busy : cached, static_cast<double>(fitting));
  return std::clamp<std::size_t>(static_cast<std::size_t>(paying), 1,
                                 std::max<std::size_t>(starts, 1));
}

/// Bytes that a batch takes beside one start, at most.
struct BatchMemory {
  double starts = 0.0;  ///< their factors, also side by side, and R x R matrices
  double kernel = 0.0;  ///< what MTTKRP needs for wider rows, and keeps

  [[nodiscard]] double total() const { return starts + kernel; }
};

/// Those of so many starts, where MTTKRP's kernel has that name.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] BatchMemory batch_memory(const MttkrpProblem& problem,
                                       const MachineProperties& machine, std::string_view kernel,
                                       std::size_t batch) {
  MttkrpProblem one = problem, wide = problem;
  // A plan keeps the groups of modes that were chosen for one start's rows.
  if (kernels::Sorted::accepts(problem)) {
    one.groups = wide.groups = kernels::Sorted::choose_groups(problem, machine, {});
  }
  wide.rank = batch * problem.row_stride();
  const auto rows = static_cast<double>(std::accumulate(
      problem.dimensions.begin(), problem.dimensions.end(), problem.dimensions.size()));
  const auto kept = [&](const MttkrpProblem& of) {
    // Orders are chosen by what fits the cache when rows are those of one start.
    MachineProperties like_one = machine;
    like_one.l2_cache *= of.row_bytes() / problem.row_bytes();
    like_one.l1_cache *= of.row_bytes() / problem.row_bytes();
    const auto choice =
        choose_kernel<Exec>(of, like_one, std::numeric_limits<double>::infinity(), kernel);
    return choice.find(choice.name)->kept;
  };
  const double start =
      rows * problem.row_bytes() +
      LeastSquaresUpdate<Scalar, Exec>::memory(problem.order(), problem.rank, problem.longest());
  return {.starts = static_cast<double>(batch) * start + rows * wide.row_bytes(),
          .kernel = std::max(kept(wide) - kept(one), 0.0)};
}

}  // namespace genten::detail
