// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a CP model leaves of the nonzeros of a tensor.

#include <genten/core/model_values.hpp>
#include <genten/core/sptensor.hpp>

namespace genten {

namespace detail {

template <class Values, class Residuals>
struct SubtractFrom {
  Values values;
  Residuals residuals;  ///< the model's values before

  KOKKOS_FUNCTION void operator()(const offset_t p) const {
    residuals(p) = static_cast<double>(values(p)) - residuals(p);
  }
};

}  // namespace detail

/// By nonzero, in the order of the tensor, its value minus that of the model, as `model_values` has
/// it: in double, each dependent on its nonzero alone. Of entries that are not stored, whose values
/// are zero, the residual is minus the model's value. Throws Error where the model does not have a
/// nonzero's entry. Reads subscripts twice and values once and gathers N rows a nonzero.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RealScalar ModelScalar>
[[nodiscard]] Kokkos::View<double*, typename Exec::memory_space> nonzero_residuals(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<ModelScalar, Exec>& model) {
  const auto residuals = model_values<double>(exec, model, tensor.subscripts());
  const auto values = tensor.values();  // a copy: devices cannot read a reference to the host
  const detail::SubtractFrom<decltype(values), decltype(residuals)> subtract{values, residuals};
  if (tensor.nnz() == 0) return residuals;
  Kokkos::parallel_for(
      "genten::nonzero_residuals",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()), subtract);
  detail::fence(exec, "genten::nonzero_residuals");
  return residuals;
}

}  // namespace genten
