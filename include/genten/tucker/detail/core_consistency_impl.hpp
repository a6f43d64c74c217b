// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/same_dimensions.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/dense/blas_buffer.hpp>
#include <genten/dense/leading_vectors.hpp>
#include <genten/dense/spd_inverse.hpp>
#include <genten/mttkrp/ttmc.hpp>
#include <genten/tucker/core_consistency.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace genten::detail {

/// A (A^T A)^+, the transpose of the pseudoinverse of a matrix.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] FacMatrix<Scalar, Exec> pseudoinverse_transposed(
    const Exec& exec, const FacMatrix<Scalar, Exec>& matrix) {
  const std::size_t rank = matrix.columns();
  const HostMatrix gram = cross_gram(exec, matrix, matrix);
  SmallMatrix square(rank);
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t s = 0; s < rank; ++s) square(r, s) = gram(r, s);
  }
  FacMatrix<double, Exec> left;
  for (const SmallMatrix& factor : spd_inverse(square).factors) {
    const HostMatrix small("genten::inverse", rank, rank);
    std::copy(factor.values.begin(), factor.values.end(), small.data());
    const FacMatrix<double, Exec> product(exec, matrix.rows(), rank);
    left.columns() == 0 ? multiply_small(exec, matrix, small, product)
                        : multiply_small(exec, left, small, product);
    left = product;
  }
  if constexpr (std::is_same_v<Scalar, double>) {
    return left;
  } else {
    const FacMatrix<Scalar, Exec> result(exec, matrix.rows(), rank);
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      for (std::size_t r = 0; r < rank; ++r) result(i, r) = static_cast<Scalar>(left(i, r));
    }
    return result;
  }
}

/// Throws Error of kind memory for a core that does not fit.
inline void require_core_memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                std::size_t rank, std::size_t scalar_bytes,
                                double memory_available) {
  const auto bytes = static_cast<double>(scalar_bytes), r = static_cast<double>(rank);
  const auto order = static_cast<double>(dimensions.size());
  const auto shortest =
      static_cast<double>(*std::min_element(dimensions.begin(), dimensions.end()));
  double rows = 0.0;
  for (const std::size_t dimension : dimensions) rows += static_cast<double>(dimension);
  require_memory(
      {.what = "the core consistency of " + std::to_string(rank) + " components",
       .parts = {{"core", 16.0 * std::pow(r, order)},
                 {"product", bytes * shortest * std::pow(r, order - 1.0)},
                 {"factors", (2.0 * bytes + 16.0) * rows * r},
                 {"sorted nonzeros", Ttmc<double, HostExec>::memory(dimensions, nnz, {{0}}).peak}},
       .available = memory_available > 0.0 ? memory_available : available_beside_blas(),
       .allowed = memory_available > 0.0});
}

/// The factors with the norms where they belong; the argument's arrays are not changed.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<FacMatrix<Scalar, Exec>> shared_norms(const Exec& exec,
                                                                const Ktensor<Scalar, Exec>& model,
                                                                NormSharing sharing) {
  const auto copy = clone(exec, model);
  if (sharing == NormSharing::first_mode) normalize(exec, copy);
  redistribute(exec, copy, 0);
  return copy.factors();
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec> CoreConsistency
core_consistency(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                 const Ktensor<Scalar, Exec>& model, NormSharing sharing, double memory_available) {
  detail::check_same_dimensions("core_consistency", tensor.dimensions(), model.dimensions());
  const auto& dimensions = tensor.dimensions();
  const std::size_t rank = model.rank();
  if (rank == 0) throw Error::in("core_consistency", "expected a component or more, got none");
  if (tensor.order() < 2) {
    throw Error::in("core_consistency", "expected a tensor of order 2 or more, got order " +
                                            std::to_string(tensor.order()));
  }
  const auto shortest = std::min_element(dimensions.begin(), dimensions.end());
  if (rank > *shortest) return {};
  detail::require_core_memory(dimensions, tensor.nnz(), rank, sizeof(Scalar), memory_available);
  std::vector<FacMatrix<Scalar, Exec>> inverses;
  for (const auto& factor : detail::shared_norms(exec, model, sharing)) {
    inverses.push_back(detail::pseudoinverse_transposed(exec, factor));
  }
  const auto mode = static_cast<int>(shortest - dimensions.begin());
  using Matrix = FacMatrix<Scalar, Exec>;
  const Matrix product = ttmc(exec, tensor, std::span<const Matrix>(inverses), mode);
  const HostMatrix core = cross_gram(exec, inverses[static_cast<std::size_t>(mode)], product);
  // The superdiagonal: the same component in the mode of the rows and in all of a column.
  std::size_t step = 0, power = 1;
  for (int n = 1; n < tensor.order(); ++n, power *= rank) step += power;
  CoreConsistency result{true, 0.0, 0.0};
  double square = 0.0;
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t c = 0; c < core.extent(1); ++c) {
      const double distance = core(r, c) - (c == r * step ? 1.0 : 0.0);
      square += distance * distance;
      result.core_sum += core(r, c);
    }
  }
  result.value = 100.0 * (1.0 - square / static_cast<double>(rank));
  return result;
}

}  // namespace genten

#define GENTEN_ETI_CORE_CONSISTENCY(PREFIX, SCALAR, ORDINAL, EXEC)  \
  PREFIX template genten::CoreConsistency genten::core_consistency( \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,  \
      const genten::Ktensor<SCALAR, EXEC>&, genten::NormSharing, double);
