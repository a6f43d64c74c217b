// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mttkrp/kernels/sorted/row_reuse.hpp>

#include "reference.hpp"

#include <gtest/gtest.h>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using genten::NonzeroOrder;
using genten_test::PlainTensor;

/// Tiles of 4 rows of mode 1 and of single rows of mode 2.
NonzeroOrder order() {
  NonzeroOrder result;
  result.tiles = {{0, 2}, {1, 5}};
  return result;
}

double row_reuse_of(const PlainTensor& tensor) {
  const Exec exec{};
  const auto packed = genten::pack_records(
      exec, genten::RelabeledTensor(genten_test::to_sptensor<double, std::uint64_t, Exec>(tensor)),
      {{{0}}, {{1}}, {{2}}});
  exec.fence();
  return genten::detail::mean_row_reuse(exec, *packed, order());
}

/// `rows` rows of mode 2 with `groups` groups of four nonzeros each, in different tiles of mode 1.
PlainTensor groups_of_four(std::size_t rows, std::size_t groups) {
  PlainTensor tensor;
  tensor.dimensions = {4 * groups, rows, 1};
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < 4 * groups; ++i) {
      tensor.subscripts.push_back({i, j, 0});
      tensor.values.push_back(1.0);
    }
  }
  return tensor;
}

TEST(RowReuseTest, NonzerosOfOneTileAndOneRowCount) {
  EXPECT_NEAR(row_reuse_of(groups_of_four(1000, 50)), 4.0, 0.4);
}

TEST(RowReuseTest, BusyRowsWeighAsManyTimesAsTheyHaveNonzeros) {
  PlainTensor tensor = groups_of_four(1000, 10);  // 40000 nonzeros, each one of 4 in its row
  for (std::size_t k = 0; k < 40000; ++k) {       // as many that all share a row
    tensor.subscripts.push_back({4 * 10, 0, k});
    tensor.values.push_back(1.0);
  }
  tensor.dimensions = {41, 1000, 40000};
  EXPECT_NEAR(row_reuse_of(tensor), 0.5 * (4.0 + 40000.0), 500.0);
}

TEST(RowReuseTest, TensorsWithoutPairsHaveNothingToDraw) {
  PlainTensor tensor;
  tensor.dimensions = {4, 5, 6};
  EXPECT_EQ(row_reuse_of(tensor), 0.0);
  tensor.subscripts = {{1, 2, 3}};
  tensor.values = {1.0};
  EXPECT_EQ(row_reuse_of(tensor), 1.0);
}

}  // namespace
