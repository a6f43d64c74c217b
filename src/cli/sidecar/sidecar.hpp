// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of rows and modes beside a tensor or model, FILE.labels.json, as the tool and the Python
/// package write them.

#include "labels.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genten::cli {

/// What --labels says (`files`), or where it is empty what stands beside `file`: no names where
/// nothing does. Names that are not those of the file as it was read are left out, and standard
/// error says so: those that were written with another content (told by a checksum), for shorter
/// modes, or for subscripts that count from another base than `index_base`.
[[nodiscard]] Labels labels_of(std::string_view files, const std::string& file,
                               const std::vector<std::size_t>& dimensions,
                               std::optional<int> index_base = {});

}  // namespace genten::cli
