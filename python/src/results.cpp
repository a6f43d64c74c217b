// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "results.hpp"

#include "tools/kokkos/session.hpp"
#include "tools/text.hpp"

#include <concepts>

namespace genten::python {
namespace {

nb::object to_python(double value) {
  return nb::float_(value);
}
nb::object to_python(bool value) {
  return nb::bool_(value);
}
nb::object to_python(const std::string& text) {
  return nb::cast(text);
}
template <std::integral Number>
nb::object to_python(Number number) {
  return nb::int_(number);
}
template <WordedEnum Enum>
nb::object to_python(Enum value) {
  return nb::cast(std::string(to_string(value)));
}
nb::object to_python(const std::vector<double>& numbers) {
  return nb::cast(numbers);
}
nb::object to_python(const std::vector<int>& modes) {
  return nb::cast(modes);
}
nb::object to_python(const KernelChoice& choice) {
  return nb::cast(choice.name);
}

template <class Owner>
void add_figures(nb::dict& dict, const Owner& owner);

nb::object to_python(const HoldoutErrors& errors) {
  if (errors.entries == 0) return nb::none();
  nb::dict dict;
  add_figures(dict, errors);
  return dict;
}
nb::object to_python(const std::vector<PhaseTiming>& timings) {
  nb::dict dict;
  for (const PhaseTiming& phase : timings) dict[phase.name.c_str()] = phase.seconds;
  return dict;
}

/// A dictionary of arrays, one for each number of a record.
nb::object to_python(const std::vector<IterationRecord>& records) {
  nb::dict history;
  for_each_figure(IterationRecord(), [&](std::string_view name, const auto& of_type) {
    using Value = std::conditional_t<std::is_integral_v<std::remove_cvref_t<decltype(of_type)>>,
                                     std::int64_t, double>;
    auto* const values = new std::vector<Value>;
    for (const IterationRecord& record : records) {
      for_each_figure(record, [&](std::string_view each, const auto& value) {
        if (each == name) values->push_back(static_cast<Value>(value));
      });
    }
    const nb::capsule owner(values,
                            [](void* it) noexcept { delete static_cast<std::vector<Value>*>(it); });
    const std::size_t length = values->size();
    history[std::string(name).c_str()] =
        nb::cast(NumpyArray<Value>(values->data(), 1, &length, owner));
  });
  return history;
}

/// The starts need the follower, which knows their courses and models.
nb::object to_python(const std::vector<StartRecord>&) {
  return nb::none();
}

template <class Owner>
void add_figures(nb::dict& dict, const Owner& owner) {
  for_each_figure(owner, [&](std::string_view name, const auto& value) {
    dict[std::string(name).c_str()] = to_python(value);
  });
}

nb::list starts_list(const std::vector<StartRecord>& starts, const Follower& follower) {
  nb::list list;
  for (std::size_t s = 0; s < starts.size(); ++s) {
    nb::dict start;
    add_figures(start, starts[s]);
    const bool seen = s < follower.history().size();
    start["history"] = to_python(seen ? follower.history()[s] : std::vector<IterationRecord>{});
    const auto make_model = follower.model_of(s);
    start["model"] = make_model ? make_model() : nb::none();
    list.append(start);
  }
  return list;
}

nb::list factors_list(const FactorNumbers& numbers) {
  nb::list list;
  for (const auto& of_mode : numbers) list.append(to_python(of_mode));
  return list;
}

nb::dict intervals_dict(const IntervalNumbers& numbers) {
  nb::dict dict;
  dict["lower"] = to_python(numbers.lower);
  dict["upper"] = to_python(numbers.upper);
  dict["deviation"] = to_python(numbers.deviation);
  return dict;
}

/// Error bars; factors are lists of numbers by rows.
void add_trust(nb::dict& dict, const RunTrust& trust) {
  nb::list stability;
  for (const ComponentStability& each : trust.stability) {
    nb::dict component;
    add_figures(component, each);
    component["unstable"] = each.is_unstable();
    stability.append(component);
  }
  dict["stability"] = stability;
  dict["standard_errors"] = nb::none();
  dict["bootstrap"] = nb::none();
  if (trust.standard_errors) {
    const StandardErrors& errors = *trust.standard_errors;
    nb::dict found;
    found["information"] = to_python(errors.information);
    found["determined"] = errors.determined;
    found["noise_variance"] = errors.noise_variance;
    found["weights"] = to_python(errors.weights);
    found["factors"] = factors_list(errors.factors);
    found["upper_limits"] = factors_list(errors.upper_limits);
    dict["standard_errors"] = found;
  }
  if (trust.bootstrap && trust.bootstrap->refits != 0) {
    nb::dict found;
    found["refits"] = trust.bootstrap->refits;
    found["asked"] = trust.bootstrap->asked;
    found["weights"] = intervals_dict(trust.bootstrap->weights);
    nb::list factors;
    for (const auto& each : trust.bootstrap->factors) factors.append(intervals_dict(each));
    found["factors"] = factors;
    dict["bootstrap"] = found;
  }
}

}  // namespace

nb::list notes_list(const std::vector<Note>& given) {
  nb::list notes;
  for (const Note& note : given) {
    std::string title;
    for (const auto& entry : enum_words(note.code)) {
      if (entry.value == note.code) title = entry.meaning;
    }
    nb::dict numbers;
    for (const auto& [name, value] : note.numbers) numbers[name.c_str()] = value;
    notes.append(nb::make_tuple(std::string(to_string(note.code)), title,
                                tools::sentence(in_words(note.text)), numbers,
                                tools::sentence(ErrorWords().text(note.text))));
  }
  return notes;
}

nb::dict report_dict(const RunReport& report, const Follower& follower) {
  nb::dict dict;
  add_figures(dict, report.figures);
  dict["starts"] = starts_list(report.figures.starts, follower);
  nb::dict own;
  std::visit([&](const auto& figures) { add_figures(own, figures); }, report.own);
  if (own.contains("entries")) {  // of any size
    own["entries"] = nb::steal(PyLong_FromDouble(nb::cast<double>(own["entries"])));
  }
  dict["own"] = own;
  dict["notes"] = notes_list(report.notes);
  add_trust(dict, report.trust);
  return dict;
}

nb::dict figures_dict(const TuckerFigures& figures) {
  nb::dict dict;
  add_figures(dict, figures);
  return dict;
}

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

}  // namespace genten::python
