// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The text of a table on its way to a file.

#include <genten/io/atomic_file.hpp>
#include <genten/io/options.hpp>

#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace genten::cli {

/// Writes a file as AtomicFile does, compressed in blocks. One that may hold data of the user's, as
/// tools::may_be_data says, stays as it is: Error of kind `file` unless it has this text already.
class TableText {
 public:
  TableText(const std::string& path, Compression compression);
  /// Appends to the text.
  void write(std::string_view text);
  /// Nothing may be written afterwards.
  void commit();

 private:
  void flush();

  std::string m_path;
  Compression m_compression;
  std::string m_block;
  std::optional<AtomicFile> m_file;  ///< none: the text is compared
  std::ifstream m_present;
};

}  // namespace genten::cli
