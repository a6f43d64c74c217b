// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Why a field is no value.

#include "numbers.hpp"
#include "separators.hpp"

#include <string>
#include <string_view>

namespace genten::detail {

/// What to say of a field that stands where a value must and that `to_value` refuses.
template <class Scalar>
[[nodiscard]] std::string wrong_value(std::string_view field) {
  Scalar value = 0;
  const ValueStatus status = to_value(field, value);
  if (status == ValueStatus::not_a_number) {
    return "expected a number as the value, got " + in_quotes(field) +
           trailing_separator_hint(field);
  }
  const std::string precision = std::string(precision_name<Scalar>) + " precision";
  const std::string the_value = "the value " + in_quotes(field);
  if (status == ValueStatus::too_small) {
    return the_value + " is too small for " + precision + ", it would become 0";
  }
  double wide = 0.0;
  if (to_value(field, wide) == ValueStatus::good) {
    return the_value + " is too large for " + precision;
  }
  return the_value + " is not finite in " + precision;
}

}  // namespace genten::detail
