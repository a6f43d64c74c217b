// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Finding a module for MPI (genten/mpi/module.hpp) and loading it.

#include <filesystem>
#include <string>
#include <vector>

namespace genten::tools {

/// A function of a module, and where it was found.
struct ModuleFunction {
  void* function = nullptr;  ///< null: there is none
  std::filesystem::path file;
  std::string
      account;  ///< the files that were looked for, and why those that are there do not load
};

/// The function of that name in the first module genten-FLAVOR.so that lies in one of the folders
/// and can be loaded, with its symbols for everybody (`scope` RTLD_GLOBAL) or not (RTLD_LOCAL).
[[nodiscard]] ModuleFunction find_module_function(const std::vector<std::string>& flavors,
                                                  const std::vector<std::filesystem::path>& folders,
                                                  const char* function, int scope);

}  // namespace genten::tools
