// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// The extension module: what the Python package asks of the library. Not API: the package is.

#include "options.hpp"
#include "parts.hpp"
#include "tensor.hpp"

NB_MODULE(_core, module) {
  using namespace genten::python;
  module.doc() = "What the package genten asks of the library. Not for use by others.";
  // What daemon threads hold when the interpreter ends is never freed, which is no news to a user.
  nb::set_leak_warnings(false);
  bind_runtime(module);
  bind_options(module);
  bind_tensor(module);
  bind_models(module);
  bind_generate(module);
  bind_project(module);
  bind_losses(module);
  bind_solvers(module);
  bind_tucker(module);
  bind_choose_rank(module);
  bind_stream(module);
  bind_processes(module);
  bind_files(module);
}
