// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Whether there is a minimum: slices that have none, and models that look as if there were none.

#include <genten/cp/detail/gcp/gcp_problem.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace genten::detail {

/// By row of a mode, the listed entries, or those of them that are not 0.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] EntriesByRow<Exec> listed_by_row(const Exec& exec,
                                               const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                               int mode, bool nonzeros_alone) {
  const auto counts =
      new_view<EntriesByRow<Exec>>("genten::entries_by_row", tensor.dimension(mode));
  const auto subscripts = tensor.subscripts();
  const auto values = tensor.values();
  Kokkos::parallel_for(
      "genten::entries_by_row",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
      KOKKOS_LAMBDA(const offset_t p) {
        if (nonzeros_alone && values(p) == Scalar(0)) return;
        Kokkos::atomic_add(&counts(subscripts(p, mode)), 1.0);
      });
  fence(exec, "genten::entries_by_row");
  return counts;
}

/// By row of a mode, the entries that count: the listed ones alone, or all but the missing ones.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] EntriesByRow<Exec> counted_by_row(const Exec& exec,
                                                const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                                const Sptensor<Scalar, Ordinal, Exec>* missing,
                                                int mode, bool unlisted_are_missing) {
  if (unlisted_are_missing) return listed_by_row(exec, tensor, mode, false);
  const auto counts = missing == nullptr ? new_view<EntriesByRow<Exec>>("genten::entries_by_row",
                                                                        tensor.dimension(mode))
                                         : listed_by_row(exec, *missing, mode, false);
  double slice = 1.0;
  for (int n = 0; n < tensor.order(); ++n) {
    if (n != mode) slice *= static_cast<double>(tensor.dimension(n));
  }
  Kokkos::parallel_for(
      "genten::counted_by_row",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, counts.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) { counts(i) = slice - counts(i); });
  fence(exec, "genten::counted_by_row");
  return counts;
}

/// How many rows have no entry that counts.
template <ExecutionSpace Exec>
[[nodiscard]] offset_t count_empty_rows(const Exec& exec, const EntriesByRow<Exec>& counted) {
  return chunked_reduce<offset_t>(
      "genten::empty_rows", exec, static_cast<offset_t>(counted.extent(0)),
      KOKKOS_LAMBDA(const offset_t i) { return offset_t{counted(i) == 0.0 ? 1 : 0}; });
}

/// Slices of free modes without a penalty whose elements a loss lets grow without end.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<GcpWarning> slice_warnings(const Exec& exec,
                                                     const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                                     const Sptensor<Scalar, Ordinal, Exec>* missing,
                                                     const GcpProblem<Scalar, Exec>& problem) {
  std::vector<GcpWarning> warnings;
  for (int n = 0; n < problem.order(); ++n) {
    const auto mode = static_cast<std::size_t>(n);
    const RowConstraint& bounds = problem.constraints[mode];
    const bool open = problem.is_free[mode] && !problem.is_penalized(mode);
    const bool down = open && problem.loss.grows_on_zeros && bounds.lower == -RowConstraint::none;
    const bool up = open && problem.loss.grows_on_ones && bounds.upper == RowConstraint::none;
    if (!down && !up) continue;
    const auto on_host = [](const auto& counts) {
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
    };
    const auto nonzeros = on_host(listed_by_row(exec, tensor, n, true));
    const auto counted =
        on_host(counted_by_row(exec, tensor, missing, n, problem.unlisted_are_missing));
    double zero_slices = 0.0, full_slices = 0.0;
    for (std::size_t i = 0; i < problem.dimensions[mode]; ++i) {
      zero_slices += counted(i) > 0.0 && nonzeros(i) == 0.0 ? 1.0 : 0.0;
      full_slices += counted(i) > 0.0 && nonzeros(i) == counted(i) ? 1.0 : 0.0;
    }
    if (down && zero_slices > 0.0) warnings.push_back({GcpDoubt::zero_slices, n, zero_slices});
    if (up && full_slices > 0.0) warnings.push_back({GcpDoubt::full_slices, n, full_slices});
  }
  return warnings;
}

/// The largest magnitude that elements of these sizes can give the model a value of.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double largest_possible_value(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  std::vector<double> sizes = host_weights(exec, model);
  for (const auto& factor : model.factors()) {
    const auto largest = column_norms(exec, factor, NormKind::inf);
    for (std::size_t r = 0; r < sizes.size(); ++r) sizes[r] *= largest[r];
  }
  double sum = 0.0;
  for (const double size : sizes) sum += std::abs(size);
  return sum;
}

/// Whether a loss that may have no minimum is flat where the model is: then elements may have grown
/// until the tolerance was met.
[[nodiscard]] inline bool is_flat_at(const AnyLoss& loss, double largest) {
  constexpr double flat = 1e-8;
  const LossFacts& facts = loss.facts();
  return (facts.grows_on_zeros && std::abs(loss.slope(0.0, -largest)) < flat) ||
         (facts.grows_on_ones && std::abs(loss.slope(1.0, largest)) < flat);
}

}  // namespace genten::detail
