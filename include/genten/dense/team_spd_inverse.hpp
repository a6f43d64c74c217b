// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// TeamSpdInverse: inside a kernel, one team inverts a small symmetric positive semidefinite
/// matrix. It is what spd_inverse does on the host by LAPACK, for where the matrix is needed on a
/// device: small systems are far from what LAPACK could use there, and a league solves many at a
/// time.

#include <genten/dense/detail/jacobi_turn.hpp>

#include <limits>

namespace genten {

/// Inverts a symmetric positive semidefinite n x n matrix of doubles by the rules of spd_inverse,
/// except that the condition number is computed and not estimated.
///
/// `Member` is the member type of a Kokkos::TeamPolicy, on any execution space and of any team size
/// and vector length. All threads of the team construct it together and call its members together,
/// but for `at` and what reads results (`inverse`, `inverse_factor`, `scaled_eigenvector`), which
/// any thread may call on its own after a barrier. Threads share out rows, their vector lanes
/// columns; of small matrices, a thread takes several rows at once. Results are the same from run
/// to run for the same vector length.
///
///     const TeamSpdInverse inverse(team, n, workspace);    // workspace_size(n) doubles
///     inverse.for_each([&](int i, int j) { inverse.at(i, j) = matrix(i, j); });
///     double rcond = 0.0;
///     if (inverse.invert(rcond)) {
///       // inverse(i, j); or, where rcond is small, first by L^T, then by L = inverse_factor
///     } else {
///       // write the matrix again, it is lost
///       if (!inverse.finite()) ...                         // has a NaN or an infinity
///       // else inverse.diagonalize(): the pseudoinverse is the sum over k of
///       // scaled_eigenvector(k, i) * scaled_eigenvector(k, j)
///     }
///
/// O(n^3) operations, n / 2 barriers for a definite matrix; several times as many for another.
/// Nothing is allocated: `workspace` may be scratch memory or global memory, one for each team. The
/// matrix lies there, too.
template <class Member>
class TeamSpdInverse {
 public:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  /// Doubles of workspace that a matrix of n rows takes.
  [[nodiscard]] KOKKOS_FUNCTION static constexpr std::size_t workspace_size(int n) {
    const auto size = static_cast<std::size_t>(n);
    return size * (2 * size + 4);
  }

  /// For an n x n matrix that `at` writes; `team` must outlive this.
  KOKKOS_FUNCTION TeamSpdInverse(const Member& team, int n, double* workspace)
      : m_team(team),
        m_n(n),
        m_matrix(workspace),
        m_square(m_matrix + n * n),
        m_scale(m_square + n * n),
        m_roots(m_scale + n),
        m_turns(m_roots + n),
        m_squares(m_turns + n) {}

  /// An element of the matrix. All of them are written before the members below are called.
  KOKKOS_FUNCTION double& at(int i, int j) const { return m_matrix[i * m_n + j]; }

  /// Calls body(i, j) for all elements, and waits.
  template <class Body>
  KOKKOS_FUNCTION void for_each(const Body& body) const {
    for_rows(0, body);
  }

  /// Whether the matrix has neither a NaN nor an infinity.
  [[nodiscard]] KOKKOS_FUNCTION bool finite() const {
    int others = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(m_team, m_n * m_n),
        [&](const int each, int& sum) {
          const double element = m_matrix[each];
          sum += element - element != 0.0 ? 1 : 0;
        },
        others);
    m_team.team_barrier();
    return others == 0;
  }

  /// Scales the matrix to unit diagonal and replaces it by the inverse of its Cholesky factor.
  /// False if it is not finite or not safely positive definite (a reciprocal condition below 10 n
  /// epsilon, or a pivot that is not positive); the matrix is then lost. Otherwise
  /// `reciprocal_condition` is that of the scaled matrix in the 1-norm. A NaN or an infinity in the
  /// upper triangle, or an element of the diagonal that is not positive, leads to a pivot that is
  /// not positive.
  [[nodiscard]] KOKKOS_FUNCTION bool invert(double& reciprocal_condition) const {
    scale_to_unit_diagonal();
    sum_columns(m_matrix, m_turns);
    if (!eliminate()) return false;
    square_triangle();
    sum_columns(m_square, m_squares);
    reciprocal_condition = 1.0 / (largest(m_turns) * largest(m_squares));
    return reciprocal_condition >= 10.0 * m_n * epsilon;
  }

  /// After `invert`: an element of the inverse.
  [[nodiscard]] KOKKOS_FUNCTION double inverse(int i, int j) const {
    return m_square[i * m_n + j] * m_scale[i] * m_scale[j];
  }
  /// After `invert`: an element of the lower triangular matrix L with L^T L the inverse.
  [[nodiscard]] KOKKOS_FUNCTION double inverse_factor(int i, int j) const {
    return j <= i ? at(i, j) * m_scale[j] : 0.0;
  }

  /// Turns the rows of the matrix until they are orthogonal: each is then an eigenvector, as long
  /// as its eigenvalue. This is Jacobi's method in the one-sided form of Hestenes (1958), with as
  /// many disjoint pairs of rows at once as there are (Brent and Luk 1985). Rows no longer than
  /// what rounding leaves of zero are let be.
  KOKKOS_FUNCTION void diagonalize() const {
    constexpr int most_sweeps = 40;
    const int even = m_n + m_n % 2;
    int turned = 1;
    for (int sweep = 0; sweep < most_sweeps && turned != 0; ++sweep) {
      measure_rows();
      turned = 0;
      for (int round = 0; round < even - 1; ++round) turned += turn_pairs(even, round);
    }
    measure_rows();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(m_team, m_n), [&](const int k) {
      const double eigenvalue = ::sqrt(m_squares[k]);
      m_roots[k] = eigenvalue > m_least ? 1.0 / (eigenvalue * ::sqrt(eigenvalue)) : 0.0;
    });
    m_team.team_barrier();
  }
  /// After `diagonalize`: element i of eigenvector k, divided by the square root of its eigenvalue;
  /// 0 for eigenvalues that are nothing but rounding.
  [[nodiscard]] KOKKOS_FUNCTION double scaled_eigenvector(int k, int i) const {
    return at(k, i) * m_roots[k];
  }

 private:
  [[nodiscard]] KOKKOS_FUNCTION static double size(double x) { return x < 0.0 ? -x : x; }

  /// The sum of element(i, j) over j.
  template <class Element>
  [[nodiscard]] KOKKOS_FUNCTION double row_sum(const Element& element) const {
    double total = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(m_team, m_n),
        [&](const int j, double& sum) { sum += element(j); }, total);
    return total;
  }

  /// Calls body(i, j) for all elements of the rows from `first` on, and waits.
  template <class Body>
  KOKKOS_FUNCTION void for_rows(int first, const Body& body) const {
    constexpr int shift = 4;
    if (m_n <= 1 << shift) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(m_team, (m_n - first) << shift),
                           [&](const int each) {
                             const int j = each & ((1 << shift) - 1);
                             if (j < m_n) body(first + (each >> shift), j);
                           });
    } else {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(m_team, first, m_n), [&](const int i) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(m_team, m_n),
                             [&](const int j) { body(i, j); });
      });
    }
    m_team.team_barrier();
  }

  /// Sums of the magnitudes in columns, which neighbouring threads read side by side.
  KOKKOS_FUNCTION void sum_columns(const double* matrix, double* sums) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(m_team, m_n), [&](const int j) {
      double sum = 0.0;
      for (int i = 0; i < m_n; ++i) sum += size(matrix[i * m_n + j]);
      sums[j] = sum;
    });
    m_team.team_barrier();
  }
  /// Of numbers that all threads see.
  [[nodiscard]] KOKKOS_FUNCTION double largest(const double* numbers) const {
    double most = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(m_team, m_n),
        [&](const int i, double& best) { best = best < numbers[i] ? numbers[i] : best; },
        Kokkos::Max<double>(most));
    return most;
  }

  KOKKOS_FUNCTION void scale_to_unit_diagonal() const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(m_team, m_n),
                         [&](const int i) { m_scale[i] = 1.0 / ::sqrt(at(i, i)); });
    m_team.team_barrier();
    for_each([&](int i, int j) { at(i, j) *= m_scale[i] * m_scale[j]; });
  }

  /// Gaussian elimination of [A | I], whose right part takes the place of A's lower triangle. Two
  /// rows are eliminated between barriers: of the second, which others read as it was before the
  /// first was, the thread of each element knows what it becomes, and it is written between the
  /// next two barriers. Leaves the inverse of the Cholesky factor. False if a pivot is not
  /// positive.
  [[nodiscard]] KOKKOS_FUNCTION bool eliminate() const {
    double factor = 0.0;  // by which row k - 1 is to be reduced by row k - 2
    int k = 0;
    for (; k + 1 < m_n; k += 2) {
      const double pivot = at(k, k), inverse = 1.0 / pivot;
      const double next_factor = at(k, k + 1) * inverse;
      const double next_pivot = at(k + 1, k + 1) - next_factor * at(k, k + 1);
      if (!(pivot > 0.0 && next_pivot > 0.0)) return fail();
      const double next_inverse = 1.0 / next_pivot;
      for_rows(k + 1, [&](int i, int j) {
        if (i == k + 1) {
          if (k > 0) reduce_second(k - 1, j, factor);
          return;
        }
        const double above = at(k, i), of_first = above * inverse;
        const double of_second = (at(k + 1, i) - next_factor * above) * next_inverse;
        if (j < k || j >= i) {
          const double first = at(k, j), second = at(k + 1, j) - next_factor * first;
          at(i, j) -= of_first * first + of_second * second;
        } else if (j == k) {
          at(i, k) = of_second * next_factor - of_first;
        } else if (j == k + 1) {
          at(i, k + 1) = -of_second;
        }
      });
      factor = next_factor;
    }
    if (k < m_n && !(at(k, k) > 0.0)) return fail();
    if (k > 0) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(m_team, m_n),
                           [&](const int j) { reduce_second(k - 1, j, factor); });
      m_team.team_barrier();
    }
    Kokkos::parallel_for(Kokkos::TeamVectorRange(m_team, m_n),
                         [&](const int i) { m_roots[i] = 1.0 / ::sqrt(at(i, i)); });
    m_team.team_barrier();
    for_each([&](int i, int j) {
      if (j <= i) at(i, j) = i == j ? m_roots[i] : at(i, j) * m_roots[i];
    });
    return true;
  }
  /// What the elimination of the row before makes of an element of row i.
  KOKKOS_FUNCTION void reduce_second(int i, int j, double factor) const {
    at(i, j) = j == i - 1 ? -factor : at(i, j) - factor * at(i - 1, j);
  }
  /// The caller overwrites the pivots, which all must have read.
  [[nodiscard]] KOKKOS_FUNCTION bool fail() const {
    m_team.team_barrier();
    return false;
  }

  /// square = T^T T of the lower triangle T.
  KOKKOS_FUNCTION void square_triangle() const {
    for_each([&](int i, int j) {
      if (j > i) return;
      double sum = 0.0;
      for (int k = i; k < m_n; ++k) sum += at(k, i) * at(k, j);
      m_square[i * m_n + j] = sum;
      m_square[j * m_n + i] = sum;
    });
  }

  /// Writes the squared lengths of all rows, and sets the length from which on they count.
  KOKKOS_FUNCTION void measure_rows() const {
    double most = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(m_team, m_n),
        [&](const int i, double& best) {
          const double square = row_sum([&](int j) { return at(i, j) * at(i, j); });
          m_squares[i] = square;
          best = best < square ? square : best;
        },
        Kokkos::Max<double>(most));
    m_team.team_barrier();
    m_least = m_n * epsilon * ::sqrt(most);
  }

  /// Turns the pairs of a round that are not orthogonal, and returns how many they are.
  [[nodiscard]] KOKKOS_FUNCTION int turn_pairs(int even, int round) const {
    for_each_pair(even, round, [&](int p, int one, int other) {
      m_turns[p] = row_sum([&](int j) { return at(one, j) * at(other, j); });
    });
    int turned = 0;
    // All angles at once: a division by every lane of a thread would cost as much as all of them.
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(m_team, even / 2),
        [&](const int p, int& sum) { sum += choose_turn(even, round, p) ? 1 : 0; }, turned);
    m_team.team_barrier();
    for_each_pair(even, round, [&](int p, int one, int other) {
      const double cosine = m_roots[p], sine = m_turns[p];
      if (sine == 0.0) return;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(m_team, m_n), [&](const int j) {
        const double x = at(one, j), y = at(other, j);
        at(one, j) = cosine * x - sine * y;
        at(other, j) = sine * x + cosine * y;
      });
    });
    return turned;
  }

  /// Calls body(p, one, other) for the pairs of a round, a thread a pair, and waits.
  template <class Body>
  KOKKOS_FUNCTION void for_each_pair(int even, int round, const Body& body) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(m_team, even / 2), [&](const int p) {
      int one = 0, other = 0;
      detail::jacobi_pair(even, round, p, one, other);
      if (one < m_n) body(p, one, other);  // else the odd row out
    });
    m_team.team_barrier();
  }

  /// Chooses the rotation that makes a pair of rows, whose product is there, orthogonal; false if
  /// they are. Their squared lengths change with it.
  [[nodiscard]] KOKKOS_FUNCTION bool choose_turn(int even, int round, int p) const {
    int one = 0, other = 0;
    detail::jacobi_pair(even, round, p, one, other);
    if (one >= m_n) return false;
    const auto turn =
        detail::JacobiTurn::choose(m_squares[one], m_squares[other], m_turns[p], m_least);
    m_roots[p] = turn.cosine;
    m_turns[p] = turn.sine;
    return turn.sine != 0.0;
  }

  const Member& m_team;
  int m_n;
  double* m_matrix;
  double* m_square;  ///< n x n: the inverse of the scaled matrix
  double* m_scale;
  double* m_roots;               ///< inverse roots; cosines of a round
  double* m_turns;               ///< products of the pairs of a round, then sines
  double* m_squares;             ///< squared lengths of the rows
  mutable double m_least = 0.0;  ///< rows no longer are nothing but rounding
};

}  // namespace genten
