// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel sorted where it fuses groups of modes by the tuples that occur as for a device: with
// copies by row, against the serial reference. On hosts, too, which are told that they are one.

#include "memory_recorder.hpp"
#include "pair_recipes.hpp"
#include "sorted_plans.hpp"

namespace {

using genten_test::fused_sets;
using genten_test::make_tensor;
using genten_test::PairRecipe;
using genten_test::random_factors;
using genten_test::Sets;

template <class Combination>
class DevicePairs : public genten_test::SortedPlans<Combination> {
 protected:
  using Base = genten_test::SortedPlans<Combination>;
  using Plan = typename Base::Plan;
  static constexpr std::size_t rank = 128 / sizeof(typename Base::Scalar);

  /// Whose shared cache holds little.
  [[nodiscard]] genten::MachineProperties machine() const {
    auto result = genten::MachineProperties::of(this->exec);
    result.device = true;
    result.shared_cache = 1 << 16;
    return result;
  }
  /// So many nonzeros that passes over them take longer than they take to launch.
  static PairRecipe long_enough(PairRecipe recipe) {
    recipe.nonzeros = 400'000;
    return recipe;
  }
  Plan fusing_plan(const PairRecipe& recipe, const genten_test::PlainTensor& tensor) {
    Plan plan = this->make(tensor, rank, {.machine = machine(), .sweeps = 10.0}, recipe.updates);
    EXPECT_EQ(fused_sets(Base::choice_of(plan)), recipe.sets) << plan.describe();
    for (const auto& order : Base::choice_of(plan).orders) EXPECT_EQ(order.row_block_bits, 0);
    return plan;
  }
};
TYPED_TEST_SUITE(DevicePairs, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(DevicePairs, Agree) {
  for (const PairRecipe& short_recipe : genten_test::pair_recipes()) {
    const PairRecipe recipe = this->long_enough(short_recipe);
    const auto tensor = make_tensor(recipe);
    const auto plain = random_factors(tensor, this->rank);
    const auto factors = TestFixture::make(plain);
    auto plan = this->fusing_plan(recipe, tensor);
    for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
      this->expect_mttkrp(plan, tensor, plain, factors, static_cast<int>(mode));
    }
  }
}

TYPED_TEST(DevicePairs, AllModesButOneAgree) {
  const PairRecipe recipe = this->long_enough({.dimensions = {3000, 4000, 9000}, .sets = {{0, 2}}});
  const auto tensor = make_tensor(recipe);
  const auto plain = random_factors(tensor, this->rank);
  const auto factors = TestFixture::make(plain);
  auto plan = this->fusing_plan(recipe, tensor);
  for (int mode = 0; mode < 3; ++mode) this->expect_mttkrp(plan, tensor, plain, factors, mode);
}

TYPED_TEST(DevicePairs, SweepsThatTellVersionsAgree) {
  for (const std::size_t number : {0, 1, 3}) {
    const PairRecipe recipe = this->long_enough(genten_test::pair_recipes()[number]);
    const auto tensor = make_tensor(recipe);
    auto plan = this->fusing_plan(recipe, tensor);
    std::vector<int> updates = recipe.updates;
    if (updates.empty()) updates = genten::natural_mode_order(tensor.order());
    this->expect_sweeps(plan, tensor, updates, this->rank);
  }
}

TYPED_TEST(DevicePairs, AreNotFusedWhereThatDoesNotPay) {
  const auto sets_of = [&](const PairRecipe& recipe) {
    const auto plan =
        this->make(make_tensor(recipe), this->rank, {.machine = this->machine(), .sweeps = 10.0});
    return fused_sets(TestFixture::choice_of(plan));
  };
  PairRecipe recipe = genten_test::pair_recipes()[0];
  EXPECT_EQ(sets_of(recipe), Sets{}) << "launches take longer than what they spare";
  recipe = this->long_enough(recipe);
  recipe.tuples = 150'000;
  EXPECT_EQ(sets_of(recipe), Sets{}) << "two nonzeros a tuple";
}

TYPED_TEST(DevicePairs, TakeTheMemoryThatIsForecast) {
  if (genten::is_host_space<typename TestFixture::Exec>) {
    GTEST_SKIP() << "hosts sort tuples in other memory";
  }
  for (const PairRecipe& short_recipe : genten_test::pair_recipes()) {
    const PairRecipe recipe = this->long_enough(short_recipe);
    const auto tensor = TestFixture::make(make_tensor(recipe));
    static_cast<void>(tensor.facts());  // looks at all nonzeros when it is first asked
    const auto prepare = [&] {
      return typename TestFixture::Plan(
          this->exec, tensor, this->rank,
          {.kernel = "sorted", .machine = this->machine(), .sweeps = 10.0}, recipe.updates);
    };
    prepare();  // Kokkos keeps scratch memory of a device from launch to launch
    const genten_test::MemoryRecorder recorder(TestFixture::Exec::memory_space::name());
    const auto plan = prepare();
    const double needed = plan.choice().find("sorted")->memory;
    constexpr double hash_table = 256 << 10;
    EXPECT_NEAR(recorder.peak(), needed, std::max(0.1 * needed, hash_table)) << plan.describe();
  }
}

}  // namespace
