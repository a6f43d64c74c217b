// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Relabeling: new numbers for the rows of each mode, such that only rows with nonzeros have one
/// and the busiest come first.

#include <genten/core/fac_matrix.hpp>
#include <genten/core/sptensor.hpp>

namespace genten {

/// For each mode, the rows that have nonzeros, by descending number of them (ties in their order).
///
/// Rows without nonzeros have a zero MTTKRP and need no work, so a solver may run on the relabeled
/// tensor, whose modes are as long as there are rows in use. Busy rows side by side share cache
/// lines and pages, which the gathers of MTTKRP feel. A tensor without nonzeros keeps its rows.
template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class Relabeling {
 public:
  using Rows = Kokkos::View<Ordinal*, typename Exec::memory_space>;

  /// Counts the nonzeros of every slice and numbers the rows. Deterministic.
  template <RealScalar Scalar>
  Relabeling(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor);

  /// The tensor with the new subscripts; its values are shared.
  template <RealScalar Scalar>
  [[nodiscard]] Sptensor<Scalar, Ordinal, Exec> apply(
      const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor) const;

  /// By new row number of a mode, the row of the original tensor.
  [[nodiscard]] const Rows& original_rows(int mode) const {
    return m_original[static_cast<std::size_t>(mode)];
  }
  /// Lengths of the relabeled modes.
  [[nodiscard]] std::vector<std::size_t> dimensions() const {
    std::vector<std::size_t> result;
    for (const Rows& rows : m_original) result.push_back(rows.extent(0));
    return result;
  }

  /// narrow(i, :) = wide(original_rows(mode)(i), :).
  template <RealScalar Scalar>
  void gather_rows(const Exec& exec, int mode, const FacMatrix<Scalar, Exec>& wide,
                   const FacMatrix<Scalar, Exec>& narrow) const;
  /// wide(original_rows(mode)(i), :) = narrow(i, :); other rows of `wide` stay.
  template <RealScalar Scalar>
  void scatter_rows(const Exec& exec, int mode, const FacMatrix<Scalar, Exec>& narrow,
                    const FacMatrix<Scalar, Exec>& wide) const;

 private:
  std::vector<Rows> m_original;
};

}  // namespace genten

#include <genten/detail/relabeling_impl.hpp>
