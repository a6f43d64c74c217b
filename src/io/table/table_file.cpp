// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/io/table.hpp>

#include "../binary/binary_form.hpp"
#include "../file/file_content.hpp"
#include "table_layout.hpp"

#include <filesystem>

namespace genten {

namespace {

/// Keeps the beginning alone.
class HeadSink final : public detail::ByteSink {
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

}  // namespace

bool is_table_file(const std::string& path, const ReadOptions& options) {
  if (!options.values.empty() || !options.modes.empty()) return true;
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_regular_file(path, ignored)) return false;
  try {
    const detail::FileContent file(path, 0, nullptr, detail::Loading::parts);
    if (file.compression() == Compression::none) {
      return !detail::is_binary_form(file.bytes()) && detail::is_table(file.bytes(), options);
    }
    HeadSink sink;
    detail::decompress(path, file.bytes(), file.compression(), sink, nullptr);
    return !detail::is_binary_form(sink.head()) && detail::is_table(sink.head(), options);
  } catch (const Error&) {
    return false;  // who reads it says what is wrong
  }
}

}  // namespace genten
