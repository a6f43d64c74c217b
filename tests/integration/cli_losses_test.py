#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose under other losses than least squares."""

import hashlib
import json
import math
import os
import subprocess
import unittest

from cli_support import FILE_TROUBLE, TITANIC, TOOL, WRONG_USAGE, ToolTest

LOSSES = ("gaussian", "weighted", "huber", "poisson", "poisson-log", "negative-binomial",
          "bernoulli-odds", "bernoulli-logit", "bernoulli-poisson", "gamma", "rayleigh", "beta")


class Losses(ToolTest):
    def links(self):
        """Links among two groups of four, and a few across, twice."""
        lines = [f"{i} {j} {k}" for i in range(1, 9) for j in range(1, 9) for k in (1, 2)
                 if (i < 5) == (j < 5) and (i * j + k) % 5 or (i, j, k) == (1, 8, 2)]
        (self.directory / "links.tns").write_text("".join(f"{line} 1\n" for line in lines))
        return "links.tns"

    def json_of(self, tensor, *arguments):
        return self.run_json("decompose", tensor, "--rank", 2, *arguments, "--quiet")

    def test_each_loss_runs(self):
        links = self.links()
        for loss in LOSSES:
            with self.subTest(loss=loss):
                missing = ("--missing", "unlisted") if loss in ("gamma", "rayleigh") else ()
                report = self.json_of(links, "--loss", loss, "--max-iterations", 30, *missing)
                self.assertEqual(report["options"]["loss"], loss)
                own = {"gaussian": "als", "poisson": "apr", "bernoulli-poisson": "apr"}
                expected = own.get(loss, "gcp")
                self.assertEqual(report["options"]["solver"], expected)
                objectives = [record["objective"] for record in report["history"]]
                self.assertLessEqual(objectives[-1], objectives[0])

    def test_parameters_and_text(self):
        result = self.run_tool("decompose", self.links(), "--rank", 1, "--loss", "huber",
                               "--loss-parameter", 0.25, "--json", "r.json")
        self.assertIn("loss huber(0.25), double", result.stdout)
        self.assertIn("entries   128 count, zeros one by one\n", result.stdout)
        report = self.read_json("r.json")
        self.assertEqual(report["options"]["loss_parameter"], 0.25)
        self.assertEqual((report["zeros"], report["entries"]), ("enumerated", 128))
        self.assertLess(report["projected_gradient"], 1e-2)

    def test_poisson_beside_a_ridge_is_minimized_by_gradients(self):
        free = self.json_of(TITANIC, "--loss", "poisson", "--solver", "gcp", "--tolerance", 1e-9)
        counts = self.json_of(TITANIC, "--loss", "poisson", "--tolerance", 1e-8)
        self.assertAlmostEqual(free["objective"] / counts["objective"], 1.0, 6)
        ridged = self.json_of(TITANIC, "--loss", "poisson", "--ridge", 1)
        self.assertEqual(ridged["options"]["solver"], "gcp")
        self.assertGreater(ridged["penalty"], 0)
        self.assertGreater(ridged["objective"], free["objective"])

    def test_links_are_minimized_by_rows(self):
        links = self.links()
        # Elements grow without end here, and the objective creeps. A device takes multiplicative
        # updates, and its iterations of so few entries are all latency: it would creep for minutes.
        creeps = not self.on_device()
        rows = self.json_of(links, "--loss", "bernoulli-poisson", "--tolerance", 1e-8,
                            "--max-iterations", 20000 if creeps else 1000)
        if creeps:
            self.assertEqual(rows["kernel"], "per-row normal equations")
        free = self.json_of(links, "--loss", "bernoulli-poisson", "--solver", "gcp")
        if creeps:
            self.assertLessEqual(rows["objective"], free["objective"] * (1 + 1e-6))
        ridged = self.json_of(links, "--loss", "bernoulli-poisson", "--ridge", 1)
        self.assertEqual(ridged["options"]["solver"], "gcp")
        (self.directory / "two.tns").write_text("1 1 1 1\n2 2 2 2\n")
        refused = self.run_tool("decompose", "two.tns", "--rank", 1, "--loss", "bernoulli-poisson",
                                expect=FILE_TROUBLE)
        self.assertIn("expected values 0 and 1; 1 value is not, 2", refused.stderr)
        self.run_tool("decompose", links, "--rank", 2, "--loss", "bernoulli-poisson",
                      "--max-iterations", 3, "--checkpoint", "run.gkt")
        resumed = self.run_json("decompose", links, "--resume", "run.gkt", "--max-iterations", 6,
                                "--quiet")
        self.assertEqual(resumed["options"]["loss"], "bernoulli-poisson")
        self.assertEqual(len(resumed["history"]), 6)

    def test_zeros_are_held_out(self):
        links = self.links()
        for loss in ("gaussian", "poisson", "bernoulli-logit"):
            with self.subTest(loss=loss):
                report = self.json_of(links, "--loss", loss, "--holdout", 0.25)
                self.assertEqual(report["options"]["solver"], "gcp")
                self.assertEqual(report["holdout"]["entries"] + report["entries"], 128)
                self.assertGreater(report["holdout_loss_error"], 0)
        result = self.run_tool("decompose", links, "--rank", 1, "--loss", "poisson", "--holdout",
                               0.25)
        self.assertRegex(result.stdout,
                         r"held out  mean loss \S+ \+- \S+ over 32 entries, the least")

    def test_listed_entries_are_missing(self):
        (self.directory / "gone.txt").write_text("1 1 1\n8 8 2\n")
        report = self.json_of(self.links(), "--loss", "bernoulli-logit", "--missing", "gone.txt")
        self.assertEqual(report["entries"], 126)

    def test_a_run_goes_on(self):
        links = self.links()
        run = ("decompose", links, "--rank", 2, "--loss", "huber", "--loss-parameter", 0.5,
               "--tolerance", 0, "--quiet")
        self.run_tool(*run, "--max-iterations", 12, "-o", "whole.gkt", "--json", "whole.json")
        self.run_tool(*run, "--max-iterations", 5, "--checkpoint", "c.gkt")
        self.run_tool("decompose", links, "--resume", "c.gkt", "--max-iterations", 12, "-o",
                      "m.gkt", "--json", "m.json", "--quiet")
        whole, resumed = self.read_json("whole.json"), self.read_json("m.json")
        if self.on_device():  # which adds by atomics
            self.assertAlmostEqual(resumed["objective"] / whole["objective"], 1.0, 6)
        else:
            self.assertEqual((self.directory / "m.gkt").read_bytes(),
                             (self.directory / "whole.gkt").read_bytes())
        self.assertEqual(resumed["options"], whole["options"])
        result = self.run_tool("decompose", links, "--resume", "c.gkt", "--loss", "gamma",
                               expect=WRONG_USAGE)
        self.assertIn("--loss: expected that of the checkpoint, 'huber', got 'gamma'",
                      result.stderr)
        result = self.run_tool("decompose", links, "--resume", "c.gkt", "--loss-parameter", 3,
                               expect=WRONG_USAGE)
        self.assertIn("--loss-parameter: expected that of the checkpoint, 0.5, got 3",
                      result.stderr)

    def test_data_of_any_size(self):
        lines = (self.directory / self.links()).read_text().replace(" 1\n", " 1e200\n")
        (self.directory / "huge.tns").write_text(lines)
        known = self.json_of("links.tns", "--loss", "huber", "--holdout", 0.2)
        huge = self.json_of("huge.tns", "--solver", "gcp", "--holdout", 0.2)
        self.assertGreater(huge["fit"], 0.5)
        self.assertIn("objective_overflow", [note["code"] for note in huge["notes"]])
        self.assertEqual(known["holdout"]["entries"], huge["holdout"]["entries"])

    def test_expected_values_and_errors(self):
        links = self.links()
        self.run_tool("decompose", links, "--rank", 2, "--loss", "bernoulli-logit", "-o", "m.gkt",
                      "--json", "r.json", "--quiet")
        (self.directory / "entries.txt").write_text("1 2 1\n1 8 1\n")
        raw, expected = (
            [float(line.split()[-1]) for line in
             self.run_tool("predict", "m.gkt", "entries.txt", *how).stdout.splitlines()
             if line[0].isdigit()]
            for how in (("--loss", "gaussian"), ()))  # the loss stands beside the model
        for m, p in zip(raw, expected):
            self.assertAlmostEqual(p, 1 / (1 + math.exp(-m)), 9)
        run = self.read_json("r.json")
        found = self.run_json("evaluate", "m.gkt", links, "--loss", "bernoulli-logit", "--quiet")
        self.assertEqual((found["loss"], found["zeros"]), ("bernoulli-logit", "enumerated"))
        self.assertAlmostEqual(found["all"]["loss"], run["objective"] - run["penalty"], 6)
        self.assertLess(found["all"]["rmse"], 1)
        # Residuals and fit are of the same numbers as RMSE.
        for errors in (found["all"], found["listed"]):
            self.assertAlmostEqual(errors["residual_norm"],
                                   errors["rmse"] * math.sqrt(errors["entries"]), 9)
        self.assertAlmostEqual(found["fit"], 1 - found["all"]["residual_norm"] /
                               found["tensor_norm"], 12)
        self.assertGreater(found["fit"], 0)
        records = [run, *run["starts"], *run["history"]]
        self.assertGreater(len(records), 2)
        for name in ("fit", "fit_change", "residual_norm"):
            self.assertEqual({record[name] for record in records if name in record}, {None})
        self.assertIsNotNone(run["starts"][0]["objective"])
        told = self.run_tool("decompose", links, "--rank", 1, "--loss", "bernoulli-logit").stdout
        self.assertNotRegex(told, "(?m)^(fit|residual) ")
        self.assertRegex(told, "(?m)^iteration +objective +change ")
        told = self.run_tool("decompose", links, "--rank", 1, "--loss", "poisson").stdout
        self.assertRegex(told, "(?m)^fit ")
        sampled = self.run_json("evaluate", "m.gkt", links, "--loss", "bernoulli-logit",
                                "--most-operations", 0, "--zero-samples", 5000, "--quiet")
        self.assertEqual(sampled["zeros"], "sampled")
        self.assertLess(abs(sampled["all"]["loss"] - found["all"]["loss"]),
                        4 * sampled["all"]["loss_error"])
        result = self.run_tool("evaluate", "m.gkt", links, "--loss", "bernoulli-logit")
        self.assertIn("loss       bernoulli-logit, errors and fit of expected values\n",
                      result.stdout)
        self.assertEqual(self.run_tool("evaluate", "m.gkt", links).stdout, result.stdout)
        self.assertRegex(result.stdout, r"mean loss +0\.\d+ +0\.\d+")
        for arguments, expected in (
                (("--loss", "hubert"), "--loss: expected gaussian|"),
                (("--loss-parameter", 1), "--loss-parameter: has no effect without --loss"),
                (("--zero-samples", 1), "--zero-samples: has no effect without --loss"),
                (("--loss", "poisson", "--loss-parameter", 1),
                 "--loss-parameter: has no effect beside --loss poisson")):
            result = self.run_tool("evaluate", "m.gkt", links, *arguments, expect=WRONG_USAGE)
            self.assertIn(expected, result.stderr)
        (self.directory / "cnt.tns").write_text("1 1 1 3\n8 8 2 1\n")
        result = self.run_tool("evaluate", "m.gkt", "cnt.tns", "--loss", "bernoulli-odds",
                               expect=FILE_TROUBLE)
        self.assertIn("cnt.tns:1: loss bernoulli-odds: expected values 0 and 1; 1 value",
                      result.stderr)

    def test_an_area_that_is_unknown_is_told(self):
        self.write("b.tns", "".join(f"{i} {j} {int(i > j)}\n" for i in range(1, 5)
                                    for j in range(1, 4)))
        self.run_tool("decompose", "b.tns", "--rank", 1, "-q", "--loss", "bernoulli-logit", "-o",
                      "b.gkt")
        note = ("AUC, which compares the model at listed entries of 1 with listed ones of 0, is "
                "unknown, since all listed entries are of one kind, and zeros that are not listed "
                "do not count, as those of a dense array: data that list some of both have it")
        for value in (1, 0):
            self.write("one.tns", f"2 1 {value}\n3 2 {value}\n")
            found = self.run_json("evaluate", "b.gkt", "one.tns", "-q")
            self.assertIsNone(found["listed"]["auc"])
            self.assertIn(note, found["notes"])
        self.write("both.tns", "2 1 1\n1 2 0\n")
        found = self.run_json("evaluate", "b.gkt", "both.tns", "-q")
        self.assertEqual(found["listed"]["auc"], 1)
        self.assertNotIn(note, found["notes"])

    def test_the_loss_is_that_of_the_run_given(self):
        self.write("x.tns", "1 1 1\n2 2 1\n2 1 1\n3 2 1\n")
        self.run_tool("decompose", "x.tns", "--rank", 1, "-q", "--json", "least.json")
        self.run_tool("decompose", "x.tns", "--rank", 1, "-q", "--loss", "bernoulli-logit", "-o",
                      "m.gkt", "--json", "odds.json")
        ask = ("evaluate", "m.gkt", "x.tns", "--quiet")
        self.assertEqual(self.run_json(*ask)["loss"], "bernoulli-logit")
        self.assertEqual(self.run_json(*ask, "--run", "odds.json")["loss"], "bernoulli-logit")
        for run in ("least.json", "none"):
            self.assertNotIn("loss", self.run_json(*ask, "--run", run), run)
            self.assertEqual(self.run_json(*ask, "--run", run, "--loss", "poisson")["loss"],
                             "poisson")
        self.assertIn("whose loss, rule for duplicates and missing entries are the defaults",
                      " ".join(self.run_tool("evaluate", "--help").stdout.split()))

    def test_duplicates_are_said_to_be_added_up_unless_they_are_not(self):
        self.write("x.tns", "1 1 1\n2 2 1\n2 1 1\n3 2 1\n")
        self.run_tool("decompose", "x.tns", "--rank", 1, "-q", "-o", "m.gkt")
        (self.directory / "m.gkt.labels.json").unlink()
        note = "errors are of its values as they are{}; --loss says"
        told = self.run_tool("evaluate", "m.gkt", "x.tns").stderr
        self.assertIn(note.format(", and duplicates are added up"), told)
        told = self.run_tool("evaluate", "m.gkt", "x.tns", "--duplicates", "mean").stderr
        self.assertIn(note.format(""), told)

    def test_a_model_knows_the_loss_of_its_run(self):
        how = ("--loss", "negative-binomial", "--loss-parameter", 2, "--max-iterations", 20)
        result = self.run_tool("decompose", TITANIC, "--rank", 1, *how, "-o", "m.ktensor")
        self.assertIn("\nmodel     m.ktensor, the options of the run in m.ktensor.labels.json\n",
                      result.stdout)
        self.assertEqual(self.read_json("m.ktensor.labels.json")["run"],
                         {"loss": "negative-binomial", "loss_parameter": 2, "solver": "gcp"})
        found = self.run_json("evaluate", "m.ktensor", TITANIC, "--quiet")
        self.assertEqual((found["loss"], found["loss_parameter"]), ("negative-binomial", 2))
        plain = self.run_json("evaluate", "m.ktensor", TITANIC, "--quiet", "--loss", "gaussian")
        self.assertEqual(plain["loss"], "gaussian")
        (self.directory / "entries.txt").write_text("1 2 1 1\n")

        def predicted(*arguments):
            return float(self.run_tool("predict", *arguments).stdout.split()[-1])

        self.assertAlmostEqual(predicted("m.ktensor", "entries.txt"),
                               2 * predicted("m.ktensor", "entries.txt", "--loss", "gaussian"), 6)
        projected = self.run_json("project", "m.ktensor", TITANIC, "--mode", 1, "-o", "p.gkt",
                                  "--quiet")
        self.assertEqual(projected["loss"], "negative-binomial(2)")
        # Other forms of the model take it along, and what projection writes has it.
        self.run_tool("convert", "--model", "m.ktensor", "n.gkt")
        for name in ("n.gkt", "p.gkt"):
            self.assertEqual(self.read_json(name + ".labels.json")["run"]["loss_parameter"], 2)
        # A model of least squares in its place has none.
        result = self.run_tool("decompose", TITANIC, "--rank", 1, "-o", "m.ktensor")
        self.assertEqual(self.read_json("m.ktensor.labels.json")["run"], {"loss": "gaussian"})
        self.assertNotIn("loss", self.run_json("evaluate", "m.ktensor", TITANIC, "--quiet"))
        # What cannot be used is told of, with what to do, and once.
        told = self.read_json("n.gkt.labels.json")
        for run, digest, why in (({"loss": "hubert"}, True, "hubert"),
                                 ({"duplicates": "sum"}, True, "lacks a member"),
                                 ({"duplicates": "some", "loss": "poisson"}, True, "some, is none"),
                                 ({"loss": "huber"}, False, "run was changed")):
            text = json.dumps(run, separators=(",", ":"), sort_keys=True).encode()
            if digest:
                told["run_sha256"] = hashlib.sha256(text).hexdigest()
            (self.directory / "n.gkt.labels.json").write_text(json.dumps({**told, "run": run}))
            result = self.run_tool("evaluate", "n.gkt", TITANIC)
            self.assertIn(why, result.stderr)
            self.assertIn("say by options what its run was", result.stderr)
            self.assertEqual(result.stderr.count("is not used"), 1)
            self.assertNotIn("deviance", result.stdout)  # as by least squares

    def test_a_model_without_the_loss_of_its_run_is_told_of(self):
        self.write("b.tns", "1 1 1\n2 2 1\n2 1 1\n3 2 1\n")
        done = self.run_tool("decompose", "b.tns", "--rank", 1, "--loss", "bernoulli-logit", "-q",
                             "-o", "b.gkt", "--json", "b.json")
        self.write("e.tns", "1 1\n")
        known = self.run_tool("predict", "b.gkt", "e.tns")
        errors = self.run_json("evaluate", "b.gkt", "b.tns")
        self.assertEqual(known.stderr, "")
        model = (self.directory / "b.gkt").read_bytes()
        (self.directory / "b.gkt.labels.json").unlink()
        remedy = "--loss says what it minimizes, gaussian for least squares\n"
        for command in (("predict", "b.gkt", "e.tns"), ("evaluate", "b.gkt", "b.tns")):
            done = self.run_tool(*command)
            self.assertIn("nothing beside b.gkt tells of the run that made it (did another "
                          "program make it, or was it copied", done.stderr)
            self.assertTrue(done.stderr.endswith(remedy), done.stderr)
        for command in (("predict", "-", "e.tns"), ("evaluate", "-", "b.tns")):
            done = subprocess.run([TOOL, *command], cwd=self.directory, input=model,
                                  capture_output=True, timeout=120, check=True, env=os.environ)
            self.assertIn("note: nothing tells of the run that made the model of standard input, "
                          "since its options do not go through a pipe", done.stderr.decode())
        done = self.run_tool("predict", "b.gkt", "e.tns", "--loss", "bernoulli-logit")
        self.assertEqual((done.stdout, done.stderr), (known.stdout, ""))
        # The report of the run says it, too.
        again = self.run_json("evaluate", "b.gkt", "b.tns", "--run", "b.json")
        self.assertEqual(again["listed"], errors["listed"])
        self.assertEqual(again["options_of_run"], "loss bernoulli-logit, of b.json")
        command = [TOOL, "decompose", "b.tns", "--rank", "1", "--loss", "bernoulli-logit", "-q",
                   "-o", "-"]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, timeout=120,
                              check=True, env=os.environ)
        self.assertIn("genten: note: standard output: the model goes there without the loss of its "
                      "run, bernoulli-logit, which stands beside a file: --loss bernoulli-logit",
                      done.stderr.decode())

    def test_poisson_keeps_its_likelihood(self):
        self.run_tool("decompose", TITANIC, "--rank", 2, "--loss", "poisson", "-o", "m.gkt")
        found = self.run_json("evaluate", "m.gkt", TITANIC, "--quiet")
        self.assertEqual(found["loss"], "poisson")
        self.assertLess(found["all"]["log_likelihood"], 0)
        self.assertIn("Poisson log-likelihood",
                      self.run_tool("evaluate", "m.gkt", TITANIC).stdout)

    def test_adam(self):
        how = ("--loss", "poisson", "--method", "adam", "--rate", 0.02, "--epoch-steps", 200)
        run = self.json_of(TITANIC, *how, "--max-iterations", 40)
        self.assertEqual((run["options"]["solver"], run["options"]["method"]), ("gcp", "adam"))
        exact = self.json_of(TITANIC, "--loss", "poisson", "--solver", "gcp")
        self.assertLess(run["objective"] - exact["objective"], 2e-3 * abs(exact["objective"]))
        self.assertEqual(run["options"]["epoch_steps"], 200)
        ended = self.json_of(TITANIC, *how, "--max-iterations", 500, "--failures", 1,
                             "--tolerance", 0)
        self.assertEqual((ended["stop_reason"], ended["failed_epochs"]), ("stalled", 2))
        self.assertIn("2 epochs did not lower the objective", ended["notes"][0]["text"])
        self.run_tool("decompose", TITANIC, "--rank", 1, *how, "--max-iterations", 5,
                      "--checkpoint", "c.gkt", "--quiet")
        resumed = self.run_json("decompose", TITANIC, "--resume", "c.gkt", "--max-iterations", 9,
                                "--quiet")
        whole = self.run_json("decompose", TITANIC, "--rank", 1, *how, "--max-iterations", 9,
                              "--quiet")
        self.assertEqual(resumed["objective"], whole["objective"])
        for arguments, expected in (
                (("--loss", "huber", "--rate", "1"), "--rate: has no effect without --method adam"),
                (("--rate", "1"), "--rate: has no effect beside --loss gaussian"),
                (("--method", "auto"), "--method: has no effect beside --loss gaussian"),
                (("--method", "adam", "--corrections", "3"),
                 "--corrections: has no effect beside --method adam"),
                (("--method", "rows", "--corrections", "3"),
                 "--corrections: has no effect beside --method rows"),
                (("--method", "rows", "--rate", "1"),
                 "--rate: has no effect without --method adam"),
                (("--loss", "huber", "--method", "rows", "--most-operations", "1"),
                 "--method: expected another one than rows " +
                 ("on a device" if self.on_device() else "where zeros are sampled")),
                (("--method", "adam", "--solver", "als"),
                 "--method: has no effect beside --solver als"),
                (("--method", "adam", "--rate", "0"), "--rate: expected a number from 1e-12")):
            with self.subTest(arguments=arguments):
                result = self.run_tool("decompose", TITANIC, *arguments, expect=WRONG_USAGE)
                self.assertIn(expected, result.stderr)

    def test_rows(self):
        if self.on_device():
            self.skipTest("rows are minimized on hosts")
        how = ("--loss", "negative-binomial", "--loss-parameter", 2, "--seed", 7)
        run = self.json_of(TITANIC, *how, "--method", "rows", "--tolerance", 1e-9)
        self.assertEqual((run["options"]["solver"], run["options"]["method"]), ("gcp", "rows"))
        usual = self.json_of(TITANIC, *how, "--tolerance", 1e-9)
        self.assertEqual((usual["options"]["method"], usual["method"]), ("auto", "rows"))
        self.assertEqual(usual["objective"], run["objective"])
        exact = self.json_of(TITANIC, *how, "--tolerance", 1e-9, "--corrections", 8)
        self.assertEqual((exact["options"]["method"], exact["method"]), ("lbfgs", "lbfgs"))
        huber = self.json_of(TITANIC, "--loss", "huber")
        self.assertEqual((huber["options"]["method"], huber["method"]), ("auto", "lbfgs"))
        squares = self.json_of(TITANIC, "--method", "lbfgs")
        self.assertEqual((squares["options"]["solver"], squares["method"]), ("gcp", "lbfgs"))
        self.assertLess(run["objective"], 1.02 * exact["objective"])  # other minima are 2 % apart
        self.assertLess(run["iterations"], exact["iterations"])

    def test_slices_without_a_minimum_are_told_of_before_the_run(self):
        (self.directory / "full.tns").write_text("1 1 1\n1 2 1\n2 1 1\n")
        result = self.run_tool("decompose", "full.tns", "--rank", 1, "--loss", "bernoulli-odds",
                               "--max-iterations", 2)
        note = "1 slice of mode 1 has only ones: the elements of such rows grow without end"
        self.assertEqual(result.stdout.count(note), 1)
        self.assertLess(result.stdout.index(note), result.stdout.index("iteration"))
        report = self.json_of("full.tns", "--loss", "bernoulli-odds", "--max-iterations", 2)
        self.assertEqual([each["code"] for each in report["notes"]].count("no_minimum"), 2)
        self.assertNotIn(note, self.run_tool(
            "decompose", "full.tns", "--rank", 1, "--loss", "bernoulli-odds", "--ridge", 1,
            "--max-iterations", 2).stdout)

    def test_a_run_that_stands_says_so(self):
        run = ("decompose", TITANIC, "--rank", 1, "--loss", "huber", "--tolerance", 1e-300,
               "--max-iterations", 10000)
        result = self.run_tool(*run, "--json", "r.json", "--checkpoint", "c.gkt")
        self.assertIn("stopped   stalled: no step lowers the objective, ", result.stdout)
        report = self.read_json("r.json")
        self.assertEqual(report["stop_reason"], "stalled")
        resumed = self.run_json("decompose", TITANIC, "--resume", "c.gkt", "--max-iterations",
                                20000, "--quiet")
        self.assertEqual((resumed["stop_reason"], resumed["iterations"]),
                         ("stalled", report["iterations"]))

    def test_what_does_not_fit_is_refused(self):
        for arguments, expected in (
                (("--loss", "huber", "--loss-parameter", "-1"),
                 "--loss-parameter: expected a parameter d that is a number above 0, got -1"),
                (("--loss-parameter", "1"),
                 "--loss-parameter: has no effect beside --loss gaussian"),
                (("--corrections", "3"), "--corrections: has no effect beside --loss gaussian"),
                (("--loss", "bernoulli-odds", "--lower", "-1"),
                 "--lower: expected numbers of at least 0 beside --loss bernoulli-odds, whose "
                 "model must not be negative, got -1"),
                (("--solver", "apr"),
                 "--solver: expected als|gcp beside --loss gaussian, got apr")):
            with self.subTest(arguments=arguments):
                result = self.run_tool("decompose", TITANIC, *arguments, expect=WRONG_USAGE)
                self.assertIn(expected, result.stderr)
        result = self.run_tool("decompose", TITANIC, "--rank", 2, "--loss", "bernoulli-logit",
                               expect=FILE_TROUBLE)
        self.assertRegex(result.stderr, "titanic.tns:3: loss bernoulli-logit: expected values 0 "
                                        "and 1; 23 values are not: the first is ")


if __name__ == "__main__":
    unittest.main()
