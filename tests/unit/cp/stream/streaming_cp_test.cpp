// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Models that go on while slices of one mode arrive.
#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/project_rows.hpp>
#include <genten/cp/residual.hpp>
#include <genten/cp/stream.hpp>

#include "../gcp/formula_data.hpp"

#include <gtest/gtest.h>

namespace {

using genten::HostExec;
using genten::StreamingCp;
using genten::StreamLoss;
using genten::StreamOptions;
using genten_test::formula_tensor;
using genten_test::PlainTensor;
using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;
using Model = StreamingCp::Model;

/// Slices [begin, end) of the last mode, of as many rows in the first as are asked for.
Tensor slices(const PlainTensor& tensor, std::size_t begin, std::size_t end, std::size_t rows = 0) {
  PlainTensor part{tensor.dimensions, {}, {}};
  part.dimensions.back() = end - begin;
  if (rows != 0) part.dimensions[0] = rows;
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    auto at = tensor.subscripts[p];
    if (at[2] < begin || at[2] >= end || at[0] >= part.dimensions[0]) continue;
    at[2] -= begin;
    part.subscripts.push_back(at);
    part.values.push_back(tensor.values[p]);
  }
  return genten_test::to_sptensor<double, std::uint32_t, HostExec>(part);
}

Model warm(const Tensor& tensor, genten::CpAlsOptions options = {}) {
  options.rank = 2;
  options.max_iterations = 500;
  options.tolerance = 1e-12;
  options.seed = 3;
  return genten::cp_als(HostExec(), tensor, options).model;
}

std::vector<double> elements(const Model& model) {
  std::vector<double> all;
  for (const auto& factor : model.factors()) {
    const auto own = genten_test::plain(factor).elements;
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

/// The rows of a batch are those that project_rows finds for the factors beside them.
TEST(StreamingCp, RowsAreThoseOfProjectRows) {
  const PlainTensor data = formula_tensor("cnt");
  const Tensor first = slices(data, 0, 4), next = slices(data, 4, 6);
  for (const auto& constraint : {genten::RowConstraint(), genten::RowConstraint{.lower = 0.0},
                                 genten::RowConstraint{.l1 = 3.0, .lower = -0.5, .upper = 2.0}}) {
    StreamOptions options{.sweeps = 3};
    genten::CpAlsOptions fit;
    if (constraint.is_bounded()) {
      options.lower = fit.lower = {constraint.lower};
      options.upper = fit.upper = {constraint.upper};
      options.l1 = fit.l1 = {constraint.l1};
    }
    StreamingCp stream(HostExec(), warm(first, fit), 2, options);
    stream.update(HostExec(), next);
    const Model model = stream.model();
    const auto found = genten::project_rows(HostExec(), model, next, 2, genten::losses::Gaussian(),
                                            {.constraint = constraint, .loss_factor = 0.5});
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LE(found.rows[i].kkt, 1e-10);
      for (std::size_t r = 0; r < 2; ++r) {
        const double expected = found.model.factor(2)(i, r);
        EXPECT_NEAR(model.factor(2)(4 + i, r), expected, 1e-10 * std::max(1.0, expected));
      }
    }
  }
  const Model counts =
      genten::cp_apr(HostExec(), first, {.rank = 2, .tolerance = 1e-10, .seed = 3}).model;
  StreamingCp stream(HostExec(), counts, 2, {.sweeps = 3, .loss = StreamLoss::poisson});
  stream.update(HostExec(), next);
  const Model model = stream.model();
  const auto found =
      genten::project_rows(HostExec(), model, next, 2, genten::losses::Poisson(), {});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t r = 0; r < 2; ++r) {
      EXPECT_NEAR(model.factor(2)(4 + i, r), found.model.factor(2)(i, r), 1e-6);
    }
  }
}

/// With all data kept, sweeps end where alternating least squares on all data stays.
TEST(StreamingCp, AllDataKept) {
  const PlainTensor data = formula_tensor("real");
  const Tensor first = slices(data, 0, 3), whole = slices(data, 0, 5);
  StreamingCp stream(HostExec(), warm(first), 2, {.history = 9, .sweeps = 2000});
  stream.train(HostExec(), first);
  stream.update(HostExec(), slices(data, 3, 4));
  stream.update(HostExec(), slices(data, 4, 5));
  EXPECT_EQ(stream.batches(), 2U);
  const double own = genten::residual_norm_extended(HostExec(), whole, stream.model());
  const auto after = genten::cp_als(HostExec(), whole, stream.model(),
                                    {.rank = 2, .max_iterations = 20, .tolerance = 0.0});
  EXPECT_NEAR(after.residual_norm, own, 1e-9 * own);
}

TEST(StreamingCp, GoesOnWithTheSameBits) {
  const PlainTensor data = formula_tensor("cnt");
  for (const StreamOptions& options :
       {StreamOptions{}, StreamOptions{.history = 2, .ridge = {0.5}},
        StreamOptions{.forget = 0.5, .sweeps = 2, .nonnegative = genten::ModeSelection::every()},
        StreamOptions{.loss = StreamLoss::poisson}}) {
    const Tensor first = slices(data, 0, 4);
    const bool counts = options.loss == StreamLoss::poisson;
    const Model model =
        counts ? genten::cp_apr(HostExec(), first, {.rank = 2, .seed = 3}).model
               : warm(first, {.nonnegative = options.nonnegative, .ridge = options.ridge});
    StreamingCp whole(HostExec(), model, 2, options), part(HostExec(), model, 2, options);
    part.update(HostExec(), slices(data, 4, 5));
    StreamingCp again(HostExec(), part.checkpoint());
    for (StreamingCp* each : {&whole, &again}) {
      if (each == &whole) each->update(HostExec(), slices(data, 4, 5));
      each->update(HostExec(), slices(data, 5, 6));
    }
    EXPECT_EQ(elements(whole.model()), elements(again.model()));
    EXPECT_EQ(whole.checkpoint().state, again.checkpoint().state);
  }
}

/// Least squares keeps nothing of the size of the factors.
TEST(StreamingCp, StateOfLeastSquaresIsSmall) {
  const Tensor tensor = genten_test::to_sptensor<double, std::uint32_t, HostExec>(
      {{5000, 3, 2}, {{0, 0, 0}, {4999, 2, 1}, {17, 1, 0}}, {1.0, 2.0, 3.0}});
  StreamingCp stream(HostExec(), warm(tensor), 2, {});
  stream.update(HostExec(), tensor);
  EXPECT_LT(stream.checkpoint().state.size(), 1000U);
}

/// The weights of a model that was normalized go to where penalties of all modes are least.
TEST(StreamingCp, PenaltiesShareTheWeights) {
  const PlainTensor data = formula_tensor("cnt");
  const Tensor first = slices(data, 0, 4);
  const std::vector<double> ridge{1.0, 4.0, 0.25};
  const Model model = warm(first, {.ridge = ridge});
  const StreamingCp stream(HostExec(), model, 2, {.ridge = ridge});
  const Model shared = stream.model();
  for (std::size_t r = 0; r < 2; ++r) {
    std::vector<double> penalties;
    for (int n = 0; n < 3; ++n) {
      double square = 0.0;
      for (std::size_t i = 0; i < shared.factor(n).rows(); ++i) {
        square += shared.factor(n)(i, r) * shared.factor(n)(i, r);
      }
      penalties.push_back(ridge[static_cast<std::size_t>(n)] * square);
    }
    EXPECT_NEAR(penalties[1], penalties[0], 1e-9 * penalties[0]);
    EXPECT_NEAR(penalties[2], penalties[0], 1e-9 * penalties[0]);
  }
  EXPECT_NEAR(genten::residual_norm_extended(HostExec(), first, shared),
              genten::residual_norm_extended(HostExec(), first, model), 1e-9);
}

TEST(StreamingCp, NewRowsAndForgetting) {
  const PlainTensor data = formula_tensor("cnt");
  StreamingCp stream(HostExec(), warm(slices(data, 0, 4, 6)), 2, {.forget = 0.0, .sweeps = 200});
  const auto batch = stream.update(HostExec(), slices(data, 4, 6));
  EXPECT_EQ(batch.new_rows, (std::vector<std::size_t>{2, 0, 2}));
  EXPECT_EQ(stream.model().dimensions(), (std::vector<std::size_t>{8, 7, 6}));
  // Nothing counts but the batch: its fit is that of alternating least squares on it.
  const auto alone = genten::cp_als(HostExec(), slices(data, 4, 6),
                                    {.rank = 2, .max_iterations = 500, .seed = 1, .starts = 8});
  EXPECT_GT(batch.fit, 0.98 * alone.fit);
}

TEST(StreamingCp, Refusals) {
  const PlainTensor data = formula_tensor("cnt");
  const Model model = warm(slices(data, 0, 4));
  const auto said = [](const auto& use) {
    try {
      use();
    } catch (const genten::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto begun = [&](const StreamOptions& options, int mode = 2) {
    return said([&] { StreamingCp(HostExec(), model, mode, options); });
  };
  EXPECT_NE(begun({}, 3).find("option mode: expected 1 to 3, got 4"), std::string::npos);
  EXPECT_NE(begun({.forget = 1.5}).find("option forget"), std::string::npos);
  EXPECT_NE(begun({.lower = {0.9}}).find("beyond the bounds"), std::string::npos);
  EXPECT_NE(begun({.loss = StreamLoss::poisson, .ridge = {1.0}}).find("least squares"),
            std::string::npos);
  StreamingCp stream(HostExec(), model, 2, {});
  const auto before = elements(stream.model());
  EXPECT_NE(said([&] { stream.update(HostExec(), slices(data, 4, 5, 6)); }).find("8 rows at least"),
            std::string::npos);
  EXPECT_NE(said([&] { stream.train(HostExec(), slices(data, 0, 3)); }).find("dimensions"),
            std::string::npos);
  EXPECT_EQ(elements(stream.model()), before);
}

}  // namespace
