// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsStep to and from a checkpoint, of one process or of several processes.

#include <genten/cp/detail/cp_als_step.hpp>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::begin_from(const StepState<Scalar>& saved) {
  m_problem.processes.together([&] {
    if (saved.factors.size() == m_factors.size()) return;
    throw Error::in("cp_als", "expected a checkpoint of " + std::to_string(m_factors.size()) +
                                  " factors, got " + std::to_string(saved.factors.size()))
        .as(Error::Code::checkpoint);
  });
  m_problem.processes.together([&] { m_rows->restore(saved.algebra); });
  for (int mode = 0; mode < m_problem.order(); ++mode) {
    const FactorState<Scalar>& factor = saved.factors[static_cast<std::size_t>(mode)];
    place(mode, factor);
  }
  begin_momentum(saved.momentum);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::place(int mode, const FactorState<Scalar>& saved) {
  Matrix& rows = m_factors[static_cast<std::size_t>(mode)];
  if (!saved.given) {
    return place_rows(mode, rows, [&] { return unpacked_rows(mode, saved.elements); });
  }
  // It belongs to the model, which is process 0's.
  given(mode) = Matrix();
  place_rows(mode, rows, [&] {
    const std::size_t all = m_problem.dimensions[static_cast<std::size_t>(mode)];
    given(mode) = unpacked_matrix(m_exec, saved.elements, all, m_problem.rank);
    const Matrix gathered(m_exec, m_problem.gathered.original_rows(mode).extent(0), m_problem.rank);
    m_problem.gathered.gather_rows(m_exec, mode, *given(mode), gathered);
    fence(m_exec, "genten::place");
    return gathered;
  });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
template <class Make>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::place_rows(int mode, Matrix& rows, const Make& make) {
  const auto& processes = m_problem.processes;
  Matrix all;
  processes.together([&] {
    if (processes.has_model()) all = make();
  });
  processes.exchange().scatter(m_exec, mode, all, rows);
  processes.exchange().expand(m_exec, mode, rows);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
FacMatrix<Scalar, Exec> CpAlsStep<Scalar, Ordinal, Exec, Rows>::unpacked_rows(
    int mode, const std::vector<Scalar>& saved) const {
  const auto& numbers = m_problem.gathered.original_rows(mode);
  return unpacked_matrix(m_exec, saved, numbers.extent(0), m_problem.rank,
                         ascending_order(m_exec, numbers));
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
StepState<Scalar> CpAlsStep<Scalar, Ordinal, Exec, Rows>::save() const {
  fence(m_exec, "genten::save");
  StepState<Scalar> state{{}, m_rows->save()};
  const auto& processes = m_problem.processes;
  for (int mode = 0; mode < m_problem.order(); ++mode) {
    const auto n = static_cast<std::size_t>(mode);
    FactorState<Scalar>& saved = state.factors.emplace_back();
    saved.given = m_given[n].has_value();
    if (!saved.given) {
      saved.elements = saved_rows(mode, m_factors[n]);
      continue;
    }
    processes.together([&] {
      if (processes.has_model()) saved.elements = packed_elements(*m_given[n]);
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
  const auto& processes = m_problem.processes;
  const Matrix all = processes.exchange().gather(m_exec, mode, rows);
  std::vector<Scalar> elements;
  processes.together([&] {
    if (!processes.has_model()) return;
    elements = ascending_elements(m_exec, all, m_problem.gathered.original_rows(mode));
  });
  return elements;
}

}  // namespace genten::detail
