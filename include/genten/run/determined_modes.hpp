// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Modes that tell nothing more than another one, as the country beside the city.

#include <cstddef>
#include <limits>
#include <vector>

namespace genten {

/// A mode of which each row of another one occurs with one row only.
struct DeterminedMode {
  std::size_t mode = 0;  ///< the coarser one; of two that determine each other the later
  std::size_t by = 0;    ///< the other mode
  std::size_t rows = 0;  ///< of that mode, with nonzeros
  bool by_each_other = false;
};

namespace detail {

/// Whether each row of mode `fine` occurs with one row of mode `coarse` only, more often than by
/// chance: rows of `fine` occur twice on average, and were both independent, ten of the repeated
/// ones would have met another row of `coarse`. A pass over nonzeros that mostly ends soon.
template <class Subscripts>
[[nodiscard]] bool determines(const Subscripts& subscripts, std::size_t fine, std::size_t coarse,
                              const std::vector<std::size_t>& dimensions, DeterminedMode& found) {
  using Ordinal = typename Subscripts::non_const_value_type;
  constexpr auto none = std::numeric_limits<Ordinal>::max();
  constexpr double least_expected = 10.0;
  const std::size_t count = subscripts.extent(0);
  std::vector<Ordinal> partners(dimensions[fine], none);
  for (std::size_t p = 0; p < count; ++p) {
    Ordinal& partner = partners[subscripts(p, fine)];
    if (partner == none) partner = subscripts(p, coarse);
    if (partner != subscripts(p, coarse)) return false;
  }
  std::vector<std::size_t> nonzeros(dimensions[coarse]);
  for (std::size_t p = 0; p < count; ++p) ++nonzeros[subscripts(p, coarse)];
  std::size_t rows = 0, coarse_rows = 0;
  for (const Ordinal partner : partners) rows += partner == none ? 0 : 1;
  double same = 0.0;  // the chance that two nonzeros share a row of `coarse`
  for (const std::size_t each : nonzeros) {
    const double share = static_cast<double>(each) / static_cast<double>(count);
    same += share * share;
    coarse_rows += each == 0 ? 0 : 1;
  }
  found = {coarse, fine, rows, rows == coarse_rows};
  return 2 * rows <= count && static_cast<double>(count - rows) * (1.0 - same) >= least_expected;
}

}  // namespace detail

/// The modes of a tensor that others determine, by its subscripts on the host, in ascending order.
/// Of a tensor of fewer than three modes or a hundred nonzeros, and of modes with more rows than
/// nonzeros, it tells nothing.
template <class Subscripts>
[[nodiscard]] std::vector<DeterminedMode> determined_modes(
    const Subscripts& subscripts, const std::vector<std::size_t>& dimensions) {
  constexpr std::size_t fewest_modes = 3, fewest_nonzeros = 100;
  const std::size_t order = dimensions.size(), count = subscripts.extent(0);
  if (order < fewest_modes || count < fewest_nonzeros) return {};
  std::vector<DeterminedMode> determined;
  std::vector<bool> is_left(order, true);  // of two that determine each other one is
  for (std::size_t coarse = order; coarse-- > 0;) {
    for (std::size_t fine = 0; fine < order && is_left[coarse]; ++fine) {
      DeterminedMode found;
      if (fine == coarse || !is_left[fine] || dimensions[fine] > count ||
          dimensions[coarse] > count ||
          !detail::determines(subscripts, fine, coarse, dimensions, found)) {
        continue;
      }
      determined.insert(determined.begin(), found);
      is_left[coarse] = false;
    }
  }
  return determined;
}

}  // namespace genten
