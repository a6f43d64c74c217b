// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/instruction_set.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <utility>

namespace {

/// Two threads that wait by spinning for microseconds only, unless the environment says otherwise:
/// tests of thousands of short loops would take ten times as long, or minutes on a busy machine.
/// OpenMP's runtime has read its variables before main, so the program starts itself once more.
void start_again_with_few_patient_threads(char* argv[]) {
  bool changed = false;
  for (const auto& [name, value] : {std::pair{"OMP_NUM_THREADS", "2"},
                                    {"OMP_PROC_BIND", "false"},
                                    {"OMP_WAIT_POLICY", "passive"},
                                    {"GOMP_SPINCOUNT", "10000"}}) {
    if (std::getenv(name) != nullptr) continue;
    changed = setenv(name, value, 0) == 0 || changed;
  }
  if (changed) execv("/proc/self/exe", argv);  // where there is none, the tests are slower
}

/// Whether the processor lacks the instruction set that the environment asks for.
bool lacks_instruction_set() {
  const char* const asked = std::getenv("GENTEN_ISA");
  if (asked == nullptr || *asked == '\0') return false;
  const auto sets = genten::instruction_sets();
  return std::find(sets.begin(), sets.end(), asked) == sets.end();
}

}  // namespace

// GoogleTest takes its own arguments out of argv, Kokkos takes the rest (--kokkos-...). ctest reads
// the list of tests from the output: Kokkos, which may print, is not started for that.
int main(int argc, char* argv[]) {
  start_again_with_few_patient_threads(argv);
  ::testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  if (lacks_instruction_set()) {
    std::cout << "skipped: this processor lacks the instruction set of GENTEN_ISA\n";
    return 77;
  }
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
