// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "text_part.hpp"

#include "../binary/binary_form.hpp"

#include <genten/base/error.hpp>

#include <algorithm>

namespace genten::detail {

TextPart::TextPart(const FileContent& file, std::size_t part, std::size_t parts,
                   const ReadOptions& options)
    : m_file(file), m_part(part), m_parts(parts) {
  if (file.compression() == Compression::none) return;
  file.will_need(file.bytes());
  m_compressed = std::make_unique<CompressedPart>(file.path(), file.bytes().size(), part, parts,
                                                  options.block_bytes, options.memory_limit);
  decompress(file.path(), file.bytes(), file.compression(), *m_compressed, options.meter);
  m_compressed->finish();
  if (!m_compressed->binary() && m_compressed->bytes() == 0) {
    throw Error::in_file(file.path(), 0, "the compressed file holds nothing");
  }
}

bool TextPart::binary() const {
  return m_compressed ? m_compressed->binary() : is_binary_form(m_file.bytes());
}

void TextPart::lay_out(const ReadOptions& options) {
  if (m_compressed) {
    m_layout = detect_layout(m_file.path(), m_compressed->head(), options);
    const std::size_t head = m_layout.data_offset;
    m_begin = std::max(m_compressed->begin(), head);
    m_text = m_compressed->text();
    m_text.remove_prefix(std::min(m_begin - m_compressed->begin(), m_text.size()));
    return;
  }
  const std::string_view all = m_file.bytes();
  m_layout = detect_layout(m_file.path(), all, options);
  const std::string_view data = all.substr(m_layout.data_offset);
  const auto cut = [&](std::size_t part) {
    return line_start(data, share_begin(data.size(), part, m_parts));
  };
  const std::size_t begin = cut(m_part);
  const std::size_t end = m_part + 1 == m_parts ? data.size() : cut(m_part + 1);
  m_text = data.substr(begin, end - begin);
  m_begin = m_layout.data_offset + begin;
  m_file.will_need(m_text);
}

TextLayout TextPart::part_layout() const {
  TextLayout layout = m_layout;
  layout.data_offset = 0;
  layout.lines_before = 0;
  return layout;
}

}  // namespace genten::detail
