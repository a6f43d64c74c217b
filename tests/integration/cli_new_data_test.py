#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""New data for an old model: genten project, rows of new slices for its factors, and genten update,
models that go on while slices arrive."""
import csv
import hashlib
import json
import shutil
import unittest

from cli_support import (
    ADMISSIONS, DATA, FAILURE, FILE_TROUBLE, SUCCESS, TITANIC, WRONG_USAGE, Model, ToolTest,
    read_entries)

IL2 = DATA / "il2-response" / "il2-response.tns.zst"
WARM, DOSES, MODE = 6, 12, 2


def formula_model(dimensions, rank):
    """The elements by formula of which the rows of admissions are known."""
    return [[[0.1 + (3 * i + 5 * r + 7 * n + i * r) % 11 / 10 for r in range(rank)]
             for i in range(length)] for n, length in enumerate(dimensions)]


def text_of(factors):
    rank = len(factors[0][0])
    lines = ["ktensor", str(len(factors)), " ".join(str(len(f)) for f in factors), str(rank),
             " ".join(["1"] * rank)]
    for factor in factors:
        lines += ["matrix", "2", f"{len(factor)} {rank}"]
        lines += [" ".join(map(repr, row)) for row in factor]
    return "\n".join(lines) + "\n"


KNOWN = {
    (): (433050.60453 / 2, [
        (814.67973, -257.016901), (646.205242, -274.023193), (339.079483, 431.652976),
        (712.018261, -4.87736808), (356.821123, 206.998295), (1280.71713, -388.614892)]),
    ("--nonnegative",): (459815.32902 / 2, [
        (506.422893, 0), (317.551669, 0), (339.079483, 431.652976), (706.168521, 0),
        (356.821123, 206.998295), (814.626391, 0)]),
    ("--loss", "poisson"): (-18843.772075, [
        (917.087274, 48.255539), (615.789474, 0), (344.75076, 461.317795), (678.654, 115.061485),
        (366.160157, 184.490509), (751.578947, 0)]),
    ("--ridge", "1"): (763018.11097 / 2, [
        (96.8254299, 84.8169999), (62.7804121, 45.9839563), (147.950537, 198.777887),
        (128.543892, 140.82464), (106.278012, 134.139853), (155.297958, 138.019178)])}


class Project(ToolTest):
    def rows(self, name="rows.csv"):
        with open(self.directory / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_known_rows(self):
        self.write("m.ktensor", text_of(formula_model((2, 2, 6), 2)))
        for options, (loss, rows) in KNOWN.items():
            result = self.run_json("project", "m.ktensor", ADMISSIONS, "--mode", 3, *options,
                                   "-o", "new.ktensor", "--rows", "rows.csv")
            found = Model(self.directory / "new.ktensor").factors[2]
            for row, known, line, told in zip(found, rows, self.rows(), result["rows"]):
                for r, expected in enumerate(known):
                    self.assertAlmostEqual(row[r], expected, delta=1e-8 * max(abs(expected), 1))
                    self.assertEqual(float(line[f"component_{r + 1}"]), row[r])
                self.assertLessEqual(told["kkt"], 1e-10)
                self.assertTrue(told["converged"])
                self.assertEqual(float(line["explained"]), told["explained"])
                self.assertEqual(line["far_worse"], "")
            self.assertAlmostEqual(sum(each["loss"] for each in result["rows"]), loss,
                                   delta=1e-10 * abs(loss))

    def test_the_run_gives_the_defaults(self):
        """Its own tensor gives the model's own factor, under its loss and constraints."""
        for name, options in (("a", ("--nonnegative", "all", "--ridge", "2,1,3")),
                              ("b", ("--loss", "poisson"))):
            stop = ("--tolerance", 1e-13) if name == "b" else ("--tolerance", 0)
            self.run_tool("decompose", ADMISSIONS, "--rank", 1, *stop,
                          "--max-iterations", 300, *options, "-o", f"{name}.ktensor", "-q")
            own = Model(self.directory / f"{name}.ktensor").factors
            for n in range(3):
                done = self.run_tool("project", f"{name}.ktensor", ADMISSIONS, "--mode", n + 1,
                                     "-o", "new.ktensor")
                self.assertRegex(done.stdout,
                                 rf"options +loss .*, of {name}\.ktensor\.labels\.json\n")
                found = Model(self.directory / "new.ktensor").factors[n]
                for mine, theirs in zip(own[n], found):
                    self.assertAlmostEqual(mine[0], theirs[0], delta=1e-8)
            done = self.run_tool("project", f"{name}.ktensor", ADMISSIONS, "--mode", 1,
                                 "--loss", "gaussian", "--ridge", 0)
            self.assertNotIn("loss poisson", done.stdout)

    def test_the_ridge_of_a_run_counts_that_nobody_asked_for(self):
        """Its own tensor gives the model's own factor where unlisted entries are missing, too."""
        self.run_tool("decompose", ADMISSIONS, "--rank", 2, "--missing", "unlisted", "--tolerance",
                      1e-14, "--max-iterations", 2000, "-o", "m.gkt", "--json", "m.json", "-q")
        ridge = json.loads((self.directory / "m.json").read_text())["ridge"]
        self.assertGreater(ridge[0], 0)
        self.assertEqual(self.read_json("m.json")["options"]["ridge"], ridge)
        self.assertEqual(self.read_json("m.gkt.labels.json")["run"]["ridge"], ridge)
        done = self.run_tool("project", "m.gkt", ADMISSIONS, "--mode", 1, "-o", "new.ktensor")
        self.assertIn(f"ridge {ridge[0]:.6g}, unlisted entries missing, "
                      "of m.gkt.labels.json", done.stdout)
        self.run_tool("convert", "m.gkt", "m.ktensor", "--model")
        own, found = (Model(self.directory / name).factors[0] for name in
                      ("m.ktensor", "new.ktensor"))
        for mine, theirs in zip(own, found):
            for a, b in zip(mine, theirs):
                self.assertAlmostEqual(a, b, delta=1e-5 * max(abs(x) for x in mine))

    def test_what_stands_beside_the_model_goes_with_it(self):
        self.run_tool("decompose", ADMISSIONS, "--rank", 1, "-q", "-o", "c.gkt", "--json",
                      "report.json", "--loss", "poisson", "--ridge", 2)
        self.assertEqual(self.read_json("c.gkt.labels.json")["run"],
                         {"loss": "poisson", "solver": "gcp", "ridge": [2]})
        for ending in ("", ".labels.json"):
            shutil.copy(self.directory / f"c.gkt{ending}", self.directory / f"moved.gkt{ending}")
        project = ("project", "moved.gkt", ADMISSIONS, "--mode", 3)
        told = self.run_json(*project)
        self.assertEqual(told["options_of_run"], "loss poisson, ridge 2, of moved.gkt.labels.json")
        of_report = self.run_json(*project, "--run", "report.json")
        self.assertEqual(of_report["options_of_run"], "loss poisson, ridge 2, of report.json")
        self.assertEqual(of_report["rows"], told["rows"])
        plain = self.run_json(*project, "--run", "none")
        self.assertEqual((plain["options_of_run"], plain["loss"]), ("", "gaussian"))

    def test_the_checksum_of_a_run_is_of_numbers_in_17_digits(self):
        for ridge in ("0.4959708893842458", "0.1", "1e15,3e-9,7", "1.7e300"):
            self.run_tool("decompose", ADMISSIONS, "--rank", 1, "-q", "-o", "d.gkt", "--ridge",
                          ridge, "--max-iterations", 1, "--lower", "-inf,0,0")
            beside = self.read_json("d.gkt.labels.json")
            run = {"loss": "gaussian", "lower": [None, "0", "0"],
                   "ridge": [f"{float(each):.17g}" for each in ridge.split(",")]}
            text = json.dumps(run, separators=(",", ":")).encode()
            self.assertEqual(beside["run_sha256"], hashlib.sha256(text).hexdigest())
            done = self.run_tool("project", "d.gkt", ADMISSIONS, "--mode", 3)
            self.assertIn("of d.gkt.labels.json", done.stdout)

    def test_the_ridge_of_a_search_of_the_rank_is_kept(self):
        entries = "".join(f"{u} {f} {1 + u * f % 5}\n" for u in range(1, 7) for f in range(1, 5)
                          if u != f)
        self.write("r.tns", entries)
        how = ("--missing", "unlisted", "-q")
        self.run_tool("decompose", "r.tns", "--rank", 1, "-o", "d.gkt", *how)
        self.run_tool("rank", "r.tns", "--ranks", 1, "--starts", 2, "-o", "k.gkt", *how)
        one, other = (self.read_json(f"{name}.gkt.labels.json")["run"] for name in "dk")
        self.assertAlmostEqual(one["ridge"][0] / other["ridge"][0], 1)

    def test_what_an_earlier_genten_has_written_is_told(self):
        self.run_tool("decompose", ADMISSIONS, "--rank", 1, "-q", "-o", "c.gkt", "--loss",
                      "poisson")
        beside = self.read_json("c.gkt.labels.json")
        beside["loss_sha256"] = beside.pop("run_sha256")
        self.write("c.gkt.labels.json", json.dumps(beside))
        done = self.run_tool("project", "c.gkt", ADMISSIONS, "--mode", 3)
        self.assertIn("c.gkt.labels.json is not used: it is of an earlier genten, which kept less "
                      "of a run: decompose again", done.stderr)

    def test_rows_go_by_names(self):
        self.write("old.csv", "user,item,n\n" + "".join(
            f"u{i},{item},{(i % 3 + 1) * (1 + k)}\n" for i in range(8)
            for k, item in enumerate(("tea", "milk", "rum"))))
        self.run_tool("decompose", "old.csv", "--values", "n", "--rank", 1, "-o", "m.gkt", "-q")
        self.write("new.csv", "item,user,n\nrum,zoe,9\ntea,zoe,3\nmilk,zoe,6\nmilk,max,50\n")
        done = self.run_tool("project", "m.gkt", "new.csv", "--mode", "user", "--values", "n",
                             "--training", "old.csv", "--rows", "rows.csv", "-o", "new.npz")
        other, zoe = self.rows()
        self.assertEqual((zoe["user"], other["user"]), ("zoe", "max"))
        self.assertAlmostEqual(float(zoe["explained"]), 1.0, 9)
        self.assertEqual((zoe["far_worse"], other["far_worse"]), ("false", "true"))
        self.assertRegex(done.stdout, r"far worse +max \(less than 0\.99.* explained, a limit")
        self.write("odd.csv", "item,user,n\ngin,zoe,9\n")
        done = self.run_tool("project", "m.gkt", "odd.csv", "--mode", "user", "--values", "n",
                             expect=FILE_TROUBLE)
        self.assertIn('"gin"', done.stderr)

    def test_missing_entries(self):
        self.write("m.ktensor", text_of(formula_model((2, 2, 6), 2)))
        self.write("part.tns", "1 1 1 512\n2 2 1 19\n2 1 1 7\n2 2 6 1\n")
        found = self.run_json("project", "m.ktensor", "part.tns", "--mode", 3, "--missing",
                              "unlisted")
        self.assertEqual([each["entries"] for each in found["rows"]], [3, 0, 0, 0, 0, 1])
        self.write("away.tns", "1 2 1\n1 2 6\n")
        found = self.run_json("project", "m.ktensor", "part.tns", "--mode", 3, "--missing",
                              "away.tns")
        self.assertEqual([each["entries"] for each in found["rows"]], [3, 4, 4, 4, 4, 3])

    def test_the_missing_entries_of_the_run(self):
        """They are those of its own tensor, which gives the model's own factor again."""
        self.write("away.tns", "1 2 1\n1 2 6\n2 2 3\n")
        self.run_tool("decompose", ADMISSIONS, "--rank", 1, "--missing", "away.tns", "--tolerance",
                      0, "--max-iterations", 300, "-o", "m.ktensor", "-q")
        own = Model(self.directory / "m.ktensor").factors[2]
        found = self.run_json("project", "m.ktensor", ADMISSIONS, "--mode", 3, "-o", "n.ktensor")
        self.assertEqual([each["entries"] for each in found["rows"]], [3, 4, 3, 4, 4, 3])
        self.assertIn("of away.tns missing, of m.ktensor.labels.json", found["options_of_run"])
        for mine, theirs in zip(own, Model(self.directory / "n.ktensor").factors[2]):
            self.assertAlmostEqual(mine[0], theirs[0], delta=1e-8)
        self.write("new.tns", "1 1 1 5\n2 2 1 3\n")
        run = ("decompose", ADMISSIONS, "--rank", 2, "--missing", "away.tns", "--loss", "poisson")
        self.run_tool(*run, "-o", "p.ktensor", "-q")
        run = ("project", "p.ktensor", "new.tns", "--mode", 3, "--training", ADMISSIONS)
        with_list = self.run_json(*run)
        self.assertEqual(with_list["rows"][0]["entries"], 4)
        (self.directory / "p.ktensor.labels.json").unlink()
        without = self.run_json(*run, "--loss", "poisson")
        self.assertNotEqual(with_list["far_worse_below"], without["far_worse_below"])

    def test_same_bits_for_any_number_of_threads(self):
        self.write("m.ktensor", text_of(formula_model((2, 2, 6), 2)))
        texts = set()
        for threads in "123":
            self.run_tool("project", "m.ktensor", ADMISSIONS, "--mode", 3, "--loss",
                          "negative-binomial", "--rows", "rows.csv", "-q",
                          environment={"OMP_NUM_THREADS": threads})
            texts.add((self.directory / "rows.csv").read_text())
        self.assertEqual(len(texts), 1)

    def test_what_is_wrong_is_said(self):
        self.write("m.ktensor", text_of(formula_model((2, 2, 6), 2)))
        self.write("wide.tns", "3 1 1 5\n")
        self.write("odd.json", "[1]")
        for options, code, said in (
                (("--mode", 4), WRONG_USAGE, "--mode"), (("--mode", "x"), WRONG_USAGE, "got 'x'"),
                ((), WRONG_USAGE, "--mode"),
                (("--mode", 3, "--loss", "gaussian2"), WRONG_USAGE, "--loss"),
                (("--mode", 3, "--ridge", -1), WRONG_USAGE, "--ridge"),
                (("--mode", 3, "--run", "odd.json"), FILE_TROUBLE, "odd.json"),
                (("--mode", 3, "--run", "none.json"), FILE_TROUBLE, "none.json"),
                (("--mode", 3, "--missing", "none.tns"), FILE_TROUBLE, "none.tns"),
                (("--mode", 3, "--loss", "gamma"), None, "unlisted"),
                (("--mode", 3, "--loss", "bernoulli-logit"), None, "0 and 1")):
            done = self.run_tool_for_trouble(options, code)
            self.assertIn(said, done.stderr)
        done = self.run_tool("project", "m.ktensor", "wide.tns", "--mode", 3, expect=FILE_TROUBLE)
        self.assertIn("wide.tns", done.stderr)

    def run_tool_for_trouble(self, options, code):
        arguments = ("project", "m.ktensor", ADMISSIONS, *options)
        if code is not None:
            return self.run_tool(*arguments, expect=code)
        for expect in (FAILURE, WRONG_USAGE, FILE_TROUBLE):
            try:
                return self.run_tool(*arguments, expect=expect)
            except AssertionError:
                continue
        return self.run_tool(*arguments, expect=SUCCESS)


class Update(ToolTest):
    def setUp(self):
        super().setUp()
        self.run_tool("convert", IL2, "all.tns")
        self.entries = read_entries(self.directory / "all.tns")
        self.slices("warm.tns", range(WARM))
        for dose in range(WARM, DOSES):
            self.slices(f"{dose}.tns", [dose])
        self.doses = [f"{dose}.tns" for dose in range(WARM, DOSES)]

    def slices(self, name, doses):
        first = doses[0]
        self.write(name, "".join(
            " ".join(str(i + 1 - (first if n == MODE else 0)) for n, i in enumerate(at))
            + f" {value!r}\n" for at, value in self.entries.items() if at[MODE] in doses))

    def warm(self, rank, *more):
        self.run_tool("decompose", "warm.tns", "--rank", rank, "--starts", 3, "--tolerance", 1e-9,
                      "--max-iterations", 2000, "-q", "-o", "warm.ktensor", *more)

    def update(self, *arguments, expect=0, **more):
        return self.run_tool("update", *arguments, expect=expect, **more)

    def batch_fit(self, rank):
        return self.run_json("decompose", "all.tns", "--rank", rank, "--starts", 3, "--tolerance",
                             1e-9, "--max-iterations", 2000, "-q")["fit"]

    def fits(self, model="stream.gkt"):
        """That of the model, and with the rows of all doses projected."""
        own = self.run_json("evaluate", model, "all.tns", "-q")["fit"]
        projected = self.run_json("decompose", "all.tns", "--init", model, "--fixed-modes", "1,2,4",
                                  "--max-iterations", 1, "-q")["fit"]
        return own, projected

    def bytes(self, name):
        return (self.directory / name).read_bytes()

    def test_one_pass_and_five_sweeps_come_near_the_batch_fit(self):
        for rank, one, five in ((1, 0.99, 0.99), (2, 0.93, 0.95), (3, 0.93, 0.98)):
            batch = self.batch_fit(rank)
            self.warm(rank)
            for sweeps, part in ((1, one), (5, five)):
                self.update("warm.ktensor", *self.doses, "--mode", 3, "--sweeps", sweeps, "-o",
                            "stream.gkt", "-q")
                self.assertGreater(self.fits()[1], part * batch, (rank, sweeps))

    def test_without_an_extra_component_less_is_remembered(self):
        batch = self.batch_fit(2)
        self.warm(2)
        self.update("warm.ktensor", *self.doses, "--mode", 3, "--sweeps", 5, "--extra", 0, "-o",
                    "stream.gkt", "-q")
        self.assertLess(self.fits()[1], 0.95 * batch)
        complaint = self.update("stream.gkt", self.doses[0], "--extra", 1, expect=WRONG_USAGE)
        self.assertIn("--extra: expected 0, as the stream of stream.gkt has it, got 1",
                      complaint.stderr)

    def test_with_all_data_kept_it_reaches_the_batch_objective(self):
        for rank in (1, 2, 3):
            self.warm(rank)
            kept = ["--training", "warm.tns", "--history", 9]
            self.update("warm.ktensor", *self.doses[:-1], "--mode", 3, *kept, "-o", "stream.gkt",
                        "-q")
            self.update("stream.gkt", self.doses[-1], "--sweeps", 3000, "-q")
            objective = (1 - self.fits()[0]) ** 2
            # Where CP-ALS on all data ends: of rank 1 from anywhere, of others from there.
            where = ["--rank", 1] if rank == 1 else ["--init", "stream.gkt"]
            best = (1 - self.run_json("decompose", "all.tns", *where, "--tolerance", 1e-9,
                                      "--max-iterations", 3000, "-q")["fit"]) ** 2
            self.assertLess(abs(objective - best), 1e-6 * best, rank)

    def test_an_interrupted_stream_has_the_same_bits_at_any_number_of_threads(self):
        self.warm(3)
        self.run_tool("decompose", TITANIC, "--rank", 2, "-q", "-o", "titanic.ktensor")
        for options in ([], ["--history", 3, "--sweeps", 2], ["--forget", 0.5],
                        ["--nonnegative", "1,2,4"], ["--ridge", 0.1]):
            model = "warm.ktensor"
            if "--nonnegative" in options:
                self.run_tool("decompose", "warm.tns", "--rank", 3, "--nonnegative", "all", "-q",
                              "-o", "warm.gkt")
                model = "warm.gkt"
            at_once = [model, *self.doses, "--mode", 3, *options, "-q", "-o"]
            self.update(*at_once, "one.gkt", environment={"OMP_NUM_THREADS": "1"})
            self.update(*at_once, "two.gkt", environment={"OMP_NUM_THREADS": "2"})
            self.update(model, self.doses[0], "--mode", 3, *options, "-q", "-o", "part.gkt")
            for dose in self.doses[1:]:
                self.update("part.gkt", dose, "-q")
            self.assertEqual(self.bytes("one.gkt"), self.bytes("two.gkt"), options)
            self.assertEqual(self.bytes("one.gkt"), self.bytes("part.gkt"), options)

    def test_constraints_hold(self):
        self.run_tool("decompose", "warm.tns", "--rank", 3, "--nonnegative", "all", "-q", "-o",
                      "warm.gkt")
        self.update("warm.gkt", *self.doses, "--mode", 3, "--nonnegative", "all", "--sweeps", 2,
                    "-o", "stream.gkt", "-q")
        self.run_tool("convert", "--model", "stream.gkt", "stream.ktensor")
        self.assertGreaterEqual(min(Model(self.directory / "stream.ktensor").numbers()), 0)
        self.assertGreater(self.fits()[0], 0.85 * self.batch_fit(3))

    def test_counts_keep_their_sum_and_forget(self):
        lines = (TITANIC).read_text().splitlines()
        rows = [line.split() for line in lines if line and not line.startswith("#")]
        for half, wanted in (("a.tns", ("1", "2")), ("b.tns", ("3", "4"))):
            self.write(half, "".join(" ".join([str(int(r[0]) - int(wanted[0]) + 1), *r[1:]]) + "\n"
                                     for r in rows if r[0] in wanted))
        self.run_tool("decompose", "a.tns", "--loss", "poisson", "--rank", 2, "-q", "-o",
                      "a.ktensor")
        self.update("a.ktensor", "b.tns", "--mode", 1, "--loss", "poisson", "--training", "a.tns",
                    "--history", 2, "--sweeps", 2000, "-o", "m.gkt", "-q")
        batch = self.run_json("decompose", TITANIC, "--loss", "poisson", "--rank", 2, "--starts", 5,
                              "--tolerance", 1e-9, "-q", "-o", "all.ktensor")
        own = self.run_json("evaluate", "m.gkt", TITANIC, "-q")["all"]["deviance"]
        best = self.run_json("evaluate", "all.ktensor", TITANIC, "-q")["all"]["deviance"]
        self.assertLess(own, best * (1 + 1e-4))
        self.assertIn("fit", batch)
        self.write("negative.tns", "1 1 1 1 -2\n")
        done = self.update("m.gkt", "negative.tns", "-q", expect=FILE_TROUBLE)
        self.assertIn("genten: negative.tns:1: counts must not be negative", done.stderr)

    def test_slices_that_go_on_counting_are_refused(self):
        self.write("old.csv", "user,week,n\na,0,1\nb,1,2\na,2,3\n")
        self.write("new.csv", "user,week,n\na,3,1\nb,4,2\n")
        self.run_tool("decompose", "old.csv", "--values", "n", "--rank", 1, "-o", "w.gkt", "-q")
        done = self.update("w.gkt", "new.csv", "--values", "n", "--mode", "week", "-o", "v.gkt",
                           expect=FILE_TROUBLE)
        self.assertIn("the first one here is 3: 3 rows without entries would follow the 3 of the "
                      "model; if these are ids, a model of a tensor whose", done.stderr)

    def test_the_run_gives_loss_and_constraints(self):
        self.write("old.tns", "1 1 1 3\n1 2 1 1\n2 1 2 4\n2 2 2 2\n3 1 1 5\n3 2 2 1\n")
        self.write("new.tns", "1 1 1 2\n2 2 1 1\n3 1 1 4\n")
        run = ("decompose", "old.tns", "--rank", 1, "-q", "-o", "m.gkt", "--json", "m.json")
        self.run_tool(*run, "--loss", "poisson")
        told = self.run_json("update", "m.gkt", "new.tns", "--mode", 3, "-o", "s.gkt")
        self.assertEqual(told["options_of_run"], "loss poisson, of m.gkt.labels.json")
        self.assertEqual(told["options"]["loss"], "poisson")
        plain = self.run_json("update", "m.gkt", "new.tns", "--mode", 3, "-o", "t.gkt", "--run",
                              "none")
        self.assertEqual((plain["options_of_run"], plain["options"]["loss"]),
                         ("", "gaussian"))
        self.run_tool(*run, "--ridge", "1,2,3", "--nonnegative", "1")
        told = self.run_json("update", "m.gkt", "new.tns", "--mode", 3, "-o", "s.gkt")
        self.assertEqual(told["options"]["ridge"], "1,2,3")
        self.assertEqual(told["options"]["lower"], "0,-inf,-inf")
        self.run_tool(*run, "--solver", "gcp", "--ridge", "1")
        told = self.run_json("update", "m.gkt", "new.tns", "--mode", 3, "-o", "s.gkt")
        self.assertEqual(told["options"]["ridge"], "0.5,0.5,0.5")
        for options, message in (
                (("--loss", "huber"), "m.gkt.labels.json: no statistics stand for earlier slices "
                                      "under its loss, huber: expected gaussian or poisson"),
                (("--missing", "unlisted"), "m.gkt.labels.json: its run had missing entries")):
            self.run_tool(*run, *options)
            done = self.update("m.gkt", "new.tns", "--mode", 3, "-o", "s.gkt", expect=WRONG_USAGE)
            self.assertIn(message, done.stderr)
            self.assertIn("genten project", done.stderr)
        self.update("m.gkt", "new.tns", "--mode", 3, "-o", "s.gkt", "--run", "none", "-q")
        done = self.update("s.gkt", "new.tns", "--run", "m.json", expect=WRONG_USAGE)
        self.assertIn("expected no report", done.stderr)

    def test_the_loss_is_the_one_beside_the_model(self):
        self.write("old.tns", "1 1 1 3\n1 2 1 1\n2 1 2 4\n2 2 2 2\n3 1 1 5\n3 2 2 1\n")
        self.write("new.tns", "1 1 1 2\n2 2 1 1\n3 1 1 4\n")
        run = ("decompose", "old.tns", "--rank", 1, "-q", "-o", "c.gkt", "--loss")
        start = ("update", "c.gkt", "new.tns", "--mode", 3, "-o")
        self.run_tool(*run, "poisson")
        told = self.run_json(*start, "s.gkt")
        self.assertEqual((told["options_of_run"], told["options"]["loss"]),
                         ("loss poisson, of c.gkt.labels.json", "poisson"))
        self.assertEqual(self.read_json("s.gkt.labels.json")["run"],
                         {"loss": "poisson", "solver": "stream"})
        self.run_tool(*start, "t.gkt", "--loss", "poisson", "-q")
        self.assertEqual(self.bytes("s.gkt"), self.bytes("t.gkt"))
        again = self.run_json("update", "s.gkt", "new.tns")
        self.assertEqual(again["options"]["loss"], "poisson")
        self.assertEqual(self.read_json("s.gkt.labels.json")["run"],
                         {"loss": "poisson", "solver": "stream"})
        told = self.run_json(*start, "s.gkt", "--loss", "gaussian")
        self.assertEqual((told["options_of_run"], told["options"]["loss"]), ("", "gaussian"))
        self.assertEqual(self.read_json("s.gkt.labels.json")["run"],
                         {"loss": "gaussian", "solver": "stream"})
        self.run_tool(*run, "huber")
        done = self.run_tool(*start, "s.gkt", expect=WRONG_USAGE)
        self.assertIn("c.gkt.labels.json: no statistics stand for earlier slices under its "
                      "loss, huber: expected gaussian or poisson, as by --loss", done.stderr)
        self.assertIn("genten project", done.stderr)
        self.run_tool(*start, "s.gkt", "--loss", "gaussian", "-q")

    def test_rows_go_by_names_and_new_ones_are_added(self):
        self.write("first.csv", "who,what,day,value\n" + "".join(
            f"{w},{t},{d},{1 + (i * j + k) % 3}\n" for i, w in enumerate("abc")
            for j, t in enumerate("xy") for k, d in enumerate(("mon", "tue"))))
        self.write("next.csv", "who,what,day,value\nc,y,wed,2\nz,x,wed,1\na,x,wed,1\n")
        values = ("--values", "value")
        self.run_tool("decompose", "first.csv", *values, "--rank", 2, "-q", "-o", "first.gkt")
        found = self.run_json("update", "first.gkt", "next.csv", *values, "--mode", "day", "-q",
                              "-o", "next.gkt")
        self.assertEqual(found["dimensions"], [4, 2, 3])
        self.assertEqual(found["batches"][0]["new_rows"], [1, 0, 1])
        told = json.loads((self.directory / "next.gkt.labels.json").read_text())
        self.assertEqual(told["labels"], [["a", "b", "c", "z"], ["x", "y"], ["mon", "tue", "wed"]])
        again = self.update("next.gkt", "next.csv", "--values", "value", expect=FILE_TROUBLE)
        self.assertIn('slice "wed" is in next.gkt already', again.stderr)

    def test_complaints(self):
        self.warm(2)
        for arguments, message, code in (
                (["warm.ktensor", "6.tns", "--mode", 3],
                 "--output: expected a name that ends in .gkt", 2),
                (["warm.ktensor", "6.tns", "-o", "s.gkt"], "--mode: expected the mode", 2),
                (["warm.ktensor", "6.tns", "--mode", 5, "-o", "s.gkt"],
                 "--mode: expected modes from 1 to 4, got '5'", 2),
                (["warm.ktensor", "6.tns", "--mode", 3, "--forget", 2, "-o", "s.gkt"],
                 "--forget: expected", 2),
                (["warm.ktensor", TITANIC, "--mode", 3, "--loss", "poisson", "-o", "s.gkt"],
                 "beyond the bounds", 2),
                (["6.tns", "6.tns", "--mode", 3, "-o", "s.gkt"], "the model first", 3)):
            done = self.update(*arguments, expect=code)
            self.assertIn(message, done.stderr)
        self.update("warm.ktensor", "6.tns", "--mode", 3, "-o", "s.gkt", "-q")
        for arguments, message in (
                (["--mode", 2], "--mode: expected 3, in which slices"),
                (["--loss", "poisson"], "--loss: expected gaussian"),
                (["--training", "warm.tns"], "--training: s.gkt has its statistics already")):
            done = self.update("s.gkt", "7.tns", *arguments, expect=WRONG_USAGE)
            self.assertIn(message, done.stderr)
        self.write("short.tns", "1 1 1 1 2\n")
        self.update("s.gkt", "short.tns", "-q")  # as long as the model where it says nothing


class FewEntries(ToolTest):
    def test_rows_that_their_entries_do_not_determine(self):
        rows = [f"u{u},f{f},{1 + (u * f) % 5}" for u in range(6) for f in range(4) if u != f]
        self.write("r.csv", "\n".join(["user,film,x", *rows]) + "\n")
        self.run_tool("decompose", "r.csv", "--values", "x", "--rank", 2, "--missing", "unlisted",
                      "-o", "m.gkt")
        self.write("n.csv", "user,film,x\nann,f1,4\nbob,f0,1\nbob,f1,2\nbob,f2,3\n")
        project = ("project", "m.gkt", "n.csv", "--values", "x", "--mode", "user")
        told = self.run_tool(*project).stdout  # by the ridge that the run has had by itself
        self.assertRegex(told, "options   loss gaussian, ridge 0[.].*, unlisted entries missing, "
                         "of m.gkt.labels.json")
        self.assertNotIn("fewer entries", told)
        told = self.run_tool(*project, "--ridge", 0).stdout
        self.assertIn("note      1 row with fewer entries than the 2 components, so that more than "
                      "one row fits as well, and a --ridge says which: ann\n", told)
        found = self.run_json(*project, "--ridge", 0)["rows"]
        self.assertEqual([row["underdetermined"] for row in found], [True, False])
        self.assertTrue(all(row["converged"] for row in found))
        self.assertNotIn("fewer entries", self.run_tool(*project, "--ridge", 0.1).stdout)


if __name__ == "__main__":
    unittest.main()
