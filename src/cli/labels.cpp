// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "labels.hpp"

#include "tools/program.hpp"
#include "tools/text.hpp"

#include <genten/base/error.hpp>
#include <genten/io/labels.hpp>

#include <filesystem>

namespace genten::cli {

using namespace tools;

Labels::Labels(std::string_view files, const std::vector<std::size_t>& dimensions)
    : Labels(dimensions.size()) {
  const auto names = split_list(files);
  if (names.empty()) return;
  if (names.size() != dimensions.size()) {
    throw Error("--labels: expected " + count_of(dimensions.size(), "file") +
                ", one for each mode and with commas between them, got " +
                std::to_string(names.size()));
  }
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (names[n].empty()) continue;
    m_rows[n] = read_labels(names[n], dimensions[n]);
    // "data/gender.labels.zst" names the mode "gender".
    const std::string file = std::filesystem::path(names[n]).filename().string();
    m_modes[n] = file.substr(0, file.find('.', 1));
  }
}

std::string Labels::mode(std::size_t mode) const {
  const std::string number = "mode " + std::to_string(mode + 1);
  return m_modes[mode].empty() ? number : number + " (" + m_modes[mode] + ")";
}

std::string Labels::row(std::size_t mode, std::size_t row) const {
  return named(mode) ? m_rows[mode][row] : std::to_string(row + 1);
}

Labels read_labels_of(std::string_view files, const std::vector<std::size_t>& dimensions) {
  try {
    return {files, dimensions};
  } catch (const Error& error) {
    throw NamedError(error.kind(), error.what());
  }
}

}  // namespace genten::cli
