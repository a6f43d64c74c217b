// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sums that a sweep over a tensor with missing cells ends with.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/columns.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/model_values.hpp>

#include <cmath>
#include <vector>

namespace genten::detail {

/// Of x - m over some cells.
struct ErrorSums {
  double square = 0.0;
  double magnitude = 0.0;

  KOKKOS_FUNCTION ErrorSums& operator+=(const ErrorSums& other) {
    square += other.square;
    magnitude += other.magnitude;
    return *this;
  }
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] ErrorSums error_sums(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& cells,
                                   const Ktensor<Scalar, Exec>& model) {
  const ModelValues<Scalar> value_of(model);
  const auto subscripts = cells.subscripts();
  const auto values = cells.values();
  return chunked_reduce<ErrorSums>(
      "genten::holdout_errors", exec, cells.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        const double error = static_cast<double>(values(p)) - value_of(&subscripts(p, 0));
        return ErrorSums{error * error, error < 0.0 ? -error : error};
      });
}

/// The sum of the products of the elements of two matrices of the same shape, in double.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double inner_product(const Exec& exec, const FacMatrix<Scalar, Exec>& a,
                                   const FacMatrix<Scalar, Exec>& b) {
  const std::size_t columns = a.columns();
  return chunked_reduce<double>(
      "genten::inner_product", exec, static_cast<offset_t>(a.rows()),
      KOKKOS_LAMBDA(const offset_t i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < columns; ++j) {
          sum += static_cast<double>(a(i, j)) * static_cast<double>(b(i, j));
        }
        return sum;
      });
}

/// The elementwise product of all matrices but that of mode `skipped`.
[[nodiscard]] inline HostMatrix gram_product(const std::vector<HostMatrix>& grams, int skipped,
                                             std::size_t rank) {
  const auto product = new_view<HostMatrix>("genten::gram_product", rank, rank);
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t s = 0; s < rank; ++s) {
      product(r, s) = 1.0;
      for (std::size_t n = 0; n < grams.size(); ++n) {
        if (static_cast<int>(n) != skipped) product(r, s) *= grams[n](r, s);
      }
    }
  }
  return product;
}

/// Multiplies columns so that the modes of each component share the penalty
/// sum_n ridge_n / 2 ||A_n||^2 equally, which is its least for the same model, and returns it.
/// Without any ridge columns of a component get equal norms; where some modes alone have one,
/// columns stay. Components that are zero stay.
template <RealScalar Scalar, ExecutionSpace Exec>
double share_penalty(const Exec& exec, const std::vector<FacMatrix<Scalar, Exec>>& factors,
                     const std::vector<double>& ridge) {
  const std::size_t order = factors.size(), rank = factors.front().columns();
  std::size_t without = 0;
  for (const double each : ridge) without += each == 0.0 ? 1 : 0;
  std::vector<std::vector<double>> norms, scales(order, std::vector<double>(rank, 1.0));
  for (const auto& factor : factors) norms.push_back(column_norms(exec, factor, NormKind::two));
  double penalty = 0.0;
  for (std::size_t r = 0; r < rank; ++r) {
    double logarithm = 0.0;  // of the modes' geometric mean of sqrt(ridge) * norm
    const auto size = [&](std::size_t n) {
      return norms[n][r] * (without == 0 ? std::sqrt(ridge[n]) : 1.0);
    };
    for (std::size_t n = 0; n < order; ++n) logarithm += std::log(size(n));
    const double mean = std::exp(logarithm / static_cast<double>(order));
    const bool shared = mean > 0.0 && std::isfinite(mean) && (without == 0 || without == order);
    for (std::size_t n = 0; n < order; ++n) {
      if (shared) scales[n][r] = mean / size(n);
      const double norm = norms[n][r] * scales[n][r];
      penalty += 0.5 * ridge[n] * norm * norm;
    }
  }
  for (std::size_t n = 0; n < order; ++n) scale_columns(exec, factors[n], scales[n]);
  return penalty;
}

}  // namespace genten::detail
