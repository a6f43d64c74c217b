// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/io/value_summary.hpp>

#include <vector>

namespace genten_test {

/// What is known of these values.
inline genten::ValueSummary summary(std::vector<double> values) {
  const Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> view(values.data(),
                                                                               values.size());
  return genten::summary_of(Kokkos::DefaultHostExecutionSpace(), view, values.size());
}

}  // namespace genten_test
