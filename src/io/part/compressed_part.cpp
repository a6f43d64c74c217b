// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../binary/binary_form.hpp"
#include "../file/memory.hpp"
#include "../text/text_lines.hpp"
#include "part_text.hpp"

#include <algorithm>
#include <cstring>

namespace genten::detail {

namespace {

void append(ByteBuffer& buffer, std::string_view bytes, const std::string& path,
            std::size_t limit) {
  if (bytes.empty()) return;
  std::memcpy(buffer.grow(path, bytes.size(), limit), bytes.data(), bytes.size());
  buffer.add_size(bytes.size());
}

}  // namespace

CompressedPart::CompressedPart(const std::string& path, std::size_t compressed, std::size_t part,
                               std::size_t parts, std::size_t step, std::size_t memory_limit)
    : m_path(path),
      m_limit(memory_limit),
      m_first_share(share_begin(compressed, part, parts)),
      m_end_share(share_begin(compressed, part + 1, parts)),
      m_last(part + 1 == parts),
      m_step(std::clamp<std::size_t>(step, 64, std::size_t{1} << 16), '\0'),
      m_from(part == 0) {}

std::span<char> CompressedPart::room() {
  return std::span<char>(m_step).subspan(m_filled);
}

bool CompressedPart::put(std::size_t bytes, std::size_t taken) {
  m_filled += bytes;
  if (m_filled == m_step.size()) take_step(taken);
  return wants_more();
}

void CompressedPart::finish() {
  if (m_filled != 0) take_step(0);
  if (!m_begun) m_begin = m_at;
}

bool CompressedPart::wants_more() const {
  return !m_binary && (m_last || !m_ended || !m_head_done);
}

void CompressedPart::take_step(std::size_t taken) {
  const std::string_view bytes(m_step.data(), m_filled);
  m_filled = 0;
  if (m_at == 0) m_binary = is_binary_form(bytes);
  if (m_binary) return;
  keep_head(bytes);
  keep_text(bytes);
  m_at += bytes.size();
  m_previous = bytes.back();
  m_from = m_from || taken >= m_first_share;
  m_until = m_until || (!m_last && taken >= m_end_share);
}

void CompressedPart::keep_head(std::string_view bytes) {
  if (m_head_done) return;
  append(m_head, bytes, m_path, m_limit);
  // Looked at when there is twice as much as before, so that long comments do no harm.
  const std::string_view head = m_head.view();
  if (head.size() < 2 * m_head_seen) return;
  m_head_seen = head.size();
  m_head_done = tells_layout(head);
}

void CompressedPart::keep_text(std::string_view bytes) {
  if (!m_from || m_ended) return;
  // Where lines start is looked for in a text that begins with the byte before these.
  const auto first_line = [&] {
    if (m_previous == '\n') return std::size_t{0};
    const std::size_t newline = bytes.find('\n');
    return newline == std::string_view::npos ? bytes.size() + 1 : newline + 1;
  };
  std::size_t from = 0;
  std::size_t until = bytes.size();
  if (m_until) {
    const std::size_t start = first_line();
    m_ended = start <= bytes.size();
    until = std::min(start, bytes.size());
  }
  if (!m_begun) {
    const std::size_t start = first_line();
    m_begun = start <= bytes.size();
    from = std::min(start, bytes.size());
    m_begin = m_at + from;
  }
  if (from < until) append(m_text, bytes.substr(from, until - from), m_path, m_limit);
}

}  // namespace genten::detail
