// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The processes that a launcher of MPI has started this program as.

#include <genten/mpi/module.hpp>

#include <sched.h>

#include <bitset>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace genten::tools {

/// What a launcher says in the environment of what it starts.
struct Launch {
  std::string launcher;       ///< "openmpi", "mpich", "slurm"; empty: there is none
  std::size_t processes = 1;  ///< that it has started
  std::size_t process = 0;    ///< the number of this one
};
[[nodiscard]] Launch find_launch();

/// Starts MPI where a launcher has started several processes, by the module for its library, which
/// lies beside the program or in ../lib/genten; null where there is one process. Throws Error,
/// naming what was looked for, where there are several and no module.
[[nodiscard]] std::unique_ptr<MpiModule> start_processes(const Launch& launch);

/// From now on nothing is printed: of several processes the first one speaks.
void silence_streams();

/// The processes of this program while one of these lives.
class ProcessesOfProgram {
 public:
  explicit ProcessesOfProgram(std::unique_ptr<MpiModule> module);
  ~ProcessesOfProgram();
  ProcessesOfProgram(const ProcessesOfProgram&) = delete;
  ProcessesOfProgram& operator=(const ProcessesOfProgram&) = delete;

  /// Those of the one that lives; null where there are none, or one process.
  [[nodiscard]] static MpiModule* now();

 private:
  std::unique_ptr<MpiModule> m_module;
};

/// This process has met what the others do not know of: says so on standard error and ends them
/// all.
[[noreturn]] void abandon_processes(MpiModule& module, const std::string& message);

/// Cores by their numbers.
using CoreSet = std::bitset<CPU_SETSIZE>;

/// The cores of one of the processes of a machine, from those on which each may run: every core is
/// divided evenly among the processes that may run on it, whether a launcher has bound each process
/// to cores of its own or left the same ones to all. At least one.
[[nodiscard]] std::size_t cores_of_process(std::span<const CoreSet> allowed, std::size_t process);

/// Kokkos' arguments with those that a process needs beside others on its machine, unless they are
/// there or the environment has them: a number of threads, by `cores_of_process`, and a device, in
/// turn. All processes call it.
[[nodiscard]] std::vector<std::string> process_arguments(std::vector<std::string> arguments,
                                                         MpiModule& module);

}  // namespace genten::tools
