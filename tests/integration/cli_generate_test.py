#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten generate and genten compare."""
import re
import unittest

from cli_support import FILE_TROUBLE, WRONG_USAGE, Model, ToolTest, read_entries


class Generate(ToolTest):
    def test_random_subscripts(self):
        self.run_tool("generate", "t.txt", "--dimensions", "30,40,50", "--nnz", 2000)
        result = self.run_json("info", "t.txt")
        self.assertEqual((result["dimensions"], result["nnz"]), ([30, 40, 50], 2000))
        self.assertEqual(result["duplicates"], 0)
        self.assertGreater(result["values"]["min"], 0)
        self.assertLessEqual(result["values"]["max"], 1)

    def test_seeds(self):
        texts = []
        for seed in (3, 3, 4):
            self.run_tool("generate", "t.tns", "--dimensions", "9,9,9", "--nnz", 50,
                          "--seed", seed, "--to", "sptensor")
            texts.append((self.directory / "t.tns").read_text())
        self.assertEqual(texts[0], texts[1])
        self.assertNotEqual(texts[0], texts[2])

    def test_powers_make_favourites(self):
        most = {}
        for powers in ("0,0", "1,0"):
            self.run_tool("generate", "t.txt", "--dimensions", "100,5000", "--nnz", 5000,
                          "--powers", powers)
            most[powers] = self.run_json("info", "t.txt")["modes"][0]["max"]
        self.assertGreater(most["1,0"], 5 * most["0,0"])

    def test_runs_share_items(self):
        self.run_tool("generate", "t.tns", "--dimensions", "60,900,50", "--nnz", 400,
                      "--runs", "20,1,20")
        pairs = {(i, k) for i, _, k in read_entries(self.directory / "t.tns")}
        self.assertLess(len(pairs), 30)

    def test_a_named_shape_scaled(self):
        self.run_tool("generate", "u.gtn", "--shape", "uber", "--scale", "0.01")
        result = self.run_json("info", "u.gtn")
        self.assertEqual(result["nnz"], 33000)
        self.assertEqual(len(result["dimensions"]), 4)

    def test_values_are_those_of_the_model(self):
        self.run_tool("generate", "t.tns", "--dimensions", "8,7,6", "--nnz", 60, "--rank", 3,
                      "--model", "m.ktensor")
        model = Model(self.directory / "m.ktensor")
        entries = read_entries(self.directory / "t.tns")
        self.assertEqual(len(entries), 60)
        for subscripts, value in entries.items():
            self.assertAlmostEqual(value, model.entry(subscripts), places=12)

    def test_wrong_usage(self):
        for arguments in ((), ("--dimensions", "3,4"), ("--nnz", "3"),
                          ("--shape", "cube"), ("--shape", "uber", "--nnz", "3"),
                          ("--dimensions", "3,4", "--nnz", "13"),
                          ("--dimensions", "3,,4", "--nnz", "2"),
                          ("--dimensions", "3,4", "--nnz", "2", "--noise", "0.1"),
                          ("--dimensions", "3,4", "--nnz", "2", "--powers", "1"),
                          ("--dimensions", "3,4", "--nnz", "2", "--support", "2"),
                          ("--dimensions", "3,4", "--nnz", "2", "--runs", "2"),
                          ("--dimensions", "3,4", "--nnz", "2", "--runs", "2,0"),
                          ("--dimensions", "3,4", "--rank", "2", "--support", "9")):
            with self.subTest(arguments=arguments):
                self.run_tool("generate", "t.tns", *arguments, expect=WRONG_USAGE)
        self.assertEqual(self.files(), [])

    def test_options_that_go_together(self):
        planted = ("--rank", 2, "--support", 2)
        for arguments, told in (
                (("--dimensions", "3,4"),
                 "--dimensions: expected --nnz or --support beside it"),
                (("--dimensions", "3,4", *planted, "--scale", 2),
                 "--scale: has no effect beside --support: leave one of them out"),
                (("--shape", "uber", *planted), "--shape: has no effect beside --support: "),
                (("--shape", "uber", "--powers", "1,1,1,1"),
                 "--shape: has no effect beside --powers: "),
                (("--dimensions", "3,4", "--nnz", 0), "--nnz: expected a number of at least 1"),
                (("--dimensions", "3,4", "--nnz", 2, "--factors", "normal"),
                 "--factors: has no effect without --rank")):
            done = self.run_tool("generate", "t.tns", *arguments, expect=WRONG_USAGE)
            self.assertIn(told, done.stderr)

    def test_numbers_of_modes_that_are_too_few(self):
        for option in ("--runs", "--powers"):
            done = self.run_tool("generate", "t.tns", "--dimensions", "3,4,5", "--nnz", 2, option,
                                 5, expect=WRONG_USAGE)
            self.assertIn(f"{option}: expected 3 numbers, one for each mode, got 1\n", done.stderr)


class Planted(ToolTest):
    def test_decompose_finds_the_model_again(self):
        self.run_tool("generate", "t.gtn", "--dimensions", "60,50,40", "--rank", 3,
                      "--support", 9, "--model", "truth.ktensor")
        self.run_json("decompose", "t.gtn", "--rank", 3, "--starts", 8, "--tolerance", "1e-10",
                      "--max-iterations", 300, "--output", "found.ktensor", "--print-every", 0)
        result = self.run_json("compare", "found.ktensor", "truth.ktensor")
        self.assertGreater(result["score"], 0.999)
        self.assertGreater(result["score_without_weights"], 0.999)


    def test_its_model_is_one_of_expected_values(self):
        self.run_tool("generate", "g.tns", "--dimensions", "4,3", "--nnz", 9, "--rank", 1,
                      "--model", "g.gkt", "-q")
        for command in (("show", "g.gkt"), ("evaluate", "g.gkt", "g.tns"),
                        ("predict", "g.gkt", "g.tns")):
            self.assertEqual(self.run_tool(*command).stderr, "")


class Compare(ToolTest):
    A = "ktensor\n2\n2 2\n2\n2 1\nmatrix\n2\n2 2\n1 0\n0 1\nmatrix\n2\n2 2\n1 0\n0 1\n"
    # The same components the other way round, their weights 2 and 4 instead of 1 and 2.
    B = "ktensor\n2\n2 2\n2\n2 4\nmatrix\n2\n2 2\n0 1\n1 0\nmatrix\n2\n2 2\n0 1\n1 0\n"

    def test_weights_count_or_not(self):
        self.write("a.ktensor", self.A)
        self.write("b.ktensor", self.B)
        result = self.run_json("compare", "a.ktensor", "b.ktensor")
        self.assertAlmostEqual(result["score"], 0.5)
        self.assertAlmostEqual(result["score_without_weights"], 1)
        self.assertEqual(result["without_weights"]["permutation"], [2, 1])  # counted from 1
        text = self.run_tool("compare", "a.ktensor", "b.ktensor").stdout
        self.assertIn("score with weights     0.500000000000\n", text)
        self.assertIn("score without weights  1.000000000000\n", text)

    def test_weights_are_those_of_columns_of_norm_one(self):
        self.write("a.ktensor", self.A)
        self.write("b.ktensor", self.A.replace("2\n2 1\nmatrix\n2\n2 2\n1 0\n0 1",
                                               "2\n1 1\nmatrix\n2\n2 2\n2 0\n0 1"))
        text = self.run_tool("compare", "a.ktensor", "b.ktensor").stdout
        self.assertRegex(text, r"\n +1 +2 +1 +2 +1\.0+ *\n +2 +1 +2 +1 +1\.0+ *\n")

    def test_weights_of_counts_are_those_that_show_prints(self):
        self.write("x.tns", "1 1 4\n1 2 2\n2 2 5\n3 1 3\n")
        self.run_tool("decompose", "x.tns", "--rank", 1, "--loss", "poisson", "-q", "-o", "m.gkt")
        self.assertRegex(self.run_tool("show", "m.gkt").stdout, r"\nweights +14\n")
        self.assertRegex(self.run_tool("compare", "m.gkt", "m.gkt").stdout,
                         r"\n +1 +14 +1 +14 +1\.0+ *\n")

    def test_models_of_halves_are_scored_by_the_other_modes(self):
        def half(first, count):
            return "who,wave,item,n\n" + "".join(
                f"p{p},w{w},i{i},{1 + (p % 3) * w + 2 * (i % 2) * (p % 2)}\n"
                for p in range(first, first + count) for w in range(4) for i in range(5))

        for name, rows in (("even", half(0, 6)), ("odd", half(6, 6))):
            self.write(f"{name}.csv", rows)
            self.run_tool("decompose", f"{name}.csv", "--values", "n", "--rank", 2, "--starts", 3,
                          "-q", "-o", f"{name}.gkt")
        done = self.run_tool("compare", "even.gkt", "odd.gkt", expect=FILE_TROUBLE)
        way = re.search(r"; (--modes \S+) scores models of different rows, as of two", done.stderr)
        for options in (way[1].split(), ("--modes", "2,3")):
            found = self.run_json("compare", "even.gkt", "odd.gkt", *options)
            self.assertGreater(found["score_without_weights"], 0.999)
            self.assertGreater(found["score"], 0.999)
            self.assertEqual(found["modes"], [2, 3])
        self.run_tool("compare", "even.gkt", "odd.gkt", "--modes", "wav", expect=WRONG_USAGE)
        self.run_tool("compare", "even.gkt", "odd.gkt", "--modes", "4", expect=WRONG_USAGE)
        self.run_tool("tucker", "even.csv", "--values", "n", "--ranks", "2,2,2", "-q", "-o",
                      "t.ttensor")
        self.run_tool("compare", "t.ttensor", "t.ttensor", "--modes", "2", expect=WRONG_USAGE)

    def test_other_losses_are_told(self):
        self.write("x.tns", "1 1 1\n2 2 1\n2 1 1\n3 2 1\n")
        for loss in ("logit", "odds"):
            self.run_tool("decompose", "x.tns", "--rank", 1, "--loss", f"bernoulli-{loss}", "-q",
                          "-o", f"{loss}.gkt")
        self.assertEqual(self.run_tool("compare", "logit.gkt", "odds.gkt").stderr, "genten: note: "
                         "the loss of logit.gkt is bernoulli-logit, that of odds.gkt is "
                         "bernoulli-odds: their values and weights may mean different things\n")
        self.assertEqual(self.run_tool("compare", "logit.gkt", "logit.gkt").stderr, "")
        self.run_tool("decompose", "x.tns", "--rank", 1, "-q", "-o", "least.gkt")
        (self.directory / "odds.gkt.labels.json").unlink()
        self.assertIn("the loss of logit.gkt is bernoulli-logit, that of odds.gkt is unknown: ",
                      self.run_tool("compare", "logit.gkt", "odds.gkt").stderr)
        self.assertEqual(self.run_tool("compare", "least.gkt", "odds.gkt").stderr, "")

    def test_models_of_different_shape(self):
        self.write("a.ktensor", self.A)
        self.write("c.ktensor", "ktensor\n1\n2\n1\n1\nmatrix\n2\n2 1\n1\n1\n")
        done = self.run_tool("compare", "a.ktensor", "c.ktensor", expect=WRONG_USAGE)
        self.assertIn("genten: a.ktensor against c.ktensor: expected dimensions ", done.stderr)

    def test_no_model(self):
        self.write("a.ktensor", self.A)
        self.write("x", "nothing\n")
        self.run_tool("compare", "a.ktensor", "absent", expect=FILE_TROUBLE)
        done = self.run_tool("compare", "a.ktensor", "x", expect=FILE_TROUBLE)
        self.assertIn("x:1: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
