// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors and options for tests that run on several processes.

#include <genten/core/random.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/options.hpp>
#include <genten/dist/distribute.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

namespace genten_test {

using genten::HostExec;

/// The processes that this test program was started as.
genten::Communicator& processes();

/// For a run of just so many iterations.
inline genten::CpAlsOptions iterations_of(std::size_t rank, std::size_t count) {
  genten::CpAlsOptions options;
  options.rank = rank;
  options.max_iterations = count;
  options.tolerance = 0.0;
  return options;
}

/// A random tensor with more nonzeros at small subscripts and no duplicates; the same on all
/// processes.
template <class Scalar, class Ordinal>
genten::Sptensor<Scalar, Ordinal, HostExec> skewed_tensor(
    const std::vector<std::size_t>& dimensions, std::size_t nnz, std::uint64_t seed) {
  std::vector<Ordinal> subscripts;
  std::vector<Scalar> values;
  for (std::size_t p = 0; p < nnz; ++p) {
    for (std::size_t n = 0; n < dimensions.size(); ++n) {
      const double u = genten::random_uniform(seed, p, n);
      subscripts.push_back(static_cast<Ordinal>(u * u * static_cast<double>(dimensions[n])));
    }
    values.push_back(static_cast<Scalar>(1.0 + genten::random_uniform(seed + 1, p, 0)));
  }
  const auto raw = genten::Sptensor<Scalar, Ordinal, HostExec>::from_host(HostExec(), dimensions,
                                                                          subscripts, values);
  return genten::sum_duplicates(HostExec(), raw).tensor;
}

/// The nonzeros of a tensor that this process brings: every `size`-th, from its own number on.
template <class Scalar, class Ordinal>
genten::RawNonzeros<Scalar, Ordinal> brought(
    const genten::Sptensor<Scalar, Ordinal, HostExec>& tensor) {
  genten::RawNonzeros<Scalar, Ordinal> mine;
  const auto step = static_cast<genten::offset_t>(processes().size());
  for (auto p = static_cast<genten::offset_t>(processes().process()); p < tensor.nnz(); p += step) {
    for (int n = 0; n < tensor.order(); ++n) mine.subscripts.push_back(tensor.subscripts()(p, n));
    mine.values.push_back(tensor.values()(p));
  }
  return mine;
}

/// The same, distributed.
template <class Scalar, class Ordinal>
genten::DistributedTensor<Scalar, Ordinal> distributed(
    const genten::Sptensor<Scalar, Ordinal, HostExec>& tensor,
    const genten::DistributeOptions& options = {}) {
  return genten::distribute(processes(), HostExec(), tensor.dimensions(), brought(tensor), options);
}

/// What the parts of all processes say of the whole tensor, on every process.
template <class Scalar, class Ordinal>
std::map<std::vector<std::uint64_t>, Scalar> entries_of_all(
    const genten::DistributedTensor<Scalar, Ordinal>& tensor) {
  const auto& part = tensor.part.tensor;
  std::vector<std::uint64_t> subscripts;
  std::vector<Scalar> values;
  for (genten::offset_t p = 0; p < part.nnz(); ++p) {
    for (int n = 0; n < part.order(); ++n) {
      subscripts.push_back(tensor.part.rows[static_cast<std::size_t>(n)](part.subscripts()(p, n)));
    }
    values.push_back(part.values()(p));
  }
  const std::vector<std::vector<std::uint64_t>> to_all(processes().size(), subscripts);
  const std::vector<std::vector<Scalar>> values_to_all(processes().size(), values);
  const auto all_subscripts = genten::exchange_lists(processes(), to_all);
  const auto all_values = genten::exchange_lists(processes(), values_to_all);
  const auto order = static_cast<std::size_t>(part.order());
  std::map<std::vector<std::uint64_t>, Scalar> entries;
  for (std::size_t r = 0; r < all_values.size(); ++r) {
    for (std::size_t p = 0; p < all_values[r].size(); ++p) {
      const auto begin = all_subscripts[r].begin() + static_cast<std::ptrdiff_t>(p * order);
      const auto [at, is_new] = entries.try_emplace(
          {begin, begin + static_cast<std::ptrdiff_t>(order)}, all_values[r][p]);
      EXPECT_TRUE(is_new) << "a nonzero is on two processes";
    }
  }
  return entries;
}

template <class Scalar, class Ordinal>
void check_parts(const genten::Sptensor<Scalar, Ordinal, HostExec>& tensor,
                 const genten::DistributedTensor<Scalar, Ordinal>& parts) {
  std::map<std::vector<std::uint64_t>, Scalar> expected;
  for (genten::offset_t p = 0; p < tensor.nnz(); ++p) {
    std::vector<std::uint64_t> at;
    for (int n = 0; n < tensor.order(); ++n) at.push_back(tensor.subscripts()(p, n));
    expected[at] = tensor.values()(p);
  }
  EXPECT_EQ(entries_of_all(parts), expected);
  EXPECT_EQ(parts.nnz, static_cast<std::uint64_t>(tensor.nnz()));
  EXPECT_EQ(parts.part.dimensions, tensor.dimensions());
}

/// Dimensions of small tensors of orders 1 to 6.
inline std::vector<std::size_t> small_dimensions(std::size_t order) {
  const std::vector<std::size_t> all = {400, 37, 230, 13, 11, 5};
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(order)};
}

}  // namespace genten_test
