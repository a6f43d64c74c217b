// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dist/bisection.hpp>

#include "test_types.hpp"

#include <gtest/gtest.h>

#include "dist_support.hpp"

namespace {

using genten::count_exchange;
using genten::ExchangeCount;
using genten::HostExec;
using genten::TensorSlices;
using genten_test::count_by_sets;
using genten_test::expect_same;
using genten_test::skewed_tensor;
using genten_test::small_dimensions;

template <class Combination>
class ExchangeCountTest : public testing::Test {
 public:
  using Ordinal = typename Combination::Ordinal;
};
using Ordinals = decltype(genten_test::as_list(genten_test::WithOrdinals<HostExec>()));
TYPED_TEST_SUITE(ExchangeCountTest, Ordinals);

TYPED_TEST(ExchangeCountTest, CountsWhatSetsOfProcessesSay) {
  const HostExec exec;
  for (int order = 2; order <= 6; ++order) {
    const auto tensor =
        skewed_tensor<typename TestFixture::Ordinal>(small_dimensions(order), 600, 3);
    const TensorSlices<typename TestFixture::Ordinal> slices(exec, tensor);
    for (const std::size_t processes : {1, 2, 3, 7, 12, 64}) {
      const auto grids = genten::all_grids(processes, order);
      for (const auto& partition : {genten::grid_partition(slices, grids.back()),
                                    genten::grid_partition(slices, grids[grids.size() / 2]),
                                    genten::bisect(exec, slices, processes)}) {
        const auto rank = genten::processes_of(exec, partition, slices);
        ASSERT_EQ(partition.processes(), processes);
        expect_same(count_exchange(exec, slices, partition),
                    count_by_sets(slices, rank, processes));
      }
    }
  }
}

TYPED_TEST(ExchangeCountTest, CountsProcessesThatWereDrawn) {
  const HostExec exec;
  const auto tensor = skewed_tensor<typename TestFixture::Ordinal>({50, 20, 30}, 3000, 5);
  const TensorSlices<typename TestFixture::Ordinal> slices(exec, tensor);
  const genten::detail::HostArray<std::uint32_t> rank("rank", slices.nnz());
  for (std::size_t p = 0; p < slices.nnz(); ++p) {
    rank(p) = static_cast<std::uint32_t>(genten::random_bits(9, p) % 130);
  }
  expect_same(count_exchange(exec, slices, rank, 131), count_by_sets(slices, rank, 131));
}

// Sums that must agree whatever the partition.
TYPED_TEST(ExchangeCountTest, SumsAgree) {
  const HostExec exec;
  const auto tensor = skewed_tensor<typename TestFixture::Ordinal>({300, 40, 200}, 5000, 6);
  const TensorSlices<typename TestFixture::Ordinal> slices(exec, tensor);
  const ExchangeCount count = count_exchange(exec, slices, genten::bisect(exec, slices, 48));
  std::uint64_t nonzeros = 0;
  for (const auto one : count.nonzeros) nonzeros += one;
  EXPECT_EQ(nonzeros, slices.nnz());
  for (int n = 0; n < 3; ++n) {
    const auto& mode = count.modes[static_cast<std::size_t>(n)];
    genten::ProcessRows sum;
    for (const auto& rank : mode.processes) {
      EXPECT_EQ(rank.touched, rank.owned + rank.sent);
      sum.touched += rank.touched;
      sum.owned += rank.owned;
      sum.sent += rank.sent;
      sum.received += rank.received;
      sum.owners += rank.owners;
      sum.borrowers += rank.borrowers;
    }
    EXPECT_EQ(sum.owned, slices.mode(n).rows.size());  // each row has one owner
    EXPECT_EQ(sum.touched, sum.owned + mode.words);
    EXPECT_EQ(sum.sent, sum.received);
    EXPECT_EQ(sum.sent, mode.words);
    EXPECT_EQ(sum.owners, mode.messages);
    EXPECT_EQ(sum.borrowers, mode.messages);
  }
}

TEST(ExchangeCount, OfOneProcessIsNothing) {
  const HostExec exec;
  const auto tensor = skewed_tensor<std::uint32_t>({9, 8}, 30, 1);
  const TensorSlices<std::uint32_t> slices(exec, tensor);
  const ExchangeCount count = count_exchange(exec, slices, genten::Partition(2));
  EXPECT_EQ(count.words(), 0u);
  EXPECT_EQ(count.messages(), 0u);
  EXPECT_EQ(count.imbalance(), 1.0);
}

TEST(ExchangeCount, OfNoNonzerosIsNothing) {
  const HostExec exec;
  const TensorSlices<std::uint32_t> slices(exec, skewed_tensor<std::uint32_t>({9, 8}, 0, 1));
  for (const auto& partition :
       {genten::bisect(exec, slices, 5), genten::grid_partition(slices, {5, 1})}) {
    const ExchangeCount count = count_exchange(exec, slices, partition);
    EXPECT_EQ(count.words(), 0u);
    EXPECT_EQ(count.imbalance(), 1.0);
    EXPECT_EQ(count.nonzeros, std::vector<std::uint64_t>(5, 0));
  }
}

TEST(ExchangeCount, RefusesWrongProcesses) {
  const HostExec exec;
  const TensorSlices<std::uint32_t> slices(exec, skewed_tensor<std::uint32_t>({9, 8}, 4, 1));
  const genten::detail::HostArray<std::uint32_t> rank("rank", 4);
  rank(3) = 2;
  EXPECT_THROW((void)count_exchange(exec, slices, rank, 2), genten::Error);
  EXPECT_THROW((void)count_exchange(exec, slices, rank, 0), genten::Error);
  EXPECT_THROW((void)count_exchange(exec, slices, rank, 65537), genten::Error);
  EXPECT_NO_THROW((void)count_exchange(exec, slices, rank, 3));
}

TEST(ExchangeCount, OwnerTouchesTheRowWhateverTheOrder) {
  for (std::uint64_t row = 0; row < 200; ++row) {
    std::vector<std::uint32_t> up = {2, 3, 5, 70, 700}, down = {700, 70, 5, 3, 2};
    const auto owner = genten::owner_of_row(1, row, up);
    EXPECT_EQ(owner, genten::owner_of_row(1, row, down));
    EXPECT_EQ(std::count(up.begin(), up.end(), owner), 1);
  }
}

// Rows that all processes touch are even among them: by chance one of 64 processes would own 18 of
// 640.
TEST(ExchangeCount, OwnersOfRowsThatAllTouchAreEven) {
  std::vector<std::uint32_t> all(64);
  std::vector<int> owned(64, 0);
  for (std::uint64_t row = 0; row < 640; ++row) {
    for (std::uint32_t r = 0; r < 64; ++r) all[r] = r;
    ++owned[genten::owner_of_row(0, row, all)];
  }
  EXPECT_LE(*std::max_element(owned.begin(), owned.end()), 12);
  EXPECT_GE(*std::min_element(owned.begin(), owned.end()), 8);
}

}  // namespace
