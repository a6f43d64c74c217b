// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Work that threads share by blocks.
#include "../../../src/io/file/blocks.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace genten::test {
namespace {

TEST(Blocks, WorkersAreAsManyAsThreadsBlocksAndWishesAllow) {
  const HostExec host;
  const auto threads = static_cast<std::size_t>(host.concurrency());
  EXPECT_EQ(detail::worker_count(host, 1000000, 0), threads);
  EXPECT_EQ(detail::worker_count(host, 1000000, 1000000), threads);
  EXPECT_EQ(detail::worker_count(host, 1000000, 1), 1U);
  EXPECT_EQ(detail::worker_count(host, 1, 0), 1U);
  EXPECT_EQ(detail::worker_count(host, 0, 0), 1U);
}

TEST(Blocks, EveryBlockIsTakenOnce) {
  for (const std::size_t blocks : {0U, 1U, 2U, 1000U}) {
    std::vector<std::atomic<int>> taken(blocks);
    std::atomic<std::size_t> beyond{0};
    detail::for_each_block("genten::test_blocks", HostExec(), 2, blocks,
                           [&](std::size_t block, std::size_t worker) {
                             if (block < blocks) {
                               ++taken[block];
                             } else {
                               ++beyond;
                             }
                             if (worker >= 2) ++beyond;
                           });
    for (const auto& count : taken) EXPECT_EQ(count, 1);
    EXPECT_EQ(beyond, 0U);
  }
}

TEST(Blocks, WhatABlockThrowsIsThrown) {
  const auto body = [](std::size_t block, std::size_t) {
    if (block == 3) throw std::length_error("block 3");
  };
  EXPECT_THROW(detail::for_each_block("genten::test_blocks", HostExec(), 2, 10, body),
               std::length_error);
  EXPECT_NO_THROW(detail::for_each_block("genten::test_blocks", HostExec(), 2, 3, body));
}

TEST(Blocks, AMeterCountsThoseThatAreDone) {
  WorkMeter meter;
  EXPECT_EQ(meter.read().step, nullptr);
  const detail::BlockWork work{.threads = 2, .meter = &meter};
  work.begin("counting", 100);
  EXPECT_STREQ(meter.read().step, "counting");
  EXPECT_EQ(meter.read().done, 0U);
  const auto nothing = [](std::size_t, std::size_t) {};
  detail::for_each_block("genten::test_blocks", HostExec(), 2, 100, nothing, work.meter);
  EXPECT_EQ(meter.read().done, 100U);
  EXPECT_EQ(meter.read().total, 100U);
  EXPECT_GE(meter.read().seconds, 0.0);
  meter.begin("next", 7);
  EXPECT_EQ(meter.read().done, 0U);
  EXPECT_EQ(meter.read().total, 7U);
}

TEST(Blocks, TheLowestNumberStays) {
  std::atomic<std::size_t> least{10};
  detail::atomic_lower(least, 11);
  EXPECT_EQ(least, 10U);
  detail::atomic_lower(least, 4);
  EXPECT_EQ(least, 4U);
}

}  // namespace
}  // namespace genten::test
