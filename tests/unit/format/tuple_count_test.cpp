// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// count_tuples: which modes have few distinct tuples, and how many.

#include <genten/core/generate.hpp>
#include <genten/format/tuple_count.hpp>

#include <gtest/gtest.h>

#include <set>

namespace {

using genten::HostExec;
using genten::offset_t;

std::optional<genten::TupleCount> count(const genten::TensorRecipe& recipe) {
  const HostExec exec;
  const auto tensor = genten::generate_sparse<double>(exec, recipe, 5);
  const double most = static_cast<double>(tensor.nnz()) / 8.0;
  const auto counted =
      genten::count_tuples(exec, tensor.subscripts(), tensor.nnz(), tensor.order(), most, false);
  const auto probed =
      genten::count_tuples(exec, tensor.subscripts(), tensor.nnz(), tensor.order(), most, true);
  EXPECT_EQ(counted.has_value(), probed.has_value());
  if (!counted || !probed) return counted;
  std::set<std::vector<std::uint32_t>> tuples;
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    std::vector<std::uint32_t> tuple;
    for (const int mode : counted->modes) tuple.push_back(tensor.subscripts()(p, mode));
    tuples.insert(tuple);
  }
  const auto exact = static_cast<double>(tuples.size());
  EXPECT_NEAR(counted->tuples, exact, 0.1 * exact + 100.0);
  // The sample is of nonzeros.
  EXPECT_EQ(counted->modes, probed->modes);
  EXPECT_NEAR(probed->tuples, exact, 0.15 * exact);
  return counted;
}

TEST(CountTuples, FindsTheModesThatShareItems) {
  for (const std::size_t run : {10, 44, 1000}) {
    SCOPED_TRACE(run);
    const auto mails = count({.name = "mails",
                              .dimensions = {3000, 4000, 50000, 900},
                              .nonzeros = 200'000,
                              .exponents = {.8, .8, .9, .3},
                              .runs = {run, run, 1, run}});
    ASSERT_TRUE(mails.has_value());
    EXPECT_EQ(mails->modes, (std::vector<int>{0, 1, 3}));
  }
}

TEST(CountTuples, FindsNothingWhereTuplesAreManyThoughTheyShareNonzeros) {
  EXPECT_FALSE(count({.name = "baskets",
                      .dimensions = {3000, 40000, 900},
                      .nonzeros = 200'000,
                      .exponents = {.8, .9, .3},
                      .runs = {4, 1, 4}}));
}

TEST(CountTuples, FindsNothingWhereSubscriptsAreDrawnAlone) {
  EXPECT_FALSE(count({.name = "x", .dimensions = {3000, 4000, 5000}, .nonzeros = 200'000}));
  // Busy items meet often, and yet there are hardly fewer tuples than nonzeros.
  EXPECT_FALSE(count({.name = "x",
                      .dimensions = {3000, 4000, 50000, 900},
                      .nonzeros = 200'000,
                      .exponents = {.9, .9, .9, .3}}));
  EXPECT_FALSE(count({.name = "matrix", .dimensions = {30, 40000}, .nonzeros = 200'000}));
}

}  // namespace
