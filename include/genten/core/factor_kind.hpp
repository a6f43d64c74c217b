// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorKind: the kinds of random factor matrices.

#include <genten/base/enum_words.hpp>

namespace genten {

/// Distribution of the elements of a random factor matrix.
enum class FactorKind {
  uniform,  ///< uniform in [0, 1)
  normal    ///< standard normal
};

constexpr auto enum_words(FactorKind) {
  return std::array{EnumWord("uniform", FactorKind::uniform, "in [0, 1)"),
                    EnumWord("normal", FactorKind::normal, "standard normal")};
}

}  // namespace genten
