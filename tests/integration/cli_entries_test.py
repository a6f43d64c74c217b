#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is said of entries: of a table, and of those that meet a model which was made before."""
import random
import re
import unittest

from cli_support import ToolTest


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


if __name__ == "__main__":
    unittest.main()
