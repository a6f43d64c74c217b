// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "mode_columns.hpp"

#include "base/column_words.hpp"
#include "base/names_in_option.hpp"
#include "base/period_words.hpp"
#include "io/table/wide_table.hpp"
#include "lacking_names.hpp"
#include "sidecar.hpp"
#include "table_numbers.hpp"
#include "tools/files.hpp"
#include "tools/hints/edit_distance.hpp"
#include "tools/mode_names.hpp"
#include "tools/printable.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>

namespace genten::cli {
namespace {

using tools::input_name;
using tools::join;
using tools::printable;

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
  if (!takes_modes) return "give the columns the names of the modes";
  std::vector<std::string> chosen;
  for (const std::string& name : names) {
    chosen.push_back(count_of(columns, name) != 0 ? name : tools::closest(name, others));
    std::erase(others, chosen.back());
  }
  // Which of more columns is meant nobody knows.
  const bool are_all_meant = others.size() == count_of(chosen, "");
  std::vector<std::string> open;
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    if (!chosen[n].empty()) continue;
    chosen[n] = are_all_meant ? others[open.size()] : "COLUMN";
    open.push_back(names[n]);
  }
  const std::string way =
      "name the columns in the order of the modes, as in " + modes_option(chosen);
  return are_all_meant || open.empty() ? way
                                       : way + ", where COLUMN is that of " + in_words(open) +
                                             ", one of " + in_words(others) +
                                             (others.size() < genten::detail::fewest_of_one_quantity
                                                  ? ""
                                                  : "; " + genten::detail::melt_hint());
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

/// The long table of one whose columns are rows of the only mode that it lacks: all others, but for
/// those of its `values` and of other quantities, are called as times are or as rows of the model,
/// more than half of them at least. None of others.
std::optional<genten::detail::LongTable> long_table_beside(const NamedRows& own,
                                                           const std::vector<std::string>& columns,
                                                           const std::string& lacking,
                                                           const std::string& values) {
  genten::detail::LongTable made{.mode = lacking, .values = values};
  const auto names = mode_names(own);
  const auto mode =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), lacking) - names.begin());
  std::set<std::string> rows;
  for (std::size_t i = 0; i < own.labels.count(mode); ++i) rows.insert(own.labels.row(mode, i));
  std::size_t known = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    // As pandas calls a column without a name.
    const std::string name = columns[i].empty() ? "Unnamed: " + std::to_string(i) : columns[i];
    const bool is_row = rows.contains(name) || period_called(name);
    known += is_row ? 1 : 0;
    if (count_of(names, name) != 0) {
      made.ids.push_back(name);
    } else if (columns[i].empty() || (!is_row && (name == values || is_called_quantity(name)))) {
      made.left_out.push_back(name);
    } else {
      made.cells.push_back(name);
    }
  }
  return 2 * known > made.cells.size() ? std::optional(made) : std::nullopt;
}

}  // namespace

std::vector<std::string> mode_names(const NamedRows& of) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < of.dimensions.size(); ++n) {
    const std::string& name = of.labels.mode_name(n);
    names.push_back(name == Labels::numbered(n) ? "" : name);
  }
  return names;
}

void require_columns(const NamedRows& own, const std::string& file,
                     const std::vector<std::string>& columns, bool takes_modes,
                     const std::string& values, bool of_values) {
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
  const nlohmann::json named = run.is_object() ? run.value("values", nlohmann::json()) : run;
  const std::string of_run = named.is_string() ? named.get<std::string>() : "";
  if (!of_run.empty()) std::erase(others, of_run);
  const std::size_t mode = mode_of_entry(own, columns);
  // A line that names a mode is no entry, even if another column is called as a row is.
  const bool is_entry = mode < own.dimensions.size() && lacking.size() == names.size();
  if (names.empty() && !is_entry) return;
  std::vector<std::string> header;
  for (std::size_t n = 0; n < own.dimensions.size(); ++n) {
    header.push_back(names.empty() ? "mode" + std::to_string(n + 1) : own.labels.mode_name(n));
  }
  const auto first_of = [](const std::string& name, const std::string& otherwise) {
    return name.empty() ? otherwise : name;
  };
  // The values most often come last.
  if (columns.size() > header.size()) header.push_back(first_of(of_run, first_of(values, "value")));
  const std::string line = printable(names_in_option(header));
  if (lacking.size() == 1 && names.size() > 1) {
    const std::string given = first_of(values, of_run);
    if (const auto made =
            long_table_beside(own, columns, lacking.front(), first_of(given, "value"))) {
      const bool is_known = !of_values || !given.empty();
      throw Error::in_file(
          file, 1,
          printable("the table is wide: " + made->cells_hold() + " rows of " + lacking.front() +
                    ", by their names: expected columns called as the modes of " +
                    input_name(own.file) + ", " + join(names, ", ") + "; in pandas, " +
                    made->call() + (of_values ? ".dropna()" : "") + " makes them" +
                    (is_known ? ""
                              : ", to read by " +
                                    tools::in_words(error_text::option("values", made->values))) +
                    (of_values ? genten::detail::about_empty_cells : "")));
    }
  }
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

void tell_of_places(const NamedRows& own, const std::string& file,
                    const std::vector<std::string>& columns) {
  const auto names = mode_names(own);
  if (columns.size() < 2 || count_of(names, "") != names.size()) return;
  std::cout.flush();
  std::cerr << "genten: note: " << input_name(file) << ": columns " << in_words(columns)
            << " are modes 1 to " << columns.size() << " of " << input_name(own.file)
            << ", whose modes have no names\n";
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
  if (columns.empty()) {
    // Of a wide table the first line may be taken for an entry, as shop,item,2023-07 is.
    ReadOptions as_table = read;
    as_table.modes = names;
    const auto header = table_columns(file, as_table);
    if (std::any_of(header.begin(), header.end(),
                    [&](const auto& column) { return count_of(names, column) != 0; })) {
      require_columns(own, file, header, remedy != remedy_of_list, read.values, of_values);
    }
    return read;
  }
  require_columns(own, file, columns, remedy != remedy_of_list, read.values, of_values);
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

}  // namespace genten::cli
