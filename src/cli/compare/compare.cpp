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
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/table.hpp"
#include "tucker_comparison.hpp"

#include <genten/core/column_norms.hpp>
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
  bool greedy = false;
  bool quiet = false;
};

std::string describe(const std::string& file, const Model& model) {
  return format("%s: %s, rank %zu", input_name(file).c_str(),
                format_dimensions(model.dimensions()).c_str(), model.rank());
}

/// Weights times the norms of columns, which need not be one.
std::vector<double> sizes_of(const Model& model) {
  const double* const begin = model.weights().data();
  std::vector<double> sizes(begin, begin + model.rank());
  for (const auto& norms : column_norms(HostExec(), model.factors(), NormKind::two)) {
    for (std::size_t r = 0; r < sizes.size(); ++r) sizes[r] *= norms[r];
  }
  return sizes;
}

/// Says on standard error that values of models under other losses mean other things.
void tell_of_other_loss(const CompareOptions& options) {
  const std::string least_squares = "gaussian", unknown = "unknown";
  const auto loss_beside = [&](const std::string& file) {
    if (run_beside(file).is_null()) return unknown;
    const auto loss = loss_of({}, file).loss();
    return loss ? loss->facts().text() : least_squares;
  };
  const std::string own = loss_beside(options.model), other = loss_beside(options.reference);
  // Models of other programs, of which nothing is known, are most often those of least squares.
  const auto may_be = [&](const std::string& loss) {
    return loss == unknown ? least_squares : loss;
  };
  if (may_be(own) == may_be(other)) return;
  std::cout.flush();
  std::cerr << "genten: note: the loss of " << input_name(options.model) << " is " << own
            << ", that of " << input_name(options.reference) << " is " << other
            << ": their values and weights may mean different things\n";
}

/// For each component of the reference its match and the scores of the pair.
void print_components(std::ostream& out, const ScoreResult& result, const Model& model,
                      const Model& reference) {
  Table table(
      {{"reference"}, {"weight"}, {"model"}, {"weight"}, {"score"}, {"signs", Table::Align::left}});
  const std::vector<double> sizes = sizes_of(model), of_reference = sizes_of(reference);
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
/// where both have some, and by their numbers where one has more.
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
  const RowMatch match = match_rows(own, other);
  const CommonRows rows = rows_in_common(match, own, other);
  return {some_rows(model, natural_mode_order(names.mode_names().size()), rows.own),
          some_rows(reference, match.modes, rows.other)};
}

int compare_cp(const CompareOptions& options, const Model& given, const Model& given_reference) {
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
    print_components(out, weighted, model, reference);
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
  add_flag(app, "--greedy", options.greedy,
           "match components best pair first instead of by the best sum of scores");
  add_output(app, "--json", options.json, "write the scores; - is the standard output");
  add_flag(app, "-q,--quiet", options.quiet, "print nothing");
  set_footer(app,
             "The score is 1 for equal models, whatever the order of their components. For\n"
             "each pair it is the product over modes of the absolute cosines between the\n"
             "columns; with weights, that is multiplied by 1 - |a - b| / max(a, b), a and b\n"
             "being the pair's weights. Where names stand beside both (MODEL.labels.json),\n"
             "rows and modes go by these, without names of rows by their numbers, and rows\n"
             "that only one has, as after an update, do not count; Tucker models need the\n"
             "same.\n"
             "Columns of Tucker models can be turned into each other: of two of these it is\n"
             "the spaces which they span that are compared, by cosines of principal angles,\n"
             "and the models themselves by the norm of their difference.\n"
             "\n"
             "Example:\n"
             "  genten compare model.ktensor truth.ktensor");
}

}  // namespace

void add_compare(CLI::App& tool, Action& action) {
  add_command<CompareOptions>(tool, action, "compare", "how alike two models are", declare,
                              compare);
}

}  // namespace genten::cli
