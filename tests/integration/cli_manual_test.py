#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The manual page and the completions: what they say is what the tool takes."""
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

from cli_support import TOOL, WRONG_USAGE, ToolTest

COMMANDS = ("decompose", "rank", "tucker", "info", "convert", "generate", "compare",
            "evaluate", "predict", "project", "show", "update", "man-page", "completions")


class ManualTest(ToolTest):
    def options_of(self, command):
        """The long options that the help lists."""
        text = self.run_tool(*command.split(), "--help").stdout
        return re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.MULTILINE)

    def checked_by(self, program, arguments, text):
        """What a program complains of in a text; "" where it is not installed."""
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")
        done = subprocess.run([program, *arguments], input=text, text=True, capture_output=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr


class Groups(ManualTest):
    def test_options_stand_where_they_belong(self):
        # A name that no table has leaves its option among the solvers' own.
        for command in ("decompose", "rank"):
            text = self.run_tool(command, "--help").stdout
            section = text.split("\nSolvers:\n")[1].split("\n\n")[0]
            found = set(re.findall(r"^  (--[\w-]+)", section, re.MULTILINE))
            self.assertEqual(found, {
                "--steps", "--inner-iterations", "--kappa", "--kappa-tolerance", "--corrections",
                "--most-operations", "--zero-samples", "--solver", "--method", "--rate",
                "--epoch-steps", "--batch", "--failures"})


class ManPage(ManualTest):
    def setUp(self):
        super().setUp()
        self.page = self.run_tool("man-page").stdout

    def test_names_every_command_and_option(self):
        plain = re.sub(r"\\f[BIR]", "", self.page).replace("\\-", "-")
        for command in COMMANDS:
            section = plain.split(f"\n.SH {command.upper()}\n")[1].split("\n.SH ")[0]
            options = self.options_of(command)
            self.assertIn("--help", options)
            for option in options:
                self.assertRegex(section, rf"\n\.TP\n(-\w, )?{option}( |\n|,)")
        self.assertIn("number of components R (1 to 1000000; default 16)", plain)
        self.assertIn("3 file trouble", plain)

    def test_is_one_that_man_can_show(self):
        self.assertEqual(self.checked_by("groff", ("-man", "-ww", "-Tutf8"), self.page), "")


class Installed(ManualTest):
    """What lies beside the tool in a build tree, and is installed with it."""

    def test_is_what_the_tool_says_now(self):
        share = pathlib.Path(TOOL).resolve().parent.parent / "share"
        if not (share / "genten.1").exists():
            self.skipTest(f"no pages in {share}: this build does not write them")
        for name, words in (("genten.1", ["man-page"]), ("genten", ["completions", "bash"]),
                            ("_genten", ["completions", "zsh"]),
                            ("genten.fish", ["completions", "fish"])):
            self.assertEqual((share / name).read_text(), self.run_tool(*words).stdout,
                             f"{share / name}: build the target genten_manual")


class Completions(ManualTest):
    def complete(self, line):
        """What bash offers where the line ends."""
        if shutil.which("bash") is None:
            self.skipTest("bash is not installed")
        words = shlex.split(line.replace("=", " = "))
        if line.endswith((" ", "=")):
            words.append("")
        script = (f"source <({shlex.quote(TOOL)} completions bash)\n"
                  f"COMP_WORDS=({' '.join(map(shlex.quote, words))})\n"
                  f"COMP_CWORD={len(words) - 1}\n"
                  "_genten\n"
                  "printf '%s\\n' \"${COMPREPLY[@]}\"\n")
        done = subprocess.run(["bash", "--norc", "-c", script], cwd=self.directory, text=True,
                              capture_output=True, timeout=60)
        self.assertEqual(done.stderr, "")
        return done.stdout.split("\n")[:-1]

    def test_commands_and_options(self):
        self.assertEqual(sorted(self.complete("genten ")), sorted(COMMANDS))
        self.assertEqual(self.complete("genten dec"), ["decompose"])
        for command in COMMANDS:
            self.assertLessEqual(set(self.options_of(command)),
                                 set(self.complete(f"genten {command} -")))
        self.assertEqual(self.complete("genten decompose x.tns --max"), ["--max-iterations"])
        self.assertEqual(self.complete("genten completions "), ["bash", "zsh", "fish"])

    def test_words_and_files(self):
        self.write("a tensor.tns", "")
        self.write("other.tns", "")
        self.assertEqual(sorted(self.complete("genten info ")), ["a tensor.tns", "other.tns"])
        self.assertEqual(self.complete("genten decompose --kernel so"), ["sorted"])
        self.assertEqual(self.complete("genten decompose --kernel=so"), ["sorted"])
        self.assertEqual(sorted(self.complete("genten decompose --init=")),
                         ["a tensor.tns", "normal", "nvecs", "other.tns", "random", "uniform"])
        self.assertEqual(self.complete("genten decompose --json o"), ["other.tns"])
        self.assertEqual(self.complete("genten decompose --rank "), [""])  # a number
        for given in ("", "x.labels,", "x.labels,,"):
            self.assertEqual(self.complete(f"genten decompose --labels {given}o"),
                             [given + "other.tns"])
            self.assertEqual(self.complete(f"genten decompose --labels={given}o"),
                             [given + "other.tns"])

    def test_shells_can_read_them(self):
        for shell in ("zsh", "fish"):
            with self.subTest(shell):
                script = self.run_tool("completions", shell).stdout
                for command in COMMANDS:
                    for option in self.options_of(command):
                        self.assertIn(option if shell == "zsh" else f"-l {option[2:]} ", script)
                path = self.write(f"script.{shell}", script)
                self.assertEqual(self.checked_by(shell, ("-n", str(path)), ""), "")

    def test_other_shells(self):
        done = self.run_tool("completions", "tcsh", expect=WRONG_USAGE)
        self.assertIn("SHELL: expected bash|zsh|fish, got 'tcsh'", done.stderr)


if __name__ == "__main__":
    unittest.main()
