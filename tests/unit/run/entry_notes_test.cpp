// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/run/report.hpp>

#include "plain.hpp"
#include "summary.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using genten::NoteCode;
using genten::RunSettings;
using genten_test::summary;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The one note on a tensor.
std::string text_of(const RunSettings& settings, NoteCode code) {
  const auto notes = data_notes(settings);
  EXPECT_EQ(notes.size(), 1U);
  if (notes.size() != 1) return "";
  EXPECT_EQ(notes[0].code, code);
  return genten::ErrorWords().text(notes[0].text);
}

TEST(Notes, RatingsWhoseGapsCountAsZeros) {
  RunSettings settings;
  settings.entries.values = genten::ValueRange{1.0, 5.0};
  settings.entries.gaps = genten::GapSign::ratings;
  EXPECT_THAT(text_of(settings, NoteCode::ratings),
              HasSubstr("the values look like ratings, from 1 to 5, and all entries that are not "
                        "listed count as zeros: if these are unknown, "));
  settings.takes_missing = false;  // as of Tucker models
  EXPECT_THAT(text_of(settings, NoteCode::ratings),
              testing::EndsWith("missing unlisted of run_cp leaves them out"));
}

/// A tensor of 4 x 50 whose listed entries are these, and the others missing.
RunSettings missing_others(const std::vector<double>& values) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  genten_test::PlainTensor plain{{4, 50}, {}, values};
  for (std::size_t p = 0; p < values.size(); ++p) plain.subscripts.push_back({p % 4, p / 4});
  RunSettings settings;
  settings.has_missing = settings.unlisted_are_missing = true;
  settings.constraints.resize(2);
  look_at_values(Exec(), genten_test::to_sptensor<double, std::uint32_t, Exec>(plain), settings);
  return settings;
}

TEST(Notes, KnownEntriesThatAreAllTheSame) {
  std::vector<double> values(100, 1.0);
  const std::string way =
      "; where entries that are not listed are zeros, as in a table of events, leave "
      "missing unlisted out";
  EXPECT_EQ(
      text_of(missing_others(values), NoteCode::constant_values),
      "all 100 known entries are 1: a constant fits them, so that the model tells nothing" + way);
  std::fill_n(values.begin(), 10, 2.0);
  EXPECT_EQ(text_of(missing_others(values), NoteCode::constant_values),
            "of 100 known entries 90 are 1: a constant fits nearly all, so that the model tells "
            "hardly anything" +
                way);
  values[10] = 3.0;
  EXPECT_THAT(data_notes(missing_others(values)), IsEmpty());
  values.assign(100, 1.0);
  values[0] = 1.5;
  EXPECT_THAT(data_notes(missing_others(values)), IsEmpty());
  values.assign(100, 0.0);
  EXPECT_THAT(data_notes(missing_others(values)), IsEmpty());  // which is told otherwise
  values.back() = 1.0;
  EXPECT_THAT(data_notes(missing_others(values)), IsEmpty());
  EXPECT_THAT(text_of(missing_others({2.5, 2.5}), NoteCode::constant_values),
              testing::StartsWith("all 2 known entries are 2.5: "));
  EXPECT_THAT(data_notes(missing_others({2.5})), IsEmpty());
}

TEST(Notes, EventsOfWhichSomeRecur) {
  std::vector<double> counts(100, 1.0);
  std::fill_n(counts.begin(), 50, 2.0);
  RunSettings settings = missing_others(counts);
  settings.entries.added_up = 50;
  EXPECT_THAT(text_of(settings, NoteCode::merged_entries),
              HasSubstr("50 entries lie at the same subscripts as others, and sums count as known "
                        "values: duplicates mean takes their mean"));
  settings.adds_counts = true;  // by a loss of counts, and of a table of events
  EXPECT_THAT(data_notes(settings), IsEmpty());
  settings.adds_counts = settings.unlisted_are_missing = false;
  EXPECT_NE(text_of(settings, NoteCode::merged_entries), "");
  settings.entries.as_listed = summary(std::vector<double>(150, 1.0));
  EXPECT_THAT(data_notes(settings), IsEmpty());
  settings.unlisted_are_missing = true;
  judge_values(summary(counts), settings);
  EXPECT_EQ(text_of(settings, NoteCode::constant_values),
            "all 150 listed entries are 1, and known values are sums of those at the same "
            "subscripts: they tell how often something occurs where it does, and nothing of where "
            "it does not; where entries that are not listed are zeros, as in a table of events, "
            "leave missing unlisted out");
}

TEST(Notes, RepeatedEntriesOfATensorThatKeepsThem) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  genten_test::PlainTensor plain{{4, 10}, {}, {}};
  for (std::size_t p = 0; p < 80; ++p) {
    plain.subscripts.push_back({p % 4, p / 4 % 10});
    plain.values.push_back(1.5 + static_cast<double>(p % 40));
  }
  RunSettings settings{.least_squares = true};
  settings.entries.added_up = 40;
  settings.constraints.resize(2);
  look_at_values(Exec(), genten_test::to_sptensor<double, std::uint32_t, Exec>(plain), settings);
  EXPECT_EQ(settings.entries.listed, 40.0);
  EXPECT_THAT(text_of(settings, NoteCode::merged_entries),
              testing::StartsWith("each of 40 entries is listed twice, with the same value"));
  for (std::size_t p = 0; p < 80; ++p) {
    plain.values[p] = 20.5 + static_cast<double>(p * 7 % 11);  // degrees
  }
  settings.entries = {.added_up = 40};
  look_at_values(Exec(), genten_test::to_sptensor<double, std::uint32_t, Exec>(plain), settings);
  EXPECT_THAT(text_of(settings, NoteCode::merged_entries),
              testing::StartsWith("40 entries lie at the same subscripts as others"));
}

TEST(Notes, KnownCountsWithoutZerosBesideAModel) {
  const auto told = [](double second, bool of_counts) {
    std::vector<double> values(150, 1.0);
    values[1] = second;
    RunSettings settings = missing_others(values);
    settings.of_counts = of_counts;
    judge_values(summary(values), settings);
    const auto notes = notes_beside_model(settings);
    return !notes.empty() && notes[0].code == NoteCode::no_zeros;
  };
  EXPECT_TRUE(told(2.0, true));
  EXPECT_TRUE(told(1.0, true));
  EXPECT_TRUE(told(1.0, false));  // of events
  EXPECT_FALSE(told(2.0, false));
  EXPECT_FALSE(told(0.0, true));
  EXPECT_FALSE(told(1.5, true));
}

TEST(Notes, MeansThatOutweighWhatVaries) {
  const auto told = [](double mean, double tolerance, double all = 210.0, double lower = -1e9) {
    std::vector<double> values;
    for (int p = 0; p < 210; ++p) values.push_back(mean + p % 7 - 3.0);
    RunSettings settings;
    settings.tolerance = tolerance;
    settings.rank = 1;
    settings.constraints = {{.lower = lower}, {.lower = lower}};
    settings.entries.values = genten::ValueRange{mean - 3.0, mean + 3.0};
    settings.entries.listed = 210.0;
    settings.entries.all = all;
    judge_values(summary(values), settings);
    return data_notes(settings).empty() ? "" : text_of(settings, NoteCode::large_mean);
  };
  EXPECT_EQ(told(285.0, 1e-4),
            "the mean of the values, 285, holds 99.9951 % of the sum of squares: the fit tells of "
            "the mean above all, and a run may end before it finds what varies; values less their "
            "mean let it go on, as tolerance 1e-08 may");
  EXPECT_EQ(told(285.0, 1e-6), "");          // less than a thousandth of what varies
  EXPECT_EQ(told(19.0, 1e-4), "");           // which is a tenth of the size
  EXPECT_EQ(told(285.0, 1e-4, 1000.0), "");  // the others are zeros
  EXPECT_THAT(told(285.0, 1e-4, 210.0, 0.0),
              testing::EndsWith("varies; values less their least, 282, let it go on"));
}

TEST(Notes, MeansThatOutweighWhatVariesSayHowMuchTheModelFollows) {
  const auto told = [](double part_left, double tolerance, std::size_t starts) -> std::string {
    RunSettings settings;
    settings.tolerance = tolerance;
    settings.entries.mean = 50.0;
    settings.entries.varying_part = 0.05;
    genten::CpFigures figures;
    figures.tensor_norm = 1000.0;
    figures.residual_norm = part_left * 50.0;
    figures.starts.resize(starts);
    for (const genten::Note& note : notes_of(figures, {}, {}, settings)) {
      if (note.code == NoteCode::large_mean) return genten::ErrorWords().text(note.text);
    }
    return "";
  };
  EXPECT_THAT(told(0.3, 1e-4, 1),
              HasSubstr("finds what varies, of which the model follows 91 %; values less their "
                        "mean let it go on, as tolerance 1e-07 and starts 5 may"));
  EXPECT_THAT(told(1.1, 1e-4, 5), testing::EndsWith("as tolerance 1e-07 may"));
  EXPECT_THAT(told(0.033, 1e-4, 5), HasSubstr("follows 99.8 %"));
  EXPECT_EQ(told(0.03, 1e-4, 5), "");  // 99.9 %
  EXPECT_EQ(told(0.3, 1e-8, 1), "");   // what is left may be noise
  EXPECT_THAT(told(0.5, 1e-8, 1), testing::EndsWith("let it go on, as starts 5 may"));
  EXPECT_THAT(told(0.5, 1e-8, 5), testing::EndsWith("values less their mean let it go on"));
}

TEST(Notes, TablesThatHoldTheirRowsTwice) {
  const auto told = [](double times, double last, std::size_t count = 100) {
    std::vector<double> listed, sums;
    for (std::size_t p = 0; p < count; ++p) {
      const double value = 1.0 + static_cast<double>(p % 7) / 3.0;
      for (int k = 1; k < static_cast<int>(times); ++k) listed.push_back(value);
      listed.push_back(p == 0 ? last : value);
      sums.push_back((times - 1.0) * value + (p == 0 ? last : value));
    }
    RunSettings settings;
    settings.entries.listed = static_cast<double>(count);
    settings.entries.all = 4000.0;
    settings.entries.added_up = listed.size() - sums.size();
    settings.entries.as_listed = summary(listed);
    judge_values(summary(sums), settings);
    return data_notes(settings).empty() ? "" : text_of(settings, NoteCode::merged_entries);
  };
  EXPECT_EQ(told(2.0, 1.0),
            "each of 100 entries is listed twice, with the same value, and sums are taken for "
            "values: if the data hold all of their rows more than once, duplicates max takes each "
            "once");
  EXPECT_THAT(told(3.0, 1.0), testing::StartsWith("each of 100 entries is listed 3 times, "));
  EXPECT_EQ(told(2.0, 2.0), "");  // one of them has another value
  EXPECT_EQ(told(1.0, 1.0), "");
  EXPECT_EQ(told(2.0, 1.0, 19), "");  // of few nobody can tell
}

TEST(Notes, NumbersThatStandForWhatIsNotKnown) {
  std::vector<double> values;
  for (int p = 0; p < 198; ++p) values.push_back(0.1 * p - 9.0);
  values.insert(values.end(), {-999.0, -999.0});
  RunSettings settings = missing_others(values);
  settings.unlisted_are_missing = false;
  EXPECT_EQ(text_of(settings, NoteCode::placeholders),
            "2 of 200 values are -999 and far from all others: if that stands for what is not "
            "known, leave these entries out of the data, with missing unlisted");
  values.back() = -500.0;  // the others come close
  EXPECT_EQ(missing_others(values).entries.placeholder.entries, 0U);
  values.back() = 1.0;
  settings = missing_others(values);
  settings.unlisted_are_missing = false;
  EXPECT_EQ(text_of(settings, NoteCode::placeholders),
            "1 of 200 values is -999 and far from all others: if that stands for what is not "
            "known, leave this entry out of the data, with missing unlisted");
  values.back() = values[198] = 9999.0;
  EXPECT_EQ(missing_others(values).entries.placeholder.entries, 2U);
  values.back() = values[198] = 1000.0;
  EXPECT_EQ(missing_others(values).entries.placeholder.entries, 0U);
}

// Of a tensor without gaps no note on these tells of sums.
TEST(Notes, MeasuresThatAreAddedUp) {
  const auto told = [](std::vector<double> values, std::size_t added_up = 30) {
    while (values.size() < 130) values.push_back(values[values.size() % 5]);
    RunSettings settings;
    settings.entries.listed = settings.entries.all = 100.0;
    settings.entries.added_up = added_up;
    settings.entries.as_listed = summary(values);
    settings.entries.values = genten::ValueRange{0.0, 1000.0};
    judge_values(summary(values), settings);
    return data_notes(settings).empty() ? "" : text_of(settings, NoteCode::merged_entries);
  };
  EXPECT_EQ(told({-3.5, 12.25, 20.5, 7.125, 31.75}),
            "30 entries lie at the same subscripts as others, and sums are taken for values: "
            "duplicates mean takes their mean, as last and max take the last and the largest of "
            "them");
  EXPECT_NE(told({97.5, 98.25, 99.5, 101.5, 99.75}), "");
  EXPECT_NE(told({5.0, 4.0, 3.0, 4.5, 1.0}), "");
  EXPECT_EQ(told({-3.5, 12.25, 20.5, 7.125, 31.75}, 0), "");
  EXPECT_NE(told({50.0, 48.0, 51.0, 53.0, 49.0}), "");  // as heart rates
  EXPECT_NE(told({41.0, 96.0, 60.0, 110.0, 58.0}), "");
  EXPECT_EQ(told({12.0, 40.0, 25.0, 18.0, 31.0}), "");  // counts
  EXPECT_EQ(told({2.0, 9.0, 4.0, 1.0, 3.0}), "");       // counts
  EXPECT_EQ(told({2.5, 60.25, 9.75, 17.5, 4.99}), "");  // amounts
}

TEST(Notes, MissingEntriesOfWhichThereAreNone) {
  std::vector<double> values(200, 2.0);
  values[0] = 5.0;
  EXPECT_EQ(text_of(missing_others(values), NoteCode::nothing_missing),
            "all 200 entries are listed: none is missing, and missing unlisted leaves nothing out");
  values[1] = values[2] = 0.0;
  EXPECT_THAT(
      text_of(missing_others(values), NoteCode::nothing_missing),
      testing::StartsWith("all 200 entries are listed, 2 of them as zeros: none is missing, "
                          "and missing unlisted leaves nothing out; zeros that are listed "
                          "count as known: "));
  values.pop_back();
  EXPECT_THAT(data_notes(missing_others(values)), IsEmpty());
  const auto notes = data_notes(missing_others(std::vector<double>(200, 1.0)));
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_THAT(notes[0].text, testing::EndsWith("so that the model tells nothing"));
}

TEST(Notes, EntriesThatAreNotListedAndCountAsZeros) {
  RunSettings settings;
  settings.entries.is_list = true;
  settings.entries.listed = 900.0;
  settings.entries.all = 1000.0;
  settings.entries.values = genten::ValueRange{10.25, 30.0};
  const auto text = [&](genten::GapSign gaps) {
    settings.entries.gaps = gaps;
    return text_of(settings, NoteCode::unlisted_zeros);
  };
  const std::string said = "100 of 1000 entries are not listed and count as zeros, though ";
  EXPECT_THAT(text(genten::GapSign::far_from_zero),
              testing::StartsWith(said + "the others, from 10.2 to 30, are far from zero: if they "
                                         "are unknown, "));
  EXPECT_THAT(text(genten::GapSign::listed_zeros),
              HasSubstr(said + "zeros are listed among the others: "));
  EXPECT_THAT(text(genten::GapSign::tenths),
              HasSubstr(said + "the others, from 10.2 to 30, look measured, to a tenth: "));
  EXPECT_THAT(
      text(genten::GapSign::fractions),
      HasSubstr(said + "none of the others, from 10.2 to 30, some with decimals, is zero: "));
  settings.entries.is_list = false;
  EXPECT_THAT(
      text(genten::GapSign::far_from_zero),
      testing::StartsWith("100 of 1000 entries are zero, though the others, from 10.2 to "));
}

TEST(Notes, RatingsOfWhichSomeAreAddedUp) {
  std::vector<double> listed;
  for (int p = 0; p < 40; ++p) listed.insert(listed.end(), {5, 4, 1, 3, 5, 4, 2, 3, 4});
  std::vector<double> sums(listed.begin() + 30, listed.end());
  for (int p = 0; p < 30; ++p) sums[2 * p] += listed[p];
  RunSettings settings;
  settings.entries = {.added_up = 30, .listed = 330, .all = 3000, .values = {{1.0, 10.0}}};
  judge_values(summary(sums), settings);
  EXPECT_EQ(settings.entries.gaps, genten::GapSign::none);
  settings.entries.as_listed = summary(listed);
  judge_values(summary(sums), settings);
  EXPECT_THAT(
      text_of(settings, NoteCode::ratings),
      testing::AllOf(testing::StartsWith("the values look like ratings, from 1 to 5, "),
                     testing::EndsWith("; 30 entries lie at the same subscripts as others, and "
                                       "sums are taken for values: duplicates mean takes their "
                                       "mean, as last and max take the last and the largest of "
                                       "them")));
}

TEST(Settings, OfARequestKeepWhatIsKnownOfTheTensor) {
  genten::CpRequest request;
  request.set_rank(3);
  const RunSettings found =
      run_settings(request, 2, {.added_up = 4, .mode_names = {"shop", "city"}});
  EXPECT_EQ(found.rank, 3U);
  EXPECT_EQ(found.constraints.size(), 2U);
  EXPECT_EQ(found.entries.added_up, 4U);
  EXPECT_THAT(found.entries.mode_names, ElementsAre("shop", "city"));
}

TEST(Notes, ModesThatOthersDetermine) {
  RunSettings settings;
  settings.entries.determined_modes = {{.mode = 2, .by = 1, .rows = 40}};
  EXPECT_EQ(text_of(settings, NoteCode::determined_modes),
            "each of the 40 rows of mode 2 occurs with one row of mode 3 only: such a mode tells "
            "nothing more and can be left out, or, where rows of mode 2 are but ids, that one can");
  settings.entries.mode_names = {"item", "city", "country"};
  EXPECT_THAT(text_of(settings, NoteCode::determined_modes),
              testing::AllOf(
                  testing::StartsWith("each of the 40 rows of mode 'city' occurs with one row of "
                                      "mode 'country' only: such a mode tells nothing more; modes"),
                  HasSubstr(" leaves it out, and where rows of mode 'city' are but ids, modes")));
  settings.entries.determined_modes.push_back(
      {.mode = 0, .by = 1, .rows = 40, .by_each_other = true});
  EXPECT_THAT(text_of(settings, NoteCode::determined_modes),
              HasSubstr("and each of the 40 rows of mode 'city' occurs with one row of mode 'item' "
                        "only, and the other way round: such modes tell nothing more; "));
  settings.entries.determined_modes = {{.mode = 0, .by = 1, .rows = 40},
                                       {.mode = 2, .by = 1, .rows = 40}};
  EXPECT_THAT(text_of(settings, NoteCode::determined_modes),
              HasSubstr(" leaves them out, and where rows of mode 'city' are but ids, modes"));
}

/// What a tensor of these subscripts says, as "coarse by fine, rows of fine".
template <class RowOf>
std::vector<std::string> determined(std::size_t nonzeros, const std::vector<std::size_t>& lengths,
                                    const RowOf& row_of) {
  Kokkos::View<std::uint32_t**, Kokkos::LayoutLeft, Kokkos::HostSpace> subscripts(
      "subscripts", nonzeros, lengths.size());
  for (std::size_t p = 0; p < nonzeros; ++p) {
    const std::vector<std::size_t> row = row_of(p);
    for (std::size_t n = 0; n < row.size(); ++n) {
      subscripts(p, n) = static_cast<std::uint32_t>(row[n]);
    }
  }
  std::vector<std::string> found;
  for (const auto& each : genten::determined_modes(subscripts, lengths)) {
    found.push_back(std::to_string(each.mode) + " by " + std::to_string(each.by) + ", " +
                    std::to_string(each.rows) + (each.by_each_other ? " and back" : ""));
  }
  return found;
}

TEST(DeterminedModes, TheCoarserOneIsFound) {
  const auto item = [](std::size_t p) { return 7 * p % 23; };
  const auto country = [&](std::size_t p) {
    return std::vector<std::size_t>{p % 40, item(p), p % 40 % 12};
  };
  EXPECT_THAT(determined(200, {40, 23, 12}, country), ElementsAre("2 by 0, 40"));
  EXPECT_THAT(determined(99, {40, 23, 12}, country), IsEmpty());  // too few
  const auto reversed = [&](std::size_t p) {
    return std::vector<std::size_t>{p % 40 % 12, item(p), p % 40};
  };
  EXPECT_THAT(determined(200, {12, 23, 50}, reversed), ElementsAre("0 by 2, 40"));
  const auto chain = [&](std::size_t p) {
    return std::vector<std::size_t>{p % 40 % 4, item(p), p % 40, p % 40 % 12};
  };
  EXPECT_THAT(determined(200, {4, 23, 40, 12}, chain), ElementsAre("0 by 2, 40", "3 by 2, 40"));
  const auto same = [&](std::size_t p) {
    return std::vector<std::size_t>{39 - p % 40, item(p), p % 40};
  };
  EXPECT_THAT(determined(200, {40, 23, 40}, same), ElementsAre("2 by 0, 40 and back"));
}

TEST(DeterminedModes, OneExceptionIsEnough) {
  const auto but_one = [](std::size_t p) {
    return std::vector<std::size_t>{p % 40, 7 * p % 23, p == 199 ? 11 : p % 40 % 11};
  };
  EXPECT_THAT(determined(200, {40, 23, 12}, but_one), IsEmpty());
}

TEST(DeterminedModes, OfManyNonzerosSomeAreLookedAtFirst) {
  for (const std::size_t exception : {30'000UL, 12'345UL, 0UL}) {
    const auto but_one = [&](std::size_t p) {
      return std::vector<std::size_t>{p % 40, 7 * p % 23, p == exception ? 11 : p % 40 % 11};
    };
    const std::size_t expected = exception == 30'000 ? 1 : 0;
    EXPECT_EQ(determined(30'000, {40, 23, 12}, but_one).size(), expected);
  }
}

TEST(DeterminedModes, WhatOccursOnceOrNearlyAlwaysDeterminesNothing) {
  const auto ids = [](std::size_t p) {
    return std::vector<std::size_t>{p / 2 * 2 == p ? p : p / 3, p % 23, p % 17};
  };
  EXPECT_THAT(determined(200, {200, 23, 17}, ids), IsEmpty());
  const auto once = [](std::size_t p) { return std::vector<std::size_t>{p, 7 * p % 23, p % 12}; };
  EXPECT_THAT(determined(200, {200, 23, 12}, once), IsEmpty());
  const auto rare = [](std::size_t p) {  // a row that a single nonzero has
    return std::vector<std::size_t>{p == 0 ? 39 : p % 39, 7 * p % 23, p == 0 ? 1U : 0U};
  };
  EXPECT_THAT(determined(200, {40, 23, 2}, rare), IsEmpty());
  const auto constant = [](std::size_t p) {
    return std::vector<std::size_t>{p % 40, 7 * p % 23, 0};
  };
  EXPECT_THAT(determined(200, {40, 23, 1}, constant), IsEmpty());
}

TEST(Notes, NegativeValuesBesideANonnegativeModel) {
  std::vector<double> values(100, 2.0);
  std::fill_n(values.begin(), 20, -1.0);
  const auto noted = [&](double lower, double last) {
    using Exec = Kokkos::DefaultHostExecutionSpace;
    genten_test::PlainTensor plain{{4, 25}, {}, values};
    for (std::size_t p = 0; p < values.size(); ++p) plain.subscripts.push_back({p % 4, p / 4});
    RunSettings settings;
    settings.rank = 1;
    settings.constraints = {{.lower = lower}, {.lower = last}};
    look_at_values(Exec(), genten_test::to_sptensor<double, std::uint32_t, Exec>(plain), settings);
    return settings;
  };
  EXPECT_EQ(text_of(noted(0.0, 0.0), NoteCode::negative_values),
            "20 of 100 values are negative and hold 5.9 % of the sum of squares: a nonnegative "
            "model cannot follow them");
  const double none = -genten::RowConstraint::none;
  EXPECT_THAT(data_notes(noted(0.0, none)), IsEmpty());  // of which a mode has both signs
  EXPECT_THAT(data_notes(noted(none, none)), IsEmpty());
  std::fill_n(values.begin(), 19, 2.0);  // 1 of 397
  EXPECT_THAT(data_notes(noted(0.0, 0.0)), IsEmpty());
  std::fill(values.begin(), values.end(), -2.0);  // of which the note on bounds tells
  EXPECT_THAT(data_notes(noted(0.0, 0.0)), IsEmpty());
}

TEST(Notes, ValuesBesideWhichWhatTheLossAddsCounts) {
  const auto settings_of = [](const char* loss, double value) {
    genten::CpRequest request;
    request.set_rank(1);
    request.loss = loss;
    RunSettings settings = run_settings(request, 2, {.listed = 100.0, .all = 100.0});
    judge_values(summary(std::vector<double>(100, value)), settings);
    return settings;
  };
  for (const char* const loss : {"gamma", "rayleigh", "beta"}) {
    EXPECT_EQ(text_of(settings_of(loss, 2e-9), NoteCode::tiny_values),
              "the mean of the values is 2e-09, and the loss adds 1e-10 to the model wherever it "
              "divides by it: in another unit, in which they are near 1, they are fitted as they "
              "are");
    EXPECT_THAT(data_notes(settings_of(loss, 2e-6)), IsEmpty());
  }
  EXPECT_THAT(data_notes(settings_of("gaussian", 2e-9)), IsEmpty());
}

}  // namespace
