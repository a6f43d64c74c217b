// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace genten::tools {

std::string format(const char* pattern, ...) {
  std::va_list arguments;
  va_start(arguments, pattern);
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

std::string format_dimensions(const std::vector<std::size_t>& dimensions) {
  std::vector<std::string> parts;
  for (const std::size_t dimension : dimensions) parts.push_back(std::to_string(dimension));
  return join(parts, " x ");
}

std::string format_seconds(double seconds) {
  if (seconds >= 1.0) return format("%.3g s", seconds);
  if (seconds >= 1e-3) return format("%.3g ms", seconds * 1e3);
  return format("%.3g us", seconds * 1e6);
}

std::string format_duration(double seconds) {
  const auto whole = static_cast<unsigned long long>(std::llround(seconds));
  if (whole < 60) return format("%llu s", whole);
  if (whole < 3600) return format("%llu min %llu s", whole / 60, whole % 60);
  return format("%llu h %llu min", whole / 3600, whole / 60 % 60);
}

std::string count_of(std::size_t count, std::string_view noun) {
  const std::string text = std::to_string(count) + " " + std::string(noun);
  if (count == 1) return text;
  return text.ends_with("ry") ? text.substr(0, text.size() - 1) + "ies" : text + "s";
}

namespace {
bool begins_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}
}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_code_point));
}

std::string shorten(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (begins_code_point(text[end]) && ++seen == width) break;
  }
  return std::string(text.substr(0, end)) + "~";
}

std::string wrap(std::string_view text, std::size_t width) {
  std::string wrapped;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
    if (!wrapped.empty()) {
      const bool fits = column + 1 + display_width(word) <= width;
      wrapped += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    wrapped += word;
    column += display_width(word);
  }
  return wrapped;
}

std::string sentence(std::string note) {
  if (note.empty()) return note;
  note[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(note[0])));
  return note + '.';
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) text += separator;
    text += parts[i];
  }
  return text;
}

namespace {

/// Where a piece in double quotes ends, and what is in it; `begin` where there is none.
std::size_t end_of_quotes(std::string_view text, std::size_t begin, std::string& piece) {
  if (begin == text.size() || text[begin] != '"') return begin;
  piece.clear();
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] != '"') {
      piece += text[at];
    } else if (at + 1 < text.size() && text[at + 1] == '"') {
      piece += text[++at];
    } else {
      return at + 1 == text.size() || text[at + 1] == ',' ? at + 1 : begin;
    }
  }
  return begin;
}

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> pieces;
  if (text.empty()) return pieces;
  for (std::size_t begin = 0;;) {
    std::string piece;
    std::size_t comma = text.find(',', begin);
    if (const std::size_t end = end_of_quotes(text, begin, piece); end != begin) {
      comma = end == text.size() ? std::string_view::npos : end;
    } else {
      piece = text.substr(begin, comma - begin);
    }
    pieces.push_back(std::move(piece));
    if (comma == std::string_view::npos) return pieces;
    begin = comma + 1;
  }
}

}  // namespace genten::tools
