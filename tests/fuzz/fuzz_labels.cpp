// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Files of labels.
#include "fuzz_target.hpp"

#include <genten/io/labels.hpp>

#include <cstdint>
#include <vector>

namespace genten::fuzz {
namespace {

using Names = std::vector<std::string>;

/// Character by character: as many bytes as the first says, the shortest form, no surrogates.
bool is_utf8_plainly(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80             ? 1
                               : (first & 0xE0) == 0xC0 ? 2
                               : (first & 0xF0) == 0xE0 ? 3
                               : (first & 0xF8) == 0xF0 ? 4
                                                        : 0;
    if (length == 0 || i + length > text.size()) return false;
    std::uint32_t code = length == 1 ? first : first & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0) != 0x80) return false;
      code = code << 6 | (next & 0x3Fu);
    }
    const std::uint32_t least = length == 2   ? 0x80
                                : length == 3 ? 0x800
                                : length == 4 ? 0x10000
                                              : 0;
    if (code < least || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += length;
  }
  return true;
}

Names read_plainly(std::string text) {
  if (text.compare(0, 3, "\xef\xbb\xbf") == 0) text.erase(0, 3);
  Names names(1);
  for (const char c : text) {
    if (c == '\n') {
      names.emplace_back();
    } else {
      names.back() += c;
    }
  }
  if (names.back().empty()) names.pop_back();  // the last line has an end
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty() && names[i].back() == '\r') names[i].pop_back();
    if (names[i].empty()) throw Refusal{i + 1, "an empty name"};
    if (!is_utf8_plainly(names[i])) throw Refusal{i + 1, "a name in another encoding"};
  }
  return names;
}

}  // namespace
}  // namespace genten::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace genten;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const bool compressed = text.starts_with("\x1f\x8b") || text.starts_with("\x28\xb5") ||
                          text.substr(0, 4).ends_with("\x2a\x4d\x18");
  if (text.empty() || compressed) return 0;
  const fuzz::MemoryFile file(text);
  std::optional<fuzz::Names> ours;
  std::optional<fuzz::Names> plain;
  const bool accepted = fuzz::both_accept(
      file.path(), ours, plain, [&] { return read_labels(file.path()); },
      [&] { return fuzz::read_plainly(text); });
  if (accepted) fuzz::require(*ours == *plain, "other names");
  return 0;
}
