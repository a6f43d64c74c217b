// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The tool `genten`: arguments in, exit code out. The subcommands are in files of their own.

#include "command.hpp"
#include "option_rules.hpp"
#include "signals.hpp"
#include "usage.hpp"

#include <genten/base/types.hpp>
#include <genten/version.hpp>

#include <genten_build_info.hpp>

#include <algorithm>
#include <cstdlib>

namespace genten::cli {
namespace {

/// The arguments that Kokkos takes, and those of the tool.
struct Arguments {
  std::vector<std::string> kokkos;
  std::vector<std::string> tool;
};

/// Kokkos has changed the name of its option for the number of threads: either is taken.
std::string kokkos_argument(const std::string& argument) {
  for (const std::string name : {"--kokkos-num-threads=", "--kokkos-threads="}) {
    if (!argument.starts_with(name)) continue;
    const int threads =
        parse_number<int>("kokkos-num-threads", argument.substr(name.size()), 1, 1e6);
    const char* known = KOKKOS_VERSION < 30700 ? "--kokkos-threads=" : "--kokkos-num-threads=";
    return known + std::to_string(threads);
  }
  return argument;
}

Arguments split_arguments(int argc, char** argv) {
  Arguments result;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--kokkos-")) {
      result.kokkos.push_back(kokkos_argument(argument));
    } else {
      require_value(argument);
      result.tool.push_back(argument);
    }
  }
  // Kokkos' advice for benchmarks is not what a user of the tool asked for. A setting in the
  // environment comes first; KOKKOS_DISABLE_WARNINGS=FALSE shows them.
  if (std::getenv("KOKKOS_DISABLE_WARNINGS") == nullptr) {
    result.kokkos.emplace_back("--kokkos-disable-warnings");
  }
  return result;
}

/// Kokkos from its own arguments; throws a usage error for what it does not know.
class KokkosSession {
 public:
  explicit KokkosSession(const std::vector<std::string>& arguments) {
    std::vector<std::string> copies = {"genten"};
    copies.insert(copies.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& copy : copies) argv.push_back(copy.data());
    argv.push_back(nullptr);
    int argc = static_cast<int>(copies.size());
    try {
      Kokkos::initialize(argc, argv.data());
    } catch (const std::exception& error) {
      throw CLI::ValidationError(join(arguments, " "),
                                 std::string("Kokkos does not take it: ") + error.what());
    }
    for (int i = 1; i < argc; ++i) {
      const std::string left = argv[static_cast<std::size_t>(i)];
      if (left == "--kokkos-help" || left == "--kokkos-disable-warnings") continue;
      Kokkos::finalize();
      throw CLI::ValidationError(left, "Kokkos does not know it; see --kokkos-help");
    }
  }
  ~KokkosSession() { Kokkos::finalize(); }
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
};

void declare_tool(CLI::App& tool, Action& action) {
  tool.name("genten");
  tool.require_subcommand(1);
  tool.set_version_flag("--version",
                        std::string("genten ") + GENTEN_VERSION + " (Kokkos " +
                            GENTEN_KOKKOS_VERSION + ", " + Kokkos::DefaultExecutionSpace::name() +
                            ")",
                        "the versions of genten and Kokkos");
  tool.footer(
      "genten COMMAND --help tells all about a command.\n"
      "Arguments --kokkos-... go to Kokkos: --kokkos-num-threads=4 sets the number of\n"
      "threads, --kokkos-help lists them.\n"
      "A file \"-\" is the standard input or output.\n"
      "Exit codes: 0 success, 1 numerical or runtime failure, 2 wrong usage,\n"
      "3 file trouble, 4 ended early by a signal with all that was reached written.\n"
      "A signal that comes before there is anything to write ends the tool as usual.");
  add_decompose(tool, action);
  add_info(tool, action);
  add_convert(tool, action);
  add_generate(tool, action);
  add_compare(tool, action);
  style_help(tool);
}

/// What the arguments ask for; usage errors leave as those of CLI11.
int run_command(CLI::App& tool, const Arguments& arguments) {
  if (std::count(arguments.kokkos.begin(), arguments.kokkos.end(), "--kokkos-help") != 0) {
    const KokkosSession prints_help(arguments.kokkos);
    return success;
  }
  Action action;
  declare_tool(tool, action);
  std::vector<std::string> reversed = arguments.tool;
  std::reverse(reversed.begin(), reversed.end());  // the order that CLI11 wants
  tool.parse(reversed);
  const KokkosSession kokkos(arguments.kokkos);
  return action();
}

int run(int argc, char** argv) {
  CLI::App tool("CP decomposition of sparse tensors");
  try {
    return run_command(tool, split_arguments(argc, argv));
  } catch (const CLI::Success& request) {  // --help, --version
    return tool.exit(request);
  } catch (const CLI::ParseError& error) {
    return complain("genten", usage_message(tool, error), wrong_usage);
  }
}

}  // namespace
}  // namespace genten::cli

int main(int argc, char** argv) {
  genten::cli::end_cleanly_on_signals();
  return genten::tools::run_program("genten", [&] { return genten::cli::run(argc, argv); });
}
