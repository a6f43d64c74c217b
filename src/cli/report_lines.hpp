// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Lines of the text about a run.

#include "labels.hpp"

#include <genten/cp/stop.hpp>
#include <genten/cp/timings.hpp>
#include <genten/io/options.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace genten::tools {
struct TensorFacts;
}

namespace genten::cli {

/// Where the model of a run was written, and the names of its rows; empty: nowhere.
struct RunFiles {
  std::string model, labels;
  std::string beside = "names";  ///< what `labels` holds
};

/// "fit       0.98"; those called "note" in the colour of notes, and on standard error where
/// nothing else is printed.
void print_line(std::ostream& out, const std::string& name, const std::string& text,
                std::size_t width = 10);

/// "converged, 12 iterations"; a signal that came after the end of the run is named before it.
[[nodiscard]] std::string stop_sentence(StopReason reason, std::size_t iterations,
                                        bool interrupted);

/// ", unlisted entries zero" of a table that does not list all: who has ratings may not expect it.
[[nodiscard]] std::string unlisted_zeros(const tools::TensorFacts& facts);

/// `tools::describe` of a tensor beside a model, whose rows may be called by numbers: then it does
/// not matter from where these count.
[[nodiscard]] std::string describe_beside(const Labels& model, tools::TensorFacts facts);

/// ", subscripts from 1" of a text whose rows go by their numbers, which may mean those of another
/// base; "" of other files, and beside a model whose rows are called by numbers.
[[nodiscard]] std::string subscripts_from(const Labels& model, const std::string& file,
                                          const ReadReport& report);

/// Where the model is, if anywhere.
void print_files(std::ostream& out, const RunFiles& files);

/// The time of a run, or a table of its phases, each with its share of all.
void print_time(std::ostream& out, const std::vector<PhaseTiming>& timings, bool by_phase);

}  // namespace genten::cli
