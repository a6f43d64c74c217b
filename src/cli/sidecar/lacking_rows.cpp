// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "lacking_rows.hpp"

#include "lacking_names.hpp"
#include "options_of_run.hpp"
#include "readable_again.hpp"
#include "sidecar.hpp"
#include "tools/files.hpp"
#include "tools/hints/alike_names.hpp"
#include "tools/hints/date_forms.hpp"
#include "tools/hints/edit_distance.hpp"
#include "tools/hints/new_names.hpp"
#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <genten/core/mode_order.hpp>
#include <genten/io/entries.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>

namespace genten::cli {
namespace {

using tools::input_name;
using tools::join;
using tools::printable;

constexpr std::size_t most_named = 3;  ///< rows that a message names

/// Whether `update` goes on with a model of that run, as far as it is known.
bool is_updated(const nlohmann::json& run) {
  if (run.is_null()) return true;
  const std::string loss = run.value("loss", "gaussian");
  return (loss == "gaussian" || loss == "poisson") && !run.contains("missing");
}

/// "line 3", or "entry 2" of a file that has no lines, or that cannot be read again.
std::string place_of(const std::string& file, const ReadOptions& listed, std::size_t entry) {
  const std::size_t line =
      can_be_read_again(file) ? line_of_entry(HostExec(), file, listed, entry) : 0;
  return line == 0 ? "entry " + std::to_string(entry + 1) : "line " + std::to_string(line);
}

/// The row of a mode that is called nearly so; "" where none is, and of very many rows.
std::string nearest_row(const std::vector<std::string>& rows, const std::string& name) {
  constexpr std::size_t most_compared = 100'000;
  if (rows.size() > most_compared) return "";
  if (const auto same = tools::alike_names({name}, rows); same.count != 0) return same.first;
  if (name.find_first_not_of("0123456789.") == std::string::npos) return "";
  const auto without_digits = [](std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
  };
  // Ids, weeks and dates that differ by digits are no misspelling.
  std::vector<std::string> others = rows;
  const std::string letters = without_digits(name);
  std::erase_if(others, [&](const std::string& each) { return without_digits(each) == letters; });
  return tools::closest(name, others);
}

/// " (is "tea" meant?)", what is meant by names that no row of a mode has; "" where nothing tells.
/// `last` is the one that stands before it.
std::string hint_at_rows(const NamedRows& own, std::size_t mode,
                         const std::vector<std::string>& names, const std::string& last) {
  if (!own.labels.named(mode)) return "";
  const auto& rows = own.labels.rows(mode);
  std::vector<std::string> looked_up;
  if (!last.empty()) looked_up.push_back(last);
  looked_up.insert(looked_up.end(), names.begin(),
                   names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_named)));
  for (const std::string& name : looked_up) {
    const std::string found = nearest_row(rows, name);
    if (found.empty()) continue;
    return " (is \"" + printable(found) + "\" meant" +
           (name == last ? "" : " by \"" + printable(name) + "\"") + "?)";
  }
  const std::string meant = tools::meant_names(rows, names);
  return meant.empty() ? "" : " (" + meant + ")";
}

/// ""a", "b" and 3 more".
std::string quoted(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) {
    shown.push_back("\"" + printable(names[i]) + "\"");
  }
  const std::size_t more = names.size() - shown.size();
  return join(shown, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

/// The one that `quoted` ends with; "" where more follow.
std::string last_of(const std::vector<std::string>& names) {
  return names.size() > most_named ? "" : names.back();
}

/// "3 of 9 entries are".
std::string concerned(const LackingEntries& lacking) {
  return std::to_string(lacking.entries) + " of " + tools::count_of(lacking.all, "entry") +
         (lacking.entries == 1 ? " is" : " are");
}

/// Whether subscripts that were read as counting from 0 are those of rows that count from 1.
template <class Tensor>
bool counts_from_1(const Tensor& tensor, const NamedRows& own) {
  const auto subscripts = tensor.subscripts();
  for (std::size_t p = 0; p < subscripts.extent(0); ++p) {
    for (std::size_t n = 0; n < own.dimensions.size(); ++n) {
      if (subscripts(p, n) == 0 || subscripts(p, n) > own.dimensions[n]) return false;
    }
  }
  return true;
}

/// Whether all rows that are lacking are dates which the model has in another form: who writes them
/// so needs no other way out.
bool are_known_dates(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                     const LackingEntries& lacking) {
  for (std::size_t n = 0; n < lacking.rows.size(); ++n) {
    const auto& rows = lacking.rows[n].rows;
    if (rows.empty()) continue;
    if (!own.labels.named(n)) return false;
    const auto names = names_of(other, static_cast<std::size_t>(match.modes[n]), rows);
    const auto same = tools::dates_written_as(own.labels.rows(n), names);
    if (std::find(same.begin(), same.end(), "") != same.end()) return false;
  }
  return true;
}

}  // namespace

std::string number_in(const std::string& name) {
  if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos) return "";
  return name.substr(std::min(name.find_first_not_of('0'), name.size() - 1));
}

std::string lacks(const std::string& mode, const std::string& with, const std::string& without,
                  const std::vector<std::string>& names) {
  return mode + ": " + input_name(with) + (names.size() == 1 ? " has a row" : " has rows") +
         " that " + input_name(without) + " lacks: " + quoted(names);
}

std::vector<std::string> names_of(const NamedRows& of, std::size_t mode,
                                  const std::set<std::size_t>& rows) {
  std::vector<std::string> names;
  for (const std::size_t row : rows) {
    const bool named = of.labels.named(mode) && row < of.labels.count(mode);
    names.push_back(named ? of.labels.row(mode, row)
                          : std::to_string(row + of.labels.first_number()));
  }
  return names;
}

std::string WayToNewRows::operator()(bool some_left) const {
  std::vector<std::string> ways;
  if (some_left) {
    ways.emplace_back(may_skip ? "leave such entries out by --unknown skip"
                               : "remove such entries from the file");
  }
  if (is_cp) {
    const nlohmann::json run = run_beside(model);
    std::string way = "give the model new rows, ";
    if (is_updated(run)) {
      way += "by genten update, or ";
    } else if (!projects) {
      way = "find such rows by genten project, or give the model new ones, ";
    }
    ways.push_back(way + "from all data by genten decompose ALL " + fit_options(model));
  }
  return lack_of_sidecar(model) + (ways.empty() ? "" : "; " + join(ways, ", or "));
}

void refuse_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                 const LackingEntries& lacking, const RowsRefusal& refusal) {
  std::string text;
  for (std::size_t n = 0; n < lacking.rows.size(); ++n) {
    const auto& [rows, first_row, first_entry] = lacking.rows[n];
    if (rows.empty()) continue;
    const auto m = static_cast<std::size_t>(match.modes[n]);
    const auto names = names_of(other, m, rows);
    if (!text.empty()) {  // of other modes
      text += "; " + own.labels.mode(n) + ": " + quoted(names) +
              hint_at_rows(own, n, names, last_of(names));
      continue;
    }
    text = lacks(own.labels.mode(n), other.file, own.file, names);
    const std::string name = names_of(other, m, {first_row}).front();
    if (refusal.listed != nullptr) {
      text += rows.size() == 1 ? ", in " : "; first \"" + printable(name) + "\", ";
      text += place_of(other.file, *refusal.listed, first_entry);
    }
    text += hint_at_rows(own, n, names, refusal.listed != nullptr ? name : last_of(names));
  }
  if (text.empty()) return;
  throw Error(Error::Kind::file,
              text + "; " + concerned(lacking) + " in such rows" +
                  (refusal.way_out && !are_known_dates(match, own, other, lacking)
                       ? refusal.way_out(lacking.entries < lacking.all)
                       : ""));
}

void report_left_out(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                     const LackingEntries& lacking, const WayOut& way_out) {
  if (lacking.entries == 0) return;
  std::string where = " in rows that " + input_name(own.file) + " lacks";
  for (std::size_t n = 0; n < lacking.rows.size(); ++n) {
    const auto& rows = lacking.rows[n].rows;
    if (rows.empty()) continue;
    const auto names = names_of(other, static_cast<std::size_t>(match.modes[n]), rows);
    where += "; " + own.labels.mode(n) + ": " + quoted(names) +
             hint_at_rows(own, n, names, last_of(names));
  }
  if (lacking.entries == lacking.all) {
    throw Error(Error::Kind::file,
                input_name(other.file) + ": no entry is left: " + concerned(lacking) + where +
                    (are_known_dates(match, own, other, lacking) ? "" : way_out(false)));
  }
  std::cout.flush();
  std::cerr << "genten: note: " << input_name(other.file) << ": " << concerned(lacking)
            << " left out," << where << '\n';
}

void refuse_numbers(const NamedRows& own, const std::string& file, ReadOptions read,
                    const WayOut& way_out) {
  if (!can_be_read_again(file)) return;
  const std::size_t order = own.dimensions.size();
  read.dimensions.assign(order, std::numeric_limits<std::int64_t>::max());
  const auto all = [&]() -> std::optional<ReadSptensor<double, std::uint64_t, HostExec>> {
    try {
      return read_entries<double, std::uint64_t>(HostExec(), file, read);
    } catch (const Error&) {  // as the first attempt says
      return std::nullopt;
    }
  }();
  if (!all || all->report.table) return;
  using Names = std::vector<std::string>;
  const Labels none{std::vector<Names>(order), Names(order),
                    first_subscript(all->report.index_base)};
  RowMatch match{natural_mode_order(order)};
  match.rows.resize(order);
  const WayOut way = [&](bool some_left) {
    const bool from_1 =
        all->report.index_base == IndexBase::zero && counts_from_1(all->tensor, own);
    return (from_1 ? "; counted from 1 all rows are there: is --index-base 1 meant?" : "") +
           way_out(some_left);
  };
  refuse_rows(match, own, {file, none, all->tensor.dimensions()},
              lacking_entries(all->tensor, match, own), {way, &read});
}

}  // namespace genten::cli
