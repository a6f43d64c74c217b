// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What runs have come to, as Python has it, and where they may run.

#include "arrays.hpp"
#include "follower.hpp"
#include "request.hpp"

#include <genten/run/report.hpp>
#include <genten/run/tucker_notes.hpp>

namespace genten::python {

using DeviceExec = Kokkos::DefaultExecutionSpace;
constexpr bool on_hosts_alone = std::is_same_v<DeviceExec, HostExec>;

/// Does a run go to a device? Throws Error for one that is asked for and is not there.
[[nodiscard]] bool use_device(const std::string& device);

/// All that there is to say of a run but its model, by the names of the tables of figures, those of
/// one solver alone under `own`.
[[nodiscard]] nb::dict report_dict(const RunReport& report, const Follower& follower);

/// The same of a Tucker decomposition.
[[nodiscard]] nb::dict figures_dict(const TuckerFigures& figures);

/// Each note as its code, its title, a sentence, and the numbers that it rests on.
[[nodiscard]] nb::list notes_list(const std::vector<Note>& notes);

/// The same of a result, with the request that it comes of. `settings` lacks what is known when the
/// run has ended.
template <ExecutionSpace Exec, class Result>
[[nodiscard]] nb::dict result_dict(const Result& result, const ComponentFacts& components,
                                   RunSettings settings, CpRequest request,
                                   const Follower& follower) {
  settings.is_interrupted = follower.interrupted() || follower.stopped();
  settings.by_callback = !follower.interrupted();
  const RunReport report = run_report(result, components, settings);
  nb::dict dict = report_dict(report, follower);
  dict["interrupted"] = follower.interrupted();
  dict["checkpoint_trouble"] = follower.checkpoint_trouble();
  dict["ridge_by_default"] = request.common().ridge.empty();
  take_ridge_used(report.own, request);
  const nb::dict asked = request_dict(request);
  dict["options"] = asked["options"];
  for (const char* name : {"loss", "loss_parameter", "solver"}) {
    if (!asked[name].is_none()) dict["options"][name] = asked[name];
  }
  dict["backend"] = Exec::name();
  return dict;
}

}  // namespace genten::python
