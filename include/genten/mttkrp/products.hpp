// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Products of a sparse tensor with vectors, matrices and factors, each by one call. What is called
/// many times for the same tensor is prepared once: MttkrpPlan, Ttmc, SemiSparse.

#include <genten/core/fac_matrix.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/mttkrp/plan.hpp>
#include <genten/mttkrp/semi_sparse.hpp>

#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace genten {

/// The tensor times the transpose of a matrix in one mode: element (.., r, ..) of the result is the
/// sum over i of X(.., i, ..) matrix(i, r). It is dense in that mode and sparse in the others, and
/// can be multiplied in these, in ascending order. Throws Error for a mode that there is not, and
/// for other rows than the mode is long.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] SemiSparse<Scalar, Exec> ttm(const Exec& exec,
                                           const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                           const FacMatrix<Scalar, Exec>& matrix, int mode) {
  if (mode < 0 || mode >= tensor.order()) throw Error::no_such_mode("ttm", mode, tensor.order());
  std::vector<int> order{mode};
  for (int n = 0; n < tensor.order(); ++n) {
    if (n != mode) order.push_back(n);
  }
  return SemiSparse<Scalar, Exec>(exec, tensor, order).multiply(exec, matrix);
}

/// The tensor times a vector in one mode, of one mode less: Y(.., ..) = sum over i of X(.., i, ..)
/// * vector(i), with an entry for each tuple of the other modes that occurs. Throws Error for a
/// mode that there is not, for a tensor of one mode, for another length than that of the mode,
/// and for products that are not finite.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] Sptensor<Scalar, std::uint32_t, Exec> ttv(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    std::type_identity_t<std::span<const Scalar>> vector, int mode) {
  if (mode < 0 || mode >= tensor.order()) throw Error::no_such_mode("ttv", mode, tensor.order());
  if (tensor.order() < 2) throw Error::in("ttv", "expected a tensor of two modes or more, got one");
  auto dimensions = tensor.dimensions();
  const std::size_t length = dimensions[static_cast<std::size_t>(mode)];
  if (vector.size() != length) {
    throw Error::in("ttv", "expected a vector of " + std::to_string(length) + " numbers for mode " +
                               error_text::number(mode) + error_text::counted() + ", got " +
                               std::to_string(vector.size()));
  }
  const FacMatrix<Scalar, Exec> matrix(length, 1);
  for (std::size_t i = 0; i < length; ++i) matrix(i, 0) = vector[i];
  const auto product = ttm(exec, tensor, matrix, mode);
  dimensions.erase(dimensions.begin() + mode);
  const auto result = Sptensor<Scalar, std::uint32_t, Exec>::trusted(
      exec, std::move(dimensions), product.subscripts(), product.values(), SptensorFacts());
  result.check_values(exec);
  return result;
}

/// The matricized tensor in one mode times the Khatri-Rao product of the other modes' factors, of
/// which that of `mode` is not read. Throws as MttkrpPlan.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] FacMatrix<Scalar, Exec> mttkrp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    std::type_identity_t<std::span<const FacMatrix<Scalar, Exec>>> factors, int mode,
    const MttkrpOptions& options = {}) {
  if (mode < 0 || mode >= tensor.order()) {
    throw Error::no_such_mode("mttkrp", mode, tensor.order());
  }
  if (factors.size() != tensor.dimensions().size()) {
    throw Error::in("mttkrp", "expected " + std::to_string(tensor.order()) +
                                  " factors, one a mode, got " + std::to_string(factors.size()));
  }
  const std::size_t rank = factors[mode == 0 ? factors.size() - 1 : 0].columns();
  MttkrpPlan<Scalar, Ordinal, Exec> plan(exec, tensor, rank, options);
  const FacMatrix<Scalar, Exec> result(exec, tensor.dimension(mode), rank, "genten::mttkrp");
  plan.execute(exec, factors, mode, result);
  return result;
}

/// The same in every mode, from one preparation: the gradient of the inner product of the tensor
/// with a CP model. Throws as MttkrpPlan.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<FacMatrix<Scalar, Exec>> mttkrps(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    std::type_identity_t<std::span<const FacMatrix<Scalar, Exec>>> factors,
    const MttkrpOptions& options = {}) {
  if (factors.size() != tensor.dimensions().size() || factors.empty()) {
    throw Error::in("mttkrps", "expected " + std::to_string(tensor.order()) +
                                   " factors, one a mode, got " + std::to_string(factors.size()));
  }
  MttkrpPlan<Scalar, Ordinal, Exec> plan(exec, tensor, factors[0].columns(), options);
  std::vector<FacMatrix<Scalar, Exec>> results;
  for (int n = 0; n < tensor.order(); ++n) {
    results.emplace_back(exec, tensor.dimension(n), factors[0].columns(), "genten::mttkrp");
    plan.execute(exec, factors, n, results.back());
  }
  return results;
}

}  // namespace genten
