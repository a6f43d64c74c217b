// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <genten/base/memory.hpp>

#include <limits>

namespace genten::detail {

void require_memory(const std::string& path, const std::string& purpose, std::size_t needed,
                    std::size_t limit) {
  const double available = limit != 0 ? static_cast<double>(limit) : available_memory<HostExec>();
  genten::require_memory({.path = path,
                          .what = purpose,
                          .parts = {{purpose, static_cast<double>(needed)}},
                          .available = available,
                          .allowed = limit != 0});
}

std::size_t saturating_product(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::size_t>::max() : product;
}

}  // namespace genten::detail
