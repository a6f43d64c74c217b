// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Tensors as streams take them in: with row numbers, and one nonzero an entry.

#include <genten/core/random.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/stream.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace genten {
namespace {

using Rows = Sptensor<double, std::uint32_t, HostExec>;

/// Above it the table leaves the near caches, and sorting by several threads is as fast.
constexpr offset_t most_to_number = offset_t{1} << 18;

/// Whether no two nonzeros have the same subscripts, as far as hashes of them tell; false may be
/// wrong. A table of them takes a fourth of the time of sorting.
bool are_distinct(const Rows& tensor) {
  const auto nnz = static_cast<std::size_t>(tensor.nnz());
  const auto order = static_cast<std::size_t>(tensor.order());
  const std::uint32_t* subscripts = tensor.subscripts().data();
  const int bits = std::bit_width(2 * nnz);
  std::vector<std::uint32_t> table(std::size_t{1} << bits, 0);
  std::array<std::uint64_t, max_order> factors{};
  for (std::size_t n = 0; n < order; ++n) factors[n] = mix_bits(n) | 1;
  const std::size_t last = table.size() - 1;
  constexpr std::size_t block = 64;  // whose slots are fetched side by side
  std::array<std::uint64_t, block> numbers;
  for (std::size_t begin = 0; begin < nnz; begin += block) {
    const std::size_t count = std::min(block, nnz - begin);
    for (std::size_t k = 0; k < count; ++k, subscripts += order) {
      std::uint64_t sum = 0;
      for (std::size_t n = 0; n < order; ++n) sum += subscripts[n] * factors[n];
      numbers[k] = mix_bits(sum);
      __builtin_prefetch(&table[numbers[k] >> (64 - bits)], 1);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t entry = static_cast<std::uint32_t>(numbers[k]) | 1;
      std::size_t slot = numbers[k] >> (64 - bits);
      while (table[slot] != 0 && table[slot] != entry) slot = (slot + 1) & last;
      if (table[slot] == entry) return false;
      table[slot] = entry;
    }
  }
  return true;
}

}  // namespace

StreamingCp::Rows StreamingCp::with_rows(const HostExec& exec, const Rows& tensor) {
  const SptensorFacts facts = tensor.facts();
  const bool look = !facts.distinct && !facts.sorted && tensor.nnz() <= most_to_number;
  if (look && are_distinct(tensor)) {
    return Rows::trusted(exec, tensor.dimensions(), tensor.subscripts(), tensor.values(),
                         {.distinct = true, .sorted = false});
  }
  return sum_duplicates(exec, tensor).tensor;
}

StreamingCp::Rows StreamingCp::with_rows(const HostExec& exec,
                                         const Sptensor<double, std::uint64_t, HostExec>& tensor) {
  return with_rows(exec, with_row_numbers(exec, tensor, "update"));
}

}  // namespace genten
