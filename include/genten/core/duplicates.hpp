// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What may become of several entries at the same subscripts.

#include <genten/base/enum_words.hpp>

namespace genten {

/// What to do with several entries at the same subscripts.
enum class Duplicates {
  sum,    ///< keep one entry that holds their sum in file order
  mean,   ///< their mean, the sum in double divided by their number
  last,   ///< the value of the last one in the file
  max,    ///< the largest value
  refuse  ///< an error that names both lines
};

constexpr auto enum_words(Duplicates) {
  return std::array{EnumWord("sum", Duplicates::sum, "keep one that holds their sum"),
                    EnumWord("mean", Duplicates::mean, "their mean"),
                    EnumWord("last", Duplicates::last, "the last value in the file"),
                    EnumWord("max", Duplicates::max, "the largest value"),
                    EnumWord("refuse", Duplicates::refuse, "an error that names both lines")};
}

}  // namespace genten
