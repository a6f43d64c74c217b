// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Models that go on while slices of one mode arrive.
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/sptensor_ops.hpp>
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

/// The last rows of the last factor of a model of three modes.
genten::FacMatrix<double, HostExec> last_rows(const Model& model, std::size_t count) {
  const auto& all = model.factor(2);
  const genten::FacMatrix<double, HostExec> rows(count, all.columns());
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(all.row(all.rows() - count + i), all.columns(), rows.row(i));
  }
  return rows;
}

std::vector<double> elements(const Model& model) {
  std::vector<double> all = genten::host_weights(HostExec(), model);
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
  StreamingCp stream(HostExec(), warm(tensor), 2, {.extra = 0});
  stream.update(HostExec(), tensor);
  EXPECT_LT(stream.checkpoint().state.size(), 1000U);
}

/// Every entry of a model of three components by formula, 7 x 6 x 8.
PlainTensor three_components() {
  PlainTensor tensor{{7, 6, 8}, {}, {}};
  const auto element = [](std::size_t n, std::size_t i, std::size_t r) {
    return static_cast<double>((3 * i + 5 * r + 7 * n + i * r) % 11) / 10.0 - 0.4;
  };
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      for (std::size_t k = 0; k < 8; ++k) {
        double value = 0.0;
        for (std::size_t r = 0; r < 3; ++r)
          value += element(0, i, r) * element(1, j, r) * element(2, k, r);
        tensor.subscripts.push_back({i, j, k});
        tensor.values.push_back(value);
      }
    }
  }
  return tensor;
}

/// What the model leaves of earlier slices is remembered: of data of one component more than the
/// model has, the stream ends where the fit of all data does, and without the component it does
/// not.
TEST(StreamingCp, ExtraComponentsRememberWhatTheModelLeaves) {
  const PlainTensor data = three_components();
  const Tensor whole = slices(data, 0, 8);
  const Model model = warm(slices(data, 0, 4));
  std::vector<double> residuals;
  for (const std::size_t extra : {0, 1}) {
    StreamingCp stream(HostExec(), model, 2, {.sweeps = 10, .extra = extra});
    for (std::size_t at = 4; at < 8; ++at) stream.update(HostExec(), slices(data, at, at + 1));
    EXPECT_EQ(stream.model().rank(), 2U);
    const auto projected =
        genten::project_rows(HostExec(), stream.model(), whole, 2, genten::losses::Gaussian());
    residuals.push_back(genten::residual_norm_extended(HostExec(), whole, projected.model));
  }
  const double best = genten::residual_norm_extended(HostExec(), whole, warm(whole));
  EXPECT_GT(residuals[0], 1.05 * best);
  EXPECT_LT(residuals[1], 0.98 * residuals[0]);
}

/// They mean nothing under constraints, for counts, and where entries are kept: the bits are those
/// of a stream without.
TEST(StreamingCp, ExtraComponentsAreForFreeLeastSquaresAlone) {
  const PlainTensor data = formula_tensor("cnt");
  const Tensor first = slices(data, 0, 4);
  for (const StreamOptions& options : {StreamOptions{.history = 2}, StreamOptions{.ridge = {0.5}},
                                       StreamOptions{.nonnegative = genten::ModeSelection::every()},
                                       StreamOptions{.loss = StreamLoss::poisson}}) {
    const Model model = warm(first, {.nonnegative = genten::ModeSelection::every()});
    StreamOptions without = options;
    without.extra = 0;
    StreamingCp one(HostExec(), model, 2, options), other(HostExec(), model, 2, without);
    for (StreamingCp* each : {&one, &other}) each->update(HostExec(), slices(data, 4, 6));
    EXPECT_EQ(elements(one.model()), elements(other.model()));
  }
}

/// New rows, another history, and forgetting beside extra components.
TEST(StreamingCp, ExtraComponentsGrowWithTheModel) {
  const Tensor first = genten_test::to_sptensor<double, std::uint32_t, HostExec>(
      {{4, 3, 2}, {{0, 0, 0}, {3, 2, 1}, {1, 1, 0}, {2, 0, 1}}, {1.0, 2.0, 3.0, 1.5}});
  const Tensor next = genten_test::to_sptensor<double, std::uint32_t, HostExec>(
      {{6, 5, 1}, {{5, 4, 0}, {0, 0, 0}, {4, 3, 0}}, {2.0, 1.0, 3.0}});
  StreamingCp stream(HostExec(), warm(first), 2, {.extra = 2});
  for (const std::size_t history : {1, 3, 1}) {
    stream.set_options(0.5, history, 2);
    const auto batch = stream.update(HostExec(), next);
    EXPECT_LE(batch.fit, 1.0 + 1e-12);
    for (const double each : elements(stream.model())) EXPECT_TRUE(std::isfinite(each));
    StreamingCp again(HostExec(), stream.checkpoint());
    EXPECT_EQ(elements(stream.model()), elements(again.model()));
  }
  EXPECT_EQ(stream.model().dimensions(), (std::vector<std::size_t>{6, 5, 5}));
  auto saved = stream.checkpoint();
  saved.state[saved.state.find("genten stream 4") + 14] = '5';
  EXPECT_TRUE(StreamingCp::is_stream(saved));
  EXPECT_THROW(StreamingCp(HostExec(), saved), genten::Error);
}

/// States of earlier versions go on: their models had no weights, and the first one's no extra
/// components.
TEST(StreamingCp, ReadsStatesOfEarlierVersions) {
  const PlainTensor data = formula_tensor("cnt");
  for (const char version : {'1', '2', '3'}) {
    StreamingCp stream(HostExec(), warm(slices(data, 0, 4)), 2, {.extra = 0});
    stream.update(HostExec(), slices(data, 4, 5));
    auto saved = stream.checkpoint();
    std::vector<double> rows;
    for (std::size_t k = 0; k < 5 * 2; ++k) {
      rows.push_back(saved.model.factor(2)(k / 2, k % 2) * saved.model.weights()(k % 2));
    }
    // At the end the factors that are not the model's, of which there is one, 5 x 2, and the
    // pieces of four rows, which are to be multiplied by 2 x 2 numbers, and of one.
    const std::size_t word = sizeof(std::uint64_t), of_factors = (4 + 10) * word;
    saved.state.erase(saved.state.size() - of_factors - (1 + 2 + 4 + 2) * word);
    const auto append = [&](const auto& number) {
      saved.state.append(reinterpret_cast<const char*>(&number), sizeof(number));
    };
    if (version == '2') append(std::uint64_t{0});
    if (version == '3') {
      for (const std::uint64_t length : {3, 0, 0, 10}) append(length);
      for (const double each : rows) append(each);
    } else {
      Kokkos::deep_copy(saved.model.weights(), 1.0);
      for (std::size_t k = 0; k < rows.size(); ++k) saved.model.factor(2)(k / 2, k % 2) = rows[k];
    }
    // Behind the tag, its length and the mode: forget, history, sweeps, extra.
    const std::size_t at = saved.state.find("genten stream 4");
    saved.state[at + 14] = version;
    if (version == '1') {
      saved.state.erase(at + 15 + sizeof(std::int32_t) + 3 * sizeof(double), sizeof(std::uint64_t));
    }
    StreamingCp again(HostExec(), saved);
    for (StreamingCp* each : {&stream, &again}) each->update(HostExec(), slices(data, 5, 6));
    const auto expected = elements(stream.model()), found = elements(again.model());
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k], expected[k], 1e-11 * (1.0 + std::abs(expected[k]))) << version;
    }
  }
}

/// Rows of earlier slices are kept in pieces that are turned when they are asked for: as if there
/// were none, and the same after a checkpoint.
TEST(StreamingCp, ManySlicesOneByOne) {
  const PlainTensor data = genten_test::random_tensor({.dimensions = {8, 7, 16}, .nnz = 700});
  for (const StreamOptions& options :
       {StreamOptions{}, StreamOptions{.extra = 0},
        StreamOptions{.history = 3, .nonnegative = {.modes = {0}}},
        StreamOptions{.extra = 0, .nonnegative = genten::ModeSelection::every()}}) {
    const Tensor first = genten::sum_duplicates(HostExec(), slices(data, 0, 3)).tensor;
    StreamingCp whole(HostExec(), warm(first, {.nonnegative = options.nonnegative}), 2, options);
    StreamingCp again(HostExec(), whole.checkpoint());
    for (std::size_t k = 3; k < 16; ++k) {
      whole.update(HostExec(), slices(data, k, k + 1));
      again.update(HostExec(), slices(data, k, k + 1));
      EXPECT_EQ(elements(whole.model()), elements(again.model()));
      EXPECT_EQ(whole.checkpoint().state, again.checkpoint().state);
      again = StreamingCp(HostExec(), again.checkpoint());
    }
    EXPECT_EQ(whole.model().dimensions(), (std::vector<std::size_t>{8, 7, 16}));
  }
}

/// Models have columns of norm one, so that weights say what a component is among all; where
/// penalties or bounds say what factors are, these stay as they are.
TEST(StreamingCp, ModelsAreNormalized) {
  const PlainTensor data = formula_tensor("cnt");
  const Tensor first = slices(data, 0, 4);
  for (const StreamOptions& options :
       {StreamOptions{}, StreamOptions{.history = 3}, StreamOptions{.extra = 0},
        StreamOptions{.nonnegative = genten::ModeSelection::every()},
        StreamOptions{.loss = StreamLoss::poisson}, StreamOptions{.ridge = {0.5}}}) {
    const bool counts = options.loss == StreamLoss::poisson, scales = options.ridge.empty();
    const Model model = counts ? genten::cp_apr(HostExec(), first, {.rank = 2, .seed = 3}).model
                               : warm(first, {.nonnegative = genten::ModeSelection::every()});
    StreamingCp stream(HostExec(), model, 2, options);
    for (std::size_t batches = 0; batches < 2; ++batches) {
      const Model shown = stream.model();
      const auto norms = genten::column_norms(
          HostExec(), shown.factors(), counts ? genten::NormKind::one : genten::NormKind::two);
      for (std::size_t r = 0; r < 2; ++r) {
        if (!scales) {
          EXPECT_EQ(shown.weights()(r), 1.0);
        }
        for (std::size_t n = 0; scales && n < 3; ++n) EXPECT_NEAR(norms[n][r], 1.0, 1e-12);
      }
      stream.update(HostExec(), slices(data, 4 + batches, 5 + batches));
    }
  }
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

/// Nonzeros of one entry are added up, wherever they stand; of distinct ones in any order the
/// figures are those of the model that is shown.
TEST(StreamingCp, DuplicatesAndLongFactors) {
  PlainTensor old{{700, 9, 4}, {}, {}}, once{{700, 9, 2}, {}, {}};
  for (std::size_t p = 0; p < 6000; ++p) {
    const std::size_t i = p * 37 % 700, j = p * 11 % 9, k = p * 5 % 4;
    old.subscripts.push_back({i, j, k});
    old.values.push_back(1.0 + static_cast<double>((i * j + k) % 7));
    once.subscripts.push_back({i, j / 2, k % 2});
    once.values.push_back(2.0 + static_cast<double>((i + 3 * j + k) % 5));
  }
  const auto sparse = [](const PlainTensor& each) {
    return genten_test::to_sptensor<double, std::uint32_t, HostExec>(each);
  };
  const Tensor summed = genten::sum_duplicates(HostExec(), sparse(once)).tensor;
  const genten_test::PlainTensor apart = genten_test::plain(summed);
  ASSERT_LT(summed.nnz(), 6000);
  const Model model = warm(genten::sum_duplicates(HostExec(), sparse(old)).tensor);
  std::vector<std::vector<double>> found;
  PlainTensor mixed = apart;  // none twice, but out of order
  for (std::size_t p = 0; p < mixed.nnz(); ++p) {
    const std::size_t q = p * 7919 % mixed.nnz();
    mixed.subscripts[p] = apart.subscripts[q];
    mixed.values[p] = apart.values[q];
  }
  for (const PlainTensor& each : {apart, once, mixed}) {
    StreamingCp stream(HostExec(), model, 2, {.extra = 0});
    const auto batch = stream.update(HostExec(), sparse(each));
    EXPECT_EQ(batch.nonzeros, apart.nnz());
    found.push_back(elements(stream.model()));
    const Model shown = stream.model();
    const Model last(shown.weights(), {shown.factor(0), shown.factor(1), last_rows(shown, 2)});
    const double residual = genten::residual_norm_extended(HostExec(), summed, last);
    EXPECT_NEAR(batch.residual_norm, residual, 1e-9 * residual);
  }
  EXPECT_EQ(found[0], found[1]);
  for (std::size_t k = 0; k < found[0].size(); ++k) EXPECT_NEAR(found[2][k], found[0][k], 1e-9);
}

TEST(StreamingCp, DuplicatesAmongManyEntriesAndEmptySlices) {
  PlainTensor apart{{5000, 4000, 6}, {}, {}};  // more entries than have a bit each
  for (std::size_t p = 0; p < 3000; ++p) {
    apart.subscripts.push_back({p * 1009 % 5000, p * 37 % 4000, 2 + p % 3});
    apart.values.push_back(1.0 + static_cast<double>(p % 5));
  }
  PlainTensor twice = apart;
  twice.subscripts.push_back(apart.subscripts[1234]);
  twice.values.push_back(2.0);
  const auto sparse = [](const PlainTensor& each) {
    return genten_test::to_sptensor<double, std::uint32_t, HostExec>(each);
  };
  const Model model =
      genten_test::to_ktensor<double, HostExec>(genten_test::random_model({5000, 4000, 3}, 2, 5));
  for (const PlainTensor& each : {apart, twice}) {
    StreamingCp stream(HostExec(), model, 2, {});
    const auto batch = stream.update(HostExec(), sparse(each));
    EXPECT_EQ(batch.nonzeros, 3000U);
    EXPECT_EQ(batch.tensor_norm,
              genten::norm(HostExec(), genten::sum_duplicates(HostExec(), sparse(each)).tensor));
    EXPECT_EQ(batch.slices, 6U);
    EXPECT_EQ(batch.empty, 3U);
    EXPECT_EQ(batch.first, 2U);
  }
}

/// What the options ask of each mode.
TEST(StreamingCp, ConstraintsOfOptions) {
  using genten::RowConstraint;
  EXPECT_EQ(
      genten::row_constraints(StreamOptions{.ridge = {0.5}, .lower = {0.0, -1.0}}, 2),
      (std::vector<RowConstraint>{{.ridge = 0.5, .lower = 0.0}, {.ridge = 0.5, .lower = -1.0}}));
  EXPECT_EQ(genten::row_constraints(StreamOptions{.loss = StreamLoss::poisson}, 2),
            (std::vector<RowConstraint>{{.lower = 0.0}, {.lower = 0.0}}));
  EXPECT_THROW(static_cast<void>(genten::row_constraints(
                   StreamOptions{.loss = StreamLoss::poisson, .l1 = {1.0}}, 2)),
               genten::Error);
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
  const std::vector<std::uint32_t> later{0, 0, 4};
  const std::vector<double> values{1.0};
  auto dimensions = model.dimensions();
  dimensions[2] = 5;
  const auto goes_on = genten::Sptensor<double, std::uint32_t, HostExec>::from_host(
      HostExec(), dimensions, std::span(later), std::span(values));
  EXPECT_NE(said([&] { stream.update(HostExec(), goes_on, 1); })
                .find("each batch numbers its slices of mode 3 from 1, and the first one here is "
                      "5: 4 rows without entries would follow the 4 of the model; if"),
            std::string::npos);
  EXPECT_EQ(elements(stream.model()), before);
  EXPECT_EQ(stream.update(HostExec(), goes_on, std::nullopt).first, 4U);
}

}  // namespace
