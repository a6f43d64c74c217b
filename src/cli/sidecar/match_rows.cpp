// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "match_rows.hpp"

#include "base/names_in_option.hpp"
#include "common_rows.hpp"
#include "lacking_names.hpp"
#include "lacking_rows.hpp"
#include "readable_again.hpp"
#include "sidecar.hpp"
#include "table_numbers.hpp"
#include "tools/files.hpp"
#include "tools/mode_names.hpp"
#include "tools/printable.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <genten/core/mode_order.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <unordered_map>

namespace genten::cli {
namespace {

using tools::input_name;
using tools::join;
using tools::printable;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Error::Kind::file, message);
}

/// The names of modes, "" for one that stands for none.
std::vector<std::string> mode_names(const NamedRows& of) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < of.dimensions.size(); ++n) {
    const std::string& name = of.labels.mode_name(n);
    names.push_back(name == Labels::numbered(n) ? "" : name);
  }
  return names;
}

/// The mode of each name of `own` in `other`.
std::vector<int> match_modes(const NamedRows& own, const NamedRows& other) {
  const auto mine = mode_names(own), theirs = mode_names(other);
  std::vector<int> modes = natural_mode_order(mine.size());
  bool same = true;
  std::string conflict;
  std::set<int> seen;
  for (std::size_t n = 0; n < mine.size(); ++n) {
    const auto place = std::find(theirs.begin(), theirs.end(), mine[n]);
    const auto at = static_cast<std::size_t>(place - theirs.begin());
    same =
        same && !mine[n].empty() && at < theirs.size() && seen.insert(static_cast<int>(at)).second;
    if (mine[n].empty() || theirs[n] == mine[n] || at == theirs.size()) continue;
    conflict = input_name(own.file) + ": mode " + std::to_string(n + 1) + " is called \"" +
               printable(mine[n]) + "\", which is mode " + std::to_string(at + 1) + " of " +
               input_name(other.file);
  }
  if (conflict.empty()) return modes;
  if (!same) refuse(conflict + ": expected modes in the same order, or all of the same names");
  for (std::size_t n = 0; n < mine.size(); ++n) {
    modes[n] = static_cast<int>(std::find(theirs.begin(), theirs.end(), mine[n]) - theirs.begin());
  }
  return modes;
}

std::size_t count_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::count(names.begin(), names.end(), name));
}

std::string in_words(const std::vector<std::string>& names) {
  return printable(join(names, ", "));
}

/// --modes with these names.
std::string modes_option(const std::vector<std::string>& names) {
  return printable(tools::in_words(error_text::option("modes", names_in_option(names))));
}

/// What to do where no column has the names of some modes: `columns` are those of the table but
/// that of its values.
std::string way_to_columns(const std::vector<std::string>& names,
                           const std::vector<std::string>& columns,
                           const std::vector<std::string>& lacking, bool takes_modes) {
  std::vector<std::string> others;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(others),
               [&](const std::string& column) { return count_of(names, column) == 0; });
  if (others.size() < lacking.size()) {
    return "add " + std::string(lacking.size() == 1 ? "the column " : "the columns ") +
           in_words(lacking);
  }
  std::vector<std::string> chosen;
  for (const std::string& name : names) {
    const bool is_there = count_of(columns, name) != 0;
    chosen.push_back(is_there ? name : others.front());
    if (!is_there) others.erase(others.begin());
  }
  return takes_modes ? "name the columns in the order of the modes, as in " + modes_option(chosen)
                     : "give the columns the names of the modes";
}

/// The mode of which a column's name is a row, if any; `order` for none.
std::size_t mode_of_entry(const NamedRows& own, const std::vector<std::string>& columns) {
  const std::size_t order = own.dimensions.size();
  for (std::size_t n = 0; n < order; ++n) {
    if (!own.labels.named(n)) continue;
    for (std::size_t i = 0; i < own.labels.count(n); ++i) {
      if (count_of(columns, own.labels.row(n, i)) != 0) return n;
    }
  }
  return order;
}

/// Throws Error unless all names of modes are among a table's columns, and where its first line has
/// the names of rows.
void require_columns(const NamedRows& own, const std::string& file,
                     const std::vector<std::string>& columns, bool takes_modes = true,
                     const std::string& values = "") {
  std::vector<std::string> names, lacking;
  for (const std::string& name : mode_names(own)) {
    if (name.empty()) continue;
    names.push_back(name);
    if (count_of(columns, name) == 0) lacking.push_back(name);
  }
  if (!names.empty() && lacking.empty()) return;
  std::vector<std::string> others = columns;
  std::erase(others, values);
  const nlohmann::json run = run_beside(own.file);
  const nlohmann::json of_run = run.is_object() ? run.value("values", nlohmann::json()) : run;
  if (of_run.is_string()) std::erase(others, of_run.get<std::string>());
  const std::size_t mode = mode_of_entry(own, columns);
  const bool is_entry = mode < own.dimensions.size();
  if (names.empty() && !is_entry) return;
  std::vector<std::string> header;
  for (std::size_t n = 0; n < own.dimensions.size(); ++n) {
    header.push_back(names.empty() ? "mode" + std::to_string(n + 1) : own.labels.mode_name(n));
  }
  if (columns.size() > header.size()) {  // the values most often come last
    const std::string given = values.empty() ? "value" : values;
    header.push_back(of_run.is_string() ? of_run.get<std::string>() : given);
  }
  const std::string line = printable(names_in_option(header));
  if (!is_entry) {
    throw Error::in_file(
        file, 1,
        "expected columns called as the modes of " + input_name(own.file) + ", " + in_words(names) +
            ", got " + in_words(columns) +
            (lacking.size() < names.size() ? ", none called " + in_words(lacking) : "") +
            ": put the line " + line + " before a first line that is an entry, or " +
            way_to_columns(names, others, lacking, takes_modes));
  }
  const std::string expected = names.empty()
                                   ? "that names the columns"
                                   : "that names columns as the modes of " + input_name(own.file) +
                                         " are called, " + in_words(names);
  throw Error::in_file(file, 1,
                       "expected a first line " + expected + ", got " + in_words(columns) +
                           ", which is an entry, since it names a row of " + own.labels.mode(mode) +
                           ": put the line " + line + " before it");
}

/// Says that columns are modes by their places, where modes have no names.
void tell_of_places(const NamedRows& own, const std::string& file,
                    const std::vector<std::string>& columns) {
  const auto names = mode_names(own);
  if (columns.size() < 2 || count_of(names, "") != names.size()) return;
  std::cout.flush();
  std::cerr << "genten: note: " << input_name(file) << ": columns " << in_words(columns)
            << " are modes 1 to " << columns.size() << " of " << input_name(own.file)
            << ", whose modes have no names\n";
}

/// Rows of `other` that are none of `own`, of a mode of this, and the reverse.
struct Lacking {
  std::set<std::size_t> in_own, in_other;
};
Lacking lacking(const RowMatch& match, std::size_t n, const NamedRows& own) {
  Lacking found;
  if (match.rows[n].empty()) return found;
  for (std::size_t i = 0; i < own.dimensions[n]; ++i) found.in_other.insert(i);
  for (std::size_t i = 0; i < match.rows[n].size(); ++i) {
    if (match.rows[n][i] == RowMatch::none) {
      found.in_own.insert(i);
    } else {
      found.in_other.erase(match.rows[n][i]);
    }
  }
  return found;
}

/// Throws Error where the names of a mode are not as many as its rows.
void require_as_many(const RowMatch& match, std::size_t n, const NamedRows& other) {
  const auto m = static_cast<std::size_t>(match.modes[n]);
  const std::size_t names = match.rows[n].size();
  if (names == 0 || names == other.dimensions[m]) return;
  refuse(input_name(other.file) + ": names for " + std::to_string(names) + " rows of " +
         other.labels.mode(m) + ", which has " + std::to_string(other.dimensions[m]));
}

}  // namespace

Labels names_of_pair(const std::string& file, const std::string& other,
                     const std::vector<std::size_t>& dimensions) {
  const bool counts = may_have_names(other) || has_number_names_beside(file);
  return counts ? labels_of("", file, dimensions) : Labels(dimensions.size());
}

bool RowMatch::is_by_number() const {
  return std::is_sorted(modes.begin(), modes.end()) &&
         std::all_of(rows.begin(), rows.end(), [](const auto& each) { return each.empty(); });
}

RowMatch match_rows(const NamedRows& own, const NamedRows& other) {
  RowMatch match{natural_mode_order(own.dimensions.size())};
  match.rows.resize(own.dimensions.size());
  if (own.dimensions.size() != other.dimensions.size()) return match;  // as others will say
  match.modes = match_modes(own, other);
  require_same_numbers(own, other, match.modes);
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    const auto m = static_cast<std::size_t>(match.modes[n]);
    if (!own.labels.named(n) || !other.labels.named(m)) continue;
    // A text that knows entries alone may have names of slices behind its last one.
    const std::size_t mine = std::min(own.labels.count(n), own.dimensions[n]);
    const std::size_t theirs = other.labels.count(m);
    std::unordered_map<std::string, std::size_t> places;
    std::set<std::string> several;
    for (std::size_t i = 0; i < mine; ++i) {
      const std::string name = own.labels.row(n, i);
      if (!places.emplace(name, i).second) several.insert(name);
    }
    bool same = mine == own.dimensions[n] && theirs >= other.dimensions[m];
    std::vector<std::size_t> rows;
    std::set<std::string> met;
    std::string twice;
    for (std::size_t i = 0; i < theirs; ++i) {
      const std::string name = other.labels.row(m, i);
      const auto place = places.find(name);
      rows.push_back(place == places.end() ? RowMatch::none : place->second);
      same = same && i < mine && name == own.labels.row(n, i);
      if (!met.insert(name).second || several.contains(name)) twice = name;
    }
    if (same && theirs == mine) continue;  // by number, names that stand for several rows too
    if (!twice.empty()) {
      refuse(own.labels.mode(n) + ": several rows of " + input_name(own.file) + " or " +
             input_name(other.file) + " are called \"" + printable(twice) + "\"");
    }
    match.rows[n] = std::move(rows);
  }
  return match;
}

void require_no_ids_beside_rows(const NamedRows& own, const NamedRows& other) {
  if (own.dimensions.size() != other.dimensions.size()) return;
  const std::vector<int> modes = match_modes(own, other);
  const auto check = [](const NamedRows& with, std::size_t n, const NamedRows& without,
                        std::size_t m) {
    if (!with.labels.are_numbers(n) || without.labels.named(m)) return;
    refuse(with.labels.mode(n) + ": " + input_name(with.file) +
           " calls its rows by numbers, such "
           "as \"" +
           with.labels.row(n, 0) + "\", as --compact has them, and those of " +
           input_name(without.file) + " have no names" + lack_of_sidecar(without.file) +
           ": expected both with --compact or both without");
  };
  for (std::size_t n = 0; n < modes.size(); ++n) {
    const auto m = static_cast<std::size_t>(modes[n]);
    check(own, n, other, m);
    check(other, m, own, n);
  }
}

void require_names(const NamedRows& own, const NamedRows& other, const ReadReport& report,
                   bool by_place) {
  if (!report.table || own.dimensions.size() != other.dimensions.size()) return;
  const auto& columns = report.table->modes;
  if (!by_place) {
    require_columns(own, other.file, columns);
    tell_of_places(own, other.file, columns);
  }
  const std::vector<int> modes = match_modes(own, other);
  for (std::size_t n = 0; n < modes.size(); ++n) {
    const auto m = static_cast<std::size_t>(modes[n]);
    if (own.labels.named(n) || !other.labels.named(m)) continue;
    const std::string file = input_name(own.file);
    refuse(input_name(other.file) + " names the rows of " + other.labels.mode(m) +
           ": expected names of those of " + file + ", got none" + lack_of_sidecar(own.file) +
           (can_be_read_again(own.file)
                ? "; genten convert " + file + " NEW --labels FILE,... gives a model names"
                : ""));
  }
}

void tell_of_rows_by_number(const NamedRows& own, const std::string& file, const ReadReport& report,
                            const std::vector<std::size_t>& used) {
  if (report.table || may_have_names(file) || used == own.dimensions) return;
  if (!may_have_names(own.file) && !is_table_file(own.file, {})) return;
  if (used.size() != own.dimensions.size()) return;  // as others will say
  std::size_t mode = 0;
  while (mode < used.size() && (!own.labels.named(mode) || own.labels.are_numbers(mode))) ++mode;
  if (mode == used.size()) return;
  std::cout.flush();
  std::cerr << "genten: note: " << input_name(file) << ": rows go by their numbers, since those of "
            << own.labels.mode(mode) << " have names in " << input_name(own.file)
            << " and none here"
            << (can_be_read_again(file)
                    ? " (was it copied without " + input_name(file) + ".labels.json?)"
                    : std::string(names_through_pipes))
            << '\n';
}

std::vector<std::size_t> modes_of_names(const NamedRows& own, const NamedRows& other,
                                        const ReadReport& report) {
  std::vector<std::size_t> found;
  if (own.dimensions.size() != other.dimensions.size()) return found;
  const std::vector<int> modes = match_modes(own, other);
  for (std::size_t n = 0; n < modes.size(); ++n) {
    const auto m = static_cast<std::size_t>(modes[n]);
    if (!own.labels.named(n) || other.labels.named(m)) continue;
    if (report.table || own.labels.any_numbers()) found.push_back(m);
  }
  return found;
}

void require_columns_for_modes(const NamedRows& own, const std::string& file,
                               const ReadOptions& read) {
  const std::size_t order = own.dimensions.size();
  if (!read.modes.empty() || own.labels.any()) return;
  auto columns = table_columns(file, read);
  std::erase(columns, read.values);
  if (columns.empty() || columns.size() == order) return;
  columns.resize(std::max(columns.size(), order), "NAME");
  const std::vector<std::string> first(columns.begin(),
                                       columns.begin() + static_cast<std::ptrdiff_t>(order));
  throw Error::in_file(input_name(file), 1,
                       "expected columns as the modes of " + input_name(own.file) +
                           " are called, which have no names" + lack_of_sidecar(own.file) +
                           "; or say which columns are its modes, in their order, as in " +
                           modes_option(first));
}

ReadOptions by_names_of(const NamedRows& own, const std::string& file, ReadOptions read,
                        bool of_values, const std::string& remedy) {
  if (is_table_file(file, read)) number_as(own, file, read, remedy);
  const auto names = mode_names(own);
  if (!read.modes.empty() || count_of(names, "") != 0) return read;
  const auto columns = table_columns(file, read);
  if (columns.empty()) return read;
  require_columns(own, file, columns, remedy != remedy_of_list, read.values);
  std::vector<std::string> others;
  for (const std::string& column : columns) {
    if (count_of(names, column) == 0 && column != read.values) others.push_back(column);
  }
  // Of a tensor one of these may be its values: who reads it says so.
  if (!others.empty() && of_values && read.values.empty()) return read;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(read.modes),
               [&](const std::string& column) { return count_of(names, column) != 0; });
  if (!others.empty()) {
    std::cout.flush();
    std::cerr << "genten: note: " << input_name(file) << ": "
              << (others.size() == 1 ? "column " : "columns ") << in_words(others)
              << (others.size() == 1 ? " is" : " are") << " not used\n";
  }
  return read;
}

void tell_of_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                  const std::string& consequence, const LackingEntries& left_out,
                  const std::vector<std::set<std::size_t>>& empty_numbers) {
  std::cout.flush();
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    Lacking found = lacking(match, n, own);
    if (!empty_numbers.empty() && !own.labels.named(n)) found.in_other = empty_numbers[n];
    if (!left_out.rows.empty()) {
      for (const std::size_t row : left_out.rows[n].rows) found.in_own.erase(row);
    }
    const auto m = static_cast<std::size_t>(match.modes[n]);
    const std::string mode = own.labels.mode(n);
    if (!found.in_other.empty()) {
      std::cerr << "genten: note: "
                << lacks(mode, own.file, other.file, names_of(own, n, found.in_other))
                << consequence << '\n';
    }
    if (!found.in_own.empty()) {
      std::cerr << "genten: note: "
                << lacks(mode, other.file, own.file, names_of(other, m, found.in_own))
                << "; there is no entry\n";
    }
  }
}

void require_names_of_guess(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                            bool is_table) {
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    const auto m = static_cast<std::size_t>(match.modes[n]);
    const bool mine = own.labels.named(n), theirs = other.labels.named(m);
    const std::string mode =
        own.labels.mode_name(n).empty() ? other.labels.mode(m) : own.labels.mode(n);
    if (theirs && !mine && (is_table || other.labels.are_numbers(m))) {
      refuse(mode + ": the rows of " + input_name(other.file) + " have names, such as \"" +
             printable(other.labels.row(m, 0)) + "\", and " + input_name(own.file) +
             " has numbers: expected " +
             (other.labels.are_numbers(m) ? "--compact, by which numbers are names"
                                          : "--labels, which names its rows"));
    }
    if (mine && !theirs && own.labels.are_numbers(n)) {
      refuse(mode + ": the rows of " + input_name(own.file) + " go by names, by --compact, and " +
             input_name(other.file) + " has none" + lack_of_sidecar(other.file) +
             ": leave out --compact, or begin at a model that was made with it");
    }
  }
}

void require_rows_of_guess(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                           const std::vector<int>& fixed) {
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    const Lacking found = lacking(match, n, own);
    const auto m = static_cast<std::size_t>(match.modes[n]);
    const std::string mode = own.labels.mode(n);
    require_as_many(match, n, other);
    if (!found.in_own.empty()) {
      refuse(lacks(mode, other.file, own.file, names_of(other, m, found.in_own)) +
             ": expected all data, old and new; genten update takes new slices alone");
    }
    if (found.in_other.empty()) continue;
    const std::string text = lacks(mode, own.file, other.file, names_of(own, n, found.in_other));
    if (std::find(fixed.begin(), fixed.end(), static_cast<int>(n)) != fixed.end()) {
      refuse(text + "; rows of a fixed mode cannot be guessed");
    }
    std::cout.flush();
    std::cerr << "genten: note: " << text << "; these begin at the mean of the other rows\n";
  }
}

void require_same_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other) {
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    const Lacking found = lacking(match, n, own);
    const auto m = static_cast<std::size_t>(match.modes[n]);
    const std::string mode = own.labels.mode(n);
    require_as_many(match, n, other);
    if (!found.in_other.empty()) {
      refuse(lacks(mode, own.file, other.file, names_of(own, n, found.in_other)));
    }
    if (!found.in_own.empty()) {
      refuse(lacks(mode, other.file, own.file, names_of(other, m, found.in_own)));
    }
  }
}

CommonRows rows_in_common(const RowMatch& match, const NamedRows& own, const NamedRows& other) {
  CommonRows common;
  const std::size_t order = match.modes.size();
  common.own.resize(order);
  common.other.resize(order);
  for (std::size_t n = 0; n < order; ++n) {
    require_as_many(match, n, other);
    for (std::size_t i = 0; i < match.rows[n].size(); ++i) {
      if (match.rows[n][i] == RowMatch::none) continue;
      common.own[n].push_back(match.rows[n][i]);
      common.other[n].push_back(i);
    }
    if (!match.rows[n].empty() && common.own[n].empty()) {
      refuse(own.labels.mode(n) + ": " + input_name(own.file) + " and " + input_name(other.file) +
             " have no row in common, as \"" + printable(own.labels.row(n, 0)) + "\" and \"" +
             printable(other.labels.row(static_cast<std::size_t>(match.modes[n]), 0)) +
             "\" are none: only models of the same rows, called alike in both, can be compared; "
             "where only the names differ, genten convert MODEL NEW --labels FILE,... gives a "
             "model others");
    }
  }
  std::cout.flush();
  for (std::size_t n = 0; n < order; ++n) {
    const Lacking found = lacking(match, n, own);
    const auto m = static_cast<std::size_t>(match.modes[n]);
    const auto tell = [&](const NamedRows& with, const NamedRows& without,
                          const std::vector<std::string>& names) {
      if (names.empty()) return;
      std::cerr << "genten: note: " << lacks(own.labels.mode(n), with.file, without.file, names)
                << "; rows that both have are compared\n";
    };
    tell(own, other, names_of(own, n, found.in_other));
    tell(other, own, names_of(other, m, found.in_own));
  }
  return common;
}

}  // namespace genten::cli
