// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Products by one call, against sums over all entries.
#include <genten/mttkrp/products.hpp>
#include <genten/mttkrp/ttmc.hpp>

#include "plain.hpp"

#include <gtest/gtest.h>

namespace {

using genten::HostExec;
using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;
using Matrix = genten::FacMatrix<double, HostExec>;

const genten_test::PlainTensor entries{
    {3, 4, 2}, {{0, 1, 0}, {2, 3, 1}, {0, 1, 1}, {1, 0, 0}, {2, 1, 1}}, {1, -2, 3, 4, 0.5}};

Tensor tensor() {
  return genten_test::to_sptensor<double, std::uint32_t, HostExec>(entries);
}

Matrix matrix(std::size_t rows, std::size_t columns) {
  Matrix result(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t r = 0; r < columns; ++r) {
      result(i, r) = 1.0 + static_cast<double>((3 * i + 5 * r) % 7);
    }
  }
  return result;
}

TEST(Products, TtmIsSemiSparse) {
  for (int mode = 0; mode < 3; ++mode) {
    const auto at = static_cast<std::size_t>(mode);
    const Matrix by = matrix(entries.dimensions[at], 2);
    const auto found = genten::ttm(HostExec(), tensor(), by, mode);
    EXPECT_EQ(found.dense_modes(), std::vector<int>{mode});
    EXPECT_EQ(found.block_length(), 2U);
    EXPECT_EQ(found.subscripts().extent(0), found.blocks());
    const auto dense = found.dense(HostExec());
    auto lengths = entries.dimensions;
    lengths[at] = 2;
    std::vector<double> expected(lengths[0] * lengths[1] * lengths[2], 0.0);
    for (std::size_t p = 0; p < entries.nnz(); ++p) {
      for (std::size_t r = 0; r < 2; ++r) {
        auto to = entries.subscripts[p];
        to[at] = r;
        expected[to[0] + lengths[0] * (to[1] + lengths[1] * to[2])] +=
            entries.values[p] * by(entries.subscripts[p][at], r);
      }
    }
    ASSERT_EQ(dense.extent(0), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_DOUBLE_EQ(dense(k), expected[k]);
  }
  EXPECT_THROW(static_cast<void>(genten::ttm(HostExec(), tensor(), matrix(3, 2), 1)),
               genten::Error);
  EXPECT_THROW(static_cast<void>(genten::ttm(HostExec(), tensor(), matrix(3, 2), 3)),
               genten::Error);
}

TEST(Products, TtvHasOneModeLess) {
  const std::vector<double> vector{2.0, -1.0, 5.0};
  const auto found = genten::ttv(HostExec(), tensor(), vector, 0);
  EXPECT_EQ(found.dimensions(), (std::vector<std::size_t>{4, 2}));
  ASSERT_EQ(found.nnz(), 4U);
  double sums[4][2] = {};
  for (std::size_t p = 0; p < 4; ++p) {
    sums[found.subscripts()(p, 0)][found.subscripts()(p, 1)] += found.values()(p);
  }
  const double expected[4][2] = {{-4, 0}, {2, 6 + 2.5}, {0, 0}, {0, -10}};
  for (int j = 0; j < 4; ++j) {
    for (int k = 0; k < 2; ++k) EXPECT_DOUBLE_EQ(sums[j][k], expected[j][k]) << j << ' ' << k;
  }
  EXPECT_THROW(static_cast<void>(genten::ttv(HostExec(), tensor(), vector, 1)), genten::Error);
}

TEST(Products, MttkrpsAreMttkrpOfEveryMode) {
  const std::vector<Matrix> factors{matrix(3, 2), matrix(4, 2), matrix(2, 2)};
  const auto all = genten::mttkrps(HostExec(), tensor(), factors);
  ASSERT_EQ(all.size(), 3U);
  for (int mode = 0; mode < 3; ++mode) {
    const auto at = static_cast<std::size_t>(mode);
    const auto one = genten::mttkrp(HostExec(), tensor(), factors, mode);
    for (std::size_t i = 0; i < entries.dimensions[at]; ++i) {
      for (std::size_t r = 0; r < 2; ++r) {
        double expected = 0.0;
        for (std::size_t p = 0; p < entries.nnz(); ++p) {
          if (entries.subscripts[p][at] != i) continue;
          double product = entries.values[p];
          for (std::size_t n = 0; n < 3; ++n) {
            if (n != at) product *= factors[n](entries.subscripts[p][n], r);
          }
          expected += product;
        }
        EXPECT_DOUBLE_EQ(all[at](i, r), expected);
        EXPECT_DOUBLE_EQ(one(i, r), expected);
      }
    }
  }
  const std::vector<Matrix> few{matrix(3, 2)};
  EXPECT_THROW(static_cast<void>(genten::mttkrps(HostExec(), tensor(), few)), genten::Error);
  EXPECT_THROW(static_cast<void>(genten::mttkrp(HostExec(), tensor(), few, 0)), genten::Error);
}

}  // namespace
