// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "top_rows.hpp"

#include "tools/printable.hpp"
#include "tools/table.hpp"
#include "tools/text.hpp"

#include <nlohmann/json.hpp>

#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace genten::cli {

using namespace tools;

namespace {

constexpr std::size_t widest_label = 40;

/// How many of the rows, strongest first, do not look like zero in print.
std::size_t visible(const std::vector<TopRow>& rows) {
  std::size_t count = 0;
  while (count < rows.size() && std::abs(rows[count].value) >= 0.00005) ++count;
  return count;
}

/// A name of at most so many characters, shortened in the middle: names that are long enough differ
/// at their ends as often as at their beginnings.
std::string shorten_middle(const std::string& name, std::size_t width) {
  if (display_width(name) <= width) return name;
  const std::size_t front = width / 2;
  std::size_t back = name.size();
  for (std::size_t seen = front + 1; seen < width && back > 0; ++seen) {
    do --back;
    while (back > 0 && (static_cast<unsigned char>(name[back]) & 0xC0U) == 0x80U);
  }
  return shorten(name, front + 1) + name.substr(back);
}

/// The names of a mode's rows, shortened as far as different ones still look different.
std::vector<std::string> row_names(const std::vector<TopRow>& rows, const Labels& labels,
                                   std::size_t mode) {
  std::vector<std::string> names(visible(rows));
  std::size_t longest = widest_label;
  for (std::size_t k = 0; k < names.size(); ++k) {
    names[k] = with_ends(printable(labels.row(mode, rows[k].row)));
    longest = std::max(longest, display_width(names[k]));
  }
  const std::size_t different = std::set(names.begin(), names.end()).size();
  for (std::size_t width = widest_label; width < longest; ++width) {
    std::vector<std::string> shown = names;
    for (std::string& name : shown) name = shorten_middle(name, width);
    if (std::set(shown.begin(), shown.end()).size() == different) return shown;
  }
  return names;
}

/// " +- 0.0123 [0.1, 0.2]", as far as it is known. `pattern` is that of a number.
std::string bars_text(const ErrorBars& bars, const char* pattern) {
  std::string text;
  if (!std::isnan(bars.standard_error)) text += " +- " + format(pattern, bars.standard_error);
  if (!std::isnan(bars.lower)) {
    text += " [" + format(pattern, bars.lower) + ", " + format(pattern, bars.upper) + "]";
  }
  return text;
}

/// ", found in 62% of the starts and 97% of the refits"; with a word of warning.
std::string stability_text(const ComponentStability& stability) {
  const bool starts = !std::isnan(stability.starts), refits = !std::isnan(stability.refits);
  if (!starts && !refits) return "";
  std::string text = ", found in ";
  if (starts) text += format("%.0f%% of the starts", 100.0 * stability.starts);
  if (starts && refits) text += " and ";
  if (refits) text += format("%.0f%% of the refits", 100.0 * stability.refits);
  return text + (stability.is_unstable() ? ": unstable" : "");
}

ErrorBars bars_of(const std::vector<double>* errors, const IntervalNumbers* intervals,
                  std::size_t number) {
  ErrorBars bars;
  if (errors != nullptr) bars.standard_error = (*errors)[number];
  if (intervals != nullptr) {
    bars.lower = intervals->lower[number];
    bars.upper = intervals->upper[number];
  }
  return bars;
}

/// Adds the numbers that are known.
void add_bars(nlohmann::ordered_json& item, const ErrorBars& bars) {
  if (!std::isnan(bars.standard_error)) item["standard_error"] = bars.standard_error;
  if (std::isnan(bars.lower)) return;
  item["lower"] = bars.lower;
  item["upper"] = bars.upper;
}

}  // namespace

void add_error_bars(std::vector<TopComponent>& components, const RunTrust& trust) {
  const auto* const errors = trust.standard_errors ? &*trust.standard_errors : nullptr;
  const auto* const refits = trust.bootstrap ? &*trust.bootstrap : nullptr;
  for (std::size_t r = 0; r < components.size(); ++r) {
    TopComponent& component = components[r];
    if (!trust.stability.empty()) component.stability = trust.stability[r];
    component.bars = bars_of(errors == nullptr ? nullptr : &errors->weights,
                             refits == nullptr ? nullptr : &refits->weights, r);
    for (std::size_t n = 0; n < component.modes.size(); ++n) {
      for (TopRow& each : component.modes[n]) {
        each.bars = bars_of(errors == nullptr ? nullptr : &errors->factors[n],
                            refits == nullptr ? nullptr : &refits->factors[n],
                            each.row * components.size() + r);
      }
    }
  }
}

void print_columns(std::ostream& out, const std::vector<TopColumn>& columns, const Labels& labels) {
  std::vector<Table::Column> titles;
  std::vector<std::vector<std::string>> names;
  std::size_t lines = 0;
  for (const TopColumn& column : columns) {
    titles.push_back({std::string(9, ' '), Table::Align::right});
    titles.push_back({column.title, Table::Align::left});
    names.push_back(row_names(column.rows, labels, column.mode));
    lines = std::max(lines, names.back().size());
  }
  Table table(titles);
  for (std::size_t k = 0; k < lines; ++k) {
    std::vector<std::string> fields;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool there = k < names[c].size();
      fields.push_back(there ? format("%9.4f", columns[c].rows[k].value) +
                                   bars_text(columns[c].rows[k].bars, "%.4f")
                             : "");
      fields.push_back(there ? names[c][k] : "");
    }
    table.add(std::move(fields));
  }
  table.print(out);
}

void print_top(std::ostream& out, const std::vector<TopComponent>& components, const Labels& labels,
               bool alone) {
  for (std::size_t r = 0; r < components.size(); ++r) {
    const TopComponent& component = components[r];
    if (r != 0 || !alone) out << '\n';
    out << format("component %zu, weight %.7g", r + 1, component.weight)
        << bars_text(component.bars, "%.4g") << stability_text(component.stability) << '\n';
    std::vector<TopColumn> columns;
    for (std::size_t n = 0; n < component.modes.size(); ++n) {
      columns.push_back({printable(labels.mode(n)), n, component.modes[n]});
    }
    print_columns(out, columns, labels);
  }
}

namespace {

constexpr std::size_t most_listed = 16;  ///< components

struct ListedRows {
  std::string text;
  bool is_cut = false;
};

/// The strongest rows of a component in a mode, as many as there is room for, and how many of the
/// `strong` ones are left out.
ListedRows listed_rows(const std::vector<TopRow>& rows, std::size_t strong, const Labels& labels,
                       std::size_t mode, std::size_t width) {
  std::vector<std::string> texts;
  const std::size_t count_width = (" +" + std::to_string(strong)).size();
  const std::size_t room = strong > 1 ? width - count_width : width;
  for (const TopRow& each : rows) {
    if (texts.size() == strong) break;
    const std::string name = printable(labels.row(mode, each.row));
    const std::size_t quotes = in_list(name).size() - name.size();
    texts.push_back(in_list(shorten_middle(name, room - quotes)) +
                    (each.value < 0.0 ? " (negative)" : ""));
  }
  const auto text_of_first = [&](std::size_t count) {
    std::string text;
    for (std::size_t k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + texts[k];
    return count == strong ? text : text + " +" + std::to_string(strong - count);
  };
  std::size_t count = texts.size();
  while (count > 1 && display_width(text_of_first(count)) > width) --count;
  return {count == 0 ? "" : text_of_first(count), count < strong};
}

}  // namespace

void print_components(std::ostream& out, const std::vector<TopComponent>& components,
                      const Labels& labels, std::size_t order) {
  if (components.empty()) return;
  constexpr std::size_t narrow = 12, line = 80, numbers = 22;
  const std::size_t room = line - numbers, width = std::max(narrow, room / order - 2);
  std::vector<Table::Column> titles = {{"component"}, {"weight"}};
  for (std::size_t n = 0; n < order; ++n) {
    const std::string& name = labels.mode_name(n);
    titles.push_back({name.empty() ? Labels::numbered(n) : shorten_middle(printable(name), width),
                      Table::Align::left});
  }
  Table table(titles);
  bool is_cut = false;
  const std::size_t shown = std::min(most_listed, components.size());
  for (std::size_t r = 0; r < shown; ++r) {
    const char* const mark = components[r].stability.is_unstable() ? "unstable " : "";
    std::vector<std::string> fields = {mark + std::to_string(r + 1),
                                       format("%.6g", components[r].weight)};
    for (std::size_t n = 0; n < order; ++n) {
      const TopComponent& component = components[r];
      const ListedRows listed =
          listed_rows(component.modes[n], component.strong[n], labels, n, width);
      fields.push_back(listed.text);
      is_cut = is_cut || listed.is_cut;
    }
    table.add(std::move(fields));
  }
  out << '\n';
  table.print(out);
  if (is_cut) {
    out << "+N: N more rows are at least half as strong as the strongest; --top 9 lists nine\n";
  }
  if (components.size() > shown) {
    out << "and " << components.size() - shown << " more, which --top 5 prints in full\n";
  }
}

nlohmann::ordered_json to_json(const std::vector<TopRow>& rows, std::size_t mode,
                               const Labels& labels) {
  auto items = nlohmann::ordered_json::array();
  for (const TopRow& each : rows) {
    nlohmann::ordered_json item = {{"row", each.row + 1}, {"value", each.value}};
    add_bars(item, each.bars);
    if (labels.named(mode) || labels.first_number() == 0)
      item["label"] = labels.row(mode, each.row);
    items.push_back(std::move(item));
  }
  return items;
}

nlohmann::ordered_json to_json(const std::vector<TopComponent>& components, const Labels& labels) {
  auto result = nlohmann::ordered_json::array();
  for (const TopComponent& component : components) {
    auto modes = nlohmann::ordered_json::array();
    for (std::size_t n = 0; n < component.modes.size(); ++n) {
      modes.push_back(to_json(component.modes[n], n, labels));
    }
    nlohmann::ordered_json item = {{"weight", component.weight}};
    add_bars(item, component.bars);
    item["modes"] = std::move(modes);
    result.push_back(std::move(item));
  }
  return result;
}

}  // namespace genten::cli
