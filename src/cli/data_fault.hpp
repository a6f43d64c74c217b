// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Values that a loss does not take are the fault of their file, not of an option.

#include "long_modes.hpp"
#include "other_kind.hpp"
#include "tools/files.hpp"
#include "tools/program.hpp"
#include "tools/tensor_input.hpp"

#include <genten/cp/losses/any_loss.hpp>
#include <genten/run/report.hpp>

#include <string>
#include <vector>

namespace genten::cli {

/// Whether an error is about values that a loss does not take.
inline bool is_of_values(const Error& error) {
  return error.code() == Error::Code::data;
}

/// ":3" for the first value that such a loss does not take, of a file that was read by these
/// options; "" where it has no lines, or cannot be read again.
[[nodiscard]] std::string line_of_bad_value(const tools::TensorFacts& facts,
                                            const ReadOptions& options, LossData data);

/// What makes values of 0 and 1 of those that were added up; "" of other losses, and where none
/// were.
[[nodiscard]] std::string way_out_of_sums(const tools::TensorFacts& facts, LossData data);

/// What `decompose` would say of these entries, which meet a model under that loss, where none are
/// missing, unlisted ones or those that a file lists, which the command line or the run that made
/// the model says. Where the command has no option for that, `takes_missing` is false.
template <class Tensor>
[[nodiscard]] std::vector<Note> notes_on_entries(
    const Tensor& tensor, const tools::TensorFacts& facts, const std::string& loss,
    const std::string& missing, bool takes_missing = true, bool asks_for_missing = true) {
  auto notes = notes_beside_model(HostExec(), tensor,
                                  RunSettings{.least_squares = loss.empty() || loss == "gaussian",
                                              .has_missing = missing != "none",
                                              .unlisted_are_missing = missing == "unlisted",
                                              .takes_missing = takes_missing,
                                              .of_counts = loss == "poisson",
                                              .adds_counts = is_of_counts(loss),
                                              .entries = entry_facts(facts)});
  // Of unlisted entries that are missing as in the run which made the model that one has told.
  if (!asks_for_missing) {
    std::erase_if(notes, [](const Note& note) { return note.code == NoteCode::no_zeros; });
  }
  return notes;
}

/// Calls body(); what it says of values concerns the file, and its line, and all else `otherwise`.
template <class Body>
decltype(auto) with_values_of(const tools::TensorFacts& facts, const ReadOptions& options,
                              LossData data, const std::string& otherwise, const Body& body) {
  return tools::concerning(
      [&](const Error& error) {
        return is_of_values(error)
                   ? tools::input_name(facts.file) + line_of_bad_value(facts, options, data)
                   : otherwise;
      },
      [&] { return hinting_at(is_of_values, way_out_of_sums(facts, data), body); });
}

}  // namespace genten::cli
