// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the benchmark programs share besides src/tools: taking times.

#include "tools/environment.hpp"
#include "tools/kokkos/session.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <genten/base/types.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

namespace genten::perf {

using namespace tools;
using Json = nlohmann::ordered_json;

/// Runs body() and says how long it took. `exec` is fenced before and after.
template <ExecutionSpace Exec, class Body>
[[nodiscard]] double seconds_of(const Exec& exec, const Body& body) {
  exec.fence();
  const auto start = std::chrono::steady_clock::now();
  body();
  exec.fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The middle of the sorted values; 0 of none.
[[nodiscard]] inline double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace genten::perf
