// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Making and checking of a Sptensor.

#include <genten/base/detail/eti.hpp>
#include <genten/core/sptensor.hpp>

#include <limits>
#include <string>

namespace genten {

namespace detail {

/// The first nonzero whose value is not finite, or that has a subscript too large in one of the
/// first modes. A functor: nvcc 13 loses a lambda here when only host spaces call it.
template <class Subscripts, class Values>
struct FindBadEntry {
  using Ordinal = typename Subscripts::non_const_value_type;
  using Scalar = typename Values::non_const_value_type;

  Subscripts subscripts;
  Values values;
  Kokkos::Array<Ordinal, max_order> limit;
  int modes;

  KOKKOS_FUNCTION void operator()(const offset_t p, offset_t& bad) const {
    // x - x is 0 for every finite x and NaN otherwise.
    bool good = values(p) - values(p) == Scalar(0);
    for (int n = 0; n < modes; ++n) good = good && subscripts(p, n) < limit[n];
    if (!good && p < bad) bad = p;
  }
};

}  // namespace detail

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Sptensor<Scalar, Ordinal, Exec> Sptensor<Scalar, Ordinal, Exec>::from_host(
    const Exec& exec, std::vector<std::size_t> dimensions, std::span<const Ordinal> subscripts,
    std::span<const Scalar> values) {
  const std::size_t order = dimensions.size();
  if (subscripts.size() != values.size() * order) {
    throw Error::in("Sptensor", "expected " + std::to_string(order) + " subscripts for each of " +
                                    std::to_string(values.size()) + " values, got " +
                                    std::to_string(subscripts.size()) + " subscripts");
  }
  using Kokkos::view_alloc;
  using Kokkos::WithoutInitializing;
  const auto subs = detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, memory_space>>(
      view_alloc("genten::subscripts", WithoutInitializing), values.size(), order);
  const auto vals = detail::new_view<Kokkos::View<Scalar*, memory_space>>(
      view_alloc("genten::values", WithoutInitializing), values.size());
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  detail::copy_view(
      exec, subs,
      Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace, Unmanaged>(
          subscripts.data(), values.size(), order));
  detail::copy_view(
      exec, vals,
      Kokkos::View<const Scalar*, Kokkos::HostSpace, Unmanaged>(values.data(), values.size()));
  exec.fence();
  return Sptensor(exec, std::move(dimensions), subs, vals);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void Sptensor<Scalar, Ordinal, Exec>::check_shape() const {
  if (m_dimensions.empty() || m_dimensions.size() > static_cast<std::size_t>(max_order)) {
    throw Error::in("Sptensor", "expected an order from 1 to " + std::to_string(max_order) +
                                    ", got " + std::to_string(m_dimensions.size()));
  }
  if (m_subscripts.extent(0) != m_values.extent(0) ||
      (m_values.extent(0) != 0 && m_subscripts.extent(1) != m_dimensions.size())) {
    throw Error::in("Sptensor", "expected subscripts of shape " +
                                    std::to_string(m_values.extent(0)) + " x " +
                                    std::to_string(m_dimensions.size()) + ", got " +
                                    std::to_string(m_subscripts.extent(0)) + " x " +
                                    std::to_string(m_subscripts.extent(1)));
  }
  constexpr auto longest = std::numeric_limits<Ordinal>::max();
  for (std::size_t n = 0; n < m_dimensions.size(); ++n) {
    if (m_dimensions[n] > longest) {
      throw Error::in("Sptensor", "mode " + error_text::number(n) + " of length " +
                                      std::to_string(m_dimensions[n]) +
                                      " needs 64-bit ordinals, got " +
                                      std::to_string(8 * sizeof(Ordinal)) + "-bit ones");
    }
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void Sptensor<Scalar, Ordinal, Exec>::check_entries(const Exec& exec, int modes) const {
  const offset_t count = nnz();
  if (count == 0) return;
  Kokkos::Array<Ordinal, max_order> limit{};
  for (int n = 0; n < modes; ++n) limit[n] = static_cast<Ordinal>(dimension(n));
  offset_t first_bad = count;
  Kokkos::parallel_reduce(
      "genten::check_entries",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count),
      detail::FindBadEntry<subscripts_view, values_view>{m_subscripts, m_values, limit, modes},
      Kokkos::Min<offset_t>(first_bad));
  if (first_bad < count) throw_bad_entry(first_bad);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void Sptensor<Scalar, Ordinal, Exec>::check_promises(const Exec& exec) const {
  check_entries(exec, order());
  const SptensorFacts found = look_at_order(exec, m_subscripts);
  if (m_facts.sorted && !found.sorted) {
    throw Error::in("Sptensor", "expected sorted nonzeros, as promised, got others");
  }
  if (m_facts.distinct && found.sorted && !found.distinct) {
    throw Error::in("Sptensor", "expected distinct nonzeros, as promised, got equal subscripts");
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[noreturn]] void Sptensor<Scalar, Ordinal, Exec>::throw_bad_entry(offset_t p) const {
  const auto row = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(m_subscripts, p, Kokkos::ALL()));
  const auto value = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(m_values, Kokkos::make_pair(p, p + 1)));
  for (int n = 0; n < order(); ++n) {
    if (row(n) >= dimension(n)) {
      throw Error::in("Sptensor", "nonzero " + std::to_string(p) + ": expected a subscript below " +
                                      std::to_string(dimension(n)) + " in mode " +
                                      error_text::number(n) + ", got " + std::to_string(row(n)));
    }
  }
  throw Error::in("Sptensor", "nonzero " + std::to_string(p) + ": expected a finite value, got " +
                                  std::to_string(value(0)));
}

}  // namespace genten

/// The members that are more than a line or two.
#define GENTEN_ETI_SPTENSOR(PREFIX, SCALAR, ORDINAL, EXEC)                                         \
  PREFIX template genten::Sptensor<SCALAR, ORDINAL, EXEC>                                          \
  genten::Sptensor<SCALAR, ORDINAL, EXEC>::from_host(                                              \
      const EXEC&, std::vector<std::size_t>, std::span<const ORDINAL>, std::span<const SCALAR>);   \
  PREFIX template void genten::Sptensor<SCALAR, ORDINAL, EXEC>::check_shape() const;               \
  PREFIX template void genten::Sptensor<SCALAR, ORDINAL, EXEC>::check_entries(const EXEC&, int)    \
      const;                                                                                       \
  PREFIX template void genten::Sptensor<SCALAR, ORDINAL, EXEC>::check_promises(const EXEC&) const; \
  PREFIX template void genten::Sptensor<SCALAR, ORDINAL, EXEC>::throw_bad_entry(genten::offset_t)  \
      const;

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_SPTENSOR, extern)
#endif
