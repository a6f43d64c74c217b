// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Memory is counted before it is taken, and what does not fit is refused in the same words
/// everywhere.

#include <genten/base/detail/backend.hpp>

#include <string>
#include <vector>

namespace genten {

/// One of the things that memory is needed for.
struct MemoryPart {
  std::string name;
  double bytes = 0.0;
};

/// Bytes of all of them together.
[[nodiscard]] double total_bytes(const std::vector<MemoryPart>& parts);

/// Bytes that can still be allocated where `Exec` computes. Of a host that is the least of what the
/// machine can give without swapping (page cache that it would drop counts as free), what the
/// control groups around the process still allow (versions 1 and 2, their page cache not counted),
/// and what limits on address space and data leave (`ulimit -v`, `ulimit -d`). Infinite where
/// nothing says.
template <ExecutionSpace Exec>
[[nodiscard]] double available_memory() {
  return detail::Backend<Exec>::free_bytes();
}

/// "1.25 MiB": three significant digits.
[[nodiscard]] std::string format_bytes(double bytes);

/// What is about to be taken.
struct MemoryRequest {
  std::string path = {};          ///< the file that it is for
  std::string function = {};      ///< the function that asks for it
  std::string what;               ///< what needs it, e.g. "a tensor of 5 nonzeros"
  std::vector<MemoryPart> parts;  ///< and for what, all at once
  double available = 0.0;         ///< bytes that may be taken
  bool allowed = false;           ///< whether the caller has set that number
  bool device = false;            ///< whether it is memory of a device
  std::string remedy = {};        ///< what would fit, if that is known
};

/// Throws Error of kind `memory` for a request of more than is available: "WHAT needs 12.3 GiB of
/// memory (tensor 2 GiB, model 10.3 GiB), available are 8 GiB; REMEDY".
void require_memory(const MemoryRequest& request);

}  // namespace genten
