// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tests of starts that run side by side compare.

#include "../cp_als_support.hpp"
#include "tool_recorder.hpp"

#include <array>
#include <map>
#include <vector>

namespace genten_test::cp {

/// What a run has reached but its seconds, by start.
using Histories = std::map<std::size_t, std::vector<std::array<double, 4>>>;

inline std::array<double, 4> facts_of(const genten::IterationRecord& record) {
  return {record.fit, record.fit_change, record.residual_norm, record.objective};
}

}  // namespace genten_test::cp
