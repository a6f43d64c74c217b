// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The weights of a model on the host, and what follows from weights and signs alone.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/detail/staged_copy.hpp>
#include <genten/core/ktensor.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace genten {

/// A model's weights on the host, in double.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> host_weights(const Exec& exec,
                                               const Ktensor<Scalar, Exec>& model) {
  const auto host = Kokkos::create_mirror_view(model.weights());
  detail::copy_view(exec, host, model.weights());
  detail::fence(exec, "genten::host_weights");
  return std::vector<double>(host.data(), host.data() + host.extent(0));
}

/// Sets a model's weights, R of them, rounded to Scalar. Returns when it is done.
template <RealScalar Scalar, ExecutionSpace Exec>
void set_weights(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                 const std::vector<double>& weights) {
  const auto host = Kokkos::create_mirror_view(model.weights());
  for (std::size_t r = 0; r < weights.size(); ++r) host(r) = static_cast<Scalar>(weights[r]);
  detail::copy_view(exec, model.weights(), host);
  detail::fence(exec, "genten::set_weights");
}

/// The components by descending weight; equal weights keep their order.
[[nodiscard]] inline std::vector<std::size_t> by_descending_weight(
    const std::vector<double>& weights) {
  std::vector<std::size_t> permutation(weights.size());
  std::iota(permutation.begin(), permutation.end(), std::size_t{0});
  std::stable_sort(permutation.begin(), permutation.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  return permutation;
}

/// By mode and component, 1 or -1: the signs that columns change in pairs, lower modes first, so
/// that of those that are `negative` (by mode and component) at most one a component is left.
[[nodiscard]] inline std::vector<std::vector<double>> paired_signs(
    const std::vector<std::vector<bool>>& negative, std::size_t rank) {
  std::vector<std::vector<double>> sign(negative.size(), std::vector<double>(rank, 1.0));
  for (std::size_t r = 0; r < rank; ++r) {
    std::size_t last_negative = 0, negatives = 0;
    for (std::size_t n = 0; n < negative.size(); ++n) {
      if (!negative[n][r]) continue;
      sign[n][r] = -1.0;
      last_negative = n;
      ++negatives;
    }
    if (negatives % 2 == 1) sign[last_negative][r] = 1.0;
  }
  return sign;
}

}  // namespace genten

#define GENTEN_ETI_WEIGHTS(PREFIX, SCALAR, EXEC)                                                  \
  PREFIX template std::vector<double> genten::host_weights(const EXEC&,                           \
                                                           const genten::Ktensor<SCALAR, EXEC>&); \
  PREFIX template void genten::set_weights(const EXEC&, const genten::Ktensor<SCALAR, EXEC>&,     \
                                           const std::vector<double>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_WEIGHTS, extern)
#endif
