// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_numbers.hpp"

#include "../text/numbers.hpp"
#include "table_layout.hpp"

#include <genten/base/error.hpp>
#include <genten/io/truth_words.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace genten::detail {

bool is_decimal_comma(std::string_view field) {
  const auto digits = [&] {
    const std::size_t count = std::min(field.find_first_not_of("0123456789"), field.size());
    field.remove_prefix(count);
    return count;
  };
  if (!field.empty() && (field.front() == '-' || field.front() == '+')) field.remove_prefix(1);
  const std::size_t whole = digits();
  if (field.empty() || field.front() != ',') return false;
  field.remove_prefix(1);
  const std::size_t decimals = digits();
  if (whole + decimals == 0) return false;
  if (field.empty()) return true;
  if (field.front() != 'e' && field.front() != 'E') return false;
  field.remove_prefix(1);
  if (!field.empty() && (field.front() == '-' || field.front() == '+')) field.remove_prefix(1);
  return digits() > 0 && field.empty();
}

std::string with_decimal_point(std::string_view field) {
  std::string number(field);
  std::replace(number.begin(), number.end(), ',', '.');
  return number;
}

bool is_grouped(std::string_view field, char mark) {
  constexpr std::size_t group = 3;
  const char point = mark == ',' ? '.' : ',';
  if (!field.empty() && (field.front() == '-' || field.front() == '+')) field.remove_prefix(1);
  if (field.starts_with('0')) return false;
  const std::string_view whole = field.substr(0, field.find(point));
  std::size_t digits = 0, marks = 0;
  for (const char c : whole) {
    if (is_digit(c)) {
      ++digits;
    } else if (c != mark || digits == 0 || digits > group || (marks > 0 && digits != group)) {
      return false;
    } else {
      ++marks;
      digits = 0;
    }
  }
  const std::string_view decimals = field.substr(std::min(whole.size() + 1, field.size()));
  return marks > 0 && digits == group && std::all_of(decimals.begin(), decimals.end(), is_digit);
}

/// Whether a text is a whole number of 100 or more.
bool is_hundreds(std::string_view field) {
  constexpr std::size_t fewest = 3;
  if (!field.empty() && (field.front() == '-' || field.front() == '+')) field.remove_prefix(1);
  return field.size() >= fewest && field.front() != '0' &&
         std::all_of(field.begin(), field.end(), is_digit);
}

std::string without_marks(std::string_view field, char mark) {
  std::string number(field);
  std::erase(number, mark);
  return with_decimal_point(number);
}

namespace {

struct Sign {
  std::string_view text;
  std::string_view plain;  ///< what stands for it in a number
  const char* called;      ///< null: what follows says it
};

constexpr std::array signs = {Sign{"$", "", "a sign of a currency"},
                              Sign{"\xe2\x82\xac", "", "a sign of a currency"},
                              Sign{"\xc2\xa3", "", "a sign of a currency"},
                              Sign{"\xc2\xa5", "", "a sign of a currency"},
                              Sign{"%", "", "a percent sign"},
                              Sign{"\xe2\x88\x92", "-", "a minus that is no hyphen"},
                              Sign{"\xc2\xa0", " ", nullptr},
                              Sign{"\xe2\x80\xaf", " ", nullptr}};

/// A number that stands beside signs, and what these are called.
struct SignedNumber {
  std::string text;
  bool is_negative = false;
  std::vector<std::string> called = {};
};

/// None of what is no number without signs, and where they may mean something else, as in 5-3 and
/// 10 20.
std::optional<SignedNumber> signed_number(std::string_view field) {
  std::string text(field);
  SignedNumber found;
  auto& called = found.called;
  const auto call = [&](const char* name) {
    if (std::find(called.begin(), called.end(), name) == called.end()) called.emplace_back(name);
  };
  for (const Sign& sign : signs) {
    for (std::size_t at = 0; (at = text.find(sign.text, at)) != std::string::npos;) {
      text.replace(at, sign.text.size(), sign.plain);
      if (sign.called != nullptr) call(sign.called);
    }
  }
  std::string_view rest = trimmed(text);
  found.is_negative = rest.starts_with('(') && rest.ends_with(')');
  if (found.is_negative) {
    rest = trimmed(rest.substr(1, rest.size() - 2));
    call("parentheses for a minus");
  } else if (rest.starts_with('-')) {
    found.is_negative = true;
    rest = trimmed(rest.substr(1));
  }
  std::string& number = found.text = rest;
  for (const auto& [mark, name] :
       {std::pair(' ', "blanks between thousands"), std::pair('\'', "marks between thousands")}) {
    if (number.find(mark) == std::string::npos) continue;
    const std::size_t point = std::min(number.find('.'), number.size());
    if (!is_grouped(number.substr(0, point), mark)) return std::nullopt;
    if (number.find(mark, point) != std::string::npos) return std::nullopt;
    std::erase(number, mark);
    call(name);
  }
  double value = 0.0;
  const bool is_plain =
      !number.empty() && is_digit(number.back()) && number.find_first_of("+-") == std::string::npos;
  const bool is_number = to_value(number, value) == ValueStatus::good || is_decimal_comma(number) ||
                         is_grouped(number, ',') || is_grouped(number, '.');
  return !called.empty() && is_plain && is_number ? std::optional(found) : std::nullopt;
}

std::string sign_hint(std::string_view field, const ReadOptions& options) {
  const auto found = signed_number(field);
  if (!found) return "";
  std::string with;
  for (const std::string& name : found->called) with += (with.empty() ? "" : " and ") + name;
  const std::string plain = (found->is_negative ? "-" : "") + found->text;
  return ", with " + with + ": write " + plain + number_hint(plain, options);
}

/// On a number with a word behind it, as 8 kg, which is its unit; "" of others.
std::string unit_hint(std::string_view field, const ReadOptions& options) {
  constexpr std::string_view of_numbers = "0123456789+-., '";
  const std::size_t end = std::min(field.find_first_not_of(of_numbers), field.size());
  const std::string_view number = trimmed(field.substr(0, end)), unit = field.substr(end);
  // Dates, times and codes have digits behind what is no number.
  if (unit.empty() || number.ends_with('-') || std::any_of(unit.begin(), unit.end(), is_digit))
    return "";
  // 1.2k is most often 1200.
  constexpr std::array<std::string_view, 20> factors{
      "k",   "K",   "M",    "MM",  "B",   "G",    "T",    "bn",       "Bn",      "mn",
      "mio", "Mio", "Mio.", "mrd", "Mrd", "Mrd.", "Tsd.", "thousand", "million", "billion"};
  if (std::find(factors.begin(), factors.end(), unit) != factors.end()) {
    return ", with " + in_quotes(unit) + " behind the number: write numbers in full, without units";
  }
  double value = 0.0;
  const std::string hint = number_hint(number, options);
  if (to_value(number, value) != ValueStatus::good && hint.empty()) return "";
  const std::string plain(number);
  return ", with the unit " + in_quotes(unit) + ": write " + plain +
         ", all values of the column in the same unit" + (hint.empty() ? "" : "; " + plain + hint);
}

/// On a number with a sign beside it that says what it is, or on two of them; "" of others.
std::string beside_hint(std::string_view field) {
  const auto is_number = [](std::string_view text) {
    double ignored = 0.0;
    return !text.empty() && is_digit(text.front()) && is_digit(text.back()) &&
           to_value(text, ignored) == ValueStatus::good;
  };
  const auto behind = [&](std::size_t place) { return std::string(trimmed(field.substr(place))); };
  if (field.size() < 2) return "";
  const std::string before(field.substr(0, field.size() - 1));
  if (field.ends_with('-') && is_number(before)) {
    return ", with the minus behind the number, as accounts have it: write -" + before;
  }
  if (field.starts_with('\'') && is_number(behind(1))) {
    return ", with the apostrophe of a spreadsheet's texts: write " + behind(1);
  }
  for (const std::string_view sign : {"<=", ">=", "\xe2\x89\xa4", "\xe2\x89\xa5", "<", ">"}) {
    if (!field.starts_with(sign) || !is_number(behind(sign.size()))) continue;
    return ", a bound, as stands for small numbers that are not disclosed: write what it is to "
           "count as, or leave out the row";
  }
  const std::size_t slash = field.find('/');
  if (slash == std::string_view::npos || !is_number(field.substr(0, slash)) ||
      !is_number(behind(slash + 1))) {
    return "";
  }
  return ": write a fraction as a decimal number; a date is no value";
}

/// On a word for what is true or false; "" of others.
std::string truth_hint(std::string_view field) {
  std::string word(field);
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const auto& [is_true, is_false] : truth_words) {
    if (word == is_true || word == is_false) {
      return ": write 1 for " + std::string(is_true) + " and 0 for " + std::string(is_false);
    }
  }
  return "";
}

/// How to write a number whose column has others with another sign of decimals.
std::string mixed_hint(std::string_view field, const RefusedNumbers& refused) {
  const bool is_decimal = is_decimal_comma(field);
  return std::string(", with ") + (is_decimal ? "a decimal comma" : "marks between thousands") +
         ", while " + (is_decimal || is_grouped(field, '.') ? refused.by_comma : refused.by_point) +
         " is written otherwise: no " + error_text::option("decimal") + " reads both; write " +
         (is_decimal ? with_decimal_point(field)
                     : without_marks(field, is_grouped(field, ',') ? ',' : '.'));
}

std::string marks_hint(std::string_view field, char mark) {
  const std::string decimal(1, mark == ',' ? '.' : ',');
  return std::string(", with ") + (mark == ',' ? "commas" : "points") +
         " between thousands: " + error_text::option("decimal", decimal) + " reads " +
         without_marks(field, mark);
}

}  // namespace

bool is_signed_number(std::string_view field) {
  return signed_number(field).has_value();
}

bool is_refused_by(Decimal sign, std::string_view number) {
  double ignored = 0.0;
  const bool is_plain = to_value(number, ignored) == ValueStatus::good;
  const bool has_comma = is_decimal_comma(number), has_commas = is_grouped(number, ','),
             has_points = is_grouped(number, '.');
  if (sign == Decimal::point) return (has_comma || has_points) && !is_plain && !has_commas;
  const bool has_point = number.find('.') != std::string_view::npos;
  return !has_points && ((is_plain && has_point) || (has_commas && !has_comma));
}

std::string number_hint(std::string_view field, const ReadOptions& options,
                        const RefusedNumbers& refused) {
  if (options.decimal == Decimal::automatic) {
    const bool has_comma = is_decimal_comma(field), has_commas = is_grouped(field, ','),
               has_points = is_grouped(field, '.');
    const bool is_decimal = has_comma && refused.by_comma.empty();
    const bool has_marks = has_commas && refused.by_point.empty();
    const std::string by_option = error_text::option("decimal", ",");
    if (is_decimal && has_marks) {
      return ", whose comma may be decimal or stand between thousands: " + by_option + " reads " +
             with_decimal_point(field) + ", " + error_text::option("decimal", ".") + " reads " +
             without_marks(field, ',');
    }
    if (is_decimal) return ", with a decimal comma: " + by_option + " reads such numbers";
    if (has_marks) return marks_hint(field, ',');
    if (has_points && refused.by_comma.empty()) return marks_hint(field, '.');
    if (has_comma || has_commas || has_points) return mixed_hint(field, refused);
  }
  if (std::string hint = truth_hint(field); !hint.empty()) return hint;
  if (std::string hint = sign_hint(field, options); !hint.empty()) return hint;
  if (std::string hint = beside_hint(field); !hint.empty()) return hint;
  return unit_hint(field, options);
}

std::string other_decimal_hint(std::string_view field, Decimal decimal) {
  if (decimal == Decimal::point && is_decimal_comma(field)) {
    return ": in a column of decimal points write " + with_decimal_point(field);
  }
  double ignored = 0.0;
  const bool is_number = to_value(field, ignored) == ValueStatus::good || is_grouped(field, ',');
  if (decimal != Decimal::comma || !is_number) return "";
  std::string number = without_marks(field, ',');
  std::replace(number.begin(), number.end(), '.', ',');
  return ": in a column of decimal commas write " + number;
}

void PointsSeen::see(std::string_view number, std::size_t place) {
  if (decimals) return;
  if (number.find('.') == std::string_view::npos) {
    hundreds = hundreds || is_hundreds(number);
    return;
  }
  decimals = !is_grouped(number, '.');
  ++grouped;
  first = std::min(first, place);
}

void PointsSeen::add(const PointsSeen& other) {
  decimals = decimals || other.decimals;
  hundreds = hundreds || other.hundreds;
  grouped += other.grouped;
  first = std::min(first, other.first);
}

std::string ambiguous_points(std::string_view number) {
  return "each value with a point has three digits behind it, as " + in_quotes(number) +
         ", so that points may be decimal or stand between thousands: " +
         error_text::option("decimal", ".") + " reads " + std::string(number) + ", " +
         error_text::option("decimal", ",") + " reads " + without_marks(number, '.');
}

}  // namespace genten::detail
