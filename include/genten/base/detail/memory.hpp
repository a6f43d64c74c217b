// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How much memory there is to take on the host.

#include <limits>
#include <string>
#include <vector>

namespace genten::detail {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// What a control group says of its memory, in bytes.
struct ControlGroup {
  double limit = no_limit;
  double used = 0.0;
  double page_cache = 0.0;  ///< the part of `used` that the kernel drops rather than refuse
};

/// A limit of the process and what counts against it, in bytes.
struct ProcessLimit {
  double limit = no_limit;
  double used = 0.0;
};

/// What the system says of memory, in bytes.
struct MemoryFacts {
  double machine = no_limit;         ///< MemAvailable: free, or page cache that may go
  std::vector<ControlGroup> groups;  ///< the process's own and those around it, of both versions
  ProcessLimit address_space;  ///< RLIMIT_AS, which mappings that nobody touches count against
  ProcessLimit data;           ///< RLIMIT_DATA
};

/// Asks the system: /proc/meminfo, /proc/self/{limits,status,cgroup,mountinfo} and the memory files
/// of the groups' directories, all below `root`, which is empty but in tests. What is absent or not
/// understood limits nothing.
[[nodiscard]] MemoryFacts memory_facts(const std::string& root = "");

/// The least that any of them leaves.
[[nodiscard]] double available_bytes(const MemoryFacts& facts);

/// The same for this machine and process as they are now.
[[nodiscard]] double available_host_bytes();

}  // namespace genten::detail
