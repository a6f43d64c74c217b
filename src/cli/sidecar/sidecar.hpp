// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What stands beside a tensor or model, FILE.labels.json, as the tool and the Python package write
/// it: names of rows and modes and, of a model, the options of its run: loss, penalties and bounds,
/// the rule for duplicates and which entries were missing.

#include "labels.hpp"
#include "model/loss_option.hpp"
#include "tools/tensor_input.hpp"

#include <genten/io/options.hpp>

#include <nlohmann/json.hpp>

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
                               std::optional<std::size_t> index_base = {});

/// The same of a tensor that was read, which may be a table: its names are in itself, and --labels
/// gives those of the modes alone whose columns hold subscripts. Throws a usage error for others.
[[nodiscard]] Labels labels_of(std::string_view files, const std::string& file,
                               const std::vector<std::size_t>& dimensions,
                               const ReadReport& report);

/// The same, and without rows that were dropped: the numbers of the others are their names where
/// they have none.
[[nodiscard]] Labels labels_of(std::string_view files, const tools::TensorFacts& facts);

/// Whether a file is text with subscripts: neither a table nor in the binary form.
[[nodiscard]] bool is_text(const ReadReport& report);

/// The number of the first row in a file: as its text or table counts, else as `labels` beside it
/// say.
[[nodiscard]] std::size_t first_number_in(const ReadReport& report, const Labels& labels);

/// The checksum of names, of a file of names without it: SHA-256 of its `index_base`, `labels`,
/// `mode_names` and `shape`, in this order, as JSON without blanks in UTF-8.
[[nodiscard]] std::string names_sha256(const nlohmann::json& record);

/// The loss that --loss says or, where that says none, the one beside a model's file; none where
/// neither does, as beside models of least squares. Throws usage errors; what stands beside another
/// content is not used, and standard error says so.
[[nodiscard]] LossChoice loss_of(const LossChoice& given, const std::string& model);

/// The loss that options of a run say.
[[nodiscard]] LossChoice loss_in(const nlohmann::json& run);

/// The options of a model's run that stand beside its file, by the names and in the form that
/// reports have them, without those at their default; the file that was decomposed as `tensor`.
/// Null where nothing tells of the run. As of `loss_of` otherwise.
[[nodiscard]] nlohmann::json run_beside(const std::string& model);

/// The checksum of a run: SHA-256 of its members, sorted by their names, as JSON without blanks in
/// UTF-8, numbers as texts of 17 digits ("%.17g"), which all programs write alike.
[[nodiscard]] std::string run_sha256(const nlohmann::json& run);

/// The options of a report of `decompose` or `tucker`, in which `values` is "" where no column is
/// named, without it then: in a run beside a model "" is a column without a name.
[[nodiscard]] nlohmann::json with_named_values(nlohmann::json options);

/// The options of a run on a tensor that was read so, in which `values` is null where it is of a
/// table whose rows were counted, and `text_base` says from what the subscripts of a text count.
[[nodiscard]] nlohmann::json with_values_of(nlohmann::json options, const ReadReport& report);

/// What `run_beside` reads, of a run of these options, as reports have them, on the tensor `file`.
[[nodiscard]] nlohmann::json run_of_options(const nlohmann::json& options, const std::string& file);

/// What the table calls its values of which a tensor's file was made; "" where nothing says it.
[[nodiscard]] std::string values_beside(const std::string& file);

/// The names of modes beside a file, "" for one without; empty where nothing is there.
[[nodiscard]] std::vector<std::string> mode_names_beside(const std::string& file);

/// The shape that the names beside a file say, for files whose lines do not; empty where nothing
/// does.
[[nodiscard]] std::vector<std::size_t> shape_beside(const std::string& file);

/// Whether there may be names of rows or modes beside a file.
[[nodiscard]] bool may_have_names(const std::string& file);

/// Whether rows are called there by the numbers that they had, as --compact calls them.
[[nodiscard]] bool has_number_names_beside(const std::string& file);

/// From what subscripts of a text, or numbers of the table of a binary file, count, as is said
/// beside the file; none where nothing is.
[[nodiscard]] std::optional<std::size_t> base_beside(const std::string& file);

}  // namespace genten::cli
