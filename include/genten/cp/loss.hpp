// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Loss: how far a model is from a tensor.

#include <genten/base/enum_words.hpp>

namespace genten {

/// What a decomposition minimizes: the distribution that the values are taken for.
enum class Loss {
  gaussian,  ///< half the sum of squared differences: cp_als
  poisson    ///< the negative logarithm of the likelihood of counts: cp_apr
};

constexpr auto enum_words(Loss) {
  return std::array{
      EnumWord("gaussian", Loss::gaussian, "least squares"),
      EnumWord("poisson", Loss::poisson, "likelihood of counts, factors nonnegative")};
}

}  // namespace genten
