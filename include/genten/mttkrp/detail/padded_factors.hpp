// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Matrices with Genten's padded rows in the place of such as come without.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/mttkrp/problem.hpp>

#include <span>
#include <vector>

namespace genten::detail {

/// Whether what follows the columns of a matrix in its rows is zero. Copies of callers' matrices
/// and outputs of kernels may hold anything there.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] bool has_zero_padding(const Exec& exec, const FacMatrix<Scalar, Exec>& matrix) {
  const std::size_t columns = matrix.columns(), stride = matrix.stride();
  if (columns == stride) return true;
  int foul = 0;
  Kokkos::parallel_reduce(
      "genten::has_zero_padding",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, matrix.rows()),
      KOKKOS_LAMBDA(const std::size_t i, int& found) {
        const Scalar* const row = matrix.row(i);
        for (std::size_t j = columns; j < stride; ++j) found |= row[j] == Scalar(0) ? 0 : 1;
      },
      Kokkos::Max<int>(foul));
  return foul == 0;
}

/// A matrix of the shape of another with padded rows, kept in `copy`.
template <RealScalar Scalar, ExecutionSpace Exec>
const FacMatrix<Scalar, Exec>& padded_like(const FacMatrix<Scalar, Exec>& matrix,
                                           FacMatrix<Scalar, Exec>& copy) {
  if (copy.rows() != matrix.rows() || copy.columns() != matrix.columns()) {
    copy = FacMatrix<Scalar, Exec>(matrix.rows(), matrix.columns(), "genten::padded_copy");
  }
  return copy;
}

/// Factors of so many columns as they are.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] FactorSet<Scalar> factor_set_of(std::span<const FacMatrix<Scalar, Exec>> factors,
                                              std::size_t columns, const FactorVersions& versions) {
  FactorSet<Scalar> set;
  set.order = static_cast<int>(factors.size());
  set.columns = columns;
  set.version = versions;
  for (std::size_t m = 0; m < factors.size(); ++m) {
    set.data[m] = factors[m].data();
    set.stride[m] = factors[m].stride();
  }
  return set;
}

/// The same with padded rows, but for mode `left_out` (-1: of all): factors that have none, or with
/// `zero_padding` one that is not zero, are copied to the first of `copies`.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] FactorSet<Scalar> padded_factors(const Exec& exec,
                                               std::span<const FacMatrix<Scalar, Exec>> factors,
                                               int left_out, std::size_t columns, bool zero_padding,
                                               const FactorVersions& versions,
                                               std::vector<FacMatrix<Scalar, Exec>>& copies) {
  const std::size_t stride = padded_stride(columns, sizeof(Scalar));
  FactorSet<Scalar> set = factor_set_of(factors, columns, versions);
  for (int m = 0; m < set.order; ++m) {
    const auto& factor = factors[static_cast<std::size_t>(m)];
    const bool fits =
        factor.stride() == stride && (!zero_padding || has_zero_padding(exec, factor));
    if (m == left_out || fits) continue;
    const auto& copy = padded_like(factor, copies[static_cast<std::size_t>(m)]);
    fence(exec, "genten::padded_copy");
    // Not its padding, if it has any: the copy's is zero.
    const auto used = Kokkos::make_pair(std::size_t{0}, columns);
    Kokkos::deep_copy(exec, Kokkos::subview(copy.padded_view(), Kokkos::ALL(), used),
                      Kokkos::subview(factor.padded_view(), Kokkos::ALL(), used));
    set.data[m] = copy.data();
    set.stride[m] = copy.stride();
  }
  return set;
}

/// Calls run(output), with the last of `copies` where the output's rows are not padded, whose
/// elements then go to the output.
template <RealScalar Scalar, ExecutionSpace Exec, class Run>
void with_padded_output(const Exec& exec, const FacMatrix<Scalar, Exec>& output,
                        std::vector<FacMatrix<Scalar, Exec>>& copies, const Run& run) {
  if (output.stride() == padded_stride(output.columns(), sizeof(Scalar))) return run(output);
  const auto& copy = padded_like(output, copies.back());
  run(copy);
  fence(exec, "genten::padded_output");
  deep_copy(output, copy);
}

}  // namespace genten::detail
