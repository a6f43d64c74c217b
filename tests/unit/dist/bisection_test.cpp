// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/sptensor_ops.hpp>
#include <genten/dist/bisection.hpp>
#include <genten/dist/expected_copies.hpp>

#include "thread_counts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "dist_support.hpp"

namespace {

using genten::bisect;
using genten::count_exchange;
using genten::HostExec;
using genten::Partition;
using genten::TensorSlices;
using genten_test::expect_same;
using genten_test::skewed_tensor;
using genten_test::small_dimensions;

using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;
using Slices = TensorSlices<std::uint32_t>;

void expect_same_cuts(const Partition& a, const Partition& b) {
  ASSERT_EQ(a.processes(), b.processes());
  for (std::size_t c = 0; c < a.cuts().size(); ++c) {
    const auto &x = a.cuts()[c], &y = b.cuts()[c];
    EXPECT_EQ(std::tie(x.row, x.mode, x.below, x.above), std::tie(y.row, y.mode, y.below, y.above));
    EXPECT_TRUE(std::equal(a.place(c).begin(), a.place(c).end(), b.place(c).begin()));
  }
}

/// A skewed tensor without duplicates, which stay together.
Tensor distinct_tensor(const std::vector<std::size_t>& dimensions, std::size_t nnz,
                       std::uint64_t seed) {
  const Tensor tensor = skewed_tensor<std::uint32_t>(dimensions, nnz, seed);
  return genten::sum_duplicates(HostExec(), tensor).tensor;
}

/// The same nonzeros in another order.
Tensor shuffled(const Tensor& tensor) {
  const auto order = static_cast<std::size_t>(tensor.order());
  const auto nnz = static_cast<std::size_t>(tensor.nnz());
  std::vector<std::size_t> positions(nnz);
  for (std::size_t p = 0; p < nnz; ++p) positions[p] = p;
  std::sort(positions.begin(), positions.end(), [](std::size_t a, std::size_t b) {
    return genten::random_bits(4, a) < genten::random_bits(4, b);
  });
  std::vector<std::uint32_t> subscripts;
  std::vector<double> values;
  for (const std::size_t p : positions) {
    for (std::size_t n = 0; n < order; ++n) subscripts.push_back(tensor.subscripts()(p, n));
    values.push_back(tensor.values()(p));
  }
  return Tensor::from_host(tensor.dimensions(), subscripts, values);
}

TEST(Bisect, IsEvenForAnyNumberOfProcessesAndOrder) {
  const HostExec exec;
  for (int order = 2; order <= 6; ++order) {
    const std::vector<std::size_t> dimensions = {200, 190, 10, 3, 11, 5};
    const Slices slices(
        exec, distinct_tensor({dimensions.begin(), dimensions.begin() + order}, 30000, 8));
    for (const std::size_t processes : {2, 3, 5, 8, 31, 64}) {
      const auto count = count_exchange(exec, slices, bisect(exec, slices, processes));
      EXPECT_LE(count.imbalance(), 1.0 + genten::bisection_slack + 0.02)
          << "order " << order << ", " << processes << " processes";
    }
  }
}

// No layers can divide a slice; cuts within rows do.
TEST(Bisect, DividesASliceThatHasNearlyAllNonzeros) {
  const HostExec exec;
  std::vector<std::uint32_t> subscripts;
  for (std::uint32_t p = 0; p < 4000; ++p) {
    subscripts.insert(subscripts.end(), {p % 10 == 0 ? p % 7 : 3, p % 50, p / 50});
  }
  const Slices slices(exec,
                      Tensor::from_host({7, 50, 80}, subscripts, std::vector<double>(4000, 1.0)));
  for (const std::size_t processes : {2, 16, 100}) {
    EXPECT_LE(count_exchange(exec, slices, bisect(exec, slices, processes)).imbalance(), 1.06);
  }
  EXPECT_GT(count_exchange(exec, slices, genten::grid_partition(slices, {4, 1, 1})).imbalance(),
            3.0);
}

TEST(Bisect, DoesNotDependOnTheOrderOfNonzeros) {
  const HostExec exec;
  const Tensor tensor = distinct_tensor({60, 50, 40, 3}, 9000, 2);
  const Slices slices(exec, tensor);
  const Partition partition = bisect(exec, slices, 37);
  const Slices others(exec, shuffled(tensor));
  const Partition other = bisect(exec, others, 37);
  expect_same_cuts(partition, other);
  expect_same(count_exchange(exec, slices, partition), count_exchange(exec, others, other));
}

TEST(Bisect, DoesNotDependOnThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const HostExec exec;
    const Slices slices(exec, skewed_tensor<std::uint32_t>({900, 800, 70}, 200000, 2));
    const Partition partition = bisect(exec, slices, 50);
    genten_test::BitHash hash;
    for (const auto& cut : partition.cuts()) {
      for (const std::uint64_t part :
           {cut.row, std::uint64_t(cut.mode), std::uint64_t(cut.below), std::uint64_t(cut.above)}) {
        hash.add(part);
      }
    }
    const auto count = count_exchange(exec, slices, partition);
    for (const auto& mode : count.modes) {
      for (const auto& rank : mode.processes) hash.add(rank.sent * 1000003 + rank.received);
      hash.add(mode.messages);
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Bisect, KeepsDuplicatesTogether) {
  const HostExec exec;
  const Slices slices(exec, skewed_tensor<std::uint32_t>({6, 5}, 500, 7));
  const auto rank = genten::processes_of(exec, bisect(exec, slices, 16), slices);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of;
  for (std::size_t p = 0; p < slices.nnz(); ++p) {
    const auto at = std::pair(slices.subscripts()(p, 0), slices.subscripts()(p, 1));
    EXPECT_EQ(of.emplace(at, rank(p)).first->second, rank(p));
  }
}

TEST(Bisect, TakesMoreProcessesThanNonzeros) {
  const HostExec exec;
  const Slices slices(exec, distinct_tensor({6, 5, 4}, 10, 7));
  const auto count = count_exchange(exec, slices, bisect(exec, slices, 300));
  EXPECT_EQ(count.processes(), 300u);
  EXPECT_LE(*std::max_element(count.nonzeros.begin(), count.nonzeros.end()), 1u);
}

// A long mode whose rows have one nonzero each costs nothing to share and all to cut otherwise; and
// a cut of the short mode would leave nothing of either.
TEST(Bisect, CutsTheModeThatSavesMost) {
  const HostExec exec;
  std::vector<std::uint32_t> subscripts;
  for (std::uint32_t p = 0; p < 4096; ++p) subscripts.insert(subscripts.end(), {p, p % 64, p % 2});
  const Slices slices(exec,
                      Tensor::from_host({4096, 64, 2}, subscripts, std::vector<double>(4096, 1.0)));
  // The second mode alone: its rows, and those of the first, which are its nonzeros, never travel.
  const auto count = count_exchange(exec, slices, bisect(exec, slices, 4));
  EXPECT_EQ(count.modes[0].words + count.modes[1].words, 0u);
  EXPECT_LE(count.modes[2].words, 6u);
}

// Two tensors side by side that want other cuts: no grid does what the parts need.
TEST(Bisect, CutsPartsDifferently) {
  const HostExec exec;
  std::vector<std::uint32_t> subscripts;
  for (std::uint32_t p = 0; p < 4096; ++p) {
    subscripts.insert(subscripts.end(), {p % 2048, p % 8});
    subscripts.insert(subscripts.end(), {2048 + p % 8, 8 + p % 2048});
  }
  const Slices slices(exec,
                      Tensor::from_host({2056, 2056}, subscripts, std::vector<double>(8192, 1.0)));
  const auto cut = count_exchange(exec, slices, bisect(exec, slices, 16));
  std::uint64_t best = ~std::uint64_t{0};
  for (const auto& grid : genten::all_grids(16, 2)) {
    const auto count = count_exchange(exec, slices, genten::grid_partition(slices, grid));
    if (count.imbalance() <= 1.1) best = std::min(best, count.words());
  }
  EXPECT_LT(cut.words(), best);
}

// Where all parts look alike they are cut alike, and what comes out is a grid: as many neighbours.
TEST(Bisect, IsAGridWhereSubscriptsAreUniform) {
  const HostExec exec;
  std::vector<std::uint32_t> subscripts;
  for (std::size_t p = 0; p < 200'000; ++p) {
    for (std::size_t n = 0; n < 3; ++n) {
      subscripts.push_back(static_cast<std::uint32_t>(genten::random_bits(1, p, n) % 400));
    }
  }
  const Slices slices(
      exec, Tensor::from_host({400, 400, 400}, subscripts, std::vector<double>(200'000, 1.0)));
  const auto cut = count_exchange(exec, slices, bisect(exec, slices, 8));
  const auto grid = count_exchange(exec, slices, genten::grid_partition(slices, {2, 2, 2}));
  EXPECT_EQ(cut.messages(), grid.messages());
  EXPECT_EQ(cut.words(), grid.words());
}

TEST(Bisect, RefusesNoProcesses) {
  const Slices slices(HostExec(), skewed_tensor<std::uint32_t>({6, 5}, 10, 7));
  EXPECT_THROW(static_cast<void>(bisect(HostExec(), slices, 0)), genten::Error);
}

}  // namespace
