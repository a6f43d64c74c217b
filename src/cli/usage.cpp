// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "usage.hpp"

#include "tools/hints/edit_distance.hpp"
#include "tools/hints/nearest_file.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace genten::cli {

using namespace tools;

namespace {

const CLI::App& chosen_command(const CLI::App& tool) {
  const auto chosen = tool.get_subcommands();
  return chosen.empty() ? tool : *chosen.front();
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// What other programs call what there is here; "" if nothing is known.
std::string called_elsewhere(const std::string& word) {
  struct Name {
    const char* elsewhere;
    const char* here;
  };
  constexpr std::array names = {
      Name{"-r", "--rank"},
      Name{"-R", "--rank"},
      Name{"-k", "--rank"},
      Name{"--components", "--rank"},
      Name{"--ncomponents", "--rank"},
      Name{"--n-components", "--rank"},
      Name{"--maxiters", "--max-iterations"},
      Name{"--maxiter", "--max-iterations"},
      Name{"--max-iters", "--max-iterations"},
      Name{"--max-iter", "--max-iterations"},
      Name{"--niters", "--max-iterations"},
      Name{"--format", "--to"},
      Name{"--size", "--dimensions"},
      Name{"--shape", "--dimensions"},
      Name{"cp", "decompose"},
      Name{"cpd", "decompose"},
      Name{"fit", "decompose"},
      Name{"hooi", "tucker"},
      Name{"hosvd", "tucker"},
      Name{"tucker-als", "tucker"},
      Name{"score", "compare"},
      Name{"export", "convert"},
      Name{"stats", "info"},
      Name{"residuals", "evaluate"},
      Name{"man", "man-page"},
      Name{"manual", "man-page"},
  };
  const auto* const found = std::find_if(names.begin(), names.end(),
                                         [&](const Name& each) { return word == each.elsewhere; });
  return found == names.end() ? "" : found->here;
}

/// The one of the `known` that other programs call so; "" of none.
std::string known_elsewhere(const std::string& word, const std::vector<std::string>& known) {
  const std::string name = called_elsewhere(word);
  return std::find(known.begin(), known.end(), name) != known.end() ? name : "";
}

/// What a number of threads is asked for with elsewhere.
bool asks_for_threads(const std::string& word) {
  constexpr std::array names = {
      "--threads", "--thread",    "--nthreads", "--num-threads", "--num_threads", "--numthreads",
      "--nprocs",  "--n-threads", "--jobs",     "--cores",       "--cpus",        "-t",
      "-j",        "-T"};
  const bool glued = word.size() > 2 && word[1] != '-' && std::isdigit(word[2]) != 0;  // "-j4"
  return std::find(names.begin(), names.end(), glued ? word.substr(0, 2) : word) != names.end();
}

/// How the number of threads is said here: it is no option of the tool.
std::string threads_hint(const CLI::App& tool, const std::string& command,
                         const std::string& argument) {
  std::string number = "4";
  bool seen = false;
  for (const std::string& word : tool.remaining(true)) {
    if (seen && is_number(word)) number = word;
    if (seen) break;
    seen = word == argument;
  }
  const std::size_t digits = argument.find_first_of("0123456789");
  if (digits != std::string::npos && is_number(argument.substr(digits))) {
    number = argument.substr(digits);
  }
  return "; the environment says how many threads, as in OMP_NUM_THREADS=" + number +
         " OMP_PROC_BIND=spread genten " + command + " ..., or --kokkos-num-threads=" + number;
}

/// Whether a word that `decompose` has no use for may be the rank: none was given, and the word is
/// not meant for the option before it.
bool may_be_rank(const CLI::App& command, const std::string& word,
                 const std::vector<std::string>& words) {
  if (!is_number(word) || command.get_name() != "decompose") return false;
  if (command.get_option("--rank")->count() != 0) return false;
  return std::adjacent_find(words.begin(), words.end(),
                            [&](const std::string& before, const std::string& each) {
                              return each == word && before.size() > 1 && before[0] == '-';
                            }) == words.end();
}

/// Whether a command goes by the names of rows that a model has.
bool looks_ids_up(const std::string& command) {
  constexpr std::array commands = {"evaluate", "predict", "project", "update", "compare", "show"};
  return std::find(commands.begin(), commands.end(), command) != commands.end();
}

/// How a file is given to a command.
std::string command_of(const std::string& file) {
  return names_model(file) ? "evaluate " + file + " TENSOR" : "decompose " + file;
}

/// What to say of an option that took the next one for its value, as --nonnegative does in
/// "--nonnegative --top 3"; "" where none did.
std::string swallowed_option(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    const std::string& value = option->results().front();
    // A number may begin with the same sign.
    if (!value.starts_with("-") || command.get_option_no_throw(value) == nullptr) continue;
    const std::string values = option->get_type_name();
    return option->get_name() + ": expected " + values + ", got '" + value + "'; as in " +
           option->get_name() + " " + values.substr(0, values.find('|'));
  }
  return "";
}

/// Whether an option takes such a value, a number or one of its words, whatever files there are.
bool is_number_or_word(const CLI::Option& option, const std::string& value) {
  const std::string words = "|" + option.get_type_name() + "|";
  return value.find_first_not_of("0123456789.,") == std::string::npos ||
         words.find("|" + value + "|") != std::string::npos;
}

/// The commands that have an option of that name, as "genten decompose, genten rank".
std::string commands_with(const CLI::App& tool, const std::string& option) {
  std::vector<std::string> names;
  for (const CLI::App* each : tool.get_subcommands({})) {
    if (each->get_option_no_throw(option) != nullptr) names.push_back("genten " + each->get_name());
  }
  return join(names, ", ");
}

/// The same of an option that took a file for its value, as --nonnegative does in
/// "--nonnegative counts.csv".
std::string swallowed_file(const CLI::App& command) {
  std::error_code none_is_known;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_positional()) continue;
    const std::string& value = option->results().front();
    const std::string values = option->get_type_name();
    const bool takes_files = values.find("FILE") != std::string::npos;
    if (takes_files || is_number_or_word(*option, value)) continue;
    if (!std::filesystem::is_regular_file(value, none_is_known)) continue;
    return option->get_name() + ": expected " + values + ", got the file " + value + "; as in " +
           option->get_name() + " " + values.substr(0, values.find('|')) + " " + value;
  }
  return "";
}

/// How the report of the files of a command line is asked for.
std::string arguments_of_report(const std::vector<std::string>& words) {
  std::string model = "MODEL", tensor;
  for (std::size_t i = 1; i < words.size() && !words[i].starts_with("-"); ++i) {
    if (names_model(words[i])) {
      model = words[i];
    } else {
      tensor = " --tensor " + in_command(words[i]);
    }
  }
  return " " + in_command(model) + tensor + " -o report.html";
}

std::string unexpected_argument(const CLI::App& tool, const std::vector<std::string>& words) {
  const CLI::App& command = chosen_command(tool);
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const CLI::App* each : command.get_subcommands({})) known.push_back(each->get_name());
  for (const std::string& argument : tool.remaining(true)) {
    const std::string word = argument.substr(0, argument.find('='));
    const bool option = word.starts_with("-") && word != "-";  // which is a file
    if (&command != &tool && !option) {
      if (const std::string complaint = swallowed_option(command); !complaint.empty()) {
        return complaint;
      }
      const std::string& first = words.front();
      if (word == first) {
        return "the command comes first, as in genten " + command.get_name() + " " + word;
      }
      const bool rank = may_be_rank(command, word, words);
      return "unexpected argument: " + argument +
             (rank ? "; did you mean --rank " + word + "?" : "");
    }
    if (!option && (word == "report" || word == "plot")) {
      return "unknown command " + word +
             "; the Python package makes reports and pictures: python -m genten report" +
             arguments_of_report(words);
    }
    std::error_code none_is_known;
    if (!option && std::filesystem::is_regular_file(word, none_is_known)) {
      return "unknown command " + word + "; a command comes first, as in genten " +
             command_of(word);
    }
    if (option && asks_for_threads(word)) {
      const std::string name = &command == &tool ? "decompose" : command.get_name();
      return "unknown option " + word + threads_hint(tool, name, argument);
    }
    if (word == "--compact" && looks_ids_up(command.get_name())) {
      return "unknown option --compact: genten " + command.get_name() +
             " looks ids up by itself, where the model was made with --compact";
    }
    if (option && &command != &tool && command.get_option_no_throw(word) != nullptr) {
      return word + ": it stands behind the command, as in genten " + command.get_name() + " ... " +
             word;
    }
    const std::string what = option ? "unknown option " : "unknown command ";
    const std::string elsewhere = known_elsewhere(word, known);
    const std::string meant = elsewhere.empty() ? closest(word, known) : elsewhere;
    const std::string others = option && elsewhere.empty() ? commands_with(tool, word) : "";
    if (others.empty()) return what + word + (meant.empty() ? "" : "; did you mean " + meant + "?");
    const std::string where = &command == &tool ? ": it stands behind the command"
                                                : ": leave it out of genten " + command.get_name();
    return what + word + ", which is one of " + others + where +
           (meant.starts_with("-") ? ", or did you mean " + meant + "?" : "");
  }
  return "";
}

/// What the parser complains of, in the words of the other complaints: the option, what was
/// expected, what came.
std::string parser_complaint(const CLI::App& command, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find_first_of(": "));
  const auto is = [&](const char* kind) { return error.get_name() == kind; };
  if (is("RequiredError")) {
    if (command.get_parent() != nullptr) {
      const std::string complaint = swallowed_file(command);
      return complaint.empty() ? "expected " + name + ", got none" : complaint;
    }
    std::vector<std::string> commands;
    for (const CLI::App* each : command.get_subcommands({})) commands.push_back(each->get_name());
    return "expected a command: " + join(commands, ", ");
  }
  const std::string other = text.substr(text.rfind(' ') + 1);
  if (is("RequiresError")) return name + ": has no effect without " + other;
  if (is("ExcludesError"))
    return name + ": has no effect beside " + other + ": leave one of them out";
  if (is("ArgumentMismatch")) {
    const CLI::Option* const option = command.get_option_no_throw(name);
    if (option == nullptr) return "--" + name + ": expected no value";  // of flags, without dashes
    if (option->count() <= 1) return name + ": expected " + option->get_type_name() + ", got none";
    return name + ": expected once, got " + std::to_string(option->count()) + " times";
  }
  return text;
}

}  // namespace

std::string usage_message(const CLI::App& tool, const CLI::ParseError& error,
                          const std::vector<std::string>& words) {
  const CLI::App& command = chosen_command(tool);
  std::string message = unexpected_argument(tool, words);
  if (message.empty()) message = parser_complaint(command, error);
  std::string help = "genten";
  if (&command != &tool) help += " " + command.get_name();
  return message + "\nTry: " + help + " --help";
}

}  // namespace genten::cli
