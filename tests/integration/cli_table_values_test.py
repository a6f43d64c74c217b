#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Values of tables: their column, what they look like, and how numbers are written."""
import re
import shlex
import subprocess
import unittest

from cli_support import FILE_TROUBLE, TOOL, ToolTest


class Column(ToolTest):
    """Which column is asked after where none is named."""

    def asked(self, header, *rows):
        self.write("t.csv", "\n".join((header, *rows)) + "\n")
        told = self.run_tool("decompose", "t.csv", "--rank", 1, expect=FILE_TROUBLE).stderr
        column = told.split("as in --values ")[1].split(",")[0].split("?")[0]
        self.run_tool("decompose", "t.csv", "--rank", 1, "--values", column)
        return column

    def test_is_the_likeliest_by_its_name(self):
        for header, column in (("shop,clicks,hour", "clicks"), ("shop,hour,clicks", "clicks"),
                               ("shop,trips,hour", "trips"), ("shop,userId,trips", "trips"),
                               ("shop,trips,cars", "cars")):
            self.assertEqual(self.asked(header, "a,1,2", "b,3,1", "a,2,2"), column, header)
        self.write("t.csv", "shop,month,hour\na,1,2\nb,3,1\n")
        self.assertIn("as in --modes shop,month,hour, to count rows",
                      self.run_tool("info", "t.csv", expect=FILE_TROUBLE).stderr)

    def test_gaps_of_a_wide_table_are_told_with_what_keeps_the_others(self):
        self.write("t.csv", "shop,mon,tue,wed,thu\na,1.0,,3,4\nb,,2,1,1\nc,2,2,,1\n")
        told = self.run_tool("decompose", "t.csv", "--rank", 1, "--values", "thu",
                             expect=FILE_TROUBLE).stderr
        self.assertIn("in all, 3 values are missing: ", told)
        self.assertTrue(told.endswith(
            ". If such columns hold one quantity, as those of days, make one column of them, and "
            "leave out the gaps there: in pandas, df.melt(id_vars=[...]).dropna(); dropna() leaves "
            "out empty cells, which then are zeros, or missing where unlisted entries are\n"), told)
        self.write("t.csv", "shop,mon,tue\na,1,\nb,,2\n")
        self.assertNotIn("melt", self.run_tool("decompose", "t.csv", "--rank", 1, "--values", "tue",
                                               expect=FILE_TROUBLE).stderr)

    def test_of_numbers_with_decimals_too(self):
        for header, column in (("shop,hour,price", "price"), ("shop,price,hour", "price"),
                               ("shop,lat,hour", "lat")):
            self.write("t.csv", f"{header}\na,1.5,2.5\nb,3.5,1\n")
            told = self.run_tool("info", "t.csv", expect=FILE_TROUBLE).stderr
            self.assertIn(f"Is it the column of values, as in --values {column}?", told)


class Unlisted(ToolTest):
    """Values by which entries that are not listed look unknown."""

    def test_values_are_judged_as_they_are_listed(self):
        stars = "".join(f"{1 + u} {1 + (3 * u + k) % 30} {(4, 5, 3, 1 + u % 5)[k % 4]}\n"
                        for u in range(40) for k in (0, 1, 2, 3, 0, 1))
        told = ("the values look like ratings, from 1 to 5, and all entries that are not listed "
                "count as zeros: if these are unknown, --missing unlisted leaves them out")
        again = ("; 80 entries lie at the same subscripts as others, and sums are taken for "
                 "values: --duplicates mean takes their mean, as last and max take the last and "
                 "the largest of them\n")
        self.write("stars.tns", stars)
        self.write("stars.csv", "user,item,stars\n" + stars.replace(" ", ","))
        for run in (("decompose", "stars.tns", "--rank", 1),
                    ("decompose", "stars.csv", "--values", "stars", "--rank", 1)):
            self.assertIn(told + again, self.run_tool(*run).stdout)
            for rule in ("mean", "last", "max"):
                self.assertIn(told + "\n", self.run_tool(*run, "--duplicates", rule).stdout)
        self.assertIn(again, self.run_tool("info", "stars.tns").stdout)

    def test_few_measurements_far_from_zero(self):
        def write(value):
            self.write("t.csv", "site,hour,x\n" + "".join(
                f"s{i},h{j},{value(i * 31 + j * 17)}\n" for i in range(40) for j in range(30)
                if (3 * i + j) % 10 == 0))

        run = ("decompose", "t.csv", "--values", "x", "--rank", 1)
        told = "1080 of 1200 entries are not listed and count as zeros, though the others, from "
        for value, is_told in (
                (lambda n: 15.25 + n % 11, True),
                (lambda n: -15.25 - n % 11, True),
                (lambda n: 15 + n % 11, False),               # counts
                (lambda n: 1, False),                         # events
                (lambda n: round(0.7 + n % 11 / 40, 3), False),  # weights
                (lambda n: 0.25 + (n % 11) ** 3, False),      # amounts
                (lambda n: n % 11 - 5.25, False)):            # centered
            write(value)
            text = self.run_tool(*run).stdout
            self.assertEqual(told in text, is_told)
            if is_told:
                self.assertIn("are far from zero: if they are unknown, --missing unlisted leaves",
                              text)
                self.assertNotIn(told, self.run_tool(*run, "--missing", "unlisted").stdout)

    def test_events_that_recur_beside_missing_entries(self):
        rows = "".join(f"u{i % 9},i{i % 7},w{i % 4}\n" * (1 + i % 2) for i in range(200))
        self.write("e.csv", "user,item,week\n" + rows)
        for more in ((), ("--values", "n")):
            if more:
                self.write("e.csv", "user,item,week,n\n" + rows.replace("\n", ",1\n"))
            run = ("decompose", "e.csv", *more, "--rank", 1)
            text = self.run_tool(*run, "--missing", "unlisted").stdout
            self.assertIn("all 300 listed entries are 1, and known values are sums of those", text)
            self.assertIn("as in a table of events, leave --missing unlisted out\n", text)
            self.assertNotIn("--duplicates mean", text)
            self.assertNotIn("are 1", self.run_tool(*run).stdout)


class Units(ToolTest):
    """Columns of numbers with a unit, which nobody has named as the values."""

    def written(self, column, cells):
        self.write("t.csv", f"who,{column}\n" + "".join(
            f"{who},{cell}\n" for who, cell in zip("abc", cells)))

    def test_are_told_of(self):
        for column, cells, unit in (("load", ("8 kg", "7.5 kg", "9 kg"), "kg"),
                                    ("my load", ("8l", "10l", "-3.5l"), "l")):
            self.written(column, cells)
            for command, *more in (("info",), ("decompose", "--rank", 1)):
                out = " ".join(self.run_tool(command, "t.csv", *more).stdout.split())
                self.assertIn(f"column '{column}' holds numbers with the unit '{unit}' as texts, "
                              "and is a mode: if they are values, write them without "
                              f"'{unit}' and give --values ", out)
                values, modes = re.search("give (--values .*); (--modes .*) says that they are not",
                                          out).groups()
                told = self.run_tool(command, "t.csv", *more, *shlex.split(modes)).stdout
                self.assertNotIn("with the unit", told)
            self.written(column, [cell.removesuffix(unit).strip() for cell in cells])
            self.run_tool("decompose", "t.csv", "--rank", 1, *shlex.split(values))

    def test_are_not_seen_in_other_names(self):
        for cells in (("1st", "2nd", "3rd"), ("8 kg", "7 lb", "9 kg"), ("8 kg", "none", "7 kg"),
                      ("A 4", "A 5", "A 6"), ("2024-01", "2024-02", "2024-03")):
            self.written("load", cells)
            self.assertNotIn("with the unit", self.run_tool("info", "t.csv").stdout, cells)


class DecimalCommas(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("t.csv", "user;film;stars, of 5\nann;Up;3,5\nbob;Up;4\nann;Jaws;0,25e1\n")

    def test_are_no_names(self):
        done = self.run_tool("info", "t.csv", expect=FILE_TROUBLE)
        self.assertEqual(done.stderr, "genten: t.csv:2: column 'stars, of 5': expected whole "
                         "numbers or texts, got '3,5', with a decimal comma: --decimal , reads "
                         "such numbers. Is it the column of values, as in --values 'stars, of 5'? "
                         "Or leave it out of the modes, as by --modes user,film\n")

    def test_as_values(self):
        given = ("info", "t.csv", "--values", "stars, of 5")
        done = self.run_tool(*given, expect=FILE_TROUBLE)
        self.assertIn("got '3,5', with a decimal comma: --decimal , reads such numbers",
                      done.stderr)
        told = self.run_tool(*given, "--decimal", ",").stdout
        self.assertIn("values      2.5 to 4, sum 10", told)

    def test_of_a_run_are_those_of_new_tables(self):
        self.run_tool("decompose", "t.csv", "--values", "stars, of 5", "--decimal", ",", "--rank",
                      1, "-q", "-o", "m.gkt")
        self.write("new.csv", "user;film;stars, of 5\ncleo;Up;1.204\ncleo;Jaws;5\n")
        note = "new.csv: numbers have a decimal comma, as in the model's run; --decimal . says othe"
        new = "m.gkt", "new.csv", "--mode", "user"
        for run in ("project", *new, "-o", "n.gkt"), ("update", *new):
            self.assertIn(note, self.run_tool(*run).stderr)
        for model in "m.gkt", "n.gkt":
            found = self.run_json("evaluate", model, "new.csv", "-q")
            self.assertAlmostEqual(found["tensor_norm"] ** 2, 1204 ** 2 + 25)
        found = self.run_json("evaluate", model, "new.csv", "-q", "--decimal", ".")
        self.assertAlmostEqual(found["tensor_norm"] ** 2, 1.204 ** 2 + 25)

    def test_points_are_refused_beside_them(self):
        self.write("p.csv", "user;film;stars\nann;Up;12.34\nbob;Up;1,5\n")
        done = self.run_tool("info", "p.csv", "--values", "stars", "--decimal", ",",
                             expect=FILE_TROUBLE)
        self.assertIn("p.csv:2: column 'stars': expected a number with a decimal comma, "
                      "and points between thousands alone, got '12.34': in a column of decimal "
                      "commas write 12,34\n", done.stderr)
        # So that no sign that is advised leads to the other one and back.
        done = self.run_tool("info", "p.csv", "--values", "stars", "--decimal", ".",
                             expect=FILE_TROUBLE)
        self.assertIn("got '1,5': in a column of decimal points write 1.5\n", done.stderr)

    def mixed(self, numbers):
        """What is said of a table with these lines."""
        self.write("m.csv", "user;film;stars\n" + "\n".join(numbers) + "\n")
        return subprocess.run([TOOL, "info", "m.csv", "--values", "stars"], cwd=self.directory,
                              capture_output=True, text=True, timeout=120, check=False)

    def test_beside_points_are_told_how_to_be_written(self):
        lines = ["ann;Up;2.5", "bob;Up;1,5", "ann;Jaws;1.234", "cy;Up;1.234.567", "cy;Jaws;12,34",
                 "di;Up;9,876,543.2"]
        for order in (1, -1):
            numbers, given = lines[::order], ["--values", "stars"]
            done = self.mixed(numbers)
            while "--decimal" not in given and done.returncode:  # what is said is done
                line, got, way, plain = re.search(
                    r"m.csv:(\d+): .* got '(.*?)', .*: (no --decimal reads both; write|--decimal .)"
                    r" (\S+)(?: .*)?$", done.stderr).groups()
                if way.startswith("no"):
                    numbers[int(line) - 2] = numbers[int(line) - 2].replace(got, plain)
                    done = self.mixed(numbers)
                else:
                    given += way.split()
            self.assertIn("6 nonzeros", self.run_tool("info", "m.csv", *given).stdout)
            self.assertIn("ann;Up;2.5", numbers)
        self.write("m.csv", "user;film;stars\n" + "\n".join(lines[:2]) + "\n")
        done = self.run_tool("info", "m.csv", "--values", "stars", expect=FILE_TROUBLE)
        self.assertIn("m.csv:3: column 'stars': expected a number as the value, got '1,5', with a "
                      "decimal comma, while 2.5 in line 2 is written otherwise: no --decimal reads "
                      "both; write 1.5\n", done.stderr)
        # A comma that may stand between thousands does beside points.
        self.write("m.csv", "user;film;stars\nann;Up;2.5\nbob;Up;1,234\n")
        done = self.run_tool("info", "m.csv", "--values", "stars", expect=FILE_TROUBLE)
        self.assertIn("--decimal . reads 1234\n", done.stderr)
        self.assertNotIn("--decimal ,", done.stderr)
        self.assertIn("sum 1236.5", self.run_tool("info", "m.csv", "--values", "stars",
                                                  "--decimal", ".").stdout)

    def test_one_value_with_three_digits_behind_a_point_between_semicolons(self):
        for text, is_asked in (("ann;Up;3\nbob;Up;1.204\n", True),
                               ("ann;Up;3\nbob;Up;0.204\n", False)):
            self.write("p.csv", "user;film;n\n" + text)
            given = ("info", "p.csv", "--values", "n")
            if is_asked:
                told = self.run_tool(*given, expect=FILE_TROUBLE).stderr
                self.assertIn("--decimal . reads 1.204, --decimal , reads 1204\n", told)
                for sign, total in ((".", "4.204"), (",", "1207")):
                    self.assertIn(f"sum {total},", self.run_tool(*given, "--decimal", sign).stdout)
            for separator in (",", ";")[:1 if is_asked else 2]:
                self.write("p.csv", ("user;film;n\n" + text).replace(";", separator))
                self.assertIn("2 nonzeros", self.run_tool(*given).stdout)

    def test_in_quotes(self):
        self.write("q.csv", 'user,film,stars\nann,Up,"3,5"\nbob,Up,"4,5"\n')
        told = self.run_tool("info", "q.csv", "--values", "stars", "--decimal", ",").stdout
        self.assertIn("values      3.5 to 4.5, sum 8", told)

    def test_among_words_are_names(self):
        self.write("w.csv", "size,film\n\"3,5\",Up\nlarge,Up\n")
        self.assertIn("2 x 1, 2 nonzeros", self.run_tool("info", "w.csv").stdout)


class Counts(ToolTest):
    """Tables whose rows are counted."""

    def setUp(self):
        super().setUp()
        rows = [("ann", "tea", 3), ("ann", "milk", 1), ("bob", "tea", 2)]
        self.write("counts.csv", "user,item,n\n" + "".join(f"{u},{i},{n}\n" for u, i, n in rows))
        self.write("events.csv", "user,item\n" + "".join(f"{u},{i}\n" * n for u, i, n in rows))

    def test_stand_beside_a_model_of_counts(self):
        self.run_tool("decompose", "counts.csv", "--values", "n", "--rank", 1, "-o", "m.gkt")
        told = self.run_tool("evaluate", "m.gkt", "events.csv", expect=FILE_TROUBLE).stderr
        self.assertEqual(told, "genten: events.csv:1: expected a column with the values beside "
                         'those of the modes, as "n" in the run, got user, item; --modes user,item '
                         "counts its rows\n")
        option = told.split("; ")[1].split(" counts")[0].split()
        note = ('genten: note: events.csv: rows are counted, where the model\'s run had values in '
                'column "n"\n')
        self.assertEqual(note, self.run_tool("evaluate", "m.gkt", "events.csv", *option).stderr)
        found = self.run_json("evaluate", "m.gkt", "events.csv", *option)
        counts = self.run_json("evaluate", "m.gkt", "counts.csv")
        self.assertEqual(found["tensor_norm"], counts["tensor_norm"])
        self.assertEqual(found["fit"], counts["fit"])
        self.run_tool("project", "m.gkt", "events.csv", "--mode", "user", *option)

    def test_of_dropped_columns_are_told(self):
        self.write("sales.csv", "user,item,shop,amount\nann,tea,a,3\nann,tea,b,4\nbob,milk,a,2\n")
        decompose = ("decompose", "sales.csv", "--rank", 1)
        note = "column amount is not used, and each row counts as 1: --values amount takes it for"
        out = " ".join(self.run_tool(*decompose, "--modes", "user,item,shop").stdout.split())
        self.assertIn(note, out)
        out = " ".join(self.run_tool(*decompose, "--modes", "user,item").stdout.split())
        self.assertIn("columns shop, amount are not used, and each row counts as 1: --values "
                      "amount takes that one for the values", out)
        option = out.split("as 1: ")[1].split(" takes")[0].split()
        out = self.run_tool(*decompose, "--modes", "user,item", *option).stdout
        self.assertNotIn("used", out)
        self.assertIn("used, and each row counts", " ".join(
            self.run_tool("info", "sales.csv", "--modes", "user,item").stdout.split()))
        self.write("said.csv", "user,item,comment\nann,tea,fine\nbob,milk,sour\n")
        told = self.run_tool("info", "said.csv", "--modes", "user,item").stdout
        self.assertIn("counts as 1: --values names one that has the values",
                      " ".join(told.split()))


class BesideAModel(ToolTest):
    """Tables of new data that are other than those of the run."""

    def setUp(self):
        super().setUp()
        rows = [("ann", "tea", 8), ("ann", "milk", 7), ("bob", "tea", 8), ("bob", "milk", 7)]
        self.write("old.csv", "user,item,hour,c,f\n" + "".join(
            f"{u},{i},{h},{1 + n % 3},{n * 2}\n" for n, (u, i, h) in enumerate(rows)))
        self.run_tool("decompose", "old.csv", "--modes", "user,item,hour", "--values", "c",
                      "--rank", 1, "-o", "m.gkt", "-q")

    def test_another_column_of_values_is_told(self):
        note = 'old.csv: column "f" is taken for the values, and the model\'s run had "c", which is'
        for command in (("evaluate",), ("project", "--mode", "user"),
                        ("update", "--mode", "user", "-o", "x.gkt")):
            run = command[0], "m.gkt", "old.csv", *command[1:], "--modes", "user,item,hour"
            if command[0] == "update":
                self.write("new.csv", "user,item,hour,c,f\ncleo,tea,8,1,2\ncleo,milk,7,2,4\n")
                run = "update", "m.gkt", "new.csv", *command[1:], "--modes", "user,item,hour"
            told = self.run_tool(*run, "--values", "f").stderr
            self.assertIn(note.replace("old.csv", run[2]), told)
            self.assertNotIn("is taken for the values", self.run_tool(*run, "--values", "c").stderr)

    def test_rows_that_slices_of_an_update_lack_are_told(self):
        update = "update", "m.gkt", "new.csv", "--mode", "user", "-o", "x.gkt"
        self.write("new.csv", "user,item,hour,c\ncleo,tea,8,1\ncleo,milk,7,2\n")
        self.assertNotIn("note", self.run_tool(*update).stdout)
        self.write("new.csv", "user,item,hour,c\ncleo,tea,8,1\n")
        told = " ".join(self.run_tool(*update).stdout.split())
        self.assertIn('new.csv: it lacks 1 of the model\'s 2 rows of mode 2 (item), as "milk": in '
                      "its slices they are taken for zeros", told)
        way = "genten project m.gkt new.csv --mode 1 --partial item,hour"
        self.assertIn(f"{way} finds rows of its slices without such zeros, and moves no other row; "
                      "where all entries that it does not list are unknown, as few of counts are, "
                      "--missing unlisted instead of --partial leaves them out", told)
        anew = re.search("old and new data together, by (genten decompose ALL .* --missing FILE), "
                         "a list of what is unknown, or --missing unlisted", told)[1]
        self.write("ALL", (self.directory / "old.csv").read_text() + "cleo,tea,8,1,0\n")
        self.write("FILE", "user,item,hour\ncleo,milk,8\n")
        self.run_tool(*shlex.split(anew.replace("NEW", "new.gkt"))[1:])
        self.run_tool(*shlex.split(anew.replace("FILE", "unlisted").replace("NEW", "n.gkt"))[1:])
        self.run_tool(*shlex.split(way)[1:])
        self.run_tool(*shlex.split(way.replace("--partial item,hour", "--missing unlisted"))[1:])
        self.write("new.csv", "user,item,hour,c\ncleo,cake,8,1\n")
        self.assertNotIn("genten project", self.run_tool(*update).stdout)

    def test_names_that_are_given_for_one_mode_leave_the_others_theirs(self):
        hours = [f"{hour:02}" for hour in range(9)]
        self.write("hour.labels", "".join(f"{hour}\n" for hour in hours))
        self.run_tool("convert", "m.gkt", "n.gkt", "--labels", ",,hour.labels")
        beside = self.read_json("n.gkt.labels.json")
        self.assertEqual(beside["mode_names"], ["user", "item", "hour"])
        self.assertEqual(beside["labels"], [["ann", "bob"], ["milk", "tea"], hours])


class NameOfValues(ToolTest):
    """What a table calls its values goes with them."""

    def test_comes_back(self):
        for column in ("count", "stars, of 5"):
            name = f'"{column}"' if "," in column else column
            self.write("t.csv", f"user,item,{name}\nann,tea,3\nbob,milk,2\n")
            for between in (), ("t.gtn",), ("t.tns",), ("t.tns", "t.gtn"):
                files = ["t.csv", *between, "again.csv"]
                for old, new in zip(files, files[1:]):
                    values = ("--values", column) if old == "t.csv" else ()
                    (self.directory / new).unlink(missing_ok=True)
                    told = self.run_tool("convert", old, new, *values).stdout
                text = (self.directory / "again.csv").read_text()
                self.assertEqual(text, (self.directory / "t.csv").read_text())
                option = shlex.split(told.split("which is read by ")[1])
                self.assertEqual(option, ["--values", column])
                self.run_tool("info", "again.csv", *option)
        # What may be the table that others have written is not replaced, but by the same text.
        self.run_tool("convert", "t.gtn", "t.csv")
        path = self.write("t.csv", text + "zoe,tea,1\n")
        told = self.run_tool("convert", "t.gtn", "t.csv", expect=FILE_TROUBLE).stderr
        self.assertIn("so that it may be data of yours, and would be overwritten", told)
        self.assertEqual(path.read_text(), text + "zoe,tea,1\n")
        path.write_text(text)
        # Not where a mode is called so.
        (self.directory / "again.csv").unlink()
        self.run_tool("convert", "t.csv", "t.tns", "--values", "stars, of 5")
        path = self.directory / "t.tns.labels.json"
        path.write_text(path.read_text().replace('"values": "stars, of 5"', '"values": "item"'))
        self.assertIn("--values item_\n", self.run_tool("convert", "t.tns", "again.csv").stdout)


class SummedTruths(ToolTest):
    """Repeated entries of which sums are no values 0 and 1."""

    def test_are_told_with_the_rule_that_keeps_them(self):
        self.write("links.csv", "who,whom\n" + "".join(
            f"p{i},q{i * j % 5}\n" for i in range(6) for j in range(1, 4)))
        run = ("decompose", "links.csv", "--rank", 1, "-q", "-o", "m.gkt", "--loss")
        told = self.run_tool(*run, "bernoulli-logit", expect=FILE_TROUBLE).stderr
        self.assertRegex(told, r"expected values 0 and 1; \d+ values? .*; \d entries lie at the "
                         "same subscripts as others, and sums are taken for values: --duplicates "
                         "max takes the largest of them; or leave such entries out, or take")
        way = re.search(r"--duplicates \w+", told)[0].split()
        self.run_tool(*run, "bernoulli-logit", *way)
        self.run_tool("rank", "links.csv", "--ranks", "1", "--loss", "bernoulli-odds", *way)
        self.run_tool(*run, "poisson")
        told = self.run_tool("evaluate", "m.gkt", "links.csv", "--loss", "bernoulli-odds",
                             expect=FILE_TROUBLE).stderr
        self.assertIn(": --duplicates max takes the largest of them\n", told)
        self.run_tool("evaluate", "m.gkt", "links.csv", "--loss", "bernoulli-odds", *way)
        self.write("counts.csv", "who,whom,n\na,b,2\nb,a,1\n")
        told = self.run_tool("decompose", "counts.csv", "--values", "n", "--rank", 1, "-q", "-o",
                             "x.gkt", "--loss", "bernoulli-odds", expect=FILE_TROUBLE).stderr
        self.assertNotIn("--duplicates", told)


class SummedMeasures(ToolTest):
    """Readings of full tables, of which each day has several."""

    def test_are_told_with_the_rule_that_takes_means(self):
        self.write("sensors.csv", "sensor,day,celsius\n" + "".join(
            f"S{s},d{d},{5 * s - 3 + d % 3 + k / 4 + .125}\n"
            for s in range(4) for d in range(6) for k in range(3)))
        command = ("info", "sensors.csv", "--values", "celsius")
        told = self.run_tool(*command).stdout
        self.assertIn("48 entries lie at the same subscripts as others, and sums are taken for "
                      "values: --duplicates mean takes their mean", told)
        way = re.search(r"--duplicates \w+", told)[0].split()
        self.assertNotIn("same subscripts", self.run_tool(*command, *way).stdout)
        convert = ("convert", "sensors.csv", "s.gtn", "--values", "celsius")
        self.assertIn("48 entries lie at the same subscripts as others, and sums are taken for "
                      "values: --duplicates mean", self.run_tool(*convert).stderr)
        self.assertNotIn("same subscripts", self.run_tool(*convert, *way).stderr)


class SmallIds(ToolTest):
    """Weeks and customers that are numbers of one size, by --compact."""

    def table(self, name, users, items, weeks):
        self.write(name, "user,item,week,n\n" + "".join(
            f"{u},{i},{w},{1 + (u + i + w) % 7}\n" for u in users for i in items for w in weeks))

    def test_are_no_swapped_columns(self):
        update = ("update", "m.gkt", "new.csv", "--mode", "week", "-o", "u.gkt")
        for weeks, later in ((range(1, 9), (9, 11)), ((1,), (9,)), ((2, 4, 1), (5,))):
            self.table("old.csv", range(3, 40, 2), range(5, 30, 3), weeks)
            self.run_tool("decompose", "old.csv", "--values", "n", "--compact", "--rank", 1, "-q",
                          "-o", "m.gkt")
            self.table("new.csv", range(101, 109, 2), range(5, 30, 3), later)
            self.assertIn("4 new rows in mode 1", self.run_tool(*update).stdout)
        self.table("old.csv", range(1001, 1040, 2), range(5, 30, 3), range(1, 9))
        self.run_tool("decompose", "old.csv", "--values", "n", "--compact", "--rank", 1, "-q",
                      "-o", "m.gkt")
        self.table("new.csv", (9, 10), range(5, 30, 3), range(1001, 1009, 2))
        self.assertIn("are the columns of mode 1 (user) and mode 3 (week) swapped?",
                      self.run_tool(*update, expect=FILE_TROUBLE).stderr)


class ZerosBeforeNumbers(ToolTest):
    """Months 01 to 12 are names, and 5 is another one than 05."""

    def setUp(self):
        super().setUp()
        for name, form in (("padded", "02d"), ("plain", "d")):
            self.write(f"{name}.csv", "month,shop,n\n" + "".join(
                f"{month:{form}},{shop},{month + len(shop)}\n"
                for month in range(1, 13) for shop in ("north", "west")))
            self.run_tool("decompose", f"{name}.csv", "--values", "n", "--rank", 1, "-q",
                          "-o", f"{name}.gkt")

    def test_meet_their_names(self):
        for month in ("05", "11"):
            self.write("ask.csv", f"month,shop\n{month},west\n")
            told = self.run_tool("predict", "padded.gkt", "ask.csv").stdout
            self.assertIn(f"\n{month},west,", told)
            self.assertAlmostEqual(float(told.split(",")[-1]), int(month) + 4, 0)

    def test_of_another_number_of_zeros_are_asked_for(self):
        self.write("ask.csv", "month,shop,n\n5,west,9\n11,west,15\n")
        asked = '"5", in line 2 (is "05" meant?); 1 of 2 entries is in such rows'
        self.assertIn(asked, self.run_tool("predict", "padded.gkt", "ask.csv",
                                           expect=FILE_TROUBLE).stderr)
        told = self.run_tool("evaluate", "padded.gkt", "ask.csv", "--unknown", "skip").stderr
        self.assertIn('mode 1 (month): "5" (is "05" meant?)\n', told)
        told = self.run_tool("update", "padded.gkt", "ask.csv", "--mode", "month", "-o", "u.gkt",
                             expect=FILE_TROUBLE).stderr
        self.assertIn('slice "11" is in padded.gkt already', told)
        self.write("ask.csv", "month,shop,n\n5,west,9\n")
        told = self.run_tool("update", "padded.gkt", "ask.csv", "--mode", "month", "-o",
                             "u.gkt").stdout
        self.assertIn("1 new name that differs from a known one only by blanks, by "
                      'case or by zeros before a number, as "05" and "5"', told)

    def test_beside_a_model_of_numbers_are_told_with_the_ways_out(self):
        told = self.run_tool("evaluate", "plain.gkt", "padded.csv", expect=FILE_TROUBLE).stderr
        self.assertEqual(told, 'genten: padded.csv names the rows of mode 1 (month), as "01": '
                               "expected names of those of plain.gkt, got none; zeros before "
                               "numbers make names of them: without these, as 1, they are numbers "
                               "of rows of plain.gkt, from 0; genten convert plain.gkt NEW "
                               "--labels month, gives a model names, from files with a line for "
                               "each row\n")
        self.run_tool("evaluate", "plain.gkt", "plain.csv")
        self.write("month", "".join(f"{month:02d}\n" for month in range(13)))
        self.run_tool("convert", "plain.gkt", "new.gkt", "--labels", "month,")
        self.run_tool("evaluate", "new.gkt", "padded.csv")


if __name__ == "__main__":
    unittest.main()
