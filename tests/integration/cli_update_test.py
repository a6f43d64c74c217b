#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten update: models that go on while slices arrive."""
import json
import unittest

from cli_support import DATA, FILE_TROUBLE, TITANIC, WRONG_USAGE, Model, ToolTest, read_entries

IL2 = DATA / "il2-response" / "il2-response.tns.zst"
WARM, DOSES, MODE = 6, 12, 2


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
        for rank, five, sweeps, history in ((2, 0.94, 5, 1), (2, 0.95, 20, 3), (3, 0.98, 5, 1)):
            batch = self.batch_fit(rank)
            self.warm(rank)
            self.update("warm.ktensor", *self.doses, "--mode", 3, "-o", "stream.gkt", "-q")
            self.assertGreater(self.fits()[1], 0.93 * batch)
            self.update("warm.ktensor", *self.doses, "--mode", 3, "--sweeps", sweeps, "--history",
                        history, "-o", "stream.gkt", "-q")
            self.assertGreater(self.fits()[1], five * batch)

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
        done = self.update("m.gkt", "negative.tns", "-q", expect=WRONG_USAGE)
        self.assertIn("counts must not be negative", done.stderr)

    def test_rows_go_by_names_and_new_ones_are_added(self):
        self.write("first.csv", "who,what,day,value\n" + "".join(
            f"{w},{t},{d},{1 + (i * j + k) % 3}\n" for i, w in enumerate("abc")
            for j, t in enumerate("xy") for k, d in enumerate(("mon", "tue"))))
        self.write("next.csv", "who,what,day,value\nc,y,wed,2\nz,x,wed,1\na,x,wed,1\n")
        self.run_tool("decompose", "first.csv", "--values", "value", "--rank", 2, "-q", "-o", "first.gkt")
        found = self.run_json("update", "first.gkt", "next.csv", "--values", "value", "--mode", "day",
                              "-q", "-o", "next.gkt")
        self.assertEqual(found["dimensions"], [4, 2, 3])
        self.assertEqual(found["batches"][0]["new_rows"], [1, 0, 1])
        told = json.loads((self.directory / "next.gkt.labels.json").read_text())
        self.assertEqual(told["labels"], [["a", "b", "c", "z"], ["x", "y"], ["mon", "tue", "wed"]])
        again = self.update("next.gkt", "next.csv", "--values", "value", expect=FILE_TROUBLE)
        self.assertIn('slice "wed" is in next.gkt already', again.stderr)

    def test_complaints(self):
        self.warm(2)
        for arguments, message, code in (
                (["warm.ktensor", "6.tns", "--mode", 3], "MODEL: statistics have room", 2),
                (["warm.ktensor", "6.tns", "-o", "s.gkt"], "--mode: expected the mode", 2),
                (["warm.ktensor", "6.tns", "--mode", 5, "-o", "s.gkt"],
                 "--mode: expected 1 to 4, got 5", 2),
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


if __name__ == "__main__":
    unittest.main()
