// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel sorted where it fuses groups of modes by the tuples that occur as on devices, with
// copies by row, against the serial reference. On hosts, too, which then are told to be one.

#include "memory_recorder.hpp"
#include "pair_recipes.hpp"
#include "sorted_plans.hpp"

namespace {

using genten::kernels::Sorted;
using genten_test::make_tensor;
using genten_test::PairRecipe;
using genten_test::random_factors;

template <class Combination>
class DevicePairs : public genten_test::SortedPlans<Combination> {
 protected:
  using Base = genten_test::SortedPlans<Combination>;
  using Exec = typename Base::Exec;
  using Scalar = typename Base::Scalar;
  using Matrix = typename Base::Matrix;
  using Tensor = genten::RelabeledTensor<Scalar, std::uint32_t, Exec>;
  using Prepared = Sorted::Prepared<Scalar, std::uint32_t, Exec>;

  [[nodiscard]] genten::MachineProperties machine() const {
    auto result = genten::MachineProperties::of(this->exec);
    result.device = true;
    return result;
  }

  /// What is prepared with the sets of the recipe fused.
  [[nodiscard]] genten::MttkrpProblem problem_of(const PairRecipe& recipe, Tensor& tensor,
                                                 std::size_t rank) const {
    auto problem = genten::detail::mttkrp_problem(this->exec, tensor, rank);
    if (!recipe.updates.empty()) problem.update_order = recipe.updates;
    for (const auto& set : recipe.sets) {
      problem.tuples.push_back(
          genten::count_tuples(this->exec, tensor.subscripts(), tensor.nnz(), set, false));
      EXPECT_LE(problem.tuples.back().tuples, 1.1 * static_cast<double>(recipe.tuples));
    }
    problem.groups = genten::detail::sorted_groups(problem, recipe.sets);
    return problem;
  }

  void run(Prepared& prepared, const std::vector<Matrix>& factors, int mode, const Matrix& output,
           const genten::FactorVersions& versions = {}) const {
    prepared.run(this->exec,
                 genten::detail::factor_set_of(std::span<const Matrix>(factors),
                                               factors.front().columns(), versions),
                 mode, output);
    this->exec.fence();
  }

  void compare(const PairRecipe& recipe, std::size_t rank) const {
    const auto plain = make_tensor(recipe);
    Tensor tensor(Base::make(plain));
    const auto values = random_factors(plain, rank);
    const auto factors = Base::make(values);
    Prepared prepared(this->exec, tensor, problem_of(recipe, tensor, rank), machine());
    EXPECT_EQ(genten_test::fused_sets(prepared.choice()), recipe.sets);
    for (std::size_t mode = 0; mode < plain.order(); ++mode) {
      const Matrix output(plain.dimensions[mode], rank);
      run(prepared, factors, static_cast<int>(mode), output);
      EXPECT_TRUE(
          genten_test::mttkrp_agrees(output, genten_test::mttkrp_reference(plain, values, mode)))
          << "mode " << mode << ", rank " << rank << ", " << prepared.choice().describe();
    }
  }
};
TYPED_TEST_SUITE(DevicePairs, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(DevicePairs, Agree) {
  for (const PairRecipe& recipe : genten_test::pair_recipes()) {
    for (const std::size_t rank : {5, 16}) {
      if (rank == 16 && recipe.dimensions.front() > 900) continue;
      this->compare(recipe, rank);
    }
  }
}

TYPED_TEST(DevicePairs, AllModesButOneAgree) {
  this->compare({.dimensions = {3000, 4000, 9000}, .sets = {{0, 2}}}, 16);
  this->compare({.dimensions = {300, 400, 900, 200}, .sets = {{0, 1, 3}}, .tuples = 5000}, 40);
}

TYPED_TEST(DevicePairs, SumsAreMadeAgainWhereFactorsOutsideHaveChanged) {
  constexpr std::size_t rank = 6;
  const PairRecipe& recipe = genten_test::pair_recipes()[0];
  const auto plain = make_tensor(recipe);
  typename TestFixture::Tensor tensor(TestFixture::make(plain));
  typename TestFixture::Prepared prepared(this->exec, tensor,
                                          this->problem_of(recipe, tensor, rank), this->machine());
  auto values = random_factors(plain, rank);
  const auto factors = TestFixture::make(values);
  genten::FactorVersions versions{};
  std::uint64_t version = 0;
  for (int n = 0; n < 4; ++n) versions[n] = ++version;
  for (unsigned sweep = 0; sweep < 3; ++sweep) {
    for (int mode = 0; mode < 4; ++mode) {
      const auto m = static_cast<std::size_t>(mode);
      this->run(prepared, factors, mode, factors[m], versions);
      EXPECT_TRUE(
          genten_test::mttkrp_agrees(factors[m], genten_test::mttkrp_reference(plain, values, m)))
          << "sweep " << sweep << ", mode " << mode;
      values[m] = genten_test::random_matrix(plain.dimensions[m], rank, 10 * sweep + 20);
      genten_test::assign(factors[m], values[m]);
      versions[mode] = ++version;
    }
  }
}

TYPED_TEST(DevicePairs, TakeTheMemoryThatIsForecast) {
  if (genten::is_host_space<typename TestFixture::Exec>) {
    GTEST_SKIP() << "hosts sort tuples in other memory";
  }
  for (PairRecipe recipe : genten_test::pair_recipes()) {
    recipe.nonzeros = 400'000;
    typename TestFixture::Tensor tensor(TestFixture::make(make_tensor(recipe)));
    const auto problem = this->problem_of(recipe, tensor, 16);
    const auto prepare = [&] {
      return typename TestFixture::Prepared(this->exec, tensor, problem, this->machine());
    };
    prepare();  // Kokkos keeps scratch memory of a device from launch to launch
    const genten_test::MemoryRecorder recorder(TestFixture::Exec::memory_space::name());
    const auto prepared = prepare();
    const double needed = Sorted::memory(problem, this->machine()).peak;
    constexpr double hash_table = 256 << 10;
    EXPECT_NEAR(recorder.peak(), needed, std::max(0.1 * needed, hash_table))
        << prepared.choice().describe();
  }
}

}  // namespace
