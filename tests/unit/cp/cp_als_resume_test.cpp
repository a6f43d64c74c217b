// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// CP-ALS that goes on from a checkpoint ends as if it had never stopped.
#include "resumed_runs.hpp"

#include <genten/io/checkpoint.hpp>
#include <genten/io/ktensor.hpp>

#include <gmock/gmock.h>

#include <filesystem>

namespace {

using namespace genten_test::cp;
using genten::Checkpoint;
using genten_test::error_of;
using genten_test::PlainTensor;
using genten_test::random_model;
using genten_test::random_tensor;
using testing::HasSubstr;

template <class RealScalar>
class CpAlsResumeTest : public testing::Test {
 protected:
  using Scalar = RealScalar;
  using Result = genten::CpAlsResult<Scalar, Exec>;
  using Saved = genten_test::cp::Saved<Scalar>;
  using Observed = genten::KtensorIteration<Scalar, Exec>;

  const Exec exec{};
  const PlainTensor plain_tensor = random_tensor({.dimensions = {20, 15, 10},
                                                  .nnz = 700,
                                                  .seed = 3,
                                                  .duplicate_every = 9,
                                                  .empty_slices = true});
  const Tensor<Scalar> tensor = make<Scalar>(plain_tensor);
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(CpAlsResumeTest, Scalars);

TYPED_TEST(CpAlsResumeTest, EveryIterationOfEveryStartLeadsToTheSameEnd) {
  for (const std::size_t rank : {4, 25}) {  // the second is rank-deficient
    std::vector<typename TestFixture::Saved> saved;
    const CpAlsOptions options{
        .rank = rank, .max_iterations = 9, .tolerance = 1e-3, .seed = 4, .starts = 3};
    const auto expected = run_saving(this->tensor, options, saved);
    ASSERT_GT(saved.size(), 12u);
    for (const auto& checkpoint : saved) {
      std::size_t calls = 0;
      const auto found =
          cp_als(this->exec, this->tensor, checkpoint, options,
                 [&](const typename TestFixture::Observed& iteration) {
                   ++calls;
                   // What is saved later is what was saved then.
                   const auto& then = saved[saved.size() - 1];
                   if (iteration.start == 2 && iteration.ends) {
                     EXPECT_EQ(numbers(iteration.checkpoint().model), numbers(then.model));
                   }
                   return ObserverAction::proceed;
                 });
      expect_same_end(found, expected);
      EXPECT_EQ(calls, saved.size() - static_cast<std::size_t>(&checkpoint - saved.data()) - 1);
    }
  }
}

TYPED_TEST(CpAlsResumeTest, TheModelOfACheckpointIsTheBestSoFar) {
  const CpAlsOptions options{
      .rank = 4, .max_iterations = 9, .tolerance = 0.0, .seed = 4, .starts = 4};
  for (const bool together : {true, false}) {
    CpAlsOptions chosen = options;
    if (!together) chosen.mttkrp.kernel = "permuted";
    std::vector<double> seen, found;
    (void)cp_als(this->exec, this->tensor, chosen,
                 [&](const typename TestFixture::Observed& iteration) {
                   found.push_back(genten_test::fit_reference(
                       this->plain_tensor, genten_test::plain(iteration.checkpoint().model)));
                   seen.push_back(iteration.record.fit);
                   return ObserverAction::proceed;
                 });
    // Of starts that take turns, what they have done counts from the first that is shown.
    ASSERT_EQ(seen.size(), 36u);
    const std::size_t turn = together ? 4 : 1;
    double best = -1.0;
    std::size_t earlier = 0;
    for (std::size_t k = 0; k < seen.size(); ++k) {
      if (k % turn == 0) {
        best =
            std::max(best, *std::max_element(seen.begin() + static_cast<std::ptrdiff_t>(k),
                                             seen.begin() + static_cast<std::ptrdiff_t>(k + turn)));
      }
      EXPECT_NEAR(found[k], best, 1e-5) << k;
      earlier += seen[k] < best ? 1 : 0;
    }
    EXPECT_GT(earlier, 5u);
  }
}

TYPED_TEST(CpAlsResumeTest, GuessesFixedModesAndScalesComeBack) {
  const auto guess = genten_test::to_ktensor<TypeParam, Exec>(random_model({20, 15, 10}, 4, 8));
  for (const std::vector<int>& fixed : {std::vector<int>{}, std::vector<int>{1}, {0, 2}}) {
    std::vector<typename TestFixture::Saved> saved;
    CpAlsOptions options{.rank = 4, .max_iterations = 5, .tolerance = 0.0, .fixed_modes = fixed};
    const auto expected = run_saving(this->tensor, options, saved, guess);
    for (const auto& checkpoint : saved) {
      expect_same_end(cp_als(this->exec, this->tensor, checkpoint, options), expected);
    }
  }
  PlainTensor tiny = this->plain_tensor;
  for (double& value : tiny.values) value *= sizeof(TypeParam) == 4 ? 1e-30 : 1e-250;
  const CpAlsOptions options{.rank = 4, .max_iterations = 5, .tolerance = 0.0};
  std::vector<typename TestFixture::Saved> saved;
  const auto expected = cp_als(this->exec, make<TypeParam>(tiny), options,
                               [&](const typename TestFixture::Observed& iteration) {
                                 saved.push_back(iteration.checkpoint());
                                 return ObserverAction::proceed;
                               });
  expect_same_end(cp_als(this->exec, make<TypeParam>(tiny), saved[1], options), expected);
}

TYPED_TEST(CpAlsResumeTest, FilesHoldCheckpointsThatAreModelsToo) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) /
      ("genten-resume-" + std::to_string(sizeof(TypeParam)) + ".gkt");
  std::vector<typename TestFixture::Saved> saved;
  const CpAlsOptions options{
      .rank = 4, .max_iterations = 4, .tolerance = 0.0, .seed = 4, .starts = 2};
  const auto expected = run_saving(this->tensor, options, saved);
  for (const auto& checkpoint : saved) {
    genten::write_checkpoint(path, checkpoint);
    EXPECT_EQ(genten::checkpoint_scalar_bytes(path), sizeof(TypeParam));
    const auto read = genten::read_checkpoint<TypeParam, Exec>(path);
    EXPECT_EQ(genten::checkpoint_options(read).starts, 2u);
    expect_same_end(cp_als(this->exec, this->tensor, read, options), expected);
    EXPECT_EQ(numbers(genten::read_ktensor<TypeParam, Exec>(path)), numbers(checkpoint.model));
  }
  using Other = std::conditional_t<sizeof(TypeParam) == 4, double, float>;
  EXPECT_THAT(error_of([&] { (void)genten::read_checkpoint<Other, Exec>(path); }),
              HasSubstr("bytes, got one of"));
  genten::write_ktensor(path, saved[0].model, genten::KtensorFormat::binary);
  EXPECT_THAT(error_of([&] { (void)genten::read_checkpoint<TypeParam, Exec>(path); }),
              HasSubstr("expected a checkpoint, got a model"));
  std::filesystem::remove(path);
}

TYPED_TEST(CpAlsResumeTest, ALongerRunIsOneThatWasNeverShort) {
  std::vector<typename TestFixture::Saved> saved;
  CpAlsOptions options{.rank = 4, .max_iterations = 4, .tolerance = 0.0};
  (void)run_saving(this->tensor, options, saved);
  options.max_iterations = 11;
  options.time_limit = 1e6;
  expect_same_end(cp_als(this->exec, this->tensor, saved.back(), options),
                  cp_als(this->exec, this->tensor, options));
}

TYPED_TEST(CpAlsResumeTest, OtherTensorsAndOptionsAreRefused) {
  std::vector<typename TestFixture::Saved> saved;
  const CpAlsOptions options{.rank = 4, .max_iterations = 2, .tolerance = 0.0};
  (void)run_saving(this->tensor, options, saved);
  const auto complaint = [&](const CpAlsOptions& others, const PlainTensor& other) {
    return error_of([&] { (void)cp_als(this->exec, make<TypeParam>(other), saved[0], others); });
  };
  CpAlsOptions others = options;
  others.rank = 5;
  others.seed = 2;
  EXPECT_THAT(complaint(others, this->plain_tensor), HasSubstr("other options: rank, seed"));
  others = options;
  others.fixed_modes = {1};
  others.init = genten::FactorKind::normal;
  EXPECT_THAT(complaint(others, this->plain_tensor), HasSubstr("other options: init, fixed-modes"));
  PlainTensor other = this->plain_tensor;
  other.values[17] += 1.0;
  EXPECT_THAT(complaint(options, other), HasSubstr("another tensor"));
  other = this->plain_tensor;
  other.dimensions[1] += 1;
  EXPECT_THAT(complaint(options, other),
              HasSubstr("20 x 15 x 10 with 310 nonzeros, this one has 20 x 16 x 10"));
}

TYPED_TEST(CpAlsResumeTest, DamagedStatesAreRefused) {
  std::vector<typename TestFixture::Saved> saved;
  const CpAlsOptions options{.rank = 2, .max_iterations = 2, .tolerance = 0.0};
  (void)run_saving(this->tensor, options, saved);
  const std::string whole = saved[0].state;
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 40) {
    saved[0].state = whole.substr(0, length);
    EXPECT_NE(error_of([&] { (void)cp_als(this->exec, this->tensor, saved[0], options); }), "");
  }
}

}  // namespace
