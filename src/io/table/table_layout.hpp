// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The header of a table: its columns and what becomes of them.

#include <genten/io/options.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace genten::detail {

/// Where a table's records start and what is in them.
struct TableLayout {
  static constexpr int unused = -1;

  char delimiter = ',';
  /// Behind each delimiter of the header or of the first record is a blank, as in "item, shop".
  bool skips_blanks = false;
  std::vector<std::string> columns;  ///< names, in the order of the file
  /// By column the mode that it is, as many as the order for that of the values, or `unused`.
  std::vector<int> roles;
  std::vector<std::size_t> modes;  ///< by mode its column
  bool has_values = false;
  std::size_t data_offset = 0;  ///< of the first record
};

/// Whether a text is a table: the options name columns, or its first line that is not empty has
/// several fields between tabs, commas or semicolons, of which none begins as a number or a comment
/// does, but for those of a wide table that are times, and only the first may be empty.
[[nodiscard]] bool is_table(std::string_view text, const ReadOptions& options);

/// Throws Error for a text that is no table because lines stand above its header.
void refuse_title(const std::string& path, std::string_view text, const ReadOptions& options);

/// What a message ends with on a text in a form in which R and psql write or show tables, of which
/// its first two lines tell; "" of others.
[[nodiscard]] std::string export_hint(std::string_view text);

/// What a message on a record of more fields than the first line's `columns` ends with, where a
/// further line may be the header; "" elsewhere.
[[nodiscard]] std::string title_hint(std::string_view text, std::size_t columns);

/// Without blanks around it.
[[nodiscard]] std::string_view trimmed(std::string_view field);

/// The names of a table's columns, in UTF-8; throws Error in the name of `path`.
[[nodiscard]] std::vector<std::string> header_columns(const std::string& path,
                                                      std::string_view text,
                                                      const ReadOptions& options);

/// A text of a table in UTF-8; throws Error in the name of `path`, which says the line of a text
/// that is in no such encoding, `what` being what it is.
[[nodiscard]] std::string text_of(const std::string& path, std::size_t line,
                                  const std::string& what, std::string text,
                                  const ReadOptions& options);

/// The layout of a table; throws Error in the name of `path`. The delimiter is the tab, the comma
/// or the semicolon, that which is most often in the header, and the first of these where several
/// are.
[[nodiscard]] TableLayout table_layout(const std::string& path, std::string_view text,
                                       const ReadOptions& options);

}  // namespace genten::detail
