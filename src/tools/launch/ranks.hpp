// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The ranks that a launcher of MPI has started this program as.

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
  std::string launcher;   ///< "openmpi", "mpich", "slurm"; empty: there is none
  std::size_t ranks = 1;  ///< that it has started
  std::size_t rank = 0;   ///< this one
};
[[nodiscard]] Launch find_launch();

/// Starts MPI where a launcher has started several ranks, by the module for its library, which lies
/// beside the program or in ../lib/genten; null where there is one rank. Throws Error, naming what
/// was looked for, where there are several and no module.
[[nodiscard]] std::unique_ptr<RankModule> start_ranks(const Launch& launch);

/// From now on nothing is printed: of several ranks the first one speaks.
void silence_streams();

/// The ranks of this program while one of these lives.
class RanksOfProgram {
 public:
  explicit RanksOfProgram(std::unique_ptr<RankModule> module);
  ~RanksOfProgram();
  RanksOfProgram(const RanksOfProgram&) = delete;
  RanksOfProgram& operator=(const RanksOfProgram&) = delete;

  /// Those of the one that lives; null where there are none, or one rank.
  [[nodiscard]] static RankModule* now();

 private:
  std::unique_ptr<RankModule> m_module;
};

/// This rank has met what the others do not know of: says so on standard error and ends them all.
[[noreturn]] void abandon_ranks(RankModule& module, const std::string& message);

/// Cores by their numbers.
using CoreSet = std::bitset<CPU_SETSIZE>;

/// The cores of one of the ranks of a machine, from those on which each may run: every core is
/// divided evenly among the ranks that may run on it, whether a launcher has bound each rank to
/// cores of its own or left the same ones to all. At least one.
[[nodiscard]] std::size_t cores_of_rank(std::span<const CoreSet> allowed, std::size_t rank);

/// Kokkos' arguments with those that a rank needs beside others on its machine, unless they are
/// there or the environment has them: a number of threads, by `cores_of_rank`, and a device, in
/// turn. All ranks call it.
[[nodiscard]] std::vector<std::string> rank_arguments(std::vector<std::string> arguments,
                                                      RankModule& module);

}  // namespace genten::tools
