#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose ended before its time: by signals, by the time limit, by the system."""
import signal
import subprocess
import unittest

from cli_support import TITANIC, TOOL, Model, ToolTest

ENDLESS = ("decompose", TITANIC, "--rank", 3, "--tolerance", 0, "--max-iterations", 1000000000)


class Interrupt(ToolTest):
    def start(self, *arguments):
        """Starts the tool and waits for its first iteration."""
        tool = subprocess.Popen([TOOL, *map(str, arguments)], cwd=self.directory, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(tool.kill)
        for line in tool.stdout:
            if line.split()[:1] == ["1"]:
                return tool
        self.fail("no first iteration: " + tool.stderr.read())

    def end(self, tool, number):
        tool.send_signal(number)
        text, complaints = tool.communicate(timeout=60)
        return tool.returncode, text, complaints

    def test_signals_end_the_run_and_the_model_is_written(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                tool = self.start(*ENDLESS, "--print-every", 1000000, "--output", "m.ktensor",
                                  "--json", "r.json")
                code, text, complaints = self.end(tool, number)
                self.assertEqual((code, complaints), (0, ""))
                self.assertIn("interrupted", text)
                result = self.read_json("r.json")
                self.assertEqual(result["stop_reason"], "observer")
                self.assertTrue(result["interrupted"])
                self.assertEqual(result["history"][-1]["iteration"], result["iterations"])
                model = Model(self.directory / "m.ktensor")
                self.assertEqual(model.weights, result["weights"])
                self.assertEqual(self.files(), ["m.ktensor", "r.json"])

    def test_the_result_is_that_of_as_many_iterations(self):
        tool = self.start(*ENDLESS, "--print-every", 1000000, "--output", "m.ktensor",
                          "--json", "r.json")
        self.end(tool, signal.SIGINT)
        cut = self.read_json("r.json")
        arguments = ("decompose", TITANIC, "--rank", 3, "--tolerance", 0, "--print-every", 0,
                     "--max-iterations", cut["iterations"], "--output", "whole.ktensor")
        whole = self.run_json(*arguments)
        self.assertEqual(whole["iterations"], cut["iterations"])
        self.assertEqual(whole["fit"], cut["fit"])
        self.assertEqual(whole["weights"], cut["weights"])
        self.assertEqual((self.directory / "whole.ktensor").read_text(),
                         (self.directory / "m.ktensor").read_text())

    def test_several_starts_end_at_once(self):
        tool = self.start(*ENDLESS, "--starts", 1000, "--print-every", 1000000,
                          "--json", "r.json")
        code, _, _ = self.end(tool, signal.SIGINT)
        self.assertEqual(code, 0)
        self.assertEqual(len(self.read_json("r.json")["starts"]), 1)

    def test_a_killed_run_leaves_nothing_half_written(self):
        old = self.write("m.ktensor", "the model of yesterday\n")
        tool = self.start(*ENDLESS, "--print-every", 1000000, "--output", "m.ktensor",
                          "--json", "r.json", "--checkpoint", "c.ktensor",
                          "--checkpoint-every", 1)
        while not (self.directory / "c.ktensor").exists():
            self.assertIsNone(tool.poll())
        self.end(tool, signal.SIGKILL)
        self.assertEqual(old.read_text(), "the model of yesterday\n")
        self.assertFalse((self.directory / "r.json").exists())
        Model(self.directory / "c.ktensor")  # whole, whenever the end came

    def test_the_time_limit_ends_the_run(self):
        result = self.run_json(*ENDLESS, "--time-limit", "0.2", "--print-every", 0,
                               "--output", "m.ktensor")
        self.assertEqual(result["stop_reason"], "time_limit")
        self.assertFalse(result["interrupted"])
        # Preparation counts for the limit, but not in the history.
        self.assertGreater(result["history"][-1]["seconds"], 0.1)
        self.assertLess(result["history"][-2]["seconds"], 0.2)
        self.assertEqual(Model(self.directory / "m.ktensor").weights, result["weights"])


if __name__ == "__main__":
    unittest.main()
