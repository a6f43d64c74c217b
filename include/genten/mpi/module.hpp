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

/// The processes of a program or of a communicator, and their MPI.
class MpiModule {
 public:
  virtual ~MpiModule() = default;  ///< ends MPI, if it has started it; all processes come here
  MpiModule() = default;
  MpiModule(const MpiModule&) = delete;
  MpiModule& operator=(const MpiModule&) = delete;

  [[nodiscard]] virtual Communicator& processes() = 0;
  /// "Open MPI v4.1.4"
  [[nodiscard]] virtual const char* library() const = 0;
  /// Ends all processes at once.
  virtual void end_all(int exit_code) = 0;
};

/// The name of the module's function that starts MPI, for a whole program.
inline constexpr const char* mpi_module_function = "genten_start_processes";
/// Its type.
using MpiModuleFunction = MpiModule* (*)();

/// The name of the module's function for who has started MPI, and ends it.
inline constexpr const char* process_taker_function = "genten_take_processes";
/// Its type. `communicator` is the address of an MPI_Comm, all of whose processes call it. Errors
/// of MPI among the processes then end all of them.
using ProcessTakerFunction = MpiModule* (*)(const void* communicator);

/// The name of the function that says why the processes of a communicator cannot be taken.
inline constexpr const char* process_trouble_function = "genten_trouble_of_processes";
/// Its type; `library` is what MPI_Get_library_version says where the communicator comes from. The
/// reason is empty unless the MPI is not the module's, does not run or serves one thread alone, or
/// the communicator is null or joins two groups. Not for all processes to call.
using ProcessTroubleFunction = void (*)(const void* communicator, const char* library,
                                        std::string& reason);

}  // namespace genten
