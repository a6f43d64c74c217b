#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The standard streams, --quiet and --json of every command, and what is written for people."""
import gzip
import json
import os
import random
import subprocess
import unittest

from cli_support import (ADMISSIONS, FILE_TROUBLE, TITANIC, TOOL, WRONG_USAGE, Model, ToolTest,
                         read_entries)


class StreamTest(ToolTest):
    def pipe(self, *arguments, content=b"", expect=0, stdin=None):
        """Runs the tool with bytes, or an open file, as its standard input."""
        given = {"stdin": stdin} if stdin else {"input": content}
        done = subprocess.run([TOOL, *map(str, arguments)], cwd=self.directory,
                              capture_output=True, timeout=120, **given)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def model(self):
        self.run_tool("decompose", TITANIC, "--rank", 2, "-o", "m.ktensor", "-q")
        return self.directory / "m.ktensor"


class Input(StreamTest):
    def test_tensors_in_every_form(self):
        self.run_tool("convert", TITANIC, "t.gtn")
        self.run_tool("convert", TITANIC, "t.tns.zst")
        text = TITANIC.read_bytes()
        for content in (text, gzip.compress(text), (self.directory / "t.tns.zst").read_bytes(),
                        (self.directory / "t.gtn").read_bytes()):
            result = json.loads(self.pipe("info", "-", "--json", "-", content=content).stdout)
            self.assertEqual((result["file"], result["nnz"]), ("-", 24))
            self.pipe("decompose", "-", "--rank", 2, "-o", "m.ktensor", "-q", content=content)
            self.pipe("convert", "-", "again.tns", content=content)
            self.assertEqual(read_entries(self.directory / "again.tns"), read_entries(TITANIC))

    def test_a_file_from_its_present_place(self):
        path = self.write("t.tns", "this is not read\n1 1 2.5\n")
        with open(path, "rb") as file:
            os.lseek(file.fileno(), 17, os.SEEK_SET)
            result = json.loads(self.pipe("info", "-", "--json", "-", stdin=file).stdout)
        self.assertEqual(result["values"]["sum"], 2.5)

    def test_complaints_name_it(self):
        done = self.pipe("info", "-", content=b"1 1 1\n1 x 1\n", expect=FILE_TROUBLE)
        self.assertIn(b"standard input:2: expected a subscript", done.stderr)
        done = self.pipe("info", "-", content=b"", expect=FILE_TROUBLE)
        self.assertIn(b"standard input: the file is empty", done.stderr)

    def test_models_and_labels(self):
        model = self.model()
        content = model.read_bytes()
        scores = json.loads(self.pipe("compare", "-", model, "--json", "-", content=content).stdout)
        self.assertAlmostEqual(scores["score"], 1)
        self.pipe("decompose", TITANIC, "--init", "-", content=content)
        self.pipe("convert", "--model", "-", "again.ktensor", content=content)
        self.assertEqual((self.directory / "again.ktensor").read_bytes(), content)
        out = self.pipe("decompose", TITANIC, "--rank", 1, "--top", 1, "--labels", ",-,,",
                        content=b"Brian\nReg\n").stdout
        self.assertTrue(b"Brian" in out or b"Reg" in out)

    def test_once(self):
        model = self.model()
        for arguments in (("compare", "-", "-"), ("decompose", "-", "--init", "-"),
                          ("decompose", "-", "--top", 1, "--labels", "-,,,"),
                          ("convert", "-", "x.tns", "--compact", "--labels", "-,,,")):
            done = self.pipe(*arguments, content=model.read_bytes(), expect=WRONG_USAGE)
            self.assertIn(b"expected one input from the standard input", done.stderr)


class Output(StreamTest):
    def test_tensors(self):
        done = self.pipe("convert", TITANIC, "-")
        self.assertTrue(done.stdout.startswith(b"sptensor\n4\n"))
        self.assertIn(b"written to standard output", done.stderr)
        done = self.pipe("convert", TITANIC, "-", "--to", "binary", "-q")
        self.assertEqual(done.stderr, b"")
        self.run_tool("convert", TITANIC, "t.gtn")
        self.assertEqual(done.stdout, (self.directory / "t.gtn").read_bytes())
        done = self.pipe("convert", "-", "-", "--to", "frostt", content=TITANIC.read_bytes())
        (self.directory / "u.tns").write_bytes(done.stdout)
        self.assertEqual(read_entries(self.directory / "u.tns"), read_entries(TITANIC))
        self.assertEqual(self.files(), ["t.gtn", "u.tns"])

    def test_generate(self):
        common = ("generate", "-", "--dimensions", "5,6", "--nnz", 7)
        done = self.pipe(*common)
        self.assertTrue(done.stdout.startswith(b"sptensor\n2\n5 6\n7\n"))
        self.assertEqual(done.stdout.count(b"\n"), 4 + 7)
        self.assertIn(b"standard output: 5 x 6, 7 nonzeros", done.stderr)
        model = self.pipe("generate", "t.tns", "--dimensions", "5,6", "--nnz", 7, "--rank", 2,
                          "--model", "-").stdout
        self.assertTrue(model.startswith(b"ktensor\n2\n5 6\n2\n"))

    def test_decompose(self):
        common = ("decompose", TITANIC, "--rank", 2, "--top", 1)
        done = self.pipe(*common, "--output", "-")
        (self.directory / "m.ktensor").write_bytes(done.stdout)
        self.assertEqual(Model(self.directory / "m.ktensor").rank, 2)
        self.assertIn(b"fit ", done.stderr)
        done = self.pipe(*common, "--json", "-", "-q")
        self.assertEqual(json.loads(done.stdout)["options"]["rank"], 2)
        self.assertIn(b"component 1", done.stderr)

    def test_only_one(self):
        for arguments in (("decompose", TITANIC, "-o", "-", "--json", "-"),
                          ("convert", TITANIC, "-", "--json", "-"),
                          ("generate", "-", "--dimensions", "3,3", "--nnz", 2, "--json", "-"),
                          ("generate", "-", "--dimensions", "3,3", "--nnz", 2, "--rank", 1,
                           "--model", "-")):
            done = self.pipe(*arguments, expect=WRONG_USAGE)
            self.assertIn(b"expected one output to the standard output", done.stderr)
            self.assertEqual(done.stdout, b"")
        self.pipe("decompose", TITANIC, "--checkpoint", "-", expect=WRONG_USAGE)
        self.pipe("convert", TITANIC, "-", "--compact", expect=WRONG_USAGE)

    def test_different_files(self):
        self.run_tool("decompose", TITANIC, "-o", "x", "--json", "./x", expect=WRONG_USAGE)
        self.run_tool("convert", TITANIC, "x.tns", "--json", "x.tns", expect=WRONG_USAGE)
        model = self.model()
        before = model.read_bytes()
        self.run_tool("decompose", TITANIC, "--init", model, "-o", model, expect=FILE_TROUBLE)
        self.assertEqual(model.read_bytes(), before)
        self.run_tool("decompose", TITANIC, "-o", "/dev/null", "--json", "/dev/null", "-q")


class OtherNames(StreamTest):
    """The standard output by its other names is what "-" is, in every command."""

    def commands(self, out):
        model = self.model()
        return (("convert", TITANIC, out), ("convert", TITANIC, "x.tns", "--json", out),
                ("convert", "--model", model, out),
                ("generate", out, "--dimensions", "5,6", "--nnz", 7),
                ("generate", "x.tns", "--dimensions", "5,6", "--nnz", 7, "--rank", 2,
                 "--model", out),
                ("decompose", TITANIC, "--rank", 2, "--top", 1, "-o", out),
                ("decompose", TITANIC, "--rank", 2, "--max-iterations", 0, "-o", "x.gkt",
                 "--json", out),
                ("predict", model, TITANIC, "-o", out), ("info", TITANIC, "--json", out),
                ("evaluate", model, TITANIC, "--json", out),
                ("compare", model, model, "--json", out))

    def names(self):
        (self.directory / "link").symlink_to("/dev/stdout")
        return ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/../dev/stdout", "link")

    @staticmethod
    def data(out):
        """Without what is measured, and the names of options."""
        try:
            told = json.loads(out)
        except ValueError:
            return out
        return sorted(told)

    def test_data_alone_goes_to_a_pipe(self):
        for name in self.names():
            for command, plain in zip(self.commands(name), self.commands("-")):
                with self.subTest(command=command):
                    found, expected = self.pipe(*command), self.pipe(*plain)
                    self.assertNotEqual(found.stdout, b"")
                    self.assertEqual(self.data(found.stdout), self.data(expected.stdout))
                    self.assertEqual(bool(found.stderr), bool(expected.stderr))

    def test_files_are_appended_to_and_never_replaced(self):
        for name in (*self.names(), "-"):
            with self.subTest(name):
                path = self.write("old.txt", "old\n")
                with open(path, "ab") as out:
                    subprocess.run([TOOL, "convert", str(TITANIC), name, "-q"], check=True,
                                   cwd=self.directory, stdout=out, timeout=60)
                text = path.read_bytes()
                self.assertTrue(text.startswith(b"old\nsptensor\n"), text[:40])
                self.assertNotIn("old.txt.labels.json", self.files())
        (self.directory / "link").unlink()
        self.assertEqual(self.files(), ["old.txt"])

    def test_other_descriptors_are_written_to_as_they_are_open(self):
        path = self.write("old.txt", "old\n")
        with open(path, "ab") as out:
            for name in (f"/dev/fd/{out.fileno()}", f"/proc/self/fd/{out.fileno()}"):
                done = subprocess.run(
                    [TOOL, "convert", str(TITANIC), name, "--to", "sptensor"], check=True,
                    cwd=self.directory, pass_fds=[out.fileno()], capture_output=True, timeout=60)
                self.assertIn(b"written to /", done.stdout)
        self.assertTrue(path.read_bytes().startswith(b"old\nsptensor\n"))
        self.assertEqual(path.read_bytes().count(b"sptensor\n"), 2)
        done = self.pipe("convert", TITANIC, "/dev/stderr", "--to", "sptensor", "-q")
        self.assertTrue(done.stderr.startswith(b"sptensor\n"))

    def test_only_one(self):
        done = self.pipe("decompose", TITANIC, "-o", "-", "--json", "/dev/stdout",
                         expect=WRONG_USAGE)
        self.assertIn(b"expected one output to the standard output", done.stderr)
        self.pipe("decompose", TITANIC, "--checkpoint", "/dev/stdout", expect=WRONG_USAGE)


class Accounts(StreamTest):
    def commands(self):
        model = self.model()
        return (("decompose", TITANIC, "--rank", 2, "-o", "w.gkt"), ("info", TITANIC),
                ("compare", model, model), ("convert", TITANIC, "x.txt"),
                ("convert", "--model", model, "y.gkt"),
                ("generate", "z.txt", "--dimensions", "3,4", "--nnz", 5))

    def test_every_command_is_quiet_when_asked(self):
        for command in self.commands():
            for option in ("-q", "--quiet"):
                done = self.pipe(*command, option)
                self.assertEqual((done.stdout, done.stderr), (b"", b""), command)

    def test_every_command_has_an_account(self):
        for command in self.commands():
            done = self.pipe(*command, "--json", "-")
            self.assertIn("versions", json.loads(done.stdout))
            self.assertNotEqual(done.stderr, b"")
            quiet = self.pipe(*command, "--json", "-", "-q")
            self.assertEqual(quiet.stderr, b"")
            self.assertEqual(json.loads(quiet.stdout).keys(), json.loads(done.stdout).keys())

    def test_what_convert_and_generate_say(self):
        result = self.run_json("convert", ADMISSIONS, "x.txt")
        self.assertEqual((result["output"], result["nnz"]), ("x.txt", 24))
        result = self.run_json("generate", "z.tns", "--dimensions", "3,4", "--nnz", 5, "--seed", 9)
        self.assertEqual((result["output"], result["dimensions"], result["nnz"], result["seed"]),
                         ("z.tns", [3, 4], 5, 9))


class Printed(StreamTest):
    ESCAPE = "\x1b[31mred\x1b]0;title\x07"

    def harmless(self, text):
        allowed = {"\n"}
        self.assertEqual([c for c in text.decode(errors="surrogateescape")
                          if (ord(c) < 32 or 127 <= ord(c) < 160 or ord(c) > 0xd7ff)
                          and c not in allowed], [])

    def test_labels(self):
        labels = [self.ESCAPE, "caf\u00e9 \u6771\u4eac", "\u009b2J", "a\tb\u202ec\x7f"]
        self.write("t.tns", "".join(f"{i} 1 {5 - i}\n" for i in range(1, 5)))
        (self.directory / "x.labels").write_text("\n".join(labels) + "\n", encoding="utf-8")
        (self.directory / "raw.labels").write_bytes(b"\xff\x9b\xc3(\n")
        done = self.pipe("decompose", "t.tns", "--rank", 1, "--top", 4, "--labels",
                         "x.labels,raw.labels", expect=FILE_TROUBLE)
        self.assertIn(rb"'\xff\x9b\xc3('", done.stderr)
        done = self.pipe("decompose", "t.tns", "--rank", 1, "--top", 4, "--labels", "x.labels,",
                         "--json", "result.json")
        self.harmless(done.stdout)
        for shown in (r"\x1b[31mred\x1b]0;title\x07", "caf\u00e9 \u6771\u4eac", r"\xc2\x9b2J",
                      r"a\x09b\xe2\x80\xaec\x7f"):
            self.assertIn(shown, done.stdout.decode())
        rows = self.read_json("result.json")["top"][0]["modes"][0]
        self.assertEqual({row["label"] for row in rows}, set(labels))

    def test_names_of_files(self):
        name = self.ESCAPE.replace("/", "") + ".tns"
        self.write(name, "1 1 1\n2 2 3\n")
        for arguments in (("info", name), ("convert", name, "x" + name), ("decompose", name),
                          ("decompose", name, "--init", "absent" + name),
                          ("info", "absent" + name), ("info", name, "--" + self.ESCAPE)):
            done = subprocess.run([TOOL, *arguments], cwd=self.directory, capture_output=True)
            self.harmless(done.stdout)
            self.harmless(done.stderr)
            self.assertIn(rb"\x1b[31m", done.stdout + done.stderr)


class Notes(StreamTest):
    def test_on_where_subscripts_begin_are_warnings(self):
        self.write("t.csv", "i,j,x\n1,1,2\n2,3,4\n")
        run = ("decompose", "t.csv", "--values", "x", "--rank", 1, "-q", "--json", "r.json")
        self.assertIn("genten: note: subscripts count from 0 in tables, and the least is 1",
                      self.run_tool(*run).stderr)
        self.assertTrue([each for each in self.read_json("r.json")["warnings"]
                         if "ubscripts count from 0" in each])
        told = self.run_tool(*run[:-3]).stdout
        self.assertEqual(told.count("subscripts count from 0"), 1)

    def test_a_text_beside_a_model_counts_as_that_of_the_model(self):
        entries = [(i, j, 2 * i + j + 1) for i in range(4) for j in range(3)]
        for base in (0, 1):
            self.write(f"t{base}.tns", "".join(f"{i + base} {j + base} {x}\n"
                                               for i, j, x in entries))
            self.write(f"h{base}.tns", f"{2 + base} {1 + base} 6\n{1 + base} {2 + base} 5\n")
        self.write("n.tns", "2 1 3\n2 2 4\n")
        for base in (0, 1):
            self.run_tool("decompose", f"t{base}.tns", "--index-base", base, "--rank", 2, "-q",
                          "-o", f"m{base}.gkt")
        note = ("genten: note: h0.tns: subscripts count from 0, as in the text that m0.gkt was "
                "made from; --index-base 1 says otherwise\n")
        right = self.run_json("evaluate", "m1.gkt", "h1.tns")
        done = self.run_tool("evaluate", "m0.gkt", "h0.tns", "--json", "r.json")
        self.assertEqual(done.stderr, note)
        self.assertIn("subscripts from 0\n", done.stdout)
        self.assertAlmostEqual(self.read_json("r.json")["fit"], right["fit"], 12)
        self.assertEqual(self.run_json("evaluate", "m0.gkt", "h1.tns", "--index-base", 1)["fit"],
                         self.read_json("result.json")["fit"])
        self.assertIn("subscripts from 1\n", self.run_tool("evaluate", "m1.gkt", "h1.tns").stdout)
        # A subscript beyond the last row says that the text counts otherwise.
        self.write("far.tns", "4 3 1\n")
        done = self.run_tool("evaluate", "m0.gkt", "far.tns", expect=FILE_TROUBLE)
        self.assertIn("counted from 1 all rows are there: is --index-base 1 meant?", done.stderr)
        # Tables count from 0 by themselves, and binary files as they were made.
        self.write("h.csv", "i,j,x\n2,1,6\n1,2,5\n")
        self.assertAlmostEqual(self.run_json("evaluate", "m0.gkt", "h.csv", "--values", "x")["fit"],
                               right["fit"], 12)
        self.run_tool("convert", "t0.tns", "t0.gtn", "--index-base", 0, "-q")
        self.assertEqual(self.run_tool("evaluate", "m0.gkt", "t0.gtn").stderr, "")
        for command, more in (("predict", ("-o", "p.tns")), ("project", ("--mode", 1)),
                              ("update", ("--mode", 1, "-o", "u.gkt"))):
            file = "n.tns" if command != "predict" else "h0.tns"
            told = self.run_tool(command, "m0.gkt", file, *more)
            self.assertIn("subscripts count from 0, as in the text", told.stderr)
        self.assertIn("2 1 ", (self.directory / "p.tns").read_text())
        self.assertIn("count from 0", self.run_tool("update", "u.gkt", "n.tns").stderr)
        self.write("twice.tns", "2 1 3\n2 1 3\n2 2 4\n")
        self.assertIn(", 1 duplicate of the file summed into others",
                      self.run_tool("update", "m1.gkt", "twice.tns", "--mode", 1, "-o",
                                    "w.gkt").stdout)
        # Its rows are what they are, whatever of the run is left out.
        self.assertEqual(self.run_json("evaluate", "m0.gkt", "h0.tns", "--run", "none")["fit"],
                         self.run_json("evaluate", "m0.gkt", "h0.tns")["fit"])
        done = self.run_tool("update", "m0.gkt", "n.tns", "--mode", 1, "--run", "none", "-o",
                             "v.gkt")
        self.assertIn("count from 0, as in the text", done.stderr)
        self.assertEqual(self.read_json("v.gkt.labels.json")["run"]["text_base"], 0)
        # So they are beside the report of another run, which speaks where nothing is beside them.
        self.run_tool("decompose", "t1.tns", "--rank", 1, "-q", "--json", "run1.json")
        self.run_tool("decompose", "t0.tns", "--index-base", 0, "--rank", 1, "-q", "--json",
                      "run0.json")
        for run, (model, held) in ((1, ("m0.gkt", "h0.tns")), (0, ("m1.gkt", "h1.tns"))):
            self.assertAlmostEqual(self.run_json("evaluate", model, held, "--run",
                                                 f"run{run}.json")["fit"], right["fit"], 12)
        (self.directory / "m0.gkt.labels.json").unlink()
        self.assertIn(note, self.run_tool("evaluate", "m0.gkt", "h0.tns", "--run",
                                          "run0.json").stderr)

    def test_a_text_of_this_tool_says_what_it_counts_from(self):
        for base in (0, 1):
            self.write(f"t{base}.tns", f"{base} {base} 5\n{base} {base + 1} 1\n"
                                       f"{base + 1} {base} 2\n{base + 1} {base + 1} 3\n")
            self.run_tool("decompose", f"t{base}.tns", "--index-base", base, "--rank", 2, "-q",
                          "-o", f"m{base}.gkt")
            self.run_tool("convert", f"t{base}.tns", f"c{base}.tns", "--index-base", base, "-q",
                          "--output-index-base", base)
        for model in ("m0.gkt", "m1.gkt"):
            for text in ("c0.tns", "c1.tns"):
                done = self.run_tool("evaluate", model, text, "--json", "r.json")
                self.assertEqual(done.stderr, "", (model, text))
                self.assertAlmostEqual(self.read_json("r.json")["fit"], 1, 6)

    def test_a_text_that_the_table_was_converted_to_has_its_numbers(self):
        self.write("t.csv", "user,week,n\n1,1,5\n2,2,1\n1,3,2\n2,1,4\n1,2,3\n")
        fits = []
        for base in (0, 1):
            read = ("--values", "n", "--index-base", base)
            self.run_tool("convert", "t.csv", f"t{base}.tns", *read, "-q")
            self.assertEqual([self.read_json(f"t{base}.tns.labels.json")[name]
                              for name in ("index_base", "table_base")],
                             [1, base])
            self.run_tool("decompose", f"t{base}.tns", "--rank", 1, "-q", "-o", f"t{base}.gkt")
            self.run_tool("decompose", "t.csv", *read, "--rank", 1, "-q", "-o", f"c{base}.gkt")
            shown = [self.run_tool("show", name).stdout.split("\n", 1)[1]
                     for name in (f"t{base}.gkt", f"c{base}.gkt")]
            self.assertEqual(*shown)
            # The numbers of the table, however the command line has them, are the model's.
            for tensor in (("t.csv", "--values", "n"), (f"t{base}.tns",)):
                for model in (f"t{base}.gkt", f"c{base}.gkt"):
                    done = self.run_tool("evaluate", model, *tensor, "--json", "r.json")
                    self.assertNotIn("meant", done.stderr)
                    fits.append((base, self.read_json("r.json")["fit"]))
            (self.directory / "again.csv").unlink(missing_ok=True)  # it may be data by its name
            self.run_tool("convert", f"t{base}.tns", "again.csv", "-q")
            self.assertEqual(sorted((self.directory / "again.csv").read_text().splitlines()[1:]),
                             sorted((self.directory / "t.csv").read_text().splitlines()[1:]))
        for base in (0, 1):
            mine = [fit for each, fit in fits if each == base]
            for fit in mine:
                self.assertAlmostEqual(fit, mine[0], 12)
        self.assertIn("numbers its rows from", self.run_tool("evaluate", "c0.gkt", "t1.tns",
                                                             expect=FILE_TROUBLE).stderr)
        # Without its sidecar its first line says from what it counts: nothing else is advised.
        (self.directory / "t0.tns.labels.json").unlink()
        done = self.run_tool("evaluate", "c0.gkt", "t0.tns", "--json", "r.json")
        self.assertNotIn("meant", done.stderr)
        self.assertAlmostEqual(self.read_json("r.json")["fit"], fits[0][1], 12)

    def test_a_text_that_says_what_it_counts_from_is_read_so(self):
        self.write("x.tns", "0 0 5\n0 1 1\n1 0 2\n1 2 3\n")
        for name, more in (("c.tns", ()), ("h.txt", ("--to", "header", "--labels", "a,b"))):
            self.write("a", "one\ntwo\n")
            self.write("b", "x\ny\nz\n")
            self.run_tool("convert", "x.tns", name, "--index-base", 0, "--output-index-base", 0,
                          "-q", *more)
            told = self.run_tool("info", name)
            self.assertIn("subscripts from 0\n", told.stdout)
            self.assertEqual(told.stderr, "")
            for command in (("decompose", "--rank", 1), ("rank", "--ranks", "1"),
                            ("convert", "y.gtn"), ("tucker", "--ranks", "1,1")):
                found = self.run_json(command[0], name, *command[1:])
                self.assertEqual(found.get("tensor", found)["dimensions"], [2, 3])
            # Who says otherwise is asked no less than before.
            done = self.run_tool("info", name, "--index-base", 1, expect=FILE_TROUBLE)
            self.assertIn("read it with --index-base 0", done.stderr)
        # A run that begins at a model counts text as that of the model.
        self.run_tool("decompose", "x.tns", "--index-base", 0, "--rank", 1, "-q", "-o", "m.gkt")
        self.run_tool("tucker", "x.tns", "--index-base", 0, "--ranks", "1,1", "-q", "-o", "t.gkt")
        for command, model in (("decompose", "m.gkt"), ("tucker", "t.gkt")):
            done = self.run_tool(command, "x.tns", "--init", model)
            self.assertIn("genten: note: x.tns: subscripts count from 0, as in the text that "
                          f"{model} was made from; --index-base 1 says otherwise\n", done.stderr)

    def test_the_report_of_another_run_is_told(self):
        self.write("t0.tns", "0 0 5\n0 1 1\n1 0 2\n1 2 3\n")
        self.write("t1.tns", "1 1 5\n1 2 1\n2 1 2\n2 3 3\n")
        self.write("t3.tns", "1 1 1 5\n1 2 1 1\n2 2 2 2\n")
        self.write("t.csv", "user,week,day,n\n1,1,1,5\n2,2,1,1\n1,3,2,2\n2,1,1,4\n")
        for name, *more in (("t0.tns", "--index-base", 0), ("t1.tns",), ("t3.tns",)):
            self.run_tool("decompose", name, *more, "--rank", 1, "-q", "-o", f"{name}.gkt",
                          "--json", f"{name}.json")
        done = self.run_tool("evaluate", "t0.tns.gkt", "t0.tns", "--run", "t1.tns.json")
        self.assertEqual(done.stderr.count("genten: warning: subscripts count from 1 in the run of "
                                           "t1.tns.json, and from 0 in that of t0.tns.gkt, as "
                                           "stands beside it and holds here: is t1.tns.json the "
                                           "report of another run?\n"), 1)
        for command in ("evaluate", "project"):
            mode = ("--mode", 1) if command == "project" else ()
            done = self.run_tool(command, "t0.tns.gkt", "t0.tns", *mode, "--run", "t0.tns.json")
            self.assertNotIn("warning", done.stderr)
            done = self.run_tool(command, "t0.tns.gkt", "t0.tns", *mode, "--run", "t3.tns.json",
                                 expect=FILE_TROUBLE)
            self.assertIn("t3.tns.json: expected the report of the run that made t0.tns.gkt, a "
                          "model of 2 modes, got that of a run on 3 modes\n", done.stderr)
        for name, base, other in (("a", 0, "week"), ("b", 1, "week"), ("c", 0, "day")):
            self.run_tool("decompose", "t.csv", "--values", "n", "--modes", f"user,{other}", "-q",
                          "--rank", 1, "--index-base", base, "-o", f"{name}.gkt", "--json",
                          f"{name}.json")
        for run, said in (("a", None),
                          ("b", "count from 1 in the run of b.json, and from 0 in that"),
                          ("c", "are user, day in the run of c.json, and user, week in that")):
            done = self.run_tool("evaluate", "a.gkt", "t.csv", "--modes", "user,week", "--run",
                                 f"{run}.json")
            self.assertIn(f"{said} of a.gkt" if said else "", done.stderr)
            self.assertEqual(done.stderr.count("warning"), 0 if said is None else 1)

    def test_new_slices_that_may_be_known_ones_or_sums(self):
        head = "day,item,n\n"
        known = [f"2024-01-0{d},{item},{d}\n" for d in (1, 2) for item in "ab"]
        self.write("t.csv", head + "".join(known))
        self.run_tool("decompose", "t.csv", "--rank", 1, "--values", "n", "-q", "-o", "m.gkt")
        for day, note in (("02.01.2024", "two forms"), ("TOTAL", "count twice"),
                          ("2024-01-03", "")):
            self.write("n.csv", f"{head}{day},a,4\n{day},b,1\n")
            told = self.run_tool("update", "m.gkt", "n.csv", "--mode", "day", "-o", "x.gkt").stdout
            self.assertEqual([note in told, "mode 1 (day) has" in told], [True, bool(note)], told)
            told = self.run_tool("project", "m.gkt", "n.csv", "--mode", "day").stdout
            self.assertEqual('(day) has a row called "TOTAL": ' in told, day == "TOTAL", told)

    def test_new_slices_look_like_ids_where_many_are_empty(self):
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "m.gkt")
        for slices, asked in (((1, 2, 4, 5), False), ((1, 9), True), ((5, 6), True)):
            self.write("n.tns", "".join(f"{i} 1 1 1 {i}\n" for i in slices))
            done = self.run_tool("project", "m.gkt", "n.tns", "--mode", 1)
            self.assertIn(" no entries", done.stdout)
            self.assertEqual("are these slices ids?" in done.stdout, asked, slices)

    def test_a_random_split_is_told_what_its_fit_means(self):
        rows = [(f"W{w}", a, b, 3 + (5 * w + 3 * ord(a) + ord(b)) % 7) for w in range(9)
                for a in "abcdef" for b in "xyz"]
        held = random.Random(1).sample(range(len(rows)), len(rows) // 2)
        for name, is_held in (("train.csv", False), ("test.csv", True)):
            lines = [",".join(map(str, row)) + "\n" for k, row in enumerate(rows)
                     if (k in held) == is_held]
            self.write(name, "week,shop,product,n\n" + "".join(lines))
        self.run_tool("decompose", "train.csv", "--values", "n", "--missing", "none", "--rank", 2,
                      "-q", "-o", "m.gkt")
        found = self.run_json("evaluate", "m.gkt", "test.csv")
        self.assertGreater(found["fit"], 0)
        said = [note for note in found["notes"] if note.startswith("the fit")]
        self.assertEqual(len(said), 1, found["notes"])
        self.assertIn("zeros at 81 of 162 entries", said[0])
        self.assertIn("--missing unlisted leaves", said[0])
        for given in (("test.csv", "--missing", "unlisted"), ("train.csv",)):
            notes = self.run_json("evaluate", "m.gkt", *given)["notes"]
            self.assertFalse([note for note in notes if note.startswith("the fit")], given)


if __name__ == "__main__":
    unittest.main()
