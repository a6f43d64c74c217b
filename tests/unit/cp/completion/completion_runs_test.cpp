// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Tensor completion: held-out entries, lists of missing entries, and how runs end.
#include "completion_support.hpp"

#include <genten/core/random.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace {

using genten::CpCompletionOptions;
using genten::StopReason;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::completion::CompletionTest;
using genten_test::completion::expect_relative;
using genten_test::completion::part_of_model;
using genten_test::completion::shuffled;
using genten_test::completion::squared_error;

template <class Combination>
class CompletionRuns : public CompletionTest<Combination> {};
TYPED_TEST_SUITE(CompletionRuns, genten_test::ModelTypes, genten_test::TypeNames);

/// The entries on one side of a holdout, by the hash as it is documented.
PlainTensor side_of(const PlainTensor& tensor, std::uint64_t seed, double fraction, bool held) {
  PlainTensor side{tensor.dimensions, {}, {}};
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    std::uint64_t bits = genten::mix_bits(seed);
    for (const std::size_t i : tensor.subscripts[p]) bits = genten::mix_bits(bits ^ i);
    if ((genten::uniform_from_bits(bits) < fraction) != held) continue;
    side.subscripts.push_back(tensor.subscripts[p]);
    side.values.push_back(tensor.values[p]);
  }
  return side;
}

TYPED_TEST(CompletionRuns, HeldOutEntriesDoNotCountAndTestTheModel) {
  const auto plain = part_of_model({.part = 0.7, .noise = 0.3});
  const CpCompletionOptions options{.rank = 3,
                                    .max_iterations = 200,
                                    .tolerance = 0.0,
                                    .holdout = 0.25,
                                    .holdout_seed = 7,
                                    .patience = 5};
  const auto result = genten::cp_completion(this->exec, this->make(plain), options);
  const auto held = side_of(plain, 7, 0.25, true), rest = side_of(plain, 7, 0.25, false);
  EXPECT_EQ(result.holdout.entries, static_cast<genten::offset_t>(held.nnz()));
  EXPECT_EQ(result.entries, static_cast<double>(rest.nnz()));
  expect_relative(static_cast<double>(held.nnz()), 0.25 * static_cast<double>(plain.nnz()), 0.25);
  const PlainModel model = genten_test::plain(result.model);
  const double tolerance = this->is_double ? 1e-10 : 1e-3;
  double magnitude = 0.0;
  for (std::size_t p = 0; p < held.nnz(); ++p) {
    magnitude += std::abs(held.values[p] - genten_test::entry_reference(model, held.subscripts[p]));
  }
  const auto entries = static_cast<double>(held.nnz());
  expect_relative(result.holdout.rmse, std::sqrt(squared_error(held, model) / entries), tolerance);
  expect_relative(result.holdout.mae, magnitude / entries, tolerance);
  expect_relative(result.residual_norm, std::sqrt(squared_error(rest, model)), tolerance);
  // The best of the history, which went on for five sweeps and no longer.
  EXPECT_EQ(result.stop_reason, StopReason::no_improvement);
  double best = std::numeric_limits<double>::infinity();
  std::size_t iteration = 0;
  for (const auto& record : result.history) {
    if (!(record.holdout_rmse < best)) continue;
    best = record.holdout_rmse;
    iteration = record.iteration;
  }
  EXPECT_EQ(result.holdout.rmse, best);
  EXPECT_EQ(result.returned_iteration, iteration);
  EXPECT_EQ(result.fit, result.history[iteration - 1].fit);
  EXPECT_GE(result.iterations, iteration);
  EXPECT_EQ(result.iterations, result.history.size());
  ASSERT_EQ(result.starts.size(), 1U);
  EXPECT_EQ(result.starts[0].holdout_rmse, best);
}

// Which entries are held out depends on subscripts and seed alone.
TYPED_TEST(CompletionRuns, TheSameEntriesAreHeldOutInAnyOrder) {
  const auto plain = part_of_model({.part = 0.7, .noise = 0.3});
  const auto run = [&](const PlainTensor& tensor, std::uint64_t seed) {
    return genten::cp_completion(this->exec, this->make(tensor),
                                 CpCompletionOptions{.rank = 2,
                                                     .max_iterations = 3,
                                                     .tolerance = 0.0,
                                                     .holdout = 0.3,
                                                     .holdout_seed = seed});
  };
  const auto one = run(plain, 1), again = run(shuffled(plain, 2), 1), other = run(plain, 2);
  EXPECT_EQ(one.holdout.entries, again.holdout.entries);
  expect_relative(again.holdout.rmse, one.holdout.rmse, this->is_double ? 1e-10 : 1e-3);
  EXPECT_GT(std::abs(other.holdout.rmse / one.holdout.rmse - 1.0), 1e-3);
}

TYPED_TEST(CompletionRuns, StartsAreComparedByHeldOutEntries) {
  const auto tensor = this->make(part_of_model({.rank = 3, .part = 0.3, .noise = 0.1}));
  const auto result = genten::cp_completion(
      this->exec, tensor,
      CpCompletionOptions{.rank = 3, .max_iterations = 40, .seed = 5, .starts = 4, .holdout = 0.2});
  ASSERT_EQ(result.starts.size(), 4U);
  for (const auto& start : result.starts) EXPECT_GE(start.holdout_rmse, result.holdout.rmse);
  EXPECT_EQ(result.starts[result.best_start].holdout_rmse, result.holdout.rmse);
  EXPECT_EQ(result.starts[result.best_start].seed, 5 + result.best_start);
}

/// Minimizes over all entries but the missing ones by brute force: those as a tensor of explicit
/// entries.
TYPED_TEST(CompletionRuns, AListOfMissingEntriesLeavesTheOthersWithTheirZeros) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const std::vector<std::size_t> dimensions{6, 5, 7};
  PlainTensor sparse{dimensions, {}, {}}, missing = sparse, others = sparse;
  std::mt19937_64 random(3);
  genten_test::for_each_element(dimensions, [&](const std::vector<std::size_t>& at) {
    const bool nonzero = random() % 3 == 0, is_missing = random() % 5 == 0 && at[0] != 2;
    const double value = nonzero ? 1.0 + static_cast<double>(random() % 5) : 0.0;
    if (nonzero) {
      sparse.subscripts.push_back(at);
      sparse.values.push_back(value);
    }
    PlainTensor& side = is_missing ? missing : others;
    side.subscripts.push_back(at);
    side.values.push_back(value);
  });
  missing.subscripts.push_back(missing.subscripts.front());  // twice is not more missing
  missing.values.push_back(1.0);
  const auto guess =
      genten_test::to_ktensor<Real, Space>(genten_test::random_model(dimensions, 3, 2));
  const CpCompletionOptions options{.max_iterations = 25, .tolerance = 0.0, .ridge = {0.1}};
  const auto expected = genten::cp_completion(this->exec, this->make(others), guess, options);
  const auto found =
      genten::cp_completion(this->exec, this->make(sparse), this->make(missing), guess, options);
  const double tolerance = this->is_double ? 1e-9 : 1e-3;
  ASSERT_EQ(found.iterations, 25U);
  EXPECT_EQ(found.entries, static_cast<double>(others.nnz()));
  for (std::size_t k = 0; k < 25; ++k) {
    expect_relative(found.history[k].objective, expected.history[k].objective, tolerance);
  }
  expect_relative(found.tensor_norm, expected.tensor_norm, 1e-6);
  const PlainModel a = genten_test::plain(expected.model), b = genten_test::plain(found.model);
  for (std::size_t r = 0; r < 3; ++r) expect_relative(b.weights[r], a.weights[r], 10 * tolerance);
  EXPECT_GT(squared_error(missing, a), 0.0);
  // Few entries are missing: none but what is asked for is added.
  const auto free = genten::cp_completion(this->exec, this->make(sparse), this->make(missing),
                                          CpCompletionOptions{.rank = 1, .max_iterations = 1});
  EXPECT_EQ(free.ridge, std::vector<double>(3, 0.0));
}

TYPED_TEST(CompletionRuns, ObserversSeeEveryIterationAndEndTheRun) {
  const auto plain = part_of_model({.part = 0.6, .noise = 0.2});
  std::vector<double> errors;
  const genten::KtensorObserver<typename TestFixture::Scalar, typename TestFixture::Exec> observer =
      [&](const auto& seen) {
        errors.push_back(seen.record.holdout_rmse);
        EXPECT_EQ(seen.model().rank(), 2U);
        return seen.record.iteration == 4 ? genten::ObserverAction::stop
                                          : genten::ObserverAction::proceed;
      };
  const auto result = genten::cp_completion(
      this->exec, this->make(plain),
      CpCompletionOptions{.rank = 2, .tolerance = 0.0, .starts = 3, .holdout = 0.2}, observer);
  EXPECT_EQ(result.stop_reason, StopReason::observer);
  EXPECT_EQ(result.iterations, 4U);
  EXPECT_EQ(result.starts.size(), 1U);
  ASSERT_EQ(errors.size(), 4U);
  for (const double error : errors) EXPECT_GT(error, 0.0);
}

TYPED_TEST(CompletionRuns, WithoutIterationsTheGuessIsReturned) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const auto start = genten_test::random_model({7, 8, 9}, 2, 6);
  const auto whole = this->make(part_of_model({.part = 1.0}));
  const auto result =
      genten::cp_completion(this->exec, whole, genten_test::to_ktensor<Real, Space>(start),
                            CpCompletionOptions{.max_iterations = 0});
  EXPECT_EQ(result.iterations, 0U);
  EXPECT_EQ(result.returned_iteration, 0U);
  EXPECT_EQ(result.stop_reason, StopReason::iteration_limit);
  const PlainModel model = genten_test::plain(result.model);
  for (const auto& at : std::vector<std::vector<std::size_t>>{{0, 0, 0}, {6, 7, 8}, {3, 1, 5}}) {
    const double expected = genten_test::entry_reference(start, at);
    EXPECT_NEAR(genten_test::entry_reference(model, at), expected,
                1e-5 * std::max(1.0, std::abs(expected)));
  }
}

// Columns share the scale of a component before the first sweep, whatever their own.
TEST(CompletionScale, GuessesWithColumnsOfAnyLength) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const Exec exec;
  auto start = genten_test::random_model({7, 8, 9}, 2, 6);
  for (double& element : start.factors[1].elements) element *= 1e300;
  for (double& element : start.factors[2].elements) element *= 1e300;
  for (double& element : start.factors[0].elements) element *= 1e-300;
  const auto tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(part_of_model({}));
  const auto result =
      genten::cp_completion(exec, tensor, genten_test::to_ktensor<double, Exec>(start),
                            CpCompletionOptions{.max_iterations = 5, .tolerance = 0.0});
  EXPECT_EQ(result.iterations, 5U);
  EXPECT_TRUE(std::isfinite(result.residual_norm));
}

}  // namespace
