// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "margin_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string_view>

namespace genten::tools {
namespace {

/// Whether the letters of a name, whatever stands between them, are those of a margin, as "(All)"
/// is one of pivot tables; or its last word is, as that of "North Total" among subtotals.
bool is_margin(std::string_view name) {
  constexpr std::array<std::string_view, 16> known{
      "all",        "average",   "durchschnitt", "gesamt",     "gesamtergebnis", "gesamtsumme",
      "grandtotal", "insgesamt", "mean",         "mittelwert", "overall",        "subtotal",
      "sum",        "summe",     "total",        "totals"};
  constexpr std::string_view of_group = " total";
  if (name.size() > of_group.size() &&
      std::equal(of_group.rbegin(), of_group.rend(), name.rbegin(), [](char a, char b) {
        return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
      })) {
    return true;
  }
  constexpr std::size_t longest = 16;
  if (name.size() > longest) return false;
  std::string letters;
  for (const char sign : name) {
    const auto c = static_cast<unsigned char>(sign);
    if (std::isalpha(c) != 0) letters += static_cast<char>(std::tolower(c));
    if (std::isdigit(c) != 0 || c > 127) return false;
  }
  return std::find(known.begin(), known.end(), letters) != known.end();
}

}  // namespace

std::vector<std::string> margin_names(const std::vector<std::string>& names) {
  constexpr std::size_t fewest = 3;  // so that there are others to sum
  std::vector<std::string> found;
  if (names.size() < fewest) return found;
  std::copy_if(names.begin(), names.end(), std::back_inserter(found), is_margin);
  return found;
}

}  // namespace genten::tools
