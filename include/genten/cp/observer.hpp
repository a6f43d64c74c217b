// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How a caller follows and ends a CP-ALS run.

#include <genten/cp/result.hpp>

#include <functional>

namespace genten {

/// What an observer wants the solver to do next.
enum class ObserverAction { proceed, stop };

/// What an observer sees after an iteration. Valid only during the call.
template <RealScalar Scalar, ExecutionSpace Exec>
struct CpAlsIteration {
  std::size_t start = 0;          ///< which random start, from 0
  const IterationRecord& record;  ///< this iteration's figures
  double tensor_norm = 0.0;       ///< ||X||
  /// Makes a normalized deep copy of the current model; costs a copy of all factors.
  std::function<Ktensor<Scalar, Exec>()> model;
};

/// Called after every iteration, in the thread that called cp_als. Progress, logging, checkpoints
/// and interruption are observers; the solver knows none of them. Empty: nothing is observed.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
using CpAlsObserver = std::function<ObserverAction(const CpAlsIteration<Scalar, Exec>&)>;

}  // namespace genten
