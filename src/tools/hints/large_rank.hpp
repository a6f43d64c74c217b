// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Ranks that are larger than the shape of a tensor has use for, for the tool and for Python.

#include <cstddef>
#include <span>
#include <string>

namespace genten::tools {

/// The run that a rank is for.
struct RankUse {
  bool chosen = true;        ///< somebody has asked for this rank
  bool constrained = false;  ///< rows have bounds or penalties, or modes are fixed
};

/// Why `rank` is too large for tensors of these dimensions, as the end of a sentence: "more than
/// the 8 with which any tensor of this shape is exact", which constrained factors need not be. One
/// that nobody has chosen is too large where it is more than every mode is long, too. "" where it
/// is not too large.
[[nodiscard]] std::string why_too_large(std::size_t rank, std::span<const std::size_t> dimensions,
                                        RankUse use);

/// That it is so, as a note of the tool's; "" where it is not.
[[nodiscard]] std::string rank_note(std::size_t rank, std::span<const std::size_t> dimensions,
                                    RankUse use);

/// A rank to begin with that is not too large for any run: 3, or less where the shape is small. The
/// dimensions are at least 1.
[[nodiscard]] std::size_t small_rank(std::span<const std::size_t> dimensions);

}  // namespace genten::tools
