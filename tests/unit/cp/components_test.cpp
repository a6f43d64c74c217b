// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/cp/components.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten_test::PlainModel;
using genten_test::random_model;

template <class Combination>
class ComponentsTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;

  static genten::ComponentFacts facts(const PlainModel& model) {
    return component_facts(Exec(), genten_test::to_ktensor<Scalar, Exec>(model));
  }
  static constexpr double tolerance = std::is_same_v<Scalar, float> ? 1e-6 : 1e-14;
};
TYPED_TEST_SUITE(ComponentsTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(ComponentsTest, AreInnerProductsOfRankOneTensors) {
  const PlainModel model = random_model({4, 3, 5}, 3, 8);
  const auto found = this->facts(model);
  const auto inner = [&](std::size_t r, std::size_t q) {
    double product = model.weights[r] * model.weights[q];
    for (const auto& factor : model.factors) {
      double sum = 0.0;
      for (std::size_t i = 0; i < factor.rows; ++i) sum += factor(i, r) * factor(i, q);
      product *= sum;
    }
    return product;
  };
  for (std::size_t r = 0; r < 3; ++r) {
    const double norm = std::sqrt(inner(r, r));
    EXPECT_NEAR(found.norms[r], norm, 4 * this->tolerance * norm);
    for (std::size_t q = 0; q < 3; ++q) {
      EXPECT_NEAR(found.cosine(r, q), inner(r, q) / norm / std::sqrt(inner(q, q)),
                  10 * this->tolerance);
    }
  }
}

TYPED_TEST(ComponentsTest, OppositeAndEmptyOnes) {
  PlainModel model = random_model({4, 3}, 3, 8);
  for (auto& factor : model.factors) {
    for (std::size_t i = 0; i < factor.rows; ++i) factor(i, 1) = factor(i, 0);
  }
  model.weights = {2.0, -1.0, 0.0};
  const auto found = this->facts(model);
  EXPECT_NEAR(found.cosine(0, 1), -1.0, 10 * this->tolerance);
  EXPECT_EQ(found.cosine(0, 2), 0.0);
  EXPECT_EQ(found.cosine(2, 2), 1.0);
  EXPECT_EQ(found.norms[2], 0.0);
}

TYPED_TEST(ComponentsTest, ColumnsWhoseSquaresLeaveTheRangeOfNumbers) {
  if (sizeof(typename TestFixture::Scalar) == 4) GTEST_SKIP() << "of the range of double";
  PlainModel model = random_model({4, 3}, 2, 8);
  const auto plain = this->facts(model);
  for (double& element : model.factors[0].elements) element *= 0x1p600;
  model.weights[0] *= 0x1p-600;
  model.weights[1] *= 0x1p-600;
  const auto scaled = this->facts(model);
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_NEAR(scaled.norms[r], plain.norms[r], 1e-13 * plain.norms[r]);
  }
  EXPECT_NEAR(scaled.cosine(0, 1), plain.cosine(0, 1), 1e-13);
}

}  // namespace
