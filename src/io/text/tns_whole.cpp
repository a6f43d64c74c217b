// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tns_whole.hpp"

#include "text_lines.hpp"

#include <genten/base/error.hpp>

namespace genten::detail {

namespace {

std::string header_says(const HeaderCount& header) {
  return "the header in line " + std::to_string(header.line) + " says " +
         counted(header.entries, "nonzero");
}

}  // namespace

std::string too_few_entries(const HeaderCount& header, std::size_t entries) {
  return "truncated: " + header_says(header) + ", but the file ends after " +
         std::to_string(entries);
}

std::string too_many_entries(const HeaderCount& header, std::size_t entries) {
  return header_says(header) + ", but there are " + std::to_string(entries);
}

std::string repeated_entry(std::size_t first, std::size_t duplicates) {
  return "duplicate: the subscripts of this entry are those of line " + std::to_string(first) +
         " (" + counted(duplicates, "duplicate") + " in the file)";
}

std::optional<std::string> ambiguous_first_entry(std::span<const std::size_t> first,
                                                 std::size_t base,
                                                 std::span<const std::uint64_t> largest,
                                                 std::size_t entries) {
  constexpr std::size_t by_chance = 3;
  if (first.empty() || entries <= by_chance) return std::nullopt;
  for (std::size_t n = 0; n + 1 < first.size(); ++n) {
    if (first[n] - base != largest[n]) return std::nullopt;
  }
  const std::size_t follow = entries - 1;
  std::string header = "a header of dimensions and number of nonzeros";
  if (first.back() != follow) {
    header += " that says " + std::to_string(first.back()) + " where " + counted(follow, "entry") +
              (follow == 1 ? " follows" : " follow");
  }
  return "ambiguous: this line may be an entry, or " + header +
         ". If it is an entry, read the file with " + error_text::option("header", "none") +
         "; if it is a header, expected the right number of nonzeros, on a line of its own";
}

}  // namespace genten::detail
