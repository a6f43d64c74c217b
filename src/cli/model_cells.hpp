// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files of cells that a model is to be compared with or asked for.

#include "tools/program.hpp"

#include <genten/core/ktensor.hpp>

#include <string>

namespace genten::cli {

/// The message of a reader that was given the dimensions of a model: that a file is of another
/// order is about the model, not about options. Other messages as they are.
[[nodiscard]] std::string about_model(const std::string& message, const std::string& model_file);

/// What `read` makes of a file of cells, with messages as `about_model` has them.
template <class Read>
decltype(auto) reading_cells_of(const std::string& model_file, const Read& read) {
  try {
    return read();
  } catch (const tools::NamedError&) {
    throw;
  } catch (const Error& error) {
    throw Error(error.kind(), about_model(error.what(), model_file));
  }
}

}  // namespace genten::cli
