// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "matrix_market.hpp"
#include "../../base/usual_types.hpp"

#include "../file/memory.hpp"
#include "../file/tensor_file.hpp"
#include "text_lines.hpp"

#include <genten/base/error.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

namespace {

constexpr std::string_view banner_word = "%%matrixmarket";

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

[[noreturn]] void refuse(const std::string& path, const std::string& expected,
                         std::string_view got) {
  throw Error::in_file(path, 1, "expected " + expected + ", got " + in_quotes(got));
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Symmetry symmetry_of(const std::string& path, const std::string& word) {
  if (word == "general") return Symmetry::general;
  if (word == "symmetric") return Symmetry::symmetric;
  if (word == "skew-symmetric") return Symmetry::skew_symmetric;
  refuse(path, "a MatrixMarket file that is general, symmetric or skew-symmetric", word);
}

}  // namespace

bool is_matrix_market(std::string_view text) {
  text.remove_prefix(byte_order_mark(text));
  return lower_case(text.substr(0, banner_word.size())) == banner_word;
}

MatrixMarketBanner read_matrix_market_banner(const std::string& path, std::string_view text,
                                             const ReadOptions& options) {
  text.remove_prefix(byte_order_mark(text));
  std::string_view line = text.substr(0, text.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  std::vector<std::string> words;
  for (const std::string_view field : split_fields(line)) words.push_back(lower_case(field));
  if (words.front() != banner_word) refuse(path, "the word %%MatrixMarket", words.front());
  if (words.size() != 5) {
    throw Error::in_file(path, 1,
                         "expected %%MatrixMarket, object, format, field and symmetry in this "
                         "line, got " +
                             counted(words.size(), "field"));
  }
  if (words[1] != "matrix") refuse(path, "a MatrixMarket file of a matrix", words[1]);
  if (words[2] != "coordinate") {
    refuse(path, "a MatrixMarket file in the sparse format coordinate", words[2]);
  }
  if (!one_of(words[3], {"real", "double", "integer", "pattern"})) {
    refuse(path, "a MatrixMarket file of real, integer or pattern entries", words[3]);
  }
  MatrixMarketBanner banner{words[3] == "pattern", symmetry_of(path, words[4])};
  if (banner.pattern && banner.symmetry == Symmetry::skew_symmetric) {
    refuse(path, "a MatrixMarket file of numbers where it is skew-symmetric", words[3]);
  }
  if (options.index_base == IndexBase::zero) {
    throw Error::in_file(path, 1,
                         "subscripts of MatrixMarket files count from 1, but the options say 0");
  }
  if (options.header == Header::none) {
    throw Error::in_file(path, 1,
                         "this is the header of a MatrixMarket file, but the options say that the "
                         "file has none");
  }
  return banner;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
TensorArrays<Scalar, Ordinal> with_mirrored(const std::string& path, Symmetry symmetry,
                                            const TensorArrays<Scalar, Ordinal>& lower,
                                            std::size_t memory_limit) {
  const std::size_t rows = lower.values.extent(0);
  std::size_t off_diagonal = 0;
  for (std::size_t p = 0; p < rows; ++p) {
    const Ordinal i = lower.subscripts(p, 0);
    const Ordinal j = lower.subscripts(p, 1);
    off_diagonal += i != j;
    if (i > j || (i == j && symmetry == Symmetry::symmetric)) continue;
    throw Error::in_file(path, 0,
                         "expected entries below the diagonal" +
                             std::string(symmetry == Symmetry::symmetric ? " or on it" : "") +
                             ", since the file says that the matrix is symmetric, got (" +
                             std::to_string(std::uint64_t{i} + 1) + ", " +
                             std::to_string(std::uint64_t{j} + 1) + ")");
  }
  const std::size_t all = rows + off_diagonal;
  require_memory(path, "both halves of a symmetric matrix, " + counted(all, "nonzero") + ",",
                 saturating_product(all, 2 * sizeof(Ordinal) + sizeof(Scalar)), memory_limit);
  auto both = allocate_arrays<Scalar, Ordinal>(2, all);
  both.dimensions = lower.dimensions;
  both.checked = lower.checked;
  std::copy_n(lower.subscripts.data(), 2 * rows, both.subscripts.data());
  std::copy_n(lower.values.data(), rows, both.values.data());
  const Scalar sign = symmetry == Symmetry::symmetric ? Scalar(1) : Scalar(-1);
  for (std::size_t p = 0, to = rows; p < rows; ++p) {
    if (lower.subscripts(p, 0) == lower.subscripts(p, 1)) continue;
    both.subscripts(to, 0) = lower.subscripts(p, 1);
    both.subscripts(to, 1) = lower.subscripts(p, 0);
    both.values(to++) = sign * lower.values(p);
  }
  return both;
}

#define GENTEN_INSTANTIATE(SCALAR, ORDINAL)             \
  template TensorArrays<SCALAR, ORDINAL> with_mirrored( \
      const std::string&, Symmetry, const TensorArrays<SCALAR, ORDINAL>&, std::size_t);
GENTEN_FOR_TENSORS(GENTEN_INSTANTIATE)
#undef GENTEN_INSTANTIATE

}  // namespace genten::detail
