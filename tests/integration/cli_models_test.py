#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models for other programs: comma-separated values, NumPy archives, factors in JSON; and files
that have some rows of a model alone."""
import array
import ast
import csv
import pathlib
import re
import shlex
import unittest
import zipfile

from cli_support import FILE_TROUBLE, TITANIC, TITANIC_LABELS, WRONG_USAGE, Model, ToolTest

DECOMPOSE = ("decompose", TITANIC, "--rank", 2, "-q")


def read_npz(path):
    """Name -> (type, shape, numbers by rows), read by the format's description."""
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            data = archive.read(name)
            assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
            end = 10 + int.from_bytes(data[8:10], "little")
            assert end % 64 == 0
            header = ast.literal_eval(data[10:end].decode())
            assert not header["fortran_order"]
            if header["descr"].startswith("<U"):
                width = 4 * int(header["descr"][2:])
                texts = [data[at:at + width].decode("utf-32-le").rstrip("\0")
                         for at in range(end, len(data), width)]
                arrays[name] = (header["descr"], header["shape"], texts)
                continue
            numbers = array.array({"<f4": "f", "<f8": "d"}[header["descr"]])
            numbers.frombytes(data[end:])
            arrays[name] = (header["descr"], header["shape"], list(numbers))
    return arrays


class Models(ToolTest):
    def setUp(self):
        super().setUp()
        self.run_tool(*DECOMPOSE, "-o", "m.ktensor")
        self.model = Model(self.directory / "m.ktensor")

    def rows(self, name):
        with open(self.directory / name, newline="", encoding="utf-8") as file:
            return list(csv.reader(file))

    def check_csv(self, rows):
        self.assertEqual(rows[0], ["mode", "row", "name", "component_1", "component_2"])
        self.assertEqual(rows[1][:3], ["0", "0", "weight"])
        self.assertEqual([float(x) for x in rows[1][3:]], self.model.weights)
        at = 2
        for n, factor in enumerate(self.model.factors):
            for i, numbers in enumerate(factor):
                self.assertEqual(rows[at][:2], [str(n + 1), str(i + 1)])
                self.assertEqual([float(x) for x in rows[at][3:]], list(numbers))
                at += 1
        self.assertEqual(at, len(rows))

    def test_csv_holds_the_model(self):
        done = self.run_tool(*DECOMPOSE[:-1], "-o", "m.csv")
        self.assertEqual(done.stderr, "genten: note: m.csv: a model of this form is for other "
                         "programs, and no command reads it; a name that ends in .gkt gives one "
                         "that commands read\n")
        for command in (("show", "m.csv"), ("evaluate", "m.csv", TITANIC)):
            self.assertIn("expected a model that can be read back, text (.ktensor) or binary "
                          "(.gkt), got a table (.csv)",
                          self.run_tool(*command, expect=FILE_TROUBLE).stderr)
        rows = self.rows("m.csv")
        self.check_csv(rows)
        self.assertEqual({row[2] for row in rows[2:]}, {""})

    def test_csv_holds_names(self):
        self.run_tool(*DECOMPOSE, "-o", "m.csv", "--labels", TITANIC_LABELS)
        rows = self.rows("m.csv")
        self.check_csv(rows)
        self.assertEqual([row[2] for row in rows[2:]],
                         ["1st", "2nd", "3rd", "Crew", "Male", "Female", "Child", "Adult", "No",
                          "Yes"])

    def test_csv_quotes_names(self):
        names = self.write("a", 'first, really\nthe "second"\nthird\nCrew\n')
        self.run_tool("convert", "--model", "m.ktensor", "m.csv", "--labels", f"{names},,,")
        rows = self.rows("m.csv")
        self.check_csv(rows)
        self.assertEqual([row[2] for row in rows[2:6]],
                         ["first, really", 'the "second"', "third", "Crew"])

    def check_npz(self, arrays, kind):
        self.assertEqual(arrays.pop("run.npy")[1:], ((), ['{"loss":"gaussian"}']))
        self.assertEqual(list(arrays), ["weights.npy"] + [f"factor_{n}.npy" for n in (1, 2, 3, 4)])
        self.assertEqual(arrays["weights.npy"], (kind, (2,), self.model.weights))
        for n, factor in enumerate(self.model.factors):
            self.assertEqual(arrays[f"factor_{n + 1}.npy"],
                             (kind, (len(factor), 2), [x for row in factor for x in row]))

    def test_npz_holds_the_model(self):
        self.run_tool(*DECOMPOSE, "-o", "m.npz")
        self.check_npz(read_npz(self.directory / "m.npz"), "<f8")
        self.run_tool("convert", "--model", "m.ktensor", "again.npz")
        self.assertEqual((self.directory / "again.npz").read_bytes(),
                         (self.directory / "m.npz").read_bytes())
        self.run_tool("convert", "--model", "m.ktensor", "zone.npz",
                      environment={"TZ": "Asia/Tokyo"})
        self.assertEqual((self.directory / "zone.npz").read_bytes(),
                         (self.directory / "m.npz").read_bytes())

    def test_npz_holds_names(self):
        names = self.directory / "a"
        names.write_bytes("Erste Klasse\nzweite ü €\n\U0001f6a2\nÿ\n".encode())
        sex = TITANIC_LABELS.split(",")[1]
        self.run_tool(*DECOMPOSE, "-o", "m.npz", "--labels", f"{names},{sex},,")
        arrays = read_npz(self.directory / "m.npz")
        self.assertEqual(arrays.pop("labels_1.npy"),
                         ("<U12", (4,), ["Erste Klasse", "zweite ü €", "\U0001f6a2",
                                         "ÿ"]))
        self.assertEqual(arrays.pop("labels_2.npy"), ("<U6", (2,), ["Male", "Female"]))
        self.assertEqual(arrays.pop("mode_names.npy"), ("<U6", (4,), ["a", "sex", "mode 3",
                                                                      "mode 4"]))
        self.check_npz(arrays, "<f8")
        self.run_tool("convert", "--model", "m.ktensor", "again.npz", "--labels",
                      f"{names},{sex},,")
        self.assertEqual((self.directory / "again.npz").read_bytes(),
                         (self.directory / "m.npz").read_bytes())

    def test_npz_has_the_precision_of_the_run(self):
        self.run_tool(*DECOMPOSE, "--precision", "float", "-o", "m.npz")
        arrays = read_npz(self.directory / "m.npz")
        arrays.pop("run.npy")
        self.assertEqual({kind for kind, _, _ in arrays.values()}, {"<f4"})

    def test_json_holds_factors_when_asked_to(self):
        result = self.run_json(*DECOMPOSE, "--json-factors", "--labels", TITANIC_LABELS)
        self.assertEqual(result["factors"], [[list(row) for row in factor]
                                             for factor in self.model.factors])
        self.assertEqual(result["weights"], self.model.weights)
        self.assertEqual(result["labels"][1], ["Male", "Female"])
        plain = self.run_json(*DECOMPOSE, "--json-factors")
        self.assertEqual(plain["labels"], [None] * 4)
        self.assertNotIn("factors", self.run_json(*DECOMPOSE))

    def test_names_that_say_no_form_are_right_where_options_do(self):
        self.run_tool(*DECOMPOSE, "-o", "model", "--checkpoint", "run.ckpt")
        self.assertEqual(Model(self.directory / "model").weights, self.model.weights)
        self.run_tool("convert", "--model", "run.ckpt", "m.model", "--to", "binary")
        self.run_tool("compare", "m.model", "m.ktensor")

    def test_exports_are_not_read_back(self):
        for name, words in (("m.csv", "a table (.csv): those are exports"),
                            ("m.npz", "an archive (.npz): with the Python package, python3 -c "
                             "\"import genten; genten.load('m.npz').save('m.gkt')\" makes the "
                             "model m.gkt of it\n")):
            self.run_tool(*DECOMPOSE, "-o", name)
            for command in (("show", name), ("evaluate", name, TITANIC)):
                done = self.run_tool(*command, expect=FILE_TROUBLE)
                self.assertIn(f"{name}: expected a model that can be read back, text (.ktensor) or "
                              f"binary (.gkt), got {words}", done.stderr)

    def test_a_disk_that_is_full(self):
        full = pathlib.Path("/dev/full")
        if not full.exists():
            self.skipTest("no /dev/full")
        for ending in ("csv", "npz"):
            link = self.directory / f"full.{ending}"
            link.symlink_to(full)
            done = self.run_tool(*DECOMPOSE, "-o", link, expect=FILE_TROUBLE)
            self.assertIn("No space left", done.stderr)
            rescued = list(self.directory.glob(f"rescued-*-full.{ending}"))
            self.assertEqual(len(rescued), 1)
        self.check_csv(self.rows(next(self.directory.glob("rescued-*.csv"))))
        self.check_npz(read_npz(next(self.directory.glob("rescued-*.npz"))), "<f8")

    def test_what_makes_no_sense_is_refused(self):
        for arguments, words in (
                (("-o", "m.npz.gz"), "only text is compressed"),
                (("-o", "m.csv.zst"), "only text is compressed"),
                (("--checkpoint", "c.csv"), "checkpoints are binary"),
                (("-o", "m.npy"), "there is no form .npy"),
                (("-o", "m.mat"), "which ends in .ktensor or .txt (text, "),
                (("-o", "m.json.gz"), "there is no form .json\n"),
                (("-o", "m.json"), "there is no form .json, and --json m.json writes the report"),
                (("-o", "m.tns"), ".tns is that of a tensor"),
                (("--json-factors",), "--json"),
                (("--labels", TITANIC_LABELS), "expected something to name"),
                (("--labels", TITANIC_LABELS, "-o", "-"), "expected something to name")):
            done = self.run_tool(*DECOMPOSE, *arguments, expect=WRONG_USAGE)
            self.assertIn(words, done.stderr)
        done = self.run_tool("convert", "--model", "m.ktensor", "m.npy", expect=WRONG_USAGE)
        self.assertIn("there is no form .npy", done.stderr)
        done = self.run_tool("generate", "x.tns", "--dimensions", "3,4", "--nnz", 2, "--rank", 1,
                             "--model", "m.mat", expect=WRONG_USAGE)
        self.assertIn("there is no form .mat", done.stderr)
        done = self.run_tool("convert", "--model", "m.ktensor", "-", "--labels", "a,,,",
                             expect=WRONG_USAGE)
        self.assertIn("that names have a place beside, got standard output", done.stderr)
        self.assertEqual(self.files(), ["m.ktensor", "m.ktensor.labels.json"])


class PartialFiles(ToolTest):
    """Files of some weeks beside a model of all."""

    def setUp(self):
        super().setUp()
        self.rows = [(f"W{w:02}", shop, product, 1 + (3 * w + 2 * len(shop) + k) % 7)
                     for w in range(8) for shop in ("a", "bb", "ccc")
                     for k, product in enumerate("xyz") if (w + k) % 4]
        self.table("all.csv", self.rows)
        self.run_tool("decompose", "all.csv", "--values", "n", "--rank", 2, "-q", "-o", "m.gkt")

    def table(self, name, rows):
        lines = ["week,shop,product,n", *(",".join(map(str, row)) for row in rows)]
        self.write(name, "\n".join(lines) + "\n")

    def test_rows_without_entries_do_not_count_where_asked(self):
        weeks = ("W05", "W06")
        self.table("some.csv", [row for row in self.rows if row[0] in weeks and row[2] != "z"])
        told = self.run_tool("evaluate", "m.gkt", "some.csv").stderr
        self.assertEqual(told, 'genten: note: mode 1 (week): m.gkt has rows that some.csv lacks: '
                         '"W00", "W01", "W02" and 3 more; mode 3 (product): m.gkt has a row that '
                         'some.csv lacks: "z"; 60 of 72 entries, in such rows, are compared with '
                         "zeros: --partial week,product leaves them out\n")
        option = told.split("zeros: ")[1].split(" leaves")[0].split()
        done = self.run_tool("evaluate", "m.gkt", "some.csv", *option, "--json", "r")
        self.assertIn("entries that count", done.stdout)
        self.assertEqual(self.read_json("r")["all"]["entries"], 12)
        done = self.run_tool("evaluate", "m.gkt", "all.csv", "--partial", "all")
        self.assertIn("all entries", done.stdout)  # nothing is left out
        done = self.run_tool("evaluate", "m.gkt", "some.csv", "--partial", "week", "--json", "r")
        self.assertIn(' "z"; 6 of 18 entries, in such rows, are compared with zeros: --partial '
                      "week,product leaves", done.stderr)
        self.assertIn("rows      mode 1 (week): 2 of 8, which have entries, count\n", done.stdout)
        found = self.read_json("r")
        self.assertEqual((found["partial"], found["all"]["entries"]), ([1], 18))
        # The same entries as a list of all others as missing leaves.
        shops, products = ("a", "bb", "ccc"), "xyz"
        self.table("others.csv", [(f"W{w:02}", s, p, 0) for w in range(8) for s in shops
                                  for p in products if f"W{w:02}" not in weeks])
        listed = self.run_json("evaluate", "m.gkt", "some.csv", "--missing", "others.csv")
        self.assertAlmostEqual(found["fit"], listed["fit"], 12)
        for name in ("entries", "residual_norm", "rmse"):
            self.assertAlmostEqual(found["all"][name], listed["all"][name], 9)
        everywhere = self.run_json("evaluate", "m.gkt", "some.csv", "--partial", "all")
        self.assertEqual(everywhere["all"]["entries"], 12)
        both = self.run_json("evaluate", "m.gkt", "some.csv", "--partial", "week", "--missing",
                             "others.csv")
        self.assertEqual(both["all"]["entries"], 18)
        wrong = self.run_tool("evaluate", "m.gkt", "some.csv", "--partial", "weak",
                              expect=WRONG_USAGE)
        self.assertIn("week", wrong.stderr)

    def test_new_rows_are_found_over_the_rows_that_are_there(self):
        self.table("new.csv", [row for row in self.rows if row[0] < "W04" and row[1] == "bb"])
        self.table("others.csv", [(f"W{w:02}", "bb", p, 0) for w in range(4, 8) for p in "xyz"])
        for loss in "gaussian", "poisson":
            self.run_tool("decompose", "all.csv", "--values", "n", "--rank", 2, "--loss", loss,
                          "-q", "-o", "m.gkt")
            project = ("project", "m.gkt", "new.csv", "--mode", "shop", "--rows")
            told = self.run_tool(*project, "zeros.csv").stderr
            self.assertIn('"W06" and 1 more; 12 of 24 entries, in such rows, are compared with '
                          "zeros: --partial week leaves them out\n", told)
            option = told.split("zeros: ")[1].split(" leaves")[0].split()
            self.assertIn("mode 1 (week): 4 of 8, which have entries, count\n",
                          self.run_tool(*project, "part.csv", *option).stdout)
            self.run_tool(*project, "listed.csv", "--missing", "others.csv")
            part, listed, zeros = (
                (self.directory / f"{name}.csv").read_text().split()[1].split(",")[1:4]
                for name in ("part", "listed", "zeros"))
            for one, other in zip(part, listed):
                self.assertAlmostEqual(float(one), float(other), 9)
            self.assertEqual((part[2], zeros[2]), ("12", "24"))
        wrong = self.run_tool(*project, "r", "--partial", "shop", expect=WRONG_USAGE).stderr
        self.assertIn("got mode 2 (shop), of which rows are new by --mode", wrong)

    def test_numbers_and_options_are_in_the_way_that_an_update_tells(self):
        self.write("all.csv", "user,item,hour,c,f\n" + "".join(
            f"{user},{item},{hour},{user + len(item)},1\n" for user in (0, 1, 3)
            for item in ("tea", "milk") for hour in ("h1", "h2")))
        self.run_tool("decompose", "all.csv", "--modes", "user,item,hour", "--values", "c",
                      "--rank", 1, "-o", "m.gkt", "-q")
        self.write("new.csv", "user,item,hour,c,f\n0,tea,h3,1,2\n1,tea,h3,2,4\n")
        read = "--modes", "user,item,hour", "--values", "f"
        told = " ".join(self.run_tool("update", "m.gkt", "new.csv", "--mode", "hour", "-o", "x.gkt",
                                      *read, "--duplicates", "max").stdout.split())
        # Row 2 is zero in the model, and brings no zeros of its own.
        self.assertIn("new.csv: it lacks 1 of the model's 4 rows of mode 1 (user), as 3: in its "
                      "slices they are taken for zeros", told)
        way = ("genten project m.gkt new.csv --mode 3 --partial user,item --modes user,item,hour "
               "--values f --duplicates max")
        self.assertIn(f"{way} finds rows of its slices without such zeros", told)
        told = self.run_tool(*shlex.split(way)[1:])
        self.assertIn("mode 1 (user): 2 of 4, which have entries, count", told.stdout)
        self.assertNotIn("compared with zeros", told.stderr)
        for given, own in ((("--ridge", "1,2,3", "--upper", "99"), "--ridge 3 --upper 99"),
                           (("--nonnegative", "all"), "--lower 0"), (("--l1", "1,0,0"), "")):
            told = " ".join(self.run_tool("update", "m.gkt", "new.csv", "--mode", "hour", "-o",
                                          "x.gkt", *read, *given).stdout.split())
            way = ("genten project m.gkt new.csv --mode 3 --partial user,item --modes "
                   f"user,item,hour --values f {own}").strip()
            self.assertIn(f"{way} finds rows of its slices without such zeros", told)
            self.run_tool(*shlex.split(way)[1:])

    def test_new_rows_have_a_way_out_that_is_one(self):
        self.table("next.csv", [("W08", "a", "x", 3), ("W08", "bb", "y", 2)])
        done = self.run_tool("evaluate", "m.gkt", "next.csv", expect=FILE_TROUBLE)
        self.assertIn('next.csv has a row that m.gkt lacks: "W08"; 2 of 2 entries are in such '
                      "rows; give the model new rows, by genten update", done.stderr)
        done = self.run_tool("evaluate", "m.gkt", "next.csv", "--unknown", "skip",
                             expect=FILE_TROUBLE)
        self.assertIn("next.csv: no entry is left: 2 of 2 entries are in rows that m.gkt lacks; "
                      'mode 1 (week): "W08"; give the model new rows, by genten update',
                      done.stderr)
        self.run_tool("update", "m.gkt", "next.csv", "--mode", "week", "-o", "n.gkt", "-q")
        self.run_tool("evaluate", "n.gkt", "next.csv", "--partial", "week")

    def test_an_update_of_a_run_with_missing_entries_goes_as_it_is_told(self):
        self.run_tool("decompose", "all.csv", "--values", "n", "--missing", "unlisted", "--rank", 1,
                      "-q", "-o", "u.gkt")
        self.table("next.csv", [("W08", "a", "x", 3)])
        update = ("update", "u.gkt", "next.csv", "--mode", "week", "-o", "n.gkt")
        told = self.run_tool(*update, expect=WRONG_USAGE).stderr
        self.assertIn("; --run none --values n updates it as a model by least squares", told)
        self.run_tool(*update, "--run", "none", "--values", "n")

    def advised(self, *arguments, expect=FILE_TROUBLE):
        """The command that a message advises, for all data and a new model."""
        told = self.run_tool(*arguments, expect=expect).stderr
        command = re.search(r"genten (decompose ALL .* -o NEW)", told)[1]
        return [{"ALL": "all.csv", "NEW": "n.gkt"}.get(word, word) for word in shlex.split(command)]

    def test_advised_commands_read_the_data_as_the_run_did_and_fit_as_it(self):
        head = "week,shop,unit price,product,remark\n"
        lines = [f"{w},{s},{n},{p},r{i % 3}\n" for i, (w, s, p, n) in enumerate(self.rows * 2)]
        self.write("old.csv", head + "".join(lines))
        self.write("all.csv", head + "".join([*lines, "W08,a,2.5,x,r\n", "W08,bb,1,y,r\n"]))
        made = ("decompose", "old.csv", "--values", "unit price", "--modes", "week,shop,product",
                "--duplicates", "mean", "--rank", 1, "-q", "-o", "u.gkt")
        for how in (("--missing", "unlisted", "--ridge", "0.5"), ("--lower", "0,-inf,0"),
                    ("--loss", "huber", "--loss-parameter", "0.25", "--nonnegative", "week")):
            self.run_tool(*made, *how)
            run = self.read_json("u.gkt.labels.json")["run"]
            ways = [self.advised("evaluate", "u.gkt", "all.csv")]
            if "--lower" not in how:
                update = ("update", "u.gkt", "all.csv", "--mode", "week", "-o", "x.gkt")
                ways.append(self.advised(*update, expect=WRONG_USAGE))
            for way in ways:
                self.assertEqual(self.run_tool(*way, "-q").stderr.count("was made with"), 0)
                self.assertEqual(self.read_json("n.gkt.labels.json")["run"], run)
        self.run_tool(*made, "--missing", "unlisted")
        told = self.run_tool(*update, expect=WRONG_USAGE).stderr
        way = shlex.split(re.search(r"; (--run none .*?) updates it", told)[1])
        self.assertEqual(way[2:], ["--values", "unit price", "--duplicates", "mean"])
        self.write("next.csv", head + "W08,a,2.5,x,r\n")
        self.run_tool("update", "u.gkt", "next.csv", "--mode", "week", "-o", "x.gkt", *way)

    def test_a_run_of_a_guess_is_told_as_it_is_typed(self):
        made = ("decompose", "all.csv", "--values", "n", "-q", "-o")
        self.run_tool(*made, "l.gkt", "--rank", 1, "--lower", "0,-inf,0", "--duplicates", "mean")
        told = self.run_tool(*made, "x.gkt", "--init", "l.gkt").stderr
        way = re.search("l.gkt was made with (.*), and this run is without: add these", told)[1]
        self.assertEqual(self.run_tool(*made, "x.gkt", "--init", "l.gkt", *way.split()).stderr, "")

    def test_a_single_row_that_does_not_count_is_told_as_one(self):
        self.table("some.csv", [row for row in self.rows if row[0] != "W07"])
        evaluate = ("evaluate", "m.gkt", "some.csv", "--partial", "week")
        self.assertIn('lacks: "W07"; it does not count\n', self.run_tool(*evaluate).stderr)
        self.table("some.csv", [row for row in self.rows if row[0] < "W06"])
        self.assertIn('"W07"; these do not count\n', self.run_tool(*evaluate).stderr)

    def test_sums_beside_missing_entries_are_told_of_new_rows(self):
        self.run_tool("decompose", "all.csv", "--values", "n", "--missing", "unlisted", "--rank", 1,
                      "-q", "-o", "u.gkt")
        rows = [row for row in self.rows if row[1] == "bb"]
        self.table("new.csv", [*rows, rows[0]])
        project = ("project", "u.gkt", "new.csv", "--mode", "shop", "--rows", "r.csv")
        note = ("note      1 entry lies at the same subscripts as another, and sums count as known "
                "values: --duplicates mean takes their mean")
        self.assertIn(note, self.run_tool(*project).stdout)
        evaluate = ("evaluate", "u.gkt", "new.csv")
        self.write("m.csv", "week,shop,product,n\nW00,bb,x,1\n")
        self.assertIn(note, self.run_tool(*evaluate).stdout)
        self.assertIn(note[10:], "\n".join(self.run_json(*evaluate, "-q")["notes"]))
        for without in ("--duplicates", "mean"), ("--missing", "none"):
            self.assertNotIn("same subscripts", self.run_tool(*project, *without).stdout)
            self.assertNotIn("same subscripts", self.run_tool(*evaluate, *without).stdout)

    def test_advised_commands_take_names_with_blanks(self):
        self.table("old data.csv", [row for row in self.rows if row[0] < "W06"])
        self.run_tool("decompose", "old data.csv", "--values", "n", "--rank", 1, "-q", "-o",
                      "a model.gkt")
        self.table("new data.csv", [row for row in self.rows if row[0] > "W05" and row[1] == "bb"])
        update = ("update", "a model.gkt", "new data.csv", "--mode", "week", "-o", "x.gkt")
        told = self.run_tool(*update).stdout
        way = shlex.split(re.search("genten (project .*?) finds rows of its", told)[1])
        self.assertEqual(way[:3], ["project", "a model.gkt", "new data.csv"])
        self.run_tool(*way)
        self.table("all.csv", self.rows)
        way = self.advised("evaluate", "a model.gkt", "all.csv")
        self.assertIn("a model.gkt", way)
        self.run_tool(*way)

    def test_values_of_a_binary_tensor_keep_the_name_of_their_column(self):
        self.run_tool("convert", "all.csv", "t.gtn", "--values", "n")
        self.run_tool("decompose", "t.gtn", "--rank", 1, "-q", "-o", "m.gkt")
        self.assertEqual(self.read_json("m.gkt.labels.json")["values"], "n")
        self.assertEqual(self.run_tool("evaluate", "m.gkt", "all.csv").stderr, "")
        self.assertNotIn("--values", self.run_tool("evaluate", "m.gkt", self.next_week(),
                                                   expect=FILE_TROUBLE).stderr)

    def next_week(self):
        self.table("next.csv", [("W08", "a", "x", 3)])
        return "next.csv"

    def test_zeros_before_numbers_are_left_out_where_that_helps(self):
        self.write("m.tns", "".join(f"{i} {j} {i * j}\n" for i in range(1, 5) for j in (1, 2)))
        self.run_tool("decompose", "m.tns", "--rank", 1, "-q", "-o", "n.gkt")

        def told(*numbers):
            self.write("z.csv", "a,b,v\n" + "".join(f"{number},1,2\n" for number in numbers))
            return self.run_tool("evaluate", "n.gkt", "z.csv", "--values", "v",
                                 expect=FILE_TROUBLE).stderr

        way = "zeros before numbers make names of them: without these, as "
        self.assertIn(way + "2, they are numbers of rows of n.gkt, from 1 with --index-base 1",
                      told("02", "04"))
        self.write("z.csv", "a,b,v\n2,1,2\n4,2,8\n")
        self.run_tool("evaluate", "n.gkt", "z.csv", "--values", "v", "--index-base", 1)
        self.assertIn(way + "3, they are numbers of rows of n.gkt, from 0", told("0", "03"))
        self.assertNotIn(way, told("02", "05"))  # of four rows


class NamesWrittenOtherwise(ToolTest):
    """Shops in another case and days in another form than the model has them, beside new names."""

    def setUp(self):
        super().setUp()
        self.write("all.csv", "shop,item,day,n\n" + "".join(
            f"{shop},{item},2024-03-0{day},{day + len(shop)}\n"
            for shop in ("North", "South") for item in ("tea", "milk") for day in range(1, 5)))
        self.run_tool("decompose", "all.csv", "--values", "n", "--rank", 1, "-q", "-o", "m.gkt")

    def test_are_asked_for_in_every_mode(self):
        self.write("ask.csv", "shop,item,day,n\nBerlin,cola,01.03.2024,1\nSOUTH,tea,2024-03-02,3\n"
                              "North,tea,2024-03-01,3\nNorth,tea,02.03.2024,4\n")
        shop = '"Berlin", "SOUTH"{}(is "South" meant{}?); mode 2 (item): "cola"; mode 3 (day): '
        day = ('"01.03.2024", "02.03.2024" (write dates as the known ones are, "2024-03-01" for '
               '"01.03.2024")')
        for command in ("predict", "evaluate"):
            told = self.run_tool(command, "m.gkt", "ask.csv", expect=FILE_TROUBLE).stderr
            found = ('; first "Berlin", line 2 ', ' by "SOUTH"') if command == "predict" else (
                " ", "")
            self.assertIn(shop.format(*found) + day + "; 3 of 4 entries are in such rows", told)
            told = self.run_tool(command, "m.gkt", "ask.csv", "--unknown", "skip").stderr
            self.assertIn("mode 1 (shop): " + shop.format(" ", "") + day + "\n", told)

    def test_a_model_comes_first(self):
        self.write("new.csv", "shop,item,day,n\nNorth,tea,2024-03-09,3\n")
        for command in (("update", "--mode", "day"), ("update",),
                        ("update", "--mode", "day", "-o", "x.gkt")):
            told = self.run_tool(command[0], "new.csv", "m.gkt", *command[1:],
                                 expect=FILE_TROUBLE).stderr
            self.assertIn("new.csv:1: expected a model, got a table, by its first line; genten "
                          "update takes MODEL FILE..., the model first\n", told)

    def test_are_asked_for_where_no_entry_is_left(self):
        self.write("ask.csv", "shop,item,day\nNorth,tea,01.03.2024\n")
        told = self.run_tool("predict", "m.gkt", "ask.csv", "--unknown", "skip",
                             expect=FILE_TROUBLE).stderr
        self.assertIn('in rows that m.gkt lacks; mode 3 (day): "01.03.2024" (write dates as the '
                      'known ones are, "2024-03-01" for "01.03.2024")\n', told)

    def test_may_be_misspelt_behind_a_new_one(self):
        self.write("ask.csv", "shop,item,day\nNorth,cola,2024-03-01\nNorth,mikl,2024-03-01\n"
                              "North,zinc,2024-03-01\n")
        told = self.run_tool("predict", "m.gkt", "ask.csv", expect=FILE_TROUBLE).stderr
        self.assertIn('"cola", "mikl", "zinc"; first "cola", line 2 (is "milk" meant by "mikl"?); '
                      "3 of 3", told)


if __name__ == "__main__":
    unittest.main()
