// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The constraints of each mode, from the options.

#include <genten/base/error.hpp>
#include <genten/base/option_field.hpp>
#include <genten/core/mode_selection.hpp>
#include <genten/dense/row_constraint.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

namespace detail {

/// The number of a mode: of a list the mode's, of one number that, of none `otherwise`.
[[nodiscard]] inline double number_of_mode(const char* name, const std::vector<double>& numbers,
                                           std::size_t mode, std::size_t order, double otherwise) {
  if (numbers.empty()) return otherwise;
  if (numbers.size() != 1 && numbers.size() != order) {
    throw Error::of_option(name, "expected one number for all modes or " + std::to_string(order) +
                                     ", one a mode, got " + std::to_string(numbers.size()));
  }
  return numbers[numbers.size() == 1 ? 0 : mode];
}

/// Throws Error for bounds that no number is within.
inline void check_bounds(const RowConstraint& constraint, std::size_t mode) {
  const bool some = constraint.lower <= constraint.upper &&
                    constraint.lower < RowConstraint::none &&
                    constraint.upper > -RowConstraint::none;
  if (some) return;
  throw Error("options lower, upper and nonnegative: no number is from " +
              number_text(constraint.lower) + " to " + number_text(constraint.upper) +
              ", as mode " + error_text::number(mode) + error_text::counted() + " would have it");
}

/// Throws Error for a bound other than 0 that is 0 or infinite as a Scalar.
template <class Scalar>
void check_bounds_as(const std::vector<RowConstraint>& constraints) {
  for (const RowConstraint& each : constraints) {
    for (const double bound : {each.lower, each.upper}) {
      if (bound == 0.0 || std::abs(bound) >= RowConstraint::none) continue;
      const auto stored = static_cast<Scalar>(bound);
      if (stored != Scalar(0) && std::isfinite(stored)) continue;
      throw Error("options lower and upper: " + number_text(bound) + " is " +
                  (stored == Scalar(0) ? "0" : "infinite") + " in single precision");
    }
  }
}

}  // namespace detail

/// Options that have penalties and bounds of the factors, as CpAlsOptions says.
template <class Options>
concept ConstraintOptions = requires(const Options& options) {
  { options.nonnegative } -> std::convertible_to<const ModeSelection&>;
  { options.ridge } -> std::convertible_to<const std::vector<double>&>;
  { options.l1 } -> std::convertible_to<const std::vector<double>&>;
  { options.lower } -> std::convertible_to<const std::vector<double>&>;
  { options.upper } -> std::convertible_to<const std::vector<double>&>;
};

/// The help of most solvers on `ridge`.
inline constexpr std::string_view ridge_help =
    "penalty, half of it times the squared 2-norm of the factor; one number for all modes or one a "
    "mode";
/// The help of most solvers on `l1`.
inline constexpr std::string_view l1_help =
    "penalty times the sum of the factor's absolute values, likewise";

/// The lines of these five in the table of the options, of which solvers may say something else of
/// penalties.
template <class Options>
[[nodiscard]] constexpr auto constraint_fields(std::string_view ridge = ridge_help,
                                               std::string_view l1 = l1_help) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return member_table(
      option_field("nonnegative", &Options::nonnegative,
                   "modes whose factors have no negative elements"),
      option_field("ridge", &Options::ridge, ridge, 0.0), option_field("l1", &Options::l1, l1, 0.0),
      option_field("lower", &Options::lower,
                   "the factor's elements are at least this, likewise; -inf: no bound", -infinity,
                   infinity),
      option_field("upper", &Options::upper,
                   "the factor's elements are at most this, likewise; inf: no bound", -infinity,
                   infinity));
}

/// What the options ask of each mode of a tensor of that order. Throws Error for lists of another
/// length, for modes that there are not or that are named twice, and for bounds that no number is
/// within.
template <ConstraintOptions Options>
[[nodiscard]] std::vector<RowConstraint> row_constraints(const Options& options,
                                                         std::size_t order) {
  std::vector<RowConstraint> constraints(order);
  for (std::size_t n = 0; n < order; ++n) {
    const auto number = [&](const char* name, const std::vector<double>& numbers,
                            double otherwise) {
      return detail::number_of_mode(name, numbers, n, order, otherwise);
    };
    RowConstraint& of_mode = constraints[n];
    of_mode.ridge = number("ridge", options.ridge, 0.0);
    of_mode.l1 = number("l1", options.l1, 0.0);
    of_mode.lower = number("lower", options.lower, -RowConstraint::none);
    of_mode.upper = number("upper", options.upper, RowConstraint::none);
    if (options.nonnegative.contains(static_cast<int>(n))) {
      of_mode.lower = std::max(of_mode.lower, 0.0);
    }
    detail::check_bounds(of_mode, n);
  }
  return constraints;
}

/// Whether a mode has a penalty.
[[nodiscard]] inline bool is_penalized(const RowConstraint& constraint) {
  return constraint.ridge > 0.0 || constraint.l1 > 0.0;
}

/// Whether any mode has one.
[[nodiscard]] inline bool is_penalized(const std::vector<RowConstraint>& constraints) {
  return std::any_of(constraints.begin(), constraints.end(),
                     [](const RowConstraint& each) { return is_penalized(each); });
}

/// Whether a model may be normalized without leaving its bounds.
[[nodiscard]] inline bool bounds_allow_scaling(const std::vector<RowConstraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(), [](const RowConstraint& each) {
    return RowConstraint{.lower = each.lower, .upper = each.upper}.allows_scaling();
  });
}

/// Whether `fix_signs`, which changes the signs of columns whose largest element is negative,
/// leaves a model within its bounds.
[[nodiscard]] inline bool bounds_allow_signs(const std::vector<RowConstraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(), [](const RowConstraint& each) {
    return !each.is_bounded() || (each.lower == 0.0 && each.upper == RowConstraint::none);
  });
}

/// Whether any mode has a constraint.
[[nodiscard]] inline bool any_constraint(const std::vector<RowConstraint>& constraints) {
  return std::any_of(constraints.begin(), constraints.end(),
                     [](const RowConstraint& each) { return !each.is_free(); });
}

/// Whether columns may be multiplied by positive numbers, in one mode, and divided in another: then
/// factors are normalized while they are sought, and when they are found.
[[nodiscard]] inline bool allow_scaling(const std::vector<RowConstraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(),
                     [](const RowConstraint& each) { return each.allows_scaling(); });
}

}  // namespace genten
