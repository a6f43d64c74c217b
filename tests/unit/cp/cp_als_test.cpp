// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/cp/cp_als.hpp>
#include <genten/cp/score.hpp>

#include "reference.hpp"
#include "thread_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
template <class Scalar>
using Tensor = genten::Sptensor<Scalar, std::uint32_t, Exec>;
template <class Scalar>
using Model = genten::Ktensor<Scalar, Exec>;
using genten::cp_als;
using genten::CpAlsOptions;
using genten::ObserverAction;
using genten::StopReason;
using genten_test::error_of;
using genten_test::fit_reference;
using genten_test::plain;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::random_model;
using genten_test::random_tensor;
using testing::HasSubstr;
using Iteration = genten::CpAlsIteration<double, Exec>;
using Result = genten::CpAlsResult<double, Exec>;

template <class Scalar = double>
Tensor<Scalar> make(const PlainTensor& tensor) {
  return genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(tensor);
}

/// The nonzero entries of a model.
PlainTensor entries_of(const PlainModel& model) {
  PlainTensor tensor;
  for (const auto& factor : model.factors) tensor.dimensions.push_back(factor.rows);
  genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
    const double value = genten_test::entry_reference(model, at);
    if (value == 0.0) return;
    tensor.subscripts.push_back(at);
    tensor.values.push_back(value);
  });
  return tensor;
}

/// A random model most of whose factor entries are zero.
PlainModel sparse_model(const std::vector<std::size_t>& dimensions, std::size_t rank,
                        unsigned seed) {
  PlainModel model = random_model(dimensions, rank, seed);
  std::mt19937_64 random(seed);
  for (auto& factor : model.factors) {
    for (std::size_t i = 0; i < factor.rows; ++i) {
      for (std::size_t r = 0; r < rank; ++r) {
        if (random() % 3 != 0) factor(i, r) = i == r ? 1.0 : 0.0;  // no column is all zero
      }
    }
  }
  return model;
}

/// Weights and factors, one number after another.
template <class Scalar>
std::vector<Scalar> numbers(const Model<Scalar>& model) {
  std::vector<Scalar> result;
  for (std::size_t r = 0; r < model.rank(); ++r) result.push_back(model.weights()(r));
  for (const auto& factor : model.factors()) {
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < model.rank(); ++r) result.push_back(factor(i, r));
    }
  }
  return result;
}

template <class Scalar>
bool all_finite(const Model<Scalar>& model) {
  for (const Scalar x : numbers(model)) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

class CpAlsTest : public testing::Test {
 protected:
  const Exec exec{};
  const PlainTensor plain_tensor =
      random_tensor({.dimensions = {20, 15, 10}, .nnz = 700, .seed = 3, .duplicate_every = 9});
  const Tensor<double> tensor = make(plain_tensor);
};

// ---- what it finds

TEST_F(CpAlsTest, PlantedModelsAreRecovered) {
  for (const auto& planted :
       {random_model({12, 10, 8}, 3, 1), random_model({6, 5, 7, 4}, 2, 2),
        sparse_model({40, 30, 25}, 4, 3), sparse_model({9, 8, 7, 6, 5}, 2, 4)}) {
    const auto reference = genten_test::to_ktensor<double, Exec>(planted);
    const auto result = cp_als(exec, make(entries_of(planted)),
                               CpAlsOptions{.rank = planted.weights.size(),
                                            .max_iterations = 2000,
                                            .tolerance = 1e-10,
                                            .starts = 8});
    EXPECT_GT(genten::score(exec, result.model, reference).score, 0.999)
        << "order " << planted.factors.size() << ", fit " << result.fit;
  }
}

TEST_F(CpAlsTest, PlantedModelIsRecoveredInFloat) {
  const auto planted = random_model({12, 10, 8}, 3, 1);
  const auto result =
      cp_als(exec, make<float>(entries_of(planted)),
             CpAlsOptions{.rank = 3, .max_iterations = 1000, .tolerance = 1e-7, .starts = 5});
  EXPECT_GT(result.fit, 0.9999);
  // Compared in double: the score itself is not under test here.
  const auto found = genten_test::to_ktensor<double, Exec>(plain(result.model));
  EXPECT_GT(genten::score(exec, found, genten_test::to_ktensor<double, Exec>(planted)).score,
            0.999);
}

TEST_F(CpAlsTest, FitsAreThoseOfTheModels) {
  std::size_t calls = 0;
  const auto result =
      cp_als(exec, tensor, CpAlsOptions{.rank = 5, .max_iterations = 6, .tolerance = 0.0},
             [&](const Iteration& iteration) {
               ++calls;
               const auto model = plain(iteration.model());
               EXPECT_NEAR(iteration.record.fit, fit_reference(plain_tensor, model), 1e-11);
               return ObserverAction::proceed;
             });
  EXPECT_EQ(calls, 6u);
  EXPECT_NEAR(result.fit, fit_reference(plain_tensor, plain(result.model)), 1e-11);
  EXPECT_NEAR(result.tensor_norm, genten_test::norm_reference(plain_tensor), 1e-11);
  EXPECT_GT(result.fit, 0.0);
}

TEST_F(CpAlsTest, FitNeverFallsBeyondRounding) {
  for (const std::size_t rank : {1, 3, 20}) {
    const auto result =
        cp_als(exec, tensor, CpAlsOptions{.rank = rank, .max_iterations = 30, .tolerance = 0.0});
    ASSERT_EQ(result.history.size(), 30u);
    for (const auto& record : result.history) EXPECT_GT(record.fit_change, -1e-12) << rank;
  }
}

/// Singular values of a matrix by one-sided Jacobi rotations of its columns.
std::vector<double> singular_values(genten_test::PlainMatrix a) {
  for (int sweep = 0; sweep < 60; ++sweep) {
    for (std::size_t p = 0; p < a.columns; ++p) {
      for (std::size_t q = p + 1; q < a.columns; ++q) {
        double pp = 0.0, qq = 0.0, pq = 0.0;
        for (std::size_t i = 0; i < a.rows; ++i) {
          pp += a(i, p) * a(i, p), qq += a(i, q) * a(i, q), pq += a(i, p) * a(i, q);
        }
        if (pq == 0.0) continue;
        const double tau = (qq - pp) / (2.0 * pq);
        const double t = (tau < 0.0 ? -1.0 : 1.0) / (std::abs(tau) + std::hypot(1.0, tau));
        const double c = 1.0 / std::hypot(1.0, t), s = c * t;
        for (std::size_t i = 0; i < a.rows; ++i) {
          const double x = a(i, p), y = a(i, q);
          a(i, p) = c * x - s * y;
          a(i, q) = s * x + c * y;
        }
      }
    }
  }
  std::vector<double> values;
  for (std::size_t p = 0; p < a.columns; ++p) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.rows; ++i) sum += a(i, p) * a(i, p);
    values.push_back(std::sqrt(sum));
  }
  std::sort(values.rbegin(), values.rend());
  return values;
}

TEST_F(CpAlsTest, FitOfAMatrixIsThatOfItsTruncatedSvd) {
  auto matrix = genten_test::random_matrix(14, 8, 7);
  PlainTensor plain_matrix{{14, 8}, {}, {}};
  for (std::size_t i = 0; i < 14; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      matrix(i, j) *= std::pow(0.5, static_cast<double>(j));  // well separated
      plain_matrix.subscripts.push_back({i, j});
      plain_matrix.values.push_back(matrix(i, j));
    }
  }
  const auto sigma = singular_values(matrix);
  double all = 0.0;
  for (const double s : sigma) all += s * s;
  for (std::size_t rank = 1; rank <= 6; ++rank) {
    double beyond = 0.0;
    for (std::size_t k = rank; k < sigma.size(); ++k) beyond += sigma[k] * sigma[k];
    const auto result = cp_als(exec, make(plain_matrix),
                               CpAlsOptions{.rank = rank, .max_iterations = 500, .tolerance = 0.0});
    EXPECT_NEAR(result.fit, 1.0 - std::sqrt(beyond / all), 1e-9) << "rank " << rank;
  }
}

TEST_F(CpAlsTest, TwoByTwoMatrixAtRankTwoHasFitOne) {
  const PlainTensor matrix{{2, 2}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {29, 39, 63, 85}};
  const auto result = cp_als(exec, make(matrix), CpAlsOptions{.rank = 2});
  EXPECT_NEAR(result.fit, 1.0, 1e-9);
  EXPECT_EQ(result.residual_route, genten::ResidualRoute::extended);
  EXPECT_NEAR(result.residual_norm, genten_test::residual_reference(matrix, plain(result.model)),
              1e-11);
}

TEST_F(CpAlsTest, VectorAtRankOneHasFitOne) {
  const PlainTensor vector{{5}, {{0}, {2}, {3}}, {1.0, -2.0, 2.0}};
  const auto result = cp_als(exec, make(vector), CpAlsOptions{.rank = 1});
  EXPECT_NEAR(result.fit, 1.0, 1e-14);
  EXPECT_NEAR(result.model.weights()(0), 3.0, 1e-14);
}

TEST_F(CpAlsTest, AminoAcidFluorescenceHasItsKnownDecomposition) {
  std::ifstream file(GENTEN_SHARED_DATA_DIR "/aminoacid.txt");
  if (!file) GTEST_SKIP() << "aminoacid.txt is not here";
  std::string word;
  std::size_t order = 0, nnz = 0;
  PlainTensor amino{std::vector<std::size_t>(3), {}, {}};
  file >> word >> order >> amino.dimensions[0] >> amino.dimensions[1] >> amino.dimensions[2] >> nnz;
  ASSERT_EQ(order, 3u);
  for (std::size_t p = 0; p < nnz; ++p) {
    std::vector<std::size_t> at(3);
    double value = 0.0;
    file >> at[0] >> at[1] >> at[2] >> value;
    amino.subscripts.push_back(at);
    amino.values.push_back(value);
  }
  ASSERT_TRUE(file);
  ASSERT_EQ(nnz, 61305u);
  EXPECT_NEAR(genten_test::norm_reference(amino), 47991.9501320893, 1e-6);
  const auto result =
      cp_als(exec, make(amino),
             CpAlsOptions{.rank = 3, .max_iterations = 2000, .tolerance = 1e-10, .starts = 5});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_NEAR(result.fit, 0.974951482777, 1e-9);
  // The fit is flat at its maximum: weights take longer than it does.
  const auto settled = cp_als(exec, make(amino),
                              CpAlsOptions{.rank = 3,
                                           .max_iterations = 1000,
                                           .tolerance = 0.0,
                                           .seed = result.starts[result.best_start].seed});
  const std::vector<double> weights{33487.77, 23483.09, 21192.10};
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(result.model.weights()(r) / weights[r], 1.0, 1e-4) << r;
    EXPECT_NEAR(settled.model.weights()(r), weights[r], 0.01) << r;
  }
}

TEST_F(CpAlsTest, FloatAndDoubleFollowTheSamePath) {
  const CpAlsOptions options{.rank = 4, .max_iterations = 10, .tolerance = 0.0};
  const auto in_double = cp_als(exec, tensor, options);
  const auto in_float = cp_als(exec, make<float>(plain_tensor), options);
  ASSERT_EQ(in_float.history.size(), 10u);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(in_float.history[k].fit, in_double.history[k].fit, 1e-5) << k;
  }
}

TEST_F(CpAlsTest, EveryKernelFollowsTheSamePath) {
  CpAlsOptions options{.rank = 6, .max_iterations = 8, .tolerance = 0.0};
  const auto expected = cp_als(exec, tensor, options);
  for (const auto& kernel : genten::kernel_names<Exec>()) {
    options.mttkrp.kernel = kernel;
    const auto result = cp_als(exec, tensor, options);
    EXPECT_EQ(result.kernel, kernel);
    ASSERT_EQ(result.history.size(), 8u);
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_NEAR(result.history[k].fit, expected.history[k].fit, 1e-10) << kernel << " " << k;
    }
  }
}

TEST_F(CpAlsTest, DuplicatesCountAsTheirSum) {
  const auto unique = random_tensor({.dimensions = {20, 15, 10}, .nnz = 60, .seed = 5});
  PlainTensor split = unique, merged{unique.dimensions, {}, {}};
  for (std::size_t p = 0; p < unique.nnz(); ++p) {
    split.values[p] = 3.0 * unique.values[p];
    split.subscripts.push_back(unique.subscripts[p]);
    split.values.push_back(-2.0 * unique.values[p]);
  }
  for (const auto& [at, value] : split.entries()) {
    merged.subscripts.push_back(at);
    merged.values.push_back(value);
  }
  const CpAlsOptions options{.rank = 3, .max_iterations = 5, .tolerance = 0.0};
  const auto of_split = cp_als(exec, make(split), options);
  const auto of_merged = cp_als(exec, make(merged), options);
  EXPECT_NEAR(of_split.tensor_norm, of_merged.tensor_norm, 1e-12);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(of_split.history[k].fit, of_merged.history[k].fit, 1e-11) << k;
  }
  EXPECT_NEAR(of_split.fit, fit_reference(merged, plain(of_split.model)), 1e-11);
}

TEST_F(CpAlsTest, SameBitsForOneTwoAndThreeThreads) {
  const auto results = genten_test::with_thread_counts([] {
    genten_test::BitHash hash;
    const auto add = [&hash](const auto& result) {
      for (const auto x : numbers(result.model)) hash.add(x);
      for (const auto& record : result.history) hash.add(record.fit);
      hash.add(result.residual_norm);
    };
    const auto random = random_tensor({.dimensions = {2000, 900, 6, 4},
                                       .nnz = 80'000,
                                       .duplicate_every = 50,
                                       .heavy_slice = true});
    const CpAlsOptions options{.rank = 9, .max_iterations = 4, .tolerance = 0.0};
    add(cp_als(Exec(), make<double>(random), options));
    add(cp_als(Exec(), make<float>(random), options));
    add(cp_als(Exec(), make(entries_of(random_model({30, 20, 10}, 2, 1))),
               CpAlsOptions{.rank = 2, .max_iterations = 50, .tolerance = 0.0}));
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

// ---- options

TEST_F(CpAlsTest, InitialGuessIsNotChanged) {
  const auto guess = genten_test::to_ktensor<double, Exec>(random_model({20, 15, 10}, 4, 8));
  const auto before = numbers(guess);
  const auto result = cp_als(exec, tensor, guess, CpAlsOptions{.max_iterations = 5});
  EXPECT_EQ(numbers(guess), before);
  EXPECT_EQ(result.model.rank(), 4u);
  EXPECT_EQ(result.iterations, result.history.size());
}

/// Whether each column of `found` is, up to its sign, a normalized column of `given`.
testing::AssertionResult has_columns_of(const genten_test::PlainMatrix& found,
                                        const genten_test::PlainMatrix& given) {
  for (std::size_t r = 0; r < found.columns; ++r) {
    bool matched = false;
    for (std::size_t q = 0; q < given.columns; ++q) {
      double dot = 0.0, norm = 0.0, size = 0.0;
      for (std::size_t i = 0; i < found.rows; ++i) {
        dot += found(i, r) * given(i, q);
        norm += given(i, q) * given(i, q);
        size += found(i, r) * found(i, r);
      }
      matched = matched || std::abs(std::abs(dot) - std::sqrt(norm * size)) < 1e-12 * norm;
    }
    if (!matched) return testing::AssertionFailure() << "column " << r << " matches none";
  }
  return testing::AssertionSuccess();
}

TEST_F(CpAlsTest, FixedModesStay) {
  const auto plain_guess = random_model({20, 15, 10}, 4, 8);
  const auto guess = genten_test::to_ktensor<double, Exec>(plain_guess);
  for (const auto& fixed : std::vector<std::vector<int>>{{1}, {0, 2}, {2}}) {
    const auto result =
        cp_als(exec, tensor, guess,
               CpAlsOptions{.max_iterations = 6, .tolerance = 0.0, .fixed_modes = fixed});
    for (const int mode : fixed) {
      EXPECT_TRUE(has_columns_of(plain(result.model.factor(mode)),
                                 plain_guess.factors[static_cast<std::size_t>(mode)]));
    }
    EXPECT_EQ(result.iterations, 6u);
    EXPECT_NEAR(result.fit, fit_reference(plain_tensor, plain(result.model)), 1e-11);
  }
}

TEST_F(CpAlsTest, AllModesFixedEvaluatesTheGuess) {
  const auto plain_guess = random_model({20, 15, 10}, 4, 8);
  const auto result = cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(plain_guess),
                             CpAlsOptions{.fixed_modes = {0, 1, 2}});
  EXPECT_EQ(result.iterations, 0u);
  EXPECT_NEAR(result.fit, fit_reference(plain_tensor, plain_guess), 1e-11);
}

TEST_F(CpAlsTest, NoIterationsEvaluatesTheGuess) {
  const auto plain_guess = random_model({20, 15, 10}, 4, 8);
  const auto result = cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(plain_guess),
                             CpAlsOptions{.max_iterations = 0});
  EXPECT_EQ(result.stop_reason, StopReason::iteration_limit);
  EXPECT_TRUE(result.history.empty());
  const double fit = fit_reference(plain_tensor, plain_guess);
  EXPECT_NEAR(result.fit, fit, 1e-11);
  EXPECT_NEAR(fit_reference(plain_tensor, plain(result.model)), fit, 1e-11);
}

TEST_F(CpAlsTest, ModeOrderIsThatOfATensorWithItsModesInThatOrder) {
  const std::vector<std::size_t> order{2, 0, 1};
  PlainModel guess = random_model({20, 15, 10}, 4, 8);
  std::fill(guess.weights.begin(), guess.weights.end(), 1.0);
  PlainTensor permuted{
      {}, std::vector<std::vector<std::size_t>>(plain_tensor.nnz()), plain_tensor.values};
  PlainModel permuted_guess{guess.weights, {}};
  for (const std::size_t mode : order) {
    permuted.dimensions.push_back(plain_tensor.dimensions[mode]);
    permuted_guess.factors.push_back(guess.factors[mode]);
    for (std::size_t p = 0; p < permuted.nnz(); ++p) {
      permuted.subscripts[p].push_back(plain_tensor.subscripts[p][mode]);
    }
  }
  const auto by_option =
      cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(guess),
             CpAlsOptions{.max_iterations = 6, .tolerance = 0.0, .mode_order = {2, 0, 1}});
  const auto natural = cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(guess),
                              CpAlsOptions{.max_iterations = 6, .tolerance = 0.0});
  const auto by_tensor =
      cp_als(exec, make(permuted), genten_test::to_ktensor<double, Exec>(permuted_guess),
             CpAlsOptions{.max_iterations = 6, .tolerance = 0.0});
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(by_option.history[k].fit, by_tensor.history[k].fit, 1e-10) << k;
  }
  EXPECT_GT(std::abs(by_option.history[0].fit - natural.history[0].fit), 1e-6);
}

TEST_F(CpAlsTest, TheBestOfSeveralStartsIsKept) {
  const CpAlsOptions options{
      .rank = 5, .max_iterations = 12, .tolerance = 1e-12, .seed = 40, .starts = 4};
  const auto best = cp_als(exec, tensor, options);
  ASSERT_EQ(best.starts.size(), 4u);
  for (std::size_t s = 0; s < 4; ++s) {
    EXPECT_EQ(best.starts[s].seed, 40 + s);
    EXPECT_LE(best.starts[s].fit, best.starts[best.best_start].fit);
    // Each start is what a run of its own with its seed is.
    CpAlsOptions alone = options;
    alone.starts = 1;
    alone.seed = 40 + s;
    const auto result = cp_als(exec, tensor, alone);
    EXPECT_EQ(result.fit, best.starts[s].fit);
    if (s == best.best_start) {
      EXPECT_EQ(numbers(result.model), numbers(best.model));
    }
  }
}

TEST_F(CpAlsTest, WrongOptionsAreRefused) {
  const auto guess = genten_test::to_ktensor<double, Exec>(random_model({20, 15, 9}, 4, 8));
  const auto fails = [&](const CpAlsOptions& options) {
    return error_of([&] { (void)cp_als(exec, tensor, options); });
  };
  EXPECT_THAT(fails(CpAlsOptions{.rank = 0}), HasSubstr("rank"));
  EXPECT_THAT(fails(CpAlsOptions{.tolerance = -1.0}), HasSubstr("tolerance"));
  EXPECT_THAT(fails(CpAlsOptions{.time_limit = -1.0}), HasSubstr("time-limit"));
  EXPECT_THAT(fails(CpAlsOptions{.starts = 0}), HasSubstr("starts"));
  EXPECT_THAT(fails(CpAlsOptions{.mode_order = {0, 1}}), HasSubstr("mode-order"));
  EXPECT_THAT(fails(CpAlsOptions{.mode_order = {0, 1, 1}}), HasSubstr("named twice"));
  EXPECT_THAT(fails(CpAlsOptions{.fixed_modes = {3}}), HasSubstr("fixed-modes"));
  EXPECT_THAT(fails(CpAlsOptions{.mttkrp = {.kernel = "none"}}), HasSubstr("none"));
  EXPECT_THAT(error_of([&] { (void)cp_als(exec, tensor, guess, CpAlsOptions{}); }),
              HasSubstr("dimensions"));
  const auto good = genten_test::to_ktensor<double, Exec>(random_model({20, 15, 10}, 4, 8));
  EXPECT_THAT(error_of([&] { (void)cp_als(exec, tensor, good, CpAlsOptions{.starts = 2}); }),
              HasSubstr("one start"));
}

// ---- why it stops

TEST_F(CpAlsTest, StopsWhenConverged) {
  const auto result = cp_als(exec, tensor, CpAlsOptions{.rank = 4, .tolerance = 1e-3});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_LT(result.iterations, 100u);
  EXPECT_LT(std::abs(result.history.back().fit_change), 1e-3);
  for (std::size_t k = 1; k + 1 < result.history.size(); ++k) {
    EXPECT_GE(std::abs(result.history[k].fit_change), 1e-3) << k;
  }
}

TEST_F(CpAlsTest, StopsAtTheIterationLimit) {
  const auto result =
      cp_als(exec, tensor, CpAlsOptions{.rank = 4, .max_iterations = 3, .tolerance = 0.0});
  EXPECT_EQ(result.stop_reason, StopReason::iteration_limit);
  EXPECT_EQ(result.iterations, 3u);
}

TEST_F(CpAlsTest, StopsAtTheTimeLimitAfterAWholeIteration) {
  const auto result = cp_als(
      exec, tensor, CpAlsOptions{.rank = 4, .tolerance = 0.0, .time_limit = 1e-9, .starts = 3});
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
  EXPECT_EQ(result.iterations, 1u);
  EXPECT_EQ(result.starts.size(), 1u);
  const auto one =
      cp_als(exec, tensor, CpAlsOptions{.rank = 4, .max_iterations = 1, .tolerance = 0.0});
  EXPECT_EQ(numbers(result.model), numbers(one.model));
}

TEST_F(CpAlsTest, InterruptedRunIsTheRunWithThatManyIterations) {
  for (const std::size_t stop_at : {1, 2, 5}) {
    const auto stopped =
        cp_als(exec, tensor, CpAlsOptions{.rank = 4, .tolerance = 0.0, .starts = 2},
               [&](const Iteration& iteration) {
                 return iteration.record.iteration == stop_at ? ObserverAction::stop
                                                              : ObserverAction::proceed;
               });
    EXPECT_EQ(stopped.stop_reason, StopReason::observer);
    EXPECT_EQ(stopped.iterations, stop_at);
    EXPECT_EQ(stopped.starts.size(), 1u);
    const auto whole =
        cp_als(exec, tensor, CpAlsOptions{.rank = 4, .max_iterations = stop_at, .tolerance = 0.0});
    EXPECT_EQ(numbers(stopped.model), numbers(whole.model));
    EXPECT_EQ(stopped.fit, whole.fit);
  }
}

TEST_F(CpAlsTest, OverflowIsReportedAsNonFinite) {
  // A slice of floats whose sum is beyond the largest float.
  PlainTensor huge{{3, 40, 30}, {}, {}};
  for (std::size_t j = 0; j < 40; ++j) {
    for (std::size_t k = 0; k < 30; ++k) {
      huge.subscripts.push_back({1, j, k});
      huge.values.push_back(3e38);
    }
  }
  const auto result = cp_als(exec, make<float>(huge), CpAlsOptions{.rank = 2});
  EXPECT_EQ(result.stop_reason, StopReason::non_finite);
  EXPECT_EQ(result.iterations, 1u);
  EXPECT_FALSE(std::isfinite(result.fit));
}

TEST_F(CpAlsTest, NonFiniteGuessIsReportedAsNonFinite) {
  auto plain_guess = random_model({20, 15, 10}, 4, 8);
  plain_guess.factors[1](plain_tensor.subscripts[0][1], 2) =
      std::numeric_limits<double>::quiet_NaN();
  const auto result =
      cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(plain_guess), CpAlsOptions{});
  EXPECT_EQ(result.stop_reason, StopReason::non_finite);
}

// ---- numbers at the edge

TEST_F(CpAlsTest, ZeroTensorIsMetExactly) {
  for (const PlainTensor& zero :
       {PlainTensor{{4, 3, 2}, {}, {}}, PlainTensor{{4, 3, 2}, {{1, 1, 1}, {0, 2, 1}}, {0.0, 0.0}},
        PlainTensor{{4, 3, 2}, {{1, 1, 1}, {1, 1, 1}}, {2.0, -2.0}}}) {
    const auto result = cp_als(exec, make(zero), CpAlsOptions{.rank = 2, .max_iterations = 5});
    EXPECT_EQ(result.tensor_norm, 0.0);
    EXPECT_EQ(result.residual_norm, 0.0);
    EXPECT_EQ(result.fit, 1.0);
    EXPECT_TRUE(all_finite(result.model));
  }
}

TEST_F(CpAlsTest, RankAboveTheDimensionsIsSolvedByThePseudoinverse) {
  const auto small = random_tensor({.dimensions = {3, 2, 2}, .nnz = 30});
  const auto result = cp_als(exec, make(small), CpAlsOptions{.rank = 10});
  EXPECT_GT(result.rank_deficient_solves, 0u);
  EXPECT_TRUE(all_finite(result.model));
  EXPECT_NEAR(result.fit, 1.0, 1e-9);
  const auto well_posed = cp_als(exec, tensor, CpAlsOptions{.rank = 3, .max_iterations = 3});
  EXPECT_EQ(well_posed.rank_deficient_solves, 0u);
}

TEST_F(CpAlsTest, EmptySlicesGetZeroRows) {
  const auto holes =
      random_tensor({.dimensions = {21, 16, 11}, .nnz = 300, .seed = 2, .empty_slices = true});
  // Rows of the guess in empty slices are not zero and must not stay.
  const auto guess = genten_test::to_ktensor<double, Exec>(random_model({21, 16, 11}, 3, 8));
  const auto result =
      cp_als(exec, make(holes), guess, CpAlsOptions{.max_iterations = 4, .tolerance = 0.0});
  for (int n = 0; n < 3; ++n) {
    for (std::size_t i = 1; i < result.model.factor(n).rows(); i += 2) {
      for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(result.model.factor(n)(i, r), 0.0);
    }
  }
  for (const auto& record : result.history) EXPECT_TRUE(std::isfinite(record.fit));
  EXPECT_NEAR(result.fit, fit_reference(holes, plain(result.model)), 1e-11);
}

TEST_F(CpAlsTest, ResidualNearFitOneIsAccurate) {
  const auto planted = random_model({12, 10, 8}, 2, 1);
  const auto exact = entries_of(planted);
  const double norm = genten_test::norm_reference(exact);
  bool seen_small = false;
  for (const std::size_t iterations : {5, 10, 20, 40, 100, 300}) {
    const auto result = cp_als(
        exec, make(exact), CpAlsOptions{.rank = 2, .max_iterations = iterations, .tolerance = 0.0});
    const double expected = genten_test::residual_reference(exact, plain(result.model));
    const bool near = expected < 0.5e-4 * norm;
    if (near) {
      EXPECT_EQ(result.residual_route, genten::ResidualRoute::extended) << iterations;
    }
    // The reference itself has rounding errors of about 1e-15 of the norm.
    EXPECT_NEAR(result.residual_norm, expected, near ? 1e-14 * norm : 1e-10 * norm) << iterations;
    seen_small = seen_small || expected < 1e-10 * norm;
  }
  EXPECT_TRUE(seen_small) << "the test wants a residual far below half the digits";
}

TEST_F(CpAlsTest, ExtendedResidualIsThatOfTheElements) {
  const auto large_tensor = random_tensor({.dimensions = {40, 30, 20}, .nnz = 30, .seed = 5});
  const auto large_model = random_model({40, 30, 20}, 1, 6);
  EXPECT_NEAR(genten::residual_norm_extended(exec, make(large_tensor),
                                             genten_test::to_ktensor<double, Exec>(large_model)),
              genten_test::residual_reference(large_tensor, large_model), 1e-11);
  const auto small_tensor = random_tensor({.dimensions = {9, 8, 7}, .nnz = 3, .seed = 1});
  const auto small_model = random_model({9, 8, 7}, 3, 2);
  EXPECT_NEAR(genten::residual_norm_extended(exec, make(small_tensor),
                                             genten_test::to_ktensor<double, Exec>(small_model)),
              genten_test::residual_reference(small_tensor, small_model), 1e-12);
}

// ---- what it tells

TEST_F(CpAlsTest, HistoryAndTimingsAreConsistent) {
  const auto result =
      cp_als(exec, tensor, CpAlsOptions{.rank = 4, .max_iterations = 7, .tolerance = 0.0});
  ASSERT_EQ(result.history.size(), 7u);
  EXPECT_EQ(result.iterations, 7u);
  double fit = 0.0, seconds = 0.0;
  for (std::size_t k = 0; k < 7; ++k) {
    const auto& record = result.history[k];
    EXPECT_EQ(record.iteration, k + 1);
    EXPECT_EQ(record.fit_change, record.fit - fit);
    EXPECT_NEAR(record.fit, 1.0 - record.residual_norm / result.tensor_norm, 1e-15);
    EXPECT_GE(record.seconds, seconds);
    fit = record.fit;
    seconds = record.seconds;
  }
  EXPECT_EQ(result.fit, fit);
  EXPECT_EQ(result.residual_route, genten::ResidualRoute::identity);
  double sum = 0.0;
  for (const char* name :
       {"prepare", "mttkrp", "gram", "solve", "inner_product", "norm", "scale", "arrange"}) {
    EXPECT_EQ(std::count_if(result.timings.begin(), result.timings.end(),
                            [&](const auto& timing) { return timing.name == name; }),
              1)
        << name;
    EXPECT_GE(result.seconds(name), 0.0) << name;
    sum += result.seconds(name);
  }
  EXPECT_GT(result.seconds("mttkrp"), 0.0);
  EXPECT_GE(result.seconds("total"), 0.99 * sum);
  // The published formulas: N R nnz and ((N R + 3) sizeof(real) + N sizeof(ordinal)) nnz.
  const auto nnz = static_cast<double>(plain_tensor.entries().size());
  EXPECT_NEAR(result.mttkrp_gflops, 7 * 3 * (3.0 * 4) * nnz / result.seconds("mttkrp") * 1e-9,
              1e-9 * result.mttkrp_gflops);
  EXPECT_NEAR(result.mttkrp_gbytes,
              7 * 3 * ((3.0 * 4 + 3) * 8 + 3 * 4) * nnz / result.seconds("mttkrp") * 1e-9,
              1e-9 * result.mttkrp_gbytes);
  EXPECT_FALSE(result.kernel.empty());
  EXPECT_FALSE(result.kernel_description.empty());
}

TEST_F(CpAlsTest, WeightsDescendAndColumnsHaveNormOne) {
  const auto result = cp_als(exec, tensor, CpAlsOptions{.rank = 5, .max_iterations = 7});
  for (std::size_t r = 0; r < 5; ++r) {
    if (r > 0) {
      EXPECT_GE(result.model.weights()(r - 1), result.model.weights()(r));
    }
    for (const auto& factor : result.model.factors()) {
      double square = 0.0;
      for (std::size_t i = 0; i < factor.rows(); ++i) square += factor(i, r) * factor(i, r);
      EXPECT_NEAR(square, 1.0, 1e-13);
    }
  }
}

}  // namespace
