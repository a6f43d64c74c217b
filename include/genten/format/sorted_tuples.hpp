// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tuples of fused modes, found by sorting the nonzeros by their subscripts.

#include <genten/format/detail/record_sort.hpp>
#include <genten/format/packed_tensor.hpp>

namespace genten {

/// Packs `tensor` with its modes in groups of which those that are fused are sorted and come first,
/// and single ones follow in their natural order; empty where its subscripts do not fit. The
/// records lie in the order of the first group's tuples, and tuples in that of their subscripts,
/// those of the longest mode first. The workspace then has memory for as many records, if they are
/// as long. Whatever the number of threads, the result is the same.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::optional<PackedTensor<Scalar, Exec>> pack_sorted_tuples(
    const Exec& exec, const RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
    const std::vector<ModeGroup>& groups, bool may_code, detail::SortWorkspace<Exec>& workspace);

}  // namespace genten

#include <genten/format/detail/tuple_sort_impl.hpp>
