// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "follower.hpp"
#include "missing_entries.hpp"
#include "options.hpp"
#include "parts.hpp"
#include "request.hpp"
#include "results.hpp"

#include <genten/run/run_cp.hpp>

#include <nanobind/stl/optional.h>

#include <optional>

namespace genten::python {
namespace {

/// Where a run begins, if not with random factors.
struct Start {
  std::optional<ModelArrays> guess;
  std::string checkpoint;  ///< file, or ""
  /// The entries that are missing, where they are listed.
  const Tensor* missing = nullptr;
  EntryFacts entries = {};  ///< what is known of them, for notes
};

/// The run itself, which touches no Python object but through the follower.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpRun<Scalar, Exec> solve(const Sptensor<Scalar, Ordinal, HostExec>& host_tensor,
                          CpRequest& request, const Start& start, Follower& follower) {
  const auto tensor = copy_to<Exec>(host_tensor);
  const auto missing = missing_entries<Scalar, Ordinal, Exec>(start.missing);
  Beginning<Scalar, Exec> beginning;
  if (!start.checkpoint.empty()) {
    beginning.checkpoint = read_checkpoint<Scalar, Exec>(start.checkpoint);
  }
  if (start.guess) {
    beginning.guess = clone_to<Exec>(start.guess->view<Scalar>());
    request.set_rank(beginning.guess->rank());
  }
  follower.tell(notes_before_run(Exec(), tensor, missing, request));
  const KtensorObserver<Scalar, Exec> observer = std::ref(follower);
  return run_cp(Exec(), tensor, missing, request, beginning, observer,
                [&follower] { return follower.wants_to_end(); });
}

template <ExecutionSpace Exec>
nb::dict run(const Tensor& tensor, CpRequest& request, const Start& start, const Watch& watch) {
  Follower follower(watch);
  // Made into Python objects when the turn is over.
  std::function<nb::dict()> to_python;
  tensor.visit_unchanging([&](const auto& any) {
    using Given = std::remove_cvref_t<decltype(any)>;
    using Scalar = typename Given::scalar_type;
    auto found = solve<Scalar, typename Given::ordinal_type, Exec>(any, request, start, follower);
    auto model = create_mirror_view_and_copy(found.model);
    const auto components = unless_it_fails([&] { return component_facts(Exec(), found.model); });
    RunSettings settings =
        run_settings(request, static_cast<std::size_t>(any.order()), start.entries);
    look_at_values(HostExec(), any, settings);
    to_python = [found, model, components, settings, &request, &follower] {
      nb::dict dict = result_dict<Exec>(found, components, settings, request, follower);
      dict["model"] = show(model);
      return dict;
    };
  });
  follower.finish();
  return to_python();
}

/// Runs what is asked for, on the device or the host.
nb::dict cp(const Tensor& tensor, const nb::dict& asked, const std::string& device,
            std::optional<PackedArray> weights, const std::vector<AnyArray>& factors,
            const std::string& resume, nb::object callback, const std::string& checkpoint,
            std::size_t checkpoint_every, bool keep_starts, const Tensor* missing,
            nb::object tell) {
  const bool on_device = use_device(device);
  CpRequest request = settled_request(asked, resume, !on_device || on_hosts_alone);
  Start start{{}, resume, missing};
  start.entries = entry_facts(asked);
  start.entries.as_listed = tensor.as_listed();
  if (weights) start.guess = ModelArrays{*weights, factors};
  const Watch watch{std::move(callback), checkpoint, checkpoint_every, keep_starts,
                    std::move(tell)};
  if constexpr (!on_hosts_alone) {
    if (on_device) return run<DeviceExec>(tensor, request, start, watch);
  }
  return run<HostExec>(tensor, request, start, watch);
}

/// The notes on a tensor that meets a model: their texts by their codes, all of them, and whether
/// they tell of gaps. `given` knows of values before they were merged, and `tensor` are these
/// entries in the model's rows.
nb::tuple notes_on_entries(const Tensor& given, const Tensor& tensor, const nb::dict& facts,
                           const std::string& loss, const std::string& missing,
                           bool takes_missing) {
  RunSettings settings{.least_squares = loss == "gaussian",
                       .has_missing = missing != "none",
                       .unlisted_are_missing = missing == "unlisted",
                       .takes_missing = takes_missing,
                       .of_counts = loss == "poisson",
                       .adds_counts = is_of_counts(loss),
                       .entries = entry_facts(facts)};
  settings.entries.as_listed = given.as_listed();
  std::vector<Note> notes;
  tensor.visit(
      [&](const auto& any) { notes = notes_beside_model(HostExec(), any, std::move(settings)); });
  nb::dict dict;
  for (const Note& note : notes)
    dict[std::string(to_string(note.code)).c_str()] = in_words(note.text);
  return nb::make_tuple(dict, notes_list(notes), tells_of_gaps(notes));
}

/// What `cp` would run.
nb::dict settled(const nb::dict& asked, const std::string& resume, const std::string& device) {
  const bool on_device = use_device(device);
  return request_dict(settled_request(asked, resume, !on_device || on_hosts_alone));
}

}  // namespace

void bind_solvers(nb::module_& module) {
  module.def("cp", &cp, nb::arg("tensor"), nb::arg("asked"), nb::arg("device"),
             nb::arg("weights").none(), nb::arg("factors"), nb::arg("resume"),
             nb::arg("callback").none(), nb::arg("checkpoint"), nb::arg("checkpoint_every"),
             nb::arg("keep_starts"), nb::arg("missing").none() = nb::none(),
             nb::arg("tell").none() = nb::none(), "CP decomposition; the result is a dictionary.");
  module.def("notes_on_entries", &notes_on_entries, nb::arg("given"), nb::arg("tensor"),
             nb::arg("facts"), nb::arg("loss"), nb::arg("missing"), nb::arg("takes_missing"),
             "What is odd about the entries of a tensor that meets a model, by codes of notes.");
  module.def(
      "summed_binary", [](std::size_t count) { return in_words(summed_binary(count)); },
      nb::arg("added_up"),
      "What makes values of 0 and 1 where so many entries were added to others.");
  module.def("settled", &settled, nb::arg("asked"), nb::arg("resume"), nb::arg("device"),
             "What `cp` would run: loss, solver, what is missing, and all options of the solver.");
  module.def("checkpoint_facts", &checkpoint_facts, nb::arg("path"),
             "The dtype of a checkpoint, and its run as `settled` has it.");
}

}  // namespace genten::python
