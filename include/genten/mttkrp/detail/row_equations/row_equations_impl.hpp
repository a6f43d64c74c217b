// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/detail/memory_peak.hpp>
#include <genten/mttkrp/detail/row_equations/launch_teams.hpp>
#include <genten/mttkrp/detail/row_equations/row_loops.hpp>
#include <genten/mttkrp/row_equations.hpp>

#include <string>

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
RowEquations<Scalar, Exec>::RowEquations(const Exec& exec,
                                         const Sptensor<Scalar, RowNumber, Exec>& tensor,
                                         std::size_t rank, const RowEquationsTuning& tuning)
    : m_dimensions(tensor.dimensions()), m_rank(rank), m_tuning(tuning) {
  if (rank == 0) throw Error::in("RowEquations", "expected a rank of at least 1, got 0");
  const auto sizes = task_sizes(tensor.nnz(), rank, tuning);
  offset_t pieces = 0, most_rows = 0;
  // Sorting is stable: entries of a row come in the order of the rows that are gathered from the
  // longest factor.
  const auto sorted = detail::sorted_by_row(exec, tensor, longest_mode());
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const auto& entries = m_entries.emplace_back(exec, sorted, mode, sizes);
    pieces = std::max(pieces, entries.pieces);
    most_rows = std::max(most_rows, entries.row_count());
  }
  const std::size_t line = detail::system_line(rank);
  const std::size_t longest = std::max(line, (rank + 3) / 4 * 4);  // of threads and of teams
  m_pieces = detail::new_view<decltype(m_pieces)>(
      Kokkos::view_alloc("genten::row_pieces", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(pieces) * longest * (longest + 1));
  m_unsafe = detail::new_view<decltype(m_unsafe)>("genten::unsafe_rows",
                                                  static_cast<std::size_t>(most_rows));
  if constexpr (is_host_space<Exec>) {
    // Zeroed: padding of panels stays so.
    m_workspace = detail::new_view<decltype(m_workspace)>(
        "genten::row_workspace",
        static_cast<std::size_t>(Kokkos::Experimental::UniqueToken<Exec>(exec).size()),
        detail::row_workspace_size(rank));
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
detail::RowTaskSizes RowEquations<Scalar, Exec>::task_sizes(offset_t nnz, std::size_t rank,
                                                            const RowEquationsTuning& tuning) {
  const auto line = static_cast<double>(detail::system_line(rank));
  const auto most_pieces =
      std::clamp(tuning.piece_bytes / (line * (line + 1) * sizeof(double)), 64.0, 4096.0);
  const auto fewest = static_cast<offset_t>(std::ceil(static_cast<double>(nnz) / most_pieces));
  const bool by_threads = is_host_space<Exec> && !tuning.teams_on_hosts;
  const offset_t least =
      is_host_space<Exec> ? tuning.entries_per_piece_host : tuning.entries_per_piece_device;
  return {by_threads ? tuning.entries_per_task : 1, std::max(least, fewest),
          1 + static_cast<offset_t>(rank) / 3};
}

template <RealScalar Scalar, ExecutionSpace Exec>
double RowEquations<Scalar, Exec>::memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                          std::size_t rank, const RowEquationsTuning& tuning) {
  return memory_of(dimensions, nnz, rank, tuning).peak;
}

template <RealScalar Scalar, ExecutionSpace Exec>
KernelMemory RowEquations<Scalar, Exec>::memory_of(const std::vector<std::size_t>& dimensions,
                                                   offset_t nnz, std::size_t rank,
                                                   const RowEquationsTuning& tuning) {
  const auto entries = static_cast<double>(nnz);
  const auto order = static_cast<double>(dimensions.size());
  const auto array = [](double bytes) { return detail::array_bytes(bytes, !is_host_space<Exec>); };
  const auto line = static_cast<double>(detail::system_line(rank));
  const auto sizes = task_sizes(nnz, rank, tuning);
  const double most_pieces = std::ceil(entries / static_cast<double>(sizes.entries_per_piece));
  // Where rows are long enough to be cut.
  const bool cut = nnz >= 2 * sizes.entries_per_piece;
  const double pieces = cut ? most_pieces : 0.0;
  double workspace = 0.0, most_rows = 0.0;
  if constexpr (is_host_space<Exec>) {
    const std::size_t each = detail::row_workspace_size(rank);
    const auto threads = Kokkos::Experimental::UniqueToken<Exec>(Exec()).size();
    workspace = static_cast<double>(threads) * static_cast<double>(each) * sizeof(double);
  }
  // Replays what the constructor does.
  detail::MemoryPeak peak;
  const double positions = array(entries * sizeof(offset_t)),
               keys = array(entries * sizeof(RowNumber));
  const double values = array(entries * sizeof(Scalar));
  const double sorted = values + array(entries * order * sizeof(RowNumber));
  const double to_sort = is_host_space<Exec> ? 0.0 : detail::device_sort_workspace(entries);
  peak.take(2.0 * (positions + keys));
  peak.pass(to_sort);
  peak.give(positions + 2.0 * keys);
  peak.take(sorted);
  peak.give(positions);
  for (const std::size_t length : dimensions) {
    const double rows = std::min(entries, static_cast<double>(length));
    const double cost = entries + rows * static_cast<double>(sizes.row_cost);
    const double tasks =
        std::min(rows, 2.0 * cost / static_cast<double>(sizes.entries_per_task) + 1.0) + pieces;
    peak.take(2.0 * (positions + keys));
    peak.pass(to_sort);
    peak.give(positions + keys);
    peak.take(values + array(entries * (order - 1.0) * sizeof(RowNumber)));
    peak.take(rows * (sizeof(RowNumber) + sizeof(offset_t)) + tasks * sizeof(detail::RowTask) +
              pieces / 2.0 * sizeof(detail::CutRow));
    peak.give(positions + keys);
    most_rows = std::max(most_rows, rows);
  }
  peak.take(pieces * line * (line + 1) * sizeof(double) + most_rows * sizeof(int) + workspace);
  const double highest = peak.peak();
  peak.give(sorted);
  return {highest, peak.live()};
}

template <RealScalar Scalar, ExecutionSpace Exec>
void RowEquations<Scalar, Exec>::check(std::span<const Matrix> factors, int mode,
                                       const Matrix& output) const {
  const auto order = static_cast<int>(m_dimensions.size());
  if (mode < 0 || mode >= order) throw Error::no_such_mode("RowEquations", mode, order);
  if (factors.size() != m_dimensions.size()) {
    throw Error::in("RowEquations", "expected " + std::to_string(order) + " factors, got " +
                                        std::to_string(factors.size()));
  }
  const std::size_t stride = padded_stride(m_rank, sizeof(Scalar));
  for (std::size_t n = 0; n < m_dimensions.size(); ++n) {
    const Matrix& matrix = n == static_cast<std::size_t>(mode) ? output : factors[n];
    if (matrix.rows() == m_dimensions[n] && matrix.columns() == m_rank &&
        matrix.stride() == stride) {
      continue;
    }
    throw Error::in("RowEquations", "expected a padded " + std::to_string(m_dimensions[n]) + " x " +
                                        std::to_string(m_rank) + " matrix in mode " +
                                        error_text::number(n) + ", got " +
                                        std::to_string(matrix.rows()) + " x " +
                                        std::to_string(matrix.columns()) + " with rows of " +
                                        std::to_string(matrix.stride()));
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
void RowEquations<Scalar, Exec>::check_base(const Square& base) const {
  if (base.extent(0) == m_rank && base.extent(1) == m_rank) return;
  throw Error::in("RowEquations", "expected a base of " + std::to_string(m_rank) + " x " +
                                      std::to_string(m_rank) + ", got " +
                                      std::to_string(base.extent(0)) + " x " +
                                      std::to_string(base.extent(1)));
}

template <RealScalar Scalar, ExecutionSpace Exec>
auto RowEquations<Scalar, Exec>::work_of(int mode, const detail::RowTerms<Scalar>& terms,
                                         const Matrix& output) const -> Work {
  const Entries& entries = m_entries[static_cast<std::size_t>(mode)];
  return {entries.rows.data(),
          entries.begins.data(),
          entries.tasks.data(),
          entries.cut_rows.data(),
          terms,
          output.data(),
          output.stride(),
          m_rank,
          m_pieces.data(),
          m_unsafe.data(),
          m_violations.data()};
}

template <RealScalar Scalar, ExecutionSpace Exec>
RowSolveCounts RowEquations<Scalar, Exec>::solve(const Exec& exec, std::span<const Matrix> factors,
                                                 int mode, double ridge, const Matrix& output) {
  return solve_rows(exec, factors, mode, {.ridge = ridge}, output);
}

template <RealScalar Scalar, ExecutionSpace Exec>
RowSolveCounts RowEquations<Scalar, Exec>::solve_without(const Exec& exec,
                                                         std::span<const Matrix> factors, int mode,
                                                         double ridge, const Square& base,
                                                         const Matrix& products,
                                                         const Matrix& output) {
  check(factors, mode, products);
  check_base(base);
  return solve_rows(exec, factors, mode,
                    {.ridge = ridge,
                     .sign = -1.0,
                     .base = base.data(),
                     .right = products.data(),
                     .base_error = base_error()},
                    output);
}

template <RealScalar Scalar, ExecutionSpace Exec>
double RowEquations<Scalar, Exec>::base_error() const {
  // Sums are taken in double. Products k are rounded to Scalar, once for every factor.
  const auto sums = 10.0 * std::numeric_limits<double>::epsilon();
  const auto products = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  const std::size_t terms = std::max(m_rank, m_dimensions.size());
  return static_cast<double>(terms) * std::max(sums, products);
}

template <RealScalar Scalar, ExecutionSpace Exec>
RowSolveCounts RowEquations<Scalar, Exec>::solve_rows(const Exec& exec,
                                                      std::span<const Matrix> factors, int mode,
                                                      const detail::RowTerms<Scalar>& terms,
                                                      const Matrix& output) {
  check(factors, mode, output);
  const Work work = work_of(mode, terms, output);
  if constexpr (is_host_space<Exec>) {
    if (!by_teams()) run_on_host(exec, factors, mode, work);
  }
  if (by_teams()) run_teams(exec, factors, mode, work);
  return {rows(mode), solve_unsafe(exec, factors, mode, work)};
}

template <RealScalar Scalar, ExecutionSpace Exec>
void RowEquations<Scalar, Exec>::run_on_host(const Exec& exec, std::span<const Matrix> factors,
                                             int mode, const Work& work) {
  const Entries& entries = m_entries[static_cast<std::size_t>(mode)];
  const std::size_t line = detail::system_line(m_rank);
  const detail::EntryGather<Scalar> gather(entries, factors, mode, line);
  const Kokkos::Experimental::UniqueToken<Exec> token(exec);
  const auto& loops = detail::row_loops<Scalar>();
  const auto perform = [&](auto* loop, const auto& item) {
    const auto mine = token.acquire();
    loop(work, gather, &m_workspace(mine, 0), item);
    token.release(mine);
  };
  detail::for_each_index("genten::row_equations", exec, entries.tasks.extent(0),
                         [&](const std::size_t i) { perform(loops.perform, entries.tasks(i)); });
  detail::for_each_index(
      "genten::cut_row_equations", exec, entries.cut_rows.extent(0),
      [&](const std::size_t i) { perform(loops.perform_cut, entries.cut_rows(i)); });
}

template <RealScalar Scalar, ExecutionSpace Exec>
void RowEquations<Scalar, Exec>::run_teams(const Exec& exec, std::span<const Matrix> factors,
                                           int mode, const Work& work) {
  const Entries& entries = m_entries[static_cast<std::size_t>(mode)];
  detail::with_row_teams<Scalar>(exec, entries, factors, mode, work, [&](auto rows) {
    using Rows = decltype(rows);
    detail::launch_row_teams<typename Rows::SumAndSolve>("genten::row_equations", exec,
                                                         entries.tasks.extent(0), rows);
    detail::launch_row_teams<typename Rows::SolveCutRow>("genten::cut_row_equations", exec,
                                                         entries.cut_rows.extent(0), rows);
  });
}

template <RealScalar Scalar, ExecutionSpace Exec>
offset_t RowEquations<Scalar, Exec>::solve_unsafe(const Exec& exec, std::span<const Matrix> factors,
                                                  int mode, const Work& work) {
  const Entries& entries = m_entries[static_cast<std::size_t>(mode)];
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  const int* const unsafe = work.unsafe;
  offset_t count = 0;
  Kokkos::parallel_reduce(
      "genten::count_unsafe_rows", Policy(exec, 0, entries.row_count()),
      KOKKOS_LAMBDA(const offset_t i, offset_t& sum) { sum += unsafe[i]; }, count);
  if (count == 0) return 0;
  using Places = Kokkos::View<offset_t*, typename Exec::memory_space>;
  const auto places = detail::new_view<Places>(Kokkos::view_alloc(exec, "genten::unsafe_rows"),
                                               static_cast<std::size_t>(count));
  Kokkos::parallel_scan(
      "genten::list_unsafe_rows", Policy(exec, 0, entries.row_count()),
      KOKKOS_LAMBDA(const offset_t i, offset_t& before, const bool last) {
        if (last && unsafe[i] != 0) places(before) = i;
        before += unsafe[i];
      });
  const auto teams = static_cast<std::size_t>(std::min<offset_t>(count, m_tuning.least_norm_teams));
  using Space = Kokkos::View<double*, typename Exec::memory_space>;
  const auto workspace = detail::new_view<Space>(
      Kokkos::view_alloc(exec, "genten::least_norm", Kokkos::WithoutInitializing),
      teams * m_rank * (2 * m_rank + 4));
  detail::with_row_teams<Scalar>(exec, entries, factors, mode, work, [&](auto rows) {
    rows.listed = places.data();
    rows.listed_count = count;
    rows.workspace = workspace.data();
    detail::launch_row_teams<typename decltype(rows)::LeastNorm>("genten::least_norm_rows", exec,
                                                                 teams, rows);
  });
  return count;
}

template <RealScalar Scalar, ExecutionSpace Exec>
double RowEquations<Scalar, Exec>::squared_residual(const Exec& exec,
                                                    std::span<const Matrix> factors, int mode) {
  const Matrix& own = factors[static_cast<std::size_t>(mode)];
  check(factors, mode, own);
  const Entries& entries = m_entries[static_cast<std::size_t>(mode)];
  if constexpr (is_host_space<Exec>) {
    const Work work = work_of(mode, {}, own);
    const std::size_t line = detail::system_line(m_rank);
    const detail::EntryGather<Scalar> gather(entries, factors, mode, line);
    const Kokkos::Experimental::UniqueToken<Exec> token(exec);
    std::vector<double> sums(entries.tasks.extent(0));
    auto* const residual = detail::row_loops<Scalar>().squared_residual;
    detail::for_each_index("genten::entry_residuals", exec, sums.size(), [&](const std::size_t i) {
      const auto mine = token.acquire();
      sums[i] = residual(work, gather, &m_workspace(mine, 0), entries.tasks(i), own.data());
      token.release(mine);
    });
    double total = 0.0;
    for (const double sum : sums) total += sum;
    return total;
  } else {
    return detail::entry_residuals<Scalar>(exec, entries, factors, mode);
  }
}

}  // namespace genten
