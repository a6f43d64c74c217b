// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "alike_names.hpp"

#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <genten/io/table.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

namespace genten::tools {
namespace {

/// A name and what `normalize` makes of it. A type of this file alone: containers of std's types
/// would be symbols that the Python extension shows.
struct NormalName {
  std::string normal;
  const std::string* name = nullptr;
};

/// Without blanks around it, with one for several, and for those that no line breaks at, and with
/// small letters for those of ASCII; or digits alone without zeros before them.
void normalize(std::string_view name, std::string& normal) {
  constexpr std::string_view no_break = "\u00a0";
  normal.clear();
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_long = name.substr(i).starts_with(no_break);
    if (!is_long && name[i] != ' ' && name[i] != '\t') {
      normal += name[i];
      continue;
    }
    if (!normal.empty() && normal.back() != ' ') normal += ' ';
    i += is_long ? 1 : 0;
  }
  if (normal.ends_with(' ')) normal.pop_back();
  for (char& c : normal) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (!normal.starts_with('0') || normal.find_first_not_of("0123456789") != normal.npos) return;
  normal.erase(0, std::min(normal.find_first_not_of('0'), normal.size() - 1));
}

/// Whether all names are as long as the first one, and of capital letters alone, and ten or more.
bool are_codes(const std::vector<std::string>& names) {
  constexpr std::size_t fewest = 10;
  return names.size() >= fewest && std::all_of(names.begin(), names.end(), [&](const auto& name) {
           return name.size() == names.front().size() &&
                  std::all_of(name.begin(), name.end(),
                              [](char c) { return c >= 'A' && c <= 'Z'; });
         });
}

}  // namespace

std::string text_of(const AlikeNames& found, const char* name, const char* other, char quote) {
  const auto quoted = [quote](const std::string& text) { return quote + printable(text) + quote; };
  return count_of(found.count, name) + " that " + (found.count == 1 ? "differs" : "differ") +
         " from " + other + " only by blanks, by case or by zeros before a number, as " +
         quoted(found.first) + " and " + quoted(found.second);
}

AlikeNames alike_names(const std::vector<std::string>& names) {
  std::string normal, other;
  // A bit of many for each hash leaves few names to sort.
  constexpr std::size_t bits_for_one = 32;
  const std::size_t bits = std::bit_ceil(bits_for_one * std::max<std::size_t>(names.size(), 1));
  std::vector<bool> seen(bits), again(bits);
  std::vector<std::size_t> all;
  all.reserve(names.size());
  for (const std::string& name : names) {
    normalize(name, normal);
    const std::size_t hash = std::hash<std::string>()(normal), bit = hash & (bits - 1);
    all.push_back(hash);
    if (seen[bit]) again[bit] = true;
    seen[bit] = true;
  }
  std::vector<std::pair<std::size_t, std::size_t>> hashes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (again[all[i] & (bits - 1)]) hashes.emplace_back(all[i], i);
  }
  std::sort(hashes.begin(), hashes.end());
  AlikeNames found;
  for (std::size_t k = 1; k < hashes.size(); ++k) {
    if (hashes[k].first != hashes[k - 1].first) continue;
    const std::string &one = names[hashes[k - 1].second], &two = names[hashes[k].second];
    normalize(one, normal);
    normalize(two, other);
    if (normal != other) continue;
    if (found.count++ == 0) std::tie(found.first, found.second) = std::tie(one, two);
  }
  return found;
}

AlikeNames alike_names(const std::vector<std::string>& names,
                       const std::vector<std::string>& known) {
  std::vector<NormalName> normal_names(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    normalize(names[i], normal_names[i].normal);
    normal_names[i].name = &names[i];
  }
  const auto by_normal = [](const NormalName& a, const NormalName& b) {
    return a.normal < b.normal;
  };
  std::stable_sort(normal_names.begin(), normal_names.end(), by_normal);
  AlikeNames found;
  NormalName one;
  for (const std::string& name : known) {
    normalize(name, one.normal);
    const auto place = std::lower_bound(normal_names.begin(), normal_names.end(), one, by_normal);
    if (place == normal_names.end() || place->normal != one.normal) continue;
    if (found.count++ == 0) std::tie(found.first, found.second) = std::tie(name, *place->name);
  }
  return found;
}

std::vector<std::string> missing_names(const std::vector<std::string>& names) {
  std::vector<std::string> found;
  std::copy_if(names.begin(), names.end(), std::back_inserter(found), may_be_missing);
  if (!found.empty() && are_codes(names)) found.clear();
  return found;
}

}  // namespace genten::tools
