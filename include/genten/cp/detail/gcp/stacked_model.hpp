// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// StackedModel: the factors of a model one below the other in one matrix, so that what a solver
/// does to all elements is one launch.

#include <genten/core/ktensor.hpp>

#include <vector>

namespace genten::detail {

template <RealScalar Scalar, ExecutionSpace Exec>
class StackedModel {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using Model = Ktensor<Scalar, Exec>;

  StackedModel() = default;
  /// Zeros, of weights one.
  StackedModel(const Exec& exec, const std::vector<std::size_t>& dimensions, std::size_t rank) {
    std::size_t rows = 0;
    for (const std::size_t length : dimensions) rows += length;
    m_all = Matrix(exec, rows, rank, "genten::stacked_model");
    std::vector<Matrix> factors;
    std::size_t first = 0;
    for (const std::size_t length : dimensions) {
      factors.emplace_back(typename Matrix::view_type(m_all.row(first), length, m_all.stride()),
                           rank);
      first += length;
    }
    const typename Model::weights_view weights("genten::weights", rank);
    Kokkos::deep_copy(exec, weights, Scalar(1));
    fence(exec, "genten::stacked_model");
    m_model = Model(weights, std::move(factors));
  }

  [[nodiscard]] const Matrix& all() const { return m_all; }
  /// The factors, which lie in `all()`.
  [[nodiscard]] const Model& model() const { return m_model; }

 private:
  Matrix m_all;
  Model m_model;
};

}  // namespace genten::detail
