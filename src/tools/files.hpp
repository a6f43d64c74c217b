// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where a program reads from and writes to, the standard streams among them ("-"), and care about
/// it before work is spent on the content.

#include <genten/io/options.hpp>

#include <nlohmann/json_fwd.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace genten::tools {

/// An output as it was named on the command line, "-" for all names of the standard output.
[[nodiscard]] std::string output_path(const std::string& name);

/// Throws Error of kind `file` when a file of that name could not be written, so that a mistake
/// does not show only after hours of work. An empty name, and "-", are always right.
void require_writable(const std::string& path);

/// Throws Error of kind `file` when output would replace the input.
void require_different(const std::string& input, const std::string& output);

/// What an output is, which may replace a file of its kind alone. Of `any` nobody can tell. A
/// `table` has entries of a tensor, with the values behind the modes in a column "value"; where
/// that may have another name, whoever writes a `compared_table` leaves files that `may_be_data` as
/// they are. `rows` are the new rows of a model.
enum class OutputKind { any, tensor, table, compared_table, rows, model, json };

/// What a table of new rows has behind its elements.
inline constexpr const char* row_figures = "entries,loss,explained,kkt,converged,far_worse";

/// A file to write; its name may be empty.
struct Output {
  std::string path;
  OutputKind kind = OutputKind::any;
};

/// Complains before any work is done about files that could not be written, outputs that would
/// replace an input, one another or a file of another kind, and a standard stream that is named
/// twice. Empty names are left out.
void require_places(const std::vector<std::string>& inputs, const std::vector<Output>& outputs);

/// Whether a file has content, and does not end in the column "value" that tables of the tool have,
/// but for those that call it as the table did that the values came from.
[[nodiscard]] bool may_be_data(const std::string& path);
/// Throws Error of kind `file` for a table that would replace such a file.
[[noreturn]] void refuse_data(const std::string& path);

/// Where text for people goes: the standard output, or standard error where one of `outputs` is the
/// standard output, or nowhere.
std::ostream& report_stream(bool quiet, const std::vector<std::string>& outputs);

/// As text for people has it: "standard input" for "-", and harmless on a terminal.
std::string input_name(const std::string& path);
/// The same with "standard output".
std::string output_name(const std::string& path);

/// Whether there is a checkpoint of a run in this file.
[[nodiscard]] bool is_checkpoint(const std::string& path);

/// Does the name end like this, upper and lower case alike?
bool has_extension(const std::string& path, const char* extension);

/// The forms in which a model is written.
enum class ModelForm { text, binary, csv, npz };

/// By the name: .gkt and .bin are binary, .csv and .npz those of other programs, all else that
/// `require_model_name` lets pass is text.
ModelForm model_form(const std::string& path);

/// Whether a model in that form has room for the names of rows.
[[nodiscard]] constexpr bool holds_names(ModelForm form) {
  return form == ModelForm::csv || form == ModelForm::npz;
}

/// How a text is to be compressed, by the name: .gz and .zst.
Compression compression_of_name(const std::string& path);
/// The name without these.
[[nodiscard]] std::string uncompressed_name(const std::string& path);

/// Throws a usage error for the name of a model that is not to be written: one with .gz or .zst
/// behind the ending of a form that is no text, one that is a tensor's, and one with an ending that
/// says none of the forms: text would not be what is expected there.
void require_model_name(const std::string& path);
/// The same of a Tucker model, whose forms are text (.ttensor, .txt), binary and .npz.
void require_tucker_model_name(const std::string& path);
/// Whether a name ends as those of tensors alone do, perhaps compressed.
[[nodiscard]] bool is_tensor_name(const std::string& path);
/// Throws a usage error for a name that is a tensor's, where a model is written.
void require_no_tensor_name(const std::string& path);

/// Writes JSON to a file, or to the standard output for "-". Nothing for an empty name.
void write_json(const std::string& path, const nlohmann::ordered_json& value);

}  // namespace genten::tools
