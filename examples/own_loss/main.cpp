// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Two losses that are not least squares: one of the library for binary data, and one of this
// program, which is a struct with a function and its derivative.

#include <genten/genten.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

using Exec = genten::HostExec;  // losses of a program's own run on hosts
using Tensor = genten::Sptensor<double, std::uint32_t, Exec>;

/// Nearly |m - x|: outliers count by their distance, not by its square.
struct SmoothAbsolute {
  static constexpr std::string_view name = "smooth absolute";
  static constexpr genten::LossData data = genten::LossData::real;  // the values x that it takes
  static constexpr double lower = genten::losses::no_bound;         // the model's values m: any

  double width;  // below it the loss is nearly a square

  double value(double x, double m) const { return std::hypot(m - x, width) - width; }
  double slope(double x, double m) const { return (m - x) / std::hypot(m - x, width); }
};

/// The tensor of the entries of a box for which value(i, j, k) is not 0.
template <class Value>
Tensor make_tensor(const std::vector<std::size_t>& dimensions, const Value& value) {
  std::vector<std::uint32_t> subscripts;
  std::vector<double> values;
  for (std::uint32_t i = 0; i < dimensions[0]; ++i) {
    for (std::uint32_t j = 0; j < dimensions[1]; ++j) {
      for (std::uint32_t k = 0; k < dimensions[2]; ++k) {
        const double x = value(i, j, k);
        if (x == 0.0) continue;
        subscripts.insert(subscripts.end(), {i, j, k});
        values.push_back(x);
      }
    }
  }
  return Tensor::from_host(dimensions, subscripts, values);
}

template <class Result>
void print(const Result& result) {
  std::printf("%-18s %4zu iterations, objective %.6f, scale equation %.1e\n",
              result.loss.name.c_str(), result.iterations, result.objective, result.scale_equation);
  for (const auto& warning : result.warnings) {
    std::printf("  warning: %s\n", std::string(genten::to_string(warning.doubt)).c_str());
  }
}

int run() {
  const Exec exec;
  // Two groups, who meet on even and odd days, now and then.
  const Tensor links = make_tensor({20, 20, 10}, [](auto i, auto j, auto k) {
    return i / 10 == j / 10 && (i / 10 + k) % 2 == 0 && (7 * i + 11 * j + 5 * k) % 3 != 0 ? 1.0
                                                                                          : 0.0;
  });
  const genten::CpGcpOptions two_groups{.rank = 2, .starts = 3};
  const auto binary = genten::cp_gcp(exec, links, genten::losses::BernoulliPoisson(), two_groups);
  print(binary);

  // A smooth component with a few entries that went wrong.
  const Tensor measured = make_tensor({15, 12, 8}, [](auto i, auto j, auto k) {
    const double x = std::sqrt(1.0 + i) * (1.0 + 0.1 * j) / (1.0 + 0.2 * k);
    return (7 * i + 5 * j + 3 * k) % 41 == 0 ? 50.0 : x;
  });
  const genten::CpGcpOptions one_component{.rank = 1, .starts = 3};
  const auto robust = genten::cp_gcp(exec, measured, SmoothAbsolute{0.01}, one_component);
  const auto squares = genten::cp_gcp(exec, measured, genten::losses::Gaussian(), one_component);
  print(robust);
  print(squares);
  const std::vector<std::size_t> place{8, 8, 0};  // where it is 3 * 1.8
  const double by_robust = genten::value_at(exec, robust.model, place);
  const double by_squares = genten::value_at(exec, squares.model, place);
  std::printf("at one place 5.4 without errors: %.4f, by least squares %.4f\n", by_robust,
              by_squares);
  return std::abs(by_robust - 5.4) < 0.01 && std::abs(by_squares - 5.4) > 0.1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);  // else it advises how to bind threads
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
