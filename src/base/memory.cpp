// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/error.hpp>
#include <genten/base/memory.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <numeric>

namespace genten {
namespace {

std::string whole_bytes(double bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.0f bytes", bytes);
  return text;
}

/// The parts that take anything, each with its bytes.
std::string listed(const std::vector<MemoryPart>& parts) {
  std::string text;
  std::size_t count = 0;
  for (const MemoryPart& part : parts) {
    if (part.bytes == 0.0) continue;
    text += (count++ == 0 ? "" : ", ") + part.name + " " + format_bytes(part.bytes);
  }
  return count < 2 ? "" : " (" + text + ")";
}

}  // namespace

double total_bytes(const std::vector<MemoryPart>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double sum, const MemoryPart& part) { return sum + part.bytes; });
}

std::string format_bytes(double bytes) {
  static constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return whole_bytes(bytes);
  std::size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit + 1 < std::size(units); bytes /= 1024) ++unit;
  char text[64];
  // Three digits, but for 1000 to 1023.
  std::snprintf(text, sizeof text, bytes < 999.5 ? "%.3g %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

void require_memory(const MemoryRequest& request) {
  const double needed = total_bytes(request.parts);
  if (needed <= request.available) return;
  std::string needs = format_bytes(needed), has = format_bytes(std::max(request.available, 0.0));
  // Three digits may not tell the two apart.
  if (needs == has) needs = whole_bytes(needed), has = whole_bytes(request.available);
  throw Error(Error::Fields{
      .kind = Error::Kind::memory,
      .path = request.path,
      .function = request.function,
      .complaint = request.what + " needs " + needs + (request.device ? " of device" : " of") +
                   " memory" + listed(request.parts) +
                   (request.allowed ? ", allowed are " : ", available are ") + has +
                   (request.remedy.empty() ? "" : "; " + request.remedy)});
}

}  // namespace genten
