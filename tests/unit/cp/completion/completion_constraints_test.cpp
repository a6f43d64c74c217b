// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Tensor completion under bounds and penalties.
#include <genten/cp/cp_als.hpp>
#include <genten/cp/row_constraints.hpp>

#include "completion_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::CpCompletionOptions;
using genten::ModeSelection;
using genten::RowConstraint;
using genten_test::error_of;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::completion::CompletionTest;
using genten_test::completion::expect_relative;
using genten_test::completion::part_of_model;
using genten_test::completion::squared_error;
using testing::HasSubstr;

template <class Combination>
class CompletionConstraints : public CompletionTest<Combination> {
 protected:
  using Base = CompletionTest<Combination>;
  using typename Base::Exec;
  using typename Base::Scalar;
  using typename Base::Tensor;

  /// Some entries of a model with elements of both signs, so that bounds bind.
  static PlainTensor signed_part(double part) {
    auto tensor = part_of_model({.rank = 3, .part = part, .noise = 0.5});
    for (std::size_t p = 0; p < tensor.nnz(); ++p) {
      if (tensor.subscripts[p][0] % 3 == 1) tensor.values[p] *= -0.5;
    }
    return tensor;
  }
  /// Objectives that never rise, and the last is that of the model.
  template <class Result>
  void expect_descent(const Result& result) const {
    const double slack = this->is_double ? 1e-12 : 2e-5;
    ASSERT_GT(result.history.size(), 2U);
    for (std::size_t k = 1; k < result.history.size(); ++k) {
      EXPECT_LE(result.history[k].objective, result.history[k - 1].objective * (1.0 + slack)) << k;
      EXPECT_GE(result.history[k].kkt_violation, 0.0);
    }
    EXPECT_LT(result.history.back().kkt_violation, result.history.front().kkt_violation);
    EXPECT_EQ(result.kkt_violation, result.history.back().kkt_violation);
  }
  static double least(const PlainModel& model, std::size_t mode) {
    const auto& elements = model.factors[mode].elements;
    return *std::min_element(elements.begin(), elements.end());
  }
  static double largest(const PlainModel& model, std::size_t mode) {
    const auto& elements = model.factors[mode].elements;
    return *std::max_element(elements.begin(), elements.end());
  }
};
TYPED_TEST_SUITE(CompletionConstraints, genten_test::ModelTypes, genten_test::TypeNames);

// Where nothing is missing it is CP-ALS under the same constraints, from the same guess.
TYPED_TEST(CompletionConstraints, WithoutMissingEntriesTheyAreThoseOfCpAls) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto tensor = this->make(this->signed_part(1.0));
  const auto none = this->make(PlainTensor{{7, 8, 9}, {}, {}});
  auto start = genten_test::random_model({7, 8, 9}, 3, 9);
  for (auto& factor : start.factors) {
    for (double& x : factor.elements) x = std::abs(x);
  }
  for (double& weight : start.weights) weight = std::abs(weight);
  const auto guess = genten_test::to_ktensor<Real, Space>(start);
  const auto compare = [&](const auto& set) {
    const double enough = this->is_double ? 1e-14 : 1e-7;
    genten::CpAlsOptions als{.max_iterations = 4000, .tolerance = enough};
    CpCompletionOptions options{.max_iterations = 4000, .tolerance = enough, .ridge = {0.0}};
    set(als);
    set(options);
    const auto expected = genten::cp_als(this->exec, tensor, guess, als);
    for (const auto& found : {genten::cp_completion(this->exec, tensor, guess, options),
                              genten::cp_completion(this->exec, tensor, none, guess, options)}) {
      expect_relative(found.objective, expected.objective, this->is_double ? 1e-10 : 1e-3);
      expect_relative(found.penalty, expected.penalty, this->is_double ? 1e-5 : 0.05);
      if (this->is_double) {
        EXPECT_LT(found.kkt_violation, 1e-6);
      }
    }
  };
  compare([](auto& options) { options.nonnegative = ModeSelection{.all = true}; });
  compare([](auto& options) {
    options.nonnegative = ModeSelection{.modes = {0, 2}};
    options.l1 = {0.02};
    options.ridge = {0.01, 0.02, 0.01};
  });
}

TYPED_TEST(CompletionConstraints, NonnegativeModelsOfEntriesThatAreListed) {
  const auto plain = this->signed_part(0.5);
  const auto tensor = this->make(plain);
  for (const auto& nonnegative : {ModeSelection{.all = true}, ModeSelection{.modes = {0, 1}}}) {
    const auto result = genten::cp_completion(
        this->exec, tensor,
        CpCompletionOptions{
            .rank = 3, .max_iterations = 60, .tolerance = 0.0, .nonnegative = nonnegative});
    this->expect_descent(result);
    const PlainModel model = genten_test::plain(result.model);
    for (std::size_t n = 0; n < 3; ++n) {
      if (nonnegative.contains(static_cast<int>(n))) {
        EXPECT_GE(this->least(model, n), 0.0);
      }
    }
    expect_relative(result.residual_norm * result.residual_norm, squared_error(plain, model),
                    this->is_double ? 1e-10 : 1e-3);
  }
}

// The same entries, told the other way round.
TYPED_TEST(CompletionConstraints, AListOfMissingEntriesIsTheSame) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto all = this->signed_part(1.0), known = this->signed_part(0.8);
  PlainTensor missing{all.dimensions, {}, {}};
  std::size_t next = 0;
  for (std::size_t p = 0; p < all.nnz(); ++p) {
    if (next < known.nnz() && known.subscripts[next] == all.subscripts[p]) {
      ++next;
      continue;
    }
    missing.subscripts.push_back(all.subscripts[p]);
    missing.values.push_back(7.0);
  }
  ASSERT_EQ(next, known.nnz());
  auto start = genten_test::random_model({7, 8, 9}, 3, 9);
  for (auto& factor : start.factors) {
    for (double& x : factor.elements) x = 0.25 * std::abs(x);
  }
  start.weights = {1.0, 1.0, 1.0};
  const auto guess = genten_test::to_ktensor<Real, Space>(start);
  CpCompletionOptions options{.max_iterations = 25,
                              .tolerance = 0.0,
                              .ridge = {0.01},
                              .l1 = {0.005, 0.0, 0.01},
                              .lower = {0.0, -0.5, 0.0},
                              .upper = {RowConstraint::none, 2.0, 0.75}};
  const auto tensor = this->make(all), part = this->make(known), list = this->make(missing);
  const auto expected = genten::cp_completion(this->exec, part, guess, options);
  for (const auto& with_missing : {tensor, part}) {  // whether the tensor lists them or not
    const auto found = genten::cp_completion(this->exec, with_missing, list, guess, options);
    this->expect_descent(found);
    for (std::size_t k = 0; k < 25; ++k) {
      expect_relative(found.history[k].objective, expected.history[k].objective,
                      this->is_double ? 1e-9 : 1e-3);
      EXPECT_NEAR(found.history[k].kkt_violation, expected.history[k].kkt_violation,
                  this->is_double ? 1e-8 : 1e-3);
    }
    // Such bounds forbid to normalize: the objective is that of the factors as they are.
    const PlainModel model = genten_test::plain(found.model);
    EXPECT_EQ(model.weights, std::vector<double>(3, 1.0));
    EXPECT_GE(this->least(model, 1), -0.5);
    EXPECT_LE(this->largest(model, 1), 2.0);
    EXPECT_LE(this->largest(model, 2), 0.75);
    double penalty = 0.0;
    for (std::size_t n = 0; n < 3; ++n) {
      for (const double x : model.factors[n].elements) {
        penalty += 0.005 * x * x + options.l1[n] * std::abs(x);
      }
    }
    expect_relative(found.penalty, penalty, this->is_double ? 1e-10 : 1e-4);
    expect_relative(found.objective, 0.5 * squared_error(known, model) + penalty,
                    this->is_double ? 1e-9 : 1e-3);
  }
}

// A power of two is taken out first: the same run, its penalties and bounds scaled.
TYPED_TEST(CompletionConstraints, VeryLargeValues) {
  const auto plain = this->signed_part(0.5);
  const CpCompletionOptions options{
      .rank = 2, .max_iterations = 20, .tolerance = 0.0, .nonnegative = ModeSelection{.all = true}};
  const auto usual = genten::cp_completion(this->exec, this->make(plain), options);
  auto other = plain;
  const int exponent = this->is_double ? 512 : 96;
  for (double& value : other.values) value = std::ldexp(value, exponent);
  const auto result = genten::cp_completion(this->exec, this->make(other), options);
  EXPECT_EQ(result.fit, usual.fit);
  EXPECT_EQ(result.kkt_violation, usual.kkt_violation);
  EXPECT_EQ(genten_test::plain(result.model).factors[0].elements,
            genten_test::plain(usual.model).factors[0].elements);
}

TYPED_TEST(CompletionConstraints, CheckpointsGoOnToTheSameBits) {
  using Model = genten::Ktensor<typename TestFixture::Scalar, typename TestFixture::Exec>;
  const auto tensor = this->make(this->signed_part(0.5));
  const CpCompletionOptions options{.rank = 3,
                                    .max_iterations = 12,
                                    .tolerance = 0.0,
                                    .starts = 2,
                                    .nonnegative = ModeSelection{.all = true},
                                    .l1 = {0.01},
                                    .holdout = 0.2};
  genten::Checkpoint<Model> checkpoint;
  const auto whole = genten::cp_completion(this->exec, tensor, options, [&](const auto& seen) {
    if (seen.start == 1 && seen.record.iteration == 5) checkpoint = seen.checkpoint();
    return genten::ObserverAction::proceed;
  });
  const auto found = genten::cp_completion(this->exec, tensor, checkpoint, options);
  if (!genten::is_host_space<typename TestFixture::Exec>) return;
  EXPECT_EQ(found.objective, whole.objective);
  EXPECT_EQ(found.kkt_violation, whole.kkt_violation);
  EXPECT_EQ(found.holdout.rmse, whole.holdout.rmse);
  const auto a = genten_test::plain(found.model), b = genten_test::plain(whole.model);
  for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(a.factors[n].elements, b.factors[n].elements);
}

TYPED_TEST(CompletionConstraints, WhatCannotBeIsRefused) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto tensor = this->make(part_of_model({}));
  const auto complete = [&](const auto&... arguments) {
    return error_of([&] { static_cast<void>(genten::cp_completion(this->exec, arguments...)); });
  };
  EXPECT_THAT(complete(tensor, CpCompletionOptions{.nonnegative = {.modes = {3}}}),
              HasSubstr("option nonnegative"));
  EXPECT_THAT(complete(tensor, CpCompletionOptions{.lower = {2.0}, .upper = {1.0}}),
              HasSubstr("no number is from 2 to 1"));
  EXPECT_THAT(complete(tensor, CpCompletionOptions{.l1 = {1.0, 2.0}}),
              HasSubstr("option l1: expected one number for all modes or 3"));
  const PlainTensor with_gap{{3, 2}, {{0, 0}, {2, 1}, {0, 1}}, {1.0, 2.0, 3.0}};
  EXPECT_THAT(complete(this->make(with_gap), CpCompletionOptions{.rank = 1, .lower = {0.5}}),
              HasSubstr("which is outside the bounds; mode 1"));
  auto start = genten_test::random_model({7, 8, 9}, 2, 4);
  start.factors[1](2, 1) = -1.0;
  EXPECT_THAT(complete(tensor, genten_test::to_ktensor<Real, Space>(start),
                       CpCompletionOptions{.nonnegative = ModeSelection{.all = true}}),
              HasSubstr("within the bounds"));
}

}  // namespace
