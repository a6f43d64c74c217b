// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A part of a text with the layout of the whole.

#include "../text/tns_layout.hpp"
#include "part_text.hpp"

#include <memory>

namespace genten::detail {

/// Opened by its constructor, which decompresses what is compressed; `lay_out` must follow unless
/// the content is binary.
class TextPart {
 public:
  /// `file` must outlive it, and have been opened for parts.
  TextPart(const FileContent& file, std::size_t part, std::size_t parts,
           const ReadOptions& options);

  /// Whether the content is of the binary form.
  [[nodiscard]] bool binary() const;
  /// Tells the layout and where the part's lines are; throws Error where the head is wrong.
  void lay_out(const ReadOptions& options);

  /// Of the whole text, with its lines and bytes.
  [[nodiscard]] const TextLayout& layout() const { return m_layout; }
  /// The same, for the lines of the part alone: it has no head.
  [[nodiscard]] TextLayout part_layout() const;
  /// The part's lines, and where they lie in the content.
  [[nodiscard]] const Bytes& text() const { return m_text; }
  [[nodiscard]] std::size_t begin() const { return m_begin; }
  [[nodiscard]] std::size_t end() const { return m_begin + m_text.size(); }
  /// Length of the content; 0 where this reader has not gone to its end.
  [[nodiscard]] std::size_t content_bytes() const {
    if (!m_compressed) return m_file.content().size();
    return m_part + 1 == m_parts ? m_compressed->bytes() : 0;
  }
  /// Bytes of memory that the text takes.
  [[nodiscard]] std::size_t held_bytes() const {
    return m_compressed ? m_compressed->held_bytes() : 0;
  }

 private:
  const FileContent& m_file;
  std::size_t m_part;
  std::size_t m_parts;
  std::unique_ptr<CompressedPart> m_compressed;  // null: not compressed
  TextLayout m_layout;
  Bytes m_text;
  std::size_t m_begin = 0;
};

}  // namespace genten::detail
