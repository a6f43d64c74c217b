// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tensor_file.hpp"

#include "../binary/binary_form.hpp"
#include "../table/table_layout.hpp"
#include "../table/table_read.hpp"
#include "../text/tns_parse.hpp"
#include "memory.hpp"
#include "other_forms.hpp"

#include <genten/base/detail/allocation.hpp>

#include <genten/io/entries.hpp>

namespace genten::detail {

namespace {

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_file(const HostExec& host, const std::string& path,
                                  const ReadOptions& options, Accept accept, OrdinalWidth width,
                                  TextContent content, ReadReport& report) {
  return with_memory_errors(Error::Fields{.path = path}, [&] {
    const FileContent file(path, options.memory_limit, options.meter, Loading::blocks);
    report = {};
    report.file_bytes = file.file_bytes();
    report.content_bytes = file.content().size();
    report.compression = file.compression();
    const bool binary = is_binary_form(file.head());
    if (binary && accept == Accept::text) {
      throw Error::in_file(file.path(), 0,
                           "expected a text tensor, got one of Genten's binary form");
    }
    if (binary && (!options.values.empty() || !options.modes.empty())) {
      throw Error::in_file(file.path(), 0,
                           "expected a table, whose columns are named, got a tensor of Genten's "
                           "binary form");
    }
    ReadOptions rest = options;
    rest.memory_limit = remaining_limit(options.memory_limit, file.held_bytes());
    return file.read([&] {
      if (binary || accept == Accept::binary) {
        return read_binary<Scalar>(host, file, rest, width, report);
      }
      refuse_other_forms(file.path(), file.head());
      if (is_table(file.head(), rest)) {
        return read_table<Scalar>(host, file, rest, width, content, report);
      }
      refuse_title(file.path(), file.head(), rest);
      return read_text<Scalar>(host, file, rest, width, content, report);
    });
  });
}

}  // namespace

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_tensor_file(const HostExec& host, const std::string& path,
                                         const ReadOptions& options, Accept accept,
                                         OrdinalWidth width, ReadReport& report) {
  return read_file<Scalar>(host, path, options, accept, width, TextContent::entries, report);
}

template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_entries_file(const HostExec& host, const std::string& path,
                                          const ReadOptions& options, OrdinalWidth width,
                                          ReadReport& report) {
  if (options.dimensions.empty()) {
    throw Error::in("read_entries", "expected the dimensions among the options, got none");
  }
  return read_file<Scalar>(host, path, options, Accept::either, width, TextContent::lines, report);
}

std::size_t line_of_entry(const HostExec& host, const std::string& path, const ReadOptions& options,
                          std::size_t entry) {
  const FileContent file(path, options.memory_limit, options.meter, Loading::blocks);
  return file.read([&]() -> std::size_t {
    if (is_binary_form(file.head())) return 0;
    if (is_table(file.head(), options)) return line_of_record(host, file, options, entry);
    const TextLayout layout = detect_layout(path, file.head(), options, TextContent::lines);
    const TextBlocks text(host, file.content(), layout, options);
    return find_entry_line(text, 0, entry).number;
  });
}

template AnyTensorArrays<float> read_tensor_file(const HostExec&, const std::string&,
                                                 const ReadOptions&, Accept, OrdinalWidth,
                                                 ReadReport&);
template AnyTensorArrays<double> read_tensor_file(const HostExec&, const std::string&,
                                                  const ReadOptions&, Accept, OrdinalWidth,
                                                  ReadReport&);
template AnyTensorArrays<float> read_entries_file(const HostExec&, const std::string&,
                                                  const ReadOptions&, OrdinalWidth, ReadReport&);
template AnyTensorArrays<double> read_entries_file(const HostExec&, const std::string&,
                                                   const ReadOptions&, OrdinalWidth, ReadReport&);

}  // namespace genten::detail
