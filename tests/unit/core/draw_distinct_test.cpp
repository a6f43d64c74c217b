// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/generate.hpp>

#include "memory_recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace {

using genten::HostExec;
using genten::offset_t;
using genten::TensorRecipe;
namespace detail = genten::detail;

/// The count of draws below `end` that each entry has.
using Counts = std::map<std::vector<std::uint64_t>, double>;

Counts count_draws(const TensorRecipe& recipe, std::uint64_t seed, offset_t begin, offset_t end) {
  const detail::SubscriptDraws draws(recipe.dimensions, recipe.exponents, recipe.clusters, seed);
  Counts counts;
  for (offset_t t = begin; t < end; ++t) {
    std::vector<std::uint64_t> entry;
    for (int n = 0; n < draws.order(); ++n) {
      entry.push_back(draws.subscript(t, draws.cluster(t), n));
    }
    counts[entry] += 1.0;
  }
  return counts;
}

Counts counts_of(const detail::DistinctSubscripts<double, std::uint32_t>& entries) {
  Counts counts;
  for (std::size_t p = 0; p < entries.subscripts.extent(0); ++p) {
    std::vector<std::uint64_t> entry;
    for (std::size_t n = 0; n < entries.subscripts.extent(1); ++n) {
      entry.push_back(entries.subscripts(p, n));
    }
    EXPECT_TRUE(counts.emplace(entry, entries.values(p)).second) << "an entry is there twice";
  }
  return counts;
}

TensorRecipe counted_recipe() {
  return {.name = "test",
          .dimensions = {40, 30, 20},
          .nonzeros = 3000,
          .exponents = {.5, .9, .2},
          .clusters = 2,
          .values = genten::ValueKind::counts};
}

/// All draws of [begin, end) that are chosen, merged.
detail::DistinctSubscripts<double, std::uint32_t> draw_range(const TensorRecipe& recipe,
                                                             const detail::DrawChoice& choice,
                                                             offset_t begin, offset_t end) {
  auto store = detail::draws_of(HostExec(), recipe, 7, choice, begin);
  detail::DrawPeers nobody;
  const auto wanted = offset_t{1} << 40;  // never met: all draws count
  return detail::draw_distinct<double, std::uint32_t>(
      HostExec(), store, {wanted, end, end},
      detail::RecipeValues<double>(genten::ValueKind::counts, 7), nobody);
}

TEST(DrawDistinct, NumbersBeyond32Bits) {
  const TensorRecipe recipe = counted_recipe();
  const offset_t begin = (offset_t{1} << 32) - 2000, end = begin + 9000;
  EXPECT_EQ(counts_of(draw_range(recipe, {}, begin, end)), count_draws(recipe, 7, begin, end));
}

TEST(DrawDistinct, GoesOnFromFewDrawsOverTheLimitOf32BitNumbers) {
  // Rounds that begin with narrow numbers and end with wide ones.
  const TensorRecipe recipe = counted_recipe();
  const offset_t begin = (offset_t{1} << 32) - 2000;
  auto store = detail::draws_of(HostExec(), recipe, 7, {}, begin);
  detail::DrawPeers nobody;
  const auto entries = detail::draw_distinct<double, std::uint32_t>(
      HostExec(), store, {3000, begin + 1500, begin + 1'000'000},
      detail::RecipeValues<double>(genten::ValueKind::counts, 7), nobody);
  Counts expected;
  offset_t end = begin;
  for (; expected.size() < 3000; ++end) {
    for (const auto& [entry, count] : count_draws(recipe, 7, end, end + 1))
      expected[entry] += count;
  }
  ASSERT_GT(end, offset_t{1} << 32);
  EXPECT_EQ(counts_of(entries), expected);
}

TEST(DrawnEntries, CountsEachEntryOnceByTheDrawThatWasFirst) {
  TensorRecipe recipe = counted_recipe();
  recipe.dimensions = {400, 300, 20};
  const offset_t draws = 60'000;  // many chunks of them
  auto store = detail::draws_of(HostExec(), recipe, 7, {}, 0);
  store.draw_to(draws);
  const detail::DrawnEntries<HostExec, std::uint32_t> entries(
      HostExec(),
      detail::sorted_keys(HostExec(), store.packing(), store.template take<std::uint32_t>()));
  constexpr std::uint64_t from = 10'000;
  constexpr int bits = 4;
  constexpr std::size_t bins = 2000;
  std::vector<std::uint64_t> expected(bins, 0);
  Counts seen;
  for (offset_t t = 0; t < draws; ++t) {
    const auto [entry, count] = *count_draws(recipe, 7, t, t + 1).begin();
    const std::uint64_t after = static_cast<std::uint64_t>(t) - from;  // huge before
    if (seen.emplace(entry, count).second && after >> bits < bins) ++expected[after >> bits];
  }
  ASSERT_GT(seen.size(), 10'000u);
  EXPECT_EQ(entries.count_first_draws(from, bits, bins), expected);
}

TEST(DrawChoice, TheTwoSidesOfCutsHaveAllDrawsBetweenThem) {
  const TensorRecipe recipe = counted_recipe();
  const offset_t draws = 20'000;
  const Counts all = count_draws(recipe, 7, 0, draws);
  // A cut within a row of the second mode, and one between rows of the third.
  const detail::DrawCut within{1, false, {17, 12, 9}}, between{2, false, {0, 0, 11}};
  Counts together;
  std::size_t smallest = all.size();
  for (const bool above : {false, true}) {
    for (const bool second : {false, true}) {
      detail::DrawChoice choice{{within, between}};
      choice.cuts[0].above = above;
      choice.cuts[1].above = second;
      const Counts part = counts_of(draw_range(recipe, choice, 0, draws));
      smallest = std::min(smallest, part.size());
      for (const auto& [entry, count] : part) {
        EXPECT_EQ(entry[2] >= 11, second);
        EXPECT_EQ(entry[1] != 12 ? entry[1] > 12 : entry >= std::vector<std::uint64_t>({17, 12, 9}),
                  above);
        EXPECT_TRUE(together.emplace(entry, count).second) << "on two sides";
      }
    }
  }
  EXPECT_GT(smallest, 100u);
  EXPECT_EQ(together, all);
}

TEST(DrawChoice, ASampleHasItsPartOfTheEntriesWithAllTheirDraws) {
  const TensorRecipe recipe = counted_recipe();
  const Counts all = count_draws(recipe, 7, 0, 20'000);
  detail::DrawChoice quarter;
  quarter.sample = std::uint64_t{1} << 62;
  const Counts sample = counts_of(draw_range(recipe, quarter, 0, 20'000));
  for (const auto& [entry, count] : sample) EXPECT_EQ(all.at(entry), count);
  const double expected = static_cast<double>(all.size()) / 4.0;
  EXPECT_NEAR(static_cast<double>(sample.size()), expected, 5.0 * std::sqrt(expected));
}

/// That four million nonzeros take the memory that is asked for.
template <class Scalar>
void check_memory(const std::vector<std::size_t>& dimensions) {
  const TensorRecipe recipe{.name = "test",
                            .dimensions = dimensions,
                            .nonzeros = 4'000'000,
                            .exponents = {},
                            .clusters = 1,
                            .values = genten::ValueKind::uniform};
  const genten_test::MemoryRecorder memory(Kokkos::HostSpace::name());
  const auto tensor = genten::generate_sparse<Scalar>(HostExec(), recipe, 7);
  const double forecast = detail::bytes_to_draw<Scalar, std::uint32_t>(
      recipe.dimensions, {.nonzeros = 4e6, .nonzeros_of_all = 4e6});
  // Pages are large ones, and arrays whole pages.
  EXPECT_LT(memory.peak(), 1.1 * forecast);
  EXPECT_GT(memory.peak(), 0.9 * forecast);
}

TEST(GenerateSparse, TakesTheMemoryThatItAsksFor) {
  check_memory<double>({1000, 1000, 1000});
}

TEST(GenerateSparse, TakesTheMemoryThatItAsksForWhereKeysHaveThreeWords) {
  check_memory<float>(std::vector<std::size_t>(5, std::size_t{1} << 22));
}

TEST(BytesToDraw, OfASmallPartCountsTheWideNumbersOfALargeTensor) {
  const std::vector<std::size_t> dimensions(3, 1'000'000);
  const auto bytes = [&](double nonzeros_of_all) {
    return detail::bytes_to_draw<float, std::uint32_t>(
        dimensions, {.nonzeros = 1e9, .nonzeros_of_all = nonzeros_of_all});
  };
  // Sorting takes keys of 8 bytes and numbers twice.
  EXPECT_DOUBLE_EQ(bytes(4e9), 1.01e9 * 24.0);
  EXPECT_DOUBLE_EQ(bytes(8e9), 1.01e9 * 32.0);
}

TEST(RowsOfModel, AreNoMoreThanNonzeros) {
  const std::vector<std::size_t> dimensions{10, 1000, 100'000};
  EXPECT_EQ(detail::rows_of_model(dimensions, 500.0), 1010.0);
  EXPECT_EQ(detail::rows_of_model(dimensions, std::numeric_limits<double>::infinity()), 101'010.0);
}

}  // namespace
