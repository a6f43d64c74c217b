// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_module.hpp"

#include <dlfcn.h>

namespace genten::tools {

ModuleFunction find_module_function(const std::vector<std::string>& flavors,
                                    const std::vector<std::filesystem::path>& folders,
                                    const char* function, int scope) {
  ModuleFunction found;
  std::string failures;
  for (const std::string& flavor : flavors) {
    for (const std::filesystem::path& folder : folders) {
      found.file = folder / ("genten-" + flavor + ".so");
      found.account += (found.account.empty() ? "" : ", ") + found.file.string();
      if (std::error_code error; !std::filesystem::exists(found.file, error)) continue;
      void* const module = dlopen(found.file.c_str(), RTLD_NOW | scope);
      if (module != nullptr) found.function = dlsym(module, function);
      if (found.function != nullptr) return found;
      failures += std::string("; ") + dlerror();
    }
  }
  found.account += failures;
  return found;
}

}  // namespace genten::tools
