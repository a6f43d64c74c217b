// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RowConstraint: what the rows of a factor have to pay and where they must stay.

#include <limits>

namespace genten {

/// Penalties and bounds of the elements of one factor A: to what is minimized they add
/// ridge / 2 ||A||^2 + l1 sum |A|, and every element is to be from `lower` to `upper`.
struct RowConstraint {
  static constexpr double none = std::numeric_limits<double>::infinity();

  double ridge = 0.0;
  double l1 = 0.0;
  double lower = -none;
  double upper = none;

  [[nodiscard]] constexpr bool is_bounded() const { return lower > -none || upper < none; }
  /// Whether the best rows are linear in the right-hand sides: one R x R inverse serves all.
  [[nodiscard]] constexpr bool is_linear() const { return l1 == 0.0 && !is_bounded(); }
  [[nodiscard]] constexpr bool is_free() const { return is_linear() && ridge == 0.0; }
  /// Whether a column may be multiplied by any positive number.
  [[nodiscard]] constexpr bool allows_scaling() const {
    return ridge == 0.0 && l1 == 0.0 && (lower == 0.0 || lower == -none) &&
           (upper == 0.0 || upper == none);
  }
  [[nodiscard]] constexpr bool contains(double x) const { return x >= lower && x <= upper; }
  friend bool operator==(const RowConstraint&, const RowConstraint&) = default;
};

}  // namespace genten
