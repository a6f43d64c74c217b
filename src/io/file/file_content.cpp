// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "file_content.hpp"

#include "../binary/binary_form.hpp"
#include "../text/text_lines.hpp"
#include "memory.hpp"

#include <genten/base/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <utility>

namespace genten::detail {

namespace {

ByteBuffer read_to_end(const OpenFile& file, std::size_t memory_limit, WorkMeter* meter) {
  ByteBuffer buffer;
  if (meter != nullptr) meter->begin("waiting for input", 0);
  for (;;) {
    char* const to = buffer.grow(file.path(), std::size_t{1} << 16, memory_limit);
    const std::size_t got = file.read_next({to, buffer.room()});
    if (got == 0) return buffer;
    buffer.add_size(got);
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
    : m_file(path), m_regular(S_ISREG(m_file.status().st_mode) && path != "-") {
  if (S_ISDIR(m_file.status().st_mode)) {
    throw Error(Error::Fields{.kind = Error::Kind::file,
                              .code = Error::Code::system,
                              .path = m_file.path(),
                              .number = EISDIR,
                              .complaint = "expected a file, got a directory"});
  }
  if (m_regular) {
    m_content = Bytes(m_file);
  } else if (loading == Loading::parts) {
    throw Error::in_file(m_file.path(), 0,
                         "expected a file that several can read, each a part of it, got " +
                             std::string(path == "-" ? "a stream" : "what is no regular file"));
  } else {
    m_buffer = read_to_end(m_file, memory_limit, meter);
    m_content = m_buffer.view();
  }
  m_file_bytes = m_content.size();
  if (m_file_bytes == 0) throw Error::in_file(m_file.path(), 0, "the file is empty");
  load_head();
  m_compression = compression_of(m_head);
  if (m_compression != Compression::none) {
    if (loading != Loading::parts) decompress(memory_limit, meter);
  } else if (m_regular && loading == Loading::whole && !is_binary_form(m_head)) {
    load(memory_limit);
  }
}

void FileContent::load_head() {
  constexpr std::size_t longest_line = std::size_t{16} << 20;
  std::size_t bytes = std::size_t{1} << 16;
  const auto is_enough = [&] {
    return m_head.size() == m_content.size() || is_binary_form(m_head) ||
           compression_of(m_head) != Compression::none || tells_layout(m_head) ||
           (bytes > longest_line && m_head.find('\n', bytes / 2) == std::string_view::npos);
  };
  m_head = m_content.load(0, m_content.in_memory() ? Bytes::npos : bytes, m_head_buffer);
  while (!is_enough()) m_head = m_content.load(0, bytes *= 2, m_head_buffer);
}

void FileContent::load(std::size_t memory_limit) {
  m_content.will_need();
  const std::size_t bytes = m_content.size();
  m_file.read_at(0, {m_buffer.grow(m_file.path(), bytes, memory_limit), bytes});
  m_buffer.add_size(bytes);
  m_content = m_head = m_buffer.view();
}

void FileContent::decompress(std::size_t memory_limit, WorkMeter* meter) {
  m_content.will_need();
  ByteBuffer content = read(
      [&] { return decompressed(m_file.path(), m_content, m_compression, memory_limit, meter); });
  m_buffer = std::move(content);
  m_content = m_head = m_buffer.view();
  if (m_head.empty()) {
    throw Error::in_file(m_file.path(), 0, "the compressed file holds nothing");
  }
}

}  // namespace genten::detail
