// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// One-sided Jacobi rotations: which rows meet, and what makes two rows orthogonal.

#include <genten/base/types.hpp>

#include <limits>

namespace genten::detail {

/// Pair `p` of a round of the tournament in which each of `even` rows meets all others.
KOKKOS_INLINE_FUNCTION void jacobi_pair(int even, int round, int p, int& one, int& other) {
  const int circle = even - 1;
  one = p == 0 ? circle : (round + p) % circle;
  other = p == 0 ? round : (round + circle - p) % circle;
}

/// A rotation of two rows, of which `one` and `other` are the squared lengths.
struct JacobiTurn {
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  double cosine = 1.0, sine = 0.0;  ///< a sine of 0: the rows stay

  /// Chooses the one that makes rows with this `product` orthogonal, and updates their squared
  /// lengths. Rows that are orthogonal, or no longer than half of `least`, stay.
  static KOKKOS_INLINE_FUNCTION JacobiTurn choose(double& one, double& other, double product,
                                                  double least) {
    const double a = one, b = other, c = product;
    const double shortest = 0.25 * least * least;
    if (a <= shortest || b <= shortest ||
        (c < 0.0 ? -c : c) <= 4.0 * epsilon * ::sqrt(a) * ::sqrt(b)) {
      return {};
    }
    const double theta = (b - a) / (2.0 * c);
    const double tangent =
        (theta < 0.0 ? -1.0 : 1.0) / ((theta < 0.0 ? -theta : theta) + ::sqrt(1.0 + theta * theta));
    const double cosine = 1.0 / ::sqrt(1.0 + tangent * tangent);
    one = a - tangent * c;
    other = b + tangent * c;
    return {cosine, tangent * cosine};
  }
};

}  // namespace genten::detail
