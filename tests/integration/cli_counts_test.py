#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose --loss poisson: models of counts."""
import itertools
import math
import random
import shlex
import unittest

from cli_support import ADMISSIONS, FILE_TROUBLE, TITANIC, WRONG_USAGE, Model, ToolTest


class Counts(ToolTest):
    def model_of(self, tensor, *arguments):
        """The JSON report and the model."""
        result = self.run_json("decompose", tensor, "--loss", "poisson", "--output", "m.ktensor",
                               "--quiet", *arguments)
        return result, Model(self.directory / "m.ktensor")

    def test_known_answers(self):
        result, model = self.model_of(TITANIC, "--rank", 1)
        self.assertAlmostEqual(result["objective"], -8966.0155137973, places=8)
        self.assertEqual(result["stop_reason"], "converged")
        result, model = self.model_of(ADMISSIONS, "--rank", 2, "--tolerance", "1e-7",
                                      "--max-iterations", 5000, "--starts", 3)
        self.assertAlmostEqual(result["objective"], -20341.3908128407, places=6)
        self.assertAlmostEqual(result["weights"][0], 2794.268177, places=2)
        self.assertAlmostEqual(sum(result["weights"]), 4526, places=7)
        self.assertLess(result["kkt_violation"], 1e-7)
        self.assertGreater(result["deviance"], 0)
        self.assertEqual(len(result["starts"]), 3)
        self.assertEqual(min(start["objective"] for start in result["starts"]),
                         result["objective"])
        self.assertTrue(all(x >= 0 for factor in model.factors for row in factor for x in row))
        objectives = [record["objective"] for record in result["history"]]
        for before, after in zip(objectives, objectives[1:]):
            self.assertLessEqual(after, before + 1e-9 * abs(before))
        self.assertEqual(result["options"]["loss"], "poisson")
        self.assertEqual(result["options"]["max_iterations"], 5000)
        self.assertNotIn("ridge", result["options"])
        self.assertNotIn("residual_route", result)

    def test_least_squares_say_so(self):
        result = self.run_json("decompose", TITANIC, "--rank", 2, "--quiet")
        self.assertEqual(result["options"]["loss"], "gaussian")
        self.assertNotIn("kappa", result["options"])
        self.assertNotIn("deviance", result)

    def test_text(self):
        text = self.run_tool("decompose", TITANIC, "--rank", 2, "--loss", "poisson").stdout
        self.assertIn("rank 2, seed 1, loss poisson, double", text)
        self.assertRegex(text, r"iteration +fit +objective +change +KKT +seconds\n")
        self.assertRegex(text, r"\nobjective -9\d+\.\d+, deviance [0-9.]+\nKKT +the conditions of "
                               r"a minimum hold to within \d\.\de-05\n")
        self.assertNotIn("mttkrp", text)

    def test_a_run_goes_on_from_its_checkpoint(self):
        options = ("--rank", 3, "--tolerance", 0, "--quiet")
        self.run_tool("decompose", TITANIC, "--loss", "poisson", *options, "--max-iterations", 20,
                      "-o", "whole.gkt")
        self.run_tool("decompose", TITANIC, "--loss", "poisson", *options, "--max-iterations", 8,
                      "--checkpoint", "c.gkt", "-o", "part.gkt")
        self.run_tool("decompose", TITANIC, "--resume", "c.gkt", "--max-iterations", 20, "--quiet",
                      "-o", "resumed.gkt")
        contents = [(self.directory / name).read_bytes()
                    for name in ("whole.gkt", "part.gkt", "resumed.gkt")]
        self.assertEqual(contents[0], contents[2])
        self.assertNotEqual(contents[0], contents[1])
        wrong = self.run_tool("decompose", TITANIC, "--resume", "c.gkt", "--loss", "gaussian",
                              expect=WRONG_USAGE)
        self.assertIn("--loss: expected that of the checkpoint, 'poisson', got 'gaussian'",
                      wrong.stderr)
        wrong = self.run_tool("decompose", TITANIC, "--resume", "c.gkt", "--seed", "9",
                              expect=WRONG_USAGE)
        self.assertIn("--seed: expected that of the checkpoint", wrong.stderr)

    def test_what_means_nothing_is_refused(self):
        for arguments, expected in (
                (("--loss", "poisson", "--ridge", "1", "--steps", "newton"),
                 "--steps: has no effect beside --loss poisson with --ridge"),
                (("--kappa", "1"), "--kappa: has no effect beside --loss gaussian"),
                (("--loss", "poisson", "--acceleration", "nesterov"),
                 "--acceleration: has no effect beside --loss poisson"),
                (("--loss", "poisson", "--steps", "newton", "--kernel", "atomic"),
                 "--kernel: has no effect beside Newton's steps"),
                (("--loss", "gama"), "|gamma|rayleigh|beta, got 'gama'")):
            with self.subTest(arguments=arguments):
                result = self.run_tool("decompose", TITANIC, *arguments, expect=WRONG_USAGE)
                self.assertIn(expected, result.stderr)

    def test_new_counts_where_the_model_is_zero_are_told_apart(self):
        self.write("m.ktensor", "ktensor\n2\n4 3\n1\n1\nmatrix\n2\n4 1\n1\n2\n3\n4\n"
                                "matrix\n2\n3 1\n1\n2\n0\n")
        self.write("old.tns", "1 1 1\n1 2 2\n2 1 2\n2 2 4\n3 1 3\n3 2 5\n4 1 4\n4 2 9\n")
        self.write("new.tns", "1 1 3\n1 2 6\n1 3 1\n2 1 9\n2 2 2\n")
        project = ("project", "m.ktensor", "new.tns", "--mode", 1, "--loss", "poisson",
                   "--training", "old.tns")
        text = self.run_tool(*project).stdout
        self.assertIn("note      the model is 0 at 1 listed entry of 1 new row, whatever this row "
                      "is, so that the likelihood there is 0: the part explained is of all other "
                      "entries\n", text)
        self.assertRegex(text, r"far worse +2 \(less than \S+ explained, a limit by the rows of "
                         r"--training, to which the model was fitted\)\n")
        first, second = self.run_json(*project, "-q")["rows"]
        self.assertEqual((first["impossible"], second["impossible"]), (1, 0))
        self.assertAlmostEqual(first["explained"], 1, 9)
        self.assertEqual((first["entries"], first["far_worse"]), (3, False))
        self.assertNotIn("likelihood", self.run_tool(*project[:5]).stdout)  # of least squares

    def test_nonnegative_factors_are_what_counts_have(self):
        for solver in ("apr", "gcp"):
            run = ("decompose", TITANIC, "--loss", "poisson", "--solver", solver, "--rank", 2,
                   "--max-iterations", 5, "--quiet")
            self.run_tool(*run, "-o", "plain.gkt")
            self.run_tool(*run, "--nonnegative", "all", "-o", "asked.gkt")
            self.assertEqual(*((self.directory / name).read_bytes()
                               for name in ("plain.gkt", "asked.gkt")))

    def test_what_are_no_counts_is_refused(self):
        (self.directory / "negative.tns").write_text("1 1 2\n2 2 -1\n")
        result = self.run_tool("decompose", "negative.tns", "--rank", 1, "--loss", "poisson",
                               expect=FILE_TROUBLE)
        self.assertIn("negative.tns:2: counts must not be negative; 1 value is, the least is -1",
                      result.stderr)
        (self.directory / "guess.ktensor").write_text(
            "ktensor\n2\n2 2\n1\n1\nmatrix\n2\n2 1\n-1\n1\nmatrix\n2\n2 1\n1\n1\n")
        (self.directory / "counts.tns").write_text("1 1 2\n2 2 1\n")
        result = self.run_tool("decompose", "counts.tns", "--loss", "poisson", "--init",
                               "guess.ktensor", expect=WRONG_USAGE)
        self.assertIn("guess.ktensor", result.stderr)
        self.assertIn("none of them negative", result.stderr)

    def test_leading_vectors_begin_above_zero(self):
        self.write("apart.tns", "1 1 2\n2 2 3\n3 3 1\n")
        result = self.run_json("decompose", "apart.tns", "--rank", 1, "--loss", "poisson",
                               "--init", "nvecs", "--json-factors", "-q")
        self.assertEqual(result["stop_reason"], "converged")
        for row, share in zip(result["factors"][0], (2 / 6, 3 / 6, 1 / 6)):
            self.assertAlmostEqual(row[0], share, places=3)

    def test_updates_with_amounts_that_are_no_counts(self):
        self.write("counts.tns", "1 1 1 2\n2 2 1 1\n1 2 2 4\n")
        self.run_tool("decompose", "counts.tns", "--rank", 1, "--loss", "poisson", "-q", "-o",
                      "m.gkt")
        self.write("amounts.tns", "1 1 1 2\n2 2 1 0.5\n1 2 1 1.25\n")
        note = ("amounts.tns: 2 of 3 values are not whole numbers, but the model's loss, "
                "poisson, is for counts: they were used as they are\n")
        told = self.run_tool("update", "m.gkt", "amounts.tns", "--mode", 3, "-o", "s.gkt").stdout
        self.assertIn("note      " + note, told)
        done = self.run_tool("update", "m.gkt", "amounts.tns", "--mode", 3, "-o", "s.gkt", "-q")
        self.assertEqual((done.stdout, done.stderr), ("", "genten: note: " + note))

    def test_new_rows_that_earlier_slices_outweigh(self):
        self.write("old.tns", "".join(
            f"{i} {j} {k} {10 * i * j * k}\n" for i in (1, 2) for j in (1, 2) for k in (1, 2)))
        self.run_tool("decompose", "old.tns", "--rank", 1, "-q", "-o", "m.gkt")
        self.write("new.tns", "3 1 1 1\n3 2 1 2\n")
        update = ("update", "m.gkt", "new.tns", "--mode", 3, "--sweeps", 100, "-o", "s.gkt")
        done = self.run_tool(*update, "-q", "--json", "s.json")
        self.assertRegex(
            done.stderr, r"genten: note: new.tns: the model fits the entries in new rows poorly "
            r"\(fit 0[.0-9]*\), since such rows count as zeros in earlier slices: more components "
            r"may fit both, or, where these zeros are in fact unknown, a run on all data with "
            r"--missing\n")
        batch = self.read_json("s.json")["batches"][0]
        self.assertLess(batch["fit_of_new_rows"], 0.5)
        self.assertEqual(len(batch["notes"]), 1)
        found = self.run_json(*update, "--forget", 0)["batches"][0]
        self.assertGreater(found["fit_of_new_rows"], 1 - 1e-6)
        # What a smaller --forget gives new rows it takes from all others.
        self.assertEqual(found["notes"], ["with --forget 0 nothing is kept of earlier slices: the "
                                          "model no longer meets their values"])
        self.write("old.txt", "1 1 1\n2 2 2\n")
        self.assertEqual(self.run_tool("predict", "s.gkt", "old.txt").stdout, "1 1 1 0\n2 2 2 0\n")

    def test_new_rows_that_are_met_no_worse_than_others(self):
        draw = random.Random(2)
        for name, slices, rows in (("old.tns", range(1, 9), 30), ("new.tns", [1], 35)):
            self.write(name, "".join(
                f"{i} {j} {k} {draw.randint(1, 9)}\n" for i in range(1, rows + 1)
                for j in range(1, 21) for k in slices if draw.random() < 0.1))
        self.run_tool("decompose", "old.tns", "--rank", 2, "-q", "-o", "m.gkt")
        batch = self.run_json("update", "m.gkt", "new.tns", "--mode", 3, "-o", "s.gkt", "--forget",
                              0.001)["batches"][0]
        self.assertLess(batch["fit_of_new_rows"], 0.5)
        self.assertLess(batch["fit_of_other_rows"], 2 * batch["fit_of_new_rows"])
        self.assertEqual(batch["notes"], [])

    def test_zeros_of_a_guess_are_raised_where_there_are_counts_now(self):
        # A customer and an item without counts have rows of zeros, also in the same entry.
        old = [(i, j, k, 2 + i + j * k) for i in (1, 2) for j in (1, 2) for k in (1, 2)]
        self.write("old.tns", "".join("{} {} {} {}\n".format(*entry) for entry in old))
        self.run_tool("decompose", "old.tns", "--dimensions", "3,3,2", "--rank", 2, "--loss",
                      "poisson", "-q", "-o", "m.gkt")
        new = [*old, (3, 1, 1, 4), (3, 3, 2, 9)]
        self.write("new.tns", "".join("{} {} {} {}\n".format(*entry) for entry in new))
        done = self.run_tool("decompose", "new.tns", "--init", "m.gkt", "--loss", "poisson",
                             "--json", "r.json", "-o", "n.gkt")
        told = ("the initial guess was 0 where the tensor is not: before the run 4 zeros of its "
                "factors were raised by --kappa")
        self.assertIn(told, done.stdout + done.stderr)
        found = self.read_json("r.json")
        self.assertEqual([(note["code"], note["text"], note["numbers"]) for note in found["notes"]],
                         [("lifted_zeros", f"T{told[1:]}.", {"zeros": 4})])
        self.assertEqual(found["stop_reason"], "converged")
        one = self.run_json("decompose", "new.tns", "--rank", 1, "--loss", "poisson")
        self.assertLess(found["deviance"], 0.5 * one["deviance"])
        done = self.run_tool("decompose", "new.tns", "--init", "m.gkt", "--loss", "poisson",
                             "--steps", "multiplicative", "--kappa", 0, "-q", "-o", "x.gkt",
                             expect=WRONG_USAGE)
        self.assertIn("m.gkt: expected an initial guess that is above 0 wherever the tensor is, or "
                      "a kappa above 0, to which its zeros there are raised\n", done.stderr)
        # Newton's steps have a use for kappa beside a guess alone.
        run = ("decompose", "new.tns", "--loss", "poisson")
        found = self.run_json(*run, "--init", "m.gkt", "--kappa", 0.5, "--kappa-tolerance", 0)
        self.assertEqual(found["notes"][0]["numbers"], {"zeros": 4})
        self.assertEqual((found["options"]["kappa"], found["options"]["kappa_tolerance"]), (0.5, 0))
        for steps in (("--steps", "newton"), ()):
            done = self.run_tool(*run, "--rank", 1, *steps, "--kappa", 0.5, expect=WRONG_USAGE)
            self.assertIn("--kappa: has no effect beside Newton's steps without --init: --steps "
                          "multiplicative takes others\n", done.stderr)

    def test_negative_amounts_are_told_by_line(self):
        self.write("sales.csv", "user,item,n\na,x,3\nb,y,-2\na,y,1\nb,x,-1\n")
        for command in ("decompose", "rank"):
            done = self.run_tool(command, "sales.csv", "--values", "n", "--loss", "poisson",
                                 expect=FILE_TROUBLE)
            self.assertIn("genten: sales.csv:3: counts must not be negative; 2 values are, the "
                          "least is -2; leave such entries out, or take --loss gaussian, which is "
                          "for all numbers\n", done.stderr)

    def test_a_sum_that_is_negative_has_no_line(self):
        # The second line is the first with a negative value, and its sum is none.
        self.write("sales.csv", "user,item,n\na,x,3\na,x,-2\nb,y,-5\n")
        done = self.run_tool("decompose", "sales.csv", "--values", "n", "--loss", "poisson",
                             expect=FILE_TROUBLE)
        self.assertIn("genten: sales.csv: counts must not be negative; 1 value is, the least is "
                      "-5; leave", done.stderr)

    def test_counts_under_a_loss_of_0_and_1(self):
        self.write("sales.csv", "user,item,n\na,x,1\nb,y,4\n")
        done = self.run_tool("decompose", "sales.csv", "--values", "n", "--loss", "bernoulli-logit",
                             expect=FILE_TROUBLE)
        self.assertIn("genten: sales.csv:3: ", done.stderr)
        self.assertIn("leave such entries out, or take --loss poisson, which is for nonnegative "
                      "whole numbers, or --loss gaussian, which is for all numbers\n", done.stderr)

    def test_words_in_place_of_0_and_1(self):
        self.write("clicks.csv", "user,item,clicked\na,x,yes\nb,y,no\n")
        done = self.run_tool("decompose", "clicks.csv", "--values", "clicked", "--loss",
                             "bernoulli-logit", "--rank", 1, expect=FILE_TROUBLE)
        self.assertEqual(done.stderr, "genten: clicks.csv:2: column 'clicked': expected a number "
                         "as the value, got 'yes': write 1 for yes and 0 for no\n")

    def test_ids_with_decimals_beside_the_values(self):
        self.write("clicks.csv", "user,item,clicked\n1.0,x,1\n2.0,y,0\n")
        done = self.run_tool("info", "clicks.csv", "--values", "clicked", expect=FILE_TROUBLE)
        self.assertIn("column 'user': expected whole numbers or texts, got '1.0' (write ids "
                      "without decimals, as 1; in pandas, df['user'].astype('Int64')", done.stderr)

    def test_amounts_are_noted(self):
        self.write("amounts.tns", "1 1 1 2.5\n2 2 1 1\n1 2 2 0.25\n")
        told = ("2 values are not whole numbers, but the loss, poisson, is for counts: used as "
                "they are, amounts make its likelihood and standard errors those of as many events")
        for command in (("decompose", "--rank", 1), ("rank", "--ranks", "1,2")):
            done = self.run_tool(command[0], "amounts.tns", *command[1:], "--loss", "poisson")
            self.assertRegex(done.stdout + done.stderr, f"note *:? *{told}\n")
        found = self.run_json("decompose", "amounts.tns", "--rank", 1, "--loss", "poisson")
        self.assertIn("fractions", [note["code"] for note in found["notes"]])
        found = self.run_json("decompose", "amounts.tns", "--rank", 1)
        self.assertNotIn("fractions", [note["code"] for note in found["notes"]])


class FirstRows(ToolTest):
    """A table with a column of numbers from 1, beside one of names."""
    COMMANDS = (("info",), ("decompose", "--rank", 1), ("rank", "--ranks", 1),
                ("tucker", "--ranks", "1,1"))

    def told(self, *options):
        """What each command says of the first rows; "" of none."""
        said = set()
        for command, *more in self.COMMANDS:
            text = self.run_tool(command, "t.csv", "--values", "n", *options, *more).stdout
            lines = [line for line in text.splitlines() if "subscripts count from 0" in line]
            self.assertLessEqual(len(lines), 1, text)
            said.add(lines[0].split("note", 1)[1].strip() if lines else "")
        self.assertEqual(len(said), 1, said)
        return said.pop()

    def test_that_do_not_exist_are_told_of(self):
        self.write("t.csv", "shop,week,n\na,1,2\nb,2,3\nb,3,1\n")
        self.assertEqual(self.told(), "subscripts count from 0 in tables, and the least is 1 in "
                         "mode 2 (week): row 0 has no entries there, but takes part in models and "
                         "in errors of all entries: is --index-base 1 meant, or --compact, if they "
                         "are ids?")
        for way in (("--index-base", 1), ("--compact",), ("--index-base", 0)):
            self.assertEqual(self.told(*way), "")
        self.assertIn("2 x 3,", self.run_tool("info", "t.csv", "--values", "n", "--compact").stdout)
        warnings = self.run_json("info", "t.csv", "--values", "n")["warnings"]
        self.assertTrue([one for one in warnings if "the least is 1 in mode 2 (week)" in one])

    def test_beside_numbers_from_0(self):
        self.write("t.csv", "wave,week,n\n0,1,2\n1,2,3\n")
        self.assertIn("1 in mode 2 (week): row 0 has no entries", self.told())
        self.assertTrue(self.told().endswith("; --compact leaves it out"))

    def test_of_others_are_not(self):
        self.write("t.csv", "shop,week,n\na,0,2\nb,2,3\nb,3,1\n")
        self.assertEqual(self.told(), "")
        self.write("t.csv", "shop,week,n\na,2,2\nb,4,3\nb,3,1\n")
        self.assertEqual(self.told(), "")


class WideTables(ToolTest):
    NOTE = ("columns Feb, Mar hold whole numbers, and are modes beside the column of values, "
            "though the other columns tell all rows apart: --modes says which columns are modes, "
            "as --modes shop,item; if columns hold one quantity, as those of months, make one "
            "column of them (in pandas, df.melt)")

    def told(self, rows, *options):
        self.write("w.csv", "shop,item,Jan,Feb,Mar\n" + "".join(rows))
        said = []
        for command, *more in (("info",), ("decompose", "--rank", 1)):
            text = self.run_tool(command, "w.csv", "--values", "Jan", *options, *more).stdout
            said.append(text.count(self.NOTE))
        self.assertEqual(len(set(said)), 1)
        return said[0]

    def test_of_which_one_column_is_the_values_are_told_of(self):
        wide = [f"{s},{i},{k + 3},{k},{2 * k + 5}\n" for k, (s, i) in enumerate(
            (s, i) for s in "abc" for i in "xy")]
        self.assertEqual(self.told(wide), 1)
        self.assertEqual(self.told(wide, "--modes", "shop,item,Feb,Mar"), 0)
        self.assertEqual(self.told(wide[:3]), 0)
        self.assertEqual(self.told([*wide, "a,x,9,1,1\n"]), 0)
        self.assertEqual(self.told([line.replace(f",{k},", f",f{k},") for k, line in
                                    enumerate(wide)]), 0)


class Quantities(ToolTest):
    """Columns of whole numbers beside the values that measure something."""
    NOTE = ("though the other columns tell all rows apart and the values depend on it (rank "
            "correlation ")

    def setUp(self):
        super().setUp()
        self.draw = random.Random(1)

    def told(self, header, rows, *options):
        self.write("q.csv", header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
        values = header.rsplit(",", 1)[1]
        given = ("--values", values, *options)
        text = self.run_tool("info", "q.csv", *given).stdout
        run = self.run_tool("decompose", "q.csv", *given, "--rank", 1, "--max-iterations", 1).stdout
        self.assertEqual(text.count(self.NOTE), run.count(self.NOTE))
        return text

    def sales(self, *more):
        for shop in "abcde":
            for product in "wxyz":
                for week in range(10):
                    amount = math.ceil(math.exp(self.draw.gauss(3, 0.8)))
                    price = 1.5 + 0.5 * "wxyz".index(product)
                    others = [amount * each // 2 + 1 for each in more]
                    yield (shop, product, week, amount, *others, amount * price)

    def test_are_told_of_with_the_way_out(self):
        header, rows = "shop,product,week,amount,revenue", list(self.sales())
        text = self.told(header, rows)
        count = len({row[3] for row in rows})
        self.assertIn(f"column 'amount' of {count} different numbers became a mode, {self.NOTE}0.",
                      text)
        way = text.partition("if it is a quantity beside the values, ")[2]
        self.assertTrue(way.startswith("--modes shop,product,week leaves it out"), way)
        without = self.told(header, rows, *way.split()[:2])
        self.assertIn("5 x 4 x 10, 200 nonzeros", without)
        self.assertNotIn(self.NOTE, without)

    def test_the_way_out_of_names_with_commas_and_quotes(self):
        rows = list(self.sales())
        for product, told in (('"product, net"', "'shop,\"product, net\",week'"),
                              ('"p,q"', "'shop,\"p,q\",week'"), ("it's", "'shop,it'\\''s,week'")):
            header = f"shop,{product},week,amount,revenue"
            way = self.told(header, rows).partition("beside the values, ")[2].split(" leaves")[0]
            self.assertEqual(way, "--modes " + told)
            self.assertNotIn(self.NOTE, self.told(header, rows, *shlex.split(way)))

    def test_long_tables_are_judged_by_some_rows(self):
        rows = []
        for shop in range(1500):
            for product, week in itertools.product("wxyz", range(10)):
                amount = math.ceil(math.exp(self.draw.gauss(3, 0.8)))
                rows.append((f"s{shop}", product, week, amount, amount * (1.5 + shop % 3)))
        count = len({row[3] for row in rows})
        self.assertIn(f"column 'amount' of {count} different numbers became a mode, {self.NOTE}0.",
                      self.told("shop,product,week,amount,revenue", rows))
        rows = [(*row[:4], row[2] + self.draw.random()) for row in rows]
        self.assertNotIn(self.NOTE, self.told("shop,product,week,amount,level", rows))

    def test_several_and_long_ones(self):
        text = self.told("shop,product,week,amount,pounds,revenue", self.sales(7))
        for name in ("amount", "pounds"):
            self.assertIn(f"column '{name}' of ", text)
        self.assertIn(", --modes shop,product,week leaves", text)
        rows = [(*row[:3], 1000 * row[3] + 7, row[4]) for row in self.sales()]
        self.assertIn("column 'amount' of ", self.told("shop,product,week,amount,revenue", rows))

    def test_independent_ones_are_told_of_by_their_names_or_gaps(self):
        pairs = [(f"u{u}", f"i{i}") for u in range(30) for i in range(20)]
        rows = [(*pair, self.draw.randrange(40), self.draw.randrange(1, 9)) for pair in pairs]
        gaps = [(*row[:2], 7 * row[2] + self.draw.randrange(2), row[3]) for row in rows]
        apart = "became a mode, though the other columns tell all rows apart and "
        for name, table, why in (("clicks", rows, "its name is that of a quantity"),
                                 ("num_clicks_2024", rows, "its name is that of a quantity"),
                                 ("clicks_id", gaps, None), ("week", gaps, None),
                                 ("userId", gaps, None), ("genre", rows, None),
                                 ("user_id", gaps, None), ("shopID", gaps, None),
                                 ("ID", gaps, None),
                                 ("paid", gaps, "its numbers have gaps as quantities have"),
                                 ("metres", gaps, "its numbers have gaps as quantities have")):
            text = self.told(f"user,item,{name},n", table)
            self.assertEqual(text.count("became a mode"), 0 if why is None else 1, text)
            if why is not None:
                self.assertIn(f"different numbers {apart}{why}: if it is a quantity beside the "
                              "values, --modes user,item leaves it out", text)
        self.assertNotIn("became a mode",
                         self.told("user,item,clicks,n", rows, "--modes", "user,item,clicks"))
        # Without clicks the rows are no longer told apart, and the name alone says it.
        recurring = [(row[0], *row[2:]) for row in rows]
        self.assertIn("different numbers became a mode, though its name is that of a quantity: if "
                      "it is a quantity beside the values, --modes user leaves it out",
                      self.told("user,clicks,n", recurring))
        self.assertNotIn("became a mode", self.told("user,metres,n", recurring))
        # Tables count by such.
        rated = [(*row, 1 + k % 5) for k, row in enumerate(sorted({row[:2] for row in recurring}))]
        self.assertNotIn("became a mode", self.told("user,rating,n", rated))
        # So do those whose grid is full, or nearly so; quantities of a few rows each do not.
        grid = [(f"s{s}", c, price, self.draw.randrange(1, 99)) for s in range(9) for c in "abc"
                for price in range(5, 15)]
        few = [(*pair, k * 40 + self.draw.randrange(40), self.draw.randrange(1, 9))
               for pair in pairs for k in range(5)]
        for table in (grid, grid[::2] + grid[1::4]):
            self.assertNotIn("became a mode", self.told("shop,color,price,n", table))
        self.assertIn("though its name is that of a quantity", self.told("user,item,price,n", few))

    def test_texts_that_are_decimals(self):
        rows = [(f"u{u}", f"i{i}", self.draw.randrange(300) / 10 + 0.05, self.draw.randrange(1, 9))
                for u in range(30) for i in range(20)]
        rows[7] = (*rows[7][:2], "broken", rows[7][3])
        text = self.told("user,item,temp,n", rows)
        self.assertIn(f"column 'temp' of {len({row[2] for row in rows})} different texts became a "
                      "mode, though most are numbers with decimals: if it is a quantity beside the "
                      "values, --modes user,item leaves it out", text)
        self.assertNotIn("became a mode",
                         self.told("user,item,temp,n", rows, "--modes", "user,item,temp"))
        self.assertNotIn("became a mode", self.told("user,item,version,n", rows))
        # By their numbers versions are few with one digit, or the same twice.
        for versions in ([f"{k // 10}.{k % 10}" for k in range(10, 31)],
                         [f"{k // 15}.{k % 15}" for k in range(60)]):
            rows = [(*row[:2], self.draw.choice([*versions, "beta"]), row[3]) for row in rows]
            self.assertNotIn("with decimals", self.told("user,item,app,n", rows))

    def test_numbers_that_tell_rows_apart_are_none(self):
        trend = [(s, p, w, 10 * w + self.draw.randrange(9)) for s in "abc" for p in "xy"
                 for w in range(20)]
        self.assertNotIn(self.NOTE, self.told("shop,product,week,n", trend))

    def test_numbers_on_which_values_do_not_depend_are_none(self):
        pairs = [(f"u{u}", f"i{i}") for u in range(40) for i in range(30)]
        stars = [(*pair, self.draw.randrange(365), self.draw.randrange(1, 6))
                 for pair in self.draw.sample(pairs, 400)]
        self.assertNotIn(self.NOTE, self.told("user,item,day,stars", stars))
        ids = [(int(u[1:]), int(i[1:]), day, star) for u, i, day, star in stars]
        self.assertNotIn(self.NOTE, self.told("user,item,day,stars", ids))

    def test_units_have_a_way_out(self):
        for value, told in (("8 kg", "with the unit 'kg': write 8, all values of the column in the "
                             "same unit\n"), ("2.5l", "with the unit 'l': write 2.5, all"),
                            ("1 200 EUR", "same unit; 1 200, with blanks between thousands: write "
                             "1200\n"), ('"3,5 m"', "same unit; 3,5, with a decimal comma: "
                                          "--decimal , reads such numbers\n"),
                            *((f"1.2{factor}", f"with '{factor}' behind the number: write numbers "
                               "in full, without units\n")
                              for factor in ("k", "K", "M", "Mio", "Mrd.", "B", "bn", "G", "T")),
                            ("2024-05-03", "got '2024-05-03'\n"), ("none at all", "all': where")):
            self.write("u.csv", f"user,item,n\nann,tea,4\nbob,tea,{value}\n")
            done = self.run_tool("info", "u.csv", "--values", "n", expect=FILE_TROUBLE)
            self.assertIn("genten: u.csv:3: column 'n': expected a number", done.stderr)
            self.assertIn(told, done.stderr)

    def test_categories_are_none(self):
        rows = [(f"u{u}", f"i{i}", 1 + (u + i) % 3, (u + i) % 3 + 0.1 * i)
                for u in range(20) for i in range(5)]
        self.assertNotIn(self.NOTE, self.told("user,item,class,n", rows))


if __name__ == "__main__":
    unittest.main()
