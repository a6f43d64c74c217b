// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files in the place of others, as a tensor's where a model's is expected: what the message says
/// then.

#include "tools/program.hpp"

#include <string>

namespace genten::cli {

/// How the library's messages say which of them came.
inline constexpr const char* tensor_for_model = "expected a model, got a sparse tensor";
inline constexpr const char* model_for_tensor = "expected a sparse tensor, got a model";
inline constexpr const char* tucker_for_tensor = "expected a sparse tensor, got a Tucker model";
inline constexpr const char* tucker_for_cp = "expected a CP model, got a Tucker model";

/// What `read` returns. An error that has the words `misfit` in it ends with `hint`, which says
/// what is expected where, or what such a file is good for.
template <class Read>
decltype(auto) hinting_at(const char* misfit, const std::string& hint, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find(misfit) == std::string::npos) throw;
    throw tools::NamedError(error.kind(), message + "; " + hint);
  }
}

}  // namespace genten::cli
