// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/fac_matrix.hpp>
#include <genten/detail/walk.hpp>

#include <gtest/gtest.h>

namespace {

using genten::detail::choose_walk;
using genten::detail::column_blocks;
using genten::detail::ColumnBlock;

template <class Scalar>
class WalkTest : public testing::Test {
 protected:
  /// How many packs a block has, a shorter last one counted.
  static int packs_of(const ColumnBlock& block) { return block.packs + (block.tail > 0 ? 1 : 0); }

  static bool has_every_walk(const ColumnBlock& block) {
    for (int tables = 0; tables < genten::max_order; ++tables) {
      for (const bool coded : {true, false}) {
        for (const bool runs : {true, false}) {
          for (const bool ahead : {true, false}) {
            genten::RecordLayout layout;
            layout.key_words = 1;
            layout.coded = coded;
            if (choose_walk<Scalar>(block, tables, layout, {runs, ahead}) == nullptr) return false;
          }
        }
      }
    }
    return true;
  }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(WalkTest, Scalars);

TYPED_TEST(WalkTest, BlocksOfEveryPaddedRowCoverItAndHaveTheirWalks) {
  for (std::size_t columns = 1; columns <= 300; ++columns) {
    const std::size_t stride = genten::padded_stride(columns, sizeof(TypeParam));
    for (const int packs : {1, 2, 3, 8}) {
      SCOPED_TRACE(std::to_string(columns) + " columns, blocks of " + std::to_string(packs));
      std::size_t covered = 0;
      for (const ColumnBlock& block : column_blocks<TypeParam>(stride, packs)) {
        EXPECT_EQ(block.begin, covered);
        EXPECT_LE(this->packs_of(block), packs);
        EXPECT_TRUE(this->has_every_walk(block));
        covered += block.columns();
      }
      EXPECT_EQ(covered, stride);
    }
  }
}

}  // namespace
