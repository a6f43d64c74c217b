// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What CpAlsStep does with momentum.

#include <genten/cp/detail/cp_als_step.hpp>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::begin_momentum(const MomentumState<Scalar>& saved) {
  if (!m_momentum) return;
  m_problem.processes.together([&] {
    const std::size_t expected = saved.moves() ? m_problem.updates.size() : 0;
    if (!m_problem.processes.has_model() || saved.before.size() == expected) return;
    throw Error::in("cp_als", "the checkpoint does not have the factors of an accelerated run")
        .as(Error::Code::checkpoint);
  });
  // Its numbers are those of the run, to the bit.
  const SweepOutcome reached = m_problem.processes.agree(evaluate());
  m_problem.processes.together([&] { m_momentum->restore(saved, reached); });
  for (std::size_t k = 0; saved.moves() && k < m_problem.updates.size(); ++k) {
    const int mode = m_problem.updates[k];
    place_rows(mode, m_momentum->before(k), [&] { return unpacked_rows(mode, saved.before[k]); });
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::move_on(PhaseTimings& timings) {
  if (!m_momentum || !m_begun) return;
  timings.time(m_exec, "extrapolate", [&] {
    m_momentum->move_on(m_exec, *m_rows, m_factors);
    m_problem.processes.exchange().add_times(timings);
  });
  renew_versions();
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
SweepOutcome CpAlsStep<Scalar, Ordinal, Exec, Rows>::accept(const SweepOutcome& outcome,
                                                            PhaseTimings& timings) {
  if (!m_momentum) return outcome;
  const bool is_better = timings.time(
      m_exec, "extrapolate", [&] { return m_momentum->accept(outcome, *m_rows, m_factors); });
  if (!is_better) renew_versions();
  return m_momentum->reached();
}

}  // namespace genten::detail
