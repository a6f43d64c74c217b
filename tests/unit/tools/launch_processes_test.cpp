// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Cores of the processes of a machine.
#include "tools/launch/processes.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using genten::tools::cores_of_process;
using genten::tools::CoreSet;

CoreSet cores(std::size_t from, std::size_t to) {
  CoreSet set;
  for (std::size_t core = from; core < to; ++core) set.set(core);
  return set;
}

TEST(CoresOfProcess, AloneHasAllThatItMayRunOn) {
  const std::vector<CoreSet> one = {cores(4, 12)};
  EXPECT_EQ(cores_of_process(one, 0), 8U);
}

TEST(CoresOfProcess, BoundProcessesHaveTheirOwn) {
  const std::vector<CoreSet> bound = {cores(0, 4), cores(4, 8), cores(8, 9)};
  EXPECT_EQ(cores_of_process(bound, 0), 4U);
  EXPECT_EQ(cores_of_process(bound, 1), 4U);
  EXPECT_EQ(cores_of_process(bound, 2), 1U);
}

TEST(CoresOfProcess, ThoseOfAContainerAreDividedWhateverTheMachineHas) {
  for (const std::size_t processes : {2, 3, 4, 8}) {
    const std::vector<CoreSet> unbound(processes, cores(16, 24));
    for (std::size_t rank = 0; rank < processes; ++rank) {
      EXPECT_EQ(cores_of_process(unbound, rank), 8 / processes);
    }
  }
}

TEST(CoresOfProcess, WhatSomeShareIsDividedAmongThem) {
  const std::vector<CoreSet> sockets = {cores(0, 6), cores(0, 6), cores(0, 6), cores(6, 12)};
  EXPECT_EQ(cores_of_process(sockets, 0), 2U);
  EXPECT_EQ(cores_of_process(sockets, 2), 2U);
  EXPECT_EQ(cores_of_process(sockets, 3), 6U);
}

TEST(CoresOfProcess, AtLeastOne) {
  const std::vector<CoreSet> crowded(5, cores(0, 2));
  EXPECT_EQ(cores_of_process(crowded, 4), 1U);
}

}  // namespace
