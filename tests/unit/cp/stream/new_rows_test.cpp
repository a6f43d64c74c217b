// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Rows that come with a batch in other modes than the one in which slices arrive.
#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/residual.hpp>
#include <genten/cp/stream.hpp>

#include "plain.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten::HostExec;
using genten::StreamingCp;
using genten::StreamLoss;
using genten::StreamOptions;
using genten_test::PlainTensor;
using Model = StreamingCp::Model;
using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;
using Rows = std::vector<std::vector<double>>;

genten::FacMatrix<double, HostExec> factor_of(const Rows& rows) {
  const genten::FacMatrix<double, HostExec> factor(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t r = 0; r < rows[i].size(); ++r) factor(i, r) = rows[i][r];
  }
  return factor;
}

Model model_of(const std::vector<Rows>& rows) {
  std::vector<genten::FacMatrix<double, HostExec>> factors;
  for (const Rows& each : rows) factors.push_back(factor_of(each));
  const Model::weights_view weights("weights", rows[0][0].size());
  Kokkos::deep_copy(weights, 1.0);
  return Model(weights, std::move(factors));
}

/// The nonzeros that such factors make.
Tensor tensor_of(const std::vector<Rows>& factors) {
  PlainTensor plain{{}, {}, {}};
  std::size_t entries = 1;
  for (const Rows& each : factors) {
    plain.dimensions.push_back(each.size());
    entries *= each.size();
  }
  for (std::size_t p = 0; p < entries; ++p) {
    std::vector<std::size_t> at;
    std::size_t rest = p;
    for (const Rows& each : factors) {
      at.push_back(rest % each.size());
      rest /= each.size();
    }
    double value = 0.0;
    for (std::size_t r = 0; r < factors[0][0].size(); ++r) {
      double product = 1.0;
      for (std::size_t n = 0; n < factors.size(); ++n) product *= factors[n][at[n]][r];
      value += product;
    }
    if (value == 0.0) continue;
    plain.subscripts.push_back(at);
    plain.values.push_back(value);
  }
  return genten_test::to_sptensor<double, std::uint32_t, HostExec>(plain);
}

Rows joined(Rows first, const Rows& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

/// The second component has no entries before the batch, whose slice has all its own in a new row:
/// each would wait for the other.
TEST(StreamingCp, NewRowsAndSlicesThatHaveEachOtherAlone) {
  const Rows a = {{1.0, 0.0}, {2.0, 0.0}, {3.0, 0.0}}, b = {{1.0, 2.0}, {2.0, 1.0}, {1.0, -1.0}},
             c = {{1.0, 0.0}, {2.0, 0.0}};
  const Rows new_a = {{0.0, 3.0}}, new_c = {{0.0, 2.0}};
  for (const std::size_t extra : {0U, 1U}) {
    StreamingCp stream(HostExec(), model_of({a, b, c}), 2, {.sweeps = 20, .extra = extra});
    const auto batch = stream.update(HostExec(), tensor_of({joined(a, new_a), b, new_c}));
    EXPECT_GT(batch.fit, 1.0 - 1e-6);
    EXPECT_GT(batch.fit_of_new_rows, 1.0 - 1e-6);
    EXPECT_TRUE(genten::doubts_of(batch).empty());
    const Tensor whole = tensor_of({joined(a, new_a), b, joined(c, new_c)});
    EXPECT_LE(genten::residual_norm_extended(HostExec(), whole, stream.model()), 1e-6);
  }
}

/// Likewise with a row that the model has, of zeros, as an id without nonzeros does.
TEST(StreamingCp, RowsOfZerosAndSlicesThatHaveEachOtherAlone) {
  const Rows a = {{1.0, 0.0}, {2.0, 0.0}, {3.0, 0.0}}, b = {{1.0, 2.0}, {2.0, 1.0}, {1.0, -1.0}},
             c = {{1.0, 0.0}, {2.0, 0.0}};
  const Rows new_a = {{0.0, 3.0}}, new_c = {{0.0, 2.0}};
  StreamingCp stream(HostExec(), model_of({joined(a, {{0.0, 0.0}}), b, c}), 2,
                     {.sweeps = 20, .extra = 0});
  const auto batch = stream.update(HostExec(), tensor_of({joined(a, new_a), b, new_c}));
  EXPECT_GT(batch.fit, 1.0 - 1e-6);
}

/// Likewise with new rows in two other modes, of which no entry has one alone.
TEST(StreamingCp, NewRowsOfTwoModesAtOnce) {
  const Rows a = {{1.0, 0.0}, {2.0, 0.0}}, b = {{2.0, 0.0}, {1.0, 0.0}},
             c = {{1.0, 0.0}, {3.0, 0.0}}, d = {{1.0, 2.0}, {2.0, -1.0}};
  const Rows more = {{0.0, 2.0}};
  StreamingCp stream(HostExec(), model_of({a, c, b, d}), 1, {.sweeps = 20});
  const auto batch =
      stream.update(HostExec(), tensor_of({joined(a, more), more, joined(b, more), d}));
  EXPECT_GT(batch.fit, 1.0 - 1e-6);
  const Tensor whole = tensor_of({joined(a, more), joined(c, more), joined(b, more), d});
  EXPECT_LE(genten::residual_norm_extended(HostExec(), whole, stream.model()), 1e-6);
}

/// A slice that known rows determine, and a new row in it: nothing needs to begin elsewhere than 0.
TEST(StreamingCp, NewRowsOfSlicesThatKnownRowsTell) {
  const Rows a = {{1.0, 2.0}, {2.0, 1.0}, {3.0, 1.0}}, b = {{1.0, 2.0}, {2.0, 1.0}},
             c = {{1.0, 0.0}, {2.0, 0.0}};
  const Rows new_a = {{0.0, 3.0}}, new_c = {{1.0, 2.0}};
  for (const bool nonnegative : {false, true}) {
    StreamOptions options{.sweeps = 3};
    if (nonnegative) options.nonnegative = genten::ModeSelection::every();
    StreamingCp stream(HostExec(), model_of({a, b, c}), 2, options);
    const auto batch = stream.update(HostExec(), tensor_of({joined(a, new_a), b, new_c}));
    EXPECT_GT(batch.fit, 1.0 - 1e-6);
    EXPECT_GT(batch.fit_of_new_rows, 1.0 - 1e-6);
  }
}

/// Earlier slices, in which new rows are zeros, outweigh small entries of these: that is told.
TEST(StreamingCp, TellsWhereNewRowsAreHardlyMet) {
  const Rows a = {{10.0}, {20.0}}, b = {{1.0}, {2.0}}, c = {{1.0}, {2.0}};
  const auto add = [&](double forget) {
    StreamingCp stream(HostExec(), model_of({a, b, c}), 2, {.forget = forget, .sweeps = 50});
    return stream.update(HostExec(), tensor_of({{{0.0}, {0.0}, {1.0}}, b, {{1.0}}}));
  };
  const auto batch = add(1.0);
  EXPECT_LT(batch.fit_of_new_rows, 0.5);
  const auto doubts = genten::doubts_of(batch);
  ASSERT_EQ(doubts.size(), 1U);
  EXPECT_NE(genten::ErrorWords().text(doubts[0]).find("count as zeros in earlier slices"),
            std::string::npos);
  EXPECT_TRUE(std::isnan(batch.fit_of_other_rows));  // no entry is in known rows alone
  const auto forgetful = add(0.0);
  EXPECT_GT(forgetful.fit_of_new_rows, 0.99);
  const auto told = genten::doubts_of(forgetful);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(genten::ErrorWords().text(told[0]).find("nothing is kept of earlier slices"),
            std::string::npos);
  StreamingCp without(HostExec(), model_of({a, b, c}), 2, {});
  EXPECT_TRUE(std::isnan(without.update(HostExec(), tensor_of({a, b, {{1.0}}})).fit_of_new_rows));
}

TEST(StreamingCp, TellsOfValuesThatAreNoCounts) {
  const Rows a = {{1.0}, {2.0}}, b = {{1.0}, {2.0}}, c = {{1.0}, {2.0}};
  for (const double value : {1.0, 1.25}) {
    StreamingCp stream(HostExec(), model_of({a, b, c}), 2, {.loss = StreamLoss::poisson});
    const auto batch = stream.update(HostExec(), tensor_of({a, b, {{value}}}));
    EXPECT_EQ(batch.no_counts, value == 1.0 ? 0U : 3U);  // 1.25, 2.5 twice, 5
    EXPECT_EQ(genten::doubts_of(batch).size(), value == 1.0 ? 0U : 1U);
  }
  StreamingCp squares(HostExec(), model_of({a, b, c}), 2, {});
  EXPECT_EQ(squares.update(HostExec(), tensor_of({a, b, {{1.25}}})).no_counts, 0U);
}

}  // namespace
