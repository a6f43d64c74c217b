// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The entries of a text tensor, in two parallel passes over the text: count lines, then parse each
/// block of lines straight into the place that its line numbers give it.

#include "../file/blocks.hpp"
#include "tns_layout.hpp"

#include <genten/base/types.hpp>
#include <genten/io/detail/tensor_arrays.hpp>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace genten::detail {

inline constexpr std::size_t no_block = std::numeric_limits<std::size_t>::max();

/// Lines that one thread parses: those that start in [begin, stop), behind what comes before the
/// first entry.
struct TextBlock {
  std::size_t begin = 0;
  std::size_t stop = 0;
  std::size_t lines_before = 0;   ///< in the text, headers included
  std::size_t row = 0;            ///< where the block's first entry goes
  std::size_t row_end = 0;        ///< where the next block's first entry goes
  std::size_t entries = 0;        ///< found by parsing
  std::size_t rounded = 0;        ///< values of them that RoundedValues counts
  std::size_t first_rounded = 0;  ///< where, in the block's text, the first of these is
};

/// The lines from the first entry on, cut into blocks whose lines are counted.
class TextBlocks {
 public:
  /// `text` must outlive it.
  TextBlocks(const HostExec& host, const Bytes& text, const TextLayout& layout,
             const ReadOptions& options);

  [[nodiscard]] std::vector<TextBlock>& blocks() { return m_blocks; }
  [[nodiscard]] const std::vector<TextBlock>& blocks() const { return m_blocks; }
  /// Lines that may be entries.
  [[nodiscard]] std::size_t lines() const { return m_blocks.empty() ? 0 : m_blocks.back().row_end; }
  /// The lines of a block, as `Bytes::load` has them. A line end may be missing in the last one,
  /// but stands behind it, and 64 bytes beyond the lines may be read.
  [[nodiscard]] std::string_view load(std::size_t block, std::vector<char>& buffer) const;

 private:
  Bytes m_text;
  std::vector<TextBlock> m_blocks;
};

/// What an entry must keep to.
struct EntryRules {
  std::size_t order = 0;
  std::uint64_t base = 1;
  /// Entries are subscripts alone, and their values 1.
  bool ones = false;
  /// Subscripts counting from 0 must be smaller.
  std::array<std::uint64_t, max_order> limits{};
};

/// The largest subscripts, counting from 0.
using Largest = std::array<std::uint64_t, max_order>;

/// Parses all blocks into rows of `arrays`, which has one for each line. Sets the blocks' numbers
/// of entries and `largest`. Returns the first block with a wrong line, or `no_block`; the wrong
/// line is the one that would be entry number `entries` of that block.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::size_t parse_blocks(const HostExec& host, TextBlocks& text, const EntryRules& rules,
                         const BlockWork& work, const TensorArrays<Scalar, Ordinal>& arrays,
                         Largest& largest);

/// A line of the text that holds an entry.
struct FoundLine {
  std::size_t number = 0;  ///< from 1; 0: there is none
  std::string text;        ///< without its end
};

/// The line of entry number `entry`, from 0, of those in a block and behind it.
[[nodiscard]] FoundLine find_entry_line(const TextBlocks& text, std::size_t block,
                                        std::size_t entry);

/// Why a line was refused.
struct Diagnosis {
  std::string message;
  bool too_wide = false;  ///< only because a subscript needs 64-bit ordinals
};
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] Diagnosis diagnose(std::string_view line, const TextLayout& layout,
                                 const EntryRules& rules);

}  // namespace genten::detail
