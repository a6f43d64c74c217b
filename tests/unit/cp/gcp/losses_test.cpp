// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Each loss by itself: derivatives, what it says of its zeros, and how it is found by its name.
#include <genten/cp/losses/any_loss.hpp>

#include <genten/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten::AnyLoss;
using genten::LossData;
using testing::HasSubstr;

/// Values that a loss takes, and of models.
std::vector<double> values_of(LossData data) {
  if (data == LossData::binary) return {0.0, 1.0};
  if (data == LossData::positive) return {0.3, 1.0, 7.5};
  if (data == LossData::nonnegative) return {0.0, 1.0, 2.5, 9.0};
  return {-3.0, -0.2, 0.0, 1.0, 4.5};
}
std::vector<double> models_of(double lower) {
  if (lower == 0.0) return {0.01, 0.4, 1.0, 3.7, 20.0};
  return {-4.0, -0.45, 0.15, 0.8, 2.2};
}

template <class L>
void expect_derivatives(const L& loss) {
  for (const double x : values_of(L::data)) {
    for (const double m : models_of(L::lower)) {
      SCOPED_TRACE(std::string(L::name) + " at " + std::to_string(x) + ", " + std::to_string(m));
      const double h = 1e-5 * std::max(0.01, std::abs(m));
      const double slope = (loss.value(x, m + h) - loss.value(x, m - h)) / (2.0 * h);
      EXPECT_NEAR(loss.slope(x, m), slope, 1e-6 * (1.0 + std::abs(slope)));
      if constexpr (genten::loss_requirements::HasCurvature<L>) {
        const double curvature = (loss.slope(x, m + h) - loss.slope(x, m - h)) / (2.0 * h);
        EXPECT_NEAR(loss.curvature(x, m), curvature, 1e-6 * (1.0 + std::abs(curvature)));
      }
    }
  }
}

TEST(Losses, SlopesAreDerivativesOfValues) {
  genten::LossList::for_each([]<class L>() {
    if constexpr (genten::loss_requirements::HasParameter<L>) {
      for (const double parameter : {0.5, 1.5, 2.0}) expect_derivatives(L{parameter});
    } else {
      expect_derivatives(L{});
    }
  });
}

// Where m is best for x, the deviance is 0, and the value to be expected is x.
TEST(Losses, DeviancesVanishWhereTheMeanIsTheValue) {
  const auto check = [](const AnyLoss& loss, double x, double best) {
    SCOPED_TRACE(loss.facts().text() + " at " + std::to_string(x));
    EXPECT_NEAR(loss.deviance(x, best), 0.0, 1e-8);
    EXPECT_GT(loss.deviance(x, best * 1.25), 0.0);
    EXPECT_NEAR(loss.slope(x, best), 0.0, 1e-7);
    EXPECT_NEAR(loss.mean(best), x, 1e-9);
  };
  for (const double x : {1.0, 2.5}) {
    for (const char* name : {"gaussian", "weighted", "huber", "poisson", "gamma", "beta"}) {
      check(AnyLoss::named(name), x, x);
    }
    check(AnyLoss::named("beta", 0.5), x, x);
    check(AnyLoss::named("negative-binomial", 4.0), x, x / 4.0);
  }
  check(AnyLoss::named("poisson-log"), 2.5, std::log(2.5));
  const AnyLoss rayleigh = AnyLoss::named("rayleigh");  // whose best m is no x
  EXPECT_NEAR(rayleigh.deviance(2.0, std::sqrt(0.7853981633974483) * 2.0), 0.0, 1e-8);
  EXPECT_EQ(rayleigh.mean(3.0), 3.0);
  // Poisson's, and squares once.
  EXPECT_NEAR(AnyLoss::named("poisson").deviance(3.0, 5.0),
              2.0 * (3.0 * std::log(3.0 / 5.0) - 3.0 + 5.0), 1e-9);
  EXPECT_EQ(AnyLoss::named("gaussian").deviance(3.0, 5.0), 4.0);
}

TEST(Losses, ExpectedValuesOfZerosAndOnes) {
  EXPECT_NEAR(AnyLoss::named("bernoulli-odds").mean(3.0), 0.75, 1e-15);
  EXPECT_NEAR(AnyLoss::named("bernoulli-logit").mean(std::log(3.0)), 0.75, 1e-15);
  EXPECT_NEAR(AnyLoss::named("bernoulli-poisson").mean(std::log(4.0)), 0.75, 1e-15);
  // Of 1 the deviance is twice the logarithm of the probability, less the sign.
  for (const char* name : {"bernoulli-odds", "bernoulli-logit", "bernoulli-poisson"}) {
    const AnyLoss loss = AnyLoss::named(name);
    EXPECT_NEAR(loss.deviance(1.0, 0.6), -2.0 * std::log(loss.mean(0.6)), 1e-8) << name;
    EXPECT_NEAR(loss.deviance(0.0, 0.6), -2.0 * std::log(1.0 - loss.mean(0.6)), 1e-8) << name;
  }
}

// Of c times data and model, value and slope by the model are those times powers of c.
TEST(Losses, PowersAreThoseOfMultiples) {
  constexpr double c = 3.0, unit = 10.0;  // beside which what is added to m is nothing
  std::vector<std::string> have_powers;
  const auto check = [&](const AnyLoss& loss) {
    const auto power = loss.facts().power;
    if (!power) return;
    have_powers.push_back(loss.facts().text());
    for (const double x : {1.0 * unit, 2.5 * unit}) {
      for (const double m : {0.4 * unit, 3.7 * unit}) {
        const double expected = std::pow(c, *power - 1.0) * loss.slope(x, m);
        EXPECT_NEAR(loss.slope(c * x, c * m), expected, 1e-9 * std::abs(expected)) << x << " " << m;
      }
    }
  };
  for (const std::string& name : genten::loss_names()) check(AnyLoss::named(name));
  check(AnyLoss::named("beta", 0.5));
  EXPECT_THAT(have_powers, testing::ElementsAre("gaussian", "weighted(0.1)", "poisson", "gamma",
                                                "rayleigh", "beta(1.5)", "beta(0.5)"));
}

TEST(Losses, VariancesAreThoseOfTheirDistributions) {
  const auto variance = [](const char* name, double mean) {
    return AnyLoss::named(name).variance(mean);
  };
  for (const double mean : {0.2, 0.7}) {
    EXPECT_EQ(variance("gaussian", mean), 1.0);
    for (const char* const name : {"poisson", "poisson-log"}) EXPECT_EQ(variance(name, mean), mean);
    for (const char* const name : {"bernoulli-odds", "bernoulli-logit", "bernoulli-poisson"}) {
      EXPECT_EQ(variance(name, mean), mean * (1.0 - mean));
    }
    EXPECT_EQ(AnyLoss::named("negative-binomial", 4.0).variance(mean), mean + mean * mean / 4.0);
    EXPECT_EQ(variance("gamma", mean), mean * mean);
    // Of the Rayleigh distribution of that mean, squares are 4 / pi mean^2 on average.
    EXPECT_NEAR(variance("rayleigh", mean), (4.0 / std::acos(-1.0) - 1.0) * mean * mean, 1e-15);
    for (const char* const name : {"huber", "weighted", "beta"}) {
      EXPECT_TRUE(std::isnan(variance(name, mean))) << name;
      EXPECT_FALSE(AnyLoss::named(name).facts().has_variance);
    }
  }
}

TEST(Losses, ScaledOnesAreNamedAsTheyWereGiven) {
  EXPECT_EQ(AnyLoss::named("huber", 0.5).scaled(0.25).facts().text(), "huber(0.5)");
  EXPECT_EQ(AnyLoss::named("huber", 0.5).scaled(0.25).facts().parameter, 0.125);
}

TEST(Losses, ZeroTermsAreTheValueAtZero) {
  for (const auto& [loss, has_terms] : {std::pair{AnyLoss(genten::losses::Gaussian()), true},
                                        {genten::losses::Weighted{0.25}, true},
                                        {genten::losses::Poisson(), true},
                                        {genten::losses::BernoulliPoisson(), true},
                                        {genten::losses::Beta{2.0}, true},
                                        {genten::losses::Beta{1.5}, false},
                                        {genten::losses::Huber{1.0}, false},
                                        {genten::losses::BernoulliLogit(), false}}) {
    const auto terms = loss.facts().zero_terms;
    ASSERT_EQ(terms.has_value(), has_terms) << loss.facts().text();
    if (!terms) continue;
    for (const double m : {0.0, 0.3, 5.0}) {
      EXPECT_NEAR(terms->constant + terms->linear * m + terms->square * m * m, loss.value(0.0, m),
                  1e-15 * (1.0 + m * m));
    }
  }
}

// One row, one component, the other factors ones: the best m of some values is known.
TEST(Losses, MinimaOfOneRow) {
  const std::vector<double> counts{0.0, 1.0, 2.0, 5.0}, ones{0.0, 0.0, 0.0, 1.0, 1.0};
  const std::vector<double> positive{0.5, 1.0, 2.5};
  const double square = (0.25 + 1.0 + 6.25) / 3.0;
  for (const auto& [loss, values, best] :
       {std::tuple{AnyLoss(genten::losses::Gaussian()), counts, 2.0},
        {genten::losses::Poisson(), counts, 2.0},
        {genten::losses::PoissonLog(), counts, std::log(2.0)},
        {genten::losses::NegativeBinomial{4.0}, counts, 0.5},
        {genten::losses::BernoulliOdds(), ones, 0.4 / 0.6},
        {genten::losses::BernoulliLogit(), ones, std::log(0.4 / 0.6)},
        {genten::losses::BernoulliPoisson(), ones, -std::log(0.6)},
        {genten::losses::Gamma(), positive, 4.0 / 3.0},
        {genten::losses::Beta{0.5}, positive, 4.0 / 3.0},
        {genten::losses::Rayleigh(), positive, std::sqrt(0.25 * 3.14159265358979 * square)}}) {
    double slope = 0.0;
    for (const double x : values) slope += loss.slope(x, best);
    EXPECT_NEAR(slope, 0.0, 1e-8) << loss.facts().text();
  }
}

TEST(Losses, LargeModelsDoNotOverflow) {
  const genten::losses::BernoulliLogit logit;
  EXPECT_EQ(logit.value(1.0, 800.0), 0.0);
  EXPECT_EQ(logit.value(0.0, 800.0), 800.0);
  EXPECT_EQ(logit.slope(0.0, 800.0), 1.0);
  EXPECT_EQ(logit.slope(0.0, -800.0), 0.0);
  const genten::losses::BernoulliPoisson link;
  EXPECT_EQ(link.slope(1.0, 800.0), 0.0);
  EXPECT_EQ(link.value(1.0, 800.0), 0.0);
  EXPECT_NEAR(link.curvature(1.0, 800.0), 0.0, 1e-300);
}

TEST(Losses, AreFoundByTheirNames) {
  for (const std::string& name : genten::loss_names()) {
    EXPECT_EQ(AnyLoss::named(name).facts().name, name);
  }
  const AnyLoss huber = AnyLoss::named("huber", 0.5);
  EXPECT_EQ(huber.facts().text(), "huber(0.5)");
  EXPECT_EQ(huber.value(0.0, 2.0), genten::losses::Huber{0.5}.value(0.0, 2.0));
  EXPECT_EQ(AnyLoss::named("negative-binomial").facts().parameter, 1.0);
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const genten::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Losses, RefuseWhatTheyDoNotTake) {
  EXPECT_THAT(message_of([] { (void)AnyLoss::named("gausian"); }),
              HasSubstr("expected a loss out of gaussian, weighted, huber"));
  EXPECT_THAT(message_of([] { (void)AnyLoss::named("gaussian", 2.0); }),
              HasSubstr("it has no parameter, got 2"));
  EXPECT_THAT(message_of([] { (void)AnyLoss(genten::losses::Beta{1.0}); }),
              HasSubstr("loss beta: expected a parameter b that is a number other than 0 and 1"));
  EXPECT_THAT(message_of([] { (void)AnyLoss::named("huber", -1.0); }), HasSubstr("got -1"));
  EXPECT_THAT(message_of([] { (void)AnyLoss::named("negative-binomial", 0.0); }),
              HasSubstr("a number above 0, got 0"));
}

/// A caller's loss, as its documentation would have it.
struct Absolute {
  static constexpr std::string_view name = "smooth absolute";
  static constexpr LossData data = LossData::real;
  static constexpr double lower = genten::losses::no_bound;
  double width;
  double value(double x, double m) const { return std::sqrt((m - x) * (m - x) + width * width); }
  double slope(double x, double m) const { return (m - x) / value(x, m); }
};
struct NoSlope {
  static constexpr std::string_view name = "no slope";
  static constexpr LossData data = LossData::real;
  static constexpr double lower = genten::losses::no_bound;
  double value(double x, double m) const { return x - m; }
};
static_assert(genten::LossFunction<Absolute>);
static_assert(!genten::LossFunction<NoSlope>);

TEST(Losses, CallersOwnAreKeptAsCopies) {
  AnyLoss loss = AnyLoss(genten::losses::Gaussian());
  {
    const Absolute own{0.5};
    loss = own;
  }
  const AnyLoss copy = loss;
  EXPECT_EQ(copy.value(1.0, 3.0), Absolute{0.5}.value(1.0, 3.0));
  EXPECT_EQ(copy.slope(1.0, 3.0), Absolute{0.5}.slope(1.0, 3.0));
  EXPECT_EQ(copy.facts().text(), "smooth absolute");
  EXPECT_FALSE(copy.kernel().is_listed());
}

}  // namespace
