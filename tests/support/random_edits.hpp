// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Texts as damage or a careless hand would leave them.

#include <genten/core/random.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace genten::test {

/// `text` after one to three edits behind its first `fixed` bytes: a character of `alphabet` put in
/// or in another's place, one taken out, or the rest of a line, or all that follows. The same for
/// every run with the same `round`.
inline std::string edited(std::string text, std::size_t fixed, std::string_view alphabet,
                          std::uint64_t round) {
  const std::uint64_t edits = 1 + random_bits(1, round) % 3;
  for (std::uint64_t edit = 0; edit < edits && text.size() > fixed; ++edit) {
    const std::size_t at = fixed + random_bits(2, round, edit) % (text.size() - fixed);
    const char c = alphabet[random_bits(3, round, edit) % alphabet.size()];
    switch (random_bits(4, round, edit) % 8) {
      case 0:
      case 1:
      case 2:
        text[at] = c;
        break;
      case 3:
      case 4:
        text.insert(at, 1, c);
        break;
      case 5:
        text.erase(at, 1);
        break;
      case 6:
        text.erase(at, std::min(text.find('\n', at), text.size()) - at);
        break;
      default:
        text.resize(at + 1);
        break;
    }
  }
  return text;
}

}  // namespace genten::test
