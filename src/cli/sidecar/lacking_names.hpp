// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Models without names beside files that need them.

#include "match_rows.hpp"

namespace genten::cli {

/// Why a stream has none.
inline constexpr const char* names_through_pipes =
    ": names do not go through a pipe; read the file that they stand beside";

/// What lacks where a file has no names, and the way out; "" where something is beside it.
[[nodiscard]] std::string lack_of_sidecar(const std::string& model);

/// Whether a note is the first of this process that says what to do where nothing stands beside the
/// file of a model; the next messages then say less.
[[nodiscard]] bool is_first_word_on_lack(const std::string& model);

/// Throws Error of kind `file` for a table beside a model without names, if all of its columns but
/// that of the values are not as many as the model has modes: nothing says which are of use.
void require_columns_for_modes(const NamedRows& own, const std::string& file,
                               const ReadOptions& read);

}  // namespace genten::cli
