// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What stands beside a tensor or model, FILE.labels.json, as the tool and the Python package write
/// it: names of rows and modes, and the loss of the run that made a model.

#include "labels.hpp"
#include "model/loss_option.hpp"

#include <genten/io/options.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genten::cli {

/// What --labels says (`files`), or where it is empty what stands beside `file`: no names where
/// nothing does. Names that are not those of the file as it was read are left out, and standard
/// error says so: those that were written with another content (told by a checksum), for shorter
/// modes, or for subscripts that count from another base than `index_base`, that of a text.
[[nodiscard]] Labels labels_of(std::string_view files, const std::string& file,
                               const std::vector<std::size_t>& dimensions,
                               std::optional<int> index_base = {});

/// The same of a tensor that was read, which may be a table: its names are in itself, and --labels
/// gives those of the modes alone whose columns hold subscripts. Throws a usage error for others.
[[nodiscard]] Labels labels_of(std::string_view files, const std::string& file,
                               const std::vector<std::size_t>& dimensions,
                               const ReadReport& report);

/// The checksum of names, of a file of names without it: SHA-256 of its `index_base`, `labels`,
/// `mode_names` and `shape`, in this order, as JSON without blanks in UTF-8.
[[nodiscard]] std::string names_sha256(const nlohmann::json& told);

/// The loss that --loss says or, where that says none, the one beside a model's file; none where
/// neither does, as beside models of least squares. Throws usage errors; what stands beside another
/// content is not used, and standard error says so.
[[nodiscard]] LossChoice loss_of(const LossChoice& given, const std::string& model);

/// The shape that the names beside a file say, for files whose lines do not; empty where nothing
/// does.
[[nodiscard]] std::vector<std::size_t> shape_beside(const std::string& file);

}  // namespace genten::cli
