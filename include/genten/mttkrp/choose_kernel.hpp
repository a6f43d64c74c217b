// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// choose_kernel: the one rule by which an MTTKRP kernel is taken or refused.

#include <genten/base/error.hpp>
#include <genten/base/memory.hpp>
#include <genten/mttkrp/kernel_choice.hpp>
#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/options.hpp>

namespace genten {

/// Bytes that a kernel may need where so many are available: what the options say; without a limit
/// half of them for an automatic choice, so that speed does not cost all memory, and all of them
/// for a kernel that is asked for by name.
[[nodiscard]] inline double allowed_memory(const MttkrpOptions& options, double available) {
  if (options.memory_limit > 0.0) return options.memory_limit;
  return options.kernel == "auto" ? 0.5 * available : available;
}

namespace detail {

/// Judges a kernel, with the tuning that it has unless told otherwise. What does not look new row
/// numbers up needs them written out beside the tensor.
template <MttkrpKernel Kernel>
[[nodiscard]] KernelCandidate judge_kernel(const MttkrpProblem& problem,
                                           const MachineProperties& machine, double allowed) {
  const typename Kernel::Tuning tuning{};
  KernelCandidate result;
  result.name = Kernel::name;
  result.cost = Kernel::cost(problem, machine, tuning);
  if (!Kernel::accepts(problem)) {
    result.refusal = Refusal::tensor;
    return result;
  }
  const KernelMemory memory = Kernel::memory(problem, machine, tuning);
  const double written =
      problem.relabeled && !Kernel::reads_relabeled ? problem.subscript_bytes() : 0.0;
  result.memory = memory.peak + written;
  result.kept = memory.kept + written;
  if (result.memory > allowed) result.refusal = Refusal::memory;
  return result;
}

/// Throws Error for a kernel that is asked for by name and cannot be had.
template <MttkrpKernel Kernel>
void require_kernel(const KernelCandidate& candidate, double allowed, bool device) {
  const std::string kernel = "kernel " + candidate.name;
  if (candidate.refusal == Refusal::tensor) {
    throw Error(kernel + ": expected " + std::string(Kernel::accepted));
  }
  if (candidate.refusal == Refusal::memory) {
    require_memory({.what = kernel,
                    .parts = {{"prepared", candidate.memory}},
                    .available = allowed,
                    .allowed = true,
                    .device = device});
  }
}

/// Judges every kernel that runs on `Exec` and keeps the one to take; a visitor of the kernel list.
template <ExecutionSpace Exec>
struct ChooseAmong {
  const MttkrpProblem& problem;
  const MachineProperties& machine;
  std::string_view name;
  KernelChoice& choice;

  template <class Kernel>
  void operator()() const {
    if constexpr (Kernel::template supports<Exec>) {
      const KernelCandidate one = judge_kernel<Kernel>(problem, machine, choice.allowed);
      const KernelCandidate* const best = choice.find(choice.name);
      if (name == Kernel::name) {
        require_kernel<Kernel>(one, choice.allowed, machine.device);
        choice.name = one.name;
      } else if (choice.automatic && one.refusal == Refusal::none &&
                 (best == nullptr || one.cost < best->cost)) {
        choice.name = one.name;
      }
      choice.candidates.push_back(one);
    }
  }
};

}  // namespace detail

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
                                         std::string_view name = "auto") {
  KernelChoice choice;
  choice.automatic = name == "auto";
  choice.allowed = allowed;
  KernelList::for_each(detail::ChooseAmong<Exec>{problem, machine, name, choice});
  if (choice.name.empty()) {  // never of "auto": `atomic` takes every tensor and needs no memory
    std::string names;
    for (const KernelCandidate& one : choice.candidates) names += ", " + one.name;
    throw Error("choose_kernel: expected a kernel that runs on " + std::string(Exec::name()) +
                " (auto" + names + "), got " + std::string(name));
  }
  return choice;
}

}  // namespace genten
