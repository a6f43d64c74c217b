// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "follower.hpp"
#include "options.hpp"
#include "parts.hpp"
#include "results.hpp"
#include "tensor.hpp"
#include "tools/text.hpp"

#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/nvecs_guess.hpp>
#include <genten/io/ttensor.hpp>
#include <genten/mttkrp/semi_sparse.hpp>
#include <genten/mttkrp/ttmc.hpp>
#include <genten/tucker/core_consistency.hpp>
#include <genten/tucker/tucker.hpp>

#include <nanobind/stl/optional.h>

#include <optional>

namespace genten::python {
namespace {

/// A model of its own arrays, since factors of fixed modes are the result's, too.
template <RealScalar Scalar>
Ttensor<Scalar, HostExec> copy_of(const Ttensor<Scalar, HostExec>& model) {
  std::vector<FacMatrix<Scalar, HostExec>> factors;
  for (const auto& factor : model.factors()) {
    const FacMatrix<Scalar, HostExec> own(factor.rows(), factor.columns());
    if (factor.columns() != 0) deep_copy(HostExec(), own, factor);
    factors.push_back(factor.columns() == 0 ? FacMatrix<Scalar, HostExec>() : own);
  }
  return Ttensor<Scalar, HostExec>(model.ranks(), model.core(), std::move(factors));
}

/// The run itself, which touches no Python object but through the follower.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
TuckerResult<Scalar> solve_tucker(const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                                  TuckerOptions& options, const std::optional<TuckerArrays>& guess,
                                  Follower& follower) {
  const TtensorObserver<Scalar, HostExec> observer = std::ref(follower);
  if (!guess) return tucker(HostExec(), tensor, options, observer);
  const auto model = copy_of(guess->view<Scalar>());
  options.ranks.clear();
  for (int n = 0; n < model.order(); ++n) {
    options.ranks.push_back(model.is_compressed(n) ? model.rank(n) : 0);
  }
  return tucker(HostExec(), tensor, model, options, observer);
}

nb::dict decompose(const Tensor& tensor, const nb::dict& given,
                   const std::optional<TuckerArrays>& guess, const nb::dict& about,
                   const Watch& watch) {
  TuckerOptions options;
  set_options(options, given);
  check_ranges(options);
  Follower follower(watch);
  TuckerFigures figures;
  RunSettings settings = run_settings(options, entry_facts(about));
  settings.entries.as_listed = tensor.as_listed();
  std::function<nb::tuple()> make_model;  // when the turn is over
  tensor.visit_unchanging([&](const auto& any) {
    const auto result = solve_tucker(any, options, guess, follower);
    figures = result;
    look_at_values(HostExec(), any, settings);
    make_model = [model = result.model] { return show(model); };
  });
  follower.finish();
  nb::dict dict = figures_dict(figures);
  dict["model"] = make_model();
  const bool interrupted = follower.interrupted();
  settings.is_interrupted = interrupted || follower.stopped();
  settings.by_callback = !interrupted;
  dict["notes"] = notes_list(tucker_notes(figures, settings));
  nb::list warnings;
  for (const std::string& warning : tucker_warnings(figures)) {
    warnings.append(tools::sentence(warning));
  }
  dict["warnings"] = warnings;
  dict["interrupted"] = interrupted;
  dict["options"] = options_dict(options);
  dict["backend"] = HostExec::name();
  return dict;
}

void write_tucker(const TuckerArrays& arrays, const std::string& path, bool binary,
                  const std::string& compression) {
  in_turn([&] {
    with_scalar(arrays.core, [&]<class Scalar>(Scalar) {
      write_ttensor(path, arrays.view<Scalar>(),
                    binary ? KtensorFormat::binary : KtensorFormat::text,
                    from_word<Compression>(compression).value());
    });
  });
}

/// (whether it is defined, its value, the sum of the core)
nb::tuple consistency_of(const Tensor& tensor, const ModelArrays& arrays, bool as_given,
                         double memory_available) {
  CoreConsistency found;
  tensor.visit_unchanging([&](const auto& any) {
    using Scalar = typename std::remove_cvref_t<decltype(any)>::scalar_type;
    const HostExec host;
    found = core_consistency(host, sum_duplicates(host, any).tensor, arrays.view<Scalar>(),
                             as_given ? NormSharing::as_given : NormSharing::first_mode,
                             memory_available);
  });
  return nb::make_tuple(found.defined, found.value, found.core_sum);
}

/// The product of one mode, by rows, of factors of which that of the mode is not read.
nb::object chain_of(const Tensor& tensor, const std::vector<AnyArray>& factors, int mode) {
  std::function<nb::object()> to_python;
  tensor.visit([&](const auto& any) {
    using Scalar = typename std::remove_cvref_t<decltype(any)>::scalar_type;
    using Matrix = FacMatrix<Scalar, HostExec>;
    std::vector<Matrix> matrices;
    for (const AnyArray& factor : factors) matrices.push_back(matrix_of<Scalar>(factor));
    const auto product = ttmc(HostExec(), any, std::span<const Matrix>(matrices), mode);
    to_python = [product] {
      const nb::capsule owner = capsule_of(new Kept(product));
      return nb::cast(show(product, owner));
    };
  });
  return to_python();
}

nb::object leading_vectors_of(const Tensor& tensor, int mode, std::size_t count) {
  FacMatrix<double, HostExec> found;
  tensor.visit_unchanging([&](const auto& any) {
    const HostExec host;
    found = nvecs(host, sum_duplicates(host, any).tensor, mode, count).vectors;
  });
  const nb::capsule owner = capsule_of(new Kept(found));
  return nb::cast(show(found, owner));
}

/// The leading vectors of all modes as a model to begin at, within bounds by mode.
nb::object nvecs_model(const Tensor& tensor, std::size_t rank, const std::vector<double>& lower,
                       const std::vector<double>& upper) {
  std::function<nb::object()> to_python;
  tensor.visit_unchanging([&](const auto& any) {
    std::vector<RowConstraint> bounds(lower.size());
    for (std::size_t n = 0; n < bounds.size(); ++n) {
      bounds[n].lower = lower[n];
      bounds[n].upper = upper[n];
    }
    const auto model = nvecs_guess(HostExec(), any, rank, bounds);
    to_python = [model] { return show(model); };
  });
  return to_python();
}

}  // namespace

void bind_tucker(nb::module_& module) {
  module.def("tucker_options", &option_table<TuckerOptions>,
             "The options of Tucker decompositions, a line each.");
  module.def(
      "tucker",
      [](const Tensor& tensor, const nb::dict& options, std::optional<PackedArray> core,
         const std::vector<std::size_t>& ranks, const std::vector<AnyArray>& factors,
         const nb::dict& about, nb::object callback) {
        std::optional<TuckerArrays> guess;
        if (core) guess = TuckerArrays{*core, ranks, factors};
        return decompose(tensor, options, guess, about, {std::move(callback), "", 1, false});
      },
      nb::arg("tensor"), nb::arg("options"), nb::arg("core").none(), nb::arg("ranks"),
      nb::arg("factors"), nb::arg("about"), nb::arg("callback").none(),
      "A Tucker decomposition; the result is a dictionary.");
  module.def(
      "write_tucker_model",
      [](const PackedArray& core, const std::vector<std::size_t>& ranks,
         const std::vector<AnyArray>& factors, const std::string& path, bool binary,
         const std::string& compression) {
        write_tucker({core, ranks, factors}, path, binary, compression);
      },
      nb::arg("core"), nb::arg("ranks"), nb::arg("factors"), nb::arg("path"), nb::arg("binary"),
      nb::arg("compression"));
  module.def("ttmc", &chain_of, nb::arg("tensor"), nb::arg("factors"), nb::arg("mode"));
  module.def("least_of_guess", &least_of_guess, nb::arg("lowest"),
             "The least element of a guess for factors that may not be below that.");
  module.def("nvecs_model", &nvecs_model, nb::arg("tensor"), nb::arg("rank"), nb::arg("lower"),
             nb::arg("upper"));
  module.def("nvecs", &leading_vectors_of, nb::arg("tensor"), nb::arg("mode"), nb::arg("count"));
  module.def(
      "core_consistency",
      [](const Tensor& tensor, const PackedArray& weights, const std::vector<AnyArray>& factors,
         bool as_given, double memory_available) {
        return consistency_of(tensor, {weights, factors}, as_given, memory_available);
      },
      nb::arg("tensor"), nb::arg("weights"), nb::arg("factors"), nb::arg("as_given"),
      nb::arg("memory_available"), "(whether it is defined, its value, the sum of the core)");
}

}  // namespace genten::python
