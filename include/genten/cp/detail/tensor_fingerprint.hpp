// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// TensorFingerprint: what tells a tensor from others, in a few bytes.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/base/member_table.hpp>
#include <genten/core/random.hpp>
#include <genten/core/sptensor.hpp>

#include <concepts>
#include <cstring>
#include <string>
#include <vector>

namespace genten::detail {

/// Dimensions, number of nonzeros and a hash of them that is the same in whatever order and on
/// whatever backend they lie, and with whatever ordinals.
struct TensorFingerprint {
  std::vector<std::size_t> dimensions;
  std::uint64_t nnz = 0;
  std::uint64_t hash = 0;

  bool operator==(const TensorFingerprint&) const = default;

  /// One pass over the nonzeros.
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
  static TensorFingerprint of(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor);

  /// "4 x 3 x 2 with 10 nonzeros".
  [[nodiscard]] std::string text() const;

  static constexpr auto members() {
    using Event = TensorFingerprint;
    return member_table(&Event::dimensions, &Event::nnz, &Event::hash);
  }
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
TensorFingerprint TensorFingerprint::of(const Exec& exec,
                                        const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const auto subscripts = tensor.subscripts();
  const auto values = tensor.values();
  const int order = tensor.order();
  const auto hash = chunked_reduce<std::uint64_t>(
      "genten::hash_tensor", exec, tensor.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        const auto value = static_cast<double>(values(p));
        std::uint64_t word = 0;
        memcpy(&word, &value, sizeof word);
        for (int n = 0; n < order; ++n) word = mix_bits(word) ^ subscripts(p, n);
        return mix_bits(word);
      });
  return {tensor.dimensions(), static_cast<std::uint64_t>(tensor.nnz()), hash};
}

}  // namespace genten::detail

#define GENTEN_ETI_FINGERPRINT(PREFIX, SCALAR, ORDINAL, EXEC)                              \
  PREFIX template genten::detail::TensorFingerprint genten::detail::TensorFingerprint::of( \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_FINGERPRINT, extern)
#endif
