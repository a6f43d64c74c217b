// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// Losses as functions of arrays, and how models meet tensors under them.

#include "arrays.hpp"
#include "missing_entries.hpp"
#include "parts.hpp"
#include "results.hpp"
#include "tensor.hpp"
#include "tools/evaluation_notes.hpp"

#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/evaluate_loss.hpp>
#include <genten/run/request.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace genten::python {
namespace {

using Factors = std::vector<AnyArray>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The loss of a name. Throws Error where there is none, or not with such a parameter.
AnyLoss loss_of(const std::string& name, std::optional<double> parameter) {
  CpRequest request;
  request.loss = name;
  request.loss_parameter = parameter;
  request.given = {"loss"};
  request.check(true);
  return request.any_loss();
}

/// An array of as many numbers, one after the other.
template <class Number>
nb::object array_of(std::size_t count, const Number& number) {
  auto* const values = new std::vector<double>(count);
  const nb::capsule owner(values,
                          [](void* it) noexcept { delete static_cast<std::vector<double>*>(it); });
  for (std::size_t p = 0; p < count; ++p) (*values)[p] = number(p);
  return nb::cast(NumpyArray<double>(values->data(), 1, &count, owner));
}

nb::object loss_means(const std::string& name, std::optional<double> parameter,
                      const Numbers& models) {
  const AnyLoss loss = loss_of(name, parameter);
  return array_of(models.shape(0), [&](std::size_t p) { return loss.mean(models.data()[p]); });
}

nb::object loss_deviances(const std::string& name, std::optional<double> parameter,
                          const Numbers& values, const Numbers& models) {
  const AnyLoss loss = loss_of(name, parameter);
  if (values.shape(0) != models.shape(0)) throw Error("expected as many values as models");
  return array_of(models.shape(0),
                  [&](std::size_t p) { return loss.deviance(values.data()[p], models.data()[p]); });
}

nb::dict errors_dict(const LossErrors& errors) {
  nb::dict dict;
  dict["loss"] = errors.loss;
  dict["loss_error"] = errors.error;
  dict["mean_loss"] = errors.loss / errors.entries;
  dict["deviance"] = errors.deviance;
  dict["rmse"] = errors.rmse;
  dict["mae"] = errors.mae;
  dict["auc"] = errors.auc;
  return dict;
}

nb::dict evaluate_under(const Tensor& tensor, const PackedArray& weights, const Factors& factors,
                        const std::string& name, std::optional<double> parameter,
                        const Tensor* missing, bool unlisted_count) {
  const AnyLoss loss = loss_of(name, parameter);
  const ModelArrays arrays{weights, factors};
  LossEvaluation found;
  tensor.visit([&](const auto& any) {
    using Given = std::remove_cvref_t<decltype(any)>;
    using Scalar = typename Given::scalar_type;
    const HostExec host;
    const auto model = arrays.view<Scalar>();
    const auto distinct = sum_duplicates(host, any).tensor;
    const auto away = missing_entries<Scalar, typename Given::ordinal_type, HostExec>(missing);
    found = evaluate_loss(host, distinct, model, away, loss);
  });
  if (!unlisted_count) found.leave_out_unlisted();
  nb::dict dict;
  dict["listed"] = errors_dict(found.listed);
  dict["all"] = errors_dict(found.all);
  dict["loss"] = found.loss.text();
  dict["zeros"] = std::string(to_string(found.zeros));
  dict["notes"] = tools::notes_on(found);
  return dict;
}

}  // namespace

void bind_losses(nb::module_& module) {
  const nb::arg name("name");
  module.def("loss_means", &loss_means, name, nb::arg("parameter").none(), nb::arg("models"),
             "The values to be expected where a model has these.");
  module.def("loss_deviances", &loss_deviances, name, nb::arg("parameter").none(),
             nb::arg("values"), nb::arg("models"), "What each adds to the deviance; NaN without.");
  module.def("evaluate_loss", &evaluate_under, nb::arg("tensor"), nb::arg("weights"),
             nb::arg("factors"), name, nb::arg("parameter").none(), nb::arg("missing").none(),
             nb::arg("unlisted_count"));
}

}  // namespace genten::python
