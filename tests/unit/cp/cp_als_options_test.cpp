// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The options of CP-ALS.
#include "cp_als_support.hpp"

#include <gmock/gmock.h>

namespace {

using namespace genten_test::cp;
using genten_test::error_of;
using genten_test::fit_reference;
using genten_test::plain;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::random_model;
using testing::HasSubstr;

TEST_F(CpAlsTest, InitialGuessIsNotChanged) {
  const auto guess = genten_test::to_ktensor<double, Exec>(random_model({20, 15, 10}, 4, 8));
  const auto before = numbers(guess);
  const auto result = cp_als(exec, tensor, guess, CpAlsOptions{.max_iterations = 5});
  EXPECT_EQ(numbers(guess), before);
  EXPECT_EQ(result.model.rank(), 4u);
  EXPECT_EQ(result.iterations, result.history.size());
}

/// Whether each column of `found` is, up to its sign, a normalized column of `given`.
testing::AssertionResult has_columns_of(const genten_test::PlainMatrix& found,
                                        const genten_test::PlainMatrix& given) {
  for (std::size_t r = 0; r < found.columns; ++r) {
    bool matched = false;
    for (std::size_t q = 0; q < given.columns; ++q) {
      double dot = 0.0, norm = 0.0, size = 0.0;
      for (std::size_t i = 0; i < found.rows; ++i) {
        dot += found(i, r) * given(i, q);
        norm += given(i, q) * given(i, q);
        size += found(i, r) * found(i, r);
      }
      matched = matched || std::abs(std::abs(dot) - std::sqrt(norm * size)) < 1e-12 * norm;
    }
    if (!matched) return testing::AssertionFailure() << "column " << r << " matches none";
  }
  return testing::AssertionSuccess();
}

TEST_F(CpAlsTest, FixedModesStay) {
  const auto plain_guess = random_model({20, 15, 10}, 4, 8);
  const auto guess = genten_test::to_ktensor<double, Exec>(plain_guess);
  for (const auto& fixed : std::vector<std::vector<int>>{{1}, {0, 2}, {2}}) {
    const auto result =
        cp_als(exec, tensor, guess,
               CpAlsOptions{.max_iterations = 6, .tolerance = 0.0, .fixed_modes = fixed});
    for (const int mode : fixed) {
      EXPECT_TRUE(has_columns_of(plain(result.model.factor(mode)),
                                 plain_guess.factors[static_cast<std::size_t>(mode)]));
    }
    EXPECT_EQ(result.iterations, 6u);
    EXPECT_NEAR(result.fit, fit_reference(plain_tensor, plain(result.model)), 1e-11);
  }
}

TEST_F(CpAlsTest, AllModesFixedEvaluatesTheGuess) {
  const auto plain_guess = random_model({20, 15, 10}, 4, 8);
  const auto result = cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(plain_guess),
                             CpAlsOptions{.fixed_modes = {0, 1, 2}});
  EXPECT_EQ(result.iterations, 0u);
  EXPECT_NEAR(result.fit, fit_reference(plain_tensor, plain_guess), 1e-11);
}

TEST_F(CpAlsTest, NoIterationsEvaluatesTheGuess) {
  const auto plain_guess = random_model({20, 15, 10}, 4, 8);
  const auto result = cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(plain_guess),
                             CpAlsOptions{.max_iterations = 0});
  EXPECT_EQ(result.stop_reason, StopReason::iteration_limit);
  EXPECT_TRUE(result.history.empty());
  const double fit = fit_reference(plain_tensor, plain_guess);
  EXPECT_NEAR(result.fit, fit, 1e-11);
  EXPECT_NEAR(fit_reference(plain_tensor, plain(result.model)), fit, 1e-11);
}

TEST_F(CpAlsTest, ModeOrderIsThatOfATensorWithItsModesInThatOrder) {
  const std::vector<std::size_t> order{2, 0, 1};
  PlainModel guess = random_model({20, 15, 10}, 4, 8);
  std::fill(guess.weights.begin(), guess.weights.end(), 1.0);
  PlainTensor permuted{
      {}, std::vector<std::vector<std::size_t>>(plain_tensor.nnz()), plain_tensor.values};
  PlainModel permuted_guess{guess.weights, {}};
  for (const std::size_t mode : order) {
    permuted.dimensions.push_back(plain_tensor.dimensions[mode]);
    permuted_guess.factors.push_back(guess.factors[mode]);
    for (std::size_t p = 0; p < permuted.nnz(); ++p) {
      permuted.subscripts[p].push_back(plain_tensor.subscripts[p][mode]);
    }
  }
  const auto by_option =
      cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(guess),
             CpAlsOptions{.max_iterations = 6, .tolerance = 0.0, .mode_order = {2, 0, 1}});
  const auto natural = cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(guess),
                              CpAlsOptions{.max_iterations = 6, .tolerance = 0.0});
  const auto by_tensor =
      cp_als(exec, make(permuted), genten_test::to_ktensor<double, Exec>(permuted_guess),
             CpAlsOptions{.max_iterations = 6, .tolerance = 0.0});
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(by_option.history[k].fit, by_tensor.history[k].fit, 1e-10) << k;
  }
  EXPECT_GT(std::abs(by_option.history[0].fit - natural.history[0].fit), 1e-6);
}

TEST_F(CpAlsTest, TheBestOfSeveralStartsIsKept) {
  const CpAlsOptions options{
      .rank = 5, .max_iterations = 12, .tolerance = 1e-12, .seed = 40, .starts = 4};
  const auto best = cp_als(exec, tensor, options);
  ASSERT_EQ(best.starts.size(), 4u);
  for (std::size_t s = 0; s < 4; ++s) {
    EXPECT_EQ(best.starts[s].seed, 40 + s);
    EXPECT_LE(best.starts[s].fit, best.starts[best.best_start].fit);
    // Each start is what a run of its own with its seed is.
    CpAlsOptions alone = options;
    alone.starts = 1;
    alone.seed = 40 + s;
    const auto result = cp_als(exec, tensor, alone);
    EXPECT_EQ(result.fit, best.starts[s].fit);
    if (s == best.best_start) {
      EXPECT_EQ(numbers(result.model), numbers(best.model));
    }
  }
}

TEST_F(CpAlsTest, WrongOptionsAreRefused) {
  const auto guess = genten_test::to_ktensor<double, Exec>(random_model({20, 15, 9}, 4, 8));
  const auto fails = [&](const CpAlsOptions& options) {
    return error_of([&] { (void)cp_als(exec, tensor, options); });
  };
  EXPECT_THAT(fails(CpAlsOptions{.rank = 0}), HasSubstr("rank"));
  EXPECT_THAT(fails(CpAlsOptions{.tolerance = -1.0}), HasSubstr("tolerance"));
  EXPECT_THAT(fails(CpAlsOptions{.time_limit = -1.0}), HasSubstr("time-limit"));
  EXPECT_THAT(fails(CpAlsOptions{.starts = 0}), HasSubstr("starts"));
  EXPECT_THAT(fails(CpAlsOptions{.mode_order = {0, 1}}), HasSubstr("mode-order"));
  EXPECT_THAT(fails(CpAlsOptions{.mode_order = {0, 1, 1}}), HasSubstr("named twice"));
  EXPECT_THAT(fails(CpAlsOptions{.fixed_modes = {3}}), HasSubstr("fixed-modes"));
  EXPECT_THAT(fails(CpAlsOptions{.mttkrp = {.kernel = "none"}}), HasSubstr("none"));
  EXPECT_THAT(error_of([&] { (void)cp_als(exec, tensor, guess, CpAlsOptions{}); }),
              HasSubstr("dimensions"));
  const auto good = genten_test::to_ktensor<double, Exec>(random_model({20, 15, 10}, 4, 8));
  EXPECT_THAT(error_of([&] { (void)cp_als(exec, tensor, good, CpAlsOptions{.starts = 2}); }),
              HasSubstr("one start"));
}

}  // namespace
