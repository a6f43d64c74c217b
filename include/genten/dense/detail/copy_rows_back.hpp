// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate of wide matrices: rows take the values that a product has computed elsewhere.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/below.hpp>
#include <genten/dense/detail/update_teams.hpp>

namespace genten::detail {

/// Rows take their new values, columns give their statistics: every thread has a column, or more,
/// of a share of a team's rows.
template <class Scalar, ExecutionSpace Exec>
struct CopyRowsBack {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr unsigned threads = update_threads<Exec>;
  static constexpr unsigned in_flight = 4;  ///< rows that are loaded before the first is used

  Scalar* data;         ///< the old rows
  const Scalar* fresh;  ///< the new ones; may be the old
  double* widened;      ///< null, or where new rows are wanted in double
  double* statistics;   ///< a team's column maxima and dots
  std::size_t rows, stride, teams;
  bool add;  ///< to the statistics that stand there

  [[nodiscard]] static std::size_t scratch_bytes() { return 2 * threads * sizeof(double); }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const workspace =
        static_cast<double*>(team.team_shmem().get_shmem(2 * threads * sizeof(double)));
    const auto thread = static_cast<unsigned>(team.team_rank());
    const auto league = static_cast<std::size_t>(team.league_rank());
    const std::size_t begin = rows * league / teams, end = rows * (league + 1) / teams;
    const auto width = static_cast<unsigned>(stride < threads ? stride : threads);
    const unsigned slices = threads / width, slice = thread / width;
    for (std::size_t first = 0; first < stride; first += width) {
      const std::size_t column = first + thread % width;
      double largest = 0.0, dot = 0.0;
      if (slice < slices && column < stride) {
        for (std::size_t i = begin + slice; i < end; i += in_flight * slices) {
          adopt(i, end, slices, column, largest, dot);
        }
      }
      workspace[thread] = largest;
      workspace[threads + thread] = dot;
      team.team_barrier();
      if (slice == 0 && column < stride) {
        double* const out = statistics + league * 2 * stride;
        if (add) {
          largest = larger(largest, out[column]);
          dot += out[stride + column];
        }
        for (unsigned s = 1; s < slices; ++s) {
          largest = larger(largest, workspace[s * width + thread]);
          dot += workspace[threads + s * width + thread];
        }
        out[column] = largest;
        out[stride + column] = dot;
      }
      team.team_barrier();
    }
  }

 private:
  /// Column `column` of the rows first, first + step, ... below `end`, `in_flight` of them.
  KOKKOS_FUNCTION void adopt(std::size_t first, std::size_t end, unsigned step, std::size_t column,
                             double& largest, double& dot) const {
    Scalar before[in_flight], now[in_flight];
    GENTEN_DEVICE_UNROLL
    for (unsigned u = 0; u < in_flight; ++u) {
      const std::size_t row = first + u * step;
      before[u] = row < end ? data[row * stride + column] : Scalar(0);
      now[u] = row < end ? fresh[row * stride + column] : Scalar(0);
    }
    GENTEN_DEVICE_UNROLL
    for (unsigned u = 0; u < in_flight; ++u) {
      const std::size_t row = first + u * step;
      const auto x = static_cast<double>(now[u]);
      largest = larger(largest, x < 0.0 ? -x : x);
      dot += static_cast<double>(before[u]) * x;
      if (row < end && fresh != data) data[row * stride + column] = now[u];
      if (row < end && widened != nullptr) widened[row * stride + column] = x;
    }
  }
};

}  // namespace genten::detail
