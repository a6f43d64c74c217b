// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "file_content.hpp"

#include "memory.hpp"

#include <genten/base/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace genten::detail {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error::in_file(path, 0, std::string(what) + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  /// Of the file, or a copy of the standard input's for "-".
  explicit Descriptor(const std::string& path)
      : m_value(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                            : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (m_value < 0) fail(path == "-" ? "standard input" : path, "cannot be opened");
  }
  ~Descriptor() { close(m_value); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return m_value; }

 private:
  int m_value;
};

ByteBuffer read_to_end(const std::string& path, int descriptor, std::size_t memory_limit,
                       WorkMeter* meter) {
  ByteBuffer buffer;
  if (meter != nullptr) meter->begin("waiting for input", 0);
  for (;;) {
    char* to = buffer.grow(path, std::size_t{1} << 16, memory_limit);
    const ssize_t got = read(descriptor, to, buffer.room());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot be read");
    if (got == 0) return buffer;
    buffer.add_size(static_cast<std::size_t>(got));
  }
}

}  // namespace

ByteBuffer::~ByteBuffer() {
  std::free(m_data);
}

ByteBuffer::ByteBuffer(ByteBuffer&& other) noexcept {
  *this = std::move(other);
}

ByteBuffer& ByteBuffer::operator=(ByteBuffer&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_size, other.m_size);
  std::swap(m_capacity, other.m_capacity);
  return *this;
}

char* ByteBuffer::grow(const std::string& path, std::size_t more, std::size_t memory_limit) {
  if (room() < more) {
    const std::size_t capacity = m_size + std::max(more, m_size / 2);
    // Without a limit, what is held already is no longer counted as available.
    const std::size_t needed = memory_limit != 0 ? capacity : capacity - m_capacity;
    require_memory(path, "its content", needed, memory_limit);
    void* moved = std::realloc(m_data, capacity);
    if (moved == nullptr) throw std::bad_alloc();
    m_data = static_cast<char*>(moved);
    m_capacity = capacity;
  }
  return m_data + m_size;
}

FileContent::FileContent(const std::string& path, std::size_t memory_limit, WorkMeter* meter,
                         Loading loading)
    : m_path(path == "-" ? "standard input" : path) {
  const Descriptor file(path);
  struct stat status {};
  if (fstat(file, &status) != 0) fail(m_path, "cannot be looked at");
  if (S_ISDIR(status.st_mode)) throw Error::in_file(m_path, 0, "expected a file, got a directory");
  // The standard input may be a file that somebody has read a part of.
  if (S_ISREG(status.st_mode) && path != "-") {
    m_mapping = WatchedMapping(m_path, file);
    m_bytes = m_mapping.view();
    if (loading == Loading::whole) will_need(m_bytes);
  } else if (loading == Loading::parts) {
    throw Error::in_file(m_path, 0,
                         "expected a file that several can read, each a part of it, got " +
                             std::string(path == "-" ? "a stream" : "what is no regular file"));
  } else {
    m_buffer = read_to_end(m_path, file, memory_limit, meter);
    m_bytes = m_buffer.view();
  }
  m_file_bytes = m_bytes.size();
  if (m_bytes.empty()) throw Error::in_file(m_path, 0, "the file is empty");
  m_compression = compression_of(m_bytes);
  if (m_compression != Compression::none && loading == Loading::whole) {
    decompress(memory_limit, meter);
  }
}

void FileContent::decompress(std::size_t memory_limit, WorkMeter* meter) {
  ByteBuffer content =
      read([&] { return decompressed(m_path, m_bytes, m_compression, memory_limit, meter); });
  m_mapping = WatchedMapping();
  m_buffer = std::move(content);
  m_bytes = m_buffer.view();
  if (m_bytes.empty()) throw Error::in_file(m_path, 0, "the compressed file holds nothing");
}

}  // namespace genten::detail
