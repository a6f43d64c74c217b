// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_support.hpp"

#include <genten/dist/bisection.hpp>
#include <genten/dist/exchange_count.hpp>

#include <numeric>

namespace {

using namespace genten;
using namespace genten_test;

TEST(Communicator, combines_in_the_order_of_processes) {
  const auto size = static_cast<double>(processes().size()),
             process = static_cast<double>(processes().process());
  // Short lists and such as are divided among the processes.
  for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{200'001}}) {
    std::vector<double> sums(count), largest(count / 2);
    for (std::size_t i = 0; i < count; ++i)
      sums[i] = (process + 1.0) * static_cast<double>(i % 100);
    for (std::size_t i = 0; i < largest.size(); ++i) largest[i] = i % 2 == 0 ? process : -process;
    if (!largest.empty() && processes().process() + 1 == processes().size())
      largest.back() = std::nan("");
    combine(processes(), sums, largest);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(sums[i], size * (size + 1.0) / 2.0 * static_cast<double>(i % 100)) << i;
    }
    for (std::size_t i = 0; i + 1 < largest.size(); ++i) {
      ASSERT_EQ(largest[i], i % 2 == 0 ? size - 1.0 : 0.0) << i;
    }
    EXPECT_TRUE(largest.empty() || std::isnan(largest.back()));
  }
}

TEST(Communicator, sums_are_the_same_bits_whether_gathered_or_divided) {
  std::vector<double> few(10), many(300'000, 0.0);
  for (std::size_t i = 0; i < few.size(); ++i) {
    few[i] = many[i] = random_uniform(7, processes().process(), i) - 0.5;
  }
  combine(processes(), few, {});
  combine(processes(), many, {});
  many.resize(few.size());
  EXPECT_EQ(few, many);
}

TEST(Communicator, what_one_process_throws_all_throw) {
  const std::size_t last = processes().size() - 1;
  try {
    together(processes(), [&] {
      if (processes().process() == last) throw Error(Error::Kind::memory, "not enough");
    });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::memory);
    const std::string who =
        last == 0 ? ""
                  : "process " + std::to_string(last) + " of " + std::to_string(last + 1) + ": ";
    EXPECT_EQ(error.what(), who + "not enough");
  }
  try {
    together(processes(), [] { throw Error("all alike"); });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "all alike");
  }
  EXPECT_NO_THROW(together(processes(), [] {}));
}

TEST(Communicator, lists_of_any_length_come_to_where_they_are_sent) {
  const std::size_t size = processes().size(), process = processes().process();
  std::vector<std::vector<int>> lists(size);
  for (std::size_t r = 0; r < size; ++r)
    lists[r].assign((process * 3 + r) % 5, static_cast<int>(process));
  const auto received = exchange_lists(processes(), lists);
  for (std::size_t r = 0; r < size; ++r) {
    EXPECT_EQ(received[r], std::vector<int>((r * 3 + process) % 5, static_cast<int>(r)));
  }
}

TEST(Communicator, lists_of_all_processes_come_to_all) {
  const std::size_t size = processes().size(), process = processes().process();
  const auto lists =
      all_gather_lists(processes(), std::vector<int>(process * 3 % 5, static_cast<int>(process)));
  ASSERT_EQ(lists.size(), size);
  for (std::size_t r = 0; r < size; ++r) {
    EXPECT_EQ(lists[r], std::vector<int>(r * 3 % 5, static_cast<int>(r)));
  }
  EXPECT_EQ(all_gather_lists(processes(), std::vector<int>()), std::vector<std::vector<int>>(size));
}

/// Rows, words and messages of each process and mode, integer for integer as they are counted.
template <class Ordinal>
void check_counts(const TensorSlices<Ordinal>& slices, const Partition& partition,
                  const std::vector<SharedRows<Ordinal>>& shared) {
  const ExchangeCount count = count_exchange(HostExec(), slices, partition);
  const std::size_t process = processes().process();
  for (std::size_t n = 0; n < shared.size(); ++n) {
    const ProcessRows& rows = count.modes[n].processes[process];
    std::size_t lent = 0, owners = 0, borrowers = 0;
    std::vector<std::uint32_t> borrowed, foreign(shared[n].foreign());
    for (std::size_t r = 0; r < processes().size(); ++r) {
      lent += shared[n].lent[r].size();
      owners += shared[n].borrowed[r].empty() ? 0 : 1;
      borrowed.insert(borrowed.end(), shared[n].borrowed[r].begin(), shared[n].borrowed[r].end());
      borrowers += shared[n].lent[r].empty() ? 0 : 1;
    }
    // Hosts send them from where they lie.
    std::iota(foreign.begin(), foreign.end(), static_cast<std::uint32_t>(shared[n].own));
    EXPECT_EQ(borrowed, foreign);
    EXPECT_EQ(shared[n].rows.size(), rows.touched);
    EXPECT_EQ(shared[n].own, rows.owned);
    EXPECT_EQ(shared[n].foreign(), rows.sent);
    EXPECT_EQ(lent, rows.received);
    EXPECT_EQ(owners, rows.owners);
    EXPECT_EQ(borrowers, rows.borrowers);
  }
}

TEST(Distribute, parts_are_the_tensor_and_share_what_is_counted) {
  for (std::size_t order = 1; order <= 6; ++order) {
    const auto tensor = skewed_tensor<double, std::uint32_t>(small_dimensions(order), 3000, order);
    const auto parts = distributed(tensor);
    check_parts(tensor, parts);
    const TensorSlices<std::uint32_t> slices(HostExec(), tensor);
    EXPECT_EQ(parts.partition.processes(), processes().size());
    check_counts(slices, bisect(HostExec(), slices, processes().size()), parts.shared);
  }
}

TEST(Distribute, takes_wide_subscripts_and_floats) {
  const auto tensor =
      skewed_tensor<float, std::uint64_t>({std::size_t{1} << 40, 30, 5000}, 2000, 3);
  check_parts(tensor, distributed(tensor));
}

TEST(Distribute, by_a_grid) {
  const auto tensor = skewed_tensor<double, std::uint32_t>(small_dimensions(3), 4000, 9);
  const TensorSlices<std::uint32_t> slices(HostExec(), tensor);
  for (const Grid& grid : all_grids(processes().size(), 3)) {
    const auto parts = distributed(tensor, {.grid = grid});
    check_parts(tensor, parts);
    check_counts(slices, grid_partition(slices, grid), parts.shared);
  }
  EXPECT_THROW(static_cast<void>(distributed(tensor, {.grid = {processes().size() + 1, 1, 1}})),
               Error);
  EXPECT_THROW(static_cast<void>(distributed(tensor, {.grid = {processes().size()}})), Error);
}

TEST(Distribute, from_a_sample) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({400, 300, 200}, 20000, 4);
  const auto parts = distributed(tensor, {.most_sampled = 5000});
  check_parts(tensor, parts);
  const double mean = static_cast<double>(parts.nnz) / static_cast<double>(processes().size());
  EXPECT_LT(static_cast<double>(parts.most_nnz), 1.25 * mean);
}

TEST(Distribute, adds_up_duplicates_that_come_from_different_processes) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({40, 30, 20}, 500, 5);
  RawNonzeros<double, std::uint32_t> mine;  // every process brings all of them
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    for (int n = 0; n < 3; ++n) mine.subscripts.push_back(tensor.subscripts()(p, n));
    mine.values.push_back(tensor.values()(p));
  }
  const auto parts = distribute(processes(), HostExec(), tensor.dimensions(), mine);
  EXPECT_EQ(parts.nnz, static_cast<std::uint64_t>(tensor.nnz()));
  EXPECT_EQ(parts.summed, parts.nnz * (processes().size() - 1));
  for (const auto& [at, value] : entries_of_all(parts)) {
    double expected = 0.0;
    for (offset_t p = 0; p < tensor.nnz(); ++p) {
      bool same = true;
      for (int n = 0; n < 3; ++n) {
        same = same && tensor.subscripts()(p, n) == at[static_cast<std::size_t>(n)];
      }
      if (same) expected = tensor.values()(p) * static_cast<double>(processes().size());
    }
    EXPECT_NEAR(value, expected, 1e-12 * expected);
  }
}

TEST(Distribute, adds_up_duplicates_in_the_order_of_those_who_bring_them) {
  // 1 + 2^-53 - 1, in this order alone, is 0.
  RawNonzeros<double, std::uint32_t> mine;
  const std::vector<double> values = {1.0, 0x1p-53, -1.0};
  const std::size_t each = (values.size() + processes().size() - 1) / processes().size();
  for (std::size_t p = processes().process() * each;
       p < std::min(values.size(), (processes().process() + 1) * each); ++p) {
    for (int n = 0; n < 2; ++n) mine.subscripts.push_back(3);
    mine.values.push_back(values[p]);
  }
  const auto parts = distribute(processes(), HostExec(), {5, 5}, mine);
  const auto entries = entries_of_all(parts);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries.begin()->second, 0.0);
}

TEST(Distribute, takes_arrays) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({40, 30, 20}, 500, 5);
  const auto lists = brought(tensor);
  NonzeroArrays<double, std::uint32_t> arrays;
  arrays.subscripts = decltype(arrays.subscripts)("subscripts", lists.values.size(), 3);
  arrays.values = decltype(arrays.values)("values", lists.values.size());
  std::copy(lists.subscripts.begin(), lists.subscripts.end(), arrays.subscripts.data());
  std::copy(lists.values.begin(), lists.values.end(), arrays.values.data());
  check_parts(tensor, distribute(processes(), HostExec(), tensor.dimensions(), arrays));
}

TEST(Distribute, fewer_nonzeros_than_processes_or_none) {
  for (const std::size_t nnz : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    const auto tensor = skewed_tensor<double, std::uint32_t>({40, 30, 20}, nnz, 6);
    check_parts(tensor, distributed(tensor));
  }
}

}  // namespace
