// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Text tensors, of every form, with every choice of options.
#include "plain_tensor.hpp"

#include <genten/io/any.hpp>
#include <genten/io/table.hpp>

#include <limits>

namespace genten::fuzz {
namespace {

/// MatrixMarket files have tests of their own: the plain reader does not know them.
bool is_matrix_market(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::string word(text.substr(0, 14));
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "%%matrixmarket";
}

/// Content that is not read as lines of entries: compressed, of the binary form, of other programs,
/// or a matrix.
bool is_other_form(std::string_view text) {
  if (is_matrix_market(text)) return true;
  const std::string_view start = text.substr(0, 4);
  for (const char* other : {"PAR1", "ARRO", "\xff\xff\xff\xff", "FEA1", "\x89HDF", "\x93NUM",
                            "\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05",
                            "\xfd"
                            "7zX",
                            "BZh", "PK\x03\x04"}) {
    if (start.starts_with(other)) return true;
  }
  return start.starts_with("\x1f\x8b") || start == "\x28\xb5\x2f\xfd" || start == "\x89GTN" ||
         (start.size() == 4 && (start[0] & 0xf0) == 0x50 && start.substr(1) == "\x2a\x4d\x18");
}

template <class Scalar>
void compare(const ReadAnySptensor<Scalar, HostExec>& ours, const PlainTensor<Scalar>& plain) {
  require(to_string(ours.report.format) == plain.format, "another format");
  require(ours.report.lines == plain.lines, "another number of lines");
  require(ours.report.entries == plain.entries, "another number of entries");
  require(ours.report.duplicates == plain.duplicates, "another number of duplicates");
  require(ours.report.first_subscripts == plain.first_subscripts, "other first subscripts");
  const bool narrow =
      std::all_of(plain.dimensions.begin(), plain.dimensions.end(),
                  [](auto length) { return length <= std::numeric_limits<std::uint32_t>::max(); });
  require((ours.tensor.index() == 0) == narrow, "another width of subscripts");
  std::visit(
      [&](const auto& tensor) {
        require(std::equal(tensor.dimensions().begin(), tensor.dimensions().end(),
                           plain.dimensions.begin(), plain.dimensions.end()),
                "other dimensions");
        require(static_cast<std::size_t>(tensor.nnz()) == plain.values.size(), "other nonzeros");
        for (std::size_t i = 0; i < plain.values.size(); ++i) {
          for (std::size_t n = 0; n < plain.dimensions.size(); ++n) {
            require(tensor.subscripts()(i, n) == plain.subscripts[i][n], "another subscript");
          }
          require(same_number(tensor.values()(i), plain.values[i]), "another value");
        }
      },
      ours.tensor);
}

template <class Scalar>
void read_both_ways(const MemoryFile& file, const std::string& text, const ReadOptions& options) {
  std::optional<ReadAnySptensor<Scalar, HostExec>> ours;
  std::optional<PlainTensor<Scalar>> plain;
  PlainOptions same;
  same.header = options.header == Header::automatic;
  same.base = options.index_base == IndexBase::zero ? 0 : 1;
  same.sum = options.duplicates == Duplicates::sum;
  const bool accepted = both_accept(
      file.path(), ours, plain,
      [&] { return read_tensor<Scalar, HostExec>(HostExec(), file.path(), options); },
      [&] { return PlainTensorReader<Scalar>(text, same).read(); });
  if (accepted) compare(*ours, *plain);
}

}  // namespace
}  // namespace genten::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace genten;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.empty() || fuzz::is_other_form(text)) return 0;
  const fuzz::MemoryFile file(text);
  if (is_table_file(file.path(), {})) return 0;  // of which there is a target of its own
  const std::uint64_t hash = fuzz::hash_of(text);
  ReadOptions options;
  options.block_bytes = 1 + hash % 300;
  options.threads = (hash >> 32) % 4;
  for (const auto header : {Header::automatic, Header::none}) {
    for (const auto base : {IndexBase::one, IndexBase::zero}) {
      for (const auto duplicates : {Duplicates::sum, Duplicates::refuse}) {
        options.header = header;
        options.index_base = base;
        options.duplicates = duplicates;
        fuzz::read_both_ways<double>(file, text, options);
      }
    }
  }
  options = {};
  fuzz::read_both_ways<float>(file, text, options);
  return 0;
}
