// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/apr/extrapolation.hpp>

#include "plain.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Model = genten::Ktensor<double, Exec>;

/// One component of two modes of two rows.
Model model_of(double first, double second, double weight) {
  genten_test::PlainModel plain{{weight}, {}};
  for (const double top : {first, second}) {
    plain.factors.emplace_back(2, 1).elements = {top, 1.0 - top};
  }
  return genten_test::to_ktensor<double, Exec>(plain);
}

class Extrapolated : public testing::Test {
 protected:
  const Exec exec{};
  genten::detail::Extrapolation<double, Exec> extrapolation;
  std::vector<double> weights;

  /// The first sweep, with nothing before.
  void begin(Model model) {
    weights = {10.0};
    EXPECT_FALSE(extrapolation.extrapolate(exec, model, weights, [] { return true; }));
  }
  /// Takes the model that a sweep has made of the last one; what follows is better, or is not.
  Model after(Model model, double weight, bool better) {
    weights = {weight};
    EXPECT_EQ(extrapolation.extrapolate(exec, model, weights, [&] { return better; }), better);
    return model;
  }
  static double top(const Model& model, int mode) {
    return genten_test::plain(model).factors[static_cast<std::size_t>(mode)](0, 0);
  }
};

TEST_F(Extrapolated, GoesOnByPartOfTheLastChangeWhereThatIsBetter) {
  begin(model_of(0.2, 0.8, 10.0));
  const double length = extrapolation.length();
  const Model moved = after(model_of(0.3, 0.4, 10.0), 10.0, true);
  EXPECT_NEAR(top(moved, 0), 0.3 + length * 0.1, 1e-15);
  EXPECT_NEAR(top(moved, 1), 0.4 - length * 0.4, 1e-15);
  EXPECT_EQ(weights, std::vector<double>{10.0});
  EXPECT_EQ(genten_test::plain(moved).weights, weights);
  EXPECT_GT(extrapolation.length(), length);
  // The next goes on from what the sweep had made, not from where it has been moved.
  EXPECT_EQ(top(extrapolation.before(), 0), 0.3);
}

TEST_F(Extrapolated, LeavesAModelThatWouldBecomeWorse) {
  begin(model_of(0.2, 0.8, 10.0));
  const double length = extrapolation.length();
  const Model same = after(model_of(0.3, 0.4, 12.0), 12.0, false);
  EXPECT_EQ(top(same, 0), 0.3);
  EXPECT_EQ(top(same, 1), 0.4);
  EXPECT_EQ(weights, std::vector<double>{12.0});
  EXPECT_LT(extrapolation.length(), length);
  EXPECT_EQ(top(extrapolation.before(), 1), 0.4);
  // What it keeps is a copy.
  EXPECT_NE(extrapolation.before().factor(0).data(), same.factor(0).data());
}

// Multiplicative steps would not leave zeros.
TEST_F(Extrapolated, ElementsStayAboveZeroAndColumnsAddUpToOne) {
  begin(model_of(0.9, 1.0, 10.0));
  const Model moved = after(model_of(0.1, 1.0, 10.0), 10.0, true);
  const auto plain = genten_test::plain(moved);
  EXPECT_NEAR(plain.factors[0](0, 0), 0.01 / 1.31, 1e-15);
  EXPECT_NEAR(plain.factors[0](1, 0), 1.3 / 1.31, 1e-15);
  EXPECT_EQ(plain.factors[1](0, 0), 1.0);
  EXPECT_EQ(plain.factors[1](1, 0), 0.0);  // what is 0 stays there
}

}  // namespace
