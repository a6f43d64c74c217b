// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "ranks.hpp"

#include "signals.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace genten::cli {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& text) {
  throw CLI::ValidationError("--" + option, text);
}

}  // namespace

void require_options_for_ranks(const DecomposeOptions& options) {
  if (RanksOfProgram::now() == nullptr) {
    for (const char* name : {"grid", "transport"}) {
      if (options.given("--" + std::string(name))) refuse(name, "means nothing to one rank");
    }
    return;
  }
  const bool by_devices =
      options.transport == TransportKind::peer || options.transport == TransportKind::nccl;
  if (is_host_space<Kokkos::DefaultExecutionSpace> && by_devices) {
    refuse("transport " + std::string(to_string(options.transport)),
           "moves rows between GPUs, and these ranks have none");
  }
  const char* const one = "runs in one process: not yet on several ranks of a launcher";
  if (options.loss != Loss::gaussian) refuse("loss " + std::string(to_string(options.loss)), one);
  if (!options.missing.empty()) refuse("missing", one);
  if (options.input.file == "-") {
    throw CLI::ValidationError("FILE", "expected a file, which every rank can open, got -");
  }
}

void on_all_ranks(const std::function<void()>& body) {
  RankModule* const module = RanksOfProgram::now();
  if (module == nullptr) return body();
  std::exception_ptr usage;
  std::string message;
  together(module->ranks(), [&] {
    try {
      body();
    } catch (const CLI::Error& error) {
      usage = std::current_exception();
      message = error.what();
    }
  });
  // The command line is that of all ranks, and so are errors in it, but for those that depend on
  // what lies in their folders.
  const auto everywhere = all_gather(module->ranks(), usage ? 1 : 0);
  if (std::count(everywhere.begin(), everywhere.end(), 1) != std::ssize(everywhere)) {
    together(module->ranks(), [&] {
      if (usage) throw Error(message);
    });
  }
  if (usage) std::rethrow_exception(usage);
}

void on_first_rank(const std::function<void()>& body) {
  RankModule* const module = RanksOfProgram::now();
  module == nullptr ? body() : first_alone(module->ranks(), body);
}

std::size_t ranks_of_machine() {
  RankModule* const module = RanksOfProgram::now();
  return module == nullptr ? 1 : module->ranks().node().size;
}

bool is_first_rank() {
  RankModule* const module = RanksOfProgram::now();
  return module == nullptr || module->ranks().rank() == 0;
}

int signal_of_any_rank() {
  const int own = InterruptGuard::signal();
  RankModule* const module = RanksOfProgram::now();
  if (module == nullptr) return own;
  for (const int each : all_gather(module->ranks(), own)) {
    if (own == 0 && each != 0) return each;
  }
  return own;
}

nlohmann::ordered_json describe_ranks(RankModule& module, const std::string& grid,
                                      std::uint64_t nnz, std::uint64_t most_nnz,
                                      const std::vector<double>& rows) {
  const std::size_t count = module.ranks().size();
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

std::string ranks_text(const nlohmann::ordered_json& ranks) {
  const auto& grid = ranks["grid"];
  const std::string transport = ranks.value("transport", "");
  return format("%zu of %s%s, nonzeros divided by %s, the most %.3f times the mean",
                ranks["count"].get<std::size_t>(), ranks["library"].get<std::string>().c_str(),
                transport.empty() ? "" : (", rows by " + transport).c_str(),
                grid.is_null() ? "bisection" : ("grid " + grid.get<std::string>()).c_str(),
                ranks["imbalance"].get<double>());
}

void add_account(nlohmann::ordered_json& ranks, const ExchangeAccount& account,
                 std::size_t columns) {
  const auto list = [columns](const std::vector<RowsSent>& modes) {
    auto json = nlohmann::ordered_json::array();
    for (const RowsSent& sent : modes) {
      json.push_back(
          {{"rows", sent.rows}, {"words", sent.rows * columns}, {"messages", sent.messages}});
    }
    return json;
  };
  ranks["folded"] = list(account.folded);
  ranks["expanded"] = list(account.expanded);
}

}  // namespace genten::cli
