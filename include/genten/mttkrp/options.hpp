// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a caller may say about how MTTKRP is computed.

#include <genten/core/option_field.hpp>

namespace genten {

/// Options of an MttkrpPlan.
struct MttkrpOptions {
  /// Name of a kernel of the kernel list, or "auto" for the one with the lowest predicted cost.
  std::string kernel = "auto";
  /// Bytes that prepared formats and private outputs may take; 0 means what the memory has free.
  double memory_limit = 0.0;

  static constexpr auto fields() {
    return std::tuple{option_field("kernel", &MttkrpOptions::kernel,
                                   "MTTKRP kernel by name, or auto for the lowest predicted cost"),
                      option_field("memory-limit", &MttkrpOptions::memory_limit,
                                   "bytes that prepared formats may take; 0: what is free", 0.0)};
  }
};

}  // namespace genten
