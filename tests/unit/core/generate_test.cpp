// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/generate.hpp>

#include "thread_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace {

using genten::HostExec;
using genten::offset_t;
using genten::TensorRecipe;

template <class Scalar, class Ordinal, class Exec>
std::vector<std::size_t> row(const genten::Sptensor<Scalar, Ordinal, Exec>& tensor, offset_t p) {
  std::vector<std::size_t> subscripts;
  for (int n = 0; n < tensor.order(); ++n) subscripts.push_back(tensor.subscripts()(p, n));
  return subscripts;
}

/// Checks that subscripts are distinct and in lexicographic order.
template <class Tensor>
void expect_sorted(const Tensor& tensor) {
  for (offset_t p = 1; p < tensor.nnz(); ++p) ASSERT_LT(row(tensor, p - 1), row(tensor, p)) << p;
}

template <class Tensor>
void expect_same_bits(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.dimensions(), b.dimensions());
  ASSERT_EQ(a.nnz(), b.nnz());
  for (offset_t p = 0; p < a.nnz(); ++p) {
    ASSERT_EQ(row(a, p), row(b, p)) << p;
    ASSERT_EQ(a.values()(p), b.values()(p)) << p;
  }
}

/// The recipe of a tensor by an independent serial route: one draw after another into a map.
std::map<std::vector<std::size_t>, double> drawn_one_by_one(const TensorRecipe& recipe,
                                                            std::uint64_t seed) {
  const genten::detail::SubscriptDraws draws(recipe.dimensions, recipe.exponents, recipe.clusters,
                                             seed, recipe.runs);
  std::map<std::vector<std::size_t>, double> counts;
  for (offset_t t = 0; counts.size() < static_cast<std::size_t>(recipe.nonzeros); ++t) {
    std::vector<std::size_t> subscripts;
    for (int n = 0; n < draws.order(); ++n) {
      subscripts.push_back(draws.subscript(t, draws.cluster(t), n));
    }
    counts[subscripts] += 1.0;
  }
  return counts;
}

TEST(PowerLaw, FollowsThePopularityOfRanks) {
  constexpr int samples = 200'000;
  for (const double exponent : {0.0, 0.3, 0.9, 1.0, 1.3}) {
    constexpr std::uint64_t size = 1000;
    const genten::detail::PowerLaw law(size, exponent);
    std::vector<double> seen(size, 0.0);
    for (int s = 0; s < samples; ++s) {
      const std::uint64_t k = law((s + 0.5) / samples);  // quantiles, evenly spaced
      ASSERT_LT(k, size);
      seen[k] += 1.0 / samples;
    }
    double total = 0.0;
    for (std::size_t k = 0; k < size; ++k) total += std::pow(k + 1.0, -exponent);
    // Within what the continuous law differs from the discrete one, plus the sampling's step.
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{500}}) {
      const double expected = std::pow(k + 1.0, -exponent) / total;
      EXPECT_NEAR(seen[k], expected, 0.12 * expected + 2.0 / samples) << exponent << " " << k;
    }
  }
}

TEST(PowerLaw, StaysInRangeAtTheEnds) {
  for (const double exponent : {0.0, 0.5, 1.0, 3.0}) {
    for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1} << 40}) {
      const genten::detail::PowerLaw law(size, exponent);
      EXPECT_EQ(law(0.0), 0u);
      EXPECT_LT(law(1.0 - 0x1.0p-53), size);
    }
  }
}

TEST(Scatter, IsABijection) {
  for (const std::size_t size : {1u, 2u, 3u, 24u, 183u, 1000u, 4096u, 4097u}) {
    for (const std::uint64_t seed : {1u, 99u}) {
      const genten::detail::Scatter scatter(size, seed);
      std::vector<bool> hit(size, false);
      for (std::size_t k = 0; k < size; ++k) {
        const std::uint64_t to = scatter(k);
        ASSERT_LT(to, size);
        EXPECT_FALSE(hit[to]) << size;
        hit[to] = true;
      }
    }
  }
}

TEST(GenerateSparse, GivesTheNonzerosAskedForDistinctAndSorted) {
  const TensorRecipe recipe{.name = "test",
                            .dimensions = {50, 40, 30, 2},
                            .nonzeros = 5000,
                            .exponents = {.9, 1.1, .2, 0},
                            .clusters = 3,
                            .values = genten::ValueKind::counts};
  const auto tensor = genten::generate_sparse<double>(HostExec(), recipe, 7);
  EXPECT_EQ(tensor.nnz(), 5000);
  EXPECT_EQ(tensor.dimensions(), recipe.dimensions);
  expect_sorted(tensor);
}

/// Checks that counts are those of the draws up to the last new entry, and no others.
void expect_drawn_one_by_one(const TensorRecipe& recipe, std::uint64_t seed) {
  const auto expected = drawn_one_by_one(recipe, seed);
  const auto tensor = genten::generate_sparse<double>(HostExec(), recipe, seed);
  ASSERT_EQ(tensor.nnz(), static_cast<offset_t>(expected.size()));
  offset_t p = 0;
  double largest = 0.0;
  for (const auto& [subscripts, count] : expected) {
    ASSERT_EQ(row(tensor, p), subscripts);
    ASSERT_EQ(tensor.values()(p), count) << p;
    largest = std::max(largest, count);
    ++p;
  }
  EXPECT_GT(largest, 1.0);  // or the counts were not tested
}

TEST(GenerateSparse, AgreesWithDrawsMadeOneByOne) {
  TensorRecipe recipe{.name = "test",
                      .dimensions = {20, 30, 10},
                      .nonzeros = 2500,
                      .exponents = {.5, 1.0, .8},
                      .clusters = 2,
                      .values = genten::ValueKind::counts};
  expect_drawn_one_by_one(recipe, 11);
  // So many that the last draw is found in more than one step.
  recipe.dimensions = {100, 200, 50};
  recipe.nonzeros = 60'000;
  expect_drawn_one_by_one(recipe, 11);
  recipe.runs = {7, 1, 3};
  expect_drawn_one_by_one(recipe, 11);
}

/// Distinct pairs of subscripts in two modes.
template <class Tensor>
std::size_t distinct_pairs(const Tensor& tensor, int a, int b) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    pairs.emplace(tensor.subscripts()(p, a), tensor.subscripts()(p, b));
  }
  return pairs.size();
}

TEST(GenerateSparse, DrawsOfARunShareItems) {
  TensorRecipe recipe{.name = "mails", .dimensions = {300, 5000, 400}, .nonzeros = 8000};
  const auto alone = genten::generate_sparse<double>(HostExec(), recipe, 3);
  EXPECT_GT(distinct_pairs(alone, 0, 2), 7000u);
  recipe.runs = {40, 1, 40};
  const auto mails = genten::generate_sparse<double>(HostExec(), recipe, 3);
  ASSERT_EQ(mails.nnz(), 8000);
  expect_sorted(mails);
  // A mail has nearly 40 words, since few are drawn twice, and few mails are the same pair.
  EXPECT_NEAR(static_cast<double>(distinct_pairs(mails, 0, 2)), 200.0, 4.0);
  EXPECT_GT(distinct_pairs(mails, 0, 1), 7000u);
}

TEST(GenerateSparse, StopsAtTheLastEntryOfAFullTensor) {
  const TensorRecipe recipe{.name = "full",
                            .dimensions = {6, 5, 4},
                            .nonzeros = 120,
                            .values = genten::ValueKind::counts};
  for (const std::uint64_t seed : {1u, 2u, 3u}) expect_drawn_one_by_one(recipe, seed);
}

TEST(GenerateSparse, SeedsAndScalarsAndOrdinals) {
  TensorRecipe recipe{.name = "test", .dimensions = {100, 200, 300}, .nonzeros = 3000};
  recipe.values = genten::ValueKind::uniform;
  const auto a = genten::generate_sparse<double>(HostExec(), recipe, 1);
  expect_same_bits(a, genten::generate_sparse<double>(HostExec(), recipe, 1));
  const auto other = genten::generate_sparse<double>(HostExec(), recipe, 2);
  EXPECT_NE(row(a, 0), row(other, 0));
  const auto narrow = genten::generate_sparse<float, std::uint64_t>(HostExec(), recipe, 1);
  ASSERT_EQ(narrow.nnz(), a.nnz());
  for (offset_t p = 0; p < a.nnz(); ++p) {
    EXPECT_EQ(row(a, p), row(narrow, p));
    EXPECT_EQ(static_cast<float>(a.values()(p)), narrow.values()(p));
    EXPECT_GT(a.values()(p), 0.0);
    EXPECT_LE(a.values()(p), 1.0);
  }
}

TEST(GenerateSparse, KindsOfValues) {
  TensorRecipe recipe{.name = "test", .dimensions = {1000, 1000}, .nonzeros = 20'000};
  recipe.values = genten::ValueKind::ones;
  const auto ones = genten::generate_sparse<double>(HostExec(), recipe, 3);
  recipe.values = genten::ValueKind::normal;
  const auto normal = genten::generate_sparse<double>(HostExec(), recipe, 3);
  double sum = 0.0, squares = 0.0;
  for (offset_t p = 0; p < 20'000; ++p) {
    EXPECT_EQ(ones.values()(p), 1.0);
    sum += normal.values()(p);
    squares += normal.values()(p) * normal.values()(p);
  }
  EXPECT_NEAR(sum / 20'000, 0.0, 5.0 / std::sqrt(20'000.0));
  EXPECT_NEAR(squares / 20'000, 1.0, 5.0 * std::sqrt(2.0 / 20'000.0));
}

TEST(GenerateSparse, KeysOfSeveralWords) {
  // 5 modes of 30 bits: three sort keys.
  const std::size_t length = std::size_t{1} << 30;
  const TensorRecipe recipe{.name = "wide",
                            .dimensions = {length, length, length, length, length},
                            .nonzeros = 2000,
                            .exponents = {1.2, 1.2, 1.2, 1.2, 0}};
  const auto tensor = genten::generate_sparse<double>(HostExec(), recipe, 5);
  EXPECT_EQ(tensor.nnz(), 2000);
  expect_sorted(tensor);
  const std::size_t huge = (std::size_t{1} << 62) + 12345;  // a key of its own
  const TensorRecipe longest{.name = "long", .dimensions = {huge, 3, huge}, .nonzeros = 500};
  const auto wide = genten::generate_sparse<double, std::uint64_t>(HostExec(), longest, 5);
  EXPECT_EQ(wide.nnz(), 500);
  expect_sorted(wide);
}

TEST(GenerateSparse, FullAndEmptyTensors) {
  TensorRecipe recipe{.name = "full", .dimensions = {3, 4, 5}, .nonzeros = 60};
  EXPECT_EQ(genten::generate_sparse<double>(HostExec(), recipe, 1).nnz(), 60);
  recipe.nonzeros = 0;
  EXPECT_EQ(genten::generate_sparse<double>(HostExec(), recipe, 1).nnz(), 0);
  // Nearly all draws hit the same few elements: fewer than asked for, and no endless loop.
  recipe.nonzeros = 60;
  recipe.exponents = {6, 6, 6};
  const auto few = genten::generate_sparse<double>(HostExec(), recipe, 1);
  EXPECT_GT(few.nnz(), 5);
  EXPECT_LT(few.nnz(), 60);
  expect_sorted(few);
}

TEST(GenerateSparse, ClustersShareNoFavourites) {
  // One favourite a mode and cluster at such an exponent: four clusters, four hot elements.
  TensorRecipe recipe{.name = "clusters",
                      .dimensions = {400, 400},
                      .nonzeros = 4,
                      .exponents = {12, 12},
                      .clusters = 4};
  const auto tensor = genten::generate_sparse<double>(HostExec(), recipe, 1);
  std::set<std::size_t> rows, columns;
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    rows.insert(row(tensor, p)[0]);
    columns.insert(row(tensor, p)[1]);
  }
  EXPECT_EQ(rows.size(), 4u);
  EXPECT_EQ(columns.size(), 4u);
}

TEST(GenerateSparse, RefusesWhatCannotBe) {
  const auto generate = [](const TensorRecipe& recipe) {
    return genten::generate_sparse<double>(HostExec(), recipe, 1);
  };
  const auto message = [&](const TensorRecipe& recipe) {
    try {
      generate(recipe);
    } catch (const genten::Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_NE(message({.name = "x", .dimensions = {}, .nonzeros = 1}).find("order"),
            std::string::npos);
  EXPECT_NE(message({.name = "x", .dimensions = {2, 2}, .nonzeros = 5}).find("nonzeros"),
            std::string::npos);
  EXPECT_NE(message({.name = "x", .dimensions = {2, 2}, .nonzeros = -1}).find("nonzeros"),
            std::string::npos);
  EXPECT_NE(message({.name = "x", .dimensions = {2, 2}, .nonzeros = 1, .exponents = {1}})
                .find("exponents"),
            std::string::npos);
  EXPECT_NE(message({.name = "x", .dimensions = {2, 2}, .nonzeros = 1, .exponents = {1, -1}})
                .find("exponents"),
            std::string::npos);
  EXPECT_NE(message({.name = "x", .dimensions = {2}, .nonzeros = 1, .clusters = 0}).find("cluster"),
            std::string::npos);
  EXPECT_NE(
      message({.name = "x", .dimensions = {2, 2}, .nonzeros = 1, .runs = {2, 3}}).find("runs of 1"),
      std::string::npos);
  EXPECT_NE(message({.name = "x", .dimensions = {2}, .nonzeros = 1, .runs = {0}}).find("runs"),
            std::string::npos);
  EXPECT_NE(
      message({.name = "x", .dimensions = {2}, .nonzeros = 1, .runs = {2, 2}}).find("1 modes"),
      std::string::npos);
  EXPECT_NE(
      message({.name = "x", .dimensions = {std::size_t{1} << 33}, .nonzeros = 1}).find("64-bit"),
      std::string::npos);
}

TEST(NamedRecipes, AreDistinctAndConsistent) {
  std::set<std::string> names;
  for (const auto& recipe : genten::named_recipes()) {
    EXPECT_TRUE(names.insert(recipe.name).second) << recipe.name;
    EXPECT_EQ(recipe.dimensions.size(), recipe.exponents.size()) << recipe.name;
    EXPECT_GT(recipe.nonzeros, 1'000'000) << recipe.name;
    const auto tensor = genten::generate_sparse<float>(HostExec(), genten::scaled(recipe, 1e-3), 1);
    EXPECT_EQ(tensor.nnz(), std::llround(1e-3 * static_cast<double>(recipe.nonzeros)))
        << recipe.name;
  }
  for (const char* name : {"uber", "nell2", "enron", "vast", "lbnl", "uniform", "delicious",
                           "mails", "baskets", "triples"}) {
    EXPECT_EQ(genten::named_recipe(name).name, name);
  }
  EXPECT_THROW((void)genten::named_recipe("no such"), genten::Error);
}

TEST(ScaledRecipe, KeepsDensity) {
  const auto& uniform = genten::named_recipe("uniform");
  const auto small = genten::scaled(uniform, 0.125);
  EXPECT_EQ(small.nonzeros, 1'250'000);
  EXPECT_EQ(small.dimensions, (std::vector<std::size_t>{15000, 20000, 25000}));
  EXPECT_EQ(genten::scaled(genten::named_recipe("vast"), 1e-6).dimensions[2], 2u);
  EXPECT_EQ(genten::scaled(uniform, 1.0).dimensions, uniform.dimensions);
  EXPECT_THROW((void)genten::scaled(uniform, 0.0), genten::Error);
}

/// Entry of a model by the formula, without the library's code.
template <class Model>
double entry(const Model& model, const std::vector<std::size_t>& subscripts) {
  double sum = 0.0;
  for (std::size_t r = 0; r < model.rank(); ++r) {
    double product = model.weights()(r);
    for (int n = 0; n < model.order(); ++n) product *= model.factor(n)(subscripts[n], r);
    sum += product;
  }
  return sum;
}

TEST(GenerateLowRank, ObservesTheModel) {
  const TensorRecipe recipe{
      .name = "test", .dimensions = {30, 40, 50}, .nonzeros = 4000, .exponents = {.5, 0, 1}};
  const auto [tensor, model] = genten::generate_low_rank<double>(HostExec(), recipe, 5, 0.0, 3);
  ASSERT_EQ(tensor.nnz(), 4000);
  EXPECT_EQ(model.rank(), 5u);
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    const double expected = entry(model, row(tensor, p));
    ASSERT_NEAR(tensor.values()(p), expected, 1e-14 * std::fabs(expected));
  }
}

TEST(GenerateLowRank, NoiseIsRelativeToTheValues) {
  const TensorRecipe recipe{.name = "test", .dimensions = {300, 400, 500}, .nonzeros = 40'000};
  const auto [tensor, model] =
      genten::generate_low_rank<double>(HostExec(), recipe, 4, 0.25, 3, genten::FactorKind::normal);
  double noise = 0.0, signal = 0.0;
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    const double expected = entry(model, row(tensor, p));
    signal += expected * expected;
    noise += std::pow(tensor.values()(p) - expected, 2);
  }
  EXPECT_NEAR(std::sqrt(noise / signal), 0.25, 0.25 * 5.0 / std::sqrt(2.0 * 40'000));
  EXPECT_THROW((void)genten::generate_low_rank(HostExec(), recipe, 4, -1.0, 3), genten::Error);
}

TEST(GeneratePlanted, HoldsAllOfTheModel) {
  const auto [tensor, model] =
      genten::generate_planted<double>(HostExec(), {12, 14, 9}, 3, 4, 0.0, 5);
  expect_sorted(tensor);
  EXPECT_LE(tensor.nnz(), 3 * 64);
  std::map<std::vector<std::size_t>, double> stored;
  for (offset_t p = 0; p < tensor.nnz(); ++p) stored[row(tensor, p)] = tensor.values()(p);
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 0; j < 14; ++j) {
      for (std::size_t k = 0; k < 9; ++k) {
        const auto found = stored.find({i, j, k});
        const double value = found == stored.end() ? 0.0 : found->second;
        ASSERT_NEAR(value, entry(model, {i, j, k}), 1e-15);
      }
    }
  }
  EXPECT_THROW((void)genten::generate_planted(HostExec(), {12, 3}, 3, 4, 0.0, 5), genten::Error);
}

TEST(GenerateSparse, SameBitsForAnyNumberOfThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const TensorRecipe recipe{.name = "test",
                              .dimensions = {500, 400, 300},
                              .nonzeros = 60'000,
                              .exponents = {.9, 1.1, .2},
                              .clusters = 4,
                              .values = genten::ValueKind::counts};
    genten_test::BitHash hash;
    for (const auto& tensor :
         {genten::generate_sparse<double>(HostExec(), recipe, 9),
          genten::generate_low_rank<double>(HostExec(), recipe, 3, 0.1, 9).tensor}) {
      hash.add(tensor.nnz());
      for (offset_t p = 0; p < tensor.nnz(); ++p) {
        for (const auto subscript : row(tensor, p)) hash.add(subscript);
        hash.add(tensor.values()(p));
      }
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// Also where the library is not compiled for it.
#ifdef KOKKOS_ENABLE_SERIAL
TEST(GenerateSparse, DrawsTheSameWithoutThreads) {
  const TensorRecipe recipe{.name = "test", .dimensions = {500, 400, 300}, .nonzeros = 20'000};
  const auto parallel = genten::generate_sparse<double>(HostExec(), recipe, 9);
  const auto serial = genten::generate_sparse<double>(Kokkos::Serial(), recipe, 9);
  ASSERT_EQ(parallel.nnz(), serial.nnz());
  for (offset_t p = 0; p < serial.nnz(); ++p) ASSERT_EQ(row(parallel, p), row(serial, p));
}
#endif

}  // namespace
