// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "result_json.hpp"

#include "program.hpp"
#include "text.hpp"

#include <genten/base/memory.hpp>

#include <cmath>

namespace genten::tools {

nlohmann::ordered_json count_json(double count) {
  if (count < 0x1p63) return static_cast<std::int64_t>(count);
  return count;
}

nlohmann::ordered_json to_json(const KernelChoice& choice) {
  auto refused = nlohmann::ordered_json::array();
  for (const KernelCandidate& one : choice.refused()) {
    refused.push_back({{"name", one.name},
                       {"why", to_string(one.refusal)},
                       {"predicted_bytes", one.cost},
                       {"memory_bytes", one.memory}});
  }
  const KernelCandidate* const chosen = choice.find(choice.name);
  return {{"name", choice.name},
          {"automatic", choice.automatic},
          {"predicted_bytes", chosen == nullptr ? 0.0 : chosen->cost},
          {"memory_bytes", chosen == nullptr ? 0.0 : chosen->memory},
          {"allowed_bytes", choice.allowed},
          {"refused", refused}};
}

namespace {

using Json = nlohmann::ordered_json;

template <class Owner>
Json figures_json(const Owner& owner);

Json figure_json(const auto& value) {
  return option_json(value);
}
Json figure_json(const KernelChoice& choice) {
  return to_json(choice);
}
Json figure_json(const HoldoutErrors& errors) {
  return errors.entries == 0 ? Json(nullptr) : figures_json(errors);
}
Json figure_json(const std::vector<PhaseTiming>& timings) {
  Json json = Json::object();
  for (const PhaseTiming& timing : timings) json[timing.name] = timing.seconds;
  return json;
}
/// Records, without errors over held-out entries where there are none.
template <class Record>
Json records_json(const std::vector<Record>& records) {
  Json json = Json::array();
  for (const Record& record : records) {
    json.push_back(figures_json(record));
    if constexpr (requires { record.holdout_loss; }) {
      if (std::isnan(record.holdout_loss)) json.back().erase("holdout_loss");
    }
    if (!std::isnan(record.holdout_rmse)) continue;
    json.back().erase("holdout_rmse");
    json.back().erase("holdout_mae");
  }
  return json;
}
Json figure_json(const std::vector<IterationRecord>& history) {
  return records_json(history);
}
Json figure_json(const std::vector<StartRecord>& starts) {
  return records_json(starts);
}

template <class Owner>
Json figures_json(const Owner& owner) {
  Json json = Json::object();
  for_each_figure(owner, [&](std::string_view name, const auto& value) {
    json[std::string(name)] = figure_json(value);
  });
  return json;
}

Json note_json(const Note& note) {
  Json json = {{"code", to_string(note.code)}};
  for (const auto& entry : enum_words(note.code)) {
    if (entry.value == note.code) json["title"] = entry.meaning;
  }
  json["text"] = sentence(in_words(note.text));
  json["numbers"] = Json::object();
  for (const auto& [name, value] : note.numbers) json["numbers"][name] = value;
  return json;
}

/// Numbers by mode and row; those that there are none of are null.
Json rows_json(const FactorNumbers& numbers, std::size_t rank) {
  Json json = Json::array();
  for (const auto& of_mode : numbers) {
    Json rows = Json::array();
    for (auto row = of_mode.begin(); row != of_mode.end();
         row += static_cast<std::ptrdiff_t>(rank)) {
      rows.push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(rank)));
    }
    json.push_back(std::move(rows));
  }
  return json;
}

}  // namespace

void add_notes(Json& json, const std::vector<Note>& notes, const std::vector<std::string>& before) {
  json["notes"] = Json::array();
  json["warnings"] = Json::array();
  for (const std::string& note : before) json["warnings"].push_back(sentence(note));
  for (const Note& note : notes) {
    json["notes"].push_back(note_json(note));
    json["warnings"].push_back(sentence(in_words(note.text)));
  }
}

void add_trust(Json& json, const RunTrust& trust) {
  if (!trust.stability.empty()) {
    json["stability"] = Json::array();
    for (const ComponentStability& each : trust.stability) {
      json["stability"].push_back(figures_json(each));
      json["stability"].back()["unstable"] = each.is_unstable();
    }
  }
  if (trust.standard_errors) {
    const StandardErrors& errors = *trust.standard_errors;
    json["standard_errors"] = {{"information", to_string(errors.information)},
                               {"determined", errors.determined},
                               {"noise_variance", errors.noise_variance},
                               {"weights", errors.weights}};
  }
  if (trust.bootstrap) {
    const IntervalNumbers& weights = trust.bootstrap->weights;
    json["bootstrap"] = {{"refits", trust.bootstrap->refits}, {"asked", trust.bootstrap->asked}};
    if (trust.bootstrap->refits == 0) return;
    json["bootstrap"]["weights"] = {
        {"lower", weights.lower}, {"upper", weights.upper}, {"deviation", weights.deviation}};
  }
}

void add_factor_bars(Json& json, const RunTrust& trust, std::size_t rank) {
  if (trust.standard_errors) {
    json["standard_errors"]["factors"] = rows_json(trust.standard_errors->factors, rank);
    json["standard_errors"]["upper_limits"] = rows_json(trust.standard_errors->upper_limits, rank);
  }
  if (!trust.bootstrap || trust.bootstrap->refits == 0) return;
  FactorNumbers lower, upper, deviation;
  for (const IntervalNumbers& each : trust.bootstrap->factors) {
    lower.push_back(each.lower);
    upper.push_back(each.upper);
    deviation.push_back(each.deviation);
  }
  json["bootstrap"]["factors"] = {{"lower", rows_json(lower, rank)},
                                  {"upper", rows_json(upper, rank)},
                                  {"deviation", rows_json(deviation, rank)}};
}

Json report_json(const RunReport& report, const std::vector<std::string>& before) {
  Json json = figures_json(report.figures);
  std::visit([&](const auto& own) { json.update(figures_json(own)); }, report.own);
  if (json.contains("entries")) json["entries"] = count_json(json["entries"].get<double>());
  json["best_start"] = report.figures.best_start + 1;
  json["weights"] = report.weights;
  add_trust(json, report.trust);
  add_notes(json, report.notes, before);
  return json;
}

Json tucker_json(const TuckerFigures& figures, const std::vector<Note>& notes,
                 const std::vector<std::string>& before) {
  Json json = figures_json(figures);
  add_notes(json, notes, before);
  return json;
}

}  // namespace genten::tools
