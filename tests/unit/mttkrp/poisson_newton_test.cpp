// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The sums over nonzeros that the objective of counts needs, beside those of single nonzeros.

#include <genten/mttkrp/poisson_newton.hpp>

#include "reference.hpp"
#include "tensor_test.hpp"
#include "thread_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using genten::CountLoss;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// Rows of pieces already at ten entries.
constexpr genten::RowEquationsTuning small_pieces{.entries_per_task = 16,
                                                  .entries_per_piece_host = 5,
                                                  .entries_per_piece_device = 5,
                                                  .piece_bytes = 1e9};

/// Counts from 0 on, or 0 and 1.
PlainTensor counts_of(const std::vector<std::size_t>& dimensions, std::size_t nnz, CountLoss loss) {
  PlainTensor tensor =
      genten_test::random_tensor({.dimensions = dimensions, .nnz = nnz, .heavy_slice = true});
  for (double& value : tensor.values) {
    value = std::floor(loss == CountLoss::poisson ? 9.0 * std::abs(value) : 1.4 + 0.5 * value);
    value = loss == CountLoss::poisson || value <= 1.0 ? value : 1.0;
  }
  return tensor;
}

/// Elements of at least a tenth, rounded to Scalar.
template <class Scalar>
PlainModel positive_model(const std::vector<std::size_t>& dimensions, std::size_t rank) {
  PlainModel model = genten_test::random_model(dimensions, rank, 5);
  for (double& weight : model.weights) weight = 1.0 + std::abs(weight);
  for (auto& factor : model.factors) {
    for (double& element : factor.elements) {
      element = static_cast<double>(static_cast<Scalar>(0.1 + std::abs(element)));
    }
  }
  return model;
}

template <class Scalar>
genten::detail::DevianceSums sums_of(const PlainTensor& tensor, const PlainModel& model,
                                     CountLoss loss, const genten::RowEquationsTuning& tuning) {
  const Exec exec{};
  const auto sparse = genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(tensor);
  std::vector<genten::FacMatrix<Scalar, Exec>> factors;
  for (const auto& factor : model.factors) {
    factors.push_back(genten_test::to_matrix<Scalar, Exec>(factor));
  }
  genten::PoissonNewton<Scalar, Exec> newton(exec, sparse, model.weights.size(), loss, tuning);
  return newton.sums(exec, factors, model.weights);
}

template <class Scalar>
void expect_sums(const std::vector<std::size_t>& dimensions, std::size_t nnz, std::size_t rank,
                 CountLoss loss, const genten::RowEquationsTuning& tuning) {
  SCOPED_TRACE(std::to_string(dimensions.size()) + " modes, rank " + std::to_string(rank));
  const PlainTensor tensor = counts_of(dimensions, nnz, loss);
  const PlainModel model = positive_model<Scalar>(dimensions, rank);
  long double half = 0.0L, of_model = 0.0L, product = 0.0L;
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    long double m = 0.0L;
    for (std::size_t r = 0; r < rank; ++r) {
      long double term = model.weights[r];
      for (std::size_t n = 0; n < tensor.order(); ++n) {
        term *= model.factors[n](tensor.subscripts[p][n], r);
      }
      m += term;
    }
    const long double x = tensor.values[p];
    half += x == 0.0L                    ? m
            : loss == CountLoss::poisson ? x * std::log(x / m) - x + m
                                         : -std::log(-std::expm1(-m));
    of_model += m;
    product += x * m;
  }
  const auto found = sums_of<Scalar>(tensor, model, loss, tuning);
  const double tolerance = 20.0 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  const auto expect_near = [&](double sum, long double expected) {
    EXPECT_NEAR(sum, static_cast<double>(expected), tolerance * static_cast<double>(expected));
  };
  expect_near(found.half_deviance, half);
  expect_near(found.model, of_model);
  expect_near(found.inner_product, product);
}

// Blocks of nonzeros are filled by many short rows, or by a part of a long one.
TEST(PoissonNewton, SumsAreThoseOfSingleNonzeros) {
  for (const CountLoss loss : {CountLoss::poisson, CountLoss::bernoulli_poisson}) {
    for (const auto& dimensions : std::vector<std::vector<std::size_t>>{
             {60, 70}, {5, 4, 60}, {30, 9, 9, 8}, {6, 5, 4, 4, 5}}) {
      for (const std::size_t rank : {1U, 3U, 7U, 16U, 21U}) {
        expect_sums<double>(dimensions, 900, rank, loss, {});
        expect_sums<double>(dimensions, 900, rank, loss, small_pieces);
        expect_sums<float>(dimensions, 900, rank, loss, {});
      }
    }
    expect_sums<double>({4, 2000, 3}, 3000, 16, loss, {});
    expect_sums<double>({40, 40, 3}, 1, 2, loss, {});
  }
}

TEST(PoissonNewton, AModelOf0MakesADevianceInfiniteWhereThereAreCounts) {
  PlainModel model = positive_model<double>({2, 3}, 2);
  for (double& element : model.factors[1].elements) element = 0.0;
  const PlainTensor zero{{2, 3}, {{0, 0}}, {0.0}}, three{{2, 3}, {{0, 0}}, {3.0}};
  for (const CountLoss loss : {CountLoss::poisson, CountLoss::bernoulli_poisson}) {
    EXPECT_EQ(sums_of<double>(zero, model, loss, {}).half_deviance, 0.0);
    EXPECT_EQ(sums_of<double>(three, model, loss, {}).half_deviance,
              std::numeric_limits<double>::infinity());
  }
}

TEST(PoissonNewtonDeterminism, SameBitsForOneTwoAndThreeThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    genten_test::BitHash hash;
    for (const CountLoss loss : {CountLoss::poisson, CountLoss::bernoulli_poisson}) {
      const std::vector<std::size_t> dimensions{40, 50, 60};
      const auto found =
          sums_of<double>(counts_of(dimensions, 5000, loss), positive_model<double>(dimensions, 12),
                          loss, small_pieces);
      hash.add(found.half_deviance);
      hash.add(found.model);
      hash.add(found.inner_product);
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
