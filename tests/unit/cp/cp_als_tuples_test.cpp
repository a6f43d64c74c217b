// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// CP-ALS on a tensor of few tuples, whose modes the kernel sorted fuses where that pays.

#include <genten/cp/cp_als.hpp>

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

}  // namespace
