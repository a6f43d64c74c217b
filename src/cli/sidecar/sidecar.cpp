// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "sidecar.hpp"

#include "file_digest.hpp"
#include "tools/command_line.hpp"
#include "tools/printable.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <stdexcept>

namespace genten::cli {
namespace {

using Json = nlohmann::json;
using tools::printable;

/// Why what stands there is not used.
[[noreturn]] void refuse(const std::string& why) {
  throw std::runtime_error(why);
}

Json parsed(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) refuse("it cannot be read");
  const Json told = Json::parse(file);
  if (told.at("format") != "genten labels") refuse("its format is not \"genten labels\"");
  if (told.at("version") != 1) {
    refuse("its version is " + told.at("version").dump() + ", this genten knows 1");
  }
  // Files of before have none.
  const auto digest = told.find("names_sha256");
  if (digest != told.end() && *digest != names_sha256(told)) {
    refuse("its names are not those any more that it was written with");
  }
  return told;
}

void require_shape(const Json& told, const std::vector<std::size_t>& dimensions,
                   std::optional<int> index_base) {
  const auto shape = told.at("shape").get<std::vector<std::size_t>>();
  bool good = shape.size() == dimensions.size();
  // A text that knows entries alone may be shorter: its last slices are empty.
  for (std::size_t n = 0; good && n < shape.size(); ++n) good = shape[n] >= dimensions[n];
  if (!good) refuse("its shape is " + told.at("shape").dump() + ", which is not that of the file");
  const auto base = told.find("index_base");
  if (!index_base || base == told.end() || base->is_null() || *base == *index_base) return;
  refuse("its subscripts count from " + base->dump() + ", the file was read as counting from " +
         std::to_string(*index_base));
}

std::vector<std::string> texts(const Json& list, const char* otherwise) {
  const bool good = list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& each) {
                      return each.is_string();
                    });
  if (!good) refuse(otherwise);
  return list.get<std::vector<std::string>>();
}

Labels labels_in(const Json& told, const std::vector<std::size_t>& dimensions,
                 std::size_t first_number) {
  std::vector<std::vector<std::string>> rows(dimensions.size());
  const Json& labels = told.at("labels");
  if (labels.size() != dimensions.size()) refuse("its labels are not one list for each mode");
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (labels.at(n).is_null()) continue;
    rows[n] = texts(labels.at(n), "its labels are not texts");
    if (rows[n].size() != told.at("shape").at(n)) {
      refuse("its labels are not as many as its shape says");
    }
  }
  std::vector<std::string> modes(dimensions.size());
  const Json& names = told.at("mode_names");
  if (!names.is_null()) modes = texts(names, "its names of modes are not texts");
  if (modes.size() != dimensions.size()) refuse("its names of modes are not one for each");
  return {std::move(rows), std::move(modes), first_number};
}

/// What use(told) makes of what stands beside a file; `otherwise` where nothing does, and where
/// that cannot be used, which standard error says with a remedy.
template <class Value, class Use>
Value beside(const std::string& file, const char* remedy, Value otherwise, const Use& use) {
  const std::string name = file + ".labels.json";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name, ignored)) return otherwise;
  std::string why;
  try {
    const Json told = parsed(name);
    if (told.at("sha256") != sha256_of_file(file)) {
      refuse(file + " is not the file any more that it was written with");
    }
    return use(told);
  } catch (const Json::parse_error& error) {
    why = "it is damaged: no JSON in UTF-8, at byte " + std::to_string(error.byte);
  } catch (const Json::exception&) {
    why = "it is not in the form of such files: it lacks a member, or has one of another kind";
  } catch (const std::exception& error) {
    why = error.what();
  }
  static std::set<std::string> told_of;  // names and the loss are asked for in turn
  if (!told_of.insert(name).second) return otherwise;
  std::cout.flush();
  std::cerr << "genten: warning: " << printable(name) << " is not used: " << printable(why)
            << "; remove it, or " << remedy << '\n';
  return otherwise;
}

Labels labels_beside(const std::string& file, const std::vector<std::size_t>& dimensions,
                     std::optional<int> index_base) {
  return beside(file, "name the rows by --labels", Labels(dimensions.size()),
                [&](const Json& told) {
                  require_shape(told, dimensions, index_base);
                  // Rows of text count from 1 on the command line, whatever its subscripts count
                  // from.
                  const bool from_table = !index_base && told.value("index_base", Json()) == 0;
                  return labels_in(told, dimensions, from_table ? 0 : 1);
                });
}

/// A loss that this library does not have, or not with that number, is refused.
LossChoice loss_in(const Json& told) {
  const auto loss = told.find("loss");
  if (loss == told.end() && !told.contains("loss_sha256")) return {};
  if (loss == told.end() || told.at("loss_sha256") != sha256_of_text(loss->dump())) {
    refuse("its loss is not that any more that it was written with");
  }
  LossChoice found{loss->at("name").get<std::string>(), std::nullopt};
  const auto parameter = loss->find("parameter");
  if (parameter != loss->end() && !parameter->is_null()) found.parameter = parameter->get<double>();
  static_cast<void>(AnyLoss::named(found.name, found.parameter));
  return found;
}

}  // namespace

Labels labels_of(std::string_view files, const std::string& file,
                 const std::vector<std::size_t>& dimensions, std::optional<int> index_base) {
  if (!files.empty()) return read_labels_of(files, dimensions);
  return file == "-" ? Labels(dimensions.size()) : labels_beside(file, dimensions, index_base);
}

Labels labels_of(std::string_view files, const std::string& file,
                 const std::vector<std::size_t>& dimensions, const ReadReport& report) {
  const int base = report.index_base == IndexBase::zero ? 0 : 1;
  if (!report.table) {
    const bool text = report.format != FileFormat::binary;
    return labels_of(files, file, dimensions, text ? std::optional(base) : std::nullopt);
  }
  const auto first_number = static_cast<std::size_t>(base);
  auto rows = report.table->rows;
  if (files.empty()) return {std::move(rows), report.table->modes, first_number};
  const Labels given = read_labels_of(files, dimensions);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (!given.named(n)) continue;
    if (!rows[n].empty()) {
      tools::usage_error("--labels", "the names of " + Labels::numbered(n) +
                                         " are in the table: expected no file for it");
    }
    for (std::size_t i = 0; i < given.count(n); ++i) rows[n].push_back(given.row(n, i));
  }
  return {std::move(rows), report.table->modes, first_number};
}

std::string names_sha256(const Json& told) {
  const auto member = [&](const char* name) {
    return told.contains(name) ? told.at(name) : Json();
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
  return beside(model, "say the loss by --loss", LossChoice(), loss_in);
}

std::vector<std::size_t> shape_beside(const std::string& file) {
  try {
    return parsed(file + ".labels.json").at("shape").get<std::vector<std::size_t>>();
  } catch (const std::exception&) {
    return {};  // `labels_of` says what is wrong
  }
}

}  // namespace genten::cli
