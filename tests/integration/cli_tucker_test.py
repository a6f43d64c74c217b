#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten tucker: models, what is printed of them, and what other commands do with them."""
import gzip
import itertools
import json
import math
import signal
import subprocess
import unittest

from cli_support import (ADMISSIONS, DATA, FAILURE, FILE_TROUBLE, INTERRUPTED, TITANIC, TOOL,
                         WRONG_USAGE, ToolTest, read_entries)

LABELS = ",".join(str(DATA / "ucb-admissions" / f"{mode}.labels")
                  for mode in ("admit", "gender", "dept"))


class TuckerModel:
    """A Tucker model in text."""

    def __init__(self, text):
        words = text.split()

        def take(*expected):
            for word in expected:
                assert words.pop(0) == word, expected

        take("ttensor", "tensor")
        order = int(words.pop(0))
        self.ranks = [int(words.pop(0)) for _ in range(order)]
        self.core = [float(words.pop(0)) for _ in range(math.prod(self.ranks))]
        self.factors = []
        for rank in self.ranks:
            take("matrix", "2")
            rows, columns = int(words.pop(0)), int(words.pop(0))
            assert columns == rank
            self.factors.append([[float(words.pop(0)) for _ in range(rank)] for _ in range(rows)])
        assert not words

    def entry(self, subscripts):
        """The first subscript of the core varies fastest."""
        columns = itertools.product(*map(range, reversed(self.ranks)))
        total = 0.0
        for element, at in zip(self.core, columns):
            rows = zip(self.factors, subscripts, reversed(at))
            total += element * math.prod(factor[i][r] for factor, i, r in rows)
        return total


class Tucker(ToolTest):
    def test_the_model_has_the_fit_that_is_told(self):
        entries = read_entries(ADMISSIONS)
        for arguments in ((), ("--method", "st-hosvd"), ("--method", "hosvd"),
                          ("--init", "random", "--seed", 5), ("--precision", "float")):
            with self.subTest(arguments=arguments):
                result = self.run_json("tucker", ADMISSIONS, "--ranks", "2,1,2", *arguments,
                                       "--output", "m.ttensor")
                model = TuckerModel((self.directory / "m.ttensor").read_text())
                everywhere = itertools.product(*(range(len(factor)) for factor in model.factors))
                residual = math.sqrt(math.fsum((entries.get(at, 0.0) - model.entry(at)) ** 2
                                               for at in everywhere))
                self.assertAlmostEqual(residual / result["residual_norm"], 1.0, 4)
                self.assertAlmostEqual(1 - residual / result["tensor_norm"], result["fit"], 5)
                self.assertEqual(result["core_dimensions"], [2, 1, 2])
                self.assertEqual(result["stop_reason"], "converged")
                self.assertEqual(len(result["history"]), result["iterations"])
                self.assertEqual(result["iterations"] == 0, "--method" in arguments)

    def test_ranks_of_the_dimensions_are_exact(self):
        result = self.run_json("tucker", ADMISSIONS, "--ranks", "2,2,4")
        self.assertAlmostEqual(result["fit"], 1.0, 7)
        partial = self.run_json("tucker", ADMISSIONS, "--ranks", "0,0,3")
        whole = self.run_json("tucker", ADMISSIONS, "--ranks", "2,2,3")
        self.assertAlmostEqual(partial["fit"], whole["fit"], 9)
        self.assertEqual(partial["core_dimensions"], [2, 2, 3])

    def test_printed_names_and_numbers(self):
        text = self.run_tool("tucker", ADMISSIONS, "--ranks", "2,1,2", "--labels", LABELS, "--top",
                             2, "--output", "m.ttensor").stdout
        for line in ("run       ranks 2,1,2, hooi from st-hosvd, double", "stopped   converged",
                     "core      2 x 1 x 2, norm ", "model     m.ttensor, names in ",
                     "mode 1 (admit)\n", "mode 2 (gender)\n", "mode 3 (dept)\n", "column 2",
                     "0.8205  Rejected"):
            self.assertIn(line, text)
        result = self.run_json("tucker", ADMISSIONS, "--ranks", "2,0,2", "--labels", LABELS,
                               "--top", 2, "--quiet")
        largest = result["top"]["core"][0]
        self.assertGreaterEqual(abs(largest["value"]), abs(result["top"]["core"][1]["value"]))
        self.assertEqual(len(largest["columns"]), 3)
        self.assertEqual(result["top"]["modes"][1], [])
        self.assertEqual(result["top"]["modes"][0][0][0]["label"], "Rejected")
        printed = self.run_tool("tucker", ADMISSIONS, "--ranks", "2,0,2", "--labels", LABELS,
                                "--top", 1, "--quiet").stdout
        self.assertRegex(printed, r"column \d +(Fem|M)ale +column \d\n")

    def test_tables_with_names(self):
        self.write("t.csv", "who,what,kg\nann,tea,3.5\nbob,tea,1\nann,milk,2\nbob,milk,4\n")
        text = self.run_tool("tucker", "t.csv", "--values", "kg", "--ranks", "2,0", "--top", 3,
                             "-o", "m.ttensor").stdout
        for words in ("mode 1 (who)", "mode 2 (what)", "ann", "names in m.ttensor.labels.json"):
            self.assertIn(words, text)
        self.assertRegex(text, r"column \d +(tea|milk)\n")
        found = self.run_json("evaluate", "m.ttensor", "t.csv", "--values", "kg")
        self.assertAlmostEqual(found["fit"], 1.0, 7)

    def test_a_model_begins_another_run(self):
        first = self.run_json("tucker", ADMISSIONS, "--ranks", "2,1,2", "-o", "m.ttensor")
        again = self.run_json("tucker", ADMISSIONS, "--init", "m.ttensor", "--fixed-modes", "1,2")
        self.assertEqual(again["options"]["ranks"], [2, 1, 2])
        self.assertEqual(again["options"]["fixed_modes"], [1, 2])
        self.assertAlmostEqual(again["fit"], first["fit"], 9)
        self.assertIn("expected those of the model in m.ttensor, 2,1,2",
                      self.complaint("--init", "m.ttensor", "--ranks", "2,2,2"))
        said = self.run_tool("tucker", TITANIC, "--init", "m.ttensor", expect=WRONG_USAGE).stderr
        self.assertIn("expected a Tucker model of the dimensions of", said)

    def complaint(self, *arguments, expect=WRONG_USAGE):
        return self.run_tool("tucker", ADMISSIONS, *arguments, expect=expect).stderr

    def test_refusals(self):
        for arguments, expected in (
                ((), "--ranks: expected the core's length in each mode, as in --ranks 4,4,3"),
                (("--ranks", "2,2"), "--ranks: expected 3 numbers (one a mode), got 2"),
                (("--ranks", "3,2,3"), "--ranks: expected at most 2 (the dimension) in mode 1"),
                (("--ranks", "1,1,2"), "at most 1 (the product of the other ranks) in mode 3"),
                (("--ranks", "0,0,0"), "--ranks: expected a rank for one mode or more"),
                (("--ranks", "2,x,2"), "--ranks: expected a whole number from 0"),
                (("--rank", "2"), "did you mean --ranks?"),
                (("--ranks", "1,1,1", "-o", "m.ktensor"), "expected the name of a Tucker model"),
                (("--ranks", "1,1,1", "-o", "m.npz.gz"), "only text is compressed"),
                (("--ranks", "1,1,1", "-o", "m.gkt.zst"), "only text is compressed"),
                (("--ranks", "1,1,1", "--method", "hosvd", "--tolerance", 1),
                 "--tolerance: has no effect beside --method hosvd"),
                (("--ranks", "1,1,1", "--method", "hosvd", "--init", "random"),
                 "--init: has no effect beside --method hosvd"),
                (("--ranks", "1,1,1", "--seed", 2), "--seed: has no effect without --init random"),
                (("--ranks", "1,1,1", "--fixed-modes", 1), "--fixed-modes: expected a Tucker"),
                (("--ranks", "1,1,1", "--mode-order", "1,2"), "--mode-order: expected all modes"),
                (("--ranks", "1,1,1", "--quiet"), "--quiet: expected something that the run"),
                (("--ranks", "1,1,1", "--labels", LABELS), "--labels: expected something to name")):
            with self.subTest(arguments=arguments):
                self.assertIn(expected, self.complaint(*arguments))
        self.assertIn("No such file", self.complaint("--ranks", "1,1,1", "-o", "none/m.ttensor",
                                                     expect=FILE_TROUBLE))
        self.assertIn("ranks 1 x 1 x 1 needs", self.complaint(
            "--ranks", "1,1,1", "--memory-available", 10, expect=FAILURE))
        self.assertEqual(self.files(), [])

    def test_a_tensor_of_one_mode_is_refused(self):
        self.write("one.tns", "1 2.0\n3 1.0\n")
        said = self.run_tool("tucker", "one.tns", "--ranks", 1, expect=FILE_TROUBLE)
        self.assertIn("one.tns: expected a tensor of order 2 or more, got order 1", said.stderr)
        self.assertEqual(said.stdout, "")

    def test_a_long_mode_that_is_not_compressed_is_no_text(self):
        self.write("long.tns", "1 1 1 1\n20000 2 2 1\n")
        said = self.run_tool("tucker", "long.tns", "--ranks", "0,1,1", "-o", "m.ttensor",
                             expect=WRONG_USAGE).stderr
        self.assertIn("mode 1 is not compressed, and text would have the identity", said)
        self.run_tool("tucker", "long.tns", "--ranks", "0,1,1", "-o", "m.npz", "-q")
        found = self.run_json("tucker", "long.tns", "--ranks", "0,1,1", "-o", "m.gkt")
        again = self.run_json("evaluate", "m.gkt", "long.tns")
        self.assertAlmostEqual(again["fit"], found["fit"], places=12)
        said = self.run_tool("decompose", "m.gkt", "--rank", 1, "-q", "-o", "n.gkt",
                             expect=FILE_TROUBLE).stderr
        self.assertIn("m.gkt: expected a sparse tensor, got a Tucker model", said)

    def test_a_model_that_cannot_be_written_is_rescued(self):
        said = self.run_tool("tucker", ADMISSIONS, "--ranks", "1,1,1", "-q", "-o", "/dev/full",
                             expect=FILE_TROUBLE).stderr
        self.assertIn("the model is written to rescued-", said)
        name, beside = self.files()
        self.assertEqual(beside, name + ".labels.json")
        self.assertEqual(TuckerModel((self.directory / name).read_text()).ranks, [1, 1, 1])

    def test_signals_end_hooi_and_the_model_is_written(self):
        tool = subprocess.Popen(
            [TOOL, "tucker", str(ADMISSIONS), "--ranks", "1,1,1", "--tolerance", "0",
             "--max-iterations", "1000000000", "--print-every", "1000000", "-o", "m.ttensor",
             "--json", "r.json"],
            cwd=self.directory, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(tool.communicate)
        self.addCleanup(tool.kill)
        for line in tool.stdout:
            if line.split()[:1] == ["1"]:
                break
        tool.send_signal(signal.SIGINT)
        text, _ = tool.communicate(timeout=60)
        self.assertEqual(tool.returncode, INTERRUPTED)
        self.assertIn("interrupted", text)
        result = self.read_json("r.json")
        self.assertEqual((result["stop_reason"], result["signal"]), ("interrupted", "SIGINT"))
        self.assertEqual([note["code"] for note in result["notes"]], ["interrupted"])
        TuckerModel((self.directory / "m.ttensor").read_text())

    def test_limits_are_noted(self):
        result = self.run_json("tucker", ADMISSIONS, "--ranks", "2,1,2", "--max-iterations", 1,
                               "--tolerance", 1e-15)
        self.assertEqual(result["stop_reason"], "iteration_limit")
        self.assertEqual([note["code"] for note in result["notes"]], ["iteration_limit"])


class OtherCommands(ToolTest):
    def setUp(self):
        super().setUp()
        self.result = self.run_json("tucker", ADMISSIONS, "--ranks", "2,1,2", "-o",
                                    "m.ttensor.gz", "--labels", LABELS)
        text = gzip.decompress((self.directory / "m.ttensor.gz").read_bytes()).decode()
        self.model = TuckerModel(text)

    def test_evaluate(self):
        found = self.run_json("evaluate", "m.ttensor.gz", ADMISSIONS)
        self.assertAlmostEqual(found["fit"], self.result["fit"], 9)
        self.assertEqual(found["core_dimensions"], [2, 1, 2])
        self.assertNotIn("rank", found)

    def test_predict(self):
        self.write("entries", "1 1 1\n2 2 6\n1 2 3\n")
        text = self.run_tool("predict", "m.ttensor.gz", "entries").stdout
        for line in text.splitlines():
            *at, value = line.split()
            self.assertAlmostEqual(float(value), self.model.entry([int(i) - 1 for i in at]), 9)

    def test_rows_go_by_names(self):
        """Names stand beside the model and the tensor, whose departments are in another order."""
        lines = [line.split() for line in ADMISSIONS.read_text().splitlines()
                 if line and not line.startswith("#")]
        self.write("turned.tns", "".join(f"{a} {g} {7 - int(d)} {x}\n" for a, g, d, x in lines))
        for mode, names in (("admit", None), ("gender", None), ("dept", "FEDCBA")):
            old = (DATA / "ucb-admissions" / f"{mode}.labels").read_text()
            self.write(f"{mode}.labels", old if names is None else "\n".join(names) + "\n")
        self.run_tool("convert", "turned.tns", "named.tns", "--labels",
                      "admit.labels,gender.labels,dept.labels")
        found = self.run_json("evaluate", "m.ttensor.gz", "named.tns")
        self.assertAlmostEqual(found["fit"], self.result["fit"], 9)
        said = self.run_tool("tucker", "named.tns", "--init", "m.ttensor.gz",
                             expect=FILE_TROUBLE).stderr
        self.assertIn("the same names in another order", said)

    def test_compare(self):
        other = ("tucker", ADMISSIONS, "--ranks", "2,2,3", "-o", "o.ttensor", "-q")
        self.run_tool(*other, "--method", "hosvd")
        found = self.run_json("compare", "m.ttensor.gz", "o.ttensor")
        entries = list(itertools.product(range(2), range(2), range(6)))
        reference = TuckerModel((self.directory / "o.ttensor").read_text())
        difference = math.dist([self.model.entry(at) for at in entries],
                               [reference.entry(at) for at in entries])
        norm = math.hypot(*(reference.entry(at) for at in entries))
        self.assertAlmostEqual(found["relative_difference"], difference / norm, 9)
        self.assertEqual([len(each) for each in found["cosines"]], [2, 1, 2])
        self.assertAlmostEqual(found["cosines"][1][0], 1.0, 9)  # Both columns span the mode.
        a, b = self.model.factors[2], reference.factors[2]
        product = [[sum(x[r] * y[s] for x, y in zip(a, b)) for s in range(3)] for r in range(2)]
        squares = math.fsum(x * x for row in product for x in row)
        self.assertAlmostEqual(math.fsum(c * c for c in found["cosines"][2]), squares, 9)
        same = self.run_json("compare", "m.ttensor.gz", "m.ttensor.gz")
        self.assertLess(same["relative_difference"], 1e-7)
        self.assertIn("cosines of principal angles",
                      self.run_tool("compare", "m.ttensor.gz", "o.ttensor").stdout)

    def test_what_cannot_be_compared(self):
        self.run_tool("decompose", ADMISSIONS, "--rank", 1, "-q", "-o", "cp.ktensor")
        self.run_tool("tucker", TITANIC, "--ranks", "1,1,1,1", "-q", "-o", "t.ttensor")
        for arguments, expected, code in (
                (("m.ttensor.gz", "cp.ktensor"), "expected a Tucker model, as m.tt", FILE_TROUBLE),
                (("m.ttensor.gz", "t.ttensor"), "expected dimensions 2 x 2 x 6", WRONG_USAGE),
                (("m.ttensor.gz", "m.ttensor.gz", "--greedy"), "--greedy: has no effect",
                 WRONG_USAGE)):
            said = self.run_tool("compare", *arguments, expect=code).stderr
            self.assertIn(expected, said)

    def test_those_that_have_no_use_for_it_say_so(self):
        for arguments, expected in (
                (("convert", "--model", "m.ttensor.gz", "m.npz"), "genten tucker -o model.npz"),
                (("decompose", ADMISSIONS, "--init", "m.ttensor.gz"),
                 "expected a CP model, got a Tucker model"),
                (("project", "m.ttensor.gz", ADMISSIONS, "--mode", 3),
                 "got a Tucker model; a Tucker model takes no new rows: genten tucker ALL makes "),
                (("update", "m.ttensor.gz", ADMISSIONS, "--mode", 3, "-o", "x.gkt"),
                 "and genten decompose ALL a CP model, which takes them")):
            with self.subTest(arguments=arguments):
                said = self.run_tool(*arguments, expect=FILE_TROUBLE).stderr
                self.assertIn(expected, said)


if __name__ == "__main__":
    unittest.main()
