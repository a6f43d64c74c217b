// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// One value for several nonzeros at the same subscripts, by a rule.

#include <genten/core/duplicates.hpp>
#include <genten/core/sptensor_ops.hpp>

namespace genten {

namespace detail {

/// Writes the nonzero that a group becomes by a rule other than their sum.
template <class Groups, class Values, class MergedSubscripts, class MergedValues>
struct ChooseOfGroup {
  Groups groups;
  Values values;
  MergedSubscripts merged_subscripts;
  MergedValues merged_values;
  Duplicates rule;

  /// Group `number` begins at place `i`; its values are met in the order in which they are stored.
  KOKKOS_FUNCTION void operator()(const offset_t number, const offset_t i) const {
    using Scalar = typename MergedValues::value_type;
    for (int n = 0; n < groups.order(); ++n) merged_subscripts(number, n) = groups.subscript(i, n);
    auto last = values(groups.row(i)), largest = last;
    auto sum = static_cast<double>(last);
    offset_t count = 1;
    for (offset_t k = i + 1; !groups.is_head(k); ++k, ++count) {
      last = values(groups.row(k));
      largest = last > largest ? last : largest;
      sum += static_cast<double>(last);
    }
    merged_values(number) = rule == Duplicates::last  ? static_cast<Scalar>(last)
                            : rule == Duplicates::max ? static_cast<Scalar>(largest)
                                                      : static_cast<Scalar>(mean(i, sum, count));
  }

 private:
  /// Of a group whose sum no double may hold, though it holds the mean.
  KOKKOS_FUNCTION double mean(const offset_t i, const double sum, const offset_t count) const {
    const auto parts = static_cast<double>(count);
    if (sum - sum == 0.0) return sum / parts;
    double mean = 0.0, least = static_cast<double>(values(groups.row(i))), largest = least;
    for (offset_t k = i; k == i || !groups.is_head(k); ++k) {
      const auto value = static_cast<double>(values(groups.row(k)));
      mean += value / parts;
      least = value < least ? value : least;
      largest = value > largest ? value : largest;
    }
    return mean > largest ? largest : mean < least ? least : mean;
  }
};

}  // namespace detail

/// `sum_duplicates` by any rule but `refuse`, for which duplicates stay as they are. Means are
/// taken in double. Throws Error where a sum is not finite.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] SumDuplicatesResult<Sptensor<Scalar, Ordinal, Exec>> merge_duplicates(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, Duplicates rule) {
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;
  using Space = typename Exec::memory_space;
  using Subscripts = Kokkos::View<Ordinal**, Kokkos::LayoutRight, Space>;
  using Values = Kokkos::View<Scalar*, Space>;
  using Groups = detail::SubscriptGroups<Ordinal, Exec>;
  if (rule == Duplicates::sum) return sum_duplicates(exec, tensor);
  if (rule == Duplicates::refuse || tensor.facts().distinct) return {tensor, 0};
  const SptensorFacts facts = look_at_order(exec, tensor.subscripts());
  if (facts.distinct) return {tensor, 0};
  const Groups groups = detail::group_subscripts<Ordinal>(exec, tensor.dimensions(),
                                                          tensor.subscripts(), facts.sorted);
  const offset_t distinct = detail::count_groups(exec, groups);
  if (distinct == tensor.nnz()) return {tensor, 0};
  const auto subscripts =
      detail::uninitialized_view<Subscripts>("genten::subscripts", distinct, tensor.order());
  const auto values = detail::uninitialized_view<Values>("genten::values", distinct);
  using Choose = detail::ChooseOfGroup<Groups, typename Tensor::values_view, Subscripts, Values>;
  detail::for_each_group("genten::choose_of_duplicates", exec, groups, tensor.nnz(),
                         Choose{groups, tensor.values(), subscripts, values, rule});
  const auto merged = Tensor::trusted(exec, tensor.dimensions(), subscripts, values, {true, true});
  merged.check_values(exec);
  return {merged, tensor.nnz() - distinct};
}

}  // namespace genten
