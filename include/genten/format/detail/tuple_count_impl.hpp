// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/even_chunks.hpp>
#include <genten/core/random.hpp>
#include <genten/format/tuple_count.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

namespace genten::detail {

/// A tuple is told from others by the sum of its subscripts, each times the factor of its mode.
[[nodiscard]] constexpr std::uint64_t tuple_factor(int mode) {
  return mix_bits(static_cast<std::uint64_t>(mode)) | 1;
}
/// A number of that sum that is random in all bits, and not 0.
[[nodiscard]] constexpr std::uint64_t tuple_hash(std::uint64_t sum) {
  const std::uint64_t mixed = mix_bits(sum);
  return mixed == 0 ? 1 : mixed;
}

/// For each mode m, a number that the distinct tuples of all modes but m hardly stay below: from
/// the tuples that occur once and twice among nonzeros drawn at random follows how many more there
/// are at least (Chao 1984, without bias).
template <class Subscripts>
[[nodiscard]] std::vector<double> least_tuples(const Subscripts& subscripts, offset_t nnz,
                                               int order) {
  // Of tuples of eight nonzeros, which are fewest, about sixty are drawn twice.
  std::vector<offset_t> drawn(static_cast<std::size_t>(4.0 * std::sqrt(static_cast<double>(nnz))));
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    drawn[k] = static_cast<offset_t>(random_bits(1, k) % static_cast<std::uint64_t>(nnz));
  }
  std::sort(drawn.begin(), drawn.end());
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  const std::size_t draws = drawn.size(), modes = static_cast<std::size_t>(order);
  std::vector<std::uint64_t> parts(draws * modes), sums(draws);
  for (std::size_t k = 0; k < draws; ++k) {
    for (std::size_t m = 0; m < modes; ++m) {
      const int mode = static_cast<int>(m);
      parts[k * modes + m] = subscripts(drawn[k], mode) * tuple_factor(mode);
      sums[k] += parts[k * modes + m];
    }
  }
  std::vector<double> least;
  const std::size_t slots = std::bit_ceil(2 * draws);
  std::vector<std::uint64_t> keys(slots);
  std::vector<std::uint32_t> counts(slots);
  for (std::size_t m = 0; m < modes; ++m) {
    std::fill(keys.begin(), keys.end(), 0);
    std::fill(counts.begin(), counts.end(), 0);
    for (std::size_t k = 0; k < draws; ++k) {
      const std::uint64_t key = tuple_hash(sums[k] - parts[k * modes + m]);
      std::size_t slot = key & (slots - 1);
      while (keys[slot] != 0 && keys[slot] != key) slot = (slot + 1) & (slots - 1);
      keys[slot] = key;
      ++counts[slot];
    }
    const auto drawn_so = [&](auto often) {
      return static_cast<double>(std::count_if(counts.begin(), counts.end(), often));
    };
    const double once = drawn_so([](auto count) { return count == 1; });
    const double twice = drawn_so([](auto count) { return count == 2; });
    const double all = drawn_so([](auto count) { return count > 0; });
    least.push_back(all + once * (once - 1.0) / (2.0 * (twice + 1.0)));
  }
  return least;
}

/// Neighbouring nonzeros of a sorted tensor.
struct SortedRun {
  offset_t begin, end;
  [[nodiscard]] offset_t size() const { return end - begin; }
};

/// The nonzeros that share the first `modes` subscripts of nonzero `p`.
template <class Subscripts>
[[nodiscard]] SortedRun run_of_prefix(const Subscripts& subscripts, offset_t nnz, offset_t p,
                                      int modes) {
  const auto equal = [&](offset_t q) {
    for (int m = 0; m < modes; ++m) {
      if (subscripts(q, m) != subscripts(p, m)) return false;
    }
    return true;
  };
  // Nonzeros that are equal on one side: in steps that double, and then by halves.
  const auto extent = [&](offset_t most, int direction) {
    offset_t inside = 0, step = 1;
    while (inside + step <= most && equal(p + direction * (inside + step))) {
      inside += step;
      step *= 2;
    }
    offset_t outside = std::min(inside + step, most + 1);
    while (outside - inside > 1) {
      const offset_t middle = inside + (outside - inside) / 2;
      (equal(p + direction * middle) ? inside : outside) = middle;
    }
    return inside;
  };
  return {p - extent(p, -1), p + extent(nnz - 1 - p, 1) + 1};
}

/// The distinct tuples of all modes but `left_out` of a sorted tensor: the mean of 1 / s over
/// nonzeros drawn at random, s of which share the tuple, is that of tuples a nonzero. Empty where
/// too many nonzeros would have to be looked at.
template <class Subscripts>
[[nodiscard]] std::optional<double> sorted_tuples(const Subscripts& subscripts, offset_t nnz,
                                                  int order, int left_out) {
  constexpr int most = 512, fewest = 64;  // standard error 2 and 6 per cent of nnz at most
  if (left_out == 0) return std::nullopt;
  offset_t left = offset_t{1} << 22;
  double inverses = 0.0;
  int probes = 0;
  for (; probes < most; ++probes) {
    const auto p = static_cast<offset_t>(random_bits(2, static_cast<std::uint64_t>(probes)) %
                                         static_cast<std::uint64_t>(nnz));
    const SortedRun run = run_of_prefix(subscripts, nnz, p, left_out);
    offset_t share = run.size();
    if (left_out + 1 < order) {
      left -= run.size();
      if (left < 0) break;
      share = 0;
      for (offset_t q = run.begin; q < run.end; ++q) {
        bool equal = true;
        for (int m = left_out + 1; m < order; ++m) {
          equal = equal & (subscripts(q, m) == subscripts(p, m));
        }
        share += equal ? 1 : 0;
      }
    }
    inverses += 1.0 / static_cast<double>(share);
  }
  if (probes < fewest) return std::nullopt;
  return static_cast<double>(nnz) * inverses / probes;
}

/// The distinct tuples of all modes but one, within a few per cent: those of a sample of tuples,
/// of which all nonzeros are looked at.
template <ExecutionSpace Exec, class Subscripts>
[[nodiscard]] double distinct_tuples(const Exec& exec, const Subscripts& subscripts, offset_t nnz,
                                     int order, int left_out) {
  constexpr double wanted = 16384.0;  // nonzeros of tuples in the sample
  const double share = std::min(1.0, wanted / static_cast<double>(nnz));
  const auto bound = static_cast<std::uint64_t>(share * 0x1p63);
  const EvenChunks chunks(static_cast<std::size_t>(nnz), 65536);
  std::vector<std::vector<std::uint64_t>> found(chunks.count());
  for_each_index("genten::count_tuples", exec, chunks.count(), [&](const std::size_t chunk) {
    std::uint64_t factor[max_order];
    int mode[max_order], modes = 0;
    for (int m = 0; m < order; ++m) {
      if (m == left_out) continue;
      factor[modes] = tuple_factor(m);
      mode[modes++] = m;
    }
    const auto end = static_cast<offset_t>(chunks.end(chunk));
    for (auto p = static_cast<offset_t>(chunks.begin(chunk)); p < end; ++p) {
      std::uint64_t sum = 0;
      for (int k = 0; k < modes; ++k) sum += subscripts(p, mode[k]) * factor[k];
      const std::uint64_t number = (sum ^ (sum >> 32)) * 0x9e3779b97f4a7c15ULL;
      if (number >> 1 <= bound) found[chunk].push_back(number);
    }
  });
  std::vector<std::uint64_t> all;
  for (const auto& numbers : found) all.insert(all.end(), numbers.begin(), numbers.end());
  std::sort(all.begin(), all.end());
  return static_cast<double>(std::unique(all.begin(), all.end()) - all.begin()) / share;
}

}  // namespace genten::detail

namespace genten {

template <ExecutionSpace Exec, class Subscripts>
requires is_host_space<Exec> std::optional<TupleCount> count_tuples(const Exec& exec,
                                                                    const Subscripts& subscripts,
                                                                    offset_t nnz, int order,
                                                                    double most, bool sorted) {
  constexpr offset_t fewest = 32768;  // of a smaller tensor nothing takes long
  if (order < 3 || nnz < fewest || most < 1.0) return std::nullopt;
  const auto least = detail::least_tuples(subscripts, nnz, order);
  // What the sample tells may be a tenth too many, or two.
  constexpr double doubt = 1.2;
  int left_out = -1;
  for (int m = 0; m < order; ++m) {
    if (least[static_cast<std::size_t>(m)] > doubt * most) continue;
    const auto probed =
        sorted ? detail::sorted_tuples(subscripts, nnz, order, m) : std::optional<double>();
    const double tuples =
        probed ? *probed : detail::distinct_tuples(exec, subscripts, nnz, order, m);
    if (tuples > most) continue;
    most = tuples;
    left_out = m;
  }
  if (left_out < 0) return std::nullopt;
  TupleCount count{{}, most};
  for (int m = 0; m < order; ++m) {
    if (m != left_out) count.modes.push_back(m);
  }
  return count;
}

}  // namespace genten
