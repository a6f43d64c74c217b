// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Adam: minima that are known, its batches, its epochs, its checkpoints.
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/detail/gcp/entry_batches.hpp>

#include "formula_data.hpp"
#include "gcp_support.hpp"

namespace {

using genten::AnyLoss;
using genten::CpGcpOptions;
using genten::GcpMethod;
using genten::StopReason;
using genten::UnlistedEntries;
using genten::ZeroSums;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;
namespace losses = genten::losses;

template <class Combination>
class CpGcpAdamTest : public genten_test::GcpTest<Combination> {
 protected:
  /// Some epochs of few steps.
  static CpGcpOptions few(std::size_t rank) {
    CpGcpOptions options{.rank = rank, .max_iterations = 6, .tolerance = 0.0};
    options.method = GcpMethod::adam;
    options.epoch_steps = 50;
    options.batch = 100;
    return options;
  }
  /// How far a number may be from another run's: devices add batches in any order.
  static double beside(double number) {
    if (genten::is_host_space<typename Combination::Exec>) return 0.0;
    return std::abs(number) * (sizeof(typename Combination::Scalar) == 4 ? 1e-3 : 1e-8);
  }
};

TYPED_TEST_SUITE(CpGcpAdamTest, genten_test::ModelTypes, genten_test::TypeNames);

struct Known {
  AnyLoss loss;
  const char* data;
  std::size_t rank;
  double objective;
  double ridge = 0.0;
  UnlistedEntries unlisted = UnlistedEntries::zeros;
};

// What it can reach: the rate ends at 1e-6, and gradients of few entries scatter.
TYPED_TEST(CpGcpAdamTest, ComesToKnownMinima) {
  if (!this->is_double) GTEST_SKIP() << "once is enough";
  for (const Known& known :
       {Known{losses::Gaussian(), "cnt", 1, 1584.0923210061},
        Known{losses::Huber{0.5}, "real", 1, 30.9191107154},
        Known{losses::Poisson(), "cnt", 1, 243.4175199573},
        Known{losses::NegativeBinomial{1.0}, "cnt", 1, 440.8782932215},
        Known{losses::BernoulliOdds(), "bin2", 1, 263.4986239068},
        Known{losses::BernoulliPoisson(), "bin2", 1, 263.6239960838},
        Known{losses::BernoulliLogit(), "bin2", 1, 272.30939939, 1.0},
        Known{losses::PoissonLog(), "cnt", 1, 225.66698144, 1.0},
        Known{losses::Gamma(), "pos", 1, 284.2804074232, 0.0, UnlistedEntries::missing},
        Known{losses::Beta{0.5}, "pos", 2, 989.7269689603}}) {
    SCOPED_TRACE(known.loss.facts().text() + " of " + known.data);
    CpGcpOptions options{.rank = known.rank, .max_iterations = 30};
    options.unlisted = known.unlisted;
    options.ridge = {known.ridge};
    options.method = GcpMethod::adam;
    options.rate = 1e-2;
    options.epoch_steps = 500;
    options.batch = 300;
    options.failures = 3;
    const auto result = genten::cp_gcp(this->exec, this->make(known.data), known.loss, options);
    EXPECT_NEAR(result.objective / known.objective, 1.0, 2e-3);
    EXPECT_GE(result.objective, known.objective - 1e-9 * std::abs(known.objective));
    for (std::size_t k = 1; k < result.history.size(); ++k) {
      EXPECT_LE(result.history[k].objective, result.history[k - 1].objective);
    }
  }
}

// Nonzeros and zeros of a batch stand for all that count, where entries are missing too.
TYPED_TEST(CpGcpAdamTest, BatchesHaveTheGradientOnTheAverage) {
  using Element = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const PlainTensor counts = genten_test::formula_tensor("cnt");
  PlainTensor away{counts.dimensions, {}, {}};
  genten_test::for_each_element(counts.dimensions, [&](const std::vector<std::size_t>& at) {
    if ((at[0] + 2 * at[1] + at[2]) % 5 == 0) away.subscripts.push_back(at);
  });
  away.values.assign(away.subscripts.size(), 1.0);
  const AnyLoss loss = losses::NegativeBinomial{1.0};
  const PlainModel plain = genten_test::formula_model(counts.dimensions, 9, '+');
  genten::detail::StackedModel<Element, Space> model(this->exec, counts.dimensions, 9);
  for (int n = 0; n < 3; ++n) {
    genten::deep_copy(this->exec, model.model().factor(n), this->make(plain).factor(n));
  }
  genten::LossGradient<Element, std::uint32_t, Space> exact(this->exec, this->make(counts),
                                                            this->make(away), 9, loss);
  const auto gradient = genten::clone(this->exec, model.model());
  (void)exact(this->exec, model.model(), gradient);
  genten::detail::GcpLimits limits;
  for (int n = 0, end = 0; n < 3; ++n) {
    limits.end[n] = static_cast<std::size_t>(end += static_cast<int>(counts.dimensions[n]));
  }
  for (const std::size_t size : {20U, 500U}) {
    genten::detail::EntryBatches<Element, Space> batches(
        this->exec, {exact.tensor(), this->make(away), loss}, true, size);
    genten::detail::StackedModel<Element, Space> sum(this->exec, counts.dimensions, 9);
    batches.draw(this->exec, 7);
    const std::size_t count = std::min<std::size_t>(batches.at_once(), 5000);
    for (std::size_t k = 0; k < count; ++k) {
      batches.add_gradient(this->exec, k, model, limits, sum.all());
    }
    const PlainModel found = genten_test::plain(sum.model()), known = genten_test::plain(gradient);
    double difference = 0.0, square = 0.0;
    for (std::size_t n = 0; n < 3; ++n) {
      for (std::size_t e = 0; e < known.factors[n].elements.size(); ++e) {
        const double one = known.factors[n].elements[e];
        difference +=
            std::pow(found.factors[n].elements[e] / static_cast<double>(count) - one, 2.0);
        square += one * one;
      }
    }
    EXPECT_LT(std::sqrt(difference / square), 0.03);
  }
}

TYPED_TEST(CpGcpAdamTest, FailedEpochsAreUndone) {
  const auto tensor = this->make("cnt");
  CpGcpOptions options = this->few(2);
  options.rate = 100.0;  // the first epoch leads nowhere
  options.failures = 2;
  options.max_iterations = 50;
  const auto result = genten::cp_gcp(this->exec, tensor, losses::PoissonLog(), options);
  options.max_iterations = 0;
  const auto guess = genten::cp_gcp(this->exec, tensor, losses::PoissonLog(), options);
  EXPECT_EQ(result.stop_reason, StopReason::stalled);
  EXPECT_EQ(result.failed_epochs, 3U);
  EXPECT_EQ(result.history.front().objective, guess.objective) << "undone";
  EXPECT_LE(result.objective, guess.objective);
  EXPECT_TRUE(std::isfinite(result.objective));
  options.max_iterations = 50;
  options.failures = 6;
  const auto patient = genten::cp_gcp(this->exec, tensor, losses::PoissonLog(), options);
  EXPECT_LT(patient.objective, guess.objective) << "a tenth of the rate, and again";
}

TYPED_TEST(CpGcpAdamTest, BoundsFixedFactorsAndMissingEntries) {
  const auto tensor = this->make("cnt");
  CpGcpOptions options = this->few(2);
  options.rate = 0.05;
  options.lower = {0.1};
  options.upper = {0.8};
  const auto bounded = genten::cp_gcp(this->exec, tensor, losses::Poisson(), options);
  for (const auto& factor : genten_test::plain(bounded.model).factors) {
    for (const double x : factor.elements) {
      EXPECT_GE(x, 0.1 - 1e-7);
      EXPECT_LE(x, 0.8 + 1e-7);
    }
  }
  // Entries that are missing are not drawn: what they are makes no difference.
  const PlainTensor counts = genten_test::formula_tensor("cnt");
  PlainTensor away{counts.dimensions, {}, {}};
  for (std::size_t p = 0; p < counts.values.size(); p += 3) {
    away.subscripts.push_back(counts.subscripts[p]);
    away.values.push_back(1.0);
  }
  PlainTensor changed = counts;
  for (std::size_t p = 0; p < counts.values.size(); p += 3) changed.values[p] = 100.0;
  CpGcpOptions plain = this->few(2);
  const auto run = [&](const PlainTensor& of) {
    return genten::cp_gcp(this->exec, this->make(of), this->make(away), losses::Poisson(), plain);
  };
  const double objective = run(counts).objective;
  EXPECT_NEAR(run(changed).objective, objective, this->beside(objective));
  plain.holdout = 0.1;
  const auto tested = genten::cp_gcp(this->exec, tensor, losses::Poisson(), plain);
  EXPECT_EQ(tested.holdout_losses.size(), tested.iterations);
  // The model is returned that meets them best.
  EXPECT_EQ(tested.holdout_loss,
            *std::min_element(tested.holdout_losses.begin(), tested.holdout_losses.end()));
  const auto guess = this->make(genten_test::formula_model({8, 7, 6}, 2, '+'));
  CpGcpOptions fixed = this->few(2);
  fixed.fixed_modes = {0, 2};
  const auto result = genten::cp_gcp(this->exec, tensor, losses::Poisson(), guess, fixed);
  const PlainModel before = genten_test::plain(guess), after = genten_test::plain(result.model);
  for (const std::size_t n : {0U, 2U}) {
    const auto ratio = [&](const PlainModel& model, std::size_t r) {
      return model.factors[n](1, r) / model.factors[n](0, r);
    };
    const bool swapped = std::abs(ratio(before, 0) - ratio(after, 0)) > 1e-3;
    for (const std::size_t r : {0U, 1U}) {
      EXPECT_NEAR(ratio(after, swapped ? 1 - r : r), ratio(before, r), 1e-5);
    }
  }
}

TYPED_TEST(CpGcpAdamTest, SampledObjectives) {
  const auto tensor = this->make("cnt");
  CpGcpOptions options = this->few(2);
  options.most_operations = 0.0;
  options.zero_samples = 2000;
  options.rate = 0.01;
  const auto result = genten::cp_gcp(this->exec, tensor, losses::NegativeBinomial{1.0}, options);
  EXPECT_EQ(result.zeros, ZeroSums::sampled);
  EXPECT_GT(result.objective_error, 0.0);
  EXPECT_EQ(result.objective_errors.size(), result.iterations);
  const auto model = this->make(this->with_weights_inside(result.model));
  genten::LossGradient<typename TestFixture::Scalar, std::uint32_t, typename TestFixture::Exec>
      gradient_of(this->exec, tensor, 2, losses::NegativeBinomial{1.0});
  EXPECT_NEAR(result.objective, gradient_of.sums(this->exec, model).objective,
              4.0 * result.objective_error);
}

TYPED_TEST(CpGcpAdamTest, GoesOnFromACheckpoint) {
  using Checkpoint = genten::Checkpoint<typename TestFixture::Model>;
  const auto tensor = this->make("bin2");
  for (const double most_operations : {2e9, 0.0}) {
    CpGcpOptions options = this->few(3);
    options.max_iterations = 8;
    options.starts = 2;
    options.most_operations = most_operations;
    options.zero_samples = 1000;
    options.rate = 0.2;  // so that some epochs fail
    options.failures = 20;
    std::optional<Checkpoint> checkpoint;
    const auto whole = genten::cp_gcp(
        this->exec, tensor, losses::BernoulliOdds(), options, [&](const auto& iteration) {
          if (iteration.start == 1 && iteration.record.iteration == 5) {
            checkpoint = iteration.checkpoint();
          }
          return genten::ObserverAction::proceed;
        });
    const auto resumed =
        genten::cp_gcp(this->exec, tensor, losses::BernoulliOdds(), *checkpoint, options);
    EXPECT_NEAR(resumed.objective, whole.objective, this->beside(whole.objective));
    EXPECT_EQ(resumed.failed_epochs, whole.failed_epochs);
    EXPECT_EQ(resumed.history.size(), whole.history.size());
    const auto weights = genten_test::plain(whole.model).weights;
    const auto again = genten_test::plain(resumed.model).weights;
    for (std::size_t r = 0; r < 3; ++r) EXPECT_NEAR(again[r], weights[r], this->beside(weights[r]));
    CpGcpOptions others = options;
    others.epoch_steps = 51;
    EXPECT_THAT(this->message_of([&] {
      (void)genten::cp_gcp(this->exec, tensor, losses::BernoulliOdds(), *checkpoint, others);
    }),
                HasSubstr("a run with other options: epoch-steps"));
  }
}

// What is done of an epoch is kept if it is worth it, and a checkpoint begins the epoch again.
TYPED_TEST(CpGcpAdamTest, EndsWithinAnEpoch) {
  using Checkpoint = genten::Checkpoint<typename TestFixture::Model>;
  const auto tensor = this->make("bin2");
  for (const double most_operations : {2e9, 0.0}) {
    for (const std::size_t whole_epochs : {0U, 2U}) {
      SCOPED_TRACE(std::to_string(whole_epochs) + " epochs, " + std::to_string(most_operations));
      CpGcpOptions options = this->few(3);
      options.most_operations = most_operations;
      options.zero_samples = 1000;
      options.holdout = 0.1;
      options.rate = 0.02;
      const auto whole = genten::cp_gcp(this->exec, tensor, losses::BernoulliOdds(), options);
      ASSERT_EQ(whole.iterations, 6U);
      CpGcpOptions ended = options;
      std::size_t asked = 0;
      const std::size_t last = 49 * whole_epochs + 20;  // not after the last step of an epoch
      ended.interrupted = [&] { return ++asked == last; };
      std::optional<Checkpoint> checkpoint;
      std::size_t seen = 0;
      const auto part = genten::cp_gcp(this->exec, tensor, losses::BernoulliOdds(), ended,
                                       [&](const auto& iteration) {
                                         ++seen;
                                         if (iteration.ends) checkpoint = iteration.checkpoint();
                                         return genten::ObserverAction::proceed;
                                       });
      EXPECT_EQ(part.stop_reason, StopReason::observer);
      EXPECT_EQ(asked, last) << "no step more";
      EXPECT_EQ(part.iterations, whole_epochs + 1);
      EXPECT_EQ(seen, whole_epochs + 1);
      EXPECT_EQ(part.failed_epochs, 0U);
      for (std::size_t k = 0; k < whole_epochs; ++k) {
        EXPECT_NEAR(part.history[k].objective, whole.history[k].objective,
                    this->beside(whole.history[k].objective));
      }
      if (whole_epochs != 0 && most_operations != 0.0) {
        EXPECT_LE(part.history.back().objective, part.history[whole_epochs - 1].objective);
      }
      ASSERT_TRUE(checkpoint);
      const auto resumed =
          genten::cp_gcp(this->exec, tensor, losses::BernoulliOdds(), *checkpoint, options);
      EXPECT_EQ(resumed.iterations, whole.iterations);
      for (std::size_t k = 0; k < whole.iterations; ++k) {
        EXPECT_NEAR(resumed.history[k].objective, whole.history[k].objective,
                    this->beside(whole.history[k].objective));
        EXPECT_NEAR(resumed.holdout_losses[k], whole.holdout_losses[k],
                    this->beside(whole.holdout_losses[k]));
      }
      EXPECT_EQ(resumed.returned_iteration, whole.returned_iteration);
    }
  }
}

// An epoch whose steps lead upwards is undone where it is ended, and has not failed.
TYPED_TEST(CpGcpAdamTest, APartOfAnEpochMayBeUndone) {
  CpGcpOptions options = this->few(2);
  options.rate = 100.0;
  options.interrupted = [] { return true; };
  const auto result = genten::cp_gcp(this->exec, this->make("cnt"), losses::PoissonLog(), options);
  options.max_iterations = 0;
  const auto guess = genten::cp_gcp(this->exec, this->make("cnt"), losses::PoissonLog(), options);
  EXPECT_EQ(result.stop_reason, StopReason::observer);
  EXPECT_EQ(result.failed_epochs, 0U);
  EXPECT_EQ(result.objective, guess.objective);
}

TYPED_TEST(CpGcpAdamTest, TimeLimitsEndEpochs) {
  CpGcpOptions options = this->few(2);
  options.epoch_steps = 1000000;
  options.time_limit = 0.05;
  const auto result = genten::cp_gcp(this->exec, this->make("cnt"), losses::Poisson(), options);
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
  EXPECT_EQ(result.iterations, 1U);
  EXPECT_LT(result.history.back().seconds, 5.0);
}

TYPED_TEST(CpGcpAdamTest, MemoryOfBatchesIsForecast) {
  CpGcpOptions options = this->few(2);
  options.memory_available = 1e8;
  EXPECT_EQ(genten::cp_gcp(this->exec, this->make("cnt"), losses::Poisson(), options).iterations,
            6U);
  options.batch = 10000000;
  EXPECT_THAT(this->message_of([&] {
    (void)genten::cp_gcp(this->exec, this->make("cnt"), losses::Poisson(), options);
  }),
              HasSubstr("a smaller batch takes less"));
}

TYPED_TEST(CpGcpAdamTest, SameBitsForEveryNumberOfThreads) {
  this->expect_same_bits([&](const AnyLoss& loss, const PlainTensor& tensor) {
    CpGcpOptions options = this->few(19);
    options.max_iterations = 2;
    return genten::cp_gcp(this->exec, this->make(tensor), loss, options);
  });
}

}  // namespace
