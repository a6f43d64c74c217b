// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Contraction: one pass over a SortedCopy that multiplies gathered rows and sums them into output
/// rows; the engine of the sorted kernel.

#include <genten/base/machine.hpp>
#include <genten/format/make_sorted_copy.hpp>
#include <genten/mttkrp/kernels/sorted/chunk_loop.hpp>
#include <genten/mttkrp/kernels/sorted/column_panel.hpp>
#include <genten/mttkrp/kernels/sorted/contraction_device.hpp>
#include <genten/mttkrp/kernels/sorted/tuning.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace genten::detail {

/// A sorted copy with the workspace that its partial sums need.
template <RealScalar Scalar, ExecutionSpace Exec>
class Contraction {
 public:
  Contraction() = default;

  /// `gathered` lists the modes of the copy whose rows are multiplied, a fetched one last, and
  /// `stride` is the row stride, in elements, of all factors and of the output. Columns are
  /// taken where they lie or, as many as the panel holds, copied to it; contractions that run one
  /// after another may share a panel.
  /// `early`: the first of the rows that are wanted before the others, where any are.
  Contraction(const Exec& exec, SortedCopy<Scalar, Exec> copy, std::vector<int> gathered,
              std::size_t stride, const MachineProperties& machine,
              const kernels::SortedTuning& tuning, offset_t early,
              ColumnPanel<Scalar, Exec> panel = {})
      : m_copy(std::move(copy)),
        m_gathered(std::move(gathered)),
        m_stride(stride),
        m_panel(std::move(panel)),
        m_runs(m_copy.mean_run >= tuning.shortest_run) {
    if constexpr (is_host_space<Exec>) {
      std::size_t columns = stride;
      if (uses_panel()) columns = static_cast<std::size_t>(m_panel.packs() * full_width<Scalar>);
      m_partials = uninitialized_view<decltype(m_partials)>(
          "genten::partial_sums", static_cast<std::size_t>(m_copy.partial_rows) * columns);
    } else {
      prepare_device(exec, device_cached_bytes(machine.shared_cache, tuning.device_cache_share),
                     early);
    }
  }

  /// Writes output rows: row i = sum over the nonzeros of row i of value times the product of row
  /// factors[k] + subscript of mode gathered[k]. Rows without nonzeros become zero. Padding columns
  /// are computed like any other. `early`, unless empty, is called when all that the early rows
  /// need is queued: on hosts, at the end.
  void run(const Exec& exec, std::span<const Scalar* const> factors, Scalar* output,
           const std::function<void()>& early = {}) const;

  /// The same with phi(x, m) in the place of each value x: m is the sum of the products of the
  /// gathered rows and row i of `own`, whose padding must be zero. On hosts. Allocates in its first
  /// call, where columns are taken in panels.
  template <class Phi>
  void walk(const Exec& exec, std::span<const Scalar* const> factors, const Scalar* own,
            const Phi& phi, Scalar* output);

  [[nodiscard]] const SortedCopy<Scalar, Exec>& copy() const { return m_copy; }
  [[nodiscard]] bool sums_runs() const { return m_runs; }
  [[nodiscard]] bool uses_panel() const { return m_panel.packs() > 0; }
  [[nodiscard]] const std::vector<int>& gathered() const { return m_gathered; }

 private:
  /// What a pass over the copy reads.
  [[nodiscard]] ContractionInput<Scalar> input(std::span<const Scalar* const> factors) const;
  /// Chooses the pieces and column blocks of device reductions, and allocates what they carry.
  void prepare_device(const Exec& exec, std::size_t cached_bytes, offset_t early) {
    std::size_t gathered_rows = 0;
    for (const int mode : m_gathered) {
      gathered_rows += m_copy.dimensions[static_cast<std::size_t>(mode)];
    }
    m_walk.block = device_column_block(gathered_rows, m_stride, sizeof(Scalar), cached_bytes);
    m_walk.heads_ahead = gathered_rows * m_walk.block * sizeof(Scalar) > cached_bytes;
    const offset_t nnz = m_copy.nnz();
    const offset_t piece = device_piece(nnz, device_lanes(m_walk.block, sizeof(Scalar)));
    m_carries.plan = CarryPlanner<Exec>(exec).plan(
        m_copy, m_copy.layout.fields[m_copy.order.row_mode], piece, early);
    const auto entries =
        static_cast<std::size_t>(CarryPlan<Exec>::most_entries(m_carries.plan.pieces));
    m_carries.sums =
        uninitialized_view<decltype(m_carries.sums)>("genten::carried_sums", entries * m_stride);
  }

  SortedCopy<Scalar, Exec> m_copy;
  std::vector<int> m_gathered;
  std::size_t m_stride = 0;
  ColumnPanel<Scalar, Exec> m_panel;
  bool m_runs = false;
  Kokkos::View<Scalar*, typename Exec::memory_space> m_partials;
  DeviceCarries<Scalar, Exec> m_carries;
  DeviceWalk m_walk;
};

}  // namespace genten::detail

#include <genten/mttkrp/kernels/sorted/contraction_impl.hpp>
