// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Which of several starts came to the least objective.

#include <genten/cp/result.hpp>
#include <genten/run/request.hpp>

#include <vector>

namespace genten::detail {

/// Whether sums of squares are minimized.
[[nodiscard]] bool by_least_squares(const CpRequest& request);
/// By start of a run, whether it came to the least objective, as near as makes no difference.
[[nodiscard]] std::vector<bool> starts_at_best(const CpFigures& figures, const CpRequest& request);

}  // namespace genten::detail
