// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// GcpWarning: why a loss may have no minimum, or a run may not have come near it.

#include <genten/base/enum_words.hpp>

namespace genten {

/// What casts doubt on a result under a loss other than least squares.
enum class GcpDoubt {
  zero_slices,      ///< slices without a nonzero: their elements grow without end
  full_slices,      ///< slices all of whose entries are 1: likewise
  large_elements,   ///< the model has values at which the loss is flat: there may be no minimum
  above_zero_model  ///< where zeros are sampled: the model is worse than one that is 0 everywhere
};

constexpr auto enum_words(GcpDoubt) {
  return std::array{EnumWord("zero_slices", GcpDoubt::zero_slices),
                    EnumWord("full_slices", GcpDoubt::full_slices),
                    EnumWord("large_elements", GcpDoubt::large_elements),
                    EnumWord("above_zero_model", GcpDoubt::above_zero_model)};
}

/// A reason to doubt a result, with the figure it rests on.
struct GcpWarning {
  GcpDoubt doubt{};
  int mode = -1;        ///< of the slices; -1: of all
  double number = 0.0;  ///< slices, the largest value of the model, or the objective of zeros
};

}  // namespace genten
