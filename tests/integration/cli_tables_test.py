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

    def test_times_of_which_each_has_an_entry(self):
        def table(clock):
            return "user,when,n\n" + "".join(
                f"{'ab'[i % 2]},2024-01-{1 + i // 3:02}{f' {i % 24:02}:30' if clock else ''},1\n"
                for i in range(60))
        self.write("t.csv", table(True))
        told = "mode 2 (when) has 60 times for 60 nonzeros: slices with so few nonzeros hold"
        self.assertIn(told, self.run_tool("info", "t.csv", "--values", "n").stdout)
        run = ["decompose", "t.csv", "--values", "n", "--rank", 1]
        self.assertIn(told, self.run_tool(*run).stdout)
        self.write("t.csv", table(False))
        self.assertNotIn("times for", self.run_tool(*run).stdout)

    def test_decompose_names_what_it_finds(self):
        told = self.run_tool("decompose", self.counts, "--values", "count", "--rank", 2, "--top", 2,
                             "--output", "m.gkt").stdout
        self.assertIn("2 x 2 x 3, 3 nonzeros, density 0.25, 1 duplicate of the file summed", told)
        self.assertIn("run       rank 2, seed 1, unlisted entries zero, double", told)
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
            self.assertIn("got a text of subscripts and values, whose columns have no names: leave "
                          "the option out", told)

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
        self.assertIn("is --index-base 1 meant, or --compact, if they are ids?",
                      self.run_tool("info", "t.csv", "--values", "x").stdout)
        told = self.run_tool("info", "t.csv", "--values", "x", "--index-base", 1).stdout
        self.assertIn("2 x 3, 2 nonzeros", told)
        self.assertNotIn("meant", told)

    def test_ids_of_which_each_has_an_entry(self):
        for ids, said in ((range(120), "numbers"), ([f"o{i}" for i in range(120)], "names"),
                          ([f"3/5/24 {1 + i // 6}:{i % 6}0 PM" for i in range(60)] * 2, "times"),
                          ([i % 80 for i in range(120)], ""),
                          ([f"o{i % 80}" for i in range(120)], "")):
            self.write("t.csv", "user,id,n\n" + "".join(
                f"{'ab'[i // 60]},{each},1\n" for i, each in enumerate(ids)))
            note = f"mode 2 (id) has {60 if said == 'times' else 120} {said} for 120 nonzeros"
            for command in (("info",), ("decompose", "--rank", 1)):
                told = self.run_tool(command[0], "t.csv", "--values", "n", *command[1:]).stdout
                if said:
                    self.assertIn(note + ": slices with so few nonzeros hold little", told)
                    self.assertIn("first 10 or" if said == "times" else "--modes names", told)
                else:
                    self.assertNotIn("little that recurs", told)

    def test_thousands_in_a_table(self):
        text = "wer;was;zahl\na;x;2.278\nb;y;3.407\n"
        self.write("t.csv", text)
        told = self.run_tool("info", "t.csv", "--values", "zahl", expect=FILE_TROUBLE).stderr
        self.assertIn("as '2.278', so that points may be decimal or stand between thousands: "
                      "--decimal . reads 2.278, --decimal , reads 2278", told)
        for sign, total in ((".", 5.685), (",", 5685)):
            found = self.run_json("info", "t.csv", "--values", "zahl", "--decimal", sign)
            self.assertAlmostEqual(found["values"]["sum"], total)
        # One alone beside whole numbers that have nearly as many digits.
        whole = "wer;was;zahl\n" + "".join(f"a{i};x;{500 + i}\n" for i in range(70))
        self.write("one.csv", whole + "b;x;1.204\n")
        told = self.run_tool("info", "one.csv", "--values", "zahl", expect=FILE_TROUBLE).stderr
        self.assertIn("--decimal . reads 1.204, --decimal , reads 1204", told)
        for sign, total in ((".", 1.204), (",", 1204)):
            found = self.run_json("info", "one.csv", "--values", "zahl", "--decimal", sign)
            self.assertAlmostEqual(found["values"]["sum"], sum(range(500, 570)) + total)
        for ordinary in ("0.125", "12.5", "1.2040", "1.204\nc;x;3.5"):
            self.write("one.csv", whole + f"b;x;{ordinary}\n")
            self.run_tool("info", "one.csv", "--values", "zahl")
        self.write("one.csv", "wer,was,zahl\na,x,3\nb,x,1.204\n")
        self.run_tool("info", "one.csv", "--values", "zahl")
        self.write("t.tns", "1 1 2.278\n2 2 3.407\n")  # the table of it is read again
        self.run_tool("convert", "t.tns", "again.csv")
        self.assertAlmostEqual(
            self.run_json("info", "again.csv", "--values", "value")["values"]["sum"], 5.685)

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
        self.assertRegex(told, r"entries +2 +12")
        self.assertRegex(told, r"RMSE +[0-9.]+e-0[4-9]")
        self.write("entries.csv", "week,item,user\n2,\"tea, green\",bob\n1,milk,ann\n")
        told = self.run_tool("predict", "m.gkt", "entries.csv").stdout.splitlines()
        self.assertEqual(told[0], "week,item,user,value")
        self.assertTrue(told[1].startswith('2,"tea, green",bob,'), told)
        self.assertAlmostEqual(float(told[1].split(",")[-1]), 5, 2)
        self.assertAlmostEqual(float(told[2].split(",")[-1]), 4, 2)
        self.run_tool("predict", "m.gkt", "entries.csv", "-o", "p.csv")
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
        self.assertIn("got a Parquet file: with the Python package, python3 -c \"import genten; "
                      "genten.write(genten.read('t.parquet', values='COLUMN'), 't.gtn')\" makes",
                      told)


class Encodings(ToolTest):
    def test_latin_1(self):
        text = "name,sort\nBjörk,“A”\nZoë,€\nBjörk,€\n"
        (self.directory / "t.csv").write_bytes(text.encode("cp1252"))
        done = self.run_tool("decompose", "t.csv", "--rank", 1, "-o", "m.gkt", expect=FILE_TROUBLE)
        self.assertEqual(done.stderr, "genten: t.csv:2: column 'name': expected text in UTF-8, got "
                         "'Bj\\xf6rk': --encoding latin-1 reads Western European text, also of "
                         "Windows; for others iconv -f ENCODING -t utf-8 makes a file in UTF-8\n")
        self.run_tool("decompose", "t.csv", "--rank", 1, "-o", "m.gkt", "--encoding", "latin-1")
        self.assertEqual(self.read_json("m.gkt.labels.json")["labels"],
                         [["Björk", "Zoë"], ["“A”", "€"]])

    def test_utf_8_is_not_taken_for_it(self):
        self.write("t.csv", "name,sort\nBjörk,a\n")
        done = self.run_tool("info", "t.csv", "--encoding", "latin-1", expect=FILE_TROUBLE)
        self.assertIn("t.csv: column 'name': expected text in Latin-1, got 'Bj", done.stderr)
        self.assertIn("which is UTF-8", done.stderr)

    def test_names_of_columns(self):
        (self.directory / "t.csv").write_bytes("Straße,Maß\na,2\nb,3\n".encode("latin-1"))
        self.run_tool("info", "t.csv", "--values", "Maß", expect=FILE_TROUBLE)
        told = self.run_tool("info", "t.csv", "--values", "Maß", "--encoding", "latin-1").stdout
        self.assertIn("2 nonzeros", told)

    def test_utf_16_is_named(self):
        (self.directory / "t.csv").write_bytes("a,b\nc,d\n".encode("utf-16"))
        done = self.run_tool("info", "t.csv", expect=FILE_TROUBLE)
        self.assertIn("got text in UTF-16: iconv -f utf-16 -t utf-8 gives the file in it",
                      done.stderr)

    def test_a_binary_file_of_another_program_is_no_text(self):
        (self.directory / "t.csv").write_bytes(b"\1\0\0\0\4\0,\0\n")
        for encoding in ([], ["--encoding", "latin-1"]):
            done = self.run_tool("info", "t.csv", *encoding, expect=FILE_TROUBLE)
            self.assertIn("expected text, got bytes of 0, as in a binary file of another program",
                          done.stderr)

    def test_a_workbook_is_named(self):
        (self.directory / "t.xlsx").write_bytes(b"PK\x03\x04 and more")
        done = self.run_tool("info", "t.xlsx", expect=FILE_TROUBLE)
        self.assertIn("import genten, pandas; genten.write(genten.tensor(pandas.read_excel("
                      "'t.xlsx'), values='COLUMN'), 't.gtn')", done.stderr)


class Headers(ToolTest):
    """The first line of tables that are read beside a model."""

    def setUp(self):
        super().setUp()
        self.write("r.csv", "user,film,stars\nann,Up,5\nbob,Up,4\nann,Jaws,1\nbob,Alien,3\n")
        self.run_tool("decompose", "r.csv", "--values", "stars", "--rank", 1, "-o", "m.gkt")

    def predicted(self, text, *more, **how):
        self.write("c.csv", text)
        return self.run_tool("predict", "m.gkt", "c.csv", *more, **how)

    def test_a_file_without_one_loses_no_row(self):
        done = self.predicted("ann,Up\nbob,Alien\n", expect=FILE_TROUBLE)
        self.assertEqual(done.stderr, "genten: c.csv:1: expected a first line that names columns "
                         "as the modes of m.gkt are called, user, film, got ann, Up, which is an "
                         "entry, since it names a row of mode 1 (user): put the line user,film "
                         "before it\n")
        self.assertEqual(done.stdout, "")

    def test_a_file_of_values_without_one(self):
        for command in (("predict", "m.gkt", "c.csv"), ("info", "c.csv")):
            self.write("c.csv", "ann,Up,5\nbob,Up,3\n")
            done = self.run_tool(*command, expect=FILE_TROUBLE)
            self.assertIn("got 'ann,Up,5': blanks separate fields, not commas, except in tables, "
                          "which begin with a line that names the columns", done.stderr)

    def test_names_that_no_mode_has(self):
        done = self.predicted("who,what\nann,Up\n", expect=FILE_TROUBLE)
        self.assertIn("c.csv:1: expected columns called as the modes of m.gkt, user, film, got "
                      "who, what: put the line user,film before a first line that is an entry, or "
                      "name the columns in the order of the modes, as in --modes who,what\n",
                      done.stderr)
        done = self.predicted("user,what\nann,Up\n", expect=FILE_TROUBLE)
        self.assertIn("got user, what, none called film: put the line user,film before",
                      done.stderr)
        told = self.predicted("who,what\nann,Up\n", "--modes", "who,what").stdout
        self.assertRegex(told, r"ann,Up,\d")

    def test_a_number_beside_a_mode_with_names_is_a_name(self):
        done = self.predicted("user,film\n0,Up\n", expect=FILE_TROUBLE)
        self.assertIn('mode 1 (user): c.csv has a row that m.gkt lacks: "0"', done.stderr)

    def test_a_name_that_is_nearly_one(self):
        done = self.predicted("user,film\nann,Up\namn,Jaws\n", expect=FILE_TROUBLE)
        self.assertIn('lacks: "amn", in line 3 (is "ann" meant?); 1 of 2 entries is in such '
                      "rows; leave such entries out by --unknown skip", done.stderr)

    def test_the_output_has_tabs_where_its_name_says_so(self):
        self.predicted("user,film\nann,Up\n", "-o", "p.tsv")
        self.assertIn("user\tfilm\tvalue\nann\tUp\t", (self.directory / "p.tsv").read_text())

    def test_ids_that_were_never_met(self):
        self.write("i.csv", "u,k,x\n10,a,1\n5000,b,2\n72000,a,3\n")
        done = self.run_tool("decompose", "i.csv", "--values", "x", "--rank", 1, "-o", "i.gkt")
        self.assertIn("mode 1 (u) has 72001 rows, of which 3 hold nonzeros", done.stdout)
        self.write("c.csv", "u,k\n10,a\n11,a\n")
        self.assertIn("mode 1 (u): 1 entry is in rows of i.gkt that are zero, as those without "
                      "nonzeros in its data are: nothing is known of 11\n",
                      self.run_tool("predict", "i.gkt", "c.csv").stderr)

    def test_missing_values_are_told_together(self):
        self.write("l.csv", "u,k,x\na,b,1\n,b,2\nc,,3\nc,b,NA\na,,1\n")
        done = self.run_tool("info", "l.csv", "--values", "x", expect=FILE_TROUBLE)
        self.assertIn("; in all, 4 values are missing: line 3 column 'u', line 4 column 'k', "
                      "line 5 column 'x' and 1 more\n", done.stderr)

    def test_a_model_as_a_table_is_noted(self):
        for quiet in ((), ("-q",)):
            self.assertIn("no command reads it",
                          self.run_tool("convert", "m.gkt", "m.csv", *quiet).stderr)

    def test_another_order(self):
        one = self.predicted("user,film\nann,Up\n").stdout.split(",")[-1]
        other = self.predicted("film,user\nUp,ann\n").stdout.split(",")[-1]
        self.assertEqual(one, other)

    def test_a_column_of_values_is_not_looked_at(self):
        done = self.predicted("film,user,stars\nUp,ann,\n")
        self.assertEqual(done.stderr, "genten: note: c.csv: column stars is not used\n")
        self.assertEqual(done.stdout.split(",")[-1],
                         self.predicted("user,film\nann,Up\n").stdout.split(",")[-1])

    def test_other_readers(self):
        self.write("c.csv", "ann,Up\nbob,Alien\n")
        for command in (("evaluate", "m.gkt", "c.csv"),
                        ("project", "m.gkt", "c.csv", "--mode", "user"),
                        ("update", "m.gkt", "c.csv", "--mode", "user", "-o", "s.gkt"),
                        ("decompose", "r.csv", "--values", "stars", "--missing", "c.csv",
                         "--rank", 1)):
            done = self.run_tool(*command, expect=FILE_TROUBLE)
            self.assertIn("c.csv:1: expected a first line that names columns as the modes of",
                          done.stderr, command)

    def test_numbers_without_a_header_count_from_1(self):
        self.write("w.csv", "user,week,x\nann,0,5\nbob,1,4\nann,1,1\n")
        self.run_tool("decompose", "w.csv", "--values", "x", "--rank", 1, "-o", "w.gkt")
        self.write("c.txt", "1 1\n")
        note = ("genten: note: c.txt: subscripts count from 1 in text, and from 0 in the table "
                "that w.gkt was made from: is --index-base 0 meant?\n")
        self.assertIn(note, self.run_tool("predict", "w.gkt", "c.txt").stderr)
        self.assertNotIn(note, self.run_tool("predict", "w.gkt", "c.txt", "--index-base", 1).stderr)
        self.write("c.txt", "1 1 4\n")
        for command, *more in (("evaluate",), ("project", "--mode", "user"),
                               ("update", "--mode", "user", "-o", "s.gkt")):
            self.assertIn(note, self.run_tool(command, "w.gkt", "c.txt", *more).stderr)

    def test_modes_without_names(self):
        self.write("t.tns", "1 1 5\n2 1 4\n1 2 1\n")
        self.run_tool("decompose", "t.tns", "--rank", 1, "-o", "n.gkt")
        self.write("c.csv", "a,b\n0,1\n")
        places = ("genten: note: c.csv: columns a, b are modes 1 to 2 of n.gkt, whose modes have "
                  "no names\n")
        done = self.run_tool("predict", "n.gkt", "c.csv")
        self.assertRegex(done.stderr, "^genten: note: c.csv: numbers count from 0 in tables, and "
                         "from 1 in text, of which n.gkt may be made: --index-base 1 says that .*, "
                         f"--index-base 0 that they do not\n{places}$")
        for base in (0, 1):
            self.write("c.csv", f"a,b\n{base},{base + 1}\n")
            again = self.run_tool("predict", "n.gkt", "c.csv", "--index-base", base)
            self.assertEqual(again.stderr, places)
            self.assertEqual(again.stdout.split(",")[-1], done.stdout.split(",")[-1])

    def test_a_tensor_whose_columns_repeat_their_names(self):
        self.write("h.csv", "ann,Up\nbob,Jaws\nann,Jaws\nbob,Up\n")
        done = self.run_tool("info", "h.csv", expect=FILE_TROUBLE)
        self.assertIn("h.csv:1: expected a first line that names the columns, got an entry, 'ann', "
                      "'Up', whose texts these columns have again below", done.stderr)
        self.assertIn("where it is the header, --modes ann,Up says so", done.stderr)
        self.write("h.csv", "who,what\nann,Up\nbob,Jaws\nwho,what\nann,Jaws\n")
        done = self.run_tool("info", "h.csv", expect=FILE_TROUBLE)
        self.assertIn("where it is the header, leave line 4 out, which repeats it", done.stderr)


class Separators(ToolTest):
    def test_bars_and_the_separator_that_excel_names(self):
        self.write("comma.csv", "Prénom,item,x\nBjörn,tea,2\nÅke,milk,1.5\n")
        known = self.run_json("info", "comma.csv", "--values", "x")["values"]
        text = (self.directory / "comma.csv").read_text()
        for name, content in (("bar.csv", text.replace(",", "|")),
                              ("sep.csv", "sep=;\r\n" + text.replace(",", ";")),
                              ("mark.csv", "\ufeffsep=|\n" + text.replace(",", "|")),
                              ("tab.csv", "sep=\t\n" + text.replace(",", "\t"))):
            self.write(name, content)
            self.assertEqual(self.run_json("info", name, "--values", "x")["values"], known, name)
        self.write("bad.csv", "sep=;\nPrénom;item;x\nBjörn;tea;2;1\n")
        done = self.run_tool("info", "bad.csv", "--values", "x", expect=FILE_TROUBLE)
        self.assertIn("bad.csv:3: ", done.stderr)

    def test_names_and_remedies_in_messages(self):
        self.write("t.csv", "Prénom,item,x\nBjörn,tea,2\nÅke,milk,1.5\n")
        done = self.run_tool("info", "t.csv", "--values", "y", expect=FILE_TROUBLE)
        self.assertIn("expected one of the columns 'Prénom', 'item', 'x', got 'y'", done.stderr)
        done = self.run_tool("info", "t.csv", expect=FILE_TROUBLE)
        self.assertIn("Is it the column of values, as in --values x? Or leave", done.stderr)


class Means(ToolTest):
    def test_of_numbers_whose_sum_no_double_holds(self):
        self.write("t.csv", "a,b,x\np,q,1.5e308\np,q,1.5e308\np,r,1\n")
        told = self.run_tool("info", "t.csv", "--values", "x", "--duplicates", "mean").stdout
        self.assertIn("1 to 1.5e+308", told)


class Mistaken(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("t.csv", "user,item,count\nann,milk,1\nbob,tea,2\n")

    def test_a_table_for_a_model(self):
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "m.gkt")
        for command in ("evaluate", "predict", "project", "update"):
            mode = ("--mode", 1) if command in ("project", "update") else ()
            done = self.run_tool(command, "t.csv", "m.gkt", *mode, expect=FILE_TROUBLE,
                                 *(("-o", "n.gkt") if command == "update" else ()))
            self.assertIn("genten: t.csv:1: expected a model, got a table, by its first line; "
                          f"genten {command} takes MODEL", done.stderr)
            self.assertIn("the model first", done.stderr)

    def test_columns_that_are_misspelt(self):
        for option in (("--values", "cuont"), ("--modes", "user,itm")):
            done = self.run_tool("info", "t.csv", *option, expect=FILE_TROUBLE)
            meant = "count" if option[0] == "--values" else "item"
            self.assertIn(f"; did you mean '{meant}'?\n", done.stderr)
        done = self.run_tool("info", "t.csv", "--values", "price", expect=FILE_TROUBLE)
        self.assertNotIn("did you mean", done.stderr)

    def test_a_column_that_is_no_mode_lacks_a_value(self):
        self.write("n.csv", "user,item,count,remark\nann,milk,1,\nbob,tea,2,ok\n")
        done = self.run_tool("info", "n.csv", "--values", "count", expect=FILE_TROUBLE)
        self.assertIn("n.csv:2: column 'remark': a value is missing: leave out the row (in pandas, "
                      "df.dropna(subset=['remark']) leaves out all such rows), or write what it is "
                      "to count as. Is the column no mode? --modes names those", done.stderr)
        self.run_tool("info", "n.csv", "--values", "count", "--modes", "user,item")

    def test_commas_between_thousands(self):
        for number, said in (
                ("1,234", "whose comma may be decimal or stand between thousands: --decimal , "
                          "reads 1.234, --decimal . reads 1234"),
                ("1,234,567.5", "with commas between thousands: --decimal . reads 1234567.5"),
                ("12,34", "with a decimal comma: --decimal , reads such numbers")):
            self.write("n.csv", f'user,item,n\nann,tea,"{number}"\n')
            done = self.run_tool("info", "n.csv", "--values", "n", expect=FILE_TROUBLE)
            self.assertIn(f"got '{number}', {said}\n", done.stderr)

    def test_models_are_converted_without_being_called_so(self):
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "m.ktensor")
        done = self.run_tool("convert", "m.ktensor", "m.gkt")
        self.assertIn("m.ktensor: model, 4 x 2 x 2 x 2, rank 1\nwritten to m.gkt, the options of "
                      "the run to m.gkt.labels.json\n", done.stdout)
        self.run_tool("convert", "m.gkt", "z.ktensor.gz", "-q")
        self.run_tool("convert", "z.ktensor.gz", "z.npz", "-q")
        done = self.run_tool("convert", "m.ktensor", "m.tns", expect=FILE_TROUBLE)
        self.assertIn("got a model; models are converted to .ktensor", done.stderr)

    def test_a_projection_of_which_nothing_is_left(self):
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "m.gkt")
        done = self.run_tool("project", "m.gkt", TITANIC, "--mode", 1, "-q", expect=WRONG_USAGE)
        self.assertIn("--quiet: expected something that is left: --output for the model, --rows or "
                      "--json", done.stderr)

    def test_ids_of_three_digits(self):
        for ids, told in ((range(101, 999, 31), True), (range(101, 1200, 7), True),
                          (range(1, 999, 31), False), (range(101, 500, 2), False),
                          ((101, 950), False)):
            self.write("t.csv", "user,item,n\n" + "".join(
                f"{i},{name},{1 + k % 5}\n" for k, i in enumerate(ids) for name in "abc"))
            given = ("t.csv", "--values", "n")
            for command, *more in (("info",), ("decompose", "--rank", 1)):
                said = self.run_tool(command, *given, *more).stdout
                self.assertEqual("if subscripts are ids, --compact" in said, told, (ids, command))
                said = self.run_tool(command, *given, *more, "--compact").stdout
                self.assertNotIn("are ids", said)


if __name__ == "__main__":
    unittest.main()
