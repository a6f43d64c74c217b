// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "results.hpp"

#include "tools/kokkos/session.hpp"

namespace genten::python {
namespace {

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

}  // namespace

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
