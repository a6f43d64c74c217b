// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The bytes of a part of a text.

#include "../file/file_content.hpp"

#include <genten/io/options.hpp>

#include <string>
#include <string_view>

namespace genten::detail {

/// floor(total * part / parts), where a product would be too long.
[[nodiscard]] constexpr std::size_t share_begin(std::size_t total, std::size_t part,
                                                std::size_t parts) {
  return total / parts * part + total % parts * part / parts;
}

/// What a reader of a part of a compressed file keeps of its content: the first lines, and those
/// that start in the part.
///
/// A part begins with the first line that starts at or after the end of the first step of
/// decompression behind which the decompressor has taken the share of the compressed bytes that the
/// parts before have: so a reader need not know how long the content is, nor go beyond its end.
/// Readers find the same places since all take the same steps.
class CompressedPart final : public ByteSink {
 public:
  CompressedPart(const std::string& path, std::size_t compressed, std::size_t part,
                 std::size_t parts, std::size_t step, std::size_t memory_limit);

  [[nodiscard]] std::span<char> room() override;
  bool put(std::size_t bytes, std::size_t taken) override;
  /// To be called when all that was wanted has been put.
  void finish();

  /// Whether the content is of the binary form, and nothing is kept.
  [[nodiscard]] bool binary() const { return m_binary; }
  /// The first lines of the content, as many as tell its layout, or all of it.
  [[nodiscard]] std::string_view head() const { return m_head.view(); }
  /// The part's lines; `begin` is where they lie in the content.
  [[nodiscard]] std::string_view text() const { return m_text.view(); }
  [[nodiscard]] std::size_t begin() const { return m_begin; }
  /// Bytes of the content that have come.
  [[nodiscard]] std::size_t bytes() const { return m_at; }
  [[nodiscard]] std::size_t held_bytes() const { return m_head.view().size() + text().size(); }

 private:
  void take_step(std::size_t taken);
  void keep_head(std::string_view bytes);
  void keep_text(std::string_view bytes);
  [[nodiscard]] bool wants_more() const;

  const std::string& m_path;
  std::size_t m_limit;
  std::size_t m_first_share;  // compressed bytes before the part
  std::size_t m_end_share;
  bool m_last;
  std::string m_step;
  std::size_t m_filled = 0;
  std::size_t m_at = 0;    // content before the step
  char m_previous = '\n';  // the byte before it
  bool m_from = false;     // the part's share has begun
  bool m_until = false;    // and ended
  bool m_begun = false;    // its first line has
  bool m_ended = false;    // the first line behind it has
  bool m_binary = false;
  bool m_head_done = false;
  std::size_t m_head_seen = 0;
  std::size_t m_begin = 0;
  ByteBuffer m_head;
  ByteBuffer m_text;
};

}  // namespace genten::detail
