// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of cp_gcp: constraints, missing entries, scale, checkpoints, warnings and refusals.
#include <genten/cp/cp_gcp.hpp>

#include "formula_data.hpp"
#include "gcp_support.hpp"

#include <genten/cp/cp_apr.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten::AnyLoss;
using genten::CpGcpOptions;
using genten::GcpDoubt;
using genten::UnlistedEntries;
using genten_test::formula_model;
using genten_test::formula_tensor;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;
namespace losses = genten::losses;

/// A caller's loss: the square root of squared differences and a width, like absolute differences
/// but smooth.
struct SmoothAbsolute {
  static constexpr std::string_view name = "smooth absolute";
  static constexpr genten::LossData data = genten::LossData::real;
  static constexpr double lower = losses::no_bound;
  double width = 0.1;
  double value(double x, double m) const { return std::sqrt((m - x) * (m - x) + width * width); }
  double slope(double x, double m) const { return (m - x) / value(x, m); }
};

template <class Combination>
class CpGcpTest : public genten_test::GcpTest<Combination> {};

TYPED_TEST_SUITE(CpGcpTest, genten_test::ModelTypes, genten_test::TypeNames);

// Rank 1, two factors fixed at ones: each row is a number whose best value is known.
TYPED_TEST(CpGcpTest, OneFreeModeOfOnesHasAClosedForm) {
  const PlainTensor counts = formula_tensor("cnt"), bits = formula_tensor("bin2");
  const PlainTensor positive = formula_tensor("pos");
  const auto mean = [](double sum, double /*squares*/, double n) { return sum / n; };
  using Best = std::function<double(double, double, double)>;
  for (const auto& [loss, tensor, best] : std::vector<std::tuple<AnyLoss, PlainTensor, Best>>{
           {losses::Gaussian(), counts, mean},
           {losses::Poisson(), counts, mean},
           {losses::PoissonLog(), counts,
            [](double s, double, double n) { return std::log(s / n); }},
           {losses::NegativeBinomial{2.0}, counts,
            [](double s, double, double n) { return s / n / 2.0; }},
           {losses::BernoulliOdds(), bits, [](double s, double, double n) { return s / (n - s); }},
           {losses::BernoulliLogit(), bits,
            [](double s, double, double n) { return std::log(s / (n - s)); }},
           {losses::BernoulliPoisson(), bits,
            [](double s, double, double n) { return -std::log(1.0 - s / n); }},
           {losses::Gamma(), positive, mean},
           {losses::Beta{0.5}, positive, mean},
           {losses::Rayleigh(), positive,
            [](double, double q, double n) { return std::sqrt(0.7853981633974483 * q / n); }}}) {
    SCOPED_TRACE(loss.facts().text());
    CpGcpOptions options{.tolerance = this->is_double ? 1e-9 : 1e-5};
    options.fixed_modes = {1, 2};
    options.ridge = {0.0};
    const auto result = genten::cp_gcp(this->exec, this->make(tensor), loss,
                                       this->ones(tensor.dimensions), options);
    const auto weights = genten::host_weights(this->exec, result.model);
    const PlainModel found = genten_test::plain(result.model);
    const double n = static_cast<double>(tensor.dimensions[1] * tensor.dimensions[2]);
    for (std::size_t i = 0; i < tensor.dimensions[0]; ++i) {
      double sum = 0.0, squares = 0.0;
      for (std::size_t p = 0; p < tensor.nnz(); ++p) {
        if (tensor.subscripts[p][0] != i) continue;
        sum += tensor.values[p];
        squares += tensor.values[p] * tensor.values[p];
      }
      const double m =
          weights[0] * found.factors[0](i, 0) * found.factors[1](0, 0) * found.factors[2](0, 0);
      const double expected = best(sum, squares, n);
      EXPECT_NEAR(m, expected, (this->is_double ? 1e-6 : 2e-3) * (1.0 + std::abs(expected)));
    }
  }
}

TYPED_TEST(CpGcpTest, PoissonEndsWhereCpAprDoes) {
  const auto tensor = this->make("cnt");
  const auto by_apr = genten::cp_apr(this->exec, tensor, {.rank = 1, .tolerance = 1e-6, .seed = 3});
  const auto result =
      genten::cp_gcp(this->exec, tensor, losses::Poisson(), CpGcpOptions{.rank = 1});
  EXPECT_NEAR(result.objective / by_apr.objective, 1.0, this->is_double ? 1e-6 : 1e-4);
  EXPECT_NEAR(result.residual_norm / by_apr.residual_norm, 1.0, this->is_double ? 1e-3 : 1e-2);
  EXPECT_EQ(result.entries, 336.0);
}

// What is reported is what the model that is returned has.
TYPED_TEST(CpGcpTest, ReportsWhatTheModelHas) {
  const double tolerance = this->is_double ? 1e-10 : 1e-4;
  for (const UnlistedEntries unlisted : {UnlistedEntries::zeros, UnlistedEntries::missing}) {
    CpGcpOptions options{.rank = 2, .max_iterations = 30};
    options.unlisted = unlisted;
    const PlainTensor tensor = formula_tensor("cnt");
    double last = std::numeric_limits<double>::infinity();
    std::size_t seen = 0;
    const auto result =
        genten::cp_gcp(this->exec, this->make(tensor), losses::NegativeBinomial{1.0}, options,
                       [&](const auto& iteration) {
                         EXPECT_LE(iteration.record.objective, last);  // never rises
                         last = iteration.record.objective;
                         ++seen;
                         return genten::ObserverAction::proceed;
                       });
    EXPECT_EQ(seen, result.iterations);
    EXPECT_EQ(result.objective, last);
    const PlainModel model = this->with_weights_inside(result.model);
    const bool missing = unlisted == UnlistedEntries::missing;
    const double objective =
        genten_test::loss_by_entries(losses::NegativeBinomial{1.0}, tensor, model, missing);
    EXPECT_NEAR(result.objective / objective, 1.0, tolerance);
    const double square = genten_test::loss_by_entries(losses::Gaussian(), tensor, model, missing);
    EXPECT_NEAR(result.residual_norm / std::sqrt(square), 1.0, 100.0 * tolerance);
    EXPECT_EQ(result.entries, missing ? 75.0 : 336.0);
    double sum = 0.0;
    for (const auto& phase : result.timings) sum += phase.name == "total" ? 0.0 : phase.seconds;
    constexpr double interruption = 0.02;  // by other processes, between phases
    EXPECT_GT(sum + interruption, 0.5 * result.seconds("total"));
    EXPECT_LT(sum, 1.0001 * result.seconds("total"));
  }
}

TYPED_TEST(CpGcpTest, BoundsHold) {
  CpGcpOptions options{.rank = 2, .max_iterations = 200};
  options.lower = {0.1, 0.0, -0.5};
  options.upper = {2.0, std::numeric_limits<double>::infinity(), 0.5};
  const auto result = genten::cp_gcp(this->exec, this->make("real"), losses::Huber{0.5}, options);
  const PlainModel model = genten_test::plain(result.model);
  const double rounding = this->is_double ? 1e-15 : 1e-7;
  for (std::size_t n = 0; n < 3; ++n) {
    for (const double x : model.factors[n].elements) {
      EXPECT_GE(x, options.lower[n] - rounding);
      EXPECT_LE(x, options.upper[n] + rounding);
    }
  }
  // In float .1 is another number: elements at that bound are held there, too.
  EXPECT_LT(result.kkt_violation, 0.05);
  EXPECT_NEAR(result.objective, 87.7882722, this->is_double ? 1e-5 : 1e-4);
  EXPECT_TRUE(std::isfinite(result.scale_equation));  // mode 2 may still be scaled
}

TYPED_TEST(CpGcpTest, FixedFactorsStay) {
  const auto tensor = this->make("bin2");
  const auto guess = this->make(formula_model({9, 8, 7}, 2, '+'));
  CpGcpOptions options{.max_iterations = 20};
  options.fixed_modes = {0, 2};
  const auto result =
      genten::cp_gcp(this->exec, tensor, losses::BernoulliPoisson(), guess, options);
  // But for norms and the order of components.
  const PlainModel before = genten_test::plain(guess), after = genten_test::plain(result.model);
  const auto ratio = [&](const PlainModel& model, std::size_t n, std::size_t r) {
    return model.factors[n](1, r) / model.factors[n](0, r);
  };
  const bool swapped = std::abs(ratio(before, 0, 0) - ratio(after, 0, 0)) > 1e-3;
  for (const std::size_t n : {0U, 2U}) {
    for (const std::size_t r : {0U, 1U}) {
      EXPECT_NEAR(ratio(after, n, swapped ? 1 - r : r), ratio(before, n, r), 1e-5);
    }
  }
  EXPECT_LT(result.objective, result.history.front().objective);
}

// Two runs whose data differ by a power of two: the same, but for that.
TYPED_TEST(CpGcpTest, TheScaleOfSquaresIsTakenOut) {
  PlainTensor tensor = formula_tensor("real");
  const CpGcpOptions options{.rank = 2, .max_iterations = 25};
  const auto run = [&](double scale) {
    PlainTensor scaled = tensor;
    for (double& x : scaled.values) x *= scale;
    return genten::cp_gcp(this->exec, this->make(scaled), losses::Huber{0.5 * scale}, options);
  };
  const double scale = std::ldexp(1.0, this->is_double ? 400 : 60);
  const auto plain = run(1.0), large = run(scale);
  EXPECT_EQ(large.iterations, plain.iterations);
  if (!genten::is_host_space<typename TestFixture::Exec>) {  // sums by atomics
    EXPECT_NEAR(large.objective / scale / scale / plain.objective, 1.0, 1e-2);
    return;
  }
  EXPECT_EQ(large.objective, plain.objective * scale * scale);
  EXPECT_EQ(large.residual_norm, plain.residual_norm * scale);
  EXPECT_EQ(large.kkt_violation, plain.kkt_violation);
}

TYPED_TEST(CpGcpTest, RowsWithoutEntriesAreZero) {
  PlainTensor tensor = formula_tensor("pos");
  std::erase_if(tensor.subscripts, [](const auto& row) { return row[0] == 4; });
  tensor.values.clear();
  for (const auto& row : tensor.subscripts) {
    tensor.values.push_back(1.0 + static_cast<double>(row[0] + row[1]));
  }
  CpGcpOptions options{.rank = 2, .max_iterations = 50};
  options.unlisted = UnlistedEntries::missing;
  const auto result = genten::cp_gcp(this->exec, this->make(tensor), losses::Gamma(), options);
  EXPECT_EQ(result.empty_rows, 1);
  const PlainModel model = genten_test::plain(result.model);
  EXPECT_EQ(model.factors[0](4, 0), 0.0);
  EXPECT_EQ(model.factors[0](4, 1), 0.0);
  EXPECT_GT(model.factors[0](3, 0), 0.0);
  EXPECT_GT(result.fit, 0.9);
}

TYPED_TEST(CpGcpTest, GoesOnFromACheckpoint) {
  using Checkpoint = genten::Checkpoint<typename TestFixture::Model>;
  const auto tensor = this->make("cnt");
  CpGcpOptions options{.rank = 2, .max_iterations = 25, .tolerance = 0.0};
  options.starts = 2;
  const AnyLoss loss = losses::NegativeBinomial{1.0};
  std::optional<Checkpoint> checkpoint;
  const auto whole = genten::cp_gcp(this->exec, tensor, loss, options, [&](const auto& iteration) {
    if (iteration.start == 1 && iteration.record.iteration == 13) {
      checkpoint = iteration.checkpoint();
    }
    return genten::ObserverAction::proceed;
  });
  const auto resumed = genten::cp_gcp(this->exec, tensor, loss, *checkpoint, options);
  EXPECT_EQ(resumed.objective, whole.objective);
  EXPECT_EQ(resumed.objectives, whole.objectives);
  EXPECT_EQ(resumed.history.size(), whole.history.size());
  const PlainModel a = genten_test::plain(whole.model), b = genten_test::plain(resumed.model);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.factors[1].elements, b.factors[1].elements);

  const auto resume_with = [&](const AnyLoss& other, const CpGcpOptions& with) {
    return this->message_of(
        [&] { (void)genten::cp_gcp(this->exec, tensor, other, *checkpoint, with); });
  };
  EXPECT_THAT(resume_with(losses::NegativeBinomial{2.0}, options),
              HasSubstr("with the loss negative-binomial(1), this one has negative-binomial(2)"));
  CpGcpOptions others = options;
  others.seed = 9;
  EXPECT_THAT(resume_with(loss, others), HasSubstr("a run with other options: seed"));

  EXPECT_TRUE(genten::is_gcp_checkpoint(*checkpoint));
  EXPECT_EQ(genten::checkpoint_gcp_options(*checkpoint).rank, 2U);
  EXPECT_EQ(genten::checkpoint_gcp_options(*checkpoint).starts, 2U);
  EXPECT_EQ(genten::checkpoint_gcp_loss(*checkpoint).facts().text(), "negative-binomial(1)");
}

TYPED_TEST(CpGcpTest, CheckpointsOfOtherSolversAndLosses) {
  using Checkpoint = genten::Checkpoint<typename TestFixture::Model>;
  std::optional<Checkpoint> checkpoint;
  const auto keep = [&](const auto& iteration) {
    checkpoint = iteration.checkpoint();
    return genten::ObserverAction::stop;
  };
  const auto tensor = this->make("cnt");
  static_cast<void>(genten::cp_apr(this->exec, tensor, {.rank = 2}, keep));
  EXPECT_FALSE(genten::is_gcp_checkpoint(*checkpoint));
  EXPECT_THAT(this->message_of([&] { (void)genten::checkpoint_gcp_loss(*checkpoint); }),
              HasSubstr("expected a checkpoint of generalized CP, got one of another solver"));
  static_cast<void>(genten::cp_gcp(this->exec, tensor, losses::Poisson(), {.rank = 3}, keep));
  EXPECT_EQ(genten::checkpoint_gcp_loss(*checkpoint).facts().text(), "poisson");
  if (!genten::is_host_space<typename TestFixture::Exec>) GTEST_SKIP() << "hosts alone";
  static_cast<void>(
      genten::cp_gcp(this->exec, tensor, SmoothAbsolute{0.1}, CpGcpOptions{.rank = 3}, keep));
  EXPECT_EQ(genten::checkpoint_gcp_options(*checkpoint).rank, 3U);
  EXPECT_THAT(this->message_of([&] { (void)genten::checkpoint_gcp_loss(*checkpoint); }),
              HasSubstr("the loss smooth absolute, expected one of the library"));
}

TYPED_TEST(CpGcpTest, WarnsWhereThereIsNoMinimum) {
  PlainTensor bits = formula_tensor("bin2");
  CpGcpOptions options{.rank = 1, .max_iterations = 300};
  options.ridge = {0.0};
  const auto warnings = [&](const AnyLoss& loss, const PlainTensor& tensor) {
    return genten::cp_gcp(this->exec, this->make(tensor), loss, options).warnings;
  };
  // A slice of zeros, and one of ones.
  PlainTensor slices{{3, 2, 2}, {{0, 0, 0}, {0, 1, 1}}, {1.0, 1.0}};
  for (std::size_t k = 0; k < 4; ++k) {
    slices.subscripts.push_back({1, k / 2, k % 2});
    slices.values.push_back(1.0);
  }
  const auto logit = warnings(losses::BernoulliLogit(), slices);
  ASSERT_TRUE(this->has(logit, GcpDoubt::zero_slices));
  EXPECT_EQ(logit.front().mode, 0);
  EXPECT_EQ(logit.front().number, 1.0);
  EXPECT_TRUE(this->has(logit, GcpDoubt::full_slices));
  EXPECT_TRUE(this->has(warnings(losses::BernoulliPoisson(), slices), GcpDoubt::full_slices));
  EXPECT_FALSE(this->has(warnings(losses::BernoulliPoisson(), slices), GcpDoubt::zero_slices));
  EXPECT_TRUE(this->has(warnings(losses::PoissonLog(), slices), GcpDoubt::zero_slices));
  EXPECT_TRUE(warnings(losses::Poisson(), slices).empty());
  // With a penalty there is one.
  options.ridge = {};
  const auto penalized =
      genten::cp_gcp(this->exec, this->make(slices), losses::BernoulliLogit(), options);
  EXPECT_TRUE(penalized.warnings.empty());
  EXPECT_EQ(penalized.ridge, std::vector<double>(3, 0.1));
}

TYPED_TEST(CpGcpTest, WarnsOfElementsThatGrow) {
  if (!this->is_double) GTEST_SKIP() << "float ends before they are large";
  const auto is_warned = [&](const AnyLoss& loss, const char* data, std::size_t rank) {
    CpGcpOptions options{.rank = rank, .max_iterations = 2000, .tolerance = 1e-9};
    options.ridge = {0.0};
    options.seed = 2;
    options.starts = 4;  // of which the best is where elements grow, if there is no minimum
    return this->has(genten::cp_gcp(this->exec, this->make(data), loss, options).warnings,
                     GcpDoubt::large_elements);
  };
  EXPECT_TRUE(is_warned(losses::BernoulliLogit(), "bin2", 3));
  EXPECT_TRUE(is_warned(losses::BernoulliPoisson(), "bin2", 2));
  EXPECT_TRUE(is_warned(losses::BernoulliPoisson(), "bin2", 3));
  EXPECT_TRUE(is_warned(losses::BernoulliOdds(), "bin2", 3));
  EXPECT_TRUE(is_warned(losses::PoissonLog(), "cnt", 3));
  EXPECT_FALSE(is_warned(losses::BernoulliOdds(), "bin2", 2));
  EXPECT_FALSE(is_warned(losses::BernoulliPoisson(), "bin2", 1));
}

TYPED_TEST(CpGcpTest, CallersLosses) {
  if (!genten::is_host_space<typename TestFixture::Exec>) GTEST_SKIP() << "hosts alone";
  const PlainTensor tensor = formula_tensor("real");
  const CpGcpOptions options{.rank = 2, .max_iterations = 400};
  // From where another loss ends, it goes on to what is better.
  const auto squares = genten::cp_gcp(this->exec, this->make(tensor), losses::Gaussian(), options);
  const auto result =
      genten::cp_gcp(this->exec, this->make(tensor), SmoothAbsolute{0.1}, squares.model, options);
  EXPECT_EQ(result.loss.name, "smooth absolute");
  const auto by_entries = [&](const auto& model) {
    return genten_test::loss_by_entries(SmoothAbsolute{0.1}, tensor,
                                        this->with_weights_inside(model), false);
  };
  EXPECT_LT(result.objective, by_entries(squares.model));
  EXPECT_NEAR(result.objective / by_entries(result.model), 1.0, this->is_double ? 1e-10 : 1e-4);
}

TYPED_TEST(CpGcpTest, Refusals) {
  const auto tensor = this->make("cnt");
  const auto refused = [&](const AnyLoss& loss, const CpGcpOptions& options) {
    return this->message_of([&] { (void)genten::cp_gcp(this->exec, tensor, loss, options); });
  };
  CpGcpOptions options{.rank = 2};
  options.lower = {-1.0};
  EXPECT_THAT(refused(losses::Poisson(), options),
              HasSubstr("loss poisson: its model must not be negative: expected bounds of at least "
                        "0 for mode 1 (counted from 1), got -1"));
  options.lower = {};
  options.fixed_modes = {3};
  EXPECT_THAT(refused(losses::Poisson(), options), HasSubstr("expected a mode from 1 to 3"));
  options.fixed_modes = {};
  options.memory_available = 1e3;
  EXPECT_THAT(refused(losses::Poisson(), options), HasSubstr("GCP of rank 2 needs"));
  options.memory_available = 0.0;
  options.tolerance = -1.0;
  EXPECT_THAT(refused(losses::Poisson(), options), HasSubstr("tolerance"));
  options.tolerance = 1e-5;
  EXPECT_THAT(refused(losses::Gamma(), options), HasSubstr("loss gamma: it has no minimum"));
  const auto from = [&](const PlainModel& guess, const CpGcpOptions& with) {
    return this->message_of([&] {
      (void)genten::cp_gcp(this->exec, tensor, losses::Poisson(), this->make(guess), with);
    });
  };
  EXPECT_THAT(from(formula_model({8, 7, 6}, 2, '0'), options),
              HasSubstr("expected an initial guess within the bounds"));
  EXPECT_THAT(from(formula_model({8, 7, 5}, 2, '+'), options),
              HasSubstr("expected an initial guess with the tensor's dimensions"));
  options.starts = 2;
  EXPECT_THAT(from(formula_model({8, 7, 6}, 2, '+'), options), HasSubstr("expected one start"));
}

TYPED_TEST(CpGcpTest, SameBitsForEveryNumberOfThreads) {
  this->expect_same_bits([&](const AnyLoss& loss, const PlainTensor& tensor) {
    return genten::cp_gcp(this->exec, this->make(tensor), loss,
                          CpGcpOptions{.rank = 5, .max_iterations = 12});
  });
}

}  // namespace
