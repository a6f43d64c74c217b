// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/fill_random.hpp>
#include <genten/cp/row_constraints.hpp>

#include "sweeps.hpp"

#include <algorithm>

namespace genten::stream {

bool has_extra(const StreamingCp::State& state) {
  return state.options.extra != 0 && state.options.history == 1 && !state.counts() &&
         std::all_of(state.constraints.begin(), state.constraints.end(),
                     [](const RowConstraint& each) { return each.is_free(); });
}

void add_extra(const HostExec& exec, StreamingCp::State& state) {
  const std::size_t rank = state.rank(), all = rank + state.options.extra;
  for (std::size_t n = 0; n < state.order(); ++n) {
    HostMatrixOf& factor = state.factors[n];
    state.shown.push_back(factor);
    const HostMatrixOf wide(factor.rows(), all);
    if (n != state.streaming()) {
      fill_random(exec, wide, 1, static_cast<int>(n), FactorKind::uniform);
      static_cast<void>(normalize_columns(exec, wide, false));
    }
    for (std::size_t i = 0; i < factor.rows(); ++i) std::copy_n(factor.row(i), rank, wide.row(i));
    factor = wide;
  }
  state.shown_weights = taken_weights(exec, state, state.shown[state.streaming()]);
}

std::vector<double> taken_weights(const HostExec& exec, const StreamingCp::State& state,
                                  const HostMatrixOf& rows) {
  if (!allow_scaling(state.constraints)) return std::vector<double>(rows.columns(), 1.0);
  std::vector<double> weights = column_sizes(exec, rows, state.counts());
  static_cast<void>(normalize_columns(exec, rows, state.counts()));
  return weights;
}

HostMatrixOf all_rows(const StreamingCp::State& state) {
  HostMatrixOf rows = with_rows(state.factors[state.streaming()], 0);
  for (const KeptBatch& batch : state.kept) rows = stacked(rows, batch.rows);
  return rows;
}

SmallMatrix show(const HostExec& exec, StreamingCp::State& state, std::vector<KeptBatch>& batches) {
  const std::size_t rank = state.shown[0].columns(), streaming = state.streaming();
  StreamingCp::State model;
  model.mode = state.mode;
  model.options = state.options;
  model.constraints = state.constraints;
  model.settled_gram = state.settled_gram;
  model.versions = state.versions;
  model.mttkrp = state.mttkrp;
  for (const KeptBatch& batch : state.kept) {
    const SmallMatrix own = cross_product(exec, batch.rows, batch.rows);
    for (std::size_t k = 0; k < own.values.size(); ++k)
      model.settled_gram.values[k] += own.values[k];
  }
  for (std::size_t n = 0; n < state.order(); ++n) {
    model.factors.push_back(n == streaming ? all_rows(state)
                                           : with_rows(with_columns(state.shown[n], state.rank()),
                                                       state.factors[n].rows()));
  }
  LeastSquaresSweeps sweeps(exec, model, state.factors);
  for (std::size_t k = 0; k < state.options.sweeps; ++k) {
    sweeps.solve_rows();
    sweeps.solve_factors();
  }
  sweeps.solve_rows();
  sweeps.settle(0);
  const SmallMatrix gram = sweeps.gram();
  const HostMatrixOf& rows = model.factors[streaming];
  std::size_t begin = rows.rows();
  for (std::size_t b = batches.size(); b-- != 0;) {
    KeptBatch& batch = batches[b];
    const HostMatrixOf products = mttkrp(exec, model, batch, streaming);
    batch.rows = solve_rows(exec, gram, products, batch.rows, {});
    batch.inner_product = inner_product(exec, products, batch.rows);
    begin -= batch.rows.rows();
    for (std::size_t i = 0; i < batch.rows.rows(); ++i) {
      std::copy_n(batch.rows.row(i), state.rank(), rows.row(begin + i));
    }
  }
  for (std::size_t n = 0; n < state.order(); ++n) {
    state.shown[n] = with_columns(model.factors[n], rank);
  }
  state.shown_weights = taken_weights(exec, state, state.shown[streaming]);
  state.versions = model.versions;
  return gram;
}

}  // namespace genten::stream
