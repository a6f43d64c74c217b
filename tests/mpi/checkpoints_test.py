#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose --checkpoint and --resume on several processes: killed, resumed by others."""
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from cli_support import INTERRUPTED, SUCCESS, TITANIC, TOOL, WRONG_USAGE
from processes_support import DEBIAN, Running, launchers


class Checkpoints(Running):
    begin = ("decompose", TITANIC, "--rank", 3, "--tolerance", 0, "--quiet")
    resume = ("decompose", TITANIC, "--resume", "c.gkt", "--quiet")
    keep = ("--checkpoint", "c.gkt", "--checkpoint-every", 1)
    report = ("--output", "m.gkt", "--json", "m.json")

    def run_on(self, processes, *arguments, expect=SUCCESS):
        """On several processes or, where it is one, without a launcher."""
        if processes == 1:
            return self.run_tool(*arguments, expect=expect)
        return self.launch(processes, *arguments, expect=expect)

    def fits(self, name="m.json"):
        return [record["fit"] for record in self.read_json(name)["history"]]

    def assert_alike(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for one, other in zip(found, expected):
            self.assertAlmostEqual(one, other, delta=1e-12)

    def test_runs_go_on_with_any_number_of_processes(self):
        whole, digests = {}, {}
        for processes in (1, 2, 3):
            self.run_on(processes, *self.begin, "--max-iterations", 9, *self.report)
            whole[processes], digests[processes] = self.fits(), self.digest("m.gkt")
        for before in (1, 2, 3):
            self.run_on(before, *self.begin, "--max-iterations", 4, *self.keep)
            for after in (1, 2, 3):
                with self.subTest(before=before, after=after):
                    self.run_on(after, *self.resume, "--max-iterations", 9, *self.report)
                    self.assert_alike(self.fits(), whole[1])
                    if before == after:
                        self.assertEqual(self.fits(), whole[before])
                        self.assertEqual(self.digest("m.gkt"), digests[before])

    def test_duplicates_are_added_in_the_order_of_the_file(self):
        lines = [f"{i % 7 + 1} {i % 5 + 1} {i % 3 + 1} {0.1 * i + 0.7 / (i + 1)}\n"
                 for i in range(500)]
        self.write("twice.tns", "".join(lines))
        # In float one process rounds after each.
        for precision, others in (("double", (1, 2)), ("float", (2, 4))):
            arguments = ("decompose", "twice.tns", "--rank", 2, "--precision", precision, "--quiet")
            self.run_on(3, *arguments, "--max-iterations", 3, *self.keep)
            for processes in others:  # the checkpoint is of the same values, to the bit
                self.run_on(processes, "decompose", "twice.tns", "--resume", "c.gkt")

    def kill_one(self, randomness, processes, flavor, *arguments):
        """Kills one process soon after their first checkpoint, and with it the others; returns
        whether they were still there."""
        file = self.directory / "c.gkt"
        stamp = file.stat().st_ino if file.exists() else None
        launcher = self.start(processes, flavor, *arguments)
        while launcher.poll() is None and (file.stat().st_ino if file.exists() else None) == stamp:
            time.sleep(0.001)
        time.sleep(randomness.uniform(0, 0.1))
        if not (victims := self.processes()) or launcher.poll() is not None:
            return False
        os.kill(randomness.choice(victims), signal.SIGKILL)
        self.wait_for_nobody(10)
        launcher.communicate(timeout=60)
        self.assertNotEqual(launcher.returncode, SUCCESS)
        return True

    def test_killed_accelerated_processes_end_with_the_same_bytes(self):
        accelerated = ("--acceleration", "nesterov", "--max-iterations", 600)
        self.run_on(3, *self.begin, *accelerated, *self.report)
        whole, fits = self.digest("m.gkt"), self.fits()
        (self.directory / "m.gkt").unlink()
        randomness = random.Random(5)
        kills = [self.kill_one(randomness, 3, self.flavor(), *run, *self.keep)
                 for run in ((*self.begin, *accelerated), self.resume, self.resume)]
        self.assertTrue(kills[0], "the run has come to its end")
        self.run_on(3, *self.resume, *self.report)
        self.assertEqual(self.fits(), fits)
        self.assertEqual(self.digest("m.gkt"), whole)

    def test_killed_processes_leave_a_checkpoint_for_any_others(self):
        iterations = ("--max-iterations", 600)
        self.run_on(1, *self.begin, *iterations, *self.report)
        whole = self.fits()
        randomness = random.Random(11)
        flavors = list(launchers())
        self.run_on(2, *self.begin, "--max-iterations", 1, *self.keep)
        for number, processes in enumerate((2, 3, 2, 4, 2)):
            self.kill_one(randomness, processes, flavors[number % len(flavors)], *self.resume,
                          *iterations, *self.keep)
        for processes in (1, 3):
            self.run_on(processes, *self.resume, *iterations, *self.report)
            self.assert_alike(self.fits(), whole)

    def test_an_interrupted_process_leaves_the_last_state(self):
        launcher = self.start_iterating(
            3, self.flavor(), *self.begin[:-1], "--max-iterations", 1000000000, "--print-every",
            1000000, "--checkpoint", "c.gkt", "--checkpoint-every", 1000000000, *self.report)
        os.kill(self.number_of(1), signal.SIGTERM)
        launcher.communicate(timeout=60)
        self.assertEqual(launcher.returncode, INTERRUPTED)
        done = len(self.fits())
        shutil.copy(self.directory / "m.gkt", self.directory / "first.gkt")
        self.run_on(3, *self.resume, "--max-iterations", 1, *self.report)
        self.assertEqual(len(self.fits()), done)
        self.assertEqual(self.digest("m.gkt"), self.digest("first.gkt"))

    def test_what_is_wrong_is_said_once_and_as_by_one_process(self):
        self.run_on(2, *self.begin, "--max-iterations", 2, *self.keep)
        self.run_tool("decompose", TITANIC, "--rank", 2, "--loss", "poisson", "--max-iterations", 1,
                      "--checkpoint", "counts.gkt", "--quiet")
        self.write("damaged.gkt", "GENTEN")
        for text, arguments in (
                ("is of another tensor", (DEBIAN, "--resume", "c.gkt")),
                ("--seed: expected that of", (TITANIC, "--resume", "c.gkt", "--seed", 9)),
                ("--precision: expected that of",
                 (TITANIC, "--resume", "c.gkt", "--precision", "float")),
                ("absent.gkt: cannot be opened", (TITANIC, "--resume", "absent.gkt")),
                ("damaged.gkt: expected a file of", (TITANIC, "--resume", "damaged.gkt")),
                ("--resume: expected a file", (TITANIC, "--resume", "-")),
                ("no/c.gkt", (TITANIC, "--checkpoint", "no/c.gkt", "--rank", 2,
                              "--max-iterations", 1))):
            with self.subTest(arguments=arguments):
                one = subprocess.run([TOOL, "decompose", *map(str, arguments), "--top", "1", "-q"],
                                     cwd=self.directory, capture_output=True, text=True)
                done = self.launch(2, "decompose", *arguments, "--top", 1, "-q",
                                   expect=one.returncode)
                self.assertIn(text, one.stderr)
                self.assertEqual(done.stderr.count(one.stderr), 1, (one.stderr, done.stderr))
        done = self.launch(2, "decompose", TITANIC, "--resume", "counts.gkt", expect=WRONG_USAGE)
        self.assertEqual(done.stderr.count("--loss poisson: runs in one"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
