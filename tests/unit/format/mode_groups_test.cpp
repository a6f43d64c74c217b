// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/format/packed_tensor.hpp>

#include "reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using genten::ModeGroup;
using Partition = std::vector<std::vector<int>>;

std::vector<Partition> partitions(const std::vector<std::size_t>& dimensions,
                                  const std::vector<int>& order, double most_tuples) {
  std::vector<Partition> result;
  for (const auto& groups : genten::partition_modes(dimensions, order, most_tuples)) {
    auto& partition = result.emplace_back();
    for (const auto& group : groups) partition.push_back(group.modes);
  }
  return result;
}

TEST(ModeGroupsTest, PartitionsByHand) {
  const Partition single{{0}, {1}, {2}, {3}};
  EXPECT_EQ(partitions({100, 2, 3, 100}, {0, 1, 2, 3}, 10),
            (std::vector<Partition>{{{0}, {1, 2}, {3}}, single}));
  EXPECT_EQ(partitions({100, 2, 3, 100}, {0, 1, 2, 3}, 5), (std::vector<Partition>{single}));
  EXPECT_EQ(partitions({100, 2, 3, 100}, {2, 0, 3, 1}, 10),
            (std::vector<Partition>{{{2}, {0}, {3}, {1}}}));
  // Two groups either way; {0, 1} {2} has 6 + 50 tuples, {0} {1, 2} has 2 + 150.
  EXPECT_EQ(partitions({2, 3, 50}, {0, 1, 2}, 200),
            (std::vector<Partition>{{{0, 1}, {2}}, {{0}, {1}, {2}}}));
  EXPECT_EQ(partitions({4, 3, 5}, {0, 1, 2}, 60),
            (std::vector<Partition>{{{0, 1, 2}}, {{0, 1}, {2}}, {{0}, {1}, {2}}}));
  EXPECT_EQ(partitions({7}, {0}, 0), (std::vector<Partition>{{{0}}}));
}

// Against all 2^(N-1) ways to cut the list of modes.
TEST(ModeGroupsTest, EachIsTheBestOfAllWithAsManyGroups) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t order = 1 + random() % 7;
    std::vector<std::size_t> dimensions(order);
    for (auto& length : dimensions) length = 1 + random() % 12;
    std::vector<int> updates(order);
    std::iota(updates.begin(), updates.end(), 0);
    std::shuffle(updates.begin(), updates.end(), random);
    const auto most_tuples = static_cast<double>(random() % 300);
    const auto tuples_of = [&](const Partition& partition) {
      double tuples = 0.0;
      for (const auto& group : partition) {
        double box = 1.0;
        for (const int mode : group) {
          box *= static_cast<double>(dimensions[static_cast<std::size_t>(mode)]);
        }
        if (group.size() > 1 && box > most_tuples) return std::numeric_limits<double>::infinity();
        tuples += box;
      }
      return tuples;
    };
    std::map<std::size_t, double> fewest;  // by groups
    for (unsigned cuts = 0; cuts < 1u << (order - 1); ++cuts) {
      Partition partition{{updates[0]}};
      for (std::size_t k = 1; k < order; ++k) {
        if ((cuts >> (k - 1) & 1u) != 0) partition.push_back({});
        partition.back().push_back(updates[k]);
      }
      const double tuples = tuples_of(partition);
      if (std::isinf(tuples)) continue;
      auto& least = fewest.try_emplace(partition.size(), tuples).first->second;
      least = std::min(least, tuples);
    }
    const auto found = partitions(dimensions, updates, most_tuples);
    ASSERT_EQ(found.size(), fewest.size()) << "trial " << trial;
    auto expected = fewest.begin();
    for (const Partition& partition : found) {
      EXPECT_EQ(partition.size(), expected->first) << "trial " << trial;
      EXPECT_EQ(tuples_of(partition), expected++->second) << "trial " << trial;
      std::vector<int> joined;
      for (const auto& group : partition) joined.insert(joined.end(), group.begin(), group.end());
      EXPECT_EQ(joined, updates) << "trial " << trial;
    }
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
