// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "top_entries.hpp"

#include "tools/printable.hpp"
#include "tools/table.hpp"
#include "tools/text.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

namespace genten::cli {

using namespace tools;

namespace {

constexpr std::size_t widest_label = 40;

/// How many of the entries, strongest first, do not look like zero in print.
std::size_t visible(const std::vector<TopEntry>& entries) {
  std::size_t count = 0;
  while (count < entries.size() && std::abs(entries[count].value) >= 0.00005) ++count;
  return count;
}

}  // namespace

void print_top(std::ostream& out, const std::vector<TopComponent>& components, const Labels& labels,
               bool alone) {
  for (std::size_t r = 0; r < components.size(); ++r) {
    const TopComponent& component = components[r];
    if (r != 0 || !alone) out << '\n';
    out << format("component %zu, weight %.7g\n", r + 1, component.weight);
    std::vector<Table::Column> columns;
    std::size_t lines = 0;
    for (std::size_t n = 0; n < component.modes.size(); ++n) {
      columns.push_back({std::string(9, ' '), Table::Align::right});
      columns.push_back({printable(labels.mode(n)), Table::Align::left});
      lines = std::max(lines, visible(component.modes[n]));
    }
    Table table(columns);
    for (std::size_t k = 0; k < lines; ++k) {
      std::vector<std::string> cells;
      for (std::size_t n = 0; n < component.modes.size(); ++n) {
        const auto& entries = component.modes[n];
        const bool there = k < visible(entries);
        cells.push_back(there ? format("%9.4f", entries[k].value) : "");
        cells.push_back(there ? shorten(printable(labels.row(n, entries[k].row)), widest_label)
                              : "");
      }
      table.add(std::move(cells));
    }
    table.print(out);
  }
}

nlohmann::ordered_json to_json(const std::vector<TopComponent>& components, const Labels& labels) {
  auto result = nlohmann::ordered_json::array();
  for (const TopComponent& component : components) {
    auto modes = nlohmann::ordered_json::array();
    for (std::size_t n = 0; n < component.modes.size(); ++n) {
      auto entries = nlohmann::ordered_json::array();
      for (const TopEntry& entry : component.modes[n]) {
        nlohmann::ordered_json item = {{"row", entry.row + 1}, {"value", entry.value}};
        if (labels.named(n)) item["label"] = labels.row(n, entry.row);
        entries.push_back(std::move(item));
      }
      modes.push_back(std::move(entries));
    }
    result.push_back({{"weight", component.weight}, {"modes", std::move(modes)}});
  }
  return result;
}

}  // namespace genten::cli
