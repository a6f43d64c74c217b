// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How a caller follows and ends a solver's run.

#include <genten/core/ktensor.hpp>
#include <genten/cp/run_state.hpp>
#include <genten/cp/stop.hpp>
#include <genten/io/checkpoint.hpp>

#include <functional>
#include <optional>

namespace genten {

/// What an observer wants the solver to do next.
enum class ObserverAction { proceed, stop };

/// What an observer sees after an iteration. Valid only during the call.
template <class Model>
struct Iteration {
  std::size_t start = 0;          ///< which of several starts, from 0
  const IterationRecord& record;  ///< what this iteration has reached
  /// Why no other follows, of this start; none where one does unless the observer ends the run.
  std::optional<StopReason> ends;
  /// Makes the model of the start as it stands; costs a copy of all factors.
  std::function<Model()> model;
  /// Makes a checkpoint, from which the run can go on as if it had not ended; costs a copy more of
  /// all factors of every start that goes on. Its model is the best of all starts so far, those
  /// included whose last iteration is still to be shown. Empty for solvers that have none.
  std::function<Checkpoint<Model>()> checkpoint;
};

/// Called after every iteration whose fit is finite, in the thread that called the solver.
/// Progress, logging, checkpoints and interruption are observers; solvers know none of them. Empty:
/// nothing is observed.
///
/// A solver may iterate several starts at once: then it does one iteration of each, and shows these
/// in the order of the starts before it goes on. An observer that wants to stop
/// ends all starts: it still sees the iterations of this turn that it has not seen, whose `ends`
/// says so.
template <class Model>
using Observer = std::function<ObserverAction(const Iteration<Model>&)>;

/// The observer of solvers whose models are CP models.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
using KtensorObserver = Observer<Ktensor<Scalar, Exec>>;
/// What such an observer is given.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
using KtensorIteration = Iteration<Ktensor<Scalar, Exec>>;

}  // namespace genten
