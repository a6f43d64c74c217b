// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Models as data of the host, for checkpoints.

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/cp_als_state.hpp>

#include <vector>

namespace genten::detail {

/// Weights, then factors by rows.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::vector<Scalar>> packed_model(const Exec& exec,
                                                            const Ktensor<Scalar, Exec>& model) {
  std::vector<std::vector<Scalar>> packed(1);
  for (const double weight : host_weights(exec, model)) {
    packed.front().push_back(static_cast<Scalar>(weight));
  }
  for (const auto& factor : model.factors()) packed.push_back(packed_elements(factor));
  return packed;
}

/// The model of these dimensions. Throws Error where the numbers are not as many.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> unpacked_model(const Exec& exec,
                                                   const std::vector<std::vector<Scalar>>& packed,
                                                   const std::vector<std::size_t>& dimensions,
                                                   std::size_t rank) {
  if (packed.size() != dimensions.size() + 1 || packed.front().size() != rank) {
    throw Error("the model of a start that is done is not whole in the checkpoint")
        .as(Error::Code::checkpoint);
  }
  std::vector<FacMatrix<Scalar, Exec>> factors;
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    factors.push_back(unpacked_matrix(exec, packed[n + 1], dimensions[n], rank));
  }
  const Ktensor<Scalar, Exec> model(
      typename Ktensor<Scalar, Exec>::weights_view("genten::weights", rank), std::move(factors));
  set_weights(exec, model, std::vector<double>(packed.front().begin(), packed.front().end()));
  return model;
}

}  // namespace genten::detail
