// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// From what the numbers of a table count that stand for rows without names: a model of a table
/// keeps it, and files beside the model go by it.

#include "match_rows.hpp"

namespace genten::cli {

/// Numbers of a table that is read beside `own` count from what the rows of that do. Throws a usage
/// error where the command line says otherwise and rows of `own` have numbers. Where `own` is of no
/// table and has rows without names, the base stays that of tables, and standard error says so,
/// with the `remedy`.
void number_as(const NamedRows& own, const std::string& file, ReadOptions& read,
               const std::string& remedy);

/// From what a list of entries counts: as is said beside it, else as the text or table `tensor`,
/// which was read with `report`, or as the table that a binary one was made of, or `own`.
[[nodiscard]] IndexBase base_of_list(const std::string& file, const NamedRows& own,
                                     const std::string& tensor, const ReadReport& report);

/// Says on standard error where subscripts of a text count from 1 and rows of `own`, which are the
/// numbers of a table, from 0, unless the command line says what the text counts from, or the text
/// was written by this tool, beside names.
void tell_of_text_numbers(const NamedRows& own, const std::string& file, const ReadOptions& read,
                          const ReadReport& report);

/// Throws Error of kind `file` where rows of a mode go by the numbers of two tables that count from
/// other bases. `modes` are as of `RowMatch`.
void require_same_numbers(const NamedRows& own, const NamedRows& other,
                          const std::vector<int>& modes);

}  // namespace genten::cli
