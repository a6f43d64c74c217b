// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// make_sorted_copy: from a PackedTensor to a SortedCopy.

#include <genten/format/detail/record_sort.hpp>
#include <genten/format/packed_tensor.hpp>
#include <genten/format/sorted_copy.hpp>

namespace genten {

/// Copies and sorts `tensor`. Takes memory for one more copy while it sorts, which `workspace`
/// keeps for the next, with the results: copies of the same tiles share their records. A tensor
/// whose records may be consumed gives their memory to the copy; later copies of it must have the
/// same tiles.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] SortedCopy<Scalar, Exec> make_sorted_copy(
    const Exec& exec, const PackedTensor<Scalar, Exec>& tensor, const NonzeroOrder& order,
    offset_t nonzeros_per_chunk, detail::SortInput input, detail::SortWorkspace<Exec>& workspace);

}  // namespace genten

#include <genten/format/detail/sorted_copy_impl.hpp>
