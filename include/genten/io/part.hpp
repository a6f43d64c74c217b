// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parts of a tensor's file, for several readers that each hold a part alone.
///
/// Each of P readers, processes as a rule, reads its part by `read_tensor_part`. What is wrong with
/// the file is not thrown then: it stands among the facts of the part, numbers and a message, since
/// no reader knows alone what a single one would say. When every reader has the facts of all parts
/// (`part_facts_to_bytes` is for sending them), `agree_on_tensor_parts` says the same to each: the
/// dimensions, which entries and lines lie before each part, or, as an Error, what `read_tensor_as`
/// would have thrown.

#include <genten/io/tns.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// What the head of a file says; the same for the readers of all its parts.
struct TensorFileHead {
  FileFormat format = FileFormat::frostt;
  Compression compression = Compression::none;
  std::uint64_t file_bytes = 0;  ///< length of the file, before decompression
  std::uint64_t order = 0;
  std::uint64_t index_base = 1;  ///< what the subscripts of a text count from
  std::uint64_t lines = 0;       ///< before that of the first entry
  bool has_dimensions = false;   ///< the header or the options give them
  bool has_count = false;        ///< the header gives the number of entries
  bool symmetric = false;        ///< entries stand for two each, but on the diagonal
  std::array<std::uint64_t, max_order> dimensions{};
  std::uint64_t count = 0;  ///< entries that the header says there are
  std::uint64_t count_line = 0;
  /// Fields of the first entry if it could be a header as well; else 0.
  std::uint64_t suspicious_fields = 0;
  std::array<std::uint64_t, max_order + 1> suspicious_first{};
  std::uint64_t data_checksum = 0;  ///< of a binary file

  friend bool operator==(const TensorFileHead&, const TensorFileHead&) = default;
};

/// What is wrong with a part.
struct TensorPartError {
  /// How far the reader has come. What is wrong earlier is said first, whatever part it is in.
  enum class Stage : std::uint32_t {
    opening,  ///< the file cannot be opened, or read
    content,  ///< it cannot be decompressed
    head,     ///< what comes before the first entry
    memory,   ///< there is too little for the part
    entries,  ///< lines that are no entries, values that the scalar cannot hold
    bounds    ///< entries outside the dimensions of a binary file, or in the wrong half of a matrix
  };
  Stage stage = Stage::opening;
  /// The line, from 1, counted from the part's first one; 0: `why` is all that is to be said.
  std::uint64_t line = 0;
  /// All that is wrong is that 32-bit ordinals are too narrow.
  bool too_wide = false;
  Error::Fields why = {};
};

/// What the readers of all parts have to tell each other of a part.
struct TensorPartFacts {
  std::uint64_t part = 0;
  std::uint64_t parts = 1;
  TensorFileHead head;
  /// Where the part begins and where it ends: bytes of the text, decompressed, or nonzeros of a
  /// binary file. The next part begins where this one ends.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  /// Length of the content, decompressed; 0 where the reader has not gone to its end.
  std::uint64_t content_bytes = 0;
  std::uint64_t lines = 0;    ///< of text in the part, comments included
  std::uint64_t entries = 0;  ///< in the part
  /// Entries of the other half of a symmetric matrix, which follow those of the part.
  std::uint64_t mirrored = 0;
  /// The largest subscripts of each mode, counting from 0; of text.
  std::array<std::uint64_t, max_order> largest{};
  /// The smallest ones as the text has them, and whether they could count from 0 throughout.
  std::array<std::uint64_t, max_order> smallest{};
  bool could_count_from_0 = false;
  /// Hashes of a binary file's blocks that start in the part: of the subscripts, so many, then of
  /// the values.
  std::uint64_t subscript_blocks = 0;
  std::vector<std::uint64_t> block_checksums;
  std::optional<TensorPartError> error;
};

/// The facts as bytes, to be sent to processes of the same build.
[[nodiscard]] std::string part_facts_to_bytes(const TensorPartFacts& facts);
/// The facts that bytes stand for. Throws Error where they are none.
[[nodiscard]] TensorPartFacts part_facts_from_bytes(std::string_view bytes);

/// A part's entries, in the order of the file and on the host; what is there twice stays twice.
/// Empty where the facts hold an error.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t>
struct TensorFilePart {
  /// Entries by order, counting from 0, side by side.
  Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace> subscripts;
  Kokkos::View<Scalar*, Kokkos::HostSpace> values;
  TensorPartFacts facts;
};

/// Reads part number `part`, from 0, of `parts`. All readers must have the same options, but for
/// threads, memory limit and meter; of these, `duplicates` is not looked at, and the memory limit
/// is for this reader alone.
///
/// * Text: the lines that start in the part's share of the bytes behind the head.
/// * Compressed text: every reader decompresses from the beginning to the end of its part, in steps
///   of at most `block_bytes`, and holds the text of its part alone; parts have equal shares of the
///   compressed bytes. The last reader has gone through the whole file.
/// * Binary: equal shares of the nonzeros, and of the checksum, whose parts are put together by
///   `agree_on_tensor_parts`. Where the file is compressed, every reader holds all of it.
///
/// It must be a regular file. Throws Error of kind `argument` unless part < parts. Compiled into
/// the library for float and double, 32 and 64 bits.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t>
[[nodiscard]] TensorFilePart<Scalar, Ordinal> read_tensor_part(const HostExec& host,
                                                               const std::string& path,
                                                               std::size_t part, std::size_t parts,
                                                               const ReadOptions& options = {});

/// What the facts of all parts say together. Lists that begin with a 0 have an element more than
/// there are parts, the last of which is the sum.
struct AgreedTensorParts {
  std::vector<std::size_t> dimensions;
  /// As `read_tensor_as` gives it, but that nobody has looked for duplicates.
  ReadReport report;
  std::vector<std::uint64_t> first_entry;     ///< entries before each part
  std::vector<std::uint64_t> first_mirrored;  ///< mirrored ones, which follow all entries
};

/// Puts the facts of all parts together, in the order of the parts. Throws the Error that a single
/// reader with ordinals of the same width would throw, which is the same on every reader; also
/// where the readers have found different files. Reads lines of the file again where it says more
/// entries than there should be.
///
/// Entries in the wrong half of a symmetric matrix are found before duplicates are, unlike by a
/// single reader; and who lacks memory says so for the part.
[[nodiscard]] AgreedTensorParts agree_on_tensor_parts(const std::string& path,
                                                      std::span<const TensorPartFacts> facts,
                                                      const ReadOptions& options = {});

/// Whether all that `agree_on_tensor_parts` would complain of is that the ordinals are 32 bits
/// wide.
[[nodiscard]] bool need_wide_ordinals(std::span<const TensorPartFacts> facts);

/// The line, from 1, of an entry, by its place among all entries of a text: for messages. Reads the
/// entry's part of the file again. 0 for a binary file, which has no lines.
[[nodiscard]] std::size_t line_of_entry(const std::string& path,
                                        std::span<const TensorPartFacts> facts, std::uint64_t entry,
                                        const ReadOptions& options = {});

/// The Error that a single reader of a text throws for duplicates that are refused: `second` is the
/// first entry that repeats the subscripts of an earlier one, `first` the first that has them, and
/// `duplicates` the number of those that repeat others. Entries by their places among all; reads
/// lines of the file again.
[[nodiscard]] Error duplicates_refused(const std::string& path,
                                       std::span<const TensorPartFacts> facts, std::uint64_t first,
                                       std::uint64_t second, std::uint64_t duplicates,
                                       const ReadOptions& options = {});

/// The Error that a single reader of a text throws where the sum of duplicates is not finite:
/// `entry` is the first whose addition to those before it, in the order of the file, is not.
[[nodiscard]] Error duplicates_overflow(const std::string& path,
                                        std::span<const TensorPartFacts> facts, std::uint64_t entry,
                                        const ReadOptions& options = {});

}  // namespace genten
