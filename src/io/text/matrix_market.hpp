// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What MatrixMarket coordinate files (Boisvert, Pozo, Remington, NISTIR 5935, 1996) have that
/// other text files have not: a banner, entries without values, and halves of symmetric matrices.

#include <genten/io/detail/tensor_arrays.hpp>
#include <genten/io/options.hpp>

#include <string>
#include <string_view>

namespace genten::detail {

/// What an entry below the diagonal says about the one above it.
enum class Symmetry { general, symmetric, skew_symmetric };

/// What the banner says of the entries.
struct MatrixMarketBanner {
  bool pattern = false;  ///< subscripts alone
  Symmetry symmetry = Symmetry::general;
};

/// Whether the text starts with the word %%MatrixMarket, in upper or lower case.
[[nodiscard]] bool is_matrix_market(std::string_view text);

/// The banner of such a text. Throws Error in the name of `path` for what is no real sparse matrix,
/// and for options that contradict what such files are.
[[nodiscard]] MatrixMarketBanner read_matrix_market_banner(const std::string& path,
                                                           std::string_view text,
                                                           const ReadOptions& options);

/// The entries of the lower half of a matrix, followed by those of the upper half, in the same
/// order. Throws Error where an entry lies above the diagonal, or on that of a skew-symmetric
/// matrix, and of kind `memory` where there is not enough. The entries must be distinct.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] TensorArrays<Scalar, Ordinal> with_mirrored(
    const std::string& path, Symmetry symmetry, const TensorArrays<Scalar, Ordinal>& lower,
    std::size_t memory_limit);

}  // namespace genten::detail
