// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

// Kokkos takes its own arguments (--kokkos-...) out of argv, GoogleTest takes the rest.
int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
