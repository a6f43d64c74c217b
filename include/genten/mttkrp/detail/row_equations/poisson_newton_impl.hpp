// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/detail/vector_math.hpp>
#include <genten/mttkrp/poisson_newton.hpp>

#include <cmath>

namespace genten::detail {

/// exp(m) - 1, the odds of a count that is not 0.
inline void find_odds(const double* m, double* odds, int count) {
  for (int b = 0; b < count; ++b) odds[b] = above_zero(m[b]);
  expm1_of_all(odds, odds, count);
}

/// What PoissonRows need where values are 0 and 1.
[[nodiscard]] inline CountTerms binary_terms(CountStepKind kind) {
  CountTerms terms{kind, false};
  terms.find_slopes = [](double* x, const double* m, int count) {
    double odds[most_panel_entries] = {};
    find_odds(m, odds, count);
    for (int b = 0; b < count; ++b) x[b] = x[b] == 0.0 ? 0.0 : 1.0 + 1.0 / odds[b];
  };
  terms.find_systems = [](double* x, double* m, int count) {
    double odds[most_panel_entries] = {};
    find_odds(m, odds, count);
    for (int b = 0; b < count; ++b) {
      const double model = above_zero(m[b]);
      m[b] = x[b] == 0.0 ? 0.0 : 1.0 / model;
      x[b] = x[b] == 0.0 ? 0.0 : (1.0 + 1.0 / odds[b]) * model;
    }
  };
  terms.find_deviances = [](const double* x, const double* m, double* d, int count) {
    expm1_of_all(m, d, count);
    for (int b = 0; b < count; ++b) d[b] = 1.0 + 1.0 / d[b];
    log_of_all(d, d, count);
    for (int b = 0; b < count; ++b) d[b] = x[b] == 0.0 ? m[b] : d[b];
  };
  return terms;
}

/// What they need of counts.
[[nodiscard]] inline CountTerms poisson_terms(CountStepKind kind) {
  CountTerms terms{kind, true};
  terms.find_deviances = half_deviances;
  return terms;
}
[[nodiscard]] inline CountTerms count_terms(CountLoss loss, CountStepKind kind) {
  return loss == CountLoss::poisson ? poisson_terms(kind) : binary_terms(kind);
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> PoissonNewton<Scalar, Exec>::PoissonNewton(
    const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor, std::size_t rank,
    CountLoss loss, const RowEquationsTuning& tuning)
    : m_rank(rank), m_loss(loss) {
  const auto sizes = RowEquations<Scalar, Exec>::task_sizes(tensor.nnz(), rank, tuning);
  std::size_t pieces = 0, most_tasks = 0;
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const auto& entries = m_entries.emplace_back(exec, tensor, mode, sizes);
    if (tensor.dimension(mode) > tensor.dimension(m_longest)) m_longest = mode;
    pieces = std::max(pieces, static_cast<std::size_t>(entries.pieces));
    most_tasks = std::max(most_tasks, entries.tasks.extent(0) + entries.cut_rows.extent(0));
  }
  const std::size_t line = detail::system_line(rank);
  m_pieces.resize(pieces * line * (line + 1));
  m_facts.resize(pieces);
  m_found.resize(most_tasks);
  m_workspace = detail::new_view<decltype(m_workspace)>(
      "genten::count_workspace",
      static_cast<std::size_t>(Kokkos::Experimental::UniqueToken<Exec>(exec).size()),
      detail::row_workspace_size(rank));
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
template <class Use>
void PoissonNewton<Scalar, Exec>::for_each(const Exec& exec, std::size_t count,
                                           std::span<const Matrix> factors, int mode,
                                           const Matrix& rows, const Use& use) {
  const Entries& entries = m_entries[static_cast<std::size_t>(mode)];
  const std::size_t line = detail::system_line(m_rank);
  const detail::RowWork<Scalar> work{entries.rows.data(),
                                     entries.begins.data(),
                                     entries.tasks.data(),
                                     entries.cut_rows.data(),
                                     {},
                                     rows.data(),
                                     rows.stride(),
                                     m_rank,
                                     m_pieces.data(),
                                     nullptr};
  const detail::EntryGather<Scalar> gather(entries, factors, mode, line);
  const Kokkos::Experimental::UniqueToken<Exec> token(exec);
  detail::for_each_index("genten::poisson_newton", exec, count, [&](const std::size_t i) {
    const auto mine = token.acquire();
    use(i, work, gather, &m_workspace(mine, 0));
    token.release(mine);
  });
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
double PoissonNewton<Scalar, Exec>::step(const Exec& exec, std::span<const Matrix> factors,
                                         int mode, const Matrix& rows, detail::CountStepKind kind) {
  const Entries& entries = m_entries[static_cast<std::size_t>(mode)];
  const std::size_t tasks = entries.tasks.extent(0), cut_rows = entries.cut_rows.extent(0);
  const auto& loops = detail::row_loops<Scalar>();
  const detail::CountTerms terms = detail::count_terms(m_loss, kind);
  for_each(exec, tasks, factors, mode, rows,
           [&](std::size_t i, const auto& work, const auto& gather, double* space) {
             m_found[i] =
                 loops.count_step(work, gather, space, m_facts.data(), terms, entries.tasks(i));
           });
  for_each(exec, cut_rows, factors, mode, rows,
           [&](std::size_t i, const auto& work, const auto& gather, double* space) {
             m_found[tasks + i] = loops.count_step_cut(work, gather, space, m_facts.data(), terms,
                                                       entries.cut_rows(i));
           });
  double violation = clear_empty_rows(exec, entries, rows);
  for (std::size_t i = 0; i < tasks + cut_rows; ++i) {
    violation = detail::larger(violation, m_found[i]);
  }
  return violation;
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> detail::DevianceSums PoissonNewton<Scalar, Exec>::sums(
    const Exec& exec, std::span<const Matrix> factors, const std::vector<double>& weights) {
  const auto longest = static_cast<std::size_t>(m_longest);
  const Entries& entries = m_entries[longest];
  const std::size_t tasks = entries.tasks.extent(0);
  m_sums.resize(tasks);
  auto* const count_sums = detail::row_loops<Scalar>().count_sums;
  const auto terms = detail::count_terms(m_loss, detail::CountStepKind::multiplicative);
  for_each(exec, tasks, factors, m_longest, factors[longest],
           [&](std::size_t i, const auto& work, const auto& gather, double* space) {
             m_sums[i] = count_sums(work, gather, space, entries.tasks(i), weights.data(), terms);
           });
  detail::DevianceSums total;
  for (const detail::DevianceSums& one : m_sums) total.add(one);
  return total;
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
double PoissonNewton<Scalar, Exec>::clear_empty_rows(const Exec& exec, const Entries& entries,
                                                     const Matrix& rows) {
  if (static_cast<std::size_t>(entries.row_count()) == rows.rows()) return 0.0;
  double largest = 0.0;
  const RowNumber* const begin = entries.rows.data();
  const RowNumber* const end = begin + entries.row_count();
  const std::size_t columns = m_rank;
  Kokkos::parallel_reduce(
      "genten::clear_empty_rows",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, rows.rows()),
      [=](const std::size_t i, double& most) {
        if (std::binary_search(begin, end, static_cast<RowNumber>(i))) return;
        for (std::size_t r = 0; r < columns; ++r) {
          const double element = std::min(1.0, static_cast<double>(rows(i, r)));
          if (element > most) most = element;
          rows(i, r) = Scalar(0);
        }
      },
      Kokkos::Max<double>(largest));
  return largest;
}

}  // namespace genten
