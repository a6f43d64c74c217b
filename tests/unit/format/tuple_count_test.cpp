// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// count_tuples: which modes have few distinct tuples, and how many.

#include <genten/core/generate.hpp>
#include <genten/format/tuple_count.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace {

using genten::HostExec;
using genten::offset_t;

/// Of the sets of modes that follow each other, those that may have as few tuples as an eighth of
/// the nonzeros, and do when they are counted.
std::vector<std::vector<int>> few(const genten::TensorRecipe& recipe) {
  const HostExec exec;
  const auto tensor = genten::generate_sparse<double>(exec, recipe, 5);
  const double most = static_cast<double>(tensor.nnz()) / 8.0;
  const auto sets = genten::cyclic_neighbours(genten::natural_mode_order(recipe.dimensions.size()));
  const auto estimates = genten::estimate_tuples(tensor.subscripts(), tensor.nnz(), sets);
  EXPECT_EQ(estimates.size(), sets.size());
  std::vector<std::vector<int>> found;
  for (const auto& estimate : estimates) {
    EXPECT_FALSE(estimate.counted);
    std::set<std::vector<std::uint32_t>> tuples;
    for (offset_t p = 0; p < tensor.nnz(); ++p) {
      std::vector<std::uint32_t> tuple;
      for (const int mode : estimate.modes) tuple.push_back(tensor.subscripts()(p, mode));
      tuples.insert(tuple);
    }
    const auto exact = static_cast<double>(tuples.size());
    EXPECT_LE(estimate.tuples, 1.1 * exact);
    if (estimate.tuples > most) continue;
    for (const bool sorted : {false, true}) {
      const auto counted =
          genten::count_tuples(exec, tensor.subscripts(), tensor.nnz(), estimate.modes, sorted);
      EXPECT_TRUE(counted.counted);
      EXPECT_EQ(counted.modes, estimate.modes);
      EXPECT_NEAR(counted.tuples, exact, sorted ? 0.15 * exact : 0.1 * exact + 100.0);
    }
    if (exact <= most) found.push_back(estimate.modes);
  }
  return found;
}

TEST(CountTuples, FindsTheModesThatShareItems) {
  for (const std::size_t run : {10, 44, 1000}) {
    SCOPED_TRACE(run);
    const auto mails = few({.name = "mails",
                            .dimensions = {3000, 4000, 50000, 900},
                            .nonzeros = 200'000,
                            .exponents = {.8, .8, .9, .3},
                            .runs = {run, run, 1, run}});
    EXPECT_THAT(mails, testing::Contains(std::vector{0, 1, 3}));
    EXPECT_THAT(mails, testing::Contains(std::vector{0, 1}));
    EXPECT_THAT(mails, testing::Not(testing::Contains(std::vector{0, 1, 2})));
  }
}

TEST(CountTuples, FindsNothingWhereTuplesAreManyThoughTheyShareNonzeros) {
  EXPECT_THAT(few({.name = "baskets",
                   .dimensions = {3000, 40000, 900},
                   .nonzeros = 200'000,
                   .exponents = {.8, .9, .3},
                   .runs = {4, 1, 4}}),
              testing::IsEmpty());
}

TEST(CountTuples, FindsNothingWhereSubscriptsAreDrawnAlone) {
  EXPECT_THAT(few({.name = "x", .dimensions = {3000, 4000, 5000}, .nonzeros = 200'000}),
              testing::IsEmpty());
  // Busy items meet often, and yet there are hardly fewer tuples than nonzeros.
  EXPECT_THAT(few({.name = "x",
                   .dimensions = {3000, 4000, 50000, 900},
                   .nonzeros = 200'000,
                   .exponents = {.9, .9, .9, .3}}),
              testing::IsEmpty());
  EXPECT_THAT(few({.name = "matrix", .dimensions = {30, 40000}, .nonzeros = 200'000}),
              testing::IsEmpty());
}

}  // namespace
