// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/io/options.hpp>

namespace genten {

namespace {

/// "mode 2 starts", "modes 1, 3 start"
std::string modes_start(const std::vector<std::size_t>& modes) {
  std::string text = modes.size() == 1 ? "mode " : "modes ";
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(modes[i] + 1);
  }
  return text + (modes.size() == 1 ? " starts" : " start");
}

}  // namespace

std::string describe_mixed_bases(const std::vector<std::size_t>& first_subscripts) {
  std::vector<std::size_t> from[2];
  for (std::size_t n = 0; n < first_subscripts.size(); ++n) {
    if (first_subscripts[n] < 2) from[first_subscripts[n]].push_back(n);
  }
  if (from[0].empty() || from[1].empty()) return "";
  return modes_start(from[1]) + " at 1 where " + modes_start(from[0]) + " at 0";
}

std::string describe_rounded(const ReadReport& report) {
  if (report.rounded == 0) return "";
  const std::string of_line = std::to_string(report.rounded_line);
  return (report.rounded == 1 ? "the value in line " + of_line + " is a whole number"
                              : std::to_string(report.rounded) + " values, the first in line " +
                                    of_line + ", are whole numbers") +
         " beyond 2^53 that double precision does not have, and " +
         (report.rounded == 1 ? "was" : "were") +
         " rounded: numbers that stand for something, as ids do, are subscripts and no values";
}

}  // namespace genten
