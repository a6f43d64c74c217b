// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../file/blocks.hpp"
#include "tns_parse.hpp"

#include <algorithm>
#include <cstring>

namespace genten::detail {

namespace {

constexpr std::size_t padding = 64;

std::size_t count_newlines(const char* begin, const char* end) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7fU;
  std::size_t count = 0;
  for (; end - begin >= 8; begin += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, begin, sizeof word);
    word ^= ones * '\n';  // line ends become zero bytes
    const std::uint64_t zeros = ~(((word & low) + low) | word | low);  // 0x80 for each of them
    count += ((zeros >> 7) * ones) >> 56;
  }
  return count + static_cast<std::size_t>(std::count(begin, end, '\n'));
}

/// The first line start at or after p, in a text with a line end before `end`.
const char* line_start(const char* p, const char* first, const char* end) {
  if (p == first) return p;
  const void* newline = std::memchr(p - 1, '\n', static_cast<std::size_t>(end - p) + 1);
  return newline == nullptr ? end : static_cast<const char*>(newline) + 1;
}

}  // namespace

TextBlocks::TextBlocks(const HostExec& host, std::string_view text, const TextLayout& layout,
                       const ReadOptions& options) {
  const std::string_view data = text.substr(layout.data_offset);
  // The main part ends with a line, `padding` bytes or more before the end of the text.
  std::size_t main_bytes = 0;
  if (data.size() > padding) {
    const std::size_t newline = data.rfind('\n', data.size() - padding - 1);
    main_bytes = newline == std::string_view::npos ? 0 : newline + 1;
  }
  m_tail = data.substr(main_bytes);
  if (!m_tail.empty() && m_tail.back() != '\n') m_tail += '\n';
  m_tail_lines_end = m_tail.size();
  m_tail.append(padding, '\n');
  m_main_end = data.data() + main_bytes;

  cut(data.substr(0, main_bytes), std::max<std::size_t>(1, options.block_bytes));
  TextBlock& tail = m_blocks.emplace_back();
  tail.begin = m_tail.data();
  tail.stop = m_tail.data() + m_tail_lines_end;
  const std::size_t workers = worker_count(host, m_blocks.size(), options.threads);
  BlockWork{options.threads, options.meter}.begin("counting lines", m_blocks.size());
  for_each_block(
      "genten::count_lines", host, workers, m_blocks.size(),
      [&](std::size_t i, std::size_t) {
        TextBlock& block = m_blocks[i];
        const char* const stop = block.stop;
        if (i + 1 < m_blocks.size()) {
          block.begin = line_start(block.begin, data.data(), m_main_end);
          block.stop = std::max(block.begin, line_start(stop, data.data(), m_main_end));
        }
        block.entries = count_newlines(block.begin, block.stop);
      },
      options.meter);
  std::size_t lines = 0;
  for (TextBlock& block : m_blocks) {
    block.lines_before = layout.lines_before + lines;
    block.row = lines;
    lines += std::exchange(block.entries, 0);
    block.row_end = lines;
  }
  m_lines = lines;
}

void TextBlocks::cut(std::string_view main, std::size_t block_bytes) {
  m_blocks.reserve(main.size() / block_bytes + 2);
  for (std::size_t at = 0; at < main.size(); at += block_bytes) {
    TextBlock& block = m_blocks.emplace_back();
    block.begin = main.data() + at;
    block.stop = main.data() + std::min(main.size(), at + block_bytes);
  }
}

FoundLine find_entry_line(const TextBlocks& text, std::size_t block, std::size_t entry) {
  const TextBlock& lines = text.blocks()[block];
  const char* p = lines.begin;
  for (std::size_t number = lines.lines_before + 1; p < lines.stop; ++number) {
    const char* end = std::find(p, lines.stop, '\n');
    const std::string_view line(p, static_cast<std::size_t>(end - p));
    if (!split_fields(without_comment(line)).empty() && entry-- == 0) return {number, line};
    p = end + 1;
  }
  return {};
}

FoundLine find_entry_line(const TextBlocks& text, std::size_t entry) {
  for (std::size_t block = 0; block < text.blocks().size(); ++block) {
    const std::size_t entries = text.blocks()[block].entries;
    if (entry < entries) return find_entry_line(text, block, entry);
    entry -= entries;
  }
  return {};
}

}  // namespace genten::detail
