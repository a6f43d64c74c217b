// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The inner product of two models, by plain doubles where they do, else by wider numbers.

#include <genten/base/detail/power_of_two.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/columns.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/weights.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

namespace genten::detail {

/// Whether nothing was lost when a product of doubles became this one.
[[nodiscard]] inline bool is_safe_product(double product) {
  const double magnitude = std::abs(product);
  return magnitude == 0.0 || (magnitude > 1e-280 && magnitude < 1e280);
}

/// Whether products of columns with these norms are far from where doubles overflow and underflow.
[[nodiscard]] inline bool are_ordinary(const std::vector<double>& norms) {
  return std::all_of(norms.begin(), norms.end(),
                     [](double norm) { return norm == 0.0 || (norm > 1e-120 && norm < 1e120); });
}

/// The inner product as long as its parts are far from where doubles overflow and underflow.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::optional<double> plain_innerprod(const Exec& exec,
                                                    const Ktensor<Scalar, Exec>& a,
                                                    const Ktensor<Scalar, Exec>& b) {
  const std::vector<double> left = host_weights(exec, a);
  const std::vector<double> right = host_weights(exec, b);
  std::vector<double> products;
  bool safe = true;
  const auto check = [&](double product, bool zero) {
    safe = safe && is_safe_product(product) && (product != 0.0 || zero);
  };
  for (const double l : left) {
    for (const double r : right) {
      products.push_back(l * r);
      check(products.back(), l == 0.0 || r == 0.0);
    }
  }
  for (int n = 0; n < a.order() && safe; ++n) {
    const auto gram = cross_gram(exec, a.factor(n), b.factor(n));
    bool any_zero = false;
    for (std::size_t i = 0; i < products.size(); ++i) {
      const double before = products[i], dot = gram.data()[i];
      products[i] *= dot;
      any_zero = any_zero || dot == 0.0;
      check(dot, true);
      check(products[i], before == 0.0 || dot == 0.0);
    }
    // A zero is orthogonality, or what is left of products that underflow.
    safe = safe && (!any_zero || (are_ordinary(column_norms(exec, a.factor(n), NormKind::inf)) &&
                                  are_ordinary(column_norms(exec, b.factor(n), NormKind::inf))));
  }
  const double sum = std::accumulate(products.begin(), products.end(), 0.0);
  if (!safe || !std::isfinite(sum)) return std::nullopt;
  return sum;
}

/// A factor whose columns are divided by their largest elements, and these. Columns of zeros stay.
template <RealScalar Scalar, ExecutionSpace Exec>
struct UnitColumns {
  FacMatrix<Scalar, Exec> matrix;
  std::vector<double> largest;

  UnitColumns(const Exec& exec, const FacMatrix<Scalar, Exec>& factor)
      : matrix(exec, factor.rows(), factor.columns()),
        largest(column_norms(exec, factor, NormKind::inf)) {
    std::vector<ColumnChange> changes;
    for (const double size : largest) {
      changes.push_back({.source = changes.size(), .divisor = size == 0.0 ? 1.0 : size});
    }
    copy_columns(exec, factor, matrix, changes);
  }
};

/// The inner product whatever the sizes of weights and elements; copies a factor of each at a time.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] WideNumber wide_innerprod(const Exec& exec, const Ktensor<Scalar, Exec>& a,
                                        const Ktensor<Scalar, Exec>& b) {
  const std::size_t columns = b.rank();
  std::vector<WideNumber> products;
  const std::vector<double> right = host_weights(exec, b);
  for (const double l : host_weights(exec, a)) {
    for (const double r : right) (products.emplace_back(l)) *= r;
  }
  for (int n = 0; n < a.order(); ++n) {
    const UnitColumns<Scalar, Exec> x(exec, a.factor(n)), y(exec, b.factor(n));
    const auto gram = cross_gram(exec, x.matrix, y.matrix);
    for (std::size_t i = 0; i < products.size(); ++i) {
      products[i] *= gram.data()[i];
      products[i] *= x.largest[i / columns];
      products[i] *= y.largest[i % columns];
    }
  }
  int exponent = INT_MIN;
  for (const WideNumber& product : products) {
    if (product.fraction != 0.0) exponent = std::max(exponent, product.exponent);
  }
  if (exponent == INT_MIN) return WideNumber();
  double sum = 0.0;
  for (const WideNumber& product : products) sum += product.over_power(exponent);
  return WideNumber(sum, exponent);
}

}  // namespace genten::detail
