// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "sweeps.hpp"

#include <genten/cp/row_constraints.hpp>

#include <cmath>
#include <utility>

namespace genten::stream {

std::vector<HostMatrixOf> factors_of(const StreamingCp::State& state, const KeptBatch& batch) {
  std::vector<HostMatrixOf> factors;
  for (std::size_t n = 0; n < state.order(); ++n) {
    factors.push_back(n == state.streaming()
                          ? batch.rows
                          : first_rows(state.factors[n], batch.tensor.dimensions()[n]));
  }
  return factors;
}

MttkrpPlan<double, std::uint32_t, HostExec>* plan_of(const HostExec& exec,
                                                     const StreamingCp::State& state,
                                                     KeptBatch& batch) {
  if (batch.tensor.nnz() == 0) return nullptr;
  if (!batch.plan) {
    std::vector<int> sequence = {state.mode};
    for (int n = 0; n < batch.tensor.order(); ++n) {
      if (n != state.mode) sequence.push_back(n);
    }
    MttkrpOptions options;
    if (batch.tensor.nnz() <= StreamingCp::State::small_batch) options = state.mttkrp;
    options.sweeps = state.sweeps_of_batch();
    batch.plan.emplace(exec, batch.tensor, state.rank(), options, sequence);
  }
  return &*batch.plan;
}

HostMatrixOf mttkrp(const HostExec& exec, const StreamingCp::State& state, KeptBatch& batch,
                    std::size_t mode) {
  const HostMatrixOf result(batch.tensor.dimensions()[mode], state.rank());
  if (auto* const plan = plan_of(exec, state, batch)) {
    const auto factors = factors_of(state, batch);
    plan->execute(exec, factors, static_cast<int>(mode), result, state.versions);
  }
  return result;
}

LeastSquaresSweeps::LeastSquaresSweeps(const HostExec& exec, State& state,
                                       const std::vector<HostMatrixOf>& old)
    : m_exec(exec),
      m_state(state),
      m_stream(state.streaming()),
      m_turn(state.rank()),
      m_moved(&old != &state.factors) {
  for (std::size_t n = 0; n < state.order(); ++n) {
    m_old.push_back(old[n]);  // no element of which is changed any more
    m_grams.emplace_back(0);
    m_turns.emplace_back(0);
    if (n != m_stream) note(n, cross_product(exec, state.factors[n], state.factors[n]));
  }
  for (std::size_t r = 0; r < state.rank(); ++r) m_turn(r, r) = 1.0;
}

void LeastSquaresSweeps::note(std::size_t mode, SmallMatrix gram) {
  m_state.note_change(mode);
  m_grams[mode] = std::move(gram);
  m_turns[mode] =
      m_moved ? cross_product(m_exec, m_old[mode], m_state.factors[mode]) : m_grams[mode];
}

SmallMatrix LeastSquaresSweeps::of_others(const std::vector<SmallMatrix>& matrices,
                                          std::size_t but) const {
  SmallMatrix result(m_state.rank(), 1.0);
  for (std::size_t n = 0; n < m_state.order(); ++n) {
    if (n != m_stream && n != but) multiply_elements(result, matrices[n]);
  }
  return result;
}

void LeastSquaresSweeps::solve_rows() {
  const SmallMatrix others = gram();
  const RowConstraint& constraint = m_state.constraints[m_stream];
  for (KeptBatch& batch : m_state.kept) {
    const HostMatrixOf products = mttkrp(m_exec, m_state, batch, m_stream);
    batch.rows = stream::solve_rows(m_exec, others, products, batch.rows, constraint);
    batch.inner_product = inner_product(m_exec, products, batch.rows);
  }
  turn_settled_rows();
}

void LeastSquaresSweeps::solve_last_rows() {
  if (m_state.shown.empty()) {
    solve_rows();
  } else {
    turn_settled_rows();
  }
}

void LeastSquaresSweeps::turn_settled_rows() {
  if (!m_moved || !turns()) return;
  m_turn = product(of_others(m_turns, m_stream), inverse(gram()));
}

HostMatrixOf LeastSquaresSweeps::settled_mttkrp(std::size_t mode) const {
  SmallMatrix by = product(m_state.settled_gram, m_turn);
  multiply_elements(by, of_others(m_turns, mode));
  return tall_product(m_exec, m_old[mode], by);
}

void LeastSquaresSweeps::solve_factors() {
  SmallMatrix rows = product(transposed(m_turn), product(m_state.settled_gram, m_turn));
  for (const KeptBatch& batch : m_state.kept) {
    const SmallMatrix own = cross_product(m_exec, batch.rows, batch.rows);
    for (std::size_t k = 0; k < own.values.size(); ++k) rows.values[k] += own.values[k];
  }
  m_moved = true;
  for (std::size_t n = 0; n < m_state.order(); ++n) {
    if (n == m_stream) continue;
    const HostMatrixOf products = settled_mttkrp(n);
    for (KeptBatch& batch : m_state.kept) add(products, mttkrp(m_exec, m_state, batch, n));
    SmallMatrix gram = rows;
    multiply_elements(gram, of_others(m_grams, n));
    m_state.factors[n] =
        stream::solve_rows(m_exec, gram, products, m_state.factors[n], m_state.constraints[n]);
    SmallMatrix own = cross_product(m_exec, m_state.factors[n], m_state.factors[n]);
    const std::vector<double> norms = normalize_mode(m_exec, m_state, n, own);
    rows = scaled(rows, norms, norms);
    m_turn = scaled(m_turn, std::vector<double>(norms.size(), 1.0), norms);
    note(n, std::move(own));
  }
}

void LeastSquaresSweeps::settle(std::size_t leaving) {
  SmallMatrix& settled = m_state.settled_gram;
  settled = product(transposed(m_turn), product(settled, m_turn));
  std::vector<HostMatrixOf> more;
  for (std::size_t b = 0; b < leaving; ++b) {
    more.push_back(m_state.kept[b].rows);
    const SmallMatrix gram = cross_product(m_exec, more.back(), more.back());
    for (std::size_t k = 0; k < gram.values.size(); ++k) settled.values[k] += gram.values[k];
  }
  settle_rows(m_exec, m_state, m_turn, more);
}

std::vector<double> normalize_mode(const HostExec& exec, StreamingCp::State& state,
                                   std::size_t mode, SmallMatrix& gram) {
  const std::size_t rank = state.rank();
  std::vector<double> norms(rank, 1.0), inverses(rank, 1.0);
  if (!allow_scaling(state.constraints)) return norms;
  bool in_range = !state.counts();
  for (std::size_t r = 0; r < rank; ++r) {
    in_range = in_range && gram(r, r) > 1e-200 && gram(r, r) < 1e200;
  }
  if (in_range) {
    for (std::size_t r = 0; r < rank; ++r) norms[r] = std::sqrt(gram(r, r));
    for (std::size_t r = 0; r < rank; ++r) inverses[r] = 1.0 / norms[r];
    scale_columns(state.factors[mode], inverses);
    gram = scaled(gram, inverses, inverses);
  } else {
    norms = normalize_columns(exec, state.factors[mode], state.counts());
    gram = cross_product(exec, state.factors[mode], state.factors[mode]);
  }
  for (const KeptBatch& batch : state.kept) scale_columns(batch.rows, norms);
  return norms;
}

}  // namespace genten::stream
