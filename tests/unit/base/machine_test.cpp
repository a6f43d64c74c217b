// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/machine.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

namespace {

TEST(Machine, HasTheCachesOfOneCore) {
  const genten::CacheSizes sizes = genten::host_cache_sizes();
  const auto machine = genten::MachineProperties::of(genten::HostExec());
  const genten::MachineProperties unknown;
  EXPECT_EQ(machine.l1_cache, sizes[0] > 0 ? sizes[0] : unknown.l1_cache);
  EXPECT_EQ(machine.l2_cache, sizes[1] > 0 ? sizes[1] : unknown.l2_cache);
  EXPECT_EQ(machine.shared_cache, sizes[2] > 0 ? sizes[2] : unknown.shared_cache);
  EXPECT_LT(machine.l1_cache, machine.l2_cache);
#ifdef _SC_LEVEL3_CACHE_SIZE
  // The C library's may be that of several core complexes together.
  if (const long told = sysconf(_SC_LEVEL3_CACHE_SIZE); told > 0) {
    EXPECT_LE(sizes[2], static_cast<double>(told));
  }
#endif
}

}  // namespace
