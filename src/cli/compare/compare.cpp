// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten compare: how alike two models are.

#include "command.hpp"
#include "option_rules.hpp"
#include "other_kind.hpp"
#include "sidecar/common_rows.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "tools/command_line.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/mode_names.hpp"
#include "tools/result_json.hpp"
#include "tools/table.hpp"
#include "tucker_comparison.hpp"

#include <genten/core/column_norms.hpp>
#include <genten/core/count_loss.hpp>
#include <genten/core/mode_order.hpp>
#include <genten/cp/score.hpp>
#include <genten/io/any_model.hpp>

#include <nlohmann/json.hpp>

#include <iostream>
#include <ostream>

namespace genten::cli {
namespace {

using Exec = HostExec;
using Model = Ktensor<double, Exec>;

struct CompareOptions {
  std::string model;
  std::string reference;
  std::string json;
  ModeSelection modes = {};  ///< of the model, by which alone both are scored
  bool greedy = false;
  bool quiet = false;
};

std::string describe(const std::string& file, const Model& model) {
  return format("%s: %s, rank %zu", input_name(file).c_str(),
                format_dimensions(model.dimensions()).c_str(), model.rank());
}

const std::string unknown = "unknown";

/// The loss of the run that made a model, as far as the file beside it tells.
std::string loss_beside(const std::string& file) {
  if (run_beside(file).is_null()) return unknown;
  const auto loss = loss_of({}, file).loss();
  return loss ? loss->facts().text() : "gaussian";
}

/// Weights as of columns whose norms are one, by the norm of runs under the model's loss.
std::vector<double> weights_of(const std::string& file, const Model& model) {
  const double* const begin = model.weights().data();
  std::vector<double> weights(begin, begin + model.rank());
  const NormKind norm = norm_under(loss_beside(file));
  for (const auto& norms : column_norms(HostExec(), model.factors(), norm)) {
    for (std::size_t r = 0; r < weights.size(); ++r) weights[r] *= norms[r];
  }
  return weights;
}

/// A model in some modes alone, of which weights hold the 2-norms of the others' columns.
Model in_modes(const Model& model, const ModeSelection& modes) {
  if (modes.empty()) return model;
  const auto weights = Kokkos::create_mirror(Kokkos::HostSpace(), model.weights());
  Kokkos::deep_copy(weights, model.weights());
  const auto norms = column_norms(HostExec(), model.factors(), NormKind::two);
  std::vector<FacMatrix<double, Exec>> factors;
  for (int n = 0; n < static_cast<int>(model.order()); ++n) {
    if (modes.contains(n)) {
      factors.push_back(model.factor(n));
      continue;
    }
    for (std::size_t r = 0; r < model.rank(); ++r) {
      weights(r) *= norms[static_cast<std::size_t>(n)][r];
    }
  }
  return Model(weights, std::move(factors));
}

/// Says on standard error that values of models under other losses mean other things.
void tell_of_other_loss(const CompareOptions& options) {
  const std::string own = loss_beside(options.model), other = loss_beside(options.reference);
  // Models of other programs, of which nothing is known, are most often those of least squares.
  const auto may_be = [&](const std::string& loss) { return loss == unknown ? "gaussian" : loss; };
  if (may_be(own) == may_be(other)) return;
  std::cout.flush();
  std::cerr << "genten: note: the loss of " << input_name(options.model) << " is " << own
            << ", that of " << input_name(options.reference) << " is " << other
            << ": their values and weights may mean different things\n";
}

/// For each component of the reference its match and the scores of the pair.
void print_components(std::ostream& out, const ScoreResult& result, const CompareOptions& options,
                      const Model& model, const Model& reference) {
  Table table(
      {{"reference"}, {"weight"}, {"model"}, {"weight"}, {"score"}, {"signs", Table::Align::left}});
  const auto sizes = weights_of(options.model, model);
  const auto of_reference = weights_of(options.reference, reference);
  for (std::size_t r = 0; r < result.component_scores.size(); ++r) {
    const std::size_t match = result.permutation[r];
    table.add({std::to_string(r + 1), format("%.7g", of_reference[r]), std::to_string(match + 1),
               format("%.7g", sizes[match]), format("%.9f", result.component_scores[r]),
               result.flipped[r] ? "flipped" : ""});
  }
  out << '\n';
  table.print(out);
}

/// Components count from 1, as in text.
nlohmann::ordered_json to_json(const ScoreResult& result) {
  std::vector<std::size_t> matches = result.permutation;
  for (std::size_t& match : matches) ++match;
  return {{"score", result.score},
          {"component_scores", result.component_scores},
          {"permutation", matches},
          {"flipped", result.flipped}};
}

/// Whether the rows of a mode are called by numbers.
bool are_numbers(const Labels& names, std::size_t mode) {
  for (std::size_t i = 0; names.named(mode) && i < names.count(mode); ++i) {
    const std::string name = names.row(mode, i);
    if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos) return false;
  }
  return true;
}

/// Names the rows of a mode by their numbers where they have no names.
void name_by_numbers(Labels& names, std::size_t mode, std::size_t length) {
  if (names.named(mode)) return;
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < length; ++i) rows.push_back(names.row(mode, i));
  names.name_rows(mode, std::move(rows), true);
}

/// Names rows by numbers where these tell which rows both models have: of modes that are longer in
/// one of them, as after an update, unless each has one that is longer than the other's.
void name_longer_modes(Labels& names, const std::vector<std::size_t>& lengths, Labels& others,
                       const std::vector<std::size_t>& other_lengths,
                       const std::vector<int>& modes) {
  bool is_longer = false, is_shorter = false;
  const auto each = [&](const auto& use) {
    for (std::size_t n = 0; n < lengths.size(); ++n) use(n, static_cast<std::size_t>(modes[n]));
  };
  each([&](std::size_t n, std::size_t m) {
    if (names.named(n) || others.named(m)) return;
    is_longer = is_longer || lengths[n] > other_lengths[m];
    is_shorter = is_shorter || lengths[n] < other_lengths[m];
  });
  if (is_longer && is_shorter) return;
  each([&](std::size_t n, std::size_t m) {
    if (lengths[n] == other_lengths[m] || !are_numbers(names, n) || !are_numbers(others, m)) return;
    name_by_numbers(names, n, lengths[n]);
    name_by_numbers(others, m, other_lengths[m]);
  });
}

/// Both with the rows that they have in common, in the order of the model's modes, by their names
/// where both have some, and by their numbers where one has more; of all modes or of those asked
/// for.
struct ModelPair {
  Model model, reference;
};
ModelPair by_name(const CompareOptions& options, const Model& model, const Model& reference) {
  if (model.order() != reference.order()) return {model, reference};
  Labels names = names_of_pair(options.model, options.reference, model.dimensions());
  Labels others = names_of_pair(options.reference, options.model, reference.dimensions());
  const NamedRows own{options.model, names, model.dimensions()};
  const NamedRows other{options.reference, others, reference.dimensions()};
  require_no_ids_beside_rows(own, other);
  name_longer_modes(names, own.dimensions, others, other.dimensions, match_rows(own, other).modes);
  RowMatch match = match_rows(own, other);
  for (std::size_t n = 0; n < match.rows.size() && !options.modes.empty(); ++n) {
    if (!options.modes.contains(static_cast<int>(n))) match.rows[n].clear();
  }
  const CommonRows rows = rows_in_common(match, own, other);
  const Model of_model = some_rows(model, natural_mode_order(names.mode_names().size()), rows.own);
  return {in_modes(of_model, options.modes),
          in_modes(some_rows(reference, match.modes, rows.other), options.modes)};
}

int compare_cp(CompareOptions options, const Model& given, const Model& given_reference) {
  tools::number_modes("modes", options.modes,
                      labels_of("", options.model, given.dimensions()).mode_names());
  tools::require_modes("modes", options.modes.modes, given.order());
  const ModelPair pair = by_name(options, given, given_reference);
  const Model& model = pair.model;
  const Model& reference = pair.reference;
  const auto scored = [&](bool with_weights) {
    return hinting_at(smaller_model, "the larger one comes first", [&] {
      return concerning(input_name(options.model) + " against " + input_name(options.reference),
                        [&] {
                          return score(Exec(), model, reference, {with_weights, options.greedy});
                        });
    });
  };
  tell_of_other_loss(options);
  const auto weighted = scored(true);
  const auto unweighted = scored(false);

  nlohmann::ordered_json json = {{"model", options.model},
                                 {"reference", options.reference},
                                 {"modes", tools::option_json(options.modes)},
                                 {"score", weighted.score},
                                 {"score_without_weights", unweighted.score},
                                 {"with_weights", to_json(weighted)},
                                 {"without_weights", to_json(unweighted)}};
  json.update(describe_environment());
  write_json(options.json, json);
  if (!options.quiet) {
    std::ostream& out = report_stream(false, {options.json});
    out << "model      " << describe(options.model, given) << '\n'
        << "reference  " << describe(options.reference, given_reference) << "\n\n"
        << format("score with weights     %.12f\n", weighted.score)
        << format("score without weights  %.12f\n", unweighted.score);
    print_components(out, weighted, options, given, given_reference);
  }
  return success;
}

/// Throws Error of kind `file` where rows of the same names stand in another order.
void require_same_order(const CompareOptions& options, const std::vector<std::size_t>& dimensions) {
  const Labels names = names_of_pair(options.model, options.reference, dimensions);
  if (!names.any()) return;
  const Labels others = labels_of("", options.reference, dimensions);
  const NamedRows own{options.model, names, dimensions};
  const NamedRows other{options.reference, others, dimensions};
  require_no_ids_beside_rows(own, other);
  const RowMatch match = match_rows(own, other);
  require_same_rows(match, own, other);
  if (match.is_by_number()) return;
  throw Error::in_file(input_name(options.reference), 0,
                       "expected rows and modes in the order of those of " +
                           input_name(options.model) + ", got the same names in another order");
}

int compare_tucker_models(const CompareOptions& options, const Ttensor<double, Exec>& model,
                          const Ttensor<double, Exec>& reference) {
  if (options.greedy) usage_error("--greedy", "has no effect on Tucker models: leave it out");
  if (!options.modes.empty()) {
    usage_error("--modes", "has no effect on Tucker models: leave it out");
  }
  const std::string pair = input_name(options.model) + " against " + input_name(options.reference);
  const auto found = concerning(pair, [&] { return compare_tucker(model, reference); });
  require_same_order(options, model.dimensions());
  nlohmann::ordered_json json = {{"model", options.model}, {"reference", options.reference}};
  json.update(to_json(found));
  json.update(describe_environment());
  write_json(options.json, json);
  if (options.quiet) return success;
  const auto described = [](const std::string& file, const Ttensor<double, Exec>& one) {
    return input_name(file) + ": " + format_dimensions(one.dimensions()) + ", ranks " +
           format_dimensions(one.ranks());
  };
  std::ostream& out = report_stream(false, {options.json});
  out << "model      " << described(options.model, model) << "\nreference  "
      << described(options.reference, reference) << "\n\n";
  print(out, found);
  return success;
}

int compare(const CompareOptions& options) {
  require_places({options.model, options.reference}, {{options.json, OutputKind::json}});
  const auto read = [](const std::string& file) {
    return hinting_at(tensor_for_model,
                      "genten compare takes two models, and genten evaluate MODEL FILE compares a "
                      "model with a tensor",
                      [&] { return read_any_model<double>(file); });
  };
  const auto model = read(options.model), reference = read(options.reference);
  if (model.index() != reference.index()) {
    const auto kind = [](const auto& any) {
      return any.index() == 0 ? "a CP model" : "a Tucker model";
    };
    throw Error::in_file(input_name(options.reference), 0,
                         std::string("expected ") + kind(model) + ", as " +
                             input_name(options.model) + " is, got " + kind(reference));
  }
  return model.index() == 0
             ? compare_cp(options, std::get<0>(model), std::get<0>(reference))
             : compare_tucker_models(options, std::get<1>(model), std::get<1>(reference));
}

void declare(CLI::App& app, CompareOptions& options) {
  add_text(app, "MODEL", "FILE", options.model,
           "model to score, CP or Tucker: text or binary, told by content");
  add_text(app, "REFERENCE", "FILE", options.reference,
           "model to score it against, of no more components");
  add_option(app,
             {"modes",
              "modes of MODEL by which alone components are scored, by name or number: "
              "rows of the others may be different ones, as of two halves of a table"},
             options.modes);
  add_flag(app, "--greedy", options.greedy,
           "match components best pair first instead of by the best sum of scores");
  add_output(app, "--json", options.json, "write the scores; - is the standard output");
  add_flag(app, "-q,--quiet", options.quiet, "print nothing");
  set_footer(app,
             "The score is 1 for equal models, whatever the order of their components. For\n"
             "each pair it is the product over modes of the absolute cosines between the\n"
             "columns; with weights, that is multiplied by 1 - |a - b| / max(a, b), a and b\n"
             "being the pair's weights, of columns of 2-norm 1; weights that are printed are\n"
             "those of the models, of counts those of columns that add up to 1. Where names\n"
             "stand beside both (MODEL.labels.json), rows and modes go by these, without names\n"
             "of rows by their numbers, and rows that only one has, as after an update, do not\n"
             "count; Tucker models need the same.\n"
             "Columns of Tucker models can be turned into each other: of two of these it is\n"
             "the spaces which they span that are compared, by cosines of principal angles,\n"
             "and the models themselves by the norm of their difference.\n"
             "\n"
             "Examples:\n"
             "  genten compare model.ktensor truth.ktensor\n"
             "  genten compare even.gkt odd.gkt --modes wave,question");
}

}  // namespace

void add_compare(CLI::App& tool, Action& action) {
  add_command<CompareOptions>(tool, action, "compare", "how alike two models are", declare,
                              compare);
}

}  // namespace genten::cli
