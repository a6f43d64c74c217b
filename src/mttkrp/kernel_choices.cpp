// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mttkrp/detail/choose_kernel_impl.hpp>

GENTEN_ETI_SPACES(GENTEN_ETI_CHOOSE_KERNEL, )

namespace genten {

std::vector<std::string> kernel_choices() {
  auto choices = kernel_names<Kokkos::DefaultExecutionSpace>();
  choices.insert(choices.begin(), "auto");
  return choices;
}

}  // namespace genten
