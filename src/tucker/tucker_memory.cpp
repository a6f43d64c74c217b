// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/mode_order.hpp>
#include <genten/dense/leading_vectors.hpp>
#include <genten/mttkrp/semi_sparse.hpp>
#include <genten/mttkrp/ttmc.hpp>
#include <genten/tucker/tucker.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace genten {
namespace {

/// Ranks, those of modes that are not compressed being their lengths.
std::vector<double> core_lengths(const std::vector<std::size_t>& dimensions,
                                 const std::vector<std::size_t>& ranks) {
  std::vector<double> lengths;
  for (std::size_t n = 0; n < ranks.size(); ++n) {
    lengths.push_back(static_cast<double>(ranks[n] == 0 ? dimensions[n] : ranks[n]));
  }
  return lengths;
}

double product_but(const std::vector<double>& lengths, std::size_t left_out) {
  double product = 1.0;
  for (std::size_t n = 0; n < lengths.size(); ++n) product *= n == left_out ? 1.0 : lengths[n];
  return product;
}

/// Doubles that finding leading vectors of a matrix takes: Gram matrices with their partial sums
/// and eigenvectors, or the basis of the block Lanczos method.
double vector_doubles(double rows, double columns, double count) {
  const auto direct = static_cast<double>(LeadingVectorsOptions().most_direct);
  const double side = std::min(rows, columns), square = side * side;
  if (side <= direct) return 3.0 * square + std::min(64.0 * square, 4194304.0) + rows * count;
  return 9.0 * rows * count + std::min(64.0 * columns * count, 4194304.0 + columns * count);
}

/// Compressed modes in natural order, then the others.
std::vector<int> chain_order(const std::vector<std::size_t>& ranks) {
  std::vector<int> order = natural_mode_order(ranks.size());
  std::stable_partition(order.begin(), order.end(),
                        [&](int n) { return ranks[static_cast<std::size_t>(n)] != 0; });
  return order;
}

double chain_memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                    std::size_t scalar_bytes, const std::vector<std::size_t>& ranks) {
  const auto order = chain_order(ranks);
  return scalar_bytes == sizeof(float)
             ? SemiSparse<float, HostExec>::memory(dimensions, nnz, order, ranks)
             : SemiSparse<double, HostExec>::memory(dimensions, nnz, order, ranks);
}

}  // namespace

void check_tucker_ranks(const std::vector<std::size_t>& dimensions,
                        const std::vector<std::size_t>& ranks) {
  if (ranks.size() != dimensions.size()) {
    throw Error::of_option("ranks", "expected " + std::to_string(dimensions.size()) +
                                        " numbers (one a mode), got " +
                                        std::to_string(ranks.size()));
  }
  if (std::all_of(ranks.begin(), ranks.end(), [](std::size_t rank) { return rank == 0; })) {
    throw Error::of_option("ranks", "expected a rank for one mode or more, got 0 for every mode");
  }
  const auto lengths = core_lengths(dimensions, ranks);
  for (std::size_t n = 0; n < ranks.size(); ++n) {
    const std::string mode = " in mode " + error_text::number(n);
    if (ranks[n] > dimensions[n]) {
      throw Error::of_option("ranks", "expected at most " + std::to_string(dimensions[n]) +
                                          " (the dimension)" + mode + ", got " +
                                          std::to_string(ranks[n]));
    }
    const double others = product_but(lengths, n);
    if (ranks[n] != 0 && static_cast<double>(ranks[n]) > others) {
      throw Error::of_option("ranks", "expected at most " + number_text(others) +
                                          " (the product of the other ranks)" + mode + ", got " +
                                          std::to_string(ranks[n]));
    }
  }
}

std::vector<MemoryPart> tucker_memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                      std::size_t scalar_bytes, const TuckerOptions& options) {
  check_tucker_ranks(dimensions, options.ranks);
  const auto bytes = static_cast<double>(scalar_bytes);
  const auto lengths = core_lengths(dimensions, options.ranks);
  const bool partial =
      std::find(options.ranks.begin(), options.ranks.end(), 0) != options.ranks.end();
  const bool iterates = options.method == TuckerMethod::hooi;
  // Rows that pieces of heavy rows are summed in: of heavy rows, one a chunk at most, and one more.
  const TtmcOptions chunks;
  const double piece_rows =
      2.0 * std::min(static_cast<double>(chunks.most_chunks),
                     std::floor(static_cast<double>(nnz) /
                                static_cast<double>(chunks.nonzeros_per_chunk)));
  double factors = 0.0, product = 0.0, vectors = 0.0;
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    const auto rows = static_cast<double>(dimensions[n]);
    const auto rank = static_cast<double>(options.ranks[n]);
    const double columns = product_but(lengths, n);
    factors += 2.0 * bytes * rows * rank;
    if (rank == 0.0) continue;
    if (!iterates || partial) {
      const auto direct = static_cast<double>(LeadingVectorsOptions().most_direct);
      vectors = std::max(vectors, 8.0 * vector_doubles(rows, std::max(rows, direct + 1.0), rank));
      continue;
    }
    product = std::max(product, bytes * (rows + piece_rows) * columns);
    vectors = std::max(vectors, 8.0 * vector_doubles(rows, columns, rank));
  }
  const double core = 3.0 * 8.0 * product_but(lengths, lengths.size());
  // Beside the blocks, what the block Lanczos method multiplies them by: rows, groups, sums.
  const auto nonzeros = static_cast<double>(nnz);
  const double sums = std::min(64.0 * nonzeros * product_but(lengths, lengths.size()),
                               std::max(36.0 * nonzeros, 67108864.0));
  const double chain =
      chain_memory(dimensions, nnz, scalar_bytes, options.ranks) + 32.0 * nonzeros + sums;
  std::vector<MemoryPart> parts{{"core", core}, {"factors", factors}, {"leading vectors", vectors}};
  if (iterates && !partial) {
    const double sorted = Ttmc<double, HostExec>::memory(dimensions, nnz).peak;
    parts.push_back({"product", product});
    parts.push_back({"sorted nonzeros", std::max(sorted, chain)});
  } else {
    // Those of one mode, or where hooi keeps them, of all.
    parts.push_back({"blocks", chain * (iterates ? static_cast<double>(dimensions.size()) : 1.0)});
  }
  return parts;
}

}  // namespace genten
