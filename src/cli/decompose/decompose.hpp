// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Options and text of genten decompose.

#include "command.hpp"
#include "option_rules.hpp"
#include "tools/tensor_input.hpp"

#include <genten/cp/options.hpp>

#include <iosfwd>

namespace genten::cli {

struct DecomposeOptions {
  TensorInput input;
  CpAlsOptions als;
  std::string guess_file;  ///< --init FILE; empty: random
  std::string output;
  std::string json;
  bool json_factors = false;
  std::string labels;
  std::size_t top = 0;
  std::size_t print_every = 1;
  bool quiet = false;
  std::string checkpoint;
  std::size_t checkpoint_every = 10;
  std::string resume;  ///< the checkpoint to go on from; empty: none
  Given given;         ///< whether an option was
};

void declare_decompose(CLI::App& app, DecomposeOptions& options);

/// The options by their names on the command line.
nlohmann::ordered_json options_json(const DecomposeOptions& options);

/// What is about to be done to what.
void print_beginning(std::ostream& out, const DecomposeOptions& options, const TensorFacts& facts);

/// The outcome, from the JSON form of the result.
void print_summary(std::ostream& out, const nlohmann::ordered_json& result);

}  // namespace genten::cli
