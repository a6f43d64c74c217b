// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../../base/usual_types.hpp"
#include "../file/blocks.hpp"
#include "../file/file_content.hpp"

#include <genten/base/error.hpp>
#include <genten/io/atomic_file.hpp>
#include <genten/io/entries.hpp>
#include <genten/io/tns.hpp>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace genten::detail {

namespace {

constexpr std::size_t block_rows = std::size_t{1} << 16;

std::string dimensions_text(const std::vector<std::size_t>& dimensions, const char* between) {
  std::string text;
  for (const std::size_t dimension : dimensions) {
    if (!text.empty()) text += between;
    text += std::to_string(dimension);
  }
  return text;
}

std::string header_text(const std::vector<std::size_t>& dimensions, offset_t nnz, FileFormat format,
                        std::size_t base) {
  if (format == FileFormat::frostt) {
    return "# " + dimensions_text(dimensions, " x ") + ", " + std::to_string(nnz) +
           " nonzeros, subscripts from " + std::to_string(base) + "\n";
  }
  if (format == FileFormat::matrix_market) {
    return "%%MatrixMarket matrix coordinate real general\n" + dimensions_text(dimensions, " ") +
           " " + std::to_string(nnz) + "\n";
  }
  const std::string word = format == FileFormat::sptensor ? "sptensor\n" : "";
  return word + std::to_string(dimensions.size()) + "\n" + dimensions_text(dimensions, " ") + "\n" +
         std::to_string(nnz) + "\n";
}

template <class Number>
void append(std::string& text, Number number) {
  char digits[64];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// Entries [begin, end) as lines.
template <class Scalar, class Ordinal>
std::string entries_text(const Sptensor<Scalar, Ordinal, HostExec>& tensor, std::size_t begin,
                         std::size_t end, std::uint64_t base) {
  std::string text;
  const auto order = static_cast<std::size_t>(tensor.order());
  text.reserve((end - begin) * (order * 8 + 10));
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t n = 0; n < order; ++n) {
      append(text, std::uint64_t{tensor.subscripts()(i, n)} + base);
      text += ' ';
    }
    append(text, tensor.values()(i));
    text += '\n';
  }
  return text;
}

template <class Scalar, class Ordinal>
void check_writable(const std::string& path, const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                    FileFormat format, std::size_t base) {
  if (format == FileFormat::matrix_market && (tensor.order() != 2 || base != 1)) {
    throw Error(Error::Fields{
        .path = path,
        .complaint = "expected a tensor of order 2 and subscripts from 1 for a MatrixMarket "
                     "file, got order " +
                     std::to_string(tensor.order()) + " and subscripts from " +
                     std::to_string(base) + "; .tns, .txt and .gtn are for any order"});
  }
  if (format == FileFormat::binary) {
    throw Error(Error::Fields{
        .path = path,
        .complaint = "expected a text format, got binary: use write_binary_sptensor"});
  }
  if (tensor.order() == 0)
    throw Error(
        Error::Fields{.path = path, .complaint = "expected a tensor, got one without modes"});
  if (format == FileFormat::frostt && tensor.nnz() == 0) {
    throw Error(Error::Fields{
        .path = path, .complaint = "a tensor without nonzeros cannot be written without a header"});
  }
}

/// Writes the header, if any, and the entries.
template <class Scalar, class Ordinal>
void write_lines(const HostExec& host, const std::string& path, const std::string& header,
                 const Sptensor<Scalar, Ordinal, HostExec>& tensor, const WriteOptions& options) {
  const std::size_t base = first_subscript(options.index_base);
  AtomicFile file(path);
  if (!header.empty()) file.write(compress(header, options.compression));
  const auto rows = static_cast<std::size_t>(tensor.nnz());
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  // A round of blocks is made in parallel, then written in order.
  const std::size_t round = 4 * worker_count(host, blocks, 0);
  std::vector<std::string> texts(std::min(round, blocks));
  for (std::size_t first = 0; first < blocks; first += round) {
    const std::size_t count = std::min(round, blocks - first);
    for_each_block("genten::format_entries", host, worker_count(host, count, 0), count,
                   [&](std::size_t i, std::size_t) {
                     const std::size_t begin = (first + i) * block_rows;
                     const std::size_t end = std::min(rows, begin + block_rows);
                     texts[i] =
                         compress(entries_text(tensor, begin, end, base), options.compression);
                   });
    for (std::size_t i = 0; i < count; ++i) file.write(texts[i]);
  }
  file.commit();
}

}  // namespace

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_text_tensor(const HostExec& host, const std::string& path,
                       const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                       const WriteOptions& options) {
  const std::size_t base = first_subscript(options.index_base);
  check_writable(path, tensor, options.format, base);
  write_lines(host, path, header_text(tensor.dimensions(), tensor.nnz(), options.format, base),
              tensor, options);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_entries_file(const HostExec& host, const std::string& path,
                        const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                        const WriteOptions& options) {
  write_lines(host, path, "", tensor, options);
}

#define GENTEN_INSTANTIATE(SCALAR, ORDINAL)                                    \
  template void write_text_tensor(const HostExec&, const std::string&,         \
                                  const Sptensor<SCALAR, ORDINAL, HostExec>&,  \
                                  const WriteOptions&);                        \
  template void write_entries_file(const HostExec&, const std::string&,        \
                                   const Sptensor<SCALAR, ORDINAL, HostExec>&, \
                                   const WriteOptions&);
GENTEN_FOR_TENSORS(GENTEN_INSTANTIATE)
#undef GENTEN_INSTANTIATE

}  // namespace genten::detail
