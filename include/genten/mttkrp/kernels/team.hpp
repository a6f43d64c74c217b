// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The kernel `team`: a league of teams, products in scratch memory, vector lanes over columns.

#include <genten/core/sptensor.hpp>
#include <genten/mttkrp/detail/row_product.hpp>

#include <string>
#include <string_view>

namespace genten::kernels {

/// Each team takes a block of nonzeros; each thread of it takes one nonzero at a time and keeps the
/// product of its rows in scratch memory, with the vector lanes over columns; rows are added
/// atomically. Needs no preparation. Order of additions varies between runs.
struct Team {
  static constexpr std::string_view name = "team";
  static constexpr bool deterministic = false;
  static constexpr bool needs_padding = false;
  static constexpr bool reads_relabeled = false;
  static constexpr std::string_view accepted = "every tensor";

  /// Its constants.
  struct Tuning {
    /// A team takes so many nonzeros; as published, and not tuned since.
    int nonzeros_per_team = 128;
    /// A product is held in scratch memory for so many columns at a time, which fit on every
    /// device; not tuned.
    int columns_per_pass = 256;
  };
  /// What it chose for a problem, for reports.
  struct Choice {
    int nonzeros_per_team = 0;
    [[nodiscard]] std::string describe() const {
      return "teams of " + std::to_string(nonzeros_per_team) + " nonzeros";
    }
  };

  template <ExecutionSpace Exec>
  static constexpr bool supports = true;

  static bool accepts(const MttkrpProblem&) { return true; }
  /// As for `atomic`, with the product written to and read from scratch once more.
  static double cost(const MttkrpProblem& problem, const MachineProperties&, const Tuning&) {
    return detail::coordinate_sweep_bytes(problem, 10.0);
  }
  static KernelMemory memory(const MttkrpProblem&, const MachineProperties&, const Tuning&) {
    return {};
  }

  /// The kernel made ready for a tensor: what kernel_concept.hpp asks of it.
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  class Prepared {
   public:
    Prepared(const Exec&, const Sptensor<Scalar, Ordinal, Exec>& tensor, const MttkrpProblem&,
             const MachineProperties&, const Tuning& tuning)
        : m_tensor(tensor), m_tuning(tuning) {}

    void run(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
             const FacMatrix<Scalar, Exec>& output) const {
      Kokkos::deep_copy(exec, output.padded_view(), Scalar(0));
      using Policy = Kokkos::TeamPolicy<Exec, Kokkos::IndexType<offset_t>>;
      using Member = typename Policy::member_type;
      using Scratch =
          Kokkos::View<Scalar**, Kokkos::LayoutRight, typename Exec::scratch_memory_space,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      const auto subscripts = m_tensor.subscripts();
      const auto values = m_tensor.values();
      const offset_t nnz = m_tensor.nnz();
      const offset_t block = m_tuning.nonzeros_per_team;
      const auto league = static_cast<int>((nnz + block - 1) / block);
      if (league == 0) return;
      const int columns = static_cast<int>(factors.columns);
      const int pass = std::min(columns, m_tuning.columns_per_pass);
      const int lanes =
          is_host_space<Exec>
              ? 1
              : std::min(32, static_cast<int>(std::bit_ceil(static_cast<unsigned>(pass))));
      const int threads = is_host_space<Exec> ? 1 : 128 / lanes;
      Policy policy(exec, league, threads, lanes);
      policy.set_scratch_size(0,
                              Kokkos::PerTeam(Scratch::shmem_size(static_cast<std::size_t>(threads),
                                                                  static_cast<std::size_t>(pass))));
      Kokkos::parallel_for(
          "genten::mttkrp_team", policy, KOKKOS_LAMBDA(const Member& team) {
            const Scratch products(team.team_scratch(0), team.team_size(), pass);
            const offset_t begin = static_cast<offset_t>(team.league_rank()) * block;
            const offset_t end = begin + block < nnz ? begin + block : nnz;
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](const offset_t p) {
              Scalar* const product = &products(team.team_rank(), 0);
              Scalar* const row = output.row(subscripts(p, mode));
              for (int first = 0; first < columns; first += pass) {
                const int count = first + pass < columns ? pass : columns - first;
                const auto over_columns = Kokkos::ThreadVectorRange(team, count);
                Kokkos::parallel_for(over_columns, [&](const int j) { product[j] = values(p); });
                for (int m = 0; m < factors.order; ++m) {
                  if (m == mode) continue;
                  const Scalar* const from =
                      factors.data[m] +
                      static_cast<std::size_t>(subscripts(p, m)) * factors.stride[m] + first;
                  Kokkos::parallel_for(over_columns, [&](const int j) { product[j] *= from[j]; });
                }
                Kokkos::parallel_for(over_columns, [&](const int j) {
                  Kokkos::atomic_add(row + first + j, product[j]);
                });
              }
            });
          });
    }

    [[nodiscard]] Choice choice() const { return {m_tuning.nonzeros_per_team}; }

   private:
    Sptensor<Scalar, Ordinal, Exec> m_tensor;
    Tuning m_tuning;
  };
};

}  // namespace genten::kernels
