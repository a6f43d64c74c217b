// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_text.hpp"

#include "io/file/file_content.hpp"
#include "tools/files.hpp"

namespace genten::cli {

TableText::TableText(const std::string& path, Compression compression)
    : m_path(path), m_compression(compression) {
  if (tools::may_be_data(path)) {
    m_present.open(path, std::ios::binary);
  } else {
    m_file.emplace(path);
  }
}

void TableText::write(std::string_view text) {
  constexpr std::size_t block_bytes = std::size_t{1} << 20;
  m_block += text;
  if (m_block.size() >= block_bytes) flush();
}

void TableText::flush() {
  const std::string bytes = genten::detail::compress(m_block, m_compression);
  m_block.clear();
  if (m_file) {
    m_file->write(bytes);
    return;
  }
  std::string present(bytes.size(), '\0');
  m_present.read(present.data(), static_cast<std::streamsize>(present.size()));
  if (!m_present || present != bytes) tools::refuse_data(m_path);
}

void TableText::commit() {
  if (!m_block.empty()) flush();
  if (m_file) {
    m_file->commit();
  } else if (m_present.peek() != std::ifstream::traits_type::eof()) {
    tools::refuse_data(m_path);
  }
}

}  // namespace genten::cli
