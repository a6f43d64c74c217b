// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sums that a sweep over a tensor with missing entries ends with.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/columns.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/model_values.hpp>
#include <genten/cp/detail/balance_norms.hpp>
#include <genten/cp/row_constraints.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace genten::detail {

/// Of x - m over some entries.
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
[[nodiscard]] ErrorSums error_sums(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& entries,
                                   const Ktensor<Scalar, Exec>& model) {
  const ModelValues<Scalar> value_of(model);
  const auto subscripts = entries.subscripts();
  const auto values = entries.values();
  return chunked_reduce<ErrorSums>(
      "genten::holdout_errors", exec, entries.nnz(), KOKKOS_LAMBDA(const offset_t p) {
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

/// What factors cost, and the sum of the squares of their elements.
struct FactorCosts {
  double penalty = 0.0;
  double squares = 0.0;
};

/// Multiplies columns so that the modes of each component share the penalty
/// sum_n ridge_n / 2 ||A_n||^2 equally, which is its least for the same model.
/// Without any ridge columns of a component get equal norms; where some modes alone have one,
/// columns stay. Components that are zero stay.
template <RealScalar Scalar, ExecutionSpace Exec>
FactorCosts share_penalty(const Exec& exec, const std::vector<FacMatrix<Scalar, Exec>>& factors,
                          const std::vector<double>& ridge) {
  const std::size_t order = factors.size(), rank = factors.front().columns();
  std::size_t without = 0;
  for (const double each : ridge) without += each == 0.0 ? 1 : 0;
  std::vector<std::vector<double>> norms, scales(order, std::vector<double>(rank, 1.0));
  for (const auto& factor : factors) norms.push_back(column_norms(exec, factor, NormKind::two));
  FactorCosts costs;
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
      costs.penalty += 0.5 * ridge[n] * norm * norm;
      costs.squares += norm * norm;
    }
  }
  for (std::size_t n = 0; n < order; ++n) scale_columns(exec, factors[n], scales[n]);
  return costs;
}

/// The same under bounds and penalties: columns are multiplied in modes whose bounds allow it, as
/// far as they do, where all of these have a penalty, so that they cost least, and where none has,
/// so that they have equal norms.
template <RealScalar Scalar, ExecutionSpace Exec>
FactorCosts share_costs(const Exec& exec, const std::vector<FacMatrix<Scalar, Exec>>& factors,
                        const std::vector<RowConstraint>& constraints) {
  const std::size_t order = factors.size(), rank = factors.front().columns();
  std::vector<std::vector<double>> norms, sums, largest;
  std::vector<std::vector<double>> scales(order, std::vector<double>(rank, 1.0));
  std::vector<std::size_t> modes;
  std::size_t with_cost = 0;
  const bool penalized = is_penalized(constraints);
  for (std::size_t n = 0; n < order; ++n) {
    const RowConstraint& each = constraints[n];
    norms.push_back(column_norms(exec, factors[n], NormKind::two));
    sums.push_back(each.l1 > 0.0 ? column_norms(exec, factors[n], NormKind::one)
                                 : std::vector<double>(rank, 0.0));
    largest.push_back(bounds_allow_scaling({each}) ? std::vector<double>(rank, 0.0)
                                                   : column_norms(exec, factors[n], NormKind::inf));
    if (!bounds_allow_lengths(each)) continue;
    if (is_penalized(each)) {
      ++with_cost;
    } else if (penalized && !bounds_allow_scaling({each})) {
      continue;  // it stays as long as it is
    }
    modes.push_back(n);
  }
  const bool shared = with_cost == 0 || with_cost == modes.size();
  FactorCosts all;
  std::vector<ColumnCost> costs(modes.size());
  std::vector<double> factors_of(modes.size());
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t k = 0; k < modes.size(); ++k) {
      const std::size_t n = modes[k];
      const double square = norms[n][r] * norms[n][r];
      costs[k] = with_cost == 0 ? ColumnCost{square, 0.0}
                                : ColumnCost{0.5 * constraints[n].ridge * square,
                                             constraints[n].l1 * sums[n][r]};
      costs[k].most = most_length<Scalar>(constraints[n], largest[n][r]);
    }
    if (shared && balance_norms(costs, factors_of)) {
      for (std::size_t k = 0; k < modes.size(); ++k) scales[modes[k]][r] = factors_of[k];
    }
    for (std::size_t n = 0; n < order; ++n) {
      const double norm = norms[n][r] * scales[n][r];
      all.squares += norm * norm;
      all.penalty +=
          0.5 * constraints[n].ridge * norm * norm + constraints[n].l1 * sums[n][r] * scales[n][r];
    }
  }
  for (std::size_t n = 0; n < order; ++n) {
    // Bounds that forbid scaling forbid its rounding, too.
    const bool stays =
        std::all_of(scales[n].begin(), scales[n].end(), [](double scale) { return scale == 1.0; });
    if (!stays) scale_columns(exec, factors[n], scales[n]);
  }
  return all;
}

}  // namespace genten::detail
