// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "sidecar.hpp"

#include "file_digest.hpp"
#include "lacking_names.hpp"
#include "readable_again.hpp"
#include "tools/command_line.hpp"
#include "tools/printable.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace genten::cli {
namespace {

using Json = nlohmann::json;
using tools::printable;

/// Why what stands there is not used.
[[noreturn]] void reject(const std::string& why) {
  throw std::runtime_error(why);
}

Json parsed(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) reject("it cannot be read");
  const Json record = Json::parse(file);
  if (record.at("format") != "genten labels") reject("its format is not \"genten labels\"");
  if (record.at("version") != 1) {
    reject("its version is " + record.at("version").dump() + ", this genten knows 1");
  }
  if (record.contains("loss_sha256") || record.contains("entries_sha256")) {
    reject("it is of an earlier genten, which kept less of a run: decompose again");
  }
  // Files of before have none.
  const auto digest = record.find("names_sha256");
  if (digest != record.end() && *digest != names_sha256(record)) {
    reject("its names were changed after it was written");
  }
  return record;
}

std::vector<std::string> texts(Json& list, const char* otherwise) {
  const bool good = list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& each) {
                      return each.is_string();
                    });
  if (!good) reject(otherwise);
  std::vector<std::string> taken;
  for (Json& each : list) taken.push_back(std::move(each.get_ref<std::string&>()));
  return taken;
}

/// What stands beside a file.
struct Sidecar {
  std::vector<std::size_t> shape;
  std::vector<std::vector<std::string>> rows;  ///< by mode the names of rows, or none
  std::vector<std::string> modes;
  std::vector<std::size_t> numbers;       ///< modes, from 1, whose names are numbers of rows
  std::optional<std::size_t> index_base;  ///< none of binary files
  std::optional<std::size_t> table_base;  ///< of a text that is made of a table
  std::string values;                     ///< what that calls its values
  Json run;                               ///< the members of its run
};

/// A run is refused whose loss or rule for duplicates this library does not have.
Json run_in(const Json& record) {
  const auto run = record.find("run");
  if (run == record.end() && !record.contains("run_sha256")) return {};
  if (run == record.end() || record.at("run_sha256") != run_sha256(*run)) {
    reject("its run was changed after it was written");
  }
  const LossChoice loss = loss_in(*run);
  static_cast<void>(AnyLoss::named(loss.name, loss.parameter));
  if (const std::string rule = run->value("duplicates", "sum"); !from_word<Duplicates>(rule)) {
    reject("its rule for duplicates, " + rule + ", is none that this genten knows");
  }
  return *run;
}

Sidecar understood(Json record) {
  Sidecar found;
  found.shape = record.at("shape").get<std::vector<std::size_t>>();
  for (Json& labels : record.at("labels")) {
    auto& rows = found.rows.emplace_back();
    if (!labels.is_null()) rows = texts(labels, "its labels are not texts");
  }
  found.modes.resize(found.shape.size());
  Json& names = record.at("mode_names");
  if (!names.is_null()) found.modes = texts(names, "its names of modes are not texts");
  found.numbers = record.value("number_names", std::vector<std::size_t>());
  for (const auto& [name, base] :
       {std::pair("index_base", &found.index_base), std::pair("table_base", &found.table_base)}) {
    const Json said = record.value(name, Json());
    if (!said.is_null()) *base = said.get<std::size_t>();
  }
  found.values = record.value("values", "");
  for (const char* name : {"run", "run_sha256"}) {
    if (record.contains(name)) found.run[name] = std::move(record.at(name));
  }
  return found;
}

/// Throws Error unless there are names for all rows of modes with names.
void require_names(const Sidecar& sidecar) {
  if (sidecar.rows.size() != sidecar.shape.size())
    reject("its labels are not one list for each mode");
  for (std::size_t n = 0; n < sidecar.rows.size(); ++n) {
    const std::size_t count = sidecar.rows[n].size();
    if (count != 0 && count != sidecar.shape[n])
      reject("its labels are not as many as its shape says");
  }
  if (sidecar.modes.size() != sidecar.shape.size())
    reject("its names of modes are not one for each");
  for (const std::size_t mode : sidecar.numbers) {
    const bool good = mode != 0 && mode <= sidecar.rows.size() && !sidecar.rows[mode - 1].empty();
    if (!good) reject("it has no names for a mode whose names are to be numbers");
  }
}

void require_shape(const Sidecar& sidecar, const std::vector<std::size_t>& dimensions,
                   std::optional<std::size_t> index_base) {
  bool good = sidecar.shape.size() == dimensions.size();
  // A text that knows entries alone may be shorter: its last slices are empty.
  for (std::size_t n = 0; good && n < dimensions.size(); ++n)
    good = sidecar.shape[n] >= dimensions[n];
  if (!good)
    reject("its shape is " + Json(sidecar.shape).dump() + ", which is not that of the file");
  const auto& base = sidecar.index_base;
  if (!index_base || !base || base == index_base) return;
  reject("its subscripts count from " + std::to_string(*base) +
         ", the file was read as counting from " + std::to_string(*index_base));
}

/// Why `body` throws; "" where it does not.
std::string complaint_of(const std::function<void()>& body) {
  try {
    body();
    return "";
  } catch (const Json::parse_error& error) {
    return "it is damaged: no JSON in UTF-8, at byte " + std::to_string(error.byte);
  } catch (const Json::exception&) {
    return "it is not in the form of such files: it lacks a member, or has one of another kind";
  } catch (const std::exception& error) {
    return sentence(error);
  }
}

struct Found {
  std::optional<Sidecar> sidecar;
  std::string complaint;
  std::set<std::string> reported = {};  ///< parts of which was said that they are not used
};

/// What stands beside a file. Commands ask for names, run and loss in turn, before they write: it
/// is read, and the file's checksum taken, once.
Found& found_beside(const std::string& file) {
  static std::map<std::string, Found> known;
  const auto [place, is_new] = known.try_emplace(file);
  Found& found = place->second;
  const std::string name = file + ".labels.json";
  std::error_code ignored;
  if (!is_new || !std::filesystem::is_regular_file(name, ignored)) return found;
  found.complaint = complaint_of([&] {
    Json record = parsed(name);
    if (record.at("sha256") != sha256_of_file(file)) {
      reject("it was written for other content of " + file);
    }
    found.sidecar = understood(std::move(record));
  });
  return found;
}

/// What use(sidecar) makes of a part of what stands beside a file, "the names" or "the run";
/// `otherwise` where nothing does, and where that cannot be used, which standard error says with a
/// remedy. Other parts may be used all the same, unless nothing of the file can be.
template <class Value, class Use>
Value beside(const std::string& file, const std::string& part, const char* remedy, Value otherwise,
             const Use& use) {
  Found& found = found_beside(file);
  std::string why = found.complaint, what;
  if (found.sidecar) {
    what = part;
    why = complaint_of([&] { otherwise = use(*found.sidecar); });
  }
  if (why.empty() || !found.reported.insert(what).second) return otherwise;
  std::cout.flush();
  std::cerr << "genten: warning: " << (what.empty() ? "" : what + " in ")
            << printable(file + ".labels.json")
            << (what.ends_with('s') ? " are not used: " : " is not used: ") << printable(why)
            << "; remove it, or " << remedy << '\n';
  return otherwise;
}

/// Models of which a note of this process has said what to do where nothing stands beside them.
std::set<std::string>& told_of_lack() {
  static std::set<std::string> models;
  return models;
}

/// Rows of text count from 1 on the command line, whatever its subscripts, from `index_base`, count
/// from, unless it is made of a table: they have the numbers of that.
Labels labels_in(const Sidecar& sidecar, const std::vector<std::size_t>& dimensions,
                 std::optional<std::size_t> index_base) {
  require_shape(sidecar, dimensions, index_base);
  require_names(sidecar);
  Labels found(std::vector<std::vector<std::string>>(sidecar.rows.size()), sidecar.modes,
               index_base ? sidecar.table_base : sidecar.index_base);
  for (std::size_t n = 0; n < sidecar.rows.size(); ++n) {
    const auto& numbers = sidecar.numbers;
    found.name_rows(n, sidecar.rows[n],
                    std::find(numbers.begin(), numbers.end(), n + 1) != numbers.end());
  }
  return found;
}

Labels labels_beside(const std::string& file, const std::vector<std::size_t>& dimensions,
                     std::optional<std::size_t> index_base) {
  return beside(file, "the names", "name the rows by genten convert with --labels",
                Labels(dimensions.size()),
                [&](const Sidecar& sidecar) { return labels_in(sidecar, dimensions, index_base); });
}

/// The names in files that --labels gives: one a mode, or what stands beside another file, of which
/// its own content is not asked.
Labels given_labels(std::string_view files, const std::vector<std::size_t>& dimensions,
                    std::optional<std::size_t> index_base, std::optional<std::size_t> table_base) {
  if (!files.ends_with(".labels.json") || files.find(',') != std::string_view::npos) {
    return {files, dimensions, table_base};
  }
  Labels found(dimensions.size());
  const std::string file(files);
  const std::string why =
      complaint_of([&] { found = labels_in(understood(parsed(file)), dimensions, index_base); });
  if (!why.empty()) throw Error::in_file(tools::input_name(file), 0, why);
  return found;
}

/// Names that are given, and those beside the file of modes without: what is wrong with these does
/// not matter.
Labels with_names_beside(Labels given, const std::string& file,
                         const std::vector<std::size_t>& dimensions,
                         std::optional<std::size_t> index_base) {
  bool are_all = file == "-";
  for (std::size_t n = 0, named = 0; n < dimensions.size(); ++n) {
    named += given.named(n) ? 1 : 0;
    are_all = are_all || named == dimensions.size();
  }
  if (are_all) return given;
  Labels own(dimensions.size());
  const std::string why = complaint_of([&] { own = labels_beside(file, dimensions, index_base); });
  if (!why.empty()) return given;
  std::vector<std::string> modes;
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    const bool takes = !given.named(n);
    modes.push_back((takes && !own.mode_name(n).empty() ? own : given).mode_name(n));
  }
  Labels all(std::vector<std::vector<std::string>>(dimensions.size()), std::move(modes),
             given.table_base());
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    const Labels& of = given.named(n) ? given : own;
    if (of.named(n)) all.name_rows(n, of.rows(n), of.are_numbers(n));
  }
  return all;
}

}  // namespace

LossChoice loss_in(const Json& run) {
  LossChoice found{run.at("loss").get<std::string>(), std::nullopt};
  const auto parameter = run.find("loss_parameter");
  if (parameter != run.end() && !parameter->is_null()) found.parameter = parameter->get<double>();
  return found;
}

Labels labels_of(std::string_view files, const std::string& file,
                 const std::vector<std::size_t>& dimensions,
                 std::optional<std::size_t> index_base) {
  if (!files.empty()) {
    return with_names_beside(
        given_labels(files, dimensions, index_base, index_base ? std::nullopt : base_beside(file)),
        file, dimensions, index_base);
  }
  return file == "-" ? Labels(dimensions.size()) : labels_beside(file, dimensions, index_base);
}

Labels labels_of(std::string_view files, const std::string& file,
                 const std::vector<std::size_t>& dimensions, const ReadReport& report) {
  const std::size_t base = first_subscript(report.index_base);
  if (!report.table) {
    const bool text = report.format != FileFormat::binary;
    return labels_of(files, file, dimensions, text ? std::optional(base) : std::nullopt);
  }
  Labels labels(report.table->rows, report.table->modes, base);
  if (files.empty()) return labels;
  const Labels given = given_labels(files, dimensions, base, std::nullopt);
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    if (!given.named(n)) continue;
    if (labels.named(n)) {
      tools::usage_error("--labels", "the names of " + Labels::numbered(n) +
                                         " are in the table: expected no file for it");
    }
    labels.name_rows(n, given.rows(n), false);
  }
  return labels;
}

bool is_text(const ReadReport& report) {
  return !report.table && report.format != FileFormat::binary;
}

std::size_t first_number_in(const ReadReport& report, const Labels& labels) {
  return labels.table_base() || report.format == FileFormat::binary
             ? labels.first_number()
             : first_subscript(report.index_base);
}

Labels labels_of(std::string_view files, const tools::TensorFacts& facts) {
  if (!facts.before) return labels_of(files, facts.file, facts.dimensions, facts.report);
  const Labels all = labels_of(files, facts.file, facts.before->dimensions, facts.report);
  return all.of_rows(facts.before->rows, first_number_in(facts.report, all));
}

std::string run_sha256(const Json& run) {
  const std::function<Json(const Json&)> plain = [&](const Json& value) -> Json {
    if (value.is_number()) {  // JSON has null for what is infinite
      const auto number = value.get<double>();
      return std::isfinite(number) ? Json(tools::format("%.17g", number)) : Json();
    }
    Json result = value;
    if (value.is_structured()) {
      for (Json& each : result) each = plain(each);
    }
    return result;
  };
  return sha256_of_text(plain(run).dump());
}

std::string names_sha256(const Json& record) {
  const auto member = [&](const char* name) {
    return record.contains(name) ? record.at(name) : Json();
  };
  // The members of an object are sorted by their names.
  const Json names = {{"index_base", member("index_base")},
                      {"labels", member("labels")},
                      {"mode_names", member("mode_names")},
                      {"shape", member("shape")}};
  return sha256_of_text(names.dump());
}

LossChoice loss_of(const LossChoice& given, const std::string& model) {
  static_cast<void>(given.loss());
  if (!given.name.empty() || model == "-") return given;
  const Json run = run_beside(model);
  return run.is_null() || run.at("loss") == "gaussian" ? LossChoice() : loss_in(run);
}

Json run_beside(const std::string& model) {
  if (model == "-") return {};
  return beside(model, "the run", "say by options what its run was", Json(),
                [](const Sidecar& sidecar) { return run_in(sidecar.run); });
}

Json with_named_values(Json options) {
  if (options.value("values", Json()) == "") options.erase("values");
  return options;
}

Json with_values_of(Json options, const ReadReport& report) {
  options = with_named_values(std::move(options));
  if (report.table && report.table->ones) options["values"] = nullptr;
  if (is_text(report)) options["text_base"] = first_subscript(report.index_base);
  return options;
}

Json run_of_options(const Json& options, const std::string& file) {
  Json run = {{"loss", options.value("loss", "gaussian")}};
  const auto take = [&](const char* name) {
    const Json given = options.value(name, Json());
    if (!given.empty()) run[name] = given;
  };
  for (const char* name : {"loss_parameter", "nonnegative", "lower", "upper"}) take(name);
  for (const char* name : {"ridge", "l1"}) {
    const Json given = options.value(name, Json::array());
    const auto counts = [](const Json& each) { return each != 0.0; };
    if (std::any_of(given.begin(), given.end(), counts)) take(name);
  }
  // A run that is told nothing of it chooses its own.
  if (options.value("ridge_by_default", false) && run.contains("ridge")) {
    run["ridge_by_default"] = true;
  }
  // Generalized CP minimizes the whole sum of squares, which penalties are beside, and the factors
  // of streams are as their penalties have them.
  const std::string solver = options.value("solver", "als");
  if (solver == "gcp" || solver == "stream") run["solver"] = solver;
  if (options.value("duplicates", "sum") != "sum") run["duplicates"] = options["duplicates"];
  // Null says that rows were counted.
  if (options.contains("values")) run["values"] = options["values"];
  if (options.value("decimal", Json()) == ",") run["decimal"] = ",";
  if (options.value("text_base", 1) != 1) run["text_base"] = options["text_base"];
  const Json missing = options.value("missing", Json());
  if (!missing.empty()) run["missing"] = missing;
  if (missing.is_string() && missing != "unlisted") {
    run["tensor"] = file;
    const auto list = missing.get<std::string>();
    std::error_code ignored;
    if (std::filesystem::is_regular_file(list, ignored)) {
      run["missing_sha256"] = sha256_of_file(list);
    }
  }
  return run;
}

std::string values_beside(const std::string& file) {
  const auto& found = found_beside(file).sidecar;
  return found ? found->values : "";
}

std::vector<std::string> mode_names_beside(const std::string& file) {
  const auto& found = found_beside(file).sidecar;
  return found ? found->modes : std::vector<std::string>();
}

std::vector<std::size_t> shape_beside(const std::string& file) {
  const auto& found = found_beside(file).sidecar;  // `labels_of` says what is wrong
  return found ? found->shape : std::vector<std::size_t>();
}

bool has_number_names_beside(const std::string& file) {
  const auto& found = found_beside(file).sidecar;
  return found && !found->numbers.empty();
}

std::optional<std::size_t> base_beside(const std::string& file) {
  if (file == "-") return {};
  const auto& found = found_beside(file).sidecar;
  return found ? found->index_base : std::nullopt;
}

bool may_have_names(const std::string& file) {
  std::error_code ignored;
  return !file.empty() && file != "-" &&
         std::filesystem::is_regular_file(file + ".labels.json", ignored);
}

std::string lack_of_sidecar(const std::string& model) {
  if (may_have_names(model)) return "";
  if (tools::is_checkpoint(model)) {
    return ": it is a checkpoint, which has none; genten decompose FILE --resume " +
           input_name(model) +
           " -o NEW, with the file and the options of its run, writes a model that has them";
  }
  if (!can_be_read_again(model)) return names_through_pipes;
  const std::string lack = ": there is no " + input_name(model) + ".labels.json";
  return told_of_lack().contains(model)
             ? lack
             : lack + ", which is written beside a model: was it copied without? Copy that, too";
}

bool is_first_word_on_lack(const std::string& model) {
  return told_of_lack().insert(model).second;
}

}  // namespace genten::cli
