// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The report of a run: one type for all solvers, scalars and execution spaces, from which the
/// tool's text, JSON and Python's results are made.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/run/notes.hpp>
#include <genten/run/request.hpp>
#include <genten/run/trust/run_trust.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
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
  RunTrust trust = {};
};

/// What a request says of a run on a tensor of that order; the rest is for the caller to set.
[[nodiscard]] RunSettings run_settings(const CpRequest& request, std::size_t order);

/// Makes the ridge that a run has used that of its request, by mode, where none is given: some
/// losses and least squares of listed entries bring one with them.
void take_ridge_used(const OwnFigures& own, CpRequest& request);

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

/// How many of the values `counts` is true of.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class Counts>
[[nodiscard]] std::size_t count_values(const Exec& exec,
                                       const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                       const Counts& counts) {
  const auto values = tensor.values();
  return static_cast<std::size_t>(detail::chunked_reduce<std::int64_t>(
      "genten::count_values", exec, tensor.nnz(),
      KOKKOS_LAMBDA(const offset_t p)->std::int64_t {
        return counts(static_cast<double>(values(p))) ? 1 : 0;
      },
      std::int64_t{0}, detail::SumJoin()));
}

namespace detail {
/// Whether a value is no multiple of the unit.
struct IsNoMultiple {
  double unit;
  KOKKOS_FUNCTION bool operator()(double value) const {
    return std::floor(value / unit) * unit != value;
  }
};
struct IsWithin {
  double least, most;
  KOKKOS_FUNCTION bool operator()(double value) const { return value >= least && value <= most; }
};
}  // namespace detail

/// Whether the values may be ratings, of which those that are not listed are unknown: whole or half
/// numbers from 1/2 to 10, of which some lie between the least and the largest, and three fifths in
/// the upper half, as counts do not; less than half of the entries are listed, and 100 at least.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] bool are_ratings(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                               const ValueRange& range) {
  constexpr double half = 0.5, largest = 10.0, least_width = 2.0;
  const double width = range.highest - range.lowest;
  if (range.lowest < half || range.highest > largest || width < least_width) return false;
  double all = 1.0;
  for (const std::size_t length : tensor.dimensions()) all *= static_cast<double>(length);
  if (tensor.nnz() < 100 || !(static_cast<double>(tensor.nnz()) < half * all)) return false;
  const auto count = [&](const auto& counts) { return count_values(exec, tensor, counts); };
  if (count(detail::IsNoMultiple{half}) != 0) return false;
  const detail::IsWithin between{range.lowest + half, range.highest - half};
  const detail::IsWithin upper{range.lowest + half * width, range.highest};
  return count(between) != 0 && 5 * count(upper) >= 3 * static_cast<std::size_t>(tensor.nnz());
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

/// Takes into the settings what notes need to know of the tensor's values.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void look_at_values(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                    RunSettings& settings) {
  settings.values = unless_it_fails([&] { return values_for_notes(exec, tensor, settings); });
  if (settings.values && settings.least_squares && !settings.has_missing) {
    settings.are_ratings =
        unless_it_fails([&] { return are_ratings(exec, tensor, *settings.values); });
  }
  if (!settings.of_counts) return;
  settings.fractions = unless_it_fails(
      [&] { return count_values(exec, tensor, detail::IsNoMultiple{.unit = 1.0}); });
}

/// The report of a run from its figures, with notes by its components and settings. `weights` are
/// those of its model, wherever they lie.
template <class Weights>
[[nodiscard]] RunReport run_report(const CpFigures& figures, const OwnFigures& own,
                                   const Weights& weights, const ComponentFacts& components,
                                   const RunSettings& settings) {
  RunReport report{figures, own, {}, notes_of(figures, own, components, settings), {}};
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), weights);
  report.weights.assign(on_host.data(), on_host.data() + on_host.extent(0));
  return report;
}

/// The report of a solver's result.
template <class Result>
[[nodiscard]] RunReport run_report(const Result& result, const ComponentFacts& components,
                                   const RunSettings& settings) {
  const typename Result::Own& own = result;
  return run_report(result, own, result.model.weights(), components, settings);
}

}  // namespace genten
