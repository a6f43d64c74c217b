// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Whether the options and files of genten decompose fit the tensor and one another.

#include "data_fault.hpp"
#include "decompose.hpp"
#include "tools/program.hpp"

namespace genten::cli {

/// Throws an error, which names the files, for a guess of these dimensions and that rank that is
/// none for the tensor, and for options that a guess from a file makes meaningless.
void require_guess(const DecomposeOptions& options, const TensorFacts& facts,
                   const std::vector<std::size_t>& dimensions, std::size_t rank);

/// Says on standard error which options the run of the guess had that this run is without: its
/// loss, its constraints, its missing entries.
void tell_of_run_of_guess(const DecomposeOptions& options, std::size_t order);

/// Throws a usage error for options that --init nvecs makes meaningless.
void require_nvecs_options(const DecomposeOptions& options);

/// Throws a usage error for fixed modes that the tensor does not have, and where no mode is left to
/// update: the run would have no step.
void require_modes_to_update(const DecomposeOptions& options, const TensorFacts& facts);

/// Throws a usage error for constraints that are not for a tensor of as many modes, and Error for
/// bounds that no number is within.
void require_constraints(const DecomposeOptions& options, const TensorFacts& facts);

/// The files that an error of the solver is about; "" where it is of no other than the tensor. Of
/// values that the loss does not take also the line of the first one.
[[nodiscard]] std::string subject(const DecomposeOptions& options, const TensorFacts& facts,
                                  const Error& error);

/// What to do about such values.
[[nodiscard]] std::string way_out_of_values(const DecomposeOptions& options,
                                            const TensorFacts& facts);

/// What `body()` returns, which runs solvers. Its errors name what they are about, and the way out
/// where the loss does not take the values.
template <class Body>
decltype(auto) concerning_run(const DecomposeOptions& options, const TensorFacts& facts,
                              const Body& body) {
  const auto about = [&](const Error& error) { return subject(options, facts, error); };
  return tools::concerning(
      about, [&] { return hinting_at(is_of_values, way_out_of_values(options, facts), body); });
}

/// Throws a usage error for a name that checkpoints are not to have.
void require_checkpoint_name(const std::string& path);

/// Whether something is made of names of rows.
[[nodiscard]] bool uses_labels(const DecomposeOptions& options);

/// Throws a usage error for names of rows of which nothing would be made.
void require_use_of_labels(const DecomposeOptions& options);

/// Whether a file or the text has the model, or what is strongest in it, when the run is over.
[[nodiscard]] bool keeps_model(const DecomposeOptions& options);

/// Throws a usage error for a run that would leave nothing at all.
void require_use_of_run(const DecomposeOptions& options);

/// Says on standard error, before the work, that no file will have the model.
void tell_of_lost_model();

}  // namespace genten::cli
