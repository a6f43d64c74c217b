// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Drives a fuzz target where the compiler has no libFuzzer: replays the files of a corpus, then
// changes them in ways that depend on the seed alone. See `usage`.
#include "fuzz_target.hpp"
#include "mutator.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace genten::fuzz {
namespace {

constexpr const char* usage =
    "usage: fuzz_TARGET [--runs N] [--seconds S] [--seed N] [--dict FILE] CORPUS...\n"
    "Hands every file of the corpora (files, directories) to the target, then N changed ones, for\n"
    "S seconds at most. An input on which the target stops is left in fuzz-failure.bin: give that\n"
    "file as the corpus to see it again.\n";

constexpr unsigned hang_seconds = 20;

std::string present;  // the input that is being tried

/// Keeps the input on which the program stops. Only what a signal handler may call.
extern "C" void keep_input(int signal) {
  const int file = open("fuzz-failure.bin", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file >= 0) {
    const ssize_t ignored = write(file, present.data(), present.size());
    (void)ignored;
    close(file);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct Settings {
  std::uint64_t runs = 0;
  double seconds = 1e9;
  std::uint64_t seed = 1;
  std::vector<std::string> words;
  std::vector<std::string> corpus;
};

Settings settings_of(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (!name.starts_with("--")) {
      for (std::string& content : read_corpus(name)) settings.corpus.push_back(std::move(content));
      continue;
    }
    require(i + 1 < argc, usage);
    const char* value = argv[++i];
    if (name == "--runs") {
      settings.runs = std::strtoull(value, nullptr, 10);
    } else if (name == "--seconds") {
      settings.seconds = std::strtod(value, nullptr);
    } else if (name == "--seed") {
      settings.seed = std::strtoull(value, nullptr, 10);
    } else if (name == "--dict") {
      settings.words = read_dictionary(value);
    } else {
      require(false, usage);
    }
  }
  require(!settings.corpus.empty(), usage);
  return settings;
}

void try_input(std::string input) {
  present = std::move(input);
  alarm(hang_seconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(present.data()), present.size());
}

int drive(const Settings& settings) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM}) {
    std::signal(signal, keep_input);
  }
  for (const std::string& content : settings.corpus) try_input(content);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t run = 0;
  for (; run < settings.runs; ++run) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    if (passed.count() > settings.seconds) break;
    try_input(mutated(settings.corpus, settings.words, settings.seed, run));
  }
  alarm(0);
  std::printf("%zu files and %llu changed ones: %zu readings accepted, %zu refused, all agree\n",
              settings.corpus.size(), static_cast<unsigned long long>(run), counts.accepted,
              counts.refused);
  // A run that finds nothing to accept or nothing to refuse has tested nothing.
  return run == 0 || (counts.accepted != 0 && counts.refused != 0) ? 0 : 1;
}

}  // namespace
}  // namespace genten::fuzz

/// The sanitizers end a program in a way that keeps the input.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "abort_on_error=1:handle_segv=0:handle_sigbus=0:handle_sigfpe=0";
}
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() {
  return "abort_on_error=1:print_stacktrace=1";
}

int main(int argc, char** argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  return genten::fuzz::drive(genten::fuzz::settings_of(argc, argv));
}
