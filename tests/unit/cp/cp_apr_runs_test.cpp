// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// CP-APR from several starts, and from checkpoints.
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/random.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/cp_apr.hpp>

#include "places.hpp"
#include "plain.hpp"
#include "test_types.hpp"

#include <genten/cp/cp_als.hpp>
#include <genten/io/any.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::CpAprOptions;
using testing::HasSubstr;

using Exec = Kokkos::DefaultExecutionSpace;
using Tensor = genten::Sptensor<double, std::uint32_t, Exec>;
using Model = genten::Ktensor<double, Exec>;
using Result = genten::CpAprResult<double, Exec>;

class CpAprRuns : public testing::Test {
 protected:
  const Exec exec{};
  const Tensor tensor = std::get<Tensor>(
      genten::read_tensor<double, Exec>(genten_test::data_file("titanic/titanic.tns")).tensor);

  static std::vector<double> numbers(const Model& model) {
    const auto plain = genten_test::plain(model);
    std::vector<double> all = plain.weights;
    for (const auto& factor : plain.factors) {
      all.insert(all.end(), factor.elements.begin(), factor.elements.end());
    }
    return all;
  }
  static std::string message_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const genten::Error& error) {
      return error.what();
    }
    return "";
  }
  /// Runs and keeps the checkpoint after that iteration of that start (from 0).
  std::pair<Result, genten::Checkpoint<Model>> run_with_checkpoint(const CpAprOptions& options,
                                                                   std::size_t start,
                                                                   std::size_t iteration) const {
    genten::Checkpoint<Model> kept;
    auto result = genten::cp_apr(exec, tensor, options, [&](const auto& seen) {
      if (seen.start == start && seen.record.iteration == iteration) kept = seen.checkpoint();
      return genten::ObserverAction::proceed;
    });
    return {std::move(result), std::move(kept)};
  }
};

TEST_F(CpAprRuns, TheBestOfSeveralStartsIsKept) {
  const CpAprOptions options{.rank = 4, .max_iterations = 30, .seed = 5, .starts = 4};
  const Result result = genten::cp_apr(exec, tensor, options);
  ASSERT_EQ(result.starts.size(), 4U);
  double least = result.starts[0].objective;
  for (std::size_t s = 0; s < 4; ++s) {
    CpAprOptions alone = options;
    alone.starts = 1;
    alone.seed = options.seed + s;
    const Result one = genten::cp_apr(exec, tensor, alone);
    EXPECT_EQ(result.starts[s].seed, alone.seed);
    EXPECT_EQ(result.starts[s].objective, one.objective);
    EXPECT_EQ(result.starts[s].iterations, one.iterations);
    least = std::min(least, one.objective);
    if (s == result.best_start) {
      EXPECT_EQ(numbers(result.model), numbers(one.model));
      EXPECT_EQ(result.deviance, one.deviance);
      EXPECT_EQ(result.kkt_violation, one.kkt_violation);
      EXPECT_EQ(result.history.size(), one.history.size());
    }
  }
  EXPECT_EQ(result.objective, least);
  const Model guess = genten::random_ktensor<double>(exec, tensor.dimensions(), 4, 1);
  EXPECT_THAT(message_of([&] { (void)genten::cp_apr(exec, tensor, guess, options); }),
              HasSubstr("expected one start from a given initial guess, got 4"));
}

TEST_F(CpAprRuns, ARunGoesOnFromACheckpointAsIfItHadNotEnded) {
  // Before there is a direction to extrapolate in, before Newton's first steps, and after.
  for (const auto& [start, iteration] :
       std::vector<std::pair<std::size_t, std::size_t>>{{0, 5}, {1, 5}, {2, 5}, {0, 1}, {1, 10}}) {
    SCOPED_TRACE(std::to_string(start) + ", " + std::to_string(iteration));
    const CpAprOptions options{
        .rank = 3, .max_iterations = 12, .tolerance = 0.0, .seed = 2, .starts = 3};
    const auto [whole, checkpoint] = run_with_checkpoint(options, start, iteration);
    ASSERT_TRUE(genten::is_apr_checkpoint(checkpoint));
    EXPECT_EQ(genten::checkpoint_apr_options(checkpoint).seed, 2U);
    const Result resumed = genten::cp_apr(exec, tensor, checkpoint, options);
    EXPECT_EQ(numbers(resumed.model), numbers(whole.model));
    EXPECT_EQ(resumed.objective, whole.objective);
    EXPECT_EQ(resumed.deviance, whole.deviance);
    EXPECT_EQ(resumed.inner_iterations, whole.inner_iterations);
    EXPECT_EQ(resumed.best_start, whole.best_start);
    ASSERT_EQ(resumed.history.size(), whole.history.size());
    for (std::size_t k = 0; k < whole.history.size(); ++k) {
      EXPECT_EQ(resumed.history[k].objective, whole.history[k].objective);
      EXPECT_EQ(resumed.history[k].kkt_violation, whole.history[k].kkt_violation);
    }
    ASSERT_EQ(resumed.starts.size(), 3U);
    for (std::size_t s = 0; s < 3; ++s) {
      EXPECT_EQ(resumed.starts[s].objective, whole.starts[s].objective);
    }
  }
}

TEST_F(CpAprRuns, MoreIterationsMayFollow) {
  CpAprOptions options{.rank = 2, .max_iterations = 4, .tolerance = 0.0};
  const auto [whole, checkpoint] = run_with_checkpoint(options, 0, 4);
  options.max_iterations = 9;
  const Result longer = genten::cp_apr(exec, tensor, checkpoint, options);
  const Result at_once = genten::cp_apr(exec, tensor, options);
  EXPECT_EQ(numbers(longer.model), numbers(at_once.model));
  EXPECT_EQ(longer.iterations, 9U);
}

TEST_F(CpAprRuns, WhatDoesNotBelongTogetherIsRefused) {
  const CpAprOptions options{.rank = 2, .max_iterations = 3};
  const auto checkpoint = run_with_checkpoint(options, 0, 2).second;
  CpAprOptions other = options;
  other.seed = 9;
  EXPECT_THAT(message_of([&] { (void)genten::cp_apr(exec, tensor, checkpoint, other); }),
              HasSubstr("of a run with other options: seed"));
  const Tensor another = genten_test::to_sptensor<double, std::uint32_t, Exec>(
      {tensor.dimensions(), {{0, 0, 0, 0}, {1, 1, 1, 1}}, {1.0, 2.0}});
  EXPECT_THAT(message_of([&] { (void)genten::cp_apr(exec, another, checkpoint, options); }),
              HasSubstr("the checkpoint is of another tensor"));
  EXPECT_THAT(message_of([&] { (void)genten::checkpoint_options(checkpoint); }),
              HasSubstr("expected a checkpoint of CP-ALS, got one of another solver"));
  auto older = checkpoint;
  older.state.replace(older.state.find("CP-APR, "), 9, "CP-APR, 1");
  EXPECT_TRUE(genten::is_apr_checkpoint(older));
  EXPECT_THAT(message_of([&] { (void)genten::checkpoint_apr_options(older); }),
              HasSubstr("expected a checkpoint of CP-APR, got one of another version of Genten"));
}

TEST_F(CpAprRuns, NewtonsStepsEndWhereMultiplicativeOnesDoInFewer) {
  if constexpr (!genten::is_host_space<Exec>) GTEST_SKIP() << "on hosts alone";
  for (const std::size_t rank : {2, 3}) {
    // From one start they may find different minima.
    CpAprOptions options{
        .rank = rank, .max_iterations = 20000, .tolerance = 1e-6, .seed = 3, .starts = 6};
    options.steps = genten::CountSteps::newton;
    const Result newton = genten::cp_apr(exec, tensor, options);
    options.steps = genten::CountSteps::multiplicative;
    const Result multiplicative = genten::cp_apr(exec, tensor, options);
    EXPECT_EQ(newton.steps, genten::CountSteps::newton);
    EXPECT_EQ(multiplicative.steps, genten::CountSteps::multiplicative);
    EXPECT_EQ(newton.stop_reason, genten::StopReason::converged);
    EXPECT_EQ(multiplicative.stop_reason, genten::StopReason::converged);
    EXPECT_NEAR(newton.objective, multiplicative.objective, 1e-8 * std::abs(newton.objective));
    EXPECT_LT(3 * newton.inner_iterations, multiplicative.inner_iterations);
    double sum = 0.0;
    const auto model = genten_test::plain(newton.model);
    for (std::size_t r = 0; r < rank; ++r) {
      double product = model.weights[r];
      for (const auto& factor : model.factors) {
        double column = 0.0;
        for (std::size_t i = 0; i < factor.rows; ++i) column += factor(i, r);
        product *= column;
      }
      sum += product;
    }
    EXPECT_NEAR(sum, 2201.0, 1e-9);
    for (std::size_t k = 1; k < newton.history.size(); ++k) {
      EXPECT_LE(newton.history[k].objective,
                newton.history[k - 1].objective + 1e-12 * std::abs(newton.objective));
    }
  }
}

// Without extrapolation between sweeps, and without multiplicative ones at first, they were 382.
TEST_F(CpAprRuns, SweepsToTheMinimumAreFew) {
  if constexpr (!genten::is_host_space<Exec>) GTEST_SKIP() << "on hosts alone";
  const Tensor admissions = std::get<Tensor>(
      genten::read_tensor<double, Exec>(genten_test::data_file("ucb-admissions/ucb-admissions.tns"))
          .tensor);
  std::size_t sweeps = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Result result = genten::cp_apr(exec, admissions, CpAprOptions{.rank = 3, .seed = seed});
    EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
    sweeps += result.iterations;
  }
  EXPECT_LT(sweeps, 290U);
}

// Rows of many nonzeros are summed in pieces, and rows without any become 0.
TEST_F(CpAprRuns, NewtonsStepsTakeLongAndEmptyRows) {
  if constexpr (!genten::is_host_space<Exec>) GTEST_SKIP() << "on hosts alone";
  genten_test::PlainTensor plain{{2, 300, 200}, {}, {}};
  for (std::size_t j = 0; j < 300; ++j) {
    for (std::size_t k = 0; k < 200; k += 1 + j % 3) {
      if (j == 7) continue;  // a row without nonzeros
      plain.subscripts.push_back({(j + k) % 5 == 0 ? 1U : 0U, j, k});
      plain.values.push_back(1.0 + static_cast<double>((3 * j + k) % 4));
    }
  }
  const Tensor sparse = genten_test::to_sptensor<double, std::uint32_t, Exec>(plain);
  const CpAprOptions options{.rank = 3, .max_iterations = 400, .tolerance = 1e-6};
  const Result result = genten::cp_apr(exec, sparse, options);
  EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
  for (std::size_t k = 1; k < result.history.size(); ++k) {
    EXPECT_LE(result.history[k].objective,
              result.history[k - 1].objective + 1e-12 * std::abs(result.objective));
  }
  const auto model = genten_test::plain(result.model);
  for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(model.factors[1](7, r), 0.0);
}

// A model of few counts among very many entries is tiny almost everywhere.
TEST_F(CpAprRuns, FewCountsAmongManyEntries) {
  genten_test::PlainTensor plain{{300000, 200000, 250000}, {}, {}};
  for (std::size_t p = 0; p < 300; ++p) {
    plain.subscripts.push_back({p * 991, p * 613 % 200000, p * 811 % 250000});
    plain.values.push_back(1.0 + static_cast<double>(p % 3));
  }
  const Tensor sparse = genten_test::to_sptensor<double, std::uint32_t, Exec>(plain);
  for (const auto steps : {genten::CountSteps::automatic, genten::CountSteps::multiplicative}) {
    const Result result = genten::cp_apr(
        exec, sparse, CpAprOptions{.rank = 2, .max_iterations = 20, .steps = steps, .seed = 4});
    EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
    double sum = 0.0;
    for (const double weight : genten_test::plain(result.model).weights) sum += weight;
    EXPECT_NEAR(sum, 600.0, 1e-9);
    for (std::size_t k = 1; k < result.history.size(); ++k) {
      EXPECT_LE(result.history[k].objective,
                result.history[k - 1].objective + 1e-12 * std::abs(result.objective));
    }
  }
}

TEST_F(CpAprRuns, TheKernelOfTheTraversalFitsIntoWhatMayBeTaken) {
  const std::vector<std::size_t> dimensions{300, 200, 100};
  std::vector<std::uint32_t> subscripts;
  std::vector<double> values;
  for (std::size_t p = 0; p < 50'000; ++p) {
    for (const std::size_t rows : dimensions) {
      subscripts.push_back(static_cast<std::uint32_t>(genten::random_bits(rows, 0, p) % rows));
    }
    values.push_back(static_cast<double>(1 + p % 3));
  }
  const auto counts =
      genten::sum_duplicates(exec, Tensor::from_host(dimensions, subscripts, values)).tensor;
  CpAprOptions options{.rank = 4, .max_iterations = 1, .steps = genten::CountSteps::multiplicative};
  const auto free = genten::cp_apr(exec, counts, options);
  if (genten::is_host_space<Exec>) {
    EXPECT_EQ(free.kernel, "sorted");
  }
  options.memory_available = 2e5;
  EXPECT_EQ(genten::cp_apr(exec, counts, options).kernel, "atomic");
  if (!genten::is_host_space<Exec>) return;
  options.mttkrp.kernel = "sorted";
  EXPECT_THAT(message_of([&] { static_cast<void>(genten::cp_apr(exec, counts, options)); }),
              HasSubstr("kernel sorted needs "));
}

}  // namespace
