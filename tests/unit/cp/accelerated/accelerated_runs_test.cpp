// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Accelerated CP-ALS that goes on from checkpoints, is undone, has constraints or several starts.
#include "../poisoned_update.hpp"
#include "../resumed_runs.hpp"
#include "accelerated_support.hpp"

#include <genten/cp/detail/cp_als_solver.hpp>
#include <genten/io/checkpoint.hpp>

#include <gmock/gmock.h>

namespace {

using namespace genten_test::cp;
using genten::PhaseTimings;
using genten::RunState;
using genten_test::error_of;
using genten_test::PlainTensor;
using genten_test::random_model;
using genten_test::random_tensor;
using testing::HasSubstr;

template <class RealScalar>
class AcceleratedRuns : public testing::Test {
 protected:
  using Scalar = RealScalar;
  using Result = genten::CpAlsResult<Scalar, Exec>;
  using Saved = genten_test::cp::Saved<Scalar>;

  const Exec exec{};
  const PlainTensor plain_tensor =
      random_tensor({.dimensions = {20, 15, 10}, .nnz = 700, .seed = 3, .empty_slices = true});
  const Tensor<Scalar> tensor = make<Scalar>(plain_tensor);
  CpAlsOptions options{
      .rank = 4, .max_iterations = 60, .tolerance = 0.0, .acceleration = Acceleration::nesterov};

  template <class... Guess>
  Result run(std::vector<Saved>& saved, const Guess&... guess) {
    return run_saving(tensor, options, saved, guess...);
  }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(AcceleratedRuns, Scalars);

TYPED_TEST(AcceleratedRuns, EveryIterationOfEveryStartLeadsToTheSameEnd) {
  for (const std::size_t starts : {1, 2}) {
    this->options.starts = starts;
    std::vector<typename TestFixture::Saved> saved;
    const auto expected = this->run(saved);
    if (starts == 1) {
      EXPECT_GT(expected.momentum_restarts, 0u);
    }
    ASSERT_EQ(saved.size(), 60 * starts);
    for (std::size_t k = 0; k < saved.size(); k += starts == 1 ? 1 : 9) {
      expect_same_end(cp_als(this->exec, this->tensor, saved[k], this->options), expected);
    }
  }
}

TYPED_TEST(AcceleratedRuns, GuessesFixedModesAndConstraintsComeBack) {
  const auto guess = genten_test::to_ktensor<TypeParam, Exec>(random_model({20, 15, 10}, 4, 8));
  this->options.max_iterations = 12;
  for (const std::vector<int>& fixed : {std::vector<int>{}, std::vector<int>{1}}) {
    this->options.fixed_modes = fixed;
    std::vector<typename TestFixture::Saved> saved;
    const auto expected = this->run(saved, guess);
    for (const auto& checkpoint : saved) {
      expect_same_end(cp_als(this->exec, this->tensor, checkpoint, this->options), expected);
    }
  }
  for (const double ridge : {0.0, 0.5}) {
    this->options.fixed_modes = {};
    this->options.nonnegative.all = true;
    if (ridge > 0.0) this->options.ridge = {ridge};
    std::vector<typename TestFixture::Saved> saved;
    const auto expected = this->run(saved);
    for (const auto& checkpoint : saved) {
      expect_same_end(cp_als(this->exec, this->tensor, checkpoint, this->options), expected);
    }
  }
}

TYPED_TEST(AcceleratedRuns, CheckpointsOfOtherRunsAreRefused) {
  std::vector<typename TestFixture::Saved> saved;
  this->options.max_iterations = 5;
  (void)this->run(saved);
  CpAlsOptions others = this->options;
  others.acceleration = Acceleration::none;
  EXPECT_THAT(error_of([&] { (void)cp_als(this->exec, this->tensor, saved.back(), others); }),
              HasSubstr("other options: acceleration"));
}

// Modes under bounds, penalties of some and of all, and bounds that forbid scaling.
TYPED_TEST(AcceleratedRuns, ObjectivesUnderConstraintsNeverGrow) {
  for (const int kind : {0, 1, 2, 3, 4}) {
    CpAlsOptions given = this->options;
    given.max_iterations = 80;
    if (kind < 2) given.nonnegative.all = true;
    if (kind == 1) given.ridge = {0.5};
    if (kind == 2) given.l1 = {0.0, 0.2, 0.1};
    if (kind == 3) given.ridge = {1.0};
    if (kind == 4) {
      given.lower = {0.0, -0.5, -1.0};
      given.upper = {2.0, 0.5, 1.0};
    }
    const auto result = cp_als(this->exec, this->tensor, given);
    const double scale = 0.5 * result.tensor_norm * result.tensor_norm;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& record : result.history) {
      EXPECT_LE(record.objective, least + (sizeof(TypeParam) == 4 ? 1e-5 : 1e-11) * scale) << kind;
      least = std::min(least, record.objective);
    }
    if (sizeof(TypeParam) == 8) {
      EXPECT_GT(result.momentum_restarts, 0u) << kind;
    }
    for (const auto& factor : result.model.factors()) {
      for (const double x : genten_test::plain(factor).elements) {
        if (kind < 2) {
          EXPECT_GE(x, 0.0);
        }
        if (kind == 4) {
          EXPECT_LE(std::abs(x), 2.0);
        }
      }
    }
    // Both end in one of several minima.
    given.acceleration = Acceleration::none;
    const auto plain = cp_als(this->exec, this->tensor, given);
    EXPECT_LE(result.objective, plain.objective * 1.05) << kind;
  }
}

template <class RealScalar>
class AcceleratedUndo : public testing::Test {
 protected:
  using Scalar = RealScalar;
  using Step = genten::detail::CpAlsStep<Scalar, std::uint32_t, Exec, Poisoned<Scalar>>;
  using Unscaled = genten::detail::UnscaledTensor<Scalar, std::uint32_t, Exec>;

  const Exec exec{};
  const Tensor<Scalar> tensor = make<Scalar>(random_tensor({.dimensions = {9, 8, 7}, .nnz = 150}));
  const CpAlsOptions options{.acceleration = Acceleration::nesterov};
  genten::detail::CpAlsProblem<Scalar, std::uint32_t, Exec> problem =
      prepare_cp_als(exec, Unscaled::of(exec, sum_duplicates(exec, tensor).tensor, options), 3,
                     {0, 1, 2}, options, false);
  Step step{exec, problem, true};
  RunState state;

  StopReason run(std::size_t iterations) {
    PhaseTimings timings;
    return iterate(step, state,
                   genten::first_of(genten::NonFinite{}, genten::IterationLimit{iterations}),
                   timings);
  }
};
TYPED_TEST_SUITE(AcceleratedUndo, Scalars);

TYPED_TEST(AcceleratedUndo, SweepsWithMomentumAreTakenBackAndTheRunGoesOn) {
  Poisoned<TypeParam>::update = 3 * 4 + 2;  // iteration 5, mode 2
  this->step.start_random(5, {});
  EXPECT_EQ(this->run(20), StopReason::iteration_limit);
  ASSERT_EQ(this->state.history.size(), 20u);
  EXPECT_GE(this->step.momentum_restarts(), 1u);
  EXPECT_EQ(this->state.history[4].fit, this->state.history[3].fit);
  EXPECT_GT(this->state.history[5].fit, this->state.history[4].fit);
  for (const auto& record : this->state.history) EXPECT_TRUE(std::isfinite(record.fit));
  EXPECT_TRUE(all_finite(this->step.model()));
}

TYPED_TEST(AcceleratedUndo, OthersEndTheRunAsWithoutAcceleration) {
  for (const std::size_t iteration : {1, 2}) {
    Poisoned<TypeParam>::update = 3 * iteration;
    this->state = {};
    typename TestFixture::Step poisoned(this->exec, this->problem, true);
    poisoned.start_random(5, {});
    PhaseTimings timings;
    EXPECT_EQ(iterate(poisoned, this->state,
                      genten::first_of(genten::NonFinite{}, genten::IterationLimit{9}), timings),
              StopReason::non_finite);
    EXPECT_EQ(this->state.history.size(), iteration - 1);
    EXPECT_TRUE(all_finite(poisoned.model()));
  }
}

}  // namespace
