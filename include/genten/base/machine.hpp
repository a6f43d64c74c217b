// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MachineProperties: the few numbers of a machine that choose a format or a kernel.

#include <genten/base/types.hpp>

#include <unistd.h>

namespace genten {

/// What a core or a multiprocessor can reach how fast. Sizes in bytes.
struct MachineProperties {
  double near_cache = 1 << 20;     ///< cache that a core has to itself (L2)
  double shared_cache = 32 << 20;  ///< last-level cache
  double workers = 1;              ///< threads, or multiprocessors
  /// Cores, whatever the number of threads: for choices that must not depend on it.
  double cores = 1;

  /// The figures of the machine that `exec` runs on.
  template <ExecutionSpace Exec>
  static MachineProperties of(const Exec& exec) {
    MachineProperties machine;
    machine.workers = exec.concurrency();
#ifdef _SC_LEVEL2_CACHE_SIZE
    if constexpr (is_host_space<Exec>) {
      const long near = sysconf(_SC_LEVEL2_CACHE_SIZE);
      const long shared = sysconf(_SC_LEVEL3_CACHE_SIZE);
      const long cores = sysconf(_SC_NPROCESSORS_CONF);
      if (near > 0) machine.near_cache = static_cast<double>(near);
      if (cores > 0) machine.cores = static_cast<double>(cores);
      if (shared > 0) machine.shared_cache = static_cast<double>(shared);
    }
#endif
    return machine;
  }
};

}  // namespace genten
