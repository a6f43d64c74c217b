// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parts of passes over factor matrices.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/detail/staged_copy.hpp>
#include <genten/core/fac_matrix.hpp>

#include <utility>
#include <vector>

namespace genten::detail {

/// A host array as a View in another memory space.
template <class Space, ExecutionSpace Exec, class Value>
[[nodiscard]] Kokkos::View<Value*, Space> to_space(const Exec& exec,
                                                   const std::vector<Value>& values) {
  const auto result = new_view<Kokkos::View<Value*, Space>>(
      Kokkos::view_alloc(exec, "genten::to_space", Kokkos::WithoutInitializing), values.size());
  const Kokkos::View<const Value*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      values.data(), values.size());
  copy_view(exec, result, host);
  fence(exec, "genten::to_space");
  return result;
}

/// Several host arrays as Views in another memory space, by one copy.
template <class Space, ExecutionSpace Exec, class Value>
[[nodiscard]] std::vector<Kokkos::View<Value*, Space>> rows_to_space(
    const Exec& exec, const std::vector<std::vector<Value>>& rows) {
  std::vector<Value> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  const auto together = to_space<Space>(exec, all);
  std::vector<Kokkos::View<Value*, Space>> result;
  std::size_t begin = 0;
  for (const auto& row : rows) {
    result.push_back(Kokkos::subview(together, std::pair(begin, begin + row.size())));
    begin += row.size();
  }
  return result;
}

/// All elements of a factor, row by row.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>> element_policy(
    const Exec& exec, const FacMatrix<Scalar, Exec>& factor) {
  return Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(
      exec, 0, static_cast<offset_t>(factor.rows() * factor.columns()));
}

}  // namespace genten::detail
