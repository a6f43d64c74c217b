// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "new_rows.hpp"

#include "base/names_in_option.hpp"
#include "io/table/table_columns.hpp"
#include "long_modes.hpp"
#include "sidecar/options_of_run.hpp"
#include "sidecar/unknown_rows.hpp"
#include "tools/files.hpp"
#include "tools/hints/new_names.hpp"
#include "tools/printable.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

namespace genten::cli {

using tools::input_name;
using tools::printable;

NewRows::NewRows(std::string file, Labels labels, std::vector<std::size_t> dimensions,
                 std::string options)
    : m_file(std::move(file)),
      m_options(std::move(options)),
      m_dimensions_of_file(dimensions),
      m_labels(std::move(labels)),
      m_dimensions(std::move(dimensions)) {}

void NewRows::refuse_new(const std::string& file) const {
  throw Error::in_file(input_name(file), 0,
                       "it has rows that " + input_name(m_file) +
                           " lacks: expected the tensor that the model was fitted to");
}

void NewRows::refuse_slices(const std::string& file, const std::string& mode,
                            const std::vector<std::string>& slices, std::size_t all,
                            std::size_t row) const {
  std::string from = m_file;
  for (const auto& [name, first] : m_arrived) {
    if (first <= row) from = name;
  }
  const std::string model = input_name(from), more = std::to_string(slices.size() - 1);
  const std::string others = slices.size() == 1 ? " is" : " and " + more + " more are";
  const std::string rest =
      slices.size() == all ? " have slices that are new" : " leave out their rows, which are old";
  throw Error::in_file(
      input_name(file), 0,
      "slice \"" + printable(slices.front()) + "\"" + others + " in " + model + " already (" +
          mode + "): expected the file to" + rest +
          "; rows that old slices have gained need all data: genten decompose ALL " +
          fit_options(m_file));
}

namespace {

/// Whether names are numbers that go on from others, as those of weeks do, with a gap at most.
bool go_on_from(const std::vector<std::string>& known, const std::vector<std::string>& names) {
  using Numbers = std::vector<std::uint64_t>;
  constexpr std::uint64_t gap = 100;
  const auto numbers = [](const std::vector<std::string>& texts) {
    Numbers found;
    for (const std::string& text : texts) {
      const auto whole = genten::detail::to_whole_number(text);
      if (!whole || whole->negative) return Numbers();
      found.push_back(whole->magnitude);
    }
    return found;
  };
  const Numbers before = numbers(known), now = numbers(names);
  if (before.empty() || now.empty()) return false;
  const auto [least, most] = std::minmax_element(before.begin(), before.end());
  const std::uint64_t reach = gap + (*most - *least);
  return std::all_of(now.begin(), now.end(), [&, first = *least, last = *most](std::uint64_t each) {
    return each > first && each - std::min(each, last) <= reach;
  });
}

}  // namespace

void NewRows::judge_strangers(const std::string& file, const std::vector<std::size_t>& strangers,
                              const std::vector<int>& modes, int mode, const Labels& names) {
  for (const std::size_t n : strangers) {
    std::unordered_set<std::string> known;
    for (std::size_t i = 0; i < m_labels.count(n); ++i) known.insert(m_labels.row(n, i));
    for (std::size_t other = 0; other < modes.size(); ++other) {
      const auto m = static_cast<std::size_t>(modes[other]);
      const bool arrives = static_cast<int>(other) == mode;
      const bool is_stranger =
          std::find(strangers.begin(), strangers.end(), other) != strangers.end();
      if (other == n || !names.named(m) || !(arrives || is_stranger)) continue;
      // Modes that have names in common, and small ids of weeks, are alike without a swap.
      const auto& own = m_labels.rows(other);
      const bool share = std::any_of(own.begin(), own.end(),
                                     [&](const std::string& name) { return known.contains(name); });
      if (share || (arrives && go_on_from(own, names.rows(m)))) continue;
      std::size_t met = 0;
      const std::size_t all = names.count(m);
      for (std::size_t i = 0; i < all; ++i) met += known.contains(names.row(m, i)) ? 1 : 0;
      if (2 * met <= all) continue;
      throw Error::in_file(
          input_name(file), 0,
          input_name(m_file) + " has none of its rows of " + m_labels.mode(n) + ", and " +
              std::to_string(met) + " of its " + tools::count_of(all, arrives ? "slice" : "row") +
              (arrives ? "" : " of " + m_labels.mode(other)) +
              " are called as rows of that mode: are the columns of " + m_labels.mode(n) + " and " +
              m_labels.mode(other) +
              " swapped? Then put them in the order of the modes, or call each as what it holds");
    }
  }
  if (strangers.size() < 2) return;
  std::vector<std::string> called;
  for (const std::size_t n : strangers) called.push_back(m_labels.mode(n));
  m_notes.push_back("the model has met none of its rows of " + tools::join(called, " and ") +
                    ": are its columns in another order?");
}

void NewRows::note_names(std::size_t mode, const std::vector<std::string>& known,
                         const std::vector<std::string>& fresh) {
  for (const std::string& note : tools::new_name_notes(known, fresh)) {
    m_notes.push_back(m_labels.mode(mode) + " has " + note);
  }
}

bool NewRows::note_absent(std::size_t mode, const std::vector<std::size_t>& rows) {
  const std::size_t known = m_dimensions[mode];
  std::vector<bool> met(known);
  for (const std::size_t row : rows) {
    if (row < known) met[row] = true;
  }
  const auto first =
      static_cast<std::size_t>(std::find(met.begin(), met.end(), false) - met.begin());
  if (first == known) return false;
  const auto absent = std::count(met.begin(), met.end(), false);
  m_notes.push_back("it lacks " + std::to_string(absent) + " of the model's " +
                    tools::count_of(known, "row") + " of " + m_labels.mode(mode) + ", as " +
                    (m_labels.named(mode) ? '"' + printable(m_labels.row(mode, first)) + '"'
                                          : std::to_string(first + m_labels.first_number())) +
                    ": in its slices they are taken for zeros");
  return true;
}

void NewRows::note_way(const std::string& file, int mode, const std::vector<std::size_t>& absent) {
  std::vector<std::string> names;
  for (const std::size_t n : absent) {
    const std::string& name = m_labels.mode_name(n);
    names.push_back(name.empty() ? std::to_string(n + 1) : name);
  }
  m_notes.push_back(
      printable("genten project " + file_in_command(m_file, "MODEL") + " " +
                file_in_command(file, "FILE") + " --mode " + std::to_string(mode + 1) + " " +
                tools::in_words(error_text::option("partial", names_in_option(names))) +
                m_options) +
      " finds rows of its slices without such zeros, and moves no other row; where all entries "
      "that it does not list are unknown, as few of counts are, --missing unlisted instead of "
      "--partial leaves them out. An update has no such way: a model of these slices without such "
      "zeros comes of old and new data together, by genten decompose ALL " +
      printable(fit_options(m_file)) +
      " --missing FILE, a list of what is unknown, or --missing unlisted");
}

NewRows::Place NewRows::place(const tools::TensorFacts& facts, const Labels& names, int mode,
                              const std::optional<Numbers>& numbers_of_table) {
  const std::size_t order = m_dimensions.size();
  if (facts.dimensions.size() != order) {
    throw Error::in_file(input_name(facts.file), 0,
                         "expected a tensor of order " + std::to_string(order) + ", as the model " +
                             input_name(m_file) + " is, got order " +
                             std::to_string(facts.dimensions.size()));
  }
  const NamedRows own{m_file, m_labels, m_dimensions};
  const NamedRows other{facts.file, names, facts.dimensions};
  require_no_ids_beside_rows(own, other);
  require_names(own, other, facts.report, facts.modes_given);
  const RowMatch match = match_rows(own, other);
  Place result{match.modes, match.rows, m_dimensions};
  std::vector<std::vector<std::string>> labels(order);
  std::vector<std::string> modes(order);
  std::vector<bool> numbers(order);
  std::vector<std::size_t> strangers;  // modes of which the model has met no row of the file
  std::vector<std::size_t> absent;     // modes of which the file lacks rows of the model
  m_notes.clear();
  for (std::size_t n = 0; n < order; ++n) {
    const auto m = static_cast<std::size_t>(match.modes[n]);
    const bool arrives = static_cast<int>(n) == mode, named = m_labels.named(n);
    const std::size_t have = m_dimensions[n], come = facts.dimensions[m];
    numbers[n] = named ? m_labels.are_numbers(n) : names.are_numbers(m);
    modes[n] = m_labels.mode_name(n).empty() ? names.mode_name(m) : m_labels.mode_name(n);
    if (named) {
      for (std::size_t i = 0; i < have; ++i) labels[n].push_back(m_labels.row(n, i));
    }
    if (!arrives && result.rows[n].empty()) {
      if (named && come > have) {
        throw Error::in_file(input_name(facts.file), 0,
                             names.mode(n) + " has " + std::to_string(come) +
                                 " rows without names, and " + input_name(m_file) + " has " +
                                 std::to_string(have) + " with names: expected names of new rows");
      }
      if (!named && numbers_of_table && facts.report.table) {
        std::vector<std::size_t> rows = numbers_of_table->met[m];
        // Rows that are zero, as of ids without nonzeros, bring no zeros of their own.
        for (std::size_t i = 0; i < have; ++i) {
          if (is_zero_row(numbers_of_table->model, n, i)) rows.push_back(i);
        }
        if (note_absent(n, rows)) absent.push_back(n);
      }
      m_dimensions[n] = std::max(have, come);
    } else if (!arrives) {
      std::vector<std::string> fresh;
      if (note_absent(n, result.rows[n])) absent.push_back(n);
      for (std::size_t i = 0; i < come; ++i) {
        if (result.rows[n][i] != RowMatch::none) continue;
        result.rows[n][i] = m_dimensions[n]++;
        fresh.push_back(names.row(m, i));
      }
      note_names(n, labels[n], fresh);
      labels[n].insert(labels[n].end(), fresh.begin(), fresh.end());
      if (m_dimensions[n] == have + come) strangers.push_back(n);
    } else {
      result.rows[n].clear();
      m_dimensions[n] += come;
      m_slices_are_numbered = !names.named(m);
      const bool any = named || names.named(m);
      for (std::size_t i = labels[n].size(); any && i < have; ++i) {
        labels[n].push_back(std::to_string(i + m_labels.first_number()));
      }
      const std::unordered_set<std::string> there(labels[n].begin(), labels[n].end());
      std::vector<std::string> twice;
      for (std::size_t i = 0; any && i < come; ++i) {
        labels[n].push_back(names.named(m) ? names.row(m, i)
                                           : std::to_string(have + i + m_labels.first_number()));
        if (names.named(m) && there.contains(labels[n].back())) twice.push_back(labels[n].back());
      }
      if (!twice.empty()) {
        const auto first = std::find(labels[n].begin(), labels[n].end(), twice.front());
        refuse_slices(facts.file, m_labels.mode(n), twice, come,
                      static_cast<std::size_t>(first - labels[n].begin()));
      }
      m_arrived.emplace_back(facts.file, have);
      if (named && names.named(m)) {
        const auto behind = labels[n].begin() + static_cast<std::ptrdiff_t>(have);
        note_names(n, {labels[n].begin(), behind}, {behind, labels[n].end()});
      }
      if (named && !names.named(m)) {
        m_notes.push_back("its slices have no names, and are called by numbers in " +
                          m_labels.mode(n) + ", the first \"" + labels[n][have] +
                          "\": a table, or names beside the file, would name them");
      }
    }
    result.dimensions[n] = arrives ? come : m_dimensions[n];
  }
  bool any_new = false;
  for (std::size_t n = 0; n < order; ++n) {
    any_new =
        any_new || (static_cast<int>(n) != mode && m_dimensions[n] != m_dimensions_of_file[n]);
  }
  if (mode >= 0 && !absent.empty() && !any_new) note_way(facts.file, mode, absent);
  if (mode >= 0) judge_strangers(facts.file, strangers, match.modes, mode, names);
  m_labels =
      Labels(std::vector<std::vector<std::string>>(order), std::move(modes), m_labels.table_base());
  for (std::size_t n = 0; n < order; ++n) {
    const bool are_numbers = numbers[n] && !labels[n].empty();
    m_labels.name_rows(n, std::move(labels[n]), are_numbers);
  }
  return result;
}

}  // namespace genten::cli
