// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dist/iteration_model.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace genten {
namespace {

/// What a column costs more when a gather brings half as many: on a host, uniform subscripts take
/// 10 ms a column at R = 16, 11 at 8 and 12 at 4 (perf/README.md).
constexpr double cost_of_halving = 0.1;

}  // namespace

IterationTime predict_iteration(const ExchangeCount& count, const IterationShape& shape,
                                const ClusterModel& machine) {
  const auto groups = static_cast<double>(shape.column_groups);
  const double columns = static_cast<double>(shape.rank) / groups;
  const double row_bytes = columns * static_cast<double>(shape.scalar_bytes);
  const double share = (groups - 1.0) / groups;
  const double cost = 1.0 + cost_of_halving * std::log2(groups);
  IterationTime time;
  double longest = 0.0;
  for (std::size_t r = 0; r < count.processes(); ++r) {
    const double mttkrp = static_cast<double>(count.nonzeros[r] * count.modes.size()) * columns *
                          cost * machine.nonzero_seconds;
    double owned = 0.0;
    for (const ModeExchange& mode : count.modes)
      owned += static_cast<double>(mode.processes[r].owned);
    const double rows = 2.0 * owned * row_bytes / machine.row_bandwidth;
    if (mttkrp + rows < longest) continue;
    longest = mttkrp + rows;
    time.mttkrp = mttkrp;
    time.rows = rows;
  }
  const std::size_t processes = count.processes() * shape.column_groups;
  const double doublings =
      processes == 1 ? 0.0 : static_cast<double>(std::bit_width(processes - 1));
  for (const ModeExchange& mode : count.modes) {
    double moved = static_cast<double>(mode.most_rows());
    double exchanges = mode.words == 0 ? 0.0 : 1.0;
    double messages = static_cast<double>(mode.most_messages());
    if (shape.column_groups > 1) {
      std::uint64_t owned = 0;
      for (const ProcessRows& each : mode.processes) owned = std::max(owned, each.owned);
      moved += share * static_cast<double>(owned);
      exchanges += 1.0;
      messages += groups - 1.0;
    }
    time.fixed += machine.mode_seconds;
    time.transfer += 2.0 * moved * row_bytes / machine.bandwidth;
    time.latency += 2.0 * (exchanges * machine.latency + messages * machine.message_seconds) +
                    doublings * machine.latency;
  }
  return time;
}

double words_in_groups(const ExchangeCount& count, std::size_t groups) {
  const double share = 1.0 - 1.0 / static_cast<double>(groups);
  auto words = static_cast<double>(count.words());
  for (const ModeExchange& mode : count.modes) words += share * static_cast<double>(mode.rows);
  return words;
}

}  // namespace genten
