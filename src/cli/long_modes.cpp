// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "long_modes.hpp"

#include "base/names_in_option.hpp"
#include "tools/hints/date_forms.hpp"
#include "tools/hints/unused_columns.hpp"
#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <genten/io/table.hpp>
#include <genten/run/notes.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

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

std::string mode_of(const TableNames& table, std::size_t n) {
  return "mode " + std::to_string(n + 1) + " (" + printable(table.modes[n]) + ") has ";
}

/// On names that somebody may have meant to be the same; "" of none.
std::string alike_names_note(const TableNames& table) {
  std::vector<std::string> told;
  for (std::size_t n = 0; n < table.rows.size(); ++n) {
    const AlikeNames found = alike_names(table.rows[n]);
    if (found.count == 0) continue;
    told.push_back(mode_of(table, n) + text_of(found, "name", "another", '"'));
  }
  return told.empty() ? "" : join(told, "; ") + ": each has a row of its own";
}

/// On dates in several forms; "" of none.
std::string date_forms_note(const TableNames& table) {
  std::vector<std::string> told;
  for (std::size_t n = 0; n < table.rows.size(); ++n) {
    const std::string found = several_date_forms(table.rows[n], '"');
    if (!found.empty()) told.push_back(mode_of(table, n) + found);
  }
  return told.empty() ? "" : join(told, "; ") + ": " + date_forms_remedy;
}

/// On these names of rows, by mode, with what to do; "" of none.
std::string names_note(const TableNames& table, const std::vector<std::vector<std::string>>& found,
                       const char* remedy) {
  std::vector<std::string> told;
  for (std::size_t n = 0; n < table.rows.size(); ++n) {
    std::vector<std::string> words;
    for (const std::string& name : found[n]) {
      words.push_back('"' + printable(name) + '"');
    }
    if (words.empty()) continue;
    told.push_back(mode_of(table, n) + (words.size() == 1 ? "a row" : "rows") + " called " +
                   join(words, ", "));
  }
  return told.empty() ? "" : join(told, "; ") + ": " + remedy;
}

}  // namespace

std::vector<std::string> notes_on_names(const ReadReport& report, bool looks_at_numbers) {
  std::vector<std::string> notes;
  if (!report.table) return notes;
  const TableNames& table = *report.table;
  std::vector<std::vector<std::string>> missing;
  for (const auto& rows : table.rows) missing.push_back(missing_names(rows));
  // Words for missing values are names in quotes alone, where a program quotes all fields; marks
  // such as dashes are names everywhere.
  for (std::string note :
       {alike_names_note(table), date_forms_note(table),
        names_note(table, missing,
                   "such a word is a name; where it stands for a missing value, leave "
                   "its entries out"),
        names_note(table, margin_names(table.rows, table.modes, !looks_at_numbers),
                   margins_remedy)}) {
    if (!note.empty()) notes.push_back(std::move(note));
  }
  return notes;
}

namespace {

/// Which columns of texts that became modes are numbers with a unit, or beside words for missing
/// ones, where nobody has named the values, as a note; "" for none.
std::string units_note(const TensorFacts& facts) {
  const auto& table = facts.report.table;
  if (!table || !table->ones || facts.modes_given) return "";
  std::vector<std::string> told;
  for (std::size_t n = 0; n < table->modes.size(); ++n) {
    const auto& rows = table->rows[n];
    const std::string& column = table->modes[n];
    const auto name_of = [&](std::size_t i) -> const std::string& { return rows[i]; };
    if (const auto words = words_among_numbers(column, rows.size(), name_of); !words.empty()) {
      told.push_back(
          printable("column '" + column + "' holds numbers and '" + join(words, "', '") +
                    "', and is a mode: if they are values, leave out the rows of such words, or "
                    "write what they are to count as, and give " +
                    in_words(error_text::option("values", column))));
    }
    const auto unit = tools::unit_of(rows.size(), name_of);
    if (!unit || unit->empty()) continue;
    const std::string word = printable(unit->substr(unit->find_first_not_of(' ')));
    told.push_back("column '" + printable(column) + "' holds numbers with the unit '" + word +
                   "' as texts, and is a mode: if they are values, write them without '" + word +
                   "' and give " + printable(in_words(error_text::option("values", column))));
  }
  if (told.empty()) return "";
  return join(told, "; ") + "; " +
         printable(in_words(error_text::option("modes", names_in_option(table->modes)))) +
         " says that they are not";
}

/// Which columns a table has that are neither modes nor values, where rows are counted for want of
/// values, as a note; "" for none. Those of pipes and of names in another encoding are not known.
std::string unused_note(const TensorFacts& facts) {
  const auto& table = facts.report.table;
  if (!table || !table->ones || !facts.modes_given) return "";
  std::vector<std::string> left = table_columns(facts.file, {});
  for (const std::string& mode : table->modes) {
    if (std::erase(left, mode) == 0) return "";
  }
  if (left.empty()) return "";
  const auto all = table_columns(facts.file, {});
  const auto unnamed = std::find(all.begin(), all.end(), "") - all.begin();
  std::replace(left.begin(), left.end(), std::string(),
               std::to_string(unnamed + 1) + " (without a name)");
  return printable(unused_columns_note(left, false, [](const std::string& column) {
    return in_words(error_text::option("values", column));
  }));
}

}  // namespace

EntryFacts entry_facts(const TensorFacts& facts) {
  EntryFacts known{.is_list = lists_entries(facts.report)};
  if (facts.merged_by == Duplicates::sum) known.added_up = facts.report.duplicates;
  known.as_listed = facts.report.as_listed;
  for (const std::string& name : columns_of(facts.report)) {
    known.mode_names.push_back(printable(name));
  }
  return known;
}

std::vector<std::string> notes_on_reading(const TensorFacts& facts) {
  const bool looks_at_numbers = facts.report.table && !facts.report.table->ones &&
                                static_cast<std::size_t>(facts.nnz) <= most_looked_at;
  std::vector<std::string> notes = notes_on_names(facts.report, looks_at_numbers);
  if (auto note = units_note(facts); !note.empty()) notes.push_back(std::move(note));
  if (auto note = unused_note(facts); !note.empty()) notes.push_back(std::move(note));
  if (auto note = base_note(facts); !note.empty()) notes.insert(notes.begin(), std::move(note));
  if (auto note = describe_rounded(facts.report); !note.empty()) notes.push_back(std::move(note));
  return notes;
}

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
         (others.empty()
              ? ""
              : "where a column is no mode, name the others, as in " +
                    printable(in_words(error_text::option("modes", names_in_option(others)))) +
                    "; ") +
         "if subscripts are ids, --compact makes rows of those that occur, and names of the ids";
}

std::string single_rows_note(const TensorFacts& facts, const std::vector<std::size_t>& used) {
  if (!facts.report.table || used.size() < 2) return "";
  const auto& modes = facts.report.table->modes;
  const auto& rows = facts.report.table->rows;
  std::vector<std::string> told;
  bool times = false, others = false;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const bool named = !rows[n].empty();
    const std::size_t count = named ? rows[n].size() : used[n];
    const auto name_of = [&](std::size_t i) -> std::string_view {
      return named ? std::string_view(rows[n][i]) : std::string_view();
    };
    const SingleRows found = single_rows(count, facts.nnz, name_of);
    if (found == SingleRows::none) continue;
    (found == SingleRows::times ? times : others) = true;
    told.push_back("mode " + std::to_string(n + 1) + " (" + printable(modes[n]) + ") has " +
                   count_of(count, found == SingleRows::times ? "time"
                                   : named                    ? "name"
                                                              : "number") +
                   " for " + count_of(facts.nnz, "nonzero"));
  }
  if (told.empty()) return "";
  return join(told, "; ") + ": slices with so few nonzeros hold little that recurs; " +
         (times ? "cut times in the file, as to days or hours (of 2024-05-03T12:30 the first 10 or "
                  "13 characters)"
                : "") +
         (times && others ? "; " : "") +
         (others ? "a column of ids, or of numbers of rows, is no mode: --modes names the others"
                 : "");
}

namespace {

/// On rows that hold the sums of the others without being called so, and on those that are called
/// by ordinary words and hold sums or means.
std::vector<std::string> margins_notes(const TableNames& table, const ModesOfTable& modes) {
  if (table.ones) return {};
  const auto words = margins_by_numbers(modes, table.rows);
  auto margins = margin_names(table.rows, table.modes, false);
  for (std::size_t n = 0; n < words.size(); ++n) {
    margins[n].insert(margins[n].end(), words[n].begin(), words[n].end());
  }
  const auto found = summed_rows(modes);
  std::vector<std::string> told;
  for (std::size_t n = 0; n < found.size(); ++n) {
    const auto quoted = [&](std::size_t row) { return '"' + printable(table.rows[n][row]) + '"'; };
    for (const SummedRow& sum : found[n]) {
      const std::string& name = table.rows[n][sum.row];
      if (std::find(margins[n].begin(), margins[n].end(), name) != margins[n].end()) continue;
      told.push_back(mode_of(table, n) + "a row " + quoted(sum.row) + " that " +
                     about_summed_row(sum, quoted));
    }
  }
  return {names_note(table, words, margins_remedy), join(told, "; ")};
}

}  // namespace

std::vector<std::string> notes_on_numbers(const TensorFacts& facts, const ModesOfTable& modes) {
  const TableNames& table = *facts.report.table;
  const bool merged = facts.report.duplicates != 0;
  std::vector<std::string> notes = margins_notes(table, modes);
  const auto wide =
      merged || facts.modes_given ? std::vector<std::size_t>() : wide_columns(modes, table.modes);
  if (!wide.empty()) {
    std::vector<std::string> numbers, others;
    for (std::size_t n = 0; n < table.modes.size(); ++n) {
      const bool is_wide = std::find(wide.begin(), wide.end(), n) != wide.end();
      (is_wide ? numbers : others).push_back(printable(table.modes[n]));
    }
    notes.push_back(
        "columns " + join(numbers, ", ") +
        " hold whole numbers, and are modes beside the column of values, though the other "
        "columns tell all rows apart: --modes says which columns are modes" +
        (others.size() < 2 ? "" : ", as --modes " + names_in_option(others)) +
        "; if columns hold one quantity, as those of months, make one column of them (in pandas, "
        "df.melt)");
  } else if (!facts.modes_given) {
    notes.push_back(in_words(measures_note(measures_in(modes, table.modes, merged), table.modes)));
  }
  std::erase(notes, "");
  return notes;
}

}  // namespace genten::cli
