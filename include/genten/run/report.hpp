// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The report of a run: one type for all solvers, scalars and execution spaces, from which the
/// tool's text, JSON and Python's results are made.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/run/determined_modes.hpp>
#include <genten/run/notes.hpp>
#include <genten/run/request.hpp>
#include <genten/run/trust/run_trust.hpp>

#include <algorithm>
#include <array>
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

/// The number of entries of a tensor, listed or not.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double all_entries(const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  double all = 1.0;
  for (const std::size_t length : tensor.dimensions()) all *= static_cast<double>(length);
  return all;
}

/// Whether the values may be ratings: whole or half numbers from 1/2 to 10, of which some lie
/// between the least and the largest, three fifths in the upper half, and a twentieth at the top:
/// a scale ends there, and what is liked gets all (5 stars of 5 are 14 % of MovieLens 20M). Counts
/// have no such end: small ones lie in the lower half, and the largest of others are rare.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] bool are_ratings(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                               const ValueRange& range) {
  constexpr double half = 0.5, largest = 10.0, least_width = 2.0;
  const auto nonzeros = static_cast<std::size_t>(tensor.nnz());
  const double width = range.highest - range.lowest;
  if (range.lowest < half || range.highest > largest || width < least_width) return false;
  const auto count = [&](const auto& counts) { return count_values(exec, tensor, counts); };
  if (count(detail::IsNoMultiple{half}) != 0) return false;
  const detail::IsWithin between{range.lowest + half, range.highest - half};
  const detail::IsWithin upper{range.lowest + half * width, range.highest};
  const detail::IsWithin top{range.highest, range.highest};
  return count(between) != 0 && 5 * count(upper) >= 3 * nonzeros && 20 * count(top) >= nonzeros;
}

/// Of entries of which the others are missing, how many are the same: all, or nine tenths of whole
/// numbers from 1 on, as of events of which few have occurred twice. Else 0.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::size_t alike_values(const Exec& exec,
                                       const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                       const ValueRange& range) {
  const auto nonzeros = static_cast<std::size_t>(tensor.nnz());
  if (range.lowest == range.highest) return range.lowest == 0.0 || nonzeros < 2 ? 0 : nonzeros;
  if (range.lowest != 1.0) return 0;
  const std::size_t ones = count_values(exec, tensor, detail::IsWithin{1.0, 1.0});
  const bool are_most = 10 * ones >= 9 * nonzeros;
  return are_most && count_values(exec, tensor, detail::IsNoMultiple{1.0}) == 0 ? ones : 0;
}

/// How many values are a number of nines that often stands for what is not known, as -999: of the
/// least or the largest value that is one, where they are a hundredth of all, and no other is more
/// than half as far from zero on their side; 0: there are none.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::size_t count_placeholders(const Exec& exec,
                                             const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                             double value) {
  constexpr std::array known{-99.0, -999.0, -9999.0, -99999.0, 999.0, 9999.0, 99999.0};
  constexpr std::size_t share = 100;
  if (std::find(known.begin(), known.end(), value) == known.end()) return 0;
  const std::size_t found = count_values(exec, tensor, detail::IsWithin{value, value});
  const detail::IsWithin beyond_half{std::min(value, value / 2), std::max(value, value / 2)};
  const bool alone = count_values(exec, tensor, beyond_half) == found;
  return alone && share * found >= static_cast<std::size_t>(tensor.nnz()) ? found : 0;
}

/// Whether entries that a tensor of 100 nonzeros or more does not list look unknown. Beside ratings
/// it takes a list of at least half of the entries, or one of which a twentieth are zeros: of
/// others zeros are what one expects. There a value is far from zero where all have its sign and
/// three standard deviations are no more than their mean, as of counts of more than nine on
/// average, of which hardly one is zero; whole numbers are so from 2 on. Where three quarters are
/// listed and most of these have decimals, as what is measured has, an exact zero is odd.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] GapSign gap_sign(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                               const ValueRange& range, bool is_list) {
  constexpr offset_t fewest = 100;
  constexpr double much = 0.5, most = 0.75, deviations = 3.0, least_whole = 2.0;
  constexpr std::size_t share_of_zeros = 20;
  const auto listed = static_cast<double>(tensor.nnz());
  const double all = all_entries(tensor);
  if (tensor.nnz() < fewest || !(listed < all)) return GapSign::none;
  if (are_ratings(exec, tensor, range)) return GapSign::ratings;
  if (!is_list || range.lowest == range.highest) return GapSign::none;
  const auto count = [&](const auto& counts) { return count_values(exec, tensor, counts); };
  const bool lists_much = listed >= much * all;
  const std::size_t zeros = count(detail::IsWithin{0.0, 0.0});
  if (zeros != 0 && (lists_much || share_of_zeros * zeros >= static_cast<std::size_t>(listed))) {
    return GapSign::listed_zeros;
  }
  if (zeros != 0 || !lists_much) return GapSign::none;
  const std::size_t with_decimals = count(detail::IsNoMultiple{1.0});
  const double nearest = std::max(range.lowest, -range.highest);  // below 0: there are both signs
  const double mean = sum(exec, tensor) / listed, root = norm(exec, tensor) / std::sqrt(listed);
  const double variance = root * root - mean * mean;
  if (nearest >= (with_decimals == 0 ? least_whole : 0.0) &&
      deviations * deviations * variance <= mean * mean) {
    return GapSign::far_from_zero;
  }
  return listed >= most * all && 2 * with_decimals > static_cast<std::size_t>(tensor.nnz())
             ? GapSign::fractions
             : GapSign::none;
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

/// Takes into the settings what notes need to know of the tensor's entries.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void look_at_values(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                    RunSettings& settings) {
  EntryFacts& facts = settings.entries;
  facts.listed = static_cast<double>(tensor.nnz());
  facts.all = all_entries(tensor);
  facts.free_rows = 1.0;
  for (const std::size_t length : tensor.dimensions()) {
    facts.free_rows += static_cast<double>(length) - 1.0;
  }
  constexpr offset_t most_copied = 10'000'000;
  if (is_host_space<Exec> || tensor.nnz() <= most_copied) {
    facts.determined_modes = unless_it_fails([&] {
      return determined_modes(
          Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), tensor.subscripts()),
          tensor.dimensions());
    });
  }
  const auto count = [&](const auto& counts) {
    return unless_it_fails([&] { return count_values(exec, tensor, counts); });
  };
  facts.values = unless_it_fails([&] { return values_for_notes(exec, tensor, settings); });
  if (facts.values && settings.least_squares && !settings.has_missing) {
    facts.gaps =
        unless_it_fails([&] { return gap_sign(exec, tensor, *facts.values, facts.is_list); });
  }
  if (facts.values && settings.unlisted_are_missing) {
    facts.alike = unless_it_fails([&] { return alike_values(exec, tensor, *facts.values); });
    if (facts.listed == facts.all) facts.zeros = count(detail::IsWithin{0.0, 0.0});
  }
  if (facts.values) {
    for (const double end : {facts.values->lowest, facts.values->highest}) {
      const auto found = unless_it_fails([&] { return count_placeholders(exec, tensor, end); });
      if (facts.placeholders == 0 && found != 0) {
        facts.placeholder = end;
        facts.placeholders = found;
      }
    }
  }
  if (settings.of_counts) facts.fractions = count(detail::IsNoMultiple{.unit = 1.0});
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
