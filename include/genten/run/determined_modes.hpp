// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Modes that tell nothing more than another one, as the country beside the city.

#include <genten/dist/communicator.hpp>

#include <array>
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

/// The nonzeros of this process, of a tensor that all have together.
template <class Subscripts, class RowOf>
struct NonzerosOfAll {
  Communicator& processes;
  const Subscripts& subscripts;
  const std::vector<std::size_t>& dimensions;  ///< of the whole tensor
  std::size_t count;                           ///< nonzeros of all processes
  const RowOf& row_of;  ///< of mode and number of a row here, its number in the whole tensor
};

/// Whether each row of mode `fine` occurs with one row of mode `coarse` only, more often than by
/// chance: rows of `fine` occur twice on average, and were both independent, ten of the repeated
/// ones would have met another row of `coarse`. A pass over nonzeros that mostly ends soon.
template <class Subscripts, class RowOf>
[[nodiscard]] bool determines(const NonzerosOfAll<Subscripts, RowOf>& all, std::size_t fine,
                              std::size_t coarse, DeterminedMode& found) {
  using Ordinal = typename Subscripts::non_const_value_type;
  constexpr auto none = std::numeric_limits<Ordinal>::max();
  constexpr double least_expected = 10.0, absent = -std::numeric_limits<double>::infinity();
  const auto& subscripts = all.subscripts;
  const std::size_t here = subscripts.extent(0), count = all.count;
  std::vector<Ordinal> partners;
  std::array<double, 1> differ = {0.0};
  together(all.processes, [&] {
    partners.assign(all.dimensions[fine], none);
    for (std::size_t p = 0; p < here && differ[0] == 0.0; ++p) {
      Ordinal& partner = partners[subscripts(p, fine)];
      if (partner == none) partner = subscripts(p, coarse);
      if (partner != subscripts(p, coarse)) differ[0] = 1.0;
    }
  });
  combine(all.processes, {}, differ);
  if (differ[0] != 0.0) return false;
  // Of each row of `fine` the largest partner on any process, and the least with its sign turned.
  std::vector<double> nonzeros, extremes;
  together(all.processes, [&] {
    nonzeros.assign(all.dimensions[coarse], 0.0);
    extremes.assign(2 * all.dimensions[fine], absent);
    for (std::size_t row = 0; row < partners.size(); ++row) {
      if (partners[row] == none) continue;
      const std::size_t at = 2 * all.row_of(fine, row);
      extremes[at] = static_cast<double>(all.row_of(coarse, partners[row]));
      extremes[at + 1] = -extremes[at];
    }
    for (std::size_t p = 0; p < here; ++p)
      nonzeros[all.row_of(coarse, subscripts(p, coarse))] += 1.0;
  });
  combine(all.processes, nonzeros, extremes);
  std::size_t rows = 0, coarse_rows = 0;
  for (std::size_t at = 0; at < extremes.size(); at += 2) {
    if (extremes[at] == absent) continue;
    if (extremes[at] != -extremes[at + 1]) return false;
    ++rows;
  }
  double same = 0.0;  // the chance that two nonzeros share a row of `coarse`
  for (const double each : nonzeros) {
    const double share = each / static_cast<double>(count);
    same += share * share;
    coarse_rows += each == 0.0 ? 0 : 1;
  }
  found = {coarse, fine, rows, rows == coarse_rows};
  return 2 * rows <= count && static_cast<double>(count - rows) * (1.0 - same) >= least_expected;
}

/// The modes of a tensor that others determine, in ascending order. Of a tensor of fewer than three
/// modes or a hundred nonzeros, and of modes with more rows than nonzeros, it tells nothing. All
/// processes call it.
template <class Subscripts, class RowOf>
[[nodiscard]] std::vector<DeterminedMode> determined_modes(
    const NonzerosOfAll<Subscripts, RowOf>& all) {
  constexpr std::size_t fewest_modes = 3, fewest_nonzeros = 100;
  const auto& dimensions = all.dimensions;
  const std::size_t order = dimensions.size(), count = all.count;
  if (order < fewest_modes || count < fewest_nonzeros) return {};
  std::vector<DeterminedMode> determined;
  std::vector<bool> is_left(order, true);  // of two that determine each other one is
  for (std::size_t coarse = order; coarse-- > 0;) {
    for (std::size_t fine = 0; fine < order && is_left[coarse]; ++fine) {
      DeterminedMode found;
      if (fine == coarse || !is_left[fine] || dimensions[fine] > count ||
          dimensions[coarse] > count || !determines(all, fine, coarse, found)) {
        continue;
      }
      determined.insert(determined.begin(), found);
      is_left[coarse] = false;
    }
  }
  return determined;
}

}  // namespace detail

/// The modes of a tensor that others determine, by its subscripts on the host.
template <class Subscripts>
[[nodiscard]] std::vector<DeterminedMode> determined_modes(
    const Subscripts& subscripts, const std::vector<std::size_t>& dimensions) {
  SingleProcess alone;
  const auto itself = [](std::size_t, std::size_t row) { return row; };
  return detail::determined_modes(detail::NonzerosOfAll<Subscripts, decltype(itself)>{
      alone, subscripts, dimensions, subscripts.extent(0), itself});
}

}  // namespace genten
