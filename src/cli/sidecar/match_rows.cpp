// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "match_rows.hpp"

#include "sidecar.hpp"
#include "tools/files.hpp"
#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <genten/core/mode_order.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <unordered_map>

namespace genten::cli {
namespace {

using tools::input_name;
using tools::join;
using tools::printable;

constexpr std::size_t most_named = 3;  ///< rows that a message names

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

/// "mode 2 (sex): b.tns has rows that a.gkt lacks: "man", "woman" and 3 more".
std::string lacks(const std::string& mode, const std::string& with, const std::string& without,
                  const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) {
    shown.push_back("\"" + printable(names[i]) + "\"");
  }
  const std::size_t more = names.size() - shown.size();
  return mode + ": " + input_name(with) + (names.size() == 1 ? " has a row" : " has rows") +
         " that " + input_name(without) + " lacks: " + join(shown, ", ") +
         (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::vector<std::string> names_of(const NamedRows& of, std::size_t mode,
                                  const std::set<std::size_t>& rows) {
  std::vector<std::string> names;
  for (const std::size_t row : rows) {
    const bool named = of.labels.named(mode) && row < of.labels.count(mode);
    names.push_back(named ? of.labels.row(mode, row) : std::to_string(row + 1));
  }
  return names;
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

}  // namespace

bool may_have_names(const std::string& file) {
  std::error_code ignored;
  return !file.empty() && file != "-" &&
         std::filesystem::is_regular_file(file + ".labels.json", ignored);
}

Labels names_of_pair(const std::string& file, const std::string& other,
                     const std::vector<std::size_t>& dimensions) {
  return may_have_names(other) ? labels_of("", file, dimensions) : Labels(dimensions.size());
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

void require_names(const NamedRows& own, const NamedRows& other, const ReadReport& report) {
  if (!report.table || own.dimensions.size() != other.dimensions.size()) return;
  const std::vector<int> modes = match_modes(own, other);
  for (std::size_t n = 0; n < modes.size(); ++n) {
    const auto m = static_cast<std::size_t>(modes[n]);
    if (own.labels.named(n) || !other.labels.named(m)) continue;
    refuse(input_name(other.file) + " names the rows of " + other.labels.mode(m) +
           ": expected names of those of " + input_name(own.file) + ", got none");
  }
}

void refuse_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                 const std::vector<std::set<std::size_t>>& rows) {
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (rows[n].empty()) continue;
    const auto m = static_cast<std::size_t>(match.modes[n]);
    refuse(lacks(own.labels.mode(n), other.file, own.file, names_of(other, m, rows[n])));
  }
}

void tell_of_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                  const std::string& consequence) {
  std::cout.flush();
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    const Lacking found = lacking(match, n, own);
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

void require_same_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other) {
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    const Lacking found = lacking(match, n, own);
    const auto m = static_cast<std::size_t>(match.modes[n]);
    const std::string mode = own.labels.mode(n);
    if (!match.rows[n].empty() && match.rows[n].size() != other.dimensions[m]) {
      refuse(input_name(other.file) + ": names for " + std::to_string(match.rows[n].size()) +
             " rows of " + other.labels.mode(m) + ", which has " +
             std::to_string(other.dimensions[m]));
    }
    if (!found.in_other.empty()) {
      refuse(lacks(mode, own.file, other.file, names_of(own, n, found.in_other)));
    }
    if (!found.in_own.empty()) {
      refuse(lacks(mode, other.file, own.file, names_of(other, m, found.in_own)));
    }
  }
}

}  // namespace genten::cli
