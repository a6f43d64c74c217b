// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "bytes.hpp"

#include <genten/base/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace genten::detail {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error::of_system(path, what, errno);
}

/// Calls `read` again where a signal has interrupted it.
template <class Read>
std::size_t uninterrupted(const std::string& path, const Read& read) {
  for (;;) {
    const ssize_t got = read();
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(path, "cannot be read");
  }
}

}  // namespace

OpenFile::OpenFile(const std::string& path)
    : m_path(path == "-" ? "standard input" : path),
      m_descriptor(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                               : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (m_descriptor < 0) fail(m_path, "cannot be opened");
  if (fstat(m_descriptor, &m_status) == 0) return;
  const int error = errno;
  close(m_descriptor);
  throw Error::of_system(m_path, "cannot be looked at", error);
}

OpenFile::~OpenFile() {
  close(m_descriptor);
}

std::size_t OpenFile::read_next(std::span<char> to) const {
  return uninterrupted(m_path, [&] { return read(m_descriptor, to.data(), to.size()); });
}

void OpenFile::read_at(std::size_t offset, std::span<char> to) const {
  while (!to.empty()) {
    const std::size_t got = uninterrupted(m_path, [&] {
      return pread(m_descriptor, to.data(), to.size(), static_cast<off_t>(offset));
    });
    if (got == 0) {
      require_unchanged();
      throw Error::in_file(m_path, 0, "could not be read to its end");
    }
    offset += got;
    to = to.subspan(got);
  }
}

void OpenFile::will_need(std::size_t offset, std::size_t bytes) const {
  posix_fadvise(m_descriptor, static_cast<off_t>(offset), static_cast<off_t>(bytes),
                POSIX_FADV_WILLNEED);
}

void OpenFile::require_unchanged() const {
  struct stat now {};
  if (fstat(m_descriptor, &now) != 0) fail(m_path, "cannot be looked at");
  if (now.st_size < m_status.st_size) {
    throw Error::in_file(m_path, 0,
                         "became shorter while it was read: from " +
                             std::to_string(m_status.st_size) + " to " +
                             std::to_string(now.st_size) + " bytes");
  }
  const bool same_time = now.st_mtim.tv_sec == m_status.st_mtim.tv_sec &&
                         now.st_mtim.tv_nsec == m_status.st_mtim.tv_nsec;
  if (now.st_size == m_status.st_size && same_time) return;
  throw Error::in_file(m_path, 0, "was changed while it was read");
}

Bytes Bytes::sub(std::size_t begin, std::size_t count) const {
  Bytes part = *this;
  part.m_begin += begin;
  part.m_size = std::min(count, m_size - begin);
  if (in_memory()) part.m_memory = m_memory.substr(begin, count);
  return part;
}

std::string_view Bytes::load(std::size_t begin, std::size_t count,
                             std::vector<char>& buffer) const {
  if (in_memory()) return m_memory.substr(begin, count);
  count = std::min(count, m_size - begin);
  if (buffer.size() < count) buffer.resize(count);
  m_file->read_at(m_begin + begin, {buffer.data(), count});
  return {buffer.data(), count};
}

void Bytes::will_need() const {
  if (m_file != nullptr) m_file->will_need(m_begin, m_size);
}

}  // namespace genten::detail
