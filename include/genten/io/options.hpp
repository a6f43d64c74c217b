// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How tensor files are read and written, and what a reader reports.

#include <genten/base/option_field.hpp>
#include <genten/base/work_meter.hpp>
#include <genten/core/duplicates.hpp>
#include <genten/io/value_summary.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace genten {

/// What the subscripts of a text file count from. In memory they always count from 0.
enum class IndexBase {
  automatic,  ///< 1, which every known text format means, 0 in tables; never guessed
  zero,
  one
};

constexpr auto enum_words(IndexBase) {
  return std::array{EnumWord("auto", IndexBase::automatic, "1, and 0 in tables"),
                    EnumWord("0", IndexBase::zero), EnumWord("1", IndexBase::one)};
}

/// The number of the first subscript; `automatic` where that is left open.
[[nodiscard]] constexpr std::size_t first_subscript(IndexBase base, std::size_t automatic = 1) {
  if (base == IndexBase::automatic) return automatic;
  return base == IndexBase::zero ? 0 : 1;
}
/// The reverse, of 0 or 1.
[[nodiscard]] constexpr IndexBase index_base_of(std::size_t first_subscript) {
  return first_subscript == 0 ? IndexBase::zero : IndexBase::one;
}

/// Whether a text file may start with a header.
enum class Header {
  automatic,  ///< found out from the first lines, see `read_sptensor`
  none        ///< every line is an entry
};

constexpr auto enum_words(Header) {
  return std::array{EnumWord("auto", Header::automatic, "found out from the first lines"),
                    EnumWord("none", Header::none, "every line is an entry")};
}

/// What stands before the decimals of a table's numbers.
enum class Decimal {
  automatic,  ///< a point; numbers that may have thousands marks are refused
  point,      ///< commas may stand between thousands
  comma       ///< points may stand between thousands
};

constexpr auto enum_words(Decimal) {
  return std::array{EnumWord("auto", Decimal::automatic, "a point, thousands marks are refused"),
                    EnumWord(".", Decimal::point, "commas may stand between thousands"),
                    EnumWord(",", Decimal::comma, "points may stand between thousands")};
}

/// How a table's texts are written.
enum class Encoding {
  utf8,   ///< others are refused
  latin1  ///< ISO 8859-1, or Windows-1252, which has more characters
};

constexpr auto enum_words(Encoding) {
  return std::array{EnumWord("utf-8", Encoding::utf8),
                    EnumWord("latin-1", Encoding::latin1, "also Windows-1252")};
}

/// The forms in which a tensor lies in a file.
enum class FileFormat {
  frostt,    ///< text: entries alone
  header,    ///< text: lines with order, dimensions, nonzeros (or the first or last two), entries
  sptensor,  ///< text of the Tensor Toolbox: `sptensor`, order, dimensions, nonzeros, entries
  matrix_market,  ///< text: a MatrixMarket coordinate file, a tensor of order 2
  binary          ///< Genten's own
};

constexpr auto enum_words(FileFormat) {
  return std::array{
      EnumWord("frostt", FileFormat::frostt, "text, entries alone"),
      EnumWord("header", FileFormat::header, "text, after lines with order, dimensions, nonzeros"),
      EnumWord("sptensor", FileFormat::sptensor, "text of the Tensor Toolbox"),
      EnumWord("matrix-market", FileFormat::matrix_market, "text, a matrix"),
      EnumWord("binary", FileFormat::binary, "Genten's own")};
}

/// How the bytes of a file are compressed.
enum class Compression { none, gzip, zstd };

constexpr auto enum_words(Compression) {
  return std::array{EnumWord("none", Compression::none), EnumWord("gzip", Compression::gzip),
                    EnumWord("zstd", Compression::zstd)};
}

/// Options of the tensor readers.
struct ReadOptions {
  IndexBase index_base = IndexBase::automatic;
  Duplicates duplicates = Duplicates::sum;
  Header header = Header::automatic;
  /// Of a table, the name of the column of values; empty: there is none, and each row counts as 1.
  std::string values;
  /// Of a table, the names of the columns that are modes; empty: all but `values`.
  std::vector<std::string> modes;
  Decimal decimal = Decimal::automatic;  ///< of a table
  Encoding encoding = Encoding::utf8;    ///< of a table
  /// The tensor's dimensions, in place of those that a header gives or the entries imply; empty:
  /// not given. Entries must lie inside.
  std::vector<std::size_t> dimensions;
  /// Threads that read; 0: as many as the execution space has. The result is the same for any.
  std::size_t threads = 0;
  /// Bytes that the reader may allocate; 0: as many as `available_memory` (base/memory.hpp) says
  /// that there are.
  std::size_t memory_limit = 0;
  /// Bytes of text, at least 1, that a thread takes at a time, 256 KiB at most.
  std::size_t block_bytes = std::size_t{1} << 20;
  /// Told how far reading has come; null: nobody watches.
  WorkMeter* meter = nullptr;

  static constexpr auto fields() {
    return member_table(
        option_field("index-base", &ReadOptions::index_base,
                     "what subscripts in a text file count from"),
        option_field("duplicates", &ReadOptions::duplicates,
                     "what to do with entries at the same subscripts"),
        option_field("header", &ReadOptions::header, "whether a text file may begin with a header"),
        option_field("values", &ReadOptions::values,
                     "of a table, the column of values; without it each row counts as 1"),
        option_field(
            "modes", &ReadOptions::modes,
            "of a table, the columns that are modes; without it all but that of the values"),
        option_field("decimal", &ReadOptions::decimal,
                     "of a table, what stands before the decimals of its numbers"),
        option_field("encoding", &ReadOptions::encoding, "of a table, how its texts are written"),
        option_field("dimensions", &ReadOptions::dimensions,
                     "lengths of the modes, in place of those that the file gives", 1),
        option_field("threads", &ReadOptions::threads, "threads that read; 0: as many as compute",
                     0),
        option_field("memory-limit", &ReadOptions::memory_limit,
                     "bytes that reading may take; 0: as many as are available", 0),
        option_field("block-bytes", &ReadOptions::block_bytes,
                     "bytes of text that a thread takes at a time", 1));
  }
};

/// What a table says beside its numbers.
struct TableNames {
  std::vector<std::string> modes;  ///< the names of their columns
  /// By mode, the distinct texts of its column, sorted; none where it holds subscripts.
  std::vector<std::vector<std::string>> rows;
  bool ones = false;  ///< there is no column of values: each row counts as 1
};

/// What a reader found.
struct ReadReport {
  FileFormat format = FileFormat::frostt;
  Compression compression = Compression::none;
  /// Of a table, see `read_tensor`; its `format` is frostt, entries alone.
  std::shared_ptr<const TableNames> table;
  /// What the file's subscripts counted from: zero or one.
  IndexBase index_base = IndexBase::one;
  std::size_t file_bytes = 0;     ///< length of the file
  std::size_t content_bytes = 0;  ///< the same once decompressed
  std::size_t lines = 0;          ///< lines of text, comments and header included; 0 for binary
  std::size_t entries = 0;        ///< entries in the file
  std::size_t duplicates = 0;     ///< entries that were merged into another one
  /// The smallest subscript of each mode, as the file counts; only where a text file's subscripts
  /// count from 0. Modes that start at 1 beside others that start at 0 may count from 1.
  std::vector<std::size_t> first_subscripts;
  /// Values in double precision whose texts are other whole numbers, beyond 2^53: how many, and the
  /// line of the first. Not of a file of which a process reads a part.
  std::size_t rounded = 0, rounded_line = 0;
  /// Of all values as the file lists them, where some were merged. Not of a file of which a process
  /// reads a part.
  std::optional<ValueSummary> as_listed = {};
};

/// "mode 2 starts at 1 where mode 1 starts at 0", from the smallest subscript of each mode; empty
/// unless some start at 0 and others at 1.
[[nodiscard]] std::string describe_mixed_bases(const std::vector<std::size_t>& first_subscripts);

/// What is to be said of values that were rounded, without a capital letter or a period; empty
/// where none was.
[[nodiscard]] std::string describe_rounded(const ReadReport& report);

/// Options of the text writer.
struct WriteOptions {
  /// frostt, header, sptensor, or matrix_market for tensors of order 2. `frostt` cannot say
  /// dimensions: they are lost (and noted in a comment) where the last slices are empty.
  FileFormat format = FileFormat::sptensor;
  /// zero, or one (also meant by automatic).
  IndexBase index_base = IndexBase::one;
  /// Compressed output is written in independent members or frames, one for each block of entries.
  Compression compression = Compression::none;

  static constexpr auto fields() {
    return member_table(option_field("format", &WriteOptions::format, "form of the output"),
                        option_field("index-base", &WriteOptions::index_base,
                                     "what subscripts in a text output count from"),
                        option_field("compression", &WriteOptions::compression,
                                     "how text is compressed, in blocks"));
  }
};

}  // namespace genten
