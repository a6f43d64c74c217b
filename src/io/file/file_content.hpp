// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The bytes of a file, decompressed.

#include "bytes.hpp"

#include <genten/base/error.hpp>
#include <genten/io/options.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genten::detail {

/// Bytes on the heap that grow without being initialized.
class ByteBuffer {
 public:
  ByteBuffer() = default;
  ~ByteBuffer();
  ByteBuffer(ByteBuffer&& other) noexcept;
  ByteBuffer& operator=(ByteBuffer&& other) noexcept;

  /// Makes room for at least `more` bytes after the present ones; returns where they go. Throws
  /// Error of kind `memory` in the name of `path` when there is not enough.
  char* grow(const std::string& path, std::size_t more, std::size_t memory_limit);
  void add_size(std::size_t bytes) { m_size += bytes; }
  [[nodiscard]] std::size_t room() const { return m_capacity - m_size; }
  [[nodiscard]] std::string_view view() const { return {m_data, m_size}; }

 private:
  char* m_data = nullptr;
  std::size_t m_size = 0;
  std::size_t m_capacity = 0;
};

/// What is loaded of a file when it is opened. Pipes are, and so is what is compressed but for
/// `parts`; of the binary form and for others than `whole` it is a head alone.
enum class Loading {
  whole,   ///< texts
  blocks,  ///< nothing more
  parts    ///< compressed files stay as they are, and only regular ones are taken
};

/// The content of a file of any name, decompressed. The name "-" is the standard input, which is
/// read to its end. Throws Error when the file is absent, a directory, unreadable, empty, or
/// damaged as a compressed file.
class FileContent {
 public:
  /// `meter` is told how far reading a pipe and decompressing have come; null: nobody watches.
  FileContent(const std::string& path, std::size_t memory_limit, WorkMeter* meter = nullptr,
              Loading loading = Loading::whole);

  /// Valid as long as this object, in memory or not.
  [[nodiscard]] const Bytes& content() const { return m_content; }
  /// The content that was loaded.
  [[nodiscard]] std::string_view bytes() const { return m_content.memory(); }
  /// The first bytes: all, or as many as tell the layout.
  [[nodiscard]] std::string_view head() const { return m_head; }
  /// What `body` makes of the content. Throws Error when the file was changed meanwhile, whatever
  /// `body` returned or complained of.
  template <class Body>
  auto read(const Body& body) const {
    try {
      auto result = body();
      require_unchanged();
      return result;
    } catch (const Error&) {
      require_unchanged();
      throw;
    }
  }
  /// Length of the file, before decompression.
  [[nodiscard]] std::size_t file_bytes() const { return m_file_bytes; }
  /// Bytes of memory that the content takes; none where it was not loaded.
  [[nodiscard]] std::size_t held_bytes() const { return m_buffer.view().size(); }
  [[nodiscard]] Compression compression() const { return m_compression; }
  /// As messages name it: "standard input" for "-".
  [[nodiscard]] const std::string& path() const { return m_file.path(); }

 private:
  void load_head();
  void load(std::size_t memory_limit);
  void decompress(std::size_t memory_limit, WorkMeter* meter);
  void require_unchanged() const {
    if (m_regular) m_file.require_unchanged();
  }

  OpenFile m_file;
  bool m_regular;  // and not the standard input, of which somebody may have read a part
  ByteBuffer m_buffer;
  Bytes m_content;
  std::vector<char> m_head_buffer;
  std::string_view m_head;
  std::size_t m_file_bytes = 0;
  Compression m_compression = Compression::none;
};

/// What the first bytes say.
[[nodiscard]] Compression compression_of(std::string_view bytes);
/// Where decompressed bytes go.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Where the next ones may be put: one or more.
  [[nodiscard]] virtual std::span<char> room() = 0;
  /// So many were put there; the first `taken` bytes of the compressed data have been looked at.
  /// False when no more are wanted.
  virtual bool put(std::size_t bytes, std::size_t taken) = 0;
};
/// Decompresses all members of a gzip file or all frames of a zstd file, until the sink has enough.
/// Throws Error in the name of `path` where the data are damaged or end too early.
void decompress(const std::string& path, const Bytes& bytes, Compression compression,
                ByteSink& sink, WorkMeter* meter);
/// The same into memory.
[[nodiscard]] ByteBuffer decompressed(const std::string& path, const Bytes& bytes,
                                      Compression compression, std::size_t memory_limit,
                                      WorkMeter* meter);
/// One gzip member or zstd frame that holds `bytes`; the bytes themselves for `none`.
[[nodiscard]] std::string compress(std::string_view bytes, Compression compression);

}  // namespace genten::detail
