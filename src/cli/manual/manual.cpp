// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten man-page, genten completions: what the parser knows of the tool, for man and for shells.

#include "command.hpp"
#include "completions.hpp"
#include "man_page.hpp"

#include <genten/version.hpp>

#include <iostream>

namespace genten::cli {
namespace {

struct NoOptions {};

struct CompletionOptions {
  Shell shell = Shell::bash;
};

}  // namespace

void add_manual(CLI::App& tool, Action& action) {
  add_command<NoOptions>(
      tool, action, "man-page", "print the manual page of this tool",
      [](CLI::App& app, NoOptions&) {
        set_footer(app,
                   "Example:\n"
                   "  genten man-page > ~/.local/share/man/man1/genten.1");
      },
      [&tool](const NoOptions&) {
        std::cout << man_page(describe(tool), GENTEN_VERSION);
        return success;
      });
  add_command<CompletionOptions>(
      tool, action, "completions", "print what lets a shell complete command lines",
      [](CLI::App& app, CompletionOptions& options) {
        add_text(
            app, "SHELL", all_words<Shell>(),
            [&options](const std::string& text) {
              const auto shell = from_word<Shell>(text);
              if (!shell) {
                usage_error("SHELL", "expected " + all_words<Shell>() + ", got '" + text + "'");
              }
              options.shell = *shell;
            },
            "the shell: " + all_words<Shell>());
        set_footer(app,
                   "Examples:\n"
                   "  source <(genten completions bash)\n"
                   "  genten completions zsh > ~/.zfunc/_genten\n"
                   "  genten completions fish > ~/.config/fish/completions/genten.fish");
      },
      [&tool](const CompletionOptions& options) {
        std::cout << completions(options.shell, describe(tool));
        return success;
      });
}

}  // namespace genten::cli
