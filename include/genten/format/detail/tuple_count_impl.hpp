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
#include <span>
#include <vector>

namespace genten::detail {

/// Of fewer nonzeros nothing takes long.
inline constexpr offset_t fewest_for_tuples = 32768;

/// A tuple is told from others by the sum of its subscripts, each times the factor of its mode.
[[nodiscard]] constexpr std::uint64_t tuple_factor(int mode) {
  return mix_bits(static_cast<std::uint64_t>(mode)) | 1;
}
/// A number of that sum that is random in all bits, and not 0.
[[nodiscard]] constexpr std::uint64_t tuple_hash(std::uint64_t sum) {
  const std::uint64_t mixed = mix_bits(sum);
  return mixed == 0 ? 1 : mixed;
}

/// For each set of modes, a number that their distinct tuples hardly stay below: from the tuples
/// that occur once and twice among nonzeros drawn at random follows how many more there are at
/// least (Chao 1984, without bias).
template <class Subscripts>
[[nodiscard]] std::vector<double> least_tuples(const Subscripts& subscripts, offset_t nnz,
                                               const std::vector<std::vector<int>>& sets) {
  // Of tuples of eight nonzeros, which are fewest, about sixty are drawn twice.
  std::vector<offset_t> drawn(static_cast<std::size_t>(4.0 * std::sqrt(static_cast<double>(nnz))));
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    drawn[k] = static_cast<offset_t>(random_bits(1, k) % static_cast<std::uint64_t>(nnz));
  }
  std::sort(drawn.begin(), drawn.end());
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  std::size_t modes = 0;
  for (const auto& set : sets) {
    for (const int mode : set) modes = std::max(modes, static_cast<std::size_t>(mode) + 1);
  }
  const std::size_t draws = drawn.size();
  std::vector<std::uint64_t> parts(draws * modes);
  for (std::size_t k = 0; k < draws; ++k) {
    for (std::size_t m = 0; m < modes; ++m) {
      const int mode = static_cast<int>(m);
      parts[k * modes + m] = subscripts(drawn[k], mode) * tuple_factor(mode);
    }
  }
  std::vector<double> least;
  const std::size_t slots = std::bit_ceil(2 * draws);
  std::vector<std::uint64_t> keys(slots);
  std::vector<std::uint32_t> counts(slots);
  for (const auto& set : sets) {
    std::fill(keys.begin(), keys.end(), 0);
    std::fill(counts.begin(), counts.end(), 0);
    for (std::size_t k = 0; k < draws; ++k) {
      std::uint64_t sum = 0;
      for (const int mode : set) sum += parts[k * modes + static_cast<std::size_t>(mode)];
      const std::uint64_t key = tuple_hash(sum);
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

/// The distinct tuples of some modes, ascending, of a sorted tensor: the mean of 1 / s over
/// nonzeros drawn at random, s of which share the tuple, is that of tuples a nonzero. Empty where
/// too many nonzeros would have to be looked at.
template <class Subscripts>
[[nodiscard]] std::optional<double> sorted_tuples(const Subscripts& subscripts, offset_t nnz,
                                                  const std::vector<int>& modes) {
  constexpr int most = 512, fewest = 64;  // standard error 2 and 6 per cent of nnz at most
  int prefix = 0;
  while (prefix < static_cast<int>(modes.size()) &&
         modes[static_cast<std::size_t>(prefix)] == prefix) {
    ++prefix;
  }
  if (prefix == 0) return std::nullopt;
  const std::span<const int> others = std::span(modes).subspan(static_cast<std::size_t>(prefix));
  offset_t left = offset_t{1} << 22;
  double inverses = 0.0;
  int probes = 0;
  for (; probes < most; ++probes) {
    const auto p = static_cast<offset_t>(random_bits(2, static_cast<std::uint64_t>(probes)) %
                                         static_cast<std::uint64_t>(nnz));
    const SortedRun run = run_of_prefix(subscripts, nnz, p, prefix);
    offset_t share = run.size();
    if (!others.empty()) {
      left -= run.size();
      if (left < 0) break;
      share = 0;
      for (offset_t q = run.begin; q < run.end; ++q) {
        bool equal = true;
        for (const int m : others) equal = equal & (subscripts(q, m) == subscripts(p, m));
        share += equal ? 1 : 0;
      }
    }
    inverses += 1.0 / static_cast<double>(share);
  }
  if (probes < fewest) return std::nullopt;
  return static_cast<double>(nnz) * inverses / probes;
}

/// The distinct tuples of some modes, within a few per cent: those of a sample of tuples, of which
/// all nonzeros are looked at.
template <ExecutionSpace Exec, class Subscripts>
[[nodiscard]] double distinct_tuples(const Exec& exec, const Subscripts& subscripts, offset_t nnz,
                                     const std::vector<int>& modes) {
  constexpr double wanted = 16384.0;  // nonzeros of tuples in the sample
  const double share = std::min(1.0, wanted / static_cast<double>(nnz));
  const auto bound = static_cast<std::uint64_t>(share * 0x1p63);
  const EvenChunks chunks(static_cast<std::size_t>(nnz), 65536);
  std::vector<std::vector<std::uint64_t>> found(chunks.count());
  for_each_index("genten::count_tuples", exec, chunks.count(), [&](const std::size_t chunk) {
    std::uint64_t factor[max_order];
    int mode[max_order], count = 0;
    for (const int m : modes) {
      factor[count] = tuple_factor(m);
      mode[count++] = m;
    }
    const auto end = static_cast<offset_t>(chunks.end(chunk));
    for (auto p = static_cast<offset_t>(chunks.begin(chunk)); p < end; ++p) {
      std::uint64_t sum = 0;
      for (int k = 0; k < count; ++k) sum += subscripts(p, mode[k]) * factor[k];
      const std::uint64_t number = (sum ^ (sum >> 32)) * 0x9e3779b97f4a7c15ULL;
      if (number >> 1 <= bound) found[chunk].push_back(number);
    }
  });
  std::vector<std::uint64_t> all;
  for (const auto& numbers : found) all.insert(all.end(), numbers.begin(), numbers.end());
  std::sort(all.begin(), all.end());
  return static_cast<double>(std::unique(all.begin(), all.end()) - all.begin()) / share;
}

/// The distinct tuples of some modes, of which a device looks at all nonzeros: HyperLogLog
/// (Flajolet et al. 2007) with 2^14 registers, whose standard error is .8 per cent, and for few
/// tuples as many as leave so many registers empty.
template <ExecutionSpace Exec, class Subscripts>
[[nodiscard]] double sketched_tuples(const Exec& exec, const Subscripts& subscripts, offset_t nnz,
                                     const std::vector<int>& modes) {
  constexpr int bits = 14;
  constexpr double registers = 1 << bits;
  // By the first bits of a tuple's hash, the most zeros that any has before its next one, plus one.
  using Longest = Kokkos::View<std::uint32_t*, typename Exec::memory_space>;
  const auto longest = new_view<Longest>("genten::tuple_sketch", std::size_t{1} << bits);
  Kokkos::Array<std::uint64_t, max_order> factor{};
  Kokkos::Array<int, max_order> mode{};
  const int count = static_cast<int>(modes.size());
  for (int k = 0; k < count; ++k) {
    mode[k] = modes[static_cast<std::size_t>(k)];
    factor[k] = tuple_factor(mode[k]);
  }
  Kokkos::parallel_for(
      "genten::sketch_tuples", Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, nnz),
      KOKKOS_LAMBDA(const offset_t p) {
        std::uint64_t sum = 0;
        for (int k = 0; k < count; ++k) sum += subscripts(p, mode[k]) * factor[k];
        const std::uint64_t hash = mix_bits(sum);
        std::uint32_t zeros = 1;
        while (zeros <= 64 - bits && (hash << (bits + zeros - 1) >> 63) == 0) ++zeros;
        std::uint32_t* const most = &longest(hash >> (64 - bits));
        // The look first spares nearly all atomics.
        if (*static_cast<volatile std::uint32_t*>(most) < zeros) {
          Kokkos::atomic_fetch_max(most, zeros);
        }
      });
  const auto found = Kokkos::create_mirror_view(longest);
  Kokkos::deep_copy(exec, found, longest);
  fence(exec, "genten::sketch_tuples");
  double inverses = 0.0, empty = 0.0;
  for (std::size_t k = 0; k < found.extent(0); ++k) {
    inverses += std::ldexp(1.0, -static_cast<int>(found(k)));
    empty += found(k) == 0 ? 1.0 : 0.0;
  }
  const double estimate = 0.7213 / (1.0 + 1.079 / registers) * registers * registers / inverses;
  return estimate <= 2.5 * registers && empty > 0.0 ? registers * std::log(registers / empty)
                                                    : estimate;
}

}  // namespace genten::detail

namespace genten {

inline std::vector<std::vector<int>> cyclic_neighbours(std::span<const int> update_order) {
  const std::size_t order = update_order.size();
  std::vector<std::vector<int>> sets;
  for (std::size_t count = 2; count < order; ++count) {
    for (std::size_t first = 0; first < order; ++first) {
      std::vector<int>& set = sets.emplace_back();
      for (std::size_t k = 0; k < count; ++k) set.push_back(update_order[(first + k) % order]);
      std::sort(set.begin(), set.end());
    }
  }
  return sets;
}

template <class Subscripts>
std::vector<TupleCount> estimate_tuples(const Subscripts& subscripts, offset_t nnz,
                                        const std::vector<std::vector<int>>& sets) {
  if (sets.empty() || nnz < detail::fewest_for_tuples) return {};
  const std::vector<double> least = detail::least_tuples(subscripts, nnz, sets);
  // What the sample tells may be a tenth too many, or two.
  constexpr double doubt = 1.2;
  std::vector<TupleCount> estimates;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    estimates.push_back({sets[k], std::clamp(least[k] / doubt, 1.0, static_cast<double>(nnz))});
  }
  return estimates;
}

template <ExecutionSpace Exec, class Subscripts>
TupleCount count_tuples(const Exec& exec, const Subscripts& subscripts, offset_t nnz,
                        const std::vector<int>& modes, bool sorted) {
  double tuples = 0.0;
  if constexpr (is_host_space<Exec>) {
    const auto probed =
        sorted ? detail::sorted_tuples(subscripts, nnz, modes) : std::optional<double>();
    tuples = probed ? *probed : detail::distinct_tuples(exec, subscripts, nnz, modes);
  } else {
    tuples = detail::sketched_tuples(exec, subscripts, nnz, modes);
  }
  // Samples may tell of none, or of more than there can be.
  return {modes, std::clamp(tuples, 1.0, std::max(1.0, static_cast<double>(nnz))), true};
}

}  // namespace genten
