// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// AtomicFile: output that appears under its name only when it is complete.

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace genten {

namespace detail {
class TemporaryName;
}

/// Writes to a temporary file in the directory of `path`; `commit` flushes it to the disk and
/// renames it. Without a commit nothing happens to `path`, and the temporary file is removed. An
/// existing file's permissions are kept, a symbolic link's target is replaced, and what is no
/// regular file (a pipe, /dev/null) is written to directly, as is the standard output, which goes
/// by the name "-" (a file of that name is "./-"), and what `own_descriptor` knows: a file that is
/// open for appending is appended to. Every failure is an Error of kind `file`.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void write(const void* data, std::size_t bytes) {
    write(std::string_view(static_cast<const char*>(data), bytes));
  }
  /// Nothing may be written afterwards.
  void commit();

  /// For those who write at places, others among them: the name until a commit, empty for what is
  /// written to directly, where there are no places.
  [[nodiscard]] std::string temporary_name() const;
  /// Gives the file so many bytes, zeros where nothing is written, and room for them where the file
  /// system can reserve it.
  void reserve(std::size_t bytes);
  /// Writes bytes at a place, at once.
  void write_at(std::size_t begin, std::string_view bytes);
  /// What was written has reached the disk.
  void sync();

 private:
  [[noreturn]] void fail(const char* what, int why) const;
  void write_out(const char* data, std::size_t bytes);
  void flush();
  void discard() noexcept;

  std::string m_path;                                  // as the caller named it, for messages
  std::string m_target;                                // what is replaced
  std::unique_ptr<detail::TemporaryName> m_temporary;  // null: written to directly
  std::optional<mode_t> m_mode;                        // permissions from a commit on
  std::string m_buffer;
  int m_descriptor = -1;
};

/// The descriptor of this process that a path names: 1 for "-", /dev/stdout, /dev/fd/1,
/// /proc/self/fd/1 and links to them, and so on; none for other paths.
[[nodiscard]] std::optional<int> own_descriptor(const std::string& path);

/// Replaces the file's content at once: for small outputs.
void write_file(const std::string& path, std::string_view content);

/// Removes the temporary file of every AtomicFile that was not committed: for the signal handler of
/// a program that is about to end. Async-signal-safe.
void remove_temporary_files() noexcept;

}  // namespace genten
