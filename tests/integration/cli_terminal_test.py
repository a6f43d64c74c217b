#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What people see on a terminal: lines that are written over, how far work has come, colours."""
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

from cli_support import SUCCESS, TITANIC, TOOL, WRONG_USAGE, ToolTest

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


if __name__ == "__main__":
    unittest.main()
