// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Genten's binary form: a header, then sections of numbers that start at multiples of 64 bytes.
///
/// A tensor has the sections subscripts and values; a model has weights and the factor of each
/// mode, by rows without padding; a checkpoint has those of a model and a last one, the solver's,
/// which takes the rest of the file; so does that with ranks and factors of a Tucker model, behind
/// its core. The checksum of the data is the hash of the hashes of their
/// blocks, section by section, so that threads can share the work.

#include "../file/blocks.hpp"
#include "../file/file_content.hpp"

#include <genten/base/types.hpp>
#include <genten/io/atomic_file.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genten::detail {

/// What a file holds. A checkpoint is a model, too.
enum class BinaryKind : std::uint32_t { sptensor = 1, ktensor = 2, checkpoint = 3, ttensor = 4 };

/// The header as it lies in the file.
struct BinaryHeader {
  static constexpr std::array<char, 8> expected_magic = {'\x89', 'G',  'T',    'N',
                                                         '\r',   '\n', '\x1a', '\n'};
  static constexpr std::uint32_t expected_mark = 0x01020304;
  static constexpr std::uint32_t current_version = 1;

  std::array<char, 8> magic = expected_magic;
  std::uint32_t endianness_mark = expected_mark;
  std::uint32_t version = current_version;
  std::uint32_t kind = 0;
  std::uint32_t order = 0;
  std::uint32_t scalar_bytes = 0;
  std::uint32_t ordinal_bytes = 0;  ///< of tensors; else 0
  std::uint64_t count = 0;          ///< nonzeros, components, or elements of a core
  std::uint64_t file_bytes = 0;
  std::uint64_t data_checksum = 0;
  std::array<std::uint64_t, max_order> dimensions{};
  std::uint64_t header_checksum = 0;  ///< of all bytes before
};
static_assert(sizeof(BinaryHeader) == 192);

inline constexpr std::size_t section_alignment = 64;
/// Bytes of a section with its padding.
[[nodiscard]] constexpr std::size_t padded_section(std::size_t bytes) {
  return (bytes + section_alignment - 1) / section_alignment * section_alignment;
}

/// Whether the bytes start like a file of this form.
[[nodiscard]] bool is_binary_form(std::string_view bytes);

/// Whether they start like one of this kind.
[[nodiscard]] bool is_binary_form(std::string_view bytes, BinaryKind kind);

/// The header of a file, checked by itself and against the length of the file; throws Error.
[[nodiscard]] BinaryHeader read_binary_header(const FileContent& file, BinaryKind expected);

/// The sections' contents, in order, of a file with a good header.
[[nodiscard]] std::vector<Bytes> binary_sections(const FileContent& file,
                                                 const BinaryHeader& header);

/// Called with a block that was just hashed and is still in cache, by its thread: which section,
/// and where in it. Must not throw.
using BlockVisitor =
    std::function<void(std::size_t section, std::size_t offset, std::string_view block)>;

/// Bytes of a section, from `begin` to `end`.
struct SectionSlice {
  Bytes section;  ///< all of it
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Number of blocks that start in these bytes of a section.
[[nodiscard]] std::size_t blocks_between(std::size_t begin, std::size_t end);
/// The hashes of the blocks that start in the slices, section by section; blocks, of a multiple of
/// 8 bytes but for a section's last, are hashed in parallel. The visitor is given the bytes of the
/// slices, those before their first blocks included.
[[nodiscard]] std::vector<std::uint64_t> block_checksums(const HostExec& host,
                                                         std::span<const SectionSlice> slices,
                                                         const BlockWork& work = {},
                                                         const BlockVisitor& visitor = {});
/// The checksum of sections whose blocks have these hashes.
[[nodiscard]] std::uint64_t checksum_of_blocks(std::span<const std::uint64_t> checksums);

/// The checksum of sections.
[[nodiscard]] std::uint64_t binary_checksum(const HostExec& host, std::span<const Bytes> sections,
                                            const BlockWork& work = {},
                                            const BlockVisitor& visitor = {});

/// What is said of a file whose data have another checksum than its header.
inline constexpr char wrong_data_checksum[] = "damaged: the checksum of the data is wrong";

/// Passes the sections to the visitor; throws Error when they do not have the header's checksum.
void load_sections(const HostExec& host, const FileContent& file, const BinaryHeader& header,
                   const BlockWork& work, const BlockVisitor& visitor);

/// Sets the length of the file and the checksums. Where the last section takes the rest of the
/// file, `file_bytes` is set, from which its length follows.
void complete_header(BinaryHeader& header, std::uint64_t data_checksum);

/// Completes the header and writes everything. A last section that takes the rest of the file is to
/// fill its padding.
void write_binary_form(const HostExec& host, const std::string& path, BinaryHeader header,
                       std::span<const std::string_view> sections);

/// The bytes of `count` numbers.
template <class T>
[[nodiscard]] std::string_view bytes_of(const T* data, std::size_t count) {
  return {reinterpret_cast<const char*>(data), count * sizeof(T)};
}

}  // namespace genten::detail
