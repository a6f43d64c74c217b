// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What runs have come to, as Python has it, and where they may run.

#include "arrays.hpp"
#include "follower.hpp"
#include "options.hpp"

#include <genten/cp/cp_als.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/loss.hpp>

namespace genten::python {

using DeviceExec = Kokkos::DefaultExecutionSpace;

/// Does a run go to a device? Throws Error for one that is asked for and is not there.
[[nodiscard]] bool use_device(const std::string& device);

/// A dictionary of arrays, one for each number of a record.
[[nodiscard]] nb::dict history_dict(const std::vector<IterationRecord>& records);
/// A dictionary for each start.
[[nodiscard]] nb::list starts_list(const std::vector<StartRecord>& starts,
                                   const Follower& follower);
/// (name, why, memory) of each kernel that was not taken.
[[nodiscard]] nb::list refused_list(const KernelChoice& choice);

/// What one solver alone has to say.
template <RealScalar Scalar, ExecutionSpace Exec>
void add_own(nb::dict& dict, const CpAlsResult<Scalar, Exec>& result) {
  dict["residual_route"] = std::string(to_string(result.residual_route));
  dict["kernel_description"] = result.kernel_description;
  dict["kernel_allowed_bytes"] = result.kernel_choice.allowed;
  dict["refused_kernels"] = refused_list(result.kernel_choice);
  dict["rank_deficient_solves"] = result.rank_deficient_solves;
  dict["momentum_restarts"] = result.momentum_restarts;
  dict["mttkrp_gflops"] = result.mttkrp_gflops;
  dict["mttkrp_gbytes"] = result.mttkrp_gbytes;
  dict["deviance"] = nb::none();
  dict["inner_iterations"] = nb::none();
}
template <RealScalar Scalar, ExecutionSpace Exec>
void add_own(nb::dict& dict, const CpAprResult<Scalar, Exec>& result) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  dict["residual_route"] = std::string(to_string(ResidualRoute::identity));
  dict["kernel_description"] = result.kernel;
  dict["kernel_allowed_bytes"] = 0.0;
  dict["refused_kernels"] = nb::list();
  dict["rank_deficient_solves"] = 0;
  dict["momentum_restarts"] = 0;
  dict["mttkrp_gflops"] = nothing;
  dict["mttkrp_gbytes"] = nothing;
  dict["deviance"] = result.deviance;
  dict["inner_iterations"] = result.inner_iterations;
}
template <RealScalar Scalar, ExecutionSpace Exec>
void add_own(nb::dict& dict, const CpCompletionResult<Scalar, Exec>& result) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  dict["residual_route"] = std::string(to_string(ResidualRoute::identity));
  dict["kernel_description"] = result.kernel;
  dict["kernel_allowed_bytes"] = 0.0;
  dict["refused_kernels"] = nb::list();
  dict["rank_deficient_solves"] = result.rank_deficient_solves;
  dict["momentum_restarts"] = 0;
  dict["mttkrp_gflops"] = nothing;
  dict["mttkrp_gbytes"] = nothing;
  dict["deviance"] = nb::none();
  dict["inner_iterations"] = nb::none();
  nb::dict completion;
  completion["cells"] = nb::steal(PyLong_FromDouble(result.cells));  // of any size
  completion["rmse"] = result.rmse;
  completion["returned_iteration"] = result.returned_iteration;
  completion["ridge"] = nb::cast(result.ridge);
  completion["empty_rows"] = result.empty_rows;
  completion["weight_ratio"] = result.weight_ratio;
  completion["degenerate_components"] = result.degenerate_components;
  dict["completion"] = completion;
  if (result.holdout.cells != 0) {
    nb::dict holdout;
    holdout["rmse"] = result.holdout.rmse;
    holdout["mae"] = result.holdout.mae;
    holdout["cells"] = result.holdout.cells;
    dict["holdout"] = holdout;
  }
}

/// All that there is to say of a run but its model.
template <ExecutionSpace Exec, class Result, class Options>
[[nodiscard]] nb::dict result_dict(const Result& result, const Options& options, Loss loss,
                                   const Follower& follower) {
  nb::dict dict;
  add_own(dict, result);
  dict["fit"] = result.fit;
  dict["residual_norm"] = result.residual_norm;
  dict["objective"] = result.objective;
  dict["penalty"] = result.penalty;
  dict["kkt_violation"] = result.kkt_violation;
  dict["zero_components"] = result.zero_components;
  dict["residual_error"] = result.residual_error;
  dict["residual_is_certain"] = result.residual_is_certain();
  dict["tensor_norm"] = result.tensor_norm;
  dict["tolerance_above_fit"] = result.tolerance_above_fit;
  dict["stop_reason"] = std::string(to_string(result.stop_reason));
  dict["interrupted"] = follower.interrupted();
  dict["iterations"] = result.iterations;
  dict["history"] = history_dict(result.history);
  dict["starts"] = starts_list(result.starts, follower);
  dict["best_start"] = result.best_start;
  nb::dict timings;
  for (const PhaseTiming& phase : result.timings) timings[phase.name.c_str()] = phase.seconds;
  dict["timings"] = timings;
  dict["kernel"] = result.kernel;
  dict["checkpoint_trouble"] = follower.checkpoint_trouble();
  dict["options"] = options_dict(options);
  dict["options"]["loss"] = std::string(to_string(loss));
  dict["backend"] = Exec::name();
  return dict;
}

}  // namespace genten::python
