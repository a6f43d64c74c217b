#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Outputs that cannot be written, and pipes that nobody reads: what else there is, is not lost."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

from cli_support import (FILE_TROUBLE, SUCCESS, TITANIC, TOOL, WRONG_USAGE, Model, ToolTest)

FULL = pathlib.Path("/dev/full")
DECOMPOSE = ("decompose", TITANIC, "--rank", 2)


class OutputsTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.temporary = pathlib.Path(tempfile.mkdtemp(prefix="genten-rescue-"))
        self.addCleanup(shutil.rmtree, self.temporary)
        self.environment = {"TMPDIR": str(self.temporary)}
        self.run_tool(*DECOMPOSE, "-o", "right.ktensor", "-q")
        self.right = (self.directory / "right.ktensor").read_text()
        for name in ("right.ktensor", "right.ktensor.labels.json"):
            (self.directory / name).unlink()

    def fails(self, *arguments):
        return self.run_tool(*arguments, expect=FILE_TROUBLE, environment=self.environment)

    def rescued(self, directory):
        names = sorted(name for name in directory.glob("rescued-*") if name.suffix != ".json")
        self.assertEqual(len(names), 1, names)
        return names[0]


@unittest.skipUnless(FULL.exists(), "no /dev/full here")
class Decompose(OutputsTest):
    def test_a_failed_model_loses_nothing(self):
        done = self.fails(*DECOMPOSE, "-o", FULL, "--json", "r.json", "--top", 1)
        self.assertIn("/dev/full: cannot be written: No space left", done.stderr)
        self.assertIn("fit  ", done.stdout)
        self.assertIn("component 2", done.stdout)
        rescued = self.rescued(self.directory)
        self.assertIn(f"the model is written to {rescued.name} instead", done.stderr)
        self.assertEqual(rescued.read_text(), self.right)
        self.assertEqual(self.read_json("r.json")["model_file"], rescued.name)

    def test_a_failed_account_loses_nothing(self):
        done = self.fails(*DECOMPOSE, "-o", "m.ktensor", "--json", FULL)
        self.assertIn("/dev/full: cannot be written: No space left", done.stderr)
        self.assertIn("fit  ", done.stdout)
        self.assertEqual((self.directory / "m.ktensor").read_text(), self.right)
        self.assertEqual(self.files(), ["m.ktensor", "m.ktensor.labels.json"])

    def test_every_failure_is_told(self):
        with open(FULL, "w") as full:
            done = subprocess.run(
                [TOOL, *map(str, DECOMPOSE), "-o", "/dev/full", "--json", "/dev/full"],
                cwd=self.directory, stdout=full, stderr=subprocess.PIPE, text=True,
                env={**os.environ, **self.environment})
        self.assertEqual(done.returncode, FILE_TROUBLE)
        self.assertEqual(done.stderr.count("/dev/full: cannot be written"), 2)
        self.assertIn("genten: cannot write to the standard output", done.stderr)
        self.assertEqual(self.rescued(self.directory).read_text(), self.right)


@unittest.skipUnless(FULL.exists(), "no /dev/full here")
class OtherCommands(OutputsTest):
    """As decompose, they attempt each output whatever became of the others."""

    def failed(self, *arguments):
        done = self.fails(*arguments)
        self.assertEqual(done.stderr.count("/dev/full: cannot be written"), 1, done.stderr)
        return done

    def test_generate(self):
        common = ("--dimensions", "5,6", "--nnz", 7, "--rank", 2)
        text = self.failed("generate", "t.tns", *common, "--model", FULL, "--json", "r.json").stdout
        self.assertIn("t.tns: 5 x 6", text)
        self.run_tool("info", "t.tns")
        result = self.read_json("r.json")
        self.assertEqual((result["output"], result["model_file"]), ("t.tns", ""))
        text = self.failed("generate", FULL, "--to", "sptensor", *common, "--model", "m.ktensor",
                           "--json", "r.json").stdout
        self.assertEqual(text, "")
        self.assertEqual(Model(self.directory / "m.ktensor").rank, 2)
        result = self.read_json("r.json")
        self.assertEqual((result["output"], result["model_file"]), ("", "m.ktensor"))
        self.failed("generate", "u.tns", *common, "--json", FULL)
        self.run_tool("info", "u.tns")

    def test_convert(self):
        done = self.failed("convert", TITANIC, FULL, "--to", "header", "--json", "r.json")
        self.assertNotIn("written to", done.stdout)
        self.assertEqual(self.read_json("r.json")["output"], "")
        done = self.failed("convert", TITANIC, "t.tns", "--json", FULL)
        self.assertIn("written to t.tns", done.stdout)
        self.write("m.ktensor", self.right)
        self.failed("convert", "--model", "m.ktensor", FULL, "--json", "s.json")
        self.assertEqual(self.read_json("s.json")["rank"], 2)


class Disappeared(OutputsTest):
    """Places that could be written to when the run began."""

    def run_and(self, between, *arguments, **how):
        """Runs decompose; `between` is called after its first line."""
        tool = subprocess.Popen(
            [TOOL, *map(str, arguments)], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, **self.environment},
            **{"cwd": self.directory, **how})
        first = tool.stdout.readline()
        between()
        text, complaints = tool.communicate(timeout=60)
        return tool.returncode, first + text, complaints

    def endless(self, *arguments):
        return ("decompose", TITANIC, "--rank", 2, "--tolerance", 0, "--max-iterations",
                1000000000, "--time-limit", 1, "--print-every", 1000000, *arguments)

    def test_directories(self):
        for name in ("results", "tables"):
            (self.directory / name).mkdir()
        code, text, complaints = self.run_and(
            lambda: shutil.rmtree(self.directory / "results"),
            *self.endless("-o", "results/m.gkt", "--json", "tables/r.json"))
        self.assertEqual(code, FILE_TROUBLE)
        self.assertIn("fit  ", text)
        self.assertIn("results/m.gkt: cannot be written: No such file", complaints)
        rescued = self.rescued(self.directory)
        self.assertTrue(rescued.name.endswith("-m.gkt"))
        self.run_tool("convert", "--model", rescued.name, "m.ktensor")
        weights = self.read_json("tables/r.json")["weights"]
        self.assertEqual(Model(self.directory / "m.ktensor").weights, weights)

    def test_the_current_directory(self):
        here = self.directory / "here"
        here.mkdir()
        code, _, complaints = self.run_and(
            here.rmdir, *self.endless("-o", "m.ktensor", "--json", self.directory / "r.json"),
            cwd=here)
        self.assertEqual(code, FILE_TROUBLE)
        rescued = self.rescued(self.temporary)
        self.assertIn(f"the model is written to {rescued} instead", complaints)
        weights = self.read_json("r.json")["weights"]
        self.assertEqual(Model(rescued).weights, weights)

    def test_a_limit_on_the_size_of_files(self):
        """Its signal would end the run."""
        self.write("long.tns", "1 1 1 1\n10000 2 2 1\n")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        code, text, complaints = self.run_and(
            lambda: None, "decompose", "long.tns", "--rank", 2, "-o", "m.ktensor", "--json",
            "r.json", preexec_fn=limit)
        self.assertEqual(code, FILE_TROUBLE, complaints)
        self.assertIn("m.ktensor: cannot be written: File too large", complaints)
        self.assertIn("it is lost", complaints)  # the limit holds everywhere
        self.assertIn("fit  ", text)
        self.assertEqual(self.read_json("r.json")["model_file"], "")
        self.assertEqual(self.files(), ["long.tns", "r.json"])


class ClosedPipes(OutputsTest):
    def run_closed(self, *arguments, reads=0):
        """Runs the tool into a pipe whose reader goes after some lines."""
        tool = subprocess.Popen([TOOL, *map(str, arguments)], cwd=self.directory, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(reads):
            tool.stdout.readline()
        tool.stdout.close()
        complaints = tool.stderr.read()
        tool.stderr.close()
        return tool.wait(timeout=60), complaints

    def test_the_run_goes_on_without_its_report(self):
        for reads in (0, 5):
            code, complaints = self.run_closed(
                "decompose", TITANIC, "--rank", 2, "-o", "m.ktensor", "--json", "r.json", "--top",
                3, reads=reads)
            self.assertEqual((code, complaints), (SUCCESS, ""))
            self.assertEqual((self.directory / "m.ktensor").read_text(), self.right)
            self.assertEqual(self.read_json("r.json")["model_file"], "m.ktensor")

    def test_data_that_nobody_reads_are_an_error(self):
        code, complaints = self.run_closed(*DECOMPOSE, "-o", "-", "--json", "r.json")
        self.assertEqual(code, FILE_TROUBLE)
        self.assertIn("standard output: cannot be written: Broken pipe", complaints)
        self.assertEqual(self.rescued(self.directory).read_text(), self.right)
        self.assertIn("weights", self.read_json("r.json"))
        code, complaints = self.run_closed(*DECOMPOSE, "--json", "-", "-o", "m.ktensor", "-q")
        self.assertEqual(code, FILE_TROUBLE)
        self.assertEqual(complaints,
                         "genten: standard output: cannot be written: Broken pipe\n")
        self.assertEqual((self.directory / "m.ktensor").read_text(), self.right)

    def test_other_commands_end_in_silence(self):
        self.write("m.ktensor", self.right)
        self.run_tool("generate", "t.tns", "--dimensions", "300,300,300", "--nnz", 100000)
        for command in (("convert", "t.tns", "-"), ("info", "t.tns"),
                        ("compare", "m.ktensor", "m.ktensor"),
                        ("generate", "-", "--dimensions", "300,300,300", "--nnz", 100000)):
            code, complaints = self.run_closed(*command)
            self.assertEqual(code, -signal.SIGPIPE, command)
            self.assertNotIn("genten:", complaints)

    def test_they_write_their_files_before(self):
        for command in (("convert", TITANIC, "x.gtn"), ("info", TITANIC),
                        ("generate", "y.gtn", "--dimensions", "3,4", "--nnz", 5)):
            self.run_closed(*command, "--json", "r.json")
            self.assertIn("versions", self.read_json("r.json"))
            (self.directory / "r.json").unlink()
        self.assertEqual(self.files(), ["x.gtn", "y.gtn"])

    def test_they_write_the_other_files_where_data_went_to_the_pipe(self):
        self.run_tool("generate", "big.gtn", "--dimensions", "99,99,99", "--nnz", 100_000)
        for command in (("convert", "big.gtn", "-"),
                        ("generate", "-", "--dimensions", "99,99,99", "--nnz", 100_000, "--rank",
                         2, "--model", "m.gkt")):
            code, complaints = self.run_closed(*command, "--json", "r.json")
            self.assertEqual(code, FILE_TROUBLE, complaints)
            self.assertIn("standard output", complaints)
            self.assertEqual(self.read_json("r.json")["output"], "")
            (self.directory / "r.json").unlink()
        self.assertEqual(self.files(), ["big.gtn", "m.gkt", "m.gkt.labels.json"])


class Names(ToolTest):
    def test_a_model_does_not_take_the_name_of_a_tensor(self):
        for name in ("x.tns", "x.TNS.gz", "x.gtn", "x.mtx.zst", "x.sptensor"):
            for command in (("decompose", TITANIC, "--rank", 1, "-o", name),
                            ("generate", "t.txt", "--dimensions", "3,4", "--nnz", 5, "--rank", 1,
                             "--model", name)):
                done = self.run_tool(*command, expect=WRONG_USAGE)
                self.assertIn(f"{name}: expected the name of a model", done.stderr)
        done = self.run_tool("decompose", TITANIC, "--rank", 1, "--checkpoint", "x.tns",
                             expect=WRONG_USAGE)
        self.assertIn("x.tns: expected the name of a model", done.stderr)
        self.assertEqual(self.files(), [])


class OtherKinds(ToolTest):
    """Outputs replace files of their kind, and no others."""

    RUN = ("decompose", TITANIC, "--rank", 1, "-q")

    def test_data_are_no_model_and_no_account(self):
        table = self.write("keep.csv", "user,item,n\nann,tea,1\n")
        text = table.read_text()
        for option, kind in (("-o", "model"), ("--json", "JSON"), ("--checkpoint", "model")):
            name = "keep" if option == "--checkpoint" else "keep.csv"
            self.write(name, text)
            for command in (self.RUN, ("rank", TITANIC, "--ranks", "1,2")):
                done = self.run_tool(*command, option, name, expect=FILE_TROUBLE)
                self.assertEqual(done.stderr, f"genten: {name}: this file is no {kind}, and would "
                                 "be overwritten: remove it, or choose another name\n")
            self.assertEqual((self.directory / name).read_text(), text)

    def test_models_are_no_tensors(self):
        self.run_tool(*self.RUN, "-o", "m.gkt", "--json", "m.json")
        for name, what in (("m.gkt", "a model"), ("m.json", "JSON")):
            before = (self.directory / name).read_bytes()
            for command in (("convert", TITANIC, name, "--to", "binary"),
                            ("generate", name, "--to", "binary", "--dimensions", "3,4", "--nnz",
                             5)):
                done = self.run_tool(*command, expect=FILE_TROUBLE)
                self.assertIn(f"{name}: this file is {what}, no tensor and no table, and would be "
                              "overwritten: remove it", done.stderr)
            self.assertEqual((self.directory / name).read_bytes(), before)

    def test_other_text_is_no_table(self):
        self.write("r.csv", "user,item,n\nann,tea,1.5\nbob,tea,2.5\nann,milk,3.5\n")
        self.run_tool("decompose", "r.csv", "--values", "n", "--rank", 1, "-q", "-o", "m.gkt")
        project = ("project", "m.gkt", "r.csv", "--mode", "user", "--rows")
        for name, text, command, what in (
                ("n.tns", "Dear all,\nthis is a letter.\n",
                 ("convert", "r.csv", "n.tns", "--values", "n"), "no tensor and no table"),
                ("n.tns", "for x in y: pass\n", ("generate", "n.tns", "--dimensions", "3,4",
                                                 "--nnz", 5), "no tensor and no table"),
                ("n.csv", "day,sales,tax\nmon,1,2\n",
                 ("predict", "m.gkt", "r.csv", "-o", "n.csv"),
                 'no table that ends in a column "value", so that it may be data of yours'),
                ("n.csv", "day,sales,tax\nmon,1,2\n", (*project, "n.csv"), "no table of new rows")):
            path = self.write(name, text)
            done = self.run_tool(*command, expect=FILE_TROUBLE)
            self.assertEqual(done.stderr.splitlines()[-1], f"genten: {name}: this file is {what}, "
                             "and would be overwritten: remove it, or choose another name")
            self.assertEqual(path.read_text(), text)
        for _ in range(2):
            self.run_tool(*project, "rows.csv")
            self.run_tool("predict", "m.gkt", "r.csv", "-o", "p.csv")
            self.run_tool("predict", "m.gkt", "r.csv", "-o", "p.tns")
            self.run_tool("generate", "g.tns.gz", "--dimensions", "3,4", "--nnz", 5)

    def test_their_own_are_replaced(self):
        for name in ("m.gkt", "m.ktensor", "m.csv", "m.npz", "m.ktensor.gz"):
            for _ in range(2):
                self.run_tool(*self.RUN, "-o", name, "--json", "m.json")
        for name in ("m.ttensor", "m.npz", "t.gkt"):
            for _ in range(2):
                self.run_tool("tucker", TITANIC, "--ranks", "1,1,1,1", "-q", "-o", name)
        for name in ("t.tns", "t.gtn", "t.csv"):
            for _ in range(2):
                self.run_tool("convert", TITANIC, name)
        self.write("n.csv", "user,item,n\nann,tea,1.5\nbob,tea,2.5\nann,milk,3.5\n")
        for name in ("u.csv", "u.tsv", "u.csv.gz"):
            for _ in range(2):
                self.run_tool("convert", "n.csv", name, "--values", "n")
        self.write("empty", "")
        self.run_tool(*self.RUN, "-o", "empty", "--json", "/dev/null")
        self.run_tool("info", TITANIC, "--json", "/dev/stdout")


class CompressedTables(ToolTest):
    def test_are_read_as_the_table_is(self):
        self.write("t.csv", "user,item,n\nann,tea,1.5\nbob,tea,2.5\nann,milk,3.5\n")
        self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1, "-q", "-o", "m.gkt")
        for name, how in (("a.csv.gz", ()), ("a.tsv.zst", ()),
                          ("b.csv", ("--output-compression", "gzip"))):
            self.run_tool("convert", "t.csv", name, "--values", "n", *how)
            head = (self.directory / name).read_bytes()[:2]
            self.assertEqual(head, b"\x28\xb5" if name.endswith("zst") else b"\x1f\x8b")
            self.run_tool("convert", name, "back.tns", "--values", "n")
            self.run_tool("convert", "back.tns", "back.csv")
            self.assertEqual((self.directory / "back.csv").read_text(),
                             (self.directory / "t.csv").read_text())
            (self.directory / "back.csv").unlink()
        for _ in range(2):
            self.run_tool("predict", "m.gkt", "t.csv", "-o", "p.csv.gz")
        self.run_tool("predict", "m.gkt", "p.csv.gz", "-o", "p.csv")
        self.assertEqual(self.run_json("info", "p.csv.gz", "--values", "value")["nnz"], 3)

    def test_other_forms_are_told(self):
        said = self.run_tool("predict", TITANIC, TITANIC, "-o", "p.dat", expect=WRONG_USAGE).stderr
        self.assertIn("(.tns, .txt, .sptensor, .mtx, .gtn, .bin, .csv, .tsv)", said)
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "m.gkt")
        said = self.run_tool("convert", "m.gkt", "m.csv.gz", expect=WRONG_USAGE).stderr
        self.assertIn("only text is compressed: expected m.csv, or m.ktensor.gz\n", said)
        for name in ("m.csv", "m.ktensor.gz"):
            self.run_tool("convert", "m.gkt", name)
        for word, way in (("tns", "; did you mean frostt, the form of .tns?"),
                          ("gtn", "; did you mean binary, the form of .gtn?"),
                          ("npz", "; without --to a name that ends in .npz says that form\n")):
            self.assertIn(f"got '{word}'{way}", self.run_tool(
                "convert", TITANIC, "x", "--to", word, expect=WRONG_USAGE).stderr)


if __name__ == "__main__":
    unittest.main()
