// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Newton's method by rows: minima that are known, constraints, checkpoints, what it refuses.
#include <genten/cp/cp_gcp.hpp>

#include "formula_data.hpp"
#include "gcp_support.hpp"

namespace {

using genten::AnyLoss;
using genten::CpGcpOptions;
using genten::GcpMethod;
using genten::HostExec;
using genten::StopReason;
using genten::UnlistedEntries;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;
namespace losses = genten::losses;

template <class Combination>
class CpGcpRowsTest : public genten_test::GcpTest<Combination> {
 protected:
  void SetUp() override {
    if (!std::is_same_v<typename Combination::Exec, HostExec>) GTEST_SKIP() << "hosts alone";
  }
  static CpGcpOptions by_rows(std::size_t rank) {
    CpGcpOptions options{.rank = rank, .max_iterations = 300, .tolerance = 1e-9};
    options.method = GcpMethod::rows;
    return options;
  }
};

TYPED_TEST_SUITE(CpGcpRowsTest, genten_test::ModelTypes, genten_test::TypeNames);

struct Known {
  AnyLoss loss;
  const char* data;
  std::size_t rank;
  double objective;
  double ridge = 0.0;
  UnlistedEntries unlisted = UnlistedEntries::zeros;
};

TYPED_TEST(CpGcpRowsTest, ComesToKnownMinima) {
  if (!this->is_double) GTEST_SKIP() << "once is enough";
  for (const Known& known :
       {Known{losses::Gaussian(), "real", 2, 19.9412611179},
        Known{losses::Gaussian(), "cnt", 2, 1411.8049572, 5.0},
        Known{losses::Huber{0.5}, "real", 1, 30.9191107154},
        Known{losses::Poisson(), "cnt", 2, 147.0021454315},
        Known{losses::NegativeBinomial{1.0}, "cnt", 2, 384.7643744577},
        Known{losses::BernoulliOdds(), "bin2", 2, 185.3920682341},
        Known{losses::BernoulliPoisson(), "bin2", 1, 263.6239960838},
        Known{losses::BernoulliPoisson(), "bin2", 2, 195.09859833, 0.5},
        Known{losses::BernoulliLogit(), "bin2", 2, 213.77172393, 1.0},
        Known{losses::PoissonLog(), "cnt", 1, 225.66698144, 1.0},
        Known{losses::Gamma(), "pos", 2, 283.2236171471, 0.0, UnlistedEntries::missing},
        Known{losses::Beta{0.5}, "pos", 2, 989.7269689603},
        Known{losses::Rayleigh(), "pos", 1, 425.9111630928, 0.0, UnlistedEntries::missing}}) {
    SCOPED_TRACE(known.loss.facts().text() + " of " + known.data);
    CpGcpOptions options = this->by_rows(known.rank);
    options.unlisted = known.unlisted;
    options.ridge = {known.ridge};
    options.starts = 10;
    const auto result = genten::cp_gcp(this->exec, this->make(known.data), known.loss, options);
    EXPECT_NEAR(result.objective / known.objective, 1.0, 1e-7);
    for (std::size_t k = 1; k < result.history.size(); ++k) {
      EXPECT_LE(result.history[k].objective, result.history[k - 1].objective);
    }
  }
}

TYPED_TEST(CpGcpRowsTest, AreTakenWhereTheyAreTheFastest) {
  const auto taken_for = [&](const AnyLoss& loss, const char* data, const CpGcpOptions& options) {
    return genten::cp_gcp(this->exec, this->make(data), loss, options).method;
  };
  CpGcpOptions options{.rank = 2, .max_iterations = 1};
  genten::LossList::for_each([&]<class L>() {
    const bool by_rows =
        L::name == "poisson" || L::name == "negative-binomial" || L::name == "bernoulli-odds";
    const bool positive = L::data == genten::LossData::positive;
    options.unlisted = positive ? UnlistedEntries::missing : UnlistedEntries::zeros;
    EXPECT_EQ(taken_for(L{}, positive ? "pos" : "bin2", options),
              by_rows ? GcpMethod::rows : GcpMethod::lbfgs)
        << L::name;
    const std::string told(genten::enum_words(GcpMethod())[0].meaning);
    EXPECT_EQ(told.find(L::name) != std::string::npos, by_rows) << told;
  });
  options.unlisted = UnlistedEntries::zeros;
  options.most_operations = 0.0;
  EXPECT_EQ(taken_for(losses::BernoulliOdds(), "bin2", options), GcpMethod::lbfgs);
  options.method = GcpMethod::adam;
  EXPECT_EQ(taken_for(losses::BernoulliOdds(), "bin2", options), GcpMethod::adam);
}

TYPED_TEST(CpGcpRowsTest, BoundsFixedFactorsMissingAndHeldOutEntries) {
  const auto tensor = this->make("cnt");
  CpGcpOptions options = this->by_rows(2);
  options.max_iterations = 10;
  options.tolerance = 0.0;
  options.lower = {0.1};
  options.upper = {0.8};
  const auto bounded = genten::cp_gcp(this->exec, tensor, losses::NegativeBinomial{1.0}, options);
  for (const auto& factor : genten_test::plain(bounded.model).factors) {
    for (const double x : factor.elements) {
      EXPECT_GE(x, 0.1 - 1e-7);
      EXPECT_LE(x, 0.8 + 1e-7);
    }
  }
  // What entries are that are missing makes no difference.
  const PlainTensor counts = genten_test::formula_tensor("cnt");
  PlainTensor away{counts.dimensions, {}, {}}, changed = counts;
  for (std::size_t p = 0; p < counts.values.size(); p += 3) {
    away.subscripts.push_back(counts.subscripts[p]);
    away.values.push_back(1.0);
    changed.values[p] = 100.0;
  }
  CpGcpOptions plain = this->by_rows(2);
  plain.max_iterations = 10;
  plain.tolerance = 0.0;
  const auto run = [&](const PlainTensor& of) {
    return genten::cp_gcp(this->exec, this->make(of), this->make(away), losses::BernoulliOdds(),
                          plain);
  };
  PlainTensor ones = counts, zeros = counts;
  for (double& x : ones.values) x = 1.0;
  zeros = ones;
  for (std::size_t p = 0; p < counts.values.size(); p += 3) zeros.values[p] = 0.0;
  EXPECT_EQ(run(ones).objective, run(zeros).objective);
  plain.holdout = 0.1;
  const auto tested = genten::cp_gcp(this->exec, tensor, losses::NegativeBinomial{1.0}, plain);
  EXPECT_EQ(tested.holdout_loss,
            *std::min_element(tested.holdout_losses.begin(), tested.holdout_losses.end()));
  const auto guess = this->make(genten_test::formula_model({8, 7, 6}, 2, '+'));
  CpGcpOptions fixed = this->by_rows(2);
  fixed.max_iterations = 5;
  fixed.fixed_modes = {0, 1, 2};
  const auto same = genten::cp_gcp(this->exec, tensor, losses::NegativeBinomial{1.0}, guess, fixed);
  fixed.fixed_modes = {0, 2};
  const auto one = genten::cp_gcp(this->exec, tensor, losses::NegativeBinomial{1.0}, guess, fixed);
  EXPECT_LT(one.objective, same.objective);
  EXPECT_LE(one.iterations, 3U) << "one factor is done at once";
}

TYPED_TEST(CpGcpRowsTest, GoesOnFromACheckpoint) {
  using Checkpoint = genten::Checkpoint<typename TestFixture::Model>;
  const auto tensor = this->make("bin2");
  CpGcpOptions options = this->by_rows(3);
  options.max_iterations = 8;
  options.tolerance = 0.0;
  options.starts = 2;
  std::optional<Checkpoint> checkpoint;
  const auto whole = genten::cp_gcp(this->exec, tensor, losses::BernoulliOdds(), options,
                                    [&](const auto& iteration) {
                                      if (iteration.start == 1 && iteration.record.iteration == 5) {
                                        checkpoint = iteration.checkpoint();
                                      }
                                      return genten::ObserverAction::proceed;
                                    });
  const auto resumed =
      genten::cp_gcp(this->exec, tensor, losses::BernoulliOdds(), *checkpoint, options);
  EXPECT_EQ(resumed.objective, whole.objective);
  EXPECT_EQ(resumed.starts.back().objective, whole.starts.back().objective);
  EXPECT_EQ(genten_test::plain(resumed.model).weights, genten_test::plain(whole.model).weights);
}

TYPED_TEST(CpGcpRowsTest, SameBitsForEveryNumberOfThreads) {
  this->expect_same_bits([&](const AnyLoss& loss, const PlainTensor& tensor) {
    CpGcpOptions options = this->by_rows(9);
    options.max_iterations = 1;
    return genten::cp_gcp(this->exec, this->make(tensor), loss, options);
  });
}

TYPED_TEST(CpGcpRowsTest, Refusals) {
  CpGcpOptions options = this->by_rows(2);
  options.most_operations = 0.0;
  EXPECT_THAT(this->message_of([&] {
    (void)genten::cp_gcp(this->exec, this->make("cnt"), losses::NegativeBinomial{1.0}, options);
  }),
              HasSubstr("expected another one than rows where zeros are sampled"));
  options.memory_available = 1500.0;
  EXPECT_THAT(this->message_of([&] {
    (void)genten::cp_gcp(this->exec, this->make("cnt"), losses::Poisson(), options);
  }),
              HasSubstr("fewer components take less"));
}

}  // namespace
