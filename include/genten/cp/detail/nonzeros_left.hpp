// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Whether a list of missing entries leaves anything to fit.

#include <genten/base/error.hpp>
#include <genten/core/sptensor_ops.hpp>

#include <string>

namespace genten::detail {

/// Throws Error where a list of missing entries has taken all nonzeros of a tensor, which has some:
/// zeros alone are left, and a model of nothing fits them. `largest_left` is the largest magnitude
/// of the entries that count.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void require_nonzeros_left(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                           double largest_left) {
  if (largest_left > 0.0 || !(max_abs(exec, tensor) > 0.0)) return;
  throw Error("expected entries that leave nonzeros of the tensor, got all " +
              std::to_string(tensor.nnz()) +
              " of these: no entry is left to fit but zeros; does the list name what is known, in "
              "place of what is missing?")
      .as(Error::Code::missing_entries);
}

}  // namespace genten::detail
