// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "tools/hints/large_rank.hpp"

#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/options.hpp>
#include <genten/io/options.hpp>

namespace genten::python {
namespace {

std::string why_too_large(std::size_t rank, const std::vector<std::size_t>& shape, bool chosen) {
  return tools::why_too_large(rank, shape, chosen);
}

}  // namespace

void bind_options(nb::module_& module) {
  module.def("cp_als_options", &option_table<CpAlsOptions>, "The options of CP-ALS, a line each.");
  module.def("cp_apr_options", &option_table<CpAprOptions>, "The options of CP-APR, a line each.");
  module.def("cp_completion_options", &option_table<CpCompletionOptions>,
             "The options where cells are missing, a line each.");
  module.def("why_too_large", &why_too_large, nb::arg("rank"), nb::arg("shape"), nb::arg("chosen"),
             "Why a rank is too large for a shape, as the end of a sentence; empty: it is not.");
  module.def("read_options", &option_table<ReadOptions>, "The options of reading, a line each.");
  module.def("write_options", &option_table<WriteOptions>, "The options of writing, a line each.");
}

}  // namespace genten::python
