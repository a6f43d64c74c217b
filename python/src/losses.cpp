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
#include <genten/cp/evaluate.hpp>
#include <genten/cp/evaluate_loss.hpp>
#include <genten/run/request.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>

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

bool models_means(const std::string& name, std::optional<double> parameter) {
  return genten::models_means(loss_of(name, parameter));
}

/// (expected values, what each value adds to the deviance)
nb::tuple loss_deviances(const std::string& name, std::optional<double> parameter,
                         const Numbers& values, const Numbers& models) {
  const AnyLoss loss = loss_of(name, parameter);
  if (values.shape(0) != models.shape(0)) throw Error("expected as many values as models");
  const auto deviance = [&](std::size_t p) {
    return loss.deviance(values.data()[p], models.data()[p]);
  };
  return nb::make_tuple(loss_means(name, parameter, models), array_of(models.shape(0), deviance));
}

/// NaN for a loss that stands for no distribution.
nb::object loss_variances(const std::string& name, std::optional<double> parameter,
                          const Numbers& means) {
  const AnyLoss loss = loss_of(name, parameter);
  return array_of(means.shape(0), [&](std::size_t p) { return loss.variance(means.data()[p]); });
}

std::optional<double> loss_power(const std::string& name, std::optional<double> parameter) {
  return loss_of(name, parameter).facts().power;
}

/// A count as a Python integer, of any size.
nb::object integer(double count) {
  return nb::steal(PyLong_FromDouble(count));
}

/// Errors of squares and, under a loss, its own in the place of those that mean nothing there.
nb::dict errors_dict(const EntryErrors& squares, const LossErrors* under, bool of_counts) {
  nb::dict dict;
  dict["entries"] = integer(squares.entries);
  dict["residual_norm"] = squares.residual_norm;
  dict["rmse"] = under != nullptr ? under->rmse : squares.rmse;
  dict["mae"] = under != nullptr ? under->mae : squares.mae;
  dict["log_likelihood"] =
      of_counts ? squares.log_likelihood : std::numeric_limits<double>::quiet_NaN();
  dict["deviance"] = under != nullptr ? under->deviance : squares.deviance;
  if (under == nullptr) return dict;
  dict["loss"] = under->loss;
  dict["loss_error"] = under->error;
  dict["mean_loss"] = under->loss / under->entries;
  dict["auc"] = under->auc;
  return dict;
}

/// Errors of a model, and those under a loss, if it has a name.
nb::dict evaluate_model(const Tensor& tensor, const PackedArray& weights, const Factors& factors,
                        const Tensor* missing, bool unlisted_count,
                        const std::optional<std::string>& name, std::optional<double> parameter) {
  const ModelArrays arrays{weights, factors};
  std::optional<AnyLoss> loss;
  if (name) loss = loss_of(*name, parameter);
  Evaluation found;
  std::optional<LossEvaluation> under;
  tensor.visit([&](const auto& any) {
    using Given = std::remove_cvref_t<decltype(any)>;
    using Scalar = typename Given::scalar_type;
    const HostExec host;
    const auto model = arrays.view<Scalar>();
    const auto distinct = sum_duplicates(host, any).tensor;
    const auto away = missing_entries<Scalar, typename Given::ordinal_type, HostExec>(missing);
    found = evaluate(host, distinct, model, away);
    if (loss) under = evaluate_loss(host, distinct, model, away, *loss);
  });
  if (!unlisted_count) found.leave_out_unlisted();
  if (under) {
    if (!unlisted_count) under->leave_out_unlisted();
    tools::take_expected_values(found, *under, *loss);
  }
  const bool of_counts = !name || *name == "poisson";
  nb::dict dict;
  dict["listed"] = errors_dict(found.listed, under ? &under->listed : nullptr, of_counts);
  dict["all"] = errors_dict(found.all, under ? &under->all : nullptr, of_counts);
  dict["fit"] = found.fit;
  dict["tensor_norm"] = found.tensor_norm;
  if (under) {
    dict["loss"] = under->loss.text();
    dict["zeros"] = std::string(to_string(under->zeros));
  }
  dict["notes"] = tools::notes_in_words(found, under, in_words);
  dict["part"] = in_words(tools::part_note(found, under && under->loss.name == "poisson"));
  return dict;
}

}  // namespace

void bind_losses(nb::module_& module) {
  module.def("zeros_not_compared", [] { return in_words(tools::zeros_not_compared()); });
  const nb::arg name("name");
  module.def("loss_means", &loss_means, name, nb::arg("parameter").none(), nb::arg("models"),
             "The values to be expected where a model has these.");
  module.def("models_means", &models_means, name, nb::arg("parameter").none(),
             "Whether the values of models are expected values themselves.");
  module.def("loss_deviances", &loss_deviances, name, nb::arg("parameter").none(),
             nb::arg("values"), nb::arg("models"),
             "(expected values, what each value adds to the deviance; NaN without)");
  module.def("loss_variances", &loss_variances, name, nb::arg("parameter").none(), nb::arg("means"),
             "The variances of values of such means, but for a factor; NaN without distribution.");
  module.def(
      "has_variance",
      [](const std::string& loss) { return loss_of(loss, std::nullopt).facts().has_variance; },
      name, "Whether a loss is that of a distribution, which has a variance.");
  module.def("loss_power", &loss_power, name, nb::arg("parameter").none(),
             "To which power of c the loss of c times data and model is as large; None: to none.");
  module.def("evaluate", &evaluate_model, nb::arg("tensor"), nb::arg("weights"), nb::arg("factors"),
             nb::arg("missing").none(), nb::arg("unlisted_count"),
             nb::arg("name").none() = nb::none(), nb::arg("parameter").none() = nb::none());
}

}  // namespace genten::python
