// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The binary form, decoded and encoded by the letter of binary.hpp, number by number.

#include "plain_text.hpp"

#define XXH_INLINE_ALL
#define XXH_VECTOR 0  // portable code: it is compared with the vectors of the library
#include <xxhash.h>

#include <array>
#include <cstring>

namespace genten::fuzz {

/// What a file of the binary form holds; numbers are widened.
struct PlainBinary {
  std::uint32_t kind = 0;  // 1: sparse tensor, 2: model, 3: checkpoint, a model and more
  std::uint32_t scalar_bytes = 8;
  std::uint32_t ordinal_bytes = 4;
  std::uint64_t count = 0;  // nonzeros or components
  std::vector<std::uint64_t> dimensions;
  std::vector<std::uint64_t> subscripts;     // of tensors: row by row
  std::vector<std::vector<double>> numbers;  // values; or weights, then the factors
};

constexpr std::size_t plain_header_bytes = 192;

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

template <class T>
void put_number(std::string& bytes, std::size_t at, T number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

inline std::size_t plain_padded(std::size_t bytes) {
  return bytes % 64 == 0 ? bytes : bytes + 64 - bytes % 64;
}

/// Lengths of the sections that a header announces; nothing where they exceed `most` together.
inline std::optional<std::vector<std::size_t>> plain_sections(std::string_view file,
                                                              std::size_t most) {
  const std::uint64_t count = number_at<std::uint64_t>(file, 32);
  const std::uint32_t kind = number_at<std::uint32_t>(file, 16);
  const std::uint32_t order = number_at<std::uint32_t>(file, 20);
  const std::uint32_t scalar = number_at<std::uint32_t>(file, 24);
  const std::uint32_t ordinal = number_at<std::uint32_t>(file, 28);
  if (order > 16) return std::nullopt;
  __extension__ using Wide = unsigned __int128;
  std::vector<Wide> lengths;
  if (kind == 1) lengths.push_back(Wide{count} * order * ordinal);
  lengths.push_back(Wide{count} * scalar);
  for (std::uint32_t n = 0; kind != 1 && n < order; ++n) {
    if (lengths[0] > most && number_at<std::uint64_t>(file, 56 + 8 * n) != 0) return std::nullopt;
    lengths.push_back(lengths[0] * number_at<std::uint64_t>(file, 56 + 8 * n));
  }
  Wide total = 0;
  std::vector<std::size_t> result;
  for (const Wide length : lengths) {
    total += length;
    if (total > most) return std::nullopt;
    result.push_back(static_cast<std::size_t>(length));
  }
  if (kind == 3) {  // the last section takes the rest
    std::size_t end = plain_header_bytes;
    for (const std::size_t bytes : result) end += plain_padded(bytes);
    const auto all = number_at<std::uint64_t>(file, 40);
    if (all > file.size()) return std::nullopt;
    result.push_back(all > end ? all - end : 0);
  }
  return result;
}

/// The checksum of the data: the hash of the hashes of the sections' blocks of 1 MiB.
inline std::uint64_t plain_checksum(std::string_view file,
                                    const std::vector<std::size_t>& sections) {
  std::vector<std::uint64_t> hashes;
  std::size_t offset = plain_header_bytes;
  for (const std::size_t bytes : sections) {
    for (std::size_t at = 0; at < bytes; at += 1 << 20) {
      const std::string_view block =
          file.substr(offset + at, std::min<std::size_t>(bytes - at, 1 << 20));
      hashes.push_back(XXH3_64bits(block.data(), block.size()));
    }
    offset += plain_padded(bytes);
  }
  return XXH3_64bits(hashes.data(), 8 * hashes.size());
}

/// Gives a damaged file the length and the checksums that it should have, so that what lies behind
/// these checks is reached.
inline std::string repaired(std::string file) {
  if (file.size() < plain_header_bytes) return file;
  put_number<std::uint64_t>(file, 40, file.size());
  if (const auto sections = plain_sections(file, file.size())) {
    std::size_t needed = plain_header_bytes;
    for (const std::size_t bytes : *sections) needed += plain_padded(bytes);
    file.resize(needed);
    put_number<std::uint64_t>(file, 40, needed);
    put_number(file, 48, plain_checksum(file, *sections));
  }
  put_number<std::uint64_t>(file, 184, XXH3_64bits(file.data(), 184));
  return file;
}

inline double plain_scalar(std::string_view file, std::size_t at, std::uint32_t bytes) {
  return bytes == 4 ? static_cast<double>(number_at<float>(file, at)) : number_at<double>(file, at);
}

inline PlainBinary decode_plainly(std::string_view file, std::uint32_t kind) {
  const auto check = [](bool holds, const char* why) {
    if (!holds) throw Refusal{0, why};
  };
  check(file.size() >= plain_header_bytes, "length of the header");
  check(file.substr(0, 8) == std::string_view("\x89GTN\r\n\x1a\n", 8), "magic");
  check(number_at<std::uint32_t>(file, 8) == 0x01020304U, "byte order");
  check(number_at<std::uint32_t>(file, 12) == 1, "version");
  check(number_at<std::uint64_t>(file, 184) == XXH3_64bits(file.data(), 184), "header checksum");
  PlainBinary result;
  result.kind = number_at<std::uint32_t>(file, 16);
  const auto order = number_at<std::uint32_t>(file, 20);
  result.scalar_bytes = number_at<std::uint32_t>(file, 24);
  result.ordinal_bytes = number_at<std::uint32_t>(file, 28);
  result.count = number_at<std::uint64_t>(file, 32);
  check(result.kind == kind || (kind == 2 && result.kind == 3), "kind");
  check(order >= 1 && order <= 16, "order");
  check(result.scalar_bytes == 4 || result.scalar_bytes == 8, "width of values");
  check(kind == 2 || result.ordinal_bytes == 4 || result.ordinal_bytes == 8, "width of subscripts");
  check(kind == 1 || result.count >= 1, "components");
  for (std::uint32_t n = 0; n < order; ++n) {
    result.dimensions.push_back(number_at<std::uint64_t>(file, 56 + 8 * n));
  }
  const auto sections = plain_sections(file, file.size());
  check(sections.has_value(), "announced length");
  std::size_t end = plain_header_bytes;
  for (const std::size_t bytes : *sections) end += plain_padded(bytes);
  check(number_at<std::uint64_t>(file, 40) == end && file.size() == end, "length of the file");
  check(number_at<std::uint64_t>(file, 48) == plain_checksum(file, *sections), "data checksum");
  std::size_t offset = plain_header_bytes;
  for (std::size_t s = 0; s < sections->size(); ++s) {
    const bool subscripts = kind == 1 && s == 0;
    const std::size_t width = subscripts ? result.ordinal_bytes : result.scalar_bytes;
    if (result.kind == 3 && s + 1 == sections->size()) break;
    if (!subscripts) result.numbers.emplace_back();
    for (std::size_t at = offset; at < offset + (*sections)[s]; at += width) {
      if (subscripts) {
        result.subscripts.push_back(width == 4 ? number_at<std::uint32_t>(file, at)
                                               : number_at<std::uint64_t>(file, at));
        const std::size_t n = (result.subscripts.size() - 1) % order;
        check(result.subscripts.back() < result.dimensions[n], "subscript");
      } else {
        result.numbers.back().push_back(plain_scalar(file, at, result.scalar_bytes));
        check(std::isfinite(result.numbers.back().back()), "number");
      }
    }
    offset += plain_padded((*sections)[s]);
  }
  return result;
}

/// The file that a writer should make of it.
inline std::string encode_plainly(const PlainBinary& content) {
  std::string file(plain_header_bytes, '\0');
  std::memcpy(file.data(), "\x89GTN\r\n\x1a\n\x04\x03\x02\x01\x01", 13);
  put_number(file, 16, content.kind);
  put_number(file, 20, static_cast<std::uint32_t>(content.dimensions.size()));
  put_number(file, 24, content.scalar_bytes);
  put_number(file, 28, content.kind == 1 ? content.ordinal_bytes : 0);
  put_number(file, 32, content.count);
  for (std::size_t n = 0; n < content.dimensions.size(); ++n) {
    put_number(file, 56 + 8 * n, content.dimensions[n]);
  }
  const auto append = [&file](auto number) {
    file.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  for (const std::uint64_t subscript : content.subscripts) {
    if (content.ordinal_bytes == 4) {
      append(static_cast<std::uint32_t>(subscript));
    } else {
      append(subscript);
    }
  }
  file.resize(plain_padded(file.size()));
  for (const auto& section : content.numbers) {
    for (const double number : section) {
      if (content.scalar_bytes == 4) {
        append(static_cast<float>(number));
      } else {
        append(number);
      }
    }
    file.resize(plain_padded(file.size()));
  }
  return repaired(file);
}

}  // namespace genten::fuzz
