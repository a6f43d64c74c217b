// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/mttkrp/options.hpp>

namespace genten::detail {

/// For a minimizer, which asks for some ten gradients at least.
[[nodiscard]] inline MttkrpOptions for_gradients(MttkrpOptions options) {
  if (options.sweeps == 0.0) options.sweeps = 10.0;
  return options;
}

}  // namespace genten::detail
