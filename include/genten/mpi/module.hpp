// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a program that is not linked with MPI loads where it is started by a launcher of MPI, or
/// where it is handed a communicator: the functions of a module that is linked with it. So one
/// program serves several MPI libraries, and none.

#include <genten/dist/communicator.hpp>

#include <memory>
#include <string>

namespace genten {

/// The ranks of a program or of a communicator, and their MPI.
class RankModule {
 public:
  virtual ~RankModule() = default;  ///< ends MPI, if it has started it; all ranks come here
  RankModule() = default;
  RankModule(const RankModule&) = delete;
  RankModule& operator=(const RankModule&) = delete;

  [[nodiscard]] virtual Communicator& ranks() = 0;
  /// "Open MPI v4.1.4"
  [[nodiscard]] virtual const char* library() const = 0;
  /// Ends all ranks at once.
  virtual void end_all(int exit_code) = 0;
};

/// The name of the module's function that starts MPI, for a whole program.
inline constexpr const char* rank_module_function = "genten_start_ranks";
/// Its type.
using RankModuleFunction = RankModule* (*)();

/// The name of the module's function for who has started MPI, and ends it.
inline constexpr const char* rank_taker_function = "genten_take_ranks";
/// Its type. `communicator` is the address of an MPI_Comm, all of whose ranks call it. Errors of
/// MPI among the ranks then end all of them.
using RankTakerFunction = RankModule* (*)(const void* communicator);

/// The name of the function that says why the ranks of a communicator cannot be taken.
inline constexpr const char* rank_trouble_function = "genten_trouble_of_ranks";
/// Its type; `library` is what MPI_Get_library_version says where the communicator comes from. The
/// reason is empty unless the MPI is not the module's, does not run or serves one thread alone, or
/// the communicator is null or joins two groups. Not for all ranks to call.
using RankTroubleFunction = void (*)(const void* communicator, const char* library,
                                     std::string& reason);

}  // namespace genten
