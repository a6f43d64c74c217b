// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// PackedTensor: the nonzeros as packed keys, in the order they came.

#include <genten/core/sptensor.hpp>
#include <genten/detail/kokkos_compat.hpp>
#include <genten/format/key_layout.hpp>

namespace genten {

/// Keys (layout.words 64-bit words a nonzero) and values of a tensor. The values are shared with
/// the tensor it was packed from.
template <RealScalar Scalar, ExecutionSpace Exec>
struct PackedTensor {
  using memory_space = typename Exec::memory_space;

  std::vector<std::size_t> dimensions;
  KeyLayout layout;
  Kokkos::View<std::uint64_t*, memory_space> keys;  ///< nnz * layout.words
  Kokkos::View<const Scalar*, memory_space> values;

  [[nodiscard]] offset_t nnz() const { return static_cast<offset_t>(values.extent(0)); }
};

/// Packs `tensor`; empty when two words do not hold its subscripts. Reads the subscripts once.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::optional<PackedTensor<Scalar, Exec>> pack(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const auto layout = KeyLayout::for_dimensions(tensor.dimensions());
  if (!layout) return std::nullopt;
  PackedTensor<Scalar, Exec> packed{tensor.dimensions(), *layout, {}, tensor.values()};
  packed.keys = detail::uninitialized_view<decltype(packed.keys)>("genten::packed_keys",
                                                                  tensor.nnz() * layout->words);
  const auto subscripts = tensor.subscripts();
  const auto keys = packed.keys;
  const KeyLayout fields = *layout;
  Kokkos::parallel_for(
      "genten::pack", Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
      KOKKOS_LAMBDA(const offset_t p) {
        std::uint64_t words[2] = {0, 0};
        for (int n = 0; n < fields.order; ++n) {
          words[fields.fields[n].word] |= fields.fields[n].put(subscripts(p, n));
        }
        for (int w = 0; w < fields.words; ++w) keys(p * fields.words + w) = words[w];
      });
  return packed;
}

}  // namespace genten
