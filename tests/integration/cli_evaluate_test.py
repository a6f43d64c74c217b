#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten evaluate and predict: a model at the entries of a file, its errors there and
everywhere."""
import gzip
import itertools
import math
import os
import subprocess
import unittest

from cli_support import FAILURE, FILE_TROUBLE, TITANIC, TOOL, WRONG_USAGE, Model, ToolTest


def entries(path):
    entries = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            *subscripts, value = line.split()
            entries[tuple(int(i) - 1 for i in subscripts)] = float(value)
    return entries


class Evaluate(ToolTest):
    def setUp(self):
        super().setUp()
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "m.ktensor")
        self.model = Model(self.directory / "m.ktensor")

    def value(self, entry):
        return sum(weight * math.prod(factor[i][r] for factor, i in zip(self.model.factors, entry))
                   for r, weight in enumerate(self.model.weights))

    def check(self, found, entries):
        errors = [(x, self.value(entry)) for entry, x in entries]
        squares = sum((x - m) ** 2 for x, m in errors)
        self.assertEqual(found["entries"], len(errors))
        self.assertIsInstance(found["entries"], int)
        self.assertAlmostEqual(found["residual_norm"] / math.sqrt(squares), 1, 9)
        self.assertAlmostEqual(found["rmse"] / math.sqrt(squares / len(errors)), 1, 9)
        magnitudes = sum(abs(x - m) for x, m in errors)
        self.assertAlmostEqual(found["mae"] * len(errors) / magnitudes, 1, 9)
        likelihood = sum((x * math.log(m) if x else 0) - m - math.lgamma(x + 1) for x, m in errors)
        self.assertAlmostEqual(found["log_likelihood"] / likelihood, 1, 9)
        deviance = 2 * sum((x * math.log(x / m) if x else 0) - x + m for x, m in errors)
        self.assertAlmostEqual(found["deviance"] / deviance, 1, 9)

    def test_errors_are_those_of_every_entry(self):
        result = self.run_json("evaluate", "m.ktensor", TITANIC)
        listed = entries(TITANIC)
        self.check(result["listed"], listed.items())
        every = itertools.product(*map(range, self.model.dimensions))
        self.check(result["all"], [(entry, listed.get(entry, 0.0)) for entry in every])
        run = self.run_json("decompose", TITANIC, "--rank", 1)
        self.assertAlmostEqual(result["fit"], run["fit"], 9)

    def test_text_says_the_same(self):
        text = self.run_tool("evaluate", "m.ktensor", TITANIC).stdout
        result = self.run_json("evaluate", "m.ktensor", TITANIC)
        of = {name: result[name]["rmse"] for name in ("listed", "all")}
        self.assertRegex(text, rf"RMSE +{of['listed']:.9g} +{of['all']:.9g}\n")
        self.assertRegex(text, rf"fit +{result['fit']:.9g}\n")
        self.assertEqual(self.run_tool("evaluate", "m.ktensor", TITANIC, "-q").stdout, "")

    def test_a_few_entries_have_the_dimensions_of_the_model(self):
        self.write("held.tns", "1 1 1 1 4\n2 1 1 1 7\n")
        result = self.run_json("evaluate", "m.ktensor", "held.tns")
        self.assertEqual(result["tensor"]["dimensions"], [4, 2, 2, 2])
        self.check(result["listed"], [((0, 0, 0, 0), 4.0), ((1, 0, 0, 0), 7.0)])

    def test_a_held_out_part_is_told_of(self):
        self.write("part.tns", "1 1 1 1 4\n4 2 2 2 7\n")
        note = self.run_json("evaluate", "m.ktensor", "part.tns")["notes"][-1]
        self.assertRegex(note, r"^the fit \(-.* zeros at 30 of 32 .*, and --missing unlisted le")
        alone = self.run_json("evaluate", "m.ktensor", "part.tns", "--missing", "unlisted")
        self.assertNotIn(note, alone["notes"])

    def test_entries_outside_the_model_are_refused(self):
        self.write("held.tns", "5 1 1 1 4\n")
        done = self.run_tool("evaluate", "m.ktensor", "held.tns", expect=FILE_TROUBLE)
        self.assertIn('mode 1: held.tns has a row that m.ktensor lacks: "5", in line 1; 1 of 1 '
                      "entry is in such rows; give the model new rows, by genten update",
                      done.stderr)
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
        self.assertNotIn("Poisson", text)
        note = ("MAE is unknown over all entries where a model has negative numbers, and "
                "known over listed ones: a CP model with nonnegative factors has none")
        self.assertEqual(result["notes"][0], note)
        self.assertIn(f"\nnote      {note}\n", text)
        only_listed = self.run_json("evaluate", "n.ktensor", "t.tns", "--missing", "unlisted")
        self.assertEqual(only_listed["notes"], [])

    def test_entries_that_a_model_holds_impossible_are_told_of(self):
        self.write("z.ktensor", "ktensor\n2\n2 2\n1\n1\n" "matrix\n2\n2 1\n1\n0\n"
                   "matrix\n2\n2 1\n1\n1\n")
        self.write("t.tns", "1 1 3\n2 1 1\n")
        self.assertEqual(self.run_json("evaluate", "z.ktensor", "t.tns")["notes"], [])
        result = self.run_json("evaluate", "z.ktensor", "t.tns", "--loss", "poisson")
        self.assertEqual(len(result["notes"]), 1)
        self.assertIn("the model is 0 at listed entries that are not", result["notes"][0])
        self.assertIn("logarithm -inf: RMSE and MAE compare such models, and a run with a "
                      "lower bound, such as 1e-6,", result["notes"][0])
        self.write("none.sptensor", "sptensor\n2\n2 2\n0\n")
        self.assertEqual(self.run_json("evaluate", "z.ktensor", "none.sptensor")["notes"],
                         ["the tensor lists no entries, so that errors over listed ones are "
                          "unknown",
                          "the fit to a tensor of zeros is undefined"])


ENTRIES = [(3, 1, 1, 1), (0, 0, 0, 0), (3, 1, 1, 1), (2, 0, 1, 0)]  # one of them twice


def lines_of(entries, base=1, values=False):
    return "".join(" ".join(str(i + base) for i in entry) + (" 7.5" if values else "") + "\n"
                   for entry in entries)


class Predict(ToolTest):
    def setUp(self):
        super().setUp()
        self.run_tool("decompose", TITANIC, "--rank", 2, "-q", "-o", "m.ktensor")
        self.model = Model(self.directory / "m.ktensor")

    def check(self, text, entries=tuple(ENTRIES), base=1):
        lines = text.splitlines()
        self.assertEqual(len(lines), len(entries))
        for line, entry in zip(lines, entries):
            *subscripts, value = line.split(" ")
            self.assertEqual([int(i) for i in subscripts], [i + base for i in entry])
            self.assertAlmostEqual(float(value) / self.model.entry(entry), 1, 12)

    def complaint(self, *arguments, expect=FILE_TROUBLE):
        done = self.run_tool("predict", *arguments, expect=expect)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_lines_are_those_of_the_entries_and_nothing_else(self):
        for values in (False, True):
            self.write("entries.txt", lines_of(ENTRIES, values=values))
            done = self.run_tool("predict", "m.ktensor", "entries.txt")
            self.check(done.stdout)
            self.assertEqual(done.stderr, "")

    def test_weights_and_elements_far_from_one_have_their_product(self):
        self.write("wide.ktensor", "ktensor\n3\n1 1 1\n2\n1e-300 1e300\n"
                   "matrix\n2\n1 2\n1e-200 1e250\nmatrix\n2\n1 2\n1e200 1e-250\n"
                   "matrix\n2\n1 2\n1e300 1e-300\n")
        self.write("entries.txt", "1 1 1\n")
        value = self.run_tool("predict", "wide.ktensor", "entries.txt").stdout.split()[-1]
        self.assertAlmostEqual(float(value), 2, 12)

    def test_subscripts_count_as_in_the_input(self):
        self.write("entries.txt", lines_of(ENTRIES, base=0))
        done = self.run_tool("predict", "m.ktensor", "entries.txt", "--index-base", 0)
        self.check(done.stdout, base=0)
        done = self.run_tool("predict", "m.ktensor", "entries.txt", "--index-base", 0,
                             "--output-index-base", 1)
        self.check(done.stdout)

    def test_the_input_may_be_compressed_and_a_stream(self):
        text = gzip.compress(lines_of(ENTRIES).encode())
        done = subprocess.run([TOOL, "predict", "m.ktensor", "-"], cwd=self.directory, input=text,
                              capture_output=True, timeout=120, check=True, env=os.environ)
        self.check(done.stdout.decode())

    def test_a_tensor_of_any_form(self):
        self.run_tool("convert", TITANIC, "t.gtn", "-q")
        from_text = self.run_tool("predict", "m.ktensor", TITANIC).stdout
        self.assertEqual(self.run_tool("predict", "m.ktensor", "t.gtn").stdout, from_text)
        self.assertEqual(len(from_text.splitlines()), 24)

    def test_files_have_the_form_that_their_names_say(self):
        self.write("entries.txt", lines_of(ENTRIES))
        done = self.run_tool("predict", "m.ktensor", "entries.txt", "-o", "p.tns")
        self.check((self.directory / "p.tns").read_text())
        self.assertIn("written to p.tns\n", done.stdout)
        self.run_tool("predict", "m.ktensor", "entries.txt", "-o", "p.tns.gz", "-q")
        self.check(gzip.decompress((self.directory / "p.tns.gz").read_bytes()).decode())
        self.run_tool("predict", "m.ktensor", "entries.txt", "-o", "p.txt", "-q")
        text = (self.directory / "p.txt").read_text()
        self.assertTrue(text.startswith("sptensor\n4\n4 2 2 2\n4\n"))
        self.check(text.split("\n", 4)[4])
        self.run_tool("predict", "m.ktensor", "entries.txt", "-o", "p.gtn", "-q")
        self.check(self.run_tool("predict", "m.ktensor", "p.gtn").stdout)

    def test_entries_of_a_table_in_other_forms_have_the_names_of_the_model(self):
        self.write("t.csv", "who,what,n\nann,tea,5\nann,milk,2\nbob,tea,3\nzoe,milk,9\n"
                   "zoe,pie,4\nzoe,tea,1\n")
        self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 3, "--tolerance", 1e-9, "-q",
                      "-o", "t.gkt")
        self.write("w.csv", "what,who\nmilk,zoe\n")
        for name in ("w.tns", "w.gtn"):
            done = self.run_tool("predict", "t.gkt", "w.csv", "-o", name)
            self.assertIn(f"written to {name}, names to {name}.labels.json\n", done.stdout)
            found = self.run_json("evaluate", "t.gkt", name)
            self.assertLess(found["listed"]["rmse"], 1e-12)
            line = self.run_tool("predict", "t.gkt", name).stdout.split()
            self.assertEqual(line[:2], ["3", "1"])
            self.assertAlmostEqual(float(line[2]), 9, 6)
        text = self.run_tool("predict", "t.gkt", "w.csv", "--to", "sptensor").stdout.split("\n")
        self.assertEqual(text[:4], ["sptensor", "2", "3 3", "1"])
        # Entries of a tensor keep their numbers, and their names go with them.
        self.run_tool("convert", "w.csv", "v.tns", "-q")
        self.run_tool("predict", "t.gkt", "v.tns", "-o", "p.tns", "-q")
        self.assertTrue((self.directory / "p.tns").read_text().startswith("1 1 "))
        self.assertLess(self.run_json("evaluate", "t.gkt", "p.tns")["listed"]["rmse"], 1e-12)

    def test_a_tensor_without_its_names_is_told_of(self):
        self.write("t.csv", "who,what,n\nann,tea,5\nann,milk,2\nbob,tea,3\nzoe,milk,9\n"
                   "zoe,pie,4\nzoe,tea,1\n")
        self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1, "-q", "-o", "t.gkt")
        self.write("z.csv", "who,what,n\nzoe,milk,9\nzoe,pie,4\n")
        self.run_tool("convert", "t.csv", "all.gtn", "--values", "n", "-q")
        (self.directory / "all.gtn.labels.json").unlink()
        for name in ("z.gtn", "z.tns"):
            self.run_tool("convert", "z.csv", name, "--values", "n", "-q")
            commands = [("evaluate", "t.gkt", name), ("predict", "t.gkt", name),
                        ("decompose", "t.csv", "--values", "n", "--missing", name, "-q", "--rank",
                         1, "-o", "u.gkt"),
                        ("evaluate", "t.gkt", "t.csv", "--missing", name)]
            for command in commands:
                self.assertNotIn("by their numbers", self.run_tool(*command).stderr)
            (self.directory / f"{name}.labels.json").unlink()
            for command in commands:
                own = "t.csv" if command[0] == "decompose" else "t.gkt"
                self.assertIn(f"genten: note: {name}: rows go by their numbers, since those of "
                              f"mode 1 (who) have names in {own} and none here (was it copied "
                              f"without {name}.labels.json?)\n", self.run_tool(*command).stderr)
        # Tables number rows in the order of their names: where all are there, they are the same.
        self.assertEqual(self.run_tool("evaluate", "t.gkt", "all.gtn").stderr, "")

    def test_the_account_of_the_work(self):
        self.write("entries.txt", lines_of(ENTRIES))
        found = self.run_json("predict", "m.ktensor", "entries.txt", "-o", "p.tns")
        self.assertEqual([found[name] for name in ("model", "rank", "dimensions", "file", "entries",
                                                   "index_base", "output")],
                         ["m.ktensor", 2, [4, 2, 2, 2], "entries.txt", 4, 1, "p.tns"])

    def test_entries_that_the_model_does_not_have_are_named_by_line(self):
        self.write("entries.txt", lines_of(ENTRIES) + "\n# a comment\n1 3 1 1\n")
        message = self.complaint("m.ktensor", "entries.txt", "-o", "p.tns")
        self.assertIn('mode 2: entries.txt has a row that m.ktensor lacks: "3", in line 7; 1 of 5 '
                      "entries is in such rows", message)
        self.assertIn("; leave such entries out by --unknown skip, or give the model new rows",
                      message)
        self.assertNotIn("p.tns", self.files())

    def test_entries_that_the_model_does_not_have_can_be_left_out(self):
        self.write("known.txt", lines_of(ENTRIES, values=True))
        self.write("entries.txt", "1 3 1 1 2\n" + lines_of(ENTRIES, values=True))
        done = self.run_tool("predict", "m.ktensor", "entries.txt", "--unknown", "skip")
        self.assertEqual(done.stdout, self.run_tool("predict", "m.ktensor", "known.txt").stdout)
        self.assertEqual(done.stderr, "genten: note: entries.txt: 1 of 5 entries is left out, in "
                         'rows that m.ktensor lacks; mode 2: "3"\n')
        of_known = self.run_json("evaluate", "m.ktensor", "known.txt")
        of_all = self.run_json("evaluate", "m.ktensor", "entries.txt", "--unknown", "skip")
        self.assertEqual(of_all["listed"], of_known["listed"])
        self.assertEqual(of_all["unknown_entries"], 1)
        done = self.run_tool("evaluate", "m.ktensor", "entries.txt", expect=FILE_TROUBLE)
        self.assertIn('lacks: "3", in line 1; 1 of 5 entries is in such rows', done.stderr)

    def test_what_is_left_out_does_not_lengthen_modes(self):
        self.write("t.tns", "1 1 1 5\n3 2 2 4\n2 1 2 1\n")
        self.run_tool("decompose", "t.tns", "--rank", 1, "-q", "-o", "n.gkt")
        self.write("known.txt", "1 1 1\n")
        self.write("entries.txt", "9 1 1\n1 1 1\n")
        for name in ("p.gtn", "p.sptensor"):
            for entries in (("known.txt",), ("entries.txt", "--unknown", "skip")):
                self.run_tool("predict", "n.gkt", *entries, "-o", name)
                self.assertIn("3 x 2 x 2, 1 nonzero", self.run_tool("info", name).stdout)

    def test_files_of_another_order(self):
        self.write("entries.txt", "1 1\n")
        self.assertIn("entries.txt:1: expected 4 subscripts, and perhaps a value, got 2 fields",
                      self.complaint("m.ktensor", "entries.txt"))
        self.write("entries.txt", "sptensor\n3\n4 2 2\n1\n1 1 1 5\n")
        self.assertIn("entries.txt: the model m.ktensor is of order 4, the file is of order 3",
                      self.complaint("m.ktensor", "entries.txt"))

    def test_values_that_no_number_can_hold(self):
        self.write("h.ktensor", "ktensor\n2\n2 1\n1\n1\nmatrix\n2\n2 1\n1\n1e200\n"
                   "matrix\n2\n1 1\n1e200\n")
        self.write("entries.txt", "1 1\n2 1\n")
        message = self.complaint("h.ktensor", "entries.txt", expect=FAILURE)
        self.assertIn("h.ktensor at entries.txt: the model's value at entry 2", message)

    def test_what_is_said_before_any_work(self):
        self.assertIn("--output: the name p.npy does not say the form",
                      self.complaint("absent", "absent", "-o", "p.npy", expect=WRONG_USAGE))
        self.assertIn("standard input", self.complaint("-", "-", expect=WRONG_USAGE))
        self.run_tool("convert", TITANIC, "t.gtn", "-q")
        self.assertIn("--index-base: has no effect",
                      self.complaint("m.ktensor", "t.gtn", "--index-base", 0, expect=WRONG_USAGE))


RATINGS = """user,film,stars
ann,Up,5
ann,Jaws,1
bob,Up,4
bob,Alien,3
cleo,Jaws,2
cleo,Alien,5
ann,Up,2
"""


class OfTheRun(ToolTest):
    """What a run made of duplicates and missing entries is made of them here, too."""

    def decomposed(self, *more):
        self.write("r.csv", RATINGS)
        told = self.run_json("decompose", "r.csv", "--values", "stars", "--rank", 1, "-o", "m.gkt",
                             *more)
        return told["fit"]

    def evaluated(self, *more):
        found = self.run_json("evaluate", "m.gkt", "r.csv", "--values", "stars", *more)
        return found

    def test_duplicates(self):
        fit = self.decomposed("--duplicates", "mean")
        self.assertEqual(self.read_json("m.gkt.labels.json")["run"],
                         {"loss": "gaussian", "duplicates": "mean", "values": "stars"})
        found = self.evaluated()
        self.assertAlmostEqual(found["fit"], fit, 12)
        self.assertEqual(found["options_of_run"], "duplicates mean, of m.gkt.labels.json")
        self.assertNotAlmostEqual(self.evaluated("--run", "none")["fit"], fit, 3)
        self.assertNotAlmostEqual(self.evaluated("--duplicates", "last")["fit"], fit, 3)

    def test_duplicates_of_tucker_models(self):
        self.write("r.csv", RATINGS)
        for model in ("m.ttensor", "m.gkt"):
            source = f"{model}.labels.json"
            told = self.run_json("tucker", "r.csv", "--values", "stars", "--ranks", "2,2",
                                 "--duplicates", "mean", "-o", model)
            self.assertEqual(self.read_json(source)["run"],
                             {"duplicates": "mean", "loss": "gaussian", "values": "stars"})
            found = self.run_json("evaluate", model, "r.csv", "--values", "stars")
            self.assertAlmostEqual(found["fit"], told["fit"], 12)
            self.assertEqual(found["options_of_run"], f"duplicates mean, of {source}")
        # A report of another run into the same file is none.
        self.run_tool("tucker", "r.csv", "--values", "stars", "--ranks", "1,1", "-q", "-o", "m.gkt")
        again = self.run_json("evaluate", "m.gkt", "r.csv", "--values", "stars")
        self.assertEqual(again["options_of_run"], "")

    def test_unlisted_entries(self):
        fit = self.decomposed("--duplicates", "last", "--missing", "unlisted")
        found = self.evaluated()
        self.assertAlmostEqual(found["fit"], fit, 12)
        self.assertEqual((found["all"], found["missing"]), (found["listed"], "unlisted"))
        told = self.run_tool("evaluate", "m.gkt", "r.csv", "--values", "stars").stdout
        self.assertIn("options   duplicates last, unlisted entries missing, of m.gkt.labels.json",
                      told)
        self.assertIn("entries that count", told)
        self.assertEqual(self.evaluated("--missing", "none")["all"]["entries"], 9)

    def test_listed_entries(self):
        self.write("away.csv", "film,user\nUp,cleo\nJaws,bob\n")
        self.write("r.csv", RATINGS)
        self.run_tool("decompose", "r.csv", "--values", "stars", "--rank", 1, "-o", "m.gkt",
                      "--missing", "away.csv", "--json", "report.json")
        fit = self.read_json("report.json")["fit"]
        found = self.evaluated()
        self.assertAlmostEqual(found["fit"], fit, 10)
        self.assertEqual(found["all"]["entries"], 7)
        # Another tensor's missing entries are not those.
        self.write("s.csv", RATINGS)
        done = self.run_tool("evaluate", "m.gkt", "s.csv", "--values", "stars")
        self.assertIn("m.gkt was made without entries that a list named as missing; here all count",
                      done.stderr)
        given = self.run_json("evaluate", "m.gkt", "s.csv", "--values", "stars", "--missing",
                              "away.csv")
        self.assertAlmostEqual(given["fit"], fit, 10)

    def test_a_list_that_has_changed(self):
        self.write("away.csv", "film,user\nUp,cleo\nJaws,bob\n")
        self.decomposed("--missing", "away.csv")
        self.assertEqual(len(self.read_json("m.gkt.labels.json")["run"]["missing_sha256"]), 64)
        evaluate = ["evaluate", "m.gkt", "r.csv", "--values", "stars"]
        project = ["project", "m.gkt", "r.csv", "--values", "stars", "--mode", "user"]
        for command in evaluate, project:
            self.assertNotIn("warning", self.run_tool(*command).stderr)
        self.write("away.csv", "film,user\nUp,cleo\n")
        for command in evaluate, project:
            self.assertIn("genten: warning: away.csv has changed since the run that made the model",
                          self.run_tool(*command).stderr)
        self.assertNotIn("warning", self.run_tool(*evaluate, "--missing", "away.csv").stderr)
        (self.directory / "away.csv").unlink()
        for command in evaluate, project:
            self.assertIn("m.gkt was made without entries that a list named as missing; here all",
                          self.run_tool(*command).stderr)
        self.write("s.csv", RATINGS)
        done = self.run_tool("project", "m.gkt", "s.csv", "--values", "stars", "--mode", "user")
        self.assertIn("m.gkt was made without entries that a list named as missing; here all count",
                      done.stderr)

    def test_listed_entries_under_a_loss(self):
        self.write("away.csv", "film,user\nUp,cleo\nJaws,bob\n")
        self.decomposed("--loss", "poisson", "--missing", "away.csv")
        found = self.evaluated("--missing", "away.csv")
        all_entries = self.evaluated("--missing", "none")
        zeros = self.write("z.csv", "user,film,stars\ncleo,Up,0\nbob,Jaws,0\n")
        away = self.run_json("evaluate", "m.gkt", zeros, "--values", "stars", "--missing", "none")
        for name in ("loss", "deviance"):
            self.assertAlmostEqual(found["all"][name],
                                   all_entries["all"][name] - away["listed"][name], 9)
        self.assertAlmostEqual(found["all"]["mean_loss"], found["all"]["loss"] / 7, 12)

    def test_a_binary_tensor_has_no_duplicates_to_merge(self):
        fit = self.decomposed("--duplicates", "mean")
        self.run_tool("convert", "r.csv", "r.gtn", "--values", "stars", "--duplicates", "mean")
        self.assertAlmostEqual(self.run_json("evaluate", "m.gkt", "r.gtn")["fit"], fit, 12)

    def test_rules_that_were_changed_are_not_used(self):
        self.decomposed("--duplicates", "mean")
        beside = self.directory / "m.gkt.labels.json"
        beside.write_text(beside.read_text().replace('"mean"', '"last"'))
        done = self.run_tool("evaluate", "m.gkt", "r.csv", "--values", "stars")
        self.assertIn("the run in m.gkt.labels.json is not used: its run was ch", done.stderr)

    def test_update_and_project_inherit(self):
        self.decomposed("--duplicates", "mean")
        self.write("n.csv", "user,film,stars\ndan,Up,4\ndan,Up,2\n")
        told = self.run_tool("project", "m.gkt", "n.csv", "--values", "stars", "--mode",
                             "user").stdout
        self.assertIn("options   loss gaussian, duplicates mean, of m.gkt.labels.json", told)
        self.assertIn("1 duplicate of the file merged into means", told)
        for file in ("m.gkt", "s.gkt"):
            mode = ("--mode", "user") if file == "m.gkt" else ()
            self.write("n.csv", f"user,film,stars\n{file},Up,4\n{file},Up,2\n")
            told = self.run_tool("update", file, "n.csv", "--values", "stars", *mode, "-o",
                                 "s.gkt").stdout
            self.assertIn("duplicates mean, of " + file, told)

    def test_update_refuses_a_run_with_missing_entries(self):
        self.decomposed("--duplicates", "mean", "--missing", "unlisted")
        done = self.run_tool("update", "m.gkt", "r.csv", "--values", "stars", "--mode", "user",
                             expect=WRONG_USAGE)
        self.assertIn("m.gkt.labels.json: its run had missing entries", done.stderr)

    def test_a_stream_goes_on_though_its_first_run_had_missing_entries(self):
        self.decomposed("--missing", "unlisted")
        self.write("n.csv", "user,film,stars\ndan,Up,4\n")
        self.run_tool("update", "m.gkt", "n.csv", "--values", "stars", "--mode", "user", "--run",
                      "none", "-o", "m.gkt")
        self.write("n.csv", "user,film,stars\neve,Up,4\n")
        self.run_tool("update", "m.gkt", "n.csv", "--values", "stars")

    def test_the_report_of_another_run_is_none(self):
        self.write("r.csv", RATINGS)
        run = ("decompose", "r.csv", "--values", "stars", "--rank", 1, "-o", "m.gkt")
        self.run_tool(*run, "--missing", "unlisted", "--json", "m.json")
        found = self.evaluated()
        self.assertEqual(found["all"]["entries"], 6)
        self.run_tool(*run)
        self.assertEqual(self.evaluated()["all"]["entries"], 9)

    def test_rows_by_number_without_values_are_told_of(self):
        self.write("s.csv", "shop,week,n\n" + "".join(f"{s},{w},{w + 1}\n" for s in "ab"
                                                     for w in range(6)))
        self.write("few.csv", "shop,week,n\na,1,2\nb,4,5\n")
        for base, names, zeros in ((0, '"0", "2", "3" and 1 more', "8 of 12"),
                                   (1, '"2", "3", "5"', "6 of 10")):
            if base == 1:
                self.write("s.csv", (self.directory / "s.csv").read_text().replace(",0,", ",1,"))
            self.run_tool("decompose", "s.csv", "--values", "n", "--rank", 1, "-o", "m.gkt",
                          "--index-base", base)
            told = self.run_tool("evaluate", "m.gkt", "few.csv", "--values", "n").stderr
            self.assertEqual(told, "genten: note: mode 2 (week): m.gkt has rows that few.csv lacks"
                             f": {names}; {zeros} entries, in such rows, are compared with "
                             "zeros: --partial week leaves them out\n")
        self.assertEqual(self.run_tool("evaluate", "m.gkt", "s.csv", "--values", "n").stderr, "")


if __name__ == "__main__":
    unittest.main()
