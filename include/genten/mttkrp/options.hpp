// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a caller may say about how MTTKRP is computed.

#include <genten/base/machine.hpp>
#include <genten/base/option_field.hpp>

#include <optional>

namespace genten {

/// "auto", and the names of the kernels that run on the default execution space.
[[nodiscard]] std::vector<std::string> kernel_choices();

/// Options of an MttkrpPlan.
struct MttkrpOptions {
  /// Name of a kernel of the kernel list, or "auto" for the one with the lowest predicted cost.
  std::string kernel = "auto";
  /// Bytes that a kernel may need at its peak beside the tensor and the model; 0 means half of what
  /// is available, and all of it for a kernel that is named.
  double memory_limit = 0.0;
  /// The machine that kernels and formats are chosen for; asked for its properties if not given.
  /// Not for command lines: it is there so that tests and comparisons choose it.
  std::optional<MachineProperties> machine = std::nullopt;
  /// How many times a solver computes the MTTKRP of every mode in turn, at most; 0: not known. What
  /// pays only after so many sweeps is not prepared. Not for command lines: solvers know it.
  double sweeps = 0.0;

  static constexpr auto fields() {
    return member_table(
        option_field("kernel", &MttkrpOptions::kernel,
                     "how MTTKRP is computed; auto: the lowest predicted cost", &kernel_choices),
        option_field("memory-limit", &MttkrpOptions::memory_limit,
                     "bytes that MTTKRP may take beside tensor and model; 0: half of what is free",
                     0.0));
  }
};

/// The machine that the options give for `exec`, or its own.
template <ExecutionSpace Exec>
[[nodiscard]] MachineProperties machine_of(const Exec& exec, const MttkrpOptions& options) {
  MachineProperties machine = options.machine ? *options.machine : MachineProperties::of(exec);
  machine.device = !is_host_space<Exec>;  // not the caller's to choose
  return machine;
}

}  // namespace genten
