// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How long an iteration of CP-ALS is expected to take on several processes.

#include <genten/base/option_field.hpp>
#include <genten/dist/exchange_count.hpp>

namespace genten {

/// The machine of a prediction, as one process sees it. The defaults are those of a socket of some
/// 40 cores with half of a link of 200 Gb/s.
struct ClusterModel {
  double bandwidth = 10e9;
  double latency = 10e-6;
  double message_seconds = 1e-6;
  double nonzero_seconds = 25e-12;
  double row_bandwidth = 200e9;
  double mode_seconds = 0.0;

  static constexpr auto fields() {
    return member_table(
        option_field("bandwidth", &ClusterModel::bandwidth,
                     "bytes a second that a process sends and, at once, receives", 1.0),
        option_field("latency", &ClusterModel::latency, "seconds of an exchange of nothing", 0.0),
        option_field("message-seconds", &ClusterModel::message_seconds,
                     "seconds that each message takes its sender or receiver", 0.0),
        option_field("nonzero-seconds", &ClusterModel::nonzero_seconds,
                     "seconds of MTTKRP for a nonzero, mode and column", 0.0),
        option_field("row-bandwidth", &ClusterModel::row_bandwidth,
                     "bytes a second at which a process reads and writes rows that it updates",
                     1.0),
        option_field("mode-seconds", &ClusterModel::mode_seconds,
                     "seconds that updating a mode takes besides: launches, the R x R system",
                     0.0));
  }
};

/// Seconds of an iteration by what they go to. Nothing overlaps.
struct IterationTime {
  double mttkrp = 0.0;    ///< for the nonzeros of a process
  double rows = 0.0;      ///< updating rows
  double transfer = 0.0;  ///< rows on their way
  double latency = 0.0;   ///< of exchanges, messages and reductions
  double fixed = 0.0;     ///< what modes take whatever their rows and nonzeros
  [[nodiscard]] double total() const { return mttkrp + rows + transfer + latency + fixed; }
};

/// What is computed.
struct IterationShape {
  std::size_t rank = 16;         ///< columns R
  std::size_t scalar_bytes = 8;  ///< of a word
  /// Each process of `count` is a team of so many that have the same nonzeros and R over so many
  /// columns each, and meanwhile hand each other rows to update: see `words_in_groups`.
  std::size_t column_groups = 1;
};

/// Of the process that takes longest in each part. For each mode, the fold and the expand each take
/// the rows that a process sends or receives, its messages and a latency; the sums of Gram matrices
/// and norms take a latency for each doubling of the processes. A row takes reading and writing.
///
/// This is a prediction: what caches, contention and imbalance in time do is not in it.
[[nodiscard]] IterationTime predict_iteration(const ExchangeCount& count,
                                              const IterationShape& shape,
                                              const ClusterModel& machine);

/// The rows of R words that all processes send one way in a sweep when each of the processes that
/// were counted is a team of `groups` processes with the same nonzeros, which share the columns:
/// each group sends its part of the words that were counted, and the owners of a row gather its
/// columns to update it, groups - 1 parts of each row with nonzeros.
///
/// With P processes in all, that is for P / groups times as many blocks, each with `groups` times
/// as many nonzeros. It pays where nearly all processes touch nearly all rows, for which no
/// partition of the nonzeros can send less than a grid.
[[nodiscard]] double words_in_groups(const ExchangeCount& count, std::size_t groups);

}  // namespace genten
