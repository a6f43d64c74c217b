// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "error_fields.hpp"
#include "places.hpp"
#include "plain.hpp"
#include "thread_counts.hpp"

#include <genten/dense/spd_inverse.hpp>
#include <genten/io/any.hpp>
#include <genten/run/run_cp.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten::CpRequest;
using genten::CpRun;
using genten::HostExec;
using genten::MissingEntries;
using testing::HasSubstr;

using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;

/// Admissions to Berkeley: 2 x 2 x 6 counts, 4526 in all.
Tensor ucb() {
  return genten::read_tensor_as<double, std::uint32_t, HostExec>(
             HostExec(), genten_test::data_file("ucb-admissions/ucb-admissions.tns"))
      .tensor;
}

CpRun<double, HostExec> run(const Tensor& tensor, CpRequest request, std::size_t rank = 1) {
  request.set_rank(rank);
  request.apr.tolerance = 1e-10;
  request.gcp.tolerance = 1e-10;
  request.apr.max_iterations = request.gcp.max_iterations = 5000;
  request.als.tolerance = request.completion.tolerance = 1e-14;
  request.als.max_iterations = request.completion.max_iterations = 5000;
  request.settle(true);
  return genten::run_cp(HostExec(), tensor, {}, request, {}, {});
}

CpRequest asking(const char* loss) {
  CpRequest request{.loss = loss};
  request.trust.standard_errors = true;
  return request;
}

/// What is refused, and why; empty where nothing is.
std::string refused(const Tensor& tensor, const CpRequest& request) {
  try {
    static_cast<void>(run(tensor, request));
  } catch (const genten::Error& error) {
    return error.fields().option + ": " + genten_test::complaint_of(error);
  }
  return "";
}

TEST(StandardErrors, AreThoseOfProportionsForOneComponentOfCounts) {
  const auto found = run(ucb(), asking("poisson"));
  const auto& errors = *found.trust.standard_errors;
  EXPECT_TRUE(errors.determined);
  EXPECT_EQ(errors.information, genten::Information::whole);
  EXPECT_NEAR(errors.weights[0], 67.2755528, 1e-6);
  EXPECT_NEAR(errors.factors[0][0], 0.00724244, 1e-8);
  for (int mode = 0; mode < 3; ++mode) {
    const auto& factor = found.model.factor(mode);
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      const double p = factor(i, 0);
      EXPECT_NEAR(errors.factors[static_cast<std::size_t>(mode)][i],
                  std::sqrt(p * (1.0 - p) / 4526.0), 1e-8);
    }
  }
}

TEST(StandardErrors, OfCountsAreTheSameByEitherSolver) {
  CpRequest request = asking("poisson");
  request.asked = genten::Solver::gcp;
  const auto found = run(ucb(), request);
  const auto& errors = *found.trust.standard_errors;
  EXPECT_NEAR(found.model.weights()(0), 4526.0, 1e-3);
  EXPECT_NEAR(errors.weights[0], 67.2755528, 1e-4);
  EXPECT_NEAR(errors.factors[0][0], 0.00724244, 1e-7);
}

/// The loss and its noise-free parts at a model given by all of its elements, for derivatives by
/// differences.
struct Plain {
  const Tensor& tensor;
  genten::AnyLoss loss;
  std::size_t rank;
  double ridge = 0.0;
  bool unlisted_missing = false;

  [[nodiscard]] double operator()(const std::vector<double>& elements) const {
    const auto& shape = tensor.dimensions();
    std::vector<double> x(shape[0] * shape[1] * shape[2], std::nan(""));
    if (!unlisted_missing) std::fill(x.begin(), x.end(), 0.0);
    for (genten::offset_t p = 0; p < tensor.nnz(); ++p) {
      const auto& s = tensor.subscripts();
      x[(s(p, 0) * shape[1] + s(p, 1)) * shape[2] + s(p, 2)] = tensor.values()(p);
    }
    const double* const a = elements.data();
    const double* const b = a + shape[0] * rank;
    const double* const c = b + shape[1] * rank;
    double sum = 0.0;
    for (const double each : elements) sum += 0.5 * ridge * each * each;
    for (std::size_t i = 0; i < shape[0]; ++i) {
      for (std::size_t j = 0; j < shape[1]; ++j) {
        for (std::size_t k = 0; k < shape[2]; ++k) {
          const double value = x[(i * shape[1] + j) * shape[2] + k];
          if (std::isnan(value)) continue;
          double m = 0.0;
          for (std::size_t r = 0; r < rank; ++r) {
            m += a[i * rank + r] * b[j * rank + r] * c[k * rank + r];
          }
          sum += loss.value(value, m);
        }
      }
    }
    return sum;
  }
};

/// Standard errors of the weights by differences of second order of the plain sum, inverted with
/// the scales of the columns held by large additions.
std::vector<double> plain_weight_errors(const Plain& sum, const genten::HostModel& model,
                                        double dispersion) {
  const std::size_t rank = sum.rank;
  std::vector<double> at;
  std::vector<std::size_t> column;
  for (int n = 0; n < 3; ++n) {
    for (std::size_t i = 0; i < model.factor(n).rows(); ++i) {
      for (std::size_t r = 0; r < rank; ++r) {
        at.push_back(model.factor(n)(i, r) * std::cbrt(model.weights()(r)));
        column.push_back(static_cast<std::size_t>(n) * rank + r);
      }
    }
  }
  const std::size_t size = at.size();
  genten::SmallMatrix hessian(size);
  const double h = 1e-3;
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) {
      const auto moved = [&](double da, double db) {
        auto to = at;
        to[a] += da;
        to[b] += db;
        return sum(to);
      };
      hessian(a, b) = (moved(h, h) - moved(h, -h) - moved(-h, h) + moved(-h, -h)) / (4.0 * h * h);
    }
  }
  if (sum.ridge == 0.0) {
    for (std::size_t r = 0; r < rank; ++r) {
      const double square = std::pow(model.weights()(r), 2.0 / 3.0);
      for (std::size_t n = 1; n < 3; ++n) {
        for (std::size_t a = 0; a < size; ++a) {
          for (std::size_t b = 0; b < size; ++b) {
            const auto part = [&](std::size_t e) {
              if (column[e] == r) return at[e] / square;
              return column[e] == n * rank + r ? -at[e] / square : 0.0;
            };
            hessian(a, b) += 100.0 * part(a) * part(b);
          }
        }
      }
    }
  }
  const auto inverse = genten::spd_inverse(hessian, 0.0).factors.front();
  std::vector<double> errors;
  for (std::size_t r = 0; r < rank; ++r) {
    const double weight = model.weights()(r), square = std::pow(weight, 2.0 / 3.0);
    double variance = 0.0;
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < size; ++b) {
        if (column[a] % rank != r || column[b] % rank != r) continue;
        // Of the logarithm of the weight: columns of counts are divided by their sums.
        const bool by_sum = sum.loss.facts().name == "poisson";
        const double one = by_sum ? std::cbrt(weight) : at[a];
        const double other = by_sum ? std::cbrt(weight) : at[b];
        variance += one * inverse(a, b) * other / (square * square);
      }
    }
    errors.push_back(weight * std::sqrt(variance * dispersion));
  }
  return errors;
}

/// A tensor of 6 x 5 x 4 with zeros.
Tensor small_tensor(const char* data) {
  std::vector<std::uint32_t> subscripts;
  std::vector<double> values;
  for (std::uint32_t i = 0; i < 6; ++i) {
    for (std::uint32_t j = 0; j < 5; ++j) {
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t h = (17 * i + 29 * j + 43 * k + i * j * k) % 23;
        double x = h < 17 ? 1.0 + (h + i) % 5 : 0.0;
        if (std::string(data) == "binary") x = h % 2 == 0 ? 1.0 : 0.0;
        if (std::string(data) == "real")
          x = std::cos(i + 1.0) * std::sin(j + .5) * (1 + k) + .1 * h;
        if (x == 0.0) continue;
        subscripts.insert(subscripts.end(), {i, j, k});
        values.push_back(x);
      }
    }
  }
  return Tensor::from_host(std::vector<std::size_t>{6, 5, 4}, subscripts, values);
}

TEST(StandardErrors, AgreeWithDifferencesOfThePlainSum) {
  struct Case {
    const char *loss, *data;
    double ridge;
    bool unlisted_missing;
  };
  for (const Case& each :
       {Case{"poisson", "counts", 0.0, false}, Case{"poisson", "counts", 0.0, true},
        Case{"negative-binomial", "counts", 0.0, false}, Case{"gaussian", "real", 0.0, false},
        Case{"gaussian", "counts", 0.0, true}, Case{"gaussian", "real", 2.0, false},
        Case{"bernoulli-logit", "binary", 1.0, false},
        Case{"bernoulli-odds", "binary", 0.0, false}}) {
    SCOPED_TRACE(std::string(each.loss) + " " + each.data);
    const Tensor tensor = small_tensor(each.data);
    CpRequest request = asking(each.loss);
    request.asked = genten::Solver::gcp;
    request.gcp.ridge = {each.ridge};
    request.given = {"ridge"};
    request.als.ridge = {each.ridge};
    if (each.unlisted_missing) request.missing = MissingEntries::unlisted;
    const auto found = run(tensor, request);
    const auto& errors = *found.trust.standard_errors;
    ASSERT_TRUE(errors.determined);
    const double dispersion =
        std::string(each.loss) == "gaussian" ? 2.0 * errors.noise_variance : 1.0;
    const Plain sum{tensor, request.any_loss(), 1, each.ridge, each.unlisted_missing};
    const auto expected = plain_weight_errors(sum, found.model, dispersion);
    EXPECT_NEAR(errors.weights[0], expected[0], 2e-3 * expected[0]);
  }
}

TEST(StandardErrors, AreTheSameBySquaresOfEitherSolver) {
  const Tensor tensor = small_tensor("real");
  CpRequest als = asking("gaussian"), gcp = als;
  gcp.asked = genten::Solver::gcp;
  const auto one = run(tensor, als, 2), other = run(tensor, gcp, 2);
  const auto &first = *one.trust.standard_errors, &second = *other.trust.standard_errors;
  ASSERT_NEAR(one.figures.fit, other.figures.fit, 1e-9);
  EXPECT_NEAR(first.noise_variance, second.noise_variance, 1e-6 * first.noise_variance);
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_NEAR(first.weights[r], second.weights[r], 1e-3 * first.weights[r]);
  }
}

TEST(StandardErrors, SayWhereCountsVaryMoreThanTheirLossHasIt) {
  const auto of_counts = [](double mean, double step, const char* loss) {
    genten_test::PlainTensor plain{{5, 6, 7}, {}, {}};
    for (std::size_t p = 0; p < 210; ++p) {
      const std::size_t i = p % 5, j = p / 5 % 6, k = p / 30;
      plain.subscripts.push_back({i, j, k});
      plain.values.push_back(mean + ((i + j + k) % 2 == 0 ? step : -step));
    }
    return run(genten_test::to_sptensor<double, std::uint32_t, HostExec>(plain), asking(loss));
  };
  const auto told = [](const CpRun<double, HostExec>& found) {
    for (const genten::Note& note : genten::notes_of(found.trust, {3360.0}, {})) {
      if (note.code == genten::NoteCode::overdispersed) return note.text;
    }
    return std::string();
  };
  const auto alike = of_counts(16.0, 4.0, "poisson"), far = of_counts(16.0, 12.0, "poisson");
  EXPECT_NEAR(alike.trust.standard_errors->overdispersion.value(), 1.0, 0.02);
  EXPECT_NEAR(far.trust.standard_errors->overdispersion.value(), 9.0, 0.2);
  EXPECT_EQ(told(alike), "");
  EXPECT_THAT(told(far), HasSubstr("times as much around the model as counts of the loss do"));
  EXPECT_THAT(told(far), HasSubstr("by the root of that at least, about 3, and intervals"));
  const auto small = of_counts(2.0, 1.0, "poisson");
  EXPECT_FALSE(small.trust.standard_errors->overdispersion.has_value());
  EXPECT_FALSE(of_counts(16.0, 12.0, "gamma").trust.standard_errors->overdispersion.has_value());
}

TEST(StandardErrors, GiveLimitsAtBounds) {
  // The last row of the first mode has no counts: e^(-m) is a twentieth at m = log 20.
  const std::vector<std::uint32_t> subscripts = {0, 0, 1, 0, 0, 1, 1, 1};
  const std::vector<double> values = {40.0, 20.0, 30.0, 10.0};
  const auto tensor = Tensor::from_host(std::vector<std::size_t>{3, 2}, subscripts, values);
  const auto found = run(tensor, asking("poisson"));
  const auto& errors = *found.trust.standard_errors;
  EXPECT_TRUE(std::isnan(errors.factors[0][2]));
  EXPECT_TRUE(std::isnan(errors.upper_limits[0][0]));
  EXPECT_NEAR(errors.upper_limits[0][2], std::log(20.0) / 100.0, 1e-9);
}

TEST(StandardErrors, OfRowsAloneAreThoseOfProportionsToo) {
  // One component of 900 x 700 x 500 rows has more than the numbers that are inverted together.
  std::vector<std::uint32_t> subscripts;
  std::vector<double> values;
  const std::size_t rows[] = {900, 700, 500};
  double n = 0.0;
  for (std::uint32_t p = 0; p < 20000; ++p) {
    for (int mode = 0; mode < 3; ++mode) {
      subscripts.push_back(static_cast<std::uint32_t>((p * (7 + 6U * mode) + p / 900) %
                                                      rows[static_cast<std::size_t>(mode)]));
    }
    values.push_back(1.0 + p % 3);
    n += values.back();
  }
  const auto tensor =
      Tensor::from_host(std::vector<std::size_t>{900, 700, 500}, subscripts, values);
  const auto found = run(tensor, asking("poisson"));
  const auto& errors = *found.trust.standard_errors;
  EXPECT_EQ(errors.information, genten::Information::rows);
  EXPECT_NEAR(errors.weights[0], std::sqrt(n), 1e-4 * std::sqrt(n));
  const double p = found.model.factor(0)(3, 0);
  EXPECT_NEAR(errors.factors[0][3], std::sqrt(p * (1.0 - p) / n), 1e-7);
}

TEST(StandardErrors, HaveTheSameBitsForAnyNumberOfThreads) {
  const Tensor tensor = ucb();
  CpRequest request = asking("poisson");
  request.trust.bootstrap = 5;
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([&] {
    const auto found = run(tensor, request, 2).trust;
    genten_test::BitHash hash;
    for (const double each : found.standard_errors->weights) hash.add(each);
    for (const auto& factor : found.standard_errors->factors) {
      for (const double each : factor) hash.add(each);
    }
    for (const double each : found.bootstrap->weights.upper) hash.add(each);
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(StandardErrors, AreRefusedByName) {
  const Tensor tensor = small_tensor("counts");
  EXPECT_THAT(refused(tensor, asking("huber")),
              HasSubstr("standard-errors: is not for {loss=huber}"));
  CpRequest bounded = asking("gaussian");
  bounded.als.upper = {2.0};
  bounded.given = {"upper"};
  EXPECT_THAT(refused(tensor, bounded), HasSubstr("bounds other than 0"));
  CpRequest sparse = asking("gaussian");
  sparse.als.l1 = {2.0};
  sparse.given = {"l1"};
  EXPECT_THAT(refused(tensor, sparse), HasSubstr("is not for {l1}"));
  CpRequest gamma{.loss = "gamma", .missing = MissingEntries::unlisted};
  gamma.trust.bootstrap = 10;
  EXPECT_THAT(refused(tensor, gamma), HasSubstr("bootstrap: draws data under"));
  CpRequest mode{.loss = "poisson"};
  mode.trust.bootstrap_mode = {1};
  EXPECT_THAT(refused(tensor, mode), HasSubstr("has no effect without {bootstrap}"));
  mode.trust.bootstrap = 2;
  mode.trust.bootstrap_mode = {3};
  EXPECT_THAT(refused(tensor, mode), HasSubstr("expected a mode of the tensor"));
}

}  // namespace
