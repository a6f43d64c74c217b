// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Operations on sparse tensors: norm, sum, permuted modes, merged duplicates, subtensors, slice
/// counts, comparison. Every function takes the execution space instance on which it works and
/// returns when the work is done. Results are the same for every number of threads.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/detail/power_of_two.hpp>
#include <genten/core/detail/sptensor_ops_impl.hpp>
#include <genten/core/detail/sum_duplicates_impl.hpp>
#include <genten/core/sptensor.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace genten {

namespace detail {

/// A sum of doubles with what rounding has taken from it, so that 1e16 + 1 - 1e16 is 1 (Knuth's
/// sum without error, and Neumaier's compensation).
struct CompensatedSum {
  double high = 0.0;
  double low = 0.0;

  [[nodiscard]] double value() const { return std::isfinite(high) ? high + low : high; }
  KOKKOS_FUNCTION CompensatedSum& operator+=(const CompensatedSum& other) {
    const double sum = high + other.high, part = sum - high;
    low += (high - (sum - part)) + (other.high - part) + other.low;
    high = sum;
    return *this;
  }
};

}  // namespace detail

/// Sum of the stored values, with twice the digits of double before it is rounded: what large
/// values of both signs leave is not lost.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double sum(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const auto values = tensor.values();
  return detail::chunked_reduce<detail::CompensatedSum>(
             "genten::sum", exec, tensor.nnz(),
             KOKKOS_LAMBDA(const offset_t p) {
               return detail::CompensatedSum{static_cast<double>(values(p)), 0.0};
             })
      .value();
}

/// Largest absolute value stored; 0 for a tensor without nonzeros.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double max_abs(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const auto values = tensor.values();
  return detail::chunked_reduce<double>(
      "genten::max_abs", exec, tensor.nnz(),
      KOKKOS_LAMBDA(const offset_t p) {
        const auto value = static_cast<double>(values(p));
        return value < 0.0 ? -value : value;
      },
      0.0, detail::MaxJoin());
}

/// The least and the largest of some numbers.
struct ValueRange {
  double lowest = 0.0;
  double highest = 0.0;
};

/// That of the stored values; none of a tensor without nonzeros.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::optional<ValueRange> value_range(const Exec& exec,
                                                    const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  if (tensor.nnz() == 0) return std::nullopt;
  const auto values = tensor.values();
  const auto largest = [&](const double sign) {
    return detail::chunked_reduce<double>(
        "genten::value_range", exec, tensor.nnz(),
        KOKKOS_LAMBDA(const offset_t p) { return sign * static_cast<double>(values(p)); },
        -std::numeric_limits<double>::infinity(), detail::MaxJoin());
  };
  return ValueRange{-largest(-1.0), largest(1.0)};
}

/// The tensor times 2^exponent, subscripts shared: without error, but where values leave the range
/// of Scalar. Values that would become infinite must not be there. The facts hold on.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> times_power_of_two(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, int exponent) {
  const auto old_values = tensor.values();
  using Values = Kokkos::View<Scalar*, typename Exec::memory_space>;
  const auto values = detail::new_view<Values>(
      Kokkos::view_alloc(exec, "genten::values", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(tensor.nnz()));
  const detail::PowerOfTwo<Scalar> power(exponent);
  Kokkos::parallel_for(
      "genten::times_power_of_two",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
      KOKKOS_LAMBDA(const offset_t p) { values(p) = power(old_values(p)); });
  exec.fence();
  return Sptensor<Scalar, Ordinal, Exec>::trusted(exec, tensor.dimensions(), tensor.subscripts(),
                                                  values, tensor.facts());
}

/// Square root of the sum of squares of the stored values, computed in double; squares that would
/// overflow or underflow are scaled first. Duplicate subscripts are not merged: call
/// `sum_duplicates` before where the tensor has any.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double norm(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const auto values = tensor.values();
  const auto scaled_norm = [&](const double divisor) {
    return divisor * std::sqrt(detail::sum_of_squares(exec, values, divisor));
  };
  const double plain = scaled_norm(1.0);
  constexpr double tiny = 1e-140, huge = 1e150;
  if (plain > tiny && plain < huge) return plain;
  const double largest = max_abs(exec, tensor);
  return largest == 0.0 ? 0.0 : scaled_norm(largest);
}

/// The same nonzeros, in the same order, with mode k of the result being mode `modes[k]` of the
/// argument; known to be distinct if they were, but no longer to be sorted. `modes` names every
/// mode once; otherwise throws Error.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> permute_modes(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::span<const int> modes) {
  const int order = tensor.order();
  detail::check_mode_order(modes, static_cast<std::size_t>(order));
  std::vector<std::size_t> dimensions;
  Kokkos::Array<int, max_order> from{};
  for (int n = 0; n < order; ++n) {
    from[n] = modes[static_cast<std::size_t>(n)];
    dimensions.push_back(tensor.dimension(from[n]));
  }
  const auto old_subscripts = tensor.subscripts();
  const auto subscripts =
      detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, typename Exec::memory_space>>(
          Kokkos::view_alloc(exec, "genten::subscripts", Kokkos::WithoutInitializing),
          static_cast<std::size_t>(tensor.nnz()), static_cast<std::size_t>(order));
  Kokkos::parallel_for(
      "genten::permute_modes",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
      KOKKOS_LAMBDA(const offset_t p) {
        for (int n = 0; n < order; ++n) subscripts(p, n) = old_subscripts(p, from[n]);
      });
  exec.fence();
  const SptensorFacts facts{tensor.facts().distinct, false};
  return Sptensor<Scalar, Ordinal, Exec>::trusted(exec, dimensions, subscripts, tensor.values(),
                                                  facts);
}

/// A tensor without duplicates, and how many nonzeros were merged into others.
template <class Tensor>
struct SumDuplicatesResult {
  Tensor tensor;
  offset_t merged = 0;
};

/// Adds up nonzeros with equal subscripts, in double, in the order in which they are stored. The
/// result is known to be distinct.
///
/// A tensor without duplicates is returned as it is, without a copy and in its order; where it is
/// known to be distinct, that costs nothing. Otherwise one pass over the subscripts tells whether
/// they are sorted; keys of others are sorted, where the tensor lies (for the memory see
/// `group_subscripts`). If there are duplicates, the result is sorted lexicographically, the first
/// mode slowest. Explicit zeros, and sums that are zero, stay. Throws Error when a sum overflows.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] SumDuplicatesResult<Sptensor<Scalar, Ordinal, Exec>> sum_duplicates(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  if (tensor.facts().distinct) return {tensor, 0};
  SptensorFacts facts = look_at_order(exec, tensor.subscripts());
  const auto known_distinct = [&] {
    facts.distinct = true;
    return Sptensor<Scalar, Ordinal, Exec>::trusted(exec, tensor.dimensions(), tensor.subscripts(),
                                                    tensor.values(), facts);
  };
  if (facts.distinct) return {known_distinct(), 0};
  const auto groups = detail::group_subscripts<Ordinal>(exec, tensor.dimensions(),
                                                        tensor.subscripts(), facts.sorted);
  const offset_t distinct = detail::count_groups(exec, groups);
  if (distinct == tensor.nnz()) return {known_distinct(), 0};
  return {detail::merge_groups(exec, tensor, groups, distinct), tensor.nnz() - distinct};
}

/// The nonzeros whose subscripts lie in the given ranges, one range a mode, in the order in which
/// they are stored, so that all facts hold on. Subscripts of the result count from the beginning of
/// each range, and its dimensions are the ranges' lengths. Throws Error for a range that is
/// reversed or leaves its mode.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> subtensor(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    std::span<const SubscriptRange> ranges) {
  detail::check_ranges(tensor.dimensions(), ranges);
  const int order = tensor.order();
  std::vector<std::size_t> dimensions;
  detail::SubscriptBox<Ordinal> box{order, {}, {}};
  for (int n = 0; n < order; ++n) {
    const SubscriptRange range = ranges[static_cast<std::size_t>(n)];
    dimensions.push_back(range.end - range.begin);
    box.begin[n] = static_cast<Ordinal>(range.begin);
    box.end[n] = static_cast<Ordinal>(range.end);
  }
  using Space = typename Exec::memory_space;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  const auto old_subscripts = tensor.subscripts();
  const auto old_values = tensor.values();
  const auto position = detail::new_view<Kokkos::View<offset_t*, Space>>(
      Kokkos::view_alloc(exec, "genten::subtensor_positions", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(tensor.nnz()));
  offset_t kept = 0;
  Kokkos::parallel_scan(
      "genten::subtensor_count", Policy(exec, 0, tensor.nnz()),
      KOKKOS_LAMBDA(const offset_t p, offset_t& before, const bool last) {
        if (last) position(p) = before;
        if (box.contains(old_subscripts, p)) ++before;
      },
      kept);
  exec.fence();
  const auto subscripts = detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Space>>(
      Kokkos::view_alloc(exec, "genten::subscripts", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(kept), static_cast<std::size_t>(order));
  const auto values = detail::new_view<Kokkos::View<Scalar*, Space>>(
      Kokkos::view_alloc(exec, "genten::values", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(kept));
  Kokkos::parallel_for(
      "genten::subtensor_copy", Policy(exec, 0, tensor.nnz()), KOKKOS_LAMBDA(const offset_t p) {
        if (!box.contains(old_subscripts, p)) return;
        const offset_t to = position(p);
        for (int n = 0; n < order; ++n) subscripts(to, n) = old_subscripts(p, n) - box.begin[n];
        values(to) = old_values(p);
      });
  exec.fence();
  return Sptensor<Scalar, Ordinal, Exec>::trusted(exec, dimensions, subscripts, values,
                                                  tensor.facts());
}

/// The number of nonzeros stored in each slice of a mode: an array as long as the mode. Throws
/// Error for a mode that the tensor does not have.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Kokkos::View<offset_t*, typename Exec::memory_space> slice_counts(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, int mode) {
  if (mode < 0 || mode >= tensor.order()) {
    throw Error::no_such_mode("slice_counts", mode, tensor.order());
  }
  const auto counts = detail::new_view<Kokkos::View<offset_t*, typename Exec::memory_space>>(
      Kokkos::view_alloc(exec, "genten::slice_counts"), tensor.dimension(mode));
  const auto subscripts = tensor.subscripts();
  Kokkos::parallel_for(
      "genten::slice_counts",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
      KOKKOS_LAMBDA(const offset_t p) {
        Kokkos::atomic_add(&counts(subscripts(p, mode)), offset_t{1});
      });
  exec.fence();
  return counts;
}

/// The number of slices of a mode that hold no nonzero.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] offset_t empty_slices(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                    int mode) {
  const auto counts = slice_counts(exec, tensor, mode);
  return detail::chunked_reduce<offset_t>(
      "genten::empty_slices", exec, static_cast<offset_t>(counts.extent(0)),
      KOKKOS_LAMBDA(const offset_t i) { return offset_t{counts(i) == 0 ? 1 : 0}; });
}

/// Whether two tensors have the same dimensions and store the same nonzeros in the same order,
/// value for value.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] bool equal(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& a,
                         const Sptensor<Scalar, Ordinal, Exec>& b) {
  if (a.dimensions() != b.dimensions() || a.nnz() != b.nnz()) return false;
  const int order = a.order();
  const auto a_subscripts = a.subscripts(), b_subscripts = b.subscripts();
  const auto a_values = a.values(), b_values = b.values();
  const offset_t different = detail::chunked_reduce<offset_t>(
      "genten::equal", exec, a.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        bool same = a_values(p) == b_values(p);
        for (int n = 0; n < order; ++n) same = same && a_subscripts(p, n) == b_subscripts(p, n);
        return offset_t{same ? 0 : 1};
      });
  return different == 0;
}

}  // namespace genten

#define GENTEN_ETI_SPTENSOR_OPS(PREFIX, SCALAR, ORDINAL, EXEC)                                     \
  PREFIX template double genten::sum(const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&); \
  PREFIX template double genten::max_abs(const EXEC&,                                              \
                                         const genten::Sptensor<SCALAR, ORDINAL, EXEC>&);          \
  PREFIX template std::optional<genten::ValueRange> genten::value_range(                           \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&);                                \
  PREFIX template double genten::norm(const EXEC&,                                                 \
                                      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&);             \
  PREFIX template genten::Sptensor<SCALAR, ORDINAL, EXEC> genten::times_power_of_two(              \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, int);                           \
  PREFIX template genten::Sptensor<SCALAR, ORDINAL, EXEC> genten::permute_modes(                   \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, std::span<const int>);          \
  PREFIX template genten::SumDuplicatesResult<genten::Sptensor<SCALAR, ORDINAL, EXEC>>             \
  genten::sum_duplicates(const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&);             \
  PREFIX template genten::Sptensor<SCALAR, ORDINAL, EXEC> genten::subtensor(                       \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                                 \
      std::span<const genten::SubscriptRange>);                                                    \
  PREFIX template Kokkos::View<genten::offset_t*, EXEC::memory_space> genten::slice_counts(        \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, int);                           \
  PREFIX template genten::offset_t genten::empty_slices(                                           \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, int);                           \
  PREFIX template bool genten::equal(const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,  \
                                     const genten::Sptensor<SCALAR, ORDINAL, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_SPTENSOR_OPS, extern)
#endif
