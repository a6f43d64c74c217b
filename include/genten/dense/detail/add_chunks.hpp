// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices, last launch: results from those of row chunks and teams.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/below.hpp>
#include <genten/dense/detail/update_teams.hpp>

namespace genten::detail {

/// What row chunks and teams have found, and how it is added: in an order that depends on nothing
/// but how many they are, by `shares` threads a result on devices.
template <ExecutionSpace Exec>
struct ChunkSums {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr std::size_t threads = update_threads<Exec>;
  static constexpr std::size_t results = threads < 32 ? threads : 32, shares = threads / results;

  const double* grams;       ///< chunk x stride x stride; null: there are none
  const double* statistics;  ///< team x lines x stride: maxima and sums in turn
  std::size_t chunks, teams, stride, rank, lines;

  /// What a result is made of.
  struct Parts {
    const double* from = nullptr;
    std::size_t count = 0, step = 0;
    bool is_max = false;

    KOKKOS_FUNCTION double join(double a, double b) const { return is_max ? larger(a, b) : a + b; }
    /// The sum of all shares. Loads of a batch are all on their way before the first is added: none
    /// depends on a condition, behind which a compiler would put it.
    [[nodiscard]] KOKKOS_FUNCTION double sum() const {
      double of_shares[shares] = {};
      std::size_t c = 0;
      for (; c + 2 * shares <= count; c += 2 * shares) {
        double terms[2 * shares];
        GENTEN_DEVICE_UNROLL
        for (std::size_t s = 0; s < 2 * shares; ++s) terms[s] = from[(c + s) * step];
        GENTEN_DEVICE_UNROLL
        for (std::size_t s = 0; s < 2 * shares; ++s) of_shares[s % shares] += terms[s];
      }
      for (; c < count; c += shares) {
        GENTEN_DEVICE_UNROLL
        for (std::size_t s = 0; s < shares; ++s) {
          const double term = from[(c + s < count ? c + s : c) * step];
          of_shares[s] += c + s < count ? term : 0.0;
        }
      }
      double total = of_shares[0];
      GENTEN_DEVICE_UNROLL
      for (std::size_t s = 1; s < shares; ++s) total += of_shares[s];
      return total;
    }
    /// Every `shares`-th of them, read by batches, too.
    [[nodiscard]] KOKKOS_FUNCTION double share(std::size_t number) const {
      constexpr std::size_t batch = 8;
      double total = 0.0;
      std::size_t c = number;
      for (; c + (batch - 1) * shares < count; c += batch * shares) {
        double terms[batch];
        GENTEN_DEVICE_UNROLL
        for (std::size_t k = 0; k < batch; ++k) terms[k] = from[(c + k * shares) * step];
        GENTEN_DEVICE_UNROLL
        for (std::size_t k = 0; k < batch; ++k) total = join(total, terms[k]);
      }
      for (; c < count; c += shares) total = join(total, from[c * step]);
      return total;
    }
  };
  [[nodiscard]] KOKKOS_FUNCTION Parts parts_of(std::size_t result) const {
    const auto divisor = static_cast<unsigned>(rank);
    if (result < squares()) {
      // The upper triangle for both, so that the result is symmetric to the last bit.
      const std::size_t a = static_cast<unsigned>(result) / divisor, b = result - a * rank;
      return {grams + (a < b ? a * stride + b : b * stride + a), chunks, stride * stride, false};
    }
    const std::size_t each = result - squares();
    const std::size_t line = static_cast<unsigned>(each) / divisor, column = each - line * rank;
    return {statistics + line * stride + column, teams, lines * stride, line % 2 == 0};
  }
  [[nodiscard]] KOKKOS_FUNCTION std::size_t squares() const {
    return grams == nullptr ? 0 : rank * rank;
  }

  /// Doubles of workspace for `run_all`, and of what it finds.
  [[nodiscard]] KOKKOS_FUNCTION std::size_t all_size() const {
    return (shares + 1) * lines * rank + rank * rank;
  }
  /// What all teams of AddChunks do, by one, with the same bits: leaves the Gram matrix and, one
  /// after another, the lines at the beginning of the workspace, and waits.
  KOKKOS_FUNCTION void run_all(const Member& team, double* workspace, std::size_t thread) const {
    const auto columns = static_cast<unsigned>(lines * rank);  // divisions of 64 bits are slow
    double* const found = workspace + rank * rank;
    double* const of_shares = found + columns;
    for (std::size_t result = thread; result < rank * rank; result += threads) {
      workspace[result] = parts_of(result).sum();
    }
    for (auto each = static_cast<unsigned>(thread); each < columns * shares; each += threads) {
      of_shares[each] = parts_of(squares() + each % columns).share(each / columns);
    }
    team.team_barrier();
    for (std::size_t line = thread; line < columns; line += threads) {
      const Parts parts = parts_of(squares() + line);
      double total = of_shares[line];
      for (std::size_t s = 1; s < shares; ++s) {
        total = parts.join(total, of_shares[s * columns + line]);
      }
      found[line] = total;
    }
    team.team_barrier();
  }
};

/// Adds it, `results` a team.
template <ExecutionSpace Exec>
struct AddChunks {
  using Sums = ChunkSums<Exec>;
  using Member = typename Sums::Member;

  Sums sums;
  double* gram;
  double* of_lines[4];  ///< the results, of every line one a column

  [[nodiscard]] static std::size_t scratch_bytes() { return Sums::threads * sizeof(double); }
  [[nodiscard]] std::size_t leagues() const {
    return (sums.squares() + sums.lines * sums.rank + Sums::results - 1) / Sums::results;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    run(team, static_cast<std::size_t>(team.league_rank()));
  }
  /// What the team of that number does.
  KOKKOS_FUNCTION void run(const Member& team, std::size_t league) const {
    auto* const workspace =
        static_cast<double*>(team.team_shmem().get_shmem(Sums::threads * sizeof(double)));
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t result = league * Sums::results + thread % Sums::results;
    const std::size_t share = thread / Sums::results, squares = sums.squares();
    const bool valid = result < squares + sums.lines * sums.rank;
    const auto parts = valid ? sums.parts_of(result) : typename Sums::Parts{};
    double total = parts.share(share);
    workspace[thread] = total;
    team.team_barrier();
    if (!valid || share != 0) return;
    for (std::size_t s = 1; s < Sums::shares; ++s) {
      total = parts.join(total, workspace[s * Sums::results + thread]);
    }
    if (result < squares) {
      gram[result] = total;
    } else {
      of_lines[(result - squares) / sums.rank][(result - squares) % sums.rank] = total;
    }
  }
};

}  // namespace genten::detail
