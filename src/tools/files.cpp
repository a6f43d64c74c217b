// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "files.hpp"

#include <genten/base/error.hpp>
#include <genten/io/atomic_file.hpp>

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace genten::tools {

namespace fs = std::filesystem;

namespace {
[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(Error::Kind::file, path + ": " + what);
}
}  // namespace

void require_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    fail(path, "expected the name of a file to write, this is a directory");
  }
  // Regular files are replaced by a file that is made beside them; pipes and devices are opened.
  fs::path place = path;
  if (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored)) {
    place = fs::path(path).parent_path();
    if (place.empty()) place = ".";
  }
  if (::access(place.c_str(), W_OK) != 0) {
    const std::string why = std::strerror(errno);
    fail(path, "cannot be written: " + place.string() + ": " + why);
  }
}

void require_different(const std::string& input, const std::string& output) {
  std::error_code ignored;
  if (!output.empty() && fs::equivalent(input, output, ignored)) {
    fail(output, "would replace the input");
  }
}

bool has_extension(const std::string& path, const char* extension) {
  std::string last = fs::path(path).extension().string();
  std::transform(last.begin(), last.end(), last.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return last == extension;
}

bool is_binary_model(const std::string& path) {
  return has_extension(path, ".gkt") || has_extension(path, ".bin");
}

void write_json(const std::string& path, const nlohmann::ordered_json& value) {
  if (path.empty()) return;
  // Names of files and labels may hold bytes that are no UTF-8.
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  const std::string text = value.dump(2, ' ', false, replace) + "\n";
  if (path == "-") {
    std::cout << text;
  } else {
    write_file(path, text);
  }
}

}  // namespace genten::tools
