// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MachineProperties: the few numbers of a machine that choose a format or a kernel.

#include <genten/base/detail/backend.hpp>

#include <unistd.h>

namespace genten {

/// What a core or a multiprocessor can reach how fast. Sizes in bytes; the defaults stand for what
/// a machine does not tell.
struct MachineProperties {
  bool device = false;             ///< whether it hides the latency of memory by many threads
  double l1_cache = 32 << 10;      ///< of a core of a host
  double l2_cache = 1 << 20;       ///< of a core of a host
  double shared_cache = 32 << 20;  ///< last-level cache
  double workers = 1;              ///< threads, or multiprocessors
  /// Cores, whatever the number of threads: for choices that must not depend on it.
  double cores = 1;

  /// The properties of the machine that `exec` runs on, by asking it.
  template <ExecutionSpace Exec>
  static MachineProperties of(const Exec& exec) {
    MachineProperties machine;
    const auto take = [](double& property, double found) {
      if (found > 0.0) property = found;
    };
    if constexpr (is_host_space<Exec>) {
      machine.workers = exec.concurrency();
#ifdef _SC_LEVEL2_CACHE_SIZE
      take(machine.l1_cache, static_cast<double>(sysconf(_SC_LEVEL1_DCACHE_SIZE)));
      take(machine.l2_cache, static_cast<double>(sysconf(_SC_LEVEL2_CACHE_SIZE)));
      take(machine.shared_cache, static_cast<double>(sysconf(_SC_LEVEL3_CACHE_SIZE)));
#endif
      take(machine.cores, static_cast<double>(sysconf(_SC_NPROCESSORS_CONF)));
    } else {
      machine.device = true;
      machine.workers = machine.cores = detail::Backend<Exec>::multiprocessors();
      take(machine.shared_cache, detail::Backend<Exec>::shared_cache_bytes());
    }
    return machine;
  }

  bool operator==(const MachineProperties&) const = default;
};

}  // namespace genten
