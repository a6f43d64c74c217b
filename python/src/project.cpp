// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "missing_entries.hpp"
#include "parts.hpp"
#include "request.hpp"
#include "runtime.hpp"
#include "tensor.hpp"
#include "tools/hints/empty_rows.hpp"
#include "tools/hints/new_rows.hpp"

#include <genten/cp/project_rows.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

namespace genten::python {
namespace {

using Factors = std::vector<AnyArray>;

ProjectOptions options_from(const nb::dict& given) {
  const auto number = [&](const char* name) { return nb::cast<double>(given[name]); };
  ProjectOptions options;
  options.constraint = {number("ridge"), number("l1"), number("lower"), number("upper")};
  options.loss_factor = number("loss_factor");
  options.scales = nb::cast<std::vector<double>>(given["scales"]);
  if (nb::cast<bool>(given["unlisted"])) options.unlisted = UnlistedEntries::missing;
  return options;
}

AnyLoss loss_from(const nb::dict& given) {
  if (const nb::object own = given["own_loss"]; !own.is_none()) {
    return own_loss_from(nb::cast<nb::dict>(own));
  }
  std::optional<double> parameter;
  if (const nb::object value = given["loss_parameter"]; !value.is_none()) {
    parameter = nb::cast<double>(value);
  }
  return AnyLoss::named(nb::cast<std::string>(given["loss"]), parameter);
}

nb::dict project(const Tensor& tensor, const PackedArray& weights, const Factors& factors, int mode,
                 const nb::dict& given, const Tensor* missing) {
  const ModelArrays arrays{weights, factors};
  const ProjectOptions options = options_from(given);
  const AnyLoss loss = loss_from(given);
  Projection<double, HostExec> found;
  std::string unit;
  tensor.visit_unchanging([&](const auto& any) {
    using Given = std::remove_cvref_t<decltype(any)>;
    if constexpr (std::is_same_v<typename Given::scalar_type, double>) {
      const HostExec host;
      const auto model = arrays.view<double>();
      const auto listed = missing_entries<double, typename Given::ordinal_type, HostExec>(missing);
      found = listed ? project_rows(host, model, any, *listed, mode, loss, options)
                     : project_rows(host, model, any, mode, loss, options);
      unit = tools::unit_note(model, found.model, any, mode, loss);
    } else {
      throw Error("project: expected a tensor of float64");
    }
  });
  nb::list rows;
  for (const ProjectedRow& row : found.rows) {
    rows.append(
        nb::make_tuple(row.entries, row.loss, row.explained, row.kkt, row.converged, row.listed));
  }
  const auto factor = found.model.factor(mode);
  nb::dict dict;
  dict["factor"] = nb::cast(show(factor, capsule_of(new Kept(factor))));
  dict["rows"] = rows;
  dict["far_worse_below"] = far_worse_than(found.rows);
  dict["unit"] = unit;
  dict["impossible"] = tools::impossible_note(found.rows);
  dict["dependent"] = found.dependent;
  dict["condition"] = found.condition;
  dict["out_of_range"] = found.out_of_range;
  return dict;
}

std::vector<double> scales(const PackedArray& weights, const Factors& factors, int mode,
                           const std::vector<std::vector<double>>& constraints) {
  const ModelArrays arrays{weights, factors};
  std::vector<RowConstraint> all;
  for (const auto& each : constraints) {
    all.push_back({each.at(0), each.at(1), each.at(2), each.at(3)});
  }
  return in_turn([&] { return column_scales(HostExec(), arrays.view<double>(), mode, all); });
}

}  // namespace

void bind_project(nb::module_& module) {
  module.def("project_rows", &project, nb::arg("tensor"), nb::arg("weights"), nb::arg("factors"),
             nb::arg("mode"), nb::arg("options"), nb::arg("missing").none() = nb::none(),
             "The factor of a mode for new slices, and (entries, loss, explained, kkt, converged, "
             "listed) of each row.");
  module.def("column_scales", &scales, nb::arg("weights"), nb::arg("factors"), nb::arg("mode"),
             nb::arg("constraints"));
  module.def(
      "empty_rows_note",
      [](std::size_t first, std::size_t empty, std::size_t rows, bool are_names) {
        return in_words(tools::empty_rows_note(first, empty, rows, are_names));
      },
      nb::arg("first"), nb::arg("empty"), nb::arg("rows"), nb::arg("are_names"));
}

}  // namespace genten::python
