// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The entries of a tensor in the order of one mode's rows, cut into tasks.

#include <genten/base/detail/even_chunks.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/format/row_permutation.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace genten::detail {

/// How work on rows is cut. It depends on the entries and the rank alone, so that sums do, too.
struct RowTaskSizes {
  offset_t entries_per_task;   ///< of rows that share a task, about
  offset_t entries_per_piece;  ///< rows of twice as many and more are cut
  offset_t row_cost;           ///< what solving a row costs, in entries
};

/// What one thread or team does alone: some rows, or a piece of a row that is cut.
struct RowTask {
  offset_t first_row = 0;  ///< by place in ModeEntries::rows
  offset_t end_row = 0;
  offset_t begin = 0;  ///< entries
  offset_t end = 0;
  offset_t piece = -1;  ///< where its sums go; -1: all rows are whole
};

/// A row whose sums are added up from pieces, in their order.
struct CutRow {
  offset_t row = 0;  ///< place in ModeEntries::rows
  offset_t first_piece = 0;
  offset_t end_piece = 0;
};

/// What tasks there are.
struct RowTasks {
  std::vector<RowTask> tasks;
  std::vector<CutRow> cut_rows;
  offset_t pieces = 0;
};

/// Cuts rows, row i having entries begins[i] to begins[i + 1].
[[nodiscard]] inline RowTasks cut_rows(const std::vector<offset_t>& begins,
                                       const RowTaskSizes& sizes) {
  RowTasks result;
  const auto rows = static_cast<offset_t>(begins.size()) - 1;
  const auto begin_of = [&](offset_t row) { return begins[static_cast<std::size_t>(row)]; };
  RowTask open{0, 0, 0, 0};
  offset_t cost = 0;
  const auto close = [&](offset_t next_row) {
    if (open.end_row > open.first_row) result.tasks.push_back(open);
    open = {next_row, next_row, begin_of(next_row), begin_of(next_row)};
    cost = 0;
  };
  for (offset_t row = 0; row < rows; ++row) {
    const offset_t entries = begin_of(row + 1) - begin_of(row);
    if (entries >= 2 * sizes.entries_per_piece) {
      close(row);
      const auto count = static_cast<std::size_t>(entries);
      const EvenChunks pieces(count, static_cast<std::size_t>(sizes.entries_per_piece), count);
      CutRow cut{row, result.pieces, result.pieces};
      for (std::size_t p = 0; p < pieces.count(); ++p) {
        const auto first = begin_of(row) + static_cast<offset_t>(pieces.begin(p));
        const auto last = begin_of(row) + static_cast<offset_t>(pieces.end(p));
        result.tasks.push_back({row, row + 1, first, last, result.pieces++});
      }
      cut.end_piece = result.pieces;
      result.cut_rows.push_back(cut);
      close(row + 1);
      continue;
    }
    if (cost != 0 && cost + entries + sizes.row_cost > sizes.entries_per_task) close(row);
    open.end_row = row + 1;
    open.end = begin_of(row + 1);
    cost += entries + sizes.row_cost;
  }
  close(rows);
  return result;
}

/// The entries in the order of the rows of one mode.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, RowNumber, Exec> sorted_by_row(
    const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor, int mode) {
  using Space = typename Exec::memory_space;
  const auto positions = row_permutation(exec, tensor, mode);
  const auto subscripts = uninitialized_view<Kokkos::View<RowNumber**, Kokkos::LayoutRight, Space>>(
      "genten::sorted_subscripts", static_cast<std::size_t>(tensor.nnz()),
      tensor.dimensions().size());
  const auto values = uninitialized_view<Kokkos::View<Scalar*, Space>>(
      "genten::sorted_values", static_cast<std::size_t>(tensor.nnz()));
  const auto from = tensor.subscripts();
  const auto from_values = tensor.values();
  const int order = tensor.order();
  Kokkos::parallel_for(
      "genten::sort_entries",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
      KOKKOS_LAMBDA(const offset_t p) {
        const offset_t q = positions(p);
        values(p) = from_values(q);
        for (int n = 0; n < order; ++n) subscripts(p, n) = from(q, n);
      });
  fence(exec, "genten::sort_entries");
  return Sptensor<Scalar, RowNumber, Exec>::trusted(exec, tensor.dimensions(), subscripts, values,
                                                    SptensorFacts{tensor.facts().distinct, false});
}

/// The entries in the order of a mode's rows: for each the subscripts of the other modes, in their
/// order, and the value. Entries of a row keep the order that the tensor has them in.
template <RealScalar Scalar, ExecutionSpace Exec>
struct ModeEntries {
  using Space = typename Exec::memory_space;

  int others = 0;                              ///< modes without this one
  Kokkos::View<RowNumber*, Space> subscripts;  ///< nnz * others
  Kokkos::View<Scalar*, Space> values;         ///< nnz
  Kokkos::View<RowNumber*, Space> rows;        ///< that have entries, ascending
  Kokkos::View<offset_t*, Space> begins;       ///< by place in `rows`, and the number of entries
  Kokkos::View<RowTask*, Space> tasks;
  Kokkos::View<CutRow*, Space> cut_rows;
  offset_t pieces = 0;

  ModeEntries() = default;
  ModeEntries(const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor, int mode,
              const RowTaskSizes& sizes)
      : others(tensor.order() - 1) {
    using Subscripts = typename Sptensor<Scalar, RowNumber, Exec>::subscripts_view;
    const ModeKeys<Subscripts> keys{tensor.subscripts(), mode, bits_for(tensor.dimension(mode))};
    auto sorted = sorted_positions<RowNumber, offset_t>(exec, tensor.nnz(), keys);
    sorted.spare_keys = {};
    sorted.spare_values = {};
    copy(exec, tensor, mode, sorted.values);
    find_rows(exec, sorted.keys);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), begins);
    const RowTasks cut =
        genten::detail::cut_rows({host.data(), host.data() + host.extent(0)}, sizes);
    tasks = to_view(exec, "genten::row_tasks", cut.tasks);
    cut_rows = to_view(exec, "genten::cut_rows", cut.cut_rows);
    pieces = cut.pieces;
  }

  [[nodiscard]] offset_t nnz() const { return static_cast<offset_t>(values.extent(0)); }
  [[nodiscard]] offset_t row_count() const { return static_cast<offset_t>(rows.extent(0)); }

  /// \cond device lambdas may not stand in private members
  using Positions = Kokkos::View<offset_t*, Space>;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;

  void copy(const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor, int mode,
            const Positions& positions) {
    const auto entries = static_cast<std::size_t>(tensor.nnz());
    const auto width = static_cast<std::size_t>(others);
    subscripts = uninitialized_view<Kokkos::View<RowNumber*, Space>>("genten::row_subscripts",
                                                                     entries * width);
    values = uninitialized_view<Kokkos::View<Scalar*, Space>>("genten::row_values", entries);
    const auto from = tensor.subscripts();
    const auto from_values = tensor.values();
    const auto to = subscripts;
    const auto to_values = values;
    const int count = others;
    Kokkos::parallel_for(
        "genten::copy_mode_entries", Policy(exec, 0, tensor.nnz()),
        KOKKOS_LAMBDA(const offset_t p) {
          const offset_t q = positions(p);
          to_values(p) = from_values(q);
          for (int n = 0; n < count; ++n) {
            to(p * count + n) = from(q, n < mode ? n : n + 1);
          }
        });
    fence(exec, "genten::copy_mode_entries");
  }

  /// By the row of each entry, ascending.
  void find_rows(const Exec& exec, const Kokkos::View<RowNumber*, Space>& row_of) {
    const auto entries = static_cast<offset_t>(row_of.extent(0));
    const auto starts_row = KOKKOS_LAMBDA(const offset_t p) {
      return p == 0 || row_of(p) != row_of(p - 1);
    };
    offset_t found = 0;
    Kokkos::parallel_reduce(
        "genten::count_rows", Policy(exec, 0, entries),
        KOKKOS_LAMBDA(const offset_t p, offset_t& count) { count += starts_row(p) ? 1 : 0; },
        found);
    rows = new_view<Kokkos::View<RowNumber*, Space>>(
        Kokkos::view_alloc(exec, "genten::rows_with_entries"), static_cast<std::size_t>(found));
    begins = new_view<Kokkos::View<offset_t*, Space>>(
        Kokkos::view_alloc(exec, "genten::row_begins"), static_cast<std::size_t>(found) + 1);
    const auto to_rows = rows;
    const auto to_begins = begins;
    Kokkos::parallel_scan(
        "genten::find_rows", Policy(exec, 0, entries),
        KOKKOS_LAMBDA(const offset_t p, offset_t& before, const bool last) {
          if (!starts_row(p)) return;
          if (last) {
            to_rows(before) = row_of(p);
            to_begins(before) = p;
          }
          ++before;
        });
    Kokkos::deep_copy(exec, Kokkos::subview(begins, static_cast<std::size_t>(found)), entries);
    fence(exec, "genten::find_rows");
  }
  /// \endcond

 private:
  template <class T>
  [[nodiscard]] static Kokkos::View<T*, Space> to_view(const Exec& exec, const char* label,
                                                       const std::vector<T>& from) {
    using Unmanaged = Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    const auto to = new_view<Kokkos::View<T*, Space>>(
        Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), from.size());
    Kokkos::deep_copy(exec, to, Unmanaged(from.data(), from.size()));
    exec.fence();
    return to;
  }
};

}  // namespace genten::detail
