// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Whether a checkpoint is one of the run that is to go on.

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/starts/starts_state.hpp>
#include <genten/cp/options.hpp>

#include <string>

namespace genten::detail {

/// Throws Error unless the options are those of the checkpoint, but for those of
/// may_change_on_resume. Compiled into the library for the options of its solvers.
template <class Options>
void check_same_options(const Options& saved, const Options& options);

/// Throws Error unless the tensor is that of the checkpoint.
void check_same_tensor(const TensorFingerprint& saved, const TensorFingerprint& tensor);

/// Throws Error, with the name of the solver, unless the checkpoint's state is of a run with these
/// options that has come to this model.
template <class State, class Model, class Options>
void check_same_run(const char* solver, const State& state, const Model& model,
                    const Options& options) {
  check_same_options(state.task.options, options);
  if (model.dimensions() == state.task.tensor.dimensions && model.rank() == options.rank &&
      state.starts.are_of(options.starts)) {
    return;
  }
  throw Error::in(solver, "the model and the state of the checkpoint do not belong together")
      .as(Error::Code::checkpoint);
}

}  // namespace genten::detail
