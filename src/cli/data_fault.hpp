// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Values that a loss does not take are the fault of their file, not of an option.

#include "tools/files.hpp"
#include "tools/program.hpp"
#include "tools/tensor_input.hpp"

#include <genten/cp/losses/any_loss.hpp>

#include <string>

namespace genten::cli {

/// ":3" for the first value that such a loss does not take, of a file that was read by these
/// options; "" where it has no lines, or cannot be read again.
[[nodiscard]] std::string line_of_bad_value(const tools::TensorFacts& facts,
                                            const ReadOptions& options, LossData data);

/// Calls body(); what it says of values concerns the file, and its line, and all else `otherwise`.
template <class Body>
decltype(auto) with_values_of(const tools::TensorFacts& facts, const ReadOptions& options,
                              LossData data, const std::string& otherwise, const Body& body) {
  return tools::concerning(
      [&](const Error& error) {
        return error.code() == Error::Code::data
                   ? tools::input_name(facts.file) + line_of_bad_value(facts, options, data)
                   : otherwise;
      },
      body);
}

}  // namespace genten::cli
