// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// Gradient and objective of losses on one tensor, beside MTTKRP of all modes.

#include "tensor_source.hpp"
#include "tools/files.hpp"
#include "tools/table.hpp"

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/loss_gradient.hpp>
#include <genten/mttkrp/plan.hpp>

#include <algorithm>
#include <iostream>

namespace genten::perf {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

struct Options {
  TensorSource source;
  std::vector<std::size_t> ranks{16, 64};
  std::vector<std::string> losses{"gaussian", "poisson", "bernoulli-poisson"};
  int repeats = 5;
  std::size_t zero_samples = 100000;
  std::string json;
};

double fastest(const std::vector<double>& seconds) {
  return *std::min_element(seconds.begin(), seconds.end());
}

/// One loss and rank. MTTKRP, gradient and objective take turns, so that they see the machine
/// alike.
Json measure(const Options& options, const Sptensor<double, std::uint32_t, Exec>& tensor,
             const std::string& name, std::size_t rank) {
  const Exec exec;
  const auto model =
      clone_to<Exec>(random_ktensor<double>(HostExec(), tensor.dimensions(), rank, 1));
  const auto result = clone(exec, model);
  MttkrpPlan<double, std::uint32_t, Exec> plan(exec, tensor, rank);
  LossGradientOptions how;
  how.zero_samples = options.zero_samples;
  LossGradient<double, std::uint32_t, Exec> gradient_of(exec, tensor, rank, AnyLoss::named(name),
                                                        how);
  gradient_of.draw_zeros(exec, model, 1);
  std::vector<double> products, gradients, objectives;
  for (int r = -1; r < options.repeats; ++r) {  // the first is a warm-up
    const double product = seconds_of(exec, [&] {
      for (int n = 0; n < tensor.order(); ++n) {
        plan.execute(exec, model.factors(), n, result.factor(n));
      }
    });
    const double gradient = seconds_of(exec, [&] { gradient_of.gradient(exec, model, result); });
    const double objective =
        seconds_of(exec, [&] { static_cast<void>(gradient_of.sums(exec, model)); });
    if (r < 0) continue;
    products.push_back(product);
    gradients.push_back(gradient);
    objectives.push_back(objective);
  }
  return {{"loss", name},
          {"rank", rank},
          {"zeros", to_string(gradient_of.zeros())},
          {"kernel", plan.kernel()},
          {"mttkrp_s", fastest(products)},
          {"gradient_s", fastest(gradients)},
          {"objective_s", fastest(objectives)}};
}

/// The same entries with the value 1, which every loss takes.
Sptensor<double, std::uint32_t, Exec> with_ones(
    const Sptensor<double, std::uint32_t, Exec>& tensor) {
  const Kokkos::View<double*, Exec::memory_space> ones("genten::ones", tensor.nnz());
  Kokkos::deep_copy(ones, 1.0);
  return Sptensor<double, std::uint32_t, Exec>::trusted(Exec(), tensor.dimensions(),
                                                        tensor.subscripts(), ones, tensor.facts());
}

int run(const Options& options) {
  const auto loaded = load_tensor<double>(options.source);
  const auto tensor = with_ones(copy_to<Exec>(loaded.tensor));
  std::cout << options.source.name() << ": " << format_dimensions(tensor.dimensions()) << ", "
            << tensor.nnz() << " nonzeros; " << describe_backend() << '\n';
  auto table = Table::markdown(
      {"loss", "rank", "zeros", "MTTKRPs", "gradient", "objective", "gradient / MTTKRPs"});
  Json rows;
  for (const std::size_t rank : options.ranks) {
    for (const std::string& name : options.losses) {
      const Json one = measure(options, tensor, name, rank);
      const double product = one["mttkrp_s"], gradient = one["gradient_s"];
      table.add({name, std::to_string(rank), one["zeros"], format_seconds(product),
                 format_seconds(gradient), format_seconds(one["objective_s"]),
                 format("%.2f", gradient / product)});
      rows.push_back(one);
    }
  }
  table.print(std::cout);
  if (!options.json.empty()) {
    write_json(options.json, {{"tensor", describe(options.source, loaded)},
                              {"losses", rows},
                              {"environment", describe_environment()}});
  }
  return 0;
}

int run_main(int argc, char** argv) {
  Options options;
  CLI::App app{"Gradient and objective of losses on one tensor, beside MTTKRP of all modes"};
  options.source.add_to(app);
  add_option(app, {"ranks", "components", 1, 1e6}, options.ranks);
  add_option(app, {"losses", "by name, with their default parameters"}, options.losses);
  add_option(app, {"repeats", "timed calls, of which the fastest is given", 1, 1e6},
             options.repeats);
  add_option(app, {"zero-samples", "draws, where zeros are sampled", 1, 1e10},
             options.zero_samples);
  add_output(app, "--json", options.json, "report as JSON; - is the standard output");
  set_footer(app, "Arguments --kokkos-* go to Kokkos.");
  if (const auto exit_code = parse_arguments(app, argc, argv)) return *exit_code;
  return run(options);
}

}  // namespace
}  // namespace genten::perf

int main(int argc, char** argv) {
  return genten::tools::run_program("perf_LossGradient", [&] {
    const genten::tools::KokkosSession kokkos(genten::tools::take_kokkos_arguments(argc, argv),
                                              genten::tools::Needs::device);
    return genten::perf::run_main(argc, argv);
  });
}
