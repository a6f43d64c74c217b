#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What people see: lines of a terminal that are written over, how far work has come, colours, and
models that are shown by name: genten show, and genten info of a model."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time
import unittest

from cli_support import (FILE_TROUBLE, SUCCESS, TITANIC, TITANIC_LABELS, TOOL, WRONG_USAGE,
                         ToolTest)

ARGUMENTS = ("decompose", TITANIC, "--rank", 2, "--max-iterations", 12, "--tolerance", 0)


class Terminal:
    """A terminal of so many columns; `text` is all that was written to it once it is closed."""

    def __init__(self, columns=80):
        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.pieces = []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        while True:
            try:
                piece = os.read(self.ours, 65536)
            except OSError:  # the other end is closed
                return
            if not piece:
                return
            self.pieces.append(piece)

    def close(self):
        os.close(self.theirs)
        self.reader.join()
        os.close(self.ours)
        self.text = b"".join(self.pieces).decode()


class TerminalTest(ToolTest):
    def on_terminal(self, *arguments, columns=80, slowly=None, expect=SUCCESS, **environment):
        """Runs the tool with output and errors on a terminal. `slowly` comes from the standard
        input, after more than a second."""
        terminal = Terminal(columns)
        tool = subprocess.Popen(
            [TOOL, *map(str, arguments)], stdout=terminal.theirs, stderr=terminal.theirs,
            stdin=subprocess.PIPE, cwd=self.directory,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment})
        if slowly is not None:
            time.sleep(1.7)
            tool.stdin.write(slowly)
        tool.stdin.close()
        code = tool.wait(timeout=60)
        terminal.close()
        self.assertEqual(code, expect, terminal.text)
        return terminal.text

    def test_iterations_have_one_line_that_is_overwritten(self):
        text = self.on_terminal(*ARGUMENTS)
        progress = [line for line in text.split("\r\n") if "\033[K" in line]
        self.assertEqual(len(progress), 1)
        self.assertEqual(progress[0].count("\r"), 12)

    def test_the_line_says_how_long_the_run_may_take(self):
        text = self.on_terminal("decompose", TITANIC, "--rank", 2, "--max-iterations", 10**9,
                                "--tolerance", 0, "--time-limit", 3)
        lines = [re.sub(r"\033\[K.*", "", line, flags=re.S) for line in text.split("\r")]
        left = [line for line in lines if " left" in line]
        self.assertTrue(left)
        self.assertRegex(left[0], r"\d  <0:03 left$")
        self.assertLess(max(map(len, left)), 80)

    def test_a_narrow_terminal_has_no_room_for_that(self):
        text = self.on_terminal("decompose", TITANIC, "--rank", 2, "--max-iterations", 10**9,
                                "--tolerance", 0, "--time-limit", 2.5, columns=70)
        self.assertNotIn(" left", text)

    def test_long_reading_is_watched(self):
        text = self.on_terminal("info", "-", slowly=TITANIC.read_bytes())
        self.assertIn("\rwaiting for input standard input: 1 s\033[K", text)
        shown, _, rest = text.partition("\r\033[K")  # erased
        self.assertNotIn("standard input: 4 x 2", shown)
        self.assertIn("standard input: 4 x 2 x 2 x 2", rest)
        self.assertNotIn("waiting", rest)

    def test_the_line_is_erased_before_an_error(self):
        text = self.on_terminal("info", "-", slowly=b"1 1 x\n", expect=3)
        self.assertRegex(text, r"waiting.*\r\033\[K.*genten:.*standard input:1")

    def test_quiet_shows_nothing_but_warnings(self):
        for command, *more in (("info",), ("decompose", "--rank", "1", "--json", "result.json")):
            text = self.on_terminal(command, "-", "-q", *more, slowly=TITANIC.read_bytes())
            self.assertEqual(text, "")

    def test_nothing_is_watched_elsewhere(self):
        tool = subprocess.Popen([TOOL, "info", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, cwd=self.directory)
        time.sleep(1.5)
        _, errors = tool.communicate(TITANIC.read_bytes(), timeout=60)
        self.assertEqual(errors, b"")

    def test_colours(self):
        text = self.on_terminal(*ARGUMENTS)
        self.assertIn(f"\033[1mtensor\033[0m    {TITANIC}: 4 x 2", text)
        self.assertIn("\033[1mfit\033[0m       0.", text)
        error = self.on_terminal("info", "absent.tns", expect=3)
        self.assertTrue(error.startswith("\033[1;31mgenten:\033[0m absent.tns: "), error)

    def test_no_colours_where_they_are_not_wanted(self):
        colour = re.compile(r"\033\[[0-9;]*m")
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
            self.assertIsNone(colour.search(self.on_terminal(*ARGUMENTS, **environment)))
            self.assertIsNone(colour.search(
                self.on_terminal("info", "--what", expect=WRONG_USAGE, **environment)))
        self.assertIsNone(colour.search(self.run_tool(*ARGUMENTS).stdout))

    def test_terminals_without_a_cursor_get_lines(self):
        for terminal in ("dumb", ""):
            text = self.on_terminal(*ARGUMENTS, TERM=terminal)
            self.assertNotIn("\033", text)
            self.assertEqual(re.findall(r"^ +(\d+)  +0\.\d+", text, re.M),
                             ["1", "2", "3", "5", "7", "10", "12"])


class Show(ToolTest):
    def setUp(self):
        super().setUp()
        self.told = self.run_tool("decompose", TITANIC, "--rank", 2, "--top", 3, "--quiet",
                                  "--output", "m.gkt", "--labels", TITANIC_LABELS).stdout

    def test_components_are_those_that_decompose_prints(self):
        told = self.run_tool("show", "m.gkt", "--top", 3).stdout
        self.assertTrue(told.endswith("\n" + self.told), told)
        self.assertIn("m.gkt: 4 x 2 x 2 x 2, rank 2\nmodes     mode 1 (class), 4 rows with names\n",
                      told)
        self.assertRegex(told, r"weights   826\.\d+ 179\.\d+\n")

    def test_names_may_come_from_elsewhere(self):
        (self.directory / "m.gkt.labels.json").unlink()
        done = self.run_tool("show", "m.gkt")
        self.assertNotIn("Crew", done.stdout)
        self.assertIn("there is no m.gkt.labels.json", done.stderr)
        self.assertIn("Crew", self.run_tool("show", "m.gkt", "--labels", TITANIC_LABELS).stdout)

    def test_long_names_with_commas_stay_within_their_column(self):
        self.write("c.csv", "name,other,n\n" + "".join(
            f'"A long name of a thing, number {i:03d}, and more of it, even more",x{j},5\n'
            for i in range(250) for j in range(4)))
        told = self.run_tool("decompose", "c.csv", "--values", "n", "--rank", 1).stdout
        self.assertIn("~", told)
        self.assertIn(" +249  x0, x1, x2 +1\n", told)
        title = next(line for line in told.splitlines() if line.startswith("component "))
        self.assertLessEqual(title.index("other"), 20 + (80 - 22) // 2)

    def test_json_has_the_names(self):
        found = self.run_json("show", "m.gkt", "--top", 1)
        self.assertEqual(found["mode_names"], ["class", "sex", "age", "survived"])
        self.assertEqual(found["top"][0]["modes"][0][0]["label"], "Crew")
        self.assertEqual(len(found["weights"]), 2)

    def test_tucker_models_are_shown_too(self):
        self.run_tool("tucker", TITANIC, "--ranks", "2,1,1,2", "--output", "m.ttensor", "--labels",
                      TITANIC_LABELS, "--quiet")
        told = self.run_tool("show", "m.ttensor").stdout
        self.assertIn("4 x 2 x 2 x 2, ranks 2 x 1 x 1 x 2\n", told)
        self.assertIn("Crew", told)

    def test_info_describes_models(self):
        for form in ("m.gkt", "m.ktensor"):
            if form != "m.gkt":
                self.run_tool("convert", "--model", "m.gkt", form, "--quiet")
            told = self.run_tool("info", form).stdout
            self.assertIn(f"{form}: 4 x 2 x 2 x 2, rank 2", told)
            self.assertNotIn("component", told)

    def test_a_tensor_is_none(self):
        told = self.run_tool("show", TITANIC, expect=FILE_TROUBLE).stderr
        self.assertIn("got a sparse tensor", told)
        self.assertTrue(told.endswith("; genten info describes tensors\n"), told)

    def test_files_of_json_are_named(self):
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "run.gkt", "--json",
                      "run.json")
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "--json", "none.json")
        for command, expected in (("show", "a model"), ("info", "a sparse tensor")):
            for file, words in (
                    ("m.gkt.labels.json",
                     "got names of rows, which are read with the file that they stand beside, "
                     "m.gkt"),
                    ("run.json", "got the report of a run, JSON: " + (
                        "its model is in run.gkt" if command == "show"
                        else "give the run's tensor")),
                    ("none.json", "got the report of a run, JSON: " + (
                        "the run kept no model"
                        if command == "show" else "give the run's tensor"))):
                told = self.run_tool(command, file, expect=FILE_TROUBLE).stderr
                self.assertTrue(told.startswith(f"genten: {file}: expected {expected}, {words}"),
                                told)
        told = self.run_tool("decompose", TITANIC, "--resume", "run.json",
                             expect=FILE_TROUBLE).stderr
        self.assertEqual(told, "genten: run.json: expected a checkpoint, got the report of a run, "
                               "JSON\n")
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", 'a"b\\c.gkt', "--json",
                      "q.json")
        told = self.run_tool("show", "q.json", expect=FILE_TROUBLE).stderr
        self.assertTrue(told.endswith(', JSON: its model is in a"b\\c.gkt\n'), told)
        self.run_tool("generate", "g.tns", "--dimensions", "4,3", "--nnz", 4, "--rank", 1,
                      "--model", "g.ktensor", "-q", "--json", "g.json")
        for command, words in (("show", "a model, got JSON: its model is in g.ktensor"),
                               ("info", "a sparse tensor, got JSON")):
            told = self.run_tool(command, "g.json", expect=FILE_TROUBLE).stderr
            self.assertEqual(told, f"genten: g.json: expected {words}\n")
        self.write("other.json", '{"a": 1}')
        told = self.run_tool("show", "other.json", expect=FILE_TROUBLE).stderr
        self.assertEqual(told, "genten: other.json: expected a model, got JSON\n")

    def test_a_pipe_has_no_names(self):
        self.write("t.csv", "who,week,n\nann,0,5\nbob,1,2\nann,2,4\n")
        self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1, "-q", "-o", "t.gkt")
        model = (self.directory / "t.gkt").read_bytes()

        def told(*command):
            done = subprocess.run([TOOL, *command], cwd=self.directory, input=model,
                                  capture_output=True, timeout=120, env=os.environ)
            return done.stderr.decode()

        why = ": names do not go through a pipe; read the file that they stand beside"
        self.assertEqual(told("show", "-"), "genten: note: rows have numbers, from 1, in place of "
                                            f"names{why}, or name them by --labels\n")
        self.write("w.csv", "who,week\nann,0\n")
        refused = told("predict", "-", "w.csv")
        self.assertTrue(refused.endswith(
            f"expected names of those of standard input, got none{why}\n"), refused)
        self.write("e.txt", "7 1\n")
        refused = told("predict", "-", "e.txt")
        self.assertIn("--init MODEL", refused)
        self.assertNotIn("--init standard input", refused)

    def test_components_tell_of_strong_rows_that_are_left_out(self):
        self.write("t.csv", "who,what,n\n" + "".join(
            f'"Doe, {who}",{what},1\n' for who in "ABCDEFGHI" for what in "pq"))
        told = self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1).stdout
        self.assertRegex(told, r'1 +4\.24264  "Doe, [A-I]", "Doe, [A-I]" \+7 +[pq], [pq]\n'
                               r"\+N: N more rows are at least half as strong as the strongest")
        self.assertNotIn("+N", self.run_tool("decompose", TITANIC, "--rank", 1).stdout)


if __name__ == "__main__":
    unittest.main()
