// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dist/exchange_count.hpp>
#include <genten/dist/shared_rows.hpp>

#include <algorithm>
#include <numeric>

namespace genten {
namespace {

/// The processes that compare the rows of a mode: each takes as many rows side by side.
class Directory {
 public:
  Directory(std::size_t dimension, std::size_t processes)
      : m_rows(std::max<std::size_t>((dimension + processes - 1) / processes, 1)) {}
  [[nodiscard]] std::size_t process_of(std::size_t row) const { return row / m_rows; }

 private:
  std::size_t m_rows;
};

/// The owner of every row that processes have sent, list by list. Lists are ascending.
template <class Ordinal>
std::vector<std::vector<std::uint32_t>> find_owners(
    int mode, const std::vector<std::vector<Ordinal>>& lists) {
  struct Entry {
    Ordinal row;
    std::uint32_t process;
    std::uint32_t place;
  };
  std::vector<Entry> entries;
  std::vector<std::vector<std::uint32_t>> owners;
  for (std::size_t r = 0; r < lists.size(); ++r) {
    owners.emplace_back(lists[r].size());
    for (std::size_t k = 0; k < lists[r].size(); ++k) {
      entries.push_back(
          {lists[r][k], static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(k)});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& one, const Entry& other) {
    return one.row != other.row ? one.row < other.row : one.process < other.process;
  });
  std::vector<std::uint32_t> touching;
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    touching.clear();
    for (; end < entries.size() && entries[end].row == entries[begin].row; ++end) {
      touching.push_back(entries[end].process);
    }
    const std::uint32_t owner = owner_of_row(mode, entries[begin].row, touching);
    for (std::size_t k = begin; k < end; ++k) owners[entries[k].process][entries[k].place] = owner;
  }
  return owners;
}

}  // namespace

template <SubscriptOrdinal Ordinal>
SharedRows<Ordinal> share_rows(Communicator& processes, int mode, std::size_t dimension,
                               const RowCounts<Ordinal>& mine) {
  const std::size_t size = processes.size(), count = mine.rows.size();
  const auto self = static_cast<std::uint32_t>(processes.process());
  const Directory directory(dimension, size);
  std::vector<std::vector<Ordinal>> asked(size);
  for (const Ordinal row : mine.rows) asked[directory.process_of(row)].push_back(row);
  const auto answers =
      exchange_lists(processes, find_owners(mode, exchange_lists(processes, asked)));
  std::vector<std::uint32_t> owner;
  owner.reserve(count);
  for (const auto& answer : answers) owner.insert(owner.end(), answer.begin(), answer.end());

  // This process first, then the others in turn.
  const auto turn_of = [self](std::uint32_t process) {
    return process == self ? std::uint64_t{0} : process + std::uint64_t{1};
  };
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t one, std::uint32_t other) {
    if (owner[one] != owner[other]) return turn_of(owner[one]) < turn_of(owner[other]);
    if (mine.counts[one] != mine.counts[other]) return mine.counts[one] > mine.counts[other];
    return one < other;
  });
  SharedRows<Ordinal> shared;
  std::vector<std::uint32_t> number(count);
  for (std::uint32_t k = 0; k < count; ++k) {
    number[order[k]] = k;
    shared.rows.push_back(mine.rows[order[k]]);
    shared.own += owner[order[k]] == self ? 1 : 0;
  }
  shared.borrowed.resize(size);
  shared.lent.resize(size);
  std::vector<std::vector<Ordinal>> wanted(size);
  for (std::size_t k = shared.own; k < count; ++k) {
    const std::uint32_t from = owner[order[k]];
    shared.borrowed[from].push_back(static_cast<std::uint32_t>(k));
    wanted[from].push_back(shared.rows[k]);
  }
  const auto given = exchange_lists(processes, wanted);
  for (std::size_t r = 0; r < size; ++r) {
    for (const Ordinal row : given[r]) {
      const auto at = std::lower_bound(mine.rows.begin(), mine.rows.end(), row);
      shared.lent[r].push_back(number[static_cast<std::size_t>(at - mine.rows.begin())]);
    }
  }
  return shared;
}

template SharedRows<std::uint32_t> share_rows(Communicator&, int, std::size_t,
                                              const RowCounts<std::uint32_t>&);
template SharedRows<std::uint64_t> share_rows(Communicator&, int, std::size_t,
                                              const RowCounts<std::uint64_t>&);

}  // namespace genten
