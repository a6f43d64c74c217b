// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "option_rules.hpp"

#include "command.hpp"
#include "tools/hints/edit_distance.hpp"
#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <genten/io/table.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

namespace genten::cli {

Given given_in(const CLI::App& app) {
  return [&app](const std::string& name) { return app.get_option(name)->count() != 0; };
}

void require_only(const CLI::App& app, const std::string& name,
                  const std::set<std::string>& others) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0 || option->get_positional() || option->check_name(name)) continue;
    const bool allowed = std::any_of(others.begin(), others.end(), [&](const std::string& other) {
      return option->check_name(other);
    });
    if (!allowed) {
      usage_error(option->get_name(), "has no effect beside " + name + ": leave it out");
    }
  }
}

void require_value(const std::string& argument) {
  if (argument.starts_with("--") && argument.find('=') + 1 == argument.size()) {
    usage_error(argument.substr(0, argument.size() - 1), "expected a value, got ''");
  }
}

void require_kokkos_value(const std::string& argument) {
  struct Example {
    const char* name;
    const char* value;
  };
  constexpr Example examples[] = {{"num-threads", "4"},
                                  {"threads", "4"},
                                  {"device-id", "0"},
                                  {"num-devices", "1"},
                                  {"numa", "1"},
                                  {"map-device-id-by", "mpi_rank"},
                                  {"tools-libs", "libtool.so"},
                                  {"tools-library", "libtool.so"},
                                  {"tools-args", "ARGUMENTS"}};
  for (const Example& each : examples) {
    if (argument != std::string("--kokkos-") + each.name) continue;
    usage_error(argument, "expected a value behind =, as in " + argument + "=" + each.value);
  }
}

void add_missing(CLI::App& app, std::string& missing, const std::vector<std::string>& words,
                 const std::string& meaning) {
  std::vector<std::string> all = words;
  all.emplace_back("FILE");
  add_text(
      app, "--missing", tools::join(all, "|"),
      [&missing, words, all](const std::string& text) {
        std::error_code ignored;
        const bool is_word = std::find(words.begin(), words.end(), text) != words.end();
        if (!is_word && !std::filesystem::exists(text, ignored)) {
          if (!tools::closest(text, words).empty()) tools::reject_word("missing", all, text);
          if (!text.empty() && is_missing_value(text)) {
            usage_error(
                "--missing",
                "expected " + tools::join(all, "|") + ", got '" + tools::printable(text) +
                    "', which is no file: leave rows without a value out of the data; --missing "
                    "unlisted says that all entries are missing that they do not list");
          }
        }
        // Where none is the default it may be said, and is nothing.
        missing = text == "none" && missing.empty() ? "" : text;
      },
      meaning);
}

void add_report(CLI::App& app, ReportOptions& options) {
  add_output(app, "--json", options.json, "write an account of the work; - is the standard output");
  add_flag(app, "-q,--quiet", options.quiet, "print nothing but warnings, on standard error");
}

}  // namespace genten::cli
