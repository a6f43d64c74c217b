// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sums of the columns of factors, of which the sum of a model's values is made.

#include <genten/core/cross_gram.hpp>
#include <genten/core/fac_matrix.hpp>

#include <vector>

namespace genten::detail {

/// The sums of the columns of a factor, in double.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> column_sums(const Exec& exec,
                                              const FacMatrix<Scalar, Exec>& factor) {
  const FacMatrix<Scalar, Exec> ones(exec, factor.rows(), 1);
  Kokkos::deep_copy(exec, ones.padded_view(), Scalar(1));
  const HostMatrix sums = cross_gram(exec, ones, factor);
  return {sums.data(), sums.data() + sums.extent(1)};
}

/// By column, the product of what `of_mode` has there for all modes but one; -1: of all.
template <class Numbers>
[[nodiscard]] std::vector<double> product_of_others(const std::vector<Numbers>& of_mode, int mode) {
  std::vector<double> product(of_mode.front().size(), 1.0);
  for (std::size_t m = 0; m < of_mode.size(); ++m) {
    if (static_cast<int>(m) == mode) continue;
    for (std::size_t r = 0; r < product.size(); ++r) product[r] *= of_mode[m][r];
  }
  return product;
}

}  // namespace genten::detail
