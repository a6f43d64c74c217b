// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MomentumState: where the momentum of an accelerated run stands, as data of the host.

#include <genten/base/member_table.hpp>
#include <genten/cp/detail/row_update.hpp>

#include <limits>
#include <vector>

namespace genten::detail {

/// Between sweeps. Without momentum, or before there is any, there is nothing but the length.
template <RealScalar Scalar>
struct MomentumState {
  double length = 1.0;  ///< t_k, from which the momentum follows
  double least_cost = std::numeric_limits<double>::infinity();  ///< that a sweep has reached
  std::size_t restarts = 0;
  /// By mode that is updated, in their order, the factor before the last sweep, by rows in the
  /// order of the tensor.
  std::vector<std::vector<Scalar>> before = {};
  AlgebraState algebra = {};  ///< that belongs to these

  [[nodiscard]] bool moves() const { return length > 1.0; }

  static constexpr auto members() {
    using Self = MomentumState;
    return member_table(&Self::length, &Self::least_cost, &Self::restarts, &Self::before,
                        &Self::algebra);
  }
};

}  // namespace genten::detail
