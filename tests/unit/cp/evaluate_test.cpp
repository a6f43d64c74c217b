// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The errors of a model, against loops over every entry.
#include <genten/cp/evaluate.hpp>

#include "plain.hpp"
#include "reference.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <genten/base/error.hpp>
#include <genten/core/poisson_terms.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using genten_test::PlainModel;
using genten_test::PlainTensor;

/// The value of a plain model at an entry, in the precision that its numbers have.
double value_of(const PlainModel& model, const std::vector<std::size_t>& at) {
  double sum = 0.0;
  for (std::size_t r = 0; r < model.weights.size(); ++r) {
    double product = model.weights[r];
    for (std::size_t n = 0; n < at.size(); ++n) product *= model.factors[n](at[n], r);
    sum += product;
  }
  return sum;
}

genten::EntryErrors errors_of(const std::vector<double>& values, const std::vector<double>& model) {
  genten::EntryErrors errors;
  double squares = 0.0;
  for (std::size_t p = 0; p < values.size(); ++p) {
    const double x = values[p], m = model[p];
    squares += (x - m) * (x - m);
    errors.mae += std::abs(x - m);
    errors.log_likelihood += (x == 0.0 ? 0.0 : x * std::log(m)) - m - std::lgamma(x + 1.0);
    errors.deviance += 2.0 * ((x == 0.0 ? 0.0 : x * std::log(x / m)) - x + m);
  }
  errors.entries = static_cast<double>(values.size());
  errors.residual_norm = std::sqrt(squares);
  errors.rmse = std::sqrt(squares / errors.entries);
  errors.mae /= errors.entries;
  return errors;
}

template <class Combination>
class EvaluateTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;

  static genten::Evaluation evaluate(const PlainTensor& tensor, const PlainModel& model) {
    const Exec exec{};
    return genten::evaluate(
        exec, genten_test::to_sptensor<Scalar, typename Combination::Ordinal, Exec>(tensor),
        genten_test::to_ktensor<Scalar, Exec>(model));
  }
  static PlainModel stored(PlainModel model) {
    return genten_test::plain(genten_test::to_ktensor<Scalar, Exec>(model));
  }
  static void expect_equal(const genten::EntryErrors& found, const genten::EntryErrors& expected) {
    EXPECT_EQ(found.entries, expected.entries);
    EXPECT_NEAR(found.residual_norm, expected.residual_norm, 1e-12 * expected.residual_norm);
    EXPECT_NEAR(found.rmse, expected.rmse, 1e-12 * expected.rmse);
    EXPECT_NEAR(found.mae, expected.mae, 1e-12 * expected.mae);
    EXPECT_NEAR(found.log_likelihood, expected.log_likelihood,
                1e-12 * std::abs(expected.log_likelihood));
    EXPECT_NEAR(found.deviance, expected.deviance, 1e-11 * std::abs(expected.log_likelihood));
  }
};

TYPED_TEST_SUITE(EvaluateTest, genten_test::AllTypes, genten_test::TypeNames);

/// A tensor of counts with a model that is positive everywhere.
PlainTensor counts() {
  auto tensor = genten_test::random_tensor({.dimensions = {6, 5, 4}, .nnz = 40, .seed = 3});
  PlainTensor distinct{tensor.dimensions, {}, {}};
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    const auto& at = tensor.subscripts[p];
    const auto& seen = distinct.subscripts;
    if (std::find(seen.begin(), seen.end(), at) != seen.end()) continue;
    distinct.subscripts.push_back(at);
    distinct.values.push_back(static_cast<double>(1 + p % 7));
  }
  return distinct;
}
PlainModel positive_model() {
  auto model = genten_test::random_model({6, 5, 4}, 3, 2);
  for (auto& factor : model.factors) {
    for (double& element : factor.elements) element = 0.125 + std::abs(element);
  }
  for (double& weight : model.weights) weight = std::abs(weight);
  return model;
}

TYPED_TEST(EvaluateTest, ErrorsAreThoseOfEveryEntry) {
  const PlainTensor tensor = counts();
  const PlainModel model = this->stored(positive_model());
  const auto found = this->evaluate(tensor, model);
  std::vector<double> at_listed, all_values, at_all;
  for (const auto& at : tensor.subscripts) at_listed.push_back(value_of(model, at));
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        const std::vector<std::size_t> at{i, j, k};
        const auto& listed = tensor.subscripts;
        const auto place = std::find(listed.begin(), listed.end(), at);
        all_values.push_back(place == listed.end()
                                 ? 0.0
                                 : tensor.values[static_cast<std::size_t>(place - listed.begin())]);
        at_all.push_back(value_of(model, at));
      }
    }
  }
  this->expect_equal(found.listed, errors_of(tensor.values, at_listed));
  const auto all = errors_of(all_values, at_all);
  this->expect_equal(found.all, all);
  EXPECT_NEAR(found.fit, 1.0 - all.residual_norm / found.tensor_norm, 1e-12);
}

TEST(EvaluateWithout, ListedEntriesDoNotCountWhetherTheTensorHasNonzerosThereOrNot) {
  const genten::HostExec exec;
  const PlainTensor tensor = counts();
  const PlainModel plain = positive_model();
  const auto model = genten_test::to_ktensor<double, genten::HostExec>(plain);
  const auto make = [](const PlainTensor& from) {
    return genten_test::to_sptensor<double, std::uint32_t, genten::HostExec>(from);
  };
  // Some nonzeros and some zeros, one of them twice.
  PlainTensor missing{tensor.dimensions, {}, {}};
  for (std::size_t p = 0; p < 4; ++p) missing.subscripts.push_back(tensor.subscripts[3 * p]);
  const auto is_listed = [](const PlainTensor& in, const std::vector<std::size_t>& at) {
    return std::find(in.subscripts.begin(), in.subscripts.end(), at) != in.subscripts.end();
  };
  genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
    if (at[1] == 2 && !is_listed(tensor, at)) missing.subscripts.push_back(at);
  });
  ASSERT_GT(missing.subscripts.size(), 6U);
  missing.subscripts.push_back(missing.subscripts.back());
  missing.values.assign(missing.subscripts.size(), 3.0);
  std::vector<double> x, m, x_listed, m_listed;
  genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
    if (is_listed(missing, at)) return;
    const auto& listed = tensor.subscripts;
    const auto place = std::find(listed.begin(), listed.end(), at);
    const bool any = place != listed.end();
    x.push_back(any ? tensor.values[static_cast<std::size_t>(place - listed.begin())] : 0.0);
    m.push_back(value_of(plain, at));
    if (!any) return;
    x_listed.push_back(x.back());
    m_listed.push_back(m.back());
  });
  auto found = genten::evaluate(exec, make(tensor), model, make(missing));
  const auto near = [](const genten::EntryErrors& some, const genten::EntryErrors& expected) {
    EXPECT_EQ(some.entries, expected.entries);
    for (const auto field : {&genten::EntryErrors::residual_norm, &genten::EntryErrors::rmse,
                             &genten::EntryErrors::mae, &genten::EntryErrors::log_likelihood,
                             &genten::EntryErrors::deviance}) {
      EXPECT_NEAR(some.*field, expected.*field, 1e-11 * (1.0 + std::abs(expected.*field)));
    }
  };
  near(found.all, errors_of(x, m));
  near(found.listed, errors_of(x_listed, m_listed));
  EXPECT_NEAR(found.fit, 1.0 - found.all.residual_norm / found.tensor_norm, 1e-12);
  found.leave_out_unlisted();
  near(found.all, errors_of(x_listed, m_listed));
  EXPECT_NEAR(found.fit, 1.0 - found.listed.residual_norm / found.tensor_norm, 1e-12);
}

// What is left has all its digits: nothing large is subtracted, nor is anything squared.
TEST(EvaluateWithout, LargeErrorsAtMissingEntriesTakeNoDigits) {
  const genten::HostExec exec;
  const auto make = [](const PlainTensor& from) {
    return genten_test::to_sptensor<double, std::uint32_t, genten::HostExec>(from);
  };
  const std::vector<std::vector<std::size_t>> first{{0, 0}, {0, 1}}, second{{1, 0}, {1, 1}};
  for (const auto& [size, large] : {std::pair{1.0, 1e9}, {1e-170, 1e-165}, {1e160, 1e165}}) {
    PlainModel plain{{1.0}, {genten_test::PlainMatrix(2, 1), genten_test::PlainMatrix(2, 1)}};
    plain.factors[0](0, 0) = size;
    plain.factors[0](1, 0) = large;
    plain.factors[1](0, 0) = plain.factors[1](1, 0) = 1.0;
    const auto model = genten_test::to_ktensor<double, genten::HostExec>(plain);
    const auto found = genten::evaluate(exec, make({{2, 2}, first, {2.0 * size, 5.0 * size}}),
                                        model, make({{2, 2}, second, {1.0, 1.0}}));
    EXPECT_EQ(found.all.entries, 2.0);
    EXPECT_NEAR(found.all.residual_norm / size, std::sqrt(17.0), 1e-6);
    EXPECT_NEAR(found.all.rmse / size, std::sqrt(8.5), 1e-6);
    EXPECT_NEAR(found.fit, 1.0 - std::sqrt(17.0 / 29.0), 1e-6);
  }
}

TYPED_TEST(EvaluateTest, NegativeNumbersHaveNoLikelihood) {
  auto model = positive_model();
  model.factors[1](0, 0) = -3.0;
  auto found = this->evaluate(counts(), model);
  EXPECT_TRUE(std::isnan(found.all.log_likelihood));
  EXPECT_TRUE(std::isnan(found.all.deviance));
  EXPECT_TRUE(std::isnan(found.all.mae));
  EXPECT_GT(found.listed.mae, 0.0);
  EXPECT_GT(found.all.rmse, 0.0);
  auto tensor = counts();
  tensor.values[0] = -1.0;
  found = this->evaluate(tensor, positive_model());
  EXPECT_TRUE(std::isnan(found.listed.log_likelihood));
  EXPECT_TRUE(std::isnan(found.all.deviance));
  EXPECT_GT(found.all.mae, 0.0);
}

TEST(EvaluateWithout, ErrorsOverAllEntriesAreKnownWhereAllAreListed) {
  const genten::HostExec exec;
  const auto make = [](const PlainTensor& from) {
    return genten_test::to_sptensor<double, std::uint32_t, genten::HostExec>(from);
  };
  PlainModel plain = positive_model();
  plain.factors[1](0, 0) = -3.0;
  const auto model = genten_test::to_ktensor<double, genten::HostExec>(plain);
  PlainTensor tensor{{6, 5, 4}, {}, {}}, rest{{6, 5, 4}, {}, {}};
  genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
    PlainTensor& to = at[0] == 2 ? rest : tensor;
    to.subscripts.push_back(at);
    to.values.push_back(static_cast<double>(at[1] * at[2]));
  });
  const auto expect_known = [](const genten::Evaluation& found) {
    EXPECT_EQ(found.all.entries, found.listed.entries);
    EXPECT_NEAR(found.all.mae, found.listed.mae, 1e-12 * found.listed.mae);
  };
  expect_known(genten::evaluate(exec, make(tensor), model, make(rest)));
  EXPECT_TRUE(std::isnan(genten::evaluate(exec, make(tensor), model).all.mae));
  for (std::size_t p = 0; p < rest.subscripts.size(); ++p) {
    tensor.subscripts.push_back(rest.subscripts[p]);
    tensor.values.push_back(rest.values[p]);
  }
  expect_known(genten::evaluate(exec, make(tensor), model));
}

TYPED_TEST(EvaluateTest, ACountWhereTheModelIsZeroIsImpossible) {
  auto model = positive_model();
  for (std::size_t r = 0; r < 3; ++r) model.factors[0](counts().subscripts[0][0], r) = 0.0;
  const auto found = this->evaluate(counts(), model);
  EXPECT_EQ(found.all.log_likelihood, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(found.listed.deviance, std::numeric_limits<double>::infinity());
}

TYPED_TEST(EvaluateTest, LargeAndSmallNumbersKeepTheirErrors) {
  if (sizeof(typename TestFixture::Scalar) == 4) GTEST_SKIP() << "of the range of double";
  const auto usual = this->evaluate(counts(), positive_model());
  for (const double scale : {1e180, 1e-180}) {
    auto tensor = counts();
    auto model = positive_model();
    for (double& value : tensor.values) value *= scale;
    for (double& weight : model.weights) weight *= scale;
    const auto found = this->evaluate(tensor, model);
    EXPECT_NEAR(found.listed.rmse / scale, usual.listed.rmse, 1e-12 * usual.listed.rmse);
    EXPECT_NEAR(found.all.rmse / scale, usual.all.rmse, 1e-12 * usual.all.rmse);
    EXPECT_NEAR(found.all.mae / scale, usual.all.mae, 1e-12 * usual.all.mae);
  }
}

/// A model of one component and one entry, or one entry of each of these values.
PlainModel constant_model(double weight, const std::vector<double>& elements,
                          std::size_t rows = 1) {
  PlainModel model{{weight}, {}};
  for (const double element : elements) {
    auto& factor = model.factors.emplace_back();
    factor.rows = model.factors.size() == 1 ? rows : 1;
    factor.columns = 1;
    factor.elements.assign(factor.rows, element);
  }
  return model;
}

TYPED_TEST(EvaluateTest, LargeCountsKeepTheirDigits) {
  if (sizeof(typename TestFixture::Scalar) == 4) GTEST_SKIP() << "of the digits of double";
  const PlainTensor two{{2, 1, 1}, {{0, 0, 0}, {1, 0, 0}}, {1e18, 1e18}};
  auto found = this->evaluate(two, constant_model(1e18, {1.0, 1.0, 1.0}, 2));
  // Each is -log(sqrt(2 pi x)) - 1 / (12 x).
  EXPECT_NEAR(found.listed.log_likelihood, -2.0 * 21.642204370151084, 1e-12);
  EXPECT_EQ(found.all.log_likelihood, found.listed.log_likelihood);
  EXPECT_EQ(found.listed.deviance, 0.0);
  const PlainTensor one{{1, 1, 1}, {{0, 0, 0}}, {1e15}};
  found = this->evaluate(one, constant_model(1e15 + 1e6, {1.0, 1.0, 1.0}));
  // (x - m)^2 / m (1 + (m - x) / 3 m + ...)
  EXPECT_NEAR(found.listed.deviance, 1e-3, 1e-11);
  EXPECT_NEAR(found.all.deviance, 1e-3, 1e-11);
}

TYPED_TEST(EvaluateTest, SmallValuesWhereNothingIsListedKeepTheirDigitsBesideLargeCounts) {
  const double root = 0x1p30;
  const PlainTensor three{{2, 2}, {{0, 0}, {0, 1}, {1, 0}}, {0x1p60, 0x1p60, 0x1p60}};
  PlainModel model = constant_model(1.0, {0.0, 0.0});
  model.weights.assign(4, 1.0);
  for (auto& factor : model.factors) factor.rows = 2, factor.columns = 4;
  model.factors[0].elements = {root, root, 0.0, 0.0, 0.0, 0.0, root, 1.0};
  model.factors[1].elements = {root, 0.0, root, 0.0, 0.0, root, 0.0, 5.0};
  const auto found = this->evaluate(three, model);
  EXPECT_EQ(found.listed.deviance, 0.0);
  EXPECT_EQ(found.all.deviance, 10.0);
  EXPECT_EQ(found.all.mae, 5.0 / 4.0);
}

TYPED_TEST(EvaluateTest, ValuesThatOverflowAreAsBadAsCanBe) {
  if (sizeof(typename TestFixture::Scalar) == 4) GTEST_SKIP() << "of the range of double";
  const PlainTensor one{{1, 1, 1}, {{0, 0, 0}}, {3.0}};
  const auto found = this->evaluate(one, constant_model(1e300, {1e300, 1.0, 1.0}));
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<genten::EntryErrors> both{found.listed, found.all};
  for (const genten::EntryErrors& errors : both) {
    EXPECT_EQ(errors.deviance, infinity);
    EXPECT_EQ(errors.log_likelihood, -infinity);
    EXPECT_EQ(errors.residual_norm, infinity);
    EXPECT_EQ(errors.mae, infinity);
  }
}

TYPED_TEST(EvaluateTest, WeightsAndElementsFarFromOneHaveTheirProduct) {
  if (sizeof(typename TestFixture::Scalar) == 4) GTEST_SKIP() << "of the range of double";
  struct Case {
    double weight;
    std::vector<double> elements;
    double value;
  };
  for (const auto& [weight, elements, value] :
       {Case{1e-300, {1e200, 1e200, 1e200}, 1e300}, Case{1e-300, {1e-200, 1e200, 1e300}, 1.0},
        Case{1e300, {1e100, 1e-250, 1e-150}, 1.0}}) {
    const PlainTensor one{{1, 1, 1}, {{0, 0, 0}}, {value}};
    const auto found = this->evaluate(one, constant_model(weight, elements));
    EXPECT_NEAR(found.fit, 1.0, 1e-14);
    EXPECT_LE(found.listed.residual_norm, 1e-14 * value);
    EXPECT_LE(found.all.deviance, 1e-14 * value);
    const auto half = this->evaluate(one, constant_model(0.5 * weight, elements));
    EXPECT_NEAR(half.fit, 0.5, 1e-14);
    EXPECT_NEAR(half.all.deviance / value, 2.0 * std::log(2.0) - 1.0, 1e-13);
  }
}

TEST(PoissonTerms, AreThoseOfMorePreciseSums) {
  for (const double m : {1e-300, 1e-3, 0.7, 15.0, 16.5, 1e5, 1e12}) {
    for (const double part : {1e-3, 0.5, 0.82, 0.9, 0.999, 1.0, 1.001, 1.1, 1.25, 4.0, 1e4}) {
      const double x = m * part;
      const long double wide = x, mean = m;
      const long double half = wide * logl(wide / mean) - (wide - mean);
      const auto error = static_cast<double>(1e-14L * half + 2e-19L * mean);
      EXPECT_NEAR(genten::detail::half_deviance(x, m), static_cast<double>(half), error);
      int sign = 0;
      const long double likelihood = wide * logl(mean) - mean - ::lgammal_r(wide + 1.0L, &sign);
      const long double largest = std::max(wide * std::abs(logl(wide) + 1.0L), mean);
      EXPECT_NEAR(genten::detail::poisson_log_likelihood(x, m), static_cast<double>(likelihood),
                  static_cast<double>(1e-13L * std::abs(likelihood) + 1e-18L * largest + 1e-15L));
    }
  }
}

TEST(PoissonTerms, StayInTheRangeOfNumbers) {
  EXPECT_EQ(genten::detail::half_deviance(1.7e308, 1.7e308), 0.0);
  EXPECT_NEAR(genten::detail::half_deviance(1.7e308, 1.6e308) / 1.7e308,
              genten::detail::half_deviance(1.7, 1.6) / 1.7, 1e-14);
}

TYPED_TEST(EvaluateTest, OtherDimensionsAreRefused) {
  auto tensor = counts();
  tensor.dimensions[2] = 7;
  EXPECT_THROW(static_cast<void>(this->evaluate(tensor, positive_model())), genten::Error);
}

TYPED_TEST(EvaluateTest, NoEntriesHaveNoMean) {
  const auto found = this->evaluate(PlainTensor{{6, 5, 4}, {}, {}}, positive_model());
  EXPECT_TRUE(std::isnan(found.listed.rmse));
  EXPECT_TRUE(std::isnan(found.listed.mae));
  EXPECT_EQ(found.listed.deviance, 0.0);
  EXPECT_TRUE(std::isnan(found.fit));
  EXPECT_GT(found.all.rmse, 0.0);
}

}  // namespace
