// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_blocks.hpp"

#include <genten/base/error.hpp>

#include <algorithm>

namespace genten::detail {

namespace {

/// Behind the first line end from p on that is not in quotes; `quoted` says whether p is.
const char* record_start(const char* p, const char* end, bool quoted) {
  for (; p != end; ++p) {
    if (*p == '"') quoted = !quoted;
    if (*p == '\n' && !quoted) return p + 1;
  }
  return end;
}

}  // namespace

std::vector<TableBlock> cut_table(const HostExec& host, std::string_view records,
                                  std::size_t block_bytes, const BlockWork& work) {
  const char* const begin = records.data();
  const char* const end = begin + records.size();
  const std::size_t count = std::max<std::size_t>(1, records.size() / block_bytes);
  std::vector<TableBlock> blocks(count);
  for (std::size_t i = 0; i < count; ++i) {
    blocks[i].begin = begin + i * block_bytes;
    blocks[i].stop = i + 1 == count ? end : begin + (i + 1) * block_bytes;
  }
  const std::size_t workers = worker_count(host, count, work.threads);
  std::vector<char> odd(count);  // whether a block has an odd number of quotes
  work.begin("looking for records", count);
  for_each_block(
      "genten::count_quotes", host, workers, count,
      [&](std::size_t i, std::size_t) {
        odd[i] = static_cast<char>(std::count(blocks[i].begin, blocks[i].stop, '"') & 1);
      },
      work.meter);
  bool quoted = false;
  const char* start = begin;
  for (std::size_t i = 0; i < count; ++i) {
    const char* const stop = blocks[i].stop;
    blocks[i].begin = start;
    quoted = quoted != (odd[i] != 0);
    // A record that is longer than a block leaves others without any.
    if (start < stop || i + 1 == count) start = record_start(stop, end, quoted);
    blocks[i].stop = std::max(blocks[i].begin, start);
  }
  return blocks;
}

void fail_at(const std::string& path, std::string_view text, const char* at,
             const std::string& message) {
  const auto lines = std::count(text.data(), at, '\n');
  throw Error::in_file(path, static_cast<std::size_t>(lines) + 1, message);
}

}  // namespace genten::detail
