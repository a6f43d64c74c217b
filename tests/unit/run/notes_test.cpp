// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/run/report.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

namespace {

using genten::ComponentFacts;
using genten::CpFigures;
using genten::NoteCode;
using genten::OwnFigures;
using genten::RowConstraint;
using genten::RunSettings;
using genten::StartRecord;
using genten::StopReason;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double none = RowConstraint::none;

/// A run without anything to tell.
struct NotedRun {
  CpFigures figures;
  OwnFigures own = genten::CpAlsFigures();
  ComponentFacts components{{8.0, 5.0}, {1.0, 0.2, 0.2, 1.0}};
  RunSettings settings;

  NotedRun() {
    figures.stop_reason = StopReason::converged;
    figures.fit = 0.9;
    figures.iterations = 7;
    figures.tensor_norm = 10.0;
    figures.residual_norm = 1.0;
    figures.residual_error = 1e-9;
    figures.starts = {{.fit = 0.9, .iterations = 7, .stop_reason = StopReason::converged}};
    settings.rank = 2;
    settings.max_iterations = 7;
    settings.tolerance = 1e-4;
    settings.constraints.resize(3);
    settings.entries.values = genten::ValueRange{1.0, 5.0};
  }
  [[nodiscard]] std::vector<genten::Note> notes() const {
    return notes_of(figures, own, components, settings);
  }
  [[nodiscard]] std::vector<NoteCode> codes() const {
    std::vector<NoteCode> codes;
    for (const auto& note : notes()) codes.push_back(note.code);
    return codes;
  }
  [[nodiscard]] std::string text(NoteCode code) const {
    for (const auto& note : notes()) {
      if (note.code == code) return genten::ErrorWords().text(note.text);
    }
    return "";
  }
};

TEST(Notes, AGoodRunHasNone) {
  EXPECT_THAT(NotedRun().notes(), IsEmpty());
}

TEST(Notes, EveryCodeHasAWordAndATitleOfItsOwn) {
  std::set<std::string_view> words;
  for (const auto& entry : enum_words(NoteCode{})) {
    EXPECT_TRUE(words.insert(entry.word).second) << entry.word;
    EXPECT_FALSE(entry.meaning.empty()) << entry.word;
  }
}

TEST(Notes, RaisedZerosOfAGuessAreTold) {
  NotedRun run;
  run.own = genten::CpAprFigures{.lifted_zeros = 1};
  run.settings.least_squares = false;
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::lifted_zeros));
  EXPECT_THAT(run.text(NoteCode::lifted_zeros),
              HasSubstr("before the run 1 zero of its factors was raised by kappa"));
}

TEST(Notes, RoundedObjectivesOfLargeElementsAreTold) {
  NotedRun run;
  const std::vector<genten::GcpWarning> large{{genten::GcpDoubt::large_elements, -1, 1e12}};
  run.own = genten::CpAprFigures{.warnings = large};
  run.settings.least_squares = false;
  run.figures.objective = 3.5;
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::no_minimum, NoteCode::no_minimum));
  EXPECT_THAT(run.notes()[1].text,
              HasSubstr("the objective may be off by about 0.00022 or more: sums over zeros are "
                        "differences of sums whose terms are as large as 1e+12; a ridge or an "
                        "upper bound keeps these smaller"));
  run.own = genten::CpGcpFigures{.zeros = genten::ZeroSums::enumerated, .warnings = large};
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::no_minimum));
}

TEST(Notes, ComponentsThatOthersCancelAreDegenerate) {
  NotedRun run;
  run.components = {{21.0, 20.5, 3.0}, {1.0, -0.99, 0.1, -0.99, 1.0, 0.0, 0.1, 0.0, 1.0}};
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::degenerate));  // which says that they cancel
  EXPECT_THAT(run.text(NoteCode::degenerate),
              HasSubstr("2 components are up to 2.1 times as large as the data and cancel"));
  EXPECT_THAT(run.text(NoteCode::degenerate), HasSubstr("nonnegative factors cannot cancel"));
  EXPECT_EQ(run.notes()[0].numbers[0], (std::pair<std::string, double>("components", 2.0)));
  NotedRun signed_run = run;
  signed_run.settings.entries.values = genten::ValueRange{-1.0, 5.0};
  EXPECT_THAT(signed_run.text(NoteCode::degenerate),
              testing::EndsWith("cannot be read; try a ridge, a lower rank or other starts"));
  NotedRun fixed = run;
  fixed.settings.fixed_modes = {1};
  fixed.settings.constraints[0].lower = fixed.settings.constraints[2].lower = 0.0;
  EXPECT_THAT(fixed.text(NoteCode::degenerate), testing::Not(HasSubstr("nonnegative")));
  run.components.norms = {20.0, 20.0, 3.0};  // twice is not more than twice
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::cancelling));
  run.settings.least_squares = false;
  run.components.norms = {21.0, 20.0, 3.0};
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::cancelling));
}

TEST(Notes, LargeComponentsThatNothingCancelsAreNotDegenerate) {
  NotedRun run;
  run.components = {{6000.0}, {1.0}};  // as a guess that is too large
  EXPECT_THAT(run.notes(), IsEmpty());
  run.components = {{30.0, 30.0}, {1.0, 0.9, 0.9, 1.0}};  // as within positive bounds
  EXPECT_THAT(run.notes(), IsEmpty());
  run.components = {{30.0, 30.0}, {1.0, -0.1, -0.1, 1.0}};  // the model is as large
  EXPECT_THAT(run.notes(), IsEmpty());
}

TEST(Notes, WhereEntriesAreMissingTheWholeTensorCounts) {
  NotedRun run;
  genten::CpCompletionFigures completion;
  completion.weight_ratio = 1.9;  // of 21
  run.own = completion;
  run.settings.has_missing = true;
  run.components = {{21.0, 8.0}, {1.0, -0.5, -0.5, 1.0}};
  EXPECT_THAT(run.notes(), IsEmpty());
  completion.weight_ratio = 2.1;
  run.own = completion;
  EXPECT_THAT(run.text(NoteCode::degenerate),
              HasSubstr("1 component is up to 2.1 times as large as the data and cancels against "
                        "others, and means nothing where entries are missing"));
  run.components.congruence = {1.0, 0.2, 0.2, 1.0};
  EXPECT_THAT(run.notes(), IsEmpty());  // of which nobody has counted the entries
  completion.entries = 400.0;
  run.own = completion;
  run.settings.entries.all = 1600.0;
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::degenerate));
  EXPECT_THAT(run.text(NoteCode::degenerate),
              HasSubstr("1 component is up to 2.1 times as large as the data would be if missing "
                        "entries were as large as the others: predictions of these may be far "
                        "beyond any value; try "));
}

TEST(Notes, ComponentsOfOtherLossesWhoseModelIsTheMeanAreComparedWithTheWholeTensor) {
  NotedRun run;
  run.own = genten::CpGcpFigures{.entries = 400.0};
  run.settings.has_missing = true;
  run.settings.least_squares = false;
  run.settings.entries.all = 1600.0;  // 20 as large as the 400 of norm 10
  run.components = {{39.0, 1.0}, {1.0, 0.2, 0.2, 1.0}};
  run.figures.residual_norm = 40.0;
  EXPECT_THAT(run.codes(), IsEmpty());
  run.components.norms[0] = 41.0;
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::degenerate));
  run.settings.models_means = false;  // it is the logit of a mean, or the like
  EXPECT_THAT(run.codes(), IsEmpty());
}

TEST(Notes, PredictionsOfMissingEntriesFarBeyondTheOthers) {
  NotedRun run;
  run.own = genten::CpCompletionFigures{.entries = 400.0, .weight_ratio = 0.9};
  run.settings.has_missing = true;
  run.settings.entries.all = 500.0;
  // Of a whole of 10 sqrt(500 / 400) = 11.2 no more than 10 + 1 counts: of 100 missing entries the
  // squares are 15^2 - 11^2 = 104 and more, 1.02 each, where others have .25.
  run.components = {{15.0}, {1.0}};
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::far_predictions));
  EXPECT_NEAR(run.notes()[0].numbers[0].second, std::sqrt(1.04 / 0.25), 1e-12);
  EXPECT_THAT(run.text(NoteCode::far_predictions),
              testing::StartsWith("predictions of missing entries are 2.04 times as large as the "
                                  "others, or more, in the root mean square"));
  run.components.norms = {14.8};
  EXPECT_THAT(run.codes(), IsEmpty());
  run.components.norms = {15.0};
  run.settings.entries.all = 0.0;  // nobody has counted them
  EXPECT_THAT(run.codes(), IsEmpty());
  run.settings.far_predictions = 0.0009;
  EXPECT_THAT(run.codes(), IsEmpty());
  run.settings.far_predictions = 0.0125;
  EXPECT_THAT(run.text(NoteCode::far_predictions),
              testing::StartsWith("at 1.25 % of all entries the model is more than 2 times as "
                                  "large as any value: such predictions are no estimates; try "));
}

TEST(Notes, FreeFactorsOfTwoModesAreNotDetermined) {
  NotedRun run;
  run.settings.constraints.resize(2);
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::two_modes));
  EXPECT_THAT(run.text(NoteCode::two_modes), HasSubstr("mixtures of these fit as well"));
  NotedRun fixed = run, nonnegative = run, single = run;
  fixed.settings.fixed_modes = {1};
  nonnegative.settings.constraints[0].lower = 0.0;
  single.settings.rank = 1;
  for (const auto& each : {fixed, nonnegative, single}) EXPECT_THAT(each.notes(), IsEmpty());
}

TEST(Notes, ComponentsBeyondTheRangeOfNumbersAreNotCompared) {
  NotedRun run;
  run.components.norms = {std::numeric_limits<double>::infinity(), 1.0};
  EXPECT_THAT(run.notes(), IsEmpty());
}

TEST(Notes, PairsAreNamedFromOne) {
  NotedRun run;
  run.components = {{8.0, 5.0, 3.0}, {1.0, 0.96, -0.9, 0.96, 1.0, 0.0, -0.9, 0.0, 1.0}};
  EXPECT_THAT(run.text(NoteCode::cancelling), HasSubstr("(counted from 1): 1 with 3 (-0.90): "));
  EXPECT_THAT(run.text(NoteCode::collinear), HasSubstr("(counted from 1): 1 with 2 (0.96): "));
  for (double& cosine : run.components.congruence) cosine = std::nan("");
  EXPECT_THAT(run.notes(), IsEmpty());
}

TEST(Notes, ComponentsThatShareAColumnMayBeMixtures) {
  NotedRun run;
  const auto mode = [](double cosine) {
    return ComponentFacts::OfMode{20, {1.0, cosine, cosine, 1.0}, {0.5, 0.5}};
  };
  run.settings.entries.all = 8000.0;  // of noise 1/8000 each
  EXPECT_THAT(run.notes(), IsEmpty());
  run.figures.starts.push_back(run.figures.starts[0]);
  run.components.modes = {mode(0.1), mode(-0.9999), mode(0.3)};
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::mixtures));
  EXPECT_THAT(run.text(NoteCode::mixtures), HasSubstr("(counted from 1): 1 with 2: mixtures of "));
  run.settings.constraints[0].lower = 0.0;
  EXPECT_THAT(run.notes(), IsEmpty());
  run.components.modes[0] = mode(0.9999);
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::split_components));
  run.components.modes[1] = run.components.modes[0] = mode(0.999);  // it tells them apart
  EXPECT_THAT(run.notes(), IsEmpty());
  for (auto& each : run.components.modes) each.peaks[0] = 0.95;
  EXPECT_THAT(run.text(NoteCode::one_entry),
              HasSubstr("of 2 components, 1 (counted from 1) is one entry of the tensor and "));
  for (auto& each : run.components.modes) each.peaks[1] = 0.95;
  EXPECT_THAT(run.notes(), IsEmpty());
}

TEST(Notes, LimitsAreToldWhereARunWasToConverge) {
  NotedRun run;
  run.figures.stop_reason = run.figures.starts[0].stop_reason = StopReason::iteration_limit;
  EXPECT_EQ(run.text(NoteCode::iteration_limit),
            "the iteration limit, 7, was reached before the run converged to the tolerance, "
            "0.0001");
  run.settings.tolerance = 0.0;
  EXPECT_THAT(run.notes(), IsEmpty());
  run.settings.tolerance = 1e-3;
  run.settings.time_limit = 2.5;
  run.figures.stop_reason = run.figures.starts[0].stop_reason = StopReason::time_limit;
  EXPECT_EQ(run.text(NoteCode::time_limit),
            "the time limit, 2.5 s, was reached before the run converged to the tolerance, 0.001");
}

TEST(Notes, WhatEndedARunFromOutside) {
  NotedRun run;
  run.figures.stop_reason = run.figures.starts[0].stop_reason = StopReason::observer;
  run.settings.is_interrupted = true;
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::interrupted));
  run.settings.by_callback = true;
  EXPECT_THAT(run.notes(), IsEmpty());
  run.settings.starts = 4;
  run.figures.starts.insert(run.figures.starts.begin(),
                            StartRecord{.fit = 0.9, .stop_reason = StopReason::converged});
  EXPECT_EQ(run.text(NoteCode::stopped_in_start),
            "the run was stopped in start 2 of 4: the model is that of start 1; start 2 did not "
            "finish, and starts 3 and 4 were not begun");
  run.figures.best_start = 1;
  run.settings.starts = 2;
  EXPECT_EQ(run.text(NoteCode::stopped_in_start),
            "the run was stopped in start 2 of 2: the model is that of start 2, as far as it came; "
            "start 2 did not finish");
  // Of starts that took turns, one that began later had converged before.
  std::swap(run.figures.starts[0], run.figures.starts[1]);
  EXPECT_EQ(run.text(NoteCode::stopped_in_start),
            "the run was stopped in start 1 of 2: the model is that of start 2; start 1 did not "
            "finish");
  NotedRun late;
  late.settings.is_interrupted = true;
  EXPECT_THAT(late.codes(), ElementsAre(NoteCode::late_signal));
}

TEST(Notes, StartsThatALowerLimitEnded) {
  NotedRun run;
  run.figures.starts.push_back(run.figures.starts[0]);
  run.figures.starts[0].stop_reason = StopReason::iteration_limit;
  run.figures.starts[0].iterations = 4;
  EXPECT_THAT(run.text(NoteCode::ended_starts),
              HasSubstr("1 start stays as it was when a lower iteration limit ended it"));
}

TEST(Notes, UselessFitsNameWhatMayHaveKeptThem) {
  NotedRun run;
  run.figures.fit = 5e-4;
  EXPECT_THAT(run.notes(), IsEmpty());
  run.settings.constraints[1].lower = 0.0;
  run.settings.constraints[2].l1 = 2.0;
  EXPECT_EQ(run.text(NoteCode::useless_fit),
            "a fit of 0.0005 explains hardly anything: nonnegative factors and an l1 penalty may "
            "keep the factors from where the data are");
  run.figures.fit = -0.5;
  run.settings.constraints.assign(3, {});
  EXPECT_EQ(run.text(NoteCode::useless_fit),
            "a fit of -0.5 is no better than that of a model of zeros");
  run.settings.least_squares = false;
  EXPECT_THAT(run.notes(), IsEmpty());
}

TEST(Notes, BoundsThatExcludeTheData) {
  NotedRun run;
  run.settings.constraints.assign(3, {.lower = 0.0, .upper = 1.0});
  EXPECT_THAT(run.notes(), IsEmpty());
  run.settings.entries.values = genten::ValueRange{3.0, 5.0};
  EXPECT_EQ(run.text(NoteCode::bounds_exclude_data),
            "the bounds keep every value of the model between 0 and 2, and those of the tensor's "
            "nonzeros lie between 3 and 5");
  run.settings.constraints[0].upper = none;
  EXPECT_THAT(run.notes(), IsEmpty());
  run.settings.entries.values = genten::ValueRange{-5.0, -3.0};
  EXPECT_THAT(run.text(NoteCode::bounds_exclude_data), HasSubstr("between 0 and inf"));
}

TEST(Notes, MoreFreeNumbersThanEntries) {
  NotedRun run;
  run.settings.rank = 29;
  run.settings.entries.free_rows = 25.0;  // of 10 x 9 x 8
  run.settings.entries.all = 720.0;
  run.settings.entries.listed = 150.0;
  EXPECT_EQ(run.text(NoteCode::rank_deficient),
            "the model has 725 free numbers for 720 entries: so many components fit any data; try "
            "a lower rank");
  run.settings.rank = 28;
  EXPECT_THAT(run.notes(), IsEmpty());
  run.settings.unlisted_are_missing = true;
  EXPECT_THAT(run.text(NoteCode::rank_deficient), HasSubstr("700 free numbers for 150 entries"));
  run.settings.entries.listed = 90.0;  // of a table that one sees at a glance
  EXPECT_THAT(run.notes(), IsEmpty());
}

TEST(Notes, NumbersThatAreUncertain) {
  NotedRun run;
  run.figures.residual_error = 0.5;
  run.figures.tolerance_above_fit = true;
  run.figures.zero_components = 1;
  run.figures.rank_deficient_solves = 3;
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::residual_uncertain, NoteCode::tolerance_above_fit,
                                       NoteCode::zero_components, NoteCode::rank_deficient));
  EXPECT_EQ(run.text(NoteCode::residual_uncertain), "rounding hides residuals of up to 0.5");
  EXPECT_EQ(run.text(NoteCode::zero_components), "1 component is zero");
}

TEST(Notes, ComponentsAreZeroByTheRidgeOfTheRun) {
  NotedRun run;
  genten::CpCompletionFigures own;
  own.ridge = {0.5, 0.5};
  run.own = own;
  run.figures.zero_components = 2;
  EXPECT_EQ(run.text(NoteCode::zero_components), "2 components are zero");
  run.settings.fits_ridge = true;
  EXPECT_EQ(
      run.text(NoteCode::zero_components),
      "2 components are zero, since with the ridge that the run has chosen, 0.5, they explain "
      "less than they cost: a lower rank does without, a smaller ridge, as 0.05, may show "
      "what there is");
}

TEST(Notes, AComponentIsZeroOrTiny) {
  NotedRun run;
  run.figures.zero_components = 1;  // as of a weight of 0 whose columns are not
  run.components.norms = {1.0, 1e-9};
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::zero_components));
  run.components = {{1.0, 1e-9, 0.0}, {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
  EXPECT_THAT(run.text(NoteCode::tiny_components), HasSubstr("1 component is less than"));
}

TEST(Notes, StartsThatDisagree) {
  NotedRun run;
  run.settings.starts = 3;
  run.figures.starts.assign(3, run.figures.starts[0]);
  run.figures.starts[1].fit = 0.95;
  run.figures.starts[2].fit = std::nan("");
  EXPECT_EQ(run.text(NoteCode::starts_disagree),
            "only one of 2 starts reached the best fit, 0.950000; the next one ended at 0.900000: "
            "more starts may find better models");
  run.figures.starts[2].fit = 0.9495;
  EXPECT_THAT(run.notes(), IsEmpty());
  run.settings.least_squares = false;
  run.figures.objective = -100.0;
  for (std::size_t s = 0; s < 3; ++s) {
    run.figures.starts[s].objective = -90.0 - 5.0 * static_cast<double>(s);
  }
  EXPECT_THAT(run.text(NoteCode::starts_disagree), HasSubstr("the least objective, -100; the "));
  genten::CpAprFigures counts;
  counts.deviance = 4000.0;  // of which a thousandth is less than what starts differ by
  run.own = counts;
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::starts_disagree));
  counts.deviance = 6000.0;
  run.own = counts;
  EXPECT_THAT(run.notes(), IsEmpty());
}

TEST(Notes, ARidgeThatNobodyGaveDecidesMuch) {
  NotedRun run;
  genten::CpCompletionFigures completion;
  completion.ridge = {0.25, 0.25, 0.25};
  completion.entries = 79.0;
  completion.rmse = 0.1;
  run.own = completion;
  run.figures.tensor_norm = 10.0;
  run.figures.residual_norm = 1.0;
  run.figures.penalty = 0.8;
  run.settings.fits_ridge = true;
  run.settings.entries.free_rows = 10.0;  // of 20 free numbers
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::strong_ridge));
  EXPECT_THAT(
      run.text(NoteCode::strong_ridge),
      HasSubstr("the ridge that the run has chosen, 0.25, decides much of the model: for so "
                "many components few entries are known; try a lower rank, or other values "
                "of ridge, as 0.025 and 2.5: with holdout"));
  completion.entries = 80.0;
  run.own = completion;
  EXPECT_THAT(run.codes(), IsEmpty());
  completion.empty_rows = 1;
  run.own = completion;
  EXPECT_THAT(run.notes().size(), 1U);  // on these rows
  completion.entries = 79.0;
  completion.empty_rows = 0;
  completion.holdout = {.rmse = 0.21, .mae = 0.1, .entries = 8};
  run.own = completion;
  EXPECT_THAT(run.text(NoteCode::strong_ridge),
              HasSubstr("ridge, as 0.025 and 2.5: the least error over held-out entries says "));
  completion.holdout.rmse = 0.19;  // not twice that of the entries that count
  run.own = completion;
  EXPECT_THAT(run.codes(), IsEmpty());
  completion.holdout = {};
  run.own = completion;
  run.settings.fits_ridge = false;
  EXPECT_THAT(run.codes(), IsEmpty());
  run.settings.fits_ridge = true;
  run.settings.constraints.assign(3, {.lower = 0.0});
  EXPECT_THAT(run.codes(), ElementsAre(NoteCode::strong_ridge));
  run.settings.constraints[1].l1 = 0.5;  // which may be what costs
  EXPECT_THAT(run.codes(), IsEmpty());
  run.settings.constraints.clear();
  run.figures.residual_norm = 1.3;  // errors cost more
  EXPECT_THAT(run.codes(), IsEmpty());
  run.figures.residual_norm = 0.1;
  run.figures.penalty = 0.05;  // it hardly changes the model
  EXPECT_THAT(run.codes(), IsEmpty());
}

TEST(Notes, ValuesWithinBounds) {
  const auto range = [](std::vector<RowConstraint> constraints) {
    const auto found = genten::values_within(constraints, 2);
    return std::pair(found.lowest, found.highest);
  };
  EXPECT_EQ(range({{.lower = 0.0, .upper = 2.0}, {.lower = -1.0, .upper = 3.0}}),
            std::pair(-4.0, 12.0));
  EXPECT_EQ(range({{.lower = 0.0}, {.lower = 0.0}}), std::pair(0.0, none));
  EXPECT_EQ(range({{.lower = 0.0}, {}}), std::pair(-none, none));
}

TEST(Settings, FollowFromARequestOfAnySolver) {
  genten::CpRequest request;
  request.als.rank = 3;
  request.als.tolerance = 0.01;
  request.als.fixed_modes = {1};
  request.als.lower = {0.5};
  const auto settings = run_settings(request, 3);
  EXPECT_EQ(settings.rank, 3U);
  EXPECT_EQ(settings.tolerance, 0.01);
  EXPECT_EQ(settings.constraints[0].lower, 0.5);
  EXPECT_EQ(settings.constraints[1], RowConstraint());
  EXPECT_TRUE(settings.least_squares);
  EXPECT_TRUE(settings.models_means);
  request = {.loss = "poisson"};
  EXPECT_EQ(run_settings(request, 2).constraints[1].lower, 0.0);
  request = {.loss = "bernoulli-logit", .missing = genten::MissingEntries::unlisted};
  EXPECT_EQ(run_settings(request, 2).constraints[1], RowConstraint());
  EXPECT_TRUE(run_settings(request, 2).unlisted_are_missing);
  EXPECT_FALSE(run_settings(request, 2).least_squares);
  EXPECT_FALSE(run_settings(request, 2).models_means);
  EXPECT_FALSE(run_settings(request, 2).fits_ridge);
  request = {.missing = genten::MissingEntries::unlisted};
  EXPECT_TRUE(run_settings(request, 2).fits_ridge);
  request.completion.ridge = {0.0};
  EXPECT_FALSE(run_settings(request, 2).fits_ridge);
}

}  // namespace
