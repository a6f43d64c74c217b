// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "on_processes.hpp"

#include "tools/command_line.hpp"
#include "tools/kokkos/session.hpp"
#include "tools/program.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace genten::tools {

void on_all_processes(const std::function<void()>& body) {
  MpiModule* const module = ProcessesOfProgram::now();
  if (module == nullptr) return body();
  std::exception_ptr usage;
  std::string message;
  together(module->processes(), [&] {
    try {
      body();
    } catch (const std::exception& error) {
      if (!is_usage_error(error)) throw;
      usage = std::current_exception();
      message = sentence(error);
    }
  });
  // The command line is that of all processes, and so are errors in it, but for those that depend
  // on what lies in their folders.
  const auto everywhere = all_gather(module->processes(), usage ? 1 : 0);
  if (std::count(everywhere.begin(), everywhere.end(), 1) != std::ssize(everywhere)) {
    together(module->processes(), [&] {
      if (usage) throw Error(message);
    });
  }
  if (usage) std::rethrow_exception(usage);
}

void on_first_process(const std::function<void()>& body) {
  MpiModule* const module = ProcessesOfProgram::now();
  if (module != nullptr) return first_alone(module->processes(), body);
  body();
}

bool is_first_process() {
  MpiModule* const module = ProcessesOfProgram::now();
  return module == nullptr || module->processes().process() == 0;
}

int run_program_on_processes(std::string_view program, const std::function<int()>& body) {
  const Launch launch = find_launch();
  if (launch.process != 0) silence_streams();
  std::optional<ProcessesOfProgram> processes;
  const int refused = guarded(program, [&] {
    processes.emplace(start_processes(launch));
    return static_cast<int>(success);
  });
  return refused != success ? refused : run_program(program, body);
}

int run_with_kokkos(const std::vector<std::string>& arguments, Needs needs,
                    const std::function<int()>& body) {
  MpiModule* const module = ProcessesOfProgram::now();
  if (module == nullptr) {
    const KokkosSession kokkos(arguments, needs);
    return body();
  }
  try {
    const KokkosSession kokkos(process_arguments(arguments, *module), needs);
    return body();
  } catch (const AgreedError&) {
    throw;
  } catch (const std::exception& error) {
    if (is_usage_error(error)) throw;  // all processes have the same command line
    abandon_processes(*module, sentence(error));
  }
}

}  // namespace genten::tools
