# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables with names in place of tensors: CSV and TSV with a header line."""
import csv
import gzip
import io
import pathlib
import subprocess
import unittest

from cli_support import FILE_TROUBLE, TITANIC, TITANIC_LABELS, TITANIC_MODES, TOOL, WRONG_USAGE
from cli_support import ToolTest

COUNTS = """user,item,week,count
bob,"tea, green",2,5
ann,milk,1,3
bob,milk,2,4
ann,milk,1,1
"""


class Tables(ToolTest):
    def setUp(self):
        super().setUp()
        self.counts = self.write("counts.csv", COUNTS)

    def titanic_table(self):
        """The Titanic as a table whose names come in the order of the labels."""
        labels = [pathlib.Path(name).read_text().split() for name in TITANIC_LABELS.split(",")]
        text = io.StringIO()
        table = csv.writer(text)
        table.writerow([*TITANIC_MODES, "people"])
        for line in TITANIC.read_text().splitlines():
            if not line.startswith("#"):
                *at, value = line.split()
                table.writerow([*(names[int(i) - 1] for names, i in zip(labels, at)), value])
        return self.write("titanic.csv", text.getvalue())

    def test_decompose_names_what_it_finds(self):
        told = self.run_tool("decompose", self.counts, "--values", "count", "--rank", 2, "--top", 2,
                             "--output", "m.gkt").stdout
        self.assertIn("2 x 2 x 3, 3 nonzeros, density 0.25, 1 duplicate of the file summed", told)
        self.assertIn("mode 2 (item)", told)
        self.assertIn("tea, green", told)
        beside = self.read_json("m.gkt.labels.json")
        self.assertEqual(beside["mode_names"], ["user", "item", "week"])
        self.assertEqual(beside["labels"], [["ann", "bob"], ["milk", "tea, green"], None])

    def test_a_number_is_told_as_the_table_has_it(self):
        self.run_tool("decompose", self.counts, "--values", "count", "--rank", 1,
                      "--output", "m.gkt")
        top = self.run_json("decompose", self.counts, "--values", "count", "--rank", 1, "--top", 1)
        week = top["top"][0]["modes"][2][0]
        self.assertEqual((week["label"], week["row"]), ("2", 3))
        self.assertEqual(self.read_json("m.gkt.labels.json")["index_base"], 0)

    def test_the_model_is_that_of_the_same_numbers(self):
        table = self.titanic_table()
        self.run_tool("convert", table, "t.gtn", "--values", "people", "--quiet")
        for file, more in (("t.gtn", ()), (table, ("--values", "people"))):
            self.run_tool("decompose", file, *more, "--rank", 2, "--output", f"{len(more)}.gkt")
        self.assertEqual((self.directory / "0.gkt").read_bytes(),
                         (self.directory / "2.gkt").read_bytes())
        self.run_tool("decompose", TITANIC, "--rank", 2, "--output", "numbers.gkt", "--labels",
                      TITANIC_LABELS)
        score = self.run_tool("compare", "numbers.gkt", "2.gkt").stdout
        self.assertRegex(score, r"with weights +0\.999")

    def test_compressed_and_standard_input(self):
        (self.directory / "counts.csv.gz").write_bytes(gzip.compress(COUNTS.encode()))
        expected = self.run_json("info", self.counts, "--values", "count")
        found = self.run_json("info", "counts.csv.gz", "--values", "count")
        self.assertEqual(found["compression"], "gzip")
        self.assertEqual(found["format"], "table")
        self.assertEqual(found["values"], expected["values"])
        done = subprocess.run([TOOL, "info", "-", "--values", "count"], input=COUNTS, text=True,
                              capture_output=True, check=True)
        self.assertIn("standard input: 2 x 2 x 3, 3 nonzeros", done.stdout)

    def test_a_text_of_entries_has_no_columns(self):
        bare = self.write("bare.tns", "1 1 2.5\n2 2 1\n")
        for file in (TITANIC, bare):
            told = self.run_tool("info", file, "--values", "x", expect=FILE_TROUBLE).stderr
            self.assertIn("values: expected a table, whose first line names its columns, got a "
                          "text of subscripts and values", told)

    def test_rows_count_where_no_column_has_values(self):
        self.write("pairs.tsv", "who\twhat\nann\ttea\nbob\ttea\nann\ttea\n")
        told = self.run_tool("info", "pairs.tsv").stdout
        self.assertIn("2 x 1, 2 nonzeros, density 1", told)
        self.assertIn("each row counts as 1", told)
        told = self.run_tool("info", self.counts, expect=FILE_TROUBLE).stderr
        self.assertIn("columns 'week' and 'count' hold whole numbers", told)
        self.assertIn("as in --values count", told)
        told = self.run_tool("info", self.counts, "--modes", "week,user").stdout
        self.assertIn("3 x 2, 2 nonzeros", told)

    def test_subscripts_that_seem_to_count_from_1(self):
        self.write("t.csv", "i,j,x\n1,1,2\n2,3,4\n")
        self.assertIn("is --index-base 1 meant?",
                      self.run_tool("info", "t.csv", "--values", "x").stdout)
        told = self.run_tool("info", "t.csv", "--values", "x", "--index-base", 1).stdout
        self.assertIn("2 x 3, 2 nonzeros", told)
        self.assertNotIn("meant", told)

    def test_labels_name_rows_of_numbers_alone(self):
        names = self.write("week.labels", "first\nsecond\nthird\n")
        told = self.run_tool("decompose", self.counts, "--values", "count", "--rank", 1, "--top", 1,
                             "--quiet", "--labels", f",,{names}").stdout
        self.assertIn("third", told)
        told = self.run_tool("convert", self.counts, "t.gtn", "--values", "count", "--labels",
                             f"{self.write('user.labels', 'x' + chr(10) + 'y' + chr(10))},,",
                             expect=WRONG_USAGE).stderr
        self.assertIn("the names of mode 1 are in the table", told)

    def test_evaluate_and_predict_go_by_names(self):
        self.run_tool("decompose", self.counts, "--values", "count", "--rank", 2,
                      "--output", "m.gkt")
        self.write("other.csv", "item,user,week,n\nmilk,bob,2,4\n\"tea, green\",bob,2,5\n")
        told = self.run_tool("evaluate", "m.gkt", "other.csv", "--values", "n").stdout
        self.assertRegex(told, r"cells +2 +12")
        self.assertRegex(told, r"RMSE +[0-9.]+e-0[4-9]")
        self.write("cells.csv", "week,item,user\n2,\"tea, green\",bob\n1,milk,ann\n")
        told = self.run_tool("predict", "m.gkt", "cells.csv").stdout.splitlines()
        self.assertEqual(told[0], "week,item,user,value")
        self.assertTrue(told[1].startswith('2,"tea, green",bob,'), told)
        self.assertAlmostEqual(float(told[1].split(",")[-1]), 5, 2)
        self.assertAlmostEqual(float(told[2].split(",")[-1]), 4, 2)
        self.run_tool("predict", "m.gkt", "cells.csv", "-o", "p.csv")
        self.assertEqual((self.directory / "p.csv").read_text().splitlines(), told)
        done = subprocess.run([TOOL, "predict", "m.gkt", "-"], text=True, capture_output=True,
                              input="user,item,week\nzoe,milk,1\n", cwd=self.directory, check=False)
        self.assertEqual(done.returncode, FILE_TROUBLE)
        self.assertIn('lacks: "zoe"', done.stderr)

    def test_a_model_without_names_does_not_take_texts(self):
        self.run_tool("decompose", self.counts, "--values", "count", "--rank", 1,
                      "--output", "m.gkt")
        (self.directory / "m.gkt.labels.json").unlink()
        for command in (("evaluate", "m.gkt", self.counts, "--values", "count"),
                        ("predict", "m.gkt", self.counts, "--modes", "user,item,week")):
            self.assertIn("expected names of those of m.gkt, got none",
                          self.run_tool(*command, expect=FILE_TROUBLE).stderr)

    def test_missing_entries_are_listed_by_name(self):
        listed = self.write("missing.csv", "user,item,week\nann,\"tea, green\",0\n")
        self.run_tool("decompose", self.counts, "--values", "count", "--rank", 1, "--quiet",
                      "--missing", listed, "--output", "m.gkt")
        listed.write_text("user,item,week\nzoe,milk,0\n")
        told = self.run_tool("decompose", self.counts, "--values", "count", "--rank", 1, "--quiet",
                             "--missing", listed, "--output", "m.gkt", expect=FILE_TROUBLE).stderr
        self.assertIn('"zoe"', told)

    def test_what_other_programs_write_is_called_by_its_name(self):
        (self.directory / "t.parquet").write_bytes(b"PAR1\x15\x04")
        told = self.run_tool("decompose", "t.parquet", "--rank", 1, "--top", 1,
                             expect=FILE_TROUBLE).stderr
        self.assertIn("got a Parquet file: in Python, genten.write(genten.read(..., values=...),",
                      told)


if __name__ == "__main__":
    unittest.main()
