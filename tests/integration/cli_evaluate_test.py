#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten evaluate: errors of a model at the cells of a file, and at all cells."""
import itertools
import math
import unittest

from cli_support import FILE_TROUBLE, TITANIC, WRONG_USAGE, Model, ToolTest


def entries(path):
    cells = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            *subscripts, value = line.split()
            cells[tuple(int(i) - 1 for i in subscripts)] = float(value)
    return cells


class Evaluate(ToolTest):
    def setUp(self):
        super().setUp()
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "m.ktensor")
        self.model = Model(self.directory / "m.ktensor")

    def value(self, cell):
        return sum(weight * math.prod(factor[i][r] for factor, i in zip(self.model.factors, cell))
                   for r, weight in enumerate(self.model.weights))

    def check(self, found, cells):
        errors = [(x, self.value(cell)) for cell, x in cells]
        squares = sum((x - m) ** 2 for x, m in errors)
        self.assertEqual(found["cells"], len(errors))
        self.assertIsInstance(found["cells"], int)
        self.assertAlmostEqual(found["residual_norm"] / math.sqrt(squares), 1, 9)
        self.assertAlmostEqual(found["rmse"] / math.sqrt(squares / len(errors)), 1, 9)
        magnitudes = sum(abs(x - m) for x, m in errors)
        self.assertAlmostEqual(found["mae"] * len(errors) / magnitudes, 1, 9)
        likelihood = sum((x * math.log(m) if x else 0) - m - math.lgamma(x + 1) for x, m in errors)
        self.assertAlmostEqual(found["log_likelihood"] / likelihood, 1, 9)
        deviance = 2 * sum((x * math.log(x / m) if x else 0) - x + m for x, m in errors)
        self.assertAlmostEqual(found["deviance"] / deviance, 1, 9)

    def test_errors_are_those_of_every_cell(self):
        result = self.run_json("evaluate", "m.ktensor", TITANIC)
        listed = entries(TITANIC)
        self.check(result["listed"], listed.items())
        every = itertools.product(*map(range, self.model.dimensions))
        self.check(result["all"], [(cell, listed.get(cell, 0.0)) for cell in every])
        run = self.run_json("decompose", TITANIC, "--rank", 1)
        self.assertAlmostEqual(result["fit"], run["fit"], 9)

    def test_text_says_the_same(self):
        text = self.run_tool("evaluate", "m.ktensor", TITANIC).stdout
        result = self.run_json("evaluate", "m.ktensor", TITANIC)
        of = {name: result[name]["rmse"] for name in ("listed", "all")}
        self.assertRegex(text, rf"RMSE +{of['listed']:.9g} +{of['all']:.9g}\n")
        self.assertRegex(text, rf"fit +{result['fit']:.9g}\n")
        self.assertEqual(self.run_tool("evaluate", "m.ktensor", TITANIC, "-q").stdout, "")

    def test_a_few_cells_have_the_dimensions_of_the_model(self):
        self.write("held.tns", "1 1 1 1 4\n2 1 1 1 7\n")
        result = self.run_json("evaluate", "m.ktensor", "held.tns")
        self.assertEqual(result["tensor"]["dimensions"], [4, 2, 2, 2])
        self.check(result["listed"], [((0, 0, 0, 0), 4.0), ((1, 0, 0, 0), 7.0)])

    def test_cells_outside_the_model_are_refused(self):
        self.write("held.tns", "5 1 1 1 4\n")
        done = self.run_tool("evaluate", "m.ktensor", "held.tns", expect=FILE_TROUBLE)
        self.assertIn("held.tns:1: ", done.stderr)
        self.write("order.tns", "1 1 1 4\n")
        done = self.run_tool("evaluate", "m.ktensor", "order.tns", expect=FILE_TROUBLE)
        self.assertIn("order.tns: the model m.ktensor is of order 4, the file is of order 3",
                      done.stderr)
        done = self.run_tool("evaluate", "m.ktensor", TITANIC, "--dimensions", "9,2,2",
                             expect=FILE_TROUBLE)
        self.assertIn("the options give 3 dimensions, the file is of order 4", done.stderr)
        done = self.run_tool("evaluate", "m.ktensor", TITANIC, "--dimensions", "9,2,2,2",
                             expect=WRONG_USAGE)
        self.assertIn("m.ktensor on ", done.stderr)

    def test_what_is_no_model_is_refused(self):
        done = self.run_tool("evaluate", TITANIC, "m.ktensor", expect=FILE_TROUBLE)
        self.assertIn(f"{TITANIC}", done.stderr)

    def test_negative_numbers_have_no_likelihood(self):
        self.write("n.ktensor", "ktensor\n2\n2 2\n1\n1\n" "matrix\n2\n2 1\n1\n-1\n"
                   "matrix\n2\n2 1\n1\n1\n")
        self.write("t.tns", "1 1 3\n")
        result = self.run_json("evaluate", "n.ktensor", "t.tns")
        self.assertIsNone(result["all"]["log_likelihood"])
        self.assertIsNone(result["all"]["mae"])
        self.assertEqual(result["listed"]["mae"], 2.0)
        text = self.run_tool("evaluate", "n.ktensor", "t.tns").stdout
        self.assertRegex(text, r"Poisson deviance +\d\S* +-\n")


if __name__ == "__main__":
    unittest.main()
