// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "memory.hpp"

#include <genten/base/detail/memory.hpp>
#include <genten/base/error.hpp>

#include <cstdio>
#include <limits>

namespace genten::detail {

namespace {
std::string with_unit(std::size_t bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%zu bytes (%.1f GB)", bytes, static_cast<double>(bytes) * 1e-9);
  return text;
}
}  // namespace

void require_memory(const std::string& path, const std::string& purpose, std::size_t needed,
                    std::size_t limit) {
  const std::size_t available = limit != 0 ? limit : available_host_bytes();
  if (needed <= available) return;
  throw Error(Error::Kind::memory, path + ": " + purpose + " needs " + with_unit(needed) +
                                       " of memory, but " + with_unit(available) +
                                       (limit != 0 ? " are allowed" : " are available"));
}

std::size_t saturating_product(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::size_t>::max() : product;
}

}  // namespace genten::detail
