// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsStep to and from a checkpoint, of one process or of several ranks.

#include <genten/cp/detail/cp_als_step.hpp>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::begin_from(const StepState<Scalar>& saved) {
  m_problem.ranks.together([&] {
    if (saved.factors.size() == m_factors.size()) return;
    throw Error::in("cp_als", "expected a checkpoint of " + std::to_string(m_factors.size()) +
                                  " factors, got " + std::to_string(saved.factors.size()))
        .as(Error::Code::checkpoint);
  });
  m_problem.ranks.together([&] { m_rows->restore(saved.algebra); });
  for (int mode = 0; mode < m_problem.order(); ++mode) {
    const FactorState<Scalar>& factor = saved.factors[static_cast<std::size_t>(mode)];
    m_problem.ranks.exchange == nullptr ? place(mode, factor) : distribute(mode, factor);
  }
  begin_momentum(saved.momentum);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::place(int mode, const FactorState<Scalar>& saved) {
  const auto n = static_cast<std::size_t>(mode);
  if (saved.given) {
    given(mode) = unpacked_matrix(m_exec, saved.elements, m_problem.dimensions[n], m_problem.rank);
    m_problem.relabeling.gather_rows(m_exec, mode, *given(mode), factor(mode));
    return;
  }
  place_rows(mode, saved.elements, m_factors[n]);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::place_rows(int mode, const std::vector<Scalar>& saved,
                                                        Matrix& rows) {
  if (m_problem.ranks.exchange == nullptr) {
    rows = unpacked_matrix(m_exec, saved, rows.rows(), m_problem.rank,
                           ascending_order(m_exec, m_problem.relabeling.original_rows(mode)));
    return;
  }
  auto& ranks = *m_problem.ranks.exchange;
  Matrix all;
  ranks.together([&] {
    if (ranks.rank() != 0) return;
    const auto& numbers = m_problem.ranks.part->gathered_rows[static_cast<std::size_t>(mode)];
    all = unpacked_matrix(m_exec, saved, numbers.extent(0), m_problem.rank,
                          ascending_order(m_exec, numbers));
  });
  ranks.scatter(m_exec, mode, all, rows);
  ranks.expand(m_exec, mode, rows);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::distribute(int mode,
                                                        const FactorState<Scalar>& saved) {
  const auto n = static_cast<std::size_t>(mode);
  if (!saved.given) {
    place_rows(mode, saved.elements, m_factors[n]);
    return;
  }
  auto& ranks = *m_problem.ranks.exchange;
  Matrix all;
  ranks.together([&] {
    // It belongs to the model, which is rank 0's.
    given(mode) = Matrix();
    if (ranks.rank() != 0) return;
    const auto& rows = m_problem.ranks.part->gathered_rows[n];
    given(mode) = unpacked_matrix(m_exec, saved.elements, m_problem.dimensions[n], m_problem.rank);
    all = Matrix(m_exec, rows.extent(0), m_problem.rank);
    Relabeling<Ordinal, Exec>({rows}).gather_rows(m_exec, 0, *given(mode), all);
    fence(m_exec, "genten::distribute");
  });
  ranks.scatter(m_exec, mode, all, factor(mode));
  ranks.expand(m_exec, mode, factor(mode));
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
StepState<Scalar> CpAlsStep<Scalar, Ordinal, Exec, Rows>::save() const {
  fence(m_exec, "genten::save");
  StepState<Scalar> state{{}, m_rows->save()};
  const auto& ranks = m_problem.ranks;
  for (int mode = 0; mode < m_problem.order(); ++mode) {
    const auto n = static_cast<std::size_t>(mode);
    FactorState<Scalar>& saved = state.factors.emplace_back();
    saved.given = m_given[n].has_value();
    if (!saved.given) {
      saved.elements = saved_rows(mode, m_factors[n]);
      continue;
    }
    ranks.together([&] {
      if (ranks.has_model()) saved.elements = packed_elements(*m_given[n]);
    });
  }
  if (!m_momentum) return state;
  state.momentum = m_momentum->save();
  for (std::size_t k = 0; state.momentum.moves() && k < m_problem.updates.size(); ++k) {
    state.momentum.before.push_back(saved_rows(m_problem.updates[k], m_momentum->before(k)));
  }
  return state;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
std::vector<Scalar> CpAlsStep<Scalar, Ordinal, Exec, Rows>::saved_rows(int mode,
                                                                       const Matrix& rows) const {
  const auto& ranks = m_problem.ranks;
  const Matrix all = ranks.exchange == nullptr ? rows : ranks.exchange->gather(m_exec, mode, rows);
  std::vector<Scalar> elements;
  ranks.together([&] {
    if (!ranks.has_model()) return;
    elements = ascending_elements(m_exec, all, ranks.rows_of_model(m_problem.relabeling, mode));
  });
  return elements;
}

}  // namespace genten::detail
