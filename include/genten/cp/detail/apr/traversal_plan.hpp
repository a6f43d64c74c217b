// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Plans for traversals with a functor.

#include <genten/base/detail/eti.hpp>
#include <genten/cp/detail/apr/multiplicative.hpp>
#include <genten/mttkrp/kernel_list.hpp>
#include <genten/mttkrp/plan.hpp>

#include <algorithm>
#include <limits>

namespace genten::detail {

/// A plan for traversals: by the kernel that is asked for or, for `auto`, by the first that takes
/// the tensor and fits into so many bytes, within what the options allow.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] MttkrpPlan<Scalar, Ordinal, Exec> make_traversal_plan(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
    MttkrpOptions options, double available) {
  using Plan = MttkrpPlan<Scalar, Ordinal, Exec>;
  // Nothing is no limit to the plan, though one byte is as little.
  available = std::clamp(available, 1.0, std::numeric_limits<double>::max());
  const double limit = options.memory_limit;
  options.memory_limit = limit > 0.0 ? std::min(limit, available) : available;
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

/// The traversals of counts, which take longer to compile than all that calls them.
#define GENTEN_ETI_COUNT_WALK(PREFIX, SCALAR, EXEC)                   \
  GENTEN_ETI_WALK(PREFIX, SCALAR, EXEC, genten::PoissonRatio<SCALAR>) \
  GENTEN_ETI_WALK(PREFIX, SCALAR, EXEC, genten::detail::TruncatedRatio<SCALAR>)
#define GENTEN_ETI_WALK(PREFIX, SCALAR, EXEC, ...)                                            \
  PREFIX template void genten::MttkrpPlan<SCALAR, genten::RowNumber, EXEC>::execute_with(     \
      const EXEC&, const __VA_ARGS__&, std::span<const genten::FacMatrix<SCALAR, EXEC>>, int, \
      const genten::FacMatrix<SCALAR, EXEC>&, const genten::FactorVersions&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_COUNT_WALK, extern)
#endif
