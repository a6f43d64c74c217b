// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ModelView: a Ktensor as kernels see it, pointers and strides without containers.

#include <genten/core/ktensor.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// The subscripts of one nonzero.
template <SubscriptOrdinal Ordinal>
struct SubscriptRow {
  const Ordinal* data;
  KOKKOS_FUNCTION std::size_t operator()(int n) const { return data[n]; }
};

/// Subscripts counted out of a position in a dense tensor, the first subscript varying fastest.
struct LinearSubscripts {
  Kokkos::Array<std::size_t, max_order> dimensions{};
  Kokkos::Array<std::size_t, max_order> subscripts{};

  KOKKOS_FUNCTION std::size_t operator()(int n) const { return subscripts[n]; }
  KOKKOS_FUNCTION LinearSubscripts at(offset_t index, int order) const {
    LinearSubscripts result = *this;
    auto rest = static_cast<std::size_t>(index);
    for (int n = 0; n < order; ++n) {
      result.subscripts[n] = rest % dimensions[n];
      rest /= dimensions[n];
    }
    return result;
  }
};

/// The number of elements of a dense tensor. Throws Error where it is above `most`.
[[nodiscard]] inline std::size_t checked_element_count(const std::vector<std::size_t>& dimensions,
                                                       std::size_t most, std::size_t element_size) {
  double elements = dimensions.empty() ? 0.0 : 1.0;
  for (const std::size_t dimension : dimensions) elements *= static_cast<double>(dimension);
  if (elements > static_cast<double>(most)) {
    throw Error::in(
        "to_dense", Error::Kind::memory,
        "expected at most " + std::to_string(most) + " elements, got " + std::to_string(elements) +
            " (" + std::to_string(elements * static_cast<double>(element_size) / 1e9) + " GB)");
  }
  return static_cast<std::size_t>(elements);
}

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
      throw Error::in("Ktensor", "expected an order of at most " + std::to_string(max_order) +
                                     ", got " + std::to_string(order));
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
