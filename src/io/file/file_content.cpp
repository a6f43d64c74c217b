// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "file_content.hpp"

#include "memory.hpp"

#include <genten/base/error.hpp>

#include <fcntl.h>
#include <sys/mman.h>
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
  explicit Descriptor(const std::string& path) : m_value(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (m_value < 0) fail(path, "cannot be opened");
  }
  ~Descriptor() { close(m_value); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return m_value; }

 private:
  int m_value;
};

ByteBuffer read_to_end(const std::string& path, int descriptor, std::size_t memory_limit) {
  ByteBuffer buffer;
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

Mapping::Mapping(const std::string& path, int descriptor, std::size_t bytes) {
  if (bytes == 0) return;
  void* address = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) fail(path, "cannot be mapped into memory");
  madvise(address, bytes, MADV_WILLNEED);
  m_data = static_cast<char*>(address);
  m_size = bytes;
}

Mapping::~Mapping() {
  if (m_data != nullptr) munmap(m_data, m_size);
}

Mapping::Mapping(Mapping&& other) noexcept {
  *this = std::move(other);
}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_size, other.m_size);
  return *this;
}

FileContent::FileContent(const std::string& path, std::size_t memory_limit) : m_path(path) {
  const Descriptor file(path);
  struct stat status {};
  if (fstat(file, &status) != 0) fail(path, "cannot be looked at");
  if (S_ISDIR(status.st_mode)) throw Error::in_file(path, 0, "expected a file, got a directory");
  ByteBuffer raw;
  if (S_ISREG(status.st_mode)) {
    m_mapping = Mapping(path, file, static_cast<std::size_t>(status.st_size));
    m_bytes = m_mapping.view();
  } else {
    raw = read_to_end(path, file, memory_limit);
    m_bytes = raw.view();
  }
  m_file_bytes = m_bytes.size();
  if (m_bytes.empty()) throw Error::in_file(path, 0, "the file is empty");
  m_compression = compression_of(m_bytes);
  switch (m_compression) {
    case Compression::none:
      m_buffer = std::move(raw);
      return;
    case Compression::gzip:
      m_buffer = decompress_gzip(path, m_bytes, memory_limit);
      break;
    case Compression::zstd:
      m_buffer = decompress_zstd(path, m_bytes, memory_limit);
      break;
  }
  m_mapping = Mapping();
  m_bytes = m_buffer.view();
  if (m_bytes.empty()) throw Error::in_file(path, 0, "the compressed file holds nothing");
}

}  // namespace genten::detail
