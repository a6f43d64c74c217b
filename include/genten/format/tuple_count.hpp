// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How many distinct tuples of subscripts occur, where they are few beside the nonzeros.

#include <genten/base/types.hpp>

#include <optional>
#include <vector>

namespace genten {

/// The distinct tuples of some modes' subscripts that occur.
struct TupleCount {
  std::vector<int> modes;  ///< ascending
  double tuples = 0.0;     ///< within some per cent
  bool operator==(const TupleCount&) const = default;
};

/// Of all sets of modes that leave one mode out, the one with the fewest distinct tuples, if there
/// are at most `most`; empty for fewer than three modes. `subscripts(p, mode)` gives those of
/// nonzero p, below `nnz`; `sorted`: whether they never descend lexicographically.
///
/// In most tensors it looks at some thousand nonzeros alone. Where there may be so few tuples by
/// what those tell, it looks at the nonzeros beside some hundred of them in a sorted tensor, and
/// reads all of another once. Deterministic, whatever the number of threads.
template <ExecutionSpace Exec, class Subscripts>
requires is_host_space<Exec>
[[nodiscard]] std::optional<TupleCount> count_tuples(const Exec& exec, const Subscripts& subscripts,
                                                     offset_t nnz, int order, double most,
                                                     bool sorted);

}  // namespace genten

#include <genten/format/detail/tuple_count_impl.hpp>
