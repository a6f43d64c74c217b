// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The step for one row of a factor of counts, against the row's objective written out.
#include <genten/mttkrp/detail/row_equations/count_step.hpp>

#include <genten/core/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace {

/// A row with its nonzeros.
struct Row {
  std::size_t rank;
  std::vector<double> b, x;
  std::vector<std::vector<double>> k;

  /// `nonzeros` counts at random places; a part of the elements of k is 0.
  Row(std::size_t columns, std::size_t nonzeros, std::uint64_t seed, double largest)
      : rank(columns) {
    std::uint64_t at = 0;
    const auto uniform = [&] {
      return static_cast<double>(genten::random_bits(seed, at++) >> 11) * 0x1p-53;
    };
    for (std::size_t r = 0; r < rank; ++r) b.push_back(uniform() + 1e-3);
    for (std::size_t p = 0; p < nonzeros; ++p) {
      x.push_back(1.0 + std::floor(largest * std::pow(uniform(), 4.0)));
      k.emplace_back();
      for (std::size_t r = 0; r < rank; ++r) {
        const double u = uniform();
        k.back().push_back(u < 0.3 ? 0.0 : 0.02 * u * u);
      }
      k.back()[p % rank] += 0.01;
    }
  }
  [[nodiscard]] double model(std::size_t p) const {
    return std::inner_product(b.begin(), b.end(), k[p].begin(), 0.0);
  }
  [[nodiscard]] double objective() const {
    double sum = std::accumulate(b.begin(), b.end(), 0.0);
    for (std::size_t p = 0; p < x.size(); ++p) sum -= x[p] * std::log(model(p));
    return sum;
  }
  [[nodiscard]] std::vector<double> phi() const {
    std::vector<double> sums(rank, 0.0);
    for (std::size_t p = 0; p < x.size(); ++p) {
      for (std::size_t r = 0; r < rank; ++r) sums[r] += x[p] / model(p) * k[p][r];
    }
    return sums;
  }
  [[nodiscard]] double violation() const {
    double largest = 0.0;
    const auto sums = phi();
    for (std::size_t r = 0; r < rank; ++r) {
      largest = std::max(largest, std::abs(std::min(b[r], 1.0 - sums[r])));
    }
    return largest;
  }
  /// One step; returns what it says the violation was.
  double step() {
    const std::size_t line = rank + 3;
    std::vector<double> hessian(line * line, 0.0), sums = phi(), row = b, step(line, 0.0);
    sums.resize(line, 0.0);
    row.resize(line, 0.0);
    for (std::size_t p = 0; p < x.size(); ++p) {
      const double m = model(p);
      for (std::size_t r = 0; r < rank; ++r) {
        for (std::size_t q = r; q < rank; ++q) {
          hessian[r * line + q] += x[p] / (m * m) * k[p][r] * k[p][q];
        }
      }
    }
    const double found =
        genten::detail::CountStep{rank, line, hessian.data(), sums.data(), row.data(), step.data()}
            .run(*std::min_element(x.begin(), x.end()), std::accumulate(x.begin(), x.end(), 0.0));
    b.assign(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(rank));
    return found;
  }
};

TEST(CountStep, NeverRaisesTheObjectiveAndConverges) {
  for (const std::size_t rank : {1, 2, 5, 16}) {
    for (const std::size_t nonzeros : {1, 3, 40}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(std::to_string(rank) + " columns, " + std::to_string(nonzeros) +
                     " nonzeros, seed " + std::to_string(seed));
        Row row(rank, nonzeros, seed, seed % 2 == 0 ? 5.0 : 1e6);
        const double total = std::accumulate(row.x.begin(), row.x.end(), 0.0);
        double before = row.objective();
        std::size_t steps = 0;
        while (row.violation() > 1e-9 * total && steps < 400) {
          const double expected = row.violation();
          EXPECT_NEAR(row.step(), expected, 1e-12 * expected);
          const double now = row.objective();
          ASSERT_LE(now, before + 1e-12 * (std::abs(before) + total)) << "step " << steps;
          before = now;
          ++steps;
          EXPECT_NEAR(std::accumulate(row.b.begin(), row.b.end(), 0.0), total, 1e-12 * total);
          for (const double element : row.b) ASSERT_GE(element, 0.0);
        }
        EXPECT_LT(steps, 400U);
      }
    }
  }
}

TEST(CountStep, LiftsWhatShouldNotBeZeroAndClearsWhatShould) {
  Row row(2, 2, 1, 1.0);
  row.x = {10.0, 20.0};
  row.k = {{0.5, 0.0}, {0.0, 0.5}};
  row.b = {0.0, 30.0};  // no model at the first nonzero would be infinite: a little of it
  row.k[0][1] = 1e-3;
  for (int i = 0; i < 100; ++i) row.step();
  EXPECT_NEAR(row.b[0], 10.0, 0.1);
  Row clear(2, 1, 1, 1.0);
  clear.x = {6.0};
  clear.k = {{0.5, 0.25}};
  clear.b = {1.0, 1.0};
  for (int i = 0; i < 20; ++i) clear.step();
  EXPECT_EQ(clear.b[1], 0.0);
  EXPECT_NEAR(clear.b[0], 6.0, 1e-12);
}

TEST(CountStep, TakesTheMultiplicativeStepAlone) {
  Row row(5, 12, 3, 5.0);
  const std::vector<double> start = row.b;
  std::vector<double> sums = row.phi(), stepped = row.b;
  const double before = row.objective(), violation = row.violation();
  EXPECT_NEAR(
      (genten::detail::CountStep{5, 5, nullptr, sums.data(), stepped.data(), nullptr}.multiply()),
      violation, 1e-12 * violation);
  for (std::size_t r = 0; r < 5; ++r) EXPECT_EQ(stepped[r], start[r] * row.phi()[r]);
  row.b = stepped;
  EXPECT_LT(row.objective(), before);
  EXPECT_NEAR(std::accumulate(row.b.begin(), row.b.end(), 0.0),
              std::accumulate(row.x.begin(), row.x.end(), 0.0), 1e-9);
}

TEST(CountStep, SaysWhatIsNoNumber) {
  Row row(2, 1, 1, 1.0);
  row.b[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(row.step(), std::numeric_limits<double>::infinity());
}

}  // namespace
