// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Requests as Python dictionaries.

#include "options.hpp"

#include <genten/run/request.hpp>

#include <string>
#include <vector>

namespace genten {
struct EntryFacts;
}

namespace genten::python {

/// What a caller asks for: loss, loss_parameter, solver (None where they are not given), missing
/// (a word of MissingEntries) and options, a dictionary of those that are given; `resume` is the
/// file of a checkpoint, or "". Throws Error for what does not go together.
[[nodiscard]] CpRequest settled_request(const nb::dict& asked, const std::string& resume,
                                        bool on_host);

/// What `entry_facts` of Python says of a tensor.
[[nodiscard]] EntryFacts entry_facts(const nb::dict& asked);

/// A loss of a caller's functions, as `genten.Loss` describes it, as long as they live.
[[nodiscard]] AnyLoss own_loss_from(const nb::dict& told);

/// A request as `settled_request` has made it, with all options of its solver.
[[nodiscard]] nb::dict request_dict(const CpRequest& request);

/// The dtype of a checkpoint, and the request of its run.
[[nodiscard]] nb::dict checkpoint_facts(const std::string& path);

/// A dictionary for each option of the solvers, as `option_table` has them, with `solvers`: the
/// default of each solver that has it.
[[nodiscard]] nb::list request_table();

/// The names of the losses, with what they mean.
[[nodiscard]] nb::dict loss_table();

}  // namespace genten::python
