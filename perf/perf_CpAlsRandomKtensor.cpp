// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// CP-ALS on a sparse tensor that is sampled from a random Ktensor, on a named shape or on a file:
/// time and fit of each iteration, time of each phase, and the published figures of MTTKRP. On
/// several processes of a launcher each generates its own part of the tensor.

#include "tensor_source.hpp"
#include "tools/files.hpp"
#include "tools/launch/on_processes.hpp"
#include "tools/launch/process_options.hpp"
#include "tools/launch/process_report.hpp"
#include "tools/result_json.hpp"
#include "tools/table.hpp"

#include <genten/cp/cp_als.hpp>
#include <genten/dist/generate.hpp>
#include <genten/io/binary.hpp>

#include <algorithm>
#include <iostream>
#include <utility>

namespace genten::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

struct Options {
  TensorSource source;
  CpAlsOptions als;
  bool single = false;
  bool quiet = false;
  std::string json;
  std::string write_tensor;
  Grid grid;                                           ///< of several processes
  TransportKind transport = TransportKind::automatic;  ///< likewise
};

/// Writes the tensor for other programs: text as FROSTT has it, or our binary form.
template <RealScalar Scalar>
void write_tensor(const std::string& path, const LoadedTensor<Scalar>& loaded) {
  if (path.ends_with(".tns")) {
    WriteOptions options;
    options.format = FileFormat::frostt;
    write_sptensor(path, loaded.tensor, options);
  } else {
    write_binary_sptensor(path, loaded.tensor);
  }
}

/// Seconds of each iteration, from the history's running time.
template <class Result>
std::vector<double> iteration_seconds(const Result& result) {
  std::vector<double> seconds;
  double before = 0.0;
  for (const auto& record : result.history) {
    seconds.push_back(record.seconds - before);
    before = record.seconds;
  }
  return seconds;
}

/// The median iteration, the first left out where there are others.
double typical_iteration(std::vector<double> seconds) {
  if (seconds.size() > 1) seconds.erase(seconds.begin());
  return median(seconds);
}

/// The tool's account of the result, with times of the typical iteration.
template <class Result>
Json report_json(const Result& result, const std::vector<double>& seconds) {
  Json json = tools::report_json(run_report(result, {}, {}));
  const double iterations = std::max(1.0, static_cast<double>(result.iterations));
  json["prepare_s"] = result.seconds("prepare");
  json["iteration_s"] = typical_iteration(seconds);
  json["mttkrp_s"] = result.seconds("mttkrp") / iterations;
  json["iteration_seconds"] = seconds;
  return json;
}

template <class Result>
void print_result(std::ostream& out, const Result& result, const std::vector<double>& seconds,
                  double peak) {
  const double iterations = std::max(1.0, static_cast<double>(result.iterations));
  auto table = Table::markdown({"phase", "total", "mean of all iterations", "share"});
  const double total = std::max(result.seconds("total"), 1e-12);
  const std::vector<std::string> again = {"mttkrp", "solve",  "loop",   "observer",
                                          "fold",   "expand", "reduce", "wait"};
  for (const auto& phase : result.timings) {
    const bool once = std::find(again.begin(), again.end(), phase.name) == again.end();
    table.add({phase.name, format_seconds(phase.seconds),
               once ? "" : format_seconds(phase.seconds / iterations),
               once ? "" : format("%.1f %%", 100.0 * phase.seconds / total)});
  }
  out << '\n';
  table.print(out);
  out << "\nkernel     " << result.kernel << ": " << result.kernel_description << '\n'
      << "iteration  " << format_seconds(typical_iteration(seconds))
      << " (median of all but the first)\n"
      << "MTTKRP     "
      << format("%.2f GFLOP/s, %.2f GB/s", result.mttkrp_gflops, result.mttkrp_gbytes)
      << " by the published formulas\n"
      << "fit        " << format("%.12g", result.fit) << " after " << result.iterations
      << " iterations (" << to_string(result.stop_reason) << ")\n"
      << "memory     " << format("%.0f MB at most", peak / 0x1.0p20) << '\n';
}

/// Seconds of all that is done again in every iteration.
template <class Result>
double iterating(const Result& result) {
  return result.seconds("mttkrp") + result.seconds("solve") + result.seconds("scale") +
         result.seconds("loop");
}

/// How long several starts have taken, measured by the first of them alone; prints it, too.
template <RealScalar Scalar, class Solve, class Result>
Json compare_with_one(std::ostream& out, CpAlsOptions options, const Solve& solve,
                      const Result& all) {
  const std::size_t starts = std::exchange(options.starts, 1);
  const auto one = solve(options, KtensorObserver<Scalar, Exec>());
  const double call = all.seconds("total") / one.seconds("total");
  const double iterations = iterating(all) / iterating(one);
  out << format("starts     %zu take %.2f times as long as one, their iterations %.2f times\n",
                starts, call, iterations);
  return Json{{"call", call}, {"iterations", iterations}};
}

/// What the processes have sent each other in all iterations.
void print_exchange(std::ostream& out, const ExchangeAccount& account, std::size_t columns) {
  RowsSent all;
  for (const auto& modes : {account.folded, account.expanded}) {
    for (const RowsSent& sent : modes) {
      all.rows += sent.rows;
      all.messages += sent.messages;
    }
  }
  out << "sent       " << all.rows << " rows, " << all.rows * columns << " words, in "
      << all.messages << " messages of all processes\n";
}

/// The largest of all processes' numbers.
double largest_of_processes(double number) {
  MpiModule* const module = ProcessesOfProgram::now();
  if (module != nullptr) combine(module->processes(), {}, {&number, 1});
  return number;
}

/// What a run is of, beside its tensor: how that came here, and what the reports say of it.
struct Source {
  std::vector<std::size_t> dimensions;
  std::uint64_t nonzeros = 0;
  double seconds = 0.0;  ///< until it was there
  bool was_read = false;
  Json description;
  Json processes = nullptr;  ///< how it lies on several processes
  double peak_after_load = 0.0;
};

/// Decomposes by `solve(options, observer)` and reports.
template <RealScalar Scalar, class Solve>
int measure(const Options& options, const Source& source, const Solve& solve) {
  std::ostream& out = tools::report_stream(false, {options.json});
  out << options.source.name() << ": " << format_dimensions(source.dimensions) << ", "
      << source.nonzeros << " nonzeros, " << (source.was_read ? "read" : "generated") << " in "
      << format_seconds(source.seconds) << "\nrank " << options.als.rank << ", "
      << (options.single ? "float" : "double") << ", " << describe_backend() << '\n';
  if (!source.processes.is_null()) out << "processes " << processes_text(source.processes) << '\n';
  double before = 0.0;
  const KtensorObserver<Scalar, Exec> report = [&](const auto& iteration) {
    const auto& record = iteration.record;
    out << format("%4zu  fit %.10f  change %10.3e  %s\n", record.iteration, record.fit,
                  record.fit_change, format_seconds(record.seconds - before).c_str());
    before = record.seconds;
    return ObserverAction::proceed;
  };
  const auto result = solve(options.als, options.quiet ? KtensorObserver<Scalar, Exec>() : report);
  const auto seconds = iteration_seconds(result);
  print_result(out, result, seconds, largest_of_processes(peak_memory()));
  if constexpr (requires { result.exchange; })
    print_exchange(out, result.exchange, options.als.rank);
  Json times_of_one;
  if (options.als.starts > 1)
    times_of_one = compare_with_one<Scalar>(out, options.als, solve, result);
  if (options.json.empty()) return 0;
  Json json = report_json(result, seconds);
  json["peak_memory_bytes"] = largest_of_processes(peak_memory());
  json["peak_memory_after_load_bytes"] = source.peak_after_load;
  json["rank"] = options.als.rank;
  json["scalar"] = options.single ? "float" : "double";
  json["tensor"] = source.description;
  if (options.als.starts > 1) json["times_of_one_start"] = times_of_one;
  if (!source.processes.is_null()) json["ranks"] = source.processes;
  if constexpr (requires { result.exchange; }) {
    add_account(json["ranks"], result.exchange, options.als.rank);
  }
  json["environment"] = describe_environment();
  if (is_first_process()) write_json(options.json, json);
  return 0;
}

/// Whether values are those of a random model.
bool is_modelled(const Options& options) {
  return options.source.file.empty() && options.source.recipe.shape.empty();
}

template <RealScalar Scalar>
int run(const Options& options) {
  auto loaded = load_tensor<Scalar>(options.source, is_modelled(options) ? options.als.rank : 0);
  if (!options.write_tensor.empty()) {
    write_tensor(options.write_tensor, loaded);
    std::cout << options.write_tensor << ": " << loaded.tensor.nnz() << " nonzeros\n";
    return 0;
  }
  const double peak_after_load = peak_memory();
  const Exec exec;
  const auto tensor = copy_to<Exec>(loaded.tensor);
  const Source source{
      tensor.dimensions(),     static_cast<std::uint64_t>(tensor.nnz()), loaded.seconds,
      loaded.file_bytes > 0.0, describe(options.source, loaded),         nullptr,
      peak_after_load};
  loaded.tensor = {};  // a device has its own copy
  return measure<Scalar>(options, source, [&](const CpAlsOptions& als, const auto& observer) {
    return cp_als(exec, tensor, als, observer);
  });
}

/// The same on several processes, which generate each its own part.
template <RealScalar Scalar>
int run_on_processes(const Options& options, MpiModule& module) {
  Communicator& processes = module.processes();
  const HostExec host;
  const TensorRecipe recipe = options.source.recipe.chosen();
  const DistributeOptions how{.grid = options.grid};
  DistributedTensor<Scalar, std::uint32_t> parts;
  const double seconds = seconds_of(host, [&] {
    const std::uint64_t seed = options.source.seed;
    parts = is_modelled(options)
                ? generate_low_rank_distributed<Scalar, std::uint32_t>(
                      processes, host, recipe, options.als.rank, seed, FactorKind::uniform, how)
                : generate_distributed<Scalar, std::uint32_t>(processes, host, recipe, seed, how);
  });
  TransportChoice transport{nullptr, ""};
  if constexpr (!is_host_space<Exec>)
    transport = make_device_transport(processes, options.transport);
  const std::string grid = options.grid.empty() ? "" : grid_text(options.grid);
  Source source{recipe.dimensions,
                parts.nnz,
                seconds,
                false,
                describe(options.source, recipe.dimensions, parts.nnz, seconds),
                processes_json(module, grid, parts),
                largest_of_processes(peak_memory())};
  if (!transport.name.empty()) source.processes["transport"] = transport.name;
  // Nobody looks at the model, which may have room nowhere.
  const ProcessOptions together{.direct = transport.transport.get(), .gather = false};
  return measure<Scalar>(options, source, [&](const CpAlsOptions& als, const auto& observer) {
    return cp_als(Exec(), processes, parts, als, observer, nullptr, together);
  });
}

template <RealScalar Scalar>
int run_anywhere(const Options& options) {
  MpiModule* const module = ProcessesOfProgram::now();
  if (module == nullptr) {
    // Not after an hour.
    tools::require_writable(options.json);
    tools::require_writable(options.write_tensor);
  }
  return module == nullptr ? run<Scalar>(options) : run_on_processes<Scalar>(options, *module);
}

/// Throws a usage error for what needs several processes, or one.
void require_options_for_processes(const CLI::App& app, const Options& options) {
  require_use_of_process_options([&](const std::string& name) { return app.count(name) != 0; },
                                 options.transport);
  if (ProcessesOfProgram::now() == nullptr) return;
  if (!options.source.file.empty()) {
    usage_error("--file",
                "is read by one process: on several processes genten decompose reads "
                "files, and this program generates");
  }
  if (!options.write_tensor.empty()) {
    usage_error("--write-tensor", "is for one process");
  }
}

int run_main(int argc, char** argv) {
  Options options;
  options.als.max_iterations = 10;
  options.als.tolerance = 0.0;
  CLI::App app{"CP-ALS on a sparse tensor sampled from a random Ktensor, a named shape or a file"};
  options.source.add_to(app);
  OptionNames names;
  // The names by which other codes know them.
  names.renamed = {
      {"max-iterations", "maxiters"}, {"tolerance", "tol"}, {"kernel", "mttkrp-method"}};
  names.left_out = {"seed"};
  add_fields(app, options.als, names);
  add_flag(app, "--float", options.single, "single precision");
  add_flag(app, "--quiet", options.quiet, "no line an iteration (and no observer)");
  add_output(app, "--json", options.json,
             "report as JSON; - is the standard output, and the text goes to the standard error");
  add_output(app, "--write-tensor", options.write_tensor,
             "write the tensor (text if the name ends in .tns) and do nothing else");
  set_footer(app, "Arguments --kokkos-* go to Kokkos.");
  add_process_options(app, options.grid, options.transport);
  app.final_callback([&] { require_options_for_processes(app, options); });
  if (const auto exit_code = parse_arguments(app, argc, argv)) return *exit_code;
  options.als.seed = options.source.seed;
  return options.single ? run_anywhere<float>(options) : run_anywhere<double>(options);
}

}  // namespace
}  // namespace genten::perf

int main(int argc, char** argv) {
  using namespace genten::tools;
  return run_program_on_processes("perf_CpAlsRandomKtensor", [&] {
    const auto arguments = take_kokkos_arguments(argc, argv);
    return run_with_kokkos(arguments, Needs::device,
                           [&] { return genten::perf::run_main(argc, argv); });
  });
}
