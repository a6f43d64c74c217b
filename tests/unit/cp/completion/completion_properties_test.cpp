// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Tensor completion: what holds for every tensor.
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/cp_als.hpp>

#include "completion_support.hpp"
#include "thread_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::CpCompletionOptions;
using genten_test::error_of;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::completion::CompletionTest;
using genten_test::completion::expect_relative;
using genten_test::completion::part_of_model;
using genten_test::completion::squared_error;
using testing::HasSubstr;

template <class Combination>
class Completion : public CompletionTest<Combination> {};
TYPED_TEST_SUITE(Completion, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(Completion, FindsTheModelThatTheEntriesAreOf) {
  const auto tensor = part_of_model({.part = 0.6});
  const auto whole = part_of_model({.part = 1.0});
  const auto result = genten::cp_completion(
      this->exec, this->make(tensor),
      CpCompletionOptions{
          .rank = 2, .max_iterations = 2000, .tolerance = 0.0, .starts = 3, .ridge = {0.0}});
  EXPECT_GT(result.fit, this->is_double ? 1.0 - 1e-9 : 1.0 - 1e-4);
  const double missed = squared_error(whole, genten_test::plain(result.model));
  double square = 0.0;
  for (const double value : whole.values) square += value * value;
  EXPECT_LT(std::sqrt(missed / square), this->is_double ? 1e-7 : 1e-2);
}

TYPED_TEST(Completion, ObjectiveNeverRisesAndIsThatOfEveryEntry) {
  const auto plain = part_of_model({.rank = 4, .part = 0.3, .noise = 0.2});
  const auto tensor = this->make(plain);
  const double slack = this->is_double ? 1e-12 : 1e-5;
  for (const std::vector<double>& ridge :
       std::vector<std::vector<double>>{{0.0}, {0.05}, {0.01, 0.2, 1.0}, {}}) {
    const auto result = genten::cp_completion(
        this->exec, tensor,
        CpCompletionOptions{.rank = 3, .max_iterations = 60, .tolerance = 0.0, .ridge = ridge});
    for (std::size_t k = 1; k < result.history.size(); ++k) {
      EXPECT_LE(result.history[k].objective, result.history[k - 1].objective * (1.0 + slack));
    }
    const double error = squared_error(plain, genten_test::plain(result.model));
    expect_relative(result.residual_norm * result.residual_norm, error,
                    this->is_double ? 1e-10 : 1e-3);
    expect_relative(result.rmse, std::sqrt(error / static_cast<double>(plain.nnz())),
                    this->is_double ? 1e-10 : 1e-3);
    // Modes share the penalty: of each component N times the geometric mean.
    double penalty = 0.0;
    for (const double weight : genten_test::plain(result.model).weights) {
      double product = weight * weight;
      for (const double each : result.ridge) product *= each;
      penalty += 1.5 * std::cbrt(product);
    }
    EXPECT_NEAR(result.objective, 0.5 * error + penalty,
                (this->is_double ? 1e-10 : 1e-3) * result.objective);
    EXPECT_NEAR(result.penalty, penalty, (this->is_double ? 1e-9 : 1e-2) * result.objective);
  }
}

// With all entries there it is least squares as CP-ALS does it.
TYPED_TEST(Completion, WithoutMissingEntriesItIsCpAls) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto plain = part_of_model({.part = 1.0, .noise = 0.5});
  const auto tensor = this->make(plain);
  const auto guess =
      genten_test::to_ktensor<Real, Space>(genten_test::random_model({7, 8, 9}, 3, 9));
  const auto expected = genten::cp_als(
      this->exec, tensor, guess, genten::CpAlsOptions{.max_iterations = 10, .tolerance = 0.0});
  const CpCompletionOptions options{.max_iterations = 10, .tolerance = 0.0, .ridge = {0.0}};
  const auto none = this->make(PlainTensor{{7, 8, 9}, {}, {}});
  const double tolerance = this->is_double ? 1e-8 : 1e-3;
  for (const auto& found : {genten::cp_completion(this->exec, tensor, guess, options),
                            genten::cp_completion(this->exec, tensor, none, guess, options)}) {
    ASSERT_EQ(found.iterations, 10U);
    for (std::size_t k = 0; k < 10; ++k) {
      EXPECT_NEAR(found.history[k].fit, expected.history[k].fit, tolerance);
    }
    const PlainModel a = genten_test::plain(expected.model), b = genten_test::plain(found.model);
    for (std::size_t r = 0; r < 3; ++r) expect_relative(b.weights[r], a.weights[r], tolerance);
    EXPECT_EQ(found.entries, 504.0);
  }
}

TYPED_TEST(Completion, OrdersOfModesAndEntriesDoNotMatter) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto plain = part_of_model({.part = 0.5, .noise = 0.1});
  const auto start = genten_test::random_model({7, 8, 9}, 2, 4);
  const CpCompletionOptions options{.max_iterations = 400, .tolerance = 0.0, .ridge = {0.01}};
  const auto guess = genten_test::to_ktensor<Real, Space>(start);
  const auto usual = genten::cp_completion(this->exec, this->make(plain), guess, options);
  const double tolerance = this->is_double ? 1e-8 : 1e-4;
  const auto other = genten::cp_completion(
      this->exec, this->make(genten_test::completion::shuffled(plain, 3)), guess, options);
  expect_relative(other.objective, usual.objective, tolerance);
  const std::vector<int> modes{2, 0, 1};
  const auto permuted =
      genten::cp_completion(this->exec, genten::permute_modes(this->exec, this->make(plain), modes),
                            genten::permute_modes(this->exec, guess, modes), options);
  expect_relative(permuted.objective, usual.objective, tolerance);
  const PlainModel a = genten_test::plain(usual.model), b = genten_test::plain(permuted.model);
  for (std::size_t r = 0; r < 2; ++r) expect_relative(b.weights[r], a.weights[r], 1e3 * tolerance);
}

TYPED_TEST(Completion, ARidgeShrinksTheModel) {
  const auto tensor = this->make(part_of_model({.part = 0.4, .noise = 0.2}));
  double last_penalty = std::numeric_limits<double>::infinity(), last_residual = 0.0;
  for (const double ridge : {1e-3, 1e-1, 1.0}) {
    const auto result = genten::cp_completion(
        this->exec, tensor,
        CpCompletionOptions{
            .rank = 2, .max_iterations = 500, .tolerance = 1e-10, .starts = 3, .ridge = {ridge}});
    EXPECT_LT(result.penalty / ridge, last_penalty);
    EXPECT_GT(result.residual_norm, last_residual);
    last_penalty = result.penalty / ridge;
    last_residual = result.residual_norm;
    EXPECT_EQ(result.ridge, std::vector<double>(3, ridge));
  }
  // More than the data are worth: nothing is left.
  const auto nothing = genten::cp_completion(
      this->exec, tensor, CpCompletionOptions{.rank = 2, .max_iterations = 50, .ridge = {1e6}});
  expect_relative(nothing.residual_norm, nothing.tensor_norm, 1e-5);
}

// Rows without entries are zero, explicit zeros are entries, duplicates are added up.
TYPED_TEST(Completion, OnlyListedEntriesCount) {
  const PlainTensor tensor{
      {4, 3}, {{0, 0}, {0, 1}, {2, 0}, {2, 1}, {2, 1}}, {2.0, 4.0, 0.0, 1.0, -1.0}};
  const auto result = genten::cp_completion(
      this->exec, this->make(tensor),
      CpCompletionOptions{.rank = 1, .max_iterations = 50, .tolerance = 0.0, .ridge = {0.0}});
  EXPECT_EQ(result.entries, 4.0);
  EXPECT_EQ(result.empty_rows, 3);  // 1 and 3 of the first mode, 2 of the second
  const PlainModel model = genten_test::plain(result.model);
  EXPECT_EQ(model.factors[0](1, 0), 0.0);
  EXPECT_EQ(model.factors[0](3, 0), 0.0);
  EXPECT_EQ(model.factors[1](2, 0), 0.0);
  EXPECT_NEAR(genten_test::entry_reference(model, {0, 1}), 4.0, 1e-5);
  EXPECT_NEAR(genten_test::entry_reference(model, {2, 0}), 0.0, 1e-5);
  EXPECT_NEAR(result.residual_norm, 0.0, 1e-5);
}

// A power of two is taken out first: the same run.
TYPED_TEST(Completion, VeryLargeAndVerySmallValues) {
  const auto plain = part_of_model({.part = 0.5, .noise = 0.1});
  const CpCompletionOptions options{
      .rank = 2, .max_iterations = 30, .tolerance = 0.0, .holdout = 0.2};
  const auto usual = genten::cp_completion(this->exec, this->make(plain), options);
  const int far = this->is_double ? 512 : 96;
  for (const int exponent : {far, -far}) {
    auto other = plain;
    for (double& value : other.values) value = std::ldexp(value, exponent);
    const auto result = genten::cp_completion(this->exec, this->make(other), options);
    EXPECT_EQ(result.fit, usual.fit);
    EXPECT_EQ(result.holdout.rmse, std::ldexp(usual.holdout.rmse, exponent));
    const auto a = genten_test::plain(usual.model), b = genten_test::plain(result.model);
    EXPECT_EQ(b.weights[0], std::ldexp(a.weights[0], exponent));
    EXPECT_EQ(a.factors[1].elements, b.factors[1].elements);
    EXPECT_EQ(result.weight_ratio, usual.weight_ratio);
  }
}

TYPED_TEST(Completion, WrongCallsAreRefused) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto tensor = this->make(part_of_model({}));
  const auto complete = [&](const auto&... arguments) {
    return error_of([&] { static_cast<void>(genten::cp_completion(this->exec, arguments...)); });
  };
  EXPECT_THAT(complete(tensor, CpCompletionOptions{.ridge = {1.0, 2.0}}),
              HasSubstr("option ridge: expected one number for all modes or 3"));
  EXPECT_THAT(complete(tensor, CpCompletionOptions{.ridge = {-1.0}}), HasSubstr("ridge"));
  EXPECT_THAT(complete(tensor, CpCompletionOptions{.holdout = 1.0}), HasSubstr("holdout"));
  EXPECT_THAT(complete(this->make(PlainTensor{{2, 2}, {}, {}}), CpCompletionOptions{}),
              HasSubstr("expected entries that are not missing, got none"));
  EXPECT_THAT(complete(this->make(PlainTensor{{2, 2}, {{0, 0}}, {1.0}}),
                       CpCompletionOptions{.holdout = 0.5}),
              HasSubstr("of 1 held out"));
  EXPECT_THAT(complete(tensor, this->make(PlainTensor{{2, 2}, {}, {}}), CpCompletionOptions{}),
              HasSubstr("missing entries with the tensor's dimensions"));
  EXPECT_THAT(
      complete(tensor, tensor, CpCompletionOptions{}),
      HasSubstr("missing entries: expected entries that leave nonzeros of the tensor, got "
                "all " +
                std::to_string(tensor.nnz()) + " of these: no entry is left to fit but zeros"));
  EXPECT_THAT(complete(tensor, tensor, CpCompletionOptions{.holdout = 0.5}),
              HasSubstr("a list of missing entries"));
  const auto guess =
      genten_test::to_ktensor<Real, Space>(genten_test::random_model({7, 8, 8}, 2, 1));
  EXPECT_THAT(complete(tensor, guess, CpCompletionOptions{}), HasSubstr("an initial guess with"));
  EXPECT_THAT(complete(tensor, CpCompletionOptions{.rank = 100000, .memory_available = 1e6}),
              HasSubstr("tensor completion of rank 100000 needs"));
}

TEST(CompletionDeterminism, SameBitsForOneTwoAndThreeThreads) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const Exec exec{};
    const auto tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(
        part_of_model({.dimensions = {30, 40, 30}, .rank = 3, .part = 0.5, .noise = 0.2}));
    const auto result = genten::cp_completion(
        exec, tensor,
        CpCompletionOptions{.rank = 5, .max_iterations = 10, .tolerance = 0.0, .holdout = 0.1});
    genten_test::BitHash hash;
    for (const double weight : genten_test::plain(result.model).weights) hash.add(weight);
    for (const auto& record : result.history) {
      hash.add(record.objective);
      hash.add(record.holdout_rmse);
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
