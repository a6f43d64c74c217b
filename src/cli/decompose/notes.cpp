// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "notes.hpp"

#include "tools/result_json.hpp"
#include "tools/text.hpp"

#include <genten/cp/stop.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace genten::cli {

using namespace tools;

namespace {

using Json = nlohmann::ordered_json;

/// The options that keep factors from where the data would have them, as they are called.
std::vector<std::string> constraints_of(const Json& options) {
  std::vector<std::string> names;
  for (const char* name : {"nonnegative", "lower", "upper", "ridge", "l1"}) {
    const auto option = options.find(name);
    if (option != options.end() && !option->empty()) names.push_back(std::string("--") + name);
  }
  return names;
}

/// That a model is as good as none, and why that may be.
std::string useless_fit(const Json& result) {
  // The likelihood of counts is another question.
  if (result["options"].value("loss", "gaussian") != "gaussian") return "";
  constexpr double hardly_anything = 1e-3;
  const double fit = number(result["fit"]);
  const auto constraints = constraints_of(result["options"]);
  const bool useless = fit <= 0.0 || (!constraints.empty() && fit < hardly_anything);
  if (!useless || !(number(result["tensor_norm"]) > 0.0)) return "";
  std::string note = fit <= 0.0
                         ? format("a fit of %.3g is no better than that of a model of zeros", fit)
                         : format("a fit of %.3g explains hardly anything", fit);
  if (!constraints.empty()) {
    note += ": " + join(constraints, ", ") + " may keep the factors from where the data are";
  }
  return note;
}

/// Starts that a lower iteration limit had ended before the run was resumed.
std::string ended_starts(const Json& result) {
  const auto limit = result["options"]["max_iterations"].get<std::size_t>();
  std::size_t ended = 0;
  for (const auto& start : result["starts"]) {
    const bool by_limit = start["stop_reason"] == to_string(StopReason::iteration_limit);
    if (by_limit && start["iterations"].get<std::size_t>() < limit) ++ended;
  }
  if (ended == 0) return "";
  return count_of(ended, "start") + (ended == 1 ? " stays as it was" : " stay as they were") +
         " when a lower iteration limit ended " + (ended == 1 ? "it" : "them") +
         ": a resumed run goes on with the start in hand and those that follow";
}

}  // namespace

double number(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> fit_notes(const Json& result) {
  std::vector<std::string> notes;
  if (const std::string useless = useless_fit(result); !useless.empty()) notes.push_back(useless);
  if (std::string ended = ended_starts(result); !ended.empty()) notes.push_back(std::move(ended));
  if (number(result["residual_error"]) > 0.01 * number(result["residual_norm"])) {
    notes.push_back(
        format("rounding hides residuals of up to %.2g", number(result["residual_error"])));
  }
  const bool counts =
      result["options"].contains("missing") || !constraints_of(result["options"]).empty();
  if (counts && std::isinf(number(result["objective"]))) {
    notes.push_back(
        "the objective is beyond the range of numbers: residuals alone say when the run is done, "
        "and of several starts the first is taken");
  }
  if (result["tolerance_above_fit"].get<bool>()) {
    notes.push_back(
        format("the tolerance, %g, is above the fit itself: a smaller one may find more",
               number(result["options"]["tolerance"])));
  }
  return notes;
}

std::vector<std::string> model_notes(const Json& result) {
  std::vector<std::string> notes;
  if (const auto zeros = result["zero_components"].get<std::size_t>(); zeros != 0) {
    notes.push_back(count_of(zeros, "component") + (zeros == 1 ? " is zero" : " are zero"));
  }
  if (const auto solves = result.value("rank_deficient_solves", std::size_t{0}); solves != 0) {
    notes.push_back(count_of(solves, "solve") + " with a rank-deficient matrix");
  }
  if (const auto rows = result.value("empty_rows", std::int64_t{0}); rows != 0) {
    notes.push_back(
        count_of(static_cast<std::size_t>(rows), "row") + (rows == 1 ? " is zero" : " are zero") +
        (result["options"].value("missing", "") == "unlisted" ? ", of which no cell counts"
                                                              : ", of which no nonzero counts"));
  }
  if (const auto several = result.value("degenerate_components", std::size_t{0}); several != 0) {
    notes.push_back(count_of(several, "component") +
                    format(" with weights up to %.2g times the size of the data, which cancel each "
                           "other and mean nothing at missing cells: a --ridge, fewer components "
                           "or another start may help",
                           number(result["weight_ratio"])));
  }
  const auto choice = result.find("kernel_choice");
  const std::string refusal = choice == result.end() ? "" : refusal_sentence(*choice);
  if (!refusal.empty()) notes.push_back(refusal);
  return notes;
}

std::vector<std::string> warnings(const std::vector<std::string>& tensor_notes,
                                  const Json& result) {
  std::vector<std::string> sentences;
  const auto add = [&](const std::vector<std::string>& notes) {
    for (const std::string& note : notes) sentences.push_back(sentence(note));
  };
  add(tensor_notes);
  const std::string reason = result["stop_reason"];
  for (const char* limit : {"iteration", "time"}) {
    if (reason != std::string(limit) + "_limit") continue;
    add({"the " + std::string(limit) + " limit ended the run after " +
         count_of(result["iterations"].get<std::size_t>(), "iteration")});
  }
  add(fit_notes(result));
  add(model_notes(result));
  return sentences;
}

}  // namespace genten::cli
