// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What CP-ALS under constraints keeps to, whatever the tensor.
#include "cp_als_support.hpp"
#include "thread_counts.hpp"

#include <genten/cp/row_constraints.hpp>

#include <numeric>

namespace {

using namespace genten_test::cp;
using genten::RowConstraint;
using genten_test::plain;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::random_model;
using genten_test::random_tensor;

constexpr double none = RowConstraint::none;

struct Case {
  const char* name;
  CpAlsOptions options;
};

/// One of each kind, and mixtures of kinds by mode.
std::vector<Case> cases() {
  const CpAlsOptions base{.rank = 4, .max_iterations = 25, .tolerance = 0.0, .seed = 2};
  std::vector<Case> result;
  const auto add = [&](const char* name, auto change) {
    result.push_back({name, base});
    change(result.back().options);
  };
  add("nonnegative", [](auto& o) { o.nonnegative.all = true; });
  add("nonnegative modes", [](auto& o) { o.nonnegative.modes = {0, 2}; });
  add("ridge", [](auto& o) { o.ridge = {0.5}; });
  add("ridge by mode", [](auto& o) { o.ridge = {0.5, 0.1, 1.0}; });
  add("l1", [](auto& o) { o.l1 = {0.2}; });
  add("nonpositive", [](auto& o) { o.upper = {0.0, none, 0.0}; });
  add("box", [](auto& o) {
    o.lower = {-0.5};
    o.upper = {1.0};
  });
  add("mixed", [](auto& o) {
    o.nonnegative.modes = {1};
    o.ridge = {0.1, 0.0, 0.2};
    o.l1 = {0.0, 0.1, 0.0};
    o.upper = {none, 2.0, none};
  });
  return result;
}

class ConstrainedProperties : public testing::Test {
 protected:
  const Exec exec{};
  const PlainTensor plain_tensor =
      random_tensor({.dimensions = {20, 15, 10}, .nnz = 700, .seed = 3, .duplicate_every = 9});

  /// Rises of the objective beyond what rounding does to it.
  template <class Scalar>
  static void expect_no_rise(const genten::CpAlsResult<Scalar, Exec>& result) {
    const double size = 0.5 * result.tensor_norm * result.tensor_norm;
    const double rounding = 64.0 * std::numeric_limits<Scalar>::epsilon() * size;
    for (std::size_t k = 1; k < result.history.size(); ++k) {
      EXPECT_LE(result.history[k].objective, result.history[k - 1].objective + rounding) << k;
    }
  }
  template <class Scalar>
  static void expect_within_bounds(const Model<Scalar>& model, const CpAlsOptions& options) {
    const auto constraints = row_constraints(options, 3);
    for (std::size_t n = 0; n < 3; ++n) {
      for (const double x : plain(model.factor(static_cast<int>(n))).elements) {
        EXPECT_TRUE(constraints[n].contains(x)) << "mode " << n + 1 << ": " << x;
      }
    }
  }
};

TEST_F(ConstrainedProperties, TheObjectiveNeverRisesAndBoundsHold) {
  for (const auto& [name, options] : cases()) {
    SCOPED_TRACE(name);
    const auto in_double = cp_als(exec, make<double>(plain_tensor), options);
    expect_no_rise(in_double);
    expect_within_bounds(in_double.model, options);
    const auto in_float = cp_als(exec, make<float>(plain_tensor), options);
    expect_no_rise(in_float);
    expect_within_bounds(in_float.model, options);
    EXPECT_NEAR(in_float.objective, in_double.objective, 0.02 * in_double.objective);
  }
}

TEST_F(ConstrainedProperties, ResidualAndObjectiveAreThoseOfTheModel) {
  for (const auto& [name, options] : cases()) {
    SCOPED_TRACE(name);
    const auto result = cp_als(exec, make(plain_tensor), options);
    const double residual = genten_test::residual_reference(plain_tensor, plain(result.model));
    EXPECT_NEAR(result.residual_norm, residual, 1e-10 * residual);
    EXPECT_NEAR(result.objective, 0.5 * residual * residual + result.penalty,
                1e-10 * result.objective);
    EXPECT_EQ(result.penalty > 0.0, !options.ridge.empty() || !options.l1.empty());
    EXPECT_FALSE(result.tolerance_above_fit);
  }
}

// Unless a bound other than 0 forbids it models are normalized; then the model as it counts is
// known.
TEST_F(ConstrainedProperties, PenaltiesAreThoseOfTheFactorsAsTheyCount) {
  CpAlsOptions options = cases().back().options;  // bounded: the model is as it counts
  options.lower = {-3.0};
  const auto result = cp_als(exec, make(plain_tensor), options);
  double penalty = 0.0;
  const auto constraints = row_constraints(options, 3);
  for (std::size_t n = 0; n < 3; ++n) {
    for (const double x : plain(result.model.factor(static_cast<int>(n))).elements) {
      penalty += 0.5 * constraints[n].ridge * x * x + constraints[n].l1 * std::abs(x);
    }
  }
  EXPECT_GT(penalty, 0.0);
  EXPECT_NEAR(result.penalty, penalty, 1e-12 * penalty);
}

TEST_F(ConstrainedProperties, NothingIsViolatedInTheEnd) {
  for (auto [name, options] : cases()) {
    SCOPED_TRACE(name);
    options.max_iterations = 5000;
    options.tolerance = 1e-15;
    const auto result = cp_als(exec, make(plain_tensor), options);
    if (std::isnan(result.kkt_violation)) continue;  // linear
    EXPECT_LT(result.kkt_violation, 1e-4);
    EXPECT_LT(result.kkt_violation, 1e-2 * result.history.front().kkt_violation);
  }
}

TEST_F(ConstrainedProperties, ModesMayBeNamedInAnyOrder) {
  const std::vector<std::size_t> at = {2, 0, 1};  // mode n of the other is mode at[n] of this
  PlainTensor other = plain_tensor;
  for (std::size_t n = 0; n < 3; ++n) {
    other.dimensions[n] = plain_tensor.dimensions[at[n]];
    for (std::size_t p = 0; p < other.nnz(); ++p) {
      other.subscripts[p][n] = plain_tensor.subscripts[p][at[n]];
    }
  }
  PlainModel guess = random_model({20, 15, 10}, 4, 8);
  std::fill(guess.weights.begin(), guess.weights.end(), 1.0);
  for (auto& factor : guess.factors) {
    for (double& x : factor.elements) x = std::abs(x);
  }
  const PlainModel other_guess{guess.weights,
                               {guess.factors[2], guess.factors[0], guess.factors[1]}};
  CpAlsOptions options{.max_iterations = 10, .tolerance = 0.0};
  options.nonnegative.modes = {0, 1};
  options.ridge = {0.1, 0.2, 0.3};
  options.l1 = {0.0, 0.1, 0.0};
  CpAlsOptions permuted = options;
  permuted.mode_order = {1, 2, 0};  // the modes 0, 1 and 2 of this
  permuted.nonnegative.modes = {1, 2};
  permuted.ridge = {0.3, 0.1, 0.2};
  permuted.l1 = {0.0, 0.0, 0.1};
  const auto one =
      cp_als(exec, make(plain_tensor), genten_test::to_ktensor<double, Exec>(guess), options);
  const auto two =
      cp_als(exec, make(other), genten_test::to_ktensor<double, Exec>(other_guess), permuted);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(two.history[k].objective, one.history[k].objective, 1e-9 * one.objective) << k;
  }
}

TEST_F(ConstrainedProperties, NonzerosMayComeInAnyOrder) {
  std::vector<std::size_t> order(plain_tensor.nnz());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(5));
  PlainTensor shuffled{plain_tensor.dimensions, {}, {}};
  for (const std::size_t p : order) {
    shuffled.subscripts.push_back(plain_tensor.subscripts[p]);
    shuffled.values.push_back(plain_tensor.values[p]);
  }
  for (auto [name, options] : cases()) {
    SCOPED_TRACE(name);
    options.max_iterations = 8;
    const auto one = cp_als(exec, make(plain_tensor), options);
    const auto two = cp_als(exec, make(shuffled), options);
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_NEAR(two.history[k].objective, one.history[k].objective, 1e-9 * one.objective) << k;
    }
  }
}

/// X 2^e with A_n 2^shares[n]: the sum of the shares is e, and the objective is 4^e times as large.
template <class Scalar>
void expect_the_same_on_scale(const PlainTensor& plain_tensor, int exponent,
                              const std::vector<int>& shares) {
  SCOPED_TRACE(exponent);
  CpAlsOptions options{.rank = 3, .max_iterations = 10, .tolerance = 0.0};
  options.ridge = {0.5, 0.1, 0.2};
  options.l1 = {0.1, 0.2, 0.3};
  options.lower = {-0.25, -0.5, -1.0};
  options.upper = {2.0, 1.0, none};
  const auto expected = cp_als(Exec(), make<Scalar>(plain_tensor), options);
  PlainTensor tensor = plain_tensor;
  for (double& value : tensor.values) value = std::ldexp(value, exponent);
  for (std::size_t n = 0; n < 3; ++n) {
    options.ridge[n] = std::ldexp(options.ridge[n], 2 * (exponent - shares[n]));
    options.l1[n] = std::ldexp(options.l1[n], 2 * exponent - shares[n]);
    options.lower[n] = std::ldexp(options.lower[n], shares[n]);
    options.upper[n] = std::ldexp(options.upper[n], shares[n]);
  }
  const auto result = cp_als(Exec(), make<Scalar>(tensor), options);
  ASSERT_EQ(result.history.size(), expected.history.size());
  for (std::size_t k = 0; k < result.history.size(); ++k) {
    EXPECT_EQ(result.history[k].fit, expected.history[k].fit);
    EXPECT_EQ(result.history[k].kkt_violation, expected.history[k].kkt_violation);
    EXPECT_EQ(result.history[k].objective, std::ldexp(expected.history[k].objective, 2 * exponent));
  }
  EXPECT_EQ(result.penalty, std::ldexp(expected.penalty, 2 * exponent));
  for (int n = 0; n < 3; ++n) {
    auto factor = plain(expected.model.factor(n));
    for (double& x : factor.elements) x = std::ldexp(x, shares[static_cast<std::size_t>(n)]);
    EXPECT_EQ(plain(result.model.factor(n)).elements, factor.elements);
  }
}

// The scale of the tensor is taken out of factors, penalties and bounds, and put back. Powers of
// two change no digit.
TEST_F(ConstrainedProperties, EverySizeOfValuesWorks) {
  const PlainTensor distinct = random_tensor({.dimensions = {9, 8, 7}, .nnz = 150, .seed = 3});
  expect_the_same_on_scale<double>(distinct, 256, {85, 85, 86});
  expect_the_same_on_scale<double>(distinct, -256, {-85, -85, -86});
  expect_the_same_on_scale<float>(distinct, 96, {32, 32, 32});
  expect_the_same_on_scale<float>(distinct, -96, {-32, -32, -32});
}

TEST_F(ConstrainedProperties, SameBitsForOneTwoAndThreeThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    genten_test::BitHash hash;
    const auto add = [&hash](const auto& result) {
      for (const auto x : numbers(result.model)) hash.add(x);
      for (const auto& record : result.history) {
        hash.add(record.objective);
        hash.add(record.kkt_violation);
      }
    };
    const auto random = random_tensor({.dimensions = {2000, 900, 6, 4},
                                       .nnz = 80'000,
                                       .duplicate_every = 50,
                                       .heavy_slice = true});
    CpAlsOptions options{.rank = 9, .max_iterations = 3, .tolerance = 0.0};
    options.nonnegative.all = true;
    add(cp_als(Exec(), make<double>(random), options));
    add(cp_als(Exec(), make<float>(random), options));
    options.ridge = {0.0, 0.1, 0.0, 0.2};
    options.l1 = {0.1, 0.1, 0.0, 0.0};
    options.nonnegative = {.modes = {0}};
    add(cp_als(Exec(), make<double>(random), options));
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
