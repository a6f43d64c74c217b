// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/detail/vector_math.hpp>
#include <genten/mttkrp/count_systems.hpp>

#include <cmath>

namespace genten::detail {

[[nodiscard]] inline double above_zero(double m) {
  return m > least_count_model ? m : least_count_model;
}

/// exp(m) - 1, the odds of a count that is not 0.
inline void find_odds(const double* m, double* odds, int count) {
  for (int b = 0; b < count; ++b) odds[b] = above_zero(m[b]);
  expm1_of_all(odds, odds, count);
}

/// What CountRows need where values are 0 and 1.
[[nodiscard]] inline CountTerms binary_terms(CountStepKind kind) {
  CountTerms terms{kind, false};
  terms.find_slopes = [](double* x, const double* m, int count) {
    double odds[most_panel_cells] = {};
    find_odds(m, odds, count);
    for (int b = 0; b < count; ++b) x[b] = x[b] == 0.0 ? 0.0 : 1.0 + 1.0 / odds[b];
  };
  terms.find_systems = [](double* x, double* m, int count) {
    double odds[most_panel_cells] = {};
    find_odds(m, odds, count);
    for (int b = 0; b < count; ++b) {
      const double model = above_zero(m[b]);
      m[b] = x[b] == 0.0 ? 0.0 : 1.0 / model;
      x[b] = x[b] == 0.0 ? 0.0 : (1.0 + 1.0 / odds[b]) * model;
    }
  };
  terms.add_deviance = [](DevianceSums& sums, const double* x, const double* m, int count) {
    double odds[most_panel_cells] = {};
    expm1_of_all(m, odds, count);
    for (int b = 0; b < count; ++b) odds[b] = 1.0 + 1.0 / odds[b];
    log_of_all(odds, odds, count);
    for (int b = 0; b < count; ++b) {
      sums.add({x[b] == 0.0 ? m[b] : odds[b], m[b], x[b] * m[b]});
    }
  };
  return terms;
}

/// What they need of counts.
[[nodiscard]] inline CountTerms poisson_terms(CountStepKind kind) {
  CountTerms terms{kind, true};
  terms.find_slopes = [](double* x, const double* m, int count) {
    for (int b = 0; b < count; ++b) x[b] = x[b] / above_zero(m[b]);
  };
  terms.find_systems = [](double* x, double* m, int count) {
    for (int b = 0; b < count; ++b) {
      x[b] = std::sqrt(x[b]);
      m[b] = x[b] / above_zero(m[b]);
    }
  };
  terms.add_deviance = [](DevianceSums& sums, const double* x, const double* m, int count) {
    for (int b = 0; b < count; ++b) sums.add(DevianceSums::of(x[b], m[b]));
  };
  return terms;
}
[[nodiscard]] inline CountTerms count_terms(CountLoss loss, CountStepKind kind) {
  return loss == CountLoss::poisson ? poisson_terms(kind) : binary_terms(kind);
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec> CountSystems<Scalar, Ordinal, Exec>::CountSystems(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
    CountLoss loss, const RowSystemsTuning& tuning)
    : m_rank(rank), m_loss(loss) {
  const auto sizes = RowSystems<Scalar, Ordinal, Exec>::task_sizes(tensor.nnz(), rank, tuning);
  std::size_t pieces = 0, most_tasks = 0;
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const auto& cells = m_cells.emplace_back(exec, tensor, mode, sizes);
    pieces = std::max(pieces, static_cast<std::size_t>(cells.pieces));
    most_tasks = std::max(most_tasks, cells.tasks.extent(0) + cells.cut_rows.extent(0));
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

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
template <class Use>
void CountSystems<Scalar, Ordinal, Exec>::for_each(const Exec& exec, std::size_t count,
                                                   std::span<const Matrix> factors, int mode,
                                                   const Matrix& rows, const Use& use) {
  const Cells& cells = m_cells[static_cast<std::size_t>(mode)];
  const std::size_t line = detail::system_line(m_rank);
  const detail::RowWork<Scalar, Ordinal> work{cells.rows.data(),
                                              cells.begins.data(),
                                              cells.tasks.data(),
                                              cells.cut_rows.data(),
                                              {},
                                              rows.data(),
                                              rows.stride(),
                                              m_rank,
                                              m_pieces.data(),
                                              nullptr};
  const detail::CellGather<Scalar, Ordinal> gather(cells, factors, mode, line);
  const Kokkos::Experimental::UniqueToken<Exec> token(exec);
  detail::for_each_index("genten::count_systems", exec, count, [&](const std::size_t i) {
    const auto mine = token.acquire();
    use(i, work, gather, &m_workspace(mine, 0));
    token.release(mine);
  });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
double CountSystems<Scalar, Ordinal, Exec>::improve(const Exec& exec,
                                                    std::span<const Matrix> factors, int mode,
                                                    const Matrix& rows,
                                                    detail::CountStepKind kind) {
  const Cells& cells = m_cells[static_cast<std::size_t>(mode)];
  const std::size_t tasks = cells.tasks.extent(0), cut_rows = cells.cut_rows.extent(0);
  const auto& loops = detail::row_loops<Scalar, Ordinal>();
  const detail::CountTerms terms = detail::count_terms(m_loss, kind);
  for_each(exec, tasks, factors, mode, rows,
           [&](std::size_t i, const auto& work, const auto& gather, double* space) {
             m_found[i] = loops.improve(work, gather, space, m_facts.data(), terms, cells.tasks(i));
           });
  for_each(exec, cut_rows, factors, mode, rows,
           [&](std::size_t i, const auto& work, const auto& gather, double* space) {
             m_found[tasks + i] =
                 loops.improve_cut(work, gather, space, m_facts.data(), terms, cells.cut_rows(i));
           });
  double violation = clear_empty_rows(exec, cells, rows);
  for (std::size_t i = 0; i < tasks + cut_rows; ++i) {
    violation = detail::larger(violation, m_found[i]);
  }
  return violation;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec> detail::DevianceSums CountSystems<Scalar, Ordinal, Exec>::sums(
    const Exec& exec, std::span<const Matrix> factors, int mode,
    const std::vector<double>& weights) {
  const Cells& cells = m_cells[static_cast<std::size_t>(mode)];
  const std::size_t tasks = cells.tasks.extent(0);
  m_sums.resize(tasks);
  auto* const count_sums = detail::row_loops<Scalar, Ordinal>().count_sums;
  const auto terms = detail::count_terms(m_loss, detail::CountStepKind::multiplicative);
  for_each(exec, tasks, factors, mode, factors[static_cast<std::size_t>(mode)],
           [&](std::size_t i, const auto& work, const auto& gather, double* space) {
             m_sums[i] = count_sums(work, gather, space, cells.tasks(i), weights.data(), terms);
           });
  detail::DevianceSums total;
  for (const detail::DevianceSums& one : m_sums) total.add(one);
  return total;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
double CountSystems<Scalar, Ordinal, Exec>::clear_empty_rows(const Exec& exec, const Cells& cells,
                                                             const Matrix& rows) {
  if (static_cast<std::size_t>(cells.row_count()) == rows.rows()) return 0.0;
  double largest = 0.0;
  const Ordinal* const begin = cells.rows.data();
  const Ordinal* const end = begin + cells.row_count();
  const std::size_t columns = m_rank;
  Kokkos::parallel_reduce(
      "genten::clear_empty_rows",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, rows.rows()),
      [=](const std::size_t i, double& most) {
        if (std::binary_search(begin, end, static_cast<Ordinal>(i))) return;
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
