// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How a file begins, decompressed where it is compressed.

#include "file_content.hpp"

#include <span>
#include <string>
#include <string_view>

namespace genten::detail {

/// Keeps the beginning alone.
class HeadSink final : public ByteSink {
 public:
  std::span<char> room() override { return {m_head.data() + m_size, m_head.size() - m_size}; }
  bool put(std::size_t bytes, std::size_t) override {
    m_size += bytes;
    return m_size < m_head.size();
  }
  [[nodiscard]] std::string_view head() const { return {m_head.data(), m_size}; }

 private:
  std::string m_head = std::string(std::size_t{1} << 16, '\0');
  std::size_t m_size = 0;
};

/// What use(text) makes of the beginning of a file. Throws Error for one
/// that cannot be read.
template <class Use>
auto with_head(const std::string& path, const Use& use) {
  const FileContent file(path, 0, nullptr, Loading::parts);
  if (file.compression() == Compression::none) return use(file.head());
  HeadSink sink;
  decompress(path, file.content(), file.compression(), sink, nullptr);
  return use(sink.head());
}

}  // namespace genten::detail
