// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Some of a tensor's entries: those that are held out, those that are not missing.

#include <genten/base/detail/eti.hpp>
#include <genten/core/listed_entries.hpp>
#include <genten/core/random.hpp>
#include <genten/core/sptensor_ops.hpp>

#include <utility>

namespace genten::detail {

/// Whether an entry is held out: a part `fraction` of all entries, by a hash of the subscripts.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] KOKKOS_FUNCTION bool is_held_out(const Ordinal* subscripts, int order,
                                               std::uint64_t seed, double fraction) {
  std::uint64_t bits = mix_bits(seed);
  for (int n = 0; n < order; ++n) {
    bits = mix_bits(bits ^ static_cast<std::uint64_t>(subscripts[n]));
  }
  return uniform_from_bits(bits) < fraction;
}

/// One number an entry: 1 or 0.
template <ExecutionSpace Exec>
using EntryFlags = Kokkos::View<unsigned char*, typename Exec::memory_space>;

/// Flags of the entries for which flag(p) is true.
template <ExecutionSpace Exec, class Flag>
[[nodiscard]] EntryFlags<Exec> flag_entries(const Exec& exec, offset_t entries, const Flag& flag) {
  const auto flags = new_view<EntryFlags<Exec>>(
      Kokkos::view_alloc(exec, "genten::entry_flags", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(entries));
  Kokkos::parallel_for(
      "genten::flag_entries",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, entries),
      KOKKOS_LAMBDA(const offset_t p) { flags(p) = flag(p) ? 1 : 0; });
  fence(exec, "genten::flag_entries");
  return flags;
}

/// The entries whose flag is `wanted`, in their order.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> select_entries(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const EntryFlags<Exec>& flags,
    unsigned char wanted) {
  using Space = typename Exec::memory_space;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  const offset_t kept = chunked_reduce<offset_t>(
      "genten::count_entries", exec, tensor.nnz(),
      KOKKOS_LAMBDA(const offset_t p) { return offset_t{flags(p) == wanted ? 1 : 0}; });
  const auto subscripts = new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Space>>(
      Kokkos::view_alloc(exec, "genten::subscripts", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(kept), tensor.dimensions().size());
  const auto values = new_view<Kokkos::View<Scalar*, Space>>(
      Kokkos::view_alloc(exec, "genten::values", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(kept));
  const auto from = tensor.subscripts();
  const auto from_values = tensor.values();
  const int order = tensor.order();
  Kokkos::parallel_scan(
      "genten::select_entries", Policy(exec, 0, tensor.nnz()),
      KOKKOS_LAMBDA(const offset_t p, offset_t& before, const bool last) {
        if (flags(p) != wanted) return;
        if (last) {
          for (int n = 0; n < order; ++n) subscripts(before, n) = from(p, n);
          values(before) = from_values(p);
        }
        ++before;
      });
  fence(exec, "genten::select_entries");
  return Sptensor<Scalar, Ordinal, Exec>::trusted(exec, tensor.dimensions(), subscripts, values,
                                                  tensor.facts());
}

/// The same entries, all with one value.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> with_value(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, Scalar value) {
  const auto values = new_view<Kokkos::View<Scalar*, typename Exec::memory_space>>(
      Kokkos::view_alloc(exec, "genten::values", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(tensor.nnz()));
  Kokkos::deep_copy(exec, values, value);
  fence(exec, "genten::with_value");
  return Sptensor<Scalar, Ordinal, Exec>::trusted(exec, tensor.dimensions(), tensor.subscripts(),
                                                  values, tensor.facts());
}

/// The entries of both, which have none in common.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> joined(const Exec& exec,
                                                     const Sptensor<Scalar, Ordinal, Exec>& a,
                                                     const Sptensor<Scalar, Ordinal, Exec>& b) {
  using Space = typename Exec::memory_space;
  const auto first = static_cast<std::size_t>(a.nnz());
  const std::size_t all = first + static_cast<std::size_t>(b.nnz());
  const auto subscripts = new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Space>>(
      Kokkos::view_alloc(exec, "genten::subscripts", Kokkos::WithoutInitializing), all,
      a.dimensions().size());
  const auto values = new_view<Kokkos::View<Scalar*, Space>>(
      Kokkos::view_alloc(exec, "genten::values", Kokkos::WithoutInitializing), all);
  const auto copy = [&](const Sptensor<Scalar, Ordinal, Exec>& from, std::size_t begin) {
    const std::pair<std::size_t, std::size_t> range{begin,
                                                    begin + static_cast<std::size_t>(from.nnz())};
    Kokkos::deep_copy(exec, Kokkos::subview(subscripts, range, Kokkos::ALL), from.subscripts());
    Kokkos::deep_copy(exec, Kokkos::subview(values, range), from.values());
  };
  copy(a, 0);
  copy(b, first);
  fence(exec, "genten::joined");
  return Sptensor<Scalar, Ordinal, Exec>::trusted(exec, a.dimensions(), subscripts, values,
                                                  {.distinct = true, .sorted = false});
}

/// The entries of `tensor` that `missing` does not list, in their order: the tensor itself where it
/// lists none of them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> without_entries(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing) {
  if (missing.nnz() == 0 || tensor.nnz() == 0) return tensor;
  const auto flags = listed_entries(exec, tensor, missing);
  const auto listed = chunked_reduce<offset_t>(
      "genten::count_listed_entries", exec, tensor.nnz(),
      KOKKOS_LAMBDA(const offset_t p) { return offset_t{flags(p)}; });
  return listed == 0 ? tensor : select_entries(exec, tensor, flags, 0);
}

}  // namespace genten::detail

#define GENTEN_ETI_SELECT_ENTRIES(PREFIX, SCALAR, ORDINAL, EXEC)                           \
  PREFIX template genten::Sptensor<SCALAR, ORDINAL, EXEC> genten::detail::select_entries(  \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                         \
      const genten::detail::EntryFlags<EXEC>&, unsigned char);                             \
  PREFIX template genten::Sptensor<SCALAR, ORDINAL, EXEC> genten::detail::without_entries( \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                         \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_SELECT_ENTRIES, extern)
#endif
