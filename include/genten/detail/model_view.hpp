// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ModelView: a Ktensor as kernels see it, pointers and strides without containers.

#include <genten/core/ktensor.hpp>

#include <string>

namespace genten::detail {

/// Pointers into a model's weights and factors. Valid while the model lives.
template <RealScalar Scalar>
struct ModelView {
  Kokkos::Array<const Scalar*, max_order> rows{};
  Kokkos::Array<std::size_t, max_order> stride{};
  const Scalar* weights = nullptr;
  int order = 0;
  int rank = 0;

  template <ExecutionSpace Exec>
  explicit ModelView(const Ktensor<Scalar, Exec>& model)
      : weights(model.weights().data()),
        order(model.order()),
        rank(static_cast<int>(model.rank())) {
    if (order > max_order) {
      throw Error("Ktensor: expected an order of at most " + std::to_string(max_order) + ", got " +
                  std::to_string(order));
    }
    for (int n = 0; n < order; ++n) {
      rows[n] = model.factor(n).data();
      stride[n] = model.factor(n).stride();
    }
  }

  /// The model's entry at subscripts subscript(0), ..., subscript(order - 1), summed in double.
  template <class Subscript>
  KOKKOS_FUNCTION double entry(const Subscript& subscript) const {
    constexpr int block = 8;
    double sum = 0.0;
    for (int begin = 0; begin < rank; begin += block) {
      const int width = rank - begin < block ? rank - begin : block;
      double product[block];
      for (int r = 0; r < width; ++r) product[r] = static_cast<double>(weights[begin + r]);
      for (int n = 0; n < order; ++n) {
        const Scalar* const row = rows[n] + subscript(n) * stride[n] + begin;
        for (int r = 0; r < width; ++r) product[r] *= static_cast<double>(row[r]);
      }
      for (int r = 0; r < width; ++r) sum += product[r];
    }
    return sum;
  }
};

}  // namespace genten::detail
