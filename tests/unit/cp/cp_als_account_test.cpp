// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What CP-ALS tells of its run.
#include "cp_als_support.hpp"

#include <genten/core/ktensor_ops.hpp>

#include <chrono>
#include <thread>

namespace {

using namespace genten_test::cp;
using genten_test::PlainTensor;
using genten_test::random_tensor;

TEST_F(CpAlsTest, HistoryAndTimingsAreConsistent) {
  const auto result =
      cp_als(exec, tensor, CpAlsOptions{.rank = 4, .max_iterations = 7, .tolerance = 0.0});
  ASSERT_EQ(result.history.size(), 7u);
  EXPECT_EQ(result.iterations, 7u);
  double fit = 0.0, seconds = 0.0;
  for (std::size_t k = 0; k < 7; ++k) {
    const auto& record = result.history[k];
    EXPECT_EQ(record.iteration, k + 1);
    EXPECT_EQ(record.fit_change, record.fit - fit);
    EXPECT_NEAR(record.fit, 1.0 - record.residual_norm / result.tensor_norm, 1e-15);
    EXPECT_GE(record.seconds, seconds);
    fit = record.fit;
    seconds = record.seconds;
  }
  EXPECT_EQ(result.fit, fit);
  EXPECT_EQ(result.residual_route, genten::ResidualRoute::identity);
  double sum = 0.0;
  for (const char* name :
       {"prepare", "mttkrp", "gram", "solve", "inner_product", "norm", "scale", "arrange"}) {
    EXPECT_EQ(std::count_if(result.timings.begin(), result.timings.end(),
                            [&](const auto& timing) { return timing.name == name; }),
              1)
        << name;
    EXPECT_GE(result.seconds(name), 0.0) << name;
    sum += result.seconds(name);
  }
  EXPECT_GT(result.seconds("mttkrp"), 0.0);
  EXPECT_GE(result.seconds("total"), 0.99 * sum);
  // The published formulas: N R nnz and ((N R + 3) sizeof(real) + N sizeof(ordinal)) nnz.
  const auto nnz = static_cast<double>(plain_tensor.entries().size());
  EXPECT_NEAR(result.mttkrp_gflops, 7 * 3 * (3.0 * 4) * nnz / result.seconds("mttkrp") * 1e-9,
              1e-9 * result.mttkrp_gflops);
  EXPECT_NEAR(result.mttkrp_gbytes,
              7 * 3 * ((3.0 * 4 + 3) * 8 + 3 * 4) * nnz / result.seconds("mttkrp") * 1e-9,
              1e-9 * result.mttkrp_gbytes);
  EXPECT_FALSE(result.kernel.empty());
  EXPECT_FALSE(result.kernel_description.empty());
}

/// Of a call that takes long enough for a clock.
CpAlsOptions some_work(std::size_t starts) {
  return {.rank = 16, .max_iterations = 10, .tolerance = 0.0, .starts = starts};
}

TEST_F(CpAlsTest, PhasesAddUpToTheTotal) {
  const auto large = make(random_tensor({.dimensions = {30'000, 2'000, 300}, .nnz = 200'000}));
  const auto guess = genten::random_ktensor<double>(exec, large.dimensions(), 16, 9);
  for (const auto& result :
       {cp_als(exec, large, some_work(1)), cp_als(exec, large, some_work(3)),
        cp_als(exec, large, guess, some_work(1), [](const Iteration& iteration) {
          (void)iteration.model();
          return ObserverAction::proceed;
        })}) {
    double sum = 0.0;
    for (const auto& phase : result.timings) {
      if (phase.name != "total") sum += phase.seconds;
    }
    EXPECT_EQ(result.timings.back().name, "total");
    EXPECT_GE(sum, 0.98 * result.seconds("total"));
    EXPECT_LE(sum, result.seconds("total") * (1.0 + 1e-12));
    EXPECT_LE(result.seconds("loop"), 0.1 * result.seconds("total"));
  }
}

TEST_F(CpAlsTest, TimingsAndRatesAreThoseOfAllStarts) {
  CpAlsOptions options{.rank = 4, .max_iterations = 5, .tolerance = 0.0, .starts = 3};
  const auto result = cp_als(exec, tensor, options);
  const auto nnz = static_cast<double>(plain_tensor.entries().size());
  EXPECT_NEAR(result.mttkrp_gflops, 3 * 5 * 3 * (3.0 * 4) * nnz / result.seconds("mttkrp") * 1e-9,
              1e-9 * result.mttkrp_gflops);
  EXPECT_EQ(result.seconds("observer"), 0.0);
  // An observer's time stands under a phase of its own.
  options.starts = 1;
  const auto observed = cp_als(exec, tensor, options, [](const Iteration&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return ObserverAction::proceed;
  });
  EXPECT_GE(observed.seconds("observer"), 5 * 2e-3);
}

TEST_F(CpAlsTest, ObservedModelIsThatOfARunThatEndsThere) {
  std::vector<std::vector<double>> seen;
  const CpAlsOptions options{.rank = 5, .max_iterations = 3, .tolerance = 0.0};
  const auto last = cp_als(exec, tensor, options, [&](const Iteration& iteration) {
    seen.push_back(numbers(iteration.model()));
    return ObserverAction::proceed;
  });
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen.back(), numbers(last.model));
  CpAlsOptions shorter = options;
  shorter.max_iterations = 2;
  EXPECT_EQ(seen[1], numbers(cp_als(exec, tensor, shorter).model));
}

TEST_F(CpAlsTest, SignsAreFixed) {
  PlainTensor negative = plain_tensor;
  for (double& value : negative.values) value = value > 0.0 ? -value : value;
  const auto result =
      cp_als(exec, make(negative), CpAlsOptions{.rank = 4, .init = genten::FactorKind::normal});
  const auto fixed = genten::clone(result.model);
  fix_signs(exec, fixed);
  EXPECT_EQ(numbers(result.model), numbers(fixed));
}

TEST_F(CpAlsTest, WeightsDescendAndColumnsHaveNormOne) {
  const auto result = cp_als(exec, tensor, CpAlsOptions{.rank = 5, .max_iterations = 7});
  for (std::size_t r = 0; r < 5; ++r) {
    if (r > 0) {
      EXPECT_GE(result.model.weights()(r - 1), result.model.weights()(r));
    }
    for (const auto& factor : result.model.factors()) {
      double square = 0.0;
      for (std::size_t i = 0; i < factor.rows(); ++i) square += factor(i, r) * factor(i, r);
      EXPECT_NEAR(square, 1.0, 1e-13);
    }
  }
}

}  // namespace
