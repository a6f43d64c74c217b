// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A tensor whose modes `sorted` fuses by the tuples that occur, and a machine on which it does.

#include <genten/base/machine.hpp>
#include <genten/core/generate.hpp>

namespace genten_test {

/// Some 30 nonzeros for each pair of the first two subscripts.
[[nodiscard]] inline auto triples() {
  return genten::generate_sparse<double>(genten::HostExec(),
                                         {.name = "triples",
                                          .dimensions = {3000, 2000, 4000},
                                          .nonzeros = 60'000,
                                          .exponents = {.5, .5, .7},
                                          .runs = {30, 30, 1}},
                                         5);
}

/// This machine with caches of 8 KB and of so many bytes, on which the choice depends.
[[nodiscard]] inline genten::MachineProperties machine_of_small_caches(double l2_cache) {
  genten::MachineProperties machine = genten::MachineProperties::of(genten::HostExec());
  machine.l1_cache = 1 << 13;
  machine.l2_cache = l2_cache;
  return machine;
}

}  // namespace genten_test
