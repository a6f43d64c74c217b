// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Tensor completion from checkpoints: the bits of a run that was not interrupted.
#include "completion_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>

namespace {

using genten::CpCompletionOptions;
using genten_test::error_of;
using genten_test::PlainTensor;
using genten_test::completion::CompletionTest;
using genten_test::completion::part_of_model;
using testing::HasSubstr;

template <class Combination>
class CompletionResume : public CompletionTest<Combination> {
 protected:
  using Base = CompletionTest<Combination>;
  using typename Base::Exec;
  using typename Base::Scalar;
  using typename Base::Tensor;
  using Model = genten::Ktensor<Scalar, Exec>;
  using Checkpoint = genten::Checkpoint<Model>;
  using Result = genten::CpCompletionResult<Scalar, Exec>;

  static std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

  /// Where results are the same to the bit: what devices add up has no fixed order.
  static void expect_same(const Result& found, const Result& expected) {
    EXPECT_EQ(found.stop_reason, expected.stop_reason);
    EXPECT_EQ(found.best_start, expected.best_start);
    EXPECT_EQ(found.returned_iteration, expected.returned_iteration);
    EXPECT_EQ(found.rank_deficient_solves, expected.rank_deficient_solves);
    EXPECT_EQ(bits(found.objective), bits(expected.objective));
    EXPECT_EQ(bits(found.penalty), bits(expected.penalty));
    EXPECT_EQ(bits(found.holdout.rmse), bits(expected.holdout.rmse));
    EXPECT_EQ(bits(found.holdout.mae), bits(expected.holdout.mae));
    ASSERT_EQ(found.history.size(), expected.history.size());
    for (std::size_t k = 0; k < found.history.size(); ++k) {
      EXPECT_EQ(bits(found.history[k].objective), bits(expected.history[k].objective)) << k;
      EXPECT_EQ(bits(found.history[k].holdout_rmse), bits(expected.history[k].holdout_rmse)) << k;
      EXPECT_EQ(bits(found.history[k].holdout_mae), bits(expected.history[k].holdout_mae)) << k;
    }
    ASSERT_EQ(found.starts.size(), expected.starts.size());
    for (std::size_t k = 0; k < found.starts.size(); ++k) {
      EXPECT_EQ(found.starts[k].seed, expected.starts[k].seed);
      EXPECT_EQ(found.starts[k].iterations, expected.starts[k].iterations);
      EXPECT_EQ(bits(found.starts[k].holdout_rmse), bits(expected.starts[k].holdout_rmse));
    }
    expect_same(found.model, expected.model);
  }
  static void expect_same(const Model& found, const Model& expected) {
    const auto a = genten_test::plain(found), b = genten_test::plain(expected);
    EXPECT_EQ(a.weights, b.weights);
    for (std::size_t n = 0; n < a.factors.size(); ++n) {
      EXPECT_EQ(a.factors[n].elements, b.factors[n].elements);
    }
  }

  /// A whole run, and the checkpoint after that iteration of that start (from 0).
  template <class... Tensors>
  std::pair<Result, Checkpoint> run(const CpCompletionOptions& options, std::size_t start,
                                    std::size_t iteration, const Tensors&... tensors) const {
    Checkpoint kept;
    Model model;
    auto result = genten::cp_completion(this->exec, tensors..., options, [&](const auto& seen) {
      if (seen.start == start && seen.record.iteration == iteration) {
        kept = seen.checkpoint();
        model = seen.model();
      }
      return genten::ObserverAction::proceed;
    });
    if (start == 0) expect_same(kept.model, model);
    return {std::move(result), std::move(kept)};
  }
};
TYPED_TEST_SUITE(CompletionResume, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(CompletionResume, OneStartOverListedEntries) {
  const auto tensor = this->make(part_of_model({.part = 0.5, .noise = 0.2}));
  CpCompletionOptions options{.rank = 3, .max_iterations = 12, .tolerance = 0.0};
  const auto [whole, checkpoint] = this->run(options, 0, 5, tensor);
  ASSERT_EQ(whole.iterations, 12U);
  if (genten::is_host_space<typename TypeParam::Exec>) {
    this->expect_same(genten::cp_completion(this->exec, tensor, checkpoint, options), whole);
  }
  EXPECT_EQ(genten::completion_checkpoint(checkpoint), genten::CompletionCheckpoint::unlisted);
  EXPECT_EQ(genten::checkpoint_completion_options(checkpoint).rank, 3U);
  // Other limits are no other run.
  options.max_iterations = 7;
  EXPECT_EQ(genten::cp_completion(this->exec, tensor, checkpoint, options).iterations, 7U);
}

// The best iteration, and how many have passed since, are those before the checkpoint and after.
TYPED_TEST(CompletionResume, HeldOutEntriesAndPatience) {
  const auto tensor = this->make(part_of_model({.rank = 2, .part = 0.35, .noise = 1.0}));
  const CpCompletionOptions options{.rank = 5,
                                    .max_iterations = 200,
                                    .tolerance = 0.0,
                                    .ridge = {1e-3},
                                    .holdout = 0.3,
                                    .patience = 6};
  const auto whole = genten::cp_completion(this->exec, tensor, options);
  ASSERT_EQ(whole.stop_reason, genten::StopReason::no_improvement);
  ASSERT_LT(whole.returned_iteration, whole.iterations);
  // An array: nvcc 13 takes no list in braces here.
  const std::array iterations{whole.returned_iteration, whole.iterations - 2};
  for (const std::size_t iteration : iterations) {
    const auto [again, checkpoint] = this->run(options, 0, iteration, tensor);
    if (!genten::is_host_space<typename TypeParam::Exec>) continue;
    this->expect_same(genten::cp_completion(this->exec, tensor, checkpoint, options), again);
  }
}

TYPED_TEST(CompletionResume, StartsThatAreDoneAreNotDoneAgain) {
  const auto tensor = this->make(part_of_model({.rank = 3, .part = 0.3, .noise = 0.3}));
  CpCompletionOptions options{
      .rank = 3, .max_iterations = 15, .tolerance = 0.0, .seed = 5, .starts = 4, .holdout = 0.2};
  for (const std::size_t start : {1U, 2U, 3U}) {
    const auto [whole, checkpoint] = this->run(options, start, 4, tensor);
    if (!genten::is_host_space<typename TypeParam::Exec>) return;
    std::size_t iterations = 0;
    const auto count = [&](const auto&) {
      ++iterations;
      return genten::ObserverAction::proceed;
    };
    this->expect_same(genten::cp_completion(this->exec, tensor, checkpoint, options, count), whole);
    EXPECT_EQ(iterations, 11 + 15 * (3 - start));
  }
}

TYPED_TEST(CompletionResume, AListOfMissingEntries) {
  const auto plain = part_of_model({.part = 0.3, .noise = 0.2});
  const PlainTensor entries{{7, 8, 9}, {{0, 1, 2}, {3, 3, 3}, {6, 7, 8}, {3, 1, 0}}, {1, 1, 1, 1}};
  const auto tensor = this->make(plain), missing = this->make(entries);
  const CpCompletionOptions options{
      .rank = 3, .max_iterations = 10, .tolerance = 0.0, .starts = 2, .ridge = {0.1}};
  const auto [whole, checkpoint] = this->run(options, 1, 3, tensor, missing);
  EXPECT_EQ(genten::completion_checkpoint(checkpoint), genten::CompletionCheckpoint::listed);
  const auto shuffled = this->make(genten_test::completion::shuffled(entries, 2));
  if (genten::is_host_space<typename TypeParam::Exec>) {
    for (const auto& list : {missing, shuffled}) {
      this->expect_same(genten::cp_completion(this->exec, tensor, list, checkpoint, options),
                        whole);
    }
  }
  const auto resume = [&, &kept = checkpoint](const auto&... tensors) {
    return error_of(
        [&] { static_cast<void>(genten::cp_completion(this->exec, tensors..., kept, options)); });
  };
  EXPECT_THAT(resume(tensor, this->make({{7, 8, 9}, {{0, 1, 2}, {3, 3, 3}}, {1, 1}})),
              HasSubstr("of another list of missing entries"));
  EXPECT_THAT(resume(tensor), HasSubstr("of a run with a list of missing entries"));
}

TYPED_TEST(CompletionResume, CheckpointsOfOtherRunsAreRefused) {
  const auto tensor = this->make(part_of_model({.part = 0.5}));
  const auto other = this->make(part_of_model({.part = 0.5, .noise = 0.1}));
  CpCompletionOptions options{.rank = 2, .max_iterations = 4, .tolerance = 0.0};
  const auto pair = this->run(options, 0, 2, tensor);
  const auto resume = [&](const auto&... arguments) {
    return error_of([&] { static_cast<void>(genten::cp_completion(this->exec, arguments...)); });
  };
  EXPECT_THAT(resume(other, pair.second, options),
              HasSubstr("the checkpoint is of another tensor"));
  EXPECT_THAT(resume(tensor, other, pair.second, options),
              HasSubstr("all entries that are not listed are missing"));
  options.ridge = {2.0};
  EXPECT_THAT(resume(tensor, pair.second, options), HasSubstr("with other options: ridge"));
}

}  // namespace
