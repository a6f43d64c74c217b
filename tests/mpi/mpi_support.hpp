// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors for tests that run on several ranks.

#include <genten/core/random.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/dist/distribute.hpp>

#include <gtest/gtest.h>

namespace genten_test {

using genten::HostExec;

/// The ranks that this test program was started as.
genten::Communicator& ranks();

/// A random tensor with more nonzeros at small subscripts and no duplicates; the same on all ranks.
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

/// The nonzeros of a tensor that this rank brings: every `size`-th, from `rank` on.
template <class Scalar, class Ordinal>
genten::RawNonzeros<Scalar, Ordinal> brought(
    const genten::Sptensor<Scalar, Ordinal, HostExec>& tensor) {
  genten::RawNonzeros<Scalar, Ordinal> mine;
  const auto step = static_cast<genten::offset_t>(ranks().size());
  for (auto p = static_cast<genten::offset_t>(ranks().rank()); p < tensor.nnz(); p += step) {
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
  return genten::distribute(ranks(), HostExec(), tensor.dimensions(), brought(tensor), options);
}

/// Dimensions of small tensors of orders 1 to 6.
inline std::vector<std::size_t> small_dimensions(std::size_t order) {
  const std::vector<std::size_t> all = {400, 37, 230, 13, 11, 5};
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(order)};
}

}  // namespace genten_test
