// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What one team of threads does after an update of rows, on the R x R side of ALS.

#include <genten/cp/detail/algebra/by_team.hpp>

namespace genten::detail {

/// What HostAlsAlgebra::absorb does with columns, by one team.
template <class Member>
struct AbsorbColumns {
  DeviceAlgebraState state;
  int mode;
  ColumnScaling scaling;
  double unit;
  bool first_sweep;
  const double *gram, *column_max, *dots;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = state.rank;
    double* const predicted = state.predicted + mode * n;
    double* const correction = state.correction + mode * n;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](const int r) {
      const double before = predicted[r];
      const double weight =
          column_weight(scaling, first_sweep, gram[r * n + r], column_max[r], before, unit);
      const double divisor = weight > 0.0 ? weight : 1.0;
      state.products[r] = state.others[r] * before * dots[r];
      state.weights[r] = weight;
      correction[r] = before / divisor;
      predicted[r] = divisor;
    });
  }
  /// Afterwards: takes an element of the Gram matrix in.
  KOKKOS_FUNCTION void absorb_element(int r, int q) const {
    const int n = state.rank;
    const double* const correction = state.correction + mode * n;
    state.gram[(mode * n + r) * n + q] = gram[r * n + q] * correction[r] * correction[q];
  }
};

/// What MeasureModel adds up.
struct ModelSums {
  double inner_product = 0.0, norm_squared = 0.0, component_norms = 0.0;

  KOKKOS_FUNCTION ModelSums& operator+=(const ModelSums& other) {
    inner_product += other.inner_product;
    norm_squared += other.norm_squared;
    component_norms += other.component_norms;
    return *this;
  }
};

}  // namespace genten::detail

template <>
struct Kokkos::reduction_identity<genten::detail::ModelSums> {
  KOKKOS_FORCEINLINE_FUNCTION static genten::detail::ModelSums sum() { return {}; }
};

namespace genten::detail {

/// The statistics of the model, after the last update of a mode, by one team.
template <class Member>
struct MeasureModel {
  DeviceAlgebraState state;
  int mode;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = state.rank;
    ModelSums found;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, n * n),
        [&](const int each, ModelSums& sums) {
          const int r = each / n;
          sums.norm_squared += norm_part(r, each - r * n);
          if (each >= n) return;
          sums.inner_product += state.products[each];
          sums.component_norms += component_norm(each);
        },
        found);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      state.report->statistics.inner_product = found.inner_product;
      state.report->statistics.model_norm_squared = found.norm_squared;
      state.report->statistics.component_norms = found.component_norms;
    });
  }
  /// What an element of the Gram matrices adds to the squared norm of the model.
  [[nodiscard]] KOKKOS_FUNCTION double norm_part(int r, int q) const {
    const double own = state.gram[(mode * state.rank + r) * state.rank + q];
    return state.weights[r] * state.weights[q] * own * state.hadamard(r, q, mode);
  }
  [[nodiscard]] KOKKOS_FUNCTION double component_norm(int r) const {
    const double own = state.gram[(mode * state.rank + r) * state.rank + r];
    return state.weights[r] * ::sqrt(own * state.hadamard(r, r, mode));
  }
};

/// HostAlsAlgebra::absorb by one team.
template <class Member>
struct AbsorbByTeam {
  AbsorbColumns<Member> found;  ///< what it reads lies with the host
  bool scratch;                 ///< the team has scratch memory for that, which comes over at once

  [[nodiscard]] KOKKOS_FUNCTION static std::size_t scratch_bytes(int n) {
    return static_cast<std::size_t>(n) * static_cast<std::size_t>(n + 2) * sizeof(double);
  }
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    AbsorbColumns<Member> columns = found;
    if (scratch) fetch(team, columns);
    absorb(team, columns);
    measure(team);
  }
  /// What FinishUpdate calls.
  KOKKOS_FUNCTION void operator()(const Member& team, double* workspace) const {
    absorb_here(team, workspace);
    measure(team);
  }
  /// Takes in, and does not measure, what all of the team sees: a Gram matrix, the largest elements
  /// of columns and the dots.
  KOKKOS_FUNCTION void absorb_here(const Member& team, const double* gram) const {
    const int n = found.state.rank;
    AbsorbColumns<Member> columns = found;
    columns.gram = gram;
    columns.column_max = gram + n * n;
    columns.dots = columns.column_max + n;
    absorb(team, columns);
  }

 private:
  KOKKOS_FUNCTION void absorb(const Member& team, const AbsorbColumns<Member>& columns) const {
    const int n = columns.state.rank;
    columns(team);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n * n),
                         [&](const int each) { columns.absorb_element(each / n, each % n); });
    team.team_barrier();
  }
  KOKKOS_FUNCTION void measure(const Member& team) const {
    MeasureModel<Member>{found.state, found.mode}(team);
  }
  KOKKOS_FUNCTION void fetch(const Member& team, AbsorbColumns<Member>& columns) const {
    const int n = columns.state.rank;
    auto* const gram = static_cast<double*>(team.team_shmem().get_shmem(scratch_bytes(n)));
    double *const largest = gram + n * n, *const dots = largest + n;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n * n),
                         [&](const int each) { gram[each] = found.gram[each]; });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](const int r) {
      largest[r] = found.column_max[r];
      dots[r] = found.dots[r];
    });
    team.team_barrier();
    columns.gram = gram;
    columns.column_max = largest;
    columns.dots = dots;
  }
};

/// An update of a mode is taken in, and the next mode's solve follows, by the team that has just
/// found what is taken in; nobody measures the model between the two.
template <class Scalar, class Member>
struct AbsorbAndSolve {
  AbsorbByTeam<Member> absorb;
  SolveOrder<Scalar> order;

  /// What FinishUpdate calls.
  KOKKOS_FUNCTION void operator()(const Member& team, double* workspace) const {
    absorb.absorb_here(team, workspace);
    SolveByTeam<Scalar, Member>{absorb.found.state, order, nullptr}.solve(team, workspace);
  }
};

}  // namespace genten::detail
