// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/options.hpp>
#include <genten/io/options.hpp>

namespace genten::python {

void bind_options(nb::module_& module) {
  module.def("cp_als_options", &option_table<CpAlsOptions>, "The options of CP-ALS, a line each.");
  module.def("cp_apr_options", &option_table<CpAprOptions>, "The options of CP-APR, a line each.");
  module.def("cp_completion_options", &option_table<CpCompletionOptions>,
             "The options where cells are missing, a line each.");
  module.def("read_options", &option_table<ReadOptions>, "The options of reading, a line each.");
  module.def("write_options", &option_table<WriteOptions>, "The options of writing, a line each.");
}

}  // namespace genten::python
