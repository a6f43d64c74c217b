// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of rows that somebody may have meant to be the same, or to be missing values.

#include <cstddef>
#include <string>
#include <vector>

namespace genten::tools {

/// Names that differ only by blanks, by the case of letters of ASCII or by zeros
/// before a number: how many, and two of them.
struct AlikeNames {
  std::size_t count = 0;
  std::string first, second;
};

/// Those beside the first of each.
[[nodiscard]] AlikeNames alike_names(const std::vector<std::string>& names);
/// Those of `known` of which one of `names` does.
[[nodiscard]] AlikeNames alike_names(const std::vector<std::string>& names,
                                     const std::vector<std::string>& known);

/// What there is of such names, in "2 names that differ from another only by blanks, by case or by
/// zeros before a number, as "a b" and "A b"": `name` and `other` are what they and those that they
/// are like are called, and `quote` is the sign around the two. Each has a row of its own.
[[nodiscard]] std::string text_of(const AlikeNames& found, const char* name, const char* other,
                                  char quote);

/// Those that stand for a missing value where a program has written them, in their order. One that
/// is a code among other codes, as NA of Namibia among those of countries, is none of these.
[[nodiscard]] std::vector<std::string> missing_names(const std::vector<std::string>& names);

}  // namespace genten::tools
