// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of cp_gcp with held-out entries, and with l1 penalties.
#include <genten/cp/cp_gcp.hpp>

#include "formula_data.hpp"
#include "gcp_support.hpp"

#include <genten/core/generate.hpp>
#include <genten/cp/cp_completion.hpp>

#include <algorithm>

namespace {

using genten::AnyLoss;
using genten::CpGcpOptions;
using genten::UnlistedEntries;
using genten_test::formula_tensor;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;
namespace losses = genten::losses;

/// (x - u)^2 of what is to be expected: of logarithmic odds, of r m, or of m.
struct MeanSquares {
  static constexpr std::string_view name = "mean squares";
  static constexpr genten::LossData data = genten::LossData::real;
  static constexpr double lower = losses::no_bound;
  bool is_logit;
  double times;
  [[nodiscard]] double value(double x, double m) const {
    const double u = is_logit ? 1.0 / (1.0 + std::exp(-m)) : (times > 0.0 ? times : 1.0) * m;
    return (x - u) * (x - u);
  }
  [[nodiscard]] double slope(double x, double m) const { return 2.0 * (m - x); }
};

template <class Combination>
class CpGcpHoldoutTest : public genten_test::GcpTest<Combination> {
 protected:
  /// Those that are held out where zeros count.
  static PlainTensor held_out(const std::vector<std::size_t>& dimensions, double part,
                              std::uint64_t seed) {
    double all = 1.0;
    for (const std::size_t length : dimensions) all *= static_cast<double>(length);
    return genten_test::plain(genten::generate_sparse<double, std::uint32_t>(
        genten::HostExec(),
        {.name = {},
         .dimensions = dimensions,
         .nonzeros = static_cast<genten::offset_t>(std::llround(part * all))},
        seed));
  }
  /// All entries but those.
  static PlainTensor others(const PlainTensor& some) {
    PlainTensor rest{some.dimensions, {}, {}};
    const auto entries = some.entries();
    genten_test::for_each_element(some.dimensions, [&](const std::vector<std::size_t>& at) {
      if (entries.count(at) == 0) rest.subscripts.push_back(at);
    });
    rest.values.assign(rest.subscripts.size(), 1.0);
    return rest;
  }
};

TYPED_TEST_SUITE(CpGcpHoldoutTest, genten_test::ModelTypes, genten_test::TypeNames);

// Zeros are among them; objective and held-out loss are those of the returned model.
TYPED_TEST(CpGcpHoldoutTest, ReportsWhatTheReturnedModelHas) {
  const double tolerance = this->is_double ? 1e-10 : 2e-4;
  for (const auto& [loss, data] : {std::pair{AnyLoss(losses::Poisson()), "cnt"},
                                   {losses::Gaussian(), "real"},
                                   {losses::BernoulliLogit(), "bin2"},
                                   {losses::NegativeBinomial{2.0}, "cnt"},
                                   {losses::Gamma(), "pos"}}) {
    SCOPED_TRACE(loss.facts().text());
    const PlainTensor tensor = formula_tensor(data);
    const PlainTensor tests = this->held_out(tensor.dimensions, 0.2, 7);
    CpGcpOptions options{.rank = 2, .max_iterations = 60};
    options.ridge = {0.0};
    options.holdout = 0.2;
    options.holdout_seed = 7;
    const auto result = genten::cp_gcp(this->exec, this->make(tensor), loss, options);
    EXPECT_EQ(result.holdout.entries, static_cast<genten::offset_t>(tests.nnz()));
    const double all =
        static_cast<double>(tensor.dimensions[0] * tensor.dimensions[1] * tensor.dimensions[2]);
    EXPECT_EQ(result.entries, all - static_cast<double>(tests.nnz()));
    const PlainModel model = this->with_weights_inside(result.model);
    const double objective =
        genten_test::loss_by_entries(loss, tensor, model, false, nullptr, tests);
    EXPECT_NEAR(result.objective, objective, tolerance * std::abs(objective));
    const PlainTensor rest = this->others(tests);
    const auto mean_of = [&](const AnyLoss& of) {
      return genten_test::loss_by_entries(of, tensor, model, false, nullptr, rest) /
             static_cast<double>(tests.nnz());
    };
    EXPECT_NEAR(result.holdout_loss, mean_of(loss),
                tolerance * (1.0 + std::abs(result.holdout_loss)));
    // Of the values to be expected, which are others than m under some of these losses.
    const double rmse = std::sqrt(
        mean_of(MeanSquares{loss.facts().name == "bernoulli-logit", loss.facts().parameter}));
    EXPECT_NEAR(result.holdout.rmse, rmse, 10.0 * tolerance * rmse);
    EXPECT_EQ(result.starts[0].holdout_loss, result.holdout_loss);
    // The standard error of a mean of independent numbers.
    EXPECT_GT(result.holdout_loss_error, 0.0);
    // It is the least of all iterations, or the guess.
    ASSERT_EQ(result.holdout_losses.size(), result.iterations);
    const auto least = std::min_element(result.holdout_losses.begin(), result.holdout_losses.end());
    EXPECT_LE(result.holdout_loss, *least);
    if (result.returned_iteration != 0) {
      EXPECT_EQ(result.holdout_losses[result.returned_iteration - 1], result.holdout_loss);
      EXPECT_EQ(result.history[result.returned_iteration - 1].objective, result.objective);
    }
  }
}

TYPED_TEST(CpGcpHoldoutTest, StandardErrorIsThatOfAMean) {
  const PlainTensor tensor = formula_tensor("cnt");
  CpGcpOptions options{.rank = 1, .max_iterations = 5};
  options.holdout = 0.3;
  const auto result = genten::cp_gcp(this->exec, this->make(tensor), losses::Gaussian(), options);
  const PlainModel model = this->with_weights_inside(result.model);
  const auto entries = tensor.entries();
  std::vector<double> found;
  for (const auto& at : this->held_out(tensor.dimensions, 0.3, 1).subscripts) {
    double m = 1.0;
    for (std::size_t n = 0; n < 3; ++n) m *= model.factors[n](at[n], 0);
    const auto x = entries.count(at) == 0 ? 0.0 : entries.at(at);
    found.push_back((x - m) * (x - m));
  }
  double mean = 0.0, square = 0.0;
  const auto n = static_cast<double>(found.size());
  for (const double f : found) mean += f / n;
  for (const double f : found) square += (f - mean) * (f - mean);
  EXPECT_NEAR(result.holdout_loss_error / std::sqrt(square / (n * (n - 1.0))), 1.0,
              this->is_double ? 1e-9 : 1e-3);
}

// Where only listed entries count, those of cp_completion are held out.
TYPED_TEST(CpGcpHoldoutTest, ListedEntriesAreHeldOutAsByCompletion) {
  const auto tensor = this->make("pos");
  const auto completed = genten::cp_completion(
      this->exec, tensor, {.rank = 1, .tolerance = 1e-10, .holdout = 0.3, .holdout_seed = 5});
  CpGcpOptions options{.rank = 1, .tolerance = 1e-7};
  options.unlisted = UnlistedEntries::missing;
  options.holdout = 0.3;
  options.holdout_seed = 5;
  const auto result = genten::cp_gcp(this->exec, tensor, losses::Gaussian(), options);
  EXPECT_EQ(result.holdout.entries, completed.holdout.entries);
  EXPECT_EQ(result.entries, completed.entries);
  EXPECT_NEAR(result.holdout_loss, result.holdout.rmse * result.holdout.rmse,
              1e-5 * result.holdout_loss);
}

// A list of missing entries beside it: these are never held out.
TYPED_TEST(CpGcpHoldoutTest, MissingEntriesAreNotHeldOut) {
  const PlainTensor tensor = formula_tensor("cnt");
  const PlainTensor tests = this->held_out(tensor.dimensions, 0.25, 3);
  PlainTensor away{tensor.dimensions, {tests.subscripts[0], tests.subscripts[9], {7, 6, 5}}, {}};
  away.values.assign(3, 1.0);
  const auto is_test = tests.entries().count({7, 6, 5}) != 0;
  CpGcpOptions options{.rank = 2, .max_iterations = 10};
  options.holdout = 0.25;
  options.holdout_seed = 3;
  const auto result =
      genten::cp_gcp(this->exec, this->make(tensor), this->make(away), losses::Poisson(), options);
  EXPECT_EQ(result.holdout.entries, static_cast<genten::offset_t>(tests.nnz()) - (is_test ? 3 : 2));
  EXPECT_EQ(result.entries, 336.0 - static_cast<double>(tests.nnz()) - (is_test ? 0.0 : 1.0));
}

TYPED_TEST(CpGcpHoldoutTest, PatienceEndsTheRun) {
  CpGcpOptions options{.rank = 8, .max_iterations = 500, .tolerance = 0.0};
  options.holdout = 0.4;
  options.patience = 4;
  const auto result = genten::cp_gcp(this->exec, this->make("real"), losses::Gaussian(), options);
  EXPECT_EQ(result.stop_reason, genten::StopReason::no_improvement);
  EXPECT_LT(result.iterations, 100U);
  EXPECT_LE(result.returned_iteration, result.iterations);
  options.patience = 0;
  options.max_iterations = 100;
  EXPECT_EQ(genten::cp_gcp(this->exec, this->make("real"), losses::Gaussian(), options).iterations,
            100U);
}

TYPED_TEST(CpGcpHoldoutTest, ScaleIsTakenOut) {
  PlainTensor tensor = formula_tensor("real");
  CpGcpOptions options{.rank = 2, .max_iterations = 20};
  options.holdout = 0.2;
  const auto run = [&](double scale) {
    PlainTensor scaled = tensor;
    for (double& x : scaled.values) x *= scale;
    return genten::cp_gcp(this->exec, this->make(scaled), losses::Gaussian(), options);
  };
  const auto plain = run(1.0), large = run(1024.0);
  if (!genten::is_host_space<typename TestFixture::Exec>) {
    // Sums by atomics: 20 iterations in float have ended .010 apart on an H100.
    EXPECT_NEAR(large.holdout.rmse / (1024.0 * plain.holdout.rmse), 1.0, 3e-2);
    return;
  }
  EXPECT_EQ(large.holdout_loss, plain.holdout_loss * 1024.0 * 1024.0);
  EXPECT_EQ(large.holdout_loss_error, plain.holdout_loss_error * 1024.0 * 1024.0);
  EXPECT_EQ(large.holdout.rmse, plain.holdout.rmse * 1024.0);
}

TYPED_TEST(CpGcpHoldoutTest, GoesOnFromACheckpoint) {
  using Checkpoint = genten::Checkpoint<typename TestFixture::Model>;
  const auto tensor = this->make("real");
  CpGcpOptions options{.rank = 4, .max_iterations = 30, .tolerance = 0.0, .starts = 2};
  options.holdout = 0.3;
  std::optional<Checkpoint> checkpoint;
  const auto whole =
      genten::cp_gcp(this->exec, tensor, losses::Huber{0.5}, options, [&](const auto& iteration) {
        if (iteration.start == 1 && iteration.record.iteration == 12) {
          checkpoint = iteration.checkpoint();
        }
        return genten::ObserverAction::proceed;
      });
  const auto resumed = genten::cp_gcp(this->exec, tensor, losses::Huber{0.5}, *checkpoint, options);
  if (!genten::is_host_space<typename TestFixture::Exec>) {  // sums by atomics
    EXPECT_NEAR(resumed.holdout_loss / whole.holdout_loss, 1.0, 0.1);
    return;
  }
  EXPECT_EQ(resumed.holdout_loss, whole.holdout_loss);
  EXPECT_EQ(resumed.holdout_losses, whole.holdout_losses);
  EXPECT_EQ(resumed.returned_iteration, whole.returned_iteration);
  EXPECT_EQ(resumed.best_start, whole.best_start);
  EXPECT_EQ(resumed.objectives, whole.objectives);
  const PlainModel a = genten_test::plain(whole.model), b = genten_test::plain(resumed.model);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.factors[2].elements, b.factors[2].elements);
  for (std::size_t s = 0; s < 2; ++s) {
    EXPECT_EQ(resumed.starts[s].holdout_rmse, whole.starts[s].holdout_rmse);
  }
}

TYPED_TEST(CpGcpHoldoutTest, SameBitsForEveryNumberOfThreads) {
  this->expect_same_bits([&](const AnyLoss& loss, const PlainTensor& tensor) {
    CpGcpOptions options{.rank = 5, .max_iterations = 8};
    options.holdout = 0.1;
    return genten::cp_gcp(this->exec, this->make(tensor), loss, options);
  });
}

TYPED_TEST(CpGcpHoldoutTest, Refusals) {
  const auto tensor = this->make("cnt");
  CpGcpOptions options{.rank = 2};
  const auto refused = [&] {
    return this->message_of(
        [&] { (void)genten::cp_gcp(this->exec, tensor, losses::Poisson(), options); });
  };
  options.holdout = 1e-4;  // of 336
  EXPECT_THAT(refused(), HasSubstr("expected entries that are held out, got none of a part of"));
  options.holdout = 1.0;
  EXPECT_THAT(refused(), HasSubstr("holdout"));
  options.holdout = 0.5;
  options.memory_available = 1e4;
  EXPECT_THAT(refused(), HasSubstr("held-out entries"));
}

// Two factors of ones: a row of n entries that add up to s has its least at s / (n + l1).
TYPED_TEST(CpGcpHoldoutTest, L1OfOneRowHasAClosedForm) {
  const PlainTensor counts = formula_tensor("cnt");
  CpGcpOptions options{.tolerance = this->is_double ? 1e-9 : 1e-5};
  options.fixed_modes = {1, 2};
  options.l1 = {5.0, 0.0, 0.0};
  const auto result = genten::cp_gcp(this->exec, this->make(counts), losses::Poisson(),
                                     this->ones(counts.dimensions), options);
  const PlainModel model = this->with_weights_inside(result.model);
  double sum = 0.0;
  for (std::size_t i = 0; i < 8; ++i) {
    double of_row = 0.0;
    for (std::size_t p = 0; p < counts.nnz(); ++p) {
      if (counts.subscripts[p][0] == i) of_row += counts.values[p];
    }
    const double m = model.factors[0](i, 0) * model.factors[1](0, 0) * model.factors[2](0, 0);
    EXPECT_NEAR(m, of_row / 47.0, this->is_double ? 1e-6 : 2e-3);
    sum += m;
  }
  EXPECT_NEAR(result.penalty, 5.0 * sum, (this->is_double ? 1e-9 : 1e-3) * sum);
  EXPECT_LE(result.scale_equation, (this->is_double ? 1e-5 : 1e-1));
}

TYPED_TEST(CpGcpHoldoutTest, L1NeedsNonnegativeFactors) {
  const auto tensor = this->make("cnt");
  CpGcpOptions options{.rank = 2, .max_iterations = 100};
  options.l1 = {0.0, 2.0, 0.0};
  const auto run = [&] { return genten::cp_gcp(this->exec, tensor, losses::Gaussian(), options); };
  EXPECT_THAT(this->message_of([&] { (void)run(); }),
              HasSubstr("option l1: expected a penalty of modes whose factors are nonnegative, got "
                        "mode 2 (counted from 1), whose lower bound is -inf"));
  options.nonnegative = genten::ModeSelection::every();
  const auto some = run();
  options.l1 = {200.0};
  const auto much = run();
  const auto zeros = [](const auto& result) {
    std::size_t count = 0;
    for (const auto& factor : genten_test::plain(result.model).factors) {
      count +=
          static_cast<std::size_t>(std::count(factor.elements.begin(), factor.elements.end(), 0.0));
    }
    return count;
  };
  EXPECT_GT(zeros(much), zeros(some));
}

}  // namespace
