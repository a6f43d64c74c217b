// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "files.hpp"

#include "command_line.hpp"
#include "printable.hpp"

#include <genten/base/error.hpp>
#include <genten/io/any_model.hpp>
#include <genten/io/atomic_file.hpp>
#include <genten/io/checkpoint.hpp>
#include <genten/io/table.hpp>

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace genten::tools {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error::in_file(path, 0, what);
}

void require_one_stream(const std::vector<std::string>& paths, const char* what) {
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    usage_error("-", std::string("expected one ") + what + ", got more");
  }
}

/// Files that do not exist are compared by name; pipes and devices may be written to twice.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (fs::exists(a, ignored))
    return fs::is_regular_file(a, ignored) && fs::equivalent(a, b, ignored);
  return fs::weakly_canonical(fs::absolute(a), ignored) ==
         fs::weakly_canonical(fs::absolute(b), ignored);
}

}  // namespace

std::string output_path(const std::string& name) {
  return !name.empty() && own_descriptor(name) == STDOUT_FILENO ? "-" : name;
}

void require_writable(const std::string& path) {
  if (path.empty() || own_descriptor(path)) return;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    fail(path, "expected the name of a file to write, this is a directory");
  }
  // Regular files are replaced by a file that is made beside them; pipes and devices are opened.
  fs::path place = path;
  if (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored)) {
    place = fs::path(path).parent_path();
    if (place.empty()) place = ".";
  }
  if (::access(place.c_str(), W_OK) != 0) {
    const std::string why = std::strerror(errno);
    fail(path, "cannot be written: " + place.string() + ": " + why);
  }
}

void require_different(const std::string& input, const std::string& output) {
  std::error_code ignored;
  if (!output.empty() && input != "-" && output != "-" && fs::equivalent(input, output, ignored)) {
    fail(output, "would replace the input");
  }
}

namespace {

bool is_model(const std::string& path, std::string_view head) {
  return is_model_file(path) || head.starts_with("mode,row,name,") ||
         (model_form(path) == ModelForm::npz && head.starts_with("PK"));
}

bool is_compressed(std::string_view head) {
  return head.starts_with("\x1f\x8b") || head.starts_with("\x28\xb5\x2f\xfd");
}

/// Whether a line has numbers alone, with blanks or other separators between them.
bool is_entry(std::string_view line) {
  return line.find_first_of("0123456789") != std::string_view::npos &&
         line.find_first_not_of("0123456789+-.eE,;|: \t\r") == std::string_view::npos;
}

/// Whether a file may be a tensor or a table: what is compressed may, and so may a first line of
/// names with a second one of as many fields.
bool may_be_tensor(const std::string& path, std::string_view head) {
  if (is_compressed(head) || head.starts_with("\x89GTN")) return true;
  if (head.find('\0') != std::string_view::npos) return false;
  for (const char* word : {"sptensor", "%%MatrixMarket", "tensor"}) {
    if (head.starts_with(word)) return true;
  }
  const std::size_t columns = table_columns(path, {}).size();
  std::size_t lines = 0;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    const bool is_comment = line.starts_with('#') || line.starts_with('%');
    if (is_comment || line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (columns == 0 || lines++ == 1) {
      const auto separators = std::count_if(line.begin(), line.end(), [](char c) {
        return c == ',' || c == ';' || c == '\t' || c == '|';
      });
      return columns == 0 ? is_entry(line) : static_cast<std::size_t>(separators) + 1 >= columns;
    }
  }
  return lines == 1;
}

[[noreturn]] void refuse_kind(const std::string& path, const char* what) {
  fail(path, std::string("this file is ") + what +
                 ", and would be overwritten: remove it, or choose another name");
}

/// Throws Error of kind `file` for an output that would replace what another program, or another
/// command, has written. Files without content are free to be replaced.
void require_own_kind(const Output& output) {
  constexpr std::size_t enough = std::size_t{1} << 16;
  std::error_code ignored;
  if (output.kind == OutputKind::any || own_descriptor(output.path)) return;
  if (!fs::is_regular_file(output.path, ignored)) return;
  std::ifstream file(output.path, std::ios::binary);
  std::string head(enough, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return;
  const bool is_json = head[begin] == '{', holds_model = is_model(output.path, head);
  const bool is_tensor = output.kind == OutputKind::tensor || output.kind == OutputKind::table ||
                         output.kind == OutputKind::compared_table;
  const std::string_view first_line =
      std::string_view(head).substr(begin, head.find_first_of("\r\n", begin) - begin);
  const char* what = nullptr;
  if (output.kind == OutputKind::model && !holds_model) what = "no model";
  if (output.kind == OutputKind::json && !is_json) what = "no JSON";
  if (is_tensor && is_json) what = "JSON, no tensor and no table";
  if (is_tensor && holds_model) what = "a model, no tensor and no table";
  if (what == nullptr && is_tensor && !may_be_tensor(output.path, head)) {
    what = "no tensor and no table";
  }
  if (what == nullptr && output.kind == OutputKind::table && may_be_data(output.path)) {
    refuse_data(output.path);
  }
  if (output.kind == OutputKind::rows && !first_line.ends_with(row_figures)) {
    what = "no table of new rows";
  }
  if (what != nullptr) refuse_kind(output.path, what);
}

}  // namespace

bool may_be_data(const std::string& path) {
  std::error_code ignored;
  if (own_descriptor(path) || !fs::is_regular_file(path, ignored)) return false;
  std::ifstream file(path);
  if ((file >> std::ws).peek() == std::ifstream::traits_type::eof()) return false;
  const auto columns = table_columns(path, {});
  if (columns.size() < 2) return true;
  const std::string& last = columns.back();
  return !last.starts_with("value") || last.find_first_not_of('_', 5) != std::string::npos;
}

void refuse_data(const std::string& path) {
  refuse_kind(path, "no table that ends in a column \"value\", so that it may be data of yours");
}

void require_places(const std::vector<std::string>& inputs, const std::vector<Output>& all) {
  std::vector<std::string> outputs;
  for (const Output& output : all) outputs.push_back(output.path);
  require_one_stream(inputs, "input from the standard input");
  require_one_stream(outputs, "output to the standard output");
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->empty() || *output == "-") continue;
    require_writable(*output);
    for (const std::string& input : inputs) {
      if (input != "-") require_different(input, *output);
    }
    for (auto other = outputs.begin(); other != output; ++other) {
      if (other->empty() || *other == "-" || !same_file(*other, *output)) continue;
      usage_error(*output, "expected different files for different outputs");
    }
  }
  for (const Output& output : all) require_own_kind(output);
}

std::ostream& report_stream(bool quiet, const std::vector<std::string>& outputs) {
  static std::ostream nowhere(nullptr);
  if (quiet) return nowhere;
  return std::count(outputs.begin(), outputs.end(), "-") != 0 ? std::cerr : std::cout;
}

std::string input_name(const std::string& path) {
  return path == "-" ? "standard input" : printable(path);
}

std::string output_name(const std::string& path) {
  return path == "-" ? "standard output" : printable(path);
}

bool is_checkpoint(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  try {
    return checkpoint_scalar_bytes(path) != 0;
  } catch (const Error&) {
    return false;
  }
}

bool has_extension(const std::string& path, const char* extension) {
  std::string last = fs::path(path).extension().string();
  std::transform(last.begin(), last.end(), last.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return last == extension;
}

ModelForm model_form(const std::string& path) {
  if (has_extension(path, ".gkt") || has_extension(path, ".bin")) return ModelForm::binary;
  if (has_extension(path, ".csv")) return ModelForm::csv;
  return has_extension(path, ".npz") ? ModelForm::npz : ModelForm::text;
}

Compression compression_of_name(const std::string& path) {
  if (has_extension(path, ".gz")) return Compression::gzip;
  return has_extension(path, ".zst") ? Compression::zstd : Compression::none;
}

std::string uncompressed_name(const std::string& path) {
  const bool compressed = compression_of_name(path) != Compression::none;
  return compressed ? path.substr(0, path.rfind('.')) : path;
}

namespace {

bool ends_with_any(const std::string& path, std::initializer_list<const char*> extensions) {
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const char* extension) { return has_extension(path, extension); });
}

[[noreturn]] void refuse_compression(const std::string& path, const char* of_text) {
  const std::string form = uncompressed_name(path);
  usage_error(path, "of the forms of a model only text is compressed: expected " + form + ", or " +
                        fs::path(form).replace_extension(of_text).string() +
                        path.substr(form.size()));
}

std::string no_form(const std::string& path, const std::string& ending) {
  return "none; there is no form " + ending +
         (path.ends_with(".json") ? ", and --json " + path + " writes the report" : "");
}

}  // namespace

bool is_tensor_name(const std::string& path) {
  return ends_with_any(uncompressed_name(path), {".tns", ".gtn", ".mtx", ".sptensor"});
}

void require_no_tensor_name(const std::string& path) {
  if (!is_tensor_name(path)) return;
  usage_error(path, "expected the name of a model, as model.ktensor or model.gkt, " +
                        fs::path(uncompressed_name(path)).extension().string() +
                        " is that of a tensor");
}

void require_model_name(const std::string& path) {
  const bool compressed = compression_of_name(path) != Compression::none;
  const std::string form = uncompressed_name(path);
  if (compressed && model_form(form) != ModelForm::text) refuse_compression(path, ".ktensor");
  require_no_tensor_name(path);
  const std::string ending = fs::path(form).extension().string();
  if (ending.empty() || ends_with_any(form, {".ktensor", ".txt", ".gkt", ".bin", ".csv", ".npz"})) {
    return;
  }
  usage_error(
      path,
      "expected the name of a model, which ends in .ktensor or .txt (text, also with .gz or "
      ".zst behind it), .gkt or .bin (binary), .csv or .npz (for other programs), or in " +
          no_form(path, ending));
}

void require_tucker_model_name(const std::string& path) {
  const std::string form = uncompressed_name(path);
  if (form != path && ends_with_any(form, {".gkt", ".bin", ".npz"})) {
    refuse_compression(path, ".ttensor");
  }
  const std::string ending = fs::path(form).extension().string();
  if (ending.empty() || ends_with_any(form, {".ttensor", ".txt", ".gkt", ".bin", ".npz"})) return;
  usage_error(path,
              "expected the name of a Tucker model, which ends in .ttensor or .txt (text, also "
              "with .gz or .zst behind it), .gkt or .bin (binary), .npz (for other programs), or "
              "in " +
                  no_form(path, ending));
}

void write_json(const std::string& path, const nlohmann::ordered_json& value) {
  if (path.empty()) return;
  // Names of files and labels may hold bytes that are no UTF-8.
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  if (path == "-") std::cout.flush();
  write_file(path, value.dump(2, ' ', false, replace) + "\n");
}

}  // namespace genten::tools
