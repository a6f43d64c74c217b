// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Options that mean nothing beside others are errors.

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace genten::cli {

/// Whether an option stands on the command line.
using Given = std::function<bool(const std::string& name)>;

/// For a command whose options are all declared when it is first asked.
Given given_in(const CLI::App& app);

/// Throws a usage error for every option on the command line that means nothing beside `name`: all
/// but `name` itself and `others`. Positional arguments are left out.
void require_only(const CLI::App& app, const std::string& name,
                  const std::set<std::string>& others);

/// Throws a usage error for an argument that gives an option nothing: "--output=". The parser would
/// take what comes next instead.
void require_value(const std::string& argument);

/// Throws a usage error for an option of Kokkos that takes a value and has none: the value must
/// stand behind "=", and in an argument of its own it would be taken for a file.
void require_kokkos_value(const std::string& argument);

/// The options of every command's account of its work.
struct ReportOptions {
  std::string json;
  bool quiet = false;
};

/// Adds --missing: one of some words, or a file. Parsing throws a usage error for what is no file
/// and nearly a word.
void add_missing(CLI::App& app, std::string& missing, const std::vector<std::string>& words,
                 const std::string& meaning);

/// Adds --json and --quiet.
void add_report(CLI::App& app, ReportOptions& options);

}  // namespace genten::cli
