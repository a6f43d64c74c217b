// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// nvecs_guess: the leading left singular vectors of a tensor's matricizations as a model to begin
/// at.

#include <genten/core/ktensor_ops.hpp>
#include <genten/core/random.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/dense/row_constraint.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/semi_sparse.hpp>

#include <algorithm>
#include <cmath>

namespace genten {

/// How exact the vectors of a guess are: ALS changes them at once.
[[nodiscard]] inline LeadingVectorsOptions nvecs_guess_options() {
  return {.tolerance = 1e-4};
}

/// The least element of a guess for a loss whose factors may not be below `lowest`. Where that is
/// 0, a zero would stay one, and forbid nonzeros at which the whole guess is zero.
[[nodiscard]] constexpr double least_of_guess(double lowest) {
  return lowest == 0.0 ? 1e-6 : lowest;
}

/// A model whose factor of mode n holds the leading left singular vectors of the matricization in
/// that mode, with weights of one. Entries that the tensor does not list count as zeros.
///
/// Where there are fewer than `rank`, since a mode or what is in it has no more, the columns behind
/// them are uniform random numbers, the same each time. Where `constraints` (by mode, or none) have
/// bounds, factors that may not be negative have magnitudes, and what is outside becomes the bound
/// next to it. Computed on the host; the same bits for any number of threads. Rows without nonzeros
/// take no part, so that work and memory are those of the nonzeros and of the model. Throws Error
/// for a mode of 2^32 rows or more, and of kind memory where the factors do not fit.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> nvecs_guess(
    const Exec& /*exec*/, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
    const std::vector<RowConstraint>& constraints = {},
    const LeadingVectorsOptions& options = nvecs_guess_options()) {
  constexpr double rounding = 1e-12;  // of the largest eigenvalue
  const HostExec host;
  auto distinct =
      sum_duplicates(host, with_row_numbers(host, copy_to<HostExec>(tensor), "init nvecs")).tensor;
  if (const auto range = value_range(host, distinct)) {  // no square may leave the range of double
    const double largest = std::max(std::abs(range->lowest), std::abs(range->highest));
    if (largest > 0.0) distinct = times_power_of_two(host, distinct, -std::ilogb(largest));
  }
  const Relabeling<RowNumber, HostExec> relabeling(host, distinct);
  const auto used = relabeling.apply(host, distinct).materialize(host);
  const Ktensor<Scalar, HostExec> guess(host, tensor.dimensions(), rank);
  set_weights(host, guess, std::vector<double>(rank, 1.0));
  for (int n = 0; n < tensor.order(); ++n) {
    const auto& factor = guess.factor(n);
    fill_random(host, factor, 1, n, FactorKind::uniform);
    const std::size_t rows = used.dimensions()[static_cast<std::size_t>(n)];
    LeadingVectors<HostExec> found;
    if (used.nnz() != 0) found = nvecs(host, used, n, std::min(rank, rows), options);
    const auto& original = relabeling.original_rows(n);
    for (std::size_t r = 0; r < found.eigenvalues.size(); ++r) {
      if (!(found.eigenvalues[r] > rounding * found.eigenvalues[0])) break;
      for (std::size_t i = 0; i < factor.rows(); ++i) factor(i, r) = Scalar(0);
      for (std::size_t i = 0; i < rows; ++i) {
        factor(original(i), r) = static_cast<Scalar>(found.vectors(i, r));
      }
    }
    if (constraints.empty()) continue;
    const RowConstraint& bounds = constraints[static_cast<std::size_t>(n)];
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < rank; ++r) {
        const auto value = static_cast<double>(factor(i, r));
        factor(i, r) = static_cast<Scalar>(std::min(
            std::max(bounds.lower >= 0.0 ? std::abs(value) : value, bounds.lower), bounds.upper));
      }
    }
  }
  if constexpr (std::is_same_v<Exec, HostExec>) return guess;
  return clone_to<Exec>(guess);
}

}  // namespace genten
