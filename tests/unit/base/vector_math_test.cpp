// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Functions of many numbers at once, beside those of the standard library.
#include <genten/base/detail/vector_math.hpp>
#include <genten/core/poisson_terms.hpp>

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

/// Of x > 0, by the series in s = (x - m) / (x + m) where x log(x / m) and x - m would cancel.
long double precise_half_deviance(long double x, long double m) {
  const long double difference = x - m, s = difference / (x + m);
  if (std::abs(s) > 0.2L) return x * std::log(x / m) - difference;
  long double total = s * difference, power = 2.0L * x * s;
  for (int k = 3; k < 60; k += 2) {
    power *= s * s;
    total += power / static_cast<long double>(k);
  }
  return total;
}

TEST(VectorMath, DeviancesAreThoseOfMorePreciseSums) {
  std::vector<double> x, m;
  const auto add = [&](double value, double model) {
    x.push_back(value);
    m.push_back(model);
  };
  for (double size = 1e-250; size < 1e250; size *= 7.3e4) {
    for (double part = 1e-15; part < 0.5; part *= 1.7) {
      add(size, size * (1.0 + part));
      add(size, size * (1.0 - part));
    }
    for (double ratio = 1.01; ratio < 1e30; ratio *= 1.037) {
      add(size, size * ratio);
      add(size, size / ratio);
    }
  }
  for (double count = 1.0; count < 300.0; count += 1.0) add(count, 17.0);
  std::vector<double> d(x.size());
  genten::detail::half_deviances(x.data(), m.data(), d.data(), static_cast<int>(x.size()));
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto expected = static_cast<double>(precise_half_deviance(x[k], m[k]));
    EXPECT_NEAR(d[k], expected, 10.0 * ulp * expected) << x[k] << ", " << m[k];
    EXPECT_GE(d[k], 0.0);
  }
}

TEST(VectorMath, DeviancesOfAnyNumbersAreThoseOfOne) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers{0.0, 5e-324, 2e-310, 1e-305,  1e-150,  0.5,      1.0,
                                    3.0, 1e150,  1e305,  1.6e308, 1.7e308, infinity, std::nan("")};
  for (const double value : numbers) {
    for (int count = 0; count <= static_cast<int>(numbers.size()); ++count) {
      const std::vector<double> x(static_cast<std::size_t>(count), value);
      std::vector<double> d(x.size() + 1, 7.0);
      genten::detail::half_deviances(x.data(), numbers.data(), d.data(), count);
      EXPECT_EQ(d.back(), 7.0);
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double one = genten::detail::DevianceSums::of(value, numbers[k]).half_deviance;
        if (std::isnan(one) || std::isinf(one)) {
          EXPECT_EQ(std::isnan(d[k]), std::isnan(one)) << value << ", " << numbers[k];
          EXPECT_EQ(std::isinf(d[k]), std::isinf(one)) << value << ", " << numbers[k];
        } else {
          EXPECT_NEAR(d[k], one, 1e-14 * one) << value << ", " << numbers[k];
        }
      }
    }
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
