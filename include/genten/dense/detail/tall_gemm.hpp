// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Products of tall matrices with small ones by KokkosBlas::gemm. They are compiled once, into the
/// library, for float and double and every execution space.
///
/// Matrices are stored by rows, `stride` elements apart; padding columns take part. Calls are
/// queued on the instance and do not wait. Results are the same from run to run: KokkosBlas has a
/// kernel for A^T B that adds atomically, which it takes where the result has few elements
/// (`least_gram_elements`), and the vendors' libraries that may stand behind KokkosBlas promise the
/// same bits on the same device as long as one queue at a time calls them.

#include <genten/base/types.hpp>

namespace genten::detail {

/// Gram matrices with fewer elements may be summed in any order by KokkosBlas on devices: it takes
/// its kernel of atomic dot products below 100 elements of matrices that are stored by rows, and
/// below 1600 of those stored by columns.
inline constexpr std::size_t least_gram_elements = 1600;

/// Whether KokkosBlas calls a vendor's library for these products on `Exec`. On devices its own
/// kernel is no match for FactorUpdate's other path: it shares out the result, which is small, and
/// not the rows.
template <ExecutionSpace Exec>
[[nodiscard]] bool has_vendor_gemm();

/// result = tall * square: `rows` x `stride` elements, of the first `rank` columns of `tall` and
/// the first `rank` rows of `square`, which has `stride` columns.
template <RealScalar Scalar, ExecutionSpace Exec>
void multiply_tall(const Exec& exec, const Scalar* tall, std::size_t rows, std::size_t rank,
                   std::size_t stride, const Scalar* square, Scalar* result);

/// gram = (or +=, where `add`) tall^T tall: `stride` x `stride` elements, at least
/// `least_gram_elements`.
template <ExecutionSpace Exec>
void gram_of_tall(const Exec& exec, const double* tall, std::size_t rows, std::size_t stride,
                  bool add, double* gram);

}  // namespace genten::detail
