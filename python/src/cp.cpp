// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "follower.hpp"
#include "options.hpp"
#include "parts.hpp"
#include "results.hpp"
#include "tensor.hpp"

#include <genten/cp/cp_als.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/loss.hpp>

#include <nanobind/stl/optional.h>

#include <optional>

namespace genten::python {
namespace {

/// Least squares, by cp_als.
struct AlsSolver {
  using Options = CpAlsOptions;
  static constexpr Loss loss = Loss::gaussian;
  static auto run(const auto&... arguments) { return cp_als(arguments...); }
};

/// Counts, by cp_apr.
struct AprSolver {
  using Options = CpAprOptions;
  static constexpr Loss loss = Loss::poisson;
  static auto run(const auto&... arguments) { return cp_apr(arguments...); }
};

/// Least squares over the cells that are known, by cp_completion.
struct CompletionSolver {
  using Options = CpCompletionOptions;
  static constexpr Loss loss = Loss::gaussian;
  static auto run(const auto&... arguments) { return cp_completion(arguments...); }
};

/// Where a run begins, if not with random factors.
struct Beginning {
  std::optional<ModelArrays> guess;
  std::string checkpoint;  ///< file, or ""
  /// Of a completion, the cells that are missing, where not all unlisted ones are.
  const Tensor* missing = nullptr;
};

/// The cells of a tensor, with other types.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
Sptensor<Scalar, Ordinal, HostExec> cells_of(const Tensor& tensor) {
  return tensor.look([](const auto& any) {
    const auto from = any.subscripts();
    std::vector<Ordinal> subscripts(from.size());
    std::transform(from.data(), from.data() + from.size(), subscripts.begin(),
                   [](auto subscript) { return static_cast<Ordinal>(subscript); });
    const std::vector<Scalar> ones(static_cast<std::size_t>(any.nnz()), Scalar(1));
    return Sptensor<Scalar, Ordinal, HostExec>::from_host(any.dimensions(), subscripts, ones);
  });
}

/// The run itself, which touches no Python object but through the follower.
template <class Solver, RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
auto solve(const Sptensor<Scalar, Ordinal, HostExec>& host_tensor,
           typename Solver::Options& options, const Beginning& beginning, Follower& follower) {
  const Exec exec;
  const auto tensor = copy_to<Exec>(host_tensor);
  const KtensorObserver<Scalar, Exec> observer = std::ref(follower);
  const auto run = [&](const auto&... arguments) {
    if constexpr (std::is_same_v<Solver, CompletionSolver>) {
      if (beginning.missing != nullptr) {
        const auto missing = copy_to<Exec>(cells_of<Scalar, Ordinal>(*beginning.missing));
        return Solver::run(exec, tensor, missing, arguments...);
      }
    }
    return Solver::run(exec, tensor, arguments...);
  };
  if (!beginning.checkpoint.empty()) {
    return run(read_checkpoint<Scalar, Exec>(beginning.checkpoint), options, observer);
  }
  if (beginning.guess) {
    const auto guess = clone_to<Exec>(beginning.guess->view<Scalar>());
    options.rank = guess.rank();
    return run(guess, options, observer);
  }
  return run(options, observer);
}

template <class Solver, ExecutionSpace Exec>
nb::dict run(const Tensor& tensor, typename Solver::Options& options, const Beginning& beginning,
             const Watch& watch) {
  Follower follower(watch);
  // Made into Python objects when the turn is over.
  std::function<nb::dict()> to_python;
  tensor.visit_unchanging([&](const auto& any) {
    using Given = std::remove_cvref_t<decltype(any)>;
    using Scalar = typename Given::scalar_type;
    auto result = solve<Solver, Scalar, typename Given::ordinal_type, Exec>(any, options, beginning,
                                                                            follower);
    auto model = create_mirror_view_and_copy(result.model);
    const auto components = unless_it_fails([&] { return component_facts(Exec(), result.model); });
    RunSettings settings = run_settings(options, static_cast<std::size_t>(any.order()));
    settings.least_squares = Solver::loss == Loss::gaussian;
    settings.has_missing = std::is_same_v<Solver, CompletionSolver>;
    settings.unlisted_are_missing = settings.has_missing && beginning.missing == nullptr;
    settings.values =
        unless_it_fails([&] { return values_for_notes(HostExec(), any, settings); });
    to_python = [result, model, components, settings, &options, &follower] {
      nb::dict dict =
          result_dict<Exec>(result, components, settings, options, Solver::loss, follower);
      dict["model"] = show(model);
      return dict;
    };
  });
  follower.finish();
  return to_python();
}

template <class Solver>
nb::dict decompose(const Tensor& tensor, const nb::dict& given, const std::string& device,
                   const Beginning& beginning, const Watch& watch) {
  typename Solver::Options options;
  set_options(options, given);
  check_ranges(options);
  if constexpr (!std::is_same_v<DeviceExec, HostExec>) {
    if (use_device(device)) return run<Solver, DeviceExec>(tensor, options, beginning, watch);
  } else {
    static_cast<void>(use_device(device));
  }
  return run<Solver, HostExec>(tensor, options, beginning, watch);
}

/// "float32" or "float64", the loss, the options of the run that a checkpoint is of, and what was
/// missing: "", "unlisted" or "listed".
template <RealScalar Scalar>
nb::tuple checkpoint_facts_of(const std::string& path) {
  const char* const dtype = std::is_same_v<Scalar, float> ? "float32" : "float64";
  const auto saved = in_turn([&] { return read_checkpoint<Scalar, HostExec>(path); });
  if (is_apr_checkpoint(saved)) {
    const auto options = in_turn([&] { return checkpoint_apr_options(saved); });
    return nb::make_tuple(dtype, std::string(to_string(Loss::poisson)), options_dict(options), "");
  }
  const std::string gaussian(to_string(Loss::gaussian));
  if (const auto kind = completion_checkpoint(saved); kind != CompletionCheckpoint::none) {
    const auto options = in_turn([&] { return checkpoint_completion_options(saved); });
    return nb::make_tuple(dtype, gaussian, options_dict(options),
                          kind == CompletionCheckpoint::listed ? "listed" : "unlisted");
  }
  const auto options = in_turn([&] { return checkpoint_options(saved); });
  return nb::make_tuple(dtype, gaussian, options_dict(options), "");
}

nb::tuple checkpoint_facts(const std::string& path) {
  const bool single = in_turn([&] { return checkpoint_scalar_bytes(path) == sizeof(float); });
  return single ? checkpoint_facts_of<float>(path) : checkpoint_facts_of<double>(path);
}

template <class Solver>
void bind_solver(nb::module_& module, const char* name, const char* meaning) {
  module.def(
      name,
      [](const Tensor& tensor, const nb::dict& options, const std::string& device,
         std::optional<PackedArray> weights, const std::vector<AnyArray>& factors,
         const std::string& resume, nb::object callback, const std::string& checkpoint,
         std::size_t checkpoint_every, bool keep_starts, const Tensor* missing) {
        Beginning beginning{{}, resume, missing};
        if (weights) beginning.guess = ModelArrays{*weights, factors};
        return decompose<Solver>(tensor, options, device, beginning,
                                 {std::move(callback), checkpoint, checkpoint_every, keep_starts});
      },
      nb::arg("tensor"), nb::arg("options"), nb::arg("device"), nb::arg("weights").none(),
      nb::arg("factors"), nb::arg("resume"), nb::arg("callback").none(), nb::arg("checkpoint"),
      nb::arg("checkpoint_every"), nb::arg("keep_starts"), nb::arg("missing").none() = nb::none(),
      meaning);
}

}  // namespace

void bind_solvers(nb::module_& module) {
  bind_solver<AlsSolver>(module, "cp_als", "CP-ALS; the result is a dictionary.");
  bind_solver<AprSolver>(module, "cp_apr", "CP-APR; the result is a dictionary.");
  bind_solver<CompletionSolver>(module, "cp_completion",
                                "CP decomposition with missing cells; the result is a dictionary.");
  module.def(
      "checkpoint_facts", &checkpoint_facts, nb::arg("path"),
      "Precision, loss and options of the run that a checkpoint is of, and what was missing.");
  module.def(
      "may_change_on_resume",
      [](std::string name) {
        std::replace(name.begin(), name.end(), '_', '-');
        return genten::may_change_on_resume(name);
      },
      nb::arg("name"), "Whether a resumed run may have another value of that option.");
}

}  // namespace genten::python
