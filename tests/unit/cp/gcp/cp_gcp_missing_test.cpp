// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Runs of cp_gcp with a list of missing entries.
#include <genten/cp/cp_gcp.hpp>

#include "formula_data.hpp"
#include "gcp_support.hpp"

#include <genten/cp/cp_completion.hpp>

namespace {

using genten::AnyLoss;
using genten::CpGcpOptions;
using genten::GcpDoubt;
using genten::UnlistedEntries;
using genten_test::formula_tensor;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using testing::HasSubstr;
namespace losses = genten::losses;

template <class Combination>
class CpGcpMissingTest : public genten_test::GcpTest<Combination> {
 protected:
  /// Every fourth entry, listed or not.
  static PlainTensor quarter(const std::vector<std::size_t>& dimensions) {
    PlainTensor away{dimensions, {}, {}};
    genten_test::for_each_element(dimensions, [&](const std::vector<std::size_t>& at) {
      if ((5 * at[0] + 3 * at[1] + 7 * at[2]) % 4 == 0) away.subscripts.push_back(at);
    });
    away.values.assign(away.subscripts.size(), 1.0);
    return away;
  }
};

TYPED_TEST_SUITE(CpGcpMissingTest, genten_test::ModelTypes, genten_test::TypeNames);

// What is reported is what the returned model has over the entries that count.
TYPED_TEST(CpGcpMissingTest, ReportsWhatTheModelHas) {
  const double tolerance = this->is_double ? 1e-10 : 2e-4;
  for (const auto& [loss, data] : {std::pair{AnyLoss(losses::Poisson()), "cnt"},
                                   {losses::Gaussian(), "real"},
                                   {losses::NegativeBinomial{1.0}, "cnt"},
                                   {losses::Gamma(), "pos"}}) {
    SCOPED_TRACE(loss.facts().text());
    const PlainTensor tensor = formula_tensor(data), away = this->quarter(tensor.dimensions);
    for (const UnlistedEntries unlisted : {UnlistedEntries::zeros, UnlistedEntries::missing}) {
      CpGcpOptions options{.rank = 2, .max_iterations = 40};
      options.unlisted = unlisted;
      const auto result =
          genten::cp_gcp(this->exec, this->make(tensor), this->make(away), loss, options);
      const PlainModel model = this->with_weights_inside(result.model);
      const bool listed_alone = unlisted == UnlistedEntries::missing;
      const auto by_entries = [&](const AnyLoss& of) {
        return genten_test::loss_by_entries(of, tensor, model, listed_alone, nullptr, away);
      };
      EXPECT_NEAR(result.objective, by_entries(loss), tolerance * std::abs(by_entries(loss)));
      const double residual = std::sqrt(by_entries(losses::Gaussian()));
      EXPECT_NEAR(result.residual_norm, residual, 100.0 * tolerance * residual);
      double counted = 0.0;
      for (const auto& at : tensor.subscripts) counted += away.entries().count(at) == 0 ? 1.0 : 0.0;
      const double all =
          static_cast<double>(tensor.dimensions[0] * tensor.dimensions[1] * tensor.dimensions[2]);
      EXPECT_EQ(result.entries,
                listed_alone ? counted : all - static_cast<double>(away.subscripts.size()));
      EXPECT_LT(result.objective, result.history.front().objective);
    }
  }
}

// Least squares without some entries, by a solver of its own.
TYPED_TEST(CpGcpMissingTest, SquaresEndWhereCompletionDoes) {
  if (!this->is_double) GTEST_SKIP() << "the tolerance needs more digits";
  const PlainTensor tensor = formula_tensor("real"), away = this->quarter(tensor.dimensions);
  const auto completed =
      genten::cp_completion(this->exec, this->make(tensor), this->make(away),
                            {.rank = 1, .max_iterations = 500, .tolerance = 1e-12, .starts = 3});
  const auto result =
      genten::cp_gcp(this->exec, this->make(tensor), this->make(away), losses::Gaussian(),
                     {.rank = 1, .tolerance = 1e-8, .starts = 3});
  EXPECT_NEAR(result.objective / (2.0 * completed.objective), 1.0, 1e-7);
  EXPECT_NEAR(result.residual_norm / completed.residual_norm, 1.0, 1e-7);
}

// What a listed and missing entry has for a value means nothing, not even whether it is allowed.
TYPED_TEST(CpGcpMissingTest, ValuesOfMissingEntriesMeanNothing) {
  PlainTensor tensor = formula_tensor("bin2");
  const PlainTensor away{tensor.dimensions, {tensor.subscripts[5], {8, 7, 0}}, {1.0, -3.0}};
  const CpGcpOptions options{.rank = 2, .max_iterations = 20};
  const auto run = [&] {
    return genten::cp_gcp(this->exec, this->make(tensor), this->make(away), losses::BernoulliOdds(),
                          options);
  };
  const auto before = run();
  tensor.values[5] = -40.0;
  // Devices add by atomics: two runs in float have been .005 apart after these iterations. The
  // value itself would change the objective by more than half.
  EXPECT_NEAR(run().objective / before.objective, 1.0,
              genten::is_host_space<typename TestFixture::Exec> ? 0.0 : 0.05);
  EXPECT_EQ(before.entries, 9.0 * 8.0 * 7.0 - 2.0);
}

TYPED_TEST(CpGcpMissingTest, RowsWithoutEntriesAreZero) {
  const PlainTensor tensor = formula_tensor("cnt");
  PlainTensor away{tensor.dimensions, {}, {}};
  for (std::size_t e = 0; e < 42; ++e) away.subscripts.push_back({5, e / 6, e % 6});
  away.values.assign(42, 1.0);
  for (const AnyLoss& loss : {AnyLoss(losses::Poisson()), AnyLoss(losses::PoissonLog())}) {
    const auto result = genten::cp_gcp(this->exec, this->make(tensor), this->make(away), loss,
                                       {.rank = 2, .max_iterations = 30});
    EXPECT_EQ(result.empty_rows, 1);
    const PlainModel model = genten_test::plain(result.model);
    EXPECT_EQ(model.factors[0](5, 0), 0.0);
    EXPECT_NE(model.factors[0](4, 0), 0.0);
    EXPECT_EQ(result.entries, 294.0);
  }
}

// A slice that has a zero, but only a missing one, is full.
TYPED_TEST(CpGcpMissingTest, WarningsKnowWhatIsMissing) {
  const PlainTensor tensor{
      {2, 2, 2}, {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 1, 1}}, {1.0, 1.0, 1.0, 1.0}};
  const PlainTensor away{{2, 2, 2}, {{0, 1, 1}}, {1.0}};
  CpGcpOptions options{.rank = 1, .max_iterations = 5};
  options.ridge = {0.0};
  const auto whole =
      genten::cp_gcp(this->exec, this->make(tensor), losses::BernoulliPoisson(), options);
  EXPECT_FALSE(this->has(whole.warnings, GcpDoubt::full_slices));
  const auto result = genten::cp_gcp(this->exec, this->make(tensor), this->make(away),
                                     losses::BernoulliPoisson(), options);
  ASSERT_TRUE(this->has(result.warnings, GcpDoubt::full_slices));
  EXPECT_EQ(result.warnings.front().mode, 0);
  EXPECT_EQ(result.warnings.front().number, 1.0);
}

TYPED_TEST(CpGcpMissingTest, GoesOnFromACheckpoint) {
  using Checkpoint = genten::Checkpoint<typename TestFixture::Model>;
  const auto tensor = this->make("cnt");
  PlainTensor away = this->quarter({8, 7, 6});
  CpGcpOptions options{.rank = 2, .max_iterations = 15, .tolerance = 0.0};
  std::optional<Checkpoint> checkpoint;
  const auto whole = genten::cp_gcp(this->exec, tensor, this->make(away), losses::Poisson(),
                                    options, [&](const auto& iteration) {
                                      if (iteration.record.iteration == 8) {
                                        checkpoint = iteration.checkpoint();
                                      }
                                      return genten::ObserverAction::proceed;
                                    });
  EXPECT_TRUE(genten::lists_missing_entries(*checkpoint));
  std::reverse(away.subscripts.begin(), away.subscripts.end());
  away.values.assign(away.subscripts.size(), 2.0);
  const auto resumed =
      genten::cp_gcp(this->exec, tensor, this->make(away), losses::Poisson(), *checkpoint, options);
  if (this->is_double) {
    EXPECT_NEAR(resumed.objective / whole.objective, 1.0, 1e-9);
  }
  EXPECT_EQ(resumed.history.size(), whole.history.size());
  EXPECT_THAT(this->message_of([&] {
    (void)genten::cp_gcp(this->exec, tensor, losses::Poisson(), *checkpoint, options);
  }),
              HasSubstr("of a run with a list of missing entries"));
  away.subscripts.pop_back();
  away.values.pop_back();
  EXPECT_THAT(this->message_of([&] {
    (void)genten::cp_gcp(this->exec, tensor, this->make(away), losses::Poisson(), *checkpoint,
                         options);
  }),
              HasSubstr("of another list of missing entries"));
}

TYPED_TEST(CpGcpMissingTest, Refusals) {
  const auto tensor = this->make("cnt");
  const auto refused = [&](const PlainTensor& away) {
    return this->message_of([&] {
      (void)genten::cp_gcp(this->exec, tensor, this->make(away), losses::Poisson(), {.rank = 2});
    });
  };
  EXPECT_THAT(refused({{8, 7, 5}, {{0, 0, 0}}, {1.0}}),
              HasSubstr("expected missing entries with the tensor's dimensions"));
  PlainTensor all{{8, 7, 6}, {}, {}};
  genten_test::for_each_element(all.dimensions,
                                [&](const auto& at) { all.subscripts.push_back(at); });
  all.values.assign(all.subscripts.size(), 1.0);
  EXPECT_THAT(refused(all),
              HasSubstr("expected entries that are neither missing nor held out, got none"));
  EXPECT_THAT(this->message_of([&] {
    (void)genten::cp_gcp(this->exec, tensor, tensor, losses::Poisson(), {.rank = 2});
  }),
              HasSubstr("no entry is left to fit but zeros"));
}

TYPED_TEST(CpGcpMissingTest, SameBitsForEveryNumberOfThreads) {
  this->expect_same_bits([&](const AnyLoss& loss, const PlainTensor& tensor) {
    return genten::cp_gcp(this->exec, this->make(tensor),
                          this->make(this->quarter(tensor.dimensions)), loss,
                          CpGcpOptions{.rank = 5, .max_iterations = 8});
  });
}

}  // namespace
