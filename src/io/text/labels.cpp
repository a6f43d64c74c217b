// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/io/labels.hpp>

#include "../file/file_content.hpp"
#include "encoding.hpp"
#include "text_lines.hpp"

#include <genten/base/error.hpp>
#include <genten/io/atomic_file.hpp>

#include <algorithm>

namespace genten {

namespace {

std::vector<std::string> names_in(const detail::FileContent& file) {
  std::string_view rest = file.bytes();
  rest.remove_prefix(detail::byte_order_mark(rest));
  std::vector<std::string> names;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view name = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!name.empty() && name.back() == '\r') name.remove_suffix(1);
    if (name.empty()) {
      throw Error::in_file(file.path(), names.size() + 1, "expected a name, got nothing");
    }
    if (!detail::is_utf8(name)) {
      throw Error::in_file(file.path(), names.size() + 1,
                           "expected a name in UTF-8, got " + detail::in_quotes(name) +
                               ": iconv -f latin1 -t utf-8 makes such a file of one of Western "
                               "European text");
    }
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> read_labels(const std::string& path) {
  const detail::FileContent file(path, 0);
  return file.read([&] { return names_in(file); });
}

std::vector<std::string> read_labels(const std::string& path, std::size_t dimension) {
  auto names = read_labels(path);
  if (names.size() != dimension) {
    throw Error::in_file(path, 0,
                         "expected " + detail::counted(dimension, "name") +
                             ", one for each subscript of the mode, got " +
                             std::to_string(names.size()));
  }
  return names;
}

void write_labels(const std::string& path, std::span<const std::string> names) {
  AtomicFile file(path);
  for (const std::string& name : names) {
    if (name.empty() || name.find_first_of("\r\n") != std::string::npos) {
      throw Error(Error::Fields{
          .path = path,
          .complaint = "expected names of one line each, got " + detail::in_quotes(name)});
    }
    file.write(name);
    file.write("\n");
  }
  file.commit();
}

}  // namespace genten
