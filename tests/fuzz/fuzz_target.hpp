// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the fuzz targets share. A target is one source file that defines `LLVMFuzzerTestOneInput`:
/// it hands the input to a reader of the library and to an independent plain one, and stops the
/// program where they disagree. Clang's libFuzzer drives it, or driver.cpp where there is none.

#include <genten/base/error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace genten::fuzz {

/// A file in memory with this content; it has a path like any other.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return m_path; }

 private:
  int m_descriptor;
  std::string m_path;
};

/// What `write` writes to the path that it is given.
[[nodiscard]] std::string written_by(const std::function<void(const std::string&)>& write);

/// What a plain reader throws: it refuses the file, because of this line (0: the file as a whole).
struct Refusal {
  std::size_t line = 0;
  std::string why;
};

/// How many readings agreed, for the report of the driver.
struct Counts {
  std::size_t accepted = 0;
  std::size_t refused = 0;
};
extern Counts counts;

/// Stops the program with a message when `holds` is false.
void require(bool holds, const std::string& message);

/// Runs both readers. Where both accept, returns true, with the results in `ours` and `plain`;
/// where both refuse, the lines that they name have to agree. Anything else stops the program.
template <class Ours, class Plain, class ReadOurs, class ReadPlain>
bool both_accept(const std::string& path, std::optional<Ours>& ours, std::optional<Plain>& plain,
                 ReadOurs&& read_ours, ReadPlain&& read_plain) {
  std::optional<Refusal> refusal;
  try {
    plain.emplace(read_plain());
  } catch (const Refusal& caught) {
    refusal = caught;
  }
  std::optional<std::string> message;
  try {
    ours.emplace(read_ours());
  } catch (const Error& error) {
    message = error.what();
    require(error.kind() == Error::Kind::file, "an error of the wrong kind: " + *message);
  }
  if (!refusal && !message) {
    ++counts.accepted;
    return true;
  }
  require(message.has_value(), "accepted, but the plain reader refuses: line " +
                                   std::to_string(refusal ? refusal->line : 0) + ": " +
                                   (refusal ? refusal->why : ""));
  require(refusal.has_value(), "the plain reader accepts, but: " + *message);
  const std::string place =
      refusal->line == 0 ? path + ": " : path + ":" + std::to_string(refusal->line) + ": ";
  require(message->starts_with(place), "the plain reader refuses line " +
                                           std::to_string(refusal->line) + " (" + refusal->why +
                                           "), but: " + *message);
  ++counts.refused;
  return false;
}

/// A number that depends on the content alone, to choose settings by.
[[nodiscard]] std::uint64_t hash_of(std::string_view content);

}  // namespace genten::fuzz
