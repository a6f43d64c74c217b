// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/ttensor.hpp>
#include <genten/core/ttensor_ops.hpp>

#include "plain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using Exec = genten::HostExec;
using Model = genten::Ttensor<double, Exec>;
using Matrix = genten::FacMatrix<double, Exec>;
using genten_test::error_of;
using testing::HasSubstr;

Model::core_view core_of(const std::vector<double>& elements) {
  const Model::core_view core("core", elements.size());
  for (std::size_t k = 0; k < elements.size(); ++k) core(k) = elements[k];
  return core;
}

TEST(Ttensor, HasTheValuesOfItsFormula) {
  const auto plain = genten_test::random_matrix(4, 2, 1);
  const auto third = genten_test::random_matrix(5, 1, 2);
  std::vector<double> elements{1, -2, 3, 4, 5, -6};
  const Model model({2, 3, 1}, core_of(elements),
                    {genten_test::to_matrix<double, Exec>(plain), Matrix(),
                     genten_test::to_matrix<double, Exec>(third)});
  EXPECT_EQ(model.dimensions(), (std::vector<std::size_t>{4, 3, 5}));
  EXPECT_FALSE(model.is_compressed(1));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 5; ++k) {
        const double sum = elements[2 * j] * plain(i, 0) + elements[2 * j + 1] * plain(i, 1);
        const std::vector<std::size_t> at{i, j, k};
        EXPECT_NEAR(genten::value_at(model, at), sum * third(k, 0), 1e-14);
      }
    }
  }
  EXPECT_NEAR(genten::core_norm(model), std::sqrt(91.0), 1e-14);
  const std::vector<std::size_t> beyond{0, 3, 0}, few{0, 0};
  EXPECT_THAT(error_of([&] { static_cast<void>(genten::value_at(model, beyond)); }),
              HasSubstr("expected a subscript below 3 in mode 2, got 3"));
  EXPECT_THAT(error_of([&] { static_cast<void>(genten::value_at(model, few)); }),
              HasSubstr("expected 3 subscripts, got 2"));
}

/// Every value of the CP form is that of the model.
void expect_same_values(const Model& model, std::size_t components) {
  const auto cp = genten::to_ktensor(model);
  ASSERT_EQ(cp.rank(), components);
  ASSERT_EQ(cp.dimensions(), model.dimensions());
  std::vector<std::size_t> at(static_cast<std::size_t>(model.order()), 0);
  for (bool more = true; more;) {
    double value = 0.0;
    for (std::size_t r = 0; r < cp.rank(); ++r) {
      double product = cp.weights()(r);
      for (int n = 0; n < cp.order(); ++n)
        product *= cp.factor(n)(at[static_cast<std::size_t>(n)], r);
      value += product;
    }
    EXPECT_NEAR(value, genten::value_at(model, at), 1e-13);
    more = false;
    for (int n = 0; n < model.order() && !more; ++n) {
      auto& subscript = at[static_cast<std::size_t>(n)];
      more = ++subscript < model.dimension(n);
      if (!more) subscript = 0;
    }
  }
}

TEST(Ttensor, HasACpFormOfTheSameValues) {
  const auto factor = [](std::size_t rows, std::size_t columns) {
    return genten_test::to_matrix<double, Exec>(genten_test::random_matrix(rows, columns, rows));
  };
  std::vector<double> elements(12);
  for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = std::sin(1.0 + 2.0 * double(k));
  const auto core = core_of(elements);
  expect_same_values(Model({2, 3, 2}, core, {factor(4, 2), factor(5, 3), factor(3, 2)}), 4);
  expect_same_values(Model({3, 2, 2}, core, {factor(4, 3), factor(5, 2), factor(3, 2)}), 4);
  expect_same_values(Model({2, 2, 3}, core, {factor(4, 2), factor(5, 2), factor(3, 3)}), 4);
  // Modes that are not compressed: the one that is folded, and others.
  expect_same_values(Model({2, 3, 2}, core, {factor(4, 2), Matrix(), factor(3, 2)}), 4);
  expect_same_values(Model({2, 6, 1}, core, {Matrix(), factor(7, 6), factor(3, 1)}), 2);
  expect_same_values(Model({12}, core, {factor(5, 12)}), 1);
}

/// The sum over all elements of the products of those of two models.
double plain_innerprod(const Model& a, const Model& b) {
  double sum = 0.0;
  std::vector<std::size_t> at(3);
  for (at[0] = 0; at[0] < a.dimension(0); ++at[0]) {
    for (at[1] = 0; at[1] < a.dimension(1); ++at[1]) {
      for (at[2] = 0; at[2] < a.dimension(2); ++at[2]) {
        sum += genten::value_at(a, at) * genten::value_at(b, at);
      }
    }
  }
  return sum;
}

TEST(Ttensor, HasTheInnerProductsOfItsElements) {
  const auto factor = [](std::size_t rows, std::size_t columns, int seed) {
    return genten_test::to_matrix<double, Exec>(genten_test::random_matrix(rows, columns, seed));
  };
  const Model a({2, 3, 2}, core_of({1, -2, 3, 4, 5, -6, 7, 8, -9, 1, 2, 3}),
                {factor(4, 2, 1), factor(3, 3, 2), factor(5, 2, 3)});
  const Model b({1, 3, 2}, core_of({1, 4, -2, 3, 5, 6}),
                {factor(4, 1, 4), Matrix(), factor(5, 2, 5)});
  const Model c({4, 3, 1}, core_of({1, -2, 3, 4, 5, -6, 7, 8, -9, 1, 2, 3}),
                {Matrix(), Matrix(), factor(5, 1, 6)});
  for (const Model& one : {a, b, c}) {
    for (const Model& other : {a, b, c}) {
      EXPECT_NEAR(genten::innerprod(Exec(), one, other), plain_innerprod(one, other), 1e-11);
    }
  }
  const Model small({1, 1, 1}, core_of({1}), {factor(4, 1, 1), factor(3, 1, 1), factor(4, 1, 1)});
  EXPECT_THAT(error_of([&] { static_cast<void>(genten::innerprod(Exec(), a, small)); }),
              HasSubstr("innerprod"));
}

TEST(Ttensor, RefusesShapesThatDoNotAgree) {
  EXPECT_THAT(error_of([&] {
                Model({2, 2}, core_of({1, 2, 3, 4}), {Matrix(4, 2)});
              }),
              HasSubstr("expected one rank a mode, got 2 ranks and 1 factors"));
  EXPECT_THAT(error_of([&] {
                Model({2}, core_of({1, 2}), {Matrix(4, 3)});
              }),
              HasSubstr("expected 2 columns (the rank) in the factor of mode 1, got 3"));
  EXPECT_THAT(error_of([&] {
                Model({2}, core_of({1, 2, 3}), {Matrix(4, 2)});
              }),
              HasSubstr("expected 2 elements in the core (the product of the ranks), got 3"));
}

}  // namespace
