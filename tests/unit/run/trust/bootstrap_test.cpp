// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/io/any.hpp>
#include <genten/run/run_cp.hpp>

#include "places.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

using genten::CpRequest;
using genten::FittedEntries;
using genten::HostExec;
using genten::HostModel;

using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;

Tensor data(const char* file) {
  return genten::read_tensor_as<double, std::uint32_t, HostExec>(HostExec(),
                                                                 genten_test::data_file(file))
      .tensor;
}

/// A model of 5 x 4 x 3, its weights and elements by formula.
HostModel model_of(double first, double second) {
  HostModel model(HostExec(), std::vector<std::size_t>{5, 4, 3}, 2);
  model.weights()(0) = first;
  model.weights()(1) = second;
  for (int n = 0; n < 3; ++n) {
    for (std::size_t i = 0; i < model.factor(n).rows(); ++i) {
      model.factor(n)(i, 0) = 0.1 + static_cast<double>((3 * i + n) % 5);
      model.factor(n)(i, 1) = static_cast<double>((i + 2) % 3);
    }
  }
  return model;
}

genten::Fitted fitted_by(const char* loss, const HostModel& model, FittedEntries entries) {
  return {model,           std::move(entries), genten::AnyLoss::named(loss),
          {0.0, 0.0, 0.0}, {true, true, true}, {false, false, false}};
}

/// The mean of each entry over many draws, and of its square.
std::vector<std::pair<double, double>> means(const genten::Fitted& fitted, double variance) {
  constexpr int draws = 4000;
  std::vector<std::pair<double, double>> found(60);
  for (int k = 0; k < draws; ++k) {
    const auto drawn = genten::simulate(fitted, variance, static_cast<std::uint64_t>(k));
    for (std::size_t e = 0; e < drawn.values.size(); ++e) {
      const auto* const s = &drawn.subscripts[3 * e];
      auto& [mean, square] = found[(s[0] * 4 + s[1]) * 3 + s[2]];
      mean += drawn.values[e] / draws;
      square += drawn.values[e] * drawn.values[e] / draws;
    }
  }
  return found;
}

TEST(Simulate, DrawsTheMeanAndTheVarianceOfTheLoss) {
  struct Case {
    const char* loss;
    double weight;
  };
  for (const Case& each :
       {Case{"poisson", 0.5}, Case{"poisson", 20.0}, Case{"bernoulli-odds", 0.02},
        Case{"bernoulli-logit", 0.02}, Case{"bernoulli-poisson", 0.02}, Case{"gaussian", 1.0}}) {
    SCOPED_TRACE(each.loss);
    const auto model = model_of(each.weight, 2.0 * each.weight);
    const auto fitted = fitted_by(each.loss, model, {{5, 4, 3}});
    const auto found = means(fitted, 4.0);
    const std::string loss = each.loss;
    std::uint32_t s[3];
    for (s[0] = 0; s[0] < 5; ++s[0]) {
      for (s[1] = 0; s[1] < 4; ++s[1]) {
        for (s[2] = 0; s[2] < 3; ++s[2]) {
          double m = 0.0;
          for (std::size_t r = 0; r < 2; ++r) {
            m += model.weights()(r) * model.factor(0)(s[0], r) * model.factor(1)(s[1], r) *
                 model.factor(2)(s[2], r);
          }
          double mean = m, variance = m;
          if (loss == "gaussian") variance = 4.0;
          if (loss == "bernoulli-odds") mean = m / (1.0 + m);
          if (loss == "bernoulli-logit") mean = 1.0 / (1.0 + std::exp(-m));
          if (loss == "bernoulli-poisson") mean = 1.0 - std::exp(-m);
          if (loss.substr(0, 4) == "bern") variance = mean * (1.0 - mean);
          const auto [got, square] = found[(s[0] * 4 + s[1]) * 3 + s[2]];
          EXPECT_NEAR(got, mean, 5.0 * std::sqrt(variance / 4000.0) + 1e-9);
          EXPECT_NEAR(square - got * got, variance, 0.15 * variance + 0.02);
        }
      }
    }
  }
}

TEST(Simulate, LeavesMissingEntriesOut) {
  FittedEntries entries{{5, 4, 3}};
  entries.missing = {0, 0, 0, 4, 3, 2};
  const auto drawn = genten::simulate(fitted_by("poisson", model_of(50.0, 50.0), entries), 1.0, 1);
  EXPECT_EQ(drawn.missing, entries.missing);
  for (std::size_t e = 0; e < drawn.values.size(); ++e) {
    const auto* const s = &drawn.subscripts[3 * e];
    EXPECT_FALSE(s[0] == 0 && s[1] == 0 && s[2] == 0);
    EXPECT_FALSE(s[0] == 4 && s[1] == 3 && s[2] == 2);
  }
  entries.unlisted_are_missing = true;
  entries.missing.clear();
  entries.subscripts = {1, 1, 1, 2, 2, 2};
  entries.values = {1.0, 1.0};
  const auto listed = genten::simulate(fitted_by("poisson", model_of(5.0, 5.0), entries), 1.0, 1);
  EXPECT_EQ(listed.subscripts, entries.subscripts);
}

TEST(Simulate, DrawsSlicesWithReplacement) {
  FittedEntries entries{{3, 2}};
  entries.subscripts = {0, 0, 1, 1, 2, 0};
  entries.values = {1.0, 2.0, 3.0};
  entries.missing = {1, 0};
  std::vector<std::size_t> rows;
  const auto drawn = genten::draw_slices(entries, 0, 7, rows);
  ASSERT_EQ(rows.size(), 3U);
  ASSERT_EQ(drawn.values.size(), 3U) << "each slice has one";
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(drawn.values[e], 1.0 + static_cast<double>(rows[drawn.subscripts[2 * e]]));
  }
  EXPECT_EQ(drawn.missing.size() / 2,
            static_cast<std::size_t>(std::count(rows.begin(), rows.end(), 1U)));
}

/// Runs, with tight tolerances.
genten::CpRun<double, HostExec> run(const Tensor& tensor, CpRequest request, std::size_t rank) {
  request.set_rank(rank);
  request.apr.tolerance = 1e-6;
  request.apr.max_iterations = 1000;
  request.settle(true);
  return genten::run_cp(HostExec(), tensor, {}, request, {}, {});
}

TEST(Bootstrap, AgreesWithTheWholeOfTheSecondDerivatives) {
  CpRequest request{.loss = "poisson"};
  request.trust.standard_errors = true;
  request.trust.bootstrap = 400;
  const auto found = run(data("ucb-admissions/ucb-admissions.tns"), request, 1);
  const auto& errors = *found.trust.standard_errors;
  const auto& refits = *found.trust.bootstrap;
  EXPECT_EQ(refits.refits, 400U);
  EXPECT_NEAR(refits.found[0], 1.0, 1e-9);
  EXPECT_NEAR(found.trust.stability[0].refits, 1.0, 1e-9);
  EXPECT_NEAR(refits.weights.deviation[0] / errors.weights[0], 1.0, 0.2);
  for (std::size_t n = 0; n < 3; ++n) {
    for (std::size_t i = 0; i < errors.factors[n].size(); ++i) {
      EXPECT_NEAR(refits.factors[n].deviation[i] / errors.factors[n][i], 1.0, 0.2);
      const double value = found.model.factor(static_cast<int>(n))(i, 0);
      EXPECT_LT(refits.factors[n].lower[i], value);
      EXPECT_GT(refits.factors[n].upper[i], value);
    }
  }
}

TEST(Bootstrap, OfSlicesHasNoNumbersOfTheirMode) {
  CpRequest request{.loss = "gaussian"};
  request.trust.bootstrap = 20;
  request.trust.bootstrap_mode = {2};
  const auto found = run(data("ucb-admissions/ucb-admissions.tns"), request, 1);
  const auto& refits = *found.trust.bootstrap;
  EXPECT_TRUE(std::isnan(refits.factors[2].lower[0]));
  EXPECT_LE(refits.factors[0].lower[0], refits.factors[0].upper[0]);
  EXPECT_FALSE(std::isnan(refits.weights.deviation[0]));
}

TEST(Bootstrap, SaysNothingOfNoRefits) {
  CpRequest request{.loss = "poisson"};
  request.trust.bootstrap = 20;
  request.set_rank(1);
  request.settle(true);
  const auto found = genten::run_cp(HostExec(), data("ucb-admissions/ucb-admissions.tns"), {},
                                    request, {}, {}, [] { return true; });
  EXPECT_EQ(found.trust.bootstrap->refits, 0U);
  EXPECT_TRUE(std::isnan(found.trust.bootstrap->found[0]));
  EXPECT_TRUE(found.trust.stability.empty());
  const auto notes = genten::notes_of(found.trust, {4526.0}, {});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].code, genten::NoteCode::refits_cut);
}

TEST(Stability, CountsTheStartsThatFindAComponent) {
  const auto tensor = data("titanic/titanic.tns");
  CpRequest request{.loss = "gaussian"};
  request.als.starts = 4;
  request.given = {"starts"};
  const auto one = run(tensor, request, 1);
  ASSERT_EQ(one.trust.stability.size(), 1U);
  EXPECT_NEAR(one.trust.stability[0].starts, 1.0, 1e-12);
  EXPECT_TRUE(std::isnan(one.trust.stability[0].refits));
  EXPECT_FALSE(one.trust.stability[0].is_unstable());
  EXPECT_TRUE(genten::notes_of(one.trust, {1.0}, {}, false, 4).empty());
  const auto notes = genten::notes_of({}, {1.0}, {}, false, 4);  // as of a run that is resumed
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].code, genten::NoteCode::stability_unknown);
  request.als.starts = 1;
  EXPECT_TRUE(run(tensor, request, 1).trust.stability.empty());
}

/// The one note on components of those shares of starts and refits.
std::string unstable_text(const std::vector<double>& starts, const std::vector<double>& refits,
                          const std::vector<genten::Note>& told = {}, bool compares_ranks = false) {
  genten::RunTrust trust;
  trust.stability.resize(std::max(starts.size(), refits.size()));
  for (std::size_t r = 0; r < starts.size(); ++r) trust.stability[r].starts = starts[r];
  for (std::size_t r = 0; r < refits.size(); ++r) trust.stability[r].refits = refits[r];
  const auto notes =
      genten::notes_of(trust, std::vector(trust.stability.size(), 1.0), told, compares_ranks);
  if (notes.size() != 1 || notes[0].code != genten::NoteCode::unstable_components) return "";
  EXPECT_EQ(notes[0].numbers[1].second, static_cast<double>(trust.stability.size()));
  return genten::ErrorWords().text(notes[0].text);
}

TEST(Stability, OfComponentsThatAreNotFoundAgainIsTold) {
  EXPECT_EQ(unstable_text({0.75, 0.25, 1.0, 0.5}, {}),
            "of 4 components, 2 and 4 (counted from 1) are found by fewer than half of the other "
            "starts: do not build on them; try more starts or a lower rank (choose_rank compares "
            "ranks)");
  EXPECT_EQ(unstable_text({}, {0.5, 0.49}),
            "of 2 components, 2 (counted from 1) is found by fewer than half of the refits, at "
            "least half of which find the others: do not build on it; try a lower rank "
            "(choose_rank compares ranks)");
  EXPECT_THAT(unstable_text({}, {0.25, 0.49}), testing::HasSubstr("half of the refits: do not"));
  EXPECT_THAT(unstable_text({0.25, 1.0}, {1.0, 0.25}),
              testing::HasSubstr("fewer than half of the other starts or refits"));
  EXPECT_EQ(unstable_text({0.75, 1.0}, {0.5, 0.5}), "");
}

TEST(Stability, SaysThatStartsWithWorseModelsSayLittle) {
  genten::RunTrust trust;
  trust.stability = {{.starts = 1.0, .best_starts = 1.0}, {.starts = 0.4, .best_starts = 1.0}};
  const auto text = [&](const std::vector<genten::Note>& told = {}) {
    return genten::ErrorWords().text(genten::notes_of(trust, {1.0, 1.0}, told).at(0).text);
  };
  EXPECT_EQ(text(),
            "of 2 components, 2 (counted from 1) is found by fewer than half of the other starts, "
            "though by all that came to the least objective: those that ended at worse models say "
            "little, and refits (bootstrap 100) tell whether to build on it");
  EXPECT_THAT(text({{genten::NoteCode::iteration_limit, "cut"}}), testing::HasSubstr("do not"));
  trust.stability[1].refits = 0.25;
  EXPECT_THAT(text(), testing::HasSubstr("starts or refits: do not build on it; try"));
}

TEST(Stability, IsNotToBeHadByMoreStartsOfTwoModes) {
  const std::vector<genten::Note> told{{genten::NoteCode::two_modes, "two modes"}};
  const std::string found = "of 2 components, 1 (counted from 1) is found by fewer than half of ";
  EXPECT_EQ(unstable_text({0.25, 1.0}, {}, told), found + "the other starts: do not build on it");
  EXPECT_EQ(unstable_text({0.25, 1.0}, {0.25, 1.0}, told),
            found +
                "the other starts or refits: do not build on it; try a lower rank (choose_rank "
                "compares ranks)");
  EXPECT_EQ(unstable_text({0.25, 1.0}, {}, {}, true),
            found + "the other starts: do not build on it; try more starts or a lower rank");
  const std::vector<genten::Note> cut{{genten::NoteCode::iteration_limit, "cut"}};
  EXPECT_THAT(unstable_text({0.25, 1.0}, {}, cut),
              testing::EndsWith("on it; starts may come to the same once they converge, with more "
                                "iterations (max-iterations)"));
}

TEST(Trust, TellsOfWeightsThatMayBeZeroAndOfErrorsThatAreNotKnown) {
  genten::RunTrust trust;
  trust.standard_errors.emplace().weights = {1.0, 2.0, none};
  const std::vector<double> weights{2.0, -3.0, 1.0};
  auto notes = genten::notes_of(trust, weights, {});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(genten::ErrorWords().text(notes[0].text),
            "of 3 components, 2 (counted from 1) has a weight whose interval of 90 % holds zero: "
            "the data may do without it; try a lower rank (choose_rank compares ranks)");
  trust.bootstrap.emplace().refits = 20;
  trust.bootstrap->weights = {.lower = {-1.0, -4.0, none}, .upper = {3.0, -1.0, none}};
  trust.standard_errors->determined = false;
  notes = genten::notes_of(trust, weights, {});
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_THAT(genten::ErrorWords().text(notes[0].text), testing::HasSubstr(", 1 (counted"));
  EXPECT_EQ(notes[1].code, genten::NoteCode::no_standard_errors);
}

TEST(Stability, OfTwoStartsThatDifferIsNone) {
  genten::ComponentStability stability;
  stability.starts = 0.5;  // its own start alone
  EXPECT_TRUE(stability.is_unstable());
  stability.best_starts = 1.0;
  EXPECT_TRUE(stability.is_unstable()) << "refits have not spoken";
  stability.refits = 0.5;
  EXPECT_FALSE(stability.is_unstable());
  stability.best_starts = 0.75;
  EXPECT_TRUE(stability.is_unstable());
  stability.starts = 2.0 / 3.0;  // of two others one
  EXPECT_FALSE(stability.is_unstable());
}

}  // namespace
