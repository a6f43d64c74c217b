// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Files of labels.
#include "fuzz_target.hpp"

#include <genten/io/labels.hpp>

#include <vector>

namespace genten::fuzz {
namespace {

using Names = std::vector<std::string>;

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
