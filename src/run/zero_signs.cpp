// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "zero_signs.hpp"

#include <algorithm>

namespace genten {

using Sum = ValueSummary::Sum;

double within(const ValueSummary& values, double least, double most) {
  double found = 0.0;
  for (int i = 0; i < ValueSummary::most_halves; ++i) {
    const double value = (i + 1) / 2.0;
    if (value >= least && value <= most) found += values.sums[Sum::halves + i];
  }
  return found;
}

Placeholder zeros_for_unknown(const ValueSummary& values) {
  constexpr double least = 10.0, times = 5.0, most = 0.6, fewest = 100.0;
  const double zeros = values.sums[Sum::zeros], count = values.sums[Sum::count];
  const bool are_far = values.lowest == 0.0 && values.lowest_positive >= least &&
                       values.highest <= times * values.lowest_positive;
  if (!are_far || zeros < 2.0 || zeros > most * count || count < fewest) return {};
  return {0.0, static_cast<std::size_t>(zeros)};
}

Placeholder zeros_for_no_answer(const ValueSummary& values) {
  constexpr double fewest = 100.0, share = 20.0, five = 5.0, seven = 7.0;
  const double top = values.highest, zeros = values.sums[Sum::zeros];
  const double answers = values.sums[Sum::count] - zeros;
  const bool is_scale = values.lowest == 0.0 && (top == five || top == seven) &&
                        values.sums[Sum::decimals] == 0.0 && answers >= fewest &&
                        share * within(values, top, top) >= answers;
  if (!is_scale) return {};
  double most = 0.0;
  for (double answer = 1.0; answer <= top; ++answer) {
    const double found = within(values, answer, answer);
    if (found == 0.0) return {};
    most = std::max(most, found);
  }
  // Days of a week are most often none or all seven.
  const double ones = within(values, 1.0, 1.0);
  if (zeros <= ones || ones >= most || (top == seven && within(values, top, top) == most))
    return {};
  return {0.0, static_cast<std::size_t>(zeros)};
}

bool lack_zeros(const ValueSummary& values) {
  constexpr double fewest = 100.0, tenth = 10.0;
  const double zeros = values.sums[Sum::zeros], ones = within(values, 1.0, 1.0);
  if (values.lowest < 0.0 || values.sums[Sum::decimals] != 0.0 ||
      values.sums[Sum::count] < fewest) {
    return false;
  }
  const double twos = within(values, 2.0, 2.0);
  const bool are_few = tenth * zeros < ones && tenth * 2.0 * twos * zeros < ones * ones;
  return zeros == 0.0 || (are_few && twos > 0.0);
}

}  // namespace genten
