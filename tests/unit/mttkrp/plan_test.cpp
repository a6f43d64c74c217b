// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What MttkrpPlan refuses, and what it says then. That it computes what it should is tested in
// tests/kernels.

#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/plan.hpp>

#include "reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Plan = genten::MttkrpPlan<double, std::uint32_t, Exec>;
using Tensor = genten::Sptensor<double, std::uint32_t, Exec>;
using Matrix = genten::FacMatrix<double, Exec>;
using genten_test::error_of;
using testing::AllOf;
using testing::HasSubstr;

class MttkrpPlanTest : public testing::Test {
 protected:
  const Exec exec{};
  const Tensor tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(
      genten_test::random_tensor({.dimensions = {6, 5, 4}, .nnz = 40}));
  const std::vector<Matrix> factors{Matrix(6, 3), Matrix(5, 3), Matrix(4, 3)};
};

TEST_F(MttkrpPlanTest, FitsWhatIsPreparedAlike) {
  genten::RelabeledTensor<double, std::uint32_t, Exec> source(tensor);
  Plan plan(exec, source, 3, {.kernel = "sorted"});
  EXPECT_TRUE(plan.fits(exec, source, 4, {.kernel = "sorted"})) << "rows of 32 bytes";
  EXPECT_EQ(plan.problem().rank, 4u);
  EXPECT_FALSE(plan.fits(exec, source, 5, {.kernel = "sorted"}));
  EXPECT_FALSE(plan.fits(exec, source, 4, {.kernel = "atomic"}));
  EXPECT_FALSE(plan.fits(exec, source, 4, {.kernel = "sorted", .sweeps = 9.0}));
  const std::vector<int> order{2, 1, 0};
  EXPECT_FALSE(plan.fits(exec, source, 4, {.kernel = "sorted"}, order));
  genten::MachineProperties machine = genten::MachineProperties::of(exec);
  ++machine.workers;
  EXPECT_TRUE(plan.fits(exec, source, 4, {.kernel = "sorted", .machine = machine}));
  machine.l2_cache *= 2.0;
  EXPECT_FALSE(plan.fits(exec, source, 4, {.kernel = "sorted", .machine = machine}));
  EXPECT_EQ(plan.problem().rank, 4u) << "as it was";
  Plan other(exec, source, 3, {.kernel = "team"});
  EXPECT_TRUE(other.fits(exec, source, 3, {.kernel = "team"}));
  EXPECT_FALSE(other.fits(exec, source, 4, {.kernel = "team"})) << "it takes no wider rows";
}

TEST_F(MttkrpPlanTest, UnknownKernelNamesThoseThereAre) {
  const auto message = error_of([&] { Plan(exec, tensor, 3, {.kernel = "fastest"}); });
  EXPECT_THAT(message, HasSubstr("fastest"));
  EXPECT_THAT(message, HasSubstr("auto"));
  for (const auto& name : genten::kernel_names<Exec>()) EXPECT_THAT(message, HasSubstr(name));
}

TEST_F(MttkrpPlanTest, PublishedKernelsAreThere) {
  EXPECT_THAT(genten::kernel_names<Exec>(),
              testing::IsSupersetOf({"atomic", "team", "permuted", "duplicated"}));
}

TEST_F(MttkrpPlanTest, KnowsItsKernelAndProblem) {
  for (const auto& name : genten::kernel_names<Exec>()) {
    const Plan plan(exec, tensor, 3, {.kernel = name});
    EXPECT_EQ(plan.kernel(), name);
    EXPECT_FALSE(plan.describe().empty());
    EXPECT_EQ(plan.problem().dimensions, tensor.dimensions());
    EXPECT_EQ(plan.problem().nnz, 40);
    EXPECT_EQ(plan.problem().rank, 3u);
  }
  EXPECT_THAT(genten::kernel_names<Exec>(),
              testing::Contains(std::string(Plan(exec, tensor, 3).kernel())));
}

TEST_F(MttkrpPlanTest, RankZeroIsRefused) {
  EXPECT_THAT(error_of([&] { Plan(exec, tensor, 0); }), HasSubstr("rank of at least 1"));
}

TEST_F(MttkrpPlanTest, WrongNumberOfFactorsIsRefused) {
  Plan plan(exec, tensor, 3);
  const std::vector<Matrix> two{factors[0], factors[1]};
  EXPECT_THAT(error_of([&] { plan.execute(exec, two, 0, Matrix(6, 3)); }),
              HasSubstr("expected 3 factors, got 2"));
}

TEST_F(MttkrpPlanTest, WrongModeIsRefused) {
  Plan plan(exec, tensor, 3);
  for (const int mode : {-1, 3}) {
    EXPECT_THAT(error_of([&] { plan.execute(exec, factors, mode, Matrix(6, 3)); }),
                HasSubstr("mode from 1 to 3 (counted from 1), got " + std::to_string(mode + 1)));
  }
}

TEST_F(MttkrpPlanTest, WrongShapesAreRefusedByName) {
  Plan plan(exec, tensor, 3);
  auto wrong = factors;
  wrong[1] = Matrix(5, 4);
  EXPECT_THAT(error_of([&] { plan.execute(exec, wrong, 0, Matrix(6, 3)); }),
              AllOf(HasSubstr("factor of mode 2"), HasSubstr("5 x 3"), HasSubstr("5 x 4")));
  wrong[1] = Matrix(7, 3);
  EXPECT_THAT(error_of([&] { plan.execute(exec, wrong, 0, Matrix(6, 3)); }),
              AllOf(HasSubstr("factor of mode 2"), HasSubstr("5 x 3"), HasSubstr("7 x 3")));
  EXPECT_THAT(error_of([&] { plan.execute(exec, factors, 0, Matrix(5, 3)); }),
              AllOf(HasSubstr("output of mode 1"), HasSubstr("6 x 3"), HasSubstr("5 x 3")));
  // The factor of the own mode is not read, so its shape does not matter.
  wrong[1] = Matrix(1, 1);
  EXPECT_EQ(error_of([&] { plan.execute(exec, wrong, 1, Matrix(5, 3)); }), "");
}

TEST_F(MttkrpPlanTest, OutputMayNotBeAFactorThatIsRead) {
  using View = Matrix::view_type;
  const auto cube = genten_test::to_sptensor<double, std::uint32_t, Exec>(
      genten_test::random_tensor({.dimensions = {6, 6, 6}, .nnz = 40}));
  const Matrix whole(13, 3);
  const Matrix first(View(whole.data(), 6, whole.stride()), 3);
  const Matrix next(View(whole.row(6), 6, whole.stride()), 3);
  const Matrix between(View(whole.row(5), 6, whole.stride()), 3);
  const Matrix apart(6, 3);
  for (const auto& name : genten::kernel_names<Exec>()) {
    Plan plan(exec, cube, 3, {.kernel = name});
    const std::vector<Matrix> given{apart, first, next};
    const auto message = [&](int mode, const Matrix& output) {
      return error_of([&] { plan.execute(exec, given, mode, output); });
    };
    for (int mode = 0; mode < 3; ++mode) {
      EXPECT_EQ(message(mode, given[static_cast<std::size_t>(mode)]), "") << name;
      EXPECT_EQ(message(mode, Matrix(6, 3)), "") << name;
    }
    EXPECT_THAT(message(0, first), HasSubstr("shares memory with the factor of mode 2")) << name;
    EXPECT_THAT(message(0, next), HasSubstr("shares memory with the factor of mode 3")) << name;
    EXPECT_THAT(message(0, between), HasSubstr("shares memory with the factor of mode 2")) << name;
    EXPECT_THAT(message(1, between), HasSubstr("shares memory with the factor of mode 3")) << name;
    EXPECT_THAT(message(2, apart), HasSubstr("shares memory with the factor of mode 1")) << name;
  }
}

TEST_F(MttkrpPlanTest, DuplicatedRefusesWithTheBytesThatItNeeds) {
  // Rows of 3 doubles are padded to 4: 6 rows of 32 bytes for each of 5 threads.
  genten::MachineProperties machine;
  machine.workers = 5;
  const auto call = [&](double limit) {
    Plan(exec, tensor, 3, {.kernel = "duplicated", .memory_limit = limit, .machine = machine});
  };
  EXPECT_EQ(error_of([&] { call(5 * 6 * 32); }), "");
  try {
    call(5 * 6 * 32 - 1);
    FAIL() << "expected a genten::Error";
  } catch (const genten::Error& error) {
    EXPECT_EQ(error.kind(), genten::Error::Kind::memory);
    EXPECT_THAT(error.what(),
                HasSubstr("kernel duplicated needs 960 bytes of memory, allowed are 959 bytes"));
  }
}

TEST_F(MttkrpPlanTest, TakesTheMachineThatItIsGiven) {
  genten::MachineProperties machine;
  machine.workers = 7;
  const Plan plan(exec, tensor, 3, {.kernel = "duplicated", .machine = machine});
  ASSERT_NE(plan.choice_of<genten::kernels::Duplicated>(), nullptr);
  EXPECT_EQ(plan.choice_of<genten::kernels::Duplicated>()->workers, 7);
  EXPECT_EQ(plan.choice_of<genten::kernels::Sorted>(), nullptr);
}

TEST_F(MttkrpPlanTest, AutomaticChoiceKeepsToTheMemoryLimitAndSaysWhatItRefused) {
  const Plan plan(exec, tensor, 3, {.memory_limit = 1.0});
  EXPECT_EQ(plan.kernel(), "atomic");
  EXPECT_EQ(plan.choice().allowed, 1.0);
  ASSERT_FALSE(plan.choice().refused().empty());
  EXPECT_EQ(plan.choice().refused().front().name, "sorted");
  EXPECT_TRUE(Plan(exec, tensor, 3).choice().refused().empty());
}

TEST_F(MttkrpPlanTest, NegativeMemoryLimitIsRefused) {
  EXPECT_THAT(error_of([&] { Plan(exec, tensor, 3, {.memory_limit = -1.0}); }),
              HasSubstr("memory-limit"));
}

}  // namespace
