// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RunTrust: what a run has to say of how far its model can be believed.

#include <genten/run/notes.hpp>
#include <genten/run/trust/agreement.hpp>
#include <genten/run/trust/bootstrap.hpp>

#include <optional>
#include <vector>

namespace genten {

/// Error bars of a run.
struct RunTrust {
  /// By component; empty where the run had one start and no refits.
  std::vector<ComponentStability> stability;
  std::optional<StandardErrors> standard_errors;
  std::optional<Bootstrap> bootstrap;
};

/// Whether a signal or a callback has ended the bootstrap.
[[nodiscard]] inline bool is_interrupted(const RunTrust& trust) {
  return trust.bootstrap && trust.bootstrap->stopped == StopReason::observer;
}

/// What is to be known of components that are not found again, or whose intervals hold zero, of
/// standard errors that there are none of, and of a bootstrap that was ended early. `weights` are
/// those of the model; `told` are the notes on its run, which these follow, and which had so many
/// starts. `compares_ranks`: whether the run is one of a comparison of ranks, so that no note has
/// to say what compares them.
[[nodiscard]] std::vector<Note> notes_of(const RunTrust& trust, const std::vector<double>& weights,
                                         const std::vector<Note>& told, bool compares_ranks = false,
                                         std::size_t starts = 1);

}  // namespace genten
