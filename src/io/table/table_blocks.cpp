// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_blocks.hpp"

#include <algorithm>

namespace genten::detail {

namespace {

constexpr std::size_t step = std::size_t{1} << 16;
constexpr std::size_t longest_record = std::size_t{64} << 20;

/// Calls `use(place)` behind each line end of [begin, end) that is not in quotes until it returns
/// true; `quoted` says whether `begin` is. Returns the place then, or `end`.
template <class Use>
std::size_t find_record(const Bytes& text, std::size_t begin, std::size_t end, bool quoted,
                        const Use& use) {
  std::vector<char> buffer;
  for (std::size_t at = begin; at < end; at += step) {
    const std::string_view bytes = text.load(at, std::min(step, end - at), buffer);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == '"') quoted = !quoted;
      if (bytes[i] == '\n' && !quoted && use(at + i + 1)) return at + i + 1;
    }
  }
  return end;
}

/// Where the first record begins behind a place; `quoted` says whether that is in quotes. `begin`
/// is that of a record before it.
std::size_t record_start(const std::string& path, const Bytes& text, std::size_t begin,
                         std::size_t place, bool quoted) {
  const std::size_t most = std::min(text.size(), place + longest_record);
  bool is_found = false;
  const auto found =
      find_record(text, place, most, quoted, [&](std::size_t) { return is_found = true; });
  if (is_found || most == text.size()) return found;
  std::size_t last = begin;
  find_record(text, begin, place, false, [&](std::size_t at) { return last = at, false; });
  throw Error::in_file(path, line_of(text, last),
                       "expected records of at most 64 MiB, got a longer one: is there a quote too "
                       "many in this line, or one too few?");
}

}  // namespace

std::vector<TableBlock> cut_table(const HostExec& host, const std::string& path, const Bytes& text,
                                  std::size_t begin, std::size_t block_bytes,
                                  const BlockWork& work) {
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
    if (start < stop || i + 1 == count) {
      start = record_start(path, text, blocks[i].begin, stop, quoted);
    }
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
