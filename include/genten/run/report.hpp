// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The report of a run: one type for all solvers, scalars and execution spaces, from which the
/// tool's text, JSON and Python's results are made.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/dist/communicator.hpp>
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

/// The sum of what all processes have.
template <class Own>
[[nodiscard]] double sum_of_all(Communicator& processes, const Own& own) {
  std::array<double, 1> sum = {0.0};
  together(processes, [&] { sum[0] = static_cast<double>(own()); });
  combine(processes, sum, {});
  return sum[0];
}
}  // namespace detail

/// Whether the values may be ratings: whole or half numbers from 1/2 to 10, of which some lie
/// between the least and the largest, three fifths in the upper half, and a twentieth at the top:
/// a scale ends there, and what is liked gets all (5 stars of 5 are 14 % of MovieLens 20M). Counts
/// have no such end: small ones lie in the lower half, and the largest of others are rare.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] bool are_ratings(Communicator& processes, const Exec& exec,
                               const Sptensor<Scalar, Ordinal, Exec>& tensor,
                               const EntryFacts& facts) {
  constexpr double half = 0.5, largest = 10.0, least_width = 2.0;
  const ValueRange& range = *facts.values;
  const double nonzeros = facts.listed;
  const double width = range.highest - range.lowest;
  if (range.lowest < half || range.highest > largest || width < least_width) return false;
  const auto count = [&](const auto& counts) {
    return detail::sum_of_all(processes, [&] { return count_values(exec, tensor, counts); });
  };
  if (count(detail::IsNoMultiple{half}) != 0.0) return false;
  const detail::IsWithin between{range.lowest + half, range.highest - half};
  const detail::IsWithin upper{range.lowest + half * width, range.highest};
  const detail::IsWithin top{range.highest, range.highest};
  return count(between) != 0.0 && 5.0 * count(upper) >= 3.0 * nonzeros &&
         20.0 * count(top) >= nonzeros;
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

/// The least or the largest value that is a number of nines, as -999, which often stands for
/// what is not known: where a hundredth of all values are it, and no other is more than half as far
/// from zero on its side.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Placeholder placeholder_of(Communicator& processes, const Exec& exec,
                                         const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                         const EntryFacts& facts) {
  constexpr std::array known{-99.0, -999.0, -9999.0, -99999.0, 999.0, 9999.0, 99999.0};
  constexpr double share = 100.0;
  for (const double value : {facts.values->lowest, facts.values->highest}) {
    if (std::find(known.begin(), known.end(), value) == known.end()) continue;
    const auto count = [&](double least, double most) {
      return detail::sum_of_all(processes, [&] {
        return count_values(exec, tensor, detail::IsWithin{least, most});
      });
    };
    const double found = count(value, value);
    const double beyond_half = count(std::min(value, value / 2), std::max(value, value / 2));
    if (beyond_half != found || share * found < facts.listed) continue;
    return {value, static_cast<std::size_t>(found)};
  }
  return {};
}

/// Whether entries that a tensor of 100 nonzeros or more does not list look unknown. Beside ratings
/// it takes a list of at least half of the entries, or one of which a twentieth are zeros: of
/// others zeros are what one expects. There a value is far from zero where all have its sign and
/// three standard deviations are no more than their mean, as of counts of more than nine on
/// average, of which hardly one is zero; whole numbers are so from 2 on. Where three quarters are
/// listed and most of these have decimals, as what is measured has, an exact zero is odd.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] GapSign gap_sign(Communicator& processes, const Exec& exec,
                               const Sptensor<Scalar, Ordinal, Exec>& tensor,
                               const EntryFacts& facts) {
  constexpr double fewest = 100.0, much = 0.5, most = 0.75, deviations = 3.0, least_whole = 2.0;
  constexpr double share_of_zeros = 20.0;
  const ValueRange& range = *facts.values;
  const double listed = facts.listed, all = facts.all;
  if (listed < fewest || !(listed < all)) return GapSign::none;
  if (are_ratings(processes, exec, tensor, facts)) return GapSign::ratings;
  if (!facts.is_list || range.lowest == range.highest) return GapSign::none;
  const auto total = [&](const auto& own) { return detail::sum_of_all(processes, own); };
  const auto count = [&](const auto& counts) {
    return total([&] { return count_values(exec, tensor, counts); });
  };
  const double zeros = count(detail::IsWithin{0.0, 0.0});
  const bool lists_much = listed >= much * all;
  if (zeros != 0.0 && (lists_much || share_of_zeros * zeros >= listed)) {
    return GapSign::listed_zeros;
  }
  if (zeros != 0.0 || !lists_much) return GapSign::none;
  const double with_decimals = count(detail::IsNoMultiple{1.0});
  const double nearest = std::max(range.lowest, -range.highest);  // below 0: there are both signs
  const double mean = total([&] { return sum(exec, tensor); }) / listed;
  const double squares = total([&] {
    const double root = norm(exec, tensor);
    return root * root;
  });
  const double variance = squares / listed - mean * mean;
  if (nearest >= (with_decimals == 0.0 ? least_whole : 0.0) &&
      deviations * deviations * variance <= mean * mean) {
    return GapSign::far_from_zero;
  }
  return listed >= most * all && 2.0 * with_decimals > listed ? GapSign::fractions : GapSign::none;
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
}  // namespace detail

/// Takes into the settings what notes need to know of the tensor's entries.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void look_at_values(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                    RunSettings& settings) {
  EntryFacts& facts = settings.entries;
  detail::take_sizes(static_cast<double>(tensor.nnz()), tensor.dimensions(), facts);
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
    SingleProcess alone;
    facts.gaps = unless_it_fails([&] { return gap_sign(alone, exec, tensor, facts); });
  }
  if (facts.values && settings.unlisted_are_missing) {
    facts.alike = unless_it_fails([&] { return alike_values(exec, tensor, *facts.values); });
    if (facts.listed == facts.all) facts.zeros = count(detail::IsWithin{0.0, 0.0});
  }
  if (facts.values) {
    SingleProcess alone;
    facts.placeholder = unless_it_fails([&] { return placeholder_of(alone, exec, tensor, facts); });
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
