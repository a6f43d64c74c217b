// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files of other programs and for them, which Genten does not read.

#include <string>
#include <string_view>

namespace genten::detail {

/// Throws Error in the name of `path`, which says what to do, where the first bytes are those of
/// Parquet, Arrow, Feather, xz, bzip2, zip, pickle, HDF5, NumPy, JSON or a model's table.
void refuse_other_forms(const std::string& path, std::string_view bytes);

/// What the first bytes are of, of these but JSON and a model's table; "" of others.
[[nodiscard]] std::string other_form(const std::string& path, std::string_view bytes);

/// The command that makes a model, which commands read, of one in an archive of NumPy.
[[nodiscard]] std::string way_of_archive(const std::string& path);

/// Throws Error likewise where JSON stands in place of `expected`, as "a model" or "a checkpoint":
/// the report of a run, or names beside a file.
void refuse_json(const std::string& path, std::string_view bytes, std::string_view expected);

}  // namespace genten::detail
