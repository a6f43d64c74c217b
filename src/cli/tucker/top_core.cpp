// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "top_core.hpp"

#include "tools/printable.hpp"
#include "tools/table.hpp"
#include "tools/text.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

namespace genten::cli {

using namespace tools;

namespace {

constexpr std::size_t columns_side_by_side = 4;

void print_core(std::ostream& out, const TopTucker& top, const Labels& labels) {
  std::vector<Table::Column> titles{{"core"}};
  for (std::size_t n = 0; n < top.modes.size(); ++n) {
    titles.push_back({printable(labels.mode(n)), Table::Align::left});
  }
  Table table(titles);
  for (const TopCoreEntry& entry : top.core) {
    std::vector<std::string> fields{format("%.7g", entry.value)};
    for (std::size_t n = 0; n < entry.columns.size(); ++n) {
      const std::size_t at = entry.columns[n];
      fields.push_back(top.modes[n].empty() ? printable(labels.row(n, at))
                                            : "column " + std::to_string(at + 1));
    }
    table.add(std::move(fields));
  }
  table.print(out);
}

}  // namespace

std::vector<TopCoreEntry> top_of_core(const std::vector<std::size_t>& ranks, std::size_t elements,
                                      const std::function<double(std::size_t)>& value,
                                      std::size_t count) {
  std::vector<std::size_t> order(elements);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, elements));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    const double one = std::abs(value(a)), other = std::abs(value(b));
    return one != other ? one > other : a < b;
  });
  order.erase(end, order.end());
  std::vector<TopCoreEntry> top;
  for (std::size_t k : order) {
    if (value(k) == 0.0) break;
    TopCoreEntry entry{{}, value(k)};
    for (const std::size_t rank : ranks) {
      entry.columns.push_back(k % rank);
      k /= rank;
    }
    top.push_back(std::move(entry));
  }
  return top;
}

void print_top(std::ostream& out, const TopTucker& top, const Labels& labels, bool alone) {
  if (!alone) out << '\n';
  print_core(out, top, labels);
  for (std::size_t n = 0; n < top.modes.size(); ++n) {
    const auto& columns = top.modes[n];
    for (std::size_t first = 0; first < columns.size(); first += columns_side_by_side) {
      out << '\n';
      if (first == 0) out << printable(labels.mode(n)) << '\n';
      std::vector<TopColumn> shown;
      for (std::size_t r = first; r < std::min(first + columns_side_by_side, columns.size()); ++r) {
        shown.push_back({"column " + std::to_string(r + 1), n, columns[r]});
      }
      print_columns(out, shown, labels);
    }
  }
}

nlohmann::ordered_json to_json(const TopTucker& top, const Labels& labels) {
  auto core = nlohmann::ordered_json::array(), modes = nlohmann::ordered_json::array();
  for (const TopCoreEntry& entry : top.core) {
    auto columns = nlohmann::ordered_json::array();
    for (std::size_t n = 0; n < entry.columns.size(); ++n) {
      columns.push_back(entry.columns[n] + (top.modes[n].empty() ? labels.first_number() : 1));
    }
    core.push_back({{"columns", std::move(columns)}, {"value", entry.value}});
  }
  for (std::size_t n = 0; n < top.modes.size(); ++n) {
    auto columns = nlohmann::ordered_json::array();
    for (const auto& rows : top.modes[n]) columns.push_back(to_json(rows, n, labels));
    modes.push_back(std::move(columns));
  }
  return {{"core", std::move(core)}, {"modes", std::move(modes)}};
}

}  // namespace genten::cli
