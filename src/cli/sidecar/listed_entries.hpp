// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files that list entries of a tensor, as those that are missing.

#include "match_rows.hpp"

#include <string>
#include <vector>

namespace genten::cli {

/// Lengths that a list's subscripts lie within: those beside it, else those of `own`. Where numbers
/// are names they may be any, and of all modes where `any` says so.
[[nodiscard]] std::vector<std::size_t> lengths_of_list(const NamedRows& own,
                                                       const std::string& file, bool any = false);

/// The entries that a file lists, as `own` numbers its rows, by their names where both have some.
/// Numbers of a table count as the rows of `own` where these are numbers of one, all else as
/// `base_of_list` says of the file `tensor`, which was read with `report`. Throws Error, which
/// names the file. Compiled once for tensors of either scalar and ordinal on the host.
template <class Tensor>
[[nodiscard]] Tensor listed_entries(const std::string& file, const NamedRows& own,
                                    const std::string& tensor, const ReadReport& report);

}  // namespace genten::cli
