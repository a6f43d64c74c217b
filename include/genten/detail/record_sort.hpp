// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parallel stable radix sort of records (key words and a value), by an identifier
/// that is computed from the key: only the bits that an order needs are sorted, not the whole key.

#include <genten/detail/device_sort.hpp>
#include <genten/detail/kokkos_compat.hpp>

#include <algorithm>
#include <utility>

namespace genten::detail {

/// Records of `Words` 64-bit key words and one value, in two arrays that are moved together.
template <class Scalar, int Words, class Exec>
struct Records {
  Kokkos::View<std::uint64_t*, typename Exec::memory_space> keys;  ///< size * Words
  Kokkos::View<Scalar*, typename Exec::memory_space> values;       ///< size

  static Records allocate(offset_t size) {
    return {uninitialized_view<decltype(keys)>("genten::record_keys", size * Words),
            uninitialized_view<decltype(values)>("genten::record_values", size)};
  }
  [[nodiscard]] offset_t size() const { return static_cast<offset_t>(values.extent(0)); }
};

/// One stable counting-sort pass by `digit(key words) < buckets`. The pieces, and so the result, do
/// not depend on the number of threads.
template <class Scalar, int Words, class Exec, class Digit>
void counting_sort_pass(const Exec& exec, const std::uint64_t* keys, const Scalar* values,
                        const Records<Scalar, Words, Exec>& to, std::size_t buckets,
                        const Digit& digit) {
  const offset_t size = to.size();
  const offset_t pieces = std::clamp<offset_t>(size / 65536, 1, 32);
  const offset_t length = (size + pieces - 1) / pieces;
  Kokkos::View<offset_t**, Kokkos::LayoutRight, typename Exec::memory_space> starts(
      "genten::sort_starts", pieces, buckets);
  using Policy =
      Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<offset_t>>;
  Kokkos::parallel_for("genten::sort_count", Policy(exec, 0, pieces, Kokkos::ChunkSize(1)),
                       [=](const offset_t piece) {
                         offset_t* count = &starts(piece, 0);
                         const offset_t end = std::min(size, (piece + 1) * length);
                         for (offset_t p = piece * length; p < end; ++p) {
                           ++count[digit(keys + p * Words)];
                         }
                       });
  fence(exec, "genten::counting_sort_pass");
  offset_t total = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    for (offset_t piece = 0; piece < pieces; ++piece) {
      total += std::exchange(starts(piece, bucket), total);
    }
  }
  std::uint64_t* to_keys = to.keys.data();
  Scalar* to_values = to.values.data();
  Kokkos::parallel_for("genten::sort_scatter", Policy(exec, 0, pieces, Kokkos::ChunkSize(1)),
                       [=](const offset_t piece) {
                         offset_t* next = &starts(piece, 0);
                         const offset_t end = std::min(size, (piece + 1) * length);
                         for (offset_t p = piece * length; p < end; ++p) {
                           const offset_t q = next[digit(keys + p * Words)]++;
                           for (int w = 0; w < Words; ++w) {
                             to_keys[q * Words + w] = keys[p * Words + w];
                           }
                           to_values[q] = values[p];
                         }
                       });
  fence(exec, "genten::counting_sort_pass");
}

/// Records in the order of `identifier(key words)`, an integer of `bits` bits; stable. The first
/// pass reads the source, so that its records are not copied before.
template <class Scalar, int Words, class Exec, class Identifier>
requires is_host_space<Exec>
[[nodiscard]] Records<Scalar, Words, Exec> sorted_records(const Exec& exec,
                                                          const std::uint64_t* keys,
                                                          const Scalar* values, offset_t size,
                                                          int bits, const Identifier& identifier) {
  constexpr int widest_digit = 10;
  // Without bits, one pass into a single bucket copies.
  const int passes = std::max(1, (bits + widest_digit - 1) / widest_digit);
  auto sorted = Records<Scalar, Words, Exec>::allocate(size);
  auto scratch = passes > 1 ? Records<Scalar, Words, Exec>::allocate(size) : sorted;
  for (int pass = 0, done = 0; pass < passes; ++pass) {
    const int width = (bits - done + (passes - pass) - 1) / (passes - pass);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    if (pass > 0) {
      std::swap(sorted, scratch);
      keys = scratch.keys.data();
      values = scratch.values.data();
    }
    counting_sort_pass(exec, keys, values, sorted, mask + 1,
                       [=](const std::uint64_t* key) { return (identifier(key) >> done) & mask; });
    done += width;
  }
  return sorted;
}

/// The same on a device: identifiers and positions are sorted, then the records gathered.
template <class Id, class Position, class Scalar, int Words, class Exec, class Identifier>
void sort_records_by(const Exec& exec, const std::uint64_t* keys, const Scalar* values,
                     const Records<Scalar, Words, Exec>& to, int bits,
                     const Identifier& identifier) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  const SortPairs<Id, Position, typename Exec::memory_space> pairs(to.size());
  const auto ids = pairs.keys;
  const auto positions = pairs.values, sorted = pairs.values_room;
  const auto to_keys = to.keys;
  const auto to_values = to.values;
  Kokkos::parallel_for(
      "genten::sort_identify", Policy(exec, 0, to.size()), KOKKOS_LAMBDA(const offset_t p) {
        ids(p) = static_cast<Id>(identifier(keys + p * Words));
        positions(p) = static_cast<Position>(p);
      });
  sort_on_device(exec, pairs, bits);
  Kokkos::parallel_for(
      "genten::sort_gather", Policy(exec, 0, to.size()), KOKKOS_LAMBDA(const offset_t p) {
        const auto q = static_cast<offset_t>(sorted(p));
        for (int w = 0; w < Words; ++w) to_keys(p * Words + w) = keys[q * Words + w];
        to_values(p) = values[q];
      });
  fence(exec, "genten::sort_records");
}

template <class Scalar, int Words, class Exec, class Identifier>
requires(!is_host_space<Exec>) [[nodiscard]] Records<Scalar, Words, Exec> sorted_records(
    const Exec& exec, const std::uint64_t* keys, const Scalar* values, offset_t size, int bits,
    const Identifier& identifier) {
  const auto sorted = Records<Scalar, Words, Exec>::allocate(size);
  if (size == 0) return sorted;
  bits = std::max(bits, 1);  // without bits nothing is to be sorted, but all to be copied
  if (size >> 32 != 0) {
    sort_records_by<std::uint64_t, std::uint64_t>(exec, keys, values, sorted, bits, identifier);
  } else if (bits > 32) {
    sort_records_by<std::uint64_t, std::uint32_t>(exec, keys, values, sorted, bits, identifier);
  } else {
    sort_records_by<std::uint32_t, std::uint32_t>(exec, keys, values, sorted, bits, identifier);
  }
  return sorted;
}

}  // namespace genten::detail
