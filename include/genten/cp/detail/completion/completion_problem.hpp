// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CompletionProblem: what all starts of a decomposition with missing entries share.

#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/detail/completion/completion_memory.hpp>
#include <genten/cp/detail/completion/select_entries.hpp>
#include <genten/cp/detail/cp_als_problem.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/plan.hpp>
#include <genten/mttkrp/row_equations.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// Tensors here have no duplicates, and their values are divided by 2^exponent.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct CompletionProblem {
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;

  std::vector<std::size_t> dimensions;  ///< of the tensor as given
  /// Entries that count or, where missing ones are listed, the nonzeros.
  Tensor tensor;
  Tensor held_out;                ///< perhaps without entries
  std::optional<Tensor> missing;  ///< values are zero
  int exponent = 0;
  double norm = 0.0;     ///< of the tensor
  double entries = 0.0;  ///< that count
  /// Rows of the factors that are kept, and their order; none: all, as they are.
  std::optional<Relabeling<Ordinal, Exec>> relabeling;
  std::optional<RowEquations<Scalar, Exec>> systems;
  std::optional<MttkrpPlan<Scalar, Ordinal, Exec>> plan;  ///< where missing entries are listed
  /// By mode, for the scaled tensor; of the live start, where runs fit it.
  std::vector<double> ridge;
  double first_ridge = 0.0;  ///< that a run begins with and fits to the noise; 0: it stays
  /// By mode, likewise, the ridge among them; empty unless some have bounds or an l1 penalty.
  std::vector<RowConstraint> constraints;
  std::vector<int> exponents;  ///< by mode: factors stand for others that are 2^e times as large

  /// Whether rows of a mode descend by coordinates.
  [[nodiscard]] bool descends(int mode) const {
    return !constraints.empty() && !constraints[static_cast<std::size_t>(mode)].is_linear();
  }
  /// The constraint of a mode whose rows descend, `first`: without its penalties.
  [[nodiscard]] RowConstraint rule(int mode, bool first) const {
    RowConstraint rule = constraints[static_cast<std::size_t>(mode)];
    if (first) rule.ridge = rule.l1 = 0.0;
    return rule;
  }
  [[nodiscard]] int order() const { return static_cast<int>(dimensions.size()); }
  [[nodiscard]] std::size_t rows(int mode) const { return tensor.dimension(mode); }
  [[nodiscard]] double all_entries() const {
    double all = 1.0;
    for (const std::size_t length : dimensions) all *= static_cast<double>(length);
    return all;
  }
  /// Sets the ridge of all modes.
  void take_ridge(double of_all) {
    ridge.assign(ridge.size(), of_all);
    for (RowConstraint& each : constraints) each.ridge = of_all;
  }
  /// The norm that the whole tensor would have if missing entries were as large as the others.
  [[nodiscard]] double whole_norm() const {
    return entries > 0.0 ? norm * std::sqrt(all_entries() / entries) : 0.0;
  }
  /// A number in the unit of the objective, for the tensor as given.
  [[nodiscard]] double on_scale(double objective) const {
    return std::ldexp(objective, 2 * exponent);
  }
};

/// The norm of values or, where their mean holds 95 % of the sum of squares or more, as of air
/// pressures, the root of 20 times what is left without it, but no less than a thousandth.
template <ExecutionSpace Exec, class Values>
[[nodiscard]] double spread_of(const Exec& exec, const Values& values, double norm) {
  constexpr double parts = 20.0, least = 1e-3;
  const auto count = static_cast<offset_t>(values.extent(0));
  if (count == 0) return norm;
  const double sum = chunked_reduce<double>(
      "genten::sum", exec, count,
      KOKKOS_LAMBDA(const offset_t p) { return static_cast<double>(values(p)); });
  const double mean = sum / static_cast<double>(count);
  const double rest = chunked_reduce<double>(
      "genten::sum_without_mean", exec, count, KOKKOS_LAMBDA(const offset_t p) {
        const double value = static_cast<double>(values(p)) - mean;
        return value * value;
      });
  return std::clamp(std::sqrt(parts * rest), least * norm, norm);
}

/// The ridge of each mode, for the tensor without its scale. Sets `exponents`, too. By default none
/// where missing entries are listed: all but a few are known then, and determine the model.
template <ExecutionSpace Exec, class Problem>
void set_ridge(const Exec& exec, Problem& problem, const CpCompletionOptions& options) {
  const auto order = static_cast<std::size_t>(problem.order());
  const bool is_given = !options.ridge.empty();
  double chosen = 0.0;
  if (!is_given && !problem.missing) {
    chosen = first_completion_ridge(spread_of(exec, problem.tensor.values(), problem.norm),
                                    problem.entries, problem.all_entries(), problem.order());
  }
  int left = problem.exponent;
  for (std::size_t n = 0; n < order; ++n) {
    const int share = left / static_cast<int>(order - n);
    left -= share;
    problem.exponents.push_back(share);
    problem.ridge.push_back(is_given
                                ? std::ldexp(number_of_mode("ridge", options.ridge, n, order, 0.0),
                                             2 * share - 2 * problem.exponent)
                                : chosen);
  }
  if (!is_given) problem.first_ridge = chosen;
}

/// The other constraints likewise, after the ridge.
template <class Problem>
void set_constraints(Problem& problem, const CpCompletionOptions& options) {
  CpAlsOptions given;
  given.nonnegative = options.nonnegative;
  static_cast<void>(modes_to_update(given, problem.order()));  // whose modes there are
  problem.constraints = row_constraints(options, problem.dimensions.size());
  for (RowConstraint& each : problem.constraints) each.ridge = 0.0;
  check_bounds_as<typename Problem::Tensor::scalar_type>(problem.constraints);
  take_scale_out(problem.constraints, problem.exponents, problem.exponent);
  bool any = false;
  for (std::size_t n = 0; n < problem.constraints.size(); ++n) {
    any = any || !problem.constraints[n].is_linear();
    problem.constraints[n].ridge = problem.ridge[n];
  }
  if (!any) problem.constraints.clear();
}

/// Throws Error where rows without entries, which are 0, would not be within the bounds.
template <class Problem>
void check_rows_without_entries(const Problem& problem) {
  std::vector<int> modes;
  std::vector<std::size_t> with_entries;
  for (int n = 0; n < problem.order(); ++n) {
    modes.push_back(n);
    with_entries.push_back(static_cast<std::size_t>(problem.systems->rows(n)));
  }
  check_empty_rows(problem.constraints, modes, problem.dimensions, with_entries);
}

/// Separates held-out entries from the others, and keeps the rows that have any.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void split_listed(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                  const CpCompletionOptions& options,
                  CompletionProblem<Scalar, Ordinal, Exec>& problem) {
  problem.relabeling.emplace(exec, tensor);
  const auto relabeled = problem.relabeling->apply(exec, tensor).materialize(exec);
  if (options.holdout <= 0.0) {
    problem.tensor = relabeled;
    return;
  }
  const auto subscripts = tensor.subscripts();
  const int order = tensor.order();
  const std::uint64_t seed = options.holdout_seed;
  const double fraction = options.holdout;
  const auto flags = flag_entries(
      exec, tensor.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        return is_held_out(&subscripts(p, 0), order, seed, fraction);
      });
  problem.tensor = select_entries(exec, relabeled, flags, 0);
  problem.held_out = select_entries(exec, relabeled, flags, 1);
  if (problem.tensor.nnz() != 0 && problem.held_out.nnz() != 0) return;
  throw Error::in("cp_completion", "expected entries on both sides of a holdout of " +
                                       number_text(fraction) + ", got " +
                                       std::to_string(problem.held_out.nnz()) + " of " +
                                       std::to_string(tensor.nnz()) + " held out");
}

/// The tensor without its missing entries, and those with zeros for values.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void split_missing(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                   const Sptensor<Scalar, Ordinal, Exec>& missing,
                   CompletionProblem<Scalar, Ordinal, Exec>& problem) {
  const auto distinct = sum_duplicates(exec, missing).tensor;
  problem.tensor = without_entries(exec, tensor, distinct);
  problem.missing = with_value(exec, distinct, Scalar(0));
}

/// Whether a tensor that is c times as large has a model that is: without numbers of the caller's
/// that would have to change with it.
[[nodiscard]] inline bool follows_scale(const CpCompletionOptions& options) {
  const auto are = [](const std::vector<double>& numbers, double no_bound) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [=](double each) { return each == 0.0 || each == no_bound; });
  };
  return are(options.ridge, 0.0) && are(options.l1, 0.0) &&
         are(options.lower, -RowConstraint::none) && are(options.upper, RowConstraint::none);
}

/// The exponent of the power of two that a tensor whose largest value is this one is divided by.
template <RealScalar Scalar>
[[nodiscard]] int completion_exponent(double largest, const CpCompletionOptions& options) {
  return scale_exponent(largest, follows_scale(options) ? 1 : scale_quantum<Scalar>);
}

/// Takes the scale of the values out: all of it where models follow it, so that a tensor 2^k times
/// as large has the same model, to the bit, with weights 2^k times as large.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void take_scale(const Exec& exec, const CpCompletionOptions& options,
                CompletionProblem<Scalar, Ordinal, Exec>& problem) {
  problem.exponent = completion_exponent<Scalar>(max_abs(exec, problem.tensor), options);
  if (problem.exponent != 0) {
    problem.tensor = times_power_of_two(exec, problem.tensor, -problem.exponent);
    if (problem.held_out.nnz() != 0) {
      problem.held_out = times_power_of_two(exec, problem.held_out, -problem.exponent);
    }
  }
  problem.norm = norm(exec, problem.tensor);
  problem.entries = static_cast<double>(problem.tensor.nnz());
  if (problem.missing) {
    problem.entries = problem.all_entries() - static_cast<double>(problem.missing->nnz());
  }
}

}  // namespace genten::detail
