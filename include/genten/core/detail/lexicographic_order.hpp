// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The permutation that sorts the nonzeros of a host tensor lexicographically.

#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/core/detail/key_packing.hpp>
#include <genten/core/sptensor.hpp>

#include <span>
#include <vector>

namespace genten::detail {

/// One word of the keys of all nonzeros.
template <SortWord Key, RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] HostArray<Key> key_words(const Exec& exec,
                                       const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                       const KeyPacking& packing, int word) {
  const auto count = static_cast<std::size_t>(tensor.nnz());
  const auto keys = uninitialized_array<Key>("genten::key_words", count);
  const auto subscripts = tensor.subscripts();
  const EvenChunks chunks(count);
  for_each_index("genten::key_words", exec, chunks.count(), [=](const std::size_t chunk) {
    const std::size_t end = chunks.end(chunk);
    for (std::size_t p = chunks.begin(chunk); p < end; ++p) {
      keys(p) = static_cast<Key>(packing.pack(subscripts, p, word));
    }
  });
  return keys;
}

/// Entry i is the position of the nonzero that comes i-th when nonzeros are ordered by subscripts
/// in the order of modes of `packing`; equal subscripts keep their order. Host execution spaces.
/// Throws Error when `Payload` cannot hold nnz - 1.
template <SortWord Payload, RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] HostArray<Payload> lexicographic_permutation(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const KeyPacking& packing) {
  if (packing.total_bits() <= 32) {
    const std::vector words{key_words<std::uint32_t>(exec, tensor, packing, 0)};
    return sorting_permutation_destroying<Payload, Exec, std::uint32_t>(exec, words);
  }
  std::vector<HostArray<std::uint64_t>> words;
  for (int w = 0; w < packing.words(); ++w) {
    words.push_back(key_words<std::uint64_t>(exec, tensor, packing, w));
  }
  return sorting_permutation_destroying<Payload, Exec, std::uint64_t>(exec, words);
}

}  // namespace genten::detail
