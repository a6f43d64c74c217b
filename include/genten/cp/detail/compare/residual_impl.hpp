// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/detail/power_of_two.hpp>
#include <genten/core/balanced_model.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/core/weights.hpp>
#include <genten/cp/detail/compare/double_double.hpp>
#include <genten/cp/residual.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

/// Sum of term(i) over 0 <= i < count: chunks of at least `shortest` terms that depend on count
/// alone, added in order.
template <class Sum, class Exec, class Term>
Sum sum_double_double(const char* label, const Exec& exec, offset_t count, const Term& term,
                      offset_t shortest = 1024) {
  const offset_t chunks = std::clamp<offset_t>(count / shortest, 1, 512);
  std::vector<Sum> partial(static_cast<std::size_t>(chunks));
  Sum* const sums = partial.data();
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, chunks),
      [=](const offset_t chunk) {
        Sum sum;
        const offset_t begin = count / chunks * chunk + count % chunks * chunk / chunks;
        const offset_t next = chunk + 1;
        const offset_t end = count / chunks * next + count % chunks * next / chunks;
        for (offset_t i = begin; i < end; ++i) sum += term(i);
        sums[chunk] = sum;
      });
  fence(exec, label);
  Sum total;
  for (const Sum& sum : partial) total += sum;
  return total;
}

/// The exponent of the scale of a tensor's values and a model's weights, all taken as doubles.
template <class Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
int common_exponent(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                    const BalancedModel<Scalar, Exec>& model) {
  double largest = 0.0;
  for (const double weight : host_weights(exec, model.model)) {
    largest = std::max(largest, std::abs(weight));
  }
  const double of_values = max_abs(exec, tensor);
  if (model.exponent == 0) {
    return scale_exponent(std::max(largest, of_values), scale_quantum<double>);
  }
  const int own = largest == 0.0 ? 0 : model.exponent + std::ilogb(largest);
  const int other = of_values == 0.0 ? own : std::ilogb(of_values);
  return std::clamp(std::max(own, other), -2000, 2000);
}

/// A sum over entries that a tensor lists, of a model's values m, beside that of a residual.
struct ResidualTerms {
  DoubleDouble square;  ///< x^2 - 2 x m
  DoubleDouble model;   ///< m

  ResidualTerms& operator+=(const ResidualTerms& other) {
    square += other.square;
    model += other.model;
    return *this;
  }
};

/// What the expanded square of X - M gives.
struct ResidualSums {
  WideNumber norm;        ///< ||X - M||
  double unlisted = 0.0;  ///< the sum of M over the entries that X does not list
};

/// By sums of double-doubles, on the host, of values and weights divided by 2^exponent.
template <class Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
ResidualSums residual_sums_on_host(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                   const BalancedModel<Scalar, Exec>& balanced, int exponent) {
  const auto& model = balanced.model;
  const PowerOfTwo<double> scaled(-exponent), scaled_weight(balanced.exponent - exponent);
  const std::size_t rank = model.rank();
  const int order = model.order();
  const auto subscripts = tensor.subscripts();
  const auto values = tensor.values();
  const auto weights = model.weights();
  Kokkos::Array<const Scalar*, max_order> data{};
  Kokkos::Array<std::size_t, max_order> stride{};
  for (int n = 0; n < order; ++n) {
    data[n] = model.factor(n).data();
    stride[n] = model.factor(n).stride();
  }
  const auto inner = [=](const offset_t p) {
    DoubleDouble entry;
    for (std::size_t r = 0; r < rank; ++r) {
      DoubleDouble product(scaled_weight(static_cast<double>(weights(r))));
      for (int n = 0; n < order; ++n) {
        product *= static_cast<double>(data[n][subscripts(p, n) * stride[n] + r]);
      }
      entry += product;
    }
    const double x = scaled(static_cast<double>(values(p)));
    return ResidualTerms{DoubleDouble::exact_product(x, x) + DoubleDouble(-2.0 * x) * entry, entry};
  };
  const auto listed =
      sum_double_double<ResidualTerms>("genten::residual_inner", exec, tensor.nnz(), inner);
  // ||M||^2: pairs of components r <= q, each with the inner products of its columns; a pair of one
  // component gives the sum of its values, too.
  Kokkos::Array<std::size_t, max_order> rows{};
  for (int n = 0; n < order; ++n) rows[n] = model.factor(n).rows();
  const auto pair_sums = [=](const offset_t pair) {
    const auto r = static_cast<std::size_t>(pair) / rank, q = static_cast<std::size_t>(pair) % rank;
    if (q < r) return ResidualTerms();
    const double weight = scaled_weight(static_cast<double>(weights(r)));
    ResidualTerms product{
        DoubleDouble::exact_product(weight, scaled_weight(static_cast<double>(weights(q)))),
        r == q ? weight : 0.0};
    for (int n = 0; n < order; ++n) {
      ResidualTerms column;
      for (std::size_t i = 0; i < rows[n]; ++i) {
        const Scalar* const row = data[n] + i * stride[n];
        const auto element = static_cast<double>(row[r]);
        column.square += DoubleDouble::exact_product(element, static_cast<double>(row[q]));
        if (r == q) column.model += element;
      }
      product.square *= column.square;
      product.model *= column.model;
    }
    if (r != q) product.square += product.square;
    return product;
  };
  const auto all = sum_double_double<ResidualTerms>(
      "genten::residual_energy", exec, static_cast<offset_t>(rank * rank), pair_sums, 8);
  const DoubleDouble square = listed.square + all.square;
  const DoubleDouble unlisted = all.model + DoubleDouble(-listed.model.high, -listed.model.low);
  return {WideNumber(std::sqrt(std::max(square.high + square.low, 0.0)), exponent),
          std::ldexp(unlisted.high + unlisted.low, exponent)};
}

/// ||X - M||, which may be beyond the range of double, and the rest of M.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
ResidualSums residual_sums(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                           const Ktensor<Scalar, Exec>& model) {
  if constexpr (is_host_space<Exec>) {
    const auto balanced = BalancedModel<Scalar, Exec>::of(exec, model);
    return residual_sums_on_host(exec, tensor, balanced, common_exponent(exec, tensor, balanced));
  } else {
    fence(exec, "genten::residual_norm_extended");
    return residual_sums(HostExec(), copy_to<HostExec>(tensor), clone_to<HostExec>(model));
  }
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
double residual_norm_extended(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                              const Ktensor<Scalar, Exec>& model) {
  return detail::residual_sums(exec, tensor, model).norm.value();
}

}  // namespace genten

#define GENTEN_ETI_RESIDUAL(PREFIX, SCALAR, ORDINAL, EXEC)                    \
  PREFIX template double genten::residual_norm_extended(                      \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,            \
      const genten::Ktensor<SCALAR, EXEC>&);                                  \
  PREFIX template genten::detail::ResidualSums genten::detail::residual_sums( \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,            \
      const genten::Ktensor<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_RESIDUAL, extern)
#endif
