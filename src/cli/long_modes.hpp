// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Modes that are long because their subscripts are ids, such as hashes: nearly all of their rows
/// are empty, in the model too.

#include <genten/core/sptensor.hpp>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

namespace genten::cli {

/// A mode of a tensor.
struct ModeUse {
  std::size_t mode = 0;  ///< from 0
  std::size_t length = 0;
  std::size_t used = 0;  ///< rows that have nonzeros
  bool counted = true;   ///< else there may be fewer
};

/// Whether its subscripts look like ids: more than a million, and a thousand for each that occurs.
[[nodiscard]] constexpr bool is_long(const ModeUse& mode) {
  constexpr std::size_t long_enough = 1'000'000, rows_for_one_used = 1000;
  return mode.length > long_enough &&
         mode.length / rows_for_one_used >= std::max<std::size_t>(mode.used, 1);
}

/// Which modes are so, and what helps, as a note; "" for none.
[[nodiscard]] std::string long_modes_note(const std::vector<ModeUse>& modes);

/// The same of a tensor, by a look at the nonzeros of modes that may be so, which ends as soon as
/// they are not. Where the tensor is not on the host, or nonzeros are too few for the mode
/// whichever they are, it is their number that is told.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::string long_modes_note(const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  constexpr std::size_t most_counted = 10'000'000;  // a model of a longer mode would not fit
  const auto nonzeros = static_cast<std::size_t>(tensor.nnz());
  std::vector<ModeUse> modes;
  for (int n = 0; n < tensor.order(); ++n) {
    ModeUse mode{static_cast<std::size_t>(n), tensor.dimension(n), nonzeros, false};
    if constexpr (is_host_space<Exec>) {
      const std::size_t enough = std::min(mode.length / 1000 + 1, most_counted);
      if (is_long({mode.mode, mode.length})) {
        std::unordered_set<Ordinal> seen;
        const auto subscripts = tensor.subscripts();
        for (std::size_t p = 0; p < nonzeros && seen.size() < enough; ++p) {
          seen.insert(subscripts(p, n));
        }
        mode.counted = seen.size() < enough;
        if (mode.counted) mode.used = seen.size();
      }
    }
    modes.push_back(mode);
  }
  return long_modes_note(modes);
}

}  // namespace genten::cli
