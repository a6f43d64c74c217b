// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Whether this process can be put under a limit.

#include <sys/resource.h>

namespace genten_test {

/// Whether a limit on address space is kept. qemu's emulators of processors say so, and do not.
[[nodiscard]] inline bool address_space_can_be_limited() {
  rlimit before{};
  if (getrlimit(RLIMIT_AS, &before) != 0) return false;
  const rlim_t most = rlim_t{1} << 50;  // more than there is
  const rlimit tried{before.rlim_cur < most ? before.rlim_cur - 1 : most, before.rlim_max};
  rlimit after{};
  const bool kept = setrlimit(RLIMIT_AS, &tried) == 0 && getrlimit(RLIMIT_AS, &after) == 0 &&
                    after.rlim_cur == tried.rlim_cur;
  setrlimit(RLIMIT_AS, &before);
  return kept;
}

}  // namespace genten_test
