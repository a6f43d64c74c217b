// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Plans for walks with a functor.

#include <genten/base/detail/eti.hpp>
#include <genten/cp/detail/apr/multiplicative.hpp>
#include <genten/mttkrp/plan.hpp>

namespace genten::detail {

/// A plan for walks: by the kernel that is asked for or, for `auto`, by the first that takes the
/// tensor and fits into memory.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] MttkrpPlan<Scalar, Ordinal, Exec> make_walk_plan(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
    MttkrpOptions options) {
  using Plan = MttkrpPlan<Scalar, Ordinal, Exec>;
  if (options.kernel != "auto") return Plan(exec, tensor, rank, options);
  if constexpr (is_host_space<Exec>) {
    try {
      options.kernel = kernels::Sorted::name;
      return Plan(exec, tensor, rank, options);
    } catch (const Error&) {  // subscripts of more bits than it packs, or too little memory
    }
  }
  options.kernel = kernels::Atomic::name;
  return Plan(exec, tensor, rank, options);
}

}  // namespace genten::detail

/// The walk of counts, which takes longer to compile than all that calls it.
#define GENTEN_ETI_COUNT_WALK(PREFIX, SCALAR, ORDINAL, EXEC)                    \
  PREFIX template void genten::MttkrpPlan<SCALAR, ORDINAL, EXEC>::execute_with( \
      const EXEC&, const genten::detail::PoissonRatio<SCALAR>&,                 \
      std::span<const genten::FacMatrix<SCALAR, EXEC>>, int,                    \
      const genten::FacMatrix<SCALAR, EXEC>&, const genten::FactorVersions&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_COUNT_WALK, extern)
#endif
