// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/detail/same_dimensions.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/core/weights.hpp>
#include <genten/cp/detail/gcp/entry_values.hpp>
#include <genten/cp/detail/project/entries_by_row.hpp>
#include <genten/cp/detail/project/quadratic_rows.hpp>
#include <genten/cp/detail/project/solve_row.hpp>
#include <genten/cp/project_rows.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace genten::detail {

/// Takes those entries away that are missing.
inline void remove_missing(RowEntries& entries, std::size_t modes) {
  if (entries.missing.empty() || entries.values.empty()) return;
  std::size_t kept = 0, next = 0;
  const auto& missing = entries.missing;
  for (std::size_t p = 0; p < entries.values.size(); ++p) {
    const std::uint64_t* const at = &entries.subscripts[p * modes];
    while (next < missing.size() &&
           std::lexicographical_compare(&missing[next], &missing[next] + modes, at, at + modes)) {
      next += modes;
    }
    if (next < missing.size() && std::equal(at, at + modes, &missing[next])) continue;
    std::copy_n(at, modes, &entries.subscripts[kept * modes]);
    entries.values[kept++] = entries.values[p];
  }
  entries.values.resize(kept);
  entries.subscripts.resize(kept * modes);
}

/// What columns are multiplied by, and what the elements found for them are divided by: numbers
/// times powers of two.
struct ColumnScales {
  std::vector<double> by;
  std::vector<int> exponents;

  /// Of a row whose values were divided by two to the power of `of_values`.
  [[nodiscard]] double unscaled(double element, std::size_t r, int of_values) const {
    return std::ldexp(element / by[r], of_values - exponents[r]);
  }
};

/// Throws Error unless the tensor is one of new slices of the model.
template <class Tensor, class Model>
void require_slices(const Tensor& tensor, const Model& model, int mode) {
  if (model.order() < 2) throw Error::in("project_rows", "expected a model of two modes or more");
  if (mode < 0 || mode >= model.order()) {
    throw Error::no_such_mode("project_rows", mode, model.order());
  }
  auto expected = model.dimensions();
  if (tensor.dimensions().size() == expected.size()) {
    expected[static_cast<std::size_t>(mode)] = tensor.dimension(mode);
  }
  check_same_dimensions("project_rows", tensor.dimensions(), expected);
}

/// Brings the columns of the other factors near norm one, by powers of two, and says by which:
/// least squares without penalties and bounds do not depend on it but for numbers that leave their
/// range.
template <RealScalar Scalar>
[[nodiscard]] ColumnScales scale_columns(OtherFactors& others,
                                         const Ktensor<Scalar, HostExec>& model) {
  ColumnScales scales{std::vector<double>(others.rank, 1.0), std::vector<int>(others.rank, 0)};
  for (std::size_t r = 0; r < others.rank; ++r) {
    int exponent = 0;
    const double weight = std::frexp(static_cast<double>(model.weights()(r)), &exponent);
    scales.exponents[r] = exponent;
    if (weight != 0.0) scales.by[r] = weight;
    for (std::size_t n = 0; n < others.modes(); ++n) {
      double largest = 0.0;
      for (std::size_t i = 0; i < others.lengths[n]; ++i) {
        largest = std::max(largest, std::abs(others.rows[n][i * others.rank + r]));
      }
      std::frexp(largest, &exponent);
      for (std::size_t i = 0; i < others.lengths[n]; ++i) {
        double& each = others.rows[n][i * others.rank + r];
        each = weight != 0.0 ? std::ldexp(each, -exponent) : 0.0;
      }
      scales.exponents[r] += exponent;
    }
  }
  return scales;
}

/// Divides values by a power of two that brings the largest of them below one, and returns its
/// exponent.
inline int scale_values(std::vector<double>& values) {
  double largest = 0.0;
  int exponent = 0;
  for (const double each : values) largest = std::max(largest, std::abs(each));
  if (largest > 0.0) std::frexp(largest, &exponent);
  for (double& each : values) each = std::ldexp(each, -exponent);
  return exponent;
}

/// On the host; `missing` may be a null pointer.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
Projection<Scalar, HostExec> project_on_host(const Ktensor<Scalar, HostExec>& model,
                                             const Sptensor<Scalar, Ordinal, HostExec>& given,
                                             const Sptensor<Scalar, Ordinal, HostExec>* missing,
                                             int mode, const AnyLoss& loss,
                                             const ProjectOptions& options) {
  const HostExec exec;
  require_slices(given, model, mode);
  if (missing != nullptr)
    check_same_dimensions("project_rows", missing->dimensions(), given.dimensions());
  if (!options.scales.empty() && options.scales.size() != model.rank()) {
    throw Error::in("project_rows", "expected " + std::to_string(model.rank()) + " scales, got " +
                                        std::to_string(options.scales.size()));
  }
  const auto tensor = sum_duplicates(exec, given).tensor;
  require_loss_data(exec, tensor, loss.facts());
  const std::size_t rank = model.rank();
  ColumnScales scales{options.scales, std::vector<int>(rank, 0)};
  if (scales.by.empty()) scales.by.assign(rank, 1.0);
  std::vector<double> in_first(rank);
  for (std::size_t r = 0; r < rank; ++r) {
    in_first[r] = static_cast<double>(model.weights()(r)) / scales.by[r];
  }
  const bool squares = loss.facts().name == "gaussian";
  const bool free = squares && options.constraint.is_free();
  if (free) in_first.assign(rank, 1.0);
  OtherFactors others = other_factors(model, mode, in_first);
  if (free) scales = scale_columns(others, model);
  others.complete();
  RowProblem task(loss, std::move(others), options);
  const std::size_t modes = task.others.modes();
  Projection<Scalar, HostExec> result;
  if (squares && task.zeros == RowZeros::closed_form && missing == nullptr) {
    for (const double each : task.others.gram) {
      if (!std::isfinite(each)) {
        throw Error::in("project_rows", Error::Kind::runtime,
                        "a Gram matrix has no finite elements");
      }
    }
    if (free && !PreciseSquares::is_well_conditioned(task.others)) {
      const auto precise = std::make_shared<PreciseSquares>(task.others);
      result.dependent = precise->dependent();
      result.condition = precise->condition();
      task.precise = precise;
    } else {
      SmallMatrix gram(rank);
      for (std::size_t i = 0; i < rank * rank; ++i) {
        gram.values[i] = 2.0 * options.loss_factor * task.others.gram[i];
      }
      task.quadratic =
          std::make_shared<QuadraticRows>(std::move(gram), task.options.constraint, "project_rows");
    }
  }
  const RowsOfEntries<Scalar, Ordinal> by_row(tensor, mode);
  std::optional<RowsOfEntries<Scalar, Ordinal>> missing_by_row;
  if (missing != nullptr) missing_by_row.emplace(*missing, mode);
  const std::size_t rows = tensor.dimension(mode);
  // Where columns are scaled, rows have equations and need no start.
  const bool own_rows = options.from_own_rows && !free && model.factor(mode).rows() == rows;
  const FacMatrix<double, HostExec> found(rows, rank);
  std::vector<int> exponents(rows, 0);  // rows do not depend on each other
  result.rows.resize(rows);
  const auto solve = [&](const std::size_t i) {
    RowEntries entries;
    by_row.take(i, entries.subscripts, &entries.values);
    const std::size_t listed = entries.values.size();
    if (missing_by_row) missing_by_row->take(i, entries.missing, nullptr);
    remove_missing(entries, modes);
    if (task.zeros == RowZeros::missing) entries.missing.clear();
    if (free) exponents[i] = scale_values(entries.values);
    std::vector<double> row;
    for (std::size_t r = 0; own_rows && r < rank; ++r) {
      const RowConstraint& bounds = task.options.constraint;
      const double element = static_cast<double>(model.factor(mode)(i, r)) * scales.by[r];
      row.push_back(std::clamp(element, bounds.lower, bounds.upper));
    }
    result.rows[i] = solve_row(task, entries, row);
    result.rows[i].listed = listed;
    result.rows[i].loss = std::ldexp(result.rows[i].loss, 2 * exponents[i]);
    std::copy(row.begin(), row.end(), found.row(i));
  };
  if (loss.blocks() == nullptr) {
    for_each_index("genten::project_rows", exec, rows, solve);
  } else {  // which this thread alone may call
    for (std::size_t i = 0; i < rows; ++i) solve(i);
  }
  const FacMatrix<Scalar, HostExec> factor(rows, rank);
  for (std::size_t r = rank; r-- > 0;) {
    bool lost = false, any = false, none = true;
    for (std::size_t i = 0; i < rows; ++i) {
      factor(i, r) = static_cast<Scalar>(scales.unscaled(found(i, r), r, exponents[i]));
      lost = lost || !std::isfinite(factor(i, r));
      any = any || found(i, r) != 0.0;
      none = none && factor(i, r) == Scalar(0);
    }
    if (lost || (any && none)) result.out_of_range = r;
  }
  auto factors = model.factors();
  factors[static_cast<std::size_t>(mode)] = factor;
  result.model = Ktensor<Scalar, HostExec>(model.weights(), std::move(factors));
  return result;
}

/// Anywhere.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Projection<Scalar, Exec> project_anywhere(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                          const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                          const Sptensor<Scalar, Ordinal, Exec>* missing, int mode,
                                          const AnyLoss& loss, const ProjectOptions& options) {
  if constexpr (std::is_same_v<Exec, HostExec>) {
    static_cast<void>(exec);
    return project_on_host(model, tensor, missing, mode, loss, options);
  } else {
    fence(exec, "genten::project_rows");
    require_slices(tensor, model, mode);
    std::optional<Sptensor<Scalar, Ordinal, HostExec>> list;
    if (missing != nullptr) list = copy_to<HostExec>(*missing);
    auto found = project_on_host(clone_to<HostExec>(model), copy_to<HostExec>(tensor),
                                 list ? &*list : nullptr, mode, loss, options);
    auto factors = model.factors();
    FacMatrix<Scalar, Exec> factor(exec, tensor.dimension(mode), model.rank());
    deep_copy(exec, factor, found.model.factor(mode));
    exec.fence();
    factors[static_cast<std::size_t>(mode)] = factor;
    return {Ktensor<Scalar, Exec>(model.weights(), std::move(factors)), std::move(found.rows),
            found.dependent, found.condition, found.out_of_range};
  }
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Projection<Scalar, Exec> project_rows(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                      const Sptensor<Scalar, Ordinal, Exec>& tensor, int mode,
                                      const AnyLoss& loss, const ProjectOptions& options) {
  const Sptensor<Scalar, Ordinal, Exec>* const none = nullptr;
  return detail::project_anywhere(exec, model, tensor, none, mode, loss, options);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Projection<Scalar, Exec> project_rows(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                      const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                      const Sptensor<Scalar, Ordinal, Exec>& missing, int mode,
                                      const AnyLoss& loss, const ProjectOptions& options) {
  return detail::project_anywhere(exec, model, tensor, &missing, mode, loss, options);
}

template <RealScalar Scalar, ExecutionSpace Exec>
std::vector<double> column_scales(const Exec& exec, const Ktensor<Scalar, Exec>& model, int mode,
                                  const std::vector<RowConstraint>& constraints) {
  const auto host = create_mirror_view_and_copy(model);
  std::vector<std::vector<double>> squares, magnitudes;
  for (const auto& factor : host.factors()) {
    auto& square = squares.emplace_back(model.rank(), 0.0);
    auto& magnitude = magnitudes.emplace_back(model.rank(), 0.0);
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < model.rank(); ++r) {
        const auto element = static_cast<double>(factor(i, r));
        square[r] += element * element;
        magnitude[r] += std::abs(element);
      }
    }
  }
  return detail::scales_of_columns(host_weights(exec, model), squares, magnitudes,
                                   static_cast<std::size_t>(mode), constraints);
}

}  // namespace genten

#define GENTEN_ETI_PROJECT_ROWS(PREFIX, SCALAR, ORDINAL, EXEC)                     \
  PREFIX template genten::Projection<SCALAR, EXEC> genten::project_rows(           \
      const EXEC&, const genten::Ktensor<SCALAR, EXEC>&,                           \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, int, const genten::AnyLoss&, \
      const genten::ProjectOptions&);                                              \
  PREFIX template genten::Projection<SCALAR, EXEC> genten::project_rows(           \
      const EXEC&, const genten::Ktensor<SCALAR, EXEC>&,                           \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                              \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, int, const genten::AnyLoss&, \
      const genten::ProjectOptions&);

#define GENTEN_ETI_COLUMN_SCALES(PREFIX, SCALAR, EXEC)        \
  PREFIX template std::vector<double> genten::column_scales(  \
      const EXEC&, const genten::Ktensor<SCALAR, EXEC>&, int, \
      const std::vector<genten::RowConstraint>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_PROJECT_ROWS, extern)
GENTEN_ETI_SCALARS(GENTEN_ETI_COLUMN_SCALES, extern)
#endif
