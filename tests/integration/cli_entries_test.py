#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is said of entries: of a table, and of those that meet a model which was made before; and of
tables with several entries in a row, whose code is run as it stands there."""
import csv
import random
import re
import unittest

from cli_support import FILE_TROUBLE, ToolTest


class EntriesOfATable(ToolTest):
    def noted(self, *options):
        return [note["text"] for note in self.run_json(
            "decompose", "t.csv", "--rank", 2, "--seed", 1, "-q", *options)["notes"]]

    def test_all_rows_twice(self):
        draw = random.Random(1)
        rows = [f"u{u},i{i},w{w},{draw.randrange(1, 30)}" for u in range(8) for i in range(8)
                for w in range(8) if draw.random() < 0.4]
        self.write("t.csv", "\n".join(["user,item,week,n", *rows, *rows]) + "\n")
        note = (f"Each of {len(rows)} entries is listed twice, with the same value, and sums are "
                "taken for values: if the data hold all of their rows more than once, "
                "--duplicates max takes each once.")
        for options in ((), ("--loss", "poisson"), ("--missing", "unlisted")):
            told = self.noted("--values", "n", *options)
            self.assertEqual(sum(each == note for each in told), 1, told)
            self.assertFalse(any("at the same subscripts" in each for each in told), told)
        told = self.noted("--values", "n", "--duplicates", "max")
        self.assertFalse(any("twice" in each for each in told), told)
        self.write("t.csv", "\n".join(["user,item,week,n", *rows, *rows[1:]]) + "\n")
        told = self.noted("--values", "n")
        self.assertFalse(any("twice" in each for each in told), told)

    def test_sums_of_counts_are_meant(self):
        """Of rows that are counted, and under losses of counts."""
        draw = random.Random(2)
        rows = [f"u{draw.randrange(8)},i{draw.randrange(8)}" for _ in range(300)]
        self.write("events.csv", "\n".join(["user,item", *rows]) + "\n")
        counts = [f"{row},{draw.randrange(1, 4)}" for row in rows]
        self.write("t.csv", "\n".join(["user,item,n", *counts]) + "\n")
        self.write("away.csv", "user,item\nu1,i1\n")
        note = "at the same subscripts as others, and sums count as known values"
        for file, options, told in (("events.csv", (), 0),
                                    ("events.csv", ("--loss", "poisson"), 0),
                                    ("t.csv", ("--values", "n", "--loss", "poisson"), 0),
                                    ("t.csv", ("--values", "n", "--loss", "negative-binomial"), 0),
                                    ("t.csv", ("--values", "n"), 1)):
            for command in (("decompose", file, "--rank", 2), ("rank", file, "--ranks", "1..2")):
                done = self.run_tool(*command, "--missing", "away.csv", "--max-iterations", 5,
                                     *options)
                said = " ".join((done.stdout + done.stderr).split())
                self.assertEqual(said.count(note), told, said)

    def test_codes_of_questionnaires(self):
        draw = random.Random(1)
        rows = [f"r{r},q{q},y{y},{draw.randrange(1, 6)}" for r in range(8) for q in range(8)
                for y in range(8)]
        for at in (3, 100, 250):
            rows[at] = rows[at].rpartition(",")[0] + ",99"
        self.write("t.csv", "\n".join(["person,question,year,answer", *rows]) + "\n")
        told = self.noted("--values", "answer")
        note = "3 of 512 values are 99 and far from all others: if that stands for what is not"
        self.assertEqual(sum(note in each for each in told), 1, told)


    def test_zeros_among_answers(self):
        draw = random.Random(2)
        cells = [(f"r{r},q{q},y{y}", draw.choice((0, 0, 1, 2, 3, 3, 4, 4, 4, 5)))
                 for r in range(12) for q in range(8) for y in range(8)]

        def write(cells):
            self.write("t.csv", "\n".join(["person,question,year,answer",
                                           *(f"{at},{n}" for at, n in cells)]) + "\n")

        zeros = sum(n == 0 for _, n in cells[20:])
        note = (f"{zeros} of {len(cells) - 20} values are 0, and the others look like answers "
                "from 1 to 5: if 0 stands for no answer, leave these entries out of the data")
        for unlisted in ((), ("--missing", "unlisted")):
            write(cells[20:])
            told = self.noted("--values", "answer", *unlisted)
            self.assertEqual(sum(note in each for each in told), 1, told)
            keeps = "leaves them out, and none that is listed as zero." in " ".join(told)
            self.assertEqual(keeps, not unlisted)
            write(cells)
            told = self.noted("--values", "answer", *unlisted)
            self.assertEqual(sum("look like answers from 1" in each for each in told), 1, told)
            self.assertFalse(any("observed=True" in each for each in told), told)
        write([(at, n) for at, n in cells if n > 0])  # the way out
        self.assertEqual(self.noted("--values", "answer", "--missing", "unlisted"), [])
        write(cells)
        self.assertIn("look like answers from 1 to 5",
                      self.run_tool("info", "t.csv", "--values", "answer").stdout)
        told = self.noted("--values", "answer", "--loss", "poisson")
        self.assertFalse(any("answers" in each for each in told), told)

    def test_a_mean_that_outweighs_what_varies(self):
        draw = random.Random(1)
        self.write("t.csv", "\n".join(["station,day,hour,kelvin", *(
            f"s{s},d{d},h{h},{285 + (s - 3.5) * (d - 7.5) / 12 + draw.random():.2f}"
            for s in range(8) for d in range(16) for h in range(8))]) + "\n")
        def told(*options):
            return [each for each in self.noted("--values", "kelvin", *options)
                    if "holds 99.9" in each]

        self.assertEqual(len(told()), 1)
        self.assertRegex(told()[0], "of which the model follows [.0-9]+ %")
        way = re.search(r"as --tolerance (\S+) and --starts (\S+) may", told()[0])
        options = ("--tolerance", way[1], "--starts", way[2])
        self.assertEqual(told(*options), [])
        self.run_tool("decompose", "t.csv", "--values", "kelvin", "--rank", 2, "--seed", 1,
                      *options, "--max-iterations", 1000, "-q", "-o", "m.gkt")
        self.assertLess(self.run_json("evaluate", "m.gkt", "t.csv")["all"]["rmse"], 0.35)


class EntriesBesideAModel(ToolTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(1)
        self.table("old.csv", lambda: 15.0 + draw.random(), range(8))
        self.run_tool("decompose", "old.csv", "--values", "degrees", "--rank", 1, "-o", "m.gkt")
        self.draw = draw

    def table(self, name, value, days, leave_out=lambda *_: False):
        rows = [f"s{s},h{h},d{d},{value():.4f}" for s in range(6) for h in range(8) for d in days
                if not leave_out(s, h, d)]
        self.write(name, "\n".join(["station,hour,day,degrees", *rows]) + "\n")
        return rows

    def test_gaps_that_count_as_zeros(self):
        draw = self.draw
        self.table("gaps.csv", lambda: 15.0 + draw.random(), range(8, 12),
                   lambda s, h, d: (s + h + d) % 3 == 0)
        for command, way in ((("project", "m.gkt", "gaps.csv", "--mode", "day"), ""),
                             (("update", "m.gkt", "gaps.csv", "--mode", "day", "-o", "s.gkt"),
                              " of genten decompose")):
            told = " ".join(self.run_tool(*command).stdout.split())
            self.assertRegex(told, "64 of 192 entries are not listed and count as zeros, though "
                             "the others, from 15[.0-9]* to 1[56][.0-9]*, are far from zero: if "
                             f"they are unknown, --missing unlisted{way} leaves them out")
        told = self.run_tool("project", "m.gkt", "gaps.csv", "--mode", "day", "--missing",
                             "unlisted").stdout
        self.assertNotIn("far from zero", told)

    def test_values_in_another_unit(self):
        cases = {"same.csv": 1, "cents.csv": 100, "grams.csv": 1000, "tons.csv": 0.001}
        for name, unit in cases.items():
            self.table(name, lambda: unit * (15.0 + self.draw.random()), range(8, 11))
        rows = self.table("slip.csv", lambda: 15.0 + self.draw.random(), range(8, 11))
        odd = [row + "e3" if ",d9," in row else row for row in rows]
        self.write("slip.csv", "\n".join(["station,hour,day,degrees", *odd]) + "\n")
        for name, unit in [*cases.items(), ("slip.csv", 1)]:
            way = "large" if unit > 1 else "small"
            note = (f"the new rows are about {round(max(unit, 1 / unit))} times as {way} as those "
                    "that the model had: are the values in the same unit?")
            for command in (("project", "m.gkt", name, "--mode", "day"),
                            ("update", "m.gkt", name, "--mode", "day", "-o", "s.gkt")):
                result = self.run_json(*command)
                notes = result["notes"] if "notes" in result else result["batches"][0]["notes"]
                self.assertEqual([each for each in notes if "same unit" in each],
                                 [] if unit == 1 else [note], (name, command))
                told = " ".join(self.run_tool(*command).stdout.split())
                self.assertEqual(note in told, unit != 1)

    def test_gaps_of_a_part_are_told_once(self):
        draw = self.draw
        self.table("part.csv", lambda: 15.0 + draw.random(), range(8),
                   lambda s, h, d: (s + h + d) % 3 == 0)
        result = self.run_json("evaluate", "m.gkt", "part.csv")
        self.assertEqual(len(result["notes"]), 1)
        self.assertIn("are far from zero: if they are unknown, --missing unlisted leaves them out",
                      result["notes"][0])
        again = self.run_json("evaluate", "m.gkt", "part.csv", "--missing", "unlisted")
        self.assertEqual(again["notes"], [])

    def test_placeholders_sums_and_slips(self):
        draw = self.draw
        rows = self.table("new.csv", lambda: 15.0 + draw.random(), range(8, 12))
        places = [row.rpartition(",")[0] for row in rows]
        cases = {
            "holes.csv": (rows[:-2] + [place + ",-999" for place in places[-2:]],
                          "2 of 192 values are -999 and far from all others"),
            "twice.csv": (rows + rows[:150],
                          "150 entries lie at the same subscripts as others, and sums are taken"),
            "slip.csv": (rows[:-1] + [places[-1] + ",1e6"],
                         "one of 192 values, 1e+06, holds 99.99 % of the sum of squares")}
        for file, (lines, note) in cases.items():
            self.write(file, "\n".join(["station,hour,day,degrees", *lines]) + "\n")
            for command in (("project", "m.gkt", file, "--mode", "day"),
                            ("update", "m.gkt", file, "--mode", "day", "-o", "s.gkt")):
                done = self.run_tool(*command).stdout
                self.assertEqual(done.count(note), 1, f"{command}: {done}")
                result = self.run_json(*command)
                notes = result["batches"][0]["notes"] if command[0] == "update" else result["notes"]
                self.assertEqual(sum(note in each for each in notes), 1, notes)
            known = [line.replace(",d1", ",d").replace(",d8", ",d2").replace(",d9", ",d3")
                     for line in lines]
            self.write("known.csv", "\n".join(["station,hour,day,degrees", *known]) + "\n")
            notes = self.run_json("evaluate", "m.gkt", "known.csv")["notes"]
            self.assertEqual(sum(note in each for each in notes), 1, notes)

    def test_what_is_in_order_is_not_told_of(self):
        draw = self.draw
        self.table("new.csv", lambda: 15.0 + draw.random(), range(8, 12))
        for command in (("project", "m.gkt", "new.csv", "--mode", "day"),
                        ("update", "m.gkt", "new.csv", "--mode", "day", "-o", "s.gkt")):
            result = self.run_json(*command)
            notes = result["batches"][0]["notes"] if command[0] == "update" else result["notes"]
            self.assertEqual(notes, [])
        self.assertEqual(self.run_json("evaluate", "m.gkt", "old.csv")["notes"], [])


class CountsWithoutZeros(ToolTest):
    def test_missing_ones_that_are_asked_for_beside_a_model_are_told_of(self):
        counts = {(i, j, k): (i * j + 2 * k + i * k) % 4 for i in range(12) for j in range(9)
                  for k in range(4)}
        self.write("x.tns", "".join(f"{i + 1} {j + 1} {k + 1} {n}\n"
                                    for (i, j, k), n in counts.items() if n))
        known = sum(map(bool, counts.values()))
        told = (f"none of {known} known counts is 0, so that they tell how many there are where "
                "there are some, and nothing of where there are none; where entries that are not "
                "listed are zeros, as in a table of events, leave --missing unlisted out")
        for run in ("", "unlisted"):
            options = ["--missing", run] if run else []
            self.run_tool("decompose", "x.tns", "--rank", 2, "--seed", 1, "--loss", "poisson",
                          "--output", "m.gkt", *options)
            for command in (["evaluate", "m.gkt", "x.tns"],
                            ["project", "m.gkt", "x.tns", "--mode", 3]):
                self.assertNotIn(told, self.run_json(*command)["notes"])
                asked = self.run_json(*command, "--missing", "unlisted")
                self.assertIn(told, asked["notes"])
                is_compared = any("zeros that are not listed are not compared, so that models of "
                                  "listed counts alone, without zeros, look better here than they "
                                  "are: --holdout 0.1 of runs without --missing unlisted" in each
                                  for each in asked["notes"])
                self.assertEqual(is_compared, command[0] == "evaluate")

    def test_few_are_as_none(self):
        draw = random.Random(3)
        lines = [f"{i + 1} {j + 1} {k + 1} {draw.choice((1, 1, 1, 2, 2, 3))}\n"
                 for i in range(12) for j in range(9) for k in range(4) if (i + j) % 2]
        lines[0] = "1 2 1 0\n"
        self.write("x.tns", "".join(lines))
        told = self.run_json("decompose", "x.tns", "--rank", 1, "--loss", "poisson", "--missing",
                             "unlisted", "--output", "m.gkt")["notes"]
        self.assertTrue(any("1 of 216 known counts is 0, far fewer than such counts have, so that "
                            "they tell how many there are where there are some, and hardly anything"
                            in each["text"].lower() for each in told), told)
        notes = self.run_json("evaluate", "m.gkt", "x.tns")["notes"]  # as the run had it
        self.assertTrue(any("are not compared" in each for each in notes), notes)


PRODUCTS = ("tea", "milk", "rye bread")


class Frame:
    """What the code calls of a table of pandas."""

    def __init__(self, rows):
        self.rows = rows

    def drop(self, columns):
        return Frame([{k: v for k, v in row.items() if k not in columns} for row in self.rows])

    def melt(self, id_vars, var_name="variable", value_name="value"):
        assert all(name in self.rows[0] for name in id_vars)
        return Frame([{**{name: row[name] for name in id_vars}, var_name: k, value_name: v}
                      for row in self.rows for k, v in row.items() if k not in id_vars])

    def dropna(self):
        return Frame([row for row in self.rows if "" not in row.values()])


class WideTables(ToolTest):
    def write_table(self, name, rows):
        with open(self.directory / name, "w", newline="") as file:
            table = csv.DictWriter(file, rows[0])
            table.writeheader()
            table.writerows(rows)

    def made(self, told, name="wide.csv"):
        """The table in long.csv that the code of a message makes; returns that code."""
        code = re.search(r"in pandas, (df\.(?:drop\(|melt).*\)) makes", " ".join(told.split()))[1]
        with open(self.directory / name, newline="") as file:
            frame = Frame([{k or "Unnamed: 0": v for k, v in row.items()}
                           for row in csv.DictReader(file)])
        self.write_table("long.csv", eval(code, {"df": frame}).rows)
        return code

    def wide(self, months, empty=(), **more):
        """A row for each shop and product, with a column for each month."""
        rows = []
        for s in range(4):
            for p, product in enumerate(PRODUCTS):
                cells = {month: f"{(s + 1) * (p + 2) * (m + 1)}.5" for m, month in
                         enumerate(months)}
                if (s, p) in empty:
                    cells[months[0]] = ""
                rows.append({"Bob's \\ shop": f"s{s}", "product": product, **cells, **more})
        return rows

    def refused(self, *arguments):
        return self.run_tool(*arguments, expect=FILE_TROUBLE).stderr

    def test_columns_of_times_are_told_with_code_that_runs(self):
        months = ("2023-01", "2023-02", "2023-03")
        for more, dropped in (({}, ""), ({"total": "7.5", "avg": "1.5"}, "['total', 'avg']")):
            self.write_table("wide.csv", self.wide(months, **more))
            told = self.refused("decompose", "wide.csv", "--rank", 1)
            code = self.made(told)
            self.assertNotIn("dropna", told)
            self.assertEqual(f".drop(columns={dropped})" in code, dropped != "")
            out = self.run_tool("info", "long.csv", "--values", "value").stdout
            self.assertIn("4 x 3 x 3", out)
            self.write_table("wide.csv", self.wide(months, empty=[(1, 2)], **more))
            told = " ".join(self.refused("decompose", "wide.csv", "--rank", 1).split())
            self.assertIn("; dropna() leaves out empty cells, which then are zeros, or missing "
                          "where unlisted entries are", told)
            self.assertTrue(self.made(told).endswith(".dropna()"))
            out = self.run_tool("info", "long.csv", "--values", "value").stdout
            self.assertIn("4 x 3 x 3", out)
            self.assertIn("35", out)

    def test_whole_numbers_that_are_quantities_are_no_ids(self):
        self.write("wide.csv", "store,total,Jan,Feb,Mar\n1,6,1,2,3\n2,9,4,5,0\n")
        code = self.made(self.refused("decompose", "wide.csv", "--rank", 1))
        self.assertEqual(code, "df.drop(columns=['total']).melt(id_vars=['store'])")
        self.run_tool("info", "long.csv", "--values", "value")

    def test_are_told_beside_a_model(self):
        months = ("2023-01", "2023-02", "2023-03")
        self.write_table("wide.csv", self.wide(months))
        self.made(self.refused("decompose", "wide.csv", "--rank", 1))
        text = (self.directory / "long.csv").read_text()
        self.write("old.csv", text.replace("variable,value", "month,sales"))
        self.run_tool("decompose", "old.csv", "--values", "sales", "--rank", 1, "-o", "m.gkt",
                      "-q")
        for columns, more, commands in (
            (months, {"total": 3}, (("evaluate",), ("predict",))),
            (("2023-04",), {"total": 3, "sales": 7}, (("project", "--mode", "month"),)),
            (("2023-04", "2023-05"), {},
             (("project", "--mode", "month"), ("update", "--mode", "month", "-o", "x.gkt"))),
        ):
            self.write_table("wide.csv", self.wide(columns, empty=[(3, 1)], **more))
            for command, *options in commands:
                told = " ".join(self.refused(command, "m.gkt", "wide.csv", *options).split())
                self.assertIn("wide.csv:1: the table is wide: column", told)
                self.assertIn("of month, by their names: expected columns called as the modes of "
                              "m.gkt, ", told)
                code = self.made(told)
                self.assertIn("var_name='month', value_name='sales'", code)
                self.assertEqual("dropna()" in told, command != "predict")
                self.run_tool(command, "m.gkt", "long.csv", *options)
        # Rows of another mode, by their names in the model; an index without a name.
        rows = [{"": s, "Bob's \\ shop": f"s{s}", "month": "2023-01",
                 **{product: s + p for p, product in enumerate(PRODUCTS)}} for s in range(4)]
        self.write_table("wide.csv", rows)
        code = self.made(self.refused("evaluate", "m.gkt", "wide.csv"))
        self.assertTrue(code.startswith("df.drop(columns=['Unnamed: 0']).melt("))
        self.run_tool("evaluate", "m.gkt", "long.csv")

    def test_other_columns_are_not_taken_for_cells(self):
        self.write("old.csv", "shop,item,day,n\n" + "".join(
            f"s{i},t{j},{k},{i + j + k}\n" for i in range(3) for j in range(3) for k in range(3)))
        self.run_tool("decompose", "old.csv", "--values", "n", "--rank", 1, "-o", "m.gkt", "-q")
        for header in ("shop,item,date,n", "shop,item,date,hour,n", "shop,day,product,size,n"):
            self.write("t.csv", f"{header}\n{','.join('1' * len(header.split(',')))}\n")
            self.assertNotIn("is wide", self.refused("evaluate", "m.gkt", "t.csv"))
        # Of columns of which nobody knows what they are called the usual hint tells.
        self.write("t.csv", "shop,item,x1,x2,x3\ns1,t1,1,2,3\n")
        self.assertIn("make one column of them (in pandas, df.melt)",
                      " ".join(self.refused("evaluate", "m.gkt", "t.csv").split()))


if __name__ == "__main__":
    unittest.main()
