// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Text in UTF-8, and what other encodings say in it.

#include <string>
#include <string_view>

namespace genten::detail {

/// Whether all of the text is UTF-8, as RFC 3629 has it.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Text of ISO 8859-1 in UTF-8. Bytes 0x80 to 0x9f are the characters that Windows-1252 has there,
/// as programs write them under either name (WHATWG Encoding Standard); the five that it does not
/// have are control characters.
[[nodiscard]] std::string utf8_of_latin1(std::string_view text);

}  // namespace genten::detail
