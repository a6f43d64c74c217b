// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Indices that are shared out to the threads of a host.
#include <genten/base/detail/even_chunks.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using genten::HostExec;
using genten::detail::WorkStealingRange;

TEST(ForEachIndex, GivesEachIndexOnce) {
  for (const std::size_t count : {0, 1, 2, 3, 7, 100, 5000, 50000}) {
    std::vector<std::atomic<int>> calls(count);
    genten::detail::for_each_index("genten::test", HostExec(), count,
                                   [&](const std::size_t i) { ++calls[i]; });
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(calls[i], 1) << i << " of " << count;
  }
}

TEST(ForEachIndex, OneThreadTakesItsOwnPartAndThenWhatOthersHaveLeft) {
  WorkStealingRange indices(10, 3);  // parts from 0, 3 and 6 on
  std::vector<std::size_t> taken;
  indices.take(1, [&](const std::size_t i) { taken.push_back(i); });
  EXPECT_EQ(taken, (std::vector<std::size_t>{3, 4, 5, 6, 7, 8, 9, 0, 1, 2}));
  indices.take(0, [](const std::size_t i) { FAIL() << i; });
}

TEST(ForEachIndex, SeveralIndicesAtATimeEndWithTheirPart) {
  WorkStealingRange indices(10, 3, 2);
  std::vector<std::size_t> taken;
  indices.take(2, [&](const std::size_t i) { taken.push_back(i); });
  EXPECT_EQ(taken, (std::vector<std::size_t>{6, 7, 8, 9, 0, 1, 2, 3, 4, 5}));
}

TEST(ForEachIndex, ThreadsThatComeLateGetNothingTwice) {
  constexpr std::size_t count = 20000, threads = 4;
  for (int round = 0; round < 20; ++round) {
    WorkStealingRange indices(count, threads, round % 2 == 0 ? 1 : 7);
    std::vector<std::vector<std::size_t>> taken(threads);
    std::vector<std::thread> running;
    for (std::size_t t = 0; t < threads; ++t) {
      running.emplace_back(
          [&, t] { indices.take(t, [&](const std::size_t i) { taken[t].push_back(i); }); });
    }
    for (std::thread& each : running) each.join();
    std::vector<int> calls(count);
    for (const auto& of_thread : taken) {
      for (const std::size_t i : of_thread) ++calls[i];
    }
    ASSERT_EQ(std::accumulate(calls.begin(), calls.end(), std::size_t{0}), count);
    for (const int each : calls) ASSERT_EQ(each, 1);
  }
}

}  // namespace
