// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The list of missing entries, as the library takes it.

#include "tensor.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace genten::python {

/// The entries of a tensor, with other types, in the memory of `Exec`; none of no tensor.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::optional<Sptensor<Scalar, Ordinal, Exec>> missing_entries(const Tensor* tensor) {
  if (tensor == nullptr) return std::nullopt;
  return copy_to<Exec>(tensor->look([](const auto& any) {
    const auto from = any.subscripts();
    std::vector<Ordinal> subscripts(from.size());
    std::transform(from.data(), from.data() + from.size(), subscripts.begin(),
                   [](auto subscript) { return static_cast<Ordinal>(subscript); });
    const std::vector<Scalar> ones(static_cast<std::size_t>(any.nnz()), Scalar(1));
    return Sptensor<Scalar, Ordinal, HostExec>::from_host(any.dimensions(), subscripts, ones);
  }));
}

}  // namespace genten::python
