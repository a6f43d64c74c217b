// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// New rows of a model that are far larger or smaller than those that it had, as those of values in
/// another unit are.

#include <genten/base/types.hpp>
#include <genten/core/ktensor.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace genten {

/// How large the slices of a tensor are.
struct SliceSizes {
  std::vector<double> norms;  ///< by slice, over the entries that are listed
  bool are_whole = true;      ///< all values are whole numbers
};

/// Those in one mode of a tensor on the host.
template <class Tensor>
[[nodiscard]] SliceSizes slice_sizes(const Tensor& slices, int mode) {
  SliceSizes sizes{std::vector<double>(slices.dimensions()[static_cast<std::size_t>(mode)])};
  const auto subscripts = slices.subscripts();
  const auto values = slices.values();
  for (offset_t p = 0; p < slices.nnz(); ++p) {
    const double value = values(p);
    sizes.norms[subscripts(p, static_cast<std::size_t>(mode))] += value * value;
    sizes.are_whole = sizes.are_whole && value == std::floor(value);
  }
  for (double& each : sizes.norms) each = std::sqrt(each);
  return sizes;
}

/// How many times as large as the rows that a model had the new ones are that were found for
/// slices, the model `found` having these alone in the mode: the quotient of the medians of norms,
/// rows of zeros left out. NaN where a unit of the values would not explain it: within a factor of
/// 50 or beyond 1e30, or within one of 2 of the rows that the model had, of which there are four at
/// least; where the slices themselves differ less; and of smaller whole numbers, which are counts
/// of fewer events.
[[nodiscard]] double times_as_large(const Ktensor<double, HostExec>& had,
                                    const Ktensor<double, HostExec>& found, int mode,
                                    const SliceSizes& slices);

/// The same of the sizes of rows.
[[nodiscard]] double times_as_large(std::vector<double> had, std::vector<double> found,
                                    const SliceSizes& slices);

}  // namespace genten
