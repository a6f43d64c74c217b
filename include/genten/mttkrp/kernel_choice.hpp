// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// KernelChoice: which MTTKRP kernel is taken, and why.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// Why a kernel is not taken although it may be the fastest.
enum class Refusal {
  none,
  tensor,  ///< it does not take tensors like this
  memory   ///< it needs more memory than is allowed
};

/// The word for it, as JSON has it.
[[nodiscard]] constexpr std::string_view to_string(Refusal refusal) {
  return refusal == Refusal::none ? "none" : refusal == Refusal::tensor ? "tensor" : "memory";
}

/// A kernel as it was judged for one problem, machine and memory limit.
struct KernelCandidate {
  std::string name;
  double cost = 0.0;    ///< predicted bytes of memory traffic of a sweep over all modes
  double memory = 0.0;  ///< bytes that it needs at its peak beside the tensor and the model
  double kept = 0.0;    ///< those of them that it keeps once it is prepared
  Refusal refusal = Refusal::none;
};

/// The kernel that was chosen among all that run on an execution space.
struct KernelChoice {
  std::string name;
  bool automatic = true;                    ///< chosen by cost, not named by the caller
  double allowed = 0.0;                     ///< bytes that the kernel may need
  std::vector<KernelCandidate> candidates;  ///< in the order of the kernel list

  /// The candidate of a name, or null.
  [[nodiscard]] const KernelCandidate* find(std::string_view candidate) const {
    const auto at = std::find_if(candidates.begin(), candidates.end(),
                                 [&](const auto& one) { return one.name == candidate; });
    return at == candidates.end() ? nullptr : &*at;
  }

  /// Kernels of lower predicted cost than that of an automatic choice, which were refused; the
  /// cheapest first.
  [[nodiscard]] std::vector<KernelCandidate> refused() const {
    std::vector<KernelCandidate> result;
    const KernelCandidate* const chosen = find(name);
    if (!automatic || chosen == nullptr) return result;
    for (const KernelCandidate& one : candidates) {
      if (one.refusal != Refusal::none && one.cost < chosen->cost) result.push_back(one);
    }
    std::sort(result.begin(), result.end(),
              [](const auto& a, const auto& b) { return a.cost < b.cost; });
    return result;
  }
};

}  // namespace genten
