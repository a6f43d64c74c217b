// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How the nonzeros of a tensor are spread over the slices of its modes.

#include <genten/base/memory.hpp>
#include <genten/core/sptensor_ops.hpp>

#include <algorithm>
#include <iterator>
#include <vector>

namespace genten::cli {

/// Nonzeros of the slices of one mode.
struct SliceStatistics {
  std::size_t length = 0;
  std::size_t used = 0;   ///< slices with nonzeros
  std::size_t empty = 0;  ///< slices without
  std::size_t most = 0;   ///< nonzeros of the fullest slice
  double mean = 0.0;      ///< over used slices
  double median = 0.0;    ///< over used slices
};

/// From the length of the mode and the number of nonzeros of each slice that has any.
SliceStatistics slice_statistics(std::size_t length, std::vector<offset_t> used);

/// The number of nonzeros of each slice that has any, by counting: takes 8 bytes a slice.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::vector<offset_t> used_by_counting(const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                                       int mode) {
  const auto counts = slice_counts(HostExec(), tensor, mode);
  std::vector<offset_t> used;
  std::copy_if(counts.data(), counts.data() + counts.extent(0), std::back_inserter(used),
               [](offset_t count) { return count != 0; });
  return used;
}

/// The same by sorting subscripts, for modes much longer than there are nonzeros.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::vector<offset_t> used_by_sorting(const Sptensor<Scalar, Ordinal, HostExec>& tensor, int mode) {
  std::vector<Ordinal> rows(static_cast<std::size_t>(tensor.nnz()));
  for (std::size_t p = 0; p < rows.size(); ++p) rows[p] = tensor.subscripts()(p, mode);
  std::sort(rows.begin(), rows.end());
  std::vector<offset_t> used;
  for (auto row = rows.begin(); row != rows.end();) {
    const auto next = std::upper_bound(row, rows.end(), *row);
    used.push_back(next - row);
    row = next;
  }
  return used;
}

/// Of every mode of a tensor on the host.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::vector<SliceStatistics> slice_statistics(const Sptensor<Scalar, Ordinal, HostExec>& tensor) {
  // Either way takes a number a nonzero, and one a slice that has any.
  require_memory({.what = "counting nonzeros by slice",
                  .parts = {{"counts", 16.0 * static_cast<double>(tensor.nnz())}},
                  .available = available_memory<HostExec>()});
  std::vector<SliceStatistics> modes;
  for (int n = 0; n < tensor.order(); ++n) {
    const bool dense = tensor.dimension(n) <= static_cast<std::size_t>(tensor.nnz());
    modes.push_back(slice_statistics(
        tensor.dimension(n), dense ? used_by_counting(tensor, n) : used_by_sorting(tensor, n)));
  }
  return modes;
}

}  // namespace genten::cli
