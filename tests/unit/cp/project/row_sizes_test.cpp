// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Sizes of new rows beside those of the model: another unit of the data.
#include <genten/cp/project_rows.hpp>
#include <genten/cp/stream.hpp>

#include "plain.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace {

using genten::HostExec;
using genten::times_as_large;
using genten_test::PlainMatrix;
using genten_test::PlainModel;
using genten_test::PlainTensor;

TEST(RowSizes, AreComparedByTheirMedians) {
  const std::vector<double> own{2.0, 1.0, 3.0, 0.0, 2.5, 1.5};
  EXPECT_DOUBLE_EQ(times_as_large({2000.0, 0.0, 4000.0, 1000.0}, own), 1000.0);
  EXPECT_DOUBLE_EQ(times_as_large({0.002}, own), 0.001);
  EXPECT_TRUE(std::isnan(times_as_large({1.0, 2.0}, own)));
  EXPECT_TRUE(std::isnan(times_as_large({1.0, 2.0, 1e6}, own)));  // one that is odd
  EXPECT_TRUE(std::isnan(times_as_large({0.0}, own)));
  EXPECT_TRUE(std::isnan(times_as_large({1e6}, {})));
  // Users of whom some have bought a thousand times as much as others.
  EXPECT_TRUE(std::isnan(times_as_large({900.0}, {1.0, 1.0, 2.0, 5.0, 30.0, 1000.0})));
}

TEST(RowSizes, ADoubtComesFromAHundredTimesOn) {
  EXPECT_EQ(genten::unit_doubt(99.0), "");
  EXPECT_EQ(genten::unit_doubt(std::nan("")), "");
  EXPECT_THAT(
      genten::unit_doubt(1000.0),
      testing::StartsWith("the new rows are 1000 times as large as the model's, by their "));
  EXPECT_THAT(genten::unit_doubt(0.01), testing::StartsWith("the model's rows are 100 times as "));
}

/// 8 x 3 of one component, with elements of the other mode and a weight that are not one.
genten::Ktensor<double, HostExec> model() {
  PlainModel model{{2.0}, {PlainMatrix(8, 1), PlainMatrix(3, 1)}};
  for (std::size_t i = 0; i < 8; ++i) {
    model.factors[0].elements[i] = 1.0 + 0.1 * static_cast<double>(i);
  }
  model.factors[1].elements = {10.0, 20.0, 5.0};
  return genten_test::to_ktensor<double, HostExec>(model);
}

genten::Sptensor<double, std::uint32_t, HostExec> slices(double unit) {
  PlainTensor plain{{2, 3}, {}, {}};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      plain.subscripts.push_back({i, j});
      plain.values.push_back(unit * std::vector<double>{20.0, 40.0, 10.0}[j]);
    }
  }
  return genten_test::to_sptensor<double, std::uint32_t, HostExec>(plain);
}

TEST(RowSizes, OfProjectedRowsAndOfBatches) {
  for (const double unit : {1.0, 500.0}) {
    const auto found =
        genten::project_rows(HostExec(), model(), slices(unit), 0, genten::losses::Gaussian());
    const char* const losses[] = {"gaussian", "poisson"};
    for (const char* const loss : losses) {
      genten::StreamOptions options;
      if (std::string(loss) == "poisson") options.loss = genten::StreamLoss::poisson;
      genten::StreamingCp stream(HostExec(), model(), 0, options);
      const auto batch = stream.update(HostExec(), slices(unit));
      if (unit == 1.0) {
        EXPECT_TRUE(std::isnan(batch.times_as_large)) << loss;
        EXPECT_THAT(genten::doubts_of(batch), testing::IsEmpty());
        continue;
      }
      EXPECT_NEAR(batch.times_as_large, 500.0 / 1.4, 20.0) << loss;
      EXPECT_THAT(genten::doubts_of(batch), testing::ElementsAre(testing::HasSubstr("in another")));
    }
    if (unit == 1.0) {
      EXPECT_TRUE(std::isnan(found.times_as_large));
    } else {
      EXPECT_NEAR(found.times_as_large, 500.0 / 1.4, 1e-6);
    }
  }
}

}  // namespace
