#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose on several processes, started by the launchers of the MPI libraries at hand."""
import json
import os
import shutil
import signal
import subprocess
import unittest

from cli_support import (FAILURE, FILE_TROUBLE, INTERRUPTED, SUCCESS, TITANIC, TOOL, WRONG_USAGE,
                         Model)
from processes_support import DEBIAN, QUIET, ProcessesTest, Running, environment, launchers


class Results(ProcessesTest):
    run_of_debian = ("decompose", DEBIAN, "--rank", 6, "--max-iterations", 4, "--tolerance", 0)

    def test_the_model_is_that_of_one_process(self):
        one = self.run_json(*self.run_of_debian, "--output", "one.gkt")
        for processes in (2, 3):
            self.launch(processes, *self.run_of_debian, "--output", "all.gkt", "--json", "all.json")
            several = self.read_json("all.json")
            for record, expected in zip(several["history"], one["history"], strict=True):
                self.assertAlmostEqual(record["fit"], expected["fit"], delta=1e-12)
            self.run_tool("compare", "one.gkt", "all.gkt", "--json", "score.json")
            self.assertGreater(self.read_json("score.json")["score"], 1 - 1e-8)

    def test_bits_depend_on_neither_threads_nor_mpi_library(self):
        digests = set()
        for flavor in launchers():
            for threads in (1, 2, 3):
                self.launch(2, *self.run_of_debian, "--output", "m.gkt", "--quiet", flavor=flavor,
                            threads=threads)
                digests.add(self.digest("m.gkt"))
        self.assertEqual(len(digests), 1)

    def test_what_is_sent_is_what_info_has_counted(self):
        processes = 3
        self.launch(processes, *self.run_of_debian, "--json", "all.json")
        sent = self.read_json("all.json")["ranks"]
        sent.pop("transport", None)  # of devices
        self.assertEqual(set(sent), {"count", "library", "grid", "most_nonzeros", "imbalance",
                                     "rows_by_mode", "folded", "expanded"})
        self.assertEqual(sent["count"], processes)
        self.run_tool("info", DEBIAN, "--ranks", processes, "--rank", 6, "--json", "info.json")
        info = self.read_json("info.json")
        bisected = next(p for p in info["cluster"]["partitions"] if not p["grid"])
        self.assertEqual(sum(sent["rows_by_mode"]), bisected["rows"])
        for rows, folded, expanded in zip(sent["rows_by_mode"], sent["folded"], sent["expanded"],
                                          strict=True):
            self.assertEqual(folded["rows"], 4 * rows)
            self.assertEqual(expanded, folded)
            self.assertEqual(folded["words"], 6 * folded["rows"])
        self.assertAlmostEqual(sent["imbalance"], bisected["imbalance"], places=6)

    def test_the_benchmark_generates_on_processes_what_one_process_does(self):
        benchmark = os.path.join(os.path.dirname(TOOL), "perf_CpAlsRandomKtensor")
        if not os.path.exists(benchmark):
            self.skipTest("the benchmarks were not built")
        sampled = ("--dimensions", "80,70,60", "--nnz", 20000)
        for tensor in (sampled, ("--shape", "nell2", "--scale", 0.002)):
            options = (*tensor, "--rank", 4, "--maxiters", 3)
            reports = []
            for processes in (1, 2, 3):
                text = self.launch(processes, *options, "--json", "b.json", tool=benchmark).stdout
                reports.append(self.read_json("b.json"))
                self.assertEqual(text.count("\nprocesses "), int(processes > 1))
                self.assertEqual(text.count("\nfit "), 1)
            one, *several = reports
            self.assertNotIn("ranks", one)
            for report in several:
                self.assertEqual(report["tensor"]["nonzeros"], one["tensor"]["nonzeros"])
                for record, expected in zip(report["history"], one["history"], strict=True):
                    self.assertAlmostEqual(record["fit"], expected["fit"], delta=1e-12)
                self.assertEqual(len(report["ranks"]["folded"]), 3)
        self.launch(2, *sampled, "--rank", 4, "--maxiters", 1, "--grid", "1x2x1", tool=benchmark)
        for option in (("--file", TITANIC), ("--write-tensor", "x.tns"), ("--grid", "3x1x1")):
            refused = self.launch(2, *option, tool=benchmark, expect=WRONG_USAGE)
            self.assertIn(option[0].lstrip("-"), refused.stderr)
            self.assertEqual(refused.stdout, "")

    def test_the_report_says_how_the_tensor_lies(self):
        text = self.launch(2, "decompose", TITANIC, "--rank", 2, "--grid", "2x1x1x1",
                           "--verbose").stdout
        lines = [line for line in text.splitlines() if line.startswith("processes")]
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"2 of .*, nonzeros divided by grid 2x1x1x1, the most 1\.")
        self.assertEqual(text.count("stopped"), 1)
        for phase in ("fold", "expand", "reduce", "wait"):
            self.assertRegex(text, rf"\n{phase} ")

    def test_more_processes_than_nonzeros(self):
        self.write("two.tns", "1 1 1 2\n3 2 2 5\n")
        self.launch(4, "decompose", "two.tns", "--rank", 1, "--output", "m.ktensor")
        self.assertEqual(Model(self.directory / "m.ktensor").dimensions, [3, 2, 2])

    def test_constraints_and_guesses(self):
        arguments = ("decompose", TITANIC, "--rank", 2, "--nonnegative", "all", "--ridge", 1)
        one = self.run_json(*arguments, "--output", "one.ktensor")
        self.launch(2, *arguments, "--json", "all.json")
        several = self.read_json("all.json")
        self.assertAlmostEqual(several["objective"], one["objective"],
                               delta=1e-9 * one["objective"])
        arguments = ("decompose", TITANIC, "--init", "one.ktensor", "--max-iterations", 0)
        self.launch(2, *arguments, "--output", "same.ktensor", "--quiet")
        self.assertEqual(Model(self.directory / "same.ktensor").dimensions, [4, 2, 2, 2])


class Failures(ProcessesTest):
    def says_once(self, processes, code, text, *arguments):
        done = self.launch(processes, *arguments, expect=code)
        self.assertEqual(done.stderr.count(text), 1, done.stderr)
        return done

    def test_every_error_is_said_once_with_its_exit_code(self):
        self.write("bad.tns", "1 1 1 2\n1 2 1 x\n")
        decompose = ("decompose", TITANIC)
        for code, text, arguments in (
                (FILE_TROUBLE, "cannot be opened", ("decompose", "absent.tns")),
                (FILE_TROUBLE, "bad.tns:2: expected a number", ("decompose", "bad.tns")),
                (FILE_TROUBLE, "cannot be written", (*decompose, "--output", "no/m.gkt")),
                (WRONG_USAGE, "--rank: expected", (*decompose, "--rank", 0)),
                (WRONG_USAGE, "whose product is the number of processes",
                 (*decompose, "--grid", "3x1x1x1")),
                (WRONG_USAGE, "whose product is the number of processes",
                 (*decompose, "--grid", f"{2**63 + 1}x2x1x1")),
                (WRONG_USAGE, "--grid: expected numbers of layers", (*decompose, "--grid", "2x")),
                (WRONG_USAGE, "--transport: expected auto|peer|nccl|mpi",
                 (*decompose, "--transport", "quick")),
                (WRONG_USAGE, "--loss poisson: runs in one", (*decompose, "--loss", "poisson")),
                (WRONG_USAGE, "--missing: runs in one", (*decompose, "--missing", "unlisted")),
                (WRONG_USAGE, "--bootstrap: runs in one", (*decompose, "--bootstrap", 5)),
                (WRONG_USAGE, "--standard-errors: runs in one", (*decompose, "--standard-errors")),
                (WRONG_USAGE, "--init nvecs: runs in one", (*decompose, "--init", "nvecs")),
                (WRONG_USAGE, "only decompose runs on several processes", ("rank", TITANIC)),
                (WRONG_USAGE, "only decompose runs on several processes", ("info", TITANIC)),
                (FAILURE, "allowed are 1000 bytes", (*decompose, "--memory-available", 1000))):
            with self.subTest(text=text):
                self.says_once(2, code, text, *arguments)
        self.assertEqual(self.files(), ["bad.tns"])

    def test_errors_of_numbers_are_those_of_one_process(self):
        self.write("guess.ktensor", "ktensor\n3\n2 2 2\n1\n1\n"
                   + "matrix\n2\n2 1\n-1\n1\n" + 2 * "matrix\n2\n2 1\n1\n1\n")
        self.write("x.tns", "1 1 1 1\n2 2 2 2\n1 2 2 3\n")
        self.write("huge.tns", "1 1 1 1.7e308\n2 2 2 1.7e308\n")
        for arguments in (
                ("x.tns", "--init", "guess.ktensor", "--nonnegative", "all"),
                ("huge.tns", "--rank", 1),
                ("x.tns", "--mode-order", "1,2"),
                ("x.tns", "--lower", 2, "--upper", 1)):
            with self.subTest(arguments=arguments):
                one = subprocess.run([TOOL, "decompose", *map(str, arguments)],
                                     cwd=self.directory, capture_output=True, text=True)
                self.assertNotEqual(one.returncode, SUCCESS)
                done = self.launch(2, "decompose", *arguments, expect=one.returncode)
                self.assertEqual(done.stderr.count(one.stderr), 1, (one.stderr, done.stderr))

    def test_two_processes_take_what_is_too_much_for_one(self):
        self.run_tool("generate", "x.gtn", "--dimensions", "300,300,300", "--nnz", 300000, "-q")
        arguments = ("decompose", "x.gtn", "--rank", 4, "--kernel", "sorted", "--max-iterations", 2,
                     "--json", "x.json")
        limit, one = 2 ** 27, SUCCESS
        while one == SUCCESS:
            limit = limit * 5 // 6
            one = subprocess.run([TOOL, *map(str, arguments), "--memory-available", str(limit)],
                                 cwd=self.directory, capture_output=True).returncode
        self.assertEqual(one, FAILURE)
        self.launch(2, *arguments, "--memory-available", limit)

    def test_duplicates_that_overflow_are_the_files_fault(self):
        self.write("x.tns", "1 1 1 1e308\n2 2 2 2\n1 2 2 3\n1 1 1 1e308\n")
        text = "x.tns: the sum of an entry and its duplicates is not finite"
        self.says_once(2, FILE_TROUBLE, text, "decompose", "x.tns", "--rank", 1)
        self.says_once(2, FILE_TROUBLE, "x.tns: expected no duplicates", "decompose", "x.tns",
                       "--rank", 1, "--duplicates", "refuse")

    def test_duplicates_become_what_is_asked(self):
        self.write("x.tns", "".join(f"{i % 3 + 1} {i % 2 + 1} {i * i % 11}\n" for i in range(60)))
        for rule in ("mean", "last", "max"):
            arguments = ("decompose", "x.tns", "--rank", 1, "--duplicates", rule)
            one = self.run_json(*arguments)
            self.launch(2, *arguments, "--json", "two.json")
            two = json.loads((self.directory / "two.json").read_text())
            self.assertEqual(two["tensor"]["merged_by"], rule)
            self.assertEqual(two["tensor"]["duplicates"], 54)
            self.assertAlmostEqual(two["tensor_norm"], one["tensor_norm"], places=12)

    def test_what_means_nothing_to_one_process_is_refused(self):
        for option, value in (("--grid", "1x1x1x1"), ("--transport", "mpi")):
            done = self.run_tool("decompose", TITANIC, option, value, expect=WRONG_USAGE)
            self.assertIn(f"{option}: has no effect on one process", done.stderr)

    def test_rows_of_hosts_go_by_mpi_alone(self):
        self.launch(2, "decompose", TITANIC, "--rank", 2, "--transport", "mpi")
        if self.run_json("info", TITANIC, "-q")["device"] is None:
            self.says_once(2, WRONG_USAGE, "--transport nccl: moves rows between GPUs",
                           "decompose", TITANIC, "--transport", "nccl")

    def test_one_process_of_a_launcher_is_one_process(self):
        self.launch(1, "decompose", TITANIC, "--rank", 2, "--output", "a.gkt", "--quiet")
        self.run_tool("decompose", TITANIC, "--rank", 2, "--output", "b.gkt", "--quiet")
        self.assertEqual(self.digest("a.gkt"), self.digest("b.gkt"))

    def launch_in_two_folders(self, *arguments):
        """Process 0 in the test's folder, process 1 in `other`."""
        launcher, *rest = self.command(1, *arguments)
        command = [launcher, *rest, ":", "-wdir", "other", *rest[len(QUIET[self.flavor()]):]]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True,
                              timeout=60, env=environment())
        self.assertNotEqual(done.returncode, SUCCESS)
        return done.stderr

    def test_what_only_one_process_complains_of_ends_all(self):
        # In one process's folder both outputs are one file.
        self.write("m.json", "")
        (self.directory / "other").mkdir()
        os.link(self.directory / "m.json", self.directory / "m.ktensor")
        error = self.launch_in_two_folders("decompose", TITANIC, "--rank", 2, "--quiet", "--output",
                                           "m.ktensor", "--json", "m.json")
        self.assertEqual(error.count("process 0 of 2"), 1, error)

    def test_what_another_process_lacks_has_no_hint_from_the_folder_of_the_first(self):
        absent = "cannot be opened: No such file or directory\n"
        for folder in ("in", "other/in"):
            (self.directory / folder).mkdir(parents=True)
        shutil.copy(TITANIC, self.directory / "in/x.tns")
        self.run_tool("decompose", TITANIC, "--rank", 2, "--output", "in/m.gkt", "--quiet")
        error = self.launch_in_two_folders("decompose", "in/x.tns", "--rank", 2)
        self.assertEqual(error.count("genten: in/x.tns: " + absent), 1, error)
        shutil.copy(TITANIC, self.directory / "other/in/x.tns")
        error = self.launch_in_two_folders("decompose", "in/x.tns", "--init", "in/m.gkt")
        self.assertEqual(error.count("genten: process 1 of 2: in/m.gkt: " + absent), 1, error)
        # What all lack, the first among them.
        error = self.launch_in_two_folders("decompose", "in/x.tns", "--init", "in/m.ktensor")
        self.assertEqual(error.count("; did you mean in/m.gkt?\n"), 1, error)

    def test_processes_that_mpi_does_not_know_are_refused(self):
        done = self.run_tool("decompose", TITANIC, "--output", "m.gkt", expect=FAILURE,
                             environment={"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0"})
        self.assertRegex(done.stderr, r"has started 4 processes, of which MPI \(.*\) knows 1")
        self.assertEqual(self.files(), [])

    def test_a_tool_without_modules_refuses(self):
        shutil.copy(TOOL, self.directory / "genten")
        done = self.launch(2, "decompose", TITANIC, tool="./genten", expect=FAILURE)
        self.assertEqual(done.stderr.count("which was built without MPI"), 1, done.stderr)
        self.assertIn(str(self.directory), done.stderr)


class Endings(Running):
    endless = ("decompose", TITANIC, "--rank", 3, "--tolerance", 0, "--max-iterations", 1000000000,
               "--print-every", 1000000, "--output", "m.ktensor", "--json", "r.json")

    def test_a_signal_ends_all_processes_and_the_model_is_written(self):
        for flavor in launchers():
            with self.subTest(flavor=flavor):
                launcher = self.start_iterating(2, flavor, *self.endless)
                for rank in self.processes():
                    os.kill(rank, signal.SIGTERM)
                launcher.communicate(timeout=60)
                self.assertEqual(launcher.returncode, INTERRUPTED)
                self.assertTrue(self.read_json("r.json")["interrupted"])
                self.assertEqual(Model(self.directory / "m.ktensor").rank, 3)
                for name in self.files():
                    (self.directory / name).unlink()

    def test_a_signal_to_one_process_ends_all_after_the_same_iteration(self):
        for flavor in launchers():
            with self.subTest(flavor=flavor):
                launcher = self.start_iterating(3, flavor, *self.endless)
                os.kill(self.number_of(2), signal.SIGTERM)
                launcher.communicate(timeout=60)
                self.assertEqual(launcher.returncode, INTERRUPTED)
                report = self.read_json("r.json")
                self.assertTrue(report["interrupted"])
                self.assertEqual(report["signal"], "SIGTERM")
                self.assertEqual(Model(self.directory / "m.ktensor").rank, 3)
                for name in self.files():
                    (self.directory / name).unlink()

    def test_a_process_that_is_killed_leaves_no_other_waiting(self):
        for flavor in launchers():
            with self.subTest(flavor=flavor):
                launcher = self.start_iterating(2, flavor, *self.endless)
                os.kill(self.processes()[-1], signal.SIGKILL)
                self.wait_for_nobody(10)
                launcher.communicate(timeout=60)
                self.assertNotEqual(launcher.returncode, SUCCESS)


if __name__ == "__main__":
    unittest.main()
