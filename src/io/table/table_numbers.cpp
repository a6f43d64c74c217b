// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_numbers.hpp"

#include "../text/numbers.hpp"

#include <genten/base/error.hpp>

#include <algorithm>
#include <array>
#include <utility>

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

std::string without_marks(std::string_view field, char mark) {
  std::string number(field);
  std::erase(number, mark);
  return with_decimal_point(number);
}

namespace {

struct Sign {
  std::string_view text;
  const char* called;
};

constexpr std::array signs = {Sign{"$", "a sign of a currency"},
                              Sign{"\xe2\x82\xac", "a sign of a currency"},
                              Sign{"\xc2\xa3", "a sign of a currency"},
                              Sign{"\xc2\xa5", "a sign of a currency"},
                              Sign{"%", "a percent sign"},
                              Sign{"(", "parentheses for a minus"},
                              Sign{")", "parentheses for a minus"},
                              Sign{"\xc2\xa0", "blanks between thousands"},
                              Sign{"\xe2\x80\xaf", "blanks between thousands"},
                              Sign{" ", "blanks between thousands"},
                              Sign{"'", "marks between thousands"},
                              Sign{"\xe2\x88\x92", "a minus that is no hyphen"}};

/// The hint on a number that stands beside signs; "" of what is none without them.
std::string sign_hint(std::string_view field) {
  std::string number(field), called;
  const bool is_negative = field.starts_with('(') || field.find('-') != std::string_view::npos ||
                           field.find("\xe2\x88\x92") != std::string_view::npos;
  for (const Sign& sign : signs) {
    bool is_found = false;
    for (std::size_t at = 0; (at = number.find(sign.text, at)) != std::string::npos;) {
      number.erase(at, sign.text.size());
      is_found = true;
    }
    if (is_found && called.find(sign.called) == std::string::npos) {
      called += (called.empty() ? "" : " and ") + std::string(sign.called);
    }
  }
  std::erase(number, '-');
  double value = 0.0;
  if (called.empty() || to_value(number, value) != ValueStatus::good) return "";
  return ", with " + called + ": write " + (is_negative ? "-" : "") + number;
}

std::string marks_hint(std::string_view field, char mark) {
  const std::string decimal(1, mark == ',' ? '.' : ',');
  return std::string(", with ") + (mark == ',' ? "commas" : "points") +
         " between thousands: " + error_text::option("decimal", decimal) + " reads " +
         without_marks(field, mark);
}

}  // namespace

std::string number_hint(std::string_view field, const ReadOptions& options) {
  if (options.decimal == Decimal::automatic) {
    const bool is_decimal = is_decimal_comma(field), has_marks = is_grouped(field, ',');
    const std::string by_option = error_text::option("decimal", ",");
    if (is_decimal && has_marks) {
      return ", whose comma may be decimal or stand between thousands: " + by_option + " reads " +
             with_decimal_point(field) + ", " + error_text::option("decimal", ".") + " reads " +
             without_marks(field, ',');
    }
    if (is_decimal) return ", with a decimal comma: " + by_option + " reads such numbers";
    if (has_marks) return marks_hint(field, ',');
    if (is_grouped(field, '.')) return marks_hint(field, '.');
  }
  if (field == "True" || field == "TRUE" || field == "true" || field == "False" ||
      field == "FALSE" || field == "false") {
    return ": write 1 for true and 0 for false";
  }
  return sign_hint(field);
}

void PointsSeen::see(std::string_view number, std::size_t place) {
  if (decimals || number.find('.') == std::string_view::npos) return;
  decimals = !is_grouped(number, '.');
  ++grouped;
  first = std::min(first, place);
}

void PointsSeen::add(const PointsSeen& other) {
  decimals = decimals || other.decimals;
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
