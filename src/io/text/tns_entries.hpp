// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Lines of a text as entries: what the readers of whole files and of their parts share.

#include "tns_parse.hpp"

#include <genten/io/detail/tensor_arrays.hpp>

#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// A line that is no entry.
struct WrongLine {
  std::size_t number = 0;  ///< from 1, as the lines were counted
  Diagnosis why;
};

/// Reads the lines with one choice of types. All arguments must outlive it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
class TextEntries {
 public:
  using Arrays = TensorArrays<Scalar, Ordinal>;

  TextEntries(const HostExec& host, const TextLayout& layout, const ReadOptions& options,
              TextBlocks& text);

  /// What is wrong with dimensions that the ordinals are too narrow for; nothing where they are
  /// not, or not known.
  [[nodiscard]] std::optional<std::string> too_long_dimension() const;

  /// Takes memory and parses all lines. Returns the first wrong one. Errors of memory name `path`
  /// and begin with `what` is read.
  std::optional<WrongLine> parse(const std::string& path, const std::string& what);

  /// Moves entries up where lines between them were empty; afterwards those of the blocks no longer
  /// stand where they say.
  void close_gaps();
  /// Keeps the first rows alone.
  void shrink(std::size_t rows);

  /// For a message about subscripts that are not right: the smallest of each mode if they counted
  /// from 0; nothing where there is more that is wrong, or they do count from 0. Overwrites what
  /// was parsed.
  [[nodiscard]] std::vector<std::size_t> first_subscripts_from_0();
  /// The smallest subscripts of each mode, as they stand in the arrays; nothing where there are no
  /// entries. Before `close_gaps`.
  [[nodiscard]] std::vector<std::size_t> smallest_subscripts() const;

  /// Tells of values that were rounded. Before `close_gaps`.
  void tell_of_rounded(ReadReport& report) const;

  [[nodiscard]] Arrays& arrays() { return m_arrays; }
  /// Entries that were parsed.
  [[nodiscard]] std::size_t entries() const { return m_entries; }
  [[nodiscard]] const Largest& largest() const { return m_largest; }
  [[nodiscard]] BlockWork work() const { return {m_options.threads, m_options.meter}; }
  /// Bytes of memory that the arrays take.
  [[nodiscard]] std::size_t held_bytes() const { return m_text.lines() * m_row_bytes; }
  /// What subscripts counting from 0 must stay below where no dimension says.
  [[nodiscard]] static std::uint64_t most();

 private:
  const HostExec& m_host;
  const TextLayout& m_layout;
  const ReadOptions& m_options;
  TextBlocks& m_text;
  EntryRules m_rules;
  Arrays m_arrays;
  Largest m_largest{};
  std::size_t m_row_bytes = 0;
  std::size_t m_entries = 0;
};

}  // namespace genten::detail
