// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The kernel `duplicated`: a private output for each worker.

#include <genten/core/sptensor.hpp>
#include <genten/mttkrp/detail/row_product.hpp>

#include <string>
#include <string_view>

namespace genten::kernels {

/// Each of as many workers as the machine has threads takes an equal part of the nonzeros and adds
/// to an output of its own; the outputs are added in order afterwards. The same bits from run to
/// run with the same number of threads. Host backends only.
struct Duplicated {
  static constexpr std::string_view name = "duplicated";
  static constexpr bool deterministic = false;  // it is for one number of threads, not for all
  static constexpr bool needs_padding = false;
  static constexpr bool reads_relabeled = false;
  static constexpr std::string_view accepted = "every tensor";

  struct Tuning {};
  /// What it chose for a problem, for reports.
  struct Choice {
    int workers = 0;
    [[nodiscard]] std::string describe() const {
      return "private outputs of " + std::to_string(workers) + " threads";
    }
  };

  template <ExecutionSpace Exec>
  static constexpr bool supports = is_host_space<Exec>;

  static bool accepts(const MttkrpProblem&) { return true; }
  /// Bytes of a sweep: a private output row is read and written per nonzero, and all private
  /// outputs are cleared and read once a mode.
  static double cost(const MttkrpProblem& problem, const MachineProperties& machine,
                     const Tuning&) {
    double rows = 0.0;
    for (const std::size_t dimension : problem.dimensions) rows += static_cast<double>(dimension);
    return detail::coordinate_sweep_bytes(problem, 2.0) +
           rows * problem.row_bytes() * 3.0 * machine.workers;
  }
  /// Private outputs for the longest mode.
  static KernelMemory memory(const MttkrpProblem& problem, const MachineProperties& machine,
                             const Tuning&) {
    const double outputs =
        machine.workers * static_cast<double>(problem.longest()) * problem.row_bytes();
    return {outputs, outputs};
  }

  /// The kernel made ready for a tensor: what kernel_concept.hpp asks of it.
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  class Prepared {
   public:
    Prepared(const Exec&, const Sptensor<Scalar, Ordinal, Exec>& tensor,
             const MttkrpProblem& problem, const MachineProperties& machine, const Tuning&)
        : m_tensor(tensor),
          m_workers(std::max(1, static_cast<int>(machine.workers))),
          m_stride(problem.row_stride()),
          m_outputs("genten::private_outputs",
                    static_cast<std::size_t>(m_workers) * problem.longest() * m_stride) {}

    void run(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
             const FacMatrix<Scalar, Exec>& output) const {
      const auto subscripts = m_tensor.subscripts();
      const auto values = m_tensor.values();
      const offset_t nnz = m_tensor.nnz();
      const int workers = m_workers;
      const std::size_t stride = m_stride;
      const std::size_t size = output.rows() * stride;
      Scalar* const outputs = m_outputs.data();
      Kokkos::parallel_for(
          "genten::mttkrp_duplicated", Kokkos::RangePolicy<Exec>(exec, 0, workers),
          [=](const int worker) {
            Scalar* const mine = outputs + static_cast<std::size_t>(worker) * size;
            std::fill_n(mine, size, Scalar(0));
            const offset_t length = (nnz + workers - 1) / workers;
            const offset_t end = std::min(nnz, (worker + 1) * length);
            for (offset_t p = worker * length; p < end; ++p) {
              Scalar* const row = mine + static_cast<std::size_t>(subscripts(p, mode)) * stride;
              detail::for_column_blocks(factors.columns, [&]<int Block>(std::size_t first) {
                Scalar product[Block];
                detail::row_product<Block>(factors, subscripts, p, mode, first, values(p), product);
                for (int j = 0; j < Block; ++j) row[first + j] += product[j];
              });
            }
          });
      Kokkos::parallel_for(
          "genten::mttkrp_duplicated_combine", Kokkos::RangePolicy<Exec>(exec, 0, output.rows()),
          [=](const std::size_t i) {
            for (std::size_t j = 0; j < factors.columns; ++j) {
              Scalar sum = 0;
              for (int w = 0; w < workers; ++w) {
                sum += outputs[static_cast<std::size_t>(w) * size + i * stride + j];
              }
              output.row(i)[j] = sum;
            }
          });
    }

    [[nodiscard]] Choice choice() const { return {m_workers}; }

   private:
    Sptensor<Scalar, Ordinal, Exec> m_tensor;
    int m_workers;
    std::size_t m_stride;
    Kokkos::View<Scalar*, typename Exec::memory_space> m_outputs;
  };
};

}  // namespace genten::kernels
