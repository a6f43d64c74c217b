// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// CP-ALS and numbers at the edge.
#include "cp_als_support.hpp"

#include <genten/cp/residual.hpp>

namespace {

using namespace genten_test::cp;
using genten_test::fit_reference;
using genten_test::plain;
using genten_test::PlainTensor;
using genten_test::random_model;
using genten_test::random_tensor;

TEST_F(CpAlsTest, ZeroTensorIsMetExactly) {
  for (const PlainTensor& zero :
       {PlainTensor{{4, 3, 2}, {}, {}}, PlainTensor{{4, 3, 2}, {{1, 1, 1}, {0, 2, 1}}, {0.0, 0.0}},
        PlainTensor{{4, 3, 2}, {{1, 1, 1}, {1, 1, 1}}, {2.0, -2.0}}}) {
    const auto result = cp_als(exec, make(zero), CpAlsOptions{.rank = 2, .max_iterations = 5});
    EXPECT_EQ(result.tensor_norm, 0.0);
    EXPECT_EQ(result.residual_norm, 0.0);
    EXPECT_EQ(result.fit, 1.0);
    EXPECT_TRUE(all_finite(result.model));
  }
}

TEST_F(CpAlsTest, RankAboveTheDimensionsIsSolvedByThePseudoinverse) {
  const auto small = random_tensor({.dimensions = {3, 2, 2}, .nnz = 30});
  const auto result = cp_als(exec, make(small), CpAlsOptions{.rank = 10});
  EXPECT_GT(result.rank_deficient_solves, 0u);
  EXPECT_TRUE(all_finite(result.model));
  EXPECT_NEAR(result.fit, 1.0, 1e-9);
  const auto well_posed = cp_als(exec, tensor, CpAlsOptions{.rank = 3, .max_iterations = 3});
  EXPECT_EQ(well_posed.rank_deficient_solves, 0u);
}

TEST_F(CpAlsTest, EmptySlicesGetZeroRows) {
  const auto holes =
      random_tensor({.dimensions = {21, 16, 11}, .nnz = 300, .seed = 2, .empty_slices = true});
  // Rows of the guess in empty slices are not zero and must not stay.
  const auto guess = genten_test::to_ktensor<double, Exec>(random_model({21, 16, 11}, 3, 8));
  const auto result =
      cp_als(exec, make(holes), guess, CpAlsOptions{.max_iterations = 4, .tolerance = 0.0});
  for (int n = 0; n < 3; ++n) {
    for (std::size_t i = 1; i < result.model.factor(n).rows(); i += 2) {
      for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(result.model.factor(n)(i, r), 0.0);
    }
  }
  for (const auto& record : result.history) EXPECT_TRUE(std::isfinite(record.fit));
  EXPECT_NEAR(result.fit, fit_reference(holes, plain(result.model)), 1e-11);
}

TEST_F(CpAlsTest, ResidualNearFitOneIsAccurate) {
  const auto planted = random_model({12, 10, 8}, 2, 1);
  const auto exact = entries_of(planted);
  const double norm = genten_test::norm_reference(exact);
  bool seen_small = false;
  for (const std::size_t iterations : {5, 10, 20, 40, 100, 300}) {
    const auto result = cp_als(
        exec, make(exact), CpAlsOptions{.rank = 2, .max_iterations = iterations, .tolerance = 0.0});
    const double expected = genten_test::residual_reference(exact, plain(result.model));
    const bool near = expected < 0.5e-4 * norm;
    if (near) {
      EXPECT_EQ(result.residual_route, genten::ResidualRoute::extended) << iterations;
    }
    // The reference itself has rounding errors of about 1e-15 of the norm.
    EXPECT_NEAR(result.residual_norm, expected, near ? 1e-14 * norm : 1e-10 * norm) << iterations;
    seen_small = seen_small || expected < 1e-10 * norm;
  }
  EXPECT_TRUE(seen_small) << "the test wants a residual far below half the digits";
}

TEST_F(CpAlsTest, ExtendedResidualIsThatOfTheElements) {
  const auto large_tensor = random_tensor({.dimensions = {40, 30, 20}, .nnz = 30, .seed = 5});
  const auto large_model = random_model({40, 30, 20}, 1, 6);
  EXPECT_NEAR(genten::residual_norm_extended(exec, make(large_tensor),
                                             genten_test::to_ktensor<double, Exec>(large_model)),
              genten_test::residual_reference(large_tensor, large_model), 1e-11);
  const auto small_tensor = random_tensor({.dimensions = {9, 8, 7}, .nnz = 3, .seed = 1});
  const auto small_model = random_model({9, 8, 7}, 3, 2);
  EXPECT_NEAR(genten::residual_norm_extended(exec, make(small_tensor),
                                             genten_test::to_ktensor<double, Exec>(small_model)),
              genten_test::residual_reference(small_tensor, small_model), 1e-12);
}

}  // namespace
