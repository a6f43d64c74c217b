// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The parts of the module.

#include "runtime.hpp"

namespace genten::python {

void bind_files(nb::module_& module);
void bind_losses(nb::module_& module);
void bind_models(nb::module_& module);
void bind_generate(nb::module_& module);
void bind_project(nb::module_& module);
void bind_choose_rank(nb::module_& module);
void bind_processes(nb::module_& module);
void bind_solvers(nb::module_& module);
void bind_stream(nb::module_& module);
void bind_tucker(nb::module_& module);

}  // namespace genten::python
