// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// From a model as a solver stores it to the one that is returned.

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/power_of_two.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/cp/detail/processes/one_process.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

namespace genten::detail {

/// A factor as a solver stores it: perhaps without its rows of zeros and in another order, and
/// without a number that each column is to be multiplied by.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct StoredFactor {
  using Rows = RowList<Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;

  Matrix matrix;
  std::vector<double> correction;
  std::size_t dimension = 0;  ///< rows with those of zeros
  std::optional<Rows> rows;   ///< the number of each stored row; none: all are stored, in order
  /// The first so many of the stored rows are this process's; none: all are, and others have none.
  std::optional<std::size_t> own = std::nullopt;

  /// The stored rows that are this process's.
  [[nodiscard]] Matrix own_rows() const { return own ? matrix.first_rows(*own) : matrix; }
};

/// A model as a solver stores it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct StoredModel {
  std::vector<StoredFactor<Scalar, Ordinal, Exec>> factors;
  std::vector<double> weights;
};

/// What is done to a model besides normalizing it.
struct Finish {
  bool arrange = true;    ///< components by descending weight
  bool fix_signs = true;  ///< as `genten::fix_signs` does
  int exponent = 0;       ///< the weights are multiplied by 2^exponent
  bool normalize =
      true;  ///< if not, columns stay as they are, and weights are 1, or 0 if they are 0
  NormKind norm = NormKind::two;  ///< or one: that which columns have one of
  /// By mode, if columns stay: the factor is multiplied by 2^exponents[n]; empty: by 1.
  std::vector<int> exponents = {};
};

/// What a reading pass over the columns has found: numbers that a writing pass applies.
struct ColumnNumbers {
  std::vector<std::vector<double>> divisors;  ///< by mode and column: norms, or 1 for zero columns
  std::vector<std::vector<double>> signs;     ///< by mode and column: 1 or -1
  std::vector<WideNumber> weights;
  bool ambiguous_signs = false;  ///< where it takes the first of several largest elements
};

/// The components by descending weight, as weights of Scalar compare.
template <RealScalar Scalar>
[[nodiscard]] std::vector<std::size_t> by_descending_weight(
    const std::vector<WideNumber>& weights) {
  const int common = largest_exponent(weights);
  std::vector<double> rounded;
  for (const WideNumber& weight : weights) {
    rounded.push_back(stored<Scalar>(weight.over_power(common)));
  }
  return genten::by_descending_weight(rounded);
}

/// The ranges of the columns of all processes' rows, from those of each; by factor and column.
template <RealScalar Scalar, ExecutionSpace Exec>
void combine_ranges(Exchange<Scalar, Exec>& processes,
                    std::vector<std::vector<ColumnRange>>& ranges) {
  std::vector<double> ends;
  for (const auto& of_factor : ranges) {
    for (const ColumnRange& range : of_factor) {
      ends.push_back(range.highest);
      ends.push_back(-range.lowest);
    }
  }
  processes.combine({}, ends);
  const double* next = ends.data();
  for (auto& of_factor : ranges) {
    for (ColumnRange& range : of_factor) {
      range.highest = *next++;
      range.lowest = -*next++;
    }
  }
}

/// The norms of the columns of all processes' rows, by factor and column: what `column_norms` gives
/// of one process, to the bit, and on several processes the sums in their order.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::vector<double>> norms_of_all(
    const Exec& exec, Exchange<Scalar, Exec>& processes,
    const std::vector<ScaledColumns<Scalar, Exec>>& columns,
    const std::vector<std::vector<ColumnRange>>& ranges, NormKind kind) {
  const bool squares = kind == NormKind::two;
  std::vector<std::vector<double>> largest, sums;
  for (const auto& of_factor : ranges) {
    auto& numbers = largest.emplace_back();
    for (const ColumnRange& range : of_factor) numbers.push_back(range.magnitude());
    std::replace(numbers.begin(), numbers.end(), 0.0, 1.0);
  }
  processes.together([&] { sums = column_power_sums(exec, columns, largest, squares); });
  for (std::size_t n = 0; n < sums.size(); ++n) {
    processes.combine(sums[n], {});
    for (std::size_t r = 0; r < sums[n].size(); ++r) {
      sums[n][r] = largest[n][r] * (squares ? std::sqrt(sums[n][r]) : sums[n][r]);
    }
  }
  return sums;
}

/// Norms, weights and signs of a model: two reading passes over each factor, over this process's
/// rows. All processes get the same.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] ColumnNumbers measure_columns(const Exec& exec,
                                            const StoredModel<Scalar, Ordinal, Exec>& model,
                                            Exchange<Scalar, Exec>& processes, NormKind norm) {
  const std::size_t rank = model.weights.size();
  std::vector<ScaledColumns<Scalar, Exec>> columns;
  std::vector<std::vector<ColumnRange>> ranges;
  processes.together([&] {
    std::vector<std::vector<double>> corrections;
    for (const auto& factor : model.factors) corrections.push_back(factor.correction);
    const auto multipliers = rows_to_space<typename Exec::memory_space>(exec, corrections);
    for (const auto& factor : model.factors) {
      columns.emplace_back(factor.own_rows(), multipliers[columns.size()]);
    }
    ranges = column_ranges(exec, columns);
  });
  combine_ranges(processes, ranges);
  ColumnNumbers result;
  result.divisors = norms_of_all(exec, processes, columns, ranges, norm);
  for (const double weight : model.weights) result.weights.emplace_back(stored<Scalar>(weight));
  std::vector<std::vector<bool>> negative;
  for (std::size_t n = 0; n < ranges.size(); ++n) {
    auto& below = negative.emplace_back(rank);
    for (std::size_t r = 0; r < rank; ++r) {
      double& divisor = result.divisors[n][r];
      result.weights[r] *= divisor;
      if (divisor == 0.0) divisor = 1.0;
      // Rounding keeps the order of numbers, but may make the two ends equal.
      const ColumnRange range{stored<Scalar>(ranges[n][r].lowest / divisor),
                              stored<Scalar>(ranges[n][r].highest / divisor)};
      below[r] = range.highest < -range.lowest;
      result.ambiguous_signs = result.ambiguous_signs || range.both_ends_largest();
    }
  }
  result.signs = paired_signs(negative, rank);
  return result;
}

/// What becomes of the stored columns.
struct FinishedColumns {
  std::vector<std::size_t> order;                  ///< the components as they were stored
  std::vector<std::vector<ColumnChange>> changes;  ///< by mode, in the order of the result
  std::vector<double> weights;                     ///< likewise
  bool signs_open = false;                         ///< `fix_signs` has to look at what is written
};

/// Throws Error for weights that Scalar cannot represent.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] FinishedColumns finished_columns(const StoredModel<Scalar, Ordinal, Exec>& model,
                                               const ColumnNumbers& numbers, const Finish& finish) {
  const bool signs_known = finish.fix_signs && !numbers.ambiguous_signs;
  FinishedColumns result;
  result.signs_open = finish.fix_signs && !signs_known;
  auto& order = result.order;
  order.resize(model.weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (finish.arrange) order = by_descending_weight<Scalar>(numbers.weights);
  for (std::size_t n = 0; n < model.factors.size(); ++n) {
    auto& of_factor = result.changes.emplace_back();
    for (const std::size_t r : order) {
      const double divisor = finish.normalize           ? numbers.divisors[n][r]
                             : finish.exponents.empty() ? 1.0
                                                        : std::ldexp(1.0, -finish.exponents[n]);
      of_factor.push_back(
          {r, model.factors[n].correction[r], divisor, signs_known ? numbers.signs[n][r] : 1.0});
    }
  }
  std::vector<WideNumber> weights;
  for (const std::size_t r : order) {
    const WideNumber& weight = numbers.weights[r];
    if (!finish.normalize) {
      weights.emplace_back(weight.fraction == 0.0 ? 0.0 : 1.0);
      continue;
    }
    weights.emplace_back(weight.fraction, weight.exponent + finish.exponent);
  }
  result.weights = stored_weights<Scalar>(weights);
  return result;
}

/// The columns of all rows of a factor, after one writing pass. `there` are the changes, too, where
/// the pass reads them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] FacMatrix<Scalar, Exec> write_columns(
    const Exec& exec, const StoredFactor<Scalar, Ordinal, Exec>& factor,
    const std::vector<ColumnChange>& changes,
    const Kokkos::View<ColumnChange*, typename Exec::memory_space>& there) {
  const FacMatrix<Scalar, Exec> all(exec, factor.dimension, changes.size());
  if (!factor.rows) {
    copy_columns(exec, factor.matrix, all, there);
    return all;
  }
  const bool any_negative = std::any_of(changes.begin(), changes.end(),
                                        [](const ColumnChange& each) { return each.sign < 0.0; });
  if (any_negative && factor.matrix.rows() < factor.dimension) {
    // Zeros change sign with their column.
    std::vector<double> zeros;
    for (const ColumnChange& change : changes) zeros.push_back(0.0 * change.sign);
    fill_columns(exec, all, zeros);
  }
  copy_columns(exec, factor.matrix, all, there, *factor.rows);
  return all;
}

/// The normalized model that a stored one stands for: what `scale_columns` by the corrections,
/// `normalize`, `arrange`, copying of the stored rows and `fix_signs` would make of it, to the bit,
/// in two reading passes and one writing pass. Takes memory for the result; stored factors that
/// nobody else holds are given back one by one. Weights of stored models are not negative. Throws
/// Error for weights that Scalar cannot represent.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> finish_model(const Exec& exec,
                                                 StoredModel<Scalar, Ordinal, Exec> model,
                                                 const Finish& finish) {
  auto& alone = OneProcess<Scalar, Exec>::instance();
  const FinishedColumns columns =
      finished_columns(model, measure_columns(exec, model, alone, finish.norm), finish);
  const auto there = rows_to_space<typename Exec::memory_space>(exec, columns.changes);
  std::vector<FacMatrix<Scalar, Exec>> factors;
  for (std::size_t n = 0; n < model.factors.size(); ++n) {
    factors.push_back(write_columns(exec, model.factors[n], columns.changes[n], there[n]));
    model.factors[n] = {};
  }
  const Ktensor<Scalar, Exec> result(
      typename Ktensor<Scalar, Exec>::weights_view("genten::weights", columns.order.size()),
      std::move(factors));
  set_weights(exec, result, columns.weights);
  if (columns.signs_open) fix_signs(exec, result);
  return result;
}

}  // namespace genten::detail

#define GENTEN_ETI_FINISH_MODEL(PREFIX, SCALAR, EXEC)                            \
  PREFIX template genten::Ktensor<SCALAR, EXEC> genten::detail::finish_model(    \
      const EXEC&, genten::detail::StoredModel<SCALAR, genten::RowNumber, EXEC>, \
      const genten::detail::Finish&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_FINISH_MODEL, extern)
#endif
