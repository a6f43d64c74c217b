// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// WideSpdInverse's kernels on rows: scaling, norms, and rotations of pairs.

#include <genten/dense/detail/jacobi_turn.hpp>
#include <genten/dense/wide_spd_inverse.hpp>

#include <limits>

namespace genten::detail {

inline constexpr double spd_epsilon = std::numeric_limits<double>::epsilon();

[[nodiscard]] KOKKOS_INLINE_FUNCTION bool is_finite(double x) {
  return x - x == 0.0;
}

/// The sum of element(j) for j below n by a team, which all its threads get.
template <class Member, class Element>
[[nodiscard]] KOKKOS_FUNCTION double sum_of(const Member& team, int n, const Element& element) {
  double total = 0.0;
  Kokkos::parallel_reduce(
      Kokkos::TeamThreadRange(team, n), [&](const int j, double& sum) { sum += element(j); },
      total);
  return total;
}

/// The largest of element(j) for j below n, none below zero, likewise.
template <class Member, class Element>
[[nodiscard]] KOKKOS_FUNCTION double largest_of(const Member& team, int n, const Element& element) {
  double most = 0.0;
  Kokkos::parallel_reduce(
      Kokkos::TeamThreadRange(team, n),
      [&](const int j, double& best) {
        const double x = element(j);
        best = best < x ? x : best;
      },
      Kokkos::Max<double>(most));
  return most;
}

/// What scales the diagonal to one: 0 where it is not positive.
struct ScaleOfDiagonal {
  WideSpdArrays arrays;

  KOKKOS_FUNCTION void operator()(const int i) const {
    const double own = i < arrays.size ? arrays.at(i, i) : 1.0;
    arrays.scale[i] = own > 0.0 ? 1.0 / ::sqrt(own) : 0.0;
    if (i == 0) arrays.status->broken = 0;
  }
};

/// Scales a row a team, sums it, and writes what fills up the blocks: rows and columns of the unit
/// matrix.
template <ExecutionSpace Exec>
struct ScaleRows {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  WideSpdArrays arrays;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank(), n = arrays.size;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, i < n ? n : 0, arrays.stride),
                         [&](const int j) { arrays.at(i, j) = i == j ? 1.0 : 0.0; });
    if (i >= n) return;  // the same for the whole team
    const double wrong =
        sum_of(team, n, [&](int j) { return is_finite(arrays.at(i, j)) ? 0.0 : 1.0; });
    team.team_barrier();
    const double scale = arrays.scale[i];
    const double total = sum_of(team, n, [&](int j) {
      const double x = arrays.at(i, j) * scale * arrays.scale[j];
      arrays.at(i, j) = x;
      return x < 0.0 ? -x : x;
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      arrays.roots[i] = wrong;
      arrays.sums[i] = total;
    });
  }
};

/// Sums magnitudes or squares of a row of one of the matrices a team.
template <ExecutionSpace Exec>
struct SumRows {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  WideSpdArrays arrays;
  const double* matrix;
  double* sums;
  bool of_squares;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    const double total = sum_of(team, arrays.size, [&](int j) {
      const double x = matrix[arrays.element(i, j)];
      return of_squares ? x * x : (x < 0.0 ? -x : x);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { sums[i] = total; });
  }
};

/// One team makes the status out of what the others found.
template <ExecutionSpace Exec>
struct JudgeInverse {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  WideSpdArrays arrays;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = arrays.size;
    const double wrong = sum_of(team, n, [&](int i) { return arrays.roots[i]; });
    const double norm = largest_of(team, n, [&](int i) { return arrays.sums[i]; });
    const double inverse_norm = largest_of(team, n, [&](int i) { return arrays.other_sums[i]; });
    // The largest passes over NaN.
    const double bad = sum_of(team, n, [&](int i) {
      return arrays.scale[i] > 0.0 && is_finite(arrays.other_sums[i]) ? 0.0 : 1.0;
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      WideSpdStatus& status = *arrays.status;
      const double rcond = 1.0 / (norm * inverse_norm);
      status.reciprocal_condition = rcond;
      status.finite = wrong == 0.0 ? 1 : 0;
      status.definite =
          wrong == 0.0 && bad == 0.0 && status.broken == 0 && rcond >= 10.0 * n * spd_epsilon ? 1
                                                                                              : 0;
    });
  }
};

/// One team begins a sweep of rotations: from which length on rows count. It also writes what takes
/// rows, if they are orthogonal, to scaled eigenvectors.
template <ExecutionSpace Exec>
struct BeginSweep {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  WideSpdArrays arrays;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = arrays.size;
    const double least =
        n * spd_epsilon * ::sqrt(largest_of(team, n, [&](int i) { return arrays.squares[i]; }));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](const int k) {
      const double eigenvalue = ::sqrt(arrays.squares[k]);
      arrays.roots[k] = eigenvalue > least ? 1.0 / (eigenvalue * ::sqrt(eigenvalue)) : 0.0;
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      arrays.status->least = least;
      arrays.status->turns = 0;
    });
  }
};

/// Turns the pairs of a round that are not orthogonal, a team a pair.
template <ExecutionSpace Exec>
struct TurnPairs {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  WideSpdArrays arrays;
  int even, round;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = arrays.size;
    int one = 0, other = 0;
    jacobi_pair(even, round, team.league_rank(), one, other);
    if (one >= n) return;  // the odd row out, the same for the whole team
    double* const x = arrays.matrix + arrays.element(one, 0);
    double* const y = arrays.matrix + arrays.element(other, 0);
    const double product = sum_of(team, n, [&](int j) { return x[j] * y[j]; });
    double square = arrays.squares[one], other_square = arrays.squares[other];
    const auto turn = JacobiTurn::choose(square, other_square, product, arrays.status->least);
    if (turn.sine == 0.0) return;  // likewise
    team.team_barrier();           // all have read the lengths
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](const int j) {
      const double from = x[j], to = y[j];
      x[j] = turn.cosine * from - turn.sine * to;
      y[j] = turn.sine * from + turn.cosine * to;
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      arrays.squares[one] = square;
      arrays.squares[other] = other_square;
      Kokkos::atomic_add(&arrays.status->turns, 1);
    });
  }
};

}  // namespace genten::detail
