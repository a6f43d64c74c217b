// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The ridge that a run chooses where none is given.
#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/completion/completion_state.hpp>

#include "completion_support.hpp"

#include <gtest/gtest.h>

namespace {

using genten::CpCompletionOptions;
using genten_test::PlainTensor;
using genten_test::completion::CompletionTest;
using genten_test::completion::expect_relative;
using genten_test::completion::part_of_model;
using genten_test::completion::squared_error;

double squared_norm(const PlainTensor& tensor) {
  double sum = 0.0;
  for (const double value : tensor.values) sum += value * value;
  return sum;
}

/// Of a tensor with entries in all rows.
double first_ridge(const PlainTensor& tensor) {
  double all = 1.0;
  for (const std::size_t length : tensor.dimensions) all *= static_cast<double>(length);
  return genten::first_completion_ridge(std::sqrt(squared_norm(tensor)),
                                        static_cast<double>(tensor.nnz()), all,
                                        static_cast<int>(tensor.dimensions.size()));
}

/// The numbers of a model that are free.
double parameters(const PlainTensor& tensor, std::size_t rank) {
  double rows = 1.0 - static_cast<double>(tensor.dimensions.size());
  for (const std::size_t length : tensor.dimensions) rows += static_cast<double>(length);
  return static_cast<double>(rank) * rows;
}

template <class Combination>
class CompletionRidge : public CompletionTest<Combination> {};
TYPED_TEST_SUITE(CompletionRidge, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(CompletionRidge, OfExactEntriesIsNearlyNone) {
  const auto part = part_of_model({.part = 0.6}), whole = part_of_model({.part = 1.0});
  const auto result =
      genten::cp_completion(this->exec, this->make(part),
                            CpCompletionOptions{.rank = 2, .max_iterations = 500, .starts = 3});
  expect_relative(result.ridge[0], 1e-3 * first_ridge(part), 1e-5);
  const double missed = squared_error(whole, genten_test::plain(result.model));
  EXPECT_LT(std::sqrt(missed / squared_norm(whole)), 1e-3);
}

TYPED_TEST(CompletionRidge, FollowsTheNoise) {
  const auto part = part_of_model({.dimensions = {20, 21, 22}, .part = 0.3, .noise = 0.02});
  const auto result = genten::cp_completion(
      this->exec, this->make(part),
      CpCompletionOptions{.rank = 2, .max_iterations = 300, .tolerance = 1e-7, .starts = 2});
  EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
  EXPECT_LT(result.ridge[0], 0.9 * first_ridge(part));
  EXPECT_GT(result.ridge[0], 1e-2 * first_ridge(part));
  // Columns of a component have equal norms.
  double squares = 0.0;
  for (const double weight : genten_test::plain(result.model).weights) {
    squares += 3.0 * std::pow(weight, 2.0 / 3.0);
  }
  const double wanted = genten::completion_ridge_of_noise(
      result.residual_norm * result.residual_norm, static_cast<double>(part.nnz()),
      parameters(part, 2), squares);
  expect_relative(result.ridge[0], wanted, 0.011);
  EXPECT_EQ(result.ridge, std::vector<double>(3, result.ridge[0]));
}

// Where it followed the norm, nearly all of which is the mean, only that would be found.
TYPED_TEST(CompletionRidge, LeavesWhatVariesAboutALargeMean) {
  auto part = part_of_model({.part = 0.6});
  const double varies = std::sqrt(squared_norm(part) / static_cast<double>(part.nnz()));
  for (double& value : part.values) value += 300.0 * varies;
  const auto result =
      genten::cp_completion(this->exec, this->make(part),
                            CpCompletionOptions{.rank = 3, .max_iterations = 300, .starts = 4});
  EXPECT_EQ(result.zero_components, 0U);
  EXPECT_LT(result.rmse, 0.8 * varies);
  EXPECT_LT(result.ridge[0], 0.02 * first_ridge(part));
}

// Of values that are all the same nothing varies.
TYPED_TEST(CompletionRidge, OfAConstant) {
  auto part = part_of_model({.part = 0.6});
  for (double& value : part.values) value = 7.0;
  const auto result = genten::cp_completion(this->exec, this->make(part),
                                            CpCompletionOptions{.rank = 2, .max_iterations = 300});
  EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
  EXPECT_LT(result.rmse, 1e-3);
}

// The ridge that the run has chosen would be the whole of it.
TYPED_TEST(CompletionRidge, TakesFewMoreIterationsThanOneThatIsGiven) {
  const auto tensor =
      this->make(part_of_model({.dimensions = {20, 21, 22}, .part = 0.1, .noise = 0.01}));
  CpCompletionOptions options{.rank = 2, .max_iterations = 500};
  const auto chosen = genten::cp_completion(this->exec, tensor, options);
  options.ridge = {chosen.ridge[0]};
  const auto given = genten::cp_completion(this->exec, tensor, options);
  EXPECT_EQ(chosen.stop_reason, genten::StopReason::converged);
  EXPECT_LE(2 * chosen.iterations, 3 * given.iterations + 20);
  expect_relative(chosen.objective, given.objective, 1e-3);
}

TEST(CompletionStarts, AreComparedWithOneRidge) {
  using Reached = genten::detail::CompletionReached;
  const Reached far{.objective = 2.0 + 0.5 * 0.01 * 50.0, .ridge = 0.01, .squares = 50.0};
  const Reached near{.objective = 1.0 + 0.5 * 0.1 * 40.0, .ridge = 0.1, .squares = 40.0};
  EXPECT_LT(far.objective, near.objective);
  EXPECT_EQ(far.objective_with(0.01), far.objective);
  EXPECT_NEAR(near.objective_with(0.01), 1.0 + 0.5 * 0.01 * 40.0, 1e-14);
  EXPECT_LT(near.objective_with(0.01), far.objective_with(0.01));
}

TYPED_TEST(CompletionRidge, StaysWhereEntriesAreTooFew) {
  const auto part = part_of_model({.part = 0.1, .noise = 0.1});
  const auto result = genten::cp_completion(this->exec, this->make(part),
                                            CpCompletionOptions{.rank = 4, .max_iterations = 20});
  ASSERT_LT(static_cast<double>(part.nnz()), parameters(part, 4));
  expect_relative(result.ridge[0], first_ridge(part), 1e-5);
}

// It would otherwise begin where the first one would bring it.
TYPED_TEST(CompletionRidge, OfAGuessIsWhatItsResidualsAskFor) {
  const auto part = part_of_model({.part = 0.6});
  const auto tensor = this->make(part);
  const auto first = genten::cp_completion(
      this->exec, tensor, CpCompletionOptions{.rank = 2, .max_iterations = 500, .starts = 3});
  const auto again = genten::cp_completion(this->exec, tensor, first.model,
                                           CpCompletionOptions{.max_iterations = 1});
  expect_relative(again.ridge[0], first.ridge[0], 1e-5);
  EXPECT_LE(again.objective, first.objective * (this->is_double ? 1.0 + 1e-9 : 1.01));
}

// Starts share one problem, whose ridge falls with each.
TYPED_TEST(CompletionRidge, EachStartBeginsAnew) {
  const auto tensor = this->make(part_of_model({.part = 0.6, .noise = 0.01}));
  CpCompletionOptions options{.rank = 2, .max_iterations = 30, .tolerance = 0.0, .starts = 3};
  const auto all = genten::cp_completion(this->exec, tensor, options);
  options.starts = 1;
  for (std::size_t s = 0; s < 3; ++s) {
    options.seed = 1 + s;
    const auto one = genten::cp_completion(this->exec, tensor, options);
    EXPECT_EQ(one.objective, all.starts[s].objective);
    if (s == all.best_start) {
      EXPECT_EQ(one.ridge, all.ridge);
    }
  }
}

}  // namespace
