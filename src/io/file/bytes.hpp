// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Open files, and bytes that lie in memory or are loaded from a file block by block. (A mapping
/// would save a copy, but its reader gets SIGBUS where another program makes the file shorter.)

#include <sys/stat.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genten::detail {

/// As many bytes as a thread loads at most before it parses them: they stay in L2 until then.
inline constexpr std::size_t most_parsed = std::size_t{1} << 18;

/// A file that is open to be read. Functions throw Error in the name of `path()`.
class OpenFile {
 public:
  /// "-" is the standard input, of which the descriptor is duplicated.
  explicit OpenFile(const std::string& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// As messages name it: "standard input" for "-".
  [[nodiscard]] const std::string& path() const { return m_path; }
  /// As it was when the file was opened.
  [[nodiscard]] const struct stat& status() const { return m_status; }

  /// Reads what comes next; returns the number of bytes, 0 at the end.
  [[nodiscard]] std::size_t read_next(std::span<char> to) const;
  /// Fills `to` with the bytes from `offset` on. Threads may call it at the same time.
  void read_at(std::size_t offset, std::span<char> to) const;
  /// Has the system read bytes ahead.
  void will_need(std::size_t offset, std::size_t bytes) const;
  /// Throws Error when length or time of modification are no longer what they were.
  void require_unchanged() const;

 private:
  std::string m_path;
  int m_descriptor;
  struct stat m_status {};
};

/// Bytes in memory or of a file, whichever must outlive them.
class Bytes {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  Bytes() = default;
  Bytes(std::string_view memory) : m_memory(memory), m_size(memory.size()) {}
  /// All bytes of a regular file.
  explicit Bytes(const OpenFile& file)
      : m_file(&file), m_size(static_cast<std::size_t>(file.status().st_size)) {}

  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] bool in_memory() const { return m_file == nullptr; }
  /// Bytes that lie in memory.
  [[nodiscard]] std::string_view memory() const { return m_memory; }
  /// At most `count` of the bytes, from `begin` on, which is at most `size()`.
  [[nodiscard]] Bytes sub(std::size_t begin, std::size_t count = npos) const;
  /// The same in memory: where they lie, or in `buffer`, which grows for them.
  [[nodiscard]] std::string_view load(std::size_t begin, std::size_t count,
                                      std::vector<char>& buffer) const;
  /// Has the system read a file's bytes ahead.
  void will_need() const;

 private:
  const OpenFile* m_file = nullptr;
  std::string_view m_memory;
  std::size_t m_begin = 0;  // in the file
  std::size_t m_size = 0;
};

}  // namespace genten::detail
