// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What runs have come to, as Python has it, and where they may run.

#include "arrays.hpp"
#include "follower.hpp"
#include "options.hpp"

#include <genten/cp/loss.hpp>
#include <genten/run/report.hpp>
#include <genten/run/tucker_notes.hpp>

namespace genten::python {

using DeviceExec = Kokkos::DefaultExecutionSpace;

/// Does a run go to a device? Throws Error for one that is asked for and is not there.
[[nodiscard]] bool use_device(const std::string& device);

/// All that there is to say of a run but its model, by the names of the tables of figures, those of
/// one solver alone under `own`.
[[nodiscard]] nb::dict report_dict(const RunReport& report, const Follower& follower);

/// The same of a Tucker decomposition.
[[nodiscard]] nb::dict figures_dict(const TuckerFigures& figures);

/// Each note as its code, its title, a sentence, and the numbers that it rests on.
[[nodiscard]] nb::list notes_list(const std::vector<Note>& notes);

/// The same of a result, with its options. `settings` lacks what is known when the run has ended.
template <ExecutionSpace Exec, class Result, class Options>
[[nodiscard]] nb::dict result_dict(const Result& result, const ComponentFacts& components,
                                   RunSettings settings, const Options& options, Loss loss,
                                   const Follower& follower) {
  settings.is_interrupted = follower.interrupted() || follower.stopped();
  settings.by_callback = !follower.interrupted();
  nb::dict dict = report_dict(run_report(result, components, settings), follower);
  dict["interrupted"] = follower.interrupted();
  dict["checkpoint_trouble"] = follower.checkpoint_trouble();
  dict["options"] = options_dict(options);
  dict["options"]["loss"] = std::string(to_string(loss));
  dict["backend"] = Exec::name();
  return dict;
}

}  // namespace genten::python
