// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "binary_form.hpp"

#include "../file/blocks.hpp"
#include "../file/memory.hpp"
#include "../file/other_forms.hpp"

#include <genten/base/error.hpp>
#include <genten/io/shared_model_file.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace genten::detail {

namespace {

constexpr std::size_t hash_block = SharedModelFile::block_bytes;
constexpr std::size_t hashed_header = offsetof(BinaryHeader, header_checksum);

std::uint64_t header_checksum(const BinaryHeader& header) {
  return XXH3_64bits(&header, hashed_header);
}

/// Number of blocks that start before a byte of a section.
std::size_t blocks_of(std::size_t bytes) {
  return bytes / hash_block + (bytes % hash_block != 0 ? 1 : 0);
}

/// Length of a file of sections of these lengths; saturated.
std::size_t file_bytes_of(std::span<const std::size_t> lengths) {
  constexpr std::size_t too_much = std::size_t{1} << 62;
  std::size_t total = sizeof(BinaryHeader);
  for (const std::size_t bytes : lengths) {
    if (bytes > too_much || total > too_much) return too_much;
    total += padded_section(bytes);
  }
  return total;
}

/// Lengths of the sections that a header announces; saturated where it announces nonsense.
std::vector<std::size_t> section_bytes(const BinaryHeader& header) {
  const std::size_t scalars = saturating_product(header.count, header.scalar_bytes);
  if (header.kind == static_cast<std::uint32_t>(BinaryKind::sptensor)) {
    const std::size_t row = std::size_t{header.order} * header.ordinal_bytes;
    return {saturating_product(header.count, row), scalars};
  }
  std::vector<std::size_t> lengths = {scalars};
  const bool is_tucker = header.kind == static_cast<std::uint32_t>(BinaryKind::ttensor);
  for (std::uint32_t n = 0; !is_tucker && n < header.order; ++n) {
    lengths.push_back(saturating_product(header.dimensions[n], scalars));
  }
  if (is_tucker || header.kind == static_cast<std::uint32_t>(BinaryKind::checkpoint)) {
    const std::size_t before = file_bytes_of(lengths);
    lengths.push_back(header.file_bytes > before ? header.file_bytes - before : 0);
  }
  return lengths;
}

/// Length of the file that the header announces.
std::size_t announced_bytes(const BinaryHeader& header) {
  return file_bytes_of(section_bytes(header));
}

constexpr std::uint32_t reversed(std::uint32_t x) {
  return x >> 24 | (x >> 8 & 0xff00U) | (x << 8 & 0xff0000U) | x << 24;
}

/// Why a header cannot be used; empty when it can.
std::string wrong_start(const BinaryHeader& header) {
  if (header.magic != BinaryHeader::expected_magic) {
    return "expected a file of Genten's binary form, got other first bytes";
  }
  if (header.endianness_mark == reversed(BinaryHeader::expected_mark)) {
    return "the file was written on a machine of the other byte order";
  }
  if (header.endianness_mark != BinaryHeader::expected_mark) {
    return "damaged: the endianness mark is wrong";
  }
  const bool whole = header.header_checksum == header_checksum(header);
  if (header.version != BinaryHeader::current_version && whole) {
    return "expected version " + std::to_string(BinaryHeader::current_version) +
           " of the binary form, got version " + std::to_string(header.version);
  }
  return whole ? "" : "damaged: the checksum of the header is wrong";
}

/// What a file holds, in words; `beside` is what it was taken for.
std::string words_of(BinaryKind kind, BinaryKind beside) {
  const bool either = kind == BinaryKind::ttensor || beside == BinaryKind::ttensor;
  switch (kind) {
    case BinaryKind::sptensor:
      return "a sparse tensor";
    case BinaryKind::ktensor:
      return either ? "a CP model" : "a model";
    case BinaryKind::checkpoint:
      return "a checkpoint";
    case BinaryKind::ttensor:
      return "a Tucker model";
  }
  return "content of unknown kind " + std::to_string(static_cast<std::uint32_t>(kind));
}

/// Throws Error for content of another kind. Models may come from checkpoints.
void require_kind(const std::string& path, BinaryKind kind, BinaryKind expected) {
  const bool either = expected == BinaryKind::ktensor && kind == BinaryKind::checkpoint;
  if (kind == expected || either) return;
  throw Error::of_content(path, 0, words_of(expected, kind), words_of(kind, expected));
}

std::string wrong_fields(const BinaryHeader& header) {
  constexpr auto sptensor = static_cast<std::uint32_t>(BinaryKind::sptensor);
  const auto is_width = [](std::uint32_t bytes) { return bytes == 4 || bytes == 8; };
  const auto kind = static_cast<BinaryKind>(header.kind);
  if (header.order < 1 || header.order > static_cast<std::uint32_t>(max_order)) {
    return "expected an order from 1 to " + std::to_string(max_order) + ", got " +
           std::to_string(header.order);
  }
  if (header.kind != sptensor && header.count == 0) {
    return kind == BinaryKind::ttensor
               ? "expected 1 element or more in the core, got 0"
               : "expected 1 component or more, got 0";  // factors take no bytes, however long
  }
  if (!is_width(header.scalar_bytes)) {
    return "expected values of 4 or 8 bytes, got " + std::to_string(header.scalar_bytes);
  }
  if (header.kind == sptensor && !is_width(header.ordinal_bytes)) {
    return "expected subscripts of 4 or 8 bytes, got " + std::to_string(header.ordinal_bytes);
  }
  return "";
}

std::string wrong_length(const BinaryHeader& header, std::size_t bytes) {
  const std::size_t announced = announced_bytes(header);
  if (header.file_bytes != announced) return "the header disagrees with itself about the length";
  if (bytes == announced) return "";
  return (bytes < announced ? "truncated: expected " : "expected ") + std::to_string(announced) +
         " bytes, got " + std::to_string(bytes);
}

}  // namespace

bool is_binary_form(std::string_view bytes) {
  const std::string_view magic(BinaryHeader::expected_magic.data(),
                               BinaryHeader::expected_magic.size());
  return bytes.substr(0, magic.size()) == magic;
}

bool is_binary_form(std::string_view bytes, BinaryKind kind) {
  BinaryHeader header;
  if (!is_binary_form(bytes) || bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header.kind == static_cast<std::uint32_t>(kind);
}

BinaryHeader read_binary_header(const FileContent& file, BinaryKind expected) {
  const auto refuse = [&](const std::string& why) {
    if (!why.empty()) throw Error::in_file(file.path(), 0, why);
  };
  const std::string_view head = file.head();
  BinaryHeader header;
  std::memcpy(&header, head.data(), std::min(head.size(), sizeof header));
  if (!is_binary_form(head)) refuse_json(file.path(), head, words_of(expected, expected));
  if (!is_binary_form(head)) refuse(wrong_start(BinaryHeader{.magic = {}}));
  if (head.size() < sizeof header) {
    refuse("truncated: the header of the binary form takes " + std::to_string(sizeof header) +
           " bytes, the file has " + std::to_string(head.size()));
  }
  refuse(wrong_start(header));
  require_kind(file.path(), static_cast<BinaryKind>(header.kind), expected);
  refuse(wrong_fields(header));
  refuse(wrong_length(header, file.content().size()));
  return header;
}

std::vector<Bytes> binary_sections(const FileContent& file, const BinaryHeader& header) {
  std::vector<Bytes> sections;
  std::size_t offset = sizeof header;
  for (const std::size_t bytes : section_bytes(header)) {
    sections.push_back(file.content().sub(offset, bytes));
    offset += padded_section(bytes);
  }
  return sections;
}

std::size_t blocks_between(std::size_t begin, std::size_t end) {
  return blocks_of(end) - blocks_of(begin);
}

std::vector<std::uint64_t> block_checksums(const HostExec& host,
                                           std::span<const SectionSlice> slices,
                                           const BlockWork& work, const BlockVisitor& visitor) {
  struct Block {
    std::size_t section;
    std::size_t offset;
  };
  std::vector<Block> blocks;
  std::vector<std::vector<char>> buffers(worker_count(host, SIZE_MAX, work.threads));
  for (std::size_t section = 0; section < slices.size(); ++section) {
    const auto [bytes, begin, end] = slices[section];
    const std::size_t first = blocks_of(begin);
    for (std::size_t i = first; i < blocks_of(end); ++i)
      blocks.push_back({section, i * hash_block});
    // What lies before belongs to a block of another slice.
    const std::size_t before = std::min(first * hash_block, end) - begin;
    if (visitor && before != 0) visitor(section, begin, bytes.load(begin, before, buffers[0]));
  }
  std::vector<std::uint64_t> hashes(blocks.size());
  work.begin("reading", blocks.size());
  for_each_block(
      "genten::checksum", host, worker_count(host, blocks.size(), work.threads), blocks.size(),
      [&](std::size_t i, std::size_t worker) {
        const auto [section, offset] = blocks[i];
        const auto bytes = slices[section].section.load(offset, hash_block, buffers[worker]);
        hashes[i] = XXH3_64bits(bytes.data(), bytes.size());
        if (visitor) visitor(section, offset, bytes.substr(0, slices[section].end - offset));
      },
      work.meter);
  return hashes;
}

std::uint64_t checksum_of_blocks(std::span<const std::uint64_t> checksums) {
  return XXH3_64bits(checksums.data(), checksums.size_bytes());
}

std::uint64_t binary_checksum(const HostExec& host, std::span<const Bytes> sections,
                              const BlockWork& work, const BlockVisitor& visitor) {
  std::vector<SectionSlice> slices;
  for (const Bytes& section : sections) slices.push_back({section, 0, section.size()});
  return checksum_of_blocks(block_checksums(host, slices, work, visitor));
}

void load_sections(const HostExec& host, const FileContent& file, const BinaryHeader& header,
                   const BlockWork& work, const BlockVisitor& visitor) {
  const auto sections = binary_sections(file, header);
  if (binary_checksum(host, sections, work, visitor) == header.data_checksum) return;
  throw Error::in_file(file.path(), 0, wrong_data_checksum);
}

void complete_header(BinaryHeader& header, std::uint64_t data_checksum) {
  header.data_checksum = data_checksum;
  header.file_bytes = announced_bytes(header);
  header.header_checksum = header_checksum(header);
}

void write_binary_form(const HostExec& host, const std::string& path, BinaryHeader header,
                       std::span<const std::string_view> sections) {
  std::vector<std::size_t> lengths;
  for (const std::string_view section : sections) lengths.push_back(section.size());
  header.file_bytes = file_bytes_of(lengths);  // from which that of a checkpoint's state follows
  complete_header(header,
                  binary_checksum(host, std::vector<Bytes>(sections.begin(), sections.end())));
  AtomicFile file(path);
  file.write(&header, sizeof header);
  const std::string zeros(section_alignment, '\0');
  for (const std::string_view section : sections) {
    file.write(section);
    file.write(zeros.data(), padded_section(section.size()) - section.size());
  }
  file.commit();
}

}  // namespace genten::detail
