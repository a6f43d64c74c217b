// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "long_modes.hpp"

#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <iterator>
#include <string_view>

namespace genten::cli {

using namespace tools;

namespace {

/// The columns of a table without that which is the longest of these modes; none where too few
/// would be left.
std::vector<std::string> other_columns(const std::vector<ModeUse>& found,
                                       std::vector<std::string> columns) {
  constexpr std::size_t fewest = 3;
  if (columns.size() < fewest) return {};
  const auto longest =
      std::max_element(found.begin(), found.end(),
                       [](const ModeUse& a, const ModeUse& b) { return a.length < b.length; });
  columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(longest->mode));
  return columns;
}

}  // namespace

std::string long_modes_note(const std::vector<ModeUse>& modes,
                            const std::vector<std::string>& columns) {
  std::vector<ModeUse> found;
  std::copy_if(modes.begin(), modes.end(), std::back_inserter(found), is_long);
  if (found.empty()) return "";
  std::vector<std::string> told;
  for (const ModeUse& mode : found) {
    const std::string column =
        mode.mode < columns.size() ? " (" + printable(columns[mode.mode]) + ")" : "";
    told.push_back("mode " + std::to_string(mode.mode + 1) + column + " has " +
                   count_of(mode.length, "row") + ", of which " + (mode.counted ? "" : "at most ") +
                   std::to_string(mode.used) + (mode.used == 1 ? " holds" : " hold") + " nonzeros");
  }
  const auto others = other_columns(found, columns);
  return join(told, "; ") + ": " +
         (others.empty() ? ""
                         : "where a column is no mode, name the others, as in --modes " +
                               printable(join(others, ",")) + "; ") +
         "if subscripts are ids, genten convert --compact numbers those that occur";
}

std::string single_times_note(const TensorFacts& facts) {
  if (!facts.report.table) return "";
  const auto& rows = facts.report.table->rows;
  std::vector<std::string> told;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const auto name_of = [&](std::size_t i) -> std::string_view { return rows[n][i]; };
    if (!are_single_times(rows[n].size(), facts.nnz, name_of)) continue;
    told.push_back("mode " + std::to_string(n + 1) + " (" +
                   printable(facts.report.table->modes[n]) + ") has " +
                   count_of(rows[n].size(), "time") + " for " + count_of(facts.nnz, "nonzero"));
  }
  if (told.empty()) return "";
  return join(told, "; ") +
         ": nearly every nonzero is a slice of its own, in which nothing recurs; cut the times in "
         "the file, as to days, their first 10 characters, or hours, their first 13";
}

}  // namespace genten::cli
