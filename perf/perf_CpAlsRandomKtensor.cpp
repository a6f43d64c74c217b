// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// CP-ALS on a sparse tensor that is sampled from a random Ktensor, on a named shape or on a file:
/// time and fit of each iteration, time of each phase, and the published figures of MTTKRP.

#include "tensor_source.hpp"
#include "tools/files.hpp"
#include "tools/result_json.hpp"
#include "tools/table.hpp"

#include <genten/cp/cp_als.hpp>
#include <genten/io/binary.hpp>

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
  Json json = tools::result_json(result);
  const double iterations = std::max(1.0, static_cast<double>(result.iterations));
  json["prepare_s"] = result.seconds("prepare");
  json["iteration_s"] = typical_iteration(seconds);
  json["mttkrp_s"] = result.seconds("mttkrp") / iterations;
  json["iteration_seconds"] = seconds;
  return json;
}

template <class Result>
void print_result(const Result& result, const std::vector<double>& seconds) {
  const double iterations = std::max(1.0, static_cast<double>(result.iterations));
  auto table = Table::markdown({"phase", "total", "per iteration", "share"});
  const double total = std::max(result.seconds("total"), 1e-12);
  for (const auto& phase : result.timings) {
    const bool once = phase.name != "mttkrp" && phase.name != "solve" && phase.name != "loop" &&
                      phase.name != "observer";
    table.add({phase.name, format_seconds(phase.seconds),
               once ? "" : format_seconds(phase.seconds / iterations),
               once ? "" : format("%.1f %%", 100.0 * phase.seconds / total)});
  }
  std::cout << '\n';
  table.print(std::cout);
  std::cout << "\nkernel     " << result.kernel << ": " << result.kernel_description << '\n'
            << "iteration  " << format_seconds(typical_iteration(seconds))
            << " (median of all but the first)\n"
            << "MTTKRP     "
            << format("%.2f GFLOP/s, %.2f GB/s", result.mttkrp_gflops, result.mttkrp_gbytes)
            << " by the published formulas\n"
            << "fit        " << format("%.12g", result.fit) << " after " << result.iterations
            << " iterations (" << to_string(result.stop_reason) << ")\n"
            << "memory     " << format("%.0f MB at most", peak_memory() / 0x1.0p20) << '\n';
}

/// Seconds of all that is done again in every iteration.
template <class Result>
double iterating(const Result& result) {
  return result.seconds("mttkrp") + result.seconds("solve") + result.seconds("scale") +
         result.seconds("loop");
}

/// How long several starts have taken, measured by the first of them alone; prints it, too.
template <RealScalar Scalar>
Json compare_with_one(const Exec& exec, const Sptensor<Scalar, std::uint32_t, Exec>& tensor,
                      CpAlsOptions options, const CpAlsResult<Scalar, Exec>& all) {
  const std::size_t starts = std::exchange(options.starts, 1);
  const auto one = cp_als(exec, tensor, options);
  const double call = all.seconds("total") / one.seconds("total");
  const double iterations = iterating(all) / iterating(one);
  std::cout << format(
      "starts     %zu take %.2f times as long as one, their iterations %.2f times\n", starts, call,
      iterations);
  return Json{{"call", call}, {"iterations", iterations}};
}

template <RealScalar Scalar>
int run(const Options& options) {
  const bool modelled = options.source.file.empty() && options.source.recipe.shape.empty();
  auto loaded = load_tensor<Scalar>(options.source, modelled ? options.als.rank : 0);
  if (!options.write_tensor.empty()) {
    write_tensor(options.write_tensor, loaded);
    std::cout << options.write_tensor << ": " << loaded.tensor.nnz() << " nonzeros\n";
    return 0;
  }
  const double peak_after_load = peak_memory();
  const Exec exec;
  const auto tensor = copy_to<Exec>(loaded.tensor);
  const Json description = describe(options.source, loaded);
  std::cout << options.source.name() << ": " << format_dimensions(tensor.dimensions()) << ", "
            << tensor.nnz() << " nonzeros, " << (loaded.file_bytes > 0.0 ? "read" : "generated")
            << " in " << format_seconds(loaded.seconds) << "\nrank " << options.als.rank << ", "
            << (options.single ? "float" : "double") << ", " << describe_backend() << '\n';
  loaded.tensor = {};  // a device has its own copy

  double before = 0.0;
  const KtensorObserver<Scalar, Exec> report = [&](const auto& iteration) {
    const auto& record = iteration.record;
    std::cout << format("%4zu  fit %.10f  change %10.3e  %s\n", record.iteration, record.fit,
                        record.fit_change, format_seconds(record.seconds - before).c_str());
    before = record.seconds;
    return ObserverAction::proceed;
  };
  const auto result =
      cp_als(exec, tensor, options.als, options.quiet ? KtensorObserver<Scalar, Exec>() : report);
  const auto seconds = iteration_seconds(result);
  print_result(result, seconds);
  Json times_of_one;
  if (options.als.starts > 1) {
    times_of_one = compare_with_one(exec, tensor, options.als, result);
  }

  if (!options.json.empty()) {
    Json json = report_json(result, seconds);
    json["peak_memory_bytes"] = peak_memory();
    json["peak_memory_after_load_bytes"] = peak_after_load;
    json["rank"] = options.als.rank;
    json["scalar"] = options.single ? "float" : "double";
    json["tensor"] = description;
    if (options.als.starts > 1) json["times_of_one_start"] = times_of_one;
    json["environment"] = describe_environment();
    write_json(options.json, json);
  }
  return 0;
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
  app.add_flag("--float", options.single, "single precision");
  app.add_flag("--quiet", options.quiet, "no line an iteration (and no observer)");
  add_text(app, "--json", "FILE", options.json, "report as JSON; - is the standard output");
  add_text(app, "--write-tensor", "FILE", options.write_tensor,
           "write the tensor (text if the name ends in .tns) and do nothing else");
  app.footer("Arguments --kokkos-* go to Kokkos.");
  if (const auto exit_code = parse_arguments(app, argc, argv)) return *exit_code;
  options.als.seed = options.source.seed;
  return options.single ? run<float>(options) : run<double>(options);
}

}  // namespace
}  // namespace genten::perf

int main(int argc, char** argv) {
  return genten::tools::run_program("perf_CpAlsRandomKtensor", [&] {
    const genten::tools::KokkosSession kokkos(genten::tools::take_kokkos_arguments(argc, argv),
                                              genten::tools::Needs::device);
    return genten::perf::run_main(argc, argv);
  });
}
