// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// How well models meet tensors under any loss, beside loops over every entry.
#include <genten/cp/evaluate.hpp>
#include <genten/cp/evaluate_loss.hpp>

#include "error_fields.hpp"
#include "formula_data.hpp"
#include "gcp_support.hpp"

#include <cmath>

namespace {

using genten::AnyLoss;
using genten::ZeroSums;
using genten_test::formula_model;
using genten_test::formula_tensor;
using genten_test::PlainModel;
using genten_test::PlainTensor;
namespace losses = genten::losses;

using Tensor = genten::Sptensor<double, std::uint32_t, genten::HostExec>;
using Model = genten::Ktensor<double, genten::HostExec>;

Tensor make(const PlainTensor& tensor) {
  return genten_test::to_sptensor<double, std::uint32_t, genten::HostExec>(tensor);
}
Model make(const PlainModel& model) {
  return genten_test::to_ktensor<double, genten::HostExec>(model);
}

struct Expected {
  double count = 0.0, loss = 0.0, deviance = 0.0, squares = 0.0, magnitudes = 0.0;
};

/// By a loop over every entry, or every listed one.
Expected by_entries(const AnyLoss& loss, const PlainTensor& tensor, const PlainModel& model,
                    bool listed) {
  Expected sums;
  const auto entries = tensor.entries();
  genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
    const auto found = entries.find(at);
    if (listed && found == entries.end()) return;
    double m = 0.0;
    for (std::size_t r = 0; r < model.weights.size(); ++r) {
      double product = model.weights[r];
      for (std::size_t n = 0; n < at.size(); ++n) product *= model.factors[n](at[n], r);
      m += product;
    }
    const double x = found == entries.end() ? 0.0 : found->second;
    const double difference = std::abs(x - loss.mean(m));
    sums.count += 1.0;
    sums.loss += loss.value(x, m);
    sums.deviance += loss.deviance(x, m);
    sums.squares += difference * difference;
    sums.magnitudes += difference;
  });
  return sums;
}

void expect_near(const genten::LossErrors& found, const Expected& expected) {
  const auto near = [](double one, double other) {
    EXPECT_NEAR(one, other, 1e-10 * (1.0 + std::abs(other)));
  };
  near(found.entries, expected.count);
  near(found.loss, expected.loss);
  near(found.deviance, expected.deviance);
  near(found.rmse, std::sqrt(expected.squares / expected.count));
  near(found.mae, expected.magnitudes / expected.count);
}

TEST(EvaluateLoss, IsTheSumOverEveryEntry) {
  for (const auto& [loss, data] : {std::pair{AnyLoss(losses::Poisson()), "cnt"},
                                   {losses::Weighted{0.25}, "cnt"},
                                   {losses::NegativeBinomial{2.0}, "cnt"},
                                   {losses::PoissonLog(), "cnt"},
                                   {losses::Huber{0.5}, "real"},
                                   {losses::BernoulliOdds(), "bin2"},
                                   {losses::BernoulliLogit(), "bin2"},
                                   {losses::BernoulliPoisson(), "bin2"},
                                   {losses::Gamma(), "pos"},
                                   {losses::Beta{2.0}, "cnt"}}) {
    SCOPED_TRACE(loss.facts().text());
    const PlainTensor tensor = formula_tensor(data);
    PlainModel model = formula_model(tensor.dimensions, 2, '+');
    model.weights = {2.0, 0.25};
    const auto found = evaluate_loss(genten::HostExec(), make(tensor), make(model), loss);
    expect_near(found.listed, by_entries(loss, tensor, model, true));
    expect_near(found.all, by_entries(loss, tensor, model, false));
    const bool all_listed = found.listed.entries == found.all.entries;
    EXPECT_EQ(found.zeros, all_listed                ? ZeroSums::none
                           : loss.facts().zero_terms ? ZeroSums::closed_form
                                                     : ZeroSums::enumerated);
  }
}

TEST(EvaluateLoss, SampledZerosAreWithinFourErrors) {
  const PlainTensor tensor = formula_tensor("bin2");
  PlainModel model = formula_model(tensor.dimensions, 2, '+');
  model.weights = {1.5, 0.5};
  for (const AnyLoss& loss : {AnyLoss(losses::BernoulliOdds()), AnyLoss(losses::Huber{0.5})}) {
    const Expected all = by_entries(loss, tensor, model, false);
    const auto found =
        evaluate_loss(genten::HostExec(), make(tensor), make(model), loss,
                      {.most_operations = 0.0, .zero_samples = 20000, .sample_seed = 3});
    EXPECT_EQ(found.zeros, ZeroSums::sampled);
    EXPECT_GT(found.all.error, 0.0);
    EXPECT_NEAR(found.all.loss, all.loss, 4.0 * found.all.error);
    EXPECT_NEAR(found.all.rmse, std::sqrt(all.squares / all.count), 0.02);
  }
}

TEST(EvaluateLoss, ListedEntriesMayBeLeftOut) {
  const genten::HostExec exec;
  const PlainTensor tensor = formula_tensor("cnt");
  const PlainModel model = formula_model(tensor.dimensions, 2, '+');
  const AnyLoss loss = losses::Poisson();
  // A slice, zeros and all, of which the rest knows nothing.
  PlainTensor missing{tensor.dimensions, {}, {}}, without = missing;
  const auto entries = tensor.entries();
  genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
    const auto found = entries.find(at);
    PlainTensor& to = at[2] == 1 ? missing : without;
    if (at[2] != 1 && found == entries.end()) return;
    to.subscripts.push_back(at);
    to.values.push_back(found == entries.end() ? 0.0 : found->second);
  });
  const auto found = genten::evaluate_loss(exec, make(tensor), make(model), make(missing), loss);
  const auto rest = by_entries(loss, without, model, true);
  expect_near(found.listed, rest);
  // Of all entries of the tensor without the slice, those of the slice being zeros.
  Expected all = by_entries(loss, without, model, false);
  const auto of_slice = by_entries(
      loss,
      {missing.dimensions, missing.subscripts, std::vector<double>(missing.values.size(), 0.0)},
      model, true);
  all.count -= of_slice.count;
  all.loss -= of_slice.loss;
  all.deviance -= of_slice.deviance;
  all.squares -= of_slice.squares;
  all.magnitudes -= of_slice.magnitudes;
  expect_near(found.all, all);
}

TEST(EvaluateLoss, AreaUnderTheCurve) {
  PlainTensor tensor{{2, 3}, {}, {}};
  PlainModel model{{1.0}, {genten_test::PlainMatrix(2, 1), genten_test::PlainMatrix(3, 1)}};
  model.factors[0](0, 0) = 1.0;
  model.factors[0](1, 0) = 2.0;
  for (std::size_t j = 0; j < 3; ++j) model.factors[1](j, 0) = 1.0 + static_cast<double>(j);
  // Models 1 2 3 / 2 4 6 of values 0 1 0 / 0 1 1: of nine pairs seven in order, one equal.
  const std::vector<double> values = {0.0, 1.0, 0.0, 0.0, 1.0, 1.0};
  for (std::size_t i = 0; i < 6; ++i) {
    tensor.subscripts.push_back({i / 3, i % 3});
    tensor.values.push_back(values[i]);
  }
  const auto found =
      evaluate_loss(genten::HostExec(), make(tensor), make(model), losses::BernoulliOdds());
  EXPECT_NEAR(found.listed.auc, 7.5 / 9.0, 1e-15);
  EXPECT_EQ(found.all.auc, found.listed.auc);
}

TEST(EvaluateLoss, WhatALossDoesNotTake) {
  const PlainTensor tensor = formula_tensor("cnt");
  const Model model = make(formula_model(tensor.dimensions, 1, '+'));
  const auto refused = genten_test::thrown_by([&] {
    (void)evaluate_loss(genten::HostExec(), make(tensor), model, losses::BernoulliOdds());
  });
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->code(), genten::Error::Code::data);
  const auto gamma = evaluate_loss(genten::HostExec(), make(tensor), model, losses::Gamma());
  EXPECT_TRUE(std::isfinite(gamma.listed.loss));
  EXPECT_TRUE(std::isnan(gamma.all.loss));  // it has no minimum where entries are 0
}

}  // namespace
