// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// Every MTTKRP kernel, mode and rank on one tensor: preparation and kernel time, the published
/// figures, and the time as a percentage of the bound that follows from this machine's measured
/// memory (mttkrp_bound.hpp). Results are checked against a plain reference first.

#include "mttkrp_bound.hpp"
#include "tensor_source.hpp"
#include "tools/files.hpp"
#include "tools/table.hpp"

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/plan.hpp>
#include <genten/mttkrp/published_rates.hpp>

#include <iostream>
#include <map>
#include <optional>

namespace genten::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

struct Options {
  TensorSource source;
  std::vector<std::size_t> ranks{16};
  std::vector<std::string> kernels;
  std::vector<int> modes;
  int repeats = 5;
  std::size_t check_rows = 65536;
  bool single = false;
  bool no_probe = false;
  bool traversal = false;
  std::string json;
};

/// A plain serial MTTKRP in double of some rows of one mode, with the sums of absolute terms that
/// rounding errors are measured by.
class Reference {
 public:
  /// At most about `most` rows are computed, chosen by a hash; all, where the mode has no more.
  template <RealScalar Scalar>
  Reference(const Sptensor<Scalar, std::uint32_t, HostExec>& tensor,
            const Ktensor<Scalar, HostExec>& model, int mode, std::size_t most)
      : m_rank(model.rank()), m_slot(tensor.dimension(mode), -1) {
    const double share = static_cast<double>(most) / static_cast<double>(m_slot.size());
    for (std::size_t i = 0; i < m_slot.size(); ++i) {
      if (random_uniform(1, i) < share) m_slot[i] = m_rows++;
    }
    const auto size = static_cast<std::size_t>(m_rows) * m_rank;
    m_sum.assign(size, 0.0);
    m_absolute.assign(size, 0.0);
    m_terms.assign(static_cast<std::size_t>(m_rows), 0);
    for (offset_t p = 0; p < tensor.nnz(); ++p) add(tensor, model, mode, p);
  }

  /// The largest error of `result`, as a multiple of the bound (terms + N + 1) eps sum |term| that
  /// any order of summation keeps: good up to 1.
  template <RealScalar Scalar>
  [[nodiscard]] double error(const FacMatrix<Scalar, HostExec>& result, int order) const {
    double worst = 0.0;
    for (std::size_t i = 0; i < m_slot.size(); ++i) {
      if (m_slot[i] < 0) continue;
      const auto slot = static_cast<std::size_t>(m_slot[i]);
      const double eps =
          std::numeric_limits<Scalar>::epsilon() * static_cast<double>(m_terms[slot] + order + 1);
      for (std::size_t r = 0; r < m_rank; ++r) {
        const double difference =
            std::fabs(static_cast<double>(result(i, r)) - m_sum[slot * m_rank + r]);
        const double allowed = eps * m_absolute[slot * m_rank + r];
        if (difference > 0.0) worst = std::max(worst, difference / std::max(allowed, 1e-300));
        if (std::isnan(difference)) return difference;
      }
    }
    return worst;
  }

 private:
  template <RealScalar Scalar>
  void add(const Sptensor<Scalar, std::uint32_t, HostExec>& tensor,
           const Ktensor<Scalar, HostExec>& model, int mode, offset_t p) {
    const auto subscripts = tensor.subscripts();
    const std::int64_t found = m_slot[subscripts(p, mode)];
    if (found < 0) return;
    const auto slot = static_cast<std::size_t>(found);
    ++m_terms[slot];
    for (std::size_t r = 0; r < m_rank; ++r) {
      double term = static_cast<double>(tensor.values()(p));
      for (int n = 0; n < tensor.order(); ++n) {
        if (n != mode) term *= static_cast<double>(model.factor(n)(subscripts(p, n), r));
      }
      m_sum[slot * m_rank + r] += term;
      m_absolute[slot * m_rank + r] += std::fabs(term);
    }
  }

  std::size_t m_rank;
  std::vector<std::int64_t> m_slot;
  std::int64_t m_rows = 0;
  std::vector<double> m_sum;
  std::vector<double> m_absolute;
  std::vector<offset_t> m_terms;
};

/// One tensor, and what is measured on it.
template <RealScalar Scalar>
class Benchmark {
 public:
  explicit Benchmark(const Options& options)
      : m_options(options),
        m_loaded(load_tensor<Scalar>(options.source)),
        m_tensor(copy_to<Exec>(m_loaded.tensor)) {
    for (int n = 0; n < m_tensor.order(); ++n) m_use.push_back(row_use(m_loaded.tensor, n));
    if (m_options.modes.empty()) m_options.modes = genten::natural_mode_order(m_use.size());
    if (m_options.kernels.empty()) m_options.kernels = kernel_names<Exec>();
    std::cout << options.source.name() << ": " << format_dimensions(m_tensor.dimensions()) << ", "
              << m_tensor.nnz() << " nonzeros; " << (options.single ? "float" : "double") << ", "
              << describe_backend() << '\n';
  }

  int run() {
    Json json;
    for (const std::size_t rank : m_options.ranks) json.push_back(run_rank(rank));
    if (!m_options.json.empty()) {
      write_json(m_options.json, {{"tensor", describe(m_options.source, m_loaded)},
                                  {"scalar", m_options.single ? "float" : "double"},
                                  {"ranks", json},
                                  {"environment", describe_environment()}});
    }
    if (!m_good) std::cout << "\nWRONG RESULTS: errors above 1 in the last column\n";
    return m_good ? 0 : 1;
  }

 private:
  using Matrix = FacMatrix<Scalar, Exec>;

  Json run_rank(std::size_t rank) {
    m_rank = rank;
    m_model = random_ktensor<Scalar>(HostExec(), m_tensor.dimensions(), rank, 1);
    m_factors = clone_to<Exec>(m_model);
    m_rates.reset();
    m_references.clear();
    const std::size_t row_bytes = padded_stride(rank, sizeof(Scalar)) * sizeof(Scalar);
    if (!m_options.no_probe) {
      m_rates = MachineRates::measure(m_exec, row_bytes);
      print_machine(*m_rates);
    }
    Json json{{"rank", rank}};
    if (m_rates) json["machine"] = machine_json(*m_rates);
    auto table =
        Table::markdown({"rank " + std::to_string(rank) + ": kernel", "mode", "prepare", "MTTKRP",
                         "GFLOP/s", "GB/s", "bound", "of bound", "error", "traversal / MTTKRP"});
    for (const auto& kernel : m_options.kernels) {
      json["kernels"].push_back(run_kernel(kernel, table));
    }
    std::cout << '\n';
    table.print(std::cout);
    return json;
  }

  Json run_kernel(const std::string& kernel, Table& table) {
    Json json{{"kernel", kernel}};
    MttkrpOptions options;
    options.kernel = kernel;
    std::optional<MttkrpPlan<Scalar, std::uint32_t, Exec>> plan;
    try {
      const double prepare =
          seconds_of(m_exec, [&] { plan.emplace(m_exec, m_tensor, m_rank, options); });
      json["prepare_s"] = prepare;
      json["description"] = plan->describe();
      double all = 0.0, bounds = 0.0, fastest = 0.0, traversals = 0.0;
      for (const int mode : m_options.modes) {
        const Json one = run_mode(*plan, mode);
        add_row(table,
                {mode == m_options.modes.front() ? std::string(plan->kernel()) : "",
                 std::to_string(mode + 1),
                 mode == m_options.modes.front() ? format_seconds(prepare) : ""},
                one, 1);
        all += one["seconds"].template get<double>();
        fastest += one["fastest_s"].template get<double>();
        traversals += one.value("traversal_fastest_s", 0.0);
        if (m_rates) bounds += one["bound_s"].template get<double>();
        json["modes"].push_back(one);
      }
      json["seconds_all_modes"] = all;
      Json sum{{"seconds", all}, {"fastest_s", fastest}};
      if (traversals > 0.0) sum["traversal_fastest_s"] = traversals;
      if (m_rates) sum["bound_s"] = bounds;
      add_row(table, {"", "sum", ""}, sum, static_cast<int>(m_options.modes.size()));
    } catch (const Error& error) {
      json["error"] = sentence(error);
      table.add({kernel, "refused"});
      std::cout << kernel << ": " << sentence(error) << '\n';
    }
    return json;
  }

  /// Times one mode after checking it.
  Json run_mode(MttkrpPlan<Scalar, std::uint32_t, Exec>& plan, int mode) {
    const Matrix output(m_tensor.dimension(mode), m_rank);
    const auto execute = [&] { plan.execute(m_exec, m_factors.factors(), mode, output); };
    execute();  // warm-up, and the result that is checked
    m_exec.fence();
    Json json{{"mode", mode + 1}};
    if (m_options.check_rows != 0) {
      const auto host = create_mirror_view(output);
      deep_copy(host, output);
      const double error = reference(mode).error(host, m_tensor.order());
      m_good = m_good && error <= 1.0;
      json["error"] = error;
    }
    // The traversal in turn with MTTKRP, so that both see the machine alike.
    const auto traversal = [&] {
      plan.execute_with(m_exec, genten::PoissonRatio<Scalar>{},
                        std::span<const Matrix>(m_factors.factors()), mode, output);
    };
    const bool traverses = m_options.traversal && (plan.kernel() == kernels::Sorted::name ||
                                                   plan.kernel() == kernels::Atomic::name);
    if (traverses) traversal();
    std::vector<double> seconds, of_traversal;
    for (int r = 0; r < m_options.repeats; ++r) {
      seconds.push_back(seconds_of(m_exec, execute));
      if (traverses) of_traversal.push_back(seconds_of(m_exec, traversal));
    }
    json["seconds"] = median(seconds);
    json["fastest_s"] = *std::min_element(seconds.begin(), seconds.end());
    if (traverses)
      json["traversal_fastest_s"] = *std::min_element(of_traversal.begin(), of_traversal.end());
    if (m_rates) {
      const MttkrpBound bound = mttkrp_bound(*m_rates, m_tensor.dimensions(), m_tensor.nnz(), m_use,
                                             mode, sizeof(Scalar));
      json["bound_s"] = bound.seconds();
      json["bound_stream_s"] = bound.stream;
      json["bound_gather_s"] = bound.gather;
    }
    return json;
  }

  void add_row(Table& table, std::vector<std::string> row, const Json& one, int modes) const {
    const double seconds = one["seconds"];
    MttkrpProblem problem;
    problem.dimensions = m_tensor.dimensions();
    problem.nnz = m_tensor.nnz();
    problem.rank = m_rank;
    problem.scalar_bytes = sizeof(Scalar);
    problem.ordinal_bytes = sizeof(std::uint32_t);
    const PublishedRates rates = published_rates(problem, modes, seconds);
    row.push_back(format_seconds(seconds));
    row.push_back(format("%.2f", rates.gflops));
    row.push_back(format("%.2f", rates.gbytes));
    if (one.contains("bound_s")) {
      const double bound = one["bound_s"];
      row.push_back(format_seconds(bound));
      row.push_back(format("%.0f %%", 100.0 * bound / seconds));
    } else {
      row.resize(row.size() + 2);
    }
    row.push_back(one.contains("error") ? format("%.2g", one["error"].template get<double>()) : "");
    row.push_back(one.contains("traversal_fastest_s")
                      ? format("%.2f", one["traversal_fastest_s"].template get<double>() /
                                           one["fastest_s"].template get<double>())
                      : "");
    table.add(std::move(row));
  }

  const Reference& reference(int mode) {
    const auto found = m_references.find(mode);
    if (found != m_references.end()) return found->second;
    return m_references
        .emplace(mode, Reference(m_loaded.tensor, m_model, mode, m_options.check_rows))
        .first->second;
  }

  static void print_machine(const MachineRates& rates) {
    std::cout << format("\nstreams: read %.1f, write %.1f, copy %.1f GB/s\n",
                        rates.streams.read * 1e-9, rates.streams.write * 1e-9,
                        rates.streams.copy * 1e-9);
    auto table = Table::markdown({format("table, rows of %zu bytes", rates.gathers.row_bytes),
                                  "ns a row", "prefetched", "best GB/s"});
    for (const auto& point : rates.gathers.points) {
      table.add({format("%.0f KB", point.bytes / 1024.0), format("%.3f", point.plain_ns),
                 format("%.3f", point.prefetched_ns),
                 format("%.1f", static_cast<double>(rates.gathers.row_bytes) / point.best_ns())});
    }
    table.print(std::cout);
  }

  static Json machine_json(const MachineRates& rates) {
    Json json{{"read_bytes_per_s", rates.streams.read},
              {"write_bytes_per_s", rates.streams.write},
              {"copy_bytes_per_s", rates.streams.copy},
              {"row_bytes", rates.gathers.row_bytes}};
    for (const auto& point : rates.gathers.points) {
      json["gathers"].push_back({{"factor_bytes", point.bytes},
                                 {"ns", point.plain_ns},
                                 {"prefetched_ns", point.prefetched_ns}});
    }
    return json;
  }

  Options m_options;
  LoadedTensor<Scalar> m_loaded;
  Exec m_exec;
  Sptensor<Scalar, std::uint32_t, Exec> m_tensor;
  std::vector<RowUse> m_use;
  std::size_t m_rank = 0;
  Ktensor<Scalar, HostExec> m_model;
  Ktensor<Scalar, Exec> m_factors;
  std::optional<MachineRates> m_rates;
  std::map<int, Reference> m_references;
  bool m_good = true;
};

int run_main(int argc, char** argv) {
  Options options;
  CLI::App app{"Every MTTKRP kernel, mode and rank on one tensor, against what the machine can do"};
  options.source.add_to(app);
  add_option(app, {"ranks", "components", 1, 1e6}, options.ranks);
  OptionLine kernels{"kernels", "by name; without it: all but auto"};
  kernels.choices = &kernel_choices;
  add_option(app, kernels, options.kernels);
  add_option(app, {"modes", "modes to compute; without it: all"}, options.modes);
  add_option(app, {"repeats", "timed calls, of which the median is given", 1, 1e6},
             options.repeats);
  add_option(app, {"check-rows", "rows of a mode compared with the reference; 0: none", 0, 1e12},
             options.check_rows);
  add_flag(app, "--float", options.single, "single precision");
  add_flag(app, "--no-probe", options.no_probe, "do not measure the machine, give no bound");
  add_flag(app, "--traversal", options.traversal,
           "time the traversal of counts, x / m in the place of x, in turn with MTTKRP, by the "
           "kernels that have it; compared by the fastest calls");
  add_output(app, "--json", options.json, "report as JSON; - is the standard output");
  set_footer(app, "Arguments --kokkos-* go to Kokkos.");
  if (const auto exit_code = parse_arguments(app, argc, argv)) return *exit_code;
  return options.single ? Benchmark<float>(options).run() : Benchmark<double>(options).run();
}

}  // namespace
}  // namespace genten::perf

int main(int argc, char** argv) {
  return genten::tools::run_program("perf_Mttkrp", [&] {
    const genten::tools::KokkosSession kokkos(genten::tools::take_kokkos_arguments(argc, argv),
                                              genten::tools::Needs::device);
    return genten::perf::run_main(argc, argv);
  });
}
