// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Random factor matrices.

#include <genten/core/columns.hpp>
#include <genten/core/factor_kind.hpp>
#include <genten/core/random.hpp>

namespace genten {

/// Element (i, j) becomes a random number that depends on (seed, mode, row_number(i), j) alone, so
/// that it is the same for every number of threads, however the rows are stored and, up to
/// rounding, in float and double. Uniform ones are the same on every backend, normal ones up to the
/// rounding of its logarithm and cosine. `row_number` is callable on the device, e.g. a View: where
/// a factor keeps some rows of a longer one, their numbers there. Padding is not written.
template <RealScalar Scalar, ExecutionSpace Exec, class RowNumber = SameRow>
void fill_random(const Exec& exec, const FacMatrix<Scalar, Exec>& factor, std::uint64_t seed,
                 int mode, FactorKind kind, const RowNumber& row_number = {}) {
  const bool normal = kind == FactorKind::normal;
  const auto columns = static_cast<offset_t>(factor.columns());
  const auto stream = static_cast<std::uint64_t>(mode);
  Kokkos::parallel_for(
      "genten::fill_random", detail::element_policy(exec, factor),
      KOKKOS_LAMBDA(const offset_t index) {
        const auto i = static_cast<std::size_t>(index / columns);
        const auto j = static_cast<std::uint64_t>(index % columns);
        const auto row = static_cast<std::uint64_t>(row_number(i));
        factor(i, j) = static_cast<Scalar>(normal ? random_normal(seed, stream, row, j)
                                                  : random_uniform(seed, stream, row, j));
      });
  detail::fence(exec, "genten::fill_random");
}

}  // namespace genten

#define GENTEN_ETI_FILL_RANDOM(PREFIX, SCALAR, EXEC)                                            \
  PREFIX template void genten::fill_random(const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&, \
                                           std::uint64_t, int, genten::FactorKind,              \
                                           const genten::SameRow&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_FILL_RANDOM, extern)
#endif
