// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// CP-ALS under constraints against answers that were computed independently, and against its own
// iterations by plain loops.
#include "cp_als_support.hpp"
#include "places.hpp"
#include "row_reference.hpp"

#include <genten/cp/row_constraints.hpp>
#include <genten/io/tns.hpp>

#include <filesystem>

namespace {

using namespace genten_test::cp;
using genten::RowConstraint;
using genten_test::plain;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::random_model;
using genten_test::random_tensor;

constexpr double none = RowConstraint::none;

class ConstrainedAnswers : public testing::Test {
 protected:
  const Exec exec{};

  static Tensor<double> read(const std::string& path, const genten::ReadOptions& options = {}) {
    return genten::read_sptensor<double, std::uint32_t, Exec>(path, options).tensor;
  }
  static std::string aminoacid() { return genten_test::shared_data_file("aminoacid.txt"); }
  static double square(const Result& result) { return result.residual_norm * result.residual_norm; }
  static CpAlsOptions exactly(std::size_t rank, std::uint64_t seed) {
    return {.rank = rank, .max_iterations = 2000, .tolerance = 1e-14, .seed = seed};
  }
};

TEST_F(ConstrainedAnswers, NonnegativeAminoAcid) {
  if (!std::filesystem::exists(aminoacid())) GTEST_SKIP() << "the data are absent";
  const auto tensor = read(aminoacid(), {.index_base = genten::IndexBase::zero});
  for (const std::uint64_t seed : {1, 2, 3}) {
    CpAlsOptions options = exactly(1, seed);
    options.nonnegative.all = true;
    EXPECT_NEAR(square(cp_als(exec, tensor, options)), 820179287.66, 0.01);
    options.rank = 2;
    const auto result = cp_als(exec, tensor, options);
    EXPECT_EQ(result.stop_reason, StopReason::converged);
    EXPECT_NEAR(square(result), 307776775.683, 0.001);
    EXPECT_NEAR(result.fit, 0.634447696315, 1e-12);
    EXPECT_NEAR(result.model.weights()(0), 34105.21723, 0.005);
    EXPECT_NEAR(result.model.weights()(1), 27107.71660, 0.005);
    EXPECT_LT(result.kkt_violation, 1e-7);
    EXPECT_EQ(result.zero_components, 0u);
    for (const double x : numbers(result.model)) EXPECT_GE(x, 0.0);
  }
}

TEST_F(ConstrainedAnswers, NonnegativeAdmissions) {
  const auto tensor = read(genten_test::data_file("ucb-admissions/ucb-admissions.tns"));
  for (const std::uint64_t seed : {1, 2, 3}) {
    CpAlsOptions options = exactly(2, seed);
    EXPECT_NEAR(square(cp_als(exec, tensor, options)), 40499.765018, 1e-4);
    options.nonnegative.all = true;
    const auto result = cp_als(exec, tensor, options);
    EXPECT_NEAR(square(result), 43744.799419, 2e-6);
    EXPECT_LT(result.kkt_violation, 1e-7);
  }
}

TEST_F(ConstrainedAnswers, RidgeOnAminoAcid) {
  if (!std::filesystem::exists(aminoacid())) GTEST_SKIP() << "the data are absent";
  const auto tensor = read(aminoacid(), {.index_base = genten::IndexBase::zero});
  for (const std::uint64_t seed : {1, 2}) {
    CpAlsOptions options = exactly(3, seed);
    options.ridge = {1e4};
    const auto result = cp_als(exec, tensor, options);
    EXPECT_EQ(result.stop_reason, StopReason::converged);
    EXPECT_NEAR(2.0 * result.objective, 79810508.47, 0.005);
    // Each linear system is met exactly.
    EXPECT_TRUE(std::isnan(result.kkt_violation));
    // With one ridge for all modes a component's columns are of one length in the end.
    double penalty = 0.0;
    for (std::size_t r = 0; r < 3; ++r) {
      penalty += 0.5e4 * 3.0 * std::pow(result.model.weights()(r), 2.0 / 3.0);
    }
    EXPECT_NEAR(result.penalty, penalty, 1e-3 * penalty);
  }
}

/// One iteration of constrained CP-ALS by plain loops, factors as they count. Returns the
/// objective.
double sweep_reference(const PlainTensor& tensor, PlainModel& model,
                       const std::vector<RowConstraint>& constraints) {
  const std::size_t rank = model.weights.size();
  for (std::size_t mode = 0; mode < constraints.size(); ++mode) {
    genten_test::PlainMatrix gram(rank, rank);
    std::fill(gram.elements.begin(), gram.elements.end(), 1.0);
    for (std::size_t n = 0; n < model.factors.size(); ++n) {
      if (n == mode) continue;
      for (std::size_t r = 0; r < rank; ++r) {
        for (std::size_t s = 0; s < rank; ++s) {
          double dot = 0.0;
          for (std::size_t i = 0; i < model.factors[n].rows; ++i) {
            dot += model.factors[n](i, r) * model.factors[n](i, s);
          }
          gram(r, s) *= dot;
        }
      }
    }
    const auto products = genten_test::mttkrp_reference(tensor, model.factors, mode).value;
    for (std::size_t i = 0; i < products.rows; ++i) {
      double* const from = &model.factors[mode](i, 0);
      std::vector<double> row(from, from + rank);
      genten_test::descend_reference(
          gram, {&products.elements[i * rank], &products.elements[i * rank] + rank}, row,
          constraints[mode]);
      std::copy(row.begin(), row.end(), from);
    }
  }
  const double residual = genten_test::residual_reference(tensor, model);
  double objective = 0.5 * residual * residual;
  for (std::size_t mode = 0; mode < constraints.size(); ++mode) {
    for (const double x : model.factors[mode].elements) {
      objective += 0.5 * constraints[mode].ridge * x * x + constraints[mode].l1 * std::abs(x);
    }
  }
  return objective;
}

TEST_F(ConstrainedAnswers, IterationsAreThoseOfPlainLoops) {
  const PlainTensor plain_tensor = random_tensor({.dimensions = {8, 7, 6}, .nnz = 90, .seed = 5});
  PlainModel reference = random_model({8, 7, 6}, 3, 4);
  std::fill(reference.weights.begin(), reference.weights.end(), 1.0);
  for (auto& factor : reference.factors) {
    for (double& x : factor.elements) x = std::abs(x);
  }
  CpAlsOptions options{.max_iterations = 8, .tolerance = 0.0};
  // The last mode has no penalty: lengths are not shared, which plain loops do not do.
  options.ridge = {0.3, 0.0, 0.0};
  options.l1 = {0.0, 0.2, 0.0};
  options.lower = {0.0, -0.5, 0.0};
  options.upper = {2.0, 1.5, none};
  const auto constraints = row_constraints(options, 3);
  for (std::size_t n = 0; n < 3; ++n) {
    for (double& x : reference.factors[n].elements) x = std::min(x, constraints[n].upper);
  }
  const auto result =
      cp_als(exec, make(plain_tensor), genten_test::to_ktensor<double, Exec>(reference), options);
  ASSERT_EQ(result.history.size(), 8u);
  for (const auto& record : result.history) {
    const double objective = sweep_reference(plain_tensor, reference, constraints);
    EXPECT_NEAR(record.objective, objective, 1e-10 * objective) << record.iteration;
  }
  EXPECT_EQ(result.objective, result.history.back().objective);
  // The model is the factors as they count, its components by their norms.
  const double penalty = result.objective - 0.5 * result.residual_norm * result.residual_norm;
  EXPECT_NEAR(result.penalty, penalty, 1e-10 * result.objective);
  EXPECT_NEAR(genten_test::residual_reference(plain_tensor, plain(result.model)),
              genten_test::residual_reference(plain_tensor, reference), 1e-9);
  for (std::size_t r = 0; r < 3; ++r) {  // the penalties leave two of them
    EXPECT_EQ(result.model.weights()(r), r < 3 - result.zero_components ? 1.0 : 0.0);
  }
}

}  // namespace
