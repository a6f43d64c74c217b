// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How many distinct tuples of subscripts of some modes occur.

#include <genten/base/types.hpp>

#include <span>
#include <vector>

namespace genten {

/// The distinct tuples of some modes' subscripts that occur.
struct TupleCount {
  std::vector<int> modes;  ///< ascending
  double tuples = 0.0;
  /// Whether they were counted, within some per cent; otherwise there are hardly fewer.
  bool counted = false;
  bool operator==(const TupleCount&) const = default;
};

/// All sets of two and more modes, but not of all, that follow each other in the order of updates,
/// at whose end it begins again.
[[nodiscard]] std::vector<std::vector<int>> cyclic_neighbours(std::span<const int> update_order);

/// What some thousand nonzeros tell of how few tuples each set of modes has at least; empty where
/// there are so few nonzeros that nothing takes long. `subscripts(p, mode)` gives those of nonzero
/// p, below `nnz`. Deterministic.
template <class Subscripts>
[[nodiscard]] std::vector<TupleCount> estimate_tuples(const Subscripts& subscripts, offset_t nnz,
                                                      const std::vector<std::vector<int>>& sets);

/// The distinct tuples of these modes: on a host of a tensor whose subscripts never descend
/// lexicographically (`sorted`), by the nonzeros beside some hundred of them, where that is
/// possible, and else by reading all once. Deterministic, whatever the number of threads.
template <ExecutionSpace Exec, class Subscripts>
[[nodiscard]] TupleCount count_tuples(const Exec& exec, const Subscripts& subscripts, offset_t nnz,
                                      const std::vector<int>& modes, bool sorted);

}  // namespace genten

#include <genten/format/detail/tuple_count_impl.hpp>
