// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "run_options.hpp"
#include "project.hpp"
#include "tools/files.hpp"
#include "tools/text.hpp"

#include <genten/base/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace genten::cli {
namespace {

using Json = nlohmann::json;

/// The number of a mode in a list of none, one or as many as modes.
double number_of(const Json& options, const char* name, std::size_t mode, double otherwise) {
  const Json list = options.value(name, Json::array());
  if (list.empty()) return otherwise;
  const Json& each = list.at(list.size() == 1 ? 0 : mode);
  // JSON has no infinity: reports have it as text or null.
  return each.is_number() ? each.get<double>() : otherwise;
}

bool is_nonnegative(const Json& options, std::size_t mode) {
  const Json given = options.value("nonnegative", Json());
  if (given.is_string()) return given == "all";
  if (!given.is_array()) return false;
  return std::any_of(given.begin(), given.end(),
                     [&](const Json& each) { return each == mode + 1; });
}

bool is_one_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return a == b || std::filesystem::equivalent(a, b, none);
}

/// The report beside a model, if it is of that model.
std::string report_beside(const std::string& model) {
  const std::filesystem::path path(model);
  std::filesystem::path other = path;
  for (const auto& name : {path.string() + ".json", other.replace_extension(".json").string()}) {
    std::ifstream file(name);
    const Json told = Json::parse(file, nullptr, false);
    if (!told.is_object() || !told.contains("options")) continue;
    const Json its = told.value("model_file", Json());
    if (!its.is_string()) continue;
    if (std::filesystem::path(its.get<std::string>()).filename() == path.filename()) return name;
  }
  return "";
}

RunReport report_in(const std::string& file) {
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file)) {
    throw Error(Error::Kind::file, file + ": it cannot be read");
  }
  const Json told = Json::parse(stream, nullptr, false);
  if (told.is_object() && told.value("options", Json()).is_object()) {
    RunReport report{file, told.at("options")};
    // By default there may be one that nobody has asked for.
    if (const Json used = told.value("ridge", Json()); used.is_array()) {
      report.options["ridge"] = used;
    }
    const Json tensor = told.value("tensor", Json::object()).value("file", Json());
    if (tensor.is_string()) report.tensor = tensor.get<std::string>();
    return report;
  }
  throw Error(Error::Kind::file,
              file + ": expected the report of a run, as genten decompose --json writes it");
}

}  // namespace

std::string RunReport::loss() const {
  return options.value("loss", "gaussian");
}

bool RunReport::sums_whole_squares() const {
  return options.value("solver", "als") == "gcp";
}

std::string RunReport::missing() const {
  const Json given = options.value("missing", Json());
  return given.is_string() ? given.get<std::string>() : "none";
}

RowConstraint RunReport::constraint(std::size_t mode) const {
  RowConstraint constraint;
  constraint.ridge = number_of(options, "ridge", mode, 0.0);
  constraint.l1 = number_of(options, "l1", mode, 0.0);
  constraint.lower = number_of(options, "lower", mode, -RowConstraint::none);
  constraint.upper = number_of(options, "upper", mode, RowConstraint::none);
  if (is_nonnegative(options, mode)) constraint.lower = std::max(constraint.lower, 0.0);
  return constraint;
}

bool with_run_report(const std::string& model, const std::string& run,
                     const std::function<void(const RunReport&)>& use) {
  if (run == "none") return false;
  const std::string file = run.empty() ? report_beside(model) : run;
  if (file.empty()) return false;
  try {
    use(report_in(file));
    return true;
  } catch (const Json::exception&) {
    throw Error(Error::Kind::file, file + ": its options are not in the form of such reports");
  }
}

bool take_run(ProjectCommand& command, const Ktensor<double, HostExec>& model, int mode) {
  return with_run_report(command.model, command.run, [&](const RunReport& run) {
    std::vector<std::string> taken;
    RowConstraint& constraint = command.options.constraint;
    const RowConstraint of_run = run.constraint(static_cast<std::size_t>(mode));
    if (!command.given("--loss")) {
      command.loss = run.loss();
      const Json parameter = run.options.value("loss_parameter", Json());
      if (!command.given("--loss-parameter") && parameter.is_number()) {
        command.loss_parameter = parameter.get<double>();
      }
      // Generalized CP minimizes the whole sum of squares, alternating least squares half of it.
      if (run.sums_whole_squares()) command.options.loss_factor = 1.0;
      taken.push_back("loss " + command.loss);
    }
    const auto take = [&](const char* name, double& to, double of, double none) {
      if (command.given(std::string("--") + name) || of == none) return;
      to = of;
      taken.push_back(std::string(name) + " " + tools::format("%.6g", of));
    };
    take("ridge", constraint.ridge, of_run.ridge, 0.0);
    take("l1", constraint.l1, of_run.l1, 0.0);
    if (!command.given("--nonnegative")) {
      take("lower", constraint.lower, of_run.lower, -RowConstraint::none);
    }
    take("upper", constraint.upper, of_run.upper, RowConstraint::none);
    const std::string missing = run.missing();
    if (missing == "unlisted" && !command.given("--missing")) {
      command.missing = missing;
      taken.push_back("unlisted entries missing");
    } else if (missing != "unlisted" && missing != "none") {
      // Its entries are those of the run's tensor, and say nothing of other slices.
      command.missing_in_training = missing;
      if (!command.given("--missing") && is_one_file(command.input.file, run.tensor)) {
        command.missing = missing;
        taken.push_back("entries of " + tools::input_name(missing) + " missing");
      }
    }
    if (!command.given("--ridge") && !command.given("--l1")) {
      std::vector<RowConstraint> all;
      for (std::size_t n = 0; n < static_cast<std::size_t>(model.order()); ++n) {
        all.push_back(run.constraint(n));
      }
      command.options.scales = column_scales(HostExec(), model, mode, all);
    }
    if (!taken.empty()) {
      command.taken = tools::join(taken, ", ") + ", of " + tools::input_name(run.file);
    }
  });
}

}  // namespace genten::cli
