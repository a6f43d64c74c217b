// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Errors of a model over all cells but missing ones.

#include <genten/core/sptensor.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/evaluate.hpp>
#include <genten/cp/evaluate_loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace genten::tools {

/// The nonzeros that are in none of the cells of a list.
template <class Tensor>
[[nodiscard]] Tensor without_cells(const Tensor& tensor, const Tensor& list) {
  using Ordinal = typename Tensor::ordinal_type;
  const auto order = static_cast<std::size_t>(tensor.order());
  const auto before = [order](const Ordinal* a, const Ordinal* b) {
    return std::lexicographical_compare(a, a + order, b, b + order);
  };
  std::vector<const Ordinal*> cells;
  for (offset_t p = 0; p < list.nnz(); ++p) cells.push_back(&list.subscripts()(p, 0));
  std::sort(cells.begin(), cells.end(), before);
  std::vector<offset_t> kept;
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    const Ordinal* const cell = &tensor.subscripts()(p, 0);
    if (!std::binary_search(cells.begin(), cells.end(), cell, before)) kept.push_back(p);
  }
  const Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace> subscripts(
      "genten::subscripts", kept.size(), order);
  const Kokkos::View<typename Tensor::scalar_type*, Kokkos::HostSpace> values("genten::values",
                                                                              kept.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (std::size_t n = 0; n < order; ++n) subscripts(k, n) = tensor.subscripts()(kept[k], n);
    values(k) = tensor.values()(kept[k]);
  }
  return Tensor::trusted(HostExec(), tensor.dimensions(), subscripts, values, tensor.facts());
}

/// A list of cells, each once, with zeros for values.
template <class Tensor>
[[nodiscard]] Tensor as_zeros(const Tensor& list) {
  const auto cells = sum_duplicates(HostExec(), list).tensor;
  const Kokkos::View<typename Tensor::scalar_type*, Kokkos::HostSpace> values(
      "genten::values", static_cast<std::size_t>(cells.nnz()));
  return Tensor::trusted(HostExec(), cells.dimensions(), cells.subscripts(), values, cells.facts());
}

/// What is common to both kinds of errors: the mean of squares and of magnitudes over the cells of
/// `all` that are not of `some`.
template <class Errors>
[[nodiscard]] Errors without(const Errors& all, const Errors& some) {
  Errors rest = all;
  rest.cells = all.cells - some.cells;
  const auto squares = [](const Errors& errors) {
    return errors.cells > 0.0 ? errors.rmse * errors.rmse * errors.cells : 0.0;
  };
  const auto magnitudes = [](const Errors& errors) {
    return errors.cells > 0.0 ? errors.mae * errors.cells : 0.0;
  };
  rest.rmse = std::sqrt(std::max(0.0, squares(all) - squares(some)) / rest.cells);
  rest.mae = (magnitudes(all) - magnitudes(some)) / rest.cells;
  rest.deviance = all.deviance - some.deviance;
  return rest;
}

/// NaN where nothing is left that could be explained, and something is put in its place.
inline double fit_of(double residual, double norm) {
  if (norm > 0.0) return 1.0 - residual / norm;
  return residual == 0.0 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
}

/// Takes the errors at cells that are missing, where the tensor had zeros, out of those over all.
inline void leave_out(Evaluation& found, const CellErrors& missing) {
  const CellErrors all = found.all;
  found.all = without(all, missing);
  found.all.residual_norm = std::sqrt(std::max(
      0.0, all.residual_norm * all.residual_norm - missing.residual_norm * missing.residual_norm));
  found.all.log_likelihood = all.log_likelihood - missing.log_likelihood;
  found.fit = fit_of(found.all.residual_norm, found.tensor_norm);
}
inline void leave_out(LossEvaluation& found, const LossErrors& missing) {
  const LossErrors all = found.all;
  found.all = without(all, missing);
  found.all.loss = all.loss - missing.loss;
}

/// What `evaluate` finds for a tensor without duplicates, but for the cells of a list.
template <class Tensor, class Evaluate>
[[nodiscard]] auto evaluate_known(const Tensor& tensor, const std::optional<Tensor>& missing,
                                  const Evaluate& evaluate) {
  if (!missing) return evaluate(tensor);
  const Tensor zeros = as_zeros(*missing);
  auto found = evaluate(without_cells(tensor, zeros));
  leave_out(found, evaluate(zeros).listed);
  return found;
}

/// Lets the listed cells alone count.
inline void leave_out_unlisted(Evaluation& found) {
  found.all = found.listed;
  found.fit = fit_of(found.all.residual_norm, found.tensor_norm);
}
inline void leave_out_unlisted(LossEvaluation& found) {
  found.all = found.listed;
}

}  // namespace genten::tools
