// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "options.hpp"
#include "parts.hpp"
#include "tensor.hpp"

#include <genten/io/any.hpp>
#include <genten/io/any_model.hpp>
#include <genten/io/binary.hpp>
#include <genten/io/entries.hpp>
#include <genten/io/ktensor.hpp>
#include <genten/io/labels.hpp>
#include <genten/io/table.hpp>
#include <genten/io/truth_words.hpp>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace genten::python {
namespace {

/// What a file was like.
nb::dict facts_of(const ReadReport& report, const ReadOptions& options) {
  nb::dict facts;
  facts["format"] = report.table ? "table" : std::string(to_string(report.format));
  facts["compression"] = std::string(to_string(report.compression));
  facts["index_base"] = first_subscript(report.index_base);
  facts["file_bytes"] = report.file_bytes;
  facts["entries"] = report.entries;
  facts["duplicates"] = report.duplicates;
  if (report.duplicates != 0) facts["merged_by"] = std::string(to_string(options.duplicates));
  facts["mixed_bases"] = describe_mixed_bases(report.first_subscripts);
  facts["rounded"] = describe_rounded(report);
  if (report.table) {
    nb::list labels;
    for (const auto& names : report.table->rows) {
      labels.append(names.empty() ? nb::none() : nb::cast(names));
    }
    facts["labels"] = labels;
    facts["mode_names"] = report.table->modes;
  }
  return facts;
}

/// (entries that a file lists, with values or without, what the file was like); of a table with
/// columns of all these `names`, they are its modes.
nb::tuple read_entries(const std::string& path, const nb::dict& given,
                       const std::vector<std::string>& names) {
  ReadOptions options;
  set_options(options, given);
  check_ranges(options);
  ReadReport report;
  AnyTensor tensor;
  in_turn([&] {
    const auto columns = table_columns(path, options);
    const bool are_named = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return std::find(columns.begin(), columns.end(), name) != columns.end();
    });
    if (!columns.empty() && are_named) options.modes = names;
    auto read = read_entries<double, std::uint64_t>(HostExec(), path, options);
    report = read.report;
    tensor = std::move(read.tensor);
  });
  return nb::make_tuple(std::make_unique<Tensor>(std::move(tensor)), facts_of(report, options));
}

/// The names of the columns of a file that is a table; none of another file.
std::vector<std::string> columns_of(const std::string& path, const nb::dict& given) {
  ReadOptions options;
  set_options(options, given);
  return table_columns(path, options);
}

/// (tensor, what the file was like)
nb::tuple read_file(const std::string& path, bool single, const nb::dict& given) {
  ReadOptions options;
  set_options(options, given);
  check_ranges(options);
  ReadReport report;
  AnyTensor tensor;
  const auto take = [&](auto read) {
    report = read.report;
    std::visit([&](auto& any) { tensor = std::move(any); }, read.tensor);
  };
  in_turn([&] {
    const HostExec host;
    if (single) take(read_tensor<float, HostExec>(host, path, options));
    if (!single) take(read_tensor<double, HostExec>(host, path, options));
  });
  auto made = std::make_unique<Tensor>(std::move(tensor));
  made->set_as_listed(report.as_listed);
  return nb::make_tuple(std::move(made), facts_of(report, options));
}

void write_file(const Tensor& tensor, const std::string& path, const nb::dict& given) {
  WriteOptions options;
  set_options(options, given);
  tensor.visit([&](const auto& any) {
    const HostExec host;
    if (options.format == FileFormat::binary) {
      write_binary_sptensor(host, path, any);
    } else {
      write_sptensor(host, path, any, options);
    }
  });
}

template <RealScalar Scalar>
nb::tuple read_model_of(const std::string& path) {
  const auto any = in_turn([&] { return read_any_model<Scalar>(path); });
  const nb::tuple arrays = std::visit([](const auto& model) { return show(model); }, any);
  return nb::make_tuple(any.index() == 1, arrays[0], arrays[1]);
}

nb::tuple read_model(const std::string& path, bool single) {
  return single ? read_model_of<float>(path) : read_model_of<double>(path);
}

void write_model(const PackedArray& weights, const std::vector<AnyArray>& factors,
                 const std::string& path, bool binary, const std::string& compression) {
  const ModelArrays arrays{weights, factors};
  in_turn([&] {
    with_scalar(weights, [&]<class Scalar>(Scalar) {
      write_ktensor(path, arrays.view<Scalar>(),
                    binary ? KtensorFormat::binary : KtensorFormat::text,
                    from_word<Compression>(compression).value());
    });
  });
}

}  // namespace

void bind_files(nb::module_& module) {
  module.def("read_tensor", &read_file, nb::arg("path"), nb::arg("single"), nb::arg("options"),
             "(tensor, what the file was like)");
  module.def("table_columns", &columns_of, nb::arg("path"), nb::arg("options"),
             "The names of the columns of a file that is a table; none of another file.");
  module.def("read_entries", &read_entries, nb::arg("path"), nb::arg("options"), nb::arg("names"),
             "(entries that a file lists, with values or without, what the file was like)");
  module.def("write_tensor", &write_file, nb::arg("tensor"), nb::arg("path"), nb::arg("options"));
  module.def("read_model", &read_model, nb::arg("path"), nb::arg("single"),
             "(whether it is a Tucker model, weights or core, factors) of a model in a file.");
  module.def("write_model", &write_model, nb::arg("weights"), nb::arg("factors"), nb::arg("path"),
             nb::arg("binary"), nb::arg("compression"));
  module.def(
      "read_labels",
      [](const std::string& path) { return in_turn([&] { return read_labels(path); }); },
      nb::arg("path"), "A name a line.");
  module.def(
      "write_labels",
      [](const std::string& path, const std::vector<std::string>& names) {
        in_turn([&] { write_labels(path, names); });
      },
      nb::arg("path"), nb::arg("names"));
  module.def(
      "truth_words", [] { return std::vector(truth_words.begin(), truth_words.end()); },
      "Pairs of words for true and false, in lower case.");
}

}  // namespace genten::python
