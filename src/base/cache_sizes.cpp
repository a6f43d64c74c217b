// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/machine.hpp>

#include <fstream>
#include <string>

#include <unistd.h>

namespace genten {
namespace {

/// What sysconf says, 0 where it does not know.
[[maybe_unused]] double system_number(int name) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<double>(value) : 0.0;
}

CacheSizes sizes_of_library() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  return {system_number(_SC_LEVEL1_DCACHE_SIZE), system_number(_SC_LEVEL2_CACHE_SIZE),
          system_number(_SC_LEVEL3_CACHE_SIZE)};
#else
  return {};
#endif
}

CacheSizes read_sizes() {
  CacheSizes sizes = sizes_of_library();
  // For AMD glibc adds up the L3 caches of all core complexes, of which a core has one.
  for (int index = 0;; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    std::ifstream type_file(folder + "/type"), level_file(folder + "/level"),
        size_file(folder + "/size");
    std::string type;
    int level = 0;
    double size = 0.0;
    char unit = ' ';
    if (!(type_file >> type) || !(level_file >> level) || !(size_file >> size >> unit)) break;
    if (type == "Instruction" || level < 1 || level > 3 || (unit != 'K' && unit != 'M')) continue;
    sizes[static_cast<std::size_t>(level - 1)] = size * (unit == 'K' ? 1 << 10 : 1 << 20);
  }
  return sizes;
}

}  // namespace

CacheSizes host_cache_sizes() {
  static const CacheSizes sizes = read_sizes();
  return sizes;
}

}  // namespace genten
