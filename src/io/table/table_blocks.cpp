// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_blocks.hpp"

#include <algorithm>

namespace genten::detail {

namespace {

constexpr std::size_t step = std::size_t{1} << 16;

/// Behind the first line end from a place on that is not in quotes; `quoted` says whether that is.
std::size_t record_start(const Bytes& text, std::size_t place, bool quoted) {
  std::vector<char> buffer;
  for (; place < text.size(); place += step) {
    const std::string_view bytes = text.load(place, step, buffer);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == '"') quoted = !quoted;
      if (bytes[i] == '\n' && !quoted) return place + i + 1;
    }
  }
  return text.size();
}

}  // namespace

std::vector<TableBlock> cut_table(const HostExec& host, const Bytes& text, std::size_t begin,
                                  std::size_t block_bytes, const BlockWork& work) {
  const std::size_t end = text.size();
  const std::size_t count = std::max<std::size_t>(1, (end - begin) / block_bytes);
  std::vector<TableBlock> blocks(count);
  for (std::size_t i = 0; i < count; ++i) {
    blocks[i].begin = begin + i * block_bytes;
    blocks[i].stop = i + 1 == count ? end : begin + (i + 1) * block_bytes;
  }
  text.will_need();
  const std::size_t workers = worker_count(host, count, work.threads);
  std::vector<std::vector<char>> buffers(workers);
  std::vector<char> odd(count);  // whether a block has an odd number of quotes
  work.begin("looking for records", count);
  for_each_block(
      "genten::count_quotes", host, workers, count,
      [&](std::size_t i, std::size_t worker) {
        const std::string_view bytes = TableRecords(text, blocks[i], buffers[worker]).text;
        odd[i] = static_cast<char>(count_of('"', bytes) & 1U);
      },
      work.meter);
  bool quoted = false;
  std::size_t start = begin;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t stop = blocks[i].stop;
    blocks[i].begin = start;
    quoted = quoted != (odd[i] != 0);
    // A record that is longer than a block leaves others without any.
    if (start < stop || i + 1 == count) start = record_start(text, stop, quoted);
    blocks[i].stop = std::max(blocks[i].begin, start);
  }
  return blocks;
}

std::size_t line_of(const Bytes& text, std::size_t place) {
  std::vector<char> buffer;
  std::size_t line = 1;
  for (std::size_t at = 0; at < place; at += step) {
    line += count_of('\n', text.load(at, std::min(step, place - at), buffer));
  }
  return line;
}

}  // namespace genten::detail
