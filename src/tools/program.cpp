// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include "files.hpp"
#include "hints/nearest_column.hpp"
#include "hints/nearest_file.hpp"
#include "printable.hpp"
#include "terminal/terminal.hpp"

#include <genten/base/error.hpp>
#include <genten/dist/communicator.hpp>

#include <poll.h>
#include <unistd.h>

#include <iostream>
#include <new>
#include <utility>

namespace genten::tools {
namespace {

ExitCode exit_code_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::argument:
      return wrong_usage;
    case Error::Kind::file:
      return file_trouble;
    case Error::Kind::memory:
    case Error::Kind::runtime:
      return failure;
  }
  return failure;
}

/// Has whoever read the standard output gone?
bool nobody_reads() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/// Options as they stand on the command line; functions say nothing to its users.
class CommandWords : public ErrorWords {
 public:
  [[nodiscard]] std::string function(std::string_view) const override { return ""; }
  [[nodiscard]] std::string subject(std::string_view name) const override {
    return option(name, "");
  }
  [[nodiscard]] std::string missing_entries() const override { return "--missing"; }
  [[nodiscard]] std::string option(std::string_view name, std::string_view value) const override {
    if (name.empty()) return "'" + std::string(value) + "'";
    const std::string option = "--" + std::string(name);
    if (value.empty()) return option;
    if (name == "missing" && value == "listed") return option + " FILE";
    return option + " " + in_command(value);
  }
  [[nodiscard]] std::string remedy(std::string_view function) const override {
    if (function == "drop_empty_slices") return "genten convert --compact";
    if (function == "compact_model") return "genten decompose --compact";
    if (function == "choose_rank") return "genten rank";
    if (function == "run_cp") return "genten decompose";
    return function == "write_binary_sptensor" ? "genten convert" : std::string(function);
  }
};

/// The message, with a hint at what may have been meant. What one process of several has met need
/// not be so in the folder of the process that speaks.
std::string hinted(const Error& error) {
  if (error.fields().processes != 0) return sentence(error);
  return sentence(error) + nearest_file_hint(error) + nearest_column_hint(error);
}

}  // namespace

std::string in_command(std::string_view text) {
  if (text.find_first_of(" \t\"'`$&|;<>()*?[]{}!#~\\") == std::string_view::npos) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char sign : text) word += sign == '\'' ? "'\\''" : std::string(1, sign);
  return word + "'";
}

int complain(std::string_view program, std::string_view message, ExitCode code) {
  std::cout.flush();
  std::cerr << painted(std::cerr, Paint::error, std::string(program) + ":") << ' '
            << printable_lines(message) << '\n';
  return code;
}

std::string sentence(const std::exception& error) {
  const auto* const known = dynamic_cast<const Error*>(&error);
  return known == nullptr ? error.what() : CommandWords().sentence(known->fields());
}

std::string complaint(const Error& error) {
  return CommandWords().complaint(error.fields());
}

std::string in_words(std::string_view note) {
  return CommandWords().text(note);
}

void throw_about(const Error& error, const std::string& what) {
  Error::Fields fields = error.fields();
  fields.function.clear();
  fields.about = what + (what.empty() || fields.about.empty() ? "" : ": ") + fields.about;
  if (fields.code == Error::Code::data) fields.kind = Error::Kind::file;
  throw_changed(error, std::move(fields));
}

void throw_in_file(const Error& error, const std::string& path) {
  Error::Fields fields = error.fields();
  if (!error.is_named()) fields.path = input_name(path);
  if (fields.kind == Error::Kind::argument) fields.kind = Error::Kind::file;
  throw_changed(error, std::move(fields));
}

int guarded(std::string_view program, const std::function<int()>& body) {
  try {
    return body();
  } catch (const Error& error) {
    return complain(program, hinted(error), exit_code_of(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain(program, "out of memory", failure);
  } catch (const std::exception& error) {
    return complain(program, sentence(error), failure);
  }
}

int run_program(std::string_view program, const std::function<int()>& body) {
  const int exit_code = guarded(program, body);
  std::cout.flush();
  if (std::cout || nobody_reads()) return exit_code;
  const int lost = complain(program, "cannot write to the standard output", file_trouble);
  return exit_code == success ? lost : exit_code;
}

}  // namespace genten::tools
