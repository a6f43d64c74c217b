// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten info: what is in a tensor file, and what decomposing it would take.

#include "command.hpp"
#include "memory_estimate.hpp"
#include "option_rules.hpp"
#include "slice_statistics.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/result_json.hpp"
#include "tools/table.hpp"
#include "tools/tensor_input.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

namespace genten::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  TensorInput input;
  std::size_t rank = 16;
  double memory_limit = 0.0;
  ReportOptions report;
};

struct ValueFacts {
  double lowest = 0.0;
  double highest = 0.0;
  double sum = 0.0;
  double norm = 0.0;
  std::size_t zeros = 0;
};

template <class Tensor>
ValueFacts value_facts(const Tensor& tensor) {
  ValueFacts facts;
  facts.sum = sum(HostExec(), tensor);
  facts.norm = norm(HostExec(), tensor);
  const auto values = tensor.values();
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    const auto value = static_cast<double>(values(p));
    facts.lowest = p == 0 ? value : std::min(facts.lowest, value);
    facts.highest = p == 0 ? value : std::max(facts.highest, value);
    if (value == 0.0) ++facts.zeros;
  }
  return facts;
}

/// All that there is to say; the text is made from it.
struct Account {
  TensorFacts tensor;
  ValueFacts values;
  std::vector<SliceStatistics> modes;
  std::size_t rank = 0;
  MemoryEstimate memory;
};

void print_modes(std::ostream& out, const Account& account) {
  out << "\nnonzeros by slice\n";
  Table table({{"mode"}, {"length"}, {"used"}, {"empty"}, {"max"}, {"mean"}, {"median"}});
  for (std::size_t n = 0; n < account.modes.size(); ++n) {
    const SliceStatistics& mode = account.modes[n];
    table.add({std::to_string(n + 1), std::to_string(mode.length), std::to_string(mode.used),
               std::to_string(mode.empty), std::to_string(mode.most), format("%.2f", mode.mean),
               format("%.1f", mode.median)});
  }
  table.print(out);
}

void print_memory(std::ostream& out, const Account& account) {
  const MemoryEstimate& memory = account.memory;
  out << "\nmemory for rank " << account.rank << ", estimated: tensor "
      << format_bytes(memory.tensor) << ", model " << format_bytes(memory.model)
      << ", and by kernel\n";
  Table table({{"kernel", Table::Align::left}, {"prepared"}, {"in all"}, {"", Table::Align::left}});
  for (const KernelCandidate& kernel : memory.kernels.candidates) {
    if (kernel.refusal == Refusal::tensor) {
      table.add({kernel.name, "", "", "does not take this tensor"});
      continue;
    }
    table.add({kernel.name, format_bytes(kernel.memory),
               format_bytes(memory.tensor + memory.model + kernel.memory),
               kernel.name == memory.kernels.name  ? "(auto)"
               : kernel.refusal == Refusal::memory ? "more than is allowed"
                                                   : ""});
  }
  table.print(out);
}

void print(std::ostream& out, const Account& account) {
  const ReadReport& report = account.tensor.report;
  const ValueFacts& values = account.values;
  out << "tensor      " << describe(account.tensor) << "\nfile        " << to_string(report.format)
      << ", compression " << to_string(report.compression) << ", "
      << format_bytes(static_cast<double>(report.file_bytes));
  if (report.format != FileFormat::binary) {
    out << ", subscripts from " << (report.index_base == IndexBase::zero ? 0 : 1);
  }
  out << "\nduplicates  " << report.duplicates << " of " << count_of(report.entries, "entry")
      << format("\nvalues      %.9g to %.9g, sum %.12g, norm %.15g, %s\n", values.lowest,
                values.highest, values.sum, values.norm,
                count_of(values.zeros, "stored zero").c_str());
  print_modes(out, account);
  print_memory(out, account);
}

Json modes_json(const std::vector<SliceStatistics>& modes) {
  Json json = Json::array();
  for (const SliceStatistics& mode : modes) {
    json.push_back({{"length", mode.length},
                    {"used", mode.used},
                    {"empty", mode.empty},
                    {"max", mode.most},
                    {"mean", mode.mean},
                    {"median", mode.median}});
  }
  return json;
}

Json memory_json(const Account& account) {
  Json kernels = Json::object();
  Json json = {{"rank", account.rank},
               {"tensor_bytes", account.memory.tensor},
               {"model_bytes", account.memory.model}};
  const KernelChoice& choice = account.memory.kernels;
  for (const KernelCandidate& kernel : choice.candidates) {
    if (kernel.refusal != Refusal::tensor) kernels[kernel.name] = kernel.memory;
  }
  json["automatic_kernel"] = choice.name;
  json["kernel_choice"] = to_json(choice);
  json["kernel_bytes"] = kernels;
  return json;
}

Json account_json(const Account& account) {
  Json json = to_json(account.tensor);
  json["values"] = {{"min", account.values.lowest},
                    {"max", account.values.highest},
                    {"sum", account.values.sum},
                    {"norm", account.values.norm},
                    {"zeros", account.values.zeros}};
  json["modes"] = modes_json(account.modes);
  json["memory"] = memory_json(account);
  json.update(describe_environment());
  return json;
}

int info(const InfoOptions& options) {
  require_places({options.input.file}, {options.report.json});
  return with_tensor<HostExec>(options.input, [&](const auto& tensor, const TensorFacts& facts) {
    const auto modes = slice_statistics(tensor);
    const auto problem = mttkrp_problem(tensor, modes, options.rank);
    const Account account{facts, value_facts(tensor), modes, options.rank,
                          estimate_memory(problem, facts.dimensions, options.memory_limit)};
    write_json(options.report.json, account_json(account));
    print(report_stream(options.report.quiet, {options.report.json}), account);
    return static_cast<int>(success);
  });
}

void declare(CLI::App& app, InfoOptions& options) {
  add_tensor_input(app, options.input);
  add_option(app, {"rank", "rank for which memory is estimated", 1, 1e6}, options.rank);
  add_option(app,
             {"memory-limit",
              "bytes that MTTKRP may take beside tensor and model; 0: half of what is free", 0.0},
             options.memory_limit);
  add_report(app, options.report);
  app.footer(
      "Means and medians are over the slices that have nonzeros.\n"
      "\n"
      "Example:\n"
      "  genten info tensor.tns.gz --rank 64");
}

}  // namespace

void add_info(CLI::App& tool, Action& action) {
  add_command<InfoOptions>(tool, action, "info",
                           "size, values, slices and memory needs of a tensor", declare, info);
}

}  // namespace genten::cli
