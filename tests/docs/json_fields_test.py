#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""docs/guide/json.md lists every field that `--json` writes, and no other."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import pages

PAGE = pages.ROOT / "docs/guide/json.md"
# Within which names are not fixed: variables, phases, kernels.
OPEN = {"environment", "timings", "memory.kernel_bytes", "notes[].numbers",
        "reasons[].numbers"}
# What only some runs have.
SOMETIMES = {"signal", "kernel_choice.refused[].name", "kernel_choice.refused[].why",
             "kernel_choice.refused[].predicted_bytes", "kernel_choice.refused[].memory_bytes",
             "warnings", "notes", "notes[].code", "notes[].title", "notes[].text",
             "notes[].numbers"}
# What runs with missing entries have alone.
ONLY_MISSING = {"entries", "rmse", "holdout.rmse", "holdout.mae", "holdout.entries",
                "returned_iteration", "ridge", "empty_rows", "weight_ratio",
                "history[].holdout_rmse", "history[].holdout_mae",
                "starts[].holdout_rmse", "options.missing", "options.holdout",
                "options.holdout_seed", "options.patience"}
# What evaluate and predict say of Tucker models, in place of `rank`.
ONLY_TUCKER = {"core_dimensions"}
# And those of counts.
ONLY_COUNTS = {"deviance", "inner_iterations", "options.steps", "options.inner_iterations",
               "options.kappa", "options.kappa_tolerance"}
# And those of generalized CP.
ONLY_GENERALIZED = {"options.loss_parameter", "options.corrections", "options.most_operations",
                    "options.method", "options.rate", "options.epoch_steps", "options.batch",
                    "options.failures", "failed_epochs",
                    "options.zero_samples", "objective_error", "objective_errors",
                    "method", "zeros", "entries", "projected_gradient", "scale_equation",
                    "objectives", "gradients", "holdout_loss", "holdout_loss_error",
                    "holdout_losses", "starts[].holdout_loss"}
# What evaluate and predict say under a loss alone.
ONLY_LOSS = {"loss", "loss_parameter", "zeros", "listed.loss", "listed.mean_loss",
             "listed.loss_error", "listed.auc", "all.loss", "all.mean_loss", "all.loss_error",
             "all.auc"}
# And those with error bars.
ONLY_TRUST = {"stability[].starts", "stability[].refits", "stability[].best_starts",
              "stability[].unstable",
              "standard_errors.information", "standard_errors.determined",
              "standard_errors.noise_variance", "standard_errors.weights",
              "standard_errors.factors[][]", "standard_errors.upper_limits[][]",
              "bootstrap.refits", "bootstrap.asked", "bootstrap.weights.lower",
              "bootstrap.weights.upper", "bootstrap.weights.deviation",
              "bootstrap.factors.lower[][]",
              "bootstrap.factors.upper[][]", "bootstrap.factors.deviation[][]",
              "top[].standard_error", "top[].lower", "top[].upper",
              "top[].modes[][].standard_error", "top[].modes[][].lower",
              "top[].modes[][].upper"}
# And those on several ranks, which tests/mpi/tool_test.py looks at.
ONLY_RANKS = {"ranks.count", "ranks.library", "ranks.transport", "ranks.grid",
              "ranks.most_nonzeros", "ranks.imbalance", "ranks.rows_by_mode", "ranks.folded[]",
              "ranks.expanded[]"}


def fields(value, name=""):
    """The names of all numbers and texts in a JSON value: a.b, a[].b."""
    if isinstance(value, dict) and name not in OPEN:
        for key, inner in value.items():
            yield from fields(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and value and isinstance(value[0], (dict, list)):
        for inner in value:
            yield from fields(inner, name + "[]")
    else:
        yield name


def documented(heading):
    """The fields of the tables below a heading of the page."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE.read_text(),
                        re.MULTILINE | re.DOTALL)
    names = set()
    for line in section.group(1).splitlines():
        if line.startswith("| `"):
            names |= set(re.findall(r"`([^`]+)`", line.split(" | ")[0]))
    return names


class Fields(unittest.TestCase):
    def check(self, command, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "result.json")
            subprocess.run([os.environ["GENTEN_TOOL"], command, *arguments, "--json", file,
                            "--quiet"], check=True, stdout=subprocess.DEVNULL, cwd=pages.ROOT)
            with open(file) as stream:
                written = set(fields(json.load(stream)))
        known = documented("Everywhere") | documented(command)
        self.assertEqual(written - known, set(), f"{PAGE.name} lacks these")
        if command != "info":
            unwritten = documented(command) - written - SOMETIMES - ONLY_MISSING - ONLY_COUNTS
            unwritten -= ONLY_GENERALIZED | ONLY_LOSS | ONLY_TRUST
            if "--loss" in arguments:
                unwritten -= {"listed.log_likelihood", "all.log_likelihood"}
                self.assertEqual(ONLY_LOSS & documented(command) - written, set())
            unwritten -= ONLY_RANKS | (set() if command == "tucker" else ONLY_TUCKER)
            self.assertEqual(unwritten, set(),
                             f"{PAGE.name} has these, the tool does not write them")

    def test_decompose(self):
        self.check("decompose", "data/titanic/titanic.tns", "--rank", "2", "--top", "2",
                   "--compact", "--json-factors", "--labels",
                   ",".join(f"data/titanic/{mode}.labels"
                            for mode in ("class", "sex", "age", "survived")))

    def check_others(self, only, *arguments):
        """Runs that are not least squares of all entries, and the fields that only these have."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "result.json")
            subprocess.run([os.environ["GENTEN_TOOL"], "decompose", "data/titanic/titanic.tns",
                            "--rank", "1", *arguments, "--quiet", "--json", file], check=True,
                           stdout=subprocess.DEVNULL, cwd=pages.ROOT)
            with open(file) as stream:
                written = set(fields(json.load(stream)))
        section = documented("decompose")  # with the table below its second heading
        self.assertEqual(written - documented("Everywhere") - section, set())
        self.assertEqual(only - written, set())

    def test_decompose_with_missing_entries(self):
        self.check_others(ONLY_MISSING, "--missing", "unlisted", "--holdout", "0.2")

    def test_decompose_counts(self):
        self.check_others(ONLY_COUNTS, "--loss", "poisson")

    def test_decompose_with_error_bars(self):
        self.check_others(ONLY_TRUST, "--standard-errors", "--bootstrap", "3", "--starts", "2",
                          "--json-factors", "--top", "1",
                          "--labels", "data/titanic/class.labels,,,")

    def test_decompose_under_another_loss(self):
        self.check_others(ONLY_GENERALIZED, "--loss", "huber", "--holdout", "0.2")

    def test_rank(self):
        self.check("rank", "data/titanic/titanic.tns", "--ranks", "1,2", "--starts", "2",
                   "--compact", "--standard-errors", "--bootstrap", "3", "--labels",
                   "data/titanic/class.labels,,,")

    def test_tucker(self):
        self.check("tucker", "data/titanic/titanic.tns", "--ranks", "2,2,2,2", "--top", "2",
                   "--compact", "--labels", ",".join(f"data/titanic/{mode}.labels"
                                        for mode in ("class", "sex", "age", "survived")))

    def test_show(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "m.gkt")
            subprocess.run([os.environ["GENTEN_TOOL"], "decompose", "data/titanic/titanic.tns",
                            "--rank", "2", "--output", model, "--quiet", "--labels",
                            "data/titanic/class.labels,,,"], check=True, cwd=pages.ROOT)
            self.check("show", model)

    def test_evaluate(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "m.ktensor")
            subprocess.run([os.environ["GENTEN_TOOL"], "decompose", "data/titanic/titanic.tns",
                            "--rank", "1", "--quiet", "--output", model], check=True,
                           cwd=pages.ROOT)
            self.check("evaluate", model, "data/titanic/titanic.tns")
            self.check("evaluate", model, "data/titanic/titanic.tns", "--loss", "huber")

    def test_predict(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "m.ktensor")
            subprocess.run([os.environ["GENTEN_TOOL"], "decompose", "data/titanic/titanic.tns",
                            "--rank", "1", "--quiet", "--output", model], check=True,
                           cwd=pages.ROOT)
            self.check("predict", model, "data/titanic/titanic.tns")
            self.check("predict", model, "data/titanic/titanic.tns", "--loss", "huber")

    def test_update(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "m.gkt")
            subprocess.run([os.environ["GENTEN_TOOL"], "decompose", "data/titanic/titanic.tns",
                            "--rank", "1", "--quiet", "--output", model], check=True,
                           cwd=pages.ROOT)
            self.check("update", model, "data/titanic/titanic.tns", "--mode", "1")

    def test_info(self):
        self.check("info", "data/titanic/titanic.tns", "--ranks", "4", "--compact")


if __name__ == "__main__":
    if not os.environ.get("GENTEN_TOOL"):
        print("GENTEN_TOOL names no tool")
        sys.exit(77)
    unittest.main()
