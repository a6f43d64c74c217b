// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "compact_files.hpp"

#include "tools/files.hpp"

#include <genten/io/atomic_file.hpp>
#include <genten/io/labels.hpp>

namespace genten::cli {

using namespace tools;

std::string CompactFiles::name(std::size_t mode, const char* what) const {
  return m_output + ".mode" + std::to_string(mode + 1) + what;
}

void CompactFiles::require_writable(std::size_t order,
                                    const std::vector<std::string>& labels) const {
  for (std::size_t n = 0; n < order; ++n) {
    for (const char* what : {".rows", ".labels"}) {
      tools::require_writable(name(n, what));
      for (const std::string& file : labels) require_different(file, name(n, what));
    }
  }
}

void CompactFiles::write_rows(std::size_t mode, const std::vector<std::uint64_t>& rows) {
  AtomicFile file(name(mode, ".rows"));
  for (const std::uint64_t row : rows) {
    file.write(std::to_string(row + m_base) + "\n");
  }
  file.commit();
  m_written.push_back(name(mode, ".rows"));
}

void CompactFiles::write_labels(std::size_t mode, const std::vector<std::uint64_t>& rows,
                                const Labels& labels) {
  std::vector<std::string> names;
  for (const std::uint64_t row : rows) names.push_back(labels.row(mode, row));
  genten::write_labels(name(mode, ".labels"), names);
  m_written.push_back(name(mode, ".labels"));
}

}  // namespace genten::cli
