// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "labels.hpp"

#include "tools/text.hpp"

#include <genten/base/error.hpp>
#include <genten/io/labels.hpp>

#include <algorithm>
#include <filesystem>

namespace genten::cli {

using namespace tools;

Labels::Labels(std::string_view files, const std::vector<std::size_t>& dimensions,
               std::optional<std::size_t> table_base)
    : m_rows(dimensions.size()),
      m_modes(dimensions.size()),
      m_numbers(dimensions.size()),
      m_table_base(table_base) {
  const auto names = split_list(files);
  if (names.empty()) return;
  if (names.size() != dimensions.size()) {
    throw Error::of_option("labels", "expected " + count_of(dimensions.size(), "file") +
                                         ", one for each mode and with commas between them, got " +
                                         std::to_string(names.size()));
  }
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (names[n].empty()) continue;
    m_rows[n] = read_labels(names[n], dimensions[n]);
    // "data/gender.labels.zst" names the mode "gender".
    const std::string file = std::filesystem::path(names[n]).filename().string();
    m_modes[n] = file.substr(0, file.find('.', 1));
  }
}

std::string Labels::mode(std::size_t mode) const {
  const std::string number = numbered(mode), &name = m_modes[mode];
  return name.empty() || name == number ? number : number + " (" + name + ")";
}

std::string Labels::numbered(std::size_t mode) {
  return "mode " + std::to_string(mode + 1);
}

bool Labels::any() const {
  const auto is_named = [](const auto& names) { return !names.empty(); };
  return std::any_of(m_rows.begin(), m_rows.end(), is_named) ||
         std::any_of(m_modes.begin(), m_modes.end(), is_named);
}

Labels Labels::permuted(const std::vector<int>& modes) const {
  Labels turned(modes.size());
  turned.m_table_base = m_table_base;
  for (std::size_t n = 0; n < modes.size(); ++n) {
    turned.m_rows[n] = m_rows[static_cast<std::size_t>(modes[n])];
    turned.m_modes[n] = m_modes[static_cast<std::size_t>(modes[n])];
    turned.m_numbers[n] = m_numbers[static_cast<std::size_t>(modes[n])];
  }
  return turned;
}

Labels Labels::with_rows_of(std::size_t mode, const Labels* other, std::size_t their_mode) const {
  Labels found = *this;
  found.name_rows(mode, {}, false);
  if (other == nullptr) return found;
  found.name_rows(mode, other->m_rows[their_mode], other->are_numbers(their_mode));
  if (!m_table_base) found.m_table_base = other->m_table_base;
  return found;
}

Labels Labels::of_rows(const std::vector<std::vector<std::uint64_t>>& rows,
                       std::size_t first) const {
  Labels some(rows.size());
  some.m_modes = m_modes;
  some.m_table_base = m_table_base;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    std::vector<std::string> names;
    for (const std::uint64_t i : rows[n]) {
      names.push_back(named(n) ? row(n, i) : std::to_string(i + first));
    }
    some.name_rows(n, std::move(names), !named(n) || are_numbers(n));
  }
  return some;
}

bool Labels::any_numbers() const {
  return std::find(m_numbers.begin(), m_numbers.end(), true) != m_numbers.end();
}

std::string Labels::row(std::size_t mode, std::size_t row) const {
  return named(mode) ? m_rows[mode][row] : std::to_string(row + first_number());
}

}  // namespace genten::cli
