// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Options and text of genten decompose.

#include "command.hpp"
#include "labels.hpp"
#include "option_rules.hpp"
#include "report_lines.hpp"
#include "run_output.hpp"
#include "sidecar/sidecar_output.hpp"
#include "tools/tensor_input.hpp"

#include <genten/dist/device_transport.hpp>
#include <genten/dist/grid.hpp>
#include <genten/run/report.hpp>
#include <genten/run/request.hpp>

#include <iosfwd>

namespace genten::cli {

struct DecomposeOptions : RunOutput {
  TensorInput input;
  CpRequest request;
  CpAlsOptions common;  ///< what the solver shares with cp_als, once `settle` has been called
  /// Which entries are missing: "unlisted", or those of a file; empty: none.
  std::string missing;
  std::string guess_file;   ///< --init FILE; empty: random, or
  bool from_nvecs = false;  ///< --init nvecs
  bool json_factors = false;
  std::string checkpoint;
  std::size_t checkpoint_every = 10;
  std::string resume;  ///< the checkpoint to go on from; empty: none
  Grid grid;           ///< of several processes, layers by mode; none: by bisection
  TransportKind transport = TransportKind::automatic;  ///< likewise
  Given given;                                         ///< whether an option was
  std::vector<std::string> data_notes =
      {};  ///< notes on the data, which stand before the iterations

  [[nodiscard]] bool misses_unlisted() const { return missing == "unlisted"; }
  /// The file that lists missing entries; empty: none does.
  [[nodiscard]] std::string missing_file() const { return misses_unlisted() ? "" : missing; }
};

void declare_decompose(CLI::App& app, DecomposeOptions& options);

/// Adds the options of the request, but for --init and those that are left out.
void declare_request(CLI::App& app, DecomposeOptions& options,
                     const std::set<std::string_view>& left_out = {});

/// Throws the usage error of options that do not go together.
[[noreturn]] void refuse_option(const Error& error);
/// What `body` returns; options that do not go together are usage errors.
template <class Body>
decltype(auto) refusing_options(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.fields().option.empty() || error.is_named()) throw;
    refuse_option(error);
  }
}

/// Notes which options are on the command line, and settles the request unless it goes on from a
/// checkpoint. Throws a usage error for an option that means nothing to the solver.
void settle(DecomposeOptions& options);
/// Throws a usage error for a loss, a solver or missing entries that were given and are not those
/// of the run of a checkpoint, whose request is `saved`.
void require_same_problem_as(const DecomposeOptions& options, const CpRequest& saved);
/// Goes on from the run of a checkpoint, whose request was `saved`. Throws a usage error for an
/// option that was given and is otherwise there.
void resume(DecomposeOptions& options, const CpRequest& saved);

/// Puts numbers in place of the modes that options name. Throws a usage error for a name that no
/// mode of the tensor has.
void number_modes(DecomposeOptions& options, const TensorFacts& facts);

/// Throws a usage error for error bars that cannot be had for a tensor.
void require_error_bars(const DecomposeOptions& options, const TensorFacts& facts);

/// The options by their names on the command line.
nlohmann::ordered_json options_json(const DecomposeOptions& options);

/// Whether the report ends in a list of the components: where the whole model is at hand, unless
/// --top says how much of them is wanted.
[[nodiscard]] bool lists_components(const DecomposeOptions& options);

/// What is about to be done to what.
void print_beginning(std::ostream& out, const DecomposeOptions& options, const TensorFacts& facts,
                     const Labels& labels);

/// What stands beside the model of a run: its labels and its options.
[[nodiscard]] OutputNames names_beside(const DecomposeOptions& options, const Labels& labels,
                                       const TensorFacts& facts);

/// How often components were found, and how certain weights are.
void print_trust(std::ostream& out, const RunTrust& trust, std::size_t starts);

/// The outcome, but for the components, without notes that were told before.
void print_summary(std::ostream& out, const DecomposeOptions& options, const RunReport& report,
                   const RunFiles& files, bool interrupted);

}  // namespace genten::cli
