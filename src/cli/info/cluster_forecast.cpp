// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "cluster_forecast.hpp"

#include "tools/result_json.hpp"
#include "tools/table.hpp"
#include "tools/text.hpp"

#include <genten/dist/bisection.hpp>
#include <genten/dist/expected_copies.hpp>
#include <genten/dist/process_memory.hpp>

#include <nlohmann/json.hpp>

#include <ostream>

namespace genten::cli {
namespace {

using tools::format;
using tools::format_seconds;

template <SubscriptOrdinal Ordinal>
PartitionForecast forecast_partition(const TensorSlices<Ordinal>& slices,
                                     const Partition& partition, const std::string& grid,
                                     const CpAlsOptions& options, std::size_t scalar_bytes,
                                     const ClusterModel& machine) {
  const HostExec host;
  const ExchangeCount count = count_exchange(host, slices, partition);
  PartitionForecast forecast;
  forecast.grid = grid;
  forecast.imbalance = count.imbalance();
  forecast.words = count.words();
  for (const ModeExchange& mode : count.modes) {
    forecast.most += mode.most_rows();
    forecast.messages += mode.most_messages();
  }
  const MachineProperties properties = MachineProperties::of(host);
  forecast.bytes = scalar_bytes == sizeof(float)
                       ? most_process_memory<float, Ordinal, HostExec>(count, options, properties)
                       : most_process_memory<double, Ordinal, HostExec>(count, options, properties);
  forecast.iteration = predict_iteration(count, {options.rank, scalar_bytes}, machine);
  return forecast;
}

}  // namespace

template <SubscriptOrdinal Ordinal>
ClusterForecast forecast_cluster(const TensorSlices<Ordinal>& slices, std::size_t processes,
                                 const CpAlsOptions& options, std::size_t scalar_bytes,
                                 const ClusterModel& machine) {
  const HostExec host;
  const auto of = [&](const Partition& partition, const std::string& grid) {
    return forecast_partition(slices, partition, grid, options, scalar_bytes, machine);
  };
  const Grid grid = ranked_grids(slice_histograms(slices), processes).front().grid;
  ClusterForecast forecast;
  forecast.processes = processes;
  forecast.rank = options.rank;
  forecast.machine = machine;
  forecast.one_rank_seconds = of(Partition(slices.order()), "").iteration.total();
  forecast.bisected = of(bisect(host, slices, processes), "");
  forecast.grid = of(grid_partition(slices, grid), grid_text(grid));
  return forecast;
}

template ClusterForecast forecast_cluster(const TensorSlices<std::uint32_t>&, std::size_t,
                                          const CpAlsOptions&, std::size_t, const ClusterModel&);
template ClusterForecast forecast_cluster(const TensorSlices<std::uint64_t>&, std::size_t,
                                          const CpAlsOptions&, std::size_t, const ClusterModel&);

void print_cluster(std::ostream& out, const ClusterForecast& forecast) {
  out << "\n"
      << forecast.processes << " processes, rank " << forecast.rank
      << ", counted; an iteration, predicted"
      << " (" << format("%.3g", forecast.machine.bandwidth) << " bytes/s,\nlatency "
      << format_seconds(forecast.machine.latency) << "), takes one process "
      << format_seconds(forecast.one_rank_seconds) << "\n\n";
  tools::Table table({{"partition", tools::Table::Align::left},
                      {"nonzeros max/mean"},
                      {"rows sent"},
                      {"most of a process"},
                      {"messages"},
                      {"memory"},
                      {"iteration"},
                      {"speed-up"}});
  for (const PartitionForecast* part : {&forecast.bisected, &forecast.grid}) {
    const double seconds = part->iteration.total();
    table.add({part->grid.empty() ? "bisected" : part->grid, format("%.3f", part->imbalance),
               std::to_string(part->words), std::to_string(part->most),
               std::to_string(part->messages), format_bytes(part->bytes), format_seconds(seconds),
               format("%.2f", forecast.one_rank_seconds / seconds)});
  }
  table.print(out);
}

nlohmann::ordered_json cluster_json(const ClusterForecast& forecast) {
  nlohmann::ordered_json json = {{"ranks", forecast.processes},
                                 {"rank", forecast.rank},
                                 {"machine", tools::options_json(forecast.machine)},
                                 {"one_rank_seconds", forecast.one_rank_seconds},
                                 {"partitions", nlohmann::ordered_json::array()}};
  for (const PartitionForecast* part : {&forecast.bisected, &forecast.grid}) {
    json["partitions"].push_back({{"grid", part->grid},
                                  {"imbalance", part->imbalance},
                                  {"rows", part->words},
                                  {"most_rows", part->most},
                                  {"most_messages", part->messages},
                                  {"bytes", part->bytes},
                                  {"mttkrp_seconds", part->iteration.mttkrp},
                                  {"update_seconds", part->iteration.rows},
                                  {"transfer_seconds", part->iteration.transfer},
                                  {"latency_seconds", part->iteration.latency},
                                  {"fixed_seconds", part->iteration.fixed},
                                  {"seconds", part->iteration.total()}});
  }
  return json;
}

}  // namespace genten::cli
