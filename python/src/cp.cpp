// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "follower.hpp"
#include "options.hpp"
#include "parts.hpp"
#include "tensor.hpp"
#include "tools/kokkos/session.hpp"

#include <genten/cp/cp_als.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/loss.hpp>

#include <nanobind/stl/optional.h>

#include <optional>

namespace genten::python {
namespace {

using DeviceExec = Kokkos::DefaultExecutionSpace;

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

/// An array of one number from each record.
template <class Number>
nb::object column(const std::vector<IterationRecord>& records, const Number& number) {
  using Value = std::remove_cvref_t<decltype(number(records.front()))>;
  auto* const values = new std::vector<Value>;
  for (const IterationRecord& record : records) values->push_back(number(record));
  const nb::capsule owner(values,
                          [](void* it) noexcept { delete static_cast<std::vector<Value>*>(it); });
  const std::size_t length = values->size();
  return nb::cast(NumpyArray<Value>(values->data(), 1, &length, owner));
}

nb::dict history_dict(const std::vector<IterationRecord>& records) {
  nb::dict history;
  history["iteration"] = column(records, [](const IterationRecord& record) {
    return static_cast<std::int64_t>(record.iteration);
  });
  history["fit"] = column(records, [](const auto& record) { return record.fit; });
  history["fit_change"] = column(records, [](const auto& record) { return record.fit_change; });
  history["residual"] = column(records, [](const auto& record) { return record.residual_norm; });
  history["objective"] = column(records, [](const auto& record) { return record.objective; });
  history["kkt_violation"] =
      column(records, [](const auto& record) { return record.kkt_violation; });
  history["holdout_rmse"] = column(records, [](const auto& record) { return record.holdout_rmse; });
  history["holdout_mae"] = column(records, [](const auto& record) { return record.holdout_mae; });
  history["seconds"] = column(records, [](const auto& record) { return record.seconds; });
  return history;
}

nb::list starts_list(const std::vector<StartRecord>& starts, const Follower& follower) {
  nb::list list;
  for (std::size_t s = 0; s < starts.size(); ++s) {
    nb::dict start;
    start["seed"] = starts[s].seed;
    start["fit"] = starts[s].fit;
    start["objective"] = starts[s].objective;
    start["iterations"] = starts[s].iterations;
    start["stop_reason"] = std::string(to_string(starts[s].stop_reason));
    start["holdout_rmse"] = starts[s].holdout_rmse;
    const bool seen = s < follower.history().size();
    start["history"] = history_dict(seen ? follower.history()[s] : std::vector<IterationRecord>{});
    const auto make_model = follower.model_of(s);
    start["model"] = make_model ? make_model() : nb::none();
    list.append(start);
  }
  return list;
}

nb::list refused_list(const KernelChoice& choice) {
  nb::list list;
  for (const KernelCandidate& one : choice.refused()) {
    list.append(nb::make_tuple(one.name, std::string(to_string(one.refusal)), one.memory));
  }
  return list;
}

/// What one solver alone has to say.
template <RealScalar Scalar, ExecutionSpace Exec>
void add_own(nb::dict& dict, const CpAlsResult<Scalar, Exec>& result) {
  dict["residual_route"] = std::string(to_string(result.residual_route));
  dict["kernel_description"] = result.kernel_description;
  dict["kernel_allowed_bytes"] = result.kernel_choice.allowed;
  dict["refused_kernels"] = refused_list(result.kernel_choice);
  dict["rank_deficient_solves"] = result.rank_deficient_solves;
  dict["mttkrp_gflops"] = result.mttkrp_gflops;
  dict["mttkrp_gbytes"] = result.mttkrp_gbytes;
  dict["deviance"] = nb::none();
  dict["inner_iterations"] = nb::none();
}
template <RealScalar Scalar, ExecutionSpace Exec>
void add_own(nb::dict& dict, const CpAprResult<Scalar, Exec>& result) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  dict["residual_route"] = std::string(to_string(ResidualRoute::identity));
  dict["kernel_description"] = result.kernel;
  dict["kernel_allowed_bytes"] = 0.0;
  dict["refused_kernels"] = nb::list();
  dict["rank_deficient_solves"] = 0;
  dict["mttkrp_gflops"] = nothing;
  dict["mttkrp_gbytes"] = nothing;
  dict["deviance"] = result.deviance;
  dict["inner_iterations"] = result.inner_iterations;
}
template <RealScalar Scalar, ExecutionSpace Exec>
void add_own(nb::dict& dict, const CpCompletionResult<Scalar, Exec>& result) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  dict["residual_route"] = std::string(to_string(ResidualRoute::identity));
  dict["kernel_description"] = result.kernel;
  dict["kernel_allowed_bytes"] = 0.0;
  dict["refused_kernels"] = nb::list();
  dict["rank_deficient_solves"] = result.rank_deficient_solves;
  dict["mttkrp_gflops"] = nothing;
  dict["mttkrp_gbytes"] = nothing;
  dict["deviance"] = nb::none();
  dict["inner_iterations"] = nb::none();
  nb::dict completion;
  completion["cells"] = nb::steal(PyLong_FromDouble(result.cells));  // of any size
  completion["rmse"] = result.rmse;
  completion["returned_iteration"] = result.returned_iteration;
  completion["ridge"] = nb::cast(result.ridge);
  completion["empty_rows"] = result.empty_rows;
  completion["weight_ratio"] = result.weight_ratio;
  completion["degenerate_components"] = result.degenerate_components;
  dict["completion"] = completion;
  if (result.holdout.cells != 0) {
    nb::dict holdout;
    holdout["rmse"] = result.holdout.rmse;
    holdout["mae"] = result.holdout.mae;
    holdout["cells"] = result.holdout.cells;
    dict["holdout"] = holdout;
  }
}

template <ExecutionSpace Exec, class Solver, class Result, class Model>
nb::dict result_dict(const Result& result, Model model, const typename Solver::Options& options,
                     const Follower& follower) {
  nb::dict dict;
  add_own(dict, result);
  dict["model"] = show(std::move(model));
  dict["fit"] = result.fit;
  dict["residual_norm"] = result.residual_norm;
  dict["objective"] = result.objective;
  dict["penalty"] = result.penalty;
  dict["kkt_violation"] = result.kkt_violation;
  dict["zero_components"] = result.zero_components;
  dict["residual_error"] = result.residual_error;
  dict["residual_is_certain"] = result.residual_is_certain();
  dict["tensor_norm"] = result.tensor_norm;
  dict["tolerance_above_fit"] = result.tolerance_above_fit;
  dict["stop_reason"] = std::string(to_string(result.stop_reason));
  dict["interrupted"] = follower.interrupted();
  dict["iterations"] = result.iterations;
  dict["history"] = history_dict(result.history);
  dict["starts"] = starts_list(result.starts, follower);
  dict["best_start"] = result.best_start;
  nb::dict timings;
  for (const PhaseTiming& phase : result.timings) timings[phase.name.c_str()] = phase.seconds;
  dict["timings"] = timings;
  dict["kernel"] = result.kernel;
  dict["checkpoint_trouble"] = follower.checkpoint_trouble();
  dict["options"] = options_dict(options);
  dict["options"]["loss"] = std::string(to_string(Solver::loss));
  dict["backend"] = Exec::name();
  return dict;
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
    to_python = [result, model, &options, &follower] {
      return result_dict<Exec, Solver>(result, model, options, follower);
    };
  });
  follower.finish();
  return to_python();
}

/// Does a run go to a device? Throws Error for one that is asked for and is not there.
bool use_device(const std::string& device) {
  constexpr bool built = !std::is_same_v<DeviceExec, HostExec>;
  if (device == "cpu") return false;
  if (device != "auto" && device != "gpu") {
    detail::reject_option("device", "auto|cpu|gpu", "'" + device + "'");
  }
  in_turn([] {});
  if (built && tools::KokkosSession::has_device()) return true;
  if (device == "auto") return false;
  throw Error(Error::Kind::runtime,
              built ? "device: no device can be used"
                    : std::string("device: this build of genten has no device backend; it computes "
                                  "with ") +
                          DeviceExec::name());
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
