// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "process_report.hpp"

#include "tools/text.hpp"

namespace genten::tools {

nlohmann::ordered_json describe_processes(MpiModule& module, const std::string& grid,
                                          std::uint64_t nnz, std::uint64_t most_nnz,
                                          const std::vector<double>& rows) {
  const std::size_t count = module.processes().size();
  const double mean = static_cast<double>(nnz) / static_cast<double>(count);
  nlohmann::ordered_json json = {
      {"count", count},
      {"library", module.library()},
      {"grid", grid.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(grid)},
      {"most_nonzeros", most_nnz},
      {"imbalance", nnz == 0 ? 1.0 : static_cast<double>(most_nnz) / mean}};
  // Of a fold and of an expand each.
  for (const double each : rows) json["rows_by_mode"].push_back(static_cast<std::uint64_t>(each));
  return json;
}

std::string processes_text(const nlohmann::ordered_json& processes) {
  const auto& grid = processes["grid"];
  const std::string transport = processes.value("transport", "");
  return format("%zu of %s%s, nonzeros divided by %s, the most %.3f times the mean",
                processes["count"].get<std::size_t>(),
                processes["library"].get<std::string>().c_str(),
                transport.empty() ? "" : (", rows by " + transport).c_str(),
                grid.is_null() ? "bisection" : ("grid " + grid.get<std::string>()).c_str(),
                processes["imbalance"].get<double>());
}

void add_account(nlohmann::ordered_json& processes, const ExchangeAccount& account,
                 std::size_t columns) {
  const auto list = [columns](const std::vector<RowsSent>& modes) {
    auto json = nlohmann::ordered_json::array();
    for (const RowsSent& sent : modes) {
      json.push_back(
          {{"rows", sent.rows}, {"words", sent.rows * columns}, {"messages", sent.messages}});
    }
    return json;
  };
  processes["folded"] = list(account.folded);
  processes["expanded"] = list(account.expanded);
}

}  // namespace genten::tools
