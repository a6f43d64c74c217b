// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Sums over zeros of models whose values at ones are many times as large.
#include <genten/cp/evaluate_loss.hpp>
#include <genten/cp/project_rows.hpp>

#include "plain.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <optional>

namespace {

using genten::HostExec;
using genten_test::PlainMatrix;
using genten_test::PlainModel;
using genten_test::PlainTensor;
namespace losses = genten::losses;
using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;

constexpr double large = 0x1p60;

Tensor sparse(const PlainTensor& tensor) {
  return genten_test::to_sptensor<double, std::uint32_t, HostExec>(tensor);
}

/// Values of 2^60 in the first two rows and columns, and 1/8 of a second component everywhere;
/// `beside` in the third column of the first component.
genten::Ktensor<double, HostExec> model_with(double beside) {
  PlainModel model{{1.0, 0.125}, {PlainMatrix(3, 2), PlainMatrix(4, 2)}};
  model.factors[0].elements = {1.0, 1.0, 1.0, 1.0, 0.0, 1.0};
  model.factors[1].elements = {large, 1.0, large, 1.0, beside, 1.0, 0.0, 1.0};
  return genten_test::to_ktensor<double, HostExec>(model);
}

const PlainTensor block{{3, 4}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {1.0, 1.0, 1.0, 1.0}};

TEST(LargeElements, ZerosAreSummedWithoutOnes) {
  const auto model = model_with(0.0);
  const auto found =
      genten::evaluate_loss(HostExec(), sparse(block), model, losses::BernoulliPoisson());
  EXPECT_EQ(found.zeros, genten::ZeroSums::closed_form);
  EXPECT_EQ(found.all.loss, 1.0);
  EXPECT_EQ(found.all.deviance, 2.0);
  // Missing entries may be as large, where nothing keeps them small.
  const PlainTensor ones{{3, 4}, {{0, 0}, {0, 1}, {1, 0}}, {1.0, 1.0, 1.0}};
  const std::optional<Tensor> missing = sparse({{3, 4}, {{1, 1}, {2, 3}}, {1.0, 1.0}});
  const auto some =
      genten::evaluate_loss(HostExec(), sparse(ones), model, missing, losses::BernoulliPoisson());
  EXPECT_EQ(some.all.entries, 10.0);
  EXPECT_EQ(some.all.loss, 0.875);
}

TEST(LargeElements, RowsAreTheMinima) {
  const auto found = genten::project_rows(HostExec(), model_with(1.0), sparse(block), 0,
                                          losses::BernoulliPoisson());
  // The slope of a + 2 log(1 / (1 - exp(-2^60 a))) is 0 where exp(2^60 a) - 1 is 2^61.
  const double expected = 61.0 * std::numbers::ln2 / large;
  for (const std::size_t row : {0U, 1U}) {
    EXPECT_TRUE(found.rows[row].converged);
    EXPECT_NEAR(found.model.factor(0)(row, 0) / expected, 1.0, 1e-9);
    EXPECT_EQ(found.model.factor(0)(row, 1), 0.0);
    EXPECT_GT(found.rows[row].loss, 0.0);
    EXPECT_LT(found.rows[row].loss, 1e-15);
    EXPECT_LE(found.rows[row].explained, 1.0);
  }
}

}  // namespace
