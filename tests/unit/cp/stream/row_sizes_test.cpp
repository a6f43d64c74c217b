// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/cp/row_sizes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace genten {
namespace {

using Model = Ktensor<double, HostExec>;

/// Of order 2 and rank 1, the rows of its mode 0 being these.
Model model_of(const std::vector<double>& rows) {
  const Model model(std::vector<std::size_t>{rows.size(), 3}, 1);
  model.weights()(0) = 2.0;
  for (std::size_t i = 0; i < rows.size(); ++i) model.factor(0)(i, 0) = rows[i];
  for (std::size_t j = 0; j < 3; ++j) model.factor(1)(j, 0) = 1.0;
  return model;
}

/// For slices that these rows meet.
double times(const std::vector<double>& had, const std::vector<double>& rows, bool whole = false) {
  SliceSizes slices{rows, whole};
  for (double& each : slices.norms) each *= 2.0 * std::sqrt(3.0);
  return times_as_large(model_of(had), model_of(rows), 0, slices);
}

const std::vector<double> had{1.0, 1.5, 0.0, 2.0, 3.0, 2.5};

TEST(RowSizes, AnotherUnitIsAFactor) {
  EXPECT_DOUBLE_EQ(times(had, {1900.0, 2000.0, 0.0, 2500.0}), 1000.0);
  EXPECT_DOUBLE_EQ(times(had, {0.02, 0.002}), std::sqrt(0.02 * 0.002) / 2.0);
  EXPECT_DOUBLE_EQ(times(had, {160.0}), 80.0);
}

TEST(RowSizes, UsualRowsAreNone) {
  EXPECT_TRUE(std::isnan(times(had, {2.0, 3.0, 40.0})));
  EXPECT_TRUE(std::isnan(times(had, {0.0, 0.0})));
  EXPECT_TRUE(std::isnan(times(had, {})));
  // One of many.
  EXPECT_TRUE(std::isnan(times(had, {2.0, 2000.0, 3.0})));
  // Sizes that the model has met, as those of people who buy much.
  EXPECT_TRUE(std::isnan(times({1.0, 1.0, 1.0, 2.0, 500.0}, {600.0})));
  // No unit is so far from another.
  EXPECT_TRUE(std::isnan(times(had, {1e150})));
  EXPECT_TRUE(std::isnan(times(had, {1e-150})));
  // Too few to know what is usual.
  EXPECT_TRUE(std::isnan(times({1.0, 2.0}, {2000.0})));
  // A month that has begun, of counts.
  EXPECT_TRUE(std::isnan(times(had, {0.002}, true)));
}

TEST(RowSizes, DataDecideWhereRowsAreHardlyDetermined) {
  EXPECT_TRUE(std::isnan(times_as_large(model_of(had), model_of({2000.0}), 0, {{5.0}, false})));
  EXPECT_TRUE(std::isnan(times_as_large(model_of(had), model_of({0.002}), 0, {{5.0}, false})));
}

}  // namespace
}  // namespace genten
