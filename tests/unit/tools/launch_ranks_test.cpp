// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Cores of the ranks of a machine.
#include "tools/launch/ranks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using genten::tools::cores_of_rank;
using genten::tools::CoreSet;

CoreSet cores(std::size_t from, std::size_t to) {
  CoreSet set;
  for (std::size_t core = from; core < to; ++core) set.set(core);
  return set;
}

TEST(CoresOfRank, AloneHasAllThatItMayRunOn) {
  const std::vector<CoreSet> one = {cores(4, 12)};
  EXPECT_EQ(cores_of_rank(one, 0), 8U);
}

TEST(CoresOfRank, BoundRanksHaveTheirOwn) {
  const std::vector<CoreSet> bound = {cores(0, 4), cores(4, 8), cores(8, 9)};
  EXPECT_EQ(cores_of_rank(bound, 0), 4U);
  EXPECT_EQ(cores_of_rank(bound, 1), 4U);
  EXPECT_EQ(cores_of_rank(bound, 2), 1U);
}

TEST(CoresOfRank, ThoseOfAContainerAreDividedWhateverTheMachineHas) {
  for (const std::size_t ranks : {2, 3, 4, 8}) {
    const std::vector<CoreSet> unbound(ranks, cores(16, 24));
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      EXPECT_EQ(cores_of_rank(unbound, rank), 8 / ranks);
    }
  }
}

TEST(CoresOfRank, WhatSomeShareIsDividedAmongThem) {
  const std::vector<CoreSet> sockets = {cores(0, 6), cores(0, 6), cores(0, 6), cores(6, 12)};
  EXPECT_EQ(cores_of_rank(sockets, 0), 2U);
  EXPECT_EQ(cores_of_rank(sockets, 2), 2U);
  EXPECT_EQ(cores_of_rank(sockets, 3), 6U);
}

TEST(CoresOfRank, AtLeastOne) {
  const std::vector<CoreSet> crowded(5, cores(0, 2));
  EXPECT_EQ(cores_of_rank(crowded, 4), 1U);
}

}  // namespace
