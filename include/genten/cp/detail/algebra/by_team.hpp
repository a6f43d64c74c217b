// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The R x R side of ALS by one team of threads.

#include <genten/cp/detail/als_algebra.hpp>
#include <genten/dense/team_spd_inverse.hpp>

namespace genten::detail {

/// What the algebra's kernels tell the host.
struct DeviceAlgebraReport {
  AlsStatistics statistics;
  int factors = 0;              ///< of the last solve that the host waits for
  bool rank_deficient = false;  ///< that solve
  std::size_t rank_deficient_solves = 0;
};

/// What they read and write, all in the device's memory but the report.
struct DeviceAlgebraState {
  int order = 0, rank = 0;
  double* gram = nullptr;        ///< order x rank x rank, of the factors that count
  double* correction = nullptr;  ///< order x rank
  double* predicted = nullptr;   ///< order x rank: weights of the sweep before
  double* others = nullptr;      ///< product of the other modes' corrections, of the update in hand
  double* weights = nullptr;
  DeviceAlgebraReport* report = nullptr;

  /// Product of the elements (r, q) of all Gram matrices but that of `left_out`.
  [[nodiscard]] KOKKOS_FUNCTION double hadamard(int r, int q, int left_out) const {
    double product = 1.0;
    for (int m = 0; m < order; ++m) {
      if (m != left_out) product *= gram[(m * rank + r) * rank + q];
    }
    return product;
  }
  /// Product of the corrections of column r of all modes but `left_out`.
  [[nodiscard]] KOKKOS_FUNCTION double corrections(int r, int left_out) const {
    double product = 1.0;
    for (int m = 0; m < order; ++m) {
      if (m != left_out) product *= correction[m * rank + r];
    }
    return product;
  }
};

/// HostAlsAlgebra::write_system by one team.
template <class System, class Member>
struct WriteSystemByTeam {
  DeviceAlgebraState state;
  int mode;
  double ridge;
  System system;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = state.rank;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n * n),
                         [&](const int each) { write_element(each / n, each % n); });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](const int r) { write_column(r); });
  }
  KOKKOS_FUNCTION void write_element(int r, int q) const {
    using Scalar = typename decltype(system.columns)::non_const_value_type;
    const double* const predicted = state.predicted + mode * state.rank;
    const double value = predicted[r] * state.hadamard(r, q, mode) * predicted[q];
    system.gram(static_cast<std::size_t>(r), static_cast<std::size_t>(q)) =
        static_cast<Scalar>(value);
  }
  KOKKOS_FUNCTION void write_column(int r) const {
    const int n = state.rank;
    const double predicted = state.predicted[mode * n + r];
    const double others = state.corrections(r, mode);
    state.others[r] = others;
    write_system_column(system, static_cast<std::size_t>(r),
                        predicted * state.hadamard(r, r, mode) * predicted + ridge, others,
                        predicted, state.correction[mode * n + r], state.weights[r]);
  }
};

/// HostAlsAlgebra::solve by one team.
template <class Scalar, class Member>
struct SolveByTeam {
  DeviceAlgebraState state;
  int mode;
  double ridge;
  double single_factor_rcond;
  double* workspace;  ///< null: the team has as much scratch memory
  Scalar *first_factor, *last_factor;
  std::size_t stride;  ///< of the factors
  int* count;          ///< of them that are used
  bool tells_host;     ///< the host waits for that number

  [[nodiscard]] KOKKOS_FUNCTION static std::size_t scratch_bytes(int n) {
    return TeamSpdInverse<Member>::workspace_size(n) * sizeof(double);
  }
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = state.rank;
    double* const room = workspace != nullptr
                             ? workspace
                             : static_cast<double*>(team.team_shmem().get_shmem(scratch_bytes(n)));
    const TeamSpdInverse<Member> inverse(team, n, room);
    const double* const predicted = state.predicted + mode * n;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n),
                         [&](const int r) { state.others[r] = state.corrections(r, mode); });
    const auto load = [&] {
      inverse.for_each([&](int i, int j) {
        inverse.at(i, j) = state.hadamard(i, j, mode) + (i == j ? ridge : 0.0);
      });
    };
    load();
    int factors = 1;
    bool rank_deficient = false;
    if (!inverse.finite()) {
      write(
          inverse, [](int, int) { return 0.0; }, [](int, int) { return 0.0; });
    } else if (double rcond = 0.0; inverse.invert(rcond)) {
      factors = rcond >= single_factor_rcond ? 1 : 2;
      if (factors == 1) {
        write(
            inverse,
            [&](int i, int j) { return inverse.inverse(i, j) * state.others[i] / predicted[j]; },
            [](int, int) { return 0.0; });
      } else {
        write(
            inverse, [&](int i, int j) { return inverse.inverse_factor(j, i) * state.others[i]; },
            [&](int i, int j) { return inverse.inverse_factor(i, j) / predicted[j]; });
      }
    } else {
      load();
      inverse.diagonalize();
      factors = 2;
      rank_deficient = true;
      write(
          inverse, [&](int i, int j) { return inverse.scaled_eigenvector(j, i) * state.others[i]; },
          [&](int i, int j) { return inverse.scaled_eigenvector(i, j) / predicted[j]; });
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      *count = factors;
      // What lies with the host is far away.
      if (tells_host) state.report->factors = factors;
      if (rank_deficient) ++state.report->rank_deficient_solves;
    });
  }

 private:
  template <class First, class Last>
  KOKKOS_FUNCTION void write(const TeamSpdInverse<Member>& inverse, const First& first,
                             const Last& last) const {
    inverse.for_each([&](int i, int j) {
      first_factor[static_cast<std::size_t>(i) * stride + j] = static_cast<Scalar>(first(i, j));
      last_factor[static_cast<std::size_t>(i) * stride + j] = static_cast<Scalar>(last(i, j));
    });
  }
};

/// HostAlsAlgebra::rescale by one team.
template <class Member>
struct RescaleByTeam {
  DeviceAlgebraState state;
  const double* factors;  ///< order x rank

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = state.rank;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, state.order * n),
                         [&](const int column) { state.correction[column] *= factors[column]; });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, state.order * n * n), [&](const int each) {
      const int row = each / n, q = row / n * n + each % n;
      state.gram[each] *= factors[row] * factors[q];
    });
  }
};

/// What HostAlsAlgebra::absorb does with columns, by one team.
template <class Member>
struct AbsorbColumns {
  DeviceAlgebraState state;
  int mode;
  ColumnScaling scaling;
  bool first_sweep;
  const double *gram, *column_max, *dots;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = state.rank;
    double* const predicted = state.predicted + mode * n;
    double* const correction = state.correction + mode * n;
    double inner = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, n),
        [&](const int r, double& sum) { sum += state.others[r] * predicted[r] * dots[r]; }, inner);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](const int r) {
      const double weight =
          column_weight(scaling, first_sweep, gram[r * n + r], column_max[r], predicted[r]);
      const double divisor = weight > 0.0 ? weight : 1.0;
      state.weights[r] = weight;
      correction[r] = predicted[r] / divisor;
      predicted[r] = divisor;
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { state.report->statistics.inner_product = inner; });
  }
  /// Afterwards: takes an element of the Gram matrix in, and returns what it adds to the squared
  /// norm of the model.
  KOKKOS_FUNCTION double absorb_element(int r, int q) const {
    const int n = state.rank;
    const double* const correction = state.correction + mode * n;
    const double now = gram[r * n + q] * correction[r] * correction[q];
    state.gram[(mode * n + r) * n + q] = now;
    return state.weights[r] * state.weights[q] * now * state.hadamard(r, q, mode);
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
  }
  /// The same for what was found just now, which all of the team sees.
  KOKKOS_FUNCTION void operator()(const Member& team, const double* gram, const double* column_max,
                                  const double* dots) const {
    AbsorbColumns<Member> columns = found;
    columns.gram = gram;
    columns.column_max = column_max;
    columns.dots = dots;
    absorb(team, columns);
  }

 private:
  KOKKOS_FUNCTION void absorb(const Member& team, const AbsorbColumns<Member>& columns) const {
    const DeviceAlgebraState& state = columns.state;
    const int n = state.rank;
    columns(team);
    team.team_barrier();
    double norm_squared = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, n * n),
        [&](const int each, double& sum) { sum += columns.absorb_element(each / n, each % n); },
        norm_squared);
    double component_norms = 0.0;
    const double* const correction = state.correction + columns.mode * n;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, n),
        [&](const int r, double& sum) {
          // The mode's own matrix may not have come to all threads.
          const double own = columns.gram[r * n + r] * correction[r] * correction[r];
          sum += state.weights[r] * ::sqrt(own * state.hadamard(r, r, columns.mode));
        },
        component_norms);
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      state.report->statistics.model_norm_squared = norm_squared;
      state.report->statistics.component_norms = component_norms;
    });
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

}  // namespace genten::detail
