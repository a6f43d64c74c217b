// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../options.hpp"
#include "../parts.hpp"
#include "../request.hpp"
#include "../results.hpp"
#include "divided.hpp"

#include <genten/dist/cp_als.hpp>
#include <genten/run/distributed_notes.hpp>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace genten::python {
namespace {

/// What process 0 has prepared.
struct Plan {
  CpRequest request;
  Watch watch;
  std::string resume;
  std::optional<ModelArrays> guess;
  EntryFacts entries = {};  ///< what is known of the tensor's, for notes
};

template <class T>
T item(const nb::dict& dict, const char* name) {
  return nb::cast<T>(dict[name]);
}

/// What the Python object `run` says that this process brings.
Brought brought_by(const nb::dict& begun, const std::string& path) {
  Brought brought;
  brought.path = path;
  const nb::object tensor = begun["tensor"];
  if (!tensor.is_none()) brought.tensor = nb::cast<const Tensor*>(tensor);
  brought.dtype = item<std::string>(begun, "dtype");
  brought.grid = item<Grid>(begun, "grid");
  brought.lengths_beside = item<std::vector<std::size_t>>(begun, "lengths_beside");
  brought.base_beside = item<int>(begun, "base_beside");
  return brought;
}

std::map<std::string, std::string> said_by(const nb::dict& begun) {
  std::map<std::string, std::string> said;
  for (const auto& [name, text] :
       item<std::vector<std::pair<std::string, std::string>>>(begun, "same")) {
    said[name] = text;
  }
  return said;
}

/// What there is to be known of the tensor before a run.
nb::dict facts_of(const Divided& divided) {
  nb::dict facts;
  std::visit(
      [&](const auto& any) {
        facts["nnz"] = any.nnz;
        facts["summed"] = any.summed;
        using Scalar = std::remove_cvref_t<decltype(*any.part.tensor.values().data())>;
        facts["dtype"] = std::is_same_v<Scalar, float> ? "float32" : "float64";
      },
      divided.tensor);
  facts["shape"] = nb::tuple(nb::cast(divided.shape));
  facts["least"] = divided.least;
  facts["most"] = divided.most;
  facts["repeated"] = divided.repeated;
  if (divided.report) {
    facts["format"] = std::string(to_string(divided.report->format));
    facts["index_base"] = first_subscript(divided.report->index_base);
    facts["duplicates"] = divided.report->duplicates;
  }
  return facts;
}

Plan plan_of(const nb::dict& given) {
  Plan plan;
  set_options(plan.request.als, item<nb::dict>(given, "options"));
  check_ranges(plan.request.als);
  plan.resume = item<std::string>(given, "resume");
  plan.entries = entry_facts(given);
  plan.watch = {given["callback"], item<std::string>(given, "checkpoint"),
                item<std::size_t>(given, "checkpoint_every"), item<bool>(given, "keep_starts")};
  if (!given["weights"].is_none()) {
    plan.guess = ModelArrays{item<PackedArray>(given, "weights"),
                             item<std::vector<AnyArray>>(given, "factors")};
  }
  return plan;
}

/// The guess of process 0, on all.
template <RealScalar Scalar>
Ktensor<Scalar, HostExec> share_guess(Communicator& processes,
                                      const std::optional<ModelArrays>& given,
                                      const std::vector<std::size_t>& shape) {
  std::size_t rank = 0;
  first_alone(processes, [&] {
    const auto view = given->view<Scalar>();
    rank = view.rank();
    if (view.dimensions() == shape && rank != 0) return;
    throw Error(
        "cp_als: expected an initial guess with the tensor's dimensions and at least one "
        "component");
  });
  processes.broadcast(&rank, sizeof rank, 0);
  Ktensor<Scalar, HostExec> guess;
  together(processes, [&] {
    guess = Ktensor<Scalar, HostExec>(shape, rank);
    if (processes.process() != 0) return;
    const auto view = given->view<Scalar>();
    std::copy_n(view.weights().data(), rank, guess.weights().data());
    for (int n = 0; n < view.order(); ++n) {
      for (std::size_t i = 0; i < view.factor(n).rows(); ++i) {
        std::copy_n(view.factor(n).row(i), rank, guess.factor(n).row(i));
      }
    }
  });
  processes.broadcast(guess.weights().data(), rank * sizeof(Scalar), 0);
  for (const auto& factor : guess.factors()) {
    processes.broadcast(factor.data(), factor.rows() * factor.stride() * sizeof(Scalar), 0);
  }
  return guess;
}

/// What process 0 knows of the entries, on all.
void share_entries(Communicator& processes, EntryFacts& entries) {
  int is_list = entries.is_list ? 1 : 0;
  processes.broadcast(&is_list, sizeof is_list, 0);
  std::vector<char> names;
  for (const std::string& name : entries.mode_names) {
    names.insert(names.end(), name.begin(), name.end());
    names.push_back('\0');
  }
  names = all_gather_lists(processes, names).front();
  entries = {.is_list = is_list != 0};
  for (auto at = names.begin(); at != names.end();) {
    const auto end = std::find(at, names.end(), '\0');
    entries.mode_names.emplace_back(at, end);
    at = end + 1;
  }
}

nb::list sent_list(const std::vector<RowsSent>& modes, std::size_t columns) {
  nb::list list;
  for (const RowsSent& sent : modes) {
    nb::dict mode;
    mode["rows"] = sent.rows;
    mode["words"] = sent.rows * columns;
    mode["messages"] = sent.messages;
    list.append(mode);
  }
  return list;
}

/// How the tensor lies on the processes, and what they have sent, by the names that the tool's
/// report has for it.
template <class Tensor>
nb::dict processes_dict(const Processes& processes, const Tensor& tensor, const Grid& grid,
                        const std::vector<double>& rows, const ExchangeAccount& sent,
                        std::size_t columns) {
  const std::size_t count = processes.all().size();
  const double mean = static_cast<double>(tensor.nnz) / static_cast<double>(count);
  nb::dict dict;
  dict["count"] = count;
  dict["library"] = processes.library();
  dict["grid"] = grid.empty() ? nb::none() : nb::object(nb::cast(grid_text(grid)));
  dict["most_nonzeros"] = tensor.most_nnz;
  dict["imbalance"] = tensor.nnz == 0 ? 1.0 : static_cast<double>(tensor.most_nnz) / mean;
  nb::list by_mode;
  for (const double each : rows) by_mode.append(static_cast<std::uint64_t>(each));
  dict["rows_by_mode"] = by_mode;
  dict["folded"] = sent_list(sent.folded, columns);
  dict["expanded"] = sent_list(sent.expanded, columns);
  return dict;
}

/// The run itself, in a turn of all processes. Returns what makes its outcome into Python objects.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
std::function<nb::dict()> solve(Processes& python_processes, const Grid& grid,
                                const DistributedTensor<Scalar, Ordinal>& tensor, Plan& plan,
                                Follower& follower) {
  Communicator& processes = python_processes.all();
  CpAlsOptions& options = plan.request.als;
  share_options(processes, options);
  std::array<int, 3> asked = {!plan.resume.empty(), plan.guess.has_value(),
                              !plan.watch.checkpoint.empty()};
  processes.broadcast(asked.data(), sizeof asked, 0);
  const bool resumes = asked[0] != 0, is_guessed = asked[1] != 0, keeps_checkpoints = asked[2] != 0;
  const auto require_memory = [&] {
    require_memory_to_gather<Exec>(processes, tensor, options.rank, options, WholeModel::on_host);
    if (!keeps_checkpoints) return;
    require_memory_to_gather<Exec>(processes, tensor, options.rank, options,
                                   WholeModel::checkpoints);
  };
  TransportChoice transport{nullptr, ""};
  if constexpr (!is_host_space<Exec>) transport = make_device_transport(processes);
  const ProcessOptions how{transport.transport.get(), [&] { return follower.wants_to_end(); },
                           false};
  const KtensorObserver<Scalar, Exec> observer = std::ref(follower);
  const auto run = [&] {
    if (resumes) {
      std::optional<Checkpoint<Ktensor<Scalar, Exec>>> saved(std::in_place);
      first_alone(processes, [&] { saved = read_checkpoint<Scalar, Exec>(plan.resume); });
      require_memory();
      return cp_als(Exec(), processes, tensor, *saved, options, observer, how);
    }
    std::optional<Ktensor<Scalar, Exec>> guess;
    if (is_guessed) {
      const auto shared = share_guess<Scalar>(processes, plan.guess, tensor.part.dimensions);
      together(processes, [&] { guess = clone_to<Exec>(shared); });
      options.rank = guess->rank();
    }
    require_memory();
    return cp_als(Exec(), processes, tensor, options, observer, guess ? &*guess : nullptr, how);
  };
  auto result = run();
  const Ktensor<Scalar, HostExec> model = gather(processes, result.part);
  const auto components =
      unless_it_fails([&] { return component_facts(Exec(), processes, result.part); });
  share_entries(processes, plan.entries);
  RunSettings settings =
      run_settings(plan.request, tensor.part.dimensions.size(), std::move(plan.entries));
  look_at_values(processes, tensor, settings);
  result.part = {};
  std::vector<double> rows;
  for (const auto& mode : tensor.shared) rows.push_back(static_cast<double>(mode.foreign()));
  combine(processes, rows, {});
  const auto name = transport.name;
  return [=, &python_processes, &grid, &tensor, &plan, &follower] {
    nb::dict dict = result_dict<Exec>(result, components, settings, plan.request, follower);
    dict["model"] = python_processes.is_first() ? nb::object(show(model)) : nb::none();
    dict["ranks"] = processes_dict(python_processes, tensor, grid, rows, result.exchange,
                                   plan.request.als.rank);
    if (!name.empty()) dict["ranks"]["transport"] = name;
    return dict;
  };
}

/// The whole of a run, on one of the processes that all call it. What `run` has
/// is in genten/_run/processes.py.
nb::dict cp_als_on_processes(std::uintptr_t communicator, const std::string& library,
                             const std::string& path, const std::string& device, nb::object run) {
  Processes processes(communicator, library, run);
  nb::dict begun;
  Brought brought;
  processes.agree([&] {
    begun = nb::cast<nb::dict>(run.attr("begin")(processes.is_first()));
    brought = brought_by(begun, path);
  });
  processes.require_same(said_by(begun));
  Divided divided;
  processes.in_turn([&] { divided = divide(processes.all(), brought); });
  Plan plan;
  bool on_device = false;
  processes.agree([&] {
    const nb::object prepared = run.attr("prepare")(facts_of(divided));
    if (processes.is_first()) plan = plan_of(nb::cast<nb::dict>(prepared));
    on_device = use_device(device);
  });
  processes.require_same({{"device", on_device ? "one that is there" : "none that is there"}});
  if (!processes.is_first()) plan.watch.callback = nb::none();
  Follower follower(plan.watch);
  std::function<nb::dict()> to_python;
  processes.in_turn([&] {
    std::visit(
        [&](const auto& tensor) {
          if constexpr (!std::is_same_v<DeviceExec, HostExec>) {
            if (on_device) {
              to_python = solve<DeviceExec>(processes, brought.grid, tensor, plan, follower);
              return;
            }
          }
          to_python = solve<HostExec>(processes, brought.grid, tensor, plan, follower);
        },
        divided.tensor);
  });
  processes.agree([&] { follower.finish(); });
  {
    const nb::gil_scoped_release release;
    follower.share(processes.all());
  }
  return to_python();
}

}  // namespace

void bind_processes(nb::module_& module) {
  module.def("trouble_of_processes", &trouble_of_processes, nb::arg("communicator"),
             nb::arg("library"),
             "Why the processes of a communicator are of no use here; empty where they are.");
  module.def("cp_als_on_processes", &cp_als_on_processes, nb::arg("communicator"),
             nb::arg("library"), nb::arg("path"), nb::arg("device"), nb::arg("run"),
             "CP-ALS on the processes of a communicator; the result is a dictionary.");
}

}  // namespace genten::python
