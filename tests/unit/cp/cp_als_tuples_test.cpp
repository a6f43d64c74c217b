// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// CP-ALS on a tensor of few tuples, whose modes the kernel sorted fuses where that pays.

#include <genten/cp/cp_als.hpp>
#include <genten/cp/detail/starts/batch_size.hpp>
#include <genten/mttkrp/kernels/sorted/sorted.hpp>

#include "triples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace {

using genten::CpAlsOptions;
using genten::HostExec;
using testing::HasSubstr;
using testing::Not;

class CpAlsTuples : public testing::Test {
 protected:
  CpAlsTuples() : tensor(genten_test::triples()) {}

  /// With a L2 cache of so many bytes, on which the choice depends.
  [[nodiscard]] static CpAlsOptions options(double l2_cache) {
    CpAlsOptions result{.rank = 8, .max_iterations = 10, .tolerance = 0.0};
    result.mttkrp.machine = genten_test::machine_of_small_caches(l2_cache);
    return result;
  }
  static constexpr double small = 1 << 16, large = 1 << 20;

  [[nodiscard]] auto run(const CpAlsOptions& how) const { return cp_als(HostExec(), tensor, how); }

  genten::Sptensor<double, std::uint32_t, HostExec> tensor;
};

TEST_F(CpAlsTuples, AreFusedWithTheSameResult) {
  const auto fused = run(options(small)), plain = run(options(large));
  EXPECT_THAT(fused.kernel_description, HasSubstr("modes 1 2 fused"));
  EXPECT_THAT(plain.kernel_description, Not(HasSubstr("fused")));
  ASSERT_EQ(fused.history.size(), plain.history.size());
  for (std::size_t k = 0; k < plain.history.size(); ++k) {
    EXPECT_NEAR(fused.history[k].fit, plain.history[k].fit, 1e-10) << k;
  }
}

// The choice does not depend on the limit of iterations.
TEST_F(CpAlsTuples, StayFusedInARunThatIsResumed) {
  using Checkpoint = genten::Checkpoint<genten::Ktensor<double, HostExec>>;
  for (const double l2_cache : {small, large}) {
    CpAlsOptions how = options(l2_cache);
    const auto whole = run(how);
    how.max_iterations = 3;
    std::optional<Checkpoint> kept;
    (void)cp_als(HostExec(), tensor, how, [&](const auto& iteration) {
      kept = iteration.checkpoint();
      return genten::ObserverAction::proceed;
    });
    how.max_iterations = 10;
    const auto resumed = cp_als(HostExec(), tensor, *kept, how);
    EXPECT_EQ(resumed.fit, whole.fit);
    EXPECT_EQ(resumed.kernel_description, whole.kernel_description);
  }
}

TEST_F(CpAlsTuples, AreNotFusedWhereFactorsChangeBetweenOrNotAtAll) {
  CpAlsOptions how = options(small);
  how.acceleration = genten::Acceleration::nesterov;
  EXPECT_THAT(run(how).kernel_description, Not(HasSubstr("fused")));
  how = options(small);
  how.fixed_modes = {1};
  EXPECT_THAT(run(how).kernel_description, Not(HasSubstr("fused")));
}

// Constraints, several starts, and another order of updates.
TEST_F(CpAlsTuples, AreFusedInEveryOtherRun) {
  CpAlsOptions how = options(small), without = options(large);
  for (CpAlsOptions* one : {&how, &without}) {
    one->nonnegative = genten::ModeSelection::every();
    one->mode_order = {2, 0, 1};
    one->starts = 3;
  }
  const auto fused = run(how), plain = run(without);
  EXPECT_THAT(fused.kernel_description, HasSubstr("modes 1 2 fused"));
  ASSERT_EQ(fused.starts.size(), plain.starts.size());
  for (std::size_t k = 0; k < plain.starts.size(); ++k) {
    EXPECT_NEAR(fused.starts[k].fit, plain.starts[k].fit, 1e-8) << k;
  }
}

/// Two groups of modes, the second of them the last mode and the first.
TEST(CpAlsPairs, AreFusedWithTheSameResultAlsoWhenResumed) {
  using Checkpoint = genten::Checkpoint<genten::Ktensor<double, HostExec>>;
  constexpr std::size_t nonzeros = 60'000, pairs = 400;
  const std::vector<std::size_t> dimensions{900, 500, 1200, 400};
  std::vector<std::uint32_t> subscripts;
  for (std::size_t p = 0; p < nonzeros; ++p) {
    const std::size_t outer = genten::random_bits(1, p) % pairs;
    const std::size_t inner = genten::random_bits(2, p) % pairs;
    for (std::size_t n = 0; n < 4; ++n) {
      const std::size_t pair = n == 0 || n == 3 ? outer : inner;
      subscripts.push_back(
          static_cast<std::uint32_t>(genten::random_bits(3, n, pair) % dimensions[n]));
    }
  }
  const auto tensor = genten::Sptensor<double, std::uint32_t, HostExec>::from_host(
      dimensions, subscripts, std::vector<double>(nonzeros, 1.0));
  CpAlsOptions how{.rank = 8, .max_iterations = 6, .tolerance = 0.0};
  how.mttkrp.machine = genten_test::machine_of_small_caches(1 << 16);
  const auto fused = cp_als(HostExec(), tensor, how);
  EXPECT_THAT(fused.kernel_description, HasSubstr("modes 1 4 fused"));
  EXPECT_THAT(fused.kernel_description, HasSubstr("modes 2 3 fused"));
  CpAlsOptions other = how;
  other.mttkrp.machine = genten_test::machine_of_small_caches(1 << 20);
  const auto plain = cp_als(HostExec(), tensor, other);
  EXPECT_THAT(plain.kernel_description, Not(HasSubstr("fused")));
  EXPECT_NEAR(fused.fit, plain.fit, 1e-10);
  how.max_iterations = 2;
  std::optional<Checkpoint> kept;
  (void)cp_als(HostExec(), tensor, how, [&](const auto& iteration) {
    kept = iteration.checkpoint();
    return genten::ObserverAction::proceed;
  });
  how.max_iterations = 6;
  const auto resumed = cp_als(HostExec(), tensor, *kept, how);
  EXPECT_EQ(resumed.fit, fused.fit);
  EXPECT_EQ(resumed.kernel_description, fused.kernel_description);
}

// Were the groups chosen again for the rows of four starts, nothing would be fused.
TEST(CpAlsPairs, KeepTheirGroupsInTheForecastOfStartsSideBySide) {
  genten::MttkrpProblem problem;
  problem.dimensions = {20'000, 2000, 40'000, 300};
  problem.nnz = 4'000'000;
  problem.rank = 16;
  problem.update_order = {0, 1, 2, 3};
  problem.sweeps = 10.0;
  constexpr double tuples = 142e3;
  problem.tuples = {{{0, 1}, tuples, true}, {{2, 3}, tuples, true}};
  genten::MachineProperties machine;
  machine.l1_cache = 48 << 10;
  machine.l2_cache = 2 << 20;
  machine.shared_cache = 260 << 20;
  machine.cores = 2;
  using genten::kernels::Sorted;
  EXPECT_TRUE(genten::sorts_tuples(Sorted::choose_groups(problem, machine, {})));
  genten::MttkrpProblem wide = problem;
  wide.rank = 64;
  genten::MachineProperties like_one = machine;
  like_one.l1_cache *= 4;
  like_one.l2_cache *= 4;
  EXPECT_FALSE(genten::sorts_tuples(Sorted::choose_groups(wide, like_one, {})));
  const auto memory = genten::detail::batch_memory<double, HostExec>(problem, machine, "sorted", 4);
  EXPECT_GE(memory.kernel, 2.0 * tuples * (wide.row_bytes() - problem.row_bytes()))
      << "products and sums by tuple of a group";
}

}  // namespace
