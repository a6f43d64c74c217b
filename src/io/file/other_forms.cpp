// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "other_forms.hpp"

#include <genten/base/error.hpp>

#include <array>
#include <filesystem>

namespace genten::detail {

namespace {

struct Form {
  std::string_view magic;
  const char* name;
  /// A call of Python on PATH, and its module, that reads a table, or an array; "" where another
  /// program must come first.
  std::string_view call, module;
  const char* command;  ///< that one
};

constexpr std::string_view load = "numpy.load(PATH)", unpickle = "pandas.read_pickle(PATH)",
                           read_sheet = "pandas.read_excel(PATH)";

constexpr std::array forms = {
    Form{"PAR1", "a Parquet file", "genten.read(PATH, values='COLUMN')", "", ""},
    Form{"ARROW1", "an Arrow file", "genten.read(PATH, values='COLUMN')", "", ""},
    Form{"\xff\xff\xff\xff", "an Arrow stream", "pyarrow.ipc.open_stream(open(PATH, 'rb'))",
         "pyarrow", ""},
    Form{"FEA1", "a Feather file", "pandas.read_feather(PATH)", "pandas", ""},
    Form{"\x89HDF", "an HDF5 file", "pandas.read_hdf(PATH)", "pandas", ""},
    Form{"\x93NUMPY", "an array of NumPy", load, "numpy", ""},
    Form{"\x80\x02", "a pickle", unpickle, "pandas", ""},
    Form{"\x80\x03", "a pickle", unpickle, "pandas", ""},
    Form{"\x80\x04", "a pickle", unpickle, "pandas", ""},
    Form{"\x80\x05", "a pickle", unpickle, "pandas", ""},
    Form{"\xfd"
         "7zXZ",
         "a file of xz", "", "", "xz --decompress --keep"},
    Form{"BZh", "a file of bzip2", "", "", "bzip2 --decompress --keep"},
    Form{"\xff\xfe", "text in UTF-16", "", "", "iconv -f utf-16 -t utf-8"},
    Form{"\xfe\xff", "text in UTF-16", "", "", "iconv -f utf-16 -t utf-8"},
    Form{"PK\x03\x04", "a zip archive", "", "", "unzip"}};

/// What office programs and NumPy put into zip archives, by the endings of files.
constexpr std::array zipped = {
    Form{".xlsx", "a workbook of Excel", read_sheet, "pandas", ""},
    Form{".ods", "a workbook of OpenDocument", read_sheet, "pandas", ""},
    Form{".npz", "arrays of NumPy", "numpy.load(PATH)['NAME']", "numpy", ""}};

/// The form that bytes and name of a file say, or null.
const Form* form_of(const std::string& path, std::string_view bytes) {
  for (const Form& each : forms) {
    if (!bytes.starts_with(each.magic)) continue;
    if (each.magic != "PK\x03\x04") return &each;
    for (const Form& of_name : zipped) {
      if (path.ends_with(of_name.magic)) return &of_name;
    }
    return &each;
  }
  return nullptr;
}

/// A text with a backslash before each of some signs and of the backslashes.
std::string escaped(std::string_view text, std::string_view signs) {
  std::string result;
  for (const char sign : text) {
    if (sign == '\\' || signs.find(sign) != std::string_view::npos) result += '\\';
    result += sign;
  }
  return result;
}

/// What a command of Python makes of a file.
struct PythonWay {
  std::string from, to;  ///< the files in its code
  std::string said;      ///< behind it

  PythonWay(const std::string& path, const std::string& kind, const std::string& ending) {
    const bool is_file = path != "standard input";
    std::string made =
        is_file ? std::filesystem::path(path).replace_extension(ending).string() : kind + ending;
    if (made == path) made += ending;
    from = "'" + escaped(is_file ? path : "PATH", "'") + "'";
    to = "'" + escaped(made, "'") + "'";
    said = " makes the " + kind + " " + made + " of it" +
           (is_file ? "" : ", PATH being that of the file");
  }
  [[nodiscard]] std::string command(const std::string& code) const {
    return "with the Python package, python3 -c \"" + escaped(code, "\"$`") + "\"" + said;
  }
};

/// The command that writes a tensor of such a file, and what is to be put into it.
std::string way_by_python(const std::string& path, const Form& form) {
  const PythonWay way(path, "tensor", ".gtn");
  const std::string_view own = "genten.read(";
  std::string call(form.call);
  call.replace(call.find("PATH"), 4, way.from);
  const bool is_array = form.module == "numpy";
  if (!call.starts_with(own)) {
    call = "genten.tensor(" + call + (is_array ? ")" : ", values='COLUMN')");
  }
  const std::string import =
      "import genten" + (form.module.empty() ? "" : ", " + std::string(form.module));
  const bool has_name = call.find("'NAME'") != std::string::npos;
  return way.command(import + "; genten.write(" + call + ", " + way.to + ")") +
         (has_name    ? ", NAME being that of one array"
          : !is_array ? ", COLUMN being that of the values"
                      : "");
}

/// The text that follows a name of a member in JSON; "" where another value does.
std::string string_behind(std::string_view json, std::size_t name) {
  const std::size_t open = json.find_first_not_of(" \t\r\n", json.find(':', name) + 1);
  if (open == std::string_view::npos || json[open] != '"') return "";
  std::string text;
  for (std::size_t i = open + 1; i < json.size() && json[i] != '"'; ++i) {
    // Of what is escaped in names of files, all but control characters follows the sign itself.
    if (json[i] == '\\' && i + 1 < json.size()) ++i;
    text += json[i];
  }
  return text;
}

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view sidecar_ending = ".labels.json";

}  // namespace

void refuse_json(const std::string& path, std::string_view bytes, std::string_view expected) {
  const std::size_t begin = bytes.find_first_not_of(blanks);
  if (begin == std::string_view::npos || bytes[begin] != '{') return;
  const std::size_t next = bytes.find_first_not_of(blanks, begin + 1);
  if (next == std::string_view::npos || (bytes[next] != '"' && bytes[next] != '}')) return;
  if (bytes.find("\"genten labels\"") != std::string_view::npos) {
    const bool beside = path.ends_with(sidecar_ending) && path.size() > sidecar_ending.size();
    throw Error::of_content(
        path, 0, expected, "names of rows",
        ", which are read with the file that they stand beside" +
            (beside ? ", " + path.substr(0, path.size() - sidecar_ending.size()) : ""));
  }
  const std::size_t name = bytes.find("\"model_file\"");
  const bool has_model = name != std::string_view::npos;
  const bool is_run = has_model && bytes.find("\"residual_norm\"") != std::string_view::npos;
  const std::string file = has_model ? string_behind(bytes, name) : "";
  std::string instead;
  if (is_run && expected == "a sparse tensor") {
    instead = ": give the run's tensor";
  } else if (has_model && expected.find("model") != std::string_view::npos) {
    instead = file.empty() ? ": the run kept no model" : ": its model is in " + file;
  }
  throw Error::of_content(path, 0, expected, is_run ? "the report of a run, JSON" : "JSON",
                          instead);
}

void refuse_other_forms(const std::string& path, std::string_view bytes) {
  if (bytes.starts_with("mode,row,name,")) {
    throw Error::of_content(path, 1, "a sparse tensor", "a model",
                            ", as a table for other programs");
  }
  refuse_json(path, bytes, "a sparse tensor");
  const Form* const form = form_of(path, bytes);
  if (form == nullptr) return;
  throw Error::of_content(
      path, 0, "a sparse tensor", form->name,
      ": " + (form->call.empty() ? std::string(form->command) + " gives the file in it"
                                 : way_by_python(path, *form)));
}

std::string way_of_archive(const std::string& path) {
  const PythonWay way(path, "model", ".gkt");
  return way.command("import genten; genten.load(" + way.from + ").save(" + way.to + ")");
}

std::string other_form(const std::string& path, std::string_view bytes) {
  const Form* const form = form_of(path, bytes);
  return form == nullptr ? "" : form->name;
}

}  // namespace genten::detail
