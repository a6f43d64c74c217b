#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where two files both have names of rows, rows go by these, wherever they stand."""
import csv
import hashlib
import json
import random
import unittest

from cli_support import FILE_TROUBLE, WRONG_USAGE, Model, ToolTest

NAMES = [["red", "green", "blue"], ["Oslo", "Rome", "Paris", "Kyiv"], ["yes", "no"]]
MODES = ["colour", "town", "answer"]
MIXED = "user,item,n\n17,p,1\n22,q,2\nA3,p,3\n17,q,5\n"
"""Users are names, since one of them is no number."""


class Names(ToolTest):
    def setUp(self):
        super().setUp()
        chance = random.Random(4)
        self.entries = {(a, b, c): round(chance.uniform(1, 9), 3) + 5 * (len(a) == 4)
                        for a in NAMES[0] for b in NAMES[1] for c in NAMES[2]
                        if chance.random() < 0.9}
        self.put("t.tns", NAMES)
        self.run_tool("decompose", "t.tns", "--rank", 2, "-o", "m.ktensor", "-q")
        # Other towns first, and one row more in front.
        self.others = [["blue", "red", "green"], ["Rome", "Kyiv", "Paris", "Oslo"], ["no", "yes"]]

    def sidecar(self, name, labels, modes=MODES):
        digest = hashlib.sha256((self.directory / name).read_bytes()).hexdigest()
        self.write(name + ".labels.json", json.dumps(
            {"format": "genten labels", "version": 1, "sha256": digest, "labels": labels,
             "shape": [len(each) for each in labels], "mode_names": modes}))

    def put(self, name, labels, modes=MODES, entries=None):
        """The entries as these names number the rows, in modes of this order."""
        order = [MODES.index(mode) if mode in MODES else n for n, mode in enumerate(modes)]
        entries = self.entries if entries is None else entries
        self.write(name, "".join(
            " ".join(str(labels[k].index(at[order[k]]) + 1) for k in range(3)) + f" {value}\n"
            for at, value in sorted(entries.items(), key=str)))
        self.sidecar(name, labels, modes)

    def test_evaluate(self):
        expected = self.run_json("evaluate", "m.ktensor", "t.tns")
        self.put("other.tns", self.others)
        found = self.run_json("evaluate", "m.ktensor", "other.tns")
        for name in ("residual_norm", "mae", "deviance"):
            self.assertAlmostEqual(found["all"][name], expected["all"][name], 9)
        self.assertAlmostEqual(found["fit"], expected["fit"], 12)
        (self.directory / "other.tns.labels.json").unlink()
        by_number = self.run_json("evaluate", "m.ktensor", "other.tns")
        self.assertLess(by_number["fit"], expected["fit"] - 0.01)

    def test_evaluate_with_modes_in_another_order(self):
        expected = self.run_json("evaluate", "m.ktensor", "t.tns")["fit"]
        turned = ["town", "answer", "colour"]
        self.put("other.tns", [self.others[1], self.others[2], self.others[0]], turned)
        self.assertAlmostEqual(self.run_json("evaluate", "m.ktensor", "other.tns")["fit"],
                               expected, 12)
        # Neither the same order nor the same names.
        self.put("other.tns", [self.others[1], self.others[0], self.others[2]],
                 ["town", "colour", "reply"])
        done = self.run_tool("evaluate", "m.ktensor", "other.tns", expect=FILE_TROUBLE)
        self.assertIn('m.ktensor: mode 2 is called "town", which is mode 1 of other.tns',
                      done.stderr)

    def test_rows_that_one_side_lacks_are_told(self):
        few = {at: value for at, value in self.entries.items() if at[1] != "Rome"}
        self.put("few.tns", [NAMES[0], ["Kyiv", "Oslo", "Paris"], NAMES[2]], entries=few)
        done = self.run_tool("evaluate", "m.ktensor", "few.tns", "--json", "few.json")
        self.assertIn('note: mode 2 (town): m.ktensor has a row that few.tns lacks: "Rome"',
                      done.stderr)
        self.put("same.tns", NAMES, entries=few)
        self.assertAlmostEqual(self.read_json("few.json")["fit"],
                               self.run_json("evaluate", "m.ktensor", "same.tns")["fit"], 12)
        more = {**self.entries, ("red", "Bonn", "no"): 3.5}
        self.put("more.tns", [NAMES[0], ["Bonn", *NAMES[1]], NAMES[2]], entries=more)
        done = self.run_tool("evaluate", "m.ktensor", "more.tns", expect=FILE_TROUBLE)
        self.assertIn('mode 2 (town): more.tns has a row that m.ktensor lacks: "Bonn"',
                      done.stderr)
        self.put("unused.tns", [NAMES[0], ["Bonn", *NAMES[1]], NAMES[2]])
        done = self.run_tool("evaluate", "m.ktensor", "unused.tns")
        self.assertIn('note: mode 2 (town): unused.tns has a row that m.ktensor lacks: "Bonn"',
                      done.stderr)

    def test_predict(self):
        self.put("entries.tns", self.others)
        done = self.run_tool("predict", "m.ktensor", "entries.tns", "-q")
        model = Model(self.directory / "m.ktensor")
        lines = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual(len(lines), len(self.entries))
        for *at, value in lines:
            rows = [NAMES[n].index(self.others[n][int(i) - 1]) for n, i in enumerate(at)]
            self.assertAlmostEqual(float(value), model.entry(rows), 9)
        more = {("red", "Bonn", "no"): 1}
        self.put("more.tns", [NAMES[0], ["Bonn", "Rome"], NAMES[2]], entries=more)
        done = self.run_tool("predict", "m.ktensor", "more.tns", expect=FILE_TROUBLE)
        self.assertIn('more.tns has a row that m.ktensor lacks: "Bonn"', done.stderr)

    def test_init(self):
        self.put("other.tns", self.others)
        fit = self.run_json("evaluate", "m.ktensor", "t.tns")["fit"]
        result = self.run_json("decompose", "other.tns", "--init", "m.ktensor",
                               "--max-iterations", 0, "-q")
        self.assertAlmostEqual(result["fit"], fit, 9)
        turned = ["town", "answer", "colour"]
        self.put("other.tns", [self.others[1], self.others[2], self.others[0]], turned)
        result = self.run_json("decompose", "other.tns", "--init", "m.ktensor",
                               "--max-iterations", 0, "-q")
        self.assertAlmostEqual(result["fit"], fit, 9)
        self.put("other.tns", [NAMES[0], ["Bern", *NAMES[1][1:]], NAMES[2]],
                 entries={at: x for at, x in self.entries.items() if at[1] != "Oslo"})
        done = self.run_tool("decompose", "other.tns", "--init", "m.ktensor", expect=FILE_TROUBLE)
        self.assertIn('mode 2 (town): m.ktensor has a row that other.tns lacks: "Oslo"',
                      done.stderr)

    def test_compare(self):
        self.put("other.tns", self.others)
        self.run_tool("decompose", "other.tns", "--init", "m.ktensor", "--max-iterations", 0,
                      "-o", "other.ktensor", "-q")
        score = self.run_json("compare", "m.ktensor", "other.ktensor")["score"]
        self.assertAlmostEqual(score, 1, 9)
        (self.directory / "other.ktensor.labels.json").unlink()
        self.assertLess(self.run_json("compare", "m.ktensor", "other.ktensor")["score"], 0.99)
        self.sidecar("other.ktensor", [self.others[0], ["Rome", "Kyiv", "Paris", "Bern"],
                                       self.others[2]])
        done = self.run_tool("compare", "m.ktensor", "other.ktensor")
        self.assertIn('m.ktensor has a row that other.ktensor lacks: "Oslo"; rows that both have '
                      "are compared", done.stderr)
        self.assertIn('other.ktensor has a row that m.ktensor lacks: "Bern"', done.stderr)
        self.assertRegex(done.stdout, r"score with weights +1\.0000000")
        self.sidecar("other.ktensor", [self.others[0], list("abcd"), self.others[2]])
        done = self.run_tool("compare", "m.ktensor", "other.ktensor", expect=FILE_TROUBLE)
        self.assertRegex(done.stderr, r'mode 2 \(town\): m.ktensor and other.ktensor have no row '
                         r'in common, as "\w+" and "a" are none: only models of the same rows, '
                         r"called alike in both, can be compared; --modes colour,answer scores "
                         r"models of .*; where only the names differ, "
                         r"genten convert MODEL NEW --labels FILE,... gives a model others\n")

    def test_compare_with_an_update_whose_rows_are_numbers(self):
        def table(weeks):
            return "user,week,shop,n\n" + "".join(
                f"{user},{week},{shop},{1 + (week + len(user)) % 4 + 5 * (shop == 'x')}\n"
                for user in ("ann", "bert") for week in weeks for shop in "xy")
        self.write("a.csv", table(range(1, 11)))
        self.write("b.csv", table((0, 1)))
        self.run_tool("decompose", "a.csv", "--values", "n", "--rank", 2, "-o", "a.gkt", "-q")
        self.run_tool("update", "a.gkt", "b.csv", "--values", "n", "--mode", "week", "-o", "u.gkt")
        for _ in range(2):
            done = self.run_tool("compare", "a.gkt", "u.gkt")
            self.assertRegex(done.stdout, r"score without weights +0\.9")
            self.assertIn("u.gkt has rows that a.gkt lacks: ", done.stderr)
            self.assertIn("; rows that both have are compared", done.stderr)
            self.assertRegex(self.run_tool("compare", "u.gkt", "a.gkt").stdout, "weights +0.9")
            for file in "a.gkt.labels.json", "u.gkt.labels.json":  # and then without all names
                (self.directory / file).unlink(missing_ok=True)
        done = self.run_tool("project", "a.gkt", "b.csv", "--values", "n", "--mode", "week",
                             expect=WRONG_USAGE)
        self.assertIn("since modes have no names here, got 'week': there is no a.gkt.labels.json, "
                      "which is written beside a model", done.stderr)

    def test_missing(self):
        """Entries of other numbers are missing, and so others count."""
        gone = {at: 1 for at in list(self.entries)[:5]}
        self.put("gone.tns", NAMES, entries=gone)
        self.put("named.tns", self.others, entries=gone)
        run = ("decompose", "t.tns", "--rank", 2, "--max-iterations", 5, "-q", "--missing")
        expected = self.run_json(*run, "gone.tns")
        self.assertEqual(self.run_json(*run, "named.tns")["residual_norm"],
                         expected["residual_norm"])
        self.put("gone.tns", [["mauve", *NAMES[0]], NAMES[1], NAMES[2]],
                 entries={("mauve", "Oslo", "no"): 1})
        done = self.run_tool(*run, "gone.tns", "--json", "x.json", expect=FILE_TROUBLE)
        self.assertIn('gone.tns has a row that t.tns lacks: "mauve"', done.stderr)

    def test_a_name_of_several_rows_is_refused_where_it_is_asked_for(self):
        doubled = [["blue", "red", "red"], *self.others[1:]]
        self.write("two.tns", "1 1 1 2\n3 4 2 1\n")
        self.sidecar("two.tns", doubled)
        done = self.run_tool("evaluate", "m.ktensor", "two.tns", expect=FILE_TROUBLE)
        self.assertIn('several rows of m.ktensor or two.tns are called "red"', done.stderr)


class NearNames(ToolTest):
    def test_those_that_differ_by_digits_hide_no_other_one(self):
        self.write("w.csv", "week,film,x\nweek12,Up,1\nweak13,Up,2\n")
        self.run_tool("decompose", "w.csv", "--values", "x", "--rank", 1, "-q", "-o", "w.gkt")
        for name, meant in (("week13", ' (is "weak13" meant?)'), ("1312", "")):
            self.write("c.csv", f"week,film\n{name},Up\n")
            done = self.run_tool("predict", "w.gkt", "c.csv", expect=FILE_TROUBLE)
            self.assertIn(f'lacks: "{name}", in line 2{meant}; ', done.stderr)

    def test_a_column_of_fractions_beside_the_values_alone(self):
        self.write("p.csv", "price,n\n2.5,3\n1.75,4\n")
        done = self.run_tool("info", "p.csv", "--values", "n", expect=FILE_TROUBLE)
        self.assertIn("; the values are in column 'n', and a table needs a column for each mode "
                      "beside them", done.stderr)
        self.assertNotIn("--modes", done.stderr)


class Checksum(ToolTest):
    def test_a_changed_name_is_told(self):
        self.write("t.tns", "1 1 1\n2 2 2\n")
        self.write("a.labels", "alpha\nbeta\n")
        self.run_tool("convert", "t.tns", "u.tns", "--labels", "a.labels,", "-q")
        path = self.directory / "u.tns.labels.json"
        told = json.loads(path.read_text())
        names = {key: told.get(key) for key in ("index_base", "labels", "mode_names", "shape")}
        text = json.dumps(names, ensure_ascii=False, separators=(",", ":"))
        self.assertEqual(told["names_sha256"], hashlib.sha256(text.encode()).hexdigest())
        run = ("decompose", "u.tns", "--rank", 1, "--top", 2, "-q")
        self.assertIn("alpha", self.run_tool(*run).stdout)
        path.write_text(path.read_text().replace("alpha", "alphb"))
        done = self.run_tool(*run)
        self.assertNotIn("alphb", done.stdout)
        self.assertIn("its names were changed after it was written", done.stderr)
        del told["names_sha256"]  # as files of before
        path.write_text(json.dumps(told))
        self.assertIn("alpha", self.run_tool(*run).stdout)


class NewRows(ToolTest):
    """A model that lacks rows of the tensor that it is to begin at."""

    def setUp(self):
        super().setUp()
        rows = [f"u{u},f{f},{1 + (u * f) % 5}" for u in range(6) for f in range(4)]
        self.write("all.csv", "\n".join(["user,film,x", *rows]) + "\n")
        self.write("old.csv", "\n".join(["user,film,x", *rows[:-8]]) + "\n")
        self.run_tool("decompose", "old.csv", "--values", "x", "--rank", 2, "-o", "old.gkt")

    def begun(self, *more, **how):
        return self.run_tool("decompose", "all.csv", "--values", "x", "--init", "old.gkt", *more,
                             **how)

    def test_begin_at_the_mean(self):
        done = self.begun("--max-iterations", 0, "-o", "begun.ktensor")
        self.assertIn("genten: note: mode 1 (user): all.csv has rows that old.gkt lacks: \"u4\", "
                      "\"u5\"; these begin at the mean of the other rows\n", done.stderr)
        factor = Model(self.directory / "begun.ktensor").factors[0]
        for r in range(2):
            mean = sum(row[r] for row in factor[:4]) / 4
            self.assertAlmostEqual(factor[4][r], mean, 12)
            self.assertAlmostEqual(factor[5][r], mean, 12)

    def test_of_a_fixed_mode_are_refused(self):
        done = self.begun("--fixed-modes", "user", expect=FILE_TROUBLE)
        self.assertIn("rows of a fixed mode cannot be guessed", done.stderr)

    def test_a_table_without_the_column_of_a_mode(self):
        self.write("g.csv", "film,x\nf1,3\n")
        done = self.run_tool("project", "old.gkt", "g.csv", "--mode", "user", expect=FILE_TROUBLE)
        self.assertIn("expected columns called as the modes of old.gkt, user, film, got film, x, "
                      "none called user: put the line user,film before a first line that is an "
                      "entry, or add the column user\n", done.stderr)
        self.write("g.csv", "film,person,x\nf1,u1,3\n")
        done = self.run_tool("project", "old.gkt", "g.csv", "--mode", "user", expect=FILE_TROUBLE)
        self.assertIn("as in --modes person,film\n", done.stderr)
        self.run_tool("project", "old.gkt", "g.csv", "--mode", "user", "--modes", "person,film")

    def test_a_table_beside_the_model_of_a_binary_file(self):
        self.run_tool("convert", "old.csv", "old.gtn", "--values", "x", "-q")
        self.run_tool("decompose", "old.gtn", "--rank", 1, "-q", "-o", "m.gkt")
        self.write("g.csv", "film,user,euros,y\nf1,u1,2.5,9\n")
        done = self.run_tool("evaluate", "m.gkt", "g.csv", expect=FILE_TROUBLE)
        self.assertIn("columns euros, y are none of the modes user, film: which one has the "
                      'values, as "x" in the run? --values COLUMN says so\n', done.stderr)
        self.run_tool("evaluate", "m.gkt", "g.csv", "--values", "y")

    def test_advice_names_the_column_at_fault(self):
        project = ("project", "old.gkt", "g.csv", "--mode", "user")
        for header, modes in (("till,User,film,x", "User,film"), ("till,film,who,x", None)):
            self.write("g.csv", f"{header}\nt1,u1,f1,3\n")
            told = self.run_tool(*project, expect=FILE_TROUBLE).stderr
            self.assertIn("as in --modes " + (modes or "COLUMN,film, where COLUMN is that of user, "
                                              "one of till, who") + "\n", told)
        # A column that is called as a row is makes no entry of the header.
        self.write("g.csv", "film,person,u1,x\nf1,u1,7,3\n")
        self.assertIn("none called user", self.run_tool(*project, expect=FILE_TROUBLE).stderr)

    def test_a_table_with_other_values(self):
        self.write("g.csv", "film,user,n,euros\nf1,u1,3,9\n")
        done = self.run_tool("project", "old.gkt", "g.csv", "--mode", "user", expect=FILE_TROUBLE)
        self.assertTrue(done.stderr.endswith(
            "columns n, euros are none of the modes user, film: which one has the values, as \"x\" "
            "in the run? --values COLUMN says so\n"), done.stderr)

    def test_that_the_tensor_lacks_are_refused(self):
        self.begun("-o", "all.gkt")
        done = self.run_tool("decompose", "old.csv", "--values", "x", "--init", "all.gkt",
                             expect=FILE_TROUBLE)
        self.assertIn('all.gkt has rows that old.csv lacks: "u4", "u5"', done.stderr)

    def test_without_names_are_those_behind_the_others(self):
        for form, head, values, base in (("tns", "", (), 1),
                                         ("csv", "i,j,x\n", ("--values", "x"), 0)):
            a, b, sign = f"a.{form}", f"b.{form}", " " if form == "tns" else ","
            lines = [f"{i + base} {base} {x}".replace(" ", sign) for i, x in enumerate((5, 4, 1))]
            self.write(a, head + "\n".join(lines[:2]) + "\n")
            self.write(b, head + "\n".join(lines) + "\n")
            self.run_tool("decompose", a, *values, "--rank", 1, "-q", "-o", "a.gkt")
            # As the way out of `evaluate` has it.
            done = self.run_tool("decompose", b, *values, "--init", "a.gkt", "-o", "b.gkt")
            self.assertIn(f'b.{form} has a row that a.gkt lacks: "{base + 2}"; these begin at the '
                          "mean of the other rows\n", done.stderr)
            done = self.run_tool("decompose", a, *values, "--init", "b.gkt", expect=WRONG_USAGE)
            self.assertIn("; --dimensions 3,1 says so where rows have no entries\n", done.stderr)
            self.run_tool("decompose", a, *values, "--init", "b.gkt", "--dimensions", "3,1")


class MixedTable(ToolTest):
    def decomposed(self, table, *more):
        self.write("t.csv", table)
        self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1, "-q", "-o", "m.gkt",
                      *more)

    def new(self, *lines):
        self.write("new.csv", "user,item,n\n" + "\n".join(lines) + "\n")

    def run_new(self, command, *more, **how):
        return self.run_tool(command, "m.gkt", "new.csv", "--values", "n", *more, **how)

    def rows(self):
        with open(self.directory / "rows.csv", newline="") as file:
            return [row["mode 1" if "mode 1" in row else "user"] for row in csv.DictReader(file)]


class Numbers(MixedTable):
    def test_go_by_names_that_are_numbers(self):
        self.decomposed(MIXED)
        entries = {}
        for order in (("17,q,5", "22,q,2"), ("22,q,2", "17,q,5")):
            self.new(*order)
            self.write("entries.csv", "user,item\n" + "\n".join(line[:-2] for line in order) + "\n")
            told = self.run_tool("predict", "m.gkt", "entries.csv").stdout.splitlines()[1:]
            for line in told:
                user, _, value = line.split(",")
                self.assertEqual(entries.setdefault(user, value), value)
            self.assertIn("lacks: \"A3\"", self.run_new("evaluate").stderr)
        self.assertGreater(float(entries["17"]), float(entries["22"]))
        self.new("9,q,5", "1000007,q,1")
        self.assertIn('rows that m.gkt lacks: "9", "1000007"',
                      self.run_new("evaluate", expect=FILE_TROUBLE).stderr)

    def test_as_new_slices_of_a_mode_with_names(self):
        self.decomposed(MIXED)
        self.new("1000007,q,5", "9,p,1")
        done = self.run_new("project", "--mode", "user", "--rows", "rows.csv")
        self.assertEqual(self.rows(), ["9", "1000007"])
        self.assertNotIn("no entries", done.stdout)
        done = self.run_new("update", "--mode", "user", "-o", "s.gkt")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.read_json("s.gkt.labels.json")["labels"][0],
                         ["17", "22", "A3", "9", "1000007"])
        self.new("17,q,5")
        done = self.run_new("update", "--mode", "user", "-o", "s.gkt", expect=FILE_TROUBLE)
        self.assertIn('slice "17" is in m.gkt already', done.stderr)

    def test_that_are_ids_leave_rows_empty(self):
        self.decomposed("user,item,n\n1,p,1\n2,q,2\n3,p,3\n1,q,5\n")
        self.new("3007,q,5", "9,p,1")
        done = self.run_new("project", "--mode", "user")
        self.assertIn("note      3006 of 3008 rows have no entries: are these slices ids? A model "
                      "of a tensor without empty slices (genten decompose --compact) takes ids for "
                      "names\n", done.stdout)
        done = self.run_new("update", "--mode", "user", "-o", "s.gkt", expect=FILE_TROUBLE)
        self.assertIn("genten: new.csv: each batch numbers its slices of mode 1 from 0, and the "
                      "first one here is 9: 9 rows without entries would follow the 4 of "
                      "the model; if these are ids, a model of a tensor whose numbers are names "
                      "(genten decompose --compact) takes them as they are, and refuses slices "
                      "that it has; else subtract 4\n", done.stderr)
        self.run_tool(*done.stderr.split("(genten ")[1].split(")")[0].split(), "t.csv", "--values",
                      "n", "--rank", 1, "-q", "-o", "ids.gkt")
        self.run_tool("update", "ids.gkt", "new.csv", "--values", "n", "--mode", "user", "-o",
                      "s.gkt")
        (self.directory / "s.gkt").unlink()
        self.assertFalse((self.directory / "s.gkt").exists())
        self.new("3007,q,5", "2,p,1")
        done = self.run_new("update", "--mode", "user", "-o", "s.gkt")
        self.assertIn("genten: note: new.csv: 3006 of 3008 slices of mode 1 become rows without "
                      "entries, slice 2 row 6 of the model", done.stderr)
        self.assertIn('lacks: "3007"', self.run_new("evaluate", expect=FILE_TROUBLE).stderr)
        self.new("u3007,q,5", "u9,p,1")
        done = self.run_new("project", "--mode", "user", "--rows", "rows.csv")
        self.assertEqual(self.rows(), ["u3007", "u9"])

    def test_count_anew_in_each_file(self):
        self.decomposed("user,item,n\n0,p,1\n1,q,2\n")
        self.new("0,p,1", "1,q,2", "2,p,5")
        done = self.run_new("update", "--mode", "user", "-o", "s.gkt")
        self.assertIn("genten: note: new.csv: 3 slices of mode 1, where the model has 2: if these "
                      "are among them, leave them out, since in each file slices count from 0, and "
                      "slice 0 becomes row 2 of the model\n", done.stderr)

    def test_the_rows_that_they_become_are_told(self):
        table = "user,item,n\n0,p,1\n1,q,2\n"
        self.decomposed(table)
        self.new("0,p,5")
        ask = ("--mode", "user", "-o", "s.gkt")
        again = ("update", "s.gkt", "new.csv", "--values", "n", "-o", "s.gkt")
        for row, command in ((2, None), (3, again)):
            done = self.run_tool(*command) if command else self.run_new("update", *ask)
            self.assertEqual(done.stderr, "")
            self.assertRegex(done.stdout, rf"(?m)^slices +new.csv: .*, as row {row} of mode 1$")
        self.new("0,p,5", "1,p,5")
        self.assertIn(", as rows 4 to 5 of mode 1\n", self.run_tool(*again).stdout)
        self.decomposed(table, "--compact")
        self.new("2,p,5", "3,q,1")
        done = self.run_new("update", *ask)
        self.assertEqual(done.stderr, "")
        self.assertNotIn(", as row", done.stdout)
        done = self.run_tool("update", "s.gkt", "new.csv", "--values", "n", expect=FILE_TROUBLE)
        self.assertIn('slice "2" and 1 more are in s.gkt already', done.stderr)

    def test_numbers_beside_labels_of_rows_are_names(self):
        self.write("users", "zoe\nann\nbob\ncleo\n")
        self.decomposed("user,item,n\n1,p,1\n2,q,2\n3,p,3\n1,q,5\n", "--labels", "users,")
        self.new("1,q,5")
        self.assertIn('new.csv has a row that m.gkt lacks: "1"',
                      self.run_new("evaluate", expect=FILE_TROUBLE).stderr)
        self.new("ann,q,5")
        self.assertEqual(self.run_new("evaluate").returncode, 0)

    def test_names_need_a_model_with_names(self):
        self.write("u.tns", "1 1 1\n2 2 2\n3 1 3\n1 2 4\n")
        self.run_tool("decompose", "u.tns", "--rank", 1, "-q", "-o", "m.gkt")
        self.new("x,p,1", "y,q,2", "z,p,3")
        said = ('new.csv names the rows of mode 1 (user), as "x": expected names of those of '
                "m.gkt, got none; genten convert m.gkt NEW --labels FILE,FILE gives a model names, "
                "from files with a line for each row\n")
        for done in (self.run_new("evaluate", expect=FILE_TROUBLE),
                     self.run_tool("decompose", "new.csv", "--values", "n", "--init", "m.gkt",
                                   "--top", 1, expect=FILE_TROUBLE)):
            self.assertIn(said, done.stderr)
        (self.directory / "m.gkt.labels.json").unlink()
        lack = ": there is no m.gkt.labels.json"  # a note has said the rest
        self.assertIn("got none" + lack + "; genten convert",
                      self.run_new("evaluate", expect=FILE_TROUBLE).stderr)
        self.assertIn(":1: expected columns as the modes of m.gkt are called, which have no names" +
                      lack + "; or say which columns are its modes, in their order, as in --modes "
                      "user,item\n",
                      self.run_tool("predict", "m.gkt", "new.csv", expect=FILE_TROUBLE).stderr)
        done = self.run_tool("show", "m.gkt")
        self.assertEqual(done.stderr, "genten: note: rows have numbers, from 1, in place of names" +
                         lack + ", which is written beside a model: was it copied without? Copy "
                         "that, too, or name them by --labels\n")
        self.assertEqual(self.run_tool("show", "m.gkt", "-q").stderr, "")
        for name, rows in (("users", "x\ny\nz\n"), ("items", "p\nq\n")):
            self.write(name, rows)
        self.run_tool("convert", "m.gkt", "n.gkt", "--labels", "users,items")
        self.run_tool("evaluate", "n.gkt", "new.csv", "--values", "n", "--modes", "user,item")

    def test_behind_zeros_are_names(self):
        self.decomposed("zip,item,n\n01234,p,1\n1234,q,2\n98765,p,3\n")
        self.assertEqual(self.read_json("m.gkt.labels.json")["labels"],
                         [["01234", "1234", "98765"], ["p", "q"]])
        self.write("entries.csv", "zip,item\n98765,p\n")
        told = self.run_tool("predict", "m.gkt", "entries.csv").stdout
        self.assertIn("\n98765,p,", told)


class Replaced(MixedTable):
    def test_models_are_told(self):
        self.decomposed(MIXED)
        self.new("18,q,5")
        said = "written to m.gkt, in place of the model as it was; -o FILE keeps that\n"
        self.assertIn(said, self.run_new("update", "--mode", "user").stdout)
        self.new("19,q,5")
        self.assertIn(said, self.run_new("update").stdout)
        self.new("20,q,5")
        self.assertIn("written to s.gkt\n", self.run_new("update", "-o", "s.gkt").stdout)

    def test_slices_that_are_there_are_told_with_the_ways_out(self):
        self.decomposed(MIXED)
        self.new("17,q,5")
        done = self.run_new("update", "--mode", "user", expect=FILE_TROUBLE)
        rest = ("; rows that old slices have gained need all data: genten decompose ALL --init "
                "m.gkt")
        self.assertIn('slice "17" is in m.gkt already (mode 1 (user)): expected the file to have '
                      "slices that are new" + rest, done.stderr)
        self.new("17,q,5", "18,q,1", "22,p,1", "A3,p,1")
        done = self.run_new("update", "--mode", "user", expect=FILE_TROUBLE)
        self.assertIn('slice "17" and 2 more are in m.gkt already (mode 1 (user)): expected the '
                      "file to leave out their rows, which are old" + rest, done.stderr)
        self.new("93,q,5")
        done = self.run_tool("update", "m.gkt", "new.csv", "new.csv", "--values", "n", "--mode",
                             "user", "-o", "s.gkt", expect=FILE_TROUBLE)
        self.assertIn('new.csv: slice "93" is in new.csv already (mode 1 (user)): ', done.stderr)
        self.new("18,q,1")
        self.run_new("update", "--mode", "user")
        done = self.run_new("update", "--mode", "item", expect=WRONG_USAGE)
        self.assertIn("--mode: expected 1 (user), in which slices of m.gkt have arrived so far, "
                      "got item", done.stderr)


if __name__ == "__main__":
    unittest.main()
