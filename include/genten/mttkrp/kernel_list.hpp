// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The list of MTTKRP kernels. A new kernel is one header and one line here: help texts, tests,
/// benchmarks and instantiation iterate the list, and nothing else names a kernel. What a kernel
/// must offer is the concept MttkrpKernel.

#include <genten/mttkrp/kernel_concept.hpp>
#include <genten/mttkrp/kernels/atomic.hpp>
#include <genten/mttkrp/kernels/duplicated.hpp>
#include <genten/mttkrp/kernels/permuted.hpp>
#include <genten/mttkrp/kernels/sorted/sorted.hpp>
#include <genten/mttkrp/kernels/team.hpp>

#include <string>
#include <vector>

namespace genten {

/// A list of kernels, each of which is checked when compiled.
template <class... Kernels>
struct KernelTypes : private CheckedKernel<Kernels>... {
  /// Calls `visit.template operator()<Kernel>()` for each kernel, in order.
  template <class Visitor>
  static void for_each(Visitor&& visit) {
    (visit.template operator()<Kernels>(), ...);
  }
};

/// All kernels, in the order in which help and reports name them.
using KernelList = KernelTypes<  //
    kernels::Atomic,             //
    kernels::Team,               //
    kernels::Permuted,           //
    kernels::Duplicated,         //
    kernels::Sorted>;

/// Names of the kernels that run on `Exec`, in the order of the list.
template <ExecutionSpace Exec>
[[nodiscard]] std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  KernelList::for_each([&]<class Kernel>() {
    if (Kernel::template supports<Exec>) names.emplace_back(Kernel::name);
  });
  return names;
}

}  // namespace genten
