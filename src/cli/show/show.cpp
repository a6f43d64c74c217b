// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten show: the components of a model by name.

#include "show.hpp"
#include "command.hpp"
#include "other_kind.hpp"
#include "outputs.hpp"
#include "sidecar/lacking_names.hpp"
#include "sidecar/sidecar.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/printable.hpp"
#include "top_rows.hpp"
#include "tucker/top_core.hpp"

#include <genten/core/column_norms.hpp>
#include <genten/io/any_model.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <ostream>

namespace genten::cli {
namespace {

using Json = nlohmann::ordered_json;
using tools::printable;

struct ShowOptions {
  std::string model;
  std::size_t top = 5;
  std::string labels;
  ReportOptions report;
};

using CpModel = Ktensor<double, HostExec>;
using TuckerModel = Ttensor<double, HostExec>;

auto top_of(const CpModel& model, std::size_t count) {
  return top_components(model, count);
}
auto top_of(const TuckerModel& model, std::size_t count) {
  return top_of_model(model, count);
}

std::vector<double> weights_of(const CpModel& model) {
  const double* const begin = model.weights().data();
  return {begin, begin + model.rank()};
}

/// The norms of the components, where weights are all one and say nothing; else none.
std::vector<double> norms_of(const CpModel& model) {
  std::vector<double> sizes = weights_of(model);
  if (std::any_of(sizes.begin(), sizes.end(), [](double each) { return std::abs(each) != 1.0; })) {
    return {};
  }
  for (const auto& norms : column_norms(HostExec(), model.factors(), NormKind::two)) {
    for (std::size_t r = 0; r < sizes.size(); ++r) sizes[r] *= norms[r];
  }
  return sizes;
}

void print_numbers(std::ostream& out, const char* name, const std::vector<double>& numbers) {
  out << name;
  for (const double number : numbers) out << format(" %.7g", number);
  out << '\n';
}

std::string size_of(const CpModel& model) {
  return "rank " + std::to_string(model.rank());
}
std::string size_of(const TuckerModel& model) {
  return "ranks " + format_dimensions(model.ranks());
}

/// What there is beside names of one kind of model and not of the other.
Json facts_of(const CpModel& model) {
  return {{"rank", model.rank()}, {"weights", weights_of(model)}};
}
Json facts_of(const TuckerModel& model) {
  return {{"core_dimensions", model.ranks()}};
}

Json mode_names(const Labels& labels, std::size_t order) {
  Json names = Json::array();
  for (std::size_t n = 0; n < order; ++n) names.push_back(labels.mode_name(n));
  return names;
}

template <class Model>
int show(const ShowOptions& options, const Model& model) {
  const std::vector<std::size_t> dimensions = model.dimensions();
  const Labels labels = labels_of(options.labels, options.model, dimensions);
  const auto top = top_of(model, options.top);
  Json json = {{"model", options.model}, {"dimensions", dimensions}};
  json.update(facts_of(model));
  json["mode_names"] = mode_names(labels, dimensions.size());
  if (options.top != 0) json["top"] = to_json(top, labels);
  json.update(describe_environment());
  write_json(options.report.json, json);
  std::ostream& out = report_stream(options.report.quiet, {options.report.json});
  out << "model     " << input_name(options.model) << ": " << format_dimensions(dimensions) << ", "
      << size_of(model) << '\n';
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    out << (n == 0 ? "modes     " : "          ") << printable(labels.mode(n)) << ", "
        << count_of(dimensions[n], "row") << (labels.named(n) ? " with names" : "") << '\n';
  }
  if constexpr (std::is_same_v<Model, CpModel>) {
    print_numbers(out, "weights  ", weights_of(model));
    const auto norms = norms_of(model);
    if (!norms.empty()) print_numbers(out, "norms    ", norms);
  }
  if (options.top != 0) print_top(out, top, labels, false);
  const std::string lacking = labels.any() ? "" : lack_of_sidecar(options.model);
  if (!lacking.empty() && !options.report.quiet) {
    out.flush();
    std::cerr << "genten: note: rows have numbers, from 1, in place of names" << lacking
              << ", or name them by --labels\n";
  }
  return success;
}

int show_file(const ShowOptions& options) {
  std::vector<std::string> inputs = split_list(options.labels);
  inputs.push_back(options.model);
  require_places(inputs, {{options.report.json, OutputKind::json}});
  const auto any = hinting_at(tensor_for_model, "genten info describes tensors", [&] {
    return reading(options.model, [&] { return read_any_model<double>(options.model); });
  });
  return std::visit([&](const auto& model) { return show(options, model); }, any);
}

void declare(CLI::App& app, ShowOptions& options) {
  add_text(app, "MODEL", "FILE", options.model,
           "CP or Tucker model: text or binary, told by content");
  add_option(app, {"top", "rows of each component and mode to print, strongest first", 0, 1e9},
             options.top);
  add_text(app, "--labels", "FILE,...", options.labels,
           "names of the rows, one file a mode; nothing between two commas: no names (default "
           "MODEL.labels.json)");
  add_report(app, options.report);
  set_footer(app,
             "Example:\n"
             "  genten decompose counts.csv --values count --rank 4 --output model.gkt\n"
             "  genten show model.gkt --top 10");
}

}  // namespace

int show_model(const std::string& file, const ReportOptions& report) {
  return show_file({file, 0, "", report});
}

void add_show(CLI::App& tool, Action& action) {
  add_command<ShowOptions>(tool, action, "show", "the components of a model by name", declare,
                           show_file);
}

}  // namespace genten::cli
