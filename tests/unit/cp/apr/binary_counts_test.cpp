// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// CP-APR of 0 and 1, which say whether a count is above 0: known answers, and the loss by entries.
#include <genten/cp/cp_apr.hpp>

#include "../gcp/formula_data.hpp"
#include "../gcp/gcp_support.hpp"

namespace {

using genten::CountLoss;
using genten::CountSteps;
using genten::CpAprOptions;
using genten::GcpDoubt;
using genten_test::formula_tensor;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;

template <class Combination>
class BinaryCounts : public genten_test::GcpTest<Combination> {
 protected:
  static CpAprOptions binary(std::size_t rank) {
    return {.loss = CountLoss::bernoulli_poisson, .rank = rank};
  }
  static std::vector<CountSteps> all_steps() {
    using Exec = typename Combination::Exec;
    if (!genten::is_host_space<Exec>) return {CountSteps::multiplicative};
    return {CountSteps::newton, CountSteps::multiplicative};
  }
  /// Links within three groups, of which two overlap: fewer ones than zeros in every slice.
  static PlainTensor groups() {
    PlainTensor tensor{{24, 20, 9}, {}, {}};
    genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
      const bool one = at[0] < 10 && at[1] < 9 && at[2] < 4;
      const bool two = at[0] >= 8 && at[0] < 17 && at[1] >= 7 && at[2] >= 3 && at[2] < 7;
      const bool three = at[0] >= 15 && at[1] % 3 == 0 && at[2] >= 6;
      const std::size_t noise = (7 * at[0] + 11 * at[1] + 13 * at[2] + at[0] * at[1]) % 17;
      if ((one || two || three) ? noise < 5 : noise == 16) {
        tensor.subscripts.push_back(at);
        tensor.values.push_back(1.0);
      }
    });
    return tensor;
  }
};

TYPED_TEST_SUITE(BinaryCounts, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(BinaryCounts, EndAtTheKnownMinimum) {
  for (const CountSteps steps : this->all_steps()) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      CpAprOptions options = this->binary(1);
      options.steps = steps;
      options.seed = seed;
      options.tolerance = this->is_double ? 1e-7 : 1e-3;
      const auto result = genten::cp_apr(this->exec, this->make("bin2"), options);
      EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
      // The known one has 1e-10 beside m.
      EXPECT_NEAR(result.objective, 263.6239960838, this->is_double ? 1e-7 : 1e-2);
      EXPECT_EQ(result.deviance, 2.0 * result.objective);
      EXPECT_TRUE(result.warnings.empty());
    }
  }
}

// The objective by every entry, the violation by the gradient of such a sum, and no rise.
TYPED_TEST(BinaryCounts, ReportWhatTheModelHas) {
  const PlainTensor tensor = this->groups();
  for (const CountSteps steps : this->all_steps()) {
    CpAprOptions options = this->binary(3);
    options.steps = steps;
    options.max_iterations = steps == CountSteps::newton ? 400 : 4000;
    options.tolerance = this->is_double ? 1e-6 : 1e-2;
    double last = std::numeric_limits<double>::infinity();
    const double slack = this->is_double ? 1e-12 : 1e-5;
    const auto result =
        genten::cp_apr(this->exec, this->make(tensor), options, [&](const auto& seen) {
          EXPECT_LE(seen.record.objective, last + slack * last);
          last = seen.record.objective;
          return genten::ObserverAction::proceed;
        });
    EXPECT_EQ(result.stop_reason, genten::StopReason::converged);
    const PlainModel model = this->with_weights_inside(result.model);
    PlainModel gradient;
    const double objective = genten_test::loss_by_entries(genten::losses::BernoulliPoisson(),
                                                          tensor, model, false, &gradient);
    EXPECT_NEAR(result.objective / objective, 1.0, this->is_double ? 1e-9 : 1e-5);
    for (std::size_t e = 0; e < model.factors[0].elements.size(); ++e) {
      const double b = model.factors[0].elements[e];
      EXPECT_LE(std::abs(std::min(b, gradient.factors[0].elements[e])),
                this->is_double ? 1e-4 : 0.1);
    }
  }
}

TYPED_TEST(BinaryCounts, EndBelowWhereAllFactorsMoveAtOnce) {
  if (!this->is_double) GTEST_SKIP() << "to the digits of double";
  CpAprOptions options = this->binary(3);
  options.starts = 4;
  const auto by_rows = genten::cp_apr(this->exec, this->make(this->groups()), options);
  const auto at_once =
      genten::cp_gcp(this->exec, this->make(this->groups()), genten::losses::BernoulliPoisson(),
                     genten::CpGcpOptions{.rank = 3, .starts = 4});
  EXPECT_LE(by_rows.objective, at_once.objective * (1.0 + 1e-6));
}

// A guess stays as it is, entries that are listed as 0 are zeros, and slices without ones are 0.
TYPED_TEST(BinaryCounts, TakeGuessesAndZeros) {
  PlainTensor tensor = this->groups();
  tensor.dimensions[0] = 25;
  const auto sparse = genten::cp_apr(this->exec, this->make(tensor), this->binary(2));
  for (std::size_t e = 0; e < 4; ++e) {
    tensor.subscripts.push_back({24, e, e});
    tensor.values.push_back(0.0);
  }
  const auto result = genten::cp_apr(this->exec, this->make(tensor), this->binary(2));
  EXPECT_NEAR(result.objective / sparse.objective, 1.0, this->is_double ? 1e-3 : 1e-2);
  const PlainModel model = genten_test::plain(result.model);
  for (std::size_t r = 0; r < 2; ++r) EXPECT_EQ(model.factors[0](24, r), 0.0);
  CpAprOptions none = this->binary(2);
  none.max_iterations = 0;
  const auto again = genten::cp_apr(this->exec, this->make(tensor), result.model, none);
  EXPECT_NEAR(again.objective / result.objective, 1.0, this->is_double ? 1e-12 : 1e-5);
}

TYPED_TEST(BinaryCounts, SayWhatHasNoMinimumOrIsRefused) {
  PlainTensor full{{3, 2, 2}, {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 1}}, {}};
  full.values.assign(5, 1.0);
  const auto result = genten::cp_apr(this->exec, this->make(full), this->binary(1));
  EXPECT_TRUE(this->has(result.warnings, GcpDoubt::full_slices));
  EXPECT_EQ(result.warnings.front().mode, 0);
  EXPECT_EQ(result.warnings.front().number, 1.0);
  full.values[2] = 2.0;
  EXPECT_THAT(this->message_of([&] {
    static_cast<void>(genten::cp_apr(this->exec, this->make(full), this->binary(1)));
  }),
              HasSubstr("expected values 0 and 1; 1 value is not, 2"));
}

TYPED_TEST(BinaryCounts, GoOnFromACheckpoint) {
  using Checkpoint = genten::Checkpoint<typename TestFixture::Model>;
  const auto tensor = this->make(this->groups());
  for (const CountSteps steps : this->all_steps()) {
    CpAprOptions options = this->binary(2);
    options.steps = steps;
    options.max_iterations = 12;
    Checkpoint kept;
    const auto whole = genten::cp_apr(this->exec, tensor, options, [&](const auto& seen) {
      if (seen.record.iteration == 5) kept = seen.checkpoint();
      return genten::ObserverAction::proceed;
    });
    EXPECT_EQ(genten::checkpoint_apr_options(kept).loss, CountLoss::bernoulli_poisson);
    const auto resumed = genten::cp_apr(this->exec, tensor, kept, options);
    if (genten::is_host_space<typename TestFixture::Exec>) {
      EXPECT_EQ(resumed.objective, whole.objective);
    } else {  // sums by atomics
      EXPECT_NEAR(resumed.objective / whole.objective, 1.0, this->is_double ? 1e-9 : 1e-4);
    }
    CpAprOptions other = options;
    other.loss = CountLoss::poisson;
    EXPECT_THAT(this->message_of(
                    [&] { static_cast<void>(genten::cp_apr(this->exec, tensor, kept, other)); }),
                HasSubstr("expected the loss of the checkpoint, bernoulli-poisson, got poisson"));
  }
}

TYPED_TEST(BinaryCounts, HaveTheSameBitsForAnyNumberOfThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  if (!genten::is_host_space<typename TestFixture::Exec>) GTEST_SKIP() << "hosts alone";
  const auto results = genten_test::with_thread_counts([&] {
    genten_test::BitHash hash;
    PlainTensor tensor{{2, 300, 200}, {}, {}};
    genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
      if ((7 * at[0] + 11 * at[1] + 13 * at[2] + at[1] * at[2]) % 4 != 0) return;
      tensor.subscripts.push_back(at);
      tensor.values.push_back(1.0);
    });
    for (const CountSteps steps : this->all_steps()) {
      CpAprOptions options = this->binary(3);
      options.steps = steps;
      options.max_iterations = 10;
      const auto result = genten::cp_apr(this->exec, this->make(tensor), options);
      for (const auto& record : result.history) hash.add(record.objective);
      for (const auto& factor : genten_test::plain(result.model).factors) {
        for (const double x : factor.elements) hash.add(x);
      }
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

}  // namespace
