// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How tensor files are read and written, and what a reader reports.

#include <cstddef>
#include <string_view>
#include <vector>

namespace genten {

/// What the subscripts of a text file count from. In memory they always count from 0.
enum class IndexBase {
  automatic,  ///< 1, which every known text format means; never guessed from the content
  zero,
  one
};

/// What to do with several entries at the same subscripts.
enum class Duplicates {
  sum,    ///< keep one entry, at the place of the first, that holds their sum in file order
  refuse  ///< an error that names both lines
};

/// Whether a text file may start with a header.
enum class Header {
  automatic,  ///< found out from the first lines, see `read_sptensor`
  none        ///< every line is an entry
};

/// The forms in which a tensor lies in a file.
enum class FileFormat {
  frostt,    ///< text: entries alone
  header,    ///< text: lines with order, dimensions, nonzeros (or the first or last two), entries
  sptensor,  ///< text of the Tensor Toolbox: `sptensor`, order, dimensions, nonzeros, entries
  binary     ///< Genten's own
};

/// How the bytes of a file are compressed.
enum class Compression { none, gzip, zstd };

/// "frostt", "header", "sptensor", "binary".
[[nodiscard]] std::string_view to_string(FileFormat format);
/// "none", "gzip", "zstd".
[[nodiscard]] std::string_view to_string(Compression compression);

/// Options of the tensor readers.
struct ReadOptions {
  IndexBase index_base = IndexBase::automatic;
  Duplicates duplicates = Duplicates::sum;
  Header header = Header::automatic;
  /// The tensor's dimensions, in place of those that a header gives or the entries imply; empty:
  /// not given. Entries must lie inside.
  std::vector<std::size_t> dimensions;
  /// Threads that read; 0: as many as the execution space has. The result is the same for any.
  std::size_t threads = 0;
  /// Bytes that the reader may allocate; 0: as many as the machine has available (Linux:
  /// MemAvailable of /proc/meminfo).
  std::size_t memory_limit = 0;
  /// Bytes of text, at least 1, that a thread takes at a time.
  std::size_t block_bytes = std::size_t{1} << 20;
};

/// What a reader found.
struct ReadReport {
  FileFormat format = FileFormat::frostt;
  Compression compression = Compression::none;
  /// What the file's subscripts counted from: zero or one.
  IndexBase index_base = IndexBase::one;
  std::size_t file_bytes = 0;     ///< length of the file
  std::size_t content_bytes = 0;  ///< the same once decompressed
  std::size_t lines = 0;          ///< lines of text, comments and header included; 0 for binary
  std::size_t entries = 0;        ///< entries in the file
  std::size_t duplicates = 0;     ///< entries that were added to an earlier one
};

/// Options of the text writer.
struct WriteOptions {
  /// frostt, header or sptensor. `frostt` cannot say dimensions: they are lost (and noted in a
  /// comment) where the last slices are empty.
  FileFormat format = FileFormat::sptensor;
  /// zero, or one (also meant by automatic).
  IndexBase index_base = IndexBase::one;
  /// Compressed output is written in independent members or frames, one for each block of entries.
  Compression compression = Compression::none;
};

}  // namespace genten
