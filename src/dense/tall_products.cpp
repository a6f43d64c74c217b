// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/detail/cross_block.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/error.hpp>
#include <genten/dense/detail/tall_loops.hpp>
#include <genten/dense/tall_products.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace genten {

using Matrix = FacMatrix<double, HostExec>;

SmallMatrix cross_product(const HostExec& exec, const Matrix& a, const Matrix& b) {
  const std::size_t rank = a.columns(), elements = rank * rank;
  if (b.columns() != rank || b.rows() != a.rows()) {
    throw Error::in("cross_product", "expected two matrices of one shape, got " +
                                         std::to_string(a.rows()) + " x " + std::to_string(rank) +
                                         " and " + std::to_string(b.rows()) + " x " +
                                         std::to_string(b.columns()));
  }
  SmallMatrix result(rank);
  const detail::EvenChunks chunks(a.rows(), 256, 64);
  std::vector<double> sums(chunks.count() * elements, 0.0);
  detail::for_each_index("genten::cross_product", exec, chunks.count(), [&](const std::size_t k) {
    using Block = detail::CrossBlock<double>;
    for (std::size_t begin = chunks.begin(k); begin < chunks.end(k); begin += Block::usual_rows) {
      detail::add_cross_block(Block{a.row(begin), rank, a.stride(), b.row(begin), rank, b.stride(),
                                    std::min(Block::usual_rows, chunks.end(k) - begin),
                                    &sums[k * elements]});
    }
  });
  for (std::size_t k = 0; k < sums.size(); ++k) result.values[k % elements] += sums[k];
  // The loops may round the last columns of a block by other instructions than the first ones.
  if (a.data() == b.data() && a.stride() == b.stride()) {
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t q = 0; q < r; ++q) result(r, q) = result(q, r);
    }
  }
  return result;
}

Matrix tall_product(const HostExec& exec, const Matrix& a, const SmallMatrix& s) {
  if (s.size != a.columns()) {
    throw Error::in("tall_product", "expected a matrix of " + std::to_string(a.columns()) +
                                        " rows, got one of " + std::to_string(s.size));
  }
  const Matrix result(a.rows(), s.size);
  const detail::EvenChunks chunks(a.rows(), 64);
  const detail::TallLoops& loops = detail::tall_loops();
  detail::for_each_index("genten::tall_product", exec, chunks.count(), [&](const std::size_t k) {
    const std::size_t begin = chunks.begin(k);
    loops.multiply(a.row(begin), chunks.end(k) - begin, a.stride(), s.size, s.values.data(), s.size,
                   result.row(begin), result.stride());
  });
  return result;
}

}  // namespace genten
