// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "decompose.hpp"
#include "processes.hpp"

#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/launch/process_report.hpp"
#include "tools/printable.hpp"

#include <genten/cp/evaluate_loss.hpp>
#include <genten/run/report.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace genten::cli {
namespace {

/// Why the run ended and, of several starts, which is the best.
std::string end_of_run(const DecomposeOptions& options, const CpFigures& figures,
                       bool interrupted) {
  std::string text = stop_sentence(figures.stop_reason, figures.iterations, interrupted);
  if (figures.starts.size() > 1) {
    text += format(", start %zu of %zu is the best", figures.best_start + 1, figures.starts.size());
  }
  const bool is_random =
      options.guess_file.empty() && !options.from_nvecs && options.resume.empty();
  // Where another one would end nobody knows.
  if (figures.starts.size() == 1 && is_random) {
    text += ", one start";
    // One that has not come to its end may do so first.
    const bool has_ended =
        figures.stop_reason == StopReason::converged || figures.stop_reason == StopReason::stalled;
    if (has_ended && !options.given("--starts")) text += ": --starts 5 may find better";
  }
  return text;
}

/// Does the final fit, computed again, look other than that of the last iteration?
bool fit_has_changed(const RunReport& report) {
  const auto* const als = std::get_if<CpAlsFigures>(&report.own);
  if (als == nullptr || als->residual_route == ResidualRoute::identity) return false;
  if (report.figures.history.empty()) return false;
  const auto shown = [](const auto& of) { return format("%.12f %.6e", of.fit, of.residual_norm); };
  return shown(report.figures) != shown(report.figures.history.back());
}

/// Whether bounds have kept a model from being normalized, so that its weights are all 1, or 0.
bool are_in_factors(const CpAlsOptions& options, const std::vector<double>& weights) {
  const auto binds = [](double bound) { return bound != 0.0 && std::isfinite(bound); };
  return (std::any_of(options.lower.begin(), options.lower.end(), binds) ||
          std::any_of(options.upper.begin(), options.upper.end(),
                      [](double bound) { return std::isfinite(bound); })) &&
         std::all_of(weights.begin(), weights.end(),
                     [](double weight) { return weight == 1.0 || weight == 0.0; });
}

std::string weights_sentence(const std::vector<double>& weights) {
  constexpr std::size_t shown = 6;
  std::vector<std::string> words;
  for (std::size_t r = 0; r < std::min(shown, weights.size()); ++r) {
    words.push_back(format("%.7g", weights[r]));
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

/// The objective of a generalized decomposition, which entries it is over, and how near its
/// minimum is.
void print_generalized(std::ostream& out, const CpFigures& figures, const CpGcpFigures& gcp,
                       bool of_squares) {
  const std::string error =
      gcp.zeros == ZeroSums::sampled ? format(" +- %.2g", gcp.objective_error) : "";
  print_line(out, "objective",
             format("%.12g", figures.objective) + error +
                 (figures.penalty > 0.0 ? format(", %.6g of it penalties", figures.penalty) : "") +
                 (of_squares ? " (squares are not halved, as they are by other solvers)" : ""));
  const char* const zeros = gcp.zeros == ZeroSums::closed_form  ? ", zeros in closed form"
                            : gcp.zeros == ZeroSums::enumerated ? ", zeros one by one"
                            : gcp.zeros == ZeroSums::sampled    ? ", zeros sampled"
                                                                : "";
  print_line(out, "entries", format("%.15g count", gcp.entries) + zeros);
  print_line(out, "gradient",
             format("projected %.2g, %.2g of the objective by factors", gcp.projected_gradient,
                    figures.kkt_violation));
  const HoldoutErrors& holdout = gcp.holdout;
  if (holdout.entries == 0) return;
  print_line(out, "held out",
             format("mean loss %.6g +- %.2g over %lld entries, the least, of iteration %zu",
                    gcp.holdout_loss, gcp.holdout_loss_error,
                    static_cast<long long>(holdout.entries), gcp.returned_iteration));
}

/// The objective and what it consists of, of runs under constraints: those have one or the other.
void print_objective(std::ostream& out, const RunReport& report, bool of_squares) {
  const CpFigures& figures = report.figures;
  if (const auto* const apr = std::get_if<CpAprFigures>(&report.own)) {
    print_line(out, "objective", format("%.12g, deviance %.9g", figures.objective, apr->deviance));
    print_line(out, "KKT",
               format("the conditions of a minimum hold to within %.2g", figures.kkt_violation));
    return;
  }
  if (const auto* const gcp = std::get_if<CpGcpFigures>(&report.own)) {
    print_generalized(out, figures, *gcp, of_squares);
    return;
  }
  const bool violated = !std::isnan(figures.kkt_violation);
  if (!violated && !(figures.penalty > 0.0)) return;
  if (std::isfinite(figures.objective)) {
    print_line(
        out, "objective",
        format("%.12g", figures.objective) +
            (figures.penalty > 0.0 ? format(", %.6g of it penalties", figures.penalty) : ""));
  }
  if (violated) {
    print_line(out, "KKT",
               format("the conditions of a minimum hold to within %.2g of the norm",
                      figures.kkt_violation));
  }
}

/// Where entries are missing: what counts, and how well the model meets those that were held out.
void print_entries(std::ostream& out, const DecomposeOptions& options, const RunReport& report) {
  const auto* const found = std::get_if<CpCompletionFigures>(&report.own);
  if (found == nullptr) return;
  const bool chosen = options.common.ridge.empty() && found->ridge.front() > 0.0;
  print_line(out, "entries",
             format("%.15g count, RMSE %.6g", found->entries, found->rmse) +
                 (chosen ? format(", with a ridge of %.3g", found->ridge.front()) : ""));
  const HoldoutErrors& holdout = found->holdout;
  if (holdout.entries == 0) return;
  print_line(
      out, "held out",
      format("RMSE %.6g, MAE %.6g over %lld entries, the least, of iteration %zu", holdout.rmse,
             holdout.mae, static_cast<long long>(holdout.entries), found->returned_iteration));
}

/// Shares of several components: "100% 62% 25%".
template <class Share>
std::string shares_text(const std::vector<ComponentStability>& stability, const Share& share) {
  std::vector<std::string> words;
  for (const ComponentStability& each : stability) {
    words.push_back(format("%.0f%%", 100.0 * share(each)));
  }
  return join(words, " ");
}

/// The names of the modes, by their numbers, where there are any.
void print_modes(std::ostream& out, const Labels& labels, std::size_t order) {
  std::vector<std::string> names;
  bool any = false;
  for (std::size_t n = 0; n < order; ++n) {
    const std::string& name = labels.mode_name(n);
    any = any || !name.empty();
    names.push_back(std::to_string(n + 1) + (name.empty() ? "" : " " + printable(name)));
  }
  if (any) print_line(out, "modes", join(names, ", "));
}

void print_kernel(std::ostream& out, const RunReport& report) {
  const std::string& kernel = report.figures.kernel;
  const auto* const als = std::get_if<CpAlsFigures>(&report.own);
  const std::string description = als == nullptr ? "" : als->kernel_description;
  print_line(out, "kernel",
             description.empty() || description == kernel ? kernel : kernel + ": " + description);
  if (als == nullptr) return;
  if (!std::is_sorted(als->update_order.begin(), als->update_order.end())) {
    print_line(out, "updates", "modes " + value_text(als->update_order) + ", in this order");
  }
  print_line(out, "mttkrp",
             format("%.3f GFLOP/s, %.3f GB/s", als->mttkrp_gflops, als->mttkrp_gbytes));
}

}  // namespace

void print_trust(std::ostream& out, const RunTrust& trust, std::size_t starts) {
  const auto& stability = trust.stability;
  if (!stability.empty()) {
    std::vector<std::string> parts;
    if (!std::isnan(stability[0].starts)) {
      parts.push_back(shares_text(stability, [](const auto& each) { return each.starts; }) +
                      format(" of %zu starts", starts));
    }
    if (trust.bootstrap && trust.bootstrap->refits != 0) {
      parts.push_back(shares_text(stability, [](const auto& each) { return each.refits; }) +
                      format(" of %zu refits", trust.bootstrap->refits));
    }
    std::vector<std::string> unstable;
    for (std::size_t r = 0; r < stability.size(); ++r) {
      if (stability[r].is_unstable()) unstable.push_back(std::to_string(r + 1));
    }
    if (!unstable.empty()) parts.push_back("unstable: " + join(unstable, ", "));
    if (!parts.empty()) print_line(out, "found", "components in " + join(parts, "; "));
  }
  if (!trust.standard_errors) return;
  const StandardErrors& errors = *trust.standard_errors;
  if (errors.determined) {
    const char* const by = errors.information == Information::whole
                               ? "second derivatives, all together"
                               : "second derivatives of each row alone";
    print_line(out, "errors", "of weights " + weights_sentence(errors.weights) + ", by " + by);
  }
}

bool lists_components(const DecomposeOptions& options) {
  return !options.quiet && !options.given("--top") && ProcessesOfProgram::now() == nullptr;
}

void print_beginning(std::ostream& out, const DecomposeOptions& options, const TensorFacts& facts,
                     const Labels& labels) {
  print_line(out, "tensor", describe(facts));
  print_modes(out, labels, facts.dimensions.size());
  std::string run =
      !options.resume.empty() ? "checkpoint " + input_name(options.resume) + ", " : "";
  if (options.from_nvecs) {
    run += format("rank %zu, initial guess of leading vectors", options.common.rank);
  } else if (!options.guess_file.empty()) {
    run += "initial guess " + input_name(options.guess_file);
  } else {
    run += format("rank %zu, seed %llu", options.common.rank,
                  static_cast<unsigned long long>(options.common.seed));
  }
  if (options.common.starts > 1) run += ", " + count_of(options.common.starts, "start");
  if (const auto loss = options.request.any_loss().facts(); loss.name != "gaussian") {
    run += ", loss " + loss.text();
  }
  if (options.given("--solver")) run += ", solver " + value_text(options.request.solver());
  if (options.misses_unlisted()) run += ", unlisted entries missing";
  if (const std::string file = options.missing_file(); !file.empty()) {
    run += ", entries of " + input_name(file) + " missing";
  } else if (!options.misses_unlisted()) {
    run += unlisted_zeros(facts);
  }
  run += constraints_text(options.common);
  run += options.input.precision == Precision::float32 ? ", float" : ", double";
  print_line(out, "run",
             run + (options.verbose ? format(", %zu-bit ordinals", facts.ordinal_bits) : "") +
                 ", " + describe_backend());
  if (!facts.processes.is_null()) print_line(out, "processes", processes_text(facts.processes));
  for (const std::string& note : facts.notes) print_line(out, "note", note);
  for (const std::string& note : options.data_notes) print_line(out, "note", in_words(note));
  out << std::endl;
}

void print_summary(std::ostream& out, const DecomposeOptions& options, const RunReport& report,
                   const RunFiles& files, bool interrupted) {
  const CpFigures& figures = report.figures;
  print_line(out, "stopped", end_of_run(options, figures, interrupted));
  if (models_means(options.request.any_loss())) {
    print_line(out, "fit", format("%.12f", figures.fit));
    print_line(out, "residual",
               format("%.9g of norm %.9g", figures.residual_norm, figures.tensor_norm));
  }
  print_objective(out, report, options.request.loss == "gaussian");
  print_entries(out, options, report);
  if (!options.quiet && fit_has_changed(report)) {
    print_line(out, "note",
               "fit and residual are computed again, to more digits than in the iterations");
  }
  if (are_in_factors(options.request.common(), report.weights)) {
    print_line(out, "weights", "1 each: normalized columns would leave their bounds");
  } else if (!lists_components(options)) {
    print_line(out, "weights", weights_sentence(report.weights));
  }
  print_trust(out, report.trust, figures.starts.size());
  const auto& known = options.data_notes;
  for (const Note& note : report.notes) {
    if (std::find(known.begin(), known.end(), note.text) == known.end()) {
      print_line(out, "note", in_words(note.text));
    }
  }
  if (options.verbose) print_kernel(out, report);
  print_files(out, files);
  print_time(out, figures.timings, options.verbose);
}

}  // namespace genten::cli
