// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/fill_random.hpp>
#include <genten/cp/row_constraints.hpp>

#include "sweeps.hpp"

#include <algorithm>
#include <utility>

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

namespace {

HostMatrixOf turned(const HostExec& exec, const SettledRows& piece) {
  return piece.turn.size == 0 ? piece.rows : tall_product(exec, piece.rows, piece.turn);
}

/// One below the other.
HostMatrixOf stacked(const std::vector<HostMatrixOf>& pieces, std::size_t columns) {
  std::size_t count = 0;
  for (const HostMatrixOf& piece : pieces) count += piece.rows();
  const HostMatrixOf rows(count, columns);
  std::size_t at = 0;
  for (const HostMatrixOf& piece : pieces) {
    for (std::size_t i = 0; i < piece.rows(); ++i) {
      std::copy_n(piece.row(i), columns, rows.row(at++));
    }
  }
  return rows;
}

}  // namespace

void settle_rows(const HostExec& exec, StreamingCp::State& state, const SmallMatrix& turn,
                 const std::vector<HostMatrixOf>& more) {
  HostMatrixOf& first = state.factors[state.streaming()];
  std::vector<SettledRows>& settled = state.settled;
  if (first.rows() != 0) {
    settled.insert(settled.begin(), {first, SmallMatrix()});
    first = HostMatrixOf(0, state.rank());
  }
  for (SettledRows& piece : settled) {
    if (turn.size != 0) piece.turn = piece.turn.size == 0 ? turn : product(piece.turn, turn);
  }
  for (const HostMatrixOf& rows : more) {
    if (rows.rows() == 0) continue;
    settled.push_back({rows, SmallMatrix()});
    while (settled.size() > 1) {
      const SettledRows &last = settled.back(), &before = settled[settled.size() - 2];
      if (before.rows.rows() > last.rows.rows()) break;
      const HostMatrixOf both = stacked({turned(exec, before), turned(exec, last)}, state.rank());
      settled.pop_back();
      settled.back() = {both, SmallMatrix()};
    }
  }
}

HostMatrixOf all_rows(const HostExec& exec, const StreamingCp::State& state) {
  std::vector<HostMatrixOf> pieces = {state.factors[state.streaming()]};
  for (const SettledRows& piece : state.settled) pieces.push_back(turned(exec, piece));
  for (const KeptBatch& batch : state.kept) pieces.push_back(batch.rows);
  return stacked(pieces, state.rank());
}

std::pair<HostMatrixOf, std::vector<double>> shown_rows(const HostExec& exec,
                                                        const StreamingCp::State& state) {
  const HostMatrixOf& whole = state.shown[state.streaming()];
  if (state.shown_turn.size == 0) return {with_rows(whole, 0), state.shown_weights};
  const HostMatrixOf rows = tall_product(exec, all_rows(exec, state), state.shown_turn);
  std::size_t at = rows.rows();
  for (std::size_t b = state.shown_last.size(); b-- != 0;) {
    const HostMatrixOf& last = state.shown_last[b];
    at -= last.rows();
    for (std::size_t i = 0; i < last.rows(); ++i) {
      std::copy_n(last.row(i), rows.columns(), rows.row(at + i));
    }
  }
  const HostMatrixOf shown = with_columns(rows, whole.columns());
  std::vector<double> weights = taken_weights(exec, state, shown);
  return {shown, std::move(weights)};
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
  model.settled = state.settled;
  for (const KeptBatch& batch : state.kept) {
    const SmallMatrix own = cross_product(exec, batch.rows, batch.rows);
    for (std::size_t k = 0; k < own.values.size(); ++k)
      model.settled_gram.values[k] += own.values[k];
    model.settled.push_back({batch.rows, SmallMatrix()});
  }
  for (std::size_t n = 0; n < state.order(); ++n) {
    model.factors.push_back(n == streaming ? state.factors[n]
                                           : with_rows(with_columns(state.shown[n], state.rank()),
                                                       state.factors[n].rows()));
  }
  LeastSquaresSweeps sweeps(exec, model, state.factors);
  for (std::size_t k = 0; k < state.options.sweeps; ++k) {
    sweeps.solve_rows();
    sweeps.solve_factors();
  }
  sweeps.solve_rows();
  const SmallMatrix gram = sweeps.gram();
  state.shown_turn = sweeps.turn();
  state.shown_last.clear();
  for (KeptBatch& batch : batches) {
    const HostMatrixOf products = mttkrp(exec, model, batch, streaming);
    batch.rows = solve_rows(exec, gram, products, batch.rows, {});
    batch.inner_product = inner_product(exec, products, batch.rows);
    state.shown_last.push_back(batch.rows);
  }
  for (std::size_t n = 0; n < state.order(); ++n) {
    state.shown[n] = n == streaming ? HostMatrixOf(0, rank) : with_columns(model.factors[n], rank);
  }
  state.shown_weights.clear();
  state.versions = model.versions;
  return gram;
}

}  // namespace genten::stream
