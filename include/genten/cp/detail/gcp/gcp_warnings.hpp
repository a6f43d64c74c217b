// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Whether there is a minimum: slices that have none, and models that look as if there were none.

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/detail/entries_by_row.hpp>
#include <genten/cp/gcp_warning.hpp>
#include <genten/cp/losses/any_loss.hpp>
#include <genten/dense/row_constraint.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace genten::detail {

/// By mode and row, the entries that count: the listed ones alone, or all but the missing ones.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<EntriesByRow<Exec>> counted_by_row(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>* missing, bool unlisted_are_missing) {
  if (unlisted_are_missing) return listed_by_row(exec, tensor, EveryEntry());
  std::vector<EntriesByRow<Exec>> by_mode;
  if (missing != nullptr) by_mode = listed_by_row(exec, *missing, EveryEntry());
  double all = 1.0;
  for (const std::size_t length : tensor.dimensions()) all *= static_cast<double>(length);
  for (int n = 0; n < tensor.order(); ++n) {
    if (missing == nullptr) {
      by_mode.push_back(
          new_view<EntriesByRow<Exec>>("genten::entries_by_row", tensor.dimension(n)));
    }
    const auto counts = by_mode[static_cast<std::size_t>(n)];
    const double slice = all / static_cast<double>(tensor.dimension(n));
    Kokkos::parallel_for(
        "genten::counted_by_row",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, counts.extent(0)),
        KOKKOS_LAMBDA(const std::size_t i) { counts(i) = slice - counts(i); });
  }
  fence(exec, "genten::counted_by_row");
  return by_mode;
}

/// How many rows have no entry that counts.
template <ExecutionSpace Exec>
[[nodiscard]] offset_t count_empty_rows(const Exec& exec, const EntriesByRow<Exec>& counted) {
  return chunked_reduce<offset_t>(
      "genten::empty_rows", exec, static_cast<offset_t>(counted.extent(0)),
      KOKKOS_LAMBDA(const offset_t i) { return offset_t{counted(i) == 0.0 ? 1 : 0}; });
}

/// By mode, whether nothing keeps elements from growing without end, downwards and upwards.
struct OpenModes {
  std::vector<bool> down, up;

  [[nodiscard]] bool any() const {
    const auto has = [](const std::vector<bool>& modes) {
      return std::find(modes.begin(), modes.end(), true) != modes.end();
    };
    return has(down) || has(up);
  }
  void add(const LossFacts& loss, const RowConstraint& bounds, bool is_open) {
    down.push_back(is_open && loss.grows_on_zeros && bounds.lower == -RowConstraint::none);
    up.push_back(is_open && loss.grows_on_ones && bounds.upper == RowConstraint::none);
  }
};

/// Slices of open modes in which a loss lets elements grow without end.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<GcpWarning> slice_warnings(const Exec& exec,
                                                     const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                                     const Sptensor<Scalar, Ordinal, Exec>* missing,
                                                     bool unlisted_are_missing,
                                                     const OpenModes& open) {
  std::vector<GcpWarning> warnings;
  if (!open.any()) return warnings;
  const auto nonzeros_by_mode = listed_by_row(exec, tensor, NonzerosAlone{tensor.values()});
  const auto counted_by_mode = counted_by_row(exec, tensor, missing, unlisted_are_missing);
  const auto on_host = [](const auto& counts) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  };
  for (std::size_t n = 0; n < open.up.size(); ++n) {
    if (!open.down[n] && !open.up[n]) continue;
    const auto nonzeros = on_host(nonzeros_by_mode[n]), counted = on_host(counted_by_mode[n]);
    double zero_slices = 0.0, full_slices = 0.0;
    for (std::size_t i = 0; i < nonzeros.extent(0); ++i) {
      zero_slices += counted(i) > 0.0 && nonzeros(i) == 0.0 ? 1.0 : 0.0;
      full_slices += counted(i) > 0.0 && nonzeros(i) == counted(i) ? 1.0 : 0.0;
    }
    const int mode = static_cast<int>(n);
    if (open.down[n] && zero_slices > 0.0) {
      warnings.push_back({GcpDoubt::zero_slices, mode, zero_slices});
    }
    if (open.up[n] && full_slices > 0.0) {
      warnings.push_back({GcpDoubt::full_slices, mode, full_slices});
    }
  }
  return warnings;
}

/// Slices of whose entries all are listed and not 0.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<GcpWarning> full_slices(const Exec& exec,
                                                  const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  std::vector<GcpWarning> warnings;
  for (int n = 0; n < tensor.order(); ++n) {
    double slice = 1.0;
    for (int m = 0; m < tensor.order(); ++m) {
      if (m != n) slice *= static_cast<double>(tensor.dimension(m));
    }
    if (static_cast<double>(tensor.nnz()) < slice) continue;
    const auto nonzeros =
        listed_by_row(exec, tensor, NonzerosAlone{tensor.values()})[static_cast<std::size_t>(n)];
    const auto full = chunked_reduce<offset_t>(
        "genten::full_slices", exec, static_cast<offset_t>(nonzeros.extent(0)),
        KOKKOS_LAMBDA(const offset_t i) { return offset_t{nonzeros(i) == slice ? 1 : 0}; });
    if (full != 0) warnings.push_back({GcpDoubt::full_slices, n, static_cast<double>(full)});
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
