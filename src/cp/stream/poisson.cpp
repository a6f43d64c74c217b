// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "sweeps.hpp"

#include <genten/cp/losses/poisson.hpp>
#include <genten/cp/project_rows.hpp>
#include <genten/mttkrp/functor.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace genten::stream {

namespace {

/// Elements of columns of sum one are at least this part of their mean while a batch is fitted, so
/// that what was never seen may come; what stays below `dropped` is 0 again.
constexpr double least = 1e-10, dropped = 1e-9;
void lift(const HostMatrixOf& factor) {
  const double to = least / static_cast<double>(std::max<std::size_t>(1, factor.rows()));
  for (std::size_t i = 0; i < factor.rows(); ++i) {
    for (std::size_t r = 0; r < factor.columns(); ++r) factor(i, r) = std::max(factor(i, r), to);
  }
}

/// Columns of sum one; those of zeros stay what they are in `otherwise`.
HostMatrixOf shares(const HostExec& exec, const HostMatrixOf& counts,
                    const HostMatrixOf& otherwise) {
  const HostMatrixOf result = with_rows(counts, 0);
  const std::vector<double> sums = column_sizes(exec, counts, true);
  for (std::size_t i = 0; i < result.rows(); ++i) {
    for (std::size_t r = 0; r < result.columns(); ++r) {
      result(i, r) = sums[r] > 0.0 ? counts(i, r) / sums[r] : otherwise(i, r);
    }
  }
  return result;
}

}  // namespace

HostMatrixOf PoissonSweeps::expected_counts(KeptBatch& batch, std::size_t mode) const {
  const HostMatrixOf ratios(batch.tensor.dimensions()[mode], m_state.rank());
  auto* const plan = plan_of(m_exec, m_state, batch);
  if (plan == nullptr) return ratios;
  const auto factors = factors_of(m_state, batch);
  plan->execute_with(m_exec, PoissonRatio<double>{}, factors, static_cast<int>(mode), ratios);
  const HostMatrixOf& own = factors[mode];
  for (std::size_t i = 0; i < own.rows(); ++i) {
    for (std::size_t r = 0; r < own.columns(); ++r) ratios(i, r) *= own(i, r);
  }
  return ratios;
}

void PoissonSweeps::solve_rows() {
  for (std::size_t n = 0; n < m_state.order(); ++n) {
    if (n == m_state.streaming()) continue;
    lift(m_state.factors[n]);
    m_state.factors[n] = shares(m_exec, m_state.factors[n], m_state.factors[n]);
  }
  const StreamingCp::Model::weights_view weights("genten::weights", m_state.rank());
  Kokkos::deep_copy(m_exec, weights, 1.0);
  for (KeptBatch& batch : m_state.kept) {
    const StreamingCp::Model model(weights, factors_of(m_state, batch));
    ProjectOptions options;
    options.explain = false;
    options.from_own_rows = std::exchange(batch.solved, true);
    batch.rows = project_rows(m_exec, model, batch.tensor, m_state.mode, losses::Poisson(), options)
                     .model.factor(m_state.mode);
  }
}

void PoissonSweeps::solve_factors() {
  for (std::size_t n = 0; n < m_state.order(); ++n) {
    if (n == m_state.streaming()) continue;
    const HostMatrixOf counts = with_rows(m_state.extra[n], 0);
    for (KeptBatch& batch : m_state.kept) add(counts, expected_counts(batch, n));
    m_state.factors[n] = shares(m_exec, counts, m_state.factors[n]);
  }
}

void PoissonSweeps::settle(std::size_t leaving) {
  for (std::size_t n = 0; n < m_state.order(); ++n) {
    if (n == m_state.streaming()) continue;
    for (std::size_t b = 0; b < leaving; ++b) {
      add(m_state.extra[n], expected_counts(m_state.kept[b], n));
    }
  }
  for (std::size_t n = 0; n < m_state.order(); ++n) {
    if (n == m_state.streaming()) continue;
    HostMatrixOf& factor = m_state.factors[n];
    const double below = dropped / static_cast<double>(std::max<std::size_t>(1, factor.rows()));
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < factor.columns(); ++r) {
        if (factor(i, r) < below) factor(i, r) = 0.0;
      }
    }
    factor = shares(m_exec, factor, factor);
  }
  std::vector<HostMatrixOf> more;
  for (std::size_t b = 0; b < leaving; ++b) more.push_back(m_state.kept[b].rows);
  settle_rows(m_exec, m_state, SmallMatrix(), more);
}

}  // namespace genten::stream
