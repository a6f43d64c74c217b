// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The systems of rows by teams: all of them on devices, and everywhere those that are not safely
/// positive definite.

#include <genten/base/detail/limits.hpp>
#include <genten/dense/team_spd_inverse.hpp>
#include <genten/mttkrp/detail/row_equations/row_terms.hpp>
#include <genten/mttkrp/detail/row_equations/small_system.hpp>

namespace genten::detail {

/// The kernels, in which a team has one row or one piece at a time. `Tile` x `Tile` elements of a
/// system are summed in the registers of a thread.
template <int Tile, RealScalar Scalar, ExecutionSpace Exec>
struct TeamRows {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  struct SumAndSolve {};     ///< a task a team
  struct SolveCutRow {};     ///< a cut row a team
  struct LeastNorm {};       ///< rows of the list, some a team
  struct WithoutEntries {};  ///< rows that descend and have no entries: all rows, one a team

  RowWork<Scalar> work;
  const RowNumber* subscripts;
  const Scalar* values;
  Kokkos::Array<const Scalar*, max_order> factors;  ///< of the other modes
  int others;
  int panel_entries;
  int level = 0;                     ///< of scratch memory
  const offset_t* listed = nullptr;  ///< places of rows for LeastNorm
  offset_t listed_count = 0;
  double* workspace = nullptr;  ///< of TeamSpdInverse, one a team

  KOKKOS_FUNCTION int line() const {
    return (static_cast<int>(work.rank) + Tile - 1) / Tile * Tile;
  }
  /// Doubles of a piece: a matrix and a right-hand side.
  KOKKOS_FUNCTION std::size_t piece_size() const {
    return static_cast<std::size_t>(line()) * static_cast<std::size_t>(line() + 1);
  }
  [[nodiscard]] std::size_t scratch_bytes() const {
    const auto columns = static_cast<std::size_t>(line());
    const auto entries = static_cast<std::size_t>(panel_entries);
    return (columns * (columns + 2) + entries * (columns + 1)) * sizeof(double) + 64;
  }

  KOKKOS_FUNCTION void operator()(const SumAndSolve&, const Member& team) const {
    const Space space(*this, team);
    const RowTask task = work.tasks[team.league_rank()];
    if (task.piece >= 0) {
      clear(team, space, false);
      add_entries(team, space, task.begin, task.end);
      double* const piece = work.pieces + static_cast<std::size_t>(task.piece) * piece_size();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(piece_size())),
                           [&](const int e) { piece[e] = space.matrix[e]; });
      return;
    }
    for (offset_t place = task.first_row; place < task.end_row; ++place) {
      sum_row(team, space, place);
      finish(team, space, place);
    }
  }

  KOKKOS_FUNCTION void operator()(const SolveCutRow&, const Member& team) const {
    const Space space(*this, team);
    const CutRow row = work.cut_rows[team.league_rank()];
    clear(team, space, true);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(piece_size())),
                         [&](const int e) {
                           double sum = space.matrix[e];
                           for (offset_t p = row.first_piece; p < row.end_piece; ++p) {
                             sum += work.pieces[static_cast<std::size_t>(p) * piece_size() +
                                                static_cast<std::size_t>(e)];
                           }
                           space.matrix[e] = sum;
                         });
    team.team_barrier();
    finish(team, space, row.row);
  }

  KOKKOS_FUNCTION void operator()(const WithoutEntries&, const Member& team) const {
    const Space space(*this, team);
    const auto row = static_cast<offset_t>(team.league_rank());
    if (!(work.violations[row] < 0.0)) return;
    if (work.terms.base == nullptr) {
      Scalar* const to = work.output + static_cast<std::size_t>(row) * work.stride;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(work.rank)),
                           [&](const int i) { to[i] = Scalar(0); });
      return;
    }
    clear(team, space, true);
    add_terms_of(team, space, row);
    descend(team, space, row);
  }

  KOKKOS_FUNCTION void operator()(const LeastNorm&, const Member& team) const {
    const Space space(*this, team);
    const int n = static_cast<int>(work.rank);
    const auto size = work.rank * (2 * work.rank + 4);
    const TeamSpdInverse<Member> inverse(
        team, n, workspace + static_cast<std::size_t>(team.league_rank()) * size);
    for (offset_t k = team.league_rank(); k < listed_count; k += team.league_size()) {
      const offset_t place = listed[k];
      sum_row(team, space, place);
      add_terms(team, space, place);
      inverse.for_each([&](int i, int j) {
        inverse.at(i, j) = space.matrix[i <= j ? i * line() + j : j * line() + i];
      });
      Scalar* const to = work.output + work.rows[place] * work.stride;
      const bool finite = inverse.finite();
      if (finite) inverse.diagonalize();
      const double least = largest_unknown();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](const int v) {
        double product = 0.0, square = 0.0;
        for (int j = 0; finite && j < n; ++j) {
          const double element = inverse.scaled_eigenvector(v, j);
          product += element * space.right[j];
          square += element * element;
        }
        // That is the inverse of the eigenvalue.
        space.products[v] = square * least < 1.0 ? product : 0.0;
      });
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](const int i) {
        double sum = finite ? 0.0 : Limits<double>::nan;
        for (int v = 0; finite && v < n; ++v) {
          sum += inverse.scaled_eigenvector(v, i) * space.products[v];
        }
        to[i] = static_cast<Scalar>(sum);
      });
      team.team_barrier();
    }
  }

 private:
  /// Where a team sums.
  struct Space {
    double *matrix, *right, *products, *panel, *values;

    KOKKOS_FUNCTION Space(const TeamRows& rows, const Member& team) {
      const std::size_t columns = static_cast<std::size_t>(rows.line());
      const std::size_t entries = static_cast<std::size_t>(rows.panel_entries);
      const std::size_t count = columns * (columns + 2) + entries * (columns + 1);
      matrix =
          static_cast<double*>(team.team_scratch(rows.level).get_shmem(count * sizeof(double)));
      right = matrix + columns * columns;
      products = right + columns;
      panel = products + columns;
      values = panel + entries * columns;
    }
  };

  /// What eigenvalues of a system must be above to be more than rounding.
  KOKKOS_FUNCTION double largest_unknown() const {
    double largest = 0.0;
    for (std::size_t k = 0; k < work.rank; ++k) {
      const double unknown = work.terms.unknown(k, work.rank);
      largest = largest < unknown ? unknown : largest;
    }
    return largest;
  }

  KOKKOS_FUNCTION void clear(const Member& team, const Space& space, bool with_base) const {
    const int columns = line(), n = static_cast<int>(work.rank);
    const double* const base = with_base ? work.terms.base : nullptr;
    team.team_barrier();  // what was here may still be read
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(piece_size())),
                         [&](const int e) {
                           const int i = e / columns, j = e % columns;
                           const bool inside = base != nullptr && i < n && j < n;
                           space.matrix[e] = inside ? base[i * n + j] : 0.0;
                         });
    team.team_barrier();
  }

  KOKKOS_FUNCTION void sum_row(const Member& team, const Space& space, offset_t place) const {
    clear(team, space, true);
    add_entries(team, space, work.begins[place], work.begins[place + 1]);
  }

  KOKKOS_FUNCTION void add_entries(const Member& team, const Space& space, offset_t begin,
                                   offset_t end) const {
    for (offset_t first = begin; first < end; first += panel_entries) {
      const int count = end - first < panel_entries ? static_cast<int>(end - first) : panel_entries;
      fill_panel(team, space, first, count);
      team.team_barrier();
      add_panel(team, space, count);
      team.team_barrier();
    }
  }

  /// Of each entry the product of the gathered rows, in Scalar.
  KOKKOS_FUNCTION void fill_panel(const Member& team, const Space& space, offset_t first,
                                  int count) const {
    const int columns = line(), n = static_cast<int>(work.rank);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count * columns), [&](const int e) {
      const int b = e / columns, j = e % columns;
      const RowNumber* const at = subscripts + (first + b) * others;
      Scalar product = j < n ? Scalar(1) : Scalar(0);
      for (int m = 0; m < others && j < n; ++m) {
        product *= factors[m][at[m] * work.stride + static_cast<std::size_t>(j)];
      }
      space.panel[e] = static_cast<double>(product);
      if (j == 0) space.values[b] = static_cast<double>(values[first + b]);
    });
  }

  /// Tiles on and above the diagonal, and the right-hand side.
  KOKKOS_FUNCTION void add_panel(const Member& team, const Space& space, int count) const {
    const int columns = line(), tiles = columns / Tile;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tiles * (tiles + 1) / 2), [&](const int t) {
      // Tile columns one after another, each down to its diagonal.
      auto at = static_cast<int>((::sqrt(8.0F * static_cast<float>(t) + 1.0F) - 1.0F) / 2.0F);
      while (at * (at + 1) / 2 > t) --at;
      while ((at + 1) * (at + 2) / 2 <= t) ++at;
      add_tile(space, count, (t - at * (at + 1) / 2) * Tile, at * Tile);
    });
    if (work.terms.right != nullptr) return;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns), [&](const int j) {
      double sum = 0.0;
      for (int b = 0; b < count; ++b) sum += space.values[b] * space.panel[b * columns + j];
      space.right[j] += work.terms.sign * sum;
    });
  }
  KOKKOS_FUNCTION void add_tile(const Space& space, int count, int i, int j) const {
    const int columns = line();
    double sums[Tile][Tile] = {};
    for (int b = 0; b < count; ++b) {
      const double* const k = space.panel + b * columns;
      for (int s = 0; s < Tile; ++s) {
        for (int t = 0; t < Tile; ++t) sums[s][t] += k[i + s] * k[j + t];
      }
    }
    for (int s = 0; s < Tile; ++s) {
      for (int t = 0; t < Tile; ++t) {
        space.matrix[(i + s) * columns + j + t] += work.terms.sign * sums[s][t];
      }
    }
  }

  /// The ridge, and the right-hand side where it is given.
  KOKKOS_FUNCTION void add_terms(const Member& team, const Space& space, offset_t place) const {
    add_terms_of(team, space, static_cast<offset_t>(work.rows[place]));
  }
  KOKKOS_FUNCTION void add_terms_of(const Member& team, const Space& space, offset_t row) const {
    const Scalar* const right = work.terms.right;
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, static_cast<int>(work.rank)), [&](const int i) {
          space.matrix[i * (line() + 1)] += work.terms.ridge;
          if (right == nullptr) return;
          space.right[i] = static_cast<double>(
              right[static_cast<std::size_t>(row) * work.stride + static_cast<std::size_t>(i)]);
        });
    team.team_barrier();
  }

  /// Solves the system and writes the row, or marks it.
  KOKKOS_FUNCTION void finish(const Member& team, const Space& space, offset_t place) const {
    add_terms(team, space, place);
    if (work.terms.descends) {
      descend(team, space, static_cast<offset_t>(work.rows[place]));
      return;
    }
    const bool solved = scale_system(team, space) && solve(team, space);
    Scalar* const to = work.output + work.rows[place] * work.stride;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(work.rank)),
                         [&](const int i) {
                           if (i == 0) work.unsafe[place] = solved ? 0 : 1;
                           if (solved)
                             to[i] = static_cast<Scalar>(space.right[i] * space.products[i]);
                         });
  }

  /// Improves a row by its system, which is there from the diagonal on.
  KOKKOS_FUNCTION void descend(const Member& team, const Space& space, offset_t row) const {
    const int columns = line(), n = static_cast<int>(work.rank);
    const Scalar* const start = work.terms.start + static_cast<std::size_t>(row) * work.stride;
    Scalar* const to = work.output + static_cast<std::size_t>(row) * work.stride;
    const OneTeam<Member> loops{team};
    loops.each(n, [&](const int i) {
      for (int j = 0; j < i; ++j) space.matrix[i * columns + j] = space.matrix[j * columns + i];
      space.products[i] = static_cast<double>(start[i]);
    });
    const double violation = descend_row(
        loops, n, columns, space.matrix, space.right, space.products, work.terms.rule,
        [&](int k) { return work.terms.unknown(static_cast<std::size_t>(k), work.rank); });
    loops.each(n, [&](const int i) {
      to[i] = static_cast<Scalar>(space.products[i]);
      if (i == 0) work.violations[row] = violation;
    });
  }

  /// To unit diagonal; false where it is not positive.
  KOKKOS_FUNCTION bool scale_system(const Member& team, const Space& space) const {
    const int columns = line(), n = static_cast<int>(work.rank);
    int wrong = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, n),
        [&](const int i, int& sum) {
          const double diagonal = space.matrix[i * (columns + 1)];
          const bool positive = diagonal > 0.0 && diagonal <= Limits<double>::most;
          space.products[i] = positive ? 1.0 / ::sqrt(diagonal) : 0.0;
          space.right[i] *= space.products[i];
          sum += positive ? 0 : 1;
        },
        wrong);
    team.team_barrier();
    if (wrong != 0) return false;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n * n), [&](const int e) {
      const int i = e / n, j = e % n;
      if (j >= i) space.matrix[i * columns + j] *= space.products[i] * space.products[j];
    });
    team.team_barrier();
    return true;
  }

  /// Gaussian elimination above the diagonal, which symmetry allows; false where a pivot is not
  /// safely positive.
  KOKKOS_FUNCTION bool solve(const Member& team, const Space& space) const {
    const int columns = line(), n = static_cast<int>(work.rank);
    const double least = least_pivot(work.rank);
    for (int k = 0; k < n; ++k) {
      const double* const pivot_row = space.matrix + k * columns;
      const double pivot = pivot_row[k];
      const double unknown = work.terms.unknown(static_cast<std::size_t>(k), work.rank) *
                             space.products[k] * space.products[k];  // scaled like the pivot
      if (!(pivot > least && pivot > unknown)) return false;
      const double inverse = 1.0 / pivot;
      const int left = n - k - 1;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, left * (left + 1)), [&](const int e) {
        const int i = k + 1 + e / (left + 1), j = k + 1 + e % (left + 1);
        const double factor = pivot_row[i] * inverse;
        if (j == n) {
          space.right[i] -= factor * space.right[k];
        } else if (j >= i) {
          space.matrix[i * columns + j] -= factor * pivot_row[j];
        }
      });
      team.team_barrier();
    }
    for (int k = n - 1; k >= 0; --k) {
      const double solved = space.right[k] / space.matrix[k * (columns + 1)];
      team.team_barrier();  // all have read what is overwritten
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, k + 1), [&](const int i) {
        if (i == k) {
          space.right[k] = solved;
        } else {
          space.right[i] -= space.matrix[i * columns + k] * solved;
        }
      });
      team.team_barrier();
    }
    return true;
  }
};

}  // namespace genten::detail
