// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The buffer of OpenBLAS counts until it is mapped.

#include <genten/base/error.hpp>
#include <genten/dense/blas_buffer.hpp>
#include <genten/dense/spd_inverse.hpp>

#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "limits.hpp"

namespace {

/// Bytes of address space that this process has.
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4096;
}

[[noreturn]] void fail_with(const std::string& what) {
  std::cerr << what << '\n';
  std::_Exit(1);
}

/// Ends the process with 0 when OpenBLAS is refused its buffer as it should, with 2 where it wants
/// none.
[[noreturn]] void solve_without_room() {
  if (genten::blas_buffer_bytes() == 0.0) std::_Exit(2);
  const rlim_t room = address_space() + (std::size_t{100} << 20);
  const rlimit limit{room, room};
  setrlimit(RLIMIT_AS, &limit);
  if (genten::available_beside_blas() != 0.0) fail_with("the buffer does not count");
  try {
    static_cast<void>(genten::spd_inverse(genten::SmallMatrix(1, 4.0)));
  } catch (const genten::Error& error) {
    const bool right = error.kind() == genten::Error::Kind::memory &&
                       std::string(error.what()).find("ulimit -v") != std::string::npos;
    if (right) std::_Exit(0);
    fail_with(error.what());
  }
  fail_with("it was solved");
}

TEST(BlasBuffer, IsRefusedWhereALimitLeavesNoRoom) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "sanitizers reserve address space of their own";
#endif
  if (address_space() == 0) GTEST_SKIP() << "the system does not say";
  if (!genten_test::address_space_can_be_limited()) GTEST_SKIP() << "no limit is kept here";
  testing::FLAGS_gtest_death_test_style = "threadsafe";  // a process of its own, before any call
  const auto refused_or_unused = [](int status) {
    return testing::ExitedWithCode(0)(status) || testing::ExitedWithCode(2)(status);
  };
  EXPECT_EXIT(solve_without_room(), refused_or_unused, "");
}

TEST(BlasBuffer, IsMappedForGoodAtTheFirstCall) {
  static_cast<void>(genten::spd_inverse(genten::SmallMatrix(1, 4.0)));
  EXPECT_EQ(genten::blas_buffer_bytes(), 0.0);
  EXPECT_NO_THROW(genten::require_blas_buffer());
}

}  // namespace
