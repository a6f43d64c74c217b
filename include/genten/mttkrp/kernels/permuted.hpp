// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The kernel `permuted`: a sorting permutation per mode, partial sums in registers.

#include <genten/base/detail/memory_peak.hpp>
#include <genten/format/row_permutation.hpp>
#include <genten/mttkrp/detail/permuted_block.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace genten::kernels {

/// Blocks of nonzeros in the order of the output row, reached through a permutation; partial sums
/// stay in registers until the row changes. Rows that lie within one block are written by it alone.
/// A block's first and last row may be shared with its neighbours: on host backends their sums are
/// carried and added in a fixed order, which gives the same bits for every number of threads; on
/// devices they are added atomically, as published.
struct Permuted {
  static constexpr std::string_view name = "permuted";
  static constexpr bool deterministic = true;  // on host backends
  static constexpr bool needs_padding = false;
  static constexpr bool reads_relabeled = false;
  static constexpr std::string_view accepted = "every tensor";

  /// Its constants.
  struct Tuning {
    /// A thread of a host takes blocks of so many nonzeros, few enough to balance and many enough
    /// for their carries not to count; chosen on Cascade Lake.
    offset_t nonzeros_per_block_host = 2048;
    /// A thread of a device takes so many nonzeros; as published, and not tuned since.
    offset_t nonzeros_per_block_device = 64;
  };
  /// What it chose for a problem, for reports.
  struct Choice {
    offset_t nonzeros_per_block = 0;
    bool carries = false;  ///< whether shared rows are carried, not added atomically
    [[nodiscard]] std::string describe() const {
      return "blocks of " + std::to_string(nonzeros_per_block) + " nonzeros, shared rows " +
             (carries ? "carried" : "added atomically");
    }
  };

  template <ExecutionSpace Exec>
  static constexpr bool supports = true;

  static bool accepts(const MttkrpProblem&) { return true; }
  /// Bytes of a sweep: the permutation, a cache line each for subscripts and value that it points
  /// to, and gathered rows.
  static double cost(const MttkrpProblem& problem, const MachineProperties&, const Tuning&) {
    const double order = problem.order();
    return static_cast<double>(problem.nnz) * order *
           (8.0 + 64.0 + 64.0 + problem.row_bytes() * (order - 1.0));
  }
  /// Permutations of all modes, what sorting one of them takes meanwhile, and carries on hosts.
  static KernelMemory memory(const MttkrpProblem& problem, const MachineProperties& machine,
                             const Tuning& tuning) {
    const auto nnz = static_cast<double>(problem.nnz);
    const double positions = detail::array_bytes(8.0 * nnz, machine.device);
    const double keys =
        detail::array_bytes(nnz * static_cast<double>(problem.ordinal_bytes), machine.device);
    detail::MemoryPeak peak;
    for (int mode = 0; mode < problem.order(); ++mode) {
      // Both, and as much again to sort into.
      peak.pass(2.0 * (keys + positions) +
                (machine.device ? detail::device_sort_workspace(nnz) : 0.0));
      peak.take(positions);
    }
    if (machine.device) return {peak.peak(), peak.live()};
    const double blocks = std::ceil(nnz / static_cast<double>(tuning.nonzeros_per_block_host));
    peak.take(2.0 * blocks * static_cast<double>(problem.rank * problem.scalar_bytes));
    return {peak.peak(), peak.live()};
  }

  /// The kernel made ready for a tensor: what kernel_concept.hpp asks of it.
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  class Prepared {
   public:
    Prepared(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
             const MttkrpProblem& problem, const MachineProperties&, const Tuning& tuning)
        : m_tensor(tensor),
          m_block(is_host_space<Exec> ? tuning.nonzeros_per_block_host
                                      : tuning.nonzeros_per_block_device) {
      for (int mode = 0; mode < tensor.order(); ++mode) {
        m_permutations.push_back(row_permutation(exec, tensor, mode));
      }
      const auto blocks = static_cast<std::size_t>((tensor.nnz() + m_block - 1) / m_block);
      if (is_host_space<Exec>) {
        m_carries = detail::new_view<decltype(m_carries)>("genten::permuted_carries", blocks, 2,
                                                          problem.rank);
      }
    }

    void run(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
             const FacMatrix<Scalar, Exec>& output) const {
      Kokkos::deep_copy(exec, output.padded_view(), Scalar(0));
      sum_blocks(exec, factors, mode, output);
      if constexpr (is_host_space<Exec>) add_carries(exec, factors, mode, output);
    }

    [[nodiscard]] Choice choice() const { return {m_block, is_host_space<Exec>}; }

    /// \cond device lambdas may not stand in private members
    void sum_blocks(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
                    const FacMatrix<Scalar, Exec>& output) const {
      const detail::PermutedSums<Scalar, Ordinal, is_host_space<Exec>> sums{
          m_tensor.subscripts().data(),
          m_tensor.values().data(),
          m_permutations[static_cast<std::size_t>(mode)].data(),
          m_tensor.nnz(),
          m_block,
          factors,
          mode,
          output.row(0),
          output.stride(),
          m_carries.data()};
      Kokkos::parallel_for("genten::mttkrp_permuted",
                           Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(
                               exec, 0, (m_tensor.nnz() + m_block - 1) / m_block),
                           sums);
    }

    /// Adds the carried sums of each shared row in the order of the blocks. The block in which a
    /// row starts does it for that row.
    void add_carries(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
                     const FacMatrix<Scalar, Exec>& output) const {
      const auto subscripts = m_tensor.subscripts();
      const auto permutation = m_permutations[static_cast<std::size_t>(mode)];
      const auto carries = m_carries;
      const offset_t nnz = m_tensor.nnz();
      const offset_t block = m_block;
      const offset_t blocks = (nnz + block - 1) / block;
      Kokkos::parallel_for(
          "genten::mttkrp_permuted_carries",
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, blocks),
          KOKKOS_LAMBDA(const offset_t b) {
            const auto row_at = [&](offset_t p) { return subscripts(permutation(p), mode); };
            const auto first_of = [&](offset_t i) { return row_at(i * block); };
            const auto last_of = [&](offset_t i) {
              return row_at((i + 1) * block < nnz ? (i + 1) * block - 1 : nnz - 1);
            };
            for (int side = 0; side < 2; ++side) {
              const Ordinal row = side == 0 ? first_of(b) : last_of(b);
              if (side == 1 && row == first_of(b))
                return;  // one row fills the block: side 0 did it
              if (side == 0 && b > 0 && last_of(b - 1) == row) continue;  // starts further left
              for (std::size_t j = 0; j < factors.columns; ++j) {
                Scalar sum = carries(b, side, j);
                if (side == 1 || last_of(b) == row) {
                  for (offset_t i = b + 1; i < blocks && first_of(i) == row; ++i) {
                    sum += carries(i, 0, j);
                    if (last_of(i) != row) break;
                  }
                }
                output.row(row)[j] = sum;
              }
            }
          });
    }
    /// \endcond

   private:
    Sptensor<Scalar, Ordinal, Exec> m_tensor;
    offset_t m_block;
    std::vector<Kokkos::View<offset_t*, typename Exec::memory_space>> m_permutations;
    /// block x (first or last row) x column
    Kokkos::View<Scalar***, Kokkos::LayoutRight, typename Exec::memory_space> m_carries;
  };
};

}  // namespace genten::kernels
