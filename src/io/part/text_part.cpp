// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "text_part.hpp"

#include "../binary/binary_form.hpp"

#include <genten/base/error.hpp>

#include <algorithm>

namespace genten::detail {

namespace {

/// The place behind the first line end from `at` on, or the end.
std::size_t behind_line_end(const Bytes& text, std::size_t at) {
  constexpr std::size_t step = std::size_t{1} << 16;
  std::vector<char> buffer;
  for (; at < text.size(); at += step) {
    const std::size_t newline = text.load(at, step, buffer).find('\n');
    if (newline != std::string_view::npos) return at + newline + 1;
  }
  return text.size();
}

}  // namespace

TextPart::TextPart(const FileContent& file, std::size_t part, std::size_t parts,
                   const ReadOptions& options)
    : m_file(file), m_part(part), m_parts(parts) {
  if (file.compression() == Compression::none) return;
  file.content().will_need();
  m_compressed = std::make_unique<CompressedPart>(file.path(), file.content().size(), part, parts,
                                                  options.block_bytes, options.memory_limit);
  decompress(file.path(), file.content(), file.compression(), *m_compressed, options.meter);
  m_compressed->finish();
  if (!m_compressed->binary() && m_compressed->bytes() == 0) {
    throw Error::in_file(file.path(), 0, "the compressed file holds nothing");
  }
}

bool TextPart::binary() const {
  return m_compressed ? m_compressed->binary() : is_binary_form(m_file.head());
}

void TextPart::lay_out(const ReadOptions& options) {
  if (m_compressed) {
    m_layout = detect_layout(m_file.path(), m_compressed->head(), options);
    const std::size_t head = m_layout.data_offset;
    m_begin = std::max(m_compressed->begin(), head);
    const std::string_view text = m_compressed->text();
    m_text = text.substr(std::min(m_begin - m_compressed->begin(), text.size()));
    return;
  }
  m_layout = detect_layout(m_file.path(), m_file.head(), options);
  const Bytes data = m_file.content().sub(m_layout.data_offset);
  const auto line_start = [&](std::size_t part) {
    const std::size_t at = share_begin(data.size(), part, m_parts);
    return at == 0 ? 0 : behind_line_end(data, at - 1);
  };
  const std::size_t begin = line_start(m_part);
  const std::size_t end = m_part + 1 == m_parts ? data.size() : line_start(m_part + 1);
  m_text = data.sub(begin, end - begin);
  m_begin = m_layout.data_offset + begin;
}

TextLayout TextPart::part_layout() const {
  TextLayout layout = m_layout;
  layout.data_offset = 0;
  layout.lines_before = 0;
  return layout;
}

}  // namespace genten::detail
