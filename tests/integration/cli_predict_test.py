#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten predict: values of a model at the cells of a file, in their order; and genten project:
rows of new slices for the factors of a model."""
import csv
import gzip
import os
import subprocess
import unittest

from cli_support import (
    ADMISSIONS, FAILURE, FILE_TROUBLE, SUCCESS, TITANIC, TOOL, WRONG_USAGE, Model, ToolTest)

CELLS = [(3, 1, 1, 1), (0, 0, 0, 0), (3, 1, 1, 1), (2, 0, 1, 0)]  # one of them twice


def lines_of(cells, base=1, values=False):
    return "".join(" ".join(str(i + base) for i in cell) + (" 7.5" if values else "") + "\n"
                   for cell in cells)


class Predict(ToolTest):
    def setUp(self):
        super().setUp()
        self.run_tool("decompose", TITANIC, "--rank", 2, "-q", "-o", "m.ktensor")
        self.model = Model(self.directory / "m.ktensor")

    def check(self, text, cells=tuple(CELLS), base=1):
        lines = text.splitlines()
        self.assertEqual(len(lines), len(cells))
        for line, cell in zip(lines, cells):
            *subscripts, value = line.split(" ")
            self.assertEqual([int(i) for i in subscripts], [i + base for i in cell])
            self.assertAlmostEqual(float(value) / self.model.entry(cell), 1, 12)

    def complaint(self, *arguments, expect=FILE_TROUBLE):
        done = self.run_tool("predict", *arguments, expect=expect)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_lines_are_those_of_the_cells_and_nothing_else(self):
        for values in (False, True):
            self.write("cells.txt", lines_of(CELLS, values=values))
            done = self.run_tool("predict", "m.ktensor", "cells.txt")
            self.check(done.stdout)
            self.assertEqual(done.stderr, "")

    def test_weights_and_elements_far_from_one_have_their_product(self):
        self.write("wide.ktensor", "ktensor\n3\n1 1 1\n2\n1e-300 1e300\n"
                   "matrix\n2\n1 2\n1e-200 1e250\nmatrix\n2\n1 2\n1e200 1e-250\n"
                   "matrix\n2\n1 2\n1e300 1e-300\n")
        self.write("cells.txt", "1 1 1\n")
        value = self.run_tool("predict", "wide.ktensor", "cells.txt").stdout.split()[-1]
        self.assertAlmostEqual(float(value), 2, 12)

    def test_subscripts_count_as_in_the_input(self):
        self.write("cells.txt", lines_of(CELLS, base=0))
        done = self.run_tool("predict", "m.ktensor", "cells.txt", "--index-base", 0)
        self.check(done.stdout, base=0)
        done = self.run_tool("predict", "m.ktensor", "cells.txt", "--index-base", 0,
                             "--output-index-base", 1)
        self.check(done.stdout)

    def test_the_input_may_be_compressed_and_a_stream(self):
        text = gzip.compress(lines_of(CELLS).encode())
        done = subprocess.run([TOOL, "predict", "m.ktensor", "-"], cwd=self.directory, input=text,
                              capture_output=True, timeout=120, check=True, env=os.environ)
        self.check(done.stdout.decode())

    def test_a_tensor_of_any_form(self):
        self.run_tool("convert", TITANIC, "t.gtn", "-q")
        from_text = self.run_tool("predict", "m.ktensor", TITANIC).stdout
        self.assertEqual(self.run_tool("predict", "m.ktensor", "t.gtn").stdout, from_text)
        self.assertEqual(len(from_text.splitlines()), 24)

    def test_files_have_the_form_that_their_names_say(self):
        self.write("cells.txt", lines_of(CELLS))
        done = self.run_tool("predict", "m.ktensor", "cells.txt", "-o", "p.tns")
        self.check((self.directory / "p.tns").read_text())
        self.assertIn("written to p.tns\n", done.stdout)
        self.run_tool("predict", "m.ktensor", "cells.txt", "-o", "p.tns.gz", "-q")
        self.check(gzip.decompress((self.directory / "p.tns.gz").read_bytes()).decode())
        self.run_tool("predict", "m.ktensor", "cells.txt", "-o", "p.txt", "-q")
        text = (self.directory / "p.txt").read_text()
        self.assertTrue(text.startswith("sptensor\n4\n4 2 2 2\n4\n"))
        self.check(text.split("\n", 4)[4])
        self.run_tool("predict", "m.ktensor", "cells.txt", "-o", "p.gtn", "-q")
        self.check(self.run_tool("predict", "m.ktensor", "p.gtn").stdout)

    def test_the_account_of_the_work(self):
        self.write("cells.txt", lines_of(CELLS))
        found = self.run_json("predict", "m.ktensor", "cells.txt", "-o", "p.tns")
        self.assertEqual([found[name] for name in ("model", "rank", "dimensions", "file", "cells",
                                                   "index_base", "output")],
                         ["m.ktensor", 2, [4, 2, 2, 2], "cells.txt", 4, 1, "p.tns"])

    def test_cells_that_the_model_does_not_have_are_named_by_line(self):
        self.write("cells.txt", lines_of(CELLS) + "\n# a comment\n1 3 1 1\n")
        message = self.complaint("m.ktensor", "cells.txt", "-o", "p.tns")
        self.assertIn("cells.txt:7: subscript 3 in mode 2 is out of range: the dimension is 2",
                      message)
        self.assertNotIn("p.tns", self.files())

    def test_files_of_another_order(self):
        self.write("cells.txt", "1 1\n")
        self.assertIn("cells.txt:1: expected 4 subscripts, and perhaps a value, got 2 fields",
                      self.complaint("m.ktensor", "cells.txt"))
        self.write("cells.txt", "sptensor\n3\n4 2 2\n1\n1 1 1 5\n")
        self.assertIn("cells.txt: the model m.ktensor is of order 4, the file is of order 3",
                      self.complaint("m.ktensor", "cells.txt"))

    def test_values_that_no_number_can_hold(self):
        self.write("h.ktensor", "ktensor\n2\n2 1\n1\n1\nmatrix\n2\n2 1\n1\n1e200\n"
                   "matrix\n2\n1 1\n1e200\n")
        self.write("cells.txt", "1 1\n2 1\n")
        message = self.complaint("h.ktensor", "cells.txt", expect=FAILURE)
        self.assertIn("h.ktensor at cells.txt: the model's value at cell 2", message)

    def test_what_is_said_before_any_work(self):
        self.assertIn("--output: the name p.npy does not say the form",
                      self.complaint("absent", "absent", "-o", "p.npy", expect=WRONG_USAGE))
        self.assertIn("standard input", self.complaint("-", "-", expect=WRONG_USAGE))
        self.run_tool("convert", TITANIC, "t.gtn", "-q")
        self.assertIn("--index-base: means nothing",
                      self.complaint("m.ktensor", "t.gtn", "--index-base", 0, expect=WRONG_USAGE))


def formula_model(dimensions, rank):
    """The elements by formula of which the rows of admissions are known."""
    return [[[0.1 + (3 * i + 5 * r + 7 * n + i * r) % 11 / 10 for r in range(rank)]
             for i in range(length)] for n, length in enumerate(dimensions)]


def text_of(factors):
    rank = len(factors[0][0])
    lines = ["ktensor", str(len(factors)), " ".join(str(len(f)) for f in factors), str(rank),
             " ".join(["1"] * rank)]
    for factor in factors:
        lines += ["matrix", "2", f"{len(factor)} {rank}"]
        lines += [" ".join(map(repr, row)) for row in factor]
    return "\n".join(lines) + "\n"


KNOWN = {
    (): (433050.60453 / 2, [
        (814.67973, -257.016901), (646.205242, -274.023193), (339.079483, 431.652976),
        (712.018261, -4.87736808), (356.821123, 206.998295), (1280.71713, -388.614892)]),
    ("--nonnegative",): (459815.32902 / 2, [
        (506.422893, 0), (317.551669, 0), (339.079483, 431.652976), (706.168521, 0),
        (356.821123, 206.998295), (814.626391, 0)]),
    ("--loss", "poisson"): (-18843.772075, [
        (917.087274, 48.255539), (615.789474, 0), (344.75076, 461.317795), (678.654, 115.061485),
        (366.160157, 184.490509), (751.578947, 0)]),
    ("--ridge", "1"): (763018.11097 / 2, [
        (96.8254299, 84.8169999), (62.7804121, 45.9839563), (147.950537, 198.777887),
        (128.543892, 140.82464), (106.278012, 134.139853), (155.297958, 138.019178)])}


class Project(ToolTest):
    def rows(self, name="rows.csv"):
        with open(self.directory / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_known_rows(self):
        self.write("m.ktensor", text_of(formula_model((2, 2, 6), 2)))
        for options, (loss, rows) in KNOWN.items():
            result = self.run_json("project", "m.ktensor", ADMISSIONS, "--mode", 3, *options,
                                   "-o", "new.ktensor", "--rows", "rows.csv")
            found = Model(self.directory / "new.ktensor").factors[2]
            for row, known, line, told in zip(found, rows, self.rows(), result["rows"]):
                for r, expected in enumerate(known):
                    self.assertAlmostEqual(row[r], expected, delta=1e-8 * max(abs(expected), 1))
                    self.assertEqual(float(line[f"component_{r + 1}"]), row[r])
                self.assertLessEqual(told["kkt"], 1e-10)
                self.assertTrue(told["converged"])
                self.assertEqual(float(line["explained"]), told["explained"])
                self.assertEqual(line["far_worse"], "")
            self.assertAlmostEqual(sum(each["loss"] for each in result["rows"]), loss,
                                   delta=1e-10 * abs(loss))

    def test_the_run_gives_the_defaults(self):
        """Its own tensor gives the model's own factor, under its loss and constraints."""
        for name, options in (("a", ("--nonnegative", "all", "--ridge", "2,1,3")),
                              ("b", ("--loss", "poisson"))):
            stop = ("--tolerance", 1e-13) if name == "b" else ("--tolerance", 0)
            self.run_tool("decompose", ADMISSIONS, "--rank", 1, *stop,
                          "--max-iterations", 300, *options, "-o", f"{name}.ktensor", "--json",
                          f"{name}.json", "-q")
            own = Model(self.directory / f"{name}.ktensor").factors
            for n in range(3):
                done = self.run_tool("project", f"{name}.ktensor", ADMISSIONS, "--mode", n + 1,
                                     "-o", "new.ktensor")
                self.assertRegex(done.stdout, rf"options +loss .*, of {name}\.json\n")
                found = Model(self.directory / "new.ktensor").factors[n]
                for mine, theirs in zip(own[n], found):
                    self.assertAlmostEqual(mine[0], theirs[0], delta=1e-8)
            done = self.run_tool("project", f"{name}.ktensor", ADMISSIONS, "--mode", 1,
                                 "--loss", "gaussian", "--ridge", 0)
            self.assertNotIn("loss poisson", done.stdout)

    def test_rows_go_by_names(self):
        self.write("old.csv", "user,item,n\n" + "".join(
            f"u{i},{item},{(i % 3 + 1) * (1 + k)}\n" for i in range(8)
            for k, item in enumerate(("tea", "milk", "rum"))))
        self.run_tool("decompose", "old.csv", "--values", "n", "--rank", 1, "-o", "m.gkt", "-q")
        self.write("new.csv", "item,user,n\nrum,zoe,9\ntea,zoe,3\nmilk,zoe,6\nmilk,max,50\n")
        done = self.run_tool("project", "m.gkt", "new.csv", "--mode", "user", "--values", "n",
                             "--training", "old.csv", "--rows", "rows.csv", "-o", "new.npz")
        other, zoe = self.rows()
        self.assertEqual((zoe["user"], other["user"]), ("zoe", "max"))
        self.assertAlmostEqual(float(zoe["explained"]), 1.0, 9)
        self.assertEqual((zoe["far_worse"], other["far_worse"]), ("false", "true"))
        self.assertRegex(done.stdout, r"far worse +max \(less than 0\.9[45].* explained\)\n")
        self.write("odd.csv", "item,user,n\ngin,zoe,9\n")
        done = self.run_tool("project", "m.gkt", "odd.csv", "--mode", "user", "--values", "n",
                             expect=FILE_TROUBLE)
        self.assertIn('"gin"', done.stderr)

    def test_missing_entries(self):
        self.write("m.ktensor", text_of(formula_model((2, 2, 6), 2)))
        self.write("part.tns", "1 1 1 512\n2 2 1 19\n2 1 1 7\n2 2 6 1\n")
        found = self.run_json("project", "m.ktensor", "part.tns", "--mode", 3, "--missing",
                              "unlisted")
        self.assertEqual([each["entries"] for each in found["rows"]], [3, 0, 0, 0, 0, 1])
        self.write("away.tns", "1 2 1\n1 2 6\n")
        found = self.run_json("project", "m.ktensor", "part.tns", "--mode", 3, "--missing",
                              "away.tns")
        self.assertEqual([each["entries"] for each in found["rows"]], [3, 4, 4, 4, 4, 3])

    def test_same_bits_for_any_number_of_threads(self):
        self.write("m.ktensor", text_of(formula_model((2, 2, 6), 2)))
        texts = set()
        for threads in "123":
            self.run_tool("project", "m.ktensor", ADMISSIONS, "--mode", 3, "--loss",
                          "negative-binomial", "--rows", "rows.csv", "-q",
                          environment={"OMP_NUM_THREADS": threads})
            texts.add((self.directory / "rows.csv").read_text())
        self.assertEqual(len(texts), 1)

    def test_what_is_wrong_is_said(self):
        self.write("m.ktensor", text_of(formula_model((2, 2, 6), 2)))
        self.write("wide.tns", "3 1 1 5\n")
        self.write("odd.json", "[1]")
        for options, code, said in (
                (("--mode", 4), WRONG_USAGE, "--mode"), (("--mode", "x"), WRONG_USAGE, "mode 3"),
                ((), WRONG_USAGE, "--mode"),
                (("--mode", 3, "--loss", "gaussian2"), WRONG_USAGE, "--loss"),
                (("--mode", 3, "--ridge", -1), WRONG_USAGE, "--ridge"),
                (("--mode", 3, "--run", "odd.json"), FILE_TROUBLE, "odd.json"),
                (("--mode", 3, "--run", "none.json"), FILE_TROUBLE, "none.json"),
                (("--mode", 3, "--missing", "none.tns"), FILE_TROUBLE, "none.tns"),
                (("--mode", 3, "--loss", "gamma"), None, "unlisted"),
                (("--mode", 3, "--loss", "bernoulli-logit"), None, "0 and 1")):
            done = self.run_tool_for_trouble(options, code)
            self.assertIn(said, done.stderr)
        done = self.run_tool("project", "m.ktensor", "wide.tns", "--mode", 3, expect=FILE_TROUBLE)
        self.assertIn("wide.tns", done.stderr)

    def run_tool_for_trouble(self, options, code):
        arguments = ("project", "m.ktensor", ADMISSIONS, *options)
        if code is not None:
            return self.run_tool(*arguments, expect=code)
        for expect in (FAILURE, WRONG_USAGE, FILE_TROUBLE):
            try:
                return self.run_tool(*arguments, expect=expect)
            except AssertionError:
                continue
        return self.run_tool(*arguments, expect=SUCCESS)


if __name__ == "__main__":
    unittest.main()
