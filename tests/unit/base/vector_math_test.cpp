// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Functions of many numbers at once, beside those of the standard library.
#include <genten/base/detail/vector_math.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

constexpr double ulp = std::numeric_limits<double>::epsilon();

TEST(VectorMath, ExponentialsAreThoseOfTheLibrary) {
  std::vector<double> x{0.0};
  for (double size = 1e-300; size < 700.0; size *= 1.0013) {
    x.push_back(size);
    x.push_back(-size);
  }
  std::vector<double> y(x.size());
  genten::detail::expm1_of_all(x.data(), y.data(), static_cast<int>(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(y[k], std::expm1(x[k]), 2.0 * ulp * std::abs(std::expm1(x[k]))) << x[k];
  }
}

TEST(VectorMath, LogarithmsAreThoseOfTheLibrary) {
  std::vector<double> x{1.0};
  for (double size = 1e-320; size < 1e307; size *= 1.013) x.push_back(size);
  for (double rest = 1e-15; rest < 0.5; rest *= 1.01) {
    x.push_back(1.0 + rest);
    x.push_back(1.0 - rest);
  }
  std::vector<double> y(x.size());
  genten::detail::log_of_all(x.data(), y.data(), static_cast<int>(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(y[k], std::log(x[k]), 2.0 * ulp * std::abs(std::log(x[k]))) << x[k];
  }
}

TEST(VectorMath, AnyNumberAndAnyCountAreTaken) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (int count = 0; count <= 19; ++count) {
    std::vector<double> x(static_cast<std::size_t>(count), 0.5), y(x.size() + 1, 7.0);
    genten::detail::expm1_of_all(x.data(), y.data(), count);
    EXPECT_EQ(y.back(), 7.0);
    genten::detail::log_of_all(x.data(), x.data(), count);  // in place
    for (int k = 0; k < count; ++k) {
      EXPECT_EQ(y[static_cast<std::size_t>(k)], y[0]);
      EXPECT_EQ(x[static_cast<std::size_t>(k)], x[0]);
    }
  }
  std::vector<double> x{std::nan(""), infinity, -infinity, 0.0, -1.0}, y(5);
  genten::detail::expm1_of_all(x.data(), y.data(), 5);
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_GT(y[1], 1e307);
  EXPECT_EQ(y[2], -1.0);
  EXPECT_EQ(y[3], 0.0);
  genten::detail::log_of_all(x.data(), y.data(), 5);
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], infinity);
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_EQ(y[3], -infinity);
  EXPECT_TRUE(std::isnan(y[4]));
}

}  // namespace
