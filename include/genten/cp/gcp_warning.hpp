// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// GcpWarning: why a loss may have no minimum.

#include <genten/base/enum_words.hpp>

namespace genten {

/// What casts doubt on a result under a loss other than least squares.
enum class GcpDoubt {
  zero_slices,    ///< slices without a nonzero: their elements grow without end
  full_slices,    ///< slices all of whose entries are 1: likewise
  large_elements  ///< the model has values at which the loss is flat: there may be no minimum
};

constexpr auto enum_words(GcpDoubt) {
  return std::array{EnumWord("zero_slices", GcpDoubt::zero_slices),
                    EnumWord("full_slices", GcpDoubt::full_slices),
                    EnumWord("large_elements", GcpDoubt::large_elements)};
}

/// A reason why a run may have no minimum to reach, with the figure it rests on.
struct GcpWarning {
  GcpDoubt doubt{};
  int mode = -1;        ///< of the slices; -1: of all
  double number = 0.0;  ///< slices, or the largest value that elements of the model can have
};

}  // namespace genten
