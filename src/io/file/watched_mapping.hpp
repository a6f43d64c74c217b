// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files mapped into memory, watched for being changed meanwhile.

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace genten::detail {

struct WatchedRange;

/// A file mapped into memory. Where the file becomes shorter, or its disk fails, the bytes that are
/// gone read as zeros instead of ending the process with SIGBUS, and `require_unchanged` says so.
/// For that the signal's action is replaced while any mapping lives; signals that come from
/// elsewhere find the action that was there before.
class WatchedMapping {
 public:
  WatchedMapping() = default;
  /// Maps all of a regular file, whose descriptor stays the caller's. Throws Error in the name of
  /// `path`.
  WatchedMapping(const std::string& path, int descriptor);
  ~WatchedMapping();
  WatchedMapping(WatchedMapping&& other) noexcept;
  WatchedMapping& operator=(WatchedMapping&& other) noexcept;

  [[nodiscard]] std::string_view view() const { return {m_data, m_size}; }
  /// Has the system read a part of the view ahead.
  void will_need(std::string_view part) const;
  /// Throws Error when the file's length or time of modification is no longer what it was when it
  /// was mapped, or when bytes of it could not be read.
  void require_unchanged(const std::string& path) const;

 private:
  char* m_data = nullptr;
  std::size_t m_size = 0;
  int m_descriptor = -1;  // one of its own
  struct timespec m_modified {};
  WatchedRange* m_watched = nullptr;
};

}  // namespace genten::detail
