#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose --output on several processes: the file that one would write, or none."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import unittest

from cli_support import FAILURE, FILE_TROUBLE, SUCCESS, TITANIC, Model
from processes_support import DEBIAN, ProcessesTest, Running, environment, launchers

# Runs what follows where "full" is a file system of a mebibyte, and lists what is left there.
FULL_DISK = ("mount -t tmpfs -o size=1m tmpfs full || exit 99; \"$@\"; code=$?; ls -A full > left; "
             "exit $code")


class Files(ProcessesTest):
    run_of_debian = ("decompose", DEBIAN, "--rank", 6, "--max-iterations", 3, "--tolerance", 0,
                     "--quiet")

    def test_all_write_what_process_0_would_write_of_the_whole(self):
        for precision in ("double", "float"):
            arguments = (*self.run_of_debian, "--precision", precision)
            for processes in (2, 3):
                with self.subTest(precision=precision, processes=processes):
                    self.launch(processes, *arguments, "--output", "all.gkt")
                    # Text is process 0's; its digits are those of the numbers.
                    self.launch(processes, *arguments, "--output", "one.ktensor")
                    self.run_tool("convert", "--model", "one.ktensor", "one.gkt", "--precision",
                                  precision)
                    self.assertEqual(self.digest("all.gkt"), self.digest("one.gkt"))
                    models = [name for name in self.files() if not name.endswith(".json")]
                    self.assertEqual(models, ["all.gkt", "one.gkt", "one.ktensor"])

    def test_more_processes_than_rows(self):
        self.write("two.tns", "1 1 1 2\n3 2 2 5\n")
        self.launch(4, "decompose", "two.tns", "--rank", 1, "--output", "m.gkt")
        self.run_tool("convert", "--model", "m.gkt", "m.ktensor")
        model = Model(self.directory / "m.ktensor")
        self.assertEqual(model.dimensions, [3, 2, 2])
        self.assertEqual(model.factors[0][1], [0])

    def test_what_needs_the_whole_model_has_it(self):
        arguments = ("decompose", TITANIC, "--rank", 2, "--max-iterations", 5, "--seed", 3)
        text = self.launch(2, *arguments, "--output", "m.gkt", "--top", 2, "--json", "r.json",
                           "--json-factors").stdout
        self.assertIn("component 2, weight", text)
        report = self.read_json("r.json")
        self.run_tool("convert", "--model", "m.gkt", "m.ktensor")
        self.assertEqual(report["factors"], Model(self.directory / "m.ktensor").factors)
        self.launch(2, *arguments, "--json", "alone.json")
        self.assertEqual(self.read_json("alone.json")["weights"], report["weights"])

    def test_what_is_no_regular_file_is_written_by_process_0(self):
        os.mkfifo(self.directory / "pipe.gkt")
        with open(self.directory / "read.gkt", "wb") as out:
            reader = subprocess.Popen(["cat", "pipe.gkt"], cwd=self.directory, stdout=out)
            self.launch(2, *self.run_of_debian, "--output", "pipe.gkt")
            self.assertEqual(reader.wait(timeout=30), 0)
        self.launch(2, *self.run_of_debian, "--output", "m.gkt")
        self.assertEqual(self.digest("read.gkt"), self.digest("m.gkt"))


    def test_a_process_that_does_not_see_the_file_leaves_its_part_to_others(self):
        (self.directory / "results").mkdir()
        launcher, *rest = self.command(1, *self.run_of_debian, "--output", "results/m.gkt")
        start = rest.index("-n") + 2
        elsewhere = ["unshare", "-m", "sh", "-c",
                     'mount -t tmpfs tmpfs results || exit 99; exec "$@"', "sh"]
        done = subprocess.run(
            [launcher, *rest, ":", *rest[start - 2:start], *elsewhere, *rest[start:]],
            cwd=self.directory, capture_output=True, text=True, timeout=60,
            env=environment())
        if done.returncode == 99 or "unshare: " in done.stderr:
            self.skipTest("no file system may be mounted here: " + done.stderr)
        self.assertEqual(done.returncode, SUCCESS, done.stderr)
        self.assertEqual(done.stderr, "genten: results/m.gkt: process 1 does not reach it: its "
                         "part "
                                      "was written by the others\n")
        self.launch(2, *self.run_of_debian, "--output", "m.gkt")
        self.assertEqual(self.digest("results/m.gkt"), self.digest("m.gkt"))


class Memory(ProcessesTest):
    long_run = ("decompose", "long.tns", "--rank", 40, "--max-iterations", 2, "--kernel", "atomic",
                "--quiet")
    # The model takes 12.8 MB, and as much stands beside it where it is put together.
    little = ("--memory-available", 16000000)

    def write_long_tensor(self):
        """Of a mode without shared rows each of two processes has a half."""
        self.write("long.tns", "".join(f"{i + 1} {i * 7 % 40 + 1} {1 + i % 3}\n"
                                       for i in range(40000)))

    def test_only_the_whole_model_needs_room_for_the_whole_model(self):
        self.write_long_tensor()
        arguments, limit = self.long_run, self.little
        self.launch(2, *arguments, *limit, "--output", "m.gkt")
        self.launch(2, *arguments, *limit, "--json", "r.json")
        for needs in (("--output", "m.ktensor"), ("--top", 1)):
            done = self.launch(2, *arguments, *limit, *needs, expect=FAILURE)
            self.assertEqual(done.stderr.count("on the first of the processes"), 1, done.stderr)
            self.assertIn("(.gkt) alone is not put together anywhere", done.stderr)
        self.launch(2, *arguments, "--memory-available", 40000000, "--output", "m.ktensor")

    def test_a_pipe_takes_the_whole_model_of_process_0(self):
        self.write_long_tensor()
        os.mkfifo(self.directory / "pipe.gkt")
        done = self.launch(2, *self.long_run, *self.little, "--output", "pipe.gkt", expect=FAILURE)
        self.assertEqual(done.stderr.count("on the first of the processes"), 1, done.stderr)
        self.assertIn("its binary form", done.stderr)
        self.assertIn("processes write a regular file without the whole model", done.stderr)

    def test_checkpoints_need_room_for_the_whole_model(self):
        self.write_long_tensor()
        keep = ("--checkpoint", "c.gkt", "--output", "m.gkt")
        done = self.launch(2, *self.long_run, *self.little, *keep, expect=FAILURE)
        self.assertEqual(done.stderr.count("a checkpoint of rank 40, on process 0, needs"), 1,
                         done.stderr)
        self.assertEqual(self.files(), ["long.tns"])
        self.launch(2, *self.long_run, "--memory-available", 60000000, *keep)
        for more, part in (("--acceleration", "nesterov"), "factors before"), (
                ("--starts", 2), "factors of the best start"):
            done = self.launch(2, *self.long_run, *more, "--memory-available", 60000000, *keep,
                               expect=FAILURE)
            self.assertIn("a checkpoint of rank 40, on process 0, needs", done.stderr)
            self.assertIn(part, done.stderr)


class Failures(Running):
    endless = ("decompose", TITANIC, "--rank", 3, "--tolerance", 0, "--max-iterations", 1000000000,
               "--print-every", 1000000)

    def test_a_full_disk_leaves_nothing_there(self):
        self.run_tool("generate", "x.gtn", "--dimensions", "60000,40,30", "--nnz", 50000, "-q")
        (self.directory / "full").mkdir()
        run = self.command(2, "decompose", "x.gtn", "--rank", 4, "--max-iterations", 1, "--quiet",
                           "--output", "full/m.gkt")
        done = subprocess.run(["unshare", "-m", "sh", "-c", FULL_DISK, "sh", *run],
                              cwd=self.directory, capture_output=True, text=True, timeout=60,
                              env=environment())
        if done.returncode == 99 or "unshare: " in done.stderr:
            self.skipTest("no file system may be mounted here: " + done.stderr)
        self.assertEqual(done.returncode, FILE_TROUBLE, done.stderr)
        self.assertEqual(done.stderr.count("full/m.gkt: cannot be written: No space left"), 1,
                         done.stderr)
        self.assertEqual((self.directory / "left").read_text(), "")
        # It is written elsewhere, by all.
        rescued = [name for name in self.files()
                   if name.startswith("rescued-") and name.endswith(".gkt")]
        self.assertEqual(len(rescued), 1, done.stderr)
        self.assertIn(f"the model is written to {rescued[0]} instead", done.stderr)
        self.run_tool("convert", "--model", rescued[0], "m.ktensor")

    def test_a_folder_that_went_loses_nothing(self):
        for flavor in launchers():
            with self.subTest(flavor=flavor):
                (self.directory / "results").mkdir()
                launcher = self.start_iterating(2, flavor, *self.endless, "--output",
                                                "results/m.gkt", "--json", "r.json")
                shutil.rmtree(self.directory / "results")
                os.kill(self.number_of(1), signal.SIGTERM)
                _, complaints = launcher.communicate(timeout=60)
                self.assertEqual(launcher.returncode, FILE_TROUBLE, complaints)
                self.assertEqual(complaints.count("results/m.gkt: cannot be written: No such"), 1)
                report = self.read_json("r.json")
                self.assertRegex(report["model_file"], r"^rescued-\d+-m\.gkt$")
                self.run_tool("convert", "--model", report["model_file"], "m.ktensor")
                model = Model(self.directory / "m.ktensor")
                self.assertEqual(model.weights, report["weights"])
                for name in self.files():
                    (self.directory / name).unlink()

    def test_a_model_that_cannot_be_put_together_is_written_by_all(self):
        lines = [" ".join(str(i * step % 100003 + 1) for step in (1, 3, 7, 11)) +
                 f" {1 + i % 3}\n" for i in range(100003)]
        self.write("long.tns", "".join(lines))
        launcher = self.start_iterating(
            2, self.flavor(), "decompose", "long.tns", "--rank", 80, "--tolerance", 0,
            "--max-iterations", 1000000000, "--kernel", "atomic", "--output", "m.ktensor",
            "--json", "r.json", "--json-factors", "--top", 2)
        first = self.number_of(0)
        # The model takes 256 MB; writing a mode by all, some 100 MB.
        taken = int(pathlib.Path(f"/proc/{first}/statm").read_text().split()[0])
        limit = taken * resource.getpagesize() + (96 << 20)
        resource.prlimit(first, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        os.kill(first, signal.SIGTERM)
        printed, complaints = launcher.communicate(timeout=60)
        self.assertEqual(launcher.returncode, FAILURE, complaints)
        self.assertRegex(complaints, r"the model is written to rescued-\d+-m\.ktensor\.gkt instead")
        report = self.read_json("r.json")
        self.assertRegex(report["model_file"], r"^rescued-\d+-m\.ktensor\.gkt$")
        self.assertNotIn("factors", report)
        self.assertNotIn("top", report)
        self.assertNotIn("component 1,", printed)
        self.run_tool("convert", "--model", report["model_file"], "whole.gkt")  # checks its sums
        self.assertEqual(self.digest("whole.gkt"), self.digest(report["model_file"]))

    def test_a_process_in_another_folder_writes_the_same_file(self):
        (self.directory / "other").mkdir()
        launcher, *rest = self.command(1, "decompose", TITANIC, "--rank", 2, "--quiet", "--output",
                                       "m.gkt")
        start = rest.index("-n")
        command = [launcher, *rest, ":", "-wdir", "other", *rest[start:]]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True,
                              timeout=60, env=environment())
        self.assertEqual((done.returncode, done.stderr), (SUCCESS, ""))
        self.assertEqual(list((self.directory / "other").iterdir()), [])
        self.launch(2, "decompose", TITANIC, "--rank", 2, "--quiet", "--output", "one.gkt")
        self.assertEqual(self.digest("m.gkt"), self.digest("one.gkt"))


if __name__ == "__main__":
    unittest.main()
