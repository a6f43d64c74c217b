// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_support.hpp"

#include "tools/launch/processes.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace genten_test {
namespace {
genten::Communicator* the_processes = nullptr;
}
genten::Communicator& processes() {
  return *the_processes;
}
}  // namespace genten_test

// Started by mpirun, or alone as one process. Every process runs all tests, and one that fails on
// any process fails; only process 0 says what went well.
int main(int argc, char* argv[]) {
  ::testing::InitGoogleTest(&argc, argv);
  const auto module = genten::tools::start_processes(genten::tools::find_launch());
  genten::SingleProcess alone;
  genten::Communicator& processes = module ? module->processes() : alone;
  genten_test::the_processes = &processes;
  if (processes.process() != 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  // Each process takes a device of its own where there are as many.
  std::vector<std::string> arguments(argv, argv + argc);
  if (module) arguments = genten::tools::process_arguments(arguments, *module);
  std::vector<char*> given;
  for (std::string& argument : arguments) given.push_back(argument.data());
  given.push_back(nullptr);
  int count = static_cast<int>(arguments.size());
  const Kokkos::ScopeGuard kokkos(count, given.data());
  if (module && processes.process() == 0)
    std::printf("%zu processes, %s\n", processes.size(), module->library());
  const auto results = genten::all_gather(processes, RUN_ALL_TESTS());
  return *std::max_element(results.begin(), results.end());
}
