// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten compare: how alike two models are.

#include "command.hpp"
#include "option_rules.hpp"
#include "other_kind.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/table.hpp"

#include <genten/cp/score.hpp>
#include <genten/io/ktensor.hpp>

#include <nlohmann/json.hpp>

#include <ostream>

namespace genten::cli {
namespace {

using Exec = HostExec;
using Model = Ktensor<double, Exec>;

struct CompareOptions {
  std::string model;
  std::string reference;
  std::string json;
  bool greedy = false;
  bool quiet = false;
};

std::string describe(const std::string& file, const Model& model) {
  return format("%s: %s, rank %zu", input_name(file).c_str(),
                format_dimensions(model.dimensions()).c_str(), model.rank());
}

/// For each component of the reference its match and the scores of the pair.
void print_components(std::ostream& out, const ScoreResult& result, const Model& model,
                      const Model& reference) {
  Table table(
      {{"reference"}, {"weight"}, {"model"}, {"weight"}, {"score"}, {"signs", Table::Align::left}});
  for (std::size_t r = 0; r < result.component_scores.size(); ++r) {
    const std::size_t match = result.permutation[r];
    table.add({std::to_string(r + 1), format("%.7g", reference.weights()(r)),
               std::to_string(match + 1), format("%.7g", model.weights()(match)),
               format("%.9f", result.component_scores[r]), result.flipped[r] ? "flipped" : ""});
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

/// The reference with the rows and modes of the model, by their names where both have some.
Model by_name(const CompareOptions& options, const Model& model, const Model& reference) {
  if (model.order() != reference.order()) return reference;
  const Labels names = names_of_pair(options.model, options.reference, model.dimensions());
  if (!names.any()) return reference;
  const Labels others = labels_of("", options.reference, reference.dimensions());
  const NamedRows own{options.model, names, model.dimensions()};
  const NamedRows other{options.reference, others, reference.dimensions()};
  const RowMatch match = match_rows(own, other);
  require_same_rows(match, own, other);
  return in_rows_of(reference, match);
}

int compare(const CompareOptions& options) {
  require_places({options.model, options.reference}, {options.json});
  const auto read = [](const std::string& file) {
    const auto read_cp = [&] {
      return hinting_at(tucker_for_cp,
                        "its columns can be turned into each other, so that they have no score; "
                        "genten evaluate MODEL FILE says how well each of two meets a tensor",
                        [&] { return read_ktensor<double, Exec>(file); });
    };
    return hinting_at(tensor_for_model,
                      "genten compare takes two models, and genten evaluate MODEL FILE compares a "
                      "model with a tensor",
                      read_cp);
  };
  const auto model = read(options.model);
  const auto reference = by_name(options, model, read(options.reference));
  const auto scored = [&](bool with_weights) {
    return hinting_at("expected a model of at least", "the larger one comes first", [&] {
      return concerning(input_name(options.model) + " against " + input_name(options.reference),
                        [&] {
                          return score(Exec(), model, reference, {with_weights, options.greedy});
                        });
    });
  };
  const auto weighted = scored(true);
  const auto unweighted = scored(false);

  nlohmann::ordered_json json = {{"model", options.model},
                                 {"reference", options.reference},
                                 {"score", weighted.score},
                                 {"score_without_weights", unweighted.score},
                                 {"with_weights", to_json(weighted)},
                                 {"without_weights", to_json(unweighted)}};
  json.update(describe_environment());
  write_json(options.json, json);
  if (!options.quiet) {
    std::ostream& out = report_stream(false, {options.json});
    out << "model      " << describe(options.model, model) << '\n'
        << "reference  " << describe(options.reference, reference) << "\n\n"
        << format("score with weights     %.12f\n", weighted.score)
        << format("score without weights  %.12f\n", unweighted.score);
    print_components(out, weighted, model, reference);
  }
  return success;
}

void declare(CLI::App& app, CompareOptions& options) {
  add_text(app, "MODEL", "FILE", options.model, "model to score: text or binary, told by content");
  add_text(app, "REFERENCE", "FILE", options.reference,
           "model to score it against, of no more components");
  add_flag(app, "--greedy", options.greedy,
           "match components best pair first instead of by the best sum of scores");
  add_output(app, "--json", options.json, "write the scores; - is the standard output");
  add_flag(app, "-q,--quiet", options.quiet, "print nothing");
  set_footer(app,
             "The score is 1 for equal models, whatever the order of their components. For\n"
             "each pair it is the product over modes of the absolute cosines between the\n"
             "columns; with weights, that is multiplied by 1 - |a - b| / max(a, b), a and b\n"
             "being the pair's weights. Where names stand beside both (MODEL.labels.json),\n"
             "rows and modes go by these, and both need the same.\n"
             "\n"
             "Example:\n"
             "  genten compare model.ktensor truth.ktensor");
}

}  // namespace

void add_compare(CLI::App& tool, Action& action) {
  add_command<CompareOptions>(tool, action, "compare", "factor match score of two models", declare,
                              compare);
}

}  // namespace genten::cli
