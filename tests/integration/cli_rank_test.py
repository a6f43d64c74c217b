#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten rank: how many components a model should have."""
import os
import signal
import subprocess
import time
import unittest

from cli_support import (
    ADMISSIONS, FILE_TROUBLE, INTERRUPTED, TITANIC, TOOL, WRONG_USAGE, Model, ToolTest)


class Rank(ToolTest):
    def planted(self, rank, seed=1):
        self.run_tool("generate", "x.tns", "--dimensions", "14,12,10", "--rank", rank,
                      "--support", 8, "--noise", 0.1, "--seed", seed, "--quiet")
        return "x.tns"

    def test_the_planted_rank_is_found_and_told(self):
        file = self.planted(3)
        done = self.run_tool("rank", file, "--ranks", "1..5", "--json", "r.json")
        result = self.read_json("r.json")
        self.assertEqual(result["suggested"], 3)
        self.assertEqual(result["picks"]["agreement"], 3)
        self.assertEqual([row["rank"] for row in result["ranks"]], [1, 2, 3, 4, 5])
        row = result["ranks"][2]
        self.assertEqual((row["starts"], row["reached"]), (8, 8))
        self.assertGreater(row["agreement"], 0.95)
        best = min(row["holdout_loss"] for row in result["ranks"])
        for row in result["ranks"]:
            self.assertAlmostEqual(row["holdout_difference"], row["holdout_loss"] - best, 9)
        self.assertEqual(result["options"]["ranks"], [1, 2, 3, 4, 5])
        self.assertEqual(result["options"]["starts"], 8)
        self.assertEqual([reason["code"] for reason in result["reasons"]][:4],
                         ["agreement", "held_out", "standard_error", "verdict"])
        self.assertEqual(result["held_out"], {"entries": 336, "part": 0.1, "draws": 2})
        lines = done.stdout.splitlines()
        self.assertTrue(any(line.startswith("suggested") and line.endswith(" 3")
                            for line in lines), done.stdout)
        self.assertIn("held-out loss", done.stdout)
        self.assertIn(result["reasons"][0]["text"], done.stdout)

    def test_numbers_are_the_same_for_any_number_of_threads(self):
        file = self.planted(2)
        found = []
        for threads in ("1", "3"):
            result = self.run_json("rank", file, "--ranks", "1..3", "--starts", 2, "-q",
                                   environment={"OMP_NUM_THREADS": threads})
            for row in result["ranks"]:
                row.pop("seconds")
            found.append((result["ranks"], result["reasons"]))
        self.assertEqual(*found)

    def test_small_tensors_are_for_one_thread(self):
        def threads(*command):
            environment = {name: value for name, value in os.environ.items()
                           if name != "OMP_NUM_THREADS"}
            subprocess.run([TOOL, *map(str, command), "-q", "--json", "r.json"],
                           cwd=self.directory, check=True, capture_output=True, env=environment)
            return self.read_json("r.json")["threads"]

        self.run_tool("decompose", TITANIC, "--rank", 1, "-o", "m.gkt")
        self.write("some.tns", (TITANIC.read_text() + "\n") * 16)
        self.write("large.tns", (TITANIC.read_text() + "\n") * 200)
        rank = ("rank", TITANIC, "--ranks", "1", "--max-iterations", "2")
        for small in (rank, ("tucker", "some.tns", "--ranks", "4,2,2,2"),
                      ("evaluate", "m.gkt", TITANIC), ("project", "m.gkt", TITANIC, "--mode", 1),
                      ("compare", "m.gkt", "m.gkt")):
            self.assertEqual(threads(*small), 1, small)
        if (os.cpu_count() or 1) > 1:
            self.assertEqual(threads(*rank, "--kokkos-num-threads=2"), 2)
            for large in (("evaluate", "m.gkt", "large.tns"),
                          ("project", "m.gkt", TITANIC, "--mode", 1, "--training", "large.tns")):
                self.assertGreater(threads(*large), 1, large)

    def test_quiet_prints_the_number_alone(self):
        done = self.run_tool("rank", self.planted(2), "--ranks", "1..3", "--starts", 3, "--quiet")
        self.assertEqual(done.stdout, "2\n")
        self.assertEqual(done.stderr, "")

    def test_of_hardly_any_entries_agreement_decides(self):
        self.write("one.tns", "1 1 1 5\n")
        result = self.run_json("rank", "one.tns", "--ranks", 1, "--quiet")
        self.assertEqual((result["suggested"], result["decided"]), (1, False))
        self.assertIsNone(result["picks"]["held_out"])
        self.assertIsNone(result["ranks"][0]["holdout_loss"])
        self.assertEqual(result["reasons"][1]["code"], "few_held_out")

    def test_unlisted_entries_of_a_table_are_told_to_be_zero(self):
        self.write("t.csv", "a,b,v\n" + "".join(
            f"a{i},b{j},{1 + i * j % 5}\n" for i in range(9) for j in range(9) if (i + j) % 3))
        run = ("t.csv", "--values", "v")
        rank = ("rank", *run, "--ranks", "1-2", "--starts", 2)
        zeros = ", unlisted entries zero"
        self.assertRegex(self.run_tool(*rank).stdout, f"(?m)^tensor .*{zeros}$")
        self.assertNotIn(zeros, self.run_tool(*rank, "--missing", "unlisted").stdout)
        self.assertRegex(self.run_tool("tucker", *run, "--ranks", "1,1").stdout,
                         f"(?m)^run .*{zeros}, double")

    def test_lists_of_ranks(self):
        result = self.run_json("rank", TITANIC, "--ranks", "4,1..2,2", "--starts", 2,
                               "--loss", "poisson", "--quiet")
        self.assertEqual([row["rank"] for row in result["ranks"]], [1, 2, 4])
        self.assertIsNone(result["ranks"][0]["fit"])
        self.assertEqual(result["options"]["solver"], "apr")
        for text, expected in (("0..3", "from 1"), ("3..1", "from the smaller to the larger"),
                               ("a", "whole number"), ("1..", "whole number"),
                               ("1..2000", "of 1000 ranks at most")):
            done = self.run_tool("rank", TITANIC, "--ranks", text, expect=WRONG_USAGE)
            self.assertIn("--ranks", done.stderr)
            self.assertIn(expected, done.stderr)

    def test_constraints_missing_entries_and_losses(self):
        file = self.planted(2)
        self.write("missing.tns", "1 1 1 1\n2 3 4 1\n")
        for options in (("--nonnegative", "all", "--ridge", 0.1),
                        ("--missing", "unlisted"), ("--missing", "missing.tns"),
                        ("--loss", "huber", "--loss-parameter", 0.5),
                        ("--solver", "gcp", "--precision", "float")):
            result = self.run_json("rank", file, "--ranks", "1,2", "--starts", 2, "-q", *options)
            self.assertEqual(len(result["ranks"]), 2, options)
            self.assertLess(result["ranks"][1]["holdout_loss"],
                            result["ranks"][0]["holdout_loss"], options)

    def test_what_means_nothing_is_refused(self):
        for options, expected in (
                (("--starts", 1), "--starts: expected a whole number from 2"),
                (("--holdout", 1), "--holdout"),
                (("--holdout", 0.001), "--holdout: expected a part that holds out any of 24"),
                (("--fixed-modes", 1), "--fixed-modes"),
                (("--rank", 3), "--rank"),
                (("--init", "model.gkt"), "--init: expected uniform|normal"),
                (("--solver", "apr"), "--solver: expected als|gcp"),
                (("--l1", 1, "--loss", "huber"), "--l1: has no effect"),
                (("--mode-order", "1,2"), "--mode-order"),
                (("--checkpoint", "-"), "--checkpoint: expected a file")):
            done = self.run_tool("rank", ADMISSIONS, *options, expect=WRONG_USAGE)
            self.assertIn(expected, done.stderr)
        self.run_tool("rank", "none.tns", expect=FILE_TROUBLE)

    def test_finished_ranks_are_kept_and_gone_on_from(self):
        file = self.planted(2)
        common = ("rank", file, "--starts", 3, "-q")
        whole = self.run_json(*common, "--ranks", "1..4")
        self.run_tool(*common, "--ranks", "1..2", "--checkpoint", "c.gkt")
        rest = self.run_json(*common, "--ranks", "1..4", "--resume", "c.gkt")
        for one, other in zip(whole["ranks"], rest["ranks"], strict=True):
            one.pop("seconds"), other.pop("seconds")
            self.assertEqual(one, other)
        self.assertEqual(whole["reasons"], rest["reasons"])
        for options, expected, code in (
                (("--ranks", "2..4"), "--ranks: expected a list that begins with", WRONG_USAGE),
                (("--ranks", "1..4", "--seed", 2), "--seed: expected what it was", WRONG_USAGE),
                (("--ranks", "1..4", "--precision", "float"), "--precision", WRONG_USAGE)):
            done = self.run_tool(*common, *options, "--resume", "c.gkt", expect=code)
            self.assertIn(expected, done.stderr)
        done = self.run_tool("rank", ADMISSIONS, "--starts", 3, "--ranks", "1..3", "-q",
                             "--resume", "c.gkt", expect=FILE_TROUBLE)
        self.assertIn("c.gkt", done.stderr)
        self.run_tool("decompose", file, "--rank", 2, "-q", "--checkpoint", "d.gkt")
        done = self.run_tool(*common, "--ranks", "1..3", "--resume", "d.gkt", expect=FILE_TROUBLE)
        self.assertIn("choice of the rank", done.stderr)
        done = self.run_tool("decompose", file, "-q", "--checkpoint", "e.gkt", "--resume", "c.gkt",
                             expect=FILE_TROUBLE)
        self.assertIn("c.gkt", done.stderr)

    def test_the_model_is_written_with_what_is_solid_in_it(self):
        file = self.planted(3)
        done = self.run_tool("rank", file, "--ranks", "1..4", "--starts", 5, "--json", "r.json",
                             "-o", "m.ktensor", "--bootstrap", 12, "--standard-errors",
                             "--checkpoint", "c.gkt")
        result = self.read_json("r.json")
        model = result["model"]
        self.assertEqual((result["suggested"], model["rank"]), (3, 3))
        self.assertEqual(Model(self.directory / "m.ktensor").weights, model["weights"])
        self.assertEqual(result["model_file"], "m.ktensor")
        self.assertEqual([one["starts"] for one in model["stability"]],
                         result["ranks"][2]["found"])
        for row in result["ranks"]:
            self.assertEqual(len(row["found"]), row["rank"])
        self.assertTrue(all(not one["unstable"] and one["refits"] == 1
                            for one in model["stability"]), model["stability"])
        self.assertEqual((model["bootstrap"]["refits"], model["bootstrap"]["asked"]), (12, 12))
        self.assertEqual(len(model["standard_errors"]["weights"]), 3)
        self.assertEqual([len(one["modes"]) for one in model["top"]], [3, 3, 3])
        self.assertIn("found in 100% of the starts and 100% of the refits", done.stdout)
        self.assertIn("of 5 starts", done.stdout)
        # From the checkpoint, which has the models: the same, without a run.
        again = self.run_json("rank", file, "--ranks", "1..4", "--starts", 5, "-q",
                              "-o", "n.ktensor", "--bootstrap", 12, "--standard-errors",
                              "--resume", "c.gkt")
        self.assertEqual(again["model"], model)
        self.assertEqual([row["found"] for row in again["ranks"]],
                         [row["found"] for row in result["ranks"]])
        self.assertEqual((self.directory / "m.ktensor").read_text(),
                         (self.directory / "n.ktensor").read_text())

    def test_unstable_components_are_marked(self):
        done = self.run_tool("rank", self.planted(3), "--ranks", "5,6", "--starts", 4, "--seed", 1,
                             "--json", "r.json")
        result = self.read_json("r.json")
        unstable = [share <= 0.5 for share in result["ranks"][0]["found"]]
        self.assertTrue(any(unstable), result["ranks"])
        self.assertEqual(result["suggested"], 5)
        self.assertEqual([one["unstable"] for one in result["model"]["stability"]], unstable)
        self.assertEqual(done.stdout.count(": unstable\n"), sum(unstable))
        note, = [each for each in result["notes"] if each["code"] == "unstable_components"]
        self.assertTrue(note["text"].endswith("; try more starts or a lower rank."), note)

    def test_the_suggestion_has_what_speaks_against_it(self):
        for ranks, said in (("5,6", r"5, but {} of its components are unstable"), ("2..4", "3")):
            done = self.run_tool("rank", self.planted(3), "--ranks", ranks, "--starts", 4,
                                 "--seed", 1, "--json", "r.json")
            many = sum(one["unstable"] for one in self.read_json("r.json")["model"]["stability"])
            self.assertEqual(many > 1, "{}" in said)
            self.assertRegex(done.stdout, rf"\nsuggested +{said.format(many)}\n")

    def test_what_is_to_be_known_of_the_model_is_told(self):
        self.write("x.tns", "1 1 1 5\n1 1 1 3\n2 1 1 2\n2 2 1 4\n1 2 2 3\n2 2 2 1\n1 1 2 4\n")
        for file, options, expected in (
                ("x.tns", ("--missing", "unlisted"), "merged_entries"),
                (TITANIC, ("--max-iterations", 2), "iteration_limit")):
            done = self.run_tool("rank", file, "--ranks", "1", *options, "--json", "r.json",
                                 "--checkpoint", "c.gkt")
            result = self.read_json("r.json")
            again = self.run_json("rank", file, "--ranks", "1", *options, "-q", "--resume", "c.gkt")
            self.assertEqual(result["suggested"], 1)
            notes = {note["code"]: note["text"] for note in result["notes"]}
            self.assertIn(expected, notes)
            self.assertEqual(list(notes.values()), result["warnings"])
            for text in notes.values():
                self.assertIn(text[1:-1], done.stdout)
            if expected == "merged_entries":  # the others are of the run
                self.assertIn(expected, [note["code"] for note in again["notes"]])

    def test_nothing_is_written_where_nothing_replicates(self):
        self.run_tool("generate", "n.tns", "--dimensions", "9,8,7", "--rank", 1, "--support", 6,
                      "--noise", 1e6, "--quiet")
        done = self.run_tool("rank", "n.tns", "--ranks", "2..3", "-q", "-o", "m.ktensor")
        self.assertEqual(done.stdout, "0\n")
        reasons = self.run_json("rank", "n.tns", "--ranks", "2..3")["reasons"]
        self.assertEqual(reasons[-1]["code"], "nothing")
        self.assertIn("No rank is suggested: try more starts, a smaller tolerance, ranks below "
                      "those that were tried, or another loss", reasons[-1]["text"])
        self.assertIn("m.ktensor is not written: nothing replicates", done.stderr)
        self.assertNotIn("m.ktensor", self.files())

    def test_error_bars_that_cannot_be_had_are_refused_before_the_runs(self):
        for options, expected in (
                (("--loss", "huber", "--standard-errors"), "which is no likelihood"),
                (("--loss", "beta", "--bootstrap", 9), "--bootstrap-mode"),
                (("--bootstrap-mode", 1), "has no effect without --bootstrap")):
            done = self.run_tool("rank", ADMISSIONS, "--ranks", "1..2", *options,
                                 expect=WRONG_USAGE)
            self.assertIn(expected, done.stderr)

    def test_a_time_limit_keeps_what_is_done(self):
        result = self.run_json("rank", self.planted(2), "--ranks", "1..9", "-q",
                               "--time-limit", 1e-6)
        self.assertEqual(result["stopped"], "time_limit")
        self.assertEqual([row["rank"] for row in result["ranks"]], [1])
        self.assertFalse(result["interrupted"])
        self.assertFalse(result["decided"])
        reason = result["reasons"][-1]
        self.assertEqual(reason["code"], "stopped")
        self.assertEqual(reason["numbers"], {"rank": 1, "untried": 8})
        self.assertEqual(reason["text"], "The time limit ended the search after R = 1: 2 to 9 were "
                                         "not tried, and may be better.")

    def test_a_long_search_is_told_after_the_first_rank(self):
        told = "genten: note: by the time so far, the other ranks take about "
        done = self.run_tool("rank", self.planted(2), "--ranks", "2..400", "--time-limit", 1e-6)
        self.assertIn(told, done.stderr)
        self.assertIn(", give or take a factor of four, since iterations differ; Ctrl-C, or the "
                      "time limit, ends with the ranks that are done\n", done.stderr)
        for ranks in ("2,3", "1..400"):  # one component tells little
            done = self.run_tool("rank", self.planted(2), "--ranks", ranks, "--time-limit", 1e-6)
            self.assertNotIn("by the time so far", done.stderr)

    def test_a_signal_ends_it_with_what_is_done(self):
        file = self.planted(4)
        process = subprocess.Popen(
            [TOOL, "rank", file, "--ranks", "1..400", "--json", "r.json"], cwd=self.directory,
            stdout=subprocess.PIPE, text=True)
        lines = [process.stdout.readline() for _ in range(6)]  # rank 1 is done
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=120)[0]
        self.assertEqual(process.returncode, INTERRUPTED, lines)
        result = self.read_json("r.json")
        self.assertEqual((result["stopped"], result["signal"]), ("interrupted", "SIGINT"))
        self.assertGreaterEqual(len(result["ranks"]), 1)
        self.assertIn("interrupted after R =", rest)


class DeterminedModes(ToolTest):
    """Modes that tell nothing more than another one."""
    TOLD = ("each of the 40 rows of mode 'city' occurs with one row of mode 'country' only: such a "
            "mode tells nothing more; --modes item,city leaves it out, and where rows of mode "
            "'city' are but ids, --modes item,country leaves these out")

    def write_sales(self, country, cities=40):
        self.write("sales.csv", "item,city,country,n\n" + "".join(
            f"i{i},c{c},k{country(i, c)},{1 + (i * c) % 4}\n" for i in range(9)
            for c in range(cities) if (i + c) % 3))

    def test_are_told_of_with_the_way_out(self):
        run = ("sales.csv", "--values", "n")
        self.write_sales(lambda i, c: c % 7)
        text = self.run_tool("decompose", *run, "--rank", 2).stdout
        self.assertEqual(text.count(self.TOLD), 1)
        result = self.run_json("decompose", *run, "--rank", 2)
        note, = (n for n in result["notes"] if n["code"] == "determined_modes")
        self.assertEqual(note["title"], "Modes that others determine")
        self.assertEqual(note["numbers"], {"modes": 1})
        self.assertIn(note["text"], result["warnings"])
        done = self.run_tool("rank", *run, "--ranks", "1", "-q")
        self.assertIn("genten: note: " + self.TOLD + "\n", done.stderr)
        for command, of_three, of_two in (
            ("decompose", ("--rank", 2), ("--rank", 2)),
            ("tucker", ("--ranks", "1,1,1"), ("--ranks", "1,1")),
            ("info", (), ()),
        ):
            self.assertEqual(self.run_tool(command, *run, *of_three).stdout.count(self.TOLD), 1)
            text = self.run_tool(command, *run, *of_two, "--modes", "item,city").stdout
            self.assertNotIn("nothing more", text)

    def test_of_files_without_names_have_numbers(self):
        self.write("x.tns", "".join(f"{1 + c % 5} {i + 1} {c + 1} {1 + i * c % 3}\n"
                                    for c in range(20) for i in range(6)))
        self.assertIn("each of the 20 rows of mode 3 occurs with one row of mode 1 only: such a "
                      "mode tells nothing more and can be left out, or, where rows of mode 3 are "
                      "but ids, that one can",
                      self.run_tool("decompose", "x.tns", "--rank", 2).stdout)

    def test_others_are_not_told_of(self):
        run = ("decompose", "sales.csv", "--values", "n", "--rank", 2)
        for country, cities in ((lambda i, c: (c + (i == c == 8)) % 7, 40),  # one exception
                                (lambda i, c: 1, 40), (lambda i, c: c % 7, 14)):
            self.write_sales(country, cities)
            self.assertNotIn("nothing more", self.run_tool(*run).stdout)


if __name__ == "__main__":
    unittest.main()
