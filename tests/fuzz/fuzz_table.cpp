// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Tables: blocks of any length and any number of threads read, and refuse, the same as one block.
#include "fuzz_target.hpp"

#include <genten/io/any.hpp>
#include <genten/io/table.hpp>

#include <sstream>

namespace genten::fuzz {
namespace {

/// All that comes of reading a file, or why it is refused. Counted where `counting`.
std::string outcome(const std::string& path, const ReadOptions& options, bool counting) {
  std::ostringstream text;
  text.precision(17);
  try {
    const auto read = read_tensor<double, HostExec>(HostExec(), path, options);
    if (read.report.table) {
      for (const auto& names : read.report.table->rows) {
        for (const std::string& name : names) text << name.size() << name << ' ';
      }
      for (const std::string& name : read.report.table->modes) text << name << '\n';
    }
    std::visit(
        [&](const auto& tensor) {
          for (const std::size_t length : tensor.dimensions()) text << length << ' ';
          for (offset_t p = 0; p < tensor.nnz(); ++p) {
            for (int n = 0; n < tensor.order(); ++n) text << tensor.subscripts()(p, n) << ' ';
            text << tensor.values()(p) << '\n';
          }
        },
        read.tensor);
    counts.accepted += counting ? 1 : 0;
  } catch (const Error& error) {
    require(error.kind() == Error::Kind::file, std::string("of the wrong kind: ") + error.what());
    text << error.what();
    counts.refused += counting ? 1 : 0;
  }
  return text.str();
}

}  // namespace
}  // namespace genten::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace genten;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.empty()) return 0;
  const fuzz::MemoryFile file(text);
  const std::uint64_t hash = fuzz::hash_of(text);
  for (const char* values : {"x", ""}) {
    ReadOptions options;
    options.values = values;
    if (!is_table_file(file.path(), options)) continue;
    options.threads = 1;
    const std::string expected = fuzz::outcome(file.path(), options, true);
    options.block_bytes = 1 + hash % 40;
    options.threads = (hash >> 32) % 4;
    fuzz::require(fuzz::outcome(file.path(), options, false) == expected,
                  "other blocks: " + expected);
  }
  return 0;
}
