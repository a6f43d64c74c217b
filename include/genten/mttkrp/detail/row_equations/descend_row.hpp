// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Coordinate descent of one row, by one thread or by a team, by the same code.

#include <genten/base/detail/backend.hpp>
#include <genten/dense/row_constraint.hpp>

#include <Kokkos_Core.hpp>

#include <limits>

namespace genten::detail {

/// Sweeps over the columns at most, and the part of the first sweep's change, squared, below which
/// no other follows: those of RowDescent.
inline constexpr int most_row_sweeps = 10;
inline constexpr double least_row_change_squared = 0.01;

/// Where an element is to be. The ridge stands on the diagonal of systems.
struct ElementRule {
  double l1 = 0.0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// Bounds as rounded to Scalar.
  template <class Scalar>
  [[nodiscard]] static ElementRule of(const RowConstraint& constraint) {
    return {constraint.l1, static_cast<double>(static_cast<Scalar>(constraint.lower)),
            static_cast<double>(static_cast<Scalar>(constraint.upper))};
  }
  [[nodiscard]] KOKKOS_FUNCTION double within(double x) const {
    return x < lower ? lower : x > upper ? upper : x;
  }
  /// The best element, all others of its row as they are: `rest` is the right-hand side less the
  /// product of the others with the system's column.
  [[nodiscard]] KOKKOS_FUNCTION double best(double rest, double diagonal) const {
    const double shrunk = rest > l1    ? rest - l1
                          : rest < -l1 ? rest + l1
                          : l1 > 0.0   ? 0.0 * rest
                                       : rest;
    return within(shrunk / diagonal);
  }
  /// The same where the system does not say anything of the element: where the sum does not depend
  /// on it, it stays; where it is not known, or has a price, it is as near to 0 as may be.
  [[nodiscard]] KOKKOS_FUNCTION double unsaid(double old, bool is_unknown) const {
    return within(is_unknown || l1 > 0.0 ? 0.0 : old);
  }
};

/// The loops of one thread.
struct OneThread {
  template <class Body>
  KOKKOS_FUNCTION void each(int count, const Body& body) const {
    for (int j = 0; j < count; ++j) body(j);
  }
  KOKKOS_FUNCTION void wait() const {}
};

/// The loops of a team, after which it waits.
template <class Member>
struct OneTeam {
  const Member& team;

  template <class Body>
  KOKKOS_FUNCTION void each(int count, const Body& body) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), body);
    team.team_barrier();
  }
  KOKKOS_FUNCTION void wait() const { team.team_barrier(); }
};

/// Improves the row `x` towards the minimum of 1/2 x H x^T - v x^T + l1 sum |x| within the bounds:
/// cyclic coordinate descent, as RowDescent has it. `matrix` is H, all of it, in lines of `line`;
/// `gradient` holds v and is lost. Diagonal elements that are not above unknown(k) are not known.
/// Returns how far the row was from where it should be: see RowDescent::violation.
GENTEN_CALLS_ARGUMENT
template <class Loops, class Unknown>
KOKKOS_FUNCTION double descend_row(const Loops& loops, int n, int line, const double* matrix,
                                   double* gradient, double* x, const ElementRule& rule,
                                   const Unknown& unknown) {
  const auto target = [&](int r, double least) {
    const double diagonal = matrix[r * (line + 1)];
    const double old = x[r];
    if (diagonal - diagonal != 0.0) return diagonal - diagonal;  // not finite: nor is the row
    if (!(diagonal > least)) return rule.unsaid(old, least > 0.0);
    return rule.best(diagonal * old - gradient[r], diagonal);
  };
  const auto root = [&](int r) {
    const double diagonal = matrix[r * (line + 1)];
    return diagonal > 0.0 ? ::sqrt(diagonal) : 0.0;
  };
  loops.each(n, [&](const int i) {
    double product = 0.0;
    for (int j = 0; j < n; ++j) product += matrix[i * line + j] * x[j];
    gradient[i] = product - gradient[i];
  });
  double violation = 0.0;
  for (int r = 0; r < n; ++r) {
    const double step = root(r) * (target(r, unknown(r)) - x[r]);
    const double size = step < 0.0 ? -step : step;
    violation = violation < size ? size : violation;
  }
  double first = 0.0;
  for (int sweep = 0; sweep < most_row_sweeps; ++sweep) {
    double change = 0.0;
    for (int r = 0; r < n; ++r) {
      const double now = target(r, unknown(r)), step = now - x[r];
      if (step == 0.0) continue;
      const double weighted = root(r) * step;
      change += weighted * weighted;
      loops.wait();  // all have read what is overwritten
      loops.each(n, [&](const int j) {
        gradient[j] += step * matrix[r * line + j];
        if (j == r) x[r] = now;
      });
    }
    if (sweep == 0) first = change;
    if (!(change > least_row_change_squared * first)) break;
  }
  return violation;
}

}  // namespace genten::detail
