// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How much memory a decomposition would take.

#include "tensor_source.hpp"

#include <string>
#include <vector>

namespace genten::cli {

/// What a kernel needs besides the tensor and the model.
struct KernelEstimate {
  std::string name;
  double bytes = 0.0;
  bool automatic = false;  ///< the one that "auto" would take
};

/// Bytes.
struct MemoryEstimate {
  double tensor = 0.0;
  double model = 0.0;  ///< factors, and what an iteration works with beside them
  std::vector<KernelEstimate> kernels;
};

/// For decomposing the tensor at `rank` with the default execution space, in double.
MemoryEstimate estimate_memory(const TensorFacts& facts, std::size_t rank);

}  // namespace genten::cli
