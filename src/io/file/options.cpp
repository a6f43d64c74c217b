// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/io/options.hpp>

namespace genten {

std::string_view to_string(FileFormat format) {
  switch (format) {
    case FileFormat::frostt:
      return "frostt";
    case FileFormat::header:
      return "header";
    case FileFormat::sptensor:
      return "sptensor";
    case FileFormat::binary:
      return "binary";
  }
  return "unknown";
}

std::string_view to_string(Compression compression) {
  switch (compression) {
    case Compression::none:
      return "none";
    case Compression::gzip:
      return "gzip";
    case Compression::zstd:
      return "zstd";
  }
  return "unknown";
}

}  // namespace genten
