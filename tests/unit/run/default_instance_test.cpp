// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/generate.hpp>
#include <genten/run/default_instance.hpp>

#include <gtest/gtest.h>

namespace {

using Exec = genten::HostExec;

TEST(DefaultInstance, SolversTakeATensorAlone) {
  genten::TensorRecipe recipe;
  recipe.dimensions = {9, 8, 7};
  recipe.nonzeros = 60;
  const auto tensor = genten::generate_sparse(Exec(), recipe, 1);
  genten::CpAlsOptions als;
  als.rank = 2;
  als.max_iterations = 5;
  EXPECT_EQ(genten::cp_als(tensor, als).fit, genten::cp_als(Exec(), tensor, als).fit);
  const auto guess = genten::cp_als(tensor, als).model;
  EXPECT_EQ(genten::cp_als(tensor, guess, als).fit, genten::cp_als(Exec(), tensor, guess, als).fit);
  genten::PreparedTensor prepared(tensor);
  EXPECT_EQ(genten::cp_als(prepared, als).fit, genten::cp_als(Exec(), tensor, als).fit);
  EXPECT_EQ(genten::cp_als(prepared, guess, als).fit,
            genten::cp_als(Exec(), tensor, guess, als).fit);
  genten::CpGcpOptions gcp;
  gcp.rank = 2;
  gcp.max_iterations = 3;
  const auto loss = genten::AnyLoss::named("gaussian");
  EXPECT_EQ(genten::cp_gcp(tensor, loss, gcp).objective,
            genten::cp_gcp(Exec(), tensor, loss, gcp).objective);
}

}  // namespace
