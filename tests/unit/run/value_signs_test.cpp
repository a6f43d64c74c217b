// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/run/report.hpp>

#include "plain.hpp"
#include "summary.hpp"

#include <gmock/gmock.h>

namespace {

using genten::RunSettings;
using genten_test::summary;

/// How many of these values, and 300 from `lowest` to `highest`, may stand for what is not known.
std::size_t placeholders_among(const std::vector<double>& others, double lowest, double highest) {
  std::vector<double> values = others;
  for (int p = 0; p < 300; ++p) values.push_back(lowest + (highest - lowest) * p / 299.0);
  RunSettings settings;
  judge_values(summary(values), settings);
  return settings.entries.placeholder.entries;
}

TEST(Notes, RareNumbersThatStandForWhatIsNotKnown) {
  EXPECT_EQ(placeholders_among({-999.0}, -20.0, 35.0), 1U);
  EXPECT_EQ(placeholders_among({-9.0, -9.0}, 1.0, 5.0), 2U);
  EXPECT_EQ(placeholders_among({-127.0}, -20.0, 35.0), 1U);
  EXPECT_EQ(placeholders_among({999.9, 999.9}, -20.0, 35.0), 2U);
  EXPECT_EQ(placeholders_among({-1.0}, 60.0, 95.0), 1U);
  EXPECT_EQ(placeholders_among({999.0, 999.0}, 0.0, 40.0), 2U);
  EXPECT_EQ(placeholders_among({-99.0, -999.0}, 0.0, 40.0), 1U);  // the farthest one is told
  EXPECT_EQ(placeholders_among({-99.9}, -20.0, 35.0), 1U);
  EXPECT_EQ(placeholders_among({-999.9, 32767.0}, -20.0, 35.0), 1U);
  EXPECT_EQ(placeholders_among({32767.0, 32767.0}, -20.0, 35.0), 2U);
  // The largest of amounts, refunds, signs, differences, and values around it.
  EXPECT_EQ(placeholders_among({999.0}, 0.0, 40.0), 0U);
  EXPECT_EQ(placeholders_among({999.0, 999.0}, 0.0, 700.0), 0U);
  EXPECT_EQ(placeholders_among({-99.0}, 0.0, 400.0), 0U);
  EXPECT_EQ(placeholders_among({-1.0, -1.0}, 0.0, 1.0), 0U);
  EXPECT_EQ(placeholders_among({-9.0}, -4.0, 4.0), 0U);
  EXPECT_EQ(placeholders_among({-9.0, -1.0}, -12.0, 12.0), 0U);
  EXPECT_EQ(placeholders_among({-999.0, -99.0}, -1500.0, 1500.0), 0U);
  EXPECT_EQ(placeholders_among({-1.0, 999.0, 999.0}, 0.0, 2000.0), 0U);
}

TEST(Notes, ValuesOfWhichSquaresAreNoNumbers) {
  for (const double scale : {1.0, 1e-200, 1e200}) {
    for (const double lowest : {0.1, 0.9}) {  // spread, and far from zero
      std::vector<double> values;
      for (int p = 0; p < 300; ++p) values.push_back(scale * (lowest + (1.0 - lowest) * p / 299.0));
      RunSettings settings;
      settings.least_squares = true;
      settings.entries.is_list = true;
      settings.entries.listed = 300.0;
      settings.entries.all = 500.0;
      judge_values(summary(values), settings);
      EXPECT_EQ(settings.entries.gaps,
                lowest > 0.5 ? genten::GapSign::far_from_zero : genten::GapSign::none)
          << scale;
    }
  }
}

TEST(Notes, CodesOfQuestionnairesAmongRatings) {
  const auto codes_among = [](std::vector<double> others, double highest = 5.0) {
    std::vector<double> values = std::move(others);
    for (int p = 0; p < 300; ++p) values.push_back(1.0 + p % static_cast<int>(highest));
    RunSettings settings;
    judge_values(summary(values), settings);
    return settings.entries.placeholder.entries;
  };
  EXPECT_EQ(codes_among({99.0, 99.0}), 2U);
  EXPECT_EQ(codes_among({88.0, 88.0, 88.0}), 3U);
  EXPECT_EQ(codes_among({99.0}), 0U);              // which may be a count
  EXPECT_EQ(codes_among({99.0, 99.0, 42.0}), 0U);  // as others are
  EXPECT_EQ(codes_among({99.0, 97.0, 98.0}), 3U);
  EXPECT_EQ(codes_among({98.0, 98.0, 99.0}), 3U);
  EXPECT_EQ(codes_among({77.0, 88.0, 99.0, 99.0}), 4U);
  EXPECT_EQ(codes_among({998.0, 998.0}), 2U);
  EXPECT_EQ(codes_among({888.0, 999.0}), 2U);
  EXPECT_EQ(codes_among({-8.0, -9.0, -9.0}), 3U);
  EXPECT_EQ(codes_among({-1.0, -8.0, -9.0}), 3U);
  EXPECT_EQ(codes_among({7.0, 8.0, 9.0}), 3U);
  EXPECT_EQ(codes_among({7.0, 7.0, 7.0}), 0U);
  EXPECT_EQ(codes_among({8.0, 9.0}, 7.0), 0U);  // 8 is next to 7
  EXPECT_EQ(codes_among({98.0, 42.0, 99.0}), 0U);
  EXPECT_EQ(codes_among({99.0, 12.0, 30.0, 51.0}), 0U);
  EXPECT_EQ(codes_among({99.0, 99.0}, 11.0), 0U);  // no ratings
  EXPECT_EQ(codes_among({95.0, 95.0}), 0U);
  EXPECT_EQ(codes_among(std::vector<double>(100, 99.0)), 0U);  // a fourth of all
}

TEST(Notes, CodesBesideAnswersThatAreNoRatings) {
  const auto codes_among = [](const std::vector<double>& answers,
                              const std::vector<double>& codes) {
    std::vector<double> values = codes;
    for (std::size_t p = 0; p < 300; ++p) values.push_back(answers[p % answers.size()]);
    RunSettings settings;
    judge_values(summary(values), settings);
    return settings.entries.placeholder.entries;
  };
  const std::vector<double> low{1, 2, 1, 3, 2, 1, 4, 2, 1, 3, 2, 5, 1, 2, 2, 1, 3, 2, 1, 1, 2, 3},
      to_ten{0, 3, 10, 8, 7, 9, 5, 10, 1, 2, 4, 6}, yes_or_no{0, 1, 1};
  for (const auto& answers : {low, to_ten, yes_or_no}) {
    EXPECT_EQ(codes_among(answers, {99, 99, 98, 99}), 4U);
    EXPECT_EQ(codes_among(answers, {99, 99}), 0U);  // fewer than a hundredth
    EXPECT_EQ(codes_among(answers, {42, 42, 42, 42}), 0U);
    EXPECT_EQ(codes_among(answers, {-9, -9, -9, -8}), 4U);
  }
  EXPECT_EQ(codes_among(low, {8, 9, 9, 8}), 4U);
  EXPECT_EQ(codes_among(low, {-1, -1, -1, -1}), 4U);
  EXPECT_EQ(codes_among(to_ten, {-1, -1, -1, -1}), 0U);    // which may be a sign
  EXPECT_EQ(codes_among({1, 2, 4, 7}, {9, 9, 9, 9}), 0U);  // counts
}

TEST(Notes, CountsWithoutZerosSayNothingOfWhereThereAreNone) {
  const auto lack = [](double least, bool of_counts, double all) {
    std::vector<double> values;
    for (int p = 0; p < 300; ++p) values.push_back(p % 3 == 0 ? 2.0 : p % 5 == 0 ? least : 1.0);
    RunSettings settings;
    settings.unlisted_are_missing = settings.has_missing = true;
    settings.of_counts = of_counts;
    settings.entries.listed = 300.0;
    settings.entries.all = all;
    judge_values(summary(values), settings);
    return settings.entries.lack_zeros;
  };
  EXPECT_TRUE(lack(1.0, true, 3000.0));
  EXPECT_FALSE(lack(0.0, true, 3000.0));
  EXPECT_FALSE(lack(1.0, false, 3000.0));
  EXPECT_FALSE(lack(1.0, true, 300.0));
}

TEST(Notes, CountsOfWhichFarFewerAreZeroThanOfCounts) {
  const auto lack = [](std::vector<std::size_t> counts) {
    std::vector<double> values;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      values.insert(values.end(), counts[k], static_cast<double>(k));
    }
    RunSettings settings;
    settings.unlisted_are_missing = settings.has_missing = settings.of_counts = true;
    settings.entries.listed = static_cast<double>(values.size());
    settings.entries.all = 1e6;
    judge_values(summary(values), settings);
    EXPECT_EQ(settings.entries.zeros, counts[0]);
    return settings.entries.lack_zeros;
  };
  EXPECT_TRUE(lack({2, 497, 165, 48, 14}));  // returned goods
  EXPECT_FALSE(lack({6065, 3033, 758, 126, 16}));
  EXPECT_FALSE(lack({2, 15, 37, 61, 76, 76, 63, 45, 28, 16}));  // of mean 5
  EXPECT_FALSE(lack({1000, 500, 10}));
  EXPECT_FALSE(lack({100, 900}));
}

TEST(Notes, ZerosAmongAnswers) {
  const auto zeros_of = [](std::vector<std::size_t> counts, bool of_counts = false) {
    std::vector<double> values;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      values.insert(values.end(), counts[k], static_cast<double>(k));
    }
    RunSettings settings;
    settings.of_counts = of_counts;
    judge_values(summary(values), settings);
    return settings.entries.placeholder.entries;
  };
  EXPECT_EQ(zeros_of({554, 96, 166, 446, 744, 337}), 554U);
  EXPECT_EQ(zeros_of({100, 20, 30, 40, 60, 90, 50, 40}), 100U);
  EXPECT_EQ(zeros_of({554, 96, 166, 446, 744, 337}, true), 0U);
  EXPECT_EQ(zeros_of({554, 96, 166, 446, 744, 337, 1}), 0U);            // other numbers
  EXPECT_EQ(zeros_of({554, 96, 166, 0, 744, 337}), 0U);                 // no 3
  EXPECT_EQ(zeros_of({55, 9, 16, 4, 44, 17}), 0U);                      // few
  EXPECT_EQ(zeros_of({90, 96, 166, 446, 744, 337}), 90U);               // ratings beside few zeros
  EXPECT_EQ(zeros_of({223, 335, 251, 126, 47, 18}), 0U);                // counts of mean 1.5
  EXPECT_EQ(zeros_of({607, 303, 76, 13, 2, 1}), 0U);                    // of mean .5
  EXPECT_EQ(zeros_of({1223, 335, 251, 126, 47, 18}), 0U);               // and zeros besides
  EXPECT_EQ(zeros_of({500, 90, 95, 80, 60, 40, 30, 20, 9, 8, 7}), 0U);  // of 0 to 10
  EXPECT_EQ(zeros_of({500, 200}), 0U);
}

TEST(Notes, SeveralCodesAreNamed) {
  std::vector<double> values{98.0, 99.0, 99.0};
  for (int p = 0; p < 300; ++p) values.push_back(1.0 + p % 5);
  RunSettings settings;
  judge_values(summary(values), settings);
  EXPECT_EQ(settings.entries.placeholder.value, 99.0);
  EXPECT_EQ(settings.entries.placeholder.others, std::vector<double>{98.0});
}

TEST(Notes, ZerosAmongPulsesMayStandForWhatIsUnknown) {
  const auto zeros_among = [](std::size_t zeros, double lowest, double highest) {
    std::vector<double> values(zeros, 0.0);
    for (int p = 0; p < 200; ++p) values.push_back(p % 2 == 0 ? lowest : highest);
    RunSettings settings;
    settings.unlisted_are_missing = true;
    judge_values(summary(values), settings);
    return settings.entries.placeholder.entries;
  };
  EXPECT_EQ(zeros_among(6, 41.0, 113.0), 6U);
  EXPECT_EQ(zeros_among(6, 15.5, 26.0), 6U);
  EXPECT_EQ(zeros_among(1, 41.0, 113.0), 0U);
  EXPECT_EQ(zeros_among(100, 41.0, 113.0), 100U);
  EXPECT_EQ(zeros_among(400, 41.0, 113.0), 0U);  // counts, of which most are zero
  EXPECT_EQ(zeros_among(6, 9.0, 26.0), 0U);
  EXPECT_EQ(zeros_among(6, 12.0, 61.0), 0U);
}

/// How the entries look that a tensor of 4 x `columns` does not list, of which so many at least are
/// listed.
genten::GapSign gaps_of(const std::vector<double>& values, std::size_t columns = 400,
                        std::size_t least = 100, bool is_list = true) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  genten_test::PlainTensor plain{{4, columns}, {}, {}};
  for (std::size_t p = 0; p < least || p % values.size() != 0; ++p) {
    plain.subscripts.push_back({p % 4, p / 4});
    plain.values.push_back(values[p % values.size()]);
  }
  RunSettings settings;
  settings.constraints.resize(2);
  settings.entries.is_list = is_list;
  look_at_values(Exec(), genten_test::to_sptensor<double, std::uint32_t, Exec>(plain), settings);
  EXPECT_EQ(settings.entries.listed, static_cast<double>(plain.values.size()));
  EXPECT_EQ(settings.entries.all, 4.0 * static_cast<double>(columns));
  return settings.entries.gaps;
}

TEST(Settings, TellDegreesAroundZeroFromAmounts) {
  const auto look_measured = [](const std::vector<double>& values) {
    return gaps_of(values) == genten::GapSign::tenths;
  };
  EXPECT_TRUE(look_measured({-12.3, 4.1, 0.0, 7.0, 21.4, -0.6, -3.9}));
  const std::vector<float> single{-12.3F, 4.1F, 21.4F, 900.7F};
  EXPECT_TRUE(look_measured({single.begin(), single.end()}));
  EXPECT_FALSE(look_measured({-12.35, 4.1, 21.4, -0.6}));     // amounts of money
  EXPECT_FALSE(look_measured({-0.123, 0.417, 1.58, -0.64}));  // centred values
  EXPECT_FALSE(look_measured({-1.5, 4.0, 7.0, 21.0, -6.0}));  // hardly any has decimals
  EXPECT_FALSE(look_measured({12.3, 0.1, 21.4, 0.6}));        // one may expect zeros
}

TEST(Settings, TellRatingsFromCounts) {
  const auto looks_rated = [](const auto&... given) {
    return gaps_of(given...) == genten::GapSign::ratings;
  };
  const std::vector<double> stars{5, 4, 1, 3, 5, 4, 2, 3, 4};
  EXPECT_TRUE(looks_rated(stars));
  EXPECT_TRUE(looks_rated(std::vector<double>{4.5, 0.5, 3, 5, 4, 3.5}));
  EXPECT_TRUE(looks_rated(std::vector<double>{5, 4, 1, 3, 2}));  // three fifths in the upper half
  EXPECT_TRUE(looks_rated(stars, 30));                           // of nearly all entries
  EXPECT_FALSE(looks_rated(stars, 27));                          // of all
  EXPECT_FALSE(looks_rated(stars, 400, 9));                      // of few nobody can tell
  EXPECT_FALSE(looks_rated(std::vector<double>{1, 1, 2, 1, 3, 5, 1, 2, 1}));      // counts
  EXPECT_TRUE(looks_rated(std::vector<double>{1, 1, 2, 1, 3, 5, 4, 2, 1}));       // which end at 5
  EXPECT_TRUE(looks_rated(std::vector<double>{2, 2.5, 1.5, 3, 2, 3.5, 2.5}));     // half stars
  EXPECT_FALSE(looks_rated(std::vector<double>{0.5, 2.5, 1.5, 3, 2, 4.5, 2.5}));  // hours
  EXPECT_FALSE(looks_rated(std::vector<double>{5, 4, 1.25, 3, 5}));
  EXPECT_FALSE(looks_rated(std::vector<double>{5, 1, 5, 5, 1}));
  std::vector<double> most_in_the_middle(100, 5.0);  // counts, as of Poisson of mean 5
  for (std::size_t p = 0; p < 40; ++p) most_in_the_middle[p] = 1.0 + static_cast<double>(p % 8);
  most_in_the_middle[99] = 9.0;
  EXPECT_FALSE(looks_rated(most_in_the_middle));
  for (const std::size_t p : {95U, 96U, 97U, 98U}) most_in_the_middle[p] = 9.0;
  EXPECT_TRUE(looks_rated(most_in_the_middle));  // a twentieth at the top
  EXPECT_FALSE(looks_rated(std::vector<double>{11, 10, 5, 8, 9}));
  EXPECT_FALSE(looks_rated(std::vector<double>{5, 4, 0, 3, 5}));  // told of by zeros
  std::vector<double> with_zero, counts_with_zero;
  for (int p = 0; p < 5; ++p) {
    with_zero.insert(with_zero.end(), {5, 4, 1, 3, 5, 4, 2, 3, 4});
    counts_with_zero.insert(counts_with_zero.end(), {1, 1, 2, 1, 3, 5, 1, 2, 1});
  }
  with_zero.push_back(0);
  counts_with_zero.push_back(0);
  EXPECT_TRUE(looks_rated(with_zero));
  EXPECT_FALSE(looks_rated(counts_with_zero));
  std::vector<double> amounts(100, 1e12);  // at once, too
  amounts[0] = 0.0;
  amounts[1] = 12.5;
  EXPECT_FALSE(looks_rated(amounts));
}

TEST(Settings, TellRatingsBesideCodes) {
  using genten::GapSign;
  std::vector<double> stars;
  for (int p = 0; p < 4; ++p) stars.insert(stars.end(), {5, 4, 1, 3, 5, 4, 2, 3, 4});
  for (const double code : {-1.0, -9.0, 8.0, 9.0, 99.0}) {
    std::vector<double> values = stars;
    values.push_back(code);
    EXPECT_EQ(gaps_of(values), GapSign::ratings) << code;
    RunSettings settings;
    settings.least_squares = true;
    values.push_back(code);
    judge_values(summary(values), settings);
    EXPECT_EQ(settings.entries.placeholder.value, code);
    EXPECT_EQ(settings.entries.placeholder.entries, 2U);
    ASSERT_TRUE(settings.entries.scale.has_value());
    EXPECT_EQ(settings.entries.scale->lowest, 1.0);
    EXPECT_EQ(settings.entries.scale->highest, 5.0);
  }
  for (const double other : {6.0, 12.0, -2.0}) {
    std::vector<double> values = stars;
    values.push_back(other);
    EXPECT_EQ(gaps_of(values), GapSign::none) << other;
  }
  std::vector<double> counts{1, 1, 2, 1, 3, 5, 1, 2, 1, 1, 2, 9};
  EXPECT_EQ(gaps_of(counts), GapSign::none);
}

TEST(Settings, TellMeasurementsOfFewEntriesFromCounts) {
  using genten::GapSign;
  const std::vector<double> degrees{18.5, 21.25, 25.1, 19.3, 22.7};
  EXPECT_EQ(gaps_of(degrees), GapSign::far_from_zero);  // a sixteenth of the entries
  EXPECT_EQ(gaps_of({-18.5, -21.25, -25.1, -19.3, -22.7}), GapSign::far_from_zero);
  EXPECT_EQ(gaps_of(degrees, 400, 90), GapSign::none);
  EXPECT_EQ(gaps_of({18.5, -21.25, 25.1, 19.3, 22.7}), GapSign::none);
  EXPECT_EQ(gaps_of({18, 21, 25, 19, 22}), GapSign::none);                    // counts
  EXPECT_EQ(gaps_of({0.8, 0.95, 0.7, 1.0, 0.85}), GapSign::none);             // weights
  EXPECT_EQ(gaps_of({20.5, 80.25, 3.75, 12.5, 41.75}), GapSign::none);        // amounts
  EXPECT_EQ(gaps_of({126, 86, 131, 167, 142}, 200), GapSign::far_from_zero);  // of blood
  EXPECT_EQ(gaps_of({126, 86, 131, 167, 142}), GapSign::none);  // fares: a sixteenth is listed
  EXPECT_EQ(gaps_of({12, 24, 36, 24, 12}), GapSign::none);      // packs
  EXPECT_EQ(gaps_of({0.25, -1.5, 0.75, 1.25, -0.5}), GapSign::none);  // standardized
  EXPECT_EQ(gaps_of({18, 21, 25.5, 19, 22}, 200), GapSign::fractions);
  EXPECT_EQ(gaps_of({18, 21, 25.5, 19, 22, 20}), GapSign::none);            // hardly any decimals
  EXPECT_EQ(gaps_of({1.0, 4.25, 3.7, 2.5, 5.0}, 200), GapSign::fractions);  // averages of ratings
  EXPECT_EQ(gaps_of({1.0, 5.25, 3.7, 2.5, 5.0}), GapSign::none);            // five times as large
  EXPECT_EQ(gaps_of({-1.0, -4.25, -3.7, -2.5}, 200), GapSign::fractions);
  EXPECT_EQ(gaps_of({1.0, 1.0, 1.69, 1.0, 2.1}), GapSign::none);  // 1 + log(count)
  EXPECT_EQ(gaps_of({0.9, 2.25, 3.7, 2.5, 4.0}), GapSign::none);  // about 1
  EXPECT_EQ(gaps_of({18.5, 21.25, 0.0, 19.3, 22.7}), GapSign::listed_zeros);
}

TEST(Settings, TellGapsOfNearlyFullTensorsFromZeros) {
  using genten::GapSign;
  const std::vector<double> degrees{18, 21, 25, 19, 22}, amounts{0.5, 12.25, 3.75, 80.5, 1.5};
  EXPECT_EQ(gaps_of(degrees, 30), GapSign::far_from_zero);
  EXPECT_EQ(gaps_of({-18.5, -21, -25, -19, -22}, 30), GapSign::far_from_zero);
  EXPECT_EQ(gaps_of(degrees, 49), GapSign::far_from_zero);  // half of the entries
  EXPECT_EQ(gaps_of(degrees, 51), GapSign::none);
  EXPECT_EQ(gaps_of(degrees, 49, 100, false), GapSign::far_from_zero);  // of an array
  EXPECT_EQ(gaps_of(degrees, 51, 100, false), GapSign::none);
  EXPECT_EQ(gaps_of(amounts, 30, 100, false), GapSign::none);
  EXPECT_EQ(gaps_of(degrees, 25), GapSign::none);  // there are none
  EXPECT_EQ(gaps_of({-1.5, 2.25, 0.5, -0.75, 3}, 30), GapSign::fractions);
  EXPECT_EQ(gaps_of(amounts, 30), GapSign::fractions);
  EXPECT_EQ(gaps_of(amounts, 34), GapSign::none);  // below three quarters
  EXPECT_EQ(gaps_of({18, 0, 25, 19, 22}, 30), GapSign::listed_zeros);
  EXPECT_EQ(gaps_of({3, 7, 2, 12, 5}, 30), GapSign::none);  // counts
  EXPECT_EQ(gaps_of({20, 100, 95, 25, 60}, 30), GapSign::far_from_zero);
  EXPECT_EQ(gaps_of({20, 100, 95, 25, 60}, 35), GapSign::none);
  EXPECT_EQ(gaps_of({20, 100, 95, 25, 60}, 51), GapSign::none);  // counts of few entries
  EXPECT_EQ(gaps_of({20, 110, 95, 25, 60}, 30), GapSign::none);  // counts
  EXPECT_EQ(gaps_of({1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, 30), GapSign::none);
  EXPECT_EQ(gaps_of({2.5}, 30), GapSign::none);  // a mark
}

}  // namespace
