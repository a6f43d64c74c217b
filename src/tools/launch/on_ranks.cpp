// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "on_ranks.hpp"

#include "tools/command_line.hpp"
#include "tools/kokkos/session.hpp"
#include "tools/program.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace genten::tools {

void on_all_ranks(const std::function<void()>& body) {
  RankModule* const module = RanksOfProgram::now();
  if (module == nullptr) return body();
  std::exception_ptr usage;
  std::string message;
  together(module->ranks(), [&] {
    try {
      body();
    } catch (const std::exception& error) {
      if (!is_usage_error(error)) throw;
      usage = std::current_exception();
      message = sentence(error);
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
  if (module != nullptr) return first_alone(module->ranks(), body);
  body();
}

bool is_first_rank() {
  RankModule* const module = RanksOfProgram::now();
  return module == nullptr || module->ranks().rank() == 0;
}

int run_program_on_ranks(std::string_view program, const std::function<int()>& body) {
  const Launch launch = find_launch();
  if (launch.rank != 0) silence_streams();
  std::optional<RanksOfProgram> ranks;
  const int refused = guarded(program, [&] {
    ranks.emplace(start_ranks(launch));
    return static_cast<int>(success);
  });
  return refused != success ? refused : run_program(program, body);
}

int run_with_kokkos(const std::vector<std::string>& arguments, Needs needs,
                    const std::function<int()>& body) {
  RankModule* const module = RanksOfProgram::now();
  if (module == nullptr) {
    const KokkosSession kokkos(arguments, needs);
    return body();
  }
  try {
    const KokkosSession kokkos(rank_arguments(arguments, *module), needs);
    return body();
  } catch (const AgreedError&) {
    throw;
  } catch (const std::exception& error) {
    if (is_usage_error(error)) throw;  // all ranks have the same command line
    abandon_ranks(*module, sentence(error));
  }
}

}  // namespace genten::tools
