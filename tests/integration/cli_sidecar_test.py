#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What lies beside a file: names, FILE.labels.json, as the Python package writes them, and what is
known of the run that made a model."""
import hashlib
import json
import shutil
import unittest

from cli_support import FILE_TROUBLE, TITANIC, TITANIC_LABELS, WRONG_USAGE, Model, ToolTest

SHAPE = [4, 2, 2, 2]
LABELS = [["first", "second", "third", "crew"], ["man", "woman"], None, ["lost", "saved"]]


class WithNames(ToolTest):
    def setUp(self):
        super().setUp()
        shutil.copy(TITANIC, self.directory / "t.tns")

    def put(self, name, **changes):
        """The names beside a file, with what is otherwise than the Python package has it."""
        digest = hashlib.sha256((self.directory / name).read_bytes()).hexdigest()
        told = {"format": "genten labels", "version": 1, "sha256": digest, "shape": SHAPE,
                "mode_names": ["class", "sex", "age", "fate"], "labels": LABELS, **changes}
        self.write(name + ".labels.json", json.dumps(told))


class Sidecar(WithNames):
    """The tool takes names from there."""

    def top(self, *arguments):
        return self.run_tool("decompose", "t.tns", "--rank", 2, "--top", 3, "-q", *arguments)

    def refused(self, why, what="t.tns.labels.json is"):
        done = self.top("--index-base", 1)
        self.assertNotIn("crew", done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn(f"genten: warning: {what} not used: ", done.stderr)
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
        done = self.run_tool("decompose", "t.tns", "--rank", 2, "--checkpoint", "c.gkt", "-q")
        self.assertEqual(done.stderr, "")

    def test_of_another_content_is_noted_and_not_used(self):
        self.put("t.tns")
        with open(self.directory / "t.tns", "a") as file:
            file.write("# changed\n")
        self.refused("it was written for other content of t.tns")

    def test_that_does_not_fit_is_noted_and_not_used(self):
        for changes, why in (({"shape": [3, 2, 2, 2]}, "its shape is [3,2,2,2]"),
                             ({"shape": [4, 2, 2]}, "its shape is [4,2,2]"),
                             ({"index_base": 0}, "its subscripts count from 0"),
                             ({"version": 2}, "its version is 2"),
                             ({"format": "others"}, "its format is not"),
                             ({"labels": [["a"], None, None, None]}, "not as many"),
                             ({"labels": [[1, 2, 3, 4], None, None, None]}, "not texts"),
                             ({"mode_names": ["a"]}, "names of modes")):
            with self.subTest(why):
                self.put("t.tns", **changes)
                names = why.startswith(("its s", "not as many", "names of"))
                self.refused(why, *["the names in t.tns.labels.json are"] * names)
        self.write("t.tns.labels.json", "{")
        self.refused("it is damaged: no JSON in UTF-8, at byte 2")

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
        done = self.run_tool("convert", "--model", "m.gkt", "-")
        self.assertNotIn("warning", done.stderr)

    def test_goes_with_rows_that_are_kept(self):
        self.write("t.tns", "1 1 1 1 5\n4 2 2 2 7\n")
        self.put("t.tns")
        self.run_tool("convert", "t.tns", "c.tns", "--compact")
        told = self.read_json("c.tns.labels.json")
        self.assertEqual((told["labels"][0], told["number_names"]), (["first", "crew"], [3]))


class Written(WithNames):
    """The tool puts the names that it knows beside what it writes."""

    def beside(self, name, **expected):
        """What stands beside a file, which must be that file's."""
        told = self.read_json(name + ".labels.json")
        digest = hashlib.sha256((self.directory / name).read_bytes()).hexdigest()
        self.assertEqual((told["format"], told["version"], told["sha256"]),
                         ("genten labels", 1, digest))
        for key, value in expected.items():
            self.assertEqual(told.get(key), value, key)

    def test_beside_a_model(self):
        for name in ("m.ktensor", "m.gkt", "m.txt.gz"):
            done = self.run_tool("decompose", "t.tns", "--rank", 2, "--output", name, "--json",
                                 "r.json", "--labels", TITANIC_LABELS.rpartition(",")[0] + ",")
            self.assertIn(f"\nmodel     {name}, names in {name}.labels.json\n", done.stdout)
            self.assertEqual(self.read_json("r.json")["labels_file"], name + ".labels.json")
            crew = ["1st", "2nd", "3rd", "Crew"]
            self.beside(name, shape=SHAPE, mode_names=["class", "sex", "age", "mode 4"],
                        labels=[crew, ["Male", "Female"], ["Child", "Adult"], None])
        self.run_tool("convert", "--model", "m.gkt", "c.csv")
        self.assertIn("\n1,4,Crew,", (self.directory / "c.csv").read_text())
        self.assertNotIn("c.csv.labels.json", self.files())

    def test_of_a_tensor_go_with_its_model_and_on(self):
        self.put("t.tns")
        self.run_tool("decompose", "t.tns", "--rank", 2, "-q", "-o", "m.gkt")
        done = self.run_tool("convert", "--model", "m.gkt", "n.ktensor")
        self.assertIn("\nwritten to n.ktensor, names to n.ktensor.labels.json\n", done.stdout)
        for name in ("m.gkt", "n.ktensor"):
            self.beside(name, shape=SHAPE, labels=LABELS, index_base=None,
                        mode_names=["class", "sex", "age", "fate"])

    def test_of_tensors_go_with_their_modes_and_rows(self):
        self.write("t.tns", "1 1 1 1 5\n4 2 2 2 7\n")
        self.put("t.tns")
        self.run_tool("convert", "t.tns", "c.gtn")
        self.beside("c.gtn", shape=SHAPE, labels=LABELS, index_base=None)
        self.run_tool("convert", "c.gtn", "d.tns", "--permute", "3,1,2,4",
                      "--output-index-base", 0)
        self.beside("d.tns", shape=[2, 4, 2, 2], index_base=0,
                    labels=[None, LABELS[0], LABELS[1], LABELS[3]],
                    mode_names=["age", "class", "sex", "fate"])
        self.run_tool("convert", "t.tns", "e.tns", "--compact", "--permute", "2,1,3,4")
        self.beside("e.tns", shape=[2, 2, 2, 2], index_base=1,
                    labels=[LABELS[1], ["first", "crew"], ["1", "2"], LABELS[3]], number_names=[3])
        result = self.run_json("convert", "t.tns", "f.txt", "--labels", TITANIC_LABELS)
        self.assertEqual(result["labels_file"], "f.txt.labels.json")
        self.beside("f.txt", mode_names=["class", "sex", "age", "survived"])

    def test_names_of_rows_that_a_form_cannot_say(self):
        longer = [LABELS[0] + ["nobody"], *LABELS[1:]]
        self.put("t.tns", shape=[5, 2, 2, 2], index_base=1, labels=longer)
        self.assertEqual(self.run_tool("convert", "t.tns", "c.tns.gz").stderr, "")
        self.beside("c.tns.gz", shape=[5, 2, 2, 2], labels=longer)
        done = self.run_tool("convert", "t.tns", "c.gtn")
        self.assertIn("c.gtn: mode 1 has 4 rows, and names for 5: the last are", done.stderr)
        self.beside("c.gtn", shape=SHAPE, labels=LABELS)

    def test_takes_no_other_files_place(self):
        self.put("t.tns")
        self.write("m.gkt.labels.json", '{"mine": 1}')
        done = self.run_tool("decompose", "t.tns", "--rank", 2, "-o", "m.gkt", expect=FILE_TROUBLE)
        self.assertIn("m.gkt.labels.json: expected no file, or one of names and options",
                      done.stderr)
        self.assertEqual(self.read_json("m.gkt.labels.json"), {"mine": 1})
        self.assertNotIn("m.gkt", self.files())
        self.run_tool("convert", "t.tns", "m.gkt", expect=FILE_TROUBLE, *("--to", "binary"))
        self.assertNotIn("m.gkt", self.files())
        self.run_tool("decompose", "t.tns", "--rank", 2, "-o", "n.gkt", "--json",
                      "n.gkt.labels.json", expect=WRONG_USAGE)

    def test_of_a_file_that_is_replaced_do_not_stay(self):
        self.put("t.tns")
        self.run_tool("decompose", "t.tns", "--rank", 2, "-q", "-o", "m.gkt")
        done = self.run_tool("decompose", "t.tns", "--rank", 3, "-q", "-o", "m.gkt")
        self.assertEqual(done.stderr, "")
        self.beside("m.gkt", labels=LABELS)
        done = self.run_tool("decompose", TITANIC, "--rank", 3, "-q", "-o", "m.gkt")
        self.assertEqual(done.stderr, "")
        self.assertEqual(self.read_json("m.gkt.labels.json")["labels"], [None] * 4)
        # Where nothing is known of the model that comes.
        self.write("bare.ktensor", "ktensor\n1\n1\n1\n1\nmatrix\n2\n1 1\n1\n")
        done = self.run_tool("convert", "bare.ktensor", "m.gkt")
        self.assertEqual(done.stderr, "genten: warning: m.gkt.labels.json belonged to the file "
                         "that was replaced, and is removed\n")
        self.assertNotIn("m.gkt.labels.json", self.files())

    def test_that_are_no_unicode_are_refused(self):
        (self.directory / "latin").write_bytes(b"b\ncaf\xe9\nc\nd\n")
        done = self.run_tool("decompose", "t.tns", "--rank", 2, "-q", "-o", "m.gkt", "--labels",
                             "latin,,,", expect=FILE_TROUBLE)
        self.assertEqual(done.stderr, "genten: latin:2: expected a name in UTF-8, got 'caf\\xe9': "
                         "iconv -f latin1 -t utf-8 makes such a file of one of Western European "
                         "text\n")
        self.assertNotIn("m.gkt", self.files())

    def test_that_go_into_the_output_need_no_place_beside_it(self):
        self.put("t.tns")
        self.run_tool("decompose", "t.tns", "--rank", 2, "-q", "-o", "m.gkt")
        (self.directory / "n.csv.labels.json").write_text('{"mine": 1}')
        self.run_tool("convert", "--model", "m.gkt", "n.csv")
        self.assertEqual(self.read_json("n.csv.labels.json"), {"mine": 1})

    def test_whose_place_is_taken_stop_compacting_before_anything_is_written(self):
        self.put("t.tns")
        (self.directory / "c.tns.labels.json").write_text('{"mine": 1}')
        before = self.files()
        self.run_tool("convert", "--compact", "t.tns", "c.tns", expect=FILE_TROUBLE)
        self.assertEqual(self.files(), before)


class KnownRun(ToolTest):
    """What a stream's file says of itself, and what nothing says."""

    def setUp(self):
        super().setUp()
        self.write("old.tns", "1 1 1 4\n2 1 1 2\n1 2 1 3\n2 2 2 5\n1 1 2 1\n2 2 1 2\n")
        self.write("new.tns", "1 1 1 4\n2 2 1 3\n")
        self.run_tool("decompose", "old.tns", "--rank", 2, "--seed", 1, "-q", "-o", "m.gkt",
                      "--nonnegative", "all")
        self.run_tool("update", "m.gkt", "new.tns", "--mode", 3, "-q", "-o", "s.gkt")

    def test_options_of_the_stream_may_be_repeated_in_other_words(self):
        known = None
        for again in (("--nonnegative", "all"), ("--nonnegative", "1,2,3"), ("--lower", 0),
                      ("--lower", "0,0,0"), ("--loss", "gaussian"), ("--upper", "inf"),
                      ("--ridge", 0), ("--extra", 1)):
            self.run_tool("update", "s.gkt", "new.tns", "-q", "-o", "t.gkt", *again)
            written = (self.directory / "t.gkt").read_bytes()
            known = known or written
            self.assertEqual(written, known, again)
        for other in (("--lower", 0.1), ("--ridge", 1), ("--upper", "9,9,inf")):
            done = self.run_tool("update", "s.gkt", "new.tns", "-o", "t.gkt", *other,
                                 expect=WRONG_USAGE)
            self.assertIn(f"{other[0]}: expected ", done.stderr)
            self.assertIn(f", as the stream of s.gkt has it, got {other[1]}", done.stderr)
        done = self.run_tool("update", "s.gkt", "new.tns", "-o", "t.gkt", "--nonnegative", 9,
                             expect=WRONG_USAGE)
        self.assertIn("--nonnegative: expected modes from 1 to 3, got '9'", done.stderr)

    def test_project_takes_the_bounds_of_a_stream(self):
        found = self.run_json("project", "s.gkt", "new.tns", "--mode", 3)
        self.assertEqual(found["options_of_run"], "loss gaussian, lower 0, of s.gkt")
        self.run_tool("update", "m.gkt", "new.tns", "--mode", 3, "-q", "-o", "b.gkt", "--upper",
                      30, "--run", "none", "--extra", 0)
        found = self.run_json("project", "b.gkt", "new.tns", "--mode", 3)
        self.assertEqual(found["options_of_run"], "loss gaussian, upper 30, of b.gkt")
        found = self.run_json("project", "b.gkt", "new.tns", "--mode", 3, "--run", "none")
        self.assertEqual(found["options_of_run"], "")

    def test_models_of_streams_are_normalized(self):
        weights = self.run_json("show", "s.gkt")["weights"]
        self.assertNotEqual(weights, [1, 1])
        self.run_tool("convert", "--model", "s.gkt", "s.ktensor", "-q")
        for factor in Model(self.directory / "s.ktensor").factors:
            for column in zip(*factor):
                self.assertAlmostEqual(sum(x * x for x in column), 1)
        self.run_tool("update", "m.gkt", "new.tns", "--mode", 3, "-q", "-o", "r.gkt", "--ridge", 1)
        shown = self.run_tool("show", "r.gkt", "--top", 0).stdout
        self.assertIn("weights   1 1\nnorms     ", shown)
        self.assertNotIn("norms", self.run_tool("show", "s.gkt").stdout)

    def test_the_options_go_with_a_model_that_is_renamed(self):
        for ending in ("", ".labels.json"):
            (self.directory / f"m.gkt{ending}").rename(self.directory / f"other.gkt{ending}")
        done = self.run_tool("project", "other.gkt", "new.tns", "--mode", 3)
        self.assertIn("options   loss gaussian, lower 0, of other.gkt.labels.json", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_that_was_plain_is_known(self):
        self.run_tool("decompose", "new.tns", "--rank", 1, "-q", "-o", "plain.gkt")
        self.assertEqual(self.read_json("plain.gkt.labels.json")["run"], {"loss": "gaussian"})
        for command in (("project", "plain.gkt", "new.tns", "--mode", 3, "-o", "p.gkt"),
                        ("update", "plain.gkt", "new.tns", "--mode", 3, "-o", "u.gkt"),
                        ("predict", "plain.gkt", "new.tns", "-o", "p.tns"),
                        ("evaluate", "plain.gkt", "new.tns")):
            done = self.run_tool(*command)
            self.assertEqual(done.stderr, "")
            if command[0] in ("project", "update"):
                self.assertIn("options   loss gaussian, of plain.gkt.labels.json", done.stdout)
        # What is assumed is not written as if it were known.
        (self.directory / "plain.gkt.labels.json").unlink()
        self.run_tool("project", "plain.gkt", "new.tns", "--mode", 3, "-o", "q.gkt", "-q")
        self.assertNotIn("q.gkt.labels.json", self.files())

    def test_a_model_alone_is_told_of(self):
        (self.directory / "m.gkt.labels.json").unlink()
        self.write("entries.txt", "1 1 1\n")
        said = ("nothing beside m.gkt tells of the run that made it (did another program make "
                "it, or was it copied without m.gkt.labels.json?): ")
        for command in (("project", "m.gkt", "new.tns", "--mode", 3, "-o", "p.gkt"),
                        ("update", "m.gkt", "new.tns", "--mode", 3, "-o", "t.gkt"),
                        ("predict", "m.gkt", "entries.txt", "-o", "p.tns"),
                        ("predict", "m.gkt", "entries.txt"), ("evaluate", "m.gkt", "new.tns")):
            done = self.run_tool(*command)
            self.assertIn("genten: note: " + said, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            quiet = self.run_tool(*command, "-q")
            self.assertTrue(quiet.stderr.startswith(done.stderr), quiet.stderr)
            self.assertNotIn(said, self.run_tool(*command, "--loss", "gaussian").stderr)
        self.write("new.csv", "a,b,c,n\n0,0,0,1\n")
        told = self.run_tool("evaluate", "m.gkt", "new.csv", "--values", "n").stderr
        self.assertEqual(told.count("copied without"), 1, told)
        for command in (("project", "m.gkt", "new.tns", "--mode", 3, "--run", "none"),
                        ("project", "m.gkt", "new.tns", "--mode", 3, "--nonnegative"),
                        ("update", "s.gkt", "new.tns", "-o", "t.gkt"),
                        ("predict", "s.gkt", "entries.txt", "-o", "p.tns")):
            self.assertNotIn(said, self.run_tool(*command).stderr)


class TableBases(ToolTest):
    """Numbers of a table that count from 1, as --index-base 1 has read them, beside its model."""

    def setUp(self):
        super().setUp()
        self.write("t.csv", "user,week,n\n1,1,5\n2,2,1\n1,3,2\n2,1,4\n1,2,3\n")
        self.run_tool("decompose", "t.csv", "--values", "n", "--index-base", 1, "--rank", 1, "-q",
                      "--nonnegative", "all", "-o", "m.gkt")

    def of(self, name):
        return self.read_json(f"{name}.labels.json")

    def test_the_model_keeps_what_numbers_count_from(self):
        self.assertEqual(self.of("m.gkt")["shape"], [2, 3])
        self.run_tool("convert", "m.gkt", "m.ktensor", "-q")
        self.run_tool("convert", "t.csv", "t.gtn", "--values", "n", "--index-base", 1, "-q")
        self.run_tool("decompose", "t.gtn", "--rank", 1, "-q", "-o", "g.gkt")
        for name in ("m.gkt", "m.ktensor", "t.gtn", "g.gkt"):
            self.assertEqual(self.of(name)["index_base"], 1, name)
        self.write("c.csv", "user,week\n2,1\n")
        self.assertEqual(*(self.run_tool("predict", name, "c.csv").stdout
                           for name in ("m.ktensor", "m.gkt")))

    def test_tables_beside_it_count_alike(self):
        text = self.write("t.txt", "1 1 5\n2 2 1\n1 3 2\n2 1 4\n1 2 3\n")
        for told in (self.run_tool("evaluate", "m.gkt", "t.csv", "--values", "n"),
                     self.run_tool("evaluate", "m.gkt", text),
                     self.run_tool("evaluate", "m.gkt", "t.csv", "--values", "n", "--missing",
                                   self.write("no.csv", "user,week\n2,3\n"))):
            self.assertRegex(told.stdout, "entries +5 ")
            rmse = [line.split()[1] for line in told.stdout.splitlines() if "RMSE" in line]
            self.assertEqual(told.stderr, "")
            self.assertLess(float(rmse[0]), 1)
        self.write("c.csv", "user,week\n1,1\n2,2\n")
        self.write("c.txt", "1 1\n2 2\n")
        table = self.run_tool("predict", "m.gkt", "c.csv").stdout.splitlines()[1:]
        plain = self.run_tool("predict", "m.gkt", "c.txt").stdout.splitlines()
        self.assertEqual([line.split(",") for line in table],
                         [line.split() for line in plain if not line.startswith("#")])

    def test_new_slices_count_alike(self):
        rows = self.run_tool("project", "m.gkt", "t.csv", "--values", "n", "--mode", "user",
                             "--rows", "r.csv", "-o", "p.gkt")
        self.assertIn("5 nonzeros", rows.stdout)
        self.assertEqual([line.split(",")[0] for line in
                          (self.directory / "r.csv").read_text().splitlines()[1:]], ["1", "2"])
        self.write("new.csv", "user,week,n\n1,1,3\n2,1,2\n")
        self.run_tool("update", "m.gkt", "new.csv", "--values", "n", "--mode", "week",
                      "-o", "s.gkt")
        self.assertEqual(self.of("s.gkt")["shape"], [2, 4])
        self.assertEqual((self.of("p.gkt")["index_base"], self.of("s.gkt")["index_base"]), (1, 1))
        names = self.write("named.csv", "user,week,n\nu9,1,3\n")
        self.run_tool("convert", names, "named.gtn", "--values", "n", "--index-base", 1, "-q")
        self.run_tool("update", "m.gkt", "named.gtn", "--mode", "user", "-o", "n.gkt")
        self.assertEqual(self.of("n.gkt")["labels"][0], ["1", "2", "u9"])

    def test_another_base_is_refused(self):
        self.write("c.csv", "user,week,n\n0,1,1\n")
        more = ("--mode", "user", "-o", "o.gkt")
        for command in (("predict",), ("evaluate", "--values", "n"),
                        ("project", "--values", "n", *more), ("update", "--values", "n", *more)):
            given = (command[0], "m.gkt", "c.csv", *command[1:])
            done = self.run_tool(*given, "--index-base", 0, expect=WRONG_USAGE)
            self.assertIn("--index-base: expected 1, from which m.gkt numbers its rows, as the "
                          "table was read that it was made from, got '0'", done.stderr)
            done = self.run_tool(*given, expect=FILE_TROUBLE)
            self.assertIn("c.csv: column 'user': expected subscripts that count from 1, got 0",
                          done.stderr)
        self.run_tool("convert", "t.csv", "z.gtn", "--values", "n", "-q")
        for command in (("evaluate", "m.gkt", "z.gtn"),
                        ("decompose", "z.gtn", "--init", "m.gkt"),
                        ("decompose", "t.csv", "--values", "n", "--init", "m.gkt")):
            done = self.run_tool(*command, expect=FILE_TROUBLE)
            self.assertRegex(done.stderr, r"mode 1 .user.: .* numbers its rows from [01], .* from "
                             "[01], as their tables were read: expected the same")

    def test_lists_of_missing_entries_count_as_the_tensor_does(self):
        listed = self.write("no.csv", "user,week\n1,1\n")
        text = self.write("t.txt", "1 1 5\n2 2 1\n1 3 2\n2 1 4\n1 2 3\n")
        errors = []
        for tensor in (("t.csv", "--values", "n", "--index-base", 1), (text,)):
            told = self.run_json("decompose", *tensor, "--missing", listed, "--rank", 1)
            errors.append(told["residual_norm"])
            self.assertEqual(told["entries"], 5)
            self.assertAlmostEqual(told["tensor_norm"] ** 2, 30)  # without 5 * 5
        self.assertEqual(*errors)

    def test_lists_of_text_count_as_the_table_of_the_tensor_does(self):
        listed = self.write("no.txt", "2 1\n")
        table = self.write("no.csv", "user,week\n2,1\n")
        for base in (1, 0):
            read = ("--values", "n", "--index-base", base)
            self.run_tool("convert", "t.csv", "t.gtn", *read, "-q")
            for tensor in (("t.csv", *read), ("t.gtn",)):
                for missing in (listed, table):
                    told = self.run_json("decompose", *tensor, "--missing", missing, "--rank", 1)
                    self.assertAlmostEqual(told["tensor_norm"] ** 2, 39)  # without 4 * 4
            self.run_tool("decompose", "t.gtn", "--rank", 1, "-q", "-o", "b.gkt")
            rows = []
            for missing in (listed, table):
                self.assertEqual(self.run_json("evaluate", "b.gkt", "t.gtn", "--missing", missing)
                                 ["listed"]["entries"], 4)
                self.run_tool("project", "b.gkt", "t.gtn", "--mode", "week", "--missing", missing,
                              "--rows", "r.csv")
                rows.append((self.directory / "r.csv").read_text())
            self.assertEqual(*rows)

    def test_a_base_is_nothing_to_names(self):
        names = self.write("named.csv", "user,item,n\nu,p,1\nv,q,2\n")
        self.run_tool("decompose", names, "--values", "n", "--index-base", 1, "--rank", 1, "-q",
                      "-o", "n.gkt")
        self.assertEqual(self.of("n.gkt")["index_base"], 1)
        told = [self.run_json("evaluate", "n.gkt", names, "--values", "n", *base)["listed"]
                for base in ((), ("--index-base", 0))]
        self.assertEqual(*told)

    def test_a_list_of_all_entries_leaves_nothing(self):
        for more in ((), ("--loss", "poisson"), ("--solver", "gcp")):
            done = self.run_tool("decompose", "t.csv", "--values", "n", "--index-base", 1, "--rank",
                                 1, "--missing", "t.csv", *more, expect=WRONG_USAGE)
            self.assertIn("--missing: expected entries that leave nonzeros of the tensor, got all "
                          "5 of these: no entry is left to fit but zeros; does the list name what "
                          "is known, in place of what is missing?", done.stderr)

    def test_values_without_a_name_are_the_one_column_that_is_left(self):
        """As of a run in Python on an unnamed Series."""
        self.write("old.csv", "user,item,n\na,x,5\na,y,3\nb,x,4\nb,y,2\nc,y,1\n")
        self.run_tool("decompose", "old.csv", "--values", "n", "--rank", 1, "-q", "-o", "m.gkt")
        beside = self.read_json("m.gkt.labels.json")
        beside["run"]["values"] = ""
        text = json.dumps(beside["run"], sort_keys=True, separators=(",", ":"))
        beside["run_sha256"] = hashlib.sha256(text.encode()).hexdigest()
        self.write("m.gkt.labels.json", json.dumps(beside))
        self.write("new.csv", "user,item,stars\nd,x,50\nd,y,30\n")
        self.write("only.csv", "user,item\nd,x\nd,y\n")
        self.write("more.csv", "user,item,stars,year\nd,x,50,1.5\nd,y,30,1.5\n")
        evaluate = ("evaluate", "m.gkt", "--unknown", "skip")
        whole = [self.run_json(*evaluate, "old.csv", *given)["listed"]["rmse"]
                 for given in ((), ("--values", "n"))]
        self.assertEqual(*whole)
        for command in (evaluate, ("project", "m.gkt", "--mode", "user"),
                        ("update", "m.gkt", "--mode", "user", "-o", "s.gkt")):
            done = self.run_tool(*command, "only.csv", expect=FILE_TROUBLE)
            self.assertIn("only.csv:1: expected a column with the values beside those of the "
                          "modes, as the model's run had values, got user, item; --modes user,"
                          "item counts its rows\n", done.stderr)
            done = self.run_tool(*command, "more.csv", expect=FILE_TROUBLE)
            self.assertIn("more.csv:1: columns stars, year are none of the modes user, item: which "
                          "one has the values? --values COLUMN says so\n",
                          done.stderr)
        self.run_tool("decompose", "old.csv", "--values", "n", "--rank", 1, "-q", "-o", "n.gkt")
        done = self.run_tool("evaluate", "n.gkt", "more.csv", expect=FILE_TROUBLE)
        self.assertIn("which one has the values, as \"n\" in the run? --values COLUMN", done.stderr)
        done = self.run_tool("project", "n.gkt", "new.csv", "--mode", "user")
        self.assertIn("genten: note: new.csv: column \"stars\" is taken for the values, as \"n\" "
                      "in the run; --values names another\n", done.stderr)
        project = ("project", "m.gkt", "new.csv", "--mode", "user")
        self.assertEqual(*(self.run_json(*project, *given, "-o", "p.gkt")["rows"]
                           for given in (("--values", "stars"), ())))
        self.run_tool("update", "m.gkt", "new.csv", "--mode", "user", "-q", "-o", "s.gkt")
        for name in ("p.gkt", "s.gkt"):  # written again
            self.assertEqual(self.read_json(f"{name}.labels.json")["run"]["values"], "")
        self.run_tool("evaluate", "m.gkt", "old.csv", "--modes", "user,item", "--run", "none")
        # Of the tool's own runs "" says that no column was named.
        self.run_tool("decompose", "only.csv", "--rank", 1, "-q", "-o", "c.gkt", "--json", "r.json")
        self.assertEqual(self.read_json("r.json")["options"]["values"], "")
        self.run_tool("evaluate", "c.gkt", "only.csv", "--run", "r.json")
        # Beside a model null says that rows were counted, so that no other column is taken.
        self.run_tool("tucker", "only.csv", "--ranks", "1,1", "-q", "-o", "d.gkt")
        for name in ("c.gkt", "d.gkt"):
            self.assertIsNone(self.read_json(f"{name}.labels.json")["run"]["values"])
            done = self.run_tool("evaluate", name, "new.csv")
            self.assertIn("genten: note: new.csv: column stars is not used, and each row counts as "
                          "1, as in the table that the model was made from: --values names one "
                          "that has the values\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
