// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "decompose.hpp"
#include "notes.hpp"
#include "ranks.hpp"

#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/result_json.hpp"
#include "tools/table.hpp"
#include "tools/terminal/terminal.hpp"

#include <genten/cp/result.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <ostream>

namespace genten::cli {
namespace {

using Json = nlohmann::ordered_json;

void line(std::ostream& out, const std::string& name, const std::string& text) {
  constexpr std::size_t width = 10;
  const Paint paint = name == "note" ? Paint::note : Paint::name;
  out << painted(out, paint, name) << std::string(width - name.size(), ' ') << text << '\n';
}

std::string stop_sentence(const Json& result) {
  const std::string reason = result["stop_reason"];
  std::string text = reason;
  for (const auto& entry : enum_words(StopReason{})) {
    if (entry.word == reason) text = entry.meaning;
  }
  if (result["interrupted"].get<bool>() && reason != "interrupted") text = "interrupted, " + text;
  text += ", " + count_of(result["iterations"].get<std::size_t>(), "iteration");
  if (result["starts"].size() > 1) {
    text += format(", start %zu of %zu is the best", result["best_start"].get<std::size_t>(),
                   result["starts"].size());
  }
  return text;
}

/// Does the final fit, computed again, look other than that of the last iteration?
bool fit_has_changed(const Json& result) {
  const auto route = result.find("residual_route");
  if (route == result.end() || *route == to_string(ResidualRoute::identity)) return false;
  if (result["history"].empty()) return false;
  const auto shown = [](const Json& of) {
    return format("%.12f %.6e", number(of["fit"]), number(of["residual_norm"]));
  };
  return shown(result) != shown(result["history"].back());
}

std::string weights_sentence(const Json& weights) {
  constexpr std::size_t shown = 6;
  std::vector<std::string> words;
  for (std::size_t r = 0; r < std::min(shown, weights.size()); ++r) {
    words.push_back(format("%.7g", number(weights[r])));
  }
  if (weights.size() > shown) words.push_back(format("... (%zu)", weights.size()));
  return join(words, " ");
}

/// The options that constrain the factors, as they were given: ", nonnegative, ridge 10".
std::string constraints_text(const CpAlsOptions& options) {
  std::string text;
  if (!options.nonnegative.empty()) {
    text += ", nonnegative";
    if (!options.nonnegative.all) text += " in mode " + value_text(options.nonnegative);
  }
  const auto add = [&text](const char* name, const std::vector<double>& numbers) {
    if (!numbers.empty()) text += std::string(", ") + name + " " + value_text(numbers);
  };
  add("ridge", options.ridge);
  add("l1", options.l1);
  add("lower", options.lower);
  add("upper", options.upper);
  return text;
}

/// The objective and what it consists of, of runs under constraints: those have one or the other.
void print_objective(std::ostream& out, const Json& result) {
  if (result.contains("deviance")) {
    line(out, "objective",
         format("%.12g, deviance %.9g", number(result["objective"]), number(result["deviance"])));
    line(out, "KKT", format("violated by %.2g at most", number(result["kkt_violation"])));
    return;
  }
  const bool violated =
      result["kkt_violation"].is_number() && !std::isnan(result["kkt_violation"].get<double>());
  const double penalty = number(result["penalty"]);
  if (!violated && !(penalty > 0.0)) return;
  if (std::isfinite(number(result["objective"]))) {
    line(out, "objective",
         format("%.12g", number(result["objective"])) +
             (penalty > 0.0 ? format(", %.6g of it penalties", penalty) : ""));
  }
  if (violated) {
    line(out, "KKT",
         format("violated by %.2g of the norm at most", number(result["kkt_violation"])));
  }
}

/// Where cells are missing: what counts, and how well the model meets those that were held out.
void print_cells(std::ostream& out, const Json& result) {
  if (!result.contains("holdout")) return;
  line(out, "cells",
       format("%.15g count, RMSE %.6g", number(result["cells"]), number(result["rmse"])));
  const Json& holdout = result["holdout"];
  if (holdout.is_null()) return;
  line(out, "held out",
       format("RMSE %.6g, MAE %.6g over %lld cells, the least, of iteration %zu",
              number(holdout["rmse"]), number(holdout["mae"]), holdout["cells"].get<long long>(),
              result["returned_iteration"].get<std::size_t>()));
}

void print_timings(std::ostream& out, const Json& timings) {
  double phases = 0.0;
  for (const auto& [name, seconds] : timings.items()) {
    if (name != "total") phases += number(seconds);
  }
  const double total = std::max(phases, number(timings.value("total", Json(0.0))));
  Table table({{"phase", Table::Align::left}, {"seconds"}, {"share"}});
  for (const auto& [name, seconds] : timings.items()) {
    const double share = total > 0.0 ? 100.0 * number(seconds) / total : 0.0;
    table.add({name, format("%.4f", number(seconds)), format("%.1f %%", share)});
  }
  out << '\n';
  table.print(out);
}

}  // namespace

void print_beginning(std::ostream& out, const DecomposeOptions& options, const TensorFacts& facts) {
  line(out, "tensor", describe(facts));
  std::string run =
      !options.resume.empty() ? "checkpoint " + input_name(options.resume) + ", " : "";
  run += options.guess_file.empty() ? format("rank %zu, seed %llu", options.als.rank,
                                             static_cast<unsigned long long>(options.als.seed))
                                    : "initial guess " + input_name(options.guess_file);
  if (options.als.starts > 1) run += ", " + count_of(options.als.starts, "start");
  if (options.loss == Loss::poisson) run += ", counts by maximum likelihood";
  if (options.misses_unlisted()) run += ", unlisted cells missing";
  if (const std::string file = options.missing_file(); !file.empty()) {
    run += ", cells of " + input_name(file) + " missing";
  }
  run += constraints_text(options.als);
  run += options.input.precision == Precision::float32 ? ", float" : ", double";
  line(out, "run", run + format(", %zu-bit ordinals, ", facts.ordinal_bits) + describe_backend());
  if (!facts.ranks.is_null()) line(out, "ranks", ranks_text(facts.ranks));
  for (const std::string& note : facts.notes) line(out, "note", note);
  out << std::endl;
}

void print_summary(std::ostream& out, const Json& result) {
  line(out, "stopped", stop_sentence(result));
  line(out, "fit", format("%.12f", number(result["fit"])));
  line(out, "residual",
       format("%.9g of norm %.9g", number(result["residual_norm"]), number(result["tensor_norm"])));
  print_objective(out, result);
  print_cells(out, result);
  if (fit_has_changed(result)) {
    line(out, "note", "fit and residual are computed again, to more digits than in the iterations");
  }
  for (const std::string& note : fit_notes(result)) line(out, "note", note);
  line(out, "weights", weights_sentence(result["weights"]));
  for (const std::string& note : model_notes(result)) line(out, "note", note);
  const std::string kernel = result["kernel"];
  const std::string description = result.value("kernel_description", "");
  line(out, "kernel",
       description.empty() || description == kernel ? kernel : kernel + ": " + description);
  if (result.contains("mttkrp_gflops")) {
    line(out, "mttkrp",
         format("%.3f GFLOP/s, %.3f GB/s", number(result["mttkrp_gflops"]),
                number(result["mttkrp_gbytes"])));
  }
  if (const std::string file = result["model_file"]; !file.empty()) {
    const std::string labels = result["labels_file"];
    line(out, "model",
         output_name(file) + (labels.empty() ? "" : ", names in " + output_name(labels)));
  }
  print_timings(out, result["timings"]);
}

}  // namespace genten::cli
