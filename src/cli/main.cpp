// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The tool `genten`: arguments in, exit code out. The subcommands are in files of their own.

#include "command.hpp"
#include "option_rules.hpp"
#include "rank/rank.hpp"
#include "signals.hpp"
#include "tools/hints/nearest_file.hpp"
#include "tools/kokkos/small_work.hpp"
#include "tools/launch/on_processes.hpp"
#include "tools/text.hpp"
#include "usage.hpp"

#include <CLI/CLI.hpp>

#include <genten/base/error.hpp>
#include <genten/base/instruction_set.hpp>
#include <genten/base/types.hpp>
#include <genten/version.hpp>

#include <genten_build_info.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace genten::cli {
namespace {

/// The arguments that Kokkos takes, and those of the tool.
struct Arguments {
  std::vector<std::string> kokkos;
  std::vector<std::string> tool;
};

Arguments split_arguments(int argc, char** argv) {
  Arguments result;
  result.kokkos = take_kokkos_arguments(argc, argv);
  for (const std::string& argument : result.kokkos) require_kokkos_value(argument);
  for (int i = 1; i < argc; ++i) {
    require_value(argv[i]);
    result.tool.emplace_back(argv[i]);
  }
  return result;
}

/// What is wrong with the instruction set that the environment names, if anything is.
std::optional<std::string> trouble_with_instructions() {
  try {
    static_cast<void>(instruction_set());
    return std::nullopt;
  } catch (const Error& error) {
    return sentence(error);
  }
}

void declare_tool(CLI::App& tool, Action& action) {
  tool.name("genten");
  tool.require_subcommand(1);
  tool.set_version_flag(
      "--version",
      [] {
        return std::string("genten ") + GENTEN_VERSION + " (Kokkos " + GENTEN_KOKKOS_VERSION +
               ", instruction set " + std::string(instruction_set()) + ", " +
               Kokkos::DefaultExecutionSpace::name() + ")";
      },
      "the versions of genten and Kokkos, and the instruction set in use");
  tool.footer(
      "genten COMMAND --help, or genten help COMMAND, tells all about a command.\n"
      "Threads: OMP_NUM_THREADS=4 before the command says how many, and\n"
      "OMP_PROC_BIND=spread OMP_PLACES=threads keeps each at its core. In the command\n"
      "--kokkos-num-threads=4 says how many; all arguments --kokkos-... go to Kokkos,\n"
      "and --kokkos-help lists them.\n"
      "A file \"-\" is the standard input or output.\n"
      "Exit codes: 0 success, 1 numerical or runtime failure, 2 wrong usage,\n"
      "3 file trouble, 4 ended early by a signal with all that was reached written.\n"
      "A signal that comes before there is anything to write ends the tool as usual.\n"
      "\n"
      "Examples:\n"
      "  genten decompose counts.csv --values count --rank 4 --output model.gkt\n"
      "  genten show model.gkt\n"
      "  genten info tensor.tns");
  add_decompose(tool, action);
  add_rank(tool, action);
  add_tucker(tool, action);
  add_info(tool, action);
  add_show(tool, action);
  add_convert(tool, action);
  add_generate(tool, action);
  add_compare(tool, action);
  add_evaluate(tool, action);
  add_predict(tool, action);
  add_project(tool, action);
  add_update(tool, action);
  add_manual(tool, action);
  style_help(tool);
}

/// Which files hints are to look for: tensors where the command takes one.
void tell_of_tensors(const CLI::App& tool) {
  const CLI::App& command = *tool.get_subcommands().front();
  const CLI::Option* const model = command.get_option_no_throw("--model");
  if (model != nullptr && model->count() != 0) return;
  for (const char* name : {"FILE", "SUBSCRIPTS"}) {
    const CLI::Option* const tensor = command.get_option_no_throw(name);
    if (tensor != nullptr && tensor->count() != 0) expect_tensor(tensor->results().front());
  }
}

/// Whether one thread is enough for what a command does, by its tensor's file and the rank, or the
/// processes, on the command line.
bool is_small(const CLI::App& tool) {
  const CLI::App& command = *tool.get_subcommands().front();
  const auto text = [&](const char* name, const char* otherwise) -> std::string {
    const CLI::Option* const option = command.get_option_no_throw(name);
    return option == nullptr || option->count() == 0 ? otherwise : option->results().front();
  };
  if (command.get_name() == "rank") {
    const auto ranks = parse_ranks(text("--ranks", default_ranks));
    return !ranks.empty() && is_small_work(text("FILE", ""), ranks.back());
  }
  const bool goes_on = command.get_option_no_throw("--sweeps") != nullptr;
  if (command.get_option_no_throw("--print-every") == nullptr) {
    if (command.get_option_no_throw("MODEL") == nullptr) return false;
    constexpr std::size_t usual_rank = 16;  // that of the model is not known yet
    std::vector<std::string> files;
    for (const char* name : {"FILE", "SUBSCRIPTS", "REFERENCE", "--training", "MODEL"}) {
      const CLI::Option* const option = command.get_option_no_throw(name);
      // All entries of a model may be gone through, whatever the other files list.
      if (option == nullptr || (goes_on && std::string_view(name) == "MODEL")) continue;
      files.insert(files.end(), option->results().begin(), option->results().end());
    }
    return std::all_of(files.begin(), files.end(),
                       [](const std::string& file) { return is_small_work(file, usual_rank); });
  }
  if (!text("--resume", "").empty()) return false;  // the rank is that of a checkpoint
  // A nonzero is multiplied by as many numbers as the ranks of all other modes multiply to.
  const auto ranks = split_list(text("--ranks", text("--rank", "16").c_str()));
  std::size_t columns = 1, least = 0;
  for (const std::string& rank : ranks) {
    constexpr std::size_t most = 1000;
    const auto number = std::clamp<std::size_t>(std::strtoul(rank.c_str(), nullptr, 10), 1, most);
    columns *= number;
    least = least == 0 ? number : std::min(least, number);
  }
  return is_small_work(text("FILE", ""), ranks.size() < 2 ? columns : columns / least);
}

/// What the arguments ask for; usage errors leave as those of CLI11.
int run_command(CLI::App& tool, const Arguments& arguments) {
  if (std::count(arguments.kokkos.begin(), arguments.kokkos.end(), "--kokkos-help") != 0) {
    const KokkosSession prints_help(arguments.kokkos, Needs::host);
    return success;
  }
  Action action;
  declare_tool(tool, action);
  std::vector<std::string> reversed = arguments.tool;
  if (!reversed.empty() && reversed.front() == "help") {  // "help info" is "info --help"
    reversed.erase(reversed.begin());
    const auto commands = tool.get_subcommands({});
    const bool known = std::any_of(commands.begin(), commands.end(), [&](const CLI::App* each) {
      return each->get_name() == (reversed.empty() ? "" : reversed.front());
    });
    if (known || reversed.empty()) reversed.emplace_back("--help");
  }
  std::reverse(reversed.begin(), reversed.end());  // the order that CLI11 wants
  tool.parse(reversed);
  if (const auto trouble = trouble_with_instructions()) {
    return complain("genten", *trouble, wrong_usage);
  }
  tell_of_tensors(tool);
  if (ProcessesOfProgram::now() != nullptr && !action.on_processes) {
    throw AgreedError(
        "expected one process: only decompose runs on several processes of a launcher");
  }
  const bool small = ProcessesOfProgram::now() == nullptr && is_small(tool);
  return run_with_kokkos(small ? on_one_thread(arguments.kokkos) : arguments.kokkos, action.needs,
                         action.run);
}

int run(int argc, char** argv) {
  CLI::App tool("CP decomposition of sparse tensors");
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    return run_command(tool, split_arguments(argc, argv));
  } catch (const CLI::Success& request) {  // --help, --version
    return tool.exit(request);
  } catch (const CLI::ParseError& error) {
    return complain("genten", usage_message(tool, error, words), wrong_usage);
  }
}

}  // namespace
}  // namespace genten::cli

int main(int argc, char** argv) {
  using namespace genten;
  cli::end_cleanly_on_signals();
  return tools::run_program_on_processes("genten", [&] { return cli::run(argc, argv); });
}
