// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files of entries that a model is to be compared with or asked for.

#include "tools/files.hpp"

#include <genten/dist/communicator.hpp>

#include <string>
#include <utility>

namespace genten::cli {

/// What `read` makes of a file of entries, which was given the dimensions of a model: that the file
/// is of another order is about the model, not about options.
template <class Read>
decltype(auto) reading_entries_of(const std::string& model_file, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    if (error.code() != Error::Code::other_order) throw;
    Error::Fields fields = error.fields();
    fields.complaint = "the model " + tools::input_name(model_file) + " is of order " +
                       fields.expected + ", the file is of order " + fields.found;
    throw_changed(error, std::move(fields));
  }
}

}  // namespace genten::cli
