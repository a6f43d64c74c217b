// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The values of a CP model at given cells.

#include <genten/core/detail/model_view.hpp>

namespace genten {

/// A model as a function of subscripts, for kernels: cheap to copy, valid as long as the model
/// lives, callable where its arrays are.
template <RealScalar Scalar>
class ModelValues {
 public:
  template <ExecutionSpace Exec>
  explicit ModelValues(const Ktensor<Scalar, Exec>& model) : m_view(model) {}

  /// The value at `subscripts[0]`, ..., one a mode, which must be below the dimensions. Summed over
  /// the components in double, in their order: the same wherever it is computed alike.
  template <SubscriptOrdinal Ordinal>
  KOKKOS_FUNCTION double operator()(const Ordinal* subscripts) const {
    return m_view.entry(detail::SubscriptRow<Ordinal>{subscripts});
  }

 private:
  detail::ModelView<Scalar> m_view;
};

}  // namespace genten
