#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables as people write them: dates in several forms, margins of spreadsheets, numbers that begin
late, blanks behind commas, dashes for missing values."""
import re
import unittest

from cli_support import FILE_TROUBLE, ToolTest


class Dates(ToolTest):
    """Columns of dates."""

    def told(self, *days):
        """What a run and `convert` say of a column of these."""
        self.write("t.csv", "shop,day,n\n" + "".join(
            f"{shop},{day},{1 + len(day)}\n" for shop in "ab" for day in days))
        told = []
        for command in (("decompose", "t.csv", "--rank", 1), ("convert", "t.csv", "t.gtn")):
            done = self.run_tool(*command, "--values", "n")
            told.append(re.findall("mode 2 .*dates (?:in|with) .*", done.stdout + done.stderr))
        self.assertEqual(*told)
        return told[0]

    def test_in_several_forms_are_told_of(self):
        self.assertEqual(
            self.told("2024-03-01", "02/03/2024", "2024-03-04"),
            ['mode 2 (day) has dates in 2 forms, 2 rows as "2024-03-01" and 1 as "02/03/2024": a '
             "date in two forms has two rows; write all dates of the column in one form"])
        for days, rows in (
                (("2024-03", "2024-03-01"), '1 row as "2024-03" and 1 as "2024-03-01"'),
                (("1.3.2024", "12.3.2024", "01.03.2024", "total"),
                 '2 rows as "1.3.2024" and 1 as "01.03.2024"'),
                (("2 March 2024", "2024-03-01"), '1 row as "2 March 2024" and 1 as "2024-03-01"'),
                (("2 Sept 2024", "2024-09-01"), '1 row as "2 Sept 2024" and 1 as "2024-09-01"'),
                (("2024-03-01T12:30", "2024-03-01 12:30"),
                 '1 row as "2024-03-01 12:30" and 1 as "2024-03-01T12:30"'),
                (("2024-03-01", "20240302", "03/04/24"), '1 row as "03/04/24", 1 as "2024-03-01" '
                                                         'and 1 as "20240302"')):
            self.assertIn(f"forms, {rows}: ", self.told(*days)[0])

    def test_with_the_day_first_and_the_month_first_are_told_of(self):
        self.assertEqual(
            self.told("03/04/2023", "25/04/2023", "04/25/2023"),
            ['mode 2 (day) has dates with the day first, as "25/04/2023", and with the month '
             'first, as "04/25/2023": a date in two forms has two rows; write all dates of the '
             "column in one form"])

    def test_in_one_form_and_what_is_none(self):
        for days in (("03/04/2023", "25/04/2023", "05/04/2023"),
                     ("03/04/2023", "04/25/2023", "05/04/2023"),
                     ("1.3.2024", "12.3.2024", "12.11.2024"),
                     ("2024-03-01 9:05", "2024-03-01 12:30"), ("2022", "2023", "before"),
                     ("2024.1", "2024.1.2", "2024.10.12"),
                     ("1.2.3", "1.10.0", "10.12.24"), ("2008", "2009-10", "2010-11"),
                     ("2024-03-01", "1.3.2024", "x", "y"), ("2024-13-01", "2024-03-01", "30/02/x"),
                     ("3/4", "1/2", "2024-03-01")):
            self.assertEqual(self.told(*days), [], days)


class Margins(ToolTest):
    """Rows of a spreadsheet that sum the others."""

    def test_are_told_of(self):
        rows = [("north", 1), ("south", 2), ("Grand Total", 3)]
        self.write("t.csv", "region,shop,n\n" + "".join(
            f"{region},{shop},{n}\n" for region, n in rows for shop in ("a", "b", "(All)")))
        note = ('mode 1 (region) has a row called "Grand Total"; mode 2 (shop) has a row called '
                '"(All)": where such a row sums or averages the others, as margins of a spread'
                "sheet do, they count twice: leave its entries out of the table\n")
        for command in (("decompose", "t.csv", "--rank", 1), ("convert", "t.csv", "t.gtn")):
            done = self.run_tool(*command, "--values", "n")
            self.assertIn(note, done.stdout + done.stderr)
        for margin in ("North Total", "Gesamtergebnis", "Mean of n"):
            self.write("t.csv", f"region,shop,n\nNorth,a,1\nsouth,b,2\n{margin},c,2\n")
            done = self.run_tool("decompose", "t.csv", "--rank", 1, "--values", "n")
            self.assertIn(f'a row called "{margin}"', done.stdout + done.stderr)
        self.write("t.csv", "region,shop,n\nnorth,a,1\nsouth,b,2\nnorth,c,2\n")
        done = self.run_tool("decompose", "t.csv", "--rank", 1, "--values", "n")
        self.assertNotIn("margins", done.stdout + done.stderr)

    def test_of_groups_are_told_of(self):
        def told(*rows):
            self.write("t.csv", "region,shop,n\n" + "".join(
                f"{region},{shop},{1 + k}\n" for k, (region, shop) in enumerate(rows)))
            out = self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1).stdout
            return re.findall('called (".*"):', out)

        shops = [("North", "a"), ("South", "b"), ("North", "c")]
        for name in ("Total North", "total: south", "Sum of n", "All regions", "2019 Total"):
            self.assertEqual(told(*shops, ("North", name)), [f'"{name}"'])
        for name in ("Total Wine", "All Saints", "Total", "gesamter Norden"):
            self.assertEqual(told(*shops, ("North", name)),
                             ['"Total"'] if name == "Total" else [])

    def test_of_ordinary_words_are_told_where_numbers_agree(self):
        def told(word, number):
            items = {"seats": (4, 2, 5, 3), "staff": (3, 3, 1, 5), "food": (5, 4, 2, 1)}
            rows = [(item, n, k) for item, values in items.items() for k, n in enumerate(values)]
            beside = list(zip(*items.values()))
            rows += [(word, number(each), k) for k, each in enumerate(beside)]
            self.write("t.csv", "item,wave,n\n" + "".join(
                f"{item},w{k},{n}\n" for item, n, k in rows))
            out = self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1).stdout
            return re.findall('note +mode 1 .item. has a row called (".*"): where', out)

        for word in ("overall", "All", "Mean", "average"):
            self.assertEqual(told(word, lambda each: round(sum(each) / 3, 2)), [f'"{word}"'])
            self.assertEqual(told(word, sum), [f'"{word}"'])
            self.assertEqual(told(word, max), [])  # as a question of a survey
        self.assertEqual(told("Total", max), ['"Total"'])

    def test_are_names_among_two_or_with_more_letters(self):
        self.write("t.csv", "region,shop,n\nall,sums,1\nsome,Total Wine,2\nall,sum1,2\n")
        done = self.run_tool("decompose", "t.csv", "--rank", 1, "--values", "n")
        self.assertNotIn("margins", done.stdout + done.stderr)


class SummedRows(ToolTest):
    """Rows that sum the others and are not called so."""

    def told(self, name, change=0):
        cells = [(item, day, 1 + (7 * len(item) + 3 * day) % 10) for item in ("tea", "milk", "rice")
                 for day in range(1, 7)]
        sums = [(name, day, change + sum(n for _, at, n in cells if at == day))
                for day in range(1, 7)]
        self.write("t.csv", "item,day,n\n" + "".join(
            f"{item},d{day},{n}\n" for item, day, n in cells + sums))
        told = []
        for more in ((), ("--modes", "item,day")):
            out = self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1, *more).stdout
            told.append(re.findall("note +(mode .*twice.*)", out))
        self.assertEqual(*told)
        return told[0]

    def test_are_told_of(self):
        for name in ("-", "Alle"):
            self.assertEqual(self.told(name), [
                f'mode 1 (item) has a row "{name}" that holds the sums of all others, which count '
                "twice with it: leave its entries out of the table"])
        self.assertEqual(len(self.told("Total")), 1)  # which the note on margins says
        self.assertIn('called "Total": ', self.told("Total")[0])

    def test_are_no_others(self):
        self.assertEqual(self.told("-", change=1), [])
        self.write("t.csv", "item,n\ntea,1\nmilk,2\nrice,3\n")
        self.assertNotIn("twice", self.run_tool("decompose", "t.csv", "--values", "n", "--rank",
                                                1).stdout)


    def test_of_groups_are_told_of(self):
        groups = {"Europe": ("DE", "FR", "IT", "PL"), "Asia": ("JP", "KR"), "World": ()}
        groups["World"] = groups["Europe"] + groups["Asia"]

        def told(change=0, power=2):
            cells = {(land, year): (3 * i + 5 * year + 2) ** power % 97
                     for i, land in enumerate(groups["World"]) for year in range(14)}
            for name, lands in groups.items():
                for year in range(14):
                    cells[name, year] = sum(cells[land, year] for land in lands)
            cells["Asia", 3] += change
            self.write("t.csv", "region,year,n\n" + "".join(
                f"{name},y{year},{n}\n" for (name, year), n in cells.items()))
            out = self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1).stdout
            return " ".join(out.split())

        ending = ", which count twice with it: leave its entries out of the table"
        out = told()
        self.assertIn('mode 1 (region) has a row "Europe" that holds the sums of "DE", "FR", "IT" '
                      f"and 1 more{ending}", out)
        self.assertIn(f'a row "Asia" that holds the sums of "JP", "KR"{ending}', out)
        self.assertIn('a row "World" that holds the sums of "DE", "FR", "IT" and 3 more', out)
        self.assertNotIn('"Asia"', told(change=2))
        self.assertNotIn("twice", told(power=0))  # all the same: other sums would do as well


class LateNumbers(ToolTest):
    """Ids that begin so late that most rows lie before them."""

    def test_are_told_to_be_ids(self):
        def note(first, last, *more):
            self.write("t.csv", "user,item,n\n" + "".join(
                f"{user},{item},{1 + user % 5}\n" for user in range(first, last)
                for item in ("tea", "milk")))
            told = []
            for command in (("decompose", "--rank", 1), ("info",)):
                out = self.run_tool(command[0], "t.csv", "--values", "n", *command[1:], *more)
                told.append(re.findall("mode 1 .user. has .*", " ".join(out.stdout.split())))
            return [each[0] if each else "" for each in told]

        way = "if subscripts are ids, --compact makes rows of those that occur, and names"
        for each in note(2000, 3000):
            self.assertIn("mode 1 (user) has 3000 rows, of which 1000 hold nonzeros: ", each)
            self.assertIn(way, each)
        self.assertEqual(note(2000, 3000, way.split()[4]), ["", ""])
        self.assertEqual(note(0, 1000), ["", ""])
        self.assertEqual(note(200, 1000), ["", ""])


class BlanksBehindCommas(ToolTest):
    """Fields with blanks around them, as "item, shop"."""

    def read(self, text):
        self.write("t.csv", text)
        (self.directory / "out.csv").unlink(missing_ok=True)
        self.run_tool("convert", "t.csv", "out.csv", "--values", "n")
        return (self.directory / "out.csv").read_text()

    def test_belong_to_no_name(self):
        plain = self.read("item,shop,day,n\ntea,N,1,3\nmilk,S,2,5\n")
        for text in ("item, shop, day, n\ntea, N, 1, 3\nmilk, S, 2, 5\n",
                     "item,shop,day,n\ntea, N, 1, 3\nmilk, S, 2, 5\n",
                     '"item", "shop", "day", "n"\n"tea", "N", 1, 3\n"milk", "S", 2, 5\n',
                     "item , shop, day, n\ntea  , N, 1,  3\nmilk , S, 2,  5\n"):
            self.assertEqual(self.read(text), plain, text)
        for separator in (";", "|"):
            self.assertEqual(self.read(text.replace(",", separator)), plain)

    def test_are_kept_in_quotes_and_where_some_fields_have_none(self):
        for text in ("item,shop,n\ntea, N,1\nmilk, S,2\n", 'item, n\n" tea", 1\nmilk, 2\n'):
            out = self.read(text)
            self.assertRegex(out, '" (N|tea)"')
            self.assertEqual(self.read(out), out)

    def test_name_missing_values(self):
        self.write("t.csv", "item, shop, n\ntea, N, 3\nmilk, , 5\n")
        told = self.run_tool("info", "t.csv", "--values", "n", expect=FILE_TROUBLE).stderr
        self.assertIn("t.csv:3: column 'shop': a value is missing: leave out the row", told)


class Marks(ToolTest):
    """Signs for missing values."""

    def test_are_told_with_the_way_out(self):
        for mark in ("-", "--", "?", "\N{EN DASH}"):
            self.write("t.csv", f"item,n\ntea,3\nmilk,{mark}\n")
            told = self.run_tool("info", "t.csv", "--values", "n", expect=FILE_TROUBLE).stderr
            self.assertEqual(told, (
                f"genten: t.csv:3: column 'n': expected a number as the value, got '{mark}': where "
                "it marks a missing value, leave out the row (in pandas, read_csv(..., "
                f"na_values=['{mark}']).dropna(subset=['n']) leaves out all such rows), or write "
                "what it is to count as\n"))
        self.write("t.csv", "item,n\ntea,3\nmilk,soon\nrum,late\n")
        told = self.run_tool("info", "t.csv", "--values", "n", expect=FILE_TROUBLE).stderr
        self.assertNotIn("missing", told)


class Properties(ToolTest):
    """Columns that tell something of what the others say, and are no modes."""

    def written(self, rows):
        self.write("t.csv", "city,day,kind,temp\n" + "".join(
            f"c{c},d{d},{kind},{(7 * c + 3 * d) % 11}.5\n" for c, d, kind in rows))
        return " ".join(self.run_tool("info", "t.csv", "--values", "temp").stdout.split())

    def test_of_cells_are_told_of(self):
        kinds = ("sun", "rain", "fog")
        full = [(c, d, kinds[(c * c + d) % 3]) for c in range(12) for d in range(10)]
        told = self.written(full)
        self.assertIn("column 'kind' of 3 different texts became a mode, though each cell of the "
                      "other modes has one of them: if it is a quantity or a property beside the "
                      "values, --modes city,day leaves it out", told)
        told = self.run_tool("info", "t.csv", "--values", "temp", "--modes", "city,day").stdout
        self.assertNotIn("property", told)

    def test_are_no_modes_that_entries_need_or_that_another_determines(self):
        kinds = ("sun", "rain", "fog")
        for rows in ([(c, d, kind) for c in range(12) for d in range(10) for kind in kinds],
                     [(c, d, kinds[d % 3]) for c in range(40) for d in range(30)
                      if (c * 7 + d * d) % 5 == 0],
                     [(c, d, kinds[c % 3]) for c in range(12) for d in range(10)]):
            self.assertNotIn("property", self.written(rows))

    def test_words_among_numbers_make_no_names(self):
        rows = "".join(f"s{i % 3},{i}\n" for i in range(12))
        for word in ("<5", "Refused", "*", "x"):
            self.write("t.csv", f"shop,qty\n{rows}s1,{word}\n")
            told = " ".join(self.run_tool("info", "t.csv").stdout.split())
            self.assertIn(f"column 'qty' holds numbers and '{word}', and is a mode: if they are "
                          "values, leave out the rows of such words, or write what they are to "
                          "count as, and give --values qty; --modes shop,qty says that they are "
                          "not", told)
        for column, word in (("week", "unknown"), ("bus", "N1"), ("chromosome", "X")):
            self.write("t.csv", f"shop,{column}\n{rows}s1,{word}\n")
            self.assertNotIn("such words", self.run_tool("info", "t.csv").stdout)


class DatesBesideAModel(ToolTest):
    """Dates of new tables that the model has in another form."""

    def setUp(self):
        super().setUp()
        self.write("t.csv", "item,day,n\n" + "".join(
            f"i{i},2024-{m:02d}-{d:02d},{i + m + d}\n"
            for i in range(4) for m in (3, 4) for d in range(1, 16)))
        self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1, "-q", "-o", "m.gkt")

    def test_are_told_in_its_form_alone(self):
        for day in "14.04.2024", "4/14/2024", "14 Apr 2024", "20240414", "April 14, 2024":
            self.write("new.csv", f'item,day,n\ni1,"{day}",3\n')
            told = self.run_tool("evaluate", "m.gkt", "new.csv", expect=FILE_TROUBLE).stderr
            self.assertIn(f'(write dates as the known ones are, "2024-04-14" for "{day}")', told)
            self.assertNotIn("new rows", told)

    def test_others_are_new_rows(self):
        for day in "03/04/2024", "14.05.2024", "2024-04-14T09:30":
            self.write("new.csv", f"item,day,n\ni1,{day},3\n")
            told = self.run_tool("evaluate", "m.gkt", "new.csv", expect=FILE_TROUBLE).stderr
            self.assertNotIn('known ones are, "2024', told, day)
            self.assertIn("new rows", told)


class Doubtful(ToolTest):
    """Names that look alike, or stand for what is not known."""

    def test_are_told_of(self):
        for other in ("Ann  Lee", "Ann\u00a0Lee"):
            self.write("t.csv", f"who,what,n\nAnn Lee,x,1\n{other},y,2\nBob,x,3\n")
            told = self.run_tool("info", "t.csv", "--values", "n").stdout
            self.assertIn("1 name that differs from another only by blanks, by case", told)
        for mark in ("?", "-", "(blank)", "\\N"):
            self.write("t.csv", f"who,what,n\nAnn,x,1\n{mark},y,2\nBob,x,3\n")
            told = self.run_tool("info", "t.csv", "--values", "n").stdout
            self.assertIn("where it stands for a missing value, leave its entries out", told)

    def test_lines_of_old_macintoshes_are_told_of(self):
        self.write("t.csv", "who,what,n\rAnn,x,1\rBob,y,2\r")
        done = self.run_tool("info", "t.csv", "--values", "n", expect=FILE_TROUBLE)
        self.assertIn("got a CR alone, which tr '\\r' '\\n' makes LF", done.stderr)


class Periods(ToolTest):
    """Quarters and years among months, and averages among what they are of."""

    def notes_on(self, names):
        rows = [f"{name},{shop},{k + len(shop)}" for k, name in enumerate(names)
                for shop in ("a", "bb", "ccc")]
        self.write("t.csv", "\n".join(["when,shop,n", *rows]) + "\n")
        told = self.run_tool("info", "t.csv", "--values", "n").stdout
        return [line for line in told.splitlines() if "margins" in line]

    def test_longer_ones_are_sums(self):
        months = [f"2024-{month:02d}" for month in range(1, 7)]
        for name in ("Q1 2024", "2024 Q1", "2024-Q2", "2024Q2", "FY2024", "fy 2024", "2024"):
            self.assertIn(f'a row called "{name}"', self.notes_on([*months, name])[0])
        self.assertIn('"Q1 2024"', self.notes_on(["Jan 2024", "February 2024", "Q1 2024"])[0])
        self.assertIn('"Q2"', self.notes_on(["Apr", "May", "Jun", "Jul", "Q2"])[0])
        self.assertIn('"2024"', self.notes_on(["2024Q1", "2024Q2", "2024"])[0])
        self.assertIn('"2024"', self.notes_on(["2024-01-05", "2024-02-05", "2024"])[0])

    def test_others_are_none(self):
        for names in (["2022", "2023", "2024", "2025-01", "2025-02"],
                      ["Q1 2024", "Q2 2024", "Q3 2024"],
                      ["2024-01", "2024-02", "Q2 2024"],
                      ["2010/11", "2011/12", "2010", "2011"],
                      ["1917", "1984", "May December", "Up"],
                      ["April", "May", "June", "Bob"]):
            self.assertEqual(self.notes_on(names), [], names)

    def test_averages_of_numbered_rows(self):
        for name in ("C_mean", "mean_C", "C average", "average C", "C-total"):
            self.assertIn(f'a row called "{name}"', self.notes_on(["C1", "C2", "D1", name])[0])
        for names in (["C_mean", "C1", "D1"], ["size_mean", "size_se", "size_worst"],
                      ["Girls", "Mean Girls", "Boys"], ["Mean Streets", "Meaning", "Up"]):
            self.assertEqual(self.notes_on(names), [], names)
        self.assertIn('"Mean North", "Mean South"',
                      self.notes_on(["North", "Mean North", "South", "Mean South"])[0])


class WrittenByOthers(ToolTest):
    """Tables in the forms of R and psql."""

    def refusal(self, text, *options):
        self.write("t.txt", text)
        return self.run_tool("info", "t.txt", *options, expect=FILE_TROUBLE).stderr

    def test_the_way_out_is_told(self):
        for sign in (" ", "\t", ","):
            text = "\n".join(sign.join(row) for row in (
                ['"item"', '"shop"', '"n"'], ['"1"', '"tea"', '"a"', "3"],
                ['"2"', '"milk"', '"b"', "4"])) + "\n"
            for options in ((), ("--values", "n")):
                self.assertIn('; if names of rows come first, as R\'s write.table writes them, '
                              'write.csv(x, "FILE", row.names = FALSE) leaves them out\n',
                              self.refusal(text, *options))
        text = " item | n\n------+----\n tea  |  3\n milk |  4\n(2 rows)\n"
        for options in ((), ("--values", "n")):
            self.assertIn("; psql shows tables so: psql --csv writes one that is read\n",
                          self.refusal(text, *options))
        told = self.refusal("item,shop,n\ntea,a,3,4\n")
        self.assertNotIn("write.table", told)

    def test_ids_with_decimals_beside_a_model(self):
        rows = [f"{who},{week},{who % 7 + len(week)}" for who in (1040, 1041, 1050)
                for week in ("a", "bb", "ccc")]
        self.write("old.csv", "\n".join(["id,week,n", *rows]) + "\n")
        self.write("new.csv", "\n".join(["id,week,n", *(
            row.replace(",", ".0,", 1) for row in rows)]) + "\n")
        self.run_tool("decompose", "old.csv", "--values", "n", "--rank", 1, "--compact", "-o",
                      "m.gkt", "-q")
        for command in (("project", "--mode", "week"), ("update", "--mode", "week", "-o", "s.gkt"),
                        ("evaluate",)):
            told = self.run_tool(command[0], "m.gkt", "new.csv", *command[1:],
                                 expect=FILE_TROUBLE).stderr
            self.assertEqual(
                told, "genten: new.csv:2: column 'id': expected whole numbers or texts, got "
                "'1040.0' (write ids without decimals, as 1040; in pandas, df['id'].astype('Int64')"
                " makes them so, beside gaps, too)\n")
        told = self.run_tool("evaluate", "m.gkt", "old.csv").stdout
        self.assertIn("compared in the model's rows by their names", told)
        # Beside names that are texts.
        for name, end in (("old.csv", ""), ("new.csv", ".0")):
            self.write(name, "id,week,n\n" + "".join(
                f"{who},{week},2\n" for who in ("A5", f"1041{end}", f"1050{end}")
                for week in ("a", "b")))
        self.run_tool("decompose", "old.csv", "--values", "n", "--rank", 1, "-o", "m.gkt", "-q")
        told = self.run_tool("project", "m.gkt", "new.csv", "--mode", "week",
                             expect=FILE_TROUBLE).stderr
        self.assertIn("(write ids without decimals, \"1041\" for \"1041.0\": in pandas, "
                      "astype('Int64') makes them so, beside gaps, too)", told)

    def test_columns_without_a_name_are_told_by_number(self):
        self.write("t.csv", ",item,shop,n\n0,a,x,3\n1,b,y,4\n2,a,y,4\n")
        told = self.run_tool("info", "t.csv", "--modes", "item,shop").stdout
        self.assertIn("columns 1 (without a name), n are not used", " ".join(told.split()))

    def test_coordinates_are_modes(self):
        rows = [f"{k},{k % 8},{k // 8},{k * 7 % 13}.5" for k in range(60)]
        for head, wide in (("id,x,y,v", 0), ("id,Lat,Lon,v", 0), ("id,mon,tue,v", 1)):
            self.write("t.csv", "\n".join([head, *rows]) + "\n")
            told = self.run_tool("info", "t.csv", "--values", "v").stdout
            self.assertEqual(told.count("df.melt"), wide, head)

    def test_messages_name_no_quantities_as_modes(self):
        self.write("sales.csv", "store,item,quantity,price,amount\n" + "".join(
            f"s{i},i{j},{i + 1},{j}.5,{i * j}.25\n" for i in range(3) for j in range(4)))
        told = self.run_tool("decompose", "sales.csv", "--values", "amount", "--rank", 1,
                             expect=FILE_TROUBLE).stderr
        self.assertIn("column 'price': expected whole numbers or texts", told)
        self.assertIn(": --modes store,item leaves it out", told)
        self.run_tool("decompose", "sales.csv", "--values", "amount", "--modes", "store,item",
                      "--rank", 1)

    def test_ids_beside_names_are_no_values(self):
        rows = "".join(f"{100_000 + 7 * i},w{i % 3},d{i % 2}\n" for i in range(9))
        self.write("events.csv", "patient,ward,drug\n" + rows)
        told = self.run_tool("decompose", "events.csv", "--rank", 1,
                             expect=FILE_TROUBLE).stderr
        self.assertIn("expected the names of the modes, as in --modes ward,drug, to count rows, or "
                      "that of the column of values, by --values", told)
        self.run_tool("decompose", "events.csv", "--modes", "ward,drug", "--rank", 1)


if __name__ == "__main__":
    unittest.main()
