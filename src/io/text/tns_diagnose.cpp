// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.hpp"
#include "separators.hpp"
#include "tns_parse.hpp"
#include "wrong_value.hpp"

#include <algorithm>

namespace genten::detail {

namespace {

std::string mode_name(std::size_t n) {
  return "mode " + std::to_string(n + 1);
}

/// Why a field of a line is no subscript; the field is not all digits.
std::string not_a_subscript(std::string_view field, std::size_t n, std::uint64_t base,
                            std::string_view line) {
  double number = 0.0;
  if (to_value(field, number) != ValueStatus::good) {
    const std::string hint = trailing_separator_hint(field);
    return "expected a subscript in " + mode_name(n) + ", got " + in_quotes(field) +
           ", which is not a number" + (hint.empty() ? table_hint(line) : hint);
  }
  if (number < 0.0) {
    return "negative subscript " + in_quotes(field) + " in " + mode_name(n) + ": the smallest is " +
           std::to_string(base);
  }
  return "expected a subscript in " + mode_name(n) + " as a whole number in plain digits, got " +
         in_quotes(field);
}

template <class Ordinal>
Diagnosis out_of_range(std::string_view field, std::size_t n, const TextLayout& layout,
                       const EntryRules& rules) {
  const std::string where = "subscript " + std::string(field.substr(0, 40)) + " in " + mode_name(n);
  const auto number = to_count(field);
  if (number == 0 && rules.base == 1) {
    return {where +
            ", but subscripts count from 1 here: if those of this file count from 0, read "
            "it with " +
            error_text::option("index-base", "0")};
  }
  if (!layout.dimensions.empty()) {
    std::string message =
        where + " is out of range: the dimension is " + std::to_string(layout.dimensions[n]);
    if (layout.dimensions_line != 0) {
      message += ", says the header in line " + std::to_string(layout.dimensions_line);
    }
    if (rules.base == 0) message += "; subscripts count from 0 here";
    return {message};
  }
  const bool fits_64 = number && field.size() <= most_digits;
  if (sizeof(Ordinal) == 4 && fits_64) {
    return {where + " is too large for 32-bit ordinals: use 64-bit ones", true};
  }
  return {where + " is too large for " + std::to_string(8 * sizeof(Ordinal)) + "-bit ordinals"};
}

}  // namespace

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
Diagnosis diagnose(std::string_view line, const TextLayout& layout, const EntryRules& rules) {
  const auto fields = split_fields(without_comment(line));
  const std::size_t expected = rules.order + (rules.ones ? 0 : 1);
  if (fields.size() != expected) {
    return {"expected " + std::to_string(expected) + " fields (" +
            counted(rules.order, "subscript") + (rules.ones ? "" : " and a value") + "), got " +
            std::to_string(fields.size())};
  }
  for (std::size_t n = 0; n < rules.order; ++n) {
    const std::string_view field = fields[n];
    if (!std::all_of(field.begin(), field.end(), is_digit)) {
      return {not_a_subscript(field, n, rules.base, line)};
    }
    const auto number = to_count(field);
    const bool in_range =
        number && field.size() <= most_digits && *number - rules.base < rules.limits[n];
    if (!in_range) return out_of_range<Ordinal>(field, n, layout, rules);
  }
  const bool has_comma = has_decimal_comma(fields.back());
  return {wrong_value<Scalar>(fields.back()) +
          (has_comma ? ": decimals stand behind a point, not a comma" : "")};
}

template Diagnosis diagnose<float, std::uint32_t>(std::string_view, const TextLayout&,
                                                  const EntryRules&);
template Diagnosis diagnose<float, std::uint64_t>(std::string_view, const TextLayout&,
                                                  const EntryRules&);
template Diagnosis diagnose<double, std::uint32_t>(std::string_view, const TextLayout&,
                                                   const EntryRules&);
template Diagnosis diagnose<double, std::uint64_t>(std::string_view, const TextLayout&,
                                                   const EntryRules&);

}  // namespace genten::detail
