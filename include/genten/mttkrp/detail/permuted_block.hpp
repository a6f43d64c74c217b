// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A block of nonzeros of the kernel `permuted`: on hosts its sums are compiled for each
/// instruction set (base/detail/simd_set.hpp), which for rows in caches is 1.8 times as fast with
/// AVX-512 as without (uber, R = 16).

#include <genten/base/detail/simd_set.hpp>
#include <genten/mttkrp/detail/row_product.hpp>

#include <cstdint>

namespace genten::detail {

template <class Scalar, class Ordinal, bool Host>
struct PermutedSums;

inline namespace GENTEN_SIMD_SET {

/// Sums of block `b`: writes those of rows that lie within the block, carries those of its first
/// and last row or, on devices, adds them atomically.
GENTEN_CALLS_ARGUMENT
template <class Scalar, class Ordinal, bool Host>
KOKKOS_FORCEINLINE_FUNCTION void sum_permuted_block(const PermutedSums<Scalar, Ordinal, Host>& sums,
                                                    offset_t b) {
  const FactorSet<Scalar>& factors = sums.factors;
  const auto subscript = [&sums, &factors](offset_t q, int m) {
    return sums.subscripts[q * static_cast<offset_t>(factors.order) + static_cast<offset_t>(m)];
  };
  const auto row_at = [&](offset_t p) { return subscript(sums.permutation[p], sums.mode); };
  const offset_t begin = b * sums.nonzeros_per_block;
  const offset_t next_block = begin + sums.nonzeros_per_block;
  const offset_t end = next_block < sums.nnz ? next_block : sums.nnz;
  const Ordinal first_row = row_at(begin);
  const Ordinal last_row = row_at(end - 1);
  for_column_blocks(factors.columns, [&]<int Block>(std::size_t first) {
    Scalar sum[Block] = {};
    const auto flush = [&](Ordinal row) {
      Scalar* out = sums.output + static_cast<std::size_t>(row) * sums.stride + first;
      const bool shared = row == first_row || row == last_row;
      if constexpr (Host) {
        const std::size_t carry = 2 * static_cast<std::size_t>(b) + (row == first_row ? 0 : 1);
        if (shared) out = sums.carries + carry * factors.columns + first;
      }
      for (int j = 0; j < Block; ++j) {
        // An atomic_add of hosts would be one symbol for all instruction sets.
        if constexpr (!Host) {
          if (shared) {
            Kokkos::atomic_add(out + j, sum[j]);
            sum[j] = 0;
            continue;
          }
        }
        out[j] = sum[j];
        sum[j] = 0;
      }
    };
    Ordinal row = first_row;
    for (offset_t p = begin; p < end; ++p) {
      const offset_t q = sums.permutation[p];
      const Ordinal next = subscript(q, sums.mode);
      if (next != row) {
        flush(row);
        row = next;
      }
      Scalar product[Block];
      row_product<Block>(factors, subscript, q, sums.mode, first, sums.values[q], product);
      for (int j = 0; j < Block; ++j) sum[j] += product[j];
    }
    flush(row);
  });
}

template <class Scalar, class Ordinal>
void sum_permuted_block_on_host(const PermutedSums<Scalar, Ordinal, true>& sums, offset_t b) {
  sum_permuted_block(sums, b);
}

}  // namespace GENTEN_SIMD_SET

template <class Scalar, class Ordinal>
using PermutedLoop = void (*)(const PermutedSums<Scalar, Ordinal, true>&, offset_t b);

/// That of the instruction set in use: see genten::instruction_set.
template <class Scalar, class Ordinal>
[[nodiscard]] PermutedLoop<Scalar, Ordinal> permuted_loop();

/// What the blocks read and write.
template <class Scalar, class Ordinal, bool Host>
struct PermutedSums {
  const Ordinal* subscripts;  ///< nonzero x mode
  const Scalar* values;
  const offset_t* permutation;  ///< in the order of the output's rows
  offset_t nnz, nonzeros_per_block;
  FactorSet<Scalar> factors;
  int mode;
  Scalar* output;
  std::size_t stride;
  Scalar* carries;  ///< of hosts: block x (first or last row) x column

  KOKKOS_FUNCTION void operator()(offset_t b) const {
    if constexpr (Host) {
      permuted_loop<Scalar, Ordinal>()(*this, b);
    } else {
      sum_permuted_block(*this, b);
    }
  }
};

}  // namespace genten::detail

#define GENTEN_ETI_PERMUTED_LOOP(SCALAR, ORDINAL) \
  template <>                                     \
  genten::detail::PermutedLoop<SCALAR, ORDINAL> genten::detail::permuted_loop();

#ifdef GENTEN_ETI
GENTEN_ETI_PERMUTED_LOOP(float, std::uint32_t)
GENTEN_ETI_PERMUTED_LOOP(float, std::uint64_t)
GENTEN_ETI_PERMUTED_LOOP(double, std::uint32_t)
GENTEN_ETI_PERMUTED_LOOP(double, std::uint64_t)
#else
template <class Scalar, class Ordinal>
genten::detail::PermutedLoop<Scalar, Ordinal> genten::detail::permuted_loop() {
  return sum_permuted_block_on_host<Scalar, Ordinal>;
}
#endif
