// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The report of a run: one type for all solvers, scalars and execution spaces, from which the
/// tool's text, JSON and Python's results are made.

#include <genten/cp/row_constraints.hpp>
#include <genten/run/notes.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <vector>

namespace genten {

/// All of a run but its model.
struct RunReport {
  CpFigures figures;
  OwnFigures own;
  std::vector<double> weights;
  std::vector<Note> notes;
};

/// What options say of a run on a tensor of that order; the rest is for the caller to set.
template <class Options>
[[nodiscard]] RunSettings run_settings(const Options& options, std::size_t order) {
  RunSettings settings{.rank = options.rank,
                       .max_iterations = options.max_iterations,
                       .tolerance = options.tolerance,
                       .time_limit = options.time_limit,
                       .starts = options.starts};
  if constexpr (requires { options.nonnegative; }) {
    CpAlsOptions rows;
    rows.nonnegative = options.nonnegative;
    rows.ridge = options.ridge;
    rows.lower = options.lower;
    rows.upper = options.upper;
    if constexpr (requires { options.l1; }) rows.l1 = options.l1;
    settings.constraints = row_constraints(rows, order);
  } else {
    settings.constraints.assign(order, {.lower = 0.0});
  }
  if constexpr (requires { options.fixed_modes; }) {
    settings.fixed_modes = options.fixed_modes;
    for (const int mode : options.fixed_modes) {
      settings.constraints[static_cast<std::size_t>(mode)] = RowConstraint();
    }
  }
  return settings;
}

/// The values of a tensor's nonzeros, where notes need them: of nonzeros of one entry the sum
/// counts, and is looked at where it matters.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::optional<ValueRange> values_for_notes(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const RunSettings& settings) {
  const auto found = value_range(exec, tensor);
  const ValueRange of_model = values_within(settings.constraints, settings.rank);
  if (found && (of_model.lowest > found->highest || of_model.highest < found->lowest)) {
    return value_range(exec, sum_duplicates(exec, tensor).tensor);
  }
  return found;
}

/// What `make` returns, or nothing where it throws: for notes, since no result is lost for want of
/// them.
template <class Make>
[[nodiscard]] auto unless_it_fails(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const std::exception&) {
    return {};
  }
}

/// The report of a result, with notes by its components and settings.
template <class Result>
[[nodiscard]] RunReport run_report(const Result& result, const ComponentFacts& components,
                                   RunSettings settings) {
  const typename Result::Own& own = result;
  RunReport report{result, own, {}, {}};
  if constexpr (std::is_same_v<typename Result::Own, CpGcpFigures>) {
    settings.least_squares = own.loss.name == "gaussian";
    for (RowConstraint& each : settings.constraints) {
      each.lower = std::max(each.lower, own.loss.lower);
    }
  }
  const auto weights =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result.model.weights());
  report.weights.assign(weights.data(), weights.data() + weights.extent(0));
  report.notes = notes_of(report.figures, report.own, components, settings);
  return report;
}

}  // namespace genten
