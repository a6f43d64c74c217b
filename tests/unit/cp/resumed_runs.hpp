// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Runs of CP-ALS that leave checkpoints, and what of a run that goes on from one has to be the
/// same.

#include "cp_als_support.hpp"

#include <vector>

namespace genten_test::cp {

template <class Scalar>
using Saved = genten::Checkpoint<Model<Scalar>>;

/// Adds every checkpoint of a run, and returns its result.
template <class Scalar, class... Guess>
genten::CpAlsResult<Scalar, Exec> run_saving(const Tensor<Scalar>& tensor,
                                             const CpAlsOptions& options,
                                             std::vector<Saved<Scalar>>& saved,
                                             const Guess&... guess) {
  return cp_als(Exec{}, tensor, guess..., options,
                [&](const genten::KtensorIteration<Scalar, Exec>& iteration) {
                  saved.push_back(iteration.checkpoint());
                  return ObserverAction::proceed;
                });
}

/// To the bit, but for seconds, which only grow.
template <class Scalar>
void expect_same_end(const genten::CpAlsResult<Scalar, Exec>& found,
                     const genten::CpAlsResult<Scalar, Exec>& expected) {
  EXPECT_EQ(numbers(found.model), numbers(expected.model));
  EXPECT_EQ(found.stop_reason, expected.stop_reason);
  EXPECT_EQ(found.fit, expected.fit);
  EXPECT_EQ(found.objective, expected.objective);
  EXPECT_EQ(found.residual_norm, expected.residual_norm);
  EXPECT_EQ(found.residual_error, expected.residual_error);
  EXPECT_EQ(found.residual_route, expected.residual_route);
  EXPECT_EQ(found.rank_deficient_solves, expected.rank_deficient_solves);
  EXPECT_EQ(found.momentum_restarts, expected.momentum_restarts);
  EXPECT_EQ(found.best_start, expected.best_start);
  EXPECT_EQ(found.kernel, expected.kernel);
  ASSERT_EQ(found.history.size(), expected.history.size());
  double seconds = 0.0;
  for (std::size_t k = 0; k < found.history.size(); ++k) {
    EXPECT_EQ(found.history[k].iteration, k + 1);
    EXPECT_EQ(found.history[k].fit, expected.history[k].fit);
    EXPECT_EQ(found.history[k].objective, expected.history[k].objective);
    EXPECT_GE(found.history[k].seconds, seconds);
    seconds = found.history[k].seconds;
  }
  ASSERT_EQ(found.starts.size(), expected.starts.size());
  for (std::size_t s = 0; s < found.starts.size(); ++s) {
    EXPECT_EQ(found.starts[s].seed, expected.starts[s].seed);
    EXPECT_EQ(found.starts[s].fit, expected.starts[s].fit);
    EXPECT_EQ(found.starts[s].iterations, expected.starts[s].iterations);
    EXPECT_EQ(found.starts[s].stop_reason, expected.starts[s].stop_reason);
  }
}

}  // namespace genten_test::cp
