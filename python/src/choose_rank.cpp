// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "follower.hpp"
#include "missing_entries.hpp"
#include "parts.hpp"
#include "request.hpp"
#include "results.hpp"

#include <genten/io/checkpoint.hpp>
#include <genten/run/choose_rank.hpp>

#include <nanobind/stl/optional.h>

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace genten::python {
namespace {

/// What the runs are watched for, and where they come from.
struct RankWatch {
  nb::object told;           ///< called with the row of each rank that is done, or None
  bool keep_starts = false;  ///< their models
  std::string checkpoint;    ///< file to write, or ""
  std::string resume;        ///< file to go on from, or ""
};

nb::dict row_dict(const RankRow& row) {
  nb::dict dict;
  for_each_figure(row, [&](std::string_view name, const auto& value) {
    dict[std::string(name).c_str()] = value;
  });
  return dict;
}

nb::dict choice_dict(const RankChoice& choice) {
  nb::dict dict, picks;
  dict["suggested"] = choice.suggested;
  dict["decided"] = choice.decided;
  picks["agreement"] = choice.by_agreement;
  if (choice.by_held_out) picks["held_out"] = *choice.by_held_out;
  if (choice.by_standard_error) picks["standard_error"] = *choice.by_standard_error;
  dict["picks"] = picks;
  nb::list reasons, rows;
  for (const RankReason& reason : choice.reasons) {
    nb::dict numbers;
    for (const auto& [name, value] : reason.numbers) numbers[name.c_str()] = value;
    reasons.append(nb::make_tuple(std::string(to_string(reason.code)), reason.text, numbers));
  }
  for (const RankRow& row : choice.rows) rows.append(row_dict(row));
  dict["reasons"] = reasons;
  dict["rows"] = rows;
  dict["zero"] = row_dict(choice.zero);
  dict["held_out"] = choice.held_out;
  dict["draws"] = choice.draws;
  dict["part"] = choice.part;
  dict["stopped"] = choice.stopped ? nb::object(nb::cast(std::string(to_string(*choice.stopped))))
                                   : nb::object(nb::none());
  return dict;
}

template <ExecutionSpace Exec>
nb::dict search(const Tensor& tensor, const CpRequest& request, const RankChoiceOptions& options,
                const RankWatch& how, const Tensor* missing, const EntryFacts& known) {
  const Watch of_runs{nb::none(), "", 10, how.keep_starts}, of_tests{nb::none(), "", 10, false};
  std::deque<Follower> followers;  // one a rank
  Follower tests(of_tests);
  RankChoice choice;
  // Made into Python objects when the turn is over, by rank; with what is known by then.
  std::map<std::size_t, std::function<nb::dict(const RunTrust*)>> results;
  std::string trouble;
  tensor.visit_unchanging([&](const auto& any) {
    using Given = std::remove_cvref_t<decltype(any)>;
    using Scalar = typename Given::scalar_type;
    const auto order = static_cast<std::size_t>(any.order());
    RunSettings common = run_settings(request, order, known);
    look_at_values(HostExec(), any, common);
    std::size_t rank = 0;
    RankObserver<Scalar, Exec> observer;
    observer.iterated = [&](const RankIteration<Scalar, Exec>& seen) {
      if (seen.draw) return tests(seen.iteration);
      if (rank != seen.rank) followers.emplace_back(of_runs);
      rank = seen.rank;
      return followers.back()(seen.iteration);
    };
    const auto keep = [&](const FinishedRank<Scalar, Exec>& done) {
      if (rank != done.row.rank) followers.emplace_back(of_runs);  // no iteration was seen
      auto run = done.run;
      const auto model = create_mirror_view_and_copy(run.model);
      const auto components = unless_it_fails([&] { return component_facts(Exec(), run.model); });
      const RunSettings settings = run_settings(done.request, order, common.entries);
      results[done.row.rank] = [run, model, components, settings, asked = done.request,
                                &follower = followers.back()](const RunTrust* trust) mutable {
        if (trust != nullptr) run.trust = *trust;
        nb::dict dict = result_dict<Exec>(run, components, settings, asked, follower);
        dict["model"] = show(model);
        return dict;
      };
    };
    observer.resumed = keep;
    observer.interrupted = [&tests] { return tests.wants_to_end(); };
    observer.finished = [&](const FinishedRank<Scalar, Exec>& done) {
      keep(done);
      if (!how.checkpoint.empty()) {
        try {
          write_checkpoint(how.checkpoint, done.checkpoint());
          trouble.clear();
        } catch (const std::exception& error) {
          trouble = sentence(error);
        }
      }
      if (how.told.is_none()) return;
      ask_python([&] { how.told(row_dict(done.row)); });
    };
    std::optional<Checkpoint<Ktensor<Scalar, Exec>>> resume;
    if (!how.resume.empty()) resume = read_checkpoint<Scalar, Exec>(how.resume);
    choice = choose_rank(Exec(), copy_to<Exec>(any),
                         missing_entries<Scalar, typename Given::ordinal_type, Exec>(missing),
                         request, options, resume, observer);
  });
  tests.finish();
  for (Follower& each : followers) each.finish();
  nb::dict dict = choice_dict(choice);
  nb::list made;
  for (auto& [rank, make] : results) {
    made.append(make(rank == choice.suggested ? &choice.trust : nullptr));
  }
  dict["results"] = made;
  dict["checkpoint_trouble"] = trouble;
  return dict;
}

/// Tries several ranks, on the device or the host.
nb::dict tried(const Tensor& tensor, const nb::dict& asked, const std::string& device,
               const std::vector<std::size_t>& ranks, std::size_t starts, double holdout,
               double time_limit, nb::object told, bool keep_starts, const std::string& checkpoint,
               const std::string& resume, const Tensor* missing) {
  const bool on_device = use_device(device);
  const CpRequest request = settled_request(asked, "", !on_device || on_hosts_alone);
  const RankChoiceOptions options{ranks, starts, holdout, time_limit};
  const RankWatch how{std::move(told), keep_starts, checkpoint, resume};
  EntryFacts known = entry_facts(asked);
  known.as_listed = tensor.as_listed();
  if constexpr (!on_hosts_alone) {
    if (on_device) return search<DeviceExec>(tensor, request, options, how, missing, known);
  }
  return search<HostExec>(tensor, request, options, how, missing, known);
}

}  // namespace

void bind_choose_rank(nb::module_& module) {
  module.def("choose_rank", &tried, nb::arg("tensor"), nb::arg("asked"), nb::arg("device"),
             nb::arg("ranks"), nb::arg("starts"), nb::arg("holdout"), nb::arg("time_limit"),
             nb::arg("told").none(), nb::arg("keep_starts"), nb::arg("checkpoint"),
             nb::arg("resume"), nb::arg("missing").none() = nb::none(),
             "Tries several ranks and suggests one; the result is a dictionary.");
  module.def("checkpoint_scalar_bytes", &checkpoint_scalar_bytes, nb::arg("path"),
             "Bytes that a number of a checkpoint's model takes.");
}

}  // namespace genten::python
