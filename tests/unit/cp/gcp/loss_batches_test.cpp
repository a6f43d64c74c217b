// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Losses of several entries at once are those of each.
#include <genten/cp/losses/any_loss.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

struct CubeRoot {
  static constexpr std::string_view name = "cube root";
  static constexpr genten::LossData data = genten::LossData::real;
  static constexpr double lower = 0.0;
  double value(double x, double m) const { return std::cbrt(m - x); }
  double slope(double x, double m) const { return x - m; }
};

TEST(LossBatches, AreThoseOfEachEntry) {
  std::vector<genten::AnyLoss> losses{CubeRoot()};
  for (const std::string& name : genten::loss_names()) {
    losses.push_back(genten::AnyLoss::named(name));
  }
  std::vector<double> x, m;
  for (double size = 1e-12; size < 40.0; size *= 2.1) {
    for (const double value : {0.0, 1.0}) {
      x.push_back(value);
      m.push_back(size);
    }
  }
  x.push_back(1.0);
  m.push_back(0.0);
  ASSERT_LE(x.size(), 200U);
  for (const auto& loss : losses) {
    SCOPED_TRACE(loss.facts().text());
    for (std::size_t first = 0; first < x.size(); first += 64) {
      const std::size_t count = std::min<std::size_t>(64, x.size() - first);
      std::vector<double> values(count), slopes(count);
      loss.kernel().values(&x[first], &m[first], values.data(), static_cast<int>(count));
      loss.kernel().slopes(&x[first], &m[first], slopes.data(), static_cast<int>(count));
      for (std::size_t k = 0; k < count; ++k) {
        const double value = loss.value(x[first + k], m[first + k]);
        const double slope = loss.slope(x[first + k], m[first + k]);
        EXPECT_NEAR(values[k], value, 1e-15 * (1.0 + std::abs(value))) << m[first + k];
        EXPECT_NEAR(slopes[k], slope, 1e-15 * (1.0 + std::abs(slope))) << m[first + k];
      }
    }
  }
}

}  // namespace
