// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// What decomposing one tensor on many processes would take, counted on this machine without MPI:
/// for each number of processes the nonzeros, rows, words and messages of our partition, of grids,
/// and of what SPLATT and GenTen would choose, and the iteration that they predict on a machine
/// that is described by a few numbers.

#include "peer_partitions.hpp"
#include "tensor_source.hpp"
#include "tools/files.hpp"
#include "tools/result_json.hpp"
#include "tools/table.hpp"

#include <genten/dist/bisection.hpp>
#include <genten/dist/expected_copies.hpp>
#include <genten/dist/iteration_model.hpp>
#include <genten/dist/process_memory.hpp>

#include <iostream>
#include <optional>

namespace genten::perf {
namespace {

struct Options {
  TensorSource source;
  std::vector<std::size_t> processes{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  std::size_t columns = 16;
  std::size_t grids = 2;
  std::vector<std::size_t> groups{};
  ClusterModel machine;
  bool single = false;
  std::string json;
};

/// One way to divide the work, and what it comes to.
struct Scheme {
  std::string name;
  std::string grid = "";
  std::size_t column_groups = 1;
  std::optional<double> expected_words = {};  ///< by the formula
  std::optional<double> all_reduce_words =
      {};  ///< where all rows of a layer travel, touched or not
};

template <RealScalar Scalar>
class Benchmark {
 public:
  explicit Benchmark(const Options& options)
      : m_options(options),
        m_loaded(load_tensor<Scalar>(options.source)),
        m_slices(m_host, m_loaded.tensor),
        m_modes(slice_histograms(m_slices)) {
    m_run.rank = options.columns;
    m_alone = time_of(count_exchange(m_host, m_slices, Partition(m_slices.order())), {"alone"});
    std::cout << options.source.name() << ": " << format_dimensions(m_slices.dimensions()) << ", "
              << m_slices.nnz() << " nonzeros; " << (options.single ? "float" : "double")
              << ", R = " << options.columns << "; one process is predicted to take "
              << format_seconds(m_alone.total()) << " an iteration\n";
  }

  void run() {
    Json json = Json::array();
    for (const std::size_t processes : m_options.processes)
      json.push_back(run_processes(processes));
    if (m_options.json.empty()) return;
    write_json(m_options.json, {{"tensor", describe(m_options.source, m_loaded)},
                                {"scalar", m_options.single ? "float" : "double"},
                                {"rank", m_options.columns},
                                {"machine", options_json(m_options.machine)},
                                {"one_rank_s", m_alone.total()},
                                {"ranks", json},
                                {"environment", describe_environment()}});
  }

 private:
  Json run_processes(std::size_t processes) {
    auto table =
        Table::markdown({std::to_string(processes) + " processes", "grid", "nonzeros max/mean",
                         "rows sent", "by formula", "all-reduce", "most rows", "messages",
                         "bytes a process", "iteration", "speed-up"});
    Json json{{"ranks", processes}, {"schemes", Json::array()}};
    const auto add = [&](const Scheme& scheme, const ExchangeCount& count) {
      json["schemes"].push_back(add_scheme(scheme, count, table));
    };
    const auto grid_scheme = [&](const char* name, const Grid& grid) {
      return Scheme{name, grid_text(grid), 1, expected_words(m_modes, grid), {}};
    };
    Partition bisected(m_slices.order());
    json["bisect_s"] = seconds_of(m_host, [&] { bisected = bisect(m_host, m_slices, processes); });
    ExchangeCount count;
    json["count_s"] =
        seconds_of(m_host, [&] { count = count_exchange(m_host, m_slices, bisected); });
    add({"bisected"}, count);
    for (const std::size_t groups : m_options.groups) {
      if (groups < 2 || processes % groups != 0 || groups > m_options.columns) continue;
      add({"bisected", "", groups},
          count_exchange(m_host, m_slices, bisect(m_host, m_slices, processes / groups)));
    }
    const auto ranked = ranked_grids(m_modes, processes);
    for (std::size_t g = 0; g < ranked.size(); ++g) {
      if (m_options.grids != 0 && g == m_options.grids) break;
      add(grid_scheme("grid", ranked[g].grid),
          count_exchange(m_host, m_slices, grid_partition(m_slices, ranked[g].grid)));
    }
    const Grid splatts = splatt_grid(m_slices.dimensions(), processes);
    add(grid_scheme("SPLATT", splatts),
        count_exchange(m_host, m_slices, splatt_partition(m_slices, splatts)));
    const Grid gentens = gentens_grid(m_slices.dimensions(), processes);
    Scheme scheme = grid_scheme("GenTen", gentens);
    scheme.all_reduce_words = all_reduce_words(m_slices.dimensions(), gentens);
    add(scheme,
        count_exchange(m_host, m_slices, uniform_partition(m_slices.dimensions(), gentens)));
    std::cout << '\n';
    table.print(std::cout);
    std::cout << std::flush;
    return json;
  }

  [[nodiscard]] IterationTime time_of(const ExchangeCount& count, const Scheme& scheme) const {
    return predict_iteration(count, {m_options.columns, sizeof(Scalar), scheme.column_groups},
                             m_options.machine);
  }

  Json add_scheme(const Scheme& scheme, const ExchangeCount& count, Table& table) const {
    const std::size_t groups = scheme.column_groups;
    const double words = words_in_groups(count, groups);
    const IterationTime time = time_of(count, scheme);
    CpAlsOptions run = m_run;
    run.rank = (run.rank + groups - 1) / groups;
    const double bytes = most_process_memory<Scalar, std::uint32_t, HostExec>(
        count, run, MachineProperties::of(m_host));
    std::uint64_t most_rows = 0, most_messages = 0;
    for (const ModeExchange& mode : count.modes) {
      most_rows += mode.most_rows();
      most_messages += mode.most_messages();
    }
    const std::string name =
        scheme.name + (groups == 1 ? "" : ", " + std::to_string(groups) + " column groups");
    const auto number = [](const std::optional<double>& value) {
      return value ? format("%.0f", *value) : std::string();
    };
    // Within a group these would be parts of rows.
    const auto of_one_group = [&](std::uint64_t value) {
      return groups == 1 ? std::to_string(value) : std::string();
    };
    table.add({name, scheme.grid, format("%.3f", count.imbalance()), number(words),
               number(scheme.expected_words), number(scheme.all_reduce_words),
               of_one_group(most_rows), of_one_group(most_messages), format_bytes(bytes),
               format_seconds(time.total()), format("%.2f", m_alone.total() / time.total())});
    Json json = count_json(count);
    json["scheme"] = scheme.name;
    json["column_groups"] = groups;
    if (!scheme.grid.empty()) json["grid"] = scheme.grid;
    json["words"] = words;
    if (scheme.expected_words) json["expected_words"] = *scheme.expected_words;
    if (scheme.all_reduce_words) json["all_reduce_words"] = *scheme.all_reduce_words;
    json["bytes_of_a_rank"] = bytes;
    json["predicted_s"] = {{"mttkrp", time.mttkrp},     {"rows", time.rows},
                           {"transfer", time.transfer}, {"latency", time.latency},
                           {"fixed", time.fixed},       {"total", time.total()}};
    return json;
  }

  /// What was counted, without the groups of columns.
  static Json count_json(const ExchangeCount& count) {
    Json json{{"scheme", ""}, {"imbalance", count.imbalance()}, {"messages", count.messages()}};
    for (const ModeExchange& mode : count.modes) {
      std::uint64_t touched = 0, owned = 0;
      for (const ProcessRows& rank : mode.processes) {
        touched = std::max(touched, rank.touched);
        owned = std::max(owned, rank.owned);
      }
      json["modes"].push_back({{"rows", mode.rows},
                               {"shared", mode.shared},
                               {"words", mode.words},
                               {"messages", mode.messages},
                               {"most_touched", touched},
                               {"most_owned", owned},
                               {"most_rows", mode.most_rows()},
                               {"most_messages", mode.most_messages()}});
    }
    return json;
  }

  HostExec m_host;
  Options m_options;
  LoadedTensor<Scalar> m_loaded;
  TensorSlices<std::uint32_t> m_slices;
  std::vector<SliceHistogram> m_modes;
  CpAlsOptions m_run;
  IterationTime m_alone;
};

int run_main(int argc, char** argv) {
  Options options;
  CLI::App app{"What decomposing one tensor on many processes would send, counted and predicted"};
  options.source.add_to(app);
  add_option(app, {"ranks", "numbers of processes", 1, 65536}, options.processes);
  add_option(app, {"rank", "components R", 1, 1e6}, options.columns);
  add_option(app, {"grids", "grids that are counted, the best by the formula; 0: all", 0, 1e6},
             options.grids);
  add_option(app,
             {"column-groups", "count teams of so many processes that share columns, too", 2, 1e6},
             options.groups);
  add_fields(app, options.machine);
  add_flag(app, "--float", options.single, "single precision");
  add_output(app, "--json", options.json, "report as JSON; - is the standard output");
  set_footer(app,
             "Rows are sent by all processes together, one way, in the folds of an iteration: as\n"
             "many come back in its expands. 'most rows' and 'messages' are those of the process\n"
             "that has most in each mode. GenTen reduces all rows of a layer, touched or not:\n"
             "'all-reduce'.\n"
             "Arguments --kokkos-* go to Kokkos.");
  if (const auto exit_code = parse_arguments(app, argc, argv)) return *exit_code;
  if (options.single) {
    Benchmark<float>(options).run();
  } else {
    Benchmark<double>(options).run();
  }
  return success;
}

}  // namespace
}  // namespace genten::perf

int main(int argc, char** argv) {
  return genten::tools::run_program("perf_Partition", [&] {
    const genten::tools::KokkosSession kokkos(genten::tools::take_kokkos_arguments(argc, argv),
                                              genten::tools::Needs::host);
    return genten::perf::run_main(argc, argv);
  });
}
