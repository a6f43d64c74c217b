// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The values of a CP model at given entries.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/core/balanced_model.hpp>
#include <genten/core/detail/model_view.hpp>

#include <algorithm>
#include <type_traits>

namespace genten {

/// A model as a function of subscripts, for kernels: cheap to copy, valid as long as the model
/// lives, callable where its arrays are.
template <RealScalar Scalar>
class ModelValues {
 public:
  template <ExecutionSpace Exec>
  explicit ModelValues(const Ktensor<Scalar, Exec>& model) : m_view(model) {}

  /// The value at `subscripts[0]`, ..., one a mode, which must be below the dimensions. Summed over
  /// the components in double, in their order: the same wherever it is computed alike.
  template <SubscriptOrdinal Ordinal>
  KOKKOS_FUNCTION double operator()(const Ordinal* subscripts) const {
    return m_view.entry(detail::SubscriptRow<Ordinal>{subscripts});
  }

 private:
  detail::ModelView<Scalar> m_view;
};

namespace detail {

/// The first entry that has a subscript too large. A functor, as FindBadEntry.
template <class Subscripts>
struct FindLargeSubscript {
  Subscripts subscripts;
  Kokkos::Array<std::size_t, max_order> dimensions;
  int order;

  KOKKOS_FUNCTION void operator()(const offset_t p, offset_t& bad) const {
    bool good = true;
    for (int n = 0; n < order; ++n) good = good && subscripts(p, n) < dimensions[n];
    if (!good && p < bad) bad = p;
  }
};

template <class Subscripts, class Values, class Scalar>
struct FillModelValues {
  Subscripts subscripts;
  Values values;
  ModelValues<Scalar> value_of;
  PowerOfTwo<double> size_of;

  KOKKOS_FUNCTION void operator()(const offset_t p) const {
    values(p) =
        static_cast<typename Values::non_const_value_type>(size_of(value_of(&subscripts(p, 0))));
  }
};

/// Throws Error unless the subscripts are those of entries of the model.
template <ExecutionSpace Exec, RealScalar Scalar, class Subscripts>
void require_entries(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                     const Subscripts& subscripts) {
  const auto count = static_cast<offset_t>(subscripts.extent(0));
  if (count != 0 && subscripts.extent(1) != model.factors().size()) {
    throw Error::in("model_values", "expected " + std::to_string(model.order()) +
                                        " subscripts an entry, got " +
                                        std::to_string(subscripts.extent(1)));
  }
  FindLargeSubscript<Subscripts> find{subscripts, {}, model.order()};
  const std::vector<std::size_t> dimensions = model.dimensions();
  std::copy(dimensions.begin(), dimensions.end(), &find.dimensions[0]);
  offset_t bad = count;
  if (count != 0) {
    Kokkos::parallel_reduce("genten::check_entries",
                            Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count),
                            find, Kokkos::Min<offset_t>(bad));
  }
  if (bad >= count) return;
  const auto entry = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(subscripts, bad, Kokkos::ALL()));
  std::size_t n = 0;
  while (entry(n) < dimensions[n]) ++n;
  throw Error::in("model_values", "entry " + std::to_string(bad) + ": expected a subscript below " +
                                      std::to_string(dimensions[n]) + " in mode " +
                                      error_text::number(n) + ", got " + std::to_string(entry(n)));
}

}  // namespace detail

/// The values of a model at entries, a prediction where they were not in the data: `subscripts` is
/// a View of count x N, by rows (`LayoutRight`), counting from 0, such as those of a Sptensor;
/// entries may come in any order and more than once. Each value is the sum over the components in
/// double, rounded to `Value`; it depends on its entry alone. Throws Error that names the first
/// entry (from 0) which is none of the model's. Reads the subscripts twice and gathers N rows an
/// entry.
template <RealScalar Value = double, ExecutionSpace Exec, RealScalar Scalar, class Subscripts>
requires std::is_same_v<typename Subscripts::array_layout, Kokkos::LayoutRight>
[[nodiscard]] Kokkos::View<Value*, typename Exec::memory_space> model_values(
    const Exec& exec, const Ktensor<Scalar, Exec>& model, const Subscripts& subscripts) {
  using Values = Kokkos::View<Value*, typename Exec::memory_space>;
  detail::require_entries(exec, model, subscripts);
  const auto count = static_cast<offset_t>(subscripts.extent(0));
  const auto values = detail::uninitialized_view<Values>("genten::model_values", count);
  if (count == 0) return values;
  const auto balanced = detail::BalancedModel<Scalar, Exec>::of(exec, model);
  Kokkos::parallel_for(
      "genten::model_values",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count),
      detail::FillModelValues<Subscripts, Values, Scalar>{
          subscripts, values, ModelValues<Scalar>(balanced.model), balanced.size()});
  detail::fence(exec, "genten::model_values");
  return values;
}

}  // namespace genten
