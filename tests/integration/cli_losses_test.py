#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose under other losses than least squares."""

import unittest

from cli_support import FILE_TROUBLE, TITANIC, WRONG_USAGE, ToolTest

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
                expected = {"gaussian": "als", "poisson": "apr"}.get(loss, "gcp")
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

    def test_zeros_are_held_out(self):
        links = self.links()
        for loss in ("gaussian", "poisson", "bernoulli-logit"):
            with self.subTest(loss=loss):
                report = self.json_of(links, "--loss", loss, "--holdout", 0.25)
                self.assertEqual(report["options"]["solver"], "gcp")
                self.assertEqual(report["holdout"]["cells"] + report["entries"], 128)
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
        self.assertEqual((self.directory / "m.gkt").read_bytes(),
                         (self.directory / "whole.gkt").read_bytes())
        whole, resumed = self.read_json("whole.json"), self.read_json("m.json")
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
        self.assertEqual(known["holdout"]["cells"], huge["holdout"]["cells"])

    def test_what_does_not_fit_is_refused(self):
        for arguments, expected in (
                (("--loss", "huber", "--loss-parameter", "-1"),
                 "--loss-parameter: expected a parameter d that is a number above 0, got -1"),
                (("--loss-parameter", "1"),
                 "--loss-parameter: means nothing beside --loss gaussian"),
                (("--corrections", "3"), "--corrections: means nothing beside --loss gaussian"),
                (("--solver", "apr"),
                 "--solver: expected als|gcp beside --loss gaussian, got apr")):
            with self.subTest(arguments=arguments):
                result = self.run_tool("decompose", TITANIC, *arguments, expect=WRONG_USAGE)
                self.assertIn(expected, result.stderr)
        result = self.run_tool("decompose", TITANIC, "--rank", 2, "--loss", "bernoulli-logit",
                               expect=FILE_TROUBLE)
        self.assertRegex(result.stderr, "titanic.tns: loss bernoulli-logit: expected values 0 and "
                                        "1; 23 values are not, the first ")


if __name__ == "__main__":
    unittest.main()
