// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Genten inside somebody else's solver. The solver here stands for any code that has its data in
// Kokkos Views of its own: it follows two clouds over a grid and keeps, for every time step, the
// cells where there is something. A cloud is the product of a profile in x, one in y and a course
// in time, so the history is a sparse tensor that two components describe.
//
// Shown are: a tensor around the solver's Views without a copy; an observer that prints, and ends
// the run once the model is good enough for the solver; the model's factors in a kernel of the
// solver.

#include <genten/genten.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace solver {

using Exec = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
// The layout that Genten wraps: the subscripts of a nonzero side by side.
using Cells = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Memory>;
using Values = Kokkos::View<double*, Memory>;
using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

constexpr std::int64_t nx = 80, ny = 60, steps = 40;

/// What the solver owns: the cells in use, (x, y, time) a row, and the concentration in each.
struct History {
  Cells cells;
  Values concentration;
};

/// One cloud grows in the lower left, the other fades in the upper right.
KOKKOS_INLINE_FUNCTION double concentration_at(std::int64_t index) {
  const double t = double(index % steps) / double(steps);
  const double y = double(index / steps % ny), x = double(index / steps / ny);
  const double ax = (x - 20.0) / 6.0, ay = (y - 15.0) / 5.0;
  const double bx = (x - 50.0) / 8.0, by = (y - 40.0) / 4.0;
  const double value = t * std::exp(-ax * ax - ay * ay) + (1.0 - t) * std::exp(-bx * bx - by * by);
  return value > 1e-3 ? value : 0.0;
}

History simulate(const Exec& exec) {
  const Range all(exec, 0, nx * ny * steps);
  std::int64_t used = 0;
  Kokkos::parallel_reduce(
      "solver::count", all,
      KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& count) {
        if (concentration_at(i) > 0.0) ++count;
      },
      used);

  const History history{Cells("solver::cells", used, 3), Values("solver::concentration", used)};
  const auto cells = history.cells;
  const auto concentration = history.concentration;
  Kokkos::parallel_scan(
      "solver::store", all, KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& place, bool last) {
        const double value = concentration_at(i);
        if (value == 0.0) return;
        if (last) {
          cells(place, 0) = std::uint32_t(i / steps / ny);
          cells(place, 1) = std::uint32_t(i / steps % ny);
          cells(place, 2) = std::uint32_t(i % steps);
          concentration(place) = value;
        }
        ++place;
      });
  return history;
}

/// The largest difference between the history and the model, over the cells in use.
double largest_difference(const Exec& exec, const History& history,
                          const genten::Ktensor<double, Exec>& model) {
  // Factor matrices are handles like Views: a kernel takes them by value.
  const auto a = model.factor(0), b = model.factor(1), c = model.factor(2);
  const auto weights = model.weights();
  const auto cells = history.cells;
  const auto concentration = history.concentration;
  const std::size_t rank = model.rank();
  double result = 0.0;
  Kokkos::parallel_reduce(
      "solver::compare", Range(exec, 0, std::int64_t(concentration.extent(0))),
      KOKKOS_LAMBDA(const std::int64_t p, double& largest) {
        double value = 0.0;
        for (std::size_t r = 0; r < rank; ++r) {
          value += weights(r) * a(cells(p, 0), r) * b(cells(p, 1), r) * c(cells(p, 2), r);
        }
        largest = std::fmax(largest, std::fabs(value - concentration(p)));
      },
      Kokkos::Max<double>(result));
  return result;
}

void run() {
  // Everything below goes to this instance: the solver's kernels and Genten's.
  const Exec exec;
  const History history = simulate(exec);

  // Wrapped, not copied. The Views may go out of scope, but must not be written to from here on.
  const genten::Sptensor<double, std::uint32_t, Exec> tensor(
      exec, {std::size_t(nx), std::size_t(ny), std::size_t(steps)}, history.cells,
      history.concentration);
  std::printf("%lld cells in use, %.1f %% of all\n", static_cast<long long>(tensor.nnz()),
              100.0 * tensor.density());

  genten::CpAlsOptions options;
  options.rank = 2;
  options.tolerance = 0.0;  // the observer decides when it is enough
  const genten::KtensorObserver<double, Exec> until_good_enough = [](const auto& iteration) {
    std::printf("  iteration %zu: fit %.6f\n", iteration.record.iteration, iteration.record.fit);
    return iteration.record.fit > 0.99 ? genten::ObserverAction::stop
                                       : genten::ObserverAction::proceed;
  };
  const auto result = genten::cp_als(exec, tensor, options, until_good_enough);

  std::printf("stopped by: %s\n", std::string(to_string(result.stop_reason)).c_str());
  std::printf("largest difference from the solver: %.4f\n",
              largest_difference(exec, history, result.model));
}

}  // namespace solver

int main(int argc, char* argv[]) {
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);  // else it advises how to bind threads
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    solver::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "embed_in_solver: %s\n", error.what());
    return 1;
  }
  return 0;
}
