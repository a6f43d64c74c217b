// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_support.hpp"

#include "tools/launch/ranks.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace genten_test {
namespace {
genten::Communicator* the_ranks = nullptr;
}
genten::Communicator& ranks() {
  return *the_ranks;
}
}  // namespace genten_test

// Started by mpirun, or alone as one rank. Every rank runs all tests, and one that fails on any
// rank fails; only rank 0 says what went well.
int main(int argc, char* argv[]) {
  ::testing::InitGoogleTest(&argc, argv);
  const auto module = genten::tools::start_ranks(genten::tools::find_launch());
  genten::SingleRank alone;
  genten::Communicator& ranks = module ? module->ranks() : alone;
  genten_test::the_ranks = &ranks;
  if (ranks.rank() != 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  // Each rank takes a device of its own where there are as many.
  std::vector<std::string> arguments(argv, argv + argc);
  if (module) arguments = genten::tools::rank_arguments(arguments, *module);
  std::vector<char*> given;
  for (std::string& argument : arguments) given.push_back(argument.data());
  given.push_back(nullptr);
  int count = static_cast<int>(arguments.size());
  const Kokkos::ScopeGuard kokkos(count, given.data());
  if (module && ranks.rank() == 0) std::printf("%zu ranks, %s\n", ranks.size(), module->library());
  const auto results = genten::all_gather(ranks, RUN_ALL_TESTS());
  return *std::max_element(results.begin(), results.end());
}
