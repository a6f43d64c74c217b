// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../file/blocks.hpp"
#include "tns_parse.hpp"

#include <algorithm>
#include <utility>

namespace genten::detail {

namespace {

constexpr std::size_t padding = 64;

}  // namespace

TextBlocks::TextBlocks(const HostExec& host, const Bytes& text, const TextLayout& layout,
                       const ReadOptions& options)
    : m_text(text.sub(layout.data_offset)) {
  const std::size_t bytes = m_text.size();
  const std::size_t block_bytes = std::clamp<std::size_t>(options.block_bytes, 1, most_parsed);
  m_blocks.resize(bytes / block_bytes + (bytes % block_bytes != 0 ? 1 : 0));
  m_text.will_need();
  const std::size_t workers = worker_count(host, m_blocks.size(), options.threads);
  std::vector<std::vector<char>> buffers(workers);
  BlockWork{options.threads, options.meter}.begin("counting lines", m_blocks.size());
  for_each_block(
      "genten::count_lines", host, workers, m_blocks.size(),
      [&](std::size_t i, std::size_t worker) {
        TextBlock& block = m_blocks[i];
        // Lines start behind the line ends from the byte before on, up to the last byte but one.
        const std::size_t begin = i * block_bytes;
        const std::size_t from = i == 0 ? 0 : begin - 1;
        const std::size_t to = begin + std::min(block_bytes, bytes - begin) - 1;
        const std::string_view ends = m_text.load(from, to - from, buffers[worker]);
        block.row_end = count_of('\n', ends);
        if (block.row_end != 0) block.begin = from + ends.find('\n') + 1;
      },
      options.meter);
  if (m_blocks.empty()) return;
  m_blocks.front().begin = 0;
  m_blocks.front().row_end += 1;
  std::size_t stop = bytes;
  for (auto block = m_blocks.rbegin(); block != m_blocks.rend(); ++block) {
    if (block->row_end == 0) block->begin = stop;
    block->stop = std::exchange(stop, block->begin);
  }
  std::size_t lines = 0;
  for (TextBlock& block : m_blocks) {
    block.lines_before = layout.lines_before + lines;
    block.row = lines;
    block.row_end = lines += block.row_end;
  }
}

std::string_view TextBlocks::load(std::size_t block, std::vector<char>& buffer) const {
  const auto [begin, stop] = std::pair(m_blocks[block].begin, m_blocks[block].stop);
  const std::size_t bytes = stop - begin;
  if (m_text.in_memory() && stop + padding <= m_text.size()) {
    return m_text.load(begin, bytes, buffer);
  }
  if (buffer.size() < bytes + padding) buffer.resize(bytes + padding);
  const std::string_view lines = m_text.load(begin, bytes, buffer);
  if (m_text.in_memory()) std::copy(lines.begin(), lines.end(), buffer.begin());
  std::fill_n(buffer.data() + bytes, padding, '\n');
  return {buffer.data(), bytes};
}

FoundLine find_entry_line(const TextBlocks& text, std::size_t block, std::size_t entry) {
  std::vector<char> buffer;
  for (; block < text.blocks().size(); ++block) {
    std::string_view rest = text.load(block, buffer);
    for (std::size_t number = text.blocks()[block].lines_before + 1; !rest.empty(); ++number) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      if (!split_fields(without_comment(line)).empty() && entry-- == 0) {
        return {number, std::string(line)};
      }
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
  }
  return {};
}

}  // namespace genten::detail
