// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MachineProperties: the few numbers of a machine that choose a format or a kernel.

#include <genten/base/detail/backend.hpp>

#include <array>

#include <unistd.h>

namespace genten {

/// Bytes of a core's L1 cache for data, of its L2 cache, and of the L3 cache that it shares.
using CacheSizes = std::array<double, 3>;

/// Those of the host's first core, 0 where it does not tell: as Linux lists them, elsewhere as the
/// C library says.
[[nodiscard]] CacheSizes host_cache_sizes();

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
      const CacheSizes caches = host_cache_sizes();
      take(machine.l1_cache, caches[0]);
      take(machine.l2_cache, caches[1]);
      take(machine.shared_cache, caches[2]);
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
