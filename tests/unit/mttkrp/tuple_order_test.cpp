// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// When the kernel sorted fuses modes by the tuples that occur, and in which orders it then goes.

#include <genten/mttkrp/kernels/sorted/sorted.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace {

using genten::kernels::Sorted;

genten::MachineProperties machine() {
  genten::MachineProperties result;
  result.l1_cache = 32 << 10;
  result.l2_cache = 1 << 20;
  result.shared_cache = 32 << 20;
  result.cores = 2;
  return result;
}

/// Mails: sender, receiver, word, day.
genten::MttkrpProblem mails(double tuples, double sweeps = 10.0) {
  genten::MttkrpProblem problem;
  problem.dimensions = {6066, 5699, 244268, 1176};
  problem.nnz = 5'000'000;
  problem.rank = 16;
  problem.update_order = {3, 1, 2, 0};
  problem.tuples = {{{0, 1, 3}, tuples, true}};
  problem.sweeps = sweeps;
  return problem;
}

bool fuses(const genten::MttkrpProblem& problem) {
  return genten::sorts_tuples(Sorted::choose_groups(problem, machine(), {}));
}

TEST(TupleOrder, FewTuplesAreFusedInTheOrderOfUpdates) {
  const auto groups = Sorted::choose_groups(mails(110'000.0), machine(), {});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_TRUE(groups[0].sorted);
  EXPECT_EQ(groups[0].modes, (std::vector{3, 1, 0}));
  EXPECT_EQ(groups[1].modes, std::vector{2});
}

TEST(TupleOrder, ManyTuplesAreNot) {
  EXPECT_TRUE(fuses(mails(131'000.0)));
  EXPECT_FALSE(fuses(mails(132'000.0))) << "rows of more than 16 L2 caches";
  auto few = mails(100'000.0);
  few.nnz = 790'000;
  EXPECT_FALSE(fuses(few)) << "fewer than 8 nonzeros a tuple";
}

TEST(TupleOrder, FewSweepsAndNearFactorsAreNot) {
  EXPECT_FALSE(fuses(mails(100'000.0, 3.0)));
  EXPECT_TRUE(fuses(mails(100'000.0, 4.0)));
  auto cached = mails(50'000.0);
  cached.dimensions = {6000, 500, 4000, 1000};
  EXPECT_FALSE(fuses(cached));
}

TEST(TupleOrder, TuplesOfMoreThanAWordAreNot) {
  auto wide = mails(100'000.0);
  wide.dimensions = {std::size_t{1} << 22, std::size_t{1} << 22, 1000, std::size_t{1} << 20};
  EXPECT_TRUE(fuses(wide)) << "64 bits";
  wide.dimensions[3] = (std::size_t{1} << 20) + 1;
  EXPECT_FALSE(fuses(wide)) << "65";
}

/// Two pairs of modes, 1 and 2 and 3 and 4, each of so many tuples, and all that is counted beside.
genten::MttkrpProblem two_pairs(double left, double right, std::vector<std::size_t> dimensions) {
  genten::MttkrpProblem problem;
  problem.dimensions = std::move(dimensions);
  problem.nnz = 4'000'000;
  problem.rank = 16;
  problem.update_order = {0, 1, 2, 3};
  problem.sweeps = 10.0;
  for (const auto& set : genten::cyclic_neighbours(problem.update_order)) {
    const bool first = set == std::vector{0, 1}, second = set == std::vector{2, 3};
    problem.tuples.push_back({set, first ? left : second ? right : 3.9e6, true});
  }
  return problem;
}

/// The machine that the figures in perf/README.md were measured on.
genten::MachineProperties xeon() {
  genten::MachineProperties result = machine();
  result.l1_cache = 48 << 10;
  result.l2_cache = 2 << 20;
  result.shared_cache = 260 << 20;
  return result;
}

/// The groups, e.g. "0 1, 2, 3", sorted ones in brackets.
std::string groups_of(const genten::MttkrpProblem& problem,
                      const genten::MachineProperties& on = xeon()) {
  std::string text;
  for (const auto& group : Sorted::choose_groups(problem, on, {})) {
    std::string modes;
    for (const int mode : group.modes) modes += (modes.empty() ? "" : " ") + std::to_string(mode);
    text += (text.empty() ? "" : ", ") + (group.sorted ? "[" + modes + "]" : modes);
  }
  return text;
}

TEST(TupleOrder, PairsAreFusedWhereTheyPay) {
  const std::vector<std::size_t> near{20'000, 2000, 40'000, 300};
  EXPECT_EQ(groups_of(two_pairs(25e3, 24e3, near)), "[0 1], [2 3]") << "160 nonzeros a tuple";
  EXPECT_EQ(groups_of(two_pairs(97e3, 98e3, near)), "[2 3], [0 1]") << "41, longest first";
  EXPECT_EQ(groups_of(two_pairs(380e3, 370e3, near)), "0, 1, 2, 3") << "10";
  EXPECT_EQ(groups_of(two_pairs(40e3, 3.9e6, near)), "[0 1], 2, 3") << "one of them";
  // Rows that come from memory are worth more tuples.
  const std::vector<std::size_t> far{400'000, 300'000, 2'000'000, 3000};
  EXPECT_EQ(groups_of(two_pairs(1.4e6, 3.9e6, far)), "[0 1], 2, 3") << "2.8";
  EXPECT_EQ(groups_of(two_pairs(3.9e6, 3.9e6, far)), "0, 1, 2, 3");
  // In few sweeps nothing is gained.
  auto few = two_pairs(25e3, 24e3, near);
  few.sweeps = 3.0;
  EXPECT_EQ(groups_of(few), "0, 1, 2, 3");
}

/// What a device fuses of a tensor one of whose sets of modes has so many tuples.
std::string groups_on_device(const std::vector<std::size_t>& dimensions, genten::offset_t nnz,
                             const std::vector<int>& set, double tuples) {
  genten::MttkrpProblem problem;
  problem.dimensions = dimensions;
  problem.nnz = nnz;
  problem.rank = 16;
  problem.update_order = genten::natural_mode_order(dimensions.size());
  problem.sweeps = 10.0;
  problem.tuples = {{set, tuples, true}};
  genten::MachineProperties h100;
  h100.device = true;
  h100.shared_cache = 50e6;
  return groups_of(problem, h100);
}

// The classes that were measured so, see perf/README.md: baskets take longer when they are fused.
TEST(TupleOrder, DevicesFuseWhatIsFasterSo) {
  EXPECT_EQ(groups_on_device({6066, 5699, 244'268, 1176}, 5'000'000, {0, 1, 3}, 114e3),
            "[0 1 3], 2");
  EXPECT_EQ(groups_on_device({120'000, 500, 300'000}, 4'000'000, {0, 1}, 27e3), "[0 1], 2");
  EXPECT_EQ(groups_on_device({200'000, 50'000, 700}, 6'000'000, {0, 2}, 6e5), "0, 1, 2");
  EXPECT_EQ(groups_on_device({2000, 500, 3000}, 200'000, {0, 1}, 1e3), "0, 1, 2")
      << "launches would take longer than what is spared";
}

// What was measured on processors with 512 KB and 2 MB of L2, see perf/README.md.
TEST(TupleOrder, ShortModesAreFusedWhereTheyPay) {
  auto epyc = machine();
  epyc.l2_cache = 512 << 10;
  genten::MttkrpProblem problem;
  problem.dimensions = {300, 400, 500, 200, 100};
  problem.update_order = {0, 1, 2, 3, 4};
  problem.nnz = 5'000'000;
  problem.rank = 16;
  EXPECT_EQ(groups_of(problem, epyc), "0, 1, 2, 3 4") << "rows of tuples take 5 L2 caches";
  EXPECT_EQ(groups_of(problem, xeon()), "0, 1, 2, 3 4");
  problem.rank = 64;
  EXPECT_EQ(groups_of(problem, epyc), "0, 1, 2, 3 4");
  EXPECT_EQ(groups_of(problem, xeon()), "0, 1, 2, 3 4");
  problem.dimensions.assign(5, 200);
  problem.rank = 16;
  EXPECT_EQ(groups_of(problem, epyc), "0 1, 2, 3, 4") << "rows of 40,000 tuples take 10 L2 caches";
  EXPECT_EQ(groups_of(problem, xeon()), "0 1, 2 3, 4") << "2.5";
  problem.dimensions.assign(8, 50);
  problem.update_order = {0, 1, 2, 3, 4, 5, 6, 7};
  problem.nnz = 4'000'000;
  EXPECT_EQ(groups_of(problem, xeon()), "0 1, 2 3, 4 5, 6 7");
  problem.rank = 64;
  EXPECT_EQ(groups_of(problem, xeon()), "0 1, 2 3, 4 5, 6 7") << "triples would leave the caches";
  problem.dimensions.assign(4, 100);
  problem.update_order = {0, 1, 2, 3};
  problem.nnz = 8'000'000;
  EXPECT_EQ(groups_of(problem, epyc), "0 1, 2 3");
  problem.nnz = 100'000;
  EXPECT_EQ(groups_of(problem, epyc), "0, 1, 2, 3") << "10 nonzeros a tuple";
  problem.nnz = 200'000;
  EXPECT_EQ(groups_of(problem, epyc), "0, 1, 2, 3") << "20, whose passes would take the gain";
  problem.nnz = 0;
  EXPECT_EQ(groups_of(problem, epyc), "0, 1, 2, 3");
}

// Devices fuse to as few groups as they can.
TEST(TupleOrder, DevicesFuseAllThatAreShort) {
  auto device = xeon();
  device.device = true;
  genten::MttkrpProblem problem;
  problem.dimensions = {300, 400, 500, 200, 100};
  problem.update_order = {0, 1, 2, 3, 4};
  problem.nnz = 5'000'000;
  problem.rank = 16;
  EXPECT_EQ(groups_of(problem, device), "0 1, 2, 3 4");
}

TEST(TupleOrder, LessThanOneTupleIsOne) {
  const auto problem = two_pairs(0.3, 0.8, {20'000, 2000, 40'000, 300});
  EXPECT_EQ(groups_of(problem), "[2 3], [0 1]");
  EXPECT_EQ(genten::detail::group_lengths(Sorted::choose_groups(problem, xeon(), {}), problem),
            (std::vector<std::size_t>{1, 1}));
}

TEST(TupleOrder, GroupsThatAreChosenStay) {
  auto problem = two_pairs(120e3, 121e3, {20'000, 2000, 40'000, 300});
  const std::string narrow = groups_of(problem);
  EXPECT_EQ(narrow, "[2 3], [0 1]");
  problem.groups = Sorted::choose_groups(problem, xeon(), {});
  problem.rank = 64;
  EXPECT_EQ(groups_of(problem), narrow);
  problem.groups.reset();
  EXPECT_NE(groups_of(problem), narrow) << "rows of four times the bytes";
}

TEST(TupleOrder, PairsAreCountedCyclicallyInTheOrderOfUpdates) {
  auto problem = two_pairs(25e3, 24e3, {20'000, 2000, 40'000, 300});
  problem.update_order = {1, 2, 3, 0};
  EXPECT_EQ(groups_of(problem), "[1 0], [2 3]") << "0 and 1 are updated last and first";
  problem.update_order = {0, 2, 1, 3};
  EXPECT_EQ(groups_of(problem), "0, 2, 1, 3");
  EXPECT_EQ(genten::cyclic_neighbours(problem.update_order),
            (std::vector<std::vector<int>>{
                {0, 2}, {1, 2}, {1, 3}, {0, 3}, {0, 1, 2}, {1, 2, 3}, {0, 1, 3}, {0, 2, 3}}));
}

/// Four modes of which so many tuples of the sets occur, and of others one a nonzero.
genten::MttkrpProblem problem_of(const std::vector<std::pair<std::vector<int>, double>>& known) {
  auto problem = two_pairs(1.0, 1.0, {20'000, 2000, 40'000, 300});
  problem.tuples.clear();
  for (const auto& set : genten::detail::sets_in_any_order(4)) {
    problem.tuples.push_back({set, 3.9e6, true});
    for (const auto& [modes, tuples] : known) {
      if (modes == set) problem.tuples.back().tuples = tuples;
    }
  }
  return problem;
}
std::vector<int> order_for(const std::vector<std::pair<std::vector<int>, double>>& known) {
  return genten::detail::choose_update_order(problem_of(known), xeon(), {});
}

TEST(TupleOrder, AnotherOrderOfUpdatesBringsPairsTogether) {
  EXPECT_EQ(order_for({{{0, 2}, 25e3}, {{1, 3}, 24e3}}), (std::vector{0, 2, 1, 3}));
  EXPECT_EQ(order_for({{{1, 3}, 24e3}}), (std::vector{0, 1, 3, 2}));
  EXPECT_EQ(order_for({{{0, 2}, 24e3}}), (std::vector{0, 2, 1, 3}));
}

TEST(TupleOrder, NaturalOrderStaysUnlessAnotherSavesATenth) {
  const std::vector natural{0, 1, 2, 3};
  EXPECT_EQ(order_for({}), natural);
  EXPECT_EQ(order_for({{{0, 2}, 1e6}}), natural) << "too many to be fused";
  EXPECT_EQ(order_for({{{0, 1}, 25e3}, {{2, 3}, 24e3}}), natural) << "fused as it is";
  EXPECT_EQ(order_for({{{0, 3}, 25e3}, {{1, 2}, 24e3}}), natural) << "likewise";
  EXPECT_EQ(order_for({{{0, 1}, 26e3}, {{2, 3}, 25e3}, {{0, 2}, 25e3}, {{1, 3}, 24e3}}), natural)
      << "as good";
  EXPECT_EQ(order_for({{{0, 1}, 400e3}, {{2, 3}, 25e3}, {{0, 2}, 25e3}, {{1, 3}, 24e3}}),
            (std::vector{0, 2, 1, 3}))
      << "better by more";
}

TEST(TupleOrder, SetsInAnyOrderAreAllButTheLargest) {
  EXPECT_EQ(genten::detail::sets_in_any_order(3),
            (std::vector<std::vector<int>>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(genten::detail::sets_in_any_order(4).size(), 10U);
  EXPECT_EQ(genten::detail::sets_in_any_order(6).size(), 56U);
}

TEST(TupleOrder, WhatIsWorthCounting) {
  const auto sets = [](const genten::MttkrpProblem& problem) {
    return Sorted::sets_to_count(problem, xeon()).size();
  };
  auto problem = two_pairs(1.0, 1.0, {20'000, 2000, 40'000, 300});
  EXPECT_EQ(sets(problem), 8U);
  problem.dimensions = {2000, 2000, 4000, 300};
  EXPECT_EQ(sets(problem), 0U) << "rows that are near";
  problem.dimensions = {2000, 20'000, 400'000};
  problem.update_order = {0, 1, 2};
  EXPECT_EQ(sets(problem), 3U);
  problem.dimensions.assign(9, 20'000);
  problem.update_order = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(sets(problem), 9U) << "all but one";
  problem.sweeps = 3.0;
  EXPECT_EQ(sets(problem), 0U);
}

TEST(TupleOrder, OneOrderServesBoth) {
  const auto orders = Sorted::choose_tuple_orders(std::vector<std::size_t>{110'000, 244'268}, 4e7,
                                                  128.0, machine(), {});
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_EQ(orders[0].tiles, orders[1].tiles);
  ASSERT_EQ(orders[0].tiles.size(), 2U);
  EXPECT_EQ(orders[0].tiles[0], (genten::NonzeroOrder::Tile{1, 14})) << "two L2 caches";
  EXPECT_EQ(orders[0].tiles[1], (genten::NonzeroOrder::Tile{0, 15})) << "four blocks";
  EXPECT_EQ(orders[0].row_block_bits, 15);
  EXPECT_EQ(orders[1].row_block_bits, 14);
  const auto cached = Sorted::choose_tuple_orders(std::vector<std::size_t>{110'000, 900}, 4e7,
                                                  128.0, machine(), {});
  EXPECT_EQ(cached[1].tiles, (std::vector<genten::NonzeroOrder::Tile>{{0, 15}})) << "as they lie";
}

// What chunks have of a tile is no longer than what they read.
TEST(TupleOrder, ManyCoresDoNotMakeMoreSumsThanRecords) {
  const auto problem = mails(110'000.0);
  for (const double cores : {1.0, 2.0, 4.0, 16.0, 64.0, 256.0}) {
    SCOPED_TRACE(cores);
    auto many = machine();
    many.cores = cores;
    const auto choice = Sorted::choose(problem, Sorted::choose_groups(problem, many, {}),
                                       std::vector<std::size_t>{110'000, 244'268}, 1, many, {},
                                       [](const auto&) { return 2.0; });
    ASSERT_EQ(choice.orders.size(), 2U);
    for (std::size_t g = 0; g < 2; ++g) {
      const double sums = std::ldexp(128.0, choice.orders[g].row_block_bits);
      EXPECT_GE(8.0 * static_cast<double>(choice.chunk_lengths[g]), sums);
    }
    // Enough of them, down to tiles that stay in L2.
    const double chunks = 5e6 / static_cast<double>(choice.chunk_lengths[1]);
    EXPECT_GE(chunks, std::min(2.0 * cores, 150.0));
  }
}

}  // namespace
