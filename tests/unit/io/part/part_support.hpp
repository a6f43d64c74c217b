// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Reading in parts, one after the other, as several readers do side by side.

#include "../../../../src/io/file/file_content.hpp"
#include "../io_support.hpp"

#include <genten/io/entries.hpp>
#include <genten/io/part.hpp>

#include <optional>

namespace genten::test {

/// All parts of a file, put together.
template <class Scalar, class Ordinal>
struct JoinedParts {
  std::vector<TensorPartFacts> facts;
  std::vector<std::uint64_t> subscripts;
  std::vector<Scalar> values;
  std::size_t most_entries = 0;  ///< of a part
  AgreedTensorParts agreed;
};

/// Reads all parts. Facts are sent as bytes.
template <class Scalar = double, class Ordinal = std::uint32_t>
std::vector<TensorFilePart<Scalar, Ordinal>> read_parts(const std::string& path, std::size_t parts,
                                                        const ReadOptions& options = {}) {
  std::vector<TensorFilePart<Scalar, Ordinal>> result;
  for (std::size_t part = 0; part < parts; ++part) {
    result.push_back(read_tensor_part<Scalar, Ordinal>(HostExec(), path, part, parts, options));
    result.back().facts = part_facts_from_bytes(part_facts_to_bytes(result.back().facts));
  }
  return result;
}

template <class Scalar, class Ordinal>
std::vector<TensorPartFacts> facts_of(const std::vector<TensorFilePart<Scalar, Ordinal>>& parts) {
  std::vector<TensorPartFacts> facts;
  for (const auto& part : parts) facts.push_back(part.facts);
  return facts;
}

/// Reads all parts and joins them: the entries, then the mirrored ones. Throws what they agree on.
template <class Scalar = double, class Ordinal = std::uint32_t>
JoinedParts<Scalar, Ordinal> join_parts(const std::string& path, std::size_t parts,
                                        const ReadOptions& options = {}) {
  const auto read = read_parts<Scalar, Ordinal>(path, parts, options);
  JoinedParts<Scalar, Ordinal> joined;
  joined.facts = facts_of(read);
  joined.agreed = agree_on_tensor_parts(path, joined.facts, options);
  const std::size_t order = joined.agreed.dimensions.size();
  for (const bool mirrored : {false, true}) {
    for (const auto& part : read) {
      const std::size_t entries = part.facts.entries;
      EXPECT_EQ(part.values.extent(0), entries + part.facts.mirrored);
      joined.most_entries = std::max(joined.most_entries, entries);
      const auto& before = mirrored ? joined.agreed.first_mirrored : joined.agreed.first_entry;
      EXPECT_EQ(before[part.facts.part] + (mirrored ? joined.agreed.first_entry.back() : 0),
                joined.values.size());
      const std::size_t end = mirrored ? part.values.extent(0) : entries;
      for (std::size_t p = mirrored ? entries : 0; p < end; ++p) {
        for (std::size_t n = 0; n < order; ++n) joined.subscripts.push_back(part.subscripts(p, n));
        joined.values.push_back(part.values(p));
      }
    }
  }
  return joined;
}

/// Expects the entries of the tensor, in its order, and its dimensions.
template <class Scalar, class Ordinal, class Tensor>
void expect_joined(const JoinedParts<Scalar, Ordinal>& joined, const Tensor& tensor) {
  ASSERT_EQ(joined.agreed.dimensions, tensor.dimensions());
  ASSERT_EQ(joined.values.size(), static_cast<std::size_t>(tensor.nnz()));
  const auto order = static_cast<std::size_t>(tensor.order());
  for (std::size_t p = 0; p < joined.values.size(); ++p) {
    for (std::size_t n = 0; n < order; ++n) {
      ASSERT_EQ(joined.subscripts[p * order + n], tensor.subscripts()(p, n)) << p;
    }
    ASSERT_EQ(joined.values[p], tensor.values()(p)) << p;
  }
}

/// Expects what a single reader reports, but for duplicates.
inline void expect_report(const ReadReport& parts, const ReadReport& single) {
  EXPECT_EQ(parts.format, single.format);
  EXPECT_EQ(parts.compression, single.compression);
  EXPECT_EQ(parts.index_base, single.index_base);
  EXPECT_EQ(parts.file_bytes, single.file_bytes);
  EXPECT_EQ(parts.content_bytes, single.content_bytes);
  EXPECT_EQ(parts.lines, single.lines);
  EXPECT_EQ(parts.entries, single.entries);
  EXPECT_EQ(parts.first_subscripts, single.first_subscripts);
}

/// What a single reader complains of; nothing where it does not.
template <class Body>
std::optional<std::string> complaint(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.kind())) + " " + error.what();
  }
  return std::nullopt;
}

}  // namespace genten::test
