// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Contraction: one pass over a SortedCopy that multiplies gathered rows and sums them into output
/// rows; the engine of the sorted kernel.

#include <genten/base/machine.hpp>
#include <genten/format/make_sorted_copy.hpp>
#include <genten/mttkrp/kernels/sorted/column_panel.hpp>
#include <genten/mttkrp/kernels/sorted/contraction_device.hpp>
#include <genten/mttkrp/kernels/sorted/sorted_loops.hpp>
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
  /// `stride` is the row stride, in elements, that factors and output usually have. Columns are
  /// taken where they lie or, as many as the panel holds, copied to it; contractions that run one
  /// after another may share a panel.
  /// `early`: the first of the rows that are wanted before the others, where any are.
  Contraction(const Exec& exec, SortedCopy<Scalar, Exec> copy, std::vector<int> gathered,
              std::size_t stride, const MachineProperties& machine,
              const kernels::SortedTuning& tuning, offset_t early,
              ColumnPanel<Scalar, Exec> panel = {})
      : m_copy(std::move(copy)),
        m_gathered(std::move(gathered)),
        m_panel(std::move(panel)),
        m_runs(tuning.sums_runs(m_copy.mean_run, lines_of(stride))) {
    if constexpr (!is_host_space<Exec>) {
      prepare_device(exec, stride,
                     device_cached_bytes(machine.shared_cache, tuning.device_cache_share), early);
    }
    reserve(stride);
  }

  /// Writes output rows: row i = sum over the nonzeros of row i of value times the product of row
  /// factors[k] + subscript of mode gathered[k]. Rows without nonzeros become zero. Padding columns
  /// are computed like any other. `stride` is the row stride of all factors and of the output; with
  /// one that is wider than all before it allocates. Whatever the stride, every column is summed in
  /// the same order. `early`, unless empty, is called when all that the early rows need is queued:
  /// on hosts, at the end.
  void run(const Exec& exec, std::span<const Scalar* const> factors, std::size_t stride,
           Scalar* output, const std::function<void()>& early = {});

  /// The same with phi(x, m) in the place of each value x: m is the sum of the products of the
  /// gathered rows and row i of `own`, whose padding must be zero. On hosts. Allocates in its first
  /// call, where columns are taken in panels.
  void traversal(const Exec& exec, std::span<const Scalar* const> factors, std::size_t stride,
                 const Scalar* own, const NonzeroMap<Scalar>& phi,
                 Scalar* output) requires is_host_space<Exec>;

  [[nodiscard]] const SortedCopy<Scalar, Exec>& copy() const { return m_copy; }
  [[nodiscard]] bool sums_runs() const { return m_runs; }
  [[nodiscard]] bool uses_panel() const { return m_panel.lines() > 0; }
  [[nodiscard]] const std::vector<int>& gathered() const { return m_gathered; }

 private:
  /// Lines that a loop with the widest registers sums at a time, of rows of `stride` elements: how
  /// rows are summed must not depend on the instruction set.
  [[nodiscard]] double lines_of(std::size_t stride) const {
    const int most = uses_panel() ? m_panel.lines() : most_lines;
    const ColumnBlock columns = column_blocks<Scalar>(stride, most).front();
    return static_cast<double>(columns.columns()) / line_width<Scalar>;
  }
  /// The most that one of this instruction set does.
  [[nodiscard]] int lines_at_once() const {
    const SortedLoops<Scalar>& loops = sorted_loops<Scalar>();
    const int most = m_runs ? loops.lines_of_runs : loops.lines;
    return uses_panel() ? std::min(m_panel.lines(), most) : most;
  }
  /// What a pass over the copy reads.
  [[nodiscard]] ContractionInput<Scalar> input(std::span<const Scalar* const> factors,
                                               std::size_t stride) const;
  /// Makes the workspace as large as rows of `stride` elements need, where it is not.
  void reserve(std::size_t stride) {
    if (stride <= m_reserved) return;
    m_reserved = stride;
    if constexpr (is_host_space<Exec>) {
      const std::size_t columns =
          uses_panel() ? static_cast<std::size_t>(m_panel.lines() * line_width<Scalar>) : stride;
      widen(m_partials, "genten::partial_sums",
            static_cast<std::size_t>(m_copy.partial_rows) * columns);
    } else {
      const offset_t entries = CarryPlan<Exec>::most_entries(m_carries.plan.pieces);
      widen(m_carries.sums, "genten::carried_sums", static_cast<std::size_t>(entries) * stride);
    }
  }
  using Elements = Kokkos::View<Scalar*, typename Exec::memory_space>;
  static void widen(Elements& elements, const char* label, std::size_t count) {
    if (elements.extent(0) >= count) return;
    elements = {};
    elements = uninitialized_view<Elements>(label, count);
  }
  /// Chooses the pieces of device reductions, and how what they carry is summed.
  void prepare_device(const Exec& exec, std::size_t stride, std::size_t cached_bytes,
                      offset_t early) {
    for (const int mode : m_gathered) {
      m_gathered_rows += m_copy.dimensions[static_cast<std::size_t>(mode)];
    }
    m_cached_bytes = cached_bytes;
    m_traversal.block = device_column_block(m_gathered_rows, stride, sizeof(Scalar), cached_bytes);
    m_traversal.heads_ahead = m_gathered_rows * m_traversal.block * sizeof(Scalar) > cached_bytes;
    const offset_t piece =
        device_piece(m_copy.nnz(), device_lanes(m_traversal.block, sizeof(Scalar)));
    m_carries.plan = CarryPlanner<Exec>(exec).plan(
        m_copy, m_copy.layout.fields[m_copy.order.row_mode], piece, early);
  }
  /// The same pieces, by which sums are added, for rows of another width.
  [[nodiscard]] DeviceTraversal traversal_of(std::size_t stride) const {
    DeviceTraversal traversal = m_traversal;
    traversal.block = device_column_block(m_gathered_rows, stride, sizeof(Scalar), m_cached_bytes);
    return traversal;
  }

  SortedCopy<Scalar, Exec> m_copy;
  std::vector<int> m_gathered;
  std::size_t m_reserved = 0;  ///< the widest row stride that there is workspace for
  ColumnPanel<Scalar, Exec> m_panel;
  bool m_runs = false;
  Elements m_partials;
  DeviceCarries<Scalar, Exec> m_carries;
  DeviceTraversal m_traversal;
  std::size_t m_gathered_rows = 0, m_cached_bytes = 0;  ///< on devices
};

}  // namespace genten::detail

#include <genten/mttkrp/kernels/sorted/contraction_impl.hpp>
