// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Options and text of genten rank.

#include "decompose/decompose.hpp"
#include "top_rows.hpp"

#include <genten/run/rank_choice.hpp>

#include <iosfwd>
#include <string>

namespace genten::cli {

/// What the command line asks for; of `run` what concerns the input, the request, --missing,
/// --labels, --output, --json, --quiet, --checkpoint and --resume.
struct RankCommand {
  DecomposeOptions run;
  RankChoiceOptions choice;
};

/// Those that are tried unless others are named.
constexpr const char* default_ranks = "1..8";

void declare_rank(CLI::App& app, RankCommand& options);

/// The ranks of a list such as "1..6,8,12", ascending. Throws a usage error for what is none.
[[nodiscard]] std::vector<std::size_t> parse_ranks(const std::string& text);

/// The options by their names on the command line.
nlohmann::ordered_json options_json(const RankCommand& options);

/// What was found, but for the options, the tensor and the machine.
nlohmann::ordered_json choice_json(const RankChoice& choice);

/// The model of the suggested rank, `top`, and how far it can be believed.
nlohmann::ordered_json model_json(const RankChoice& choice, const std::vector<TopComponent>& top,
                                  const Labels& labels);

/// The titles of the table, and a line for each rank. Numbers that are not known are dashes.
void print_titles(std::ostream& out);
void print_row(std::ostream& out, const RankRow& row);
/// The suggestion, and its reasons.
void print_choice(std::ostream& out, const RankChoice& choice);

}  // namespace genten::cli
