// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpGradient: objective and gradient of least squares, for solvers that Genten does not have.

#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/mttkrp/plan.hpp>

namespace genten {

/// Prepared once for a tensor X, called many times: 1/2 ||X - M||^2 over all entries of the model
/// M, zeros included exactly, and its derivative by every element of every factor. Weights are no
/// variables: those of the models that come here must be one. Of other losses LossGradient has
/// both.
///
/// The gradient is made of the MTTKRP of each mode, and the objective of the first one's. Unless
/// `options.sweeps` says how often it will be called, ten times are expected, so that modes are
/// fused where few tuples of their subscripts occur. Sums are taken in double. By deterministic
/// kernels results have the same bits for every number of threads of a host. ||X||^2 - 2 <X, M> +
/// ||M||^2 is what is summed, so near an exact fit the objective is only known to about 1e-16
/// ||X||^2, 1e-7 in float.
///
/// An object must not be used by two threads at once.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class CpGradient {
 public:
  using Model = Ktensor<Scalar, Exec>;

  /// For models of `rank` components. Throws Error for a tensor of order 0, values that are not
  /// finite or whose squares leave the range of double, and what MttkrpPlan refuses.
  CpGradient(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
             const MttkrpOptions& options = {});

  /// Returns the objective of `model` and writes the gradient: element (i, r) of factor n of
  /// `gradient` becomes the derivative by that of the model. `gradient` is of the same shape, and
  /// its weights are not touched. Infinite where numbers leave their range. Throws Error for other
  /// shapes and for weights that are not one.
  double operator()(const Exec& exec, const Model& model, const Model& gradient);

 private:
  void check(const Exec& exec, const Model& model, const char* name) const;

  std::size_t m_rank;
  Sptensor<Scalar, Ordinal, Exec> m_tensor;  ///< without duplicates
  double m_norm_squared = 0.0;
  MttkrpPlan<Scalar, Ordinal, Exec> m_plan;
  std::uint64_t m_version = 0;  ///< of the model
};

/// Of a tensor with subscripts of 64 bits, which are taken for row numbers of 32 bits.
template <RealScalar Scalar, ExecutionSpace Exec>
class CpGradient<Scalar, std::uint64_t, Exec> : public CpGradient<Scalar, RowNumber, Exec> {
 public:
  CpGradient(const Exec& exec, const Sptensor<Scalar, std::uint64_t, Exec>& tensor,
             std::size_t rank, const MttkrpOptions& options = {})
      : CpGradient<Scalar, RowNumber, Exec>(exec, with_row_numbers(exec, tensor, "CpGradient"),
                                            rank, options) {}
};

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/gradient_impl.hpp>
#endif
