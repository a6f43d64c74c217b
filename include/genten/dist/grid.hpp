// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Grids of processes, and how the rows of a mode are cut into layers.

#include <genten/dist/tensor_slices.hpp>

#include <string>
#include <vector>

namespace genten {

/// Layers by mode: a grid of q_1 x ... x q_N processes cuts mode n into q_n layers.
using Grid = std::vector<std::size_t>;

/// Every grid of that many processes for a tensor of that order, in lexicographic order.
[[nodiscard]] std::vector<Grid> all_grids(std::size_t processes, int order);

/// "4x1x2"
[[nodiscard]] std::string grid_text(const Grid& grid);

/// The first rows of all layers of a mode but the first, ascending; of `layers` layers one less.
using LayerCuts = std::vector<std::uint64_t>;

/// Layers of as nearly the same number of nonzeros as whole rows allow: each cut is the one next to
/// its share.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] LayerCuts even_layers(const TensorSlices<Ordinal>& slices, int mode,
                                    std::size_t layers);

}  // namespace genten
