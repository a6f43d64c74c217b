// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// PackedTensor: the nonzeros as packed records, in the order they came.

#include <genten/format/mode_groups.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/format/value_dictionary.hpp>

namespace genten {

/// A tensor whose modes are groups of another's modes, one record a nonzero.
template <RealScalar Scalar, ExecutionSpace Exec>
struct PackedTensor {
  using memory_space = typename Exec::memory_space;

  std::vector<std::size_t> dimensions;  ///< one a group
  RecordLayout layout;
  Kokkos::View<std::uint64_t*, memory_space> records;  ///< nnz * layout.words
  Kokkos::View<Scalar*, memory_space> dictionary;      ///< values by code; empty if not coded
  std::vector<FusedTuples<Exec>> tuples;               ///< one a group; empty for single modes

  [[nodiscard]] offset_t nnz() const {
    return static_cast<offset_t>(records.extent(0)) / layout.words;
  }
};

/// Packs `tensor` with its modes grouped, none by sorting; empty when two words do not hold its
/// subscripts. Reads the tensor twice, and once more for each fused group. Unless `may_code`, each
/// value fills a word of its own, the last of the record. With `lists_all` the tuples of fused
/// groups are all possible ones, and the tensor is not read to find those that occur.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::optional<PackedTensor<Scalar, Exec>> pack_records(
    const Exec& exec, const RelabeledTensor<Scalar, Ordinal, Exec>& tensor,
    const std::vector<ModeGroup>& groups, bool may_code = true, bool lists_all = false);

}  // namespace genten

#include <genten/format/detail/packed_tensor_impl.hpp>
