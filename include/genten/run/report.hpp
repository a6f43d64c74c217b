// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The report of a run: one type for all solvers, scalars and execution spaces, from which the
/// tool's text, JSON and Python's results are made.

#include <genten/core/sptensor_ops.hpp>
#include <genten/run/determined_modes.hpp>
#include <genten/run/notes.hpp>
#include <genten/run/request.hpp>
#include <genten/run/trust/run_trust.hpp>

#include <cstddef>
#include <exception>
#include <optional>
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

/// What a request says of a run on a tensor of that order, beside what is known of its entries; the
/// rest is for the caller to set.
[[nodiscard]] RunSettings run_settings(const CpRequest& request, std::size_t order,
                                       EntryFacts entries = {});

/// Makes the ridge that a run has used that of its request, by mode, where none is given: some
/// losses and least squares of listed entries bring one with them.
void take_ridge_used(const OwnFigures& own, CpRequest& request);

/// The values of a tensor's nonzeros, where notes need them: of nonzeros of one entry the sum
/// counts, and is looked at where it matters.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::optional<ValueRange> values_for_notes(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const ValueRange& found,
    const RunSettings& settings) {
  const ValueRange of_model = values_within(settings.constraints, settings.rank);
  if (of_model.lowest > found.highest || of_model.highest < found.lowest) {
    return value_range(exec, sum_duplicates(exec, tensor).tensor);
  }
  return found;
}

/// Takes into the settings, with the sizes that they have, what the values of a tensor say. Before
/// duplicates were merged they may have said something else, which then counts but for losses of
/// counts.
void judge_values(const ValueSummary& values, RunSettings& settings);

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

namespace detail {
inline void take_sizes(double listed, const std::vector<std::size_t>& dimensions,
                       EntryFacts& facts) {
  facts.listed = listed;
  facts.all = facts.free_rows = 1.0;
  for (const std::size_t length : dimensions) {
    facts.all *= static_cast<double>(length);
    facts.free_rows += static_cast<double>(length) - 1.0;
  }
}

/// The tensor with one nonzero an entry where it is known to have more; what was listed is then
/// kept for notes, as where others have merged it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> summed_for_notes(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, EntryFacts& facts) {
  if (facts.added_up == 0 || facts.as_listed) return tensor;
  const auto summed =
      unless_it_fails([&] { return std::optional(sum_duplicates(exec, tensor).tensor); });
  if (!summed || summed->nnz() == tensor.nnz()) return tensor;
  facts.as_listed = unless_it_fails([&] {
    return std::optional(summary_of(exec, tensor.values(), static_cast<std::size_t>(tensor.nnz())));
  });
  return facts.as_listed ? *summed : tensor;
}
}  // namespace detail

/// Takes into the settings what notes need to know of the tensor's entries.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void look_at_values(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& given,
                    RunSettings& settings) {
  EntryFacts& facts = settings.entries;
  const auto tensor = detail::summed_for_notes(exec, given, facts);
  detail::take_sizes(static_cast<double>(tensor.nnz()), tensor.dimensions(), facts);
  constexpr offset_t most_copied = 10'000'000;
  if (is_host_space<Exec> || tensor.nnz() <= most_copied) {
    facts.determined_modes = unless_it_fails([&] {
      return determined_modes(
          Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), tensor.subscripts()),
          tensor.dimensions());
    });
  }
  if (tensor.nnz() == 0) return;
  const auto values = unless_it_fails([&] {
    return std::optional(summary_of(exec, tensor.values(), static_cast<std::size_t>(tensor.nnz())));
  });
  if (!values) return;
  const ValueRange range{values->lowest, values->highest};
  facts.values = unless_it_fails([&] { return values_for_notes(exec, tensor, range, settings); });
  judge_values(*values, settings);
}

/// The notes on a tensor that meets a model which was made before. Of the settings those count that
/// say which entries are missing, how errors are measured, and what is known of the entries.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<Note> notes_beside_model(const Exec& exec,
                                                   const Sptensor<Scalar, Ordinal, Exec>& given,
                                                   RunSettings settings) {
  const auto tensor = detail::summed_for_notes(exec, given, settings.entries);
  if (tensor.nnz() == 0) return {};
  detail::take_sizes(static_cast<double>(tensor.nnz()), tensor.dimensions(), settings.entries);
  const auto values = summary_of(exec, tensor.values(), static_cast<std::size_t>(tensor.nnz()));
  settings.entries.values = ValueRange{values.lowest, values.highest};
  judge_values(values, settings);
  return notes_beside_model(settings);
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
