#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose ended before its time: by signals, by the time limit, by the system."""
import signal
import subprocess
import time
import unittest

from cli_support import INTERRUPTED, SUCCESS, TITANIC, TOOL, Model, ToolTest

ENDLESS = ("decompose", TITANIC, "--rank", 3, "--tolerance", 0, "--max-iterations", 1000000000)


class SignalTest(ToolTest):
    def launch(self, *arguments, **how):
        tool = subprocess.Popen([TOOL, *map(str, arguments)], cwd=self.directory, text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **how)
        self.addCleanup(tool.communicate)
        self.addCleanup(tool.kill)
        return tool

    def start(self, *arguments, until="1", **how):
        """Starts the tool and waits for a line that begins so, that of its first iteration."""
        tool = self.launch(*arguments, **how)
        for line in tool.stdout:
            if line.split()[:1] == [until]:
                return tool
        self.fail(f"no line {until}: " + tool.stderr.read())

    def end(self, tool, number):
        tool.send_signal(number)
        text, complaints = tool.communicate(timeout=60)
        return tool.returncode, text, complaints

    def writes(self, tool):
        """Waits until the tool is writing a file; false where it has ended before that was seen."""
        while not any(name.endswith(".tmp") for name in self.files()):
            if tool.poll() is not None:
                return False
            time.sleep(0.001)
        return True

    def in_time(self, attempt):
        """Calls attempt(times) with more and more work, until its signals came while the tool was
        at it, which it returns: on a busy machine the tool may be done before."""
        for times in (1, 2, 4):
            if attempt(times):
                return
        self.fail("the signal came too late each time")


class Bootstrap(SignalTest):
    """Refits that were made before the end are kept."""
    ASKED = ("decompose", TITANIC, "--rank", 2, "--loss", "poisson", "--bootstrap", 100000,
             "--json", "r.json", "-o", "m.ktensor")

    def refits(self):
        return self.read_json("r.json")["bootstrap"]["refits"]

    def assert_kept(self, by):
        result = self.read_json("r.json")
        refits = self.refits()
        self.assertEqual(result["bootstrap"]["asked"], 100000)
        self.assertLess(refits, 100000)
        self.assertEqual([each["refits"] for each in result["stability"]], [1, 1])
        low, high = (result["bootstrap"]["weights"][end] for end in ("lower", "upper"))
        self.assertTrue(all(one < other for one, other in zip(low, high, strict=True)))
        notes = {note["code"]: note["text"] for note in result["notes"]}
        self.assertEqual(notes["refits_cut"],
                         f"{by} ended the bootstrap after {refits} of 100000 refits.")
        self.assertNotIn("late_signal", notes)
        self.assertEqual(Model(self.directory / "m.ktensor").weights, result["weights"])
        return result, notes["refits_cut"]

    def test_signals_end_it(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                def attempt(times, number=number):
                    tool = self.start(*self.ASKED)
                    time.sleep(2.0 * times)
                    code, text, complaints = self.end(tool, number)
                    self.assertEqual((code, complaints), (INTERRUPTED, ""))
                    if self.refits() < 3:
                        return False
                    result, note = self.assert_kept("An interruption")
                    self.assertTrue(result["interrupted"])
                    self.assertEqual(result["stop_reason"], "converged")
                    self.assertIn(note[1:-1], text)
                    return True

                self.in_time(attempt)

    def test_the_time_limit_ends_it(self):
        def attempt(times):
            done = self.run_tool(*self.ASKED, "--time-limit", 2 * times)
            if self.refits() < 3:
                return False
            result, note = self.assert_kept("The time limit")
            self.assertFalse(result["interrupted"])
            self.assertIn(note[1:-1], done.stdout)
            return True

        self.in_time(attempt)

    def test_of_no_refits_nothing_is_said_but_that(self):
        done = self.run_tool("decompose", TITANIC, "--rank", 2, "--loss", "poisson", "--bootstrap",
                             20, "--time-limit", 1e-6, "--json", "r.json", "--json-factors")
        result = self.read_json("r.json")
        self.assertEqual(result["bootstrap"], {"refits": 0, "asked": 20})
        self.assertNotIn("stability", result)
        self.assertIn("the time limit ended the bootstrap after 0 of 20 refits", done.stdout)
        self.assertNotIn("nan", done.stdout)

    def test_that_of_a_choice_of_the_rank_too(self):
        tool = self.launch("rank", TITANIC, "--ranks", "1..2", "--loss", "poisson", "--bootstrap",
                           100000, "--json", "r.json")
        lines = [tool.stdout.readline() for _ in range(5)]
        self.assertEqual(lines[4].split()[:1], ["2"], lines)
        time.sleep(2.0)
        code, text, complaints = self.end(tool, signal.SIGTERM)
        self.assertEqual((code, complaints), (INTERRUPTED, ""))
        result = self.read_json("r.json")
        self.assertEqual((result["interrupted"], result["signal"]), (True, "SIGTERM"))
        self.assertLess(result["model"]["bootstrap"]["refits"], 100000)
        self.assertIn("an interruption ended the bootstrap", text)


class Interrupt(SignalTest):
    def test_signals_end_the_run_and_the_model_is_written(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                tool = self.start(*ENDLESS, "--print-every", 1000000, "--output", "m.ktensor",
                                  "--json", "r.json")
                code, text, complaints = self.end(tool, number)
                self.assertEqual((code, complaints), (INTERRUPTED, ""))
                self.assertIn("interrupted", text)
                result = self.read_json("r.json")
                self.assertEqual(result["stop_reason"], "interrupted")
                self.assertEqual(result["starts"][0]["stop_reason"], "interrupted")
                self.assertTrue(result["interrupted"])
                self.assertEqual(result["signal"], number.name)
                self.assertEqual(result["history"][-1]["iteration"], result["iterations"])
                model = Model(self.directory / "m.ktensor")
                self.assertEqual(model.weights, result["weights"])
                self.assertEqual(self.files(), ["m.ktensor", "m.ktensor.labels.json", "r.json"])

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
        self.assertEqual(code, INTERRUPTED)
        starts = self.read_json("r.json")["starts"]
        self.assertTrue(1 < len(starts) < 1000, len(starts))  # which take turns
        self.assertEqual({start["stop_reason"] for start in starts}, {"interrupted"})

    def test_a_killed_run_leaves_nothing_half_written(self):
        self.run_tool(*ENDLESS[:-1], 1, "--output", "m.ktensor", "--quiet")
        old = (self.directory / "m.ktensor").read_text()
        tool = self.start(*ENDLESS, "--print-every", 1000000, "--output", "m.ktensor",
                          "--json", "r.json", "--checkpoint", "c.gkt",
                          "--checkpoint-every", 1)
        while not (self.directory / "c.gkt").exists():
            self.assertIsNone(tool.poll())
        self.end(tool, signal.SIGKILL)
        self.assertEqual((self.directory / "m.ktensor").read_text(), old)
        self.assertFalse((self.directory / "r.json").exists())
        # Whole, whenever the end came.
        self.run_tool("convert", "--model", "c.gkt", "c.ktensor")
        Model(self.directory / "c.ktensor")

    def test_the_time_limit_ends_the_run(self):
        result = self.run_json(*ENDLESS, "--time-limit", "0.2", "--print-every", 0,
                               "--output", "m.ktensor")
        self.assertEqual(result["stop_reason"], "time_limit")
        self.assertFalse(result["interrupted"])
        # Preparation counts for the limit, but not in the history.
        self.assertGreaterEqual(result["timings"]["total"], 0.2)
        for record in result["history"][:-1]:
            self.assertLess(record["seconds"], 0.2)
        self.assertEqual(Model(self.directory / "m.ktensor").weights, result["weights"])

    def test_an_epoch_ends_before_its_end(self):
        """Adam's epochs may be as long as a run: here one that would take days."""
        how = ("--loss", "poisson", "--method", "adam", "--epoch-steps", 1000000, "--rate", 0.01,
               "--batch", 100000)
        endless = ("decompose", TITANIC, "--rank", 3, *how)
        result = self.run_json(*endless, "--time-limit", "0.5", "--print-every", 0,
                               "--output", "m.ktensor")
        self.assertEqual((result["stop_reason"], result["iterations"]), ("time_limit", 1))
        self.assertLess(result["timings"]["total"], 30)

        def attempt(times):
            tool = self.start(*endless, "--print-every", 1, "--output", "m.ktensor",
                              "--json", "r.json", "--checkpoint", "c.gkt", until="run")
            time.sleep(0.5 * times)
            code, text, complaints = self.end(tool, signal.SIGINT)
            if code == -signal.SIGINT:  # the epoch had not begun
                return False
            self.assertEqual((code, complaints), (INTERRUPTED, ""))
            result = self.read_json("r.json")
            self.assertEqual((result["stop_reason"], result["iterations"]), ("interrupted", 1))
            self.assertIn("interrupted, 1 iteration", text)
            self.assertEqual(Model(self.directory / "m.ktensor").weights, result["weights"])
            # The epoch is begun again.
            resumed = self.run_json("decompose", TITANIC, "--resume", "c.gkt", "--time-limit",
                                    "0.5", "--print-every", 0, "--output", "n.ktensor")
            self.assertEqual(resumed["iterations"], 1)
            return True
        self.in_time(attempt)

    def test_a_signal_that_was_ignored_from_the_start_stays_so(self):
        """As nohup wants it."""
        tool = self.start(*ENDLESS, "--print-every", 1000, "--time-limit", 1, preexec_fn=lambda:
                          signal.signal(signal.SIGHUP, signal.SIG_IGN))
        code, text, _ = self.end(tool, signal.SIGHUP)
        self.assertEqual(code, SUCCESS)
        self.assertNotIn("interrupted", text)


class AtOnce(SignalTest):
    """Signals that end the tool as they always do, but for the temporary files."""

    def large(self, times):
        """A tensor that takes a while to prepare, and whose model takes a while to write."""
        rows = 300000 * times
        self.run_tool("generate", "large.gtn", "--dimensions", f"{rows},{rows},{rows}", "--nnz",
                      rows)
        return self.directory / "large.gtn"

    def test_while_it_reads(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            tool = self.launch("decompose", "-", "--output", "m.ktensor", "--json", "r.json")
            tool.stdin.write("1 1 1 1\n")
            tool.stdin.flush()
            time.sleep(0.1)
            tool.send_signal(number)
            self.assertEqual(tool.wait(timeout=60), -number)
            self.assertEqual(self.files(), [])

    def test_before_the_first_iteration(self):
        def attempt(times):
            tool = self.start("decompose", self.large(times), "--rank", 64, "--tolerance", 0,
                              "--output", "m.ktensor", "--json", "r.json", until="run")
            code, text, complaints = self.end(tool, signal.SIGTERM)
            if code == INTERRUPTED:  # the first iteration had ended
                for name in ("m.ktensor", "r.json"):
                    (self.directory / name).unlink()
                return False
            self.assertEqual((code, complaints), (-signal.SIGTERM, ""))
            self.assertNotIn("iteration", text)
            self.assertEqual(self.files(), ["large.gtn"])
            return True
        self.in_time(attempt)

    def test_convert_and_generate_leave_no_temporary_files(self):
        def command(times):
            return ("generate", "random.tns", "--dimensions", "3000,3000,3000", "--nnz",
                    2000000 * times)

        def ends(number, left, written, *arguments):
            """Whether the signal came while the tool wrote; nothing but `left` must stay then."""
            tool = self.launch(*arguments)
            in_time = self.writes(tool)
            code = self.end(tool, number)[0]
            if in_time and code != SUCCESS:
                self.assertEqual(code, -number)
                self.assertEqual(self.files(), left)
                return True
            self.assertEqual(code, SUCCESS)
            (self.directory / written).unlink()
            return False

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.in_time(lambda times: ends(number, [], "random.tns", *command(times)))

        def converts(times):
            self.run_tool(*command(times))
            return ends(signal.SIGINT, ["random.tns"], "random.mtx.zst", "convert", "random.tns",
                        "random.mtx.zst", "--to", "sptensor")
        self.in_time(converts)

    def test_one_signal_while_decompose_writes_is_noted(self):
        def attempt(times):
            tool = self.launch("decompose", self.large(times), "--rank", 8, "--max-iterations", 1,
                               "-o", "m.ktensor")
            in_time = self.writes(tool)
            code, text, _ = self.end(tool, signal.SIGTERM)
            self.assertEqual(code, SUCCESS)  # nothing is missing
            self.assertNotIn("interrupted", text)
            self.assertEqual(self.files(), ["large.gtn", "m.ktensor", "m.ktensor.labels.json"])
            for name in ("m.ktensor", "m.ktensor.labels.json"):
                (self.directory / name).unlink()
            return in_time
        self.in_time(attempt)

    def test_two_signals_while_decompose_writes_end_it(self):
        def attempt(times):
            tool = self.launch("decompose", self.large(times), "--rank", 8, "--max-iterations", 1,
                               "-o", "m.ktensor")
            in_time = self.writes(tool)
            tool.send_signal(signal.SIGTERM)
            time.sleep(0.01)
            code = self.end(tool, signal.SIGINT)[0]
            if not in_time or code == SUCCESS:
                (self.directory / "m.ktensor").unlink()
                return False
            self.assertEqual(code, -signal.SIGINT)
            self.assertEqual(self.files(), ["large.gtn"])
            return True
        self.in_time(attempt)


if __name__ == "__main__":
    unittest.main()
