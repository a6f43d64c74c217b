#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose --checkpoint and --resume: runs that are killed, and what is left of them."""
import random
import signal
import subprocess
import time
import unittest

from cli_support import (ADMISSIONS, FILE_TROUBLE, SUCCESS, TITANIC, TOOL, WRONG_USAGE, Model,
                         ToolTest, read_entries)

RUN = ("decompose", TITANIC, "--rank", 3, "--tolerance", 0)


class Resume(ToolTest):
    def read_model(self, name):
        self.run_tool("convert", "--model", name, "read.ktensor", "--quiet")
        return Model(self.directory / "read.ktensor")

    def kill_at(self, seconds, notes, *arguments):
        """Whether the tool was killed so long after its first checkpoint; notes are those that a
        run ends with, which it may have written by then."""
        tool = subprocess.Popen([TOOL, *map(str, arguments)], cwd=self.directory,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        old = self.stamp("c.gkt")
        while self.stamp("c.gkt") == old and tool.poll() is None:
            time.sleep(0.001)
        time.sleep(seconds)
        tool.send_signal(signal.SIGKILL)
        _, complaints = tool.communicate(timeout=60)
        self.assertIn(complaints, ("", notes))
        self.assertIn(tool.returncode, (SUCCESS, -signal.SIGKILL))
        return tool.returncode != SUCCESS

    def stamp(self, name):
        try:
            return (self.directory / name).stat().st_ino
        except FileNotFoundError:
            return None

    def test_starts_that_a_limit_ended_are_told(self):
        """They are not in hand any more when the run goes on with a higher limit."""
        for how in (("--nonnegative", "all"), ("--loss", "poisson")):
            keep = ("--checkpoint", "c.gkt", "-q")
            first = self.run_json("decompose", TITANIC, "--rank", 3, "--tolerance", 0, *how,
                                  "--starts", 3, "--max-iterations", 4, *keep)
            self.assertFalse([one for one in first["warnings"] if "stay as they were" in one])
            done = self.run_tool("decompose", TITANIC, "--resume", "c.gkt", "--max-iterations", 9,
                                 "--json", "more.json")
            more = self.read_json("more.json")
            self.assertEqual([start["iterations"] for start in more["starts"]], [4, 4, 9])
            told = "2 starts stay as they were when a lower iteration limit ended them"
            self.assertIn(told, done.stdout)
            self.assertTrue([one for one in more["warnings"] if told in one])

    def test_a_checkpoint_of_an_earlier_run_is_not_replaced_in_silence(self):
        run = (*RUN, "--max-iterations", 3, "--checkpoint", "c.gkt", "-q")
        note = "c.gkt is the checkpoint of an earlier run, which the first one of this run replaces"
        self.assertNotIn(note, self.run_tool(*run).stderr)
        self.assertIn(f"genten: note: {note}; --resume c.gkt goes on with it\n",
                      self.run_tool(*run).stderr)
        on = self.run_tool("decompose", TITANIC, "--resume", "c.gkt", "--max-iterations", 5,
                           "--checkpoint", "./c.gkt", "-q")
        self.assertNotIn("earlier run", on.stderr)
        ranks = ("rank", TITANIC, "--ranks", "1,2", "--max-iterations", 5, "-q", "--checkpoint",
                 "r.gkt")
        self.assertNotIn("earlier run", self.run_tool(*ranks).stderr)
        self.assertIn("--resume r.gkt goes on with it", self.run_tool(*ranks).stderr)

    def test_a_checkpoint_says_where_its_names_are(self):
        (self.directory / "t.csv").write_text("shop,item,n\na,x,3\nb,y,4\na,y,2\nb,x,1\n")
        self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1, "--checkpoint", "c.gkt",
                      "-q")
        done = self.run_tool("evaluate", "c.gkt", "t.csv", "--values", "n", expect=FILE_TROUBLE)
        self.assertIn("it is a checkpoint, which has none; genten decompose FILE --resume c.gkt -o "
                      "NEW", done.stderr)
        self.run_tool("decompose", "t.csv", "--values", "n", "--resume", "c.gkt", "-o", "m.gkt",
                      "-q")
        self.assertIn("RMSE", self.run_tool("evaluate", "m.gkt", "t.csv").stdout)

    def test_a_model_whose_labels_file_was_lost_is_not_taken_for_one_of_text(self):
        (self.directory / "t.csv").write_text("a,b,n\n1,1,3\n2,2,4\n1,2,2\n2,1,1\n")
        self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1, "-o", "m.gkt", "-q")
        (self.directory / "m.gkt.labels.json").rename(self.directory / "gone")
        said = self.run_tool("predict", "m.gkt", "t.csv", "--modes", "a,b").stderr
        self.assertIn("the rows of m.gkt do, too, if they are of one, but from 1 in text: there is "
                      "no m.gkt.labels.json, which is written beside a model", said)
        self.assertNotIn("is --index-base 1 meant", said)

    def test_a_finished_run_says_that_its_starts_were_not_compared(self):
        run = (*RUN[:-2], "--starts", 3)
        self.run_tool(*run, "--checkpoint", "c.gkt", "-q")
        again = self.run_json("decompose", TITANIC, "--resume", "c.gkt")
        self.assertIn("stability_unknown", [note["code"] for note in again["notes"]])

    def test_no_iteration_is_left(self):
        self.run_tool(*RUN[:-2], "--max-iterations", 6, "--checkpoint", "c.gkt", "-q")
        done = self.run_tool("decompose", TITANIC, "--resume", "c.gkt", "--max-iterations", 4)
        self.assertIn("the iteration limit, 4, is below the 6 iterations that were done before the "
                      "run was resumed: none was left", done.stdout)

    def test_killed_runs_end_with_the_same_bytes(self):
        randomness = random.Random(7)
        for precision, starts, acceleration in (
                ("double", 1, "none"), ("float", 1, "none"), ("double", 3, "none"),
                ("float", 3, "none"), ("double", 1, "nesterov"), ("float", 3, "nesterov")):
            with self.subTest(precision=precision, starts=starts, acceleration=acceleration):
                begin = (*RUN, "--max-iterations", 60 // starts, "--starts", starts, "--precision",
                         precision, "--acceleration", acceleration)
                resume = ("decompose", TITANIC, "--resume", "c.gkt")
                keep = ("--checkpoint", "c.gkt", "--checkpoint-every", 1, "--output", "m.gkt",
                        "--json", "m.json", "--quiet")
                notes = self.run_tool(*begin, "--output", "whole.gkt", "--json", "whole.json",
                                      "--quiet").stderr
                clock = time.monotonic()
                self.run_tool(*begin, *keep)
                clock = time.monotonic() - clock
                kills, going_on = 0, False
                for _ in range(30):
                    if not going_on:
                        (self.directory / "c.gkt").unlink()
                    going_on = self.kill_at(randomness.uniform(0, clock / 4), notes,
                                            *(resume if going_on else begin), *keep)
                    kills += going_on
                    if kills == 4:
                        break
                self.assertGreater(kills, 1)
                self.run_tool(*resume, *keep)
                self.assertEqual((self.directory / "m.gkt").read_bytes(),
                                 (self.directory / "whole.gkt").read_bytes())
                whole, resumed = self.read_json("whole.json"), self.read_json("m.json")
                for key in ("fit", "residual_norm", "iterations", "stop_reason", "weights",
                            "best_start", "options"):
                    self.assertEqual(resumed[key], whole[key], key)
                self.assertEqual([r["fit"] for r in resumed["history"]],
                                 [r["fit"] for r in whole["history"]])

    def test_interrupted_and_limited_runs_leave_their_last_state(self):
        endless = ("--max-iterations", 1000000000, "--checkpoint", "c.gkt",
                   "--checkpoint-every", 1000000000, "--print-every", 1000000000)
        tool = subprocess.Popen([TOOL, *map(str, RUN), *map(str, endless), "--json", "cut.json"],
                                cwd=self.directory, stdout=subprocess.PIPE, text=True)
        while not tool.stdout.readline().startswith("        1 "):
            self.assertIsNone(tool.poll(), "it has ended")
        time.sleep(0.1)
        tool.send_signal(signal.SIGTERM)
        tool.communicate(timeout=60)
        cut = self.read_json("cut.json")
        more = self.run_json("decompose", TITANIC, "--resume", "c.gkt", "--max-iterations",
                             cut["iterations"] + 5, "--quiet")
        self.assertEqual(more["iterations"], cut["iterations"] + 5)
        self.assertEqual(more["history"][cut["iterations"] - 1]["fit"], cut["history"][-1]["fit"])
        (self.directory / "c.gkt").unlink()
        limited = self.run_json(*RUN, *endless, "--time-limit", 0.2)
        self.assertEqual(limited["stop_reason"], "time_limit")
        # The limit is that of a run: the next one has as much time again.
        more = self.run_json("decompose", TITANIC, "--resume", "c.gkt", "--quiet")
        self.assertEqual(more["stop_reason"], "time_limit")
        self.assertGreater(more["iterations"], limited["iterations"])
        self.assertGreater(more["history"][-1]["seconds"], limited["history"][-1]["seconds"])

    def test_accelerated_runs_go_on_with_the_same_bytes(self):
        begin = (*RUN, "--acceleration", "nesterov", "--quiet")
        self.run_tool(*begin, "--max-iterations", 40, "--output", "whole.gkt")
        for iterations in (1, 2, 3, 4, 17, 25):
            with self.subTest(iterations=iterations):
                self.run_tool(*begin, "--max-iterations", iterations, "--checkpoint", "c.gkt")
                self.run_tool("decompose", TITANIC, "--resume", "c.gkt", "--max-iterations", 40,
                              "--output", "m.gkt", "--quiet")
                self.assertEqual((self.directory / "m.gkt").read_bytes(),
                                 (self.directory / "whole.gkt").read_bytes())
        self.run_tool("decompose", TITANIC, "--resume", "c.gkt", "--acceleration", "none",
                      expect=WRONG_USAGE)

    def test_a_checkpoint_is_the_best_model_so_far(self):
        result = self.run_json(*RUN, "--max-iterations", 20, "--starts", 5, "--checkpoint", "c.gkt",
                               "--checkpoint-every", 3, "--output", "m.gkt")
        self.assertGreater(len({start["fit"] for start in result["starts"]}), 1)
        entries = read_entries(TITANIC)
        self.assertAlmostEqual(self.read_model("c.gkt").residual_norm(entries),
                               result["residual_norm"], places=6)
        score = self.run_json("compare", "c.gkt", "m.gkt")
        self.assertAlmostEqual(score["score"], 1, places=9)
        again = self.run_json(*RUN, "--init", "c.gkt", "--max-iterations", 1)
        self.assertGreater(again["fit"], result["fit"] - 1e-9)

    def test_one_that_cannot_be_written_is_told_and_the_run_goes_on(self):
        done = self.run_tool(*RUN, "--max-iterations", 6, "--checkpoint", "/dev/full",
                             "--checkpoint-every", 2, "--output", "m.gkt", "--quiet",
                             expect=FILE_TROUBLE)
        self.assertEqual(done.stderr.count("no checkpoint in /dev/full: "), 1)
        self.assertIn("the last checkpoint was not written: /dev/full: cannot be", done.stderr)
        self.assertIn("No space left on device; the run goes on\n", done.stderr)
        self.run_tool(*RUN, "--max-iterations", 6, "--output", "whole.gkt", "--quiet")
        self.assertEqual((self.directory / "m.gkt").read_bytes(),
                         (self.directory / "whole.gkt").read_bytes())

    def test_what_does_not_fit_is_refused(self):
        self.run_tool(*RUN, "--max-iterations", 3, "--seed", 5, "--checkpoint", "c.gkt", "--quiet")
        resume = ("decompose", TITANIC, "--resume", "c.gkt")

        def refused(code, text, *arguments):
            self.assertIn(text, self.run_tool(*arguments, expect=code).stderr)

        refused(WRONG_USAGE, "--rank: expected that of the checkpoint, 3, got 4", *resume,
                "--rank", 4)
        refused(WRONG_USAGE, "--seed: expected that of the checkpoint, 5, got 1", *resume,
                "--seed", 1)
        refused(WRONG_USAGE, "--starts: expected that", *resume, "--starts", 2)
        refused(WRONG_USAGE, "--mode-order: expected that of the checkpoint, none, got 4,3,2,1",
                *resume, "--mode-order", "4,3,2,1")
        refused(WRONG_USAGE, "--update-order: expected that of the checkpoint, given, got "
                "automatic", *resume, "--update-order", "automatic")
        refused(WRONG_USAGE, "--precision: expected that of the checkpoint, double, got 'float'",
                *resume, "--precision", "float")
        refused(WRONG_USAGE, "--init: has no effect beside --resume", *resume, "--init", "normal")
        refused(WRONG_USAGE, f"genten: c.gkt, to go on with {ADMISSIONS}: the checkpoint is of "
                "another tensor: 4 x 2 x 2 x 2 with 24 nonzeros, this one has",
                "decompose", ADMISSIONS, "--resume", "c.gkt")
        self.run_tool(*resume, "--rank", 3, "--seed", 5, "--tolerance", "1e-3")
        refused(FILE_TROUBLE, "would replace the input", *resume, "--output", "c.gkt")
        refused(WRONG_USAGE, "checkpoints are binary", *RUN, "--checkpoint", "c.gkt.gz")
        self.run_tool(*RUN, "--max-iterations", 3, "--output", "m.gkt", "--quiet")
        refused(FILE_TROUBLE, "expected a checkpoint, got a model", "decompose", TITANIC,
                "--resume", "m.gkt")
        content = (self.directory / "c.gkt").read_bytes()
        for cut in (0, 100, 192, len(content) // 2, len(content) - 1):
            (self.directory / "cut.gkt").write_bytes(content[:cut])
            self.run_tool("decompose", TITANIC, "--resume", "cut.gkt", expect=FILE_TROUBLE)
        for at in range(0, len(content), max(1, len(content) // 12)):
            damaged = bytearray(content)
            damaged[at] ^= 16
            (self.directory / "cut.gkt").write_bytes(damaged)
            padding = self.run_tool_anyhow("decompose", TITANIC, "--resume", "cut.gkt")
            self.assertIn(padding, (SUCCESS, FILE_TROUBLE))

    def run_tool_anyhow(self, *arguments):
        return subprocess.run([TOOL, *map(str, arguments)], cwd=self.directory,
                              capture_output=True, timeout=60).returncode


if __name__ == "__main__":
    unittest.main()
