// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "request.hpp"

#include "arrays.hpp"

#include <genten/cp/losses/loss_list.hpp>
#include <genten/run/run_cp.hpp>

namespace genten::python {
namespace {

/// A function of Python that takes arrays of x and m and returns one, as long as `callable` lives.
/// Python gets arrays of its own, which it may keep.
BlockLoss::Function block_function(nb::handle callable) {
  return [callable](const double* x, const double* m, double* to, std::size_t count) {
    ask_python([&] {
      const auto array_of = [count](const double* numbers) {
        auto* const copy = new std::vector<double>(numbers, numbers + count);
        const nb::capsule owner(
            copy, [](void* it) noexcept { delete static_cast<std::vector<double>*>(it); });
        return nb::cast(NumpyArray<double>(copy->data(), 1, &count, owner));
      };
      using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
      const auto found = nb::cast<Values>(callable(array_of(x), array_of(m)));
      std::copy_n(found.data(), count, to);
    });
  };
}

}  // namespace

AnyLoss own_loss_from(const nb::dict& told) {
  BlockLoss loss;
  loss.facts.name = nb::cast<std::string>(told["name"]);
  loss.facts.data = static_cast<LossData>(nb::cast<int>(told["data"]));
  loss.facts.lower = nb::cast<bool>(told["nonnegative"]) ? 0.0 : losses::no_bound;
  loss.facts.takes_zeros = loss.facts.data != LossData::positive;
  loss.facts.default_ridge = nb::cast<double>(told["ridge"]);
  loss.value = block_function(told["value"]);
  loss.slope = block_function(told["slope"]);
  return {loss};
}

namespace {

/// The request of the run that a checkpoint is of, and whether its numbers are floats.
std::pair<CpRequest, bool> saved_request(const std::string& path) {
  return in_turn([&] {
    const bool single = checkpoint_scalar_bytes(path) == sizeof(float);
    return std::pair(single ? request_of(read_checkpoint<float, HostExec>(path))
                            : request_of(read_checkpoint<double, HostExec>(path)),
                     single);
  });
}

/// A value in a message.
template <class T>
std::string text_of(const T& value) {
  return nb::cast<std::string>(nb::repr(option_value(value)));
}

CpRequest request_from(const nb::dict& asked) {
  CpRequest request;
  if (const nb::object loss = asked["loss"]; !loss.is_none()) {
    request.loss = nb::cast<std::string>(loss);
    request.given.insert("loss");
  }
  if (asked.contains("own_loss")) {
    request.own_loss = own_loss_from(nb::cast<nb::dict>(asked["own_loss"]));
  }
  if (const nb::object parameter = asked["loss_parameter"]; !parameter.is_none()) {
    request.loss_parameter = nb::cast<double>(parameter);
  }
  if (const nb::object solver = asked["solver"]; !solver.is_none()) {
    const auto word = nb::cast<std::string>(solver);
    request.asked = from_word<Solver>(word);
    if (!request.asked) detail::reject_option("solver", all_words<Solver>(), "'" + word + "'");
    request.given.insert("solver");
  }
  request.has_guess = asked.contains("has_guess") && nb::cast<bool>(asked["has_guess"]);
  request.missing = *from_word<MissingEntries>(nb::cast<std::string>(asked["missing"]));
  const auto options = nb::cast<nb::dict>(asked["options"]);
  CpRequest::for_each_option(request, [&](Solver, const auto& field, auto& value) {
    const std::string keyword = keyword_of(field.name);
    if (!options.contains(keyword.c_str())) return;
    set_option(field, value, options[keyword.c_str()]);
    request.given.insert(std::string(field.name));
  });
  set_options(request.trust, options);
  return request;
}

}  // namespace

CpRequest settled_request(const nb::dict& asked, const std::string& resume, bool on_host) {
  CpRequest request = request_from(asked);
  if (!resume.empty()) {
    return resumed(request, saved_request(resume).first, on_host,
                   [](const auto& value) { return text_of(value); });
  }
  request.settle(on_host);
  CpRequest::with_options(request, [](const auto& options) { check_ranges(options); });
  return request;
}

EntryFacts entry_facts(const nb::dict& asked) {
  return {.added_up = nb::cast<std::size_t>(asked["added_up"]),
          .is_list = nb::cast<bool>(asked["is_list"]),
          .mode_names = nb::cast<std::vector<std::string>>(asked["columns"])};
}

nb::dict request_dict(const CpRequest& request) {
  nb::dict dict;
  dict["loss"] = request.loss;
  const LossFacts facts = request.any_loss().facts();
  dict["loss_parameter"] =
      facts.parameter_name.empty() ? nb::none() : nb::object(nb::float_(facts.parameter));
  dict["solver"] = std::string(to_string(request.solver()));
  dict["missing"] = std::string(to_string(request.missing));
  CpRequest::with_options(request,
                          [&](const auto& options) { dict["options"] = options_dict(options); });
  auto options = nb::cast<nb::dict>(dict["options"]);
  if (options.contains("unlisted")) nb::del(options["unlisted"]);
  options.update(options_dict(request.trust));
  return dict;
}

nb::dict checkpoint_facts(const std::string& path) {
  const auto [request, single] = saved_request(path);
  nb::dict dict = request_dict(request);
  dict["dtype"] = single ? "float32" : "float64";
  return dict;
}

nb::list request_table() {
  nb::list table;
  const CpRequest request;
  CpRequest::for_each_option(request, [&](Solver, const auto& field, const auto& value) {
    nb::dict line = option_line(field, value);
    nb::dict solvers, others;
    CpRequest::for_each_of(request, field.name,
                           [&](Solver solver, const auto& other, const auto& same) {
                             const std::string word(to_string(solver));
                             if (other.meaning != field.meaning)
                               others[word.c_str()] = std::string(other.meaning);
                             solvers[word.c_str()] = option_value(same);
                           });
    line["solvers"] = solvers;
    line["other_meanings"] = others;
    table.append(line);
  });
  for (const nb::handle each : option_table<TrustOptions>()) {
    auto line = nb::cast<nb::dict>(each);
    line["solvers"] = nb::dict();
    line["other_meanings"] = nb::dict();
    table.append(line);
  }
  return table;
}

nb::dict loss_table() {
  nb::dict table;
  LossList::for_each([&]<class L>() {
    std::string meaning(L::meaning);
    if constexpr (loss_requirements::HasParameter<L>) {
      meaning += ", `loss_parameter` being " + std::string(L::parameter.name) + ", " +
                 std::string(L::parameter.expected) + ", by default " +
                 number_text(L::parameter.otherwise);
    }
    table[std::string(L::name).c_str()] = meaning;
  });
  return table;
}

}  // namespace genten::python
