// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tests of models share.

#include <genten/core/ktensor.hpp>
#include <genten/core/ktensor_ops.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ktensor_test {

inline const std::vector<std::size_t> dimensions{6, 1, 9, 4};
inline constexpr std::size_t rank = 5;

/// Makes models and says how near two of them are.
template <class Combination>
class KtensorTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Model = genten::Ktensor<Scalar, Exec>;

  static Model make(const genten_test::PlainModel& model) {
    return genten_test::to_ktensor<Scalar, Exec>(model);
  }
  static Model make(unsigned seed = 1) {
    return make(genten_test::random_model(dimensions, rank, seed));
  }

  /// Every entry of the full tensor within `roundings` epsilons of the sum of absolute terms.
  static void expect_same_entries(const genten_test::PlainModel& actual,
                                  const genten_test::PlainModel& expected, double roundings) {
    genten_test::PlainModel absolute = expected;
    for (double& weight : absolute.weights) weight = std::abs(weight);
    for (auto& factor : absolute.factors) {
      for (double& element : factor.elements) element = std::abs(element);
    }
    const double epsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
    genten_test::for_each_element(dimensions, [&](const std::vector<std::size_t>& subscripts) {
      EXPECT_NEAR(entry_reference(actual, subscripts), entry_reference(expected, subscripts),
                  roundings * epsilon * entry_reference(absolute, subscripts));
    });
  }

  static void expect_zero_padding(const Model& model) {
    for (const auto& device_factor : model.factors()) {
      const auto factor = genten_test::on_host(device_factor);
      for (std::size_t i = 0; i < factor.rows(); ++i) {
        for (std::size_t j = factor.columns(); j < factor.stride(); ++j) {
          EXPECT_EQ(factor.padded_view()(i, j), 0);
        }
      }
    }
  }

  static double tolerance(double roundings) {
    return roundings * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  }
  Exec exec;
};

}  // namespace ktensor_test
