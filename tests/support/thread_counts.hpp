// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Running the same test with several numbers of threads. Kokkos takes its threads when it is
/// initialized and keeps them, so each number gets a child process of the test program.

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <array>
#include <bit>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <type_traits>

#include <unistd.h>

#include "places.hpp"

namespace genten_test {

/// FNV-1a over the bits of what it is given.
class BitHash {
 public:
  template <class Number>
  void add(Number number) {
    using Bits = std::conditional_t<sizeof(Number) == 4, std::uint32_t, std::uint64_t>;
    const auto bits = std::bit_cast<Bits>(number);
    for (std::size_t byte = 0; byte < sizeof(Bits); ++byte) {
      m_hash = (m_hash ^ ((bits >> (8 * byte)) & 0xff)) * 0x100000001b3ULL;
    }
  }
  [[nodiscard]] std::string text() const { return std::to_string(m_hash); }

 private:
  std::uint64_t m_hash = 0xcbf29ce484222325ULL;
};

/// What `compute` returns (one line of text) in child processes with 1, 2 and 3 threads, in which
/// the calling test runs again. Call it in a test as
///   if (!has_threads()) GTEST_SKIP() << "this host backend has one thread";
///   const auto results = with_thread_counts(compute);
///   if (in_child()) return;
/// A child that fails or has another number of threads gives a text that says so.
inline constexpr const char* child_variable = "GENTEN_TEST_THREADS";

[[nodiscard]] inline bool in_child() {
  return std::getenv(child_variable) != nullptr;
}

/// Whether the host backend can have another number of threads than one.
[[nodiscard]] inline bool has_threads() {
  return std::string(Kokkos::DefaultHostExecutionSpace::name()) != "Serial";
}

template <class Compute>
[[nodiscard]] std::array<std::string, 3> with_thread_counts(const Compute& compute) {
  const std::string mark = "result of child: ";
  if (in_child()) {
    const int threads = static_cast<int>(Kokkos::DefaultHostExecutionSpace().concurrency());
    std::cout << mark << threads << " threads " << compute() << std::endl;
    return {};
  }
  std::array<char, PATH_MAX> path{};
  EXPECT_GT(readlink("/proc/self/exe", path.data(), path.size() - 1), 0);
  const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(test->test_suite_name()) + "." + test->name();
  std::array<std::string, 3> results;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const std::string threads = std::to_string(k + 1);
    // A child's only test may belong to another shard than the one that runs here.
    const std::string command =
        "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX OMP_NUM_THREADS=" + threads +
        " OMP_PROC_BIND=false " + child_variable + "=" + threads + " " + emulator() + "'" +
        path.data() + "' --gtest_filter=" + name + " 2>&1";
    std::FILE* const pipe = popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer{};
    while (pipe != nullptr && std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
      output += buffer.data();
    }
    EXPECT_TRUE(pipe != nullptr && pclose(pipe) == 0) << output;
    const std::string expected = mark + threads + " threads ";
    const auto at = output.find(expected);
    if (at == std::string::npos) {
      results[k] = "no result with " + threads + " threads: " + output;
      continue;
    }
    const auto begin = at + expected.size();
    results[k] = output.substr(begin, output.find('\n', begin) - begin);
  }
  return results;
}

}  // namespace genten_test
