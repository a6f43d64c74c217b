// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "zero_signs.hpp"

#include <genten/run/report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace genten {
namespace {

using Sum = ValueSummary::Sum;

/// Whether whole numbers are those of a scale of five: all of 1 to 5 occur, a twentieth at the top,
/// behind which counts would go on; or half numbers from 1 to 5, of which a fifth at least lie
/// between whole ones. Of a few nobody can tell.
bool are_of_five(const ValueSummary& values) {
  constexpr double top = 5.0, share = 20.0, fewest = 20.0;
  const double count = values.sums[Sum::count], between = values.sums[Sum::decimals];
  const bool is_within = values.lowest >= 1.0 && within(values, 1.0, top) == count;
  if (count < fewest || !is_within) return false;
  double grades = 0.0;
  for (double grade = 1.0; grade <= top; ++grade) {
    grades += within(values, grade, grade) != 0.0 ? 1.0 : 0.0;
  }
  const bool ends = grades == top && share * within(values, top, top) >= count;
  return between == 0.0 ? ends : top * between >= count && values.highest - values.lowest >= 2.0;
}

/// Whether the values may be ratings: such, or whole or half numbers from 1/2 to 10, of which some
/// lie between the least and the largest, three fifths in the upper half, and a twentieth at the
/// top: a scale ends there, and what is liked gets all (5 stars of 5 are 14 % of MovieLens 20M).
/// Counts have no such end: small ones lie in the lower half, and the largest of others are rare.
bool are_ratings(const ValueSummary& values) {
  constexpr double half = 0.5, least_width = 2.0;
  const double count = values.sums[Sum::count], lowest = values.lowest, highest = values.highest;
  const double width = highest - lowest;
  return are_of_five(values) ||
         (width >= least_width && within(values, lowest, highest) == count &&
          within(values, lowest + half, highest - half) != 0.0 &&
          5.0 * within(values, lowest + half * width, highest) >= 3.0 * count &&
          20.0 * within(values, highest, highest) >= count);
}

/// The range of ratings beside zeros, of which there are fewer than a twentieth; none of others.
std::optional<ValueRange> ratings_beside_zeros(const ValueSummary& values) {
  constexpr double share = 20.0, top = ValueSummary::most_halves / 2.0;
  const double zeros = values.sums[Sum::zeros];
  const bool are_few = values.lowest == 0.0 && share * zeros < values.sums[Sum::count];
  if (!are_few || values.highest > top) return {};
  ValueSummary others = values;
  others.sums[Sum::count] -= zeros;
  others.lowest = values.lowest_positive;
  if (!are_ratings(others)) return {};
  return ValueRange{others.lowest, others.highest};
}

/// Answers among which a fifth at most are codes of questionnaires, and the range of the others.
struct CodedAnswers {
  Placeholder code;
  ValueRange scale;
  bool are_ratings = false;
};

/// How many values are each of some numbers, of values that are nothing else: found from how many
/// they are and their sums, for which all but some numbers have none. Empty: they are others.
std::vector<double> counts_of(std::span<const double> numbers, double count, double sum,
                              double squares) {
  constexpr double rounding = 1e-9;
  std::vector<double> counts;
  double found_sum = 0.0, found_squares = 0.0, found = 0.0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    // The polynomial that is 1 at this number and 0 at the others, summed over the values.
    double divisor = 1.0, of_others = 0.0, product = 1.0;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (k == i) continue;
      divisor *= numbers[i] - numbers[k];
      of_others += numbers[k];
      product *= numbers[k];
    }
    const double total = numbers.size() == 1   ? count
                         : numbers.size() == 2 ? sum - product * count
                                               : squares - of_others * sum + product * count;
    counts.push_back(std::round(total / divisor));
    if (counts.back() < 1.0) return {};
    found += counts.back();
    found_sum += counts.back() * numbers[i];
    found_squares += counts.back() * numbers[i] * numbers[i];
  }
  const auto same = [](double a, double b) { return std::abs(a - b) <= rounding * std::abs(b); };
  if (found != count || !same(found_sum, sum) || !same(found_squares, squares)) return {};
  return counts;
}

/// Numbers that stand together for "refused", "don't know", "does not apply": up to three of one
/// line, the first of which is the furthest from the answers.
constexpr std::array<std::array<double, 4>, 12> families{{{99, 98, 97, 96},
                                                          {98, 97, 96, 95},
                                                          {99, 88, 77, 66},
                                                          {88, 77, 66, 55},
                                                          {999, 998, 997, 996},
                                                          {998, 997, 996, 995},
                                                          {999, 888, 777, 666},
                                                          {888, 777, 666, 555},
                                                          {-9, -8, -7, -1},
                                                          {-9, -3, -2, -1},
                                                          {-8, -7, -2, -1},
                                                          {-99, -98, -97, -96}}};

/// Which codes values consist of that lie on one side of the answers, the furthest first; none:
/// other values. `furthest` is one of them.
std::vector<double> codes_of(double furthest, double count, double sum, double squares) {
  constexpr std::array alone{-1.0, 77.0, 97.0, 777.0, 997.0};  // that are no family's first
  bool is_code = std::find(alone.begin(), alone.end(), furthest) != alone.end();
  for (const auto& family : families) {
    if (family[0] != furthest) continue;
    is_code = true;
    for (int second = 1; second < 4; ++second) {
      std::array<double, 3> codes{furthest, family[static_cast<std::size_t>(second)], 0.0};
      if (!counts_of(std::span(codes).first(2), count, sum, squares).empty()) {
        return {codes[0], codes[1]};
      }
      for (int third = second + 1; third < 4; ++third) {
        codes[2] = family[static_cast<std::size_t>(third)];
        if (!counts_of(codes, count, sum, squares).empty()) {
          return {codes.begin(), codes.end()};
        }
      }
    }
  }
  if (!is_code || counts_of(std::span(&furthest, 1), count, sum, squares).empty()) return {};
  return {furthest};
}

/// Values of which some are codes.
struct FoundCodes {
  std::vector<double> codes;  ///< the furthest from the answers first; none: there are no codes
  double coded = 0.0;         ///< how many values they are
  ValueSummary answers;       ///< the other values, as far as `are_ratings` looks at them
  bool are_whole = true;      ///< the answers
};

/// Takes those of `found.answers` that are zero or among `halves` for the answers; returns the sums
/// of what is left.
ValueSummary take_answers(FoundCodes& found) {
  ValueSummary& answers = found.answers;
  ValueSummary left = answers;
  double count = answers.sums[Sum::zeros];
  answers.lowest = answers.highest = 0.0;
  for (int i = 0; i < ValueSummary::most_halves; ++i) {
    const double here = answers.sums[Sum::halves + i], value = (i + 1) / 2.0;
    if (here == 0.0) continue;
    if (count == 0.0) answers.lowest = value;
    answers.highest = value;
    found.are_whole = found.are_whole && i % 2 != 0;
    count += here;
    left.sums[Sum::sum] -= here * value;
    left.sums[Sum::squares] -= here * value * value;
  }
  left.sums[Sum::count] -= count;
  answers.sums[Sum::count] = count;
  return left;
}

/// Codes of one digit, from 7 on, two or more above the top of 1, 2, 3, ...: 9 is the top of 1, 3,
/// 5, 7, 9. None where other values occur, too, though some are `coded`.
FoundCodes codes_of_a_digit(const ValueSummary& values, double top) {
  constexpr double gap = 2.0, least_digit = 7.0;
  FoundCodes found{.answers = values};
  for (double digit = 9.0; digit >= std::max(least_digit, top + gap); digit -= 1.0) {
    double& here = found.answers.sums[Sum::halves + static_cast<int>(2.0 * digit) - 1];
    if (here == 0.0) continue;
    found.codes.push_back(digit);
    found.coded += here;
    here = 0.0;
  }
  if (found.codes.empty()) return found;
  const double left = take_answers(found).sums[Sum::count];
  const bool is_good = top > 1.0 && found.answers.highest == top && left == found.coded;
  if (!is_good || found.codes.front() == least_digit) found.codes.clear();
  return found;
}

/// Codes of more digits, or below zero.
FoundCodes codes_of_a_family(const ValueSummary& values) {
  FoundCodes found{.answers = values};
  const ValueSummary left = take_answers(found);
  found.coded = left.sums[Sum::count];
  found.codes = codes_of(values.lowest < 0.0 ? values.lowest : values.highest, found.coded,
                         left.sums[Sum::sum], left.sums[Sum::squares]);
  return found;
}

/// Codes lie below scales or above them. Beside answers that are no ratings, as those of 0 to 10,
/// all of which occur from 1 on, they are a hundredth to a tenth. None of other values.
std::optional<CodedAnswers> coded_answers(const ValueSummary& values) {
  constexpr double share = 5.0, fewest = 3.0, hundredth = 100.0, tenth = 10.0;
  double top = 0.0;  // of the whole numbers from 1 on that all occur
  while (within(values, top + 1.0, top + 1.0) != 0.0) top += 1.0;
  FoundCodes found = codes_of_a_digit(values, top);
  if (found.coded == 0.0) found = codes_of_a_family(values);
  const double all = values.sums[Sum::count], zeros = values.sums[Sum::zeros];
  if (found.codes.empty() || found.coded < 2.0 || share * found.coded > all) return {};
  const ValueSummary& answers = found.answers;
  const bool are_rated = zeros == 0.0 && are_ratings(answers);
  const bool are_some =
      found.coded >= fewest && hundredth * found.coded >= all && tenth * found.coded <= all;
  const bool is_scale = found.are_whole && answers.highest == top && top > 0.0 && are_some;
  // Beside 0 and 1 it is a sign.
  if (!are_rated && (!is_scale || (found.codes.front() == -1.0 && zeros != 0.0))) return {};
  return CodedAnswers{{found.codes.front(), static_cast<std::size_t>(found.coded),
                       std::vector<double>(found.codes.rbegin(), found.codes.rend() - 1)},
                      {answers.lowest, answers.highest},
                      are_rated};
}

/// Of entries of which the others are missing, how many are the same: all, or nine tenths of whole
/// numbers from 1 on, as of events of which few have occurred twice. Else 0.
std::size_t alike_values(const ValueSummary& values) {
  const double count = values.sums[Sum::count];
  if (values.lowest == values.highest) {
    return values.lowest == 0.0 || count < 2.0 ? 0 : static_cast<std::size_t>(count);
  }
  if (values.lowest != 1.0 || values.sums[Sum::decimals] != 0.0) return 0;
  const double ones = within(values, 1.0, 1.0);
  return 10.0 * ones >= 9.0 * count ? static_cast<std::size_t>(ones) : 0;
}

/// The least or the largest value that is a placeholder, where a hundredth of all values are it,
/// and no other is more than half as far from zero on its side. Where it is rarer, all others lie
/// together: it is as far from them as they are from each other, and twice there if it is the
/// largest, as one amount of many may be. Signs and differences are -1 or -9, too: beside -9
/// others are not negative, and beside -1 they are ten or more.
Placeholder placeholder_of(const ValueSummary& values) {
  constexpr double share = 100.0, two_digits = -10.0;
  const double lowest = values.lowest_other, highest = values.highest_other;
  for (int i = 0; i < ValueSummary::placeholders; ++i) {
    const double value = ValueSummary::placeholder_value(i);
    const double found = values.sums[Sum::placeholder + i];
    if (value != values.lowest && value != values.highest) continue;
    if (values.sums[Sum::beyond + i] != found) continue;
    const bool is_negative = value < 0.0, is_digit = is_negative && value > two_digits;
    if (is_digit && lowest < (value == -1.0 ? 10.0 : 0.0)) continue;
    const double gap = is_negative ? lowest - value : value - highest;
    const bool is_far = highest > lowest && gap >= highest - lowest && (is_negative || found > 1.0);
    const bool is_common = !is_digit && share * found >= values.sums[Sum::count];
    if (is_far || is_common) return {value, static_cast<std::size_t>(found)};
  }
  return {};
}

/// The standard deviation of values; of those whose squares leave the range of numbers, half of
/// their range, which it does not exceed.
double deviation_of(const ValueSummary& values) {
  constexpr double least = 1e-150, most = 1e150;
  const double largest = std::max(values.highest, -values.lowest);
  if (largest < least || largest > most) return values.highest / 2.0 - values.lowest / 2.0;
  const double count = values.sums[Sum::count], mean = values.sums[Sum::sum] / count;
  return std::sqrt(std::max(values.sums[Sum::squares] / count - mean * mean, 0.0));
}

/// Whether all values have one sign, and three standard deviations are no more than their mean, as
/// of counts of more than nine on average, of which hardly one is zero; whole numbers from 2 on.
/// Where most entries are not listed, zeros are what one expects of counts, of weights up to 1 and
/// of logarithms of counts: then most values have decimals, all lie beyond 1, and five deviations
/// are no more than the mean, as of what is measured in degrees.
bool are_far_from_zero(const ValueSummary& values, bool lists_much) {
  constexpr double least_whole = 2.0, largest_weight = 1.0;
  const double deviations = lists_much ? 3.0 : 5.0;
  const double count = values.sums[Sum::count], decimals = values.sums[Sum::decimals];
  const double nearest = std::max(values.lowest, -values.highest);  // below 0: there are both signs
  if (nearest < (decimals == 0.0 ? least_whole : 0.0)) return false;
  if (!lists_much && (2.0 * decimals <= count || nearest <= largest_weight)) return false;
  const double mean = std::abs(values.sums[Sum::sum] / count);
  return std::isfinite(mean) && deviations * deviation_of(values) <= mean;
}

/// Whether all values are `least` or more and within three times the least, as of pulses, blood
/// pressures and degrees: counts and amounts spread further.
bool are_near_each_other(const ValueSummary& values, double least) {
  constexpr double times = 3.0;
  return values.lowest >= least && values.highest <= times * values.lowest;
}

/// Whether all values are whole numbers of two digits, or 100, and none is above five times
/// another, as scores of 20 to 100 are.
bool are_scores(const ValueSummary& values) {
  constexpr double least = 10.0, most = 100.0, times = 5.0;
  return values.sums[Sum::decimals] == 0.0 && values.lowest >= least && values.highest <= most &&
         values.highest <= times * values.lowest;
}

/// Whether a fifth of the values or more have decimals, and all lie beyond 1 and within five times
/// the one that is nearest to zero, as averages of ratings from 1 to 5 and prices of one kind of
/// goods. Amounts spread further, and of 1 + log(count) a fourth and more are 1.
bool are_of_a_scale(const ValueSummary& values) {
  constexpr double times = 5.0, some = 5.0, most = 4.0;
  const double count = values.sums[Sum::count];
  const double nearest = std::max(values.lowest, -values.highest);
  const double furthest = std::max(values.highest, -values.lowest);
  return some * values.sums[Sum::decimals] >= count && nearest >= 1.0 &&
         furthest <= times * nearest && most * within(values, nearest, nearest) <= count;
}

/// Whether values look like degrees of a thermometer: on both sides of zero, and given to a tenth.
/// Amounts of money have hundredths, and centred values more places.
bool are_degrees(const ValueSummary& values) {
  const double count = values.sums[Sum::count];
  return values.lowest < 0.0 && values.highest > 0.0 && values.sums[Sum::tenths] == count &&
         2.0 * values.sums[Sum::decimals] > count;
}

/// Whether entries that a tensor of 100 nonzeros or more does not list look unknown. Beside ratings
/// and values far from zero it takes a list of at least half of the entries, or one of which a
/// twentieth are zeros, or of a tenth where values lie near each other: of others zeros are what
/// one expects. Where three quarters are listed and most of these have decimals, as what is
/// measured has, an exact zero is odd.
GapSign gap_sign(const EntryFacts& facts, const ValueSummary& values, bool are_rated) {
  constexpr double fewest = 100.0, much = 0.5, most = 0.75, share_of_zeros = 20.0;
  const double listed = facts.listed, all = facts.all, count = values.sums[Sum::count];
  if (listed < fewest || !(listed < all)) return GapSign::none;
  if (are_rated) return GapSign::ratings;
  const bool lists_much = listed >= much * all;
  if (values.lowest == values.highest) return GapSign::none;
  if (!facts.is_list) {  // of an array zeros are what one expects, but beside such values
    const bool are_far = lists_much && are_far_from_zero(values, lists_much);
    return are_far ? GapSign::far_from_zero : GapSign::none;
  }
  if (are_degrees(values)) return GapSign::tenths;
  const double zeros = values.sums[Sum::zeros];
  if (zeros != 0.0) {
    const bool are_many = lists_much || share_of_zeros * zeros >= count;
    return are_many ? GapSign::listed_zeros : GapSign::none;
  }
  // Of fewer, amounts and hours of events lie so near each other, too.
  constexpr double some = 0.1, least_whole = 20.0;  // packs are of a dozen
  const bool lists_some = listed >= some * all;
  if (are_far_from_zero(values, lists_much) ||
      (lists_some && are_near_each_other(values, least_whole)) ||
      (listed >= most * all && are_scores(values))) {
    return GapSign::far_from_zero;
  }
  const bool are_odd = listed >= most * all && 2.0 * values.sums[Sum::decimals] > count;
  return are_odd || (lists_some && are_of_a_scale(values)) ? GapSign::fractions : GapSign::none;
}

/// Whether sums of values that are no ratings are odd: of whole numbers from ten on and within
/// three times the least, as heart rates, or that vary by a fifth at most, and of decimals that are
/// far from zero, or lie on both sides of it, as of what is measured in degrees.
bool are_measures(const ValueSummary& values) {
  constexpr double least_whole = 20.0, deviations = 5.0;
  if (2.0 * values.sums[Sum::decimals] <= values.sums[Sum::count]) {
    const double mean = values.sums[Sum::sum] / values.sums[Sum::count];
    const bool hardly_vary =
        values.lowest >= least_whole && deviations * deviation_of(values) <= mean;
    return values.lowest < values.highest && (hardly_vary || are_near_each_other(values, 10.0));
  }
  return (values.lowest < 0.0 && values.highest > 0.0) || are_far_from_zero(values, true);
}

/// How many times each entry was listed, with the same value, before duplicates were added up; 0:
/// not so. Of k values the square of the sum is at most k times the sum of squares, and as much
/// where all are the same. Of a few entries nobody can tell.
std::size_t times_listed(const ValueSummary& listed, const ValueSummary& values) {
  constexpr double fewest = 20.0, rounding = 1e-7;  // of values in single precision
  const double count = values.sums[Sum::count], times = listed.sums[Sum::count] / count;
  // Of records that are all the same, as of events, it is how many there are.
  if (listed.lowest == listed.highest) return 0;
  if (count < fewest || times < 2.0 || std::floor(times) != times) return 0;
  const double most = times * listed.sums[Sum::squares];
  return std::abs(values.sums[Sum::squares] - most) <= rounding * most
             ? static_cast<std::size_t>(times)
             : 0;
}

/// Values below zero beside a model that cannot be negative, where they hold a hundredth of the sum
/// of squares: the fit is then .9 at most.
void judge_negatives(const ValueSummary& values, RunSettings& settings) {
  constexpr double least = 0.01;
  const ValueRange of_model = values_within(settings.constraints, settings.rank);
  const double part = values.sums[Sum::negative_squares] / values.sums[Sum::squares];
  if (!(of_model.lowest >= 0.0 && part >= least)) return;
  if (settings.least_squares && values.highest < of_model.lowest) return;  // told of the bounds
  settings.entries.negatives = static_cast<std::size_t>(values.sums[Sum::negatives]);
  settings.entries.negative_part = part;
}

/// A value that holds nine tenths of the sum of squares of a hundred nonzeros or more: a model of
/// it alone has a fit of .68 or more. Where the largest values are as 1, 1/2, 1/3 ..., the first
/// holds .61. Under a loss of counts one that holds a third of their sum, of which the first of 100
/// such holds .19. Of placeholders another note tells.
void judge_largest(const ValueSummary& values, bool of_counts, EntryFacts& facts) {
  constexpr double fewest = 100.0, third = 1.0 / 3.0;
  const double least = of_counts ? third : 0.9;
  const double largest = values.highest >= -values.lowest ? values.highest : values.lowest;
  const double part =
      of_counts ? largest / values.sums[Sum::sum] : largest * largest / values.sums[Sum::squares];
  const bool are_few = values.sums[Sum::count] - values.sums[Sum::zeros] < fewest;
  if (are_few || !(part >= least) || facts.placeholder.entries != 0) return;
  facts.largest = largest;
  facts.largest_part = part;
}

/// The mean where what varies around it is a tenth of the root mean square at most, as of degrees
/// of kelvin and of air pressures: of a hundred entries or more, of which none that counts is
/// unlisted.
void judge_mean(const ValueSummary& values, RunSettings& settings) {
  constexpr double fewest = 100.0, most = 0.1;
  EntryFacts& facts = settings.entries;
  const double count = values.sums[Sum::count], mean = values.sums[Sum::sum] / count;
  // Where some of a full tensor's entries are missing, the others are listed.
  const bool is_whole = settings.unlisted_are_missing || facts.listed == facts.all ||
                        (settings.has_missing && 2.0 * facts.listed >= facts.all);
  const double deviation = deviation_of(values), size = std::hypot(mean, deviation);
  const bool is_constant = values.lowest == values.highest;
  if (count < fewest || !is_whole || is_constant || !std::isfinite(size)) return;
  if (!(deviation > 0.0 && deviation <= most * size)) return;
  facts.mean = mean;
  facts.varying_part = deviation / size;
}

}  // namespace

void judge_values(const ValueSummary& values, RunSettings& settings) {
  EntryFacts& facts = settings.entries;
  const ValueSummary& listed = facts.as_listed ? *facts.as_listed : values;
  const auto coded = coded_answers(listed);
  const auto beside_zeros = ratings_beside_zeros(listed);
  const bool are_rated = (coded && coded->are_ratings) || beside_zeros || are_ratings(listed);
  if (settings.least_squares && !settings.has_missing) {
    facts.gaps = gap_sign(facts, listed, are_rated);
  }
  // Of sums alone: a mean or the last of values that are the same is the same.
  const ValueSummary& judged = facts.added_up != 0 ? listed : values;
  if (facts.added_up != 0) facts.times_listed = times_listed(listed, values);
  facts.adds_measures = settings.least_squares && facts.added_up != 0 &&
                        facts.listed == facts.all && (are_rated || are_measures(judged));
  if (settings.unlisted_are_missing) {
    facts.alike = alike_values(judged);
    facts.lack_zeros = (settings.of_counts || judged.highest == 1.0) && facts.listed < facts.all &&
                       lack_zeros(judged);
    const ValueSummary& counted = facts.listed == facts.all ? values : judged;
    facts.zeros = static_cast<std::size_t>(counted.sums[Sum::zeros]);
  }
  facts.placeholder = coded ? coded->code : placeholder_of(judged);
  if (facts.placeholder.entries == 0 && facts.gaps == GapSign::none) {
    facts.placeholder = zeros_for_unknown(judged);
  }
  if (coded && coded->are_ratings) facts.scale = coded->scale;
  if (beside_zeros) {
    facts.scale = beside_zeros;
    facts.placeholder = {0.0, static_cast<std::size_t>(listed.sums[Sum::zeros])};
  } else if (facts.placeholder.entries == 0 && !settings.of_counts) {
    facts.placeholder = zeros_for_no_answer(judged);
    if (facts.placeholder.entries != 0) facts.scale = ValueRange{1.0, judged.highest};
  }
  if (settings.of_counts) {
    facts.fractions = static_cast<std::size_t>(values.sums[Sum::decimals]);
  }
  constexpr double far_above = 1e4;  // where a ten thousandth of the fit is at stake
  const double mean = values.sums[Sum::sum] / values.sums[Sum::count];
  if (mean > 0.0 && mean < far_above * settings.added) facts.tiny_mean = mean;
  judge_negatives(values, settings);
  if (settings.least_squares || settings.of_counts) {
    judge_largest(values, settings.of_counts, facts);
  }
  if (settings.least_squares) judge_mean(values, settings);
}

}  // namespace genten
