// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The R x R side of ALS for wide ranks: a team a row of a matrix.

#include <genten/cp/detail/algebra/absorb_by_team.hpp>
#include <genten/dense/wide_spd_inverse.hpp>

namespace genten::detail {

/// Writes the matrix of a solve where WideSpdInverse takes it.
template <class Member>
struct LoadRows {
  DeviceAlgebraState state;
  WideSpdArrays to;
  int mode;
  double ridge;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, state.rank), [&](const int j) {
      to.at(i, j) = state.hadamard(i, j, mode) + (i == j ? ridge : 0.0);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { state.others[i] = state.corrections(i, mode); });
  }
};

/// The matrices, one or two, that a solve writes for the pass over the factor.
template <class Scalar>
struct TransformPair {
  Scalar *first, *last;
  std::size_t stride;

  KOKKOS_FUNCTION void write(int i, int j, double of_first, double of_last) const {
    const std::size_t at = static_cast<std::size_t>(i) * stride + static_cast<std::size_t>(j);
    first[at] = static_cast<Scalar>(of_first);
    last[at] = static_cast<Scalar>(of_last);
  }
};

/// Writes the transforms as SolveByTeam does, unless the matrix is rank-deficient, which it
/// reports.
template <class Scalar, class Member>
struct WriteInverseRows {
  DeviceAlgebraState state;
  WideSpdArrays inverse;
  TransformPair<Scalar> to;
  int mode;
  double single_factor_rcond;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const WideSpdStatus& status = *inverse.status;
    const bool finite = status.finite != 0, definite = status.definite != 0;
    const bool one = !finite || (definite && status.reciprocal_condition >= single_factor_rcond);
    const int i = team.league_rank();
    if (i == 0) {
      Kokkos::single(Kokkos::PerTeam(team), [&] {
        state.report->factors = one ? 1 : 2;
        state.report->rank_deficient = finite && !definite;
      });
    }
    if (finite && !definite) return;  // the same for the whole team
    const double* const predicted = state.predicted + mode * state.rank;
    const double others = state.others[i];
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, state.rank), [&](const int j) {
      if (!finite) {
        to.write(i, j, 0.0, 0.0);
      } else if (one) {
        to.write(i, j, inverse.inverse(i, j) * others / predicted[j], 0.0);
      } else {
        to.write(i, j, inverse.inverse_factor(j, i) * others,
                 inverse.inverse_factor(i, j) / predicted[j]);
      }
    });
  }
};

/// The same for a rank-deficient matrix that was diagonalized.
template <class Scalar, class Member>
struct WritePseudoinverseRows {
  DeviceAlgebraState state;
  WideSpdArrays inverse;
  TransformPair<Scalar> to;
  int mode;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const double* const predicted = state.predicted + mode * state.rank;
    const int i = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, state.rank), [&](const int j) {
      to.write(i, j, inverse.scaled_eigenvector(j, i) * state.others[i],
               inverse.scaled_eigenvector(i, j) / predicted[j]);
    });
  }
};

/// WriteSystemByTeam by rows.
template <class Write, class Member>
struct WriteSystemByRows {
  Write system;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int r = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, system.state.rank),
                         [&](const int q) { system.write_element(r, q); });
    Kokkos::single(Kokkos::PerTeam(team), [&] { system.write_column(r); });
  }
};

/// RescaleByTeam by rows of all modes' matrices.
template <class Member>
struct RescaleRows {
  DeviceAlgebraState state;
  const double* factors;  ///< order x rank

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = state.rank, row = team.league_rank();
    const double* const of_mode = factors + row / n * n;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](const int q) {
      state.gram[row * n + q] *= factors[row] * of_mode[q];
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { state.correction[row] *= factors[row]; });
  }
};

/// After AbsorbColumns: takes a row of the Gram matrix in.
template <class Member>
struct AbsorbRows {
  AbsorbColumns<Member> columns;
  double* norms;  ///< by row, what it adds to the squared norm of the model

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int r = team.league_rank();
    const MeasureModel<Member> model{columns.state, columns.mode};
    double norm = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, columns.state.rank),
        [&](const int q, double& sum) {
          columns.absorb_element(r, q);
          sum += model.norm_part(r, q);
        },
        norm);
    Kokkos::single(Kokkos::PerTeam(team), [&] { norms[r] = norm; });
  }
};

/// After AbsorbRows, by one team: the statistics of the model.
template <class Member>
struct AddAbsorbed {
  DeviceAlgebraState state;
  int mode;
  const double* norms;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = state.rank;
    const MeasureModel<Member> model{state, mode};
    double inner = 0.0, norm_squared = 0.0, component_norms = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, n), [&](const int r, double& sum) { sum += norms[r]; },
        norm_squared);
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, n),
        [&](const int r, double& sum) { sum += state.products[r]; }, inner);
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, n),
        [&](const int r, double& sum) { sum += model.component_norm(r); }, component_norms);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      state.report->statistics.inner_product = inner;
      state.report->statistics.model_norm_squared = norm_squared;
      state.report->statistics.component_norms = component_norms;
    });
  }
};

}  // namespace genten::detail
