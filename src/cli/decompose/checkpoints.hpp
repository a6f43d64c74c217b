// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Checkpoints of genten decompose: writing them while a run goes on, and going on from one.

#include "decompose.hpp"

#include <genten/cp/observer.hpp>
#include <genten/io/checkpoint.hpp>

#include <exception>

namespace genten::cli {

/// Says on standard error that a checkpoint could not be written, and why. The run goes on.
void warn_of_checkpoint(const std::string& path, const char* why);

/// Writes a checkpoint where the options want one after this iteration, or where it is the last:
/// `interrupted`, or one after which the start ends. One that cannot be written is tried again the
/// next time.
template <RealScalar Scalar, ExecutionSpace Exec>
void keep_checkpoint(const DecomposeOptions& options,
                     const KtensorIteration<Scalar, Exec>& iteration, bool interrupted) {
  if (options.checkpoint.empty()) return;
  const bool due = iteration.record.iteration % options.checkpoint_every == 0;
  if (!due && !interrupted && !iteration.ends) return;
  try {
    write_checkpoint(options.checkpoint, iteration.checkpoint());
  } catch (const std::exception& error) {
    warn_of_checkpoint(options.checkpoint, error.what());
  }
}

/// Before the tensor is read, on all ranks, by what the first finds in the checkpoint: complains of
/// options that mean nothing beside --resume or are not those of the checkpoint, and sets the
/// precision, the loss and what is missing to what they are there.
void prepare_to_resume(DecomposeOptions& options);

}  // namespace genten::cli
