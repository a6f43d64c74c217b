#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where two files both have names of rows, rows go by these, wherever they stand."""
import hashlib
import json
import random
import unittest

from cli_support import FILE_TROUBLE, Model, ToolTest

NAMES = [["red", "green", "blue"], ["Oslo", "Rome", "Paris", "Kyiv"], ["yes", "no"]]
MODES = ["colour", "town", "answer"]


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
        self.put("cells.tns", self.others)
        done = self.run_tool("predict", "m.ktensor", "cells.tns", "-q")
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
        self.assertIn('mode 2 (town): other.tns has a row that m.ktensor lacks: "Bern"',
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
        done = self.run_tool("compare", "m.ktensor", "other.ktensor", expect=FILE_TROUBLE)
        self.assertIn('m.ktensor has a row that other.ktensor lacks: "Oslo"', done.stderr)

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
        self.assertIn("its names are not those any more that it was written with", done.stderr)
        del told["names_sha256"]  # as files of before
        path.write_text(json.dumps(told))
        self.assertIn("alpha", self.run_tool(*run).stdout)


if __name__ == "__main__":
    unittest.main()
