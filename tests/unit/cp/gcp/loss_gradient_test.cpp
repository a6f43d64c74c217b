// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Objectives and gradients under every loss against known numbers and sums over every entry.
#include <genten/cp/loss_gradient.hpp>

#include "formula_data.hpp"
#include "test_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::AnyLoss;
using genten::LossGradientOptions;
using genten::UnlistedEntries;
using genten::ZeroSums;
using genten_test::formula_model;
using genten_test::formula_tensor;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;

template <class Combination>
class LossGradientTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Tensor = genten::Sptensor<Scalar, std::uint32_t, Exec>;
  using Gradient = genten::LossGradient<Scalar, std::uint32_t, Exec>;
  static constexpr bool is_double = sizeof(Scalar) == 8;

  Exec exec;

  static Tensor make(const PlainTensor& tensor) {
    return genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(tensor);
  }
  static auto make(const PlainModel& model) { return genten_test::to_ktensor<Scalar, Exec>(model); }
  static double norm(const PlainModel& model) {
    double square = 0.0;
    for (const auto& factor : model.factors) {
      for (const double x : factor.elements) square += x * x;
    }
    return std::sqrt(square);
  }
  /// As the library has it.
  struct Found {
    double objective = 0.0;
    PlainModel gradient;
  };
  Found evaluate(Gradient& gradient_of, const PlainModel& model) {
    const auto point = make(model);
    const auto gradient = genten::clone(exec, point);
    const double objective = gradient_of(exec, point, gradient);
    EXPECT_EQ(gradient_of.sums(exec, point).objective, objective);
    return {objective, genten_test::plain(gradient)};
  }
  /// Both against the loop over every entry.
  void expect_as_by_entries(const AnyLoss& loss, const PlainTensor& tensor, const PlainModel& model,
                            const LossGradientOptions& options, double tolerance,
                            const PlainTensor& away = {}) {
    const std::size_t rank = model.weights.size();
    Gradient gradient_of = away.nnz() == 0
                               ? Gradient(exec, make(tensor), rank, loss, options)
                               : Gradient(exec, make(tensor), make(away), rank, loss, options);
    const Found found = evaluate(gradient_of, model);
    PlainModel expected;
    const double objective = genten_test::loss_by_entries(
        loss, tensor, model, options.unlisted == UnlistedEntries::missing, &expected, away);
    EXPECT_NEAR(found.objective, objective, tolerance * (1.0 + std::abs(objective)));
    const double size = norm(expected);
    for (std::size_t n = 0; n < expected.factors.size(); ++n) {
      for (std::size_t e = 0; e < expected.factors[n].elements.size(); ++e) {
        EXPECT_NEAR(found.gradient.factors[n].elements[e], expected.factors[n].elements[e],
                    tolerance * size);
      }
    }
  }
};

TYPED_TEST_SUITE(LossGradientTest, genten_test::ModelTypes, genten_test::TypeNames);

struct KnownNumbers {
  AnyLoss loss;
  const char* data;
  char model;
  std::size_t rank;
  double objective, norm;
};

std::vector<KnownNumbers> known_numbers() {
  namespace losses = genten::losses;
  return {{losses::Gaussian(), "cnt", '0', 1, 2272.60852051, 21.5396730643},
          {losses::Gaussian(), "cnt", '0', 2, 2269.89500427, 26.1304438984},
          {losses::Gaussian(), "real", '0', 1, 319.192435176, 7.95618931333},
          {losses::Gaussian(), "real", '0', 2, 319.407843622, 9.35095149998},
          {losses::Poisson(), "cnt", '+', 1, 815.275240007, 706.868666394},
          {losses::Poisson(), "cnt", '+', 2, 485.853880441, 263.873736598},
          {losses::Poisson(), "bin2", '+', 1, 352.593151751, 200.290236068},
          {losses::Poisson(), "bin2", '+', 2, 359.947798315, 99.5390186917},
          {losses::PoissonLog(), "cnt", '0', 1, 339.305119657, 10.7729641571},
          {losses::PoissonLog(), "cnt", '0', 2, 337.952828371, 13.0845393707},
          {losses::BernoulliOdds(), "bin2", '+', 1, 332.738001929, 203.733143851},
          {losses::BernoulliOdds(), "bin2", '+', 2, 303.174061752, 62.7510549858},
          {losses::BernoulliLogit(), "bin2", '0', 1, 349.712563249, 3.0024031503},
          {losses::BernoulliLogit(), "bin2", '0', 2, 350.567857323, 4.32759132127},
          {losses::BernoulliPoisson(), "bin2", '+', 1, 339.103081365, 207.229291205},
          {losses::BernoulliPoisson(), "bin2", '+', 2, 330.778151865, 88.4728835648},
          {losses::NegativeBinomial{1.0}, "cnt", '+', 1, 873.220151856, 657.408037024},
          {losses::NegativeBinomial{1.0}, "cnt", '+', 2, 590.251240492, 204.864214651},
          {losses::Gamma(), "pos", '+', 1, 7002.61571296, 29754.1989405},
          {losses::Gamma(), "pos", '+', 2, 1341.03922989, 1819.67190839},
          {losses::Rayleigh(), "pos", '+', 1, 1163020.62552, 12229990.1323},
          {losses::Rayleigh(), "pos", '+', 2, 20927.2246471, 66747.5517511},
          {losses::Huber{0.5}, "real", '0', 1, 134.631723614, 2.39261977926},
          {losses::Huber{0.5}, "real", '0', 2, 134.624691946, 2.70705222326},
          {losses::Beta{0.5}, "pos", '+', 1, 3611.33767317, 5296.96823759},
          {losses::Beta{0.5}, "pos", '+', 2, 1893.60324898, 954.966991077},
          {losses::Beta{1.5}, "cnt", '+', 1, -279.523467332, 188.89070169},
          {losses::Beta{1.5}, "cnt", '+', 2, -407.462345043, 145.221830909}};
}

TYPED_TEST(LossGradientTest, KnownObjectivesAndNorms) {
  // The numbers have 12 digits.
  const double tolerance = this->is_double ? 1.5e-11 : 1e-4;
  for (const KnownNumbers& known : known_numbers()) {
    SCOPED_TRACE(known.loss.facts().text() + " of " + known.data + ", rank " +
                 std::to_string(known.rank));
    const PlainTensor tensor = formula_tensor(known.data);
    typename TestFixture::Gradient gradient_of(this->exec, this->make(tensor), known.rank,
                                               known.loss);
    const auto found =
        this->evaluate(gradient_of, formula_model(tensor.dimensions, known.rank, known.model));
    EXPECT_NEAR(found.objective / known.objective, 1.0, tolerance);
    EXPECT_NEAR(this->norm(found.gradient) / known.norm, 1.0, tolerance);
  }
}

TYPED_TEST(LossGradientTest, GradientsAreCentralDifferences) {
  if (!this->is_double) GTEST_SKIP() << "differences need more digits";
  for (const KnownNumbers& known : known_numbers()) {
    if (known.rank != 2) continue;
    SCOPED_TRACE(known.loss.facts().text());
    const PlainTensor tensor = formula_tensor(known.data);
    typename TestFixture::Gradient gradient_of(this->exec, this->make(tensor), 2, known.loss,
                                               {.ridge = {0.3, 0.0, 2.0}});
    PlainModel model = formula_model(tensor.dimensions, 2, known.model);
    const auto found = this->evaluate(gradient_of, model);
    const double size = this->norm(found.gradient);
    for (std::size_t n = 0; n < 3; ++n) {
      for (std::size_t e = 0; e < model.factors[n].elements.size(); e += 3) {
        double& element = model.factors[n].elements[e];
        const double before = element, h = 1e-5 * std::max(0.1, std::abs(before));
        element = before + h;
        const double above = gradient_of.sums(this->exec, this->make(model)).objective;
        element = before - h;
        const double below = gradient_of.sums(this->exec, this->make(model)).objective;
        element = before;
        EXPECT_NEAR(found.gradient.factors[n].elements[e], (above - below) / (2.0 * h),
                    1e-6 * size);
      }
    }
  }
}

TYPED_TEST(LossGradientTest, EveryOrderRankAndKindOfZero) {
  const double tolerance = this->is_double ? 1e-12 : 2e-4;
  namespace losses = genten::losses;
  for (const AnyLoss& loss : {AnyLoss(losses::Gaussian()), AnyLoss(losses::Weighted{0.2}),
                              AnyLoss(losses::Poisson()), AnyLoss(losses::Huber{0.8}),
                              AnyLoss(losses::NegativeBinomial{2.0}), AnyLoss(losses::Beta{2.0})}) {
    for (const std::vector<std::size_t>& dimensions :
         {std::vector<std::size_t>{9}, {8, 5}, {7, 1, 5}, {5, 4, 3, 6}}) {
      for (const std::size_t rank : {1, 3, 17}) {
        SCOPED_TRACE(loss.facts().text() + ", order " + std::to_string(dimensions.size()) +
                     ", rank " + std::to_string(rank));
        PlainTensor tensor = genten_test::random_tensor(
            {.dimensions = dimensions, .nnz = 6, .seed = 5, .duplicate_every = 4});
        for (double& x : tensor.values) x = std::floor(10.0 * std::abs(x)) + 1.0;
        const PlainModel model = formula_model(dimensions, rank, '+');
        this->expect_as_by_entries(loss, tensor, model, {}, tolerance);
        this->expect_as_by_entries(loss, tensor, model, {.unlisted = UnlistedEntries::missing},
                                   tolerance);
      }
    }
  }
}

TYPED_TEST(LossGradientTest, ListedZerosCountAsZeros) {
  const double tolerance = this->is_double ? 1e-12 : 1e-5;
  PlainTensor tensor = formula_tensor("bin2");
  tensor.subscripts.push_back({8, 7, 0});
  tensor.values.push_back(0.0);
  const PlainModel model = formula_model(tensor.dimensions, 2, '+');
  for (const UnlistedEntries unlisted : {UnlistedEntries::zeros, UnlistedEntries::missing}) {
    this->expect_as_by_entries(genten::losses::BernoulliPoisson(), tensor, model,
                               {.unlisted = unlisted}, tolerance);
    this->expect_as_by_entries(genten::losses::BernoulliOdds(), tensor, model,
                               {.unlisted = unlisted}, tolerance);
  }
}

// Missing entries that the tensor lists and others, some of them twice, in each class of zeros.
TYPED_TEST(LossGradientTest, MissingEntriesDoNotCount) {
  const double tolerance = this->is_double ? 1e-12 : 1e-4;
  namespace losses = genten::losses;
  for (const auto& [loss, data, kind] : {std::tuple{AnyLoss(losses::Gaussian()), "real", '0'},
                                         {losses::Poisson(), "cnt", '+'},
                                         {losses::BernoulliPoisson(), "bin2", '+'},
                                         {losses::Beta{2.0}, "cnt", '+'},
                                         {losses::PoissonLog(), "cnt", '0'},
                                         {losses::NegativeBinomial{1.0}, "cnt", '+'},
                                         {losses::BernoulliOdds(), "bin2", '+'},
                                         {losses::Gamma(), "pos", '+'}}) {
    SCOPED_TRACE(loss.facts().text());
    const PlainTensor tensor = formula_tensor(data);
    PlainTensor away{tensor.dimensions, {}, {}};
    for (std::size_t i = 0; i < tensor.dimensions[0]; ++i) {
      for (std::size_t j = 0; j < tensor.dimensions[1]; ++j) {
        for (std::size_t k = 0; k < tensor.dimensions[2]; ++k) {
          if ((5 * i + 3 * j + 7 * k) % 4 == 0) away.subscripts.push_back({i, j, k});
        }
      }
    }
    away.subscripts.push_back(away.subscripts[3]);
    away.values.assign(away.subscripts.size(), 7.0);
    const PlainModel model = formula_model(tensor.dimensions, 3, kind);
    for (const UnlistedEntries unlisted : {UnlistedEntries::zeros, UnlistedEntries::missing}) {
      this->expect_as_by_entries(loss, tensor, model, {.unlisted = unlisted}, tolerance, away);
    }
  }
}

TYPED_TEST(LossGradientTest, SaysHowZerosAreSummed) {
  const auto zeros_of = [&](const AnyLoss& loss, const char* data, UnlistedEntries unlisted) {
    return typename TestFixture::Gradient(this->exec, this->make(formula_tensor(data)), 2, loss,
                                          {.unlisted = unlisted})
        .zeros();
  };
  const auto zeros = UnlistedEntries::zeros, missing = UnlistedEntries::missing;
  EXPECT_EQ(zeros_of(genten::losses::Poisson(), "cnt", zeros), ZeroSums::closed_form);
  EXPECT_EQ(zeros_of(genten::losses::PoissonLog(), "cnt", zeros), ZeroSums::enumerated);
  EXPECT_EQ(zeros_of(genten::losses::PoissonLog(), "cnt", missing), ZeroSums::none);
  EXPECT_EQ(zeros_of(genten::losses::Gamma(), "pos", zeros), ZeroSums::none);  // all are listed
}

TYPED_TEST(LossGradientTest, Refusals) {
  const auto message = [&](const AnyLoss& loss, const PlainTensor& tensor,
                           const LossGradientOptions& options = {}) -> std::string {
    try {
      const typename TestFixture::Gradient made(this->exec, this->make(tensor), 2, loss, options);
    } catch (const genten::Error& error) {
      return error.what();
    }
    return "no error";
  };
  namespace losses = genten::losses;
  PlainTensor some = formula_tensor("pos");
  some.subscripts.resize(100);
  some.values.resize(100);
  EXPECT_THAT(message(losses::Gamma(), some), HasSubstr("loss gamma: it has no minimum where"));
  EXPECT_THAT(message(losses::Gamma(), some), HasSubstr("got 20 unlisted zeros"));
  EXPECT_THAT(message(losses::Rayleigh(), some), HasSubstr("loss rayleigh: it has no minimum"));
  EXPECT_THAT(message(losses::Beta{-1.0}, some), HasSubstr("loss beta(-1): it has no minimum"));
  EXPECT_EQ(message(losses::Gamma(), some, {.unlisted = UnlistedEntries::missing}), "no error");
  PlainTensor counts = formula_tensor("cnt");
  EXPECT_THAT(message(losses::BernoulliOdds(), counts), HasSubstr("expected values 0 and 1; 6"));
  counts.values[3] = -2.0;
  EXPECT_THAT(message(losses::Poisson(), counts),
              HasSubstr("expected values that are not negative; 1 value is not, -2"));
  counts.values[3] = 0.0;
  EXPECT_THAT(message(losses::Gamma(), counts, {.unlisted = UnlistedEntries::missing}),
              HasSubstr("expected values above 0; 1 value is not, 0"));
  // 336 entries, 3 modes, 2 components, 4 operations
  EXPECT_THAT(message(losses::PoissonLog(), formula_tensor("cnt"), {.most_operations = 8063.0}),
              HasSubstr("336 entries takes 8064 operations a gradient, more than the 8063"));
  EXPECT_EQ(message(losses::PoissonLog(), formula_tensor("cnt"), {.most_operations = 8064.0}),
            "no error");
  EXPECT_THAT(message(losses::Poisson(), formula_tensor("cnt"), {.ridge = {1.0, 2.0}}),
              HasSubstr("option ridge: expected one number for all modes or 3, one a mode, got 2"));
  EXPECT_THAT(message(losses::Poisson(), formula_tensor("cnt"), {.ridge = {-1.0}}),
              HasSubstr("option ridge: expected numbers of at least 0, got -1"));
}

}  // namespace
