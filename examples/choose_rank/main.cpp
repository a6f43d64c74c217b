// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Choosing a rank. The fit alone cannot tell: it grows with every component. What stops growing is
// the agreement between runs from different random starts. With too many components there are many
// ways to spend the spare ones, so each run finds others, and the score between the runs drops.
//
//   choose_rank                          a tensor of known rank 4 with 10 % noise
//   choose_rank FILE [MOST [STARTS]]     a tensor in a file, ranks 1 to MOST
//
// Prints one line a rank: best fit, and how alike the other starts' models are to the best one's
// (1: the same). Take the largest rank before the agreement breaks down.

#include <genten/genten.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Tensor = genten::Sptensor<double, std::uint32_t, Exec>;
using Result = genten::CpAlsResult<double, Exec>;

Tensor example_tensor() {
  const std::vector<std::size_t> dimensions = {60, 50, 40};
  const auto planted = genten::generate_planted<double>(genten::HostExec(), dimensions,
                                                        /*rank*/ 4, /*support*/ 20,
                                                        /*noise*/ 0.1, /*seed*/ 1);
  return genten::copy_to<Exec>(planted.tensor);
}

/// One run from each of several random starts, best fit first. `options.starts` would do the same
/// with less memory, but keeps only the best model, and here all are wanted.
std::vector<Result> run_starts(const Exec& exec, const Tensor& tensor, std::size_t rank,
                               std::size_t starts) {
  genten::CpAlsOptions options;
  options.rank = rank;
  options.max_iterations = 500;
  options.tolerance = 1e-7;  // models can only be compared once they have settled
  std::vector<Result> results;
  for (std::size_t start = 0; start < starts; ++start) {
    options.seed = start + 1;
    results.push_back(genten::cp_als(exec, tensor, options));
  }
  std::sort(results.begin(), results.end(),
            [](const Result& a, const Result& b) { return a.fit > b.fit; });
  return results;
}

void print_rank(const Exec& exec, const Tensor& tensor, std::size_t rank, std::size_t starts) {
  const auto results = run_starts(exec, tensor, rank, starts);
  double lowest = 1.0, sum = 0.0;
  for (std::size_t i = 1; i < results.size(); ++i) {
    const double score = genten::score(exec, results[i].model, results[0].model).score;
    lowest = std::min(lowest, score);
    sum += score;
  }
  std::printf("%4zu  %8.5f  %9.5f  %6.3f  %6.3f\n", rank, results.front().fit, results.back().fit,
              sum / static_cast<double>(results.size() - 1), lowest);
}

}  // namespace

int main(int argc, char* argv[]) {
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);  // else it advises how to bind threads
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    const std::size_t most = argc > 2 ? std::stoul(argv[2]) : 6;
    const std::size_t starts = std::max<std::size_t>(2, argc > 3 ? std::stoul(argv[3]) : 5);
    const Exec exec;
    const Tensor tensor =
        argc > 1 ? genten::read_sptensor<double>(argv[1]).tensor : example_tensor();

    std::printf("rank  best fit  worst fit   score  lowest   (%zu starts)\n", starts);
    for (std::size_t rank = 1; rank <= most; ++rank) print_rank(exec, tensor, rank, starts);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "choose_rank: %s\n", error.what());
    return 1;
  }
  return 0;
}
