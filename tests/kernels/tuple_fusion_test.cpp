// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel sorted where it fuses modes by the tuples that occur, against the serial reference:
// whichever mode is left out, for MTTKRPs, sweeps, traverses and models side by side.

#include <genten/mttkrp/map_with.hpp>

#include "sorted_plans.hpp"

#include <limits>

namespace {

using genten_test::mttkrp_reference;
using genten_test::PlainMatrix;
using genten_test::PlainTensor;
using genten_test::random_factors;
using genten_test::random_matrix;

/// Caches so small that small tensors leave them.
genten::MachineProperties machine() {
  return genten_test::machine_with_caches(1 << 13, 1 << 16, 1 << 21);
}

constexpr double many_sweeps = 1e9;

/// What a tensor looks like in which nonzeros share the subscripts of all modes but one.
struct Recipe {
  std::vector<std::size_t> dimensions;
  std::size_t left_out = 0;
  std::size_t tuples = 4000;
  std::size_t nonzeros_per_tuple = 10;
  bool heavy = false;  ///< half of the nonzeros share one tuple
};

PlainTensor make_tensor(const Recipe& recipe) {
  PlainTensor tensor{recipe.dimensions, {}, {}};
  std::mt19937_64 random(7);
  std::vector<std::size_t> subscripts(recipe.dimensions.size());
  for (std::size_t t = 0; t < recipe.tuples; ++t) {
    for (std::size_t n = 0; n < subscripts.size(); ++n) {
      // Low subscripts are busier.
      const std::size_t length = recipe.dimensions[n];
      subscripts[n] = std::min(random() % length, random() % length);
    }
    std::size_t count = recipe.nonzeros_per_tuple;
    if (recipe.heavy && t == recipe.tuples / 2) count *= recipe.tuples;
    for (std::size_t k = 0; k < count; ++k) {
      subscripts[recipe.left_out] = random() % recipe.dimensions[recipe.left_out];
      tensor.subscripts.push_back(subscripts);
      tensor.values.push_back(static_cast<double>(random() % 2000) / 1000.0 - 1.0);
    }
  }
  // In no order, so that tuples have to be found.
  for (std::size_t p = tensor.nnz(); p > 1; --p) {
    const std::size_t other = random() % p;
    std::swap(tensor.subscripts[p - 1], tensor.subscripts[other]);
    std::swap(tensor.values[p - 1], tensor.values[other]);
  }
  return tensor;
}

template <class Combination>
class TupleFusion : public genten_test::SortedPlans<Combination> {
 protected:
  using Base = genten_test::SortedPlans<Combination>;
  using Plan = typename Base::Plan;

  /// A plan that fuses all modes but one.
  Plan fusing_plan(const PlainTensor& tensor, std::size_t left_out, std::size_t rank,
                   const std::vector<int>& update_order = {}) {
    Plan plan =
        this->make(tensor, rank, {.machine = machine(), .sweeps = many_sweeps}, update_order);
    const auto& groups = Base::choice_of(plan).groups;
    EXPECT_EQ(groups.size(), 2U);
    EXPECT_TRUE(groups.front().sorted) << plan.describe();
    EXPECT_EQ(groups.back().modes, std::vector<int>{static_cast<int>(left_out)});
    return plan;
  }

  void compare(const Recipe& recipe, std::size_t rank) {
    SCOPED_TRACE("order " + std::to_string(recipe.dimensions.size()) + ", left out " +
                 std::to_string(recipe.left_out) + ", rank " + std::to_string(rank));
    const PlainTensor tensor = make_tensor(recipe);
    const auto plain = random_factors(tensor, rank);
    const auto factors = Base::make(plain);
    Plan plan = fusing_plan(tensor, recipe.left_out, rank);
    for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
      this->expect_mttkrp(plan, tensor, plain, factors, static_cast<int>(mode));
    }
  }
};
TYPED_TEST_SUITE(TupleFusion, genten_test::HostTypes, genten_test::TypeNames);

TYPED_TEST(TupleFusion, AgreesWhicheverModeIsLeftOut) {
  const std::vector<std::size_t> dimensions{7000, 900, 5000, 400, 200};
  for (std::size_t order = 3; order <= 5; ++order) {
    const std::vector<std::size_t> lengths(dimensions.begin(),
                                           dimensions.begin() + static_cast<long>(order));
    for (std::size_t left_out = 0; left_out < order; ++left_out) {
      for (const std::size_t rank : {std::size_t{5}, 16 + left_out}) {
        this->compare({.dimensions = lengths, .left_out = left_out}, rank);
      }
    }
  }
}

TYPED_TEST(TupleFusion, AgreesForWideRowsFewTuplesAndAHeavyOne) {
  this->compare(
      {.dimensions = {3000, 200, 1000}, .left_out = 2, .tuples = 500, .nonzeros_per_tuple = 80},
      200);
  this->compare(
      {.dimensions = {3000, 200, 9000}, .left_out = 2, .tuples = 7, .nonzeros_per_tuple = 9000}, 8);
  this->compare({.dimensions = {300, 2000, 9000}, .left_out = 1, .heavy = true}, 9);
}

TYPED_TEST(TupleFusion, AgreesForSubscriptsOfMoreThanAWord) {
  const std::size_t k16 = std::size_t{1} << 16;
  // 81 bits before tuples are numbered, of which the group has 64; 29 after.
  this->compare({.dimensions = {k16, k16, k16, k16, k16 + 1}, .left_out = 4}, 3);
  this->compare({.dimensions = {k16 + 1, k16, k16, k16, k16}, .left_out = 0}, 3);
}

// A sweep as ALS makes it: sums by tuple are made once, after the mode that is left out, and stay
// into the next sweep.
TYPED_TEST(TupleFusion, SweepsThatTellVersionsAgree) {
  constexpr std::size_t rank = 6;
  for (const std::size_t left_out : {0U, 1U, 3U}) {
    for (const std::vector<int>& updates : {std::vector{0, 1, 2, 3}, std::vector{2, 1, 3, 0}}) {
      SCOPED_TRACE(left_out);
      const PlainTensor tensor =
          make_tensor({.dimensions = {6000, 900, 2000, 400}, .left_out = left_out});
      auto plan = this->fusing_plan(tensor, left_out, rank, updates);
      this->expect_sweeps(plan, tensor, updates, rank);
    }
  }
}

TYPED_TEST(TupleFusion, IsNotDoneWhereNobodyTellsOfSweepsOrTheyAreFew) {
  const PlainTensor tensor = make_tensor({.dimensions = {3000, 2000, 1000}, .left_out = 2});
  const auto fuses = [&](double sweeps) {
    const auto plan = this->make(tensor, 16, {.machine = machine(), .sweeps = sweeps});
    return TestFixture::choice_of(plan).any_fused();
  };
  EXPECT_FALSE(fuses(0.0));
  EXPECT_FALSE(fuses(3.0));
  EXPECT_TRUE(fuses(4.0));
}

// Too little memory for products and sums by tuple is enough for a plan without them.
TYPED_TEST(TupleFusion, IsNotDoneWhereItDoesNotFit) {
  const PlainTensor tensor = make_tensor({.dimensions = {3000, 200, 1000}, .left_out = 2});
  const auto prepare = [&](double limit) {
    return this->make(tensor, 16,
                      {.memory_limit = limit, .machine = machine(), .sweeps = many_sweeps});
  };
  const auto fused = prepare(0.0);
  ASSERT_TRUE(TestFixture::choice_of(fused).any_fused());
  const auto plain = prepare(fused.choice().find("sorted")->memory - 1.0);
  EXPECT_FALSE(TestFixture::choice_of(plain).any_fused());
}

template <class Scalar>
struct Difference {
  KOKKOS_INLINE_FUNCTION Scalar operator()(Scalar x, Scalar m) const { return x - m; }
};

TYPED_TEST(TupleFusion, TraversalsAgreeAndLeaveSumsByTupleAlone) {
  using Real = typename TestFixture::Scalar;
  constexpr std::size_t rank = 5;
  const PlainTensor tensor = make_tensor({.dimensions = {6000, 90, 3000, 20}, .left_out = 2});
  const auto plain = random_factors(tensor, rank);
  const auto factors = TestFixture::make(plain);
  PlainTensor residuals = tensor, sizes = tensor;
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    double model = 0.0, size = 0.0;
    for (std::size_t r = 0; r < rank; ++r) {
      double product = 1.0;
      for (std::size_t n = 0; n < 4; ++n) product *= plain[n](tensor.subscripts[p][n], r);
      model += product;
      size += std::abs(product);
    }
    residuals.values[p] = tensor.values[p] - model;
    sizes.values[p] = std::abs(tensor.values[p]) + size;
  }
  auto plan = this->fusing_plan(tensor, 2, rank);
  genten::FactorVersions versions{};
  for (int n = 0; n < 4; ++n) versions[n] = 1;  // nothing changes between the calls
  for (std::size_t mode = 0; mode < 4; ++mode) {
    const typename TestFixture::Matrix traversed(tensor.dimensions[mode], rank);
    plan.execute_with(this->exec, Difference<Real>(),
                      std::span<const typename TestFixture::Matrix>(factors),
                      static_cast<int>(mode), traversed, versions);
    this->expect_mttkrp(plan, tensor, plain, factors, static_cast<int>(mode), versions);
    const auto expected = mttkrp_reference(residuals, plain, mode);
    const auto size = mttkrp_reference(sizes, plain, mode);
    const PlainMatrix found = genten_test::plain(traversed);
    for (std::size_t i = 0; i < found.rows; ++i) {
      for (std::size_t r = 0; r < rank; ++r) {
        const double bound = size.template bound<Real>(i, r) +
                             16.0 * std::numeric_limits<Real>::epsilon() * size.absolute(i, r);
        ASSERT_LE(std::abs(found(i, r) - expected.value(i, r)), bound) << mode << ", " << i;
      }
    }
  }
}

/// MTTKRPs of all modes by a plan that fuses, alone or as one of several models side by side.
template <class Scalar>
std::vector<genten::FacMatrix<Scalar, genten::HostExec>> mttkrps_of(const PlainTensor& tensor,
                                                                    std::size_t rank,
                                                                    std::size_t models) {
  using Matrix = genten::FacMatrix<Scalar, genten::HostExec>;
  const genten::HostExec exec;
  genten::MttkrpPlan<Scalar, std::uint32_t, genten::HostExec> plan(
      exec, genten_test::to_sptensor<Scalar, std::uint32_t, genten::HostExec>(tensor), rank,
      {.kernel = "sorted", .machine = machine(), .sweeps = many_sweeps});
  EXPECT_TRUE(plan.template choice_of<genten::kernels::Sorted>()->groups.front().sorted);
  const std::size_t stride = genten::padded_stride(rank, sizeof(Scalar));
  const std::size_t columns = models == 1 ? rank : models * stride;
  std::vector<Matrix> factors;
  for (std::size_t n = 0; n < tensor.order(); ++n) {
    const PlainMatrix plain = random_matrix(tensor.dimensions[n], rank, static_cast<unsigned>(n));
    Matrix& factor = factors.emplace_back(tensor.dimensions[n], columns);
    for (std::size_t i = 0; i < plain.rows; ++i) {
      for (std::size_t k = 0; k < models; ++k) {
        for (std::size_t r = 0; r < rank; ++r) {
          factor(i, k * stride + r) = static_cast<Scalar>(plain(i, r));
        }
      }
    }
  }
  return genten_test::mttkrps(exec, plan, factors);
}

template <class Scalar>
std::string hash_of_mttkrps(const Recipe& recipe) {
  constexpr std::size_t rank = 17;
  genten_test::BitHash hash;
  genten_test::add_bits(hash, mttkrps_of<Scalar>(make_tensor(recipe), rank, 1));
  return hash.text();
}

const Recipe for_threads[] = {
    {.dimensions = {700, 90, 9000, 40}, .left_out = 2, .nonzeros_per_tuple = 40},
    {.dimensions = {9000, 3000, 2000}, .left_out = 0, .nonzeros_per_tuple = 20},
    {.dimensions = {900, 3000, 20000}, .left_out = 2, .heavy = true}};

TEST(TupleFusionBits, AreTheSameForOneTwoAndThreeThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    std::string text;
    for (const Recipe& recipe : for_threads) {
      text += hash_of_mttkrps<float>(recipe) + " " + hash_of_mttkrps<double>(recipe) + " ";
    }
    return text;
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0].find("no result"), std::string::npos) << results[0];
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(TupleFusionBits, OfModelsSideBySideAreThoseOfEachAlone) {
  constexpr std::size_t rank = 5, models = 3;
  const std::size_t stride = genten::padded_stride(rank, sizeof(double));
  for (const Recipe& recipe : for_threads) {
    const PlainTensor tensor = make_tensor(recipe);
    const auto alone = mttkrps_of<double>(tensor, rank, 1);
    const auto wide = mttkrps_of<double>(tensor, rank, models);
    for (std::size_t n = 0; n < alone.size(); ++n) {
      std::size_t differing = 0;
      for (std::size_t i = 0; i < alone[n].rows(); ++i) {
        for (std::size_t k = 0; k < models; ++k) {
          for (std::size_t r = 0; r < rank; ++r) {
            differing += alone[n](i, r) != wide[n](i, k * stride + r) ? 1 : 0;
          }
        }
      }
      EXPECT_EQ(differing, 0U) << "mode " << n;
    }
  }
}

}  // namespace
