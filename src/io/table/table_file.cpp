// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/io/table.hpp>

#include "../binary/binary_form.hpp"
#include "../file/file_head.hpp"
#include "table_columns.hpp"
#include "table_layout.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace genten {

bool is_table_file(const std::string& path, const ReadOptions& options) {
  if (!options.values.empty() || !options.modes.empty()) return true;
  return !table_columns(path, options).empty();
}

bool is_missing_value(std::string_view field) {
  constexpr std::size_t longest = 8;
  // clang-format off
  constexpr std::array<std::string_view, 18> words = {
      "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
      "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"};
  // clang-format on
  if (field.empty()) return true;
  if (field.size() > longest ||
      std::string_view("#-1<Nn").find(field.front()) == std::string_view::npos) {
    return false;
  }
  return std::find(words.begin(), words.end(), field) != words.end();
}

bool may_be_missing(std::string_view field) {
  // Of databases, people, pivot tables, and formulas of spreadsheets without a result.
  constexpr std::array<std::string_view, 11> marks{
      "\\N", "-", "--", "?", "??", "(blank)", "#DIV/0!", "#NAME?", "#NUM!", "#REF!", "#VALUE!"};
  return is_missing_value(field) || std::find(marks.begin(), marks.end(), field) != marks.end();
}

std::vector<std::string> table_columns(const std::string& path, const ReadOptions& options) {
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_regular_file(path, ignored)) return {};
  const auto columns_in = [&](std::string_view text) {
    if (detail::is_binary_form(text) || !detail::is_table(text, options)) {
      return std::vector<std::string>();
    }
    return detail::header_columns(path, text, options);
  };
  try {
    return detail::with_head(path, columns_in);
  } catch (const Error&) {
    return {};  // who reads it says what is wrong
  }
}

}  // namespace genten
