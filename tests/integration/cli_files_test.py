#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten info and genten convert, and what the tool does with files that are not right."""
import gzip
import os
import unittest

from cli_support import (ADMISSIONS, DATA, FAILURE, FILE_TROUBLE, TITANIC, WRONG_USAGE, ToolTest,
                         read_entries)

PACKAGES = DATA / "debian-packages" / "debian-packages.tns.zst"


class Info(ToolTest):
    def test_the_admissions(self):
        result = self.run_json("info", ADMISSIONS)
        self.assertEqual(result["dimensions"], [2, 2, 6])
        self.assertEqual(result["nnz"], 24)
        self.assertEqual(result["density"], 1)
        self.assertEqual(result["values"]["sum"], 4526)
        values = read_entries(ADMISSIONS).values()
        self.assertEqual(result["values"]["min"], min(values))
        self.assertEqual(result["values"]["max"], max(values))
        self.assertAlmostEqual(result["values"]["norm"], sum(v * v for v in values) ** 0.5)
        self.assertEqual([mode["max"] for mode in result["modes"]], [12, 12, 4])

    def test_slices(self):
        # Nonzeros by slice of mode 1: 3, 0, 1, 0, 2; of mode 2: 4, 2.
        tensor = self.write("t.tns", "1 1 1\n1 2 -2\n3 1 4\n5 1 1\n5 2 0\n1 1 2\n")
        first, second = self.run_json("info", tensor, "--duplicates", "sum")["modes"]
        self.assertEqual(first, {"length": 5, "used": 3, "empty": 2, "max": 2, "mean": 5 / 3,
                                 "median": 2})
        self.assertEqual(second, {"length": 2, "used": 2, "empty": 0, "max": 3, "mean": 2.5,
                                  "median": 2.5})

    def test_values_and_duplicates(self):
        tensor = self.write("t.tns", "1 1 1\n1 2 -2\n1 1 2\n2 1 0\n")
        result = self.run_json("info", tensor)
        self.assertEqual(result["values"], {"min": -2, "max": 3, "sum": 1, "norm": 13 ** 0.5,
                                            "zeros": 1})
        self.assertEqual((result["entries"], result["duplicates"], result["nnz"]), (4, 1, 3))
        text = self.run_tool("info", tensor).stdout
        self.assertIn("duplicates  1 of 4 entries", text)
        self.assertIn("1 stored zero\n", text)

    def test_a_sum_of_large_values_of_both_signs(self):
        self.write("t.tns", "1 1 1e16\n1 2 1\n2 1 -1e16\n")
        self.assertEqual(self.run_json("info", "t.tns")["values"]["sum"], 1)
        values = "".join(f"{i + 1} 1 {(-1) ** i * 1e17}\n{i + 1} 2 1\n" for i in range(10000))
        self.write("t.tns", values)
        self.assertEqual(self.run_json("info", "t.tns")["values"]["sum"], 10000)

    def test_memory_grows_with_the_rank(self):
        small = self.run_json("info", TITANIC, "--rank", 8)["memory"]
        large = self.run_json("info", TITANIC, "--rank", 80)["memory"]
        self.assertEqual(small["tensor_bytes"], 24 * (4 * 4 + 8))
        self.assertEqual(large["model_bytes"], 10 * small["model_bytes"])
        self.assertIn(small["automatic_kernel"], small["kernel_bytes"])
        self.assertEqual(small["kernel_bytes"]["atomic"], 0)
        self.assertIn("memory for rank 16", self.run_tool("info", TITANIC).stdout)

    def test_the_kernel_is_the_one_that_decompose_takes(self):
        rows = range(1, 41)
        # Long modes with few rows in use: as they are, subscripts would not fit into two words.
        sparse = "".join(" ".join(str(1 + (i * p) % 2**20) for p in range(30001, 30008)) + f" {i}\n"
                         for i in rows)
        # 16 modes of 300 rows in use, 9 bits each.
        wide = "".join(16 * f"{i} " + "1\n" for i in range(1, 301))
        cases = [(TITANIC, ()), (PACKAGES, ()), (self.write("sparse.tns", sparse), ()),
                 (self.write("wide.tns", wide), ()), (TITANIC, ("--memory-limit", 1)),
                 (PACKAGES, ("--memory-limit", 12e6)), (PACKAGES, ("--memory-limit", 1000))]
        refused = []
        for tensor, options in cases:
            told = self.run_json("info", tensor, *options)["memory"]
            done = self.run_json("decompose", tensor, "--rank", 16, "--max-iterations", 1,
                                 *options)
            self.assertEqual(done["kernel"], told["automatic_kernel"], tensor)
            for key in ("name", "memory_bytes", "predicted_bytes", "refused"):
                self.assertEqual(done["kernel_choice"][key], told["kernel_choice"][key], tensor)
            refused.append([one["why"] for one in done["kernel_choice"]["refused"]])
        self.assertEqual(refused[:3], [[], [], []])
        self.assertEqual(refused[3], ["tensor"])
        self.assertTrue(all(refused[4:]))

    def test_memory_that_is_too_little_is_told(self):
        text = self.run_tool("decompose", TITANIC, "--memory-limit", 1).stdout
        self.assertRegex(text, r"note +kernel atomic where others would be faster: sorted needs ")
        self.assertNotIn("others would be faster", self.run_tool("decompose", TITANIC).stdout)
        refusal = self.run_tool("decompose", TITANIC, "--kernel", "sorted", "--memory-limit", 1,
                                expect=FAILURE).stderr
        self.assertRegex(refusal, r"kernel sorted needs [\d.]+ \w+ of (device )?memory, "
                                  r"allowed are 1 bytes")

    def test_an_empty_tensor(self):
        tensor = self.write("t.txt", "sptensor\n3\n4 5 6\n0\n")
        result = self.run_json("info", tensor)
        self.assertEqual((result["nnz"], result["values"]["norm"]), (0, 0))
        self.assertEqual(result["modes"][1]["empty"], 5)


class Convert(ToolTest):
    def test_round_trip_through_every_form(self):
        names = ("a.txt", "b.gtn", "c.tns.gz", "d.sptensor.zst", "e.bin", "f.tns")
        source = TITANIC
        for name in names:
            self.run_tool("convert", source, name)
            source = name
        self.assertEqual(read_entries(self.directory / "f.tns"), read_entries(TITANIC))
        self.assertEqual(self.files(), sorted(names))
        self.assertTrue((self.directory / "a.txt").read_text().startswith("sptensor\n"))
        with gzip.open(self.directory / "c.tns.gz", "rt") as file:
            self.assertIn("1 1 1 2 5", file.read())

    def test_forms_by_name_of_the_form(self):
        self.run_tool("convert", TITANIC, "x", "--to", "header", "--output-index-base", 0)
        self.assertEqual(self.run_json("info", "x", "--index-base", 0)["format"], "header")
        self.run_tool("convert", "x", "y.tns", "--index-base", 0)
        self.assertEqual(read_entries(self.directory / "y.tns"), read_entries(TITANIC))

    def test_options_come_before_the_name(self):
        self.run_tool("convert", TITANIC, "t.tns", "--output-compression", "gzip")
        with gzip.open(self.directory / "t.tns", "rt") as file:
            self.assertIn("1 1 1 2 5", file.read())
        done = self.run_tool("convert", TITANIC, "t.gtn.gz", expect=WRONG_USAGE)
        self.assertIn("the binary form is not compressed", done.stderr)

    def test_modes_are_permuted(self):
        self.run_tool("convert", ADMISSIONS, "p.tns", "--permute", "3,1,2")
        expected = {(k, i, j): v for (i, j, k), v in read_entries(ADMISSIONS).items()}
        self.assertEqual(read_entries(self.directory / "p.tns"), expected)

    def test_a_permutation_that_is_none(self):
        for modes in ("1,2", "1,1,2", "1,2,4"):
            self.run_tool("convert", ADMISSIONS, "p.tns", "--permute", modes, expect=WRONG_USAGE)
        self.assertEqual(self.files(), [])

    def test_dimensions_that_get_lost_are_told(self):
        source = self.write("s.txt", "sptensor\n2\n3 9\n1\n2 2 1.5\n")
        done = self.run_tool("convert", source, "t.tns")
        self.assertIn("3 x 9", done.stderr)
        self.assertIn("2 x 2", done.stderr)
        self.assertEqual(self.run_tool("convert", source, "t.txt").stderr, "")

    def test_a_name_that_does_not_say_the_form(self):
        done = self.run_tool("convert", TITANIC, "output", expect=WRONG_USAGE)
        self.assertIn("--to", done.stderr)

    def test_the_input_is_not_replaced(self):
        self.run_tool("convert", TITANIC, "t.tns")
        before = (self.directory / "t.tns").read_bytes()
        self.run_tool("convert", "t.tns", "./t.tns", "--permute", "4,3,2,1", expect=FILE_TROUBLE)
        self.assertEqual((self.directory / "t.tns").read_bytes(), before)

    def test_options_that_a_model_has_no_use_for(self):
        self.run_tool("decompose", TITANIC, "--rank", 2, "--output", "m.ktensor", "--quiet")
        for option in (("--permute", "2,1,3,4"), ("--output-compression", "gzip")):
            self.run_tool("convert", "--model", "m.ktensor", "m.gkt", *option, expect=WRONG_USAGE)
        self.assertEqual(self.files(), ["m.ktensor", "m.ktensor.labels.json"])

    def test_models(self):
        self.run_tool("decompose", TITANIC, "--rank", 2, "--output", "m.ktensor", "--quiet")
        self.run_tool("convert", "--model", "m.ktensor", "m.gkt")
        self.run_tool("convert", "--model", "m.gkt", "n.ktensor")
        self.assertEqual((self.directory / "m.ktensor").read_text(),
                         (self.directory / "n.ktensor").read_text())


class MatrixMarket(ToolTest):
    TEXT = "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 3\n1 1 4\n3 1 -2.5\n3 2 7\n"

    def test_is_read_as_a_tensor_of_order_2(self):
        matrix = self.write("m.mtx", self.TEXT)
        result = self.run_json("info", matrix)
        self.assertEqual((result["format"], result["dimensions"], result["nnz"]),
                         ("matrix-market", [3, 3], 5))
        self.run_tool("convert", matrix, "m.tns")
        self.assertEqual(read_entries(self.directory / "m.tns"),
                         {(0, 0): 4, (2, 0): -2.5, (0, 2): -2.5, (2, 1): 7, (1, 2): 7})
        self.run_tool("convert", "m.tns", "again.mtx")
        self.run_tool("convert", "again.mtx", "again.tns")
        self.assertEqual((self.directory / "again.tns").read_text(),
                         (self.directory / "m.tns").read_text())

    def test_others_are_refused_by_name(self):
        for words in ("array real general", "coordinate complex general",
                      "coordinate real hermitian"):
            matrix = self.write("m.mtx", f"%%MatrixMarket matrix {words}\n2 2 1\n1 1 1\n")
            done = self.run_tool("info", matrix, expect=FILE_TROUBLE)
            self.assertRegex(done.stderr, r"m.mtx:1: .*'(array|complex|hermitian)'")
        self.run_tool("convert", TITANIC, "t.mtx", expect=WRONG_USAGE)


class Compact(ToolTest):
    def names(self, name):
        return self.read_json(name + ".labels.json")["labels"]

    def test_hashed_subscripts(self):
        entries = {(2**40 - 7, 3, 2**63 + 5): 1.5, (12, 3, 9): -2.0, (2**33, 8, 2**63 + 5): 4.0}
        text = "".join(" ".join(map(str, key)) + f" {v}\n" for key, v in entries.items())
        tensor = self.write("t.tns", text)
        self.run_tool("convert", tensor, "c.tns", "--compact")
        names = self.names("c.tns")
        self.assertEqual(names, [[str(i) for i in rows] for rows in (
            (12, 2**33, 2**40 - 7), (3, 8), (9, 2**63 + 5))])
        self.assertEqual(self.read_json("c.tns.labels.json")["number_names"], [1, 2, 3])
        compact = read_entries(self.directory / "c.tns")
        self.assertEqual({tuple(int(r[i]) for r, i in zip(names, key)): v
                          for key, v in compact.items()}, entries)
        self.assertEqual(self.files(), ["c.tns", "c.tns.labels.json", "t.tns"])
        result = self.run_json("convert", tensor, "c.gtn", "--compact", "--permute", "2,3,1",
                               "--output-index-base", 0, "--to", "sptensor")
        self.assertEqual(result["dimensions"], [3, 2, 2])
        self.assertEqual(result["dimensions_before"], [2**40 - 7, 8, 2**63 + 5])
        # Names are the numbers of the input, whatever the output counts from.
        self.assertEqual(self.names("c.gtn")[0], ["3", "8"])

    def test_numbers_are_told_as_the_file_has_them(self):
        self.write("t.csv", "a,b,n\n0,7,1\n5,9,2\n")
        self.run_tool("convert", "t.csv", "c.gtn", "--values", "n", "--compact")
        self.assertEqual(self.names("c.gtn"), [["0", "5"], ["7", "9"]])
        self.write("t.tns", "0 7 1\n5 9 2\n")
        for options in (("--index-base", 0), ("--index-base", 0, "--output-index-base", 0)):
            self.run_tool("convert", "t.tns", "d.tns", "--compact", *options)
            self.assertEqual(self.names("d.tns"), [["0", "5"], ["7", "9"]])

    def test_labels_of_the_rows_that_are_kept(self):
        tensor = self.write("t.tns", "4 1 1\n2 3 5\n")
        self.write("a", "one\ntwo\nthree\nfour\n")
        self.write("b", "red\ngreen\nblue\n")
        self.run_tool("convert", tensor, "c.tns", "--compact", "--labels", "a,b")
        self.assertEqual(self.names("c.tns"), [["two", "four"], ["red", "blue"]])
        self.run_tool("convert", tensor, "d.tns", "--compact", "--labels", ",b", "--permute", "2,1")
        self.assertEqual(self.names("d.tns"), [["red", "blue"], ["2", "4"]])
        self.assertEqual(self.read_json("d.tns.labels.json")["number_names"], [2])
        self.run_tool("convert", tensor, "e.tns", "--compact", "--labels", "b,a",
                      expect=FILE_TROUBLE)
        self.run_tool("convert", tensor, "-", "--labels", "a,b", expect=WRONG_USAGE)
        done = self.run_tool("convert", tensor, "-", "--compact", expect=WRONG_USAGE)
        self.assertIn("--compact: the numbers of rows become their names: expected an OUTPUT that "
                      "names have a place beside, got standard output\n", done.stderr)

    def test_a_tensor_without_nonzeros(self):
        tensor = self.write("t.txt", "sptensor\n2\n4 5\n0\n")
        self.run_tool("convert", tensor, "c.txt", "--compact")
        self.assertEqual(self.run_json("info", "c.txt")["dimensions"], [0, 0])


class Trouble(ToolTest):
    def test_a_header_whose_number_is_wrong(self):
        tensor = self.write("t.tns", "30 30 30 1000\n1 1 1 1\n2 2 2 1\n3 3 3 1\n")
        done = self.run_tool("info", tensor, expect=FILE_TROUBLE)
        self.assertIn("says 1000 where 3 entries follow", done.stderr)
        self.assertEqual(self.run_json("info", tensor, "--header", "none")["nnz"], 4)

    def test_modes_that_count_from_different_numbers(self):
        tensor = self.write("t.tns", "0 1 1\n1 2 1\n")
        said = "mode 2 starts at 1 where mode 1 starts at 0"
        self.assertIn(said, self.run_tool("info", tensor, expect=FILE_TROUBLE).stderr)
        self.assertIn(said, self.run_tool("info", tensor, "--index-base", 0).stdout)
        self.assertEqual(self.run_json("info", tensor, "--index-base", 0)["first_subscripts"],
                         [0, 1])

    def test_damaged_zst_files_give_no_other_numbers(self):
        self.run_tool("convert", TITANIC, "t.tns.zst")
        self.run_tool("decompose", TITANIC, "--rank", 2, "-o", "m.ktensor.zst", "-q")
        frame = (self.directory / "m.ktensor.zst").read_bytes()
        for whole in ((self.directory / "t.tns.zst").read_bytes(), frame):
            self.assertEqual(whole[:4], b"\x28\xb5\x2f\xfd")
            self.assertTrue(whole[4] & 4)  # the frame has a checksum
        (self.directory / "d.zst").write_bytes(frame[:-20] + bytes([frame[-20] ^ 1]) + frame[-19:])
        self.run_tool("compare", "d.zst", "m.ktensor.zst", expect=FILE_TROUBLE)

    def test_malformed_lines_are_named(self):
        bad = self.write("bad.tns", "1 1 1.5\n1 2 3\n1 two 3\n")
        for command in ("info", "decompose"):
            done = self.run_tool(command, bad, expect=FILE_TROUBLE)
            self.assertIn("bad.tns:3: ", done.stderr)
            self.assertEqual(done.stdout, "")

    def test_subscripts_from_0_are_told_about_the_option(self):
        zero = self.write("zero.tns", "0 0 1\n1 1 2\n")
        done = self.run_tool("info", zero, expect=FILE_TROUBLE)
        self.assertIn("zero.tns:1: ", done.stderr)
        self.assertRegex(done.stderr, "index.base")
        self.assertEqual(self.run_json("info", zero, "--index-base", 0)["dimensions"], [2, 2])

    def test_duplicates_are_refused_when_asked(self):
        twice = self.write("twice.tns", "1 1 1\n2 2 1\n1 1 1\n")
        done = self.run_tool("decompose", twice, "--duplicates", "refuse", expect=FILE_TROUBLE)
        self.assertIn("twice.tns:3: ", done.stderr)

    def test_duplicates_become_what_is_asked(self):
        text = self.write("t.tns", "2 2 5\n1 1 1\n2 2 4\n")
        table = self.write("t.csv", "who,what,stars\nb,y,5\na,x,1\nb,y,4\n")
        for rule, made, told in (("sum", 9, "summed into others"), ("mean", 4.5, "into means"),
                                 ("last", 4, "the last values"), ("max", 5, "the largest values")):
            for file in ([text], [table, "--values", "stars"]):
                at = (*file, "--duplicates", rule)
                result = self.run_json("info", *at)
                self.assertEqual(result["values"]["max"], made)
                self.assertEqual((result["duplicates"], result["merged_by"]), (1, rule))
                self.assertIn(told, self.run_tool("info", *at).stdout)
                tensor = self.run_json("decompose", *at, "--rank", 1)["tensor"]
                self.assertEqual((tensor["nnz"], tensor["merged_by"]), (2, rule))
                self.run_tool("convert", *at, "x.gtn")
                self.assertEqual(self.run_json("info", "x.gtn")["values"]["max"], made)
        self.assertIsNone(self.run_json("info", TITANIC)["merged_by"])

    def test_more_memory_than_reading_may_take(self):
        done = self.run_tool("info", TITANIC, "--read-memory-limit", 64, expect=FAILURE)
        self.assertIn("memory", done.stderr)

    def test_a_damaged_binary_file(self):
        self.run_tool("convert", TITANIC, "t.gtn")
        path = self.directory / "t.gtn"
        whole = path.read_bytes()
        path.write_bytes(whole[:-3])
        self.run_tool("info", path, expect=FILE_TROUBLE)
        path.write_bytes(whole[:-3] + b"xyz")
        self.run_tool("info", path, expect=FILE_TROUBLE)

    def test_outputs_that_cannot_be_written_are_told_before_the_work(self):
        for option in ("--output", "--json", "--checkpoint"):
            done = self.run_tool("decompose", TITANIC, option, "absent/result", "--rank", 2,
                                 expect=FILE_TROUBLE)
            self.assertIn("absent/result", done.stderr)
            self.assertEqual(done.stdout, "")
        self.run_tool("decompose", TITANIC, "--output", self.directory, expect=FILE_TROUBLE)

    def test_the_tensor_is_not_replaced_by_the_model(self):
        self.run_tool("convert", TITANIC, "t.tns")
        before = (self.directory / "t.tns").read_bytes()
        self.run_tool("decompose", "t.tns", "--output", "t.tns", expect=FILE_TROUBLE)
        self.assertEqual((self.directory / "t.tns").read_bytes(), before)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_directory_without_permission(self):
        locked = self.directory / "locked"
        locked.mkdir(mode=0o500)
        self.run_tool("decompose", TITANIC, "--output", locked / "m", expect=FILE_TROUBLE)


class WrittenTables(ToolTest):
    """genten convert INPUT OUTPUT.csv"""

    def again(self, text, name="out.csv", base=()):
        """The table that a tensor is converted to, which reads back to the same bytes."""
        self.write("t.csv", text)
        self.run_tool("convert", "t.csv", "t.gtn", "--values", "n", "-q", *base)
        (self.directory / name).unlink(missing_ok=True)
        told = self.run_tool("convert", "t.gtn", name)
        self.assertEqual(told.stderr, "")
        how = told.stdout.split("which is read by ")[1].split()
        self.run_tool("convert", name, "again.gtn", "-q", *how)
        self.assertEqual(*((self.directory / file).read_bytes() for file in
                           ("t.gtn", "again.gtn")))
        self.assertEqual(*({**self.read_json(f"{file}.labels.json"), "sha256": ""} for file in
                           ("t.gtn", "again.gtn")))
        return (self.directory / name).read_text()

    def test_they_read_back_to_the_same_tensor(self):
        text = ('"a;b",week,n\n"tea, ""green""\t",2,0.1\nBjörk,1,-3e-300\n"x|y",7,12345678.9\n'
                '"two\nlines",2,0.30000000000000004\n')
        for name in ("out.csv", "out.tsv"):
            self.assertIn("0.30000000000000004\n", self.again(text, name))
        self.assertIn("Björk,1,-3e-300\n", self.again(text))
        based = self.again("user,value,n\n1,1,2\n2,3,4\n", base=("--index-base", 1))
        self.assertEqual(based, "user,value,n\n1,1,2\n2,3,4\n")

    def test_tensors_of_text_count_from_0_as_tables_do(self):
        self.write("t.tns", "1 1 5\n2 3 1\n")
        done = self.run_tool("convert", "t.tns", "t.csv")
        self.assertIn("written to t.csv, which is read by --values value\n", done.stdout)
        self.assertEqual((self.directory / "t.csv").read_text(),
                         "mode 1,mode 2,value\n0,0,5\n1,2,1\n")
        self.run_tool("convert", "t.tns", "t.csv", "--output-index-base", 1, "--permute", "2,1")
        self.assertEqual((self.directory / "t.csv").read_text(),
                         "mode 1,mode 2,value\n1,1,5\n3,2,1\n")

    def test_what_no_table_can_say_is_told(self):
        def labels(*names):
            return f"{self.write('l.labels', ''.join(f'{name}' + chr(10) for name in names))},"
        self.write("t.tns", "1 1 5\n2 3 1\n")
        for names, said in ((("b", "a"), "rows stand in the order of their names when the"),
                            (("17", "4"), "its names are whole numbers, which are numbers"),
                            ((" 1", "+4"), "its names are whole numbers, which are numbers")):
            done = self.run_tool("convert", "t.tns", "t.csv", "--labels", labels(*names))
            self.assertIn(f"genten: note: t.csv: mode 1 (l): {said}", done.stderr)
        self.run_tool("convert", "t.tns", "na.csv", "--labels", labels("NA", "x"))
        self.assertIn('\n"NA",', (self.directory / "na.csv").read_text())
        self.assertEqual(self.run_json("info", "na.csv", "--values", "value")["dimensions"], [2, 3])
        self.write("long.txt", "sptensor\n2\n4 3\n2\n1 1 5\n2 3 1\n")
        done = self.run_tool("convert", "long.txt", "t.csv")
        self.assertIn("t.csv: mode 1: it is 2 long when the table is read, not 4", done.stderr)
        for names, said in ((("x", "x"), 'several rows that are called "x"'),
                            (("1.5", "2"), 'by numbers alone, as "1.5", which tables have for val'),
                            (("3,5", "2"), 'by numbers alone, as "3,5", which tables have for val'),
                            (("4", "-1"), 'by numbers alone, as "-1", which is no number of a row'),
                            (("+1", " 1"), 'several rows that are called " 1", which would become')
                            ):
            done = self.run_tool("convert", "t.tns", "no.csv", "--labels", labels(*names),
                                 expect=FILE_TROUBLE)
            self.assertIn(said, done.stderr)
            self.assertFalse((self.directory / "no.csv").exists())
        done = self.run_tool("convert", "t.tns", "no.csv", "--labels", labels("0", "1"),
                             "--output-index-base", 1, expect=FILE_TROUBLE)
        self.assertIn('as "0", but numbers of rows count from 1 here', done.stderr)
        # What is not written is no trouble.
        self.write("long.txt", "sptensor\n2\n4 3\n2\n1 1 5\n3 3 1\n")
        self.run_tool("convert", "long.txt", "t.csv", "--labels", labels("x", "NA", "y", "NA"))
        self.assertEqual((self.directory / "t.csv").read_text(), "l,mode 2,value\nx,0,5\ny,2,1\n")
        self.write("mode 2.labels", "x\ny\n")
        done = self.run_tool("convert", "t.tns", "no.csv", "--labels",
                             f"{self.directory / 'mode 2.labels'},", expect=FILE_TROUBLE)
        self.assertIn('several modes are called "mode 2", and columns need different', done.stderr)
        done = self.run_tool("convert", "t.tns", "t.dat", expect=WRONG_USAGE)
        self.assertIn(".gtn, .bin, .csv, .tsv); use --to", done.stderr)


class Tables(ToolTest):
    """What would be a silent wrong tensor."""

    def test_amounts_with_signs_are_no_names(self):
        for amounts, plain in ((("12,50€", "3,20€"), "write 12,50, with a decimal comma"),
                               (("(12.50)", "(3.20)"), "write -12.50"),
                               (("1'304.10", "2'100"), "write 1304.10"),
                               (("10%", "20%"), "write 10")):
            self.write("t.csv", "".join(f'{who},"{amount}"\n' for who, amount in
                                        (("user", "price"), ("ann", amounts[0]),
                                         ("bob", amounts[1]))))
            done = self.run_tool("info", "t.csv", expect=FILE_TROUBLE)
            self.assertIn("t.csv:2: column 'price': expected whole numbers or texts, got "
                          f"'{amounts[0]}', with", done.stderr)
            self.assertIn(plain, done.stderr)
            done = self.run_tool("info", "t.csv", "--values", "price", expect=FILE_TROUBLE)
            self.assertIn(plain, done.stderr)
            named = self.run_json("info", "t.csv", "--modes", "user,price")
            self.assertEqual(named["dimensions"], [2, 2])
        self.write("t.csv", "user,price\nann,5%\nbob,none\n")
        self.assertEqual(self.run_json("info", "t.csv")["dimensions"], [2, 2])

    def test_a_first_line_that_recurs_in_part_is_not_lost(self):
        self.write("t.csv", "ann,tea\nann,milk\nbob,jam\n")
        done = self.run_tool("info", "t.csv", expect=FILE_TROUBLE)
        self.assertIn("t.csv:1: expected a first line that names the columns, got what may be an "
                      "entry, with 'ann', whose text this column has again below: "
                      "put a line of names before it; where it is the header, --modes ann,tea says "
                      "so", done.stderr)
        self.assertEqual(self.run_json("info", "t.csv", "--modes", "ann,tea")["nnz"], 2)

    def test_a_second_column_of_amounts_has_a_way_out(self):
        self.write("t.csv", "user,item,Jan,Feb\nann,tea,1.5,2.5\nbob,milk,2.5,1.5\n")
        done = self.run_tool("info", "t.csv", "--values", "Jan", expect=FILE_TROUBLE)
        self.assertIn("column 'Feb': expected whole numbers or texts, got '2.5'; the values are in "
                      "column 'Jan': --modes user,item leaves it out; if columns hold one "
                      "quantity", done.stderr)
        self.run_tool("info", "t.csv", "--values", "Jan", "--modes", "user,item")


class NewTables(ToolTest):
    """Tables beside a model."""

    def setUp(self):
        super().setUp()
        self.write("t.csv", "user,item,n\nann,tea,1\nbob,tea,2\nann,milk,3\nbob,milk,1\n")
        self.run_tool("decompose", "t.csv", "--values", "n", "--loss", "poisson", "--rank", 1,
                      "-q", "-o", "m.gkt")

    def test_training_has_columns_of_its_own(self):
        self.write("new.csv", "who,item,count\ncid,tea,1\ndan,milk,2\n")
        project = ("project", "m.gkt", "new.csv", "--mode", "user", "--values", "count",
                   "--modes", "who,item", "--training", "t.csv")
        self.assertEqual(len(self.run_json(*project)["rows"]), 2)

    def test_a_bad_value_is_told_with_its_line(self):
        self.write("new.csv", "user,item,n\ncid,tea,1\ndan,milk,-2\n")
        for command in (("update", "-o", "x.gkt"), ("project",)):
            done = self.run_tool(command[0], "m.gkt", "new.csv", "--mode", "user", *command[1:],
                                 expect=FILE_TROUBLE)
            self.assertIn("genten: new.csv:3: ", done.stderr)

    def test_nothing_is_left_out_where_all_is_unknown(self):
        self.write("new.csv", "user,item\ncid,tea\ndan,milk\n")
        for command in ("predict", "evaluate"):
            values = ("--run", "none") if command == "evaluate" else ()
            done = self.run_tool(command, "m.gkt", "new.csv", *values, expect=FILE_TROUBLE)
            self.assertIn("2 of 2 entries are in such rows; give the model new rows", done.stderr)
            self.assertNotIn("--unknown", done.stderr)
        self.write("new.csv", "user,item,n\ncid,tea,1\ncid,jam,2\n")
        done = self.run_tool("project", "m.gkt", "new.csv", "--mode", "user", expect=FILE_TROUBLE)
        self.assertIn("; remove such entries from the file, or give the model", done.stderr)


if __name__ == "__main__":
    unittest.main()
