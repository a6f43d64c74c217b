// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "thread_counts.hpp"
#include "tucker_support.hpp"

namespace {

using namespace tucker_test;
using testing::HasSubstr;

template <class Types>
using TuckerRuns = TuckerTest<Types>;
TYPED_TEST_SUITE(TuckerRuns, genten_test::HostModelTypes, genten_test::TypeNames);

PlainTensor order_four() {
  return genten_test::random_tensor({{9, 7, 8, 6}, 400, 5, 13});
}

TYPED_TEST(TuckerRuns, NeverLetTheFitFall) {
  for (const auto init : {TuckerInit::random, TuckerInit::hosvd, TuckerInit::st_hosvd}) {
    TuckerOptions options;
    options.ranks = {3, 2, 4, 5};
    options.init = init;
    options.tolerance = 0.0;
    options.max_iterations = 25;
    options.mode_order = {3, 1, 0, 2};
    const auto result = this->run(order_four(), options);
    EXPECT_EQ(result.iterations, 25);
    EXPECT_EQ(result.stop_reason, genten::StopReason::iteration_limit);
    ASSERT_EQ(result.history.size(), 25);
    for (std::size_t k = 1; k < 25; ++k) {
      EXPECT_GE(result.history[k].fit, result.history[k - 1].fit - this->roundings());
    }
    EXPECT_EQ(result.history.back().fit, result.fit);
    this->expect_consistent(order_four(), result);
  }
}

TYPED_TEST(TuckerRuns, TakeMatricesAndFullRanks) {
  const auto matrix = genten_test::random_tensor({{9, 12}, 60, 3});
  TuckerOptions options;
  options.ranks = {4, 4};
  options.tolerance = 1e-12;
  const auto result = this->run(matrix, options);
  this->expect_consistent(matrix, result);
  // Of a matrix all ways lead to the singular value decomposition.
  options.method = TuckerMethod::hosvd;
  EXPECT_NEAR(this->run(matrix, options).fit, result.fit, this->tolerance());
  const auto plain = genten_test::random_tensor({{4, 5, 3}, 40, 3});
  options.ranks = {4, 5, 3};
  for (const auto method : {TuckerMethod::hosvd, TuckerMethod::hooi}) {
    options.method = method;
    const auto full = this->run(plain, options);
    EXPECT_NEAR(this->residual_of(plain, full.model), 0.0, 10.0 * this->tolerance());
  }
}

TYPED_TEST(TuckerRuns, TakeATensorWithoutNonzeros) {
  for (const auto method : {TuckerMethod::hosvd, TuckerMethod::st_hosvd, TuckerMethod::hooi}) {
    TuckerOptions options;
    options.ranks = {2, 1, 2};
    options.method = method;
    const auto result = this->run({{4, 3, 5}, {}, {}}, options);
    EXPECT_EQ(result.fit, 1.0);
    EXPECT_EQ(result.core_norm, 0.0);
    EXPECT_EQ(result.residual_error, 0.0);
  }
}

TYPED_TEST(TuckerRuns, LeaveModesAsTheyAre) {
  const auto plain = order_four();
  for (const auto method : {TuckerMethod::hosvd, TuckerMethod::st_hosvd, TuckerMethod::hooi}) {
    TuckerOptions options;
    options.ranks = {3, 0, 4, 0};
    options.method = method;
    options.tolerance = this->roundings();
    options.max_iterations = 200;
    const auto result = this->run(plain, options);
    EXPECT_FALSE(result.model.is_compressed(1));
    EXPECT_EQ(result.model.ranks(), (std::vector<std::size_t>{3, 7, 4, 6}));
    EXPECT_EQ(result.model.dimensions(), plain.dimensions);
    this->expect_consistent(plain, result);
    // The same with a full rank, whose factor is any orthonormal basis, for the identity.
    options.ranks = {3, 7, 4, 6};
    if (method == TuckerMethod::st_hosvd) options.mode_order = {0, 2, 1, 3};
    EXPECT_NEAR(this->run(plain, options).fit, result.fit, 10.0 * this->tolerance());
  }
  TuckerOptions one;
  one.ranks = {0, 0, 4, 0};
  const auto result = this->run(plain, one);
  one.method = TuckerMethod::hosvd;
  EXPECT_NEAR(this->run(plain, one).fit, result.fit, this->tolerance());
}

TYPED_TEST(TuckerRuns, KeepFixedFactorsAndBeginWithAGuess) {
  using Guess = typename TestFixture::Model;
  const auto plain = order_four();
  const auto tensor = this->tensor_of(plain);
  TuckerOptions options;
  options.ranks = {3, 2, 4, 5};
  options.init = TuckerInit::random;
  options.max_iterations = 0;
  const Guess guess = this->run(plain, options).model;
  options.ranks = {};
  options.max_iterations = 20;
  options.fixed_modes = {1, 3};
  for (const auto method : {TuckerMethod::hosvd, TuckerMethod::st_hosvd, TuckerMethod::hooi}) {
    options.method = method;
    const auto result = genten::tucker(this->exec, tensor, guess, options);
    this->expect_consistent(plain, result, options.fixed_modes);
    for (const int n : {1, 3}) {
      EXPECT_EQ(genten_test::plain(result.model.factor(n)).elements,
                genten_test::plain(guess.factor(n)).elements);
    }
    EXPECT_NE(genten_test::plain(result.model.factor(0)).elements,
              genten_test::plain(guess.factor(0)).elements);
  }
  // Where it begins counts: no sweep from a result changes its fit.
  options.fixed_modes = {};
  options.tolerance = 0.0;
  options.max_iterations = 60;
  const auto first = genten::tucker(this->exec, tensor, guess, options);
  options.max_iterations = 1;
  const auto second = genten::tucker(this->exec, tensor, first.model, options);
  EXPECT_NEAR(second.fit, first.fit, 1e-4);
  EXPECT_GE(second.fit, first.fit - this->roundings());
  // All fixed: the core alone is new.
  options.fixed_modes = {0, 1, 2, 3};
  const auto all = genten::tucker(this->exec, tensor, first.model, options);
  EXPECT_EQ(all.iterations, 0);
  EXPECT_NEAR(all.fit, first.fit, this->tolerance());
}

TYPED_TEST(TuckerRuns, StopByObserverTimeAndChangeOfFit) {
  TuckerOptions options;
  options.ranks = {3, 2, 4, 5};
  options.init = TuckerInit::random;
  options.tolerance = 0.0;
  std::size_t seen = 0;
  double fit = 0.0;
  const auto stopped = genten::tucker(
      this->exec, this->tensor_of(order_four()), options,
      [&](const genten::Iteration<typename TestFixture::Model>& iteration) {
        fit = iteration.record.fit;
        EXPECT_EQ(iteration.model().ranks(), options.ranks);
        return ++seen == 3 ? genten::ObserverAction::stop : genten::ObserverAction::proceed;
      });
  EXPECT_EQ(stopped.stop_reason, genten::StopReason::observer);
  EXPECT_EQ(stopped.iterations, 3);
  EXPECT_EQ(stopped.fit, fit);
  options.time_limit = 1e-9;
  const auto late = this->run(order_four(), options);
  EXPECT_EQ(late.stop_reason, genten::StopReason::time_limit);
  EXPECT_EQ(late.iterations, 1);
  options.time_limit = 0.0;
  options.tolerance = 1e-3;
  const auto converged = this->run(order_four(), options);
  EXPECT_EQ(converged.stop_reason, genten::StopReason::converged);
  EXPECT_LT(std::abs(converged.history.back().fit_change), 1e-3);
  double sum = 0.0;
  for (const auto& timing : converged.timings) sum += timing.name == "total" ? 0 : timing.seconds;
  EXPECT_LE(sum, converged.seconds("total"));
  EXPECT_GT(converged.seconds("product"), 0.0);
  EXPECT_EQ(converged.timings.back().name, "total");
}

TYPED_TEST(TuckerRuns, RefuseWhatNoModelHas) {
  const auto refusal = [&](const TuckerOptions& options) {
    return genten_test::error_of(
        [&] { static_cast<void>(this->run(genten_test::cnt_tensor(), options)); });
  };
  const auto of_ranks = [&](std::vector<std::size_t> ranks) {
    TuckerOptions options;
    options.ranks = std::move(ranks);
    return refusal(options);
  };
  EXPECT_THAT(of_ranks({2, 2}), HasSubstr("option ranks: expected 3 numbers (one a mode), got 2"));
  EXPECT_THAT(of_ranks({2, 8, 2}),
              HasSubstr("expected at most 7 (the dimension) in mode 2, got 8"));
  EXPECT_THAT(of_ranks({5, 2, 2}),
              HasSubstr("expected at most 4 (the product of the other ranks) in mode 1, got 5"));
  EXPECT_THAT(of_ranks({0, 0, 0}), HasSubstr("got 0 for every mode"));
  TuckerOptions options;
  options.ranks = {2, 2, 2};
  options.mode_order = {0, 1};
  EXPECT_THAT(refusal(options), HasSubstr("option mode-order: expected all 3 modes, got 2"));
  options.mode_order = {0, 1, 1};
  EXPECT_THAT(refusal(options), HasSubstr("option mode-order: mode 2 (counted from 1) is named"));
  options.mode_order = {};
  options.fixed_modes = {1};
  EXPECT_THAT(refusal(options), HasSubstr("option fixed-modes: expected a guess"));
  options.fixed_modes = {3};
  EXPECT_THAT(refusal(options), HasSubstr("expected a mode from 1 to 3 (counted from 1), got 4"));
  options.fixed_modes = {};
  options.tolerance = -1.0;
  EXPECT_THAT(refusal(options), HasSubstr("option tolerance: expected a number from 0 to 1"));
  options.tolerance = 0.0;
  options.memory_available = 1000.0;
  EXPECT_THAT(refusal(options), HasSubstr("a Tucker decomposition of ranks 2 x 2 x 2 needs "));
  EXPECT_THAT(genten_test::error_of([&] {
                TuckerOptions large;
                large.ranks = {1000, 1000, 1000, 1000, 1000};
                static_cast<void>(
                    this->run({{1000, 1000, 1000, 1000, 1000}, {{0, 0, 0, 0, 0}}, {1.0}}, large));
              }),
              HasSubstr("core "));
}

TEST(TuckerOptionsOfLongModes, AreCheckedBeforeSubscriptsAreCopied) {
  const std::vector<std::uint64_t> subscripts{0, 0};
  const std::vector<double> values{1.0};
  const auto tensor = genten::Sptensor<double, std::uint64_t, genten::HostExec>::from_host(
      {std::size_t{1} << 32, 3}, subscripts, values);
  TuckerOptions options;
  options.ranks = {1};
  const auto refusal = [&] {
    return genten_test::error_of(
        [&] { static_cast<void>(genten::tucker(genten::HostExec(), tensor, options)); });
  };
  EXPECT_THAT(refusal(), HasSubstr("option ranks: expected 2 numbers (one a mode), got 1"));
  options.ranks = {1, 1};
  EXPECT_THAT(refusal(), HasSubstr("(drop_empty_slices)"));
}

TYPED_TEST(TuckerRuns, RefuseACoreThatTheirPrecisionCannotHold) {
  PlainTensor plain{{2, 2}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {3e38, 3e38, 3e38, 3e38}};
  TuckerOptions options;
  options.ranks = {1, 1};
  const std::string message =
      genten_test::error_of([&] { static_cast<void>(this->run(plain, options)); });
  if constexpr (sizeof(typename TestFixture::Scalar) == 4) {
    EXPECT_THAT(message, HasSubstr("beyond the range of single precision"));
  } else {
    EXPECT_EQ(message, "");
  }
}

TYPED_TEST(TuckerRuns, RefuseGuessesThatAreNotOrthonormal) {
  using Guess = typename TestFixture::Model;
  using Factor = typename TestFixture::Matrix;
  const auto plain = genten_test::random_tensor({{4, 5}, 15, 3});
  TuckerOptions options;
  options.ranks = {2, 2};
  options.max_iterations = 0;
  const Guess good = this->run(plain, options).model;
  const auto refusal = [&](const Guess& guess) {
    return genten_test::error_of([&] {
      static_cast<void>(genten::tucker(this->exec, this->tensor_of(plain), guess, options));
    });
  };
  EXPECT_EQ(refusal(good), "");
  const Factor doubled =
      genten_test::to_matrix<typename TestFixture::Scalar, typename TestFixture::Exec>(
          genten_test::random_matrix(4, 2, 1));
  EXPECT_THAT(refusal(Guess(good.ranks(), good.core(), {doubled, good.factor(1)})),
              HasSubstr("expected orthonormal columns in the guess"));
  EXPECT_THAT(refusal(Guess(good.ranks(), good.core(), {good.factor(1), good.factor(1)})),
              HasSubstr("expected a guess of the tensor's dimensions"));
  options.ranks = {2, 1};
  EXPECT_THAT(refusal(good), HasSubstr("option ranks: expected those of the guess, or none"));
}

TEST(TuckerThreads, GiveTheSameBits) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    using Exec = genten::HostExec;
    const auto tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(
        genten_test::random_tensor({{900, 140, 150}, 20000, 3}));
    genten_test::BitHash hash;
    for (const std::size_t rank : {4, 0}) {
      TuckerOptions options;
      options.ranks = {5, rank, 6};
      options.max_iterations = 3;
      const auto result = genten::tucker(Exec(), tensor, options);
      for (std::size_t k = 0; k < result.model.core().extent(0); ++k) {
        hash.add(result.model.core()(k));
      }
      for (const int n : {0, 2}) {
        for (const double x : genten_test::plain(result.model.factor(n)).elements) hash.add(x);
      }
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
