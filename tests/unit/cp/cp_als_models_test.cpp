// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What CP-ALS finds.
#include "cp_als_support.hpp"
#include "places.hpp"

#include <genten/cp/score.hpp>

#include <fstream>

namespace {

using namespace genten_test::cp;
using genten_test::fit_reference;
using genten_test::plain;
using genten_test::PlainTensor;
using genten_test::random_model;

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
  std::ifstream file(genten_test::shared_data_file("aminoacid.txt"));
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

}  // namespace
