// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Minima under every loss that were found by another program and checked by a second method.
#include <genten/core/count_loss.hpp>
#include <genten/cp/components.hpp>
#include <genten/cp/cp_gcp.hpp>

#include "formula_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace {

using genten::AnyLoss;
using genten::CpGcpOptions;
using genten_test::formula_tensor;
namespace losses = genten::losses;

struct KnownMinimum {
  AnyLoss loss;
  const char* data;
  std::size_t rank;
  double objective;
  /// Whether nearly every random start ends there; of others few do.
  bool from_most_starts;
  double ridge = 0.0;
  bool nonnegative = false;
  /// Products of the columns' 2-norms, where they are known.
  std::vector<double> weights = {};
};

genten::CpGcpResult<double, genten::HostExec> minimize(const KnownMinimum& known) {
  CpGcpOptions options{.rank = known.rank, .max_iterations = 800, .tolerance = 1e-7};
  options.starts = known.from_most_starts ? 3 : 20;
  options.ridge = {known.ridge};
  if (known.nonnegative) options.nonnegative = genten::ModeSelection::every();
  const genten::HostExec exec;
  return genten::cp_gcp(
      exec,
      genten_test::to_sptensor<double, std::uint32_t, genten::HostExec>(formula_tensor(known.data)),
      known.loss, options);
}

void expect_minimum(const KnownMinimum& known) {
  SCOPED_TRACE(known.loss.facts().text() + " of " + known.data + ", rank " +
               std::to_string(known.rank));
  const auto result = minimize(known);
  const double size = std::abs(known.objective);
  EXPECT_NEAR(result.objective, known.objective, 1e-7 * size);
  // The equations that hold at a minimum.
  EXPECT_LE(result.kkt_violation, 1e-4);
  EXPECT_LE(result.scale_equation, 1e-4 * size);
  auto weights = genten::component_facts(genten::HostExec(), result.model).norms;
  std::sort(weights.begin(), weights.end(), std::greater<>());
  for (std::size_t r = 0; r < known.weights.size(); ++r) {
    EXPECT_NEAR(weights[r] / known.weights[r], 1.0, 2e-4);
  }
  const auto norm = genten::norm_under(known.loss.facts().name);
  for (const auto& factor : result.model.factors()) {
    for (const double each : genten::column_norms(genten::HostExec(), factor, norm)) {
      EXPECT_NEAR(each, 1.0, 1e-12);
    }
  }
  EXPECT_TRUE(result.warnings.empty());
  EXPECT_EQ(result.starts.size(), known.from_most_starts ? 3U : 20U);
}

TEST(CpGcpAnswers, LeastSquaresAndHuber) {
  for (const KnownMinimum& known : std::vector<KnownMinimum>{
           {losses::Gaussian(), "cnt", 1, 1584.0923210061, true, 0, false, {26.11336}},
           {losses::Gaussian(), "cnt", 2, 1298.7643204703, true, 0, false, {23.6875, 18.69756}},
           {losses::Gaussian(), "real", 1, 109.6417792126, true, 0, false, {14.50372}},
           {losses::Gaussian(), "real", 2, 19.9412611179, true, 0, false, {14.28273, 9.562068}},
           {losses::Gaussian(), "cnt", 1, 1584.0923210061, true, 0, true, {26.11336}},
           {losses::Gaussian(), "cnt", 2, 1299.3778678448, true, 0, true, {23.53756, 18.79137}},
           {losses::Huber{0.5}, "real", 1, 30.9191107154, true, 0, false, {14.25717}},
           {losses::Huber{0.5}, "real", 2, 25.3615650298, true, 0, false, {14.26951, 2.421427}}}) {
    expect_minimum(known);
  }
}

TEST(CpGcpAnswers, Counts) {
  for (const KnownMinimum& known : std::vector<KnownMinimum>{
           {losses::Poisson(), "cnt", 1, 243.4175199573, true, 0, false, {24.82848}},
           {losses::Poisson(), "cnt", 2, 147.0021454315, false, 0, false, {21.99151, 17.73351}},
           {losses::Poisson(), "bin2", 1, 279.3553057135, true, 0, false, {5.359153}},
           {losses::Poisson(), "bin2", 2, 224.2516527242, false, 0, false, {5.120292, 5.000913}},
           {losses::NegativeBinomial{1.0}, "cnt", 1, 440.8782932215, true, 0, false, {26.09762}},
           {losses::NegativeBinomial{1.0},
            "cnt",
            2,
            384.7643744577,
            false,
            0,
            false,
            {26.15147, 24.02612}},
           {losses::Beta{1.5}, "cnt", 1, -614.2991840478, true, 0, false, {25.49853}},
           {losses::Beta{1.5}, "cnt", 2, -716.6287427749, true, 0, false, {23.18529, 18.79315}}}) {
    expect_minimum(known);
  }
}

TEST(CpGcpAnswers, BinaryData) {
  for (const KnownMinimum& known : std::vector<KnownMinimum>{
           {losses::BernoulliOdds(), "bin2", 1, 263.4986239068, true, 0, false, {7.392772}},
           {losses::BernoulliPoisson(), "bin2", 1, 263.6239960838, true, 0, false, {6.241447}}}) {
    expect_minimum(known);
  }
}

// Elements of very different sizes: the way to the least of the minima is long.
TEST(CpGcpAnswers, OddsOfTwoComponents) {
  CpGcpOptions options{.rank = 2, .max_iterations = 3000, .tolerance = 1e-7, .starts = 3};
  const genten::HostExec exec;
  const auto result = genten::cp_gcp(
      exec,
      genten_test::to_sptensor<double, std::uint32_t, genten::HostExec>(formula_tensor("bin2")),
      losses::BernoulliOdds(), options);
  EXPECT_NEAR(result.objective, 185.3920682341, 1e-6 * 185.0);
}

TEST(CpGcpAnswers, PositiveData) {
  for (const KnownMinimum& known : std::vector<KnownMinimum>{
           {losses::Gamma(), "pos", 1, 284.2804074232, true, 0, false, {58.18272}},
           {losses::Gamma(), "pos", 2, 283.2236171471, true, 0, false, {53.52096, 10.99262}},
           {losses::Rayleigh(), "pos", 1, 425.9111630928, true, 0, false, {52.33416}},
           {losses::Rayleigh(), "pos", 2, 421.9999649588, true, 0, false, {46.91832, 10.34618}},
           {losses::Beta{0.5}, "pos", 1, 991.5764801481, true, 0, false, {59.4521}},
           {losses::Beta{0.5}, "pos", 2, 989.7269689603, true, 0, false, {53.49369, 11.48446}}}) {
    expect_minimum(known);
  }
}

TEST(CpGcpAnswers, WithRidge) {
  for (const KnownMinimum& known :
       std::vector<KnownMinimum>{{losses::BernoulliLogit(), "bin2", 1, 272.30939939, true, 1.0},
                                 {losses::BernoulliLogit(), "bin2", 2, 213.77172393, false, 1.0},
                                 {losses::BernoulliLogit(), "bin2", 3, 172.51215139, true, 1.0},
                                 {losses::BernoulliPoisson(), "bin2", 1, 266.15244955, true, 0.5},
                                 {losses::BernoulliPoisson(), "bin2", 2, 195.09859833, false, 0.5},
                                 {losses::BernoulliPoisson(), "bin2", 3, 137.16155386, false, 0.5},
                                 {losses::PoissonLog(), "cnt", 1, 225.66698144, true, 1.0},
                                 {losses::PoissonLog(), "cnt", 2, 147.87997213, false, 1.0},
                                 {losses::PoissonLog(), "cnt", 3, 59.576919416, false, 1.0},
                                 {losses::Gaussian(), "cnt", 1, 1649.3884707, true, 5.0},
                                 {losses::Gaussian(), "cnt", 2, 1411.8049572, true, 5.0},
                                 {losses::Gaussian(), "cnt", 3, 1224.8660272, true, 5.0}}) {
    expect_minimum(known);
  }
}

}  // namespace
