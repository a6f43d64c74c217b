// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// genten decompose on the ranks of a launcher: what differs from one process.

#include "decompose.hpp"
#include "tools/launch/on_ranks.hpp"
#include "tools/launch/rank_report.hpp"

#include <genten/dist/cp_als.hpp>

namespace genten::cli {

/// Throws a usage error for what needs one process, or several ranks, and has the other.
void require_options_for_ranks(const DecomposeOptions& options);

/// The signal that was noted here or, if there was none, on the first rank that noted one; 0: none
/// did. All ranks call it.
[[nodiscard]] int signal_of_any_rank();

/// A tensor that several ranks have, as the tool's solvers take it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct RanksTensor {
  using scalar_type = Scalar;
  DistributedTensor<Scalar, Ordinal> parts;
};
template <class Scalar, class Ordinal>
RanksTensor(DistributedTensor<Scalar, Ordinal>) -> RanksTensor<Scalar, Ordinal>;

/// Least squares on several ranks.
struct RanksSolver {
  static constexpr bool has_checkpoints = true;
  RankModule& module;
  RankOptions how = {};

  static CpAlsOptions& options_of(DecomposeOptions& options) { return options.als; }
  auto saved_options(const auto& checkpoint) const {
    return checkpoint_options(module.ranks(), checkpoint);
  }
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, class Model, class Observer>
  auto run(const RanksTensor<Scalar, Ordinal>& tensor, const Checkpoint<Model>& checkpoint,
           const CpAlsOptions& options, const Observer& observer) const {
    using Exec = Kokkos::DefaultExecutionSpace;
    return cp_als(Exec(), module.ranks(), tensor.parts, checkpoint, options, observer, how);
  }
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, class Observer>
  auto run(const RanksTensor<Scalar, Ordinal>& tensor, const CpAlsOptions& options,
           const Observer& observer) const {
    using Exec = Kokkos::DefaultExecutionSpace;
    return cp_als(Exec(), module.ranks(), tensor.parts, options, observer, nullptr, how);
  }
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, class Guess, class Observer>
  auto run(const RanksTensor<Scalar, Ordinal>& tensor, const Guess& guess,
           const CpAlsOptions& options, const Observer& observer) const {
    using Exec = Kokkos::DefaultExecutionSpace;
    return cp_als(Exec(), module.ranks(), tensor.parts, options, observer, &guess, how);
  }
};

}  // namespace genten::cli
