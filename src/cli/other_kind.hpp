// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files in the place of others, as a tensor's where a model's is expected: what the message says
/// then.

#include <genten/dist/communicator.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace genten::cli {

/// Whether a file has `found` in it where `expected` should be.
inline bool is_other_content(const Error& error, std::string_view expected,
                             std::string_view found) {
  return error.code() == Error::Code::other_content && error.fields().expected == expected &&
         error.fields().found == found;
}

inline bool tensor_for_model(const Error& error) {
  return is_other_content(error, "a model", "a sparse tensor") ||
         is_other_content(error, "a model", "a table");
}
inline bool model_for_tensor(const Error& error) {
  return is_other_content(error, "a sparse tensor", "a model");
}
inline bool tucker_for_tensor(const Error& error) {
  return is_other_content(error, "a sparse tensor", "a Tucker model");
}
inline bool tucker_for_cp(const Error& error) {
  return is_other_content(error, "a CP model", "a Tucker model");
}
inline bool smaller_model(const Error& error) {
  return error.code() == Error::Code::too_few_components;
}

/// What `read` returns. An error that `is_misfit(error)` ends with `hint`, which says what is
/// expected where, or what such a file is good for.
template <class Read>
decltype(auto) hinting_at(bool (*is_misfit)(const Error&), const std::string& hint,
                          const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    if (hint.empty() || !is_misfit(error)) throw;
    Error::Fields fields = error.fields();
    fields.complaint += "; " + hint;
    throw_changed(error, std::move(fields));
  }
}

}  // namespace genten::cli
