// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices, last launch: results from those of row chunks and teams.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/below.hpp>
#include <genten/dense/detail/update_teams.hpp>

namespace genten::detail {

/// Adds what the chunks found, in order: 32 results a team, by 8 threads each on devices.
template <ExecutionSpace Exec>
struct AddChunks {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr std::size_t threads = update_threads<Exec>;
  static constexpr std::size_t results = threads < 32 ? threads : 32, shares = threads / results;

  const double* grams;       ///< chunk x stride x stride; null: there are none
  const double* statistics;  ///< team x lines x stride: maxima and sums in turn
  std::size_t chunks, teams, stride, rank, lines;
  double* gram;
  double* of_lines[4];  ///< the results, of every line one a column

  [[nodiscard]] static std::size_t scratch_bytes() { return threads * sizeof(double); }
  [[nodiscard]] std::size_t leagues() const {
    return (squares() + lines * rank + results - 1) / results;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    run(team, static_cast<std::size_t>(team.league_rank()));
  }
  /// What the team of that number does.
  KOKKOS_FUNCTION void run(const Member& team, std::size_t league) const {
    auto* const workspace =
        static_cast<double*>(team.team_shmem().get_shmem(threads * sizeof(double)));
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t result = league * results + thread % results;
    const std::size_t share = thread / results;
    const std::size_t squares = this->squares();
    const bool valid = result < squares + lines * rank, is_gram = result < squares;
    const std::size_t line = is_gram ? 0 : (result - squares) / rank;
    const std::size_t column = is_gram ? 0 : (result - squares) % rank;
    const bool is_max = !is_gram && line % 2 == 0;
    const double* from = statistics;
    std::size_t count = teams, step = lines * stride;
    if (is_gram) {
      // The upper triangle for both, so that the result is symmetric to the last bit.
      const std::size_t a = result / rank, b = result % rank;
      from = grams + (a < b ? a * stride + b : b * stride + a);
      count = chunks;
      step = stride * stride;
    } else if (valid) {
      from = statistics + line * stride + column;
    }
    double total = 0.0;
    if (valid) {
      GENTEN_DEVICE_UNROLL
      for (std::size_t c = count * share / shares; c < count * (share + 1) / shares; ++c) {
        total = join(total, from[c * step], is_max);
      }
    }
    workspace[thread] = total;
    team.team_barrier();
    if (!valid || share != 0) return;
    for (std::size_t s = 1; s < shares; ++s) {
      total = join(total, workspace[s * results + thread], is_max);
    }
    if (is_gram) {
      gram[result] = total;
    } else {
      of_lines[line][column] = total;
    }
  }

 private:
  [[nodiscard]] KOKKOS_FUNCTION std::size_t squares() const {
    return grams == nullptr ? 0 : rank * rank;
  }
  KOKKOS_FUNCTION static double join(double a, double b, bool is_max) {
    return is_max ? larger(a, b) : a + b;
  }
};

}  // namespace genten::detail
