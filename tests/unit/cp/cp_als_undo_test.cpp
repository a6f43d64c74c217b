// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// An iteration of CP-ALS that leads to infinities is undone.
#include "poisoned_update.hpp"

#include <genten/cp/detail/cp_als_solver.hpp>

namespace {

using namespace genten_test::cp;
using genten::PhaseTimings;
using genten::RunState;
using genten_test::random_model;
using genten_test::random_tensor;

template <class RealScalar>
class CpAlsUndoTest : public testing::Test {
 protected:
  using Scalar = RealScalar;
  using Unscaled = genten::detail::UnscaledTensor<Scalar, std::uint32_t, Exec>;
  using Step = genten::detail::CpAlsStep<Scalar, std::uint32_t, Exec, Poisoned<Scalar>>;

  static constexpr std::size_t rank = 3;
  const Exec exec{};
  const Tensor<Scalar> tensor =
      sum_duplicates(exec, make<Scalar>(random_tensor({.dimensions = {9, 8, 7}, .nnz = 150})))
          .tensor;
  genten::detail::CpAlsProblem<Scalar, std::uint32_t, Exec> problem =
      prepare_cp_als(exec, Unscaled::of(exec, tensor, {}), rank, {0, 1, 2}, {}, false);
  Step step{exec, problem, true};
  RunState state;
  std::size_t calls = 0;

  StopReason run() {
    PhaseTimings timings;
    return iterate(step, state, genten::first_of(genten::NonFinite{}, genten::IterationLimit{9}),
                   timings, genten::Observer<Model<Scalar>>([&](const auto&) {
                     ++calls;
                     return ObserverAction::proceed;
                   }));
  }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(CpAlsUndoTest, Scalars);

TYPED_TEST(CpAlsUndoTest, TheModelIsThatOfTheIterationBefore) {
  Poisoned<TypeParam>::update = 3 * 4 + 2;  // iteration 5, mode 2
  this->step.start_random(5, {});
  EXPECT_EQ(this->run(), StopReason::non_finite);
  EXPECT_EQ(this->calls, 4u);
  // The same step, never poisoned.
  Poisoned<TypeParam>::update = 0;
  typename TestFixture::Step expected(this->exec, this->problem, true);
  expected.start_random(5, {});
  RunState expected_state;
  PhaseTimings timings;
  (void)iterate(expected, expected_state, genten::IterationLimit{4}, timings);
  ASSERT_EQ(this->state.history.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(this->state.history[k].iteration, k + 1);
    EXPECT_EQ(this->state.history[k].fit, expected_state.history[k].fit);
    EXPECT_EQ(this->state.history[k].residual_norm, expected_state.history[k].residual_norm);
  }
  EXPECT_EQ(this->step.sweeps(), 9u);
  EXPECT_EQ(this->step.component_norms(), expected.component_norms());
  EXPECT_EQ(numbers(this->step.model()), numbers(expected.model()));
  EXPECT_EQ(numbers(this->step.take_model()), numbers(expected.take_model()));
}

TYPED_TEST(CpAlsUndoTest, TheModelIsTheGuessWhereNoIterationWasFinite) {
  Poisoned<TypeParam>::update = 3;
  const auto guess = genten_test::to_ktensor<TypeParam, Exec>(random_model({9, 8, 7}, 3, 8));
  this->step.start_from(guess);
  EXPECT_EQ(this->run(), StopReason::non_finite);
  EXPECT_EQ(this->calls, 0u);
  EXPECT_TRUE(this->state.history.empty());
  EXPECT_EQ(
      numbers(this->step.model()),
      numbers(cp_als(this->exec, this->tensor, guess, CpAlsOptions{.max_iterations = 0}).model));
}

TYPED_TEST(CpAlsUndoTest, RandomGuessesComeBackToo) {
  Poisoned<TypeParam>::update = 1;
  this->step.start_random(7, genten::FactorKind::normal);
  EXPECT_EQ(this->run(), StopReason::non_finite);
  EXPECT_TRUE(this->state.history.empty());
  const CpAlsOptions options{
      .rank = 3, .max_iterations = 0, .seed = 7, .init = genten::FactorKind::normal};
  EXPECT_EQ(numbers(this->step.model()), numbers(cp_als(this->exec, this->tensor, options).model));
}

}  // namespace
