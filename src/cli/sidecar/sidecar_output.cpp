// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "sidecar_output.hpp"

#include "file_digest.hpp"
#include "sidecar.hpp"
#include "tools/files.hpp"
#include "tools/printable.hpp"

#include <genten/base/error.hpp>
#include <genten/io/atomic_file.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace genten::cli {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;
using tools::printable;

/// Whether a file holds names of rows, of whichever file.
bool holds_labels(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  const OrderedJson record = OrderedJson::parse(file, nullptr, false);
  return record.is_object() && record.value("format", OrderedJson()) == "genten labels";
}

void warn(const std::string& message) {
  std::cout.flush();
  std::cerr << "genten: warning: " << message << '\n';
}

/// The names of a mode, as many as the output has rows.
OrderedJson names_of(const OutputNames& names, std::size_t mode, std::size_t rows) {
  OrderedJson its = OrderedJson::array();
  for (std::size_t i = 0; i < rows; ++i) its.push_back(names.labels.row(mode, i));
  return its;
}

/// The names of all modes, with numbers where some have none; null where none has.
OrderedJson mode_names(const Labels& labels, std::size_t order) {
  OrderedJson names = OrderedJson::array();
  bool any = false;
  for (std::size_t n = 0; n < order; ++n) {
    const std::string& name = labels.mode_name(n);
    any = any || !name.empty();
    names.push_back(name.empty() ? Labels::numbered(n) : name);
  }
  return any ? names : OrderedJson();
}

/// Without the names of rows that the output does not have.
std::vector<std::size_t> shape_of(const std::string& output, const OutputNames& names) {
  std::vector<std::size_t> shape = names.dimensions;
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const std::size_t named = names.labels.count(n);
    if (named <= shape[n]) continue;
    if (names.knows_entries_alone) {
      shape[n] = named;
    } else {
      warn(printable(output) + ": mode " + std::to_string(n + 1) + " has " +
           std::to_string(shape[n]) + " rows, and names for " + std::to_string(named) +
           ": the last are left out");
    }
  }
  return shape;
}

/// A model that is no mean is of little use where nothing says so.
void tell_of_lost_loss(const std::string& output, const nlohmann::json& run) {
  if (run.is_null() || !own_descriptor(output)) return;
  const std::string loss = run.value("loss", "gaussian");
  if (loss == "gaussian") return;
  std::cout.flush();
  std::cerr << "genten: note: " << tools::output_name(output)
            << ": the model goes there without the loss of its run, " << printable(loss)
            << ", which stands beside a file: --loss " << printable(loss)
            << " says it to commands that read the model\n";
}

}  // namespace

std::string labels_file_of(const std::string& output) {
  std::error_code ignored;
  if (output.empty() || own_descriptor(output)) return "";
  if (fs::exists(output, ignored) && !fs::is_regular_file(output, ignored)) return "";
  return output + ".labels.json";
}

void require_place_of_labels(const std::string& output, const OutputNames& names) {
  const std::string name = labels_file_of(output);
  std::error_code ignored;
  if (name.empty() || !names.any() || !fs::exists(name, ignored) || holds_labels(name)) return;
  throw Error::in_file(name, 0,
                       "expected no file, or one of names and options, since those of " + output +
                           " go there, got another: move it, or give the output another name");
}

std::string write_labels_beside(const std::string& output, const OutputNames& names) {
  std::string name = labels_file_of(output);
  std::error_code ignored;
  if (name.empty()) {
    tell_of_lost_loss(output, names.run);
    return "";
  }
  if (!names.any()) {
    if (!fs::is_regular_file(name, ignored) || !holds_labels(name)) return "";
    if (fs::remove(name, ignored)) {
      warn(printable(name) + " belonged to the file that was replaced, and is removed");
    }
    return "";
  }
  require_place_of_labels(output, names);
  const std::vector<std::size_t> shape = shape_of(output, names);
  OrderedJson record = {{"format", "genten labels"},
                        {"version", 1},
                        {"sha256", sha256_of_file(output)},
                        {"shape", shape},
                        {"mode_names", mode_names(names.labels, shape.size())},
                        {"labels", OrderedJson::array()}};
  for (std::size_t n = 0; n < shape.size(); ++n) {
    record["labels"].push_back(names.labels.named(n) ? names_of(names, n, shape[n])
                                                     : OrderedJson());
  }
  OrderedJson numbers = OrderedJson::array();
  for (std::size_t n = 0; n < shape.size(); ++n) {
    if (names.labels.named(n) && names.labels.are_numbers(n)) numbers.push_back(n + 1);
  }
  if (!numbers.empty()) record["number_names"] = numbers;
  if (names.index_base) {
    record["index_base"] = *names.index_base;
    if (names.labels.table_base()) record["table_base"] = *names.labels.table_base();
  } else if (names.labels.table_base()) {
    record["index_base"] = *names.labels.table_base();
  }
  if (!names.values.empty()) record["values"] = names.values;
  std::string text;
  try {
    if (!names.run.is_null()) {
      record["run"] = names.run;
      record["run_sha256"] = run_sha256(names.run);
    }
    record["names_sha256"] = names_sha256(nlohmann::json(record));
    text = record.dump(0) + "\n";
  } catch (const OrderedJson::type_error&) {
    // Those of the file that was there before are not this one's.
    const bool removed = fs::remove(name, ignored);
    warn(printable(name) + (removed ? " is removed" : " is not written") +
         ", since names of rows, modes or files are not in UTF-8");
    return "";
  }
  write_file(name, text);
  return name;
}

}  // namespace genten::cli
