// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Tensors as streams take them in: with row numbers, one nonzero an entry, slices counted
/// anew.

#include <genten/core/random.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor_ops.hpp>

#include "sweeps.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace genten {
namespace {

using Rows = Sptensor<double, std::uint32_t, HostExec>;

/// Above it the table leaves the L2 caches, and sorting by several threads is as fast.
constexpr offset_t most_to_number = offset_t{1} << 18;

/// Up to so many entries a bit of each takes no more memory than that table.
constexpr double most_to_mark = 0x1p24;

/// Whether no two nonzeros have the same subscripts, by a bit of each entry of the tensor.
bool are_distinct_by_marks(const Rows& tensor, std::vector<std::uint32_t>& marks) {
  const auto nnz = static_cast<std::size_t>(tensor.nnz());
  const auto order = static_cast<std::size_t>(tensor.order());
  std::size_t entries = 1;
  for (const std::size_t length : tensor.dimensions()) entries *= length;
  marks.assign(entries / 32 + 1, 0);
  const std::size_t* const lengths = tensor.dimensions().data();
  const std::uint32_t* subscripts = tensor.subscripts().data();
  std::uint32_t twice = 0;
  for (std::size_t p = 0; p < nnz; ++p, subscripts += order) {
    std::size_t at = subscripts[0];
    for (std::size_t n = 1; n < order; ++n) at = at * lengths[n] + subscripts[n];
    const std::uint32_t bit = std::uint32_t{1} << at % 32;
    twice |= marks[at / 32] & bit;
    marks[at / 32] |= bit;
  }
  return twice == 0;
}

/// Whether no two nonzeros have the same subscripts, as far as hashes of them tell; false may be
/// wrong. A table of them takes a fourth of the time of sorting.
bool are_distinct_by_hashes(const Rows& tensor, std::vector<std::uint32_t>& table) {
  const auto nnz = static_cast<std::size_t>(tensor.nnz());
  const auto order = static_cast<std::size_t>(tensor.order());
  const std::uint32_t* subscripts = tensor.subscripts().data();
  const int bits = std::bit_width(2 * nnz);
  table.assign(std::size_t{1} << bits, 0);
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

/// The same by the faster of these.
bool are_distinct(const Rows& tensor, std::vector<std::uint32_t>& workspace) {
  double entries = 1.0;
  for (const std::size_t length : tensor.dimensions()) entries *= static_cast<double>(length);
  return entries <= most_to_mark ? are_distinct_by_marks(tensor, workspace)
                                 : are_distinct_by_hashes(tensor, workspace);
}

}  // namespace

namespace stream {

void require_counted_anew(const StreamBatch& batch, std::size_t mode, std::size_t have,
                          std::size_t first_number) {
  if (batch.empty == batch.slices || batch.first < have) return;
  const auto text = [&](std::size_t slice) { return std::to_string(first_number + slice); };
  throw Error::in("update",
                  "each batch numbers its slices of mode " + error_text::number(mode) + " from " +
                      text(0) + ", and the first one here is " + text(batch.first) + ": " +
                      std::to_string(batch.first) + (batch.first == 1 ? " row" : " rows") +
                      " without entries would follow the " + std::to_string(have) +
                      " of the model; if these are ids, a model of a tensor whose numbers are "
                      "names (" +
                      error_text::remedy("compact_model") +
                      ") takes them as they are, and refuses slices that it has; else subtract " +
                      std::to_string(have))
      .as(Error::Code::data);
}

}  // namespace stream

StreamingCp::Rows StreamingCp::with_rows(const HostExec& exec, const Rows& tensor) {
  const SptensorFacts facts = tensor.facts();
  const bool look = !facts.distinct && !facts.sorted && tensor.nnz() <= most_to_number;
  if (look && are_distinct(tensor, m_state->workspace)) {
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
