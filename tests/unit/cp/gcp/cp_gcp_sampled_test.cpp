// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Sampled zeros: estimates beside exact sums, and runs by them.
#include <genten/cp/cp_gcp.hpp>

#include "formula_data.hpp"
#include "gcp_support.hpp"

namespace {

using genten::AnyLoss;
using genten::CpGcpOptions;
using genten::LossGradientOptions;
using genten::ZeroSums;
using genten_test::formula_model;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;
namespace losses = genten::losses;

template <class Combination>
class CpGcpSampledTest : public genten_test::GcpTest<Combination> {
 protected:
  using Base = genten_test::GcpTest<Combination>;
  using Gradient = genten::LossGradient<typename Base::Scalar, std::uint32_t, typename Base::Exec>;

  /// Two blocks of counts, 1 where `binary`, and many zeros.
  static PlainTensor blocks(bool binary) {
    return genten_test::tensor_by_formula({30, 24, 20}, [=](long long i, long long j, long long k) {
      const bool inside = (i < 12 && j < 10 && k < 9) || (i >= 15 && j >= 12 && k >= 8);
      const long long h = (17 * i + 29 * j + 43 * k + i * j * k) % 23;
      if (h >= (inside ? 11 : 1)) return 0.0;
      return binary ? 1.0 : static_cast<double>(1 + h % 4);
    });
  }
  static LossGradientOptions sampled(std::size_t zeros) {
    LossGradientOptions options;
    options.most_operations = 0.0;
    options.zero_samples = zeros;
    return options;
  }
};

TYPED_TEST_SUITE(CpGcpSampledTest, genten_test::ModelTypes, genten_test::TypeNames);

// A run that ends above the model of zeros is not silent about it.
TYPED_TEST(CpGcpSampledTest, WarnsWhereZerosAreTheBetterModel) {
  const auto tensor = this->make("bin2");
  const CpGcpOptions options{
      .rank = 2, .max_iterations = 0, .most_operations = 0.0, .zero_samples = 2000};
  for (const char kind : {'+', '0'}) {
    auto start = genten_test::formula_model({9, 8, 7}, 2, kind);
    if (kind == '0') {
      for (auto& factor : start.factors) factor.elements.assign(factor.elements.size(), 0.0);
    }
    const auto result =
        genten::cp_gcp(this->exec, tensor, losses::BernoulliLogit(), this->make(start), options);
    ASSERT_EQ(result.zeros, genten::ZeroSums::sampled);
    EXPECT_EQ(this->has(result.warnings, genten::GcpDoubt::above_zero_model), kind == '+');
  }
}

// In 95 of 100 samples at least the exact sum is within 4 reported standard errors, and these are
// as large as the differences are.
TYPED_TEST(CpGcpSampledTest, EstimatesAreAsGoodAsTheySay) {
  const PlainTensor counts = this->blocks(false), bits = this->blocks(true);
  PlainTensor away{counts.dimensions, {}, {}};
  genten_test::for_each_element(counts.dimensions, [&](const std::vector<std::size_t>& at) {
    if ((at[0] + at[1] + at[2]) % 3 == 0) away.subscripts.push_back(at);
  });
  away.values.assign(away.subscripts.size(), 1.0);
  for (const auto& [loss, tensor, kind] :
       {std::tuple{AnyLoss(losses::NegativeBinomial{1.0}), &counts, '+'},
        {losses::BernoulliOdds(), &bits, '+'},
        {losses::BernoulliLogit(), &bits, '0'},
        {losses::PoissonLog(), &counts, '0'},
        {losses::Huber{0.2}, &counts, '0'}}) {
    for (const bool with_missing : {false, true}) {
      SCOPED_TRACE(loss.facts().text() + (with_missing ? ", some missing" : ""));
      const auto model = this->make(formula_model(tensor->dimensions, 3, kind));
      const auto make = [&, loss = loss, tensor = tensor](const LossGradientOptions& options) {
        using Sums = typename TestFixture::Gradient;
        return with_missing
                   ? Sums(this->exec, this->make(*tensor), this->make(away), 3, loss, options)
                   : Sums(this->exec, this->make(*tensor), 3, loss, options);
      };
      const double exact = make({}).sums(this->exec, model).objective;
      auto gradient_of = make(this->sampled(2000));
      EXPECT_EQ(gradient_of.zeros(), ZeroSums::sampled);
      int within = 0;
      double square = 0.0, reported = 0.0;
      for (std::uint64_t seed = 0; seed < 100; ++seed) {
        gradient_of.draw_zeros(this->exec, model, seed);
        const auto sums = gradient_of.sums(this->exec, model);
        const double difference = sums.objective - exact;
        within += std::abs(difference) <= 4.0 * sums.error ? 1 : 0;
        square += difference * difference;
        reported += sums.error * sums.error;
      }
      EXPECT_GE(within, 95);
      EXPECT_LT(std::sqrt(reported / square), 1.5);
      EXPECT_GT(std::sqrt(reported / square), 1.0 / 1.5);
    }
  }
}

// Draws in proportion to the model tell much more than uniform ones of a model with a peak.
TYPED_TEST(CpGcpSampledTest, DrawsFollowTheModel) {
  const PlainTensor tensor = this->blocks(true);
  PlainModel peaked = formula_model(tensor.dimensions, 2, '+');
  for (auto& factor : peaked.factors) {
    for (std::size_t i = 3; i < factor.rows; ++i) factor(i, 0) = factor(i, 1) = 1e-3;
  }
  const auto model = this->make(peaked);
  typename TestFixture::Gradient gradient_of(this->exec, this->make(tensor), 2,
                                             losses::BernoulliOdds(), this->sampled(20000));
  gradient_of.draw_zeros(this->exec, model, 1);
  const double by_model = gradient_of.sums(this->exec, model).error;
  // A model of equal values everywhere: uniform draws.
  PlainModel flat = peaked;
  for (auto& factor : flat.factors) {
    std::fill(factor.elements.begin(), factor.elements.end(), 1.0);
  }
  gradient_of.draw_zeros(this->exec, this->make(flat), 1);
  EXPECT_LT(5.0 * by_model, gradient_of.sums(this->exec, model).error);
}

TYPED_TEST(CpGcpSampledTest, GradientsAreThoseOfTheSample) {
  if (!this->is_double) GTEST_SKIP() << "differences need more digits";
  for (const auto& [loss, kind] :
       {std::pair{AnyLoss(losses::NegativeBinomial{1.0}), '+'}, {losses::PoissonLog(), '0'}}) {
    const PlainTensor tensor = this->blocks(false);
    typename TestFixture::Gradient gradient_of(this->exec, this->make(tensor), 2, loss,
                                               this->sampled(500));
    PlainModel model = formula_model(tensor.dimensions, 2, kind);
    const auto point = this->make(model);
    gradient_of.draw_zeros(this->exec, point, 4);
    const auto gradient = genten::clone(this->exec, point);
    const double objective = gradient_of(this->exec, point, gradient);
    EXPECT_EQ(gradient_of.sums(this->exec, point).objective, objective);
    const PlainModel found = genten_test::plain(gradient);
    for (std::size_t n = 0; n < 3; ++n) {
      for (std::size_t e = 0; e < model.factors[n].elements.size(); e += 5) {
        double& element = model.factors[n].elements[e];
        const double before = element, h = 1e-5;
        element = before + h;
        const double above = gradient_of.sums(this->exec, this->make(model)).objective;
        element = before - h;
        const double below = gradient_of.sums(this->exec, this->make(model)).objective;
        element = before;
        EXPECT_NEAR(found.factors[n].elements[e], (above - below) / (2.0 * h),
                    1e-6 * (1.0 + std::abs(objective)));
      }
    }
  }
}

TYPED_TEST(CpGcpSampledTest, RunsComeNearTheMinimum) {
  for (const auto& [loss, binary] : {std::pair{AnyLoss(losses::NegativeBinomial{1.0}), false},
                                     {losses::BernoulliOdds(), true},
                                     {losses::BernoulliLogit(), true}}) {
    SCOPED_TRACE(loss.facts().text());
    const auto tensor = this->make(this->blocks(binary));
    CpGcpOptions options{.rank = 2, .max_iterations = 400, .tolerance = 1e-4, .starts = 2};
    const auto exact = genten::cp_gcp(this->exec, tensor, loss, options);
    EXPECT_EQ(exact.zeros, ZeroSums::enumerated);
    EXPECT_EQ(exact.objective_error, 0.0);
    options.most_operations = 0.0;
    options.zero_samples = 10000;
    const auto result = genten::cp_gcp(this->exec, tensor, loss, options);
    EXPECT_EQ(result.zeros, ZeroSums::sampled);
    // Where sums differ by the order of their terms, as on devices, the last steps may lower
    // nothing.
    const bool stalls = result.stop_reason == genten::StopReason::stalled;
    EXPECT_TRUE(stalls || result.stop_reason == genten::StopReason::converged);
    EXPECT_EQ(result.objective_errors.size(), result.iterations);
    // What is reported is right for the model that is returned.
    const auto inside = this->make(this->with_weights_inside(result.model));
    typename TestFixture::Gradient gradient_of(this->exec, tensor, 2, loss);
    const double reached = gradient_of.sums(this->exec, inside).objective;
    EXPECT_GT(result.objective_error, 0.0);
    EXPECT_NEAR(result.objective - result.penalty, reached, 4.0 * result.objective_error);
    EXPECT_LT(reached, exact.objective - exact.penalty + 0.02 * std::abs(exact.objective));
  }
}

// Few nonzeros, no structure, few samples: steps lower what the sample shows and raise the rest.
// They are taken back, so that no run ends far above the model of zeros (L-BFGS ended 45 % above it
// by one of these samples of 100), and none by Adam.
TYPED_TEST(CpGcpSampledTest, StepsThatRaiseUnseenZerosAreTakenBack) {
  const auto tensor = this->make(
      genten_test::tensor_by_formula({40, 40, 40}, [](long long i, long long j, long long k) {
        return (7 * i + 11 * j + 13 * k + i * j * k) % 997 == 0 ? 1.0 : 0.0;
      }));
  const AnyLoss loss = losses::Huber{0.2};
  typename TestFixture::Gradient exact(this->exec, tensor, 4, loss);
  const genten_test::PlainMatrix zeros(40, 4);
  const auto zero_model =
      this->make(PlainModel{std::vector<double>(4, 1.0), {zeros, zeros, zeros}});
  const double of_none = exact.sums(this->exec, zero_model).objective;
  for (const auto method : {genten::GcpMethod::lbfgs, genten::GcpMethod::adam}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const bool by_epochs = method == genten::GcpMethod::adam;
      CpGcpOptions options{.rank = 4, .max_iterations = by_epochs ? 8U : 60U, .seed = seed};
      options.method = method;
      options.epoch_steps = 50;
      options.rate = 0.01;
      options.most_operations = 0.0;
      options.zero_samples = by_epochs ? 2000 : 100;
      const auto result = genten::cp_gcp(this->exec, tensor, loss, options);
      const auto inside = this->make(this->with_weights_inside(result.model));
      EXPECT_LE(exact.sums(this->exec, inside).objective, of_none * (by_epochs ? 1.01 : 1.25))
          << "seed " << seed;
    }
  }
}

TYPED_TEST(CpGcpSampledTest, GoesOnFromACheckpoint) {
  using Checkpoint = genten::Checkpoint<typename TestFixture::Model>;
  const auto tensor = this->make(this->blocks(false));
  CpGcpOptions options{.rank = 2, .max_iterations = 33, .starts = 2};
  options.most_operations = 0.0;
  options.zero_samples = 3000;
  std::optional<Checkpoint> checkpoint;
  const auto whole = genten::cp_gcp(
      this->exec, tensor, losses::NegativeBinomial{1.0}, options, [&](const auto& iteration) {
        if (iteration.start == 1 && iteration.record.iteration == 17) {
          checkpoint = iteration.checkpoint();
        }
        return genten::ObserverAction::proceed;
      });
  const auto resumed =
      genten::cp_gcp(this->exec, tensor, losses::NegativeBinomial{1.0}, *checkpoint, options);
  if (!genten::is_host_space<typename TestFixture::Exec>) {
    // Sums by atomics round in another order each time, and what is drawn follows the model.
    EXPECT_NEAR(resumed.objective, whole.objective, 0.02 * std::abs(whole.objective));
    return;
  }
  EXPECT_EQ(resumed.objective, whole.objective);
  EXPECT_EQ(resumed.objective_errors, whole.objective_errors);
  EXPECT_EQ(resumed.iterations, whole.iterations);
  EXPECT_EQ(genten_test::plain(resumed.model).weights, genten_test::plain(whole.model).weights);
}

TYPED_TEST(CpGcpSampledTest, HeldOutAndMissingEntriesAreNotDrawn) {
  const auto tensor = this->make(this->blocks(false));
  CpGcpOptions options{.rank = 2, .max_iterations = 30};
  options.most_operations = 0.0;
  options.zero_samples = 5000;
  options.holdout = 0.1;
  const auto result = genten::cp_gcp(this->exec, tensor, losses::NegativeBinomial{1.0}, options);
  EXPECT_EQ(result.entries + static_cast<double>(result.holdout.entries), 30.0 * 24.0 * 20.0);
  EXPECT_LE(result.holdout_loss,
            *std::min_element(result.holdout_losses.begin(), result.holdout_losses.end()));
}

TYPED_TEST(CpGcpSampledTest, SameBitsForEveryNumberOfThreads) {
  this->expect_same_bits([&](const AnyLoss& loss, const PlainTensor& tensor) {
    CpGcpOptions options{.rank = 5, .max_iterations = 14};
    options.most_operations = 0.0;
    options.zero_samples = 20000;
    return genten::cp_gcp(this->exec, this->make(tensor), loss, options);
  });
}

TYPED_TEST(CpGcpSampledTest, Refusals) {
  CpGcpOptions options{.rank = 2};
  options.most_operations = 0.0;
  options.zero_samples = 0;
  EXPECT_THAT(this->message_of([&] {
    (void)genten::cp_gcp(this->exec, this->make("cnt"), losses::PoissonLog(), options);
  }),
              HasSubstr("operations a gradient, more than the 0 that most-operations allows"));
  typename TestFixture::Gradient gradient_of(this->exec, this->make("cnt"), 2, losses::PoissonLog(),
                                             this->sampled(10));
  const auto model = this->make(formula_model({8, 7, 6}, 2, '0'));
  EXPECT_THAT(this->message_of([&] { (void)gradient_of.sums(this->exec, model); }),
              HasSubstr("expected draw_zeros before the first objective"));
}

}  // namespace
