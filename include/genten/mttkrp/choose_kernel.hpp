// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// choose_kernel: the one rule by which an MTTKRP kernel is taken or refused.

#include <genten/mttkrp/kernel_choice.hpp>
#include <genten/mttkrp/options.hpp>
#include <genten/mttkrp/problem.hpp>

namespace genten {

/// Bytes that a kernel may need where so many are available: what the options say; without a limit
/// half of them for an automatic choice, so that speed does not cost all memory, and all of them
/// for a kernel that is asked for by name.
[[nodiscard]] inline double allowed_memory(const MttkrpOptions& options, double available) {
  if (options.memory_limit > 0.0) return options.memory_limit;
  return options.kernel == "auto" ? 0.5 * available : available;
}

/// The kernel for a problem among those that run on `Exec`: with the name "auto" the one of the
/// lowest predicted cost that takes the tensor and needs at most `allowed` bytes, otherwise the one
/// of that name. Depends on its arguments alone: whoever asks with the same facts gets the same.
///
/// Throws Error for an unknown name (naming those there are) and for a kernel asked for by name
/// that does not take the tensor; Error of kind memory, naming what it needs and what is allowed,
/// for one that needs more memory.
template <ExecutionSpace Exec>
[[nodiscard]] KernelChoice choose_kernel(const MttkrpProblem& problem,
                                         const MachineProperties& machine, double allowed,
                                         std::string_view name = "auto");

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/mttkrp/detail/choose_kernel_impl.hpp>
#endif
