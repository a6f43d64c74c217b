// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// CP-APR: known answers, and what holds for every tensor of counts.
#include <genten/cp/cp_apr.hpp>

#include "places.hpp"
#include "plain.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <genten/cp/detail/apr/multiplicative.hpp>
#include <genten/io/any.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace {

using genten::CountSteps;
using genten::CpAprOptions;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;

std::string data(const std::string& name) {
  return genten_test::data_file(name + "/" + name + ".tns");
}

template <class Combination>
class CpAprTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Tensor = genten::Sptensor<Scalar, std::uint32_t, Exec>;
  static constexpr bool is_double = sizeof(Scalar) == 8;

  Exec exec;

  static Tensor read(const std::string& name) {
    return std::get<Tensor>(genten::read_tensor<Scalar, Exec>(data(name)).tensor);
  }
  static Tensor make(const PlainTensor& tensor) {
    return genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(tensor);
  }
  static double sum(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
  }
  static void expect_relative(double found, double expected, double tolerance) {
    EXPECT_NEAR(found / expected, 1.0, tolerance);
  }
};

TYPED_TEST_SUITE(CpAprTest, genten_test::ModelTypes, genten_test::TypeNames);

// Of rank 1 the answer is known: the marginals.
TYPED_TEST(CpAprTest, OneComponentIsThatOfTheMarginals) {
  for (const auto& [name, total, objective] :
       {std::tuple{"titanic", 2201.0, -8966.0155137973},
        std::tuple{"ucb-admissions", 4526.0, -19464.3699997292}}) {
    const auto tensor = this->read(name);
    const auto result = genten::cp_apr(this->exec, tensor, CpAprOptions{.rank = 1});
    EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
    const PlainModel model = genten_test::plain(result.model);
    this->expect_relative(model.weights[0], total, this->is_double ? 1e-13 : 1e-5);
    this->expect_relative(result.objective, objective, this->is_double ? 1e-13 : 1e-5);
    const PlainTensor plain = genten_test::plain(tensor);
    for (std::size_t n = 0; n < plain.order(); ++n) {
      std::vector<double> marginal(plain.dimensions[n], 0.0);
      for (std::size_t p = 0; p < plain.nnz(); ++p) {
        marginal[plain.subscripts[p][n]] += plain.values[p] / total;
      }
      for (std::size_t i = 0; i < marginal.size(); ++i) {
        EXPECT_NEAR(model.factors[n](i, 0), marginal[i], this->is_double ? 1e-13 : 1e-5);
      }
    }
  }
}

TYPED_TEST(CpAprTest, TwoComponentsOfTheAdmissionsAreKnown) {
  if (!this->is_double) GTEST_SKIP() << "to the digits of double";
  const auto tensor = this->read("ucb-admissions");
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto result = genten::cp_apr(
        this->exec, tensor,
        CpAprOptions{.rank = 2, .max_iterations = 20000, .tolerance = 1e-8, .seed = seed});
    EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
    this->expect_relative(result.objective, -20341.3908128407, 1e-12);
    const auto weights = genten_test::plain(result.model).weights;
    EXPECT_NEAR(weights[0], 2794.268177, 1e-3);
    EXPECT_NEAR(weights[1], 1731.731823, 1e-3);
  }
}

TYPED_TEST(CpAprTest, TheObjectiveFallsAndTheModelKeepsTheSum) {
  auto plain = genten_test::random_tensor({.dimensions = {30, 20, 10}, .nnz = 900, .seed = 3});
  for (double& value : plain.values) value = 1.0 + std::floor(5.0 * std::abs(value));
  const auto tensor = this->make(plain);
  const double total = this->sum(plain.values);
  double last = std::numeric_limits<double>::infinity();
  const auto observer = [&](const genten::KtensorIteration<typename TestFixture::Scalar,
                                                           typename TestFixture::Exec>& seen) {
    const double slack = (this->is_double ? 1e-12 : 1e-5) * std::abs(seen.record.objective);
    EXPECT_LE(seen.record.objective, last + slack) << seen.record.iteration;
    last = seen.record.objective;
    const PlainModel model = genten_test::plain(seen.model());
    this->expect_relative(this->sum(model.weights), total, this->is_double ? 1e-12 : 1e-4);
    for (const auto& factor : model.factors) {
      EXPECT_TRUE(std::all_of(factor.elements.begin(), factor.elements.end(),
                              [](double element) { return element >= 0.0; }));
    }
    return genten::ObserverAction::proceed;
  };
  const auto result = genten::cp_apr(
      this->exec, tensor, CpAprOptions{.rank = 4, .max_iterations = 30, .kappa = 0.0}, observer);
  EXPECT_GT(result.iterations, 5U);
  EXPECT_GE(result.deviance, 0.0);
  EXPECT_NEAR(result.fit, 1.0 - result.residual_norm / result.tensor_norm, 1e-12);
}

// The deviance and the residual by every entry of a small tensor.
TYPED_TEST(CpAprTest, FiguresAreThoseOfEveryEntry) {
  const auto tensor = this->read("titanic");
  const auto result =
      genten::cp_apr(this->exec, tensor, CpAprOptions{.rank = 2, .max_iterations = 20});
  const PlainTensor plain = genten_test::plain(tensor);
  const PlainModel model = genten_test::plain(result.model);
  double objective = 0.0, deviance = 0.0, square = 0.0;
  for (std::size_t entry = 0; entry < 32; ++entry) {
    const std::vector<std::size_t> at{entry % 4, entry / 4 % 2, entry / 8 % 2, entry / 16};
    const auto place = std::find(plain.subscripts.begin(), plain.subscripts.end(), at);
    const double x = place == plain.subscripts.end()
                         ? 0.0
                         : plain.values[static_cast<std::size_t>(place - plain.subscripts.begin())];
    double m = 0.0;
    for (std::size_t r = 0; r < 2; ++r) {
      double product = model.weights[r];
      for (std::size_t n = 0; n < 4; ++n) product *= model.factors[n](at[n], r);
      m += product;
    }
    objective += m - (x == 0.0 ? 0.0 : x * std::log(m));
    deviance += 2.0 * ((x == 0.0 ? 0.0 : x * std::log(x / m)) - x + m);
    square += (x - m) * (x - m);
  }
  const double tolerance = this->is_double ? 1e-10 : 1e-3;
  this->expect_relative(result.objective, objective, tolerance);
  this->expect_relative(result.deviance, deviance, tolerance);
  this->expect_relative(result.residual_norm, std::sqrt(square), tolerance);
}

/// Counts everywhere but in the last slice of mode 0.
PlainTensor dense_counts() {
  PlainTensor plain{{5, 4, 3}, {}, {}};
  for (std::size_t entry = 0; entry < 48; ++entry) {
    plain.subscripts.push_back({entry % 4, entry / 4 % 4, entry / 16});
    plain.values.push_back(static_cast<double>(1 + entry * 7 % 11 + 9 * (entry % 4 == entry / 16)));
  }
  return plain;
}

/// Of that size, with elements of at least a quarter.
PlainModel positive_guess() {
  PlainModel guess = genten_test::random_model({5, 4, 3}, 2, 1);
  guess.weights = {1.0, 1.0};
  for (auto& factor : guess.factors) {
    for (double& element : factor.elements) element = 0.25 + std::abs(element);
  }
  return guess;
}

// Zeros in the guess that the data speak against are lifted; one that belongs there stays.
TYPED_TEST(CpAprTest, WrongZerosAreLiftedAndRightOnesStay) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  PlainModel guess = positive_guess();
  for (std::size_t i = 0; i < 3; ++i) guess.factors[0](i, 0) = 0.0;
  const auto start = genten_test::to_ktensor<Real, Space>(guess);
  const auto run = [&](double kappa) {
    return genten::cp_apr(this->exec, this->make(dense_counts()), start,
                          CpAprOptions{.max_iterations = 100,
                                       .steps = CountSteps::multiplicative,
                                       .tolerance = 0.0,
                                       .kappa = kappa});
  };
  const auto zeros_of = [](const auto& result) {
    const PlainModel model = genten_test::plain(result.model);
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t r = 0; r < 2; ++r) zeros += model.factors[0](i, r) == 0.0 ? 1 : 0;
    }
    // Nothing speaks for the slice without counts.
    EXPECT_EQ(model.factors[0](4, 0), 0.0);
    EXPECT_EQ(model.factors[0](4, 1), 0.0);
    return zeros;
  };
  const auto lifted = run(0.01), left = run(0.0);
  EXPECT_EQ(zeros_of(left), 3U);  // a product never leaves 0
  EXPECT_LT(zeros_of(lifted), 3U);
  EXPECT_LT(lifted.objective, left.objective - 1.0);
}

// A guess of data in which a row of either of two modes had no counts. Where one nonzero is in both
// rows, neither derivative is other than 0.
TYPED_TEST(CpAprTest, AGuessThatIsZeroAtNonzerosIsLiftedThereAlone) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  PlainModel guess = positive_guess();
  for (std::size_t r = 0; r < 2; ++r) {
    for (const std::size_t i : {2U, 4U}) guess.factors[0](i, r) = 0.0;
    guess.factors[1](1, r) = 0.0;
  }
  const auto start = genten_test::to_ktensor<Real, Space>(guess);
  PlainTensor both{{5, 4, 3}, {{2, 1, 0}, {0, 0, 0}, {1, 2, 1}}, {7.0, 3.0, 2.0}};
  for (const bool binary : {false, true}) {
    if (binary) both.values = {1.0, 1.0, 1.0};
    for (const CountSteps steps : {CountSteps::automatic, CountSteps::multiplicative}) {
      CpAprOptions options{.max_iterations = 0, .steps = steps};
      if (binary) options.loss = genten::CountLoss::bernoulli_poisson;
      const auto begun = genten::cp_apr(this->exec, this->make(both), start, options);
      EXPECT_EQ(begun.lifted_zeros, 4U);
      const PlainModel model = genten_test::plain(begun.model);
      for (std::size_t r = 0; r < 2; ++r) {
        EXPECT_GT(model.factors[0](2, r), 0.0);
        EXPECT_GT(model.factors[1](1, r), 0.0);
        EXPECT_EQ(model.factors[0](4, r), 0.0);  // no nonzero is there
      }
      EXPECT_TRUE(std::isfinite(begun.objective));
      options.max_iterations = 50;
      const auto found = genten::cp_apr(this->exec, this->make(both), start, options);
      EXPECT_EQ(found.lifted_zeros, 4U);
      EXPECT_LT(found.deviance, begun.deviance);
    }
  }
  EXPECT_EQ(genten_test::plain(start).factors[0](2, 0), 0.0);  // the caller's is not changed
}

TYPED_TEST(CpAprTest, AGuessThatIsAboveZeroIsNotLifted) {
  const auto counts = this->make(dense_counts());
  const auto first = genten::cp_apr(this->exec, counts, CpAprOptions{.rank = 2});
  EXPECT_EQ(genten::cp_apr(this->exec, counts, first.model, CpAprOptions{}).lifted_zeros, 0U);
}

TYPED_TEST(CpAprTest, LiftedAreSmallElementsThatAreInadmissible) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const genten::FacMatrix<Real, Space> b(1, 4), phi(1, 4);
  genten_test::PlainMatrix elements(1, 4), ratios(1, 4);
  elements.elements = {0.0, 1e-12, 0.5, 0.0};
  ratios.elements = {2.0, 0.5, 3.0, 1.0};
  genten_test::assign(b, elements);
  genten_test::assign(phi, ratios);
  EXPECT_EQ(genten::detail::lift_zeros(this->exec, b,
                                       genten::detail::Inadmissible<Real, Space>{phi}, 0.01, 1e-10),
            1U);
  EXPECT_NEAR(genten_test::plain(b)(0, 0), 0.01, 1e-9);
  EXPECT_EQ(genten_test::plain(b)(0, 3), 0.0);
  elements.elements = {0.0, 1e-12, 0.5, 0.0};
  genten_test::assign(b, elements);
  EXPECT_EQ(genten::detail::lift_zeros(this->exec, b,
                                       genten::detail::Inadmissible<Real, Space>{phi}, 0.01, 0.0),
            1U)
      << "zeros themselves, whatever the tolerance";
  // |min(b, 1 - phi)|: 1 - 2, 1e-12, 1 - 3, 0.
  EXPECT_NEAR(genten::detail::poisson_violation(this->exec, b, phi), 2.0, 1e-6);
  ratios.elements[1] = std::numeric_limits<double>::quiet_NaN();
  genten_test::assign(phi, ratios);
  EXPECT_TRUE(std::isinf(genten::detail::poisson_violation(this->exec, b, phi)));
}

// A power of two is taken out of values that are no counts: the same run, to the last bit.
TYPED_TEST(CpAprTest, SmallAndLargeNumbersGiveTheSameRun) {
  if constexpr (!genten::is_host_space<typename TestFixture::Exec>) {
    GTEST_SKIP() << "devices add in any order";
  }
  auto plain = dense_counts();
  for (double& value : plain.values) value *= 0x1p-4;  // the largest is 1 to 2
  const CpAprOptions options{.rank = 3, .max_iterations = 50};
  const auto usual = genten::cp_apr(this->exec, this->make(plain), options);
  for (const double scale : {0x1p-60, 0x1p70}) {
    auto other = plain;
    for (double& value : other.values) value *= scale;
    const auto result = genten::cp_apr(this->exec, this->make(other), options);
    EXPECT_EQ(result.iterations, usual.iterations);
    EXPECT_EQ(result.kkt_violation, usual.kkt_violation);
    EXPECT_EQ(result.fit, usual.fit);
    EXPECT_EQ(result.deviance, usual.deviance * scale);
    const auto a = genten_test::plain(usual.model), b = genten_test::plain(result.model);
    for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(b.weights[r], a.weights[r] * scale);
    EXPECT_EQ(a.factors[1].elements, b.factors[1].elements);
    const double total = this->sum(plain.values);
    this->expect_relative(result.objective, scale * (usual.objective - total * std::log(scale)),
                          this->is_double ? 1e-12 : 1e-6);
  }
}

TYPED_TEST(CpAprTest, WithoutIterationsTheGuessIsJudged) {
  const auto result = genten::cp_apr(this->exec, this->read("titanic"),
                                     CpAprOptions{.rank = 2, .max_iterations = 0});
  EXPECT_EQ(result.iterations, 0U);
  EXPECT_GT(result.deviance, 1.0);
  EXPECT_LT(result.fit, 1.0);
}

TYPED_TEST(CpAprTest, WrongCallsAreRefused) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto message_of = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const genten::Error& error) {
      return error.what();
    }
    return "";
  };
  const auto negative = this->make({{2, 2}, {{0, 0}, {1, 1}}, {4.0, -1.0}});
  EXPECT_THAT(message_of([&] {
                static_cast<void>(genten::cp_apr(this->exec, negative, CpAprOptions{.rank = 1}));
              }),
              HasSubstr("cp_apr: counts must not be negative; 1 value is, the least is -1"));
  const auto counts = this->make({{2, 2}, {{0, 0}, {1, 1}}, {4.0, 1.0}});
  EXPECT_THAT(
      message_of([&] {
        static_cast<void>(genten::cp_apr(
            this->exec, counts, CpAprOptions{.rank = 1, .init = genten::FactorKind::normal}));
      }),
      HasSubstr("expected init uniform"));
  auto guess = genten_test::random_model({2, 2}, 1, 1);
  guess.weights = {1.0};
  for (auto& factor : guess.factors) factor.elements = {0.5, 0.5};
  guess.factors[0](0, 0) = -1.0;
  EXPECT_THAT(
      message_of([&] {
        static_cast<void>(genten::cp_apr(
            this->exec, counts, genten_test::to_ktensor<Real, Space>(guess), CpAprOptions{}));
      }),
      HasSubstr("of finite numbers, none of them negative"));
  guess.factors[0](0, 0) = 0.0;
  EXPECT_THAT(message_of([&] {
                static_cast<void>(genten::cp_apr(this->exec, counts,
                                                 genten_test::to_ktensor<Real, Space>(guess),
                                                 CpAprOptions{.kappa = 0.0}));
              }),
              HasSubstr("above 0 wherever the tensor is, or a kappa above 0"));
  guess.weights[0] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(
      message_of([&] {
        static_cast<void>(genten::cp_apr(
            this->exec, counts, genten_test::to_ktensor<Real, Space>(guess), CpAprOptions{}));
      }),
      HasSubstr("of finite numbers"));
}

// Subscripts of more bits than the sorted kernel packs.
TYPED_TEST(CpAprTest, TensorsOfManyLongModesAreWalkedByAnotherKernel) {
  const std::vector<std::size_t> dimensions(8, 70000);
  PlainTensor plain{dimensions, {}, {1.0, 2.0}};
  plain.subscripts = {std::vector<std::size_t>(8, 0), std::vector<std::size_t>(8, 69999)};
  CpAprOptions options{.rank = 1, .max_iterations = 3};
  options.steps = CountSteps::multiplicative;
  const auto result = genten::cp_apr(this->exec, this->make(plain), options);
  EXPECT_EQ(result.kernel, "atomic");
  EXPECT_GE(result.iterations, 1U);
  EXPECT_NEAR(this->sum(genten_test::plain(result.model).weights), 3.0, 1e-5);
}

TEST(CpAprDeterminism, SameBitsForOneTwoAndThreeThreads) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const Exec exec{};
    const auto tensor = std::get<genten::Sptensor<double, std::uint32_t, Exec>>(
        genten::read_tensor<double, Exec>(data("titanic")).tensor);
    genten_test::BitHash hash;
    for (const CountSteps steps : {CountSteps::newton, CountSteps::multiplicative}) {
      const auto result = genten::cp_apr(
          exec, tensor, CpAprOptions{.rank = 3, .max_iterations = 10, .steps = steps});
      for (const double weight : genten_test::plain(result.model).weights) hash.add(weight);
      for (const auto& record : result.history) hash.add(record.objective);
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
