// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel sorted where it fuses several groups of modes by the tuples that occur, or one that
// leaves out more than one mode, against the serial reference.

#include "memory_recorder.hpp"
#include "pair_recipes.hpp"
#include "sorted_plans.hpp"

namespace {

using genten_test::fused_sets;
using genten_test::make_tensor;
using genten_test::mttkrp_agrees;
using genten_test::mttkrp_reference;
using genten_test::PlainTensor;
using genten_test::random_factors;
using Recipe = genten_test::PairRecipe;
using genten_test::Sets;

/// Caches so small that small tensors leave them.
genten::MachineProperties machine() {
  return genten_test::machine_with_caches(1 << 13, 1 << 16, 1 << 21);
}

const std::vector<Recipe>& recipes = genten_test::pair_recipes();

template <class Combination>
class PairFusion : public genten_test::SortedPlans<Combination> {
 protected:
  using Base = genten_test::SortedPlans<Combination>;
  using Plan = typename Base::Plan;

  Plan fusing_plan(const Recipe& recipe, const PlainTensor& tensor, std::size_t rank) {
    Plan plan = this->make(tensor, rank, {.machine = machine(), .sweeps = 10.0}, recipe.updates);
    EXPECT_EQ(fused_sets(Base::choice_of(plan)), recipe.sets) << plan.describe();
    return plan;
  }
};
TYPED_TEST_SUITE(PairFusion, genten_test::HostTypes, genten_test::TypeNames);

TYPED_TEST(PairFusion, Agrees) {
  for (const Recipe& recipe : recipes) {
    const PlainTensor tensor = make_tensor(recipe);
    for (const std::size_t rank : {5, 16}) {
      if (rank == 16 && recipe.dimensions.front() > 900) continue;
      const auto plain = random_factors(tensor, rank);
      const auto factors = TestFixture::make(plain);
      auto plan = this->fusing_plan(recipe, tensor, rank);
      for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
        this->expect_mttkrp(plan, tensor, plain, factors, static_cast<int>(mode));
      }
    }
  }
}

// A sweep as ALS makes it: sums by tuple of a group are made once, where the first of its modes is
// updated, or before where it goes on at the beginning of the next sweep.
TYPED_TEST(PairFusion, SweepsThatTellVersionsAgree) {
  constexpr std::size_t rank = 6;
  for (const Recipe& recipe : {recipes[0], recipes[1], recipes[3], recipes[5]}) {
    const PlainTensor tensor = make_tensor(recipe);
    auto plan = this->fusing_plan(recipe, tensor, rank);
    std::vector<int> updates = recipe.updates;
    if (updates.empty()) updates = genten::natural_mode_order(tensor.order());
    this->expect_sweeps(plan, tensor, updates, rank);
  }
}

TYPED_TEST(PairFusion, IsNotDoneWhereItDoesNotPay) {
  const auto sets_of = [&](const Recipe& recipe, double sweeps) {
    const auto plan = this->make(make_tensor(recipe), 16, {.machine = machine(), .sweeps = sweeps});
    return fused_sets(TestFixture::choice_of(plan));
  };
  Recipe recipe = recipes[0];
  EXPECT_EQ(sets_of(recipe, 3.0), Sets{});
  recipe.tuples = 20'000;
  EXPECT_EQ(sets_of(recipe, 10.0), Sets{});
  recipe = recipes[0];
  recipe.sets = {{0, 2}, {1, 3}};
  EXPECT_EQ(sets_of(recipe, 10.0), Sets{}) << "no neighbours";
}

TYPED_TEST(PairFusion, TakesTheMemoryThatIsForecast) {
  if (sizeof(typename TestFixture::Ordinal) > 4) GTEST_SKIP() << "subscripts would be copied";
  for (Recipe recipe : recipes) {
    recipe.nonzeros = 200'000;
    const auto tensor = TestFixture::make(make_tensor(recipe));
    static_cast<void>(tensor.facts());  // looks at all nonzeros when it is first asked
    const genten_test::MemoryRecorder recorder(TestFixture::Exec::memory_space::name());
    const typename TestFixture::Plan plan(
        this->exec, tensor, 5, {.kernel = "sorted", .machine = machine(), .sweeps = 10.0},
        recipe.updates);
    const double needed = plan.choice().find("sorted")->memory;
    // Distinct values are looked for before a kernel is chosen.
    constexpr double hash_table = 256 << 10;
    EXPECT_NEAR(recorder.peak(), needed, std::max(0.1 * needed, hash_table)) << plan.describe();
  }
}

// Only the first group, the longest, has an order of its own; the others' is that in which the
// records lie by its tuples.
TYPED_TEST(PairFusion, RecordsOfTuplesThatLieInTheOrderOfLaterGroupsAreNotSorted) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  using genten::kernels::Sorted;
  if constexpr (sizeof(typename TestFixture::Ordinal) > 4) {
    GTEST_SKIP() << "subscripts would be copied";
  } else {
    const PlainTensor plain = make_tensor({.dimensions = {900, 500, 300, 200},
                                           .sets = {{0, 1}},
                                           .tuples = 6000,
                                           .nonzeros = 200'000,
                                           .distinct_values = 0x1p53});
    constexpr std::size_t rank = 5;
    const genten::RelabeledTensor<Real, std::uint32_t, Space> tensor(TestFixture::make(plain));
    auto problem = genten::detail::problem_without_values(tensor, rank);
    problem.tuples = {{{0, 1}, 5900.0, true}};
    problem.groups = {{{0, 1}, true}, {{2}}, {{3}}};
    const auto machine = genten_test::machine_with_caches(1 << 19, 1 << 18, 1 << 26);
    Sorted::Tuning tuning;
    tuning.low_reuse = 1e9;
    const double needed = Sorted::memory(problem, machine, tuning).peak;
    const genten_test::MemoryRecorder recorder(Space::memory_space::name());
    Sorted::Prepared<Real, std::uint32_t, Space> prepared(this->exec, tensor, problem, machine,
                                                          tuning);
    EXPECT_NEAR(recorder.peak(), needed, std::max(0.1 * needed, 262'144.0));
    const auto& choice = prepared.choice();
    EXPECT_FALSE(choice.lies_as_packed(choice.orders[0])) << choice.describe();
    EXPECT_TRUE(choice.lies_as_packed(choice.orders[1])) << choice.describe();
    EXPECT_FALSE(choice.may_use_up_records(2));
    EXPECT_EQ(prepared.distinct_copies(), (std::vector<std::size_t>{0, 1}));
    const auto factors = random_factors(plain, rank);
    const auto matrices = TestFixture::make(factors);
    for (std::size_t m = 0; m < plain.order(); ++m) {
      const typename TestFixture::Matrix output(plain.dimensions[m], rank);
      prepared.run(
          this->exec,
          genten::detail::factor_set_of(std::span<const typename TestFixture::Matrix>(matrices),
                                        rank, genten::FactorVersions{}),
          static_cast<int>(m), output);
      this->exec.fence();
      EXPECT_TRUE(mttkrp_agrees(output, mttkrp_reference(plain, factors, m))) << "mode " << m;
    }
  }
}

// Samples of skewed tuples make sets look better than they are, one after another.
TYPED_TEST(PairFusion, WhatWasCountedIsFusedThoughOtherSetsDisappointed) {
  using Real = typename TestFixture::Scalar;
  constexpr std::size_t order = 5, tuples = 3000, nonzeros = 60'000;
  std::mt19937_64 random(3);
  for (const double skew : {2.0, 4.0, 8.0}) {
    const auto draw = [&](std::size_t count) {
      const double share = static_cast<double>(random() >> 11) * 0x1p-53;
      return static_cast<std::size_t>(std::pow(share, skew) * static_cast<double>(count));
    };
    std::vector<std::vector<std::size_t>> list(tuples);
    for (auto& tuple : list) {
      for (std::size_t n = 0; n + 1 < order; ++n) tuple.push_back(draw(1500));
    }
    PlainTensor plain{std::vector<std::size_t>(order, 1500), {}, {}};
    for (std::size_t p = 0; p < nonzeros; ++p) {
      plain.subscripts.push_back(list[draw(tuples)]);
      plain.subscripts.back().push_back(draw(1500));
      plain.values.push_back(static_cast<double>(p));
    }
    genten::RelabeledTensor<Real, genten::RowNumber, genten::HostExec> tensor(
        genten_test::to_sptensor<Real, genten::RowNumber, genten::HostExec>(plain));
    auto problem = genten::detail::problem_without_values(tensor, 128 / sizeof(Real));
    problem.sweeps = 10.0;
    const auto small = genten_test::machine_with_caches(1 << 13, 1 << 14, 1 << 21);
    const genten::HostExec host;
    const auto counts = genten::detail::tuples_to_sort(host, tensor, problem, small);
    const auto& all = tensor.tuples(host, genten::cyclic_neighbours(problem.update_order));
    const auto counted = [](const auto& one) { return one.counted; };
    EXPECT_GT(std::count_if(all.begin(), all.end(), counted), 4) << skew;
    EXPECT_TRUE(std::all_of(counts.begin(), counts.end(), counted)) << skew;
    EXPECT_FALSE(counts.empty()) << skew;
    EXPECT_EQ(genten::detail::tuples_to_sort(host, tensor, problem, small), counts) << skew;
    problem.tuples = counts;
    EXPECT_TRUE(genten::sorts_tuples(genten::kernels::Sorted::choose_groups(problem, small, {})))
        << skew;
  }
}

template <class Scalar>
std::string hash_of_mttkrps(const Recipe& recipe) {
  using Matrix = genten::FacMatrix<Scalar, genten::HostExec>;
  constexpr std::size_t rank = 17;
  const PlainTensor tensor = make_tensor(recipe);
  const genten::HostExec exec;
  genten::MttkrpPlan<Scalar, std::uint32_t, genten::HostExec> plan(
      exec, genten_test::to_sptensor<Scalar, std::uint32_t, genten::HostExec>(tensor), rank,
      {.kernel = "sorted", .machine = machine(), .sweeps = 10.0}, recipe.updates);
  EXPECT_EQ(fused_sets(*plan.template choice_of<genten::kernels::Sorted>()), recipe.sets);
  std::vector<Matrix> factors;
  for (const auto& plain : random_factors(tensor, rank)) {
    genten_test::assign(factors.emplace_back(plain.rows, plain.columns), plain);
  }
  genten_test::BitHash hash;
  genten_test::add_bits(hash, genten_test::mttkrps(exec, plan, factors));
  return hash.text();
}

TEST(PairFusionBits, AreTheSameForOneTwoAndThreeThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    std::string text;
    for (Recipe recipe : {recipes[0], recipes[1], recipes[5]}) {
      recipe.nonzeros = 120'000;  // more than one chunk
      text += hash_of_mttkrps<float>(recipe) + " " + hash_of_mttkrps<double>(recipe) + " ";
    }
    return text;
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0].find("no result"), std::string::npos) << results[0];
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
