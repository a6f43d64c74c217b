// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Models as data of the host, for checkpoints.

#include <genten/base/detail/staged_copy.hpp>
#include <genten/core/ktensor_ops.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace genten::detail {

/// A matrix's elements by rows, without padding.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<Scalar> packed_elements(const FacMatrix<Scalar, Exec>& matrix) {
  const auto host = create_mirror_view(matrix);
  if constexpr (!is_host_space<Exec>) deep_copy(host, matrix);
  std::vector<Scalar> elements;
  elements.reserve(host.rows() * host.columns());
  for (std::size_t i = 0; i < host.rows(); ++i) {
    elements.insert(elements.end(), host.row(i), host.row(i) + host.columns());
  }
  return elements;
}

/// The places of numbers, all distinct, in the order in which the numbers ascend.
template <ExecutionSpace Exec, class Numbers>
[[nodiscard]] std::vector<std::size_t> ascending_order(const Exec& exec, const Numbers& numbers) {
  using Number = typename Numbers::non_const_value_type;
  using OnHost = Kokkos::View<Number*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  std::vector<Number> on_host(numbers.extent(0));
  copy_view(exec, OnHost(on_host.data(), on_host.size()), numbers);
  fence(exec, "genten::ascending_order");
  std::vector<std::size_t> order(on_host.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return on_host[one] < on_host[other]; });
  return order;
}

/// The elements of rows with such numbers, those of smaller numbers first.
template <RealScalar Scalar, ExecutionSpace Exec, class Numbers>
[[nodiscard]] std::vector<Scalar> ascending_elements(const Exec& exec,
                                                     const FacMatrix<Scalar, Exec>& matrix,
                                                     const Numbers& numbers) {
  const auto host = create_mirror_view(matrix);
  if constexpr (!is_host_space<Exec>) deep_copy(host, matrix);
  std::vector<Scalar> elements;
  elements.reserve(host.rows() * host.columns());
  for (const std::size_t i : ascending_order(exec, numbers)) {
    elements.insert(elements.end(), host.row(i), host.row(i) + host.columns());
  }
  return elements;
}

/// The matrix of `columns` columns with these elements, row by row or, if `order` says so, row
/// order[0] first. Throws Error where there are not `rows`.
template <ExecutionSpace Exec, RealScalar Scalar>
[[nodiscard]] FacMatrix<Scalar, Exec> unpacked_matrix([[maybe_unused]] const Exec& exec,
                                                      const std::vector<Scalar>& elements,
                                                      std::size_t rows, std::size_t columns,
                                                      const std::vector<std::size_t>& order = {}) {
  if (elements.size() != rows * columns) {
    throw Error("expected a checkpoint with a factor of " + std::to_string(rows) + " x " +
                std::to_string(columns) + " elements, got " + std::to_string(elements.size()))
        .as(Error::Code::checkpoint);
  }
  const FacMatrix<Scalar, HostExec> host(rows, columns);  // whose padding is zero
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(elements.data() + i * columns, columns, host.row(order.empty() ? i : order[i]));
  }
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return host;
  } else {
    const FacMatrix<Scalar, Exec> matrix(exec, rows, columns);
    deep_copy(exec, matrix, host);
    exec.fence();
    return matrix;
  }
}

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
