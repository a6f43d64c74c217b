// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Checks of arguments that the operations on models share.

#include <genten/core/ktensor.hpp>

#include <string>
#include <vector>

namespace genten::detail {

template <RealScalar Scalar, ExecutionSpace Exec>
void check_mode(const char* function, const Ktensor<Scalar, Exec>& model, int mode) {
  if (mode >= 0 && mode < model.order()) return;
  throw Error::no_such_mode(function, mode, model.order());
}

/// Throws Error unless every component is below the rank (and, where asked, named once).
inline void check_components(const char* function, const std::vector<std::size_t>& components,
                             std::size_t rank, bool permutation) {
  std::vector<bool> seen(rank, false);
  for (const std::size_t r : components) {
    if (r >= rank || (permutation && seen[r])) {
      throw Error::in(function, "expected components below " + std::to_string(rank) +
                                    (permutation ? ", each once" : "") + ", got " +
                                    std::to_string(r) + (r < rank ? " twice" : ""));
    }
    seen[r] = true;
  }
  if (permutation && components.size() != rank) {
    throw Error::in(function, "expected a permutation of " + std::to_string(rank) +
                                  " components, got " + std::to_string(components.size()));
  }
}

}  // namespace genten::detail
