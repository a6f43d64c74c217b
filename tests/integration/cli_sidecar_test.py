#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names beside a file, FILE.labels.json, as the Python package writes them."""
import hashlib
import json
import shutil
import unittest

from cli_support import TITANIC, TITANIC_LABELS, ToolTest

SHAPE = [4, 2, 2, 2]
LABELS = [["first", "second", "third", "crew"], ["man", "woman"], None, ["lost", "saved"]]


class Sidecar(ToolTest):
    def setUp(self):
        super().setUp()
        shutil.copy(TITANIC, self.directory / "t.tns")

    def put(self, name, **changes):
        """The names beside a file, with what is otherwise than the Python package has it."""
        digest = hashlib.sha256((self.directory / name).read_bytes()).hexdigest()
        told = {"format": "genten labels", "version": 1, "sha256": digest, "shape": SHAPE,
                "mode_names": ["class", "sex", "age", "fate"], "labels": LABELS, **changes}
        self.write(name + ".labels.json", json.dumps(told))

    def top(self, *arguments):
        return self.run_tool("decompose", "t.tns", "--rank", 2, "--top", 3, "-q", *arguments)

    def refused(self, why):
        done = self.top()
        self.assertNotIn("crew", done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("genten: warning: t.tns.labels.json is not used: ", done.stderr)
        self.assertIn(why, done.stderr)

    def test_names_rows_and_modes(self):
        self.put("t.tns")
        done = self.top()
        self.assertEqual(done.stderr, "")
        for word in ("mode 1 (class)", "mode 4 (fate)", " crew", " man", " lost"):
            self.assertIn(word, done.stdout)
        result = self.run_json("decompose", "t.tns", "--rank", 2, "--json-factors")
        self.assertEqual(result["labels"], LABELS)

    def test_labels_that_are_given_go_before_it(self):
        self.put("t.tns")
        text = self.top("--labels", TITANIC_LABELS).stdout
        self.assertIn(" Crew", text)
        self.assertNotIn(" crew", text)

    def test_is_not_looked_at_where_nothing_is_named(self):
        self.write("t.tns.labels.json", "no JSON")
        self.assertEqual(self.run_tool("decompose", "t.tns", "--rank", 2).stderr, "")

    def test_of_another_content_is_noted_and_not_used(self):
        self.put("t.tns")
        with open(self.directory / "t.tns", "a") as file:
            file.write("# changed\n")
        self.refused("t.tns is not the file any more that it was written with")

    def test_that_does_not_fit_is_noted_and_not_used(self):
        for changes, why in (({"shape": [3, 2, 2, 2]}, "its shape is [3,2,2,2]"),
                             ({"shape": [4, 2, 2]}, "its shape is [4,2,2]"),
                             ({"index_base": 0}, "its subscripts count from 0"),
                             ({"version": 2}, "its version is 2"),
                             ({"format": "others"}, "its format is not"),
                             ({"labels": [["a"], None, None, None]}, "not as many"),
                             ({"labels": [[1, 2, 3, 4], None, None, None]}, "must be string"),
                             ({"mode_names": ["a"]}, "names of modes")):
            with self.subTest(why):
                self.put("t.tns", **changes)
                self.refused(why)
        self.write("t.tns.labels.json", "{")
        self.refused("not as the Python package writes it")

    def test_of_a_longer_shape_fits_a_text_without_one(self):
        self.put("t.tns", shape=[5, 2, 2, 2], index_base=1,
                 labels=[LABELS[0] + ["nobody"], *LABELS[1:]])
        self.assertIn(" crew", self.top().stdout)

    def test_models_have_one_too(self):
        self.run_tool("decompose", "t.tns", "--rank", 2, "-q", "-o", "m.gkt")
        self.put("m.gkt")
        self.run_tool("convert", "--model", "m.gkt", "m.csv")
        self.assertIn("\n1,4,crew,", (self.directory / "m.csv").read_text())

    def test_is_not_looked_at_where_the_output_has_no_room_for_names(self):
        self.run_tool("decompose", "t.tns", "--rank", 2, "-q", "-o", "m.gkt")
        self.write("m.gkt.labels.json", "no JSON")
        self.assertEqual(self.run_tool("convert", "--model", "m.gkt", "m.ktensor").stderr, "")

    def test_goes_with_rows_that_are_kept(self):
        self.write("t.tns", "1 1 1 1 5\n4 2 2 2 7\n")
        self.put("t.tns")
        self.run_tool("convert", "t.tns", "c.tns", "--compact")
        self.assertEqual((self.directory / "c.tns.mode1.labels").read_text(), "first\ncrew\n")
        self.assertNotIn("c.tns.mode3.labels", self.files())


if __name__ == "__main__":
    unittest.main()
