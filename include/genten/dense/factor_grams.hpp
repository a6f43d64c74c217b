// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Gram matrices of the factors of a finished model, by the pass over rows that sweeps make.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/dense/factor_update.hpp>

namespace genten {

/// In double, where the host reads them. For factors of `rank` columns and at most `most_rows`
/// rows, padded as Genten pads them.
template <RealScalar Scalar, ExecutionSpace Exec>
class FactorGrams {
 public:
  FactorGrams(std::size_t rank, std::size_t most_rows) : m_pass(rank, most_rows), m_rank(rank) {}

  /// Whether rows are padded so.
  [[nodiscard]] static bool takes(const FacMatrix<Scalar, Exec>& factor) {
    return factor.stride() == padded_stride(factor.columns(), sizeof(Scalar));
  }
  /// A^T A, after a fence on `exec`; on hosts with the same bits for every number of threads.
  [[nodiscard]] HostMatrix of(const Exec& exec, const FacMatrix<Scalar, Exec>& factor) {
    const HostMatrix gram("genten::gram", m_rank, m_rank);
    if (factor.rows() == 0) return gram;
    m_pass.measure(exec, factor);
    detail::fence(exec, "genten::factor_grams");
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t q = 0; q < m_rank; ++q) gram(r, q) = m_pass.gram()(r, q);
    }
    return gram;
  }

 private:
  FactorUpdate<Scalar, Exec> m_pass;
  std::size_t m_rank;
};

}  // namespace genten
