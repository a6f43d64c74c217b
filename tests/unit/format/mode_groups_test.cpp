// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/format/packed_tensor.hpp>

#include "reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using genten::choose_mode_groups;
using genten::ModeGroup;
using Partition = std::vector<std::vector<int>>;

Partition groups(const std::vector<std::size_t>& dimensions, const std::vector<int>& order,
                 const genten::FusionLimits& limits) {
  Partition result;
  for (const auto& group : choose_mode_groups(dimensions, order, limits)) {
    result.push_back(group.modes);
  }
  return result;
}

TEST(ModeGroupsTest, PartitionsByHand) {
  EXPECT_EQ(groups({100, 2, 3, 100}, {0, 1, 2, 3}, {10}), (Partition{{0}, {1, 2}, {3}}));
  EXPECT_EQ(groups({100, 2, 3, 100}, {0, 1, 2, 3}, {5}), (Partition{{0}, {1}, {2}, {3}}));
  EXPECT_EQ(groups({100, 2, 3, 100}, {2, 0, 3, 1}, {10}), (Partition{{2}, {0}, {3}, {1}}));
  EXPECT_EQ(groups({4, 3, 5}, {0, 1, 2}, {60}), (Partition{{0, 1, 2}}));
  // Two groups either way; {0, 1} {2} has 6 + 50 tuples, {0} {1, 2} has 2 + 150.
  EXPECT_EQ(groups({2, 3, 50}, {0, 1, 2}, {200}), (Partition{{0, 1}, {2}}));
  EXPECT_EQ(groups({7}, {0}, {0}), (Partition{{0}}));
}

// Tuples that leave the cache are fused only where they are few more than rows were before.
TEST(ModeGroupsTest, FarTuplesAreNotFused) {
  EXPECT_EQ(groups({40, 35, 30, 45}, {0, 1, 2, 3}, {1e6, 2000, 3}), (Partition{{0, 1}, {2, 3}}));
  EXPECT_EQ(groups({900, 5000, 2}, {0, 1, 2}, {1e6, 2000, 3}), (Partition{{0}, {1, 2}}));
  EXPECT_EQ(groups({900, 5000, 4}, {0, 1, 2}, {1e6, 2000, 3}), (Partition{{0}, {1}, {2}}));
}

// Against all 2^(N-1) ways to cut the list of modes.
TEST(ModeGroupsTest, ChoiceIsTheBestOfAllPartitions) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t order = 1 + random() % 7;
    std::vector<std::size_t> dimensions(order);
    for (auto& length : dimensions) length = 1 + random() % 12;
    std::vector<int> updates(order);
    std::iota(updates.begin(), updates.end(), 0);
    std::shuffle(updates.begin(), updates.end(), random);
    genten::FusionLimits limits{static_cast<double>(random() % 300)};
    if (trial % 2 == 1) {
      limits.cached_tuples = static_cast<double>(random() % 100);
      limits.most_growth = static_cast<double>(random() % 5);
    }
    const auto measure = [&](const Partition& partition) {
      double tuples = 0.0;
      bool allowed = true;
      for (const auto& group : partition) {
        double box = 1.0, longest = 0.0;
        for (const int mode : group) {
          const auto rows = static_cast<double>(dimensions[static_cast<std::size_t>(mode)]);
          box *= rows;
          longest = std::max(longest, rows);
        }
        const bool near = box <= limits.cached_tuples || box <= limits.most_growth * longest;
        allowed = allowed && (group.size() == 1 || (box <= limits.most_tuples && near));
        tuples += box;
      }
      return std::tuple{!allowed, partition.size(), tuples};
    };
    auto best = std::tuple{true, std::size_t{100}, 0.0};
    for (unsigned cuts = 0; cuts < 1u << (order - 1); ++cuts) {
      Partition partition{{updates[0]}};
      for (std::size_t k = 1; k < order; ++k) {
        if ((cuts >> (k - 1) & 1u) != 0) partition.push_back({});
        partition.back().push_back(updates[k]);
      }
      best = std::min(best, measure(partition));
    }
    const Partition chosen = groups(dimensions, updates, limits);
    EXPECT_EQ(measure(chosen), best) << "trial " << trial;
    std::vector<int> joined;
    for (const auto& group : chosen) joined.insert(joined.end(), group.begin(), group.end());
    EXPECT_EQ(joined, updates) << "trial " << trial;
  }
}

TEST(FuseModesTest, SubscriptsComeBackFromFusedKeys) {
  const Exec exec{};
  const auto tensor = genten_test::random_tensor({.dimensions = {50, 3, 40, 4, 5}, .nnz = 500});
  const std::vector<ModeGroup> parts{{{2}}, {{4, 1}}, {{0}}, {{3}}};
  const auto fused = genten::pack_records(
      exec, genten::RelabeledTensor(genten_test::to_sptensor<double, std::uint32_t, Exec>(tensor)),
      parts);
  ASSERT_TRUE(fused.has_value());
  std::set<std::pair<std::size_t, std::size_t>> occurring;
  for (const auto& at : tensor.subscripts) occurring.insert({at[4], at[1]});
  const auto& tuples = fused->tuples[1].subscripts;
  EXPECT_EQ(fused->dimensions, (std::vector<std::size_t>{40, occurring.size(), 50, 4}));
  ASSERT_EQ(tuples.extent(0), occurring.size());
  EXPECT_EQ(fused->tuples[0].size(), 0u);
  const auto& layout = fused->layout;
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    const std::uint64_t* const record = &fused->records(p * static_cast<std::size_t>(layout.words));
    const auto row = layout.fields[1].get(record);
    const std::vector<std::size_t> back{layout.fields[2].get(record), tuples(row, 1),
                                        layout.fields[0].get(record), layout.fields[3].get(record),
                                        tuples(row, 0)};
    ASSERT_EQ(back, tensor.subscripts[p]) << "nonzero " << p;
    ASSERT_EQ(layout.value(record, fused->dictionary.data()), tensor.values[p]) << "nonzero " << p;
  }
  std::set<std::pair<std::size_t, std::size_t>> listed;
  for (std::size_t t = 0; t < tuples.extent(0); ++t) listed.insert({tuples(t, 0), tuples(t, 1)});
  EXPECT_EQ(listed, occurring);
}

}  // namespace
