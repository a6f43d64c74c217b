// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "match_rows.hpp"

#include "base/names_in_option.hpp"
#include "base/usual_types.hpp"
#include "common_rows.hpp"
#include "io/table/table_columns.hpp"
#include "lacking_names.hpp"
#include "lacking_rows.hpp"
#include "mode_columns.hpp"
#include "readable_again.hpp"
#include "sidecar.hpp"
#include "table_numbers.hpp"
#include "tools/files.hpp"
#include "tools/printable.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <genten/core/compact.hpp>
#include <genten/core/mode_order.hpp>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <unordered_map>

namespace genten::cli {
namespace {

using tools::input_name;
using tools::printable;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Error::Kind::file, message);
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

/// The option that names the modes of `own` without names that `other` names, by files that are
/// called as these modes, since a file names its mode, too.
std::string labels_option(const NamedRows& own, const NamedRows& other,
                          const std::vector<int>& modes) {
  std::vector<std::string> files = mode_names(own);
  for (std::size_t n = 0; n < files.size(); ++n) {
    std::string& file = files[n];
    if (own.labels.named(n) || !other.labels.named(static_cast<std::size_t>(modes[n]))) {
      file.clear();
    } else if (file.empty() || file.find_first_of("/., '\"") != std::string::npos) {
      file = "FILE";
    }
  }
  return "--labels " + printable(tools::join(files, ","));
}

/// What makes numbers of rows of `own` of a mode's names that are numbers with zeros before them,
/// in a table that counts from `first`; "" where they are others, or beyond its rows.
std::string without_zeros(const NamedRows& own, std::size_t mode,
                          const std::vector<std::string>& names, std::size_t first) {
  std::size_t least = RowMatch::none, most = 0;
  std::string padded;
  for (const std::string& name : names) {
    const std::string number = number_in(name);
    const auto whole = genten::detail::to_whole_number(number);
    if (!whole) return "";
    least = std::min<std::size_t>(least, whole->magnitude);
    most = std::max<std::size_t>(most, whole->magnitude);
    if (padded.empty() && number != name) padded = number;
  }
  const auto fits = [&](std::size_t base) {
    return least >= base && most < base + own.dimensions[mode];
  };
  const bool from_1 = !fits(first) && !own.labels.table_base() && fits(1);  // as text counts
  if (padded.empty() || (!fits(first) && !from_1)) return "";
  return "; zeros before numbers make names of them: without these, as " + padded +
         ", they are numbers of rows of " + input_name(own.file) + ", from " +
         (from_1 ? "1 with --index-base 1" : std::to_string(first));
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
    const std::string file = input_name(own.file), name = other.labels.row(m, 0);
    const std::size_t first =
        own.labels.table_base().value_or(first_number_in(report, other.labels));
    refuse(input_name(other.file) + " names the rows of " + other.labels.mode(m) + ", as \"" +
           printable(name) + "\": expected names of those of " + file + ", got none" +
           lack_of_sidecar(own.file) + without_zeros(own, n, other.labels.rows(m), first) +
           (can_be_read_again(own.file)
                ? "; genten convert " + printable(tools::in_command(own.file)) + " NEW " +
                      labels_option(own, other, modes) +
                      " gives a model names, from files with a line for each row"
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

void tell_of_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                  const std::function<std::string(const std::vector<std::size_t>&)>& consequence,
                  const LackingEntries& left_out,
                  const std::vector<std::set<std::size_t>>& empty_numbers) {
  std::cout.flush();
  std::vector<std::size_t> absent(match.modes.size());
  std::vector<std::string> of_own;
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    Lacking found = lacking(match, n, own);
    if (!empty_numbers.empty() && !own.labels.named(n)) found.in_other = empty_numbers[n];
    if (!left_out.rows.empty()) {
      for (const std::size_t row : left_out.rows[n].rows) found.in_own.erase(row);
    }
    const auto m = static_cast<std::size_t>(match.modes[n]);
    const std::string mode = own.labels.mode(n);
    absent[n] = found.in_other.size();
    if (absent[n] != 0) {
      of_own.push_back(lacks(mode, own.file, other.file, names_of(own, n, found.in_other)));
    }
    if (!found.in_own.empty()) {
      std::cerr << "genten: note: "
                << lacks(mode, other.file, own.file, names_of(other, m, found.in_own))
                << "; there is no entry\n";
    }
  }
  if (of_own.empty()) return;
  std::cerr << "genten: note: " << tools::join(of_own, "; ") << consequence(absent) << '\n';
}

void match_longer_modes(RowMatch& match, const NamedRows& own, const NamedRows& other) {
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    const auto m = static_cast<std::size_t>(match.modes[n]);
    if (own.labels.named(n) || other.labels.named(m)) continue;
    if (own.dimensions[n] <= other.dimensions[m]) continue;
    match.rows[n].resize(other.dimensions[m]);
    std::iota(match.rows[n].begin(), match.rows[n].end(), std::size_t{0});
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

namespace {

/// What compares models of other rows of a mode.
std::string by_other_modes(const NamedRows& own, std::size_t mode) {
  std::vector<std::string> others;
  for (std::size_t n = 0; n < own.dimensions.size(); ++n) {
    const std::string& name = own.labels.mode_name(n);
    if (n != mode) others.push_back(name.empty() ? std::to_string(n + 1) : name);
  }
  return "--modes " + printable(in_command(names_in_option(others))) +
         " scores models of different rows, as of two halves of a table, by the other modes; ";
}

}  // namespace

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
             "\" are none: only models of the same rows, called alike in both, can be compared; " +
             by_other_modes(own, n) +
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

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
Sptensor<Scalar, Ordinal, HostExec> with_numbers_as_names(
    const NamedRows& own, const std::string& file, const ReadReport& report,
    const Sptensor<Scalar, Ordinal, HostExec>& tensor, Labels& labels) {
  const auto modes = modes_of_names(own, {file, labels, tensor.dimensions()}, report);
  if (modes.empty()) return tensor;
  const auto subscripts =
      genten::detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>>(
          Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing),
          tensor.subscripts().extent(0), tensor.subscripts().extent(1));
  Kokkos::deep_copy(subscripts, tensor.subscripts());
  auto dimensions = tensor.dimensions();
  const std::size_t first = first_number_in(report, labels);
  for (const std::size_t m : modes) {
    const std::vector<Ordinal> rows = genten::detail::used_rows(tensor, static_cast<int>(m));
    std::vector<std::string> names;
    for (const Ordinal row : rows) names.push_back(std::to_string(row + first));
    for (std::size_t p = 0; p < subscripts.extent(0); ++p) {
      const auto place = std::lower_bound(rows.begin(), rows.end(), subscripts(p, m));
      subscripts(p, m) = static_cast<Ordinal>(place - rows.begin());
    }
    dimensions[m] = rows.size();
    labels.name_rows(m, std::move(names), true);
  }
  return Sptensor<Scalar, Ordinal, HostExec>::trusted(HostExec(), dimensions, subscripts,
                                                      tensor.values(), SptensorFacts());
}

#define GENTEN_INSTANTIATE(SCALAR, ORDINAL)                                    \
  template Sptensor<SCALAR, ORDINAL, HostExec> with_numbers_as_names(          \
      const NamedRows& own, const std::string& file, const ReadReport& report, \
      const Sptensor<SCALAR, ORDINAL, HostExec>& tensor, Labels& labels);
GENTEN_FOR_TENSORS(GENTEN_INSTANTIATE)

}  // namespace genten::cli
