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
  double* products = nullptr;  ///< by column, its part of the inner product, of the last update
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

/// HostAlsAlgebra::take_factor, by the elements of the Gram matrix.
struct TakeFactor {
  DeviceAlgebraState state;
  int mode;
  const double* gram;

  KOKKOS_FUNCTION void operator()(const int each) const {
    const int n = state.rank;
    state.gram[mode * n * n + each] = gram[each];
    if (each < n) state.correction[mode * n + each] = 1.0;
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

/// What a solve is to do.
template <class Scalar>
struct SolveOrder {
  int mode;
  bool tells_host;  ///< the host waits for `count`
  double ridge;
  double single_factor_rcond;
  Scalar *first_factor, *last_factor;
  std::size_t stride;  ///< of the factors
  double* others;      ///< see DeviceAlgebraState
  int* count;          ///< of the factors that are used; the other is not written
};

/// HostAlsAlgebra::solve by one team.
template <class Scalar, class Member>
struct SolveByTeam {
  DeviceAlgebraState state;
  SolveOrder<Scalar> order;
  double* workspace;  ///< null: the team has as much scratch memory

  /// Doubles that it works in.
  [[nodiscard]] KOKKOS_FUNCTION static constexpr std::size_t workspace_size(int n) {
    return TeamSpdInverse<Member>::workspace_size(n) + 2 * static_cast<std::size_t>(n);
  }
  [[nodiscard]] KOKKOS_FUNCTION static std::size_t scratch_bytes(int n) {
    return workspace_size(n) * sizeof(double);
  }
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t bytes = scratch_bytes(state.rank);
    solve(team, workspace != nullptr ? workspace
                                     : static_cast<double*>(team.team_shmem().get_shmem(bytes)));
  }
  KOKKOS_FUNCTION void solve(const Member& team, double* room) const {
    const int n = state.rank, mode = order.mode;
    const TeamSpdInverse<Member> inverse(team, n, room);
    // What is needed at the end is read at the beginning, beside the matrix.
    double* const others = room + TeamSpdInverse<Member>::workspace_size(n);
    double* const predicted = others + n;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](const int r) {
      predicted[r] = state.predicted[mode * n + r];
      others[r] = order.others[r] = state.corrections(r, mode);
    });
    const auto load = [&] {
      inverse.for_each([&](int i, int j) {
        inverse.at(i, j) = state.hadamard(i, j, mode) + (i == j ? order.ridge : 0.0);
      });
    };
    load();
    int factors = 2;
    bool rank_deficient = false;
    Scalar* const first = order.first_factor;
    Scalar* const last = order.last_factor;
    if (double rcond = 0.0; inverse.invert(rcond)) {
      if (rcond >= order.single_factor_rcond) {
        factors = 1;
        write(inverse, first,
              [&](int i, int j) { return inverse.inverse(i, j) * others[i] / predicted[j]; });
      } else {
        write(inverse, first,
              [&](int i, int j) { return inverse.inverse_factor(j, i) * others[i]; });
        write(inverse, last,
              [&](int i, int j) { return inverse.inverse_factor(i, j) / predicted[j]; });
      }
    } else if (load(); !inverse.finite()) {
      factors = 1;
      write(inverse, first, [](int, int) { return 0.0; });
    } else {
      inverse.diagonalize();
      rank_deficient = true;
      write(inverse, first,
            [&](int i, int j) { return inverse.scaled_eigenvector(j, i) * others[i]; });
      write(inverse, last,
            [&](int i, int j) { return inverse.scaled_eigenvector(i, j) / predicted[j]; });
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      *order.count = factors;
      // What lies with the host is far away.
      if (order.tells_host) state.report->factors = factors;
      if (rank_deficient) ++state.report->rank_deficient_solves;
    });
  }

 private:
  template <class Element>
  KOKKOS_FUNCTION void write(const TeamSpdInverse<Member>& inverse, Scalar* to,
                             const Element& element) const {
    inverse.for_each([&](int i, int j) {
      to[static_cast<std::size_t>(i) * order.stride + j] = static_cast<Scalar>(element(i, j));
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

}  // namespace genten::detail
