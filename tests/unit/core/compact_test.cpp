// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/compact.hpp>
#include <genten/core/random.hpp>
#include <genten/core/sptensor_ops.hpp>

#include <gtest/gtest.h>

#include <map>

namespace genten::test {
namespace {

template <class Ordinal>
void expect_compact(std::vector<std::size_t> dimensions, std::size_t count) {
  const std::size_t order = dimensions.size();
  std::vector<Ordinal> subscripts;
  std::vector<double> values;
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t n = 0; n < order; ++n) {
      subscripts.push_back(static_cast<Ordinal>(random_bits(7, p % 50, n) % dimensions[n]));
    }
    values.push_back(static_cast<double>(p) + 0.5);
  }
  const auto tensor =
      Sptensor<double, Ordinal, HostExec>::from_host(dimensions, subscripts, values);
  const auto compact = drop_empty_slices(HostExec(), tensor);
  ASSERT_EQ(compact.tensor.nnz(), tensor.nnz());
  ASSERT_EQ(compact.rows.size(), order);
  for (std::size_t n = 0; n < order; ++n) {
    const auto& rows = compact.rows[n];
    const auto mode = static_cast<int>(n);
    EXPECT_EQ(compact.tensor.dimension(mode), rows.size());
    std::map<Ordinal, std::size_t> used;
    for (std::size_t p = 0; p < count; ++p) used[subscripts[p * order + n]];
    std::size_t next = 0;
    for (auto& [row, place] : used) place = next++;
    ASSERT_EQ(rows.size(), used.size());
    for (const auto& [row, place] : used) EXPECT_EQ(rows[place], row);
    for (std::size_t p = 0; p < count; ++p) {
      ASSERT_EQ(compact.tensor.subscripts()(p, n), used.at(subscripts[p * order + n]));
    }
  }
  for (std::size_t p = 0; p < count; ++p) EXPECT_EQ(compact.tensor.values()(p), values[p]);
}

TEST(DropEmptySlices, ByMarksAndBySorting) {
  expect_compact<std::uint32_t>({3, 100, 4000000000U}, 60);
  expect_compact<std::uint32_t>({1}, 1);
  expect_compact<std::uint32_t>({5, 6}, 0);
}

TEST(DropEmptySlices, WhatIsKnownOfTheNonzerosStays) {
  const std::vector<std::uint32_t> subscripts = {3, 9, 5, 0, 5, 9};
  const auto tensor =
      sum_duplicates(HostExec(), Sptensor<double, std::uint32_t, HostExec>::from_host(
                                     {7, 10}, subscripts, std::vector<double>{1, 2, 3}))
          .tensor;
  ASSERT_EQ(tensor.facts(), (SptensorFacts{true, true}));
  const auto compact = drop_empty_slices(HostExec(), tensor).tensor;
  EXPECT_EQ(compact.facts(), tensor.facts());
  EXPECT_EQ(look_at_order(HostExec(), compact.subscripts()), tensor.facts());
}

TEST(DropEmptySlices, ModesOfHashes) {
  expect_compact<std::uint64_t>({std::size_t{1} << 40, 7, 9999999999999999999U}, 60);
}

}  // namespace
}  // namespace genten::test
