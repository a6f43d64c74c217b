#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Subscripts that are ids: --compact makes names of them, from a table to all that follows."""
import random
import unittest

from cli_support import FILE_TROUBLE, WRONG_USAGE, ToolTest

CUSTOMERS = [12346, 12350, 12351, 13047, 17850, 18287]
ITEMS = [22423, 71053, 84029, 90210]
BY_COMPACT = ["12346", "12350", "12351", "13047", "17850", "18287"]


def table(rows, columns="customer,item,week"):
    return columns + ",qty\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


class Ids(ToolTest):
    """Sales of customers to weeks, all of them numbers, in two groups that buy other items."""

    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        self.rows = [(c, i, w, (c % 2 + 1) * 5 + draw.randrange(3)) for c in CUSTOMERS
                     for i in ITEMS for w in range(48, 52) if (c + i) % 2 == 0]
        self.write("old.csv", table(self.rows))
        self.new = [(19000, 22423, 52, 4), (19002, 71053, 52, 6), (17850, 84029, 52, 5),
                    (12350, 90210, 52, 5)]
        self.write("new.csv", table(self.new))

    def made(self, name="m.gkt", *options):
        self.run_tool("decompose", "old.csv", "--values", "qty", "--compact", "-q", "-o", name,
                      *(() if "--resume" in options else ("--rank", 2)), *options)

    def labels(self, name="m.gkt"):
        return self.read_json(name + ".labels.json")["labels"]


class OneCommand(Ids):
    def test_names_components_by_ids(self):
        done = self.run_tool("decompose", "old.csv", "--values", "qty", "--compact", "--rank", 2,
                             "--top", 2, "-o", "m.gkt")
        self.assertIn("6 x 4 x 4, 48 nonzeros", done.stdout)
        self.assertIn(", the rows of 18288 x 90211 x 52 that occur\n", done.stdout)
        self.assertRegex(done.stdout, r"mode 1 \(customer\) .*mode 2 \(item\) ")
        self.assertRegex(done.stdout, r"\n +[\d.]+  1[278]\d{3} +[\d.]+  \d{5} +[\d.]+  \d\d\n")
        told = self.read_json("m.gkt.labels.json")
        self.assertEqual((told["labels"], told["number_names"]),
                         ([BY_COMPACT, [str(i) for i in ITEMS], ["48", "49", "50", "51"]],
                          [1, 2, 3]))

    def test_is_the_same_from_every_form(self):
        self.made("t.gkt")
        tns = "".join(f"{c} {i} {w} {q}\n" for c, i, w, q in self.rows)
        self.write("old.tns", tns)
        self.write("zero.tns", tns)
        self.run_tool("convert", "old.csv", "old.gtn", "--values", "qty")
        self.run_tool("convert", "old.csv", "small.gtn", "--values", "qty", "--compact")
        done = self.run_tool("convert", "small.gtn", "again.csv")
        self.assertEqual(done.stderr, "")
        self.assertIn("which is read by --values qty --compact\n", done.stdout)
        for name, options in (("old.tns", ()), ("zero.tns", ("--index-base", 0)), ("old.gtn", ()),
                              ("small.gtn", ()), ("again.csv", ("--values", "qty"))):
            self.run_tool("decompose", name, *options, "--compact", "--rank", 2, "-q", "-o",
                          "x.gkt")
            self.assertEqual((self.directory / "x.gkt").read_bytes(),
                             (self.directory / "t.gkt").read_bytes(), name)
            self.assertEqual(self.labels("x.gkt"), self.labels("t.gkt"), name)
        for command in (("rank", "--ranks", "1,2"), ("tucker", "--ranks", "2,2,2")):
            self.run_tool(command[0], "old.csv", "--values", "qty", "--compact", *command[1:], "-q",
                          "-o", "y.gkt")
            self.assertEqual(self.labels("y.gkt"), self.labels("t.gkt"))
        facts = self.run_json("info", "old.csv", "--values", "qty", "--compact")
        self.assertEqual((facts["dimensions"], facts["dimensions_before"]),
                         ([6, 4, 4], [18288, 90211, 52]))

    def test_goes_on_from_a_checkpoint(self):
        self.made("m.gkt", "--checkpoint", "run.gkt", "--max-iterations", 2)
        self.made("n.gkt", "--resume", "run.gkt", "--max-iterations", 3)
        done = self.run_tool("decompose", "old.csv", "--values", "qty", "--resume", "run.gkt", "-q",
                             "-o", "n.gkt", expect=FILE_TROUBLE)
        self.assertIn("genten: run.gkt: the run was made with --compact: its tensor is 6 x 4 x 4, "
                      "and old.csv is 18288 x 90211 x 52 without it\n", done.stderr)
        self.run_tool("decompose", "old.csv", "--values", "qty", "--rank", 1, "-q", "-o", "x.gkt",
                      "--max-iterations", 1, "--checkpoint", "plain.gkt")
        done = self.run_tool("decompose", "old.csv", "--values", "qty", "--compact", "--resume",
                             "plain.gkt", "-q", "-o", "n.gkt", expect=FILE_TROUBLE)
        self.assertIn("plain.gkt: the run was made without --compact: its tensor is 18288 x 90211 "
                      "x 52, and old.csv is 6 x 4 x 4 with it\n", done.stderr)


class Beside(Ids):
    """Ids beside a model are names, whatever file they are in."""

    def test_are_predicted(self):
        self.made()
        known = "17850,71053,49\n12350,22423,50\n"
        self.write("at.csv", "customer,item,week\n" + known)
        self.write("at.txt", known.replace(",", " "))
        told = self.run_tool("predict", "m.gkt", "at.csv").stdout.splitlines()[1:]
        text = self.run_tool("predict", "m.gkt", "at.txt").stdout.splitlines()
        self.assertEqual([line.replace(",", " ") for line in told], text)
        self.assertTrue(text[0].startswith("17850 71053 49 "))
        self.run_tool("predict", "m.gkt", "at.txt", "-o", "p.txt")
        self.assertEqual((self.directory / "p.txt").read_text().split()[2:5],
                         ["17850", "71053", "50"])

    def test_need_no_row_0(self):
        """It does not matter from where they count."""
        self.write("n.csv", "customer,item,n\n1,1,5\n2,7,3\n7,7,1\n2,1,4\n")
        self.run_tool("decompose", "n.csv", "--values", "n", "--compact", "--rank", 1, "-q", "-o",
                      "n.gkt")
        for command in (("evaluate", "n.gkt", "n.csv"),
                        ("project", "n.gkt", "n.csv", "--mode", "customer")):
            self.assertNotIn("row 0", self.run_tool(*command).stdout)

    def test_that_the_model_lacks_are_refused_with_their_line(self):
        self.made()
        way = ("or give the model new rows, by genten update, or from all data by genten decompose "
               "ALL --compact --init m.gkt --modes customer,item,week --values qty -o NEW\n")
        skip = "; leave such entries out by --unknown skip, "
        leave = "; remove such entries from the file, "
        self.write("at.csv", "customer,item,week\n17850,71053,49\n4,71053,49\n")
        self.write("at.txt", "# entries\n17850 71053 49\n\n4 71053 49\n")
        for name, line in (("at.csv", 3), ("at.txt", 4)):
            done = self.run_tool("predict", "m.gkt", name, expect=FILE_TROUBLE)
            self.assertEqual(done.stderr, f'genten: mode 1 (customer): {name} has a row that m.gkt '
                             f'lacks: "4", in line {line}; 1 of 2 entries is in such rows'
                             + skip + way)
        how = 'new.csv has rows that m.gkt lacks: "19000", "19002"'
        done = self.run_tool("evaluate", "m.gkt", "new.csv", "--values", "qty", expect=FILE_TROUBLE)
        self.assertIn(how + '; mode 3 (week): "52"; 4 of 4 entries are in such rows; '
                      + way.removeprefix("or "), done.stderr)
        done = self.run_tool("project", "m.gkt", "new.csv", "--values", "qty", "--mode", "week",
                             expect=FILE_TROUBLE)
        self.assertIn(how + "; 2 of 4 entries are in such rows" + leave + way, done.stderr)

    def test_that_the_model_lacks_are_left_out_where_asked(self):
        self.made()
        self.write("at.csv", "customer,item,week\n17850,71053,49\n4,71053,49\n12350,22423,50\n"
                   "9,71053,99\n")
        self.write("known.csv", "customer,item,week\n17850,71053,49\n12350,22423,50\n")
        known = self.run_tool("predict", "m.gkt", "known.csv").stdout
        note = ("genten: note: at.csv: 2 of 4 entries are left out, in rows that m.gkt lacks; "
                'mode 1 (customer): "4", "9"; mode 3 (week): "99"\n')
        done = self.run_tool("predict", "m.gkt", "at.csv", "--unknown", "skip")
        self.assertEqual((done.stdout, done.stderr), (known, note))
        found = self.run_json("predict", "m.gkt", "at.csv", "--unknown", "skip", "-o", "p.csv")
        self.assertEqual((found["entries"], found["unknown_entries"]), (2, 2))
        self.write("at.txt", "17850 71053 49\n4 71053 49\n12350 22423 50\n")
        done = self.run_tool("predict", "m.gkt", "at.txt", "--unknown", "skip")
        self.assertEqual(done.stdout, known.split("\n", 1)[1].replace(",", " "))
        held = [(17850, 71053, 49, 7), (12350, 22423, 50, 5)]
        self.write("held.csv", table(held))
        self.write("more.csv", table([*held, (4, 71053, 49, 1)]))
        of_known = self.run_json("evaluate", "m.gkt", "held.csv", "--values", "qty")
        of_all = self.run_json("evaluate", "m.gkt", "more.csv", "--values", "qty", "--unknown",
                               "skip")
        self.assertEqual((of_known["unknown_entries"], of_all["unknown_entries"]), (0, 1))
        for name in ("fit", "listed", "all"):
            self.assertEqual(of_known[name], of_all[name])
        self.write("none.csv", "customer,item,week\n4,71053,49\n")
        done = self.run_tool("predict", "m.gkt", "none.csv", "--unknown", "skip",
                             expect=FILE_TROUBLE)
        self.assertIn("genten: none.csv: no entry is left: 1 of 1 entry is in rows that m.gkt "
                      'lacks; mode 1 (customer): "4"; give the model new rows, by genten update',
                      done.stderr)

    def test_need_no_option_beside_a_model(self):
        self.made()
        for command in ("predict", "evaluate", "update"):
            done = self.run_tool(command, "m.gkt", "new.csv", "--compact", expect=WRONG_USAGE)
            self.assertIn(f"unknown option --compact: genten {command} looks ids up by itself, "
                          "where the model was made with --compact\n", done.stderr)

    def test_are_evaluated_and_projected(self):
        self.made()
        self.write("old.tns", "".join(f"{c} {i} {w} {q}\n" for c, i, w, q in self.rows))
        fits = [self.run_json("evaluate", "m.gkt", *file)["fit"]
                for file in (("old.csv", "--values", "qty"), ("old.tns",))]
        self.assertEqual(fits[0], fits[1])
        self.assertGreater(fits[0], 0.8)
        self.write("late.csv", table([(17850, 84029, 60, 5), (12350, 90210, 60, 10)]))
        found = self.run_json("project", "m.gkt", "late.csv", "--values", "qty", "--mode", "week")
        self.assertEqual([row["row"] for row in found["rows"]], ["60"])

    def test_of_a_new_week_become_rows(self):
        for name, text in (("new.csv", table(self.new)),
                           ("new.tns", "".join("{} {} {} {}\n".format(*row)
                                               for row in self.new))):
            self.write(name, text)
            self.made()
            values = ("--values", "qty") if name == "new.csv" else ()
            done = self.run_tool("update", "m.gkt", name, *values, "--mode", 3)
            self.assertIn("1 slice, 4 nonzeros, ", done.stdout)
            self.assertIn(", 2 new rows in mode 1\n", done.stdout)
            told = self.read_json("m.gkt.labels.json")
            self.assertEqual(told["labels"][0], [*BY_COMPACT, "19000", "19002"])
            self.assertEqual((told["labels"][2][-1], told["number_names"]), ("52", [1, 2, 3]))
            self.run_tool("predict", "m.gkt", name)
            done = self.run_tool("update", "m.gkt", name, *values, expect=FILE_TROUBLE)
            self.assertIn('slice "52" is in m.gkt already', done.stderr)

    def test_of_new_customers_go_through_a_guess(self):
        self.made()
        self.write("all.csv", table(self.rows + self.new))
        begin = ("decompose", "all.csv", "--values", "qty", "--init", "m.gkt", "-q", "-o", "n.gkt")
        done = self.run_tool(*begin, "--compact")
        self.assertIn('all.csv has rows that m.gkt lacks: "19000", "19002"; these begin at',
                      done.stderr)
        self.assertEqual(self.labels("n.gkt")[0], [*BY_COMPACT, "19000", "19002"])
        self.assertEqual(self.run_tool(*begin, expect=FILE_TROUBLE).stderr,
                         'genten: mode 1 (customer): the rows of m.gkt have names, such as '
                         '"12346", and all.csv has numbers: expected --compact, by which numbers '
                         "are names\n")
        done = self.run_tool("decompose", "new.csv", "--values", "qty", "--compact", "--init",
                             "m.gkt", "-q", "-o", "x.gkt", expect=FILE_TROUBLE)
        self.assertIn(": expected all data, old and new; genten update takes new slices alone\n",
                      done.stderr)
        self.run_tool("decompose", "old.csv", "--values", "qty", "--rank", 1, "-q", "-o", "p.gkt")
        done = self.run_tool("decompose", "old.csv", "--values", "qty", "--compact", "--init",
                             "p.gkt", "-q", "-o", "x.gkt", expect=FILE_TROUBLE)
        self.assertIn("mode 1 (customer): the rows of old.csv go by names, by --compact, and p.gkt "
                      "has none: leave out --compact, or begin at a model that was made with it\n",
                      done.stderr)

    def test_go_through_a_guess_of_a_tucker_model(self):
        tucker = ("tucker", "old.csv", "--values", "qty", "-q", "-o")
        self.run_tool(*tucker, "t.gkt", "--compact", "--ranks", "2,2,2")
        tucker += ("x.gkt",)
        self.run_tool(*tucker, "--compact", "--init", "t.gkt")
        self.assertIn("expected --compact, by which numbers are names",
                      self.run_tool(*tucker, "--init", "t.gkt", expect=FILE_TROUBLE).stderr)

    def test_of_missing_entries_are_names(self):
        self.write("gap.csv", "customer,item,week\n17850,71053,49\n")
        self.write("gap.txt", "17850 71053 49\n")
        for name in ("gap.csv", "gap.txt"):
            self.made(name + ".gkt", "--missing", name, "--ridge", 0.1)
            found = self.run_json("evaluate", name + ".gkt", "old.csv", "--values", "qty")
            self.assertEqual(found["all"]["entries"], 6 * 4 * 4 - 1)
        self.assertEqual((self.directory / "gap.csv.gkt").read_bytes(),
                         (self.directory / "gap.txt.gkt").read_bytes())
        self.write("gap.csv", "customer,item,week\n17850,71053,49\n5,71053,49\n")
        done = self.run_tool("decompose", "old.csv", "--values", "qty", "--compact", "--rank", 1,
                             "-q", "-o", "x.gkt", "--missing", "gap.csv", expect=FILE_TROUBLE)
        self.assertIn('gap.csv has a row that old.csv lacks: "5", in line 3; 1 of 2 entries is in '
                      "such rows; leave out entries of rows of which nothing is known\n",
                      done.stderr)


class WithoutNames(Ids):
    """Numbers that are no names: rows that nobody has met are noted."""

    def setUp(self):
        super().setUp()
        self.run_tool("decompose", "old.csv", "--values", "qty", "--rank", 1, "-q", "-o", "m.gkt")
        self.note = ("genten: note: {}: mode 1 (customer): 1 entry is in rows of {} that {}: "
                     "nothing is known of 17\n")
        self.zero = ("m.gkt", "are zero, as those without nonzeros in its data are")

    def test_in_lists_of_missing_entries(self):
        self.write("gap.csv", "customer,item,week\n17,71053,49\n")
        run = ("old.csv", "--values", "qty", "-q", "--missing", "gap.csv")
        self.assertIn(self.note.format("gap.csv", "old.csv", "have no nonzeros"), self.run_tool(
            "decompose", *run, "--rank", 1, "-o", "x.gkt").stderr)
        self.assertIn(self.note.format("gap.csv", *self.zero),
                      self.run_tool("evaluate", "m.gkt", *run).stderr)
        self.assertIn(self.note.format("gap.csv", *self.zero), self.run_tool(
            "project", "m.gkt", *run, "--mode", "week", "-o", "x.gkt").stderr)

    def test_in_entries(self):
        self.write("at.csv", table([(17, 71053, 49, 3)]))
        self.write("at.txt", "17 71053 49\n")
        for command in (("predict", "at.csv"), ("predict", "at.txt", "--index-base", 0),
                        ("evaluate", "at.csv", "--values", "qty"),
                        ("project", "at.csv", "--values", "qty", "--mode", "week")):
            self.assertIn(self.note.format(command[1], *self.zero),
                          self.run_tool(command[0], "m.gkt", *command[1:]).stderr)


class OneOfBoth(Ids):
    """Rows that --compact has numbered anew, beside rows that go by their numbers."""

    def test_is_refused(self):
        self.run_tool("decompose", "old.csv", "--values", "qty", "--rank", 1, "-q", "-o", "p.gkt")
        self.made()
        why = ("genten: mode {}: {} calls its rows by numbers, such as \"{}\", as --compact has "
               "them, and those of {} have no names: expected both with --compact or both "
               "without\n")
        for made in ("c.tns", "c.gtn"):
            self.run_tool("convert", "old.csv", made, "--values", "qty", "--compact", "-q")
            customer = why.format("1 (customer)", made, 12346, "p.gkt")
            for command in (("evaluate", made), ("predict", made), ("project", made, "--mode", 3),
                            ("update", made, "--mode", 3, "-o", "x.gkt")):
                done = self.run_tool(command[0], "p.gkt", *command[1:], expect=FILE_TROUBLE)
                self.assertIn(customer, done.stderr)
            item = why.format("2 (item)", made, 22423, "p.gkt")
            done = self.run_tool("project", "p.gkt", made, "--mode", 1, expect=FILE_TROUBLE)
            self.assertIn(item, done.stderr)
        customer = why.format("1 (customer)", "m.gkt", 12346, "p.gkt")
        for pair in (("p.gkt", "m.gkt"), ("m.gkt", "p.gkt")):
            self.assertIn(customer, self.run_tool("compare", *pair, expect=FILE_TROUBLE).stderr)
        self.run_tool("convert", "old.csv", "p.gtn", "--values", "qty", "-q")
        done = self.run_tool("decompose", "p.gtn", "--rank", 1, "--missing", "c.tns", "-q", "-o",
                             "x.gkt", expect=FILE_TROUBLE)
        self.assertIn(why.format("1 (customer)", "c.tns", 12346, "p.gtn"), done.stderr)

    def test_is_told_with_the_option(self):
        self.made()
        self.write("at.csv", table([(19000, 22423, 50, 4)]))
        done = self.run_tool("predict", "m.gkt", "at.csv", expect=FILE_TROUBLE)
        self.assertIn("\"19000\", in line 2; 1 of 1 entry is in such rows; "
                      "give the model new rows, by genten update, or from "
                      "all data by genten decompose ALL --compact --init m.gkt", done.stderr)
        self.assertRegex(done.stderr, r" --init m\.gkt.* -o NEW\n")

    def test_prints_binary_entries_as_they_are_looked_up(self):
        self.made()
        customer, item, week, _ = self.rows[0]
        self.write("at.txt", f"{customer} {item} {week} 1\n")
        self.run_tool("convert", "at.txt", "at.gtn", "-q")
        self.run_tool("predict", "m.gkt", "at.gtn", "-o", "p.csv")
        self.assertIn(f"\n{customer},{item},{week},", (self.directory / "p.csv").read_text())

    def test_looks_up_all_names_of_text_where_one_mode_has_ids(self):
        self.write("t.csv", "who,what,n\n" + "".join(
            f"{who},{what},{who % 7 + len(what)}\n" for who in CUSTOMERS
            for what in ("2", "5A", "7")))
        self.run_tool("decompose", "t.csv", "--values", "n", "--compact", "--rank", 1, "-q", "-o",
                      "t.gkt")
        self.write("at.csv", "who,what\n12350,2\n12350,7\n")
        self.write("at.txt", "12350 2\n12350 7\n")
        values = [[line.replace(",", " ").split()[-1] for line in
                   self.run_tool("predict", "t.gkt", file).stdout.strip().splitlines()]
                  for file in ("at.csv", "at.txt")]
        self.assertEqual(values[0][1:], values[1])
        self.write("at.txt", "12350 3\n")
        self.assertIn('lacks: "3"',
                      self.run_tool("predict", "t.gkt", "at.txt", expect=FILE_TROUBLE).stderr)


class Runs(Ids):
    """What a model's run says of new data."""

    def test_names_the_column_of_values(self):
        self.made()
        self.assertEqual(self.read_json("m.gkt.labels.json")["run"]["values"], "qty")
        week = table(self.new)
        self.write("new.csv", week)
        named = self.run_tool("update", "m.gkt", "new.csv", "--values", "qty", "--mode", "week",
                              "-o", "a.gkt")
        taken = self.run_tool("update", "m.gkt", "new.csv", "--mode", "week", "-o", "b.gkt")
        self.assertEqual(named.stdout.replace("a.gkt", "b.gkt"), taken.stdout)
        self.assertEqual(self.read_json("b.gkt.labels.json")["run"]["values"], "qty")
        self.write("ones.csv", "customer,item,week\n17850,22423,53\n")
        for command in (("update", "-o", "c.gkt"), ("project",)):
            run = (command[0], "m.gkt", "ones.csv", "--mode", "week", *command[1:])
            done = self.run_tool(*run, expect=FILE_TROUBLE)
            self.assertIn("ones.csv:1: expected a column with the values beside those of the "
                          "modes, as \"qty\" in the run, got customer, item, week; --modes "
                          "customer,item,week counts its rows\n", done.stderr)
            self.run_tool(*run, "--run", "none")
        self.write("other.csv", table(self.rows))
        errors = [self.run_json("evaluate", "m.gkt", "other.csv", *given)["listed"]["rmse"]
                  for given in ((), ("--values", "qty"))]
        self.assertEqual(*errors)

    def test_is_told_where_a_run_that_begins_there_is_without(self):
        self.made("n.gkt", "--nonnegative", "all", "--ridge", "0.5")
        run = ("decompose", "old.csv", "--values", "qty", "--compact", "--init", "n.gkt", "-q",
               "-o", "x.gkt")
        self.assertIn("genten: note: n.gkt was made with --nonnegative all --ridge 0.5, "
                      "and this run is without: add these to go on as before\n",
                      self.run_tool(*run).stderr)
        self.assertNotIn("was made with", self.run_tool(
            *run, "--nonnegative", "all", "--ridge", ".5").stderr)
        self.made("p.gkt", "--loss", "poisson")
        done = self.run_tool(*run[:6], "p.gkt", *run[7:])
        self.assertIn("p.gkt was made with --loss poisson, and", done.stderr)

    def test_is_in_the_line_that_makes_the_model_again(self):
        self.made("m.gkt", "--json", "m.json")
        self.assertTrue(self.read_json("m.json")["options"]["compact"])


class OddNames(Ids):
    """What `update` says of the names of a file."""

    def test_are_columns_in_another_order(self):
        self.made()
        self.write("swap.csv", "item,customer,week,qty\n17850,22423,53,2\n13047,71053,53,4\n")
        self.run_tool("convert", "swap.csv", "swap.tns", "--values", "qty", "-q")
        self.write("plain.tns", "".join(f"{item} {customer} 53 2\n" for customer, item in
                                        zip(CUSTOMERS, ITEMS)))
        done = self.run_tool("update", "m.gkt", "plain.tns", "--mode", "week", "-o", "x.gkt",
                             expect=FILE_TROUBLE)
        self.assertIn("plain.tns: m.gkt has none of its rows of mode 1 (customer), and ",
                      done.stderr)
        self.assertIn("of mode 2 (item) are called as rows of that mode: are the columns of mode 1 "
                      "(customer) and mode 2 (item) swapped?", done.stderr)
        self.assertFalse((self.directory / "x.gkt").exists())
        self.write("plain.tns", "9 8 53 2\n7 6 53 2\n")
        done = self.run_tool("update", "m.gkt", "plain.tns", "--mode", "week", "-o", "x.gkt")
        self.assertIn("plain.tns: the model has met none of its rows of mode 1 (customer) and "
                      "mode 2 (item): are its columns in another order?", done.stdout)

    def test_are_numbers_in_a_mode_of_texts(self):
        self.write("days.csv", "who,what,day,n\n" + "".join(
            f"{who},{what},2024-0{day}-01,{day + len(what)}\n" for who in ("ann", "bob")
            for what in ("tea", "milk") for day in (1, 2, 3)))
        self.run_tool("decompose", "days.csv", "--values", "n", "--rank", 1, "-q", "-o", "d.gkt")
        self.write("new.tns", "1 1 1 4\n2 2 1 5\n")
        done = self.run_tool("update", "d.gkt", "new.tns", "--mode", "day", "-o", "x.gkt")
        self.assertIn("new.tns: its slices have no names, and are called by numbers in mode 3 "
                      "(day), the first \"3\"", done.stdout)

    def test_of_streams_are_no_secret_to_info(self):
        self.made()
        self.run_tool("update", "m.gkt", "new.csv", "--mode", "week", "-o", "u.gkt")
        self.assertEqual(self.run_tool("info", "u.gkt").stdout,
                         self.run_tool("show", "u.gkt", "--top", 0).stdout)

    def test_of_slices_are_rows_of_another_mode(self):
        self.made()
        self.write("swap.csv", "customer,item,week,qty\n53,22423,17850,2\n53,71053,13047,4\n")
        update = ("update", "m.gkt", "swap.csv", "--mode", "week", "-o", "x.gkt", "--values", "qty")
        done = self.run_tool(*update, expect=FILE_TROUBLE)
        self.assertIn("swap.csv: m.gkt has none of its rows of mode 1 (customer), and 2 of its 2 "
                      "slices are called as rows of that mode: are the columns of mode 1 "
                      "(customer) and mode 3 (week) swapped?", done.stderr)
        self.assertFalse((self.directory / "x.gkt").exists())
        self.write("swap.csv", "week,item,customer,qty\n53,22423,17850,2\n53,71053,13047,4\n")
        self.run_tool(*update)


class AlikeNames(ToolTest):
    """Names that somebody may have meant to be the same."""

    NOTE = ('mode 2 (item) has 2 names that differ from another only by blanks, by '
            'case or by zeros before a number, as "Milk " and "milk": each has a row of its own')

    def setUp(self):
        super().setUp()
        self.write("t.csv", "user,item,n\nann,milk,1\nbob,Milk ,2\nbob,MILK,3\nann,tea,4\n")

    def test_of_a_model_are_noted_where_rows_are_new(self):
        self.run_tool("decompose", "t.csv", "--rank", 1, "--values", "n", "-q", "-o", "m.gkt")
        self.write("new.csv", "user,item,n\nBob,tea,4\nbob,Tea,1\nbob,MILK,1\n")
        done = self.run_tool("update", "m.gkt", "new.csv", "--mode", "user", "-o", "x.gkt",
                             expect=FILE_TROUBLE)
        self.assertIn("(mode 1 (user)): expected the file to", done.stderr)
        self.write("new.csv", "user,item,n\nBob,tea,4\nBob,Tea,1\nBob,MILK,1\n")
        done = self.run_tool("update", "m.gkt", "new.csv", "--mode", "user", "-o", "x.gkt")
        for mode, names in (("mode 1 (user)", '"bob" and "Bob"'), ("mode 2 (item)", '"tea" and '
                                                                  '"Tea"')):
            self.assertIn(f"note      new.csv: {mode} has 1 new name that differs from a known one "
                          "only by blanks, by case or by zeros before a number, as "
                          f"{names}: each has a row of its own", done.stdout)

    def test_are_noted_once(self):
        for command in (("info",), ("decompose", "--rank", 1), ("tucker", "--ranks", "1,1"),
                        ("rank", "--ranks", "1,2"), ("convert", "t.gtn")):
            done = self.run_tool(command[0], "t.csv", *command[1:], "--values", "n")
            told = done.stdout + done.stderr
            self.assertEqual(told.count("differ from another only"), 1, told)
        done = self.run_tool("decompose", "t.csv", "--rank", 1, "--values", "n", "-q", "-o",
                             "m.gkt")
        self.assertIn(self.NOTE.split(", as")[0], done.stderr)
        self.assertNotIn("differ", self.run_tool("info", "t.csv", "--modes", "user").stdout)

    def test_words_for_missing_values_are_noted_as_names(self):
        self.write("q.csv", '"user","item","n"\n"ann","NULL","1"\n"bob","tea","2"\n'
                            '"N/A","nan","3"\n"ann","tea","4"\n')
        note = ('mode 1 (user) has a row called "N/A"; mode 2 (item) has rows called "NULL", '
                '"nan": such a word is a name; where it stands for a missing value, '
                "leave its entries out\n")
        for command in (("info",), ("decompose", "--rank", 1), ("tucker", "--ranks", "1,1"),
                        ("rank", "--ranks", "1,2"), ("convert", "q.gtn")):
            done = self.run_tool(command[0], "q.csv", *command[1:], "--values", "n")
            self.assertEqual((done.stdout + done.stderr).count(note), 1, command)
        self.assertNotIn("in quotes", self.run_tool("info", "t.csv", "--values", "n").stdout)
        for codes, is_told in (("NA AO BW DE FR IT PL TZ ZA ZM", False),
                               ("NA AO BW DE FR IT PL TZ ZA Zambia", True)):
            self.write("c.csv", "country,n\n" + "".join(f'"{c}",1\n' for c in codes.split()))
            told = self.run_tool("info", "c.csv", "--values", "n").stdout
            self.assertEqual('has a row called "NA"' in told, is_told)

    def test_have_quotes_where_blanks_end_them(self):
        told = self.run_tool("decompose", "t.csv", "--values", "n", "--rank", 1, "--top", 4).stdout
        self.assertRegex(told, r'"Milk "')
        self.assertRegex(told, r"(?m) MILK\b")


if __name__ == "__main__":
    unittest.main()
