// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Merging the nonzeros of a tensor that have the same subscripts.

#include <genten/core/detail/subscript_groups.hpp>
#include <genten/core/sptensor.hpp>

namespace genten::detail {

/// Writes the nonzero that a group becomes.
template <class Groups, class Values, class MergedSubscripts, class MergedValues>
struct MergeGroup {
  Groups groups;
  Values values;
  MergedSubscripts merged_subscripts;
  MergedValues merged_values;

  /// Group `number` begins at place `i`. Its values are added in double, in the order in which they
  /// are stored.
  KOKKOS_FUNCTION void operator()(const offset_t number, const offset_t i) const {
    for (int n = 0; n < groups.order(); ++n) merged_subscripts(number, n) = groups.subscript(i, n);
    double sum = scaled_sum(i, 1.0);
    // Large values may cancel though their partial sums overflow. x - x is 0 for finite x alone.
    constexpr double factor = 0x1p-64;
    if (sum - sum != 0.0) sum = scaled_sum(i, factor) / factor;
    merged_values(number) = static_cast<typename MergedValues::value_type>(sum);
  }

 private:
  /// The sum of the group that begins at place `i`, each value times `factor`.
  KOKKOS_FUNCTION double scaled_sum(offset_t i, double factor) const {
    auto sum = factor * static_cast<double>(values(groups.row(i)));
    for (++i; !groups.is_head(i); ++i) sum += factor * static_cast<double>(values(groups.row(i)));
    return sum;
  }
};

/// The tensor whose nonzeros are the `distinct` groups of those of `tensor`, sorted. Throws Error
/// where a sum is not finite.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> merge_groups(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const SubscriptGroups<Ordinal, Exec>& groups, offset_t distinct) {
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;
  using Space = typename Exec::memory_space;
  using Subscripts = Kokkos::View<Ordinal**, Kokkos::LayoutRight, Space>;
  using Values = Kokkos::View<Scalar*, Space>;
  const auto subscripts =
      uninitialized_view<Subscripts>("genten::subscripts", distinct, tensor.order());
  const auto values = uninitialized_view<Values>("genten::values", distinct);
  using Merge =
      MergeGroup<SubscriptGroups<Ordinal, Exec>, typename Tensor::values_view, Subscripts, Values>;
  for_each_group("genten::merge_duplicates", exec, groups, tensor.nnz(),
                 Merge{groups, tensor.values(), subscripts, values});
  const auto merged = Tensor::trusted(exec, tensor.dimensions(), subscripts, values, {true, true});
  merged.check_values(exec);
  return merged;
}

}  // namespace genten::detail
