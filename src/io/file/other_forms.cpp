// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "other_forms.hpp"

#include <genten/base/error.hpp>

#include <array>

namespace genten::detail {

namespace {

struct Form {
  std::string_view magic;
  const char* name;
  const char* call;  ///< of Python, which reads a table; "" where another program must come first
  const char* command;  ///< that one
};

constexpr std::array forms = {
    Form{"PAR1", "a Parquet file", "genten.read", ""},
    Form{"ARROW1", "an Arrow file", "genten.read", ""},
    Form{"\xff\xff\xff\xff", "an Arrow stream", "pyarrow.ipc.open_stream", ""},
    Form{"FEA1", "a Feather file", "pandas.read_feather", ""},
    Form{"\x89HDF", "an HDF5 file", "pandas.read_hdf", ""},
    Form{"\x93NUMPY", "an array of NumPy", "numpy.load", ""},
    Form{"\x80\x02", "a pickle", "pandas.read_pickle", ""},
    Form{"\x80\x03", "a pickle", "pandas.read_pickle", ""},
    Form{"\x80\x04", "a pickle", "pandas.read_pickle", ""},
    Form{"\x80\x05", "a pickle", "pandas.read_pickle", ""},
    Form{"\xfd"
         "7zXZ",
         "a file of xz", "", "xz --decompress --keep"},
    Form{"BZh", "a file of bzip2", "", "bzip2 --decompress --keep"},
    Form{"\xff\xfe", "text in UTF-16", "", "iconv -f utf-16 -t utf-8"},
    Form{"\xfe\xff", "text in UTF-16", "", "iconv -f utf-16 -t utf-8"},
    Form{"PK\x03\x04", "a zip archive", "", "unzip"}};

/// What office programs and NumPy put into zip archives, by the endings of files.
constexpr std::array zipped = {Form{".xlsx", "a workbook of Excel", "pandas.read_excel", ""},
                               Form{".ods", "a workbook of OpenDocument", "pandas.read_excel", ""},
                               Form{".npz", "arrays of NumPy", "numpy.load", ""}};

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

}  // namespace

void refuse_other_forms(const std::string& path, std::string_view bytes) {
  if (bytes.starts_with("mode,row,name,")) {
    throw Error::of_content(path, 1, "a sparse tensor", "a model",
                            ", as a table for other programs");
  }
  const Form* const form = form_of(path, bytes);
  if (form == nullptr) return;
  const std::string call = form->call;
  const std::string table =
      call == "genten.read" ? call + "(..." : "genten.tensor(" + call + "(...)";
  throw Error::of_content(
      path, 0, "a sparse tensor", form->name,
      ": " + (call.empty() ? std::string(form->command) + " gives the file in it"
                           : "in Python, genten.write(" + table +
                                 ", values=...), \"tensor.gtn\") makes a tensor of it"));
}

}  // namespace genten::detail
