// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "text_lines.hpp"

#include "encoding.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

namespace genten::detail {

std::string_view without_comment(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  std::size_t percent = line.find('%');
  // Right after a number a percent sign is part of what was written, not a comment.
  while (percent != std::string_view::npos && percent != 0 && !is_blank(line[percent - 1])) {
    percent = line.find('%', percent + 1);
  }
  return line.substr(0, std::min({line.find('#'), percent, line.find("//")}));
}

std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  for (auto p = line.begin(); p != line.end();) {
    p = std::find_if_not(p, line.end(), is_blank);
    const auto end = std::find_if(p, line.end(), is_blank);
    if (p != end) fields.emplace_back(p, end);
    p = end;
  }
  return fields;
}

namespace {
bool begins_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
}
}  // namespace

std::string in_quotes(std::string_view field) {
  constexpr std::size_t longest = 40;  // of bytes
  constexpr char hex[] = "0123456789abcdef";
  std::string_view shown = field.substr(0, longest);
  const bool is_text = is_utf8(field);
  while (is_text && shown.size() < field.size() && !begins_code_point(field[shown.size()])) {
    shown.remove_suffix(1);
  }
  std::string text = "'";
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte < 0x7f) || (is_text && byte >= 0x80)) {
      text += c;
    } else {
      text += {'\\', 'x', hex[byte >> 4], hex[byte & 15U]};
    }
  }
  text += field.size() > longest ? "...'" : "'";
  return text;
}

std::optional<std::uint64_t> to_count(std::string_view field) {
  if (field.empty() || !std::all_of(field.begin(), field.end(), is_digit)) return std::nullopt;
  std::uint64_t value = 0;
  const auto result = std::from_chars(field.data(), field.data() + field.size(), value);
  return result.ec == std::errc() ? std::optional(value) : std::nullopt;
}

std::size_t byte_order_mark(std::string_view text) {
  return text.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0;
}

std::string counted(std::size_t n, std::string_view noun) {
  std::string text = std::to_string(n) + " ";
  if (n != 1 && noun.back() == 'y') return text.append(noun.substr(0, noun.size() - 1)) + "ies";
  return text.append(noun) + (n == 1 ? "" : "s");
}

bool LineReader::next(Line& line) {
  while (m_offset < m_text.size()) {
    const std::size_t begin = m_offset;
    const std::size_t end = std::min(m_text.find('\n', begin), m_text.size());
    m_offset = std::min(end + 1, m_text.size());
    ++m_lines;
    line.fields = split_fields(without_comment(m_text.substr(begin, end - begin)));
    if (line.fields.empty()) continue;
    line.number = m_lines;
    line.offset = begin;
    return true;
  }
  return false;
}

std::size_t count_of(char wanted, std::string_view text) {
  constexpr std::size_t lanes = 64;
  std::size_t count = 0;
  while (text.size() >= lanes) {
    // Compilers add up bytes in vectors.
    std::array<std::uint8_t, lanes> counts{};
    const std::size_t rows = std::min<std::size_t>(255, text.size() / lanes);
    for (std::size_t i = 0; i < rows; ++i, text.remove_prefix(lanes)) {
      for (std::size_t lane = 0; lane < lanes; ++lane) counts[lane] += text[lane] == wanted ? 1 : 0;
    }
    count = std::accumulate(counts.begin(), counts.end(), count);
  }
  return count + static_cast<std::size_t>(std::count(text.begin(), text.end(), wanted));
}

bool tells_layout(std::string_view head) {
  constexpr int telling_lines = 8;
  LineReader reader(head.substr(0, head.rfind('\n') + 1));
  Line line;
  int lines = 0;
  while (lines < telling_lines && reader.next(line)) ++lines;
  return lines == telling_lines;
}

}  // namespace genten::detail
