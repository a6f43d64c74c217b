// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "request.hpp"

#include "tools/hints/large_rank.hpp"

#include <genten/cp/losses/any_loss.hpp>
#include <genten/cp/options.hpp>
#include <genten/io/options.hpp>

namespace genten::python {
namespace {

using Shape = std::vector<std::size_t>;

std::string why_too_large(std::size_t rank, const Shape& shape, bool chosen, bool constrained) {
  return tools::why_too_large(rank, shape, {chosen, constrained});
}
std::size_t small_rank(const Shape& shape) {
  return tools::small_rank(shape);
}

}  // namespace

void bind_options(nb::module_& module) {
  module.def("cp_als_options", &option_table<CpAlsOptions>, "The options of CP-ALS, a line each.");
  module.def("cp_options", &request_table, "The options of all solvers, a line each.");
  module.def("losses", &loss_table, "The losses by name, with what they mean.");
  module.def(
      "default_ridge",
      [](const std::string& loss, std::optional<double> parameter) {
        return AnyLoss::named(loss, parameter).facts().default_ridge;
      },
      nb::arg("loss"), nb::arg("parameter").none(), "The ridge of a loss unless another is given.");
  module.def(
      "lower_bound",
      [](const std::string& loss) { return AnyLoss::named(loss, std::nullopt).facts().lower; },
      nb::arg("loss"), "The least that elements of factors may be under a loss.");
  module.def("why_too_large", &why_too_large, nb::arg("rank"), nb::arg("shape"), nb::arg("chosen"),
             nb::arg("constrained"),
             "Why a rank is too large for a shape, as the end of a sentence; empty: it is not.");
  module.def("small_rank", &small_rank, nb::arg("shape"), "A rank that is not too large.");
  module.def("read_options", &option_table<ReadOptions>, "The options of reading, a line each.");
  module.def("write_options", &option_table<WriteOptions>, "The options of writing, a line each.");
}

}  // namespace genten::python
