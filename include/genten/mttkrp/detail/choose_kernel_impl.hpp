// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/error.hpp>
#include <genten/base/memory.hpp>
#include <genten/mttkrp/choose_kernel.hpp>
#include <genten/mttkrp/kernel_list.hpp>

namespace genten {

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

template <ExecutionSpace Exec>
KernelChoice choose_kernel(const MttkrpProblem& problem, const MachineProperties& machine,
                           double allowed, std::string_view name) {
  KernelChoice choice;
  choice.automatic = name == "auto";
  choice.allowed = allowed;
  KernelList::for_each(detail::ChooseAmong<Exec>{problem, machine, name, choice});
  if (choice.name.empty()) {  // never of "auto": `atomic` takes every tensor and needs no memory
    std::string names;
    for (const KernelCandidate& one : choice.candidates) names += ", " + one.name;
    throw Error::in("choose_kernel", "expected a kernel that runs on " + std::string(Exec::name()) +
                                         " (auto" + names + "), got " + std::string(name));
  }
  return choice;
}

}  // namespace genten

#define GENTEN_ETI_CHOOSE_KERNEL(PREFIX, EXEC)                      \
  PREFIX template genten::KernelChoice genten::choose_kernel<EXEC>( \
      const genten::MttkrpProblem&, const genten::MachineProperties&, double, std::string_view);

#ifdef GENTEN_ETI
GENTEN_ETI_SPACES(GENTEN_ETI_CHOOSE_KERNEL, extern)
#endif
