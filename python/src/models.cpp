// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "parts.hpp"
#include "results.hpp"
#include "tensor.hpp"

#include <genten/core/ktensor_ops.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/residual.hpp>
#include <genten/cp/score.hpp>
#include <genten/mttkrp/plan.hpp>
#include <genten/run/trust/run_trust.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace genten::python {
namespace {

using Factors = std::vector<AnyArray>;

/// The logarithm of the norm of the largest component.
template <RealScalar Scalar>
double log_of_largest(const Ktensor<Scalar, HostExec>& model) {
  const std::vector<std::vector<double>> norms =
      column_norms(HostExec(), model.factors(), NormKind::two);
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < model.rank(); ++r) {
    double size = std::log(std::abs(static_cast<double>(model.weights()(r))));
    for (const std::vector<double>& each : norms) size += std::log(each[r]);
    largest = std::max(largest, size);
  }
  return largest;
}

/// The norm, also where components nearly cancel and the square by Gram matrices has no digit left:
/// then in twice the digits, as of what the model leaves of a tensor without nonzeros.
template <RealScalar Scalar>
double norm_of(const Ktensor<Scalar, HostExec>& model) {
  constexpr double cancelled = -6.9;  // The logarithm of a thousandth.
  const HostExec host;
  const double by_grams = norm(host, model);
  if (!(std::log(by_grams) < log_of_largest(model) + cancelled)) return by_grams;
  const auto nothing =
      Sptensor<Scalar, std::uint64_t, HostExec>::from_host(model.dimensions(), {}, {});
  const double found = residual_norm_extended(host, nothing, model);
  if (std::isfinite(found) && found > 0.0) return found;
  const auto scaled = clone_to<HostExec>(model);
  normalize(host, scaled);
  return residual_norm_extended(host, nothing, scaled);
}

double model_norm(const PackedArray& weights, const Factors& factors) {
  const ModelArrays arrays{weights, factors};
  return in_turn([&] {
    return with_scalar(weights,
                       [&]<class Scalar>(Scalar) { return norm_of(arrays.view<Scalar>()); });
  });
}

double model_innerprod(const PackedArray& weights, const Factors& factors,
                       const PackedArray& other_weights, const Factors& other_factors) {
  const ModelArrays a{weights, factors}, b{other_weights, other_factors};
  return in_turn([&] {
    return with_scalar(weights, [&]<class Scalar>(Scalar) {
      return innerprod(HostExec(), a.view<Scalar>(), b.view<Scalar>());
    });
  });
}

double tensor_innerprod(const Tensor& tensor, const PackedArray& weights, const Factors& factors) {
  const ModelArrays arrays{weights, factors};
  return tensor.visit([&](const auto& any) {
    using Scalar = typename std::remove_cvref_t<decltype(any)>::scalar_type;
    return innerprod(HostExec(), any, arrays.view<Scalar>());
  });
}

/// A copy whose columns have 2-norms of one, or 1-norms if `by_sum`, components by descending
/// weight and signs made unambiguous where asked for.
nb::tuple normalized(const PackedArray& weights, const Factors& factors, bool by_sum, bool sort,
                     bool signs) {
  const ModelArrays arrays{weights, factors};
  return with_scalar(weights, [&]<class Scalar>(Scalar) {
    auto model = in_turn([&] {
      const HostExec host;
      auto copy = clone_to<HostExec>(arrays.view<Scalar>());
      normalize(host, copy, by_sum ? NormKind::one : NormKind::two);
      if (sort) arrange(host, copy);
      if (signs) fix_signs(host, copy);
      return copy;
    });
    return show(std::move(model));
  });
}

nb::dict score_models(const PackedArray& weights, const Factors& factors,
                      const PackedArray& reference_weights, const Factors& reference_factors,
                      bool weight_penalty, bool greedy) {
  const ModelArrays model{weights, factors}, reference{reference_weights, reference_factors};
  const ScoreResult result = in_turn([&] {
    return with_scalar(weights, [&]<class Scalar>(Scalar) {
      return score(HostExec(), model.view<Scalar>(), reference.view<Scalar>(),
                   {.weight_penalty = weight_penalty, .greedy = greedy});
    });
  });
  nb::dict dict;
  dict["score"] = result.score;
  dict["component_scores"] = result.component_scores;
  dict["permutation"] = result.permutation;
  dict["flipped"] = result.flipped;
  return dict;
}

/// Notes on a model by itself; the norm of the tensor and the fit, where they are known, else NaN
/// and 1.
nb::list model_notes(const PackedArray& weights, const Factors& factors, double tensor_norm,
                     double fit) {
  const ModelArrays arrays{weights, factors};
  const auto notes = in_turn([&] {
    const ComponentFacts components = with_scalar(weights, [&]<class Scalar>(Scalar) {
      return component_facts(HostExec(), arrays.view<Scalar>());
    });
    CpFigures figures;
    figures.stop_reason = StopReason::converged;
    figures.residual_error = 0.0;
    figures.fit = fit;
    figures.tensor_norm = tensor_norm;
    const auto& norms = components.norms;
    figures.zero_components = static_cast<std::size_t>(std::count(norms.begin(), norms.end(), 0.0));
    return notes_of(figures, CpAlsFigures(), components, {.rank = norms.size()});
  });
  return notes_list(notes);
}

/// Notes on how often components are found again, by start, refit and start that came to the least
/// objective; NaN where that is not known.
/// `two_modes`: the note of that code is told of the run.
nb::list stability_notes(const std::vector<double>& starts, const std::vector<double>& refits,
                         const std::vector<double>& best_starts, bool two_modes) {
  RunTrust trust;
  for (std::size_t r = 0; r < starts.size(); ++r) {
    trust.stability.push_back(
        {.starts = starts[r], .refits = refits.at(r), .best_starts = best_starts.at(r)});
  }
  std::vector<Note> told;
  if (two_modes) told.push_back({NoteCode::two_modes, {}});
  return notes_list(notes_of(trust, {}, told));
}

/// The model's entries at the subscripts, in double, each the same for every number of threads.
template <RealScalar Scalar>
void predict_into(double* to, const Ktensor<Scalar, HostExec>& model,
                  const std::vector<std::uint64_t>& subscripts, std::size_t count) {
  const ModelValues<Scalar> value_of(model);
  const auto order = static_cast<std::size_t>(model.order());
  const HostExec host;
  Kokkos::parallel_for("genten::python::predict",
                       Kokkos::RangePolicy<HostExec, Kokkos::IndexType<offset_t>>(
                           host, 0, static_cast<offset_t>(count)),
                       [&](const offset_t p) {
                         to[p] = value_of(subscripts.data() + static_cast<std::size_t>(p) * order);
                       });
  detail::fence(host, "genten::python::predict");
}

nb::object predict(const PackedArray& weights, const Factors& factors, const AnyArray& matrix) {
  const ModelArrays arrays{weights, factors};
  const SubscriptColumns columns(matrix);
  if (static_cast<std::size_t>(columns.order()) != factors.size()) {
    throw Error("predict: expected " + std::to_string(factors.size()) +
                " subscripts an entry, got " + std::to_string(columns.order()));
  }
  const auto count = static_cast<std::size_t>(columns.count());
  auto* const values = new std::vector<double>(count);
  const nb::capsule owner(values,
                          [](void* it) noexcept { delete static_cast<std::vector<double>*>(it); });
  in_turn([&] {
    with_scalar(weights, [&]<class Scalar>(Scalar) {
      const auto model = arrays.view<Scalar>();
      std::vector<std::uint64_t> subscripts(count * factors.size());
      columns.check(model.dimensions(), subscripts.data(), {"predict", "entry"});
      predict_into(values->data(), model, subscripts, count);
    });
  });
  return nb::cast(NumpyArray<double>(values->data(), 1, &count, owner));
}

/// V of MTTKRP in some modes, whose factors are all there.
nb::list mttkrp(const Tensor& tensor, const Factors& factors, const std::vector<int>& modes) {
  for (const int mode : modes) {
    if (!factors.empty() && mode >= 0 && static_cast<std::size_t>(mode) < factors.size()) continue;
    throw Error::no_such_mode("mttkrp", mode, static_cast<long long>(factors.size()));
  }
  std::vector<std::function<nb::object()>> to_python;
  tensor.visit([&](const auto& any) {
    using Given = std::remove_cvref_t<decltype(any)>;
    using Scalar = typename Given::scalar_type;
    using Matrix = FacMatrix<Scalar, HostExec>;
    const HostExec host;
    std::vector<Matrix> matrices;
    for (const AnyArray& factor : factors) matrices.push_back(matrix_of<Scalar>(factor));
    const std::size_t rank = matrices.front().columns();
    MttkrpPlan<Scalar, typename Given::ordinal_type, HostExec> plan(
        host, sum_duplicates(host, any).tensor, rank);
    for (const int mode : modes) {
      const Matrix output(any.dimension(mode), rank);
      plan.execute(host, matrices, mode, output);
      to_python.emplace_back([output] {
        const nb::capsule owner = capsule_of(new Kept(output));
        return nb::cast(show(output, owner));
      });
    }
  });
  nb::list found;
  for (const auto& each : to_python) found.append(each());
  return found;
}

/// The model that cp_als starts from for a seed, with weights of one.
nb::tuple random_model(const std::vector<std::size_t>& shape, std::size_t rank, std::uint64_t seed,
                       const std::string& kind) {
  return show(in_turn([&] {
    return random_ktensor<double>(HostExec(), shape, rank, seed,
                                  from_word<FactorKind>(kind).value());
  }));
}

}  // namespace

void bind_models(nb::module_& module) {
  const nb::arg weights("weights"), factors("factors");
  module.def("model_norm", &model_norm, weights, factors);
  module.def("model_innerprod", &model_innerprod, weights, factors, nb::arg("other_weights"),
             nb::arg("other_factors"));
  module.def("tensor_innerprod", &tensor_innerprod, nb::arg("tensor"), weights, factors);
  module.def("normalized", &normalized, weights, factors, nb::arg("by_sum"), nb::arg("sort"),
             nb::arg("signs"));
  module.def("stability_notes", &stability_notes, nb::arg("starts"), nb::arg("refits"),
             nb::arg("best_starts"), nb::arg("two_modes"),
             "What is to be known of components that are not found again.");
  module.def(
      "model_notes", &model_notes, weights, factors, nb::arg("tensor_norm"), nb::arg("fit"),
      "(code, title, sentence, numbers, sentence that counts from 1) of each note on a model.");
  module.def("score", &score_models, weights, factors, nb::arg("reference_weights"),
             nb::arg("reference_factors"), nb::arg("weight_penalty"), nb::arg("greedy"));
  module.def("predict", &predict, weights, factors, nb::arg("subscripts"));
  module.def("random_model", &random_model, nb::arg("shape"), nb::arg("rank"), nb::arg("seed"),
             nb::arg("kind"));
  module.def("mttkrp", &mttkrp, nb::arg("tensor"), factors, nb::arg("modes"));
}

}  // namespace genten::python
