// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// --partial: modes of which a file has some rows alone, as the last weeks.

#include "lacking_rows.hpp"
#include "match_rows.hpp"

#include <genten/core/mode_selection.hpp>

#include <iosfwd>
#include <set>
#include <vector>

namespace CLI {
class App;
}

namespace genten::cli {

/// By mode the rows of a model that count; none in modes of which all do.
using CountingRows = std::vector<std::vector<std::size_t>>;

/// Adds --partial.
void add_partial(CLI::App& app, ModeSelection& partial);
/// Puts numbers in place of the names of modes. Throws a usage error for modes that `own` lacks.
void number_partial(ModeSelection& partial, const NamedRows& own);

/// Which entries in rows of the model that a file lacks do not count.
struct AbsentRows {
  const ModeSelection& partial;
  bool misses_unlisted;  ///< no entry counts that the file does not list
};
/// `tell_of_rows`, with the number of entries, in rows of `own` that `other` lacks, which are
/// compared with zeros, and the option that leaves them out.
void tell_of_absent_rows(const AbsentRows& absent, const RowMatch& match, const NamedRows& own,
                         const NamedRows& other, const LackingEntries& left_out,
                         const std::vector<std::set<std::size_t>>& empty_numbers);

/// In modes of which the file has some rows alone, these: the ones with entries. All of other modes
/// count, and of a tensor without entries.
template <class Tensor>
[[nodiscard]] CountingRows rows_that_count(const ModeSelection& partial, const NamedRows& own,
                                           const Tensor& tensor) {
  CountingRows rows(own.dimensions.size());
  if (partial.empty() || tensor.dimensions() != own.dimensions) return rows;
  const auto empty = empty_rows(tensor, own);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (!partial.contains(static_cast<int>(n)) || empty[n].empty()) continue;
    for (std::size_t i = 0; i < own.dimensions[n]; ++i) {
      if (!empty[n].contains(i)) rows[n].push_back(i);
    }
  }
  return rows;
}
/// Prints how many these are, by mode.
void print_counting(std::ostream& out, const NamedRows& own, const CountingRows& rows);

}  // namespace genten::cli
