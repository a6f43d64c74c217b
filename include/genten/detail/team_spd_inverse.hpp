// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// TeamSpdInverse: what spd_inverse does on the host by LAPACK, by one team of a device. There the
/// small matrix is far from what LAPACK could use, and near to what needs its inverse.

#include <genten/core/types.hpp>

#include <limits>

namespace genten::detail {

/// Inverts a symmetric positive semidefinite matrix, written by `at`, by the rules of spd_inverse,
/// except that the condition number is computed and not estimated. Members but `at` and what reads
/// results are called by all threads of the team together.
template <class Member>
class TeamSpdInverse {
 public:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  /// Doubles that a matrix of n rows takes.
  [[nodiscard]] static std::size_t room(int n) {
    const auto size = static_cast<std::size_t>(n);
    return size * (static_cast<std::size_t>(padded(n)) + size + 4) + 2;
  }

  KOKKOS_FUNCTION TeamSpdInverse(const Member& team, int n, double* room)
      : m_team(team),
        m_n(n),
        m_stride(padded(n)),
        m_matrix(room),
        m_second(m_matrix + n * m_stride),
        m_scale(m_second + n * n),
        m_roots(m_scale + n),
        m_turns(m_roots + n) {}

  KOKKOS_FUNCTION double& at(int i, int j) const { return m_matrix[i * m_stride + j]; }

  /// Calls body(i, j) for all elements; neighbouring threads have neighbouring columns.
  template <class Body>
  KOKKOS_FUNCTION void for_each(const Body& body) const {
    for (int i = group(); i < m_n; i += groups()) {
      for (int j = lane(); j < m_n; j += lanes()) body(i, j);
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION bool finite() const {
    m_team.team_barrier();
    int wrong = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m_team, m_n),
        [&](const int i, int& sum) {
          for (int j = 0; j < m_n; ++j) sum += at(i, j) - at(i, j) == 0.0 ? 0 : 1;
        },
        wrong);
    return wrong == 0;
  }

  /// Scales the matrix to unit diagonal and replaces it by the inverse of its Cholesky factor.
  /// False if it is not safely positive definite; the matrix is then lost. Otherwise
  /// `reciprocal_condition` is that of the scaled matrix.
  [[nodiscard]] KOKKOS_FUNCTION bool invert(double& reciprocal_condition) const {
    if (!scale_to_unit_diagonal()) return false;
    const double norm = largest_sum([&](int j, int i) { return at(j, i); });
    if (!eliminate()) return false;
    square_triangle();
    reciprocal_condition =
        1.0 / (norm * largest_sum([&](int j, int i) { return m_second[i * m_n + j]; }));
    return reciprocal_condition >= 10.0 * m_n * epsilon;
  }

  /// After `invert`: an element of the inverse.
  [[nodiscard]] KOKKOS_FUNCTION double inverse(int i, int j) const {
    return m_second[i * m_n + j] * m_scale[i] * m_scale[j];
  }
  /// After `invert`: an element of the lower triangular matrix L with L^T L the inverse.
  [[nodiscard]] KOKKOS_FUNCTION double inverse_factor(int i, int j) const {
    return j <= i ? at(i, j) * m_scale[j] : 0.0;
  }

  /// Computes all eigenvalues and eigenvectors by Jacobi's method, rotations of disjoint pairs of
  /// rows and columns at once (Brent and Luk 1985).
  KOKKOS_FUNCTION void diagonalize() const {
    constexpr int most_sweeps = 40;
    for_each([&](int i, int j) { m_second[i * m_n + j] = i == j ? 1.0 : 0.0; });
    const int even = m_n + m_n % 2;
    for (int sweep = 0; sweep < most_sweeps && !is_diagonal(); ++sweep) {
      for (int round = 0; round < even - 1; ++round) rotate(even, round);
    }
    m_team.team_barrier();
    double most = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m_team, m_n),
        [&](const int k, double& best) { best = best < at(k, k) ? at(k, k) : best; },
        Kokkos::Max<double>(most));
    const double smallest = m_n * epsilon * most;
    for_each_row([&](int k) { m_roots[k] = at(k, k) > smallest ? 1.0 / ::sqrt(at(k, k)) : 0.0; });
    m_team.team_barrier();
  }
  /// After `diagonalize`: element i of eigenvector k, divided by the square root of its eigenvalue;
  /// 0 for eigenvalues that are nothing but rounding.
  [[nodiscard]] KOKKOS_FUNCTION double scaled_eigenvector(int k, int i) const {
    return m_second[k * m_n + i] * m_roots[k];
  }

 private:
  /// Odd, so that the elements of a column do not meet in one bank of the first cache.
  KOKKOS_FUNCTION static int padded(int n) { return n | 1; }

  // Threads of a warp have neighbouring columns, warps have rows.
  [[nodiscard]] KOKKOS_FUNCTION int lanes() const { return m_team.team_size() % 32 == 0 ? 32 : 1; }
  [[nodiscard]] KOKKOS_FUNCTION int groups() const { return m_team.team_size() / lanes(); }
  [[nodiscard]] KOKKOS_FUNCTION int lane() const { return m_team.team_rank() % lanes(); }
  [[nodiscard]] KOKKOS_FUNCTION int group() const { return m_team.team_rank() / lanes(); }

  template <class Body>
  KOKKOS_FUNCTION void for_each_row(const Body& body) const {
    for (int i = m_team.team_rank(); i < m_n; i += m_team.team_size()) body(i);
  }

  /// The largest sum of absolute values element(j, i) over i, of all j.
  template <class Element>
  [[nodiscard]] KOKKOS_FUNCTION double largest_sum(const Element& element) const {
    m_team.team_barrier();
    double most = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m_team, m_n),
        [&](const int j, double& best) {
          double sum = 0.0;
          for (int i = 0; i < m_n; ++i) sum += size(element(j, i));
          best = best < sum ? sum : best;
        },
        Kokkos::Max<double>(most));
    return most;
  }

  [[nodiscard]] KOKKOS_FUNCTION bool scale_to_unit_diagonal() const {
    int wrong = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m_team, m_n),
        [&](const int i, int& sum) {
          const bool positive = at(i, i) > 0.0;
          m_scale[i] = positive ? 1.0 / ::sqrt(at(i, i)) : 0.0;
          sum += positive ? 0 : 1;
        },
        wrong);
    m_team.team_barrier();
    if (wrong != 0) return false;
    for_each([&](int i, int j) { at(i, j) *= m_scale[i] * m_scale[j]; });
    m_team.team_barrier();
    return true;
  }

  /// Gaussian elimination of [A | I], whose right part takes the place of A's lower triangle: one
  /// barrier a row. Leaves the inverse of the Cholesky factor. False if a pivot is not positive.
  [[nodiscard]] KOKKOS_FUNCTION bool eliminate() const {
    for (int k = 0; k < m_n; ++k) {
      const double pivot = at(k, k);
      if (!(pivot > 0.0)) return false;
      const double inverse = 1.0 / pivot;
      for (int i = k + 1 + group(); i < m_n; i += groups()) {
        const double factor = at(k, i) * inverse;
        for (int j = lane(); j < m_n; j += lanes()) {
          if (j < k || j >= i) {
            at(i, j) -= factor * at(k, j);
          } else if (j == k) {
            at(i, k) = -factor;
          }
        }
      }
      m_team.team_barrier();
    }
    for_each_row([&](int i) { m_roots[i] = 1.0 / ::sqrt(at(i, i)); });
    m_team.team_barrier();
    for_each([&](int i, int j) {
      if (j <= i) at(i, j) = i == j ? m_roots[i] : at(i, j) * m_roots[i];
    });
    m_team.team_barrier();
    return true;
  }

  /// second = T^T T of the lower triangle T.
  KOKKOS_FUNCTION void square_triangle() const {
    for_each([&](int i, int j) {
      if (j > i) return;
      double sum = 0.0;
      for (int k = i; k < m_n; ++k) sum += at(k, i) * at(k, j);
      m_second[i * m_n + j] = sum;
      m_second[j * m_n + i] = sum;
    });
  }

  /// Whether what is beside the diagonal is less than a rounding of the largest element on it.
  [[nodiscard]] KOKKOS_FUNCTION bool is_diagonal() const {
    m_team.team_barrier();
    double beside = 0.0, on = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m_team, m_n),
        [&](const int j, double& best) {
          for (int i = 0; i < m_n; ++i) {
            if (i != j && best < size(at(j, i))) best = size(at(j, i));
          }
        },
        Kokkos::Max<double>(beside));
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m_team, m_n),
        [&](const int j, double& best) { best = best < size(at(j, j)) ? size(at(j, j)) : best; },
        Kokkos::Max<double>(on));
    return beside <= epsilon * on;
  }

  /// Pair `p` of a round of the tournament in which each of `even` players meets all others.
  KOKKOS_FUNCTION static void pair_of(int even, int round, int p, int& one, int& other) {
    const int circle = even - 1;
    one = p == 0 ? circle : (round + p) % circle;
    other = p == 0 ? round : (round + circle - p) % circle;
  }

  /// Sine of a pair's rotation and its two elements of the diagonal afterwards.
  struct Turn {
    double sine, one, other;
  };
  [[nodiscard]] KOKKOS_FUNCTION Turn& turn_of(int p) const {
    return reinterpret_cast<Turn*>(m_turns)[p];
  }
  [[nodiscard]] KOKKOS_FUNCTION static double size(double x) { return x < 0.0 ? -x : x; }

  /// Finds the rotation that makes element (one, other) vanish; none if it is nothing but rounding.
  KOKKOS_FUNCTION void choose_turn(int p, int one, int other) const {
    const double a = at(one, one), b = at(other, other), c = at(one, other);
    double tangent = 0.0;
    if (size(c) > 1e-3 * epsilon * (size(a) + size(b))) {
      const double theta = (b - a) / (2.0 * c);
      tangent = (theta < 0.0 ? -1.0 : 1.0) / (size(theta) + ::sqrt(1.0 + theta * theta));
    }
    m_roots[p] = 1.0 / ::sqrt(1.0 + tangent * tangent);
    turn_of(p) = {tangent * m_roots[p], a - tangent * c, b + tangent * c};
  }

  /// One round: J^T A J and J^T V^T, with J the rotations of all its pairs.
  KOKKOS_FUNCTION void rotate(int even, int round) const {
    for (int p = m_team.team_rank(); p < even / 2; p += m_team.team_size()) {
      int one = 0, other = 0;
      pair_of(even, round, p, one, other);
      if (one < m_n) choose_turn(p, one, other);
    }
    m_team.team_barrier();
    turn_rows(even, round, m_matrix, m_stride);
    turn_rows(even, round, m_second, m_n);
    m_team.team_barrier();
    for (int p = group(); p < even / 2; p += groups()) {
      int one = 0, other = 0;
      pair_of(even, round, p, one, other);
      if (one >= m_n) continue;  // the odd player out
      const Turn turned = turn_of(p);
      for (int i = lane(); i < m_n; i += lanes()) {
        turn(at(i, one), at(i, other), m_roots[p], turned.sine);
        // Where all that is left is rounding, what it stands for.
        if (i == one) at(i, one) = turned.one;
        if (i == other) at(i, other) = turned.other;
        if (i == one) at(i, other) = 0.0;
        if (i == other) at(i, one) = 0.0;
      }
    }
    m_team.team_barrier();
  }

  KOKKOS_FUNCTION void turn_rows(int even, int round, double* matrix, int stride) const {
    for (int p = group(); p < even / 2; p += groups()) {
      int one = 0, other = 0;
      pair_of(even, round, p, one, other);
      if (one >= m_n) continue;
      for (int j = lane(); j < m_n; j += lanes()) {
        turn(matrix[one * stride + j], matrix[other * stride + j], m_roots[p], turn_of(p).sine);
      }
    }
  }
  KOKKOS_FUNCTION static void turn(double& a, double& b, double cosine, double sine) {
    const double before = a;
    a = cosine * before - sine * b;
    b = sine * before + cosine * b;
  }

  const Member& m_team;
  int m_n;
  int m_stride;
  double* m_matrix;
  double* m_second;  ///< n x n: the inverse of the scaled matrix, or eigenvectors by rows
  double* m_scale;
  double* m_roots;  ///< n: inverse roots; cosines of a round
  double* m_turns;  ///< n / 2 of struct Turn
};

}  // namespace genten::detail
