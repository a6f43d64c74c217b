// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Changes inputs, in ways that depend on a seed and a number alone.

#include <cstdint>
#include <string>
#include <vector>

namespace genten::fuzz {

/// The contents of a file, or of all files of a directory in the order of their names.
[[nodiscard]] std::vector<std::string> read_corpus(const std::string& path);

/// The words of a dictionary in libFuzzer's form: "word" a line, with \xNN for odd bytes.
[[nodiscard]] std::vector<std::string> read_dictionary(const std::string& path);

/// One of the corpus after one to eight changes: bytes, words, lines and whole numbers of 4 and 8
/// bytes are put in, taken out, replaced, repeated and exchanged with those of other inputs.
[[nodiscard]] std::string mutated(const std::vector<std::string>& corpus,
                                  const std::vector<std::string>& words, std::uint64_t seed,
                                  std::uint64_t run);

}  // namespace genten::fuzz
