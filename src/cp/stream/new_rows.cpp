// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Rows that come with a batch in other modes than the streaming one.

#include "sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace genten {

namespace stream {

namespace {

using Tensor = KeptBatch::Tensor;

/// By mode and row of a batch, whether it is known before it is solved, or follows from such.
using Known = std::vector<std::vector<unsigned char>>;

/// Adds those rows of a mode that have an entry in known rows of all other modes.
void add_reached(const Tensor& batch, std::size_t mode, Known& known) {
  std::vector<unsigned char> reached = known[mode];
  const auto subscripts = batch.subscripts();
  for (offset_t p = 0; p < batch.nnz(); ++p) {
    bool by_known = true;
    for (std::size_t n = 0; n < known.size(); ++n) {
      by_known = by_known && (n == mode || known[n][subscripts(p, n)] != 0);
    }
    if (by_known) reached[subscripts(p, mode)] = 1;
  }
  known[mode] = std::move(reached);
}

/// Whether a row is one of the first, and says something.
bool is_known(const HostMatrixOf& factor, std::size_t i, std::size_t first) {
  if (i >= first) return false;
  for (std::size_t r = 0; r < factor.columns(); ++r) {
    if (factor(i, r) != 0.0) return true;
  }
  return false;
}

/// Of the first rows of each mode those that say something; of the streaming mode none is known.
Known known_rows(const StreamingCp::State& state, const Tensor& batch,
                 const std::vector<std::size_t>& first) {
  Known known;
  for (std::size_t n = 0; n < state.order(); ++n) {
    known.emplace_back(batch.dimensions()[n], 0);
    if (n == state.streaming()) continue;
    for (std::size_t i = 0; i < known[n].size(); ++i) {
      known[n][i] = is_known(state.factors[n], i, first[n]) ? 1 : 0;
    }
  }
  return known;
}

/// By mode, the rows with entries that the first sweep would find at 0: new ones, and earlier ones
/// of zeros.
Known out_of_reach(const StreamingCp::State& state, const Tensor& batch, Known known) {
  // As a sweep goes: the slices, then the other modes.
  add_reached(batch, state.streaming(), known);
  for (std::size_t n = 0; n < state.order(); ++n) {
    if (n != state.streaming()) add_reached(batch, n, known);
  }
  Known waiting;
  for (const auto& each : known) waiting.emplace_back(each.size(), 0);
  const auto subscripts = batch.subscripts();
  for (offset_t p = 0; p < batch.nnz(); ++p) {
    for (std::size_t n = 0; n < known.size(); ++n) {
      const std::size_t i = subscripts(p, n);
      if (known[n][i] == 0) waiting[n][i] = 1;
    }
  }
  return waiting;
}

/// A copy in which rows that wait are the root mean square of the first ones, with the sign of
/// their sum; of columns of zeros that of a column of norm one.
HostMatrixOf with_starts(const HostMatrixOf& factor, std::size_t first,
                         const std::vector<unsigned char>& waiting,
                         const RowConstraint& constraint) {
  HostMatrixOf result = with_rows(factor, 0);
  const auto count = static_cast<double>(std::max<std::size_t>(1, first));
  for (std::size_t r = 0; r < factor.columns(); ++r) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < first; ++i) {
      sum += factor(i, r);
      squares += factor(i, r) * factor(i, r);
    }
    const double size = std::sqrt((squares > 0.0 ? squares : 1.0) / count);
    const double start = std::clamp(sum < 0.0 ? -size : size, constraint.lower, constraint.upper);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i] != 0) result(i, r) = start;
    }
  }
  return result;
}

/// The factors of the model for a batch, of which these are the rows, without extra components.
std::vector<HostMatrixOf> factors_of_batch(const StreamingCp::State& state,
                                           const HostMatrixOf& rows) {
  const std::size_t columns = state.shown.empty() ? rows.columns() : state.shown[0].columns();
  std::vector<HostMatrixOf> factors;
  for (std::size_t n = 0; n < state.order(); ++n) {
    const bool own = state.shown.empty();
    factors.push_back(n == state.streaming() ? with_columns(rows, columns)
                      : own                  ? state.factors[n]
                                             : state.shown[n]);
  }
  return factors;
}

}  // namespace

void add_new_rows(StreamingCp::State& state, const Tensor& batch) {
  for (std::size_t n = 0; n < state.order(); ++n) {
    if (n == state.streaming()) continue;
    const std::size_t have = state.factors[n].rows();
    const RowConstraint& constraint = state.constraints[n];
    state.factors[n] = with_rows(state.factors[n], batch.dimensions()[n]);
    for (std::size_t i = have; i < state.factors[n].rows(); ++i) {
      for (std::size_t r = 0; r < state.rank(); ++r) {
        state.factors[n](i, r) = std::clamp(0.0, constraint.lower, constraint.upper);
      }
    }
  }
}

bool start_new_rows(StreamingCp::State& state, const std::vector<std::size_t>& known) {
  const Tensor& batch = state.kept.back().tensor;
  Known reached = known_rows(state, batch, known);
  bool all = true;
  for (std::size_t n = 0; n < state.order(); ++n) {
    all = all && (n == state.streaming() ||
                  std::find(reached[n].begin(), reached[n].end(), 0) == reached[n].end());
  }
  if (all) return false;
  const Known waiting = out_of_reach(state, batch, std::move(reached));
  bool any = false;
  for (std::size_t n = 0; n < state.order(); ++n) {
    const auto& own = waiting[n];
    if (n == state.streaming() || std::find(own.begin(), own.end(), 1) == own.end()) continue;
    any = true;
    state.factors[n] = with_starts(state.factors[n], known[n], own, state.constraints[n]);
    if (state.shown.empty()) continue;
    state.shown[n] =
        with_starts(with_rows(state.shown[n], own.size()), known[n], own, state.constraints[n]);
  }
  return any;
}

FitsOfRows fits_of_rows(const StreamingCp::State& state, const Tensor& batch,
                        const HostMatrixOf& rows, const std::vector<std::size_t>& known) {
  bool any = false;
  for (std::size_t n = 0; n < state.order(); ++n) {
    any = any || (n != state.streaming() && batch.dimensions()[n] > known[n]);
  }
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (!any) return {none, none};
  const auto subscripts = batch.subscripts();
  const std::vector<HostMatrixOf> factors = factors_of_batch(state, rows);
  struct Sums {
    double all = 0.0, left = 0.0;
    [[nodiscard]] double fit() const { return all > 0.0 ? 1.0 - std::sqrt(left / all) : none; }
  } of_new, of_others;
  std::vector<double> products(factors[0].columns());
  for (offset_t p = 0; p < batch.nnz(); ++p) {
    bool is_new = false;
    for (std::size_t n = 0; n < state.order(); ++n) {
      is_new = is_new || (n != state.streaming() && subscripts(p, n) >= known[n]);
    }
    std::fill(products.begin(), products.end(), 1.0);
    for (std::size_t n = 0; n < state.order(); ++n) {
      for (std::size_t r = 0; r < products.size(); ++r) {
        products[r] *= factors[n](subscripts(p, n), r);
      }
    }
    double value = 0.0;
    for (const double each : products) value += each;
    const double x = batch.values()(p);
    Sums& sums = is_new ? of_new : of_others;
    sums.all += x * x;
    sums.left += (x - value) * (x - value);
  }
  return {of_new.fit(), of_others.fit()};
}

}  // namespace stream

std::vector<std::string> doubts_of(const StreamBatch& batch) {
  constexpr double hardly = 0.5;
  // Where the model fits the other entries no better, new rows are not what is wrong.
  const bool is_worse = !(batch.fit_of_other_rows < 2.0 * batch.fit_of_new_rows);
  std::vector<std::string> doubts;
  if (batch.no_counts != 0) {
    doubts.push_back(std::to_string(batch.no_counts) + " of " + std::to_string(batch.nonzeros) +
                     " values are not whole numbers, but the model's loss, poisson, is for counts: "
                     "they were used as they are");
  }
  if (batch.fit_of_new_rows < hardly && is_worse) {
    char fit[40];
    std::snprintf(fit, sizeof fit, "%.3g", std::max(0.0, batch.fit_of_new_rows));
    doubts.push_back(error_text::with_options(
        std::string("the model fits the entries in new rows poorly (fit ") + fit +
        "), since such rows count as zeros in earlier slices: more components may fit both, or, "
        "where these zeros are in fact unknown, a run on all data with {missing}"));
  }
  if (batch.forgets_all) {
    doubts.push_back(
        error_text::with_options("with {forget} 0 nothing is kept of earlier slices: the model no "
                                 "longer meets their values"));
  }
  return doubts;
}

}  // namespace genten
