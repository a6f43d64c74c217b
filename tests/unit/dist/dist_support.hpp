// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors for the tests of partitions, and a count of what a partition costs by sets.

#include <genten/core/random.hpp>
#include <genten/dist/exchange_count.hpp>

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

namespace genten_test {

using genten::HostExec;

/// A random tensor with more nonzeros at small subscripts; duplicates may occur.
template <class Ordinal>
genten::Sptensor<double, Ordinal, HostExec> skewed_tensor(
    const std::vector<std::size_t>& dimensions, std::size_t nnz, std::uint64_t seed) {
  std::vector<Ordinal> subscripts;
  for (std::size_t p = 0; p < nnz; ++p) {
    for (std::size_t n = 0; n < dimensions.size(); ++n) {
      const double u = genten::random_uniform(seed, p, n);
      subscripts.push_back(static_cast<Ordinal>(u * u * static_cast<double>(dimensions[n])));
    }
  }
  const std::vector<double> values(nnz, 1.0);
  return genten::Sptensor<double, Ordinal, HostExec>::from_host(HostExec(), dimensions, subscripts,
                                                                values);
}

/// The dimensions of small tensors of orders 2 to 6.
inline std::vector<std::size_t> small_dimensions(int order) {
  const std::vector<std::size_t> all = {40, 7, 23, 3, 11, 5};
  return {all.begin(), all.begin() + order};
}

/// What `count_exchange` should say, from the set of processes of every row.
template <class Ordinal>
genten::ExchangeCount count_by_sets(const genten::TensorSlices<Ordinal>& slices,
                                    const genten::detail::HostArray<std::uint32_t>& rank,
                                    std::size_t processes) {
  genten::ExchangeCount count;
  count.nonzeros.assign(processes, 0);
  for (std::size_t p = 0; p < slices.nnz(); ++p) ++count.nonzeros[rank(p)];
  for (int n = 0; n < slices.order(); ++n) {
    std::map<std::uint64_t, std::set<std::uint32_t>> touching;
    for (std::size_t p = 0; p < slices.nnz(); ++p) {
      touching[slices.subscripts()(p, n)].insert(rank(p));
    }
    genten::ModeExchange mode;
    mode.processes.resize(processes);
    mode.rows = touching.size();
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& [row, those] : touching) {
      std::vector<std::uint32_t> list(those.rbegin(), those.rend());
      const std::uint32_t owner = genten::owner_of_row(n, row, list);
      mode.shared += those.size() > 1 ? 1 : 0;
      ++mode.processes[owner].owned;
      for (const std::uint32_t r : those) {
        ++mode.processes[r].touched;
        if (r == owner) continue;
        ++mode.processes[r].sent;
        ++mode.processes[owner].received;
        ++mode.words;
        pairs.insert({r, owner});
      }
    }
    mode.messages = pairs.size();
    for (const auto& [from, to] : pairs) {
      ++mode.processes[from].owners;
      ++mode.processes[to].borrowers;
    }
    count.modes.push_back(mode);
  }
  return count;
}

inline void expect_same(const genten::ExchangeCount& a, const genten::ExchangeCount& b) {
  EXPECT_EQ(a.nonzeros, b.nonzeros);
  ASSERT_EQ(a.modes.size(), b.modes.size());
  for (std::size_t n = 0; n < a.modes.size(); ++n) {
    const auto &x = a.modes[n], &y = b.modes[n];
    EXPECT_EQ(std::tie(x.rows, x.shared, x.words, x.messages),
              std::tie(y.rows, y.shared, y.words, y.messages))
        << "mode " << n + 1;
    EXPECT_EQ(x.processes, y.processes) << "mode " << n + 1;
  }
}

}  // namespace genten_test
