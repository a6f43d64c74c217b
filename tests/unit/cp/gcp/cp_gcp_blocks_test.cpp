// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of cp_gcp with losses that are functions of many entries at once, beside the library's own.
#include <genten/cp/cp_gcp.hpp>

#include "gcp_support.hpp"

namespace {

using genten::AnyLoss;
using genten::BlockLoss;
using genten::CpGcpOptions;
using genten::GcpMethod;
using genten::UnlistedEntries;
using genten::ZeroSums;
using testing::HasSubstr;
namespace losses = genten::losses;

struct HostCombination {
  using Exec = genten::HostExec;
  using Scalar = double;
};

class CpGcpBlocksTest : public genten_test::GcpTest<HostCombination> {
 protected:
  /// A loss of the library as functions of blocks.
  static AnyLoss as_blocks(const AnyLoss& loss, double slope_times = 1.0) {
    BlockLoss blocks;
    blocks.facts = {.name = "own",
                    .data = loss.facts().data,
                    .lower = loss.facts().lower,
                    .takes_zeros = loss.facts().takes_zeros,
                    .is_link = loss.facts().is_link};  // which random guesses go by
    blocks.value = [loss](const double* x, const double* m, double* to, std::size_t count) {
      for (std::size_t p = 0; p < count; ++p) to[p] = loss.value(x[p], m[p]);
    };
    blocks.slope = [=](const double* x, const double* m, double* to, std::size_t count) {
      for (std::size_t p = 0; p < count; ++p) to[p] = slope_times * loss.slope(x[p], m[p]);
    };
    return {blocks};
  }
  void expect_same(const AnyLoss& loss, const char* data, const CpGcpOptions& options) {
    SCOPED_TRACE(loss.facts().text());
    const auto tensor = make(data);
    const auto known = genten::cp_gcp(exec, tensor, loss, options);
    const auto found = genten::cp_gcp(exec, tensor, as_blocks(loss), options);
    EXPECT_EQ(found.entries, known.entries);
    EXPECT_NEAR(found.history[0].objective / known.history[0].objective, 1.0, 1e-9);
    EXPECT_NEAR(found.objective / known.objective, 1.0, 1e-6);
    EXPECT_NEAR(found.residual_norm / known.residual_norm, 1.0, 1e-3);
    EXPECT_EQ(found.loss.name, "own");
  }
};

TEST_F(CpGcpBlocksTest, MinimizeAsTheLibrarysOwn) {
  CpGcpOptions options{.rank = 2, .max_iterations = 300, .tolerance = 1e-8};
  options.method = GcpMethod::lbfgs;  // blocks have no rows
  expect_same(losses::NegativeBinomial{1.0}, "cnt", options);
  expect_same(losses::Poisson(), "cnt", options);
  options.unlisted = UnlistedEntries::missing;
  expect_same(losses::Gamma(), "pos", options);
  options.unlisted = UnlistedEntries::zeros;
  options.ridge = {1.0};
  expect_same(losses::BernoulliLogit(), "bin2", options);
}

TEST_F(CpGcpBlocksTest, HeldOutEntriesAndSamples) {
  CpGcpOptions options{.rank = 2, .max_iterations = 60};
  options.method = GcpMethod::lbfgs;
  options.holdout = 0.2;
  const auto tensor = make("cnt");
  const AnyLoss loss = losses::NegativeBinomial{1.0};
  const auto known = genten::cp_gcp(exec, tensor, loss, options);
  const auto found = genten::cp_gcp(exec, tensor, as_blocks(loss), options);
  EXPECT_NEAR(found.holdout_loss / known.holdout_loss, 1.0, 1e-6);
  options.holdout = 0.0;
  options.most_operations = 0.0;
  options.zero_samples = 2000;
  const auto sampled = genten::cp_gcp(exec, tensor, as_blocks(loss), options);
  EXPECT_EQ(sampled.zeros, ZeroSums::sampled);
  EXPECT_GT(sampled.objective_error, 0.0);
}

TEST_F(CpGcpBlocksTest, DerivativesAreChecked) {
  const auto tensor = make("cnt");
  const CpGcpOptions options{.rank = 2};
  EXPECT_THAT(message_of([&] {
                (void)genten::cp_gcp(exec, tensor, as_blocks(losses::NegativeBinomial{1.0}, 2.0),
                                     options);
              }),
              HasSubstr("loss own: its derivative at x = "));
}

TEST_F(CpGcpBlocksTest, WhatAFunctionThrowsComesThrough) {
  BlockLoss loss;
  loss.facts.name = "broken";
  loss.value = loss.slope = [](const double*, const double*, double*, std::size_t) {
    throw std::runtime_error("no number");
  };
  EXPECT_THROW((void)genten::cp_gcp(exec, make("cnt"), loss, {.rank = 1}), std::runtime_error);
}

}  // namespace
