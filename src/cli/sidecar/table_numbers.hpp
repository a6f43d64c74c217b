// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// From what the numbers of a table count that stand for rows without names: a model of a table
/// keeps it, and files beside the model go by it.

#include "match_rows.hpp"
#include "tools/tensor_input.hpp"

#include <nlohmann/json_fwd.hpp>

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

/// From what the text counted that a model was made from, as the run beside the model has it, whose
/// rows it numbers whatever other run options are taken from, else as `run`; 1 where neither says.
[[nodiscard]] std::size_t text_base(const std::string& model, const nlohmann::json& run);

/// Lets a text count from where what stands beside it says or its first line, as this tool writes
/// it, unless the command line says it.
void take_said_base(tools::TensorInput& input);

/// The same of a text that is read beside a model: where nothing says it, it counts as that of the
/// model.
void take_text_base(const std::string& model, const nlohmann::json& run, tools::TensorInput& input);
/// The same of a text that a run reads which begins at the model `guess`, "" of none.
void take_text_base_beside(const std::string& guess, tools::TensorInput& input);

/// Says on standard error from what a text, which was read with `report`, counts where that is
/// taken from the run of `own`. Likewise where its subscripts count from 1 and rows of `own`, which
/// are the numbers of a table, from 0, unless it is said what the text counts from.
void tell_of_text_numbers(const NamedRows& own, const tools::TensorInput& input,
                          const ReadReport& report);

/// Throws Error of kind `file` where rows of a mode go by the numbers of two tables that count from
/// other bases. `modes` are as of `RowMatch`.
void require_same_numbers(const NamedRows& own, const NamedRows& other,
                          const std::vector<int>& modes);

}  // namespace genten::cli
