// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The kernel `atomic`: flat over nonzeros.

#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/detail/row_product.hpp>
#include <genten/mttkrp/functor.hpp>

#include <string>
#include <string_view>

namespace genten::kernels {

/// One thread a nonzero; its product is added to the output row with one atomic addition a column.
/// Needs no preparation and no memory. Order of additions, and so the last bits, vary between runs.
struct Atomic {
  static constexpr std::string_view name = "atomic";
  static constexpr bool deterministic = false;
  static constexpr bool needs_padding = false;
  /// So that there is a kernel that takes every tensor and needs no memory at all.
  static constexpr bool reads_relabeled = true;
  static constexpr std::string_view accepted = "every tensor";

  struct Tuning {};
  /// What it chose for a problem, for reports.
  struct Choice {
    [[nodiscard]] std::string describe() const { return "one atomic row addition a nonzero"; }
  };

  template <ExecutionSpace Exec>
  static constexpr bool supports = true;

  static bool accepts(const MttkrpProblem&) { return true; }
  /// Bytes of a sweep: the read and the write of an output row, being atomic, cost about four times
  /// plain ones.
  static double cost(const MttkrpProblem& problem, const MachineProperties&,
                     const Tuning& = Tuning()) {
    return detail::coordinate_sweep_bytes(problem, 8.0);
  }
  static KernelMemory memory(const MttkrpProblem&, const MachineProperties&,
                             const Tuning& = Tuning()) {
    return {};
  }

  /// The kernel made ready for a tensor: what kernel_concept.hpp asks of it.
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  class Prepared {
   public:
    Prepared(const Exec&, RelabeledTensor<Scalar, Ordinal, Exec> tensor, const MttkrpProblem&,
             const MachineProperties&, const Tuning& = Tuning())
        : m_tensor(std::move(tensor)) {}

    /// Writes the MTTKRP of `mode` to the rows of `output`.
    void run(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
             const FacMatrix<Scalar, Exec>& output) const {
      Kokkos::deep_copy(exec, output.padded_view(), Scalar(0));
      const auto subscripts = m_tensor.subscripts();
      const auto values = m_tensor.values();
      Kokkos::parallel_for(
          "genten::mttkrp_atomic",
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, m_tensor.nnz()),
          KOKKOS_LAMBDA(const offset_t p) {
            Scalar* const row = output.row(subscripts(p, mode));
            detail::for_column_blocks(factors.columns, [&]<int Block>(std::size_t first) {
              Scalar product[Block];
              detail::row_product<Block>(factors, subscripts, p, mode, first, values(p), product);
              for (int j = 0; j < Block; ++j) Kokkos::atomic_add(row + first + j, product[j]);
            });
          });
    }

    /// The same with phi(x, m) in the place of each value x, m the model's value there, for which
    /// a nonzero's rows are read once more.
    template <NonzeroFunctor<Scalar> Phi>
    void traversal(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
                   const FacMatrix<Scalar, Exec>& output, const Phi& phi) const {
      Kokkos::deep_copy(exec, output.padded_view(), Scalar(0));
      const auto subscripts = m_tensor.subscripts();
      const auto values = m_tensor.values();
      Kokkos::parallel_for(
          "genten::traversal_atomic",
          Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, m_tensor.nnz()),
          KOKKOS_LAMBDA(const offset_t p) {
            Scalar model = 0;
            detail::for_column_blocks(factors.columns, [&]<int Block>(std::size_t first) {
              Scalar product[Block];
              detail::row_product<Block>(factors, subscripts, p, no_mode, first, Scalar(1),
                                         product);
              for (int j = 0; j < Block; ++j) model += product[j];
            });
            const Scalar value = phi(static_cast<Scalar>(values(p)), model);
            Scalar* const row = output.row(subscripts(p, mode));
            detail::for_column_blocks(factors.columns, [&]<int Block>(std::size_t first) {
              Scalar product[Block];
              detail::row_product<Block>(factors, subscripts, p, mode, first, value, product);
              for (int j = 0; j < Block; ++j) Kokkos::atomic_add(row + first + j, product[j]);
            });
          });
    }

    [[nodiscard]] Choice choice() const { return {}; }

   private:
    static constexpr int no_mode = -1;  ///< a product of the rows of all modes

    RelabeledTensor<Scalar, Ordinal, Exec> m_tensor;
  };
};

}  // namespace genten::kernels
