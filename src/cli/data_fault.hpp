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
#include <genten/run/notes.hpp>

#include <string>

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

/// That entries were added up, where others are missing, as `missing` says: none, unlisted or those
/// that a file lists. "" where they were not, or are events.
template <class Tensor>
[[nodiscard]] std::string note_on_sums(const std::string& missing, const Tensor& tensor,
                                       const tools::TensorFacts& facts) {
  if (missing == "none") return "";
  const auto values =
      summary_of(HostExec(), tensor.values(), static_cast<std::size_t>(tensor.nnz()));
  return tools::in_words(merged_note(values, entry_facts(facts), missing == "unlisted"));
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
