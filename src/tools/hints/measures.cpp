// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "measures.hpp"

#include "base/column_words.hpp"
#include "base/names_in_option.hpp"
#include "tools/long_modes.hpp"
#include "tools/printable.hpp"

#include <genten/base/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <random>

namespace genten::tools {
namespace {

/// How many tuples of subscripts of these modes the first `rows` of a table have.
std::size_t count_tuples(const ModesOfTable& table, const std::vector<std::size_t>& modes,
                         std::size_t rows) {
  const auto order_of = [&](std::size_t p, std::size_t q) {
    for (const std::size_t n : modes) {
      const auto& column = table.subscripts[n];
      if (column[p] != column[q]) return column[p] < column[q] ? -1 : 1;
    }
    return 0;
  };
  std::vector<std::size_t> places(rows);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(),
            [&](std::size_t p, std::size_t q) { return order_of(p, q) < 0; });
  const auto end = std::unique(places.begin(), places.end(),
                               [&](std::size_t p, std::size_t q) { return order_of(p, q) == 0; });
  return static_cast<std::size_t>(end - places.begin());
}

/// Whether these modes tell all rows apart. Of a long table the first rows say it already.
bool tell_all_apart(const ModesOfTable& table, const std::vector<std::size_t>& modes) {
  constexpr std::size_t first = 1'000;
  const std::size_t rows = table.values.size(), some = std::min(first, rows);
  return count_tuples(table, modes, some) == some &&
         (some == rows || count_tuples(table, modes, rows) == rows);
}

std::vector<std::size_t> modes_of(const ModesOfTable& table, bool named) {
  std::vector<std::size_t> modes;
  for (std::size_t n = 0; n < table.named.size(); ++n) {
    if (table.named[n] == named) modes.push_back(n);
  }
  return modes;
}

/// Fewer rows are told apart by chance, and of more it is not asked.
bool is_looked_at(const ModesOfTable& table) {
  constexpr std::size_t fewest = 4;
  return table.values.size() >= fewest && table.values.size() <= most_looked_at;
}

/// The ranks of numbers, equal ones having the mean of theirs, less the mean of all ranks.
struct Ranks {
  std::vector<double> centered;
  std::size_t distinct = 0;
};

/// Rows of which a correlation is told: all, or ten thousand of a long table, one by chance of each
/// as many rows, which no period of subscripts evades.
std::vector<std::size_t> some_rows(std::size_t rows) {
  constexpr std::size_t most = 10'000;
  const std::size_t count = std::min(most, rows);
  std::vector<std::size_t> some(count);
  std::mt19937_64 draw;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * rows / count, end = (i + 1) * rows / count;
    some[i] = begin + draw() % (end - begin);
  }
  return some;
}

/// The ranks of the numbers of these rows.
template <class Number>
Ranks ranks_of(const std::vector<Number>& all, const std::vector<std::size_t>& rows) {
  std::vector<Number> numbers;
  for (const std::size_t row : rows) numbers.push_back(all[row]);
  std::vector<std::size_t> places(numbers.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(),
            [&](std::size_t p, std::size_t q) { return numbers[p] < numbers[q]; });
  Ranks ranks{std::vector<double>(numbers.size())};
  const double mean = (static_cast<double>(numbers.size()) - 1.0) / 2.0;
  for (std::size_t begin = 0; begin < places.size(); ++ranks.distinct) {
    std::size_t end = begin;
    while (end < places.size() && numbers[places[end]] == numbers[places[begin]]) ++end;
    const double rank = (static_cast<double>(begin) + static_cast<double>(end) - 1.0) / 2.0;
    for (std::size_t i = begin; i < end; ++i) ranks.centered[places[i]] = rank - mean;
    begin = end;
  }
  return ranks;
}

double correlation(const Ranks& a, const Ranks& b) {
  const auto product = [](const Ranks& x, const Ranks& y) {
    return std::inner_product(x.centered.begin(), x.centered.end(), y.centered.begin(), 0.0);
  };
  const double squares = product(a, a) * product(b, b);
  return squares > 0.0 ? product(a, b) / std::sqrt(squares) : 0.0;
}

std::size_t count_distinct(std::vector<std::uint64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

/// Whether `single_rows` tells of a mode of so many different numbers from `least` to `largest`.
bool is_told_as_single(std::size_t distinct, std::uint64_t least, std::uint64_t largest,
                       std::size_t rows) {
  const bool is_long = are_ids(largest + 1, least, distinct);
  const auto no_name = [](std::size_t) { return std::string_view(); };
  return !is_long && single_rows(distinct, rows, no_name) != SingleRows::none;
}

/// Whether so few of the numbers between the least and the largest occur as of quantities, and not
/// as few as of ids, of which the note on long modes tells.
bool has_gaps(const std::vector<std::uint64_t>& column) {
  constexpr std::size_t for_one = 3;
  const auto [least, largest] = std::minmax_element(column.begin(), column.end());
  const std::size_t width = *largest - *least + 1, distinct = count_distinct(column);
  return !are_ids(*largest + 1, *least, distinct) && width >= for_one * distinct;
}

constexpr std::size_t fewest_numbers = 8;  ///< of a quantity

/// Whether a word is that of quantities that many tables count by, as movies by rating.
bool is_bin(const std::string& word) {
  constexpr std::array<std::string_view, 8> known{"length", "points", "rating", "ratings",
                                                  "score",  "scores", "size",   "weight"};
  return std::find(known.begin(), known.end(), word) != known.end();
}

/// Whether a table counts by a mode: it is called so, or a quarter or more of all pairs of its
/// numbers and the tuples of the `others` have rows, of which quantities have few.
bool counts_by(const ModesOfTable& table, std::size_t mode, const std::string& name,
               const std::vector<std::size_t>& others) {
  const auto words = words_of(name);
  if (std::any_of(words.begin(), words.end(), is_bin)) return true;
  constexpr double some = 0.25;
  const std::size_t rows = table.values.size();
  const auto pairs = static_cast<double>(count_tuples(table, others, rows)) *
                     static_cast<double>(count_distinct(table.subscripts[mode]));
  return static_cast<double>(rows) >= some * pairs;
}

/// Whether a word is that of numbers with points that are names, as 1.10 is.
bool is_version(const std::string& word) {
  constexpr std::array<std::string_view, 10> known{"build",   "chapter", "edition", "firmware",
                                                   "os",      "release", "section", "ver",
                                                   "version", "versions"};
  return std::find(known.begin(), known.end(), word) != known.end();
}

bool is_called_place(const std::string& name) {
  const auto words = words_of(name);
  return std::any_of(words.begin(), words.end(), is_place);
}

/// Whether each row has a number of its own, and these ascend or are called as ids are.
bool is_key(const std::vector<std::uint64_t>& column, const std::string& name) {
  const auto descent = std::adjacent_find(column.begin(), column.end(), std::greater_equal<>());
  return descent == column.end() ||
         (is_called_place(name) && count_distinct(column) == column.size());
}

/// Whether modes of numbers have a range in common with the values that is a third or more of that
/// of all, and no names of times and places.
bool hold_one_quantity(const ModesOfTable& table, const std::vector<std::size_t>& modes,
                       const std::vector<std::string>& columns) {
  constexpr double for_one = 3.0;
  const auto [first, last] = std::minmax_element(table.values.begin(), table.values.end());
  double least = *first, most = *last, low = *first, high = *last;
  for (const std::size_t n : modes) {
    if (is_called_place(columns[n])) return false;
    const auto [from, to] =
        std::minmax_element(table.subscripts[n].begin(), table.subscripts[n].end());
    const auto lower = static_cast<double>(*from), upper = static_cast<double>(*to);
    least = std::min(least, lower);
    most = std::max(most, upper);
    low = std::max(low, lower);
    high = std::min(high, upper);
  }
  return for_one * (high - low) >= most - least;
}

/// By what a mode of numbers looks like a quantity, whether or not rows need it. Categories, such
/// as a class from 1 to 3, have fewer numbers. A trend over years in counts of links that occur
/// once each stays below the least correlation, and of n rows without any dependence one in a
/// thousand has a correlation beyond 3.3 / sqrt(n).
std::optional<MeasureSign> sign_of(const Measure& measure, std::size_t rows,
                                   const std::vector<std::uint64_t>& column,
                                   const std::string& name) {
  constexpr double least = 0.5, by_chance = 3.3;
  if (measure.distinct < fewest_numbers) return std::nullopt;
  const double limit = std::max(least, by_chance / std::sqrt(static_cast<double>(rows)));
  if (std::abs(measure.correlation) >= limit) return MeasureSign::correlation;
  if (is_called_quantity(name)) return MeasureSign::name;
  if (is_called_place(name) || !has_gaps(column)) return std::nullopt;
  return MeasureSign::gaps;
}

/// What speaks for it.
std::string reason(const Measure& measure) {
  if (measure.is_needed) return ", though its name is that of a quantity";
  const std::string apart = ", though the other columns tell all rows apart and ";
  if (measure.sign == MeasureSign::name) return apart + "its name is that of a quantity";
  if (measure.sign == MeasureSign::gaps) return apart + "its numbers have gaps as quantities have";
  std::array<char, 16> correlation{};
  std::snprintf(correlation.data(), correlation.size(), "%.2f", measure.correlation);
  return apart + "the values depend on it (rank correlation " + correlation.data() + ")";
}

/// Whether a column is called as one of coordinates, which is a mode of its own.
bool is_coordinate(std::string name) {
  constexpr std::array<std::string_view, 9> known{
      "x", "y", "z", "lat", "latitude", "lon", "longitude", "easting", "northing"};
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(known.begin(), known.end(), name) != known.end();
}

/// Modes of texts of which most are numbers with decimals.
std::vector<Measure> decimals_in(const ModesOfTable& table,
                                 const std::vector<std::string>& columns) {
  std::vector<Measure> found;
  for (std::size_t n = 0; n < table.decimals.size(); ++n) {
    if (!table.decimals[n]) continue;
    const auto words = words_of(columns[n]);
    if (std::any_of(words.begin(), words.end(), is_version)) continue;
    const std::size_t distinct = count_distinct(table.subscripts[n]);
    if (distinct < fewest_numbers ||
        is_told_as_single(distinct, 0, distinct, table.values.size())) {
      continue;
    }
    found.push_back({n, distinct, 0.0, MeasureSign::decimals});
  }
  return found;
}

/// Modes of texts that each cell of the others has one of, where these are `left` and half of their
/// cells or more occur. Of modes that one other determines another note tells. Of more than 100,000
/// rows nothing, since it takes sorts of all.
std::vector<Measure> properties_in(const ModesOfTable& table,
                                   const std::vector<std::string>& columns,
                                   std::vector<std::size_t> left) {
  constexpr std::size_t fewest_rows = 100, most_rows = 100'000, fewest_left = 2, for_one = 4;
  const std::size_t rows = table.values.size();
  if (rows < fewest_rows || rows > most_rows || left.size() <= fewest_left) return {};
  // Of a list of cells without values the property is what it tells.
  const auto [least, most] = std::minmax_element(table.values.begin(), table.values.end());
  if (*least == *most) return {};
  std::vector<std::size_t> lengths(table.named.size());
  for (const std::size_t n : left) lengths[n] = count_distinct(table.subscripts[n]);
  std::vector<std::size_t> by_length = left;
  std::stable_sort(by_length.begin(), by_length.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] < lengths[b]; });
  std::vector<std::size_t> found;
  for (const std::size_t n : by_length) {
    std::vector<std::size_t> others = left;
    std::erase(others, n);
    if (others.size() < fewest_left || !table.named[n] || !tell_all_apart(table, others)) continue;
    left = others;
    found.push_back(n);
  }
  double cells = 1.0;
  for (const std::size_t n : left) cells *= static_cast<double>(lengths[n]);
  if (cells > 2.0 * static_cast<double>(rows)) return {};
  std::vector<Measure> told;
  for (const std::size_t n : found) {
    const bool is_determined = std::any_of(left.begin(), left.end(), [&](std::size_t by) {
      return count_tuples(table, {by, n}, rows) == lengths[by];
    });
    const auto words = words_of(columns[n]);
    if (std::any_of(words.begin(), words.end(), is_version)) continue;
    const bool recurs = for_one * lengths[n] <= rows;  // no measurements or ids
    if (lengths[n] < 2 || !recurs || is_determined || is_called_place(columns[n])) continue;
    told.push_back({n, lengths[n], 0.0, MeasureSign::property});
  }
  return told;
}

}  // namespace

bool are_decimals(const std::vector<std::string>& texts) {
  constexpr std::size_t most_versions = 50;
  std::vector<double> numbers;
  std::size_t most_digits = 0;
  for (const std::string& text : texts) {
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const std::size_t point = text.find('.');
    if (point == std::string::npos || std::from_chars(text.data(), end, value).ptr != end) continue;
    numbers.push_back(value);
    most_digits = std::max(most_digits, text.size() - point - 1);
  }
  if (2 * numbers.size() <= texts.size()) return false;
  if (most_digits < 2 && numbers.size() <= most_versions) return false;  // 1.0, 1.1, 2.0
  std::sort(numbers.begin(), numbers.end());  // of versions 1.1 and 1.10 are two
  return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end();
}

std::vector<std::size_t> wide_columns(const ModesOfTable& table,
                                      const std::vector<std::string>& columns) {
  const auto named = modes_of(table, true);
  auto numbers = modes_of(table, false);
  // Two of them are places, three of one record may be measures, as of acceleration.
  const auto coordinate = [&](std::size_t n) { return is_coordinate(columns[n]); };
  if (std::count_if(numbers.begin(), numbers.end(), coordinate) == 2) {
    std::erase_if(numbers, coordinate);
  }
  if (!is_looked_at(table) || numbers.size() < 2) return {};
  if (!named.empty() && tell_all_apart(table, named)) return numbers;
  if (numbers.size() == 2 || !is_key(table.subscripts[numbers.front()], columns[numbers.front()])) {
    return {};
  }
  numbers.erase(numbers.begin());
  return hold_one_quantity(table, numbers, columns) ? numbers : std::vector<std::size_t>();
}

std::vector<Measure> measures_in(const ModesOfTable& table, const std::vector<std::string>& columns,
                                 bool merged) {
  if (!is_looked_at(table)) return {};
  std::vector<Measure> found = decimals_in(table, columns);
  const auto rows = some_rows(table.values.size());
  const Ranks values = ranks_of(table.values, rows);
  std::vector<Measure> numbers;
  for (const std::size_t n : modes_of(table, false)) {
    const Ranks ranks = ranks_of(table.subscripts[n], rows);
    Measure measure{n, ranks.distinct, correlation(ranks, values)};
    const auto sign = sign_of(measure, rows.size(), table.subscripts[n], columns[n]);
    if (!sign) continue;
    measure.sign = *sign;
    numbers.push_back(measure);
  }
  std::stable_sort(numbers.begin(), numbers.end(), [](const Measure& a, const Measure& b) {
    return std::abs(a.correlation) > std::abs(b.correlation);
  });
  std::vector<std::size_t> left(table.named.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  for (const Measure& measure : found) std::erase(left, measure.mode);
  for (Measure& measure : numbers) {
    std::vector<std::size_t> others = left;
    std::erase(others, measure.mode);
    if (others.empty()) continue;
    measure.is_needed = merged || !tell_all_apart(table, others);
    if (measure.is_needed) {
      const std::string& name = columns[measure.mode];
      if (!is_called_quantity(name)) continue;
      if (!merged && counts_by(table, measure.mode, name, others)) continue;
      measure.sign = MeasureSign::name;
    }
    left = others;
    const auto& column = table.subscripts[measure.mode];
    measure.distinct = count_distinct(column);
    const auto [least, largest] = std::minmax_element(column.begin(), column.end());
    if (!is_told_as_single(measure.distinct, *least, *largest, column.size())) {
      found.push_back(measure);
    }
  }
  if (!merged) {
    for (const Measure& measure : properties_in(table, columns, left)) found.push_back(measure);
  }
  return found;
}

std::string measures_note(const std::vector<Measure>& found,
                          const std::vector<std::string>& columns) {
  if (found.empty()) return "";
  std::string told;
  std::vector<std::string> others;
  bool is_property = false;
  for (const Measure& measure : found) {
    is_property = is_property || measure.sign == MeasureSign::property;
    told += (told.empty() ? "" : "; ") + ("column '" + printable(columns[measure.mode])) + "' of " +
            std::to_string(measure.distinct) +
            (measure.sign == MeasureSign::decimals
                 ? " different texts became a mode, though most are numbers with decimals"
             : measure.sign == MeasureSign::property
                 ? " different texts became a mode, though each cell of the other modes has one of "
                   "them"
                 : " different numbers became a mode" + reason(measure));
  }
  for (std::size_t n = 0; n < columns.size(); ++n) {
    const bool is_found = std::any_of(found.begin(), found.end(),
                                      [&](const Measure& measure) { return measure.mode == n; });
    if (!is_found) others.push_back(printable(columns[n]));
  }
  return told + ": if it is a quantity " + (is_property ? "or a property " : "") +
         "beside the values, " + error_text::option("modes", names_in_option(others)) +
         " leaves it out";
}

}  // namespace genten::tools
