#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Notes of the tool on tensors and results that are not what one would think, in text and JSON, and
its hints at what was meant."""
import unittest

from cli_support import (ADMISSIONS, FAILURE, FILE_TROUBLE, TITANIC, TITANIC_LABELS, WRONG_USAGE,
                         ToolTest)

RUN = ("decompose", TITANIC, "--rank", 2)

# Ids of nine digits: few of the rows that they make are used.
IDS = "".join(f"{i} 1200000{i} {1 + i % 2} {i}\n" for i in range(1, 10))
WAY = ("if subscripts are ids, --compact makes rows of those that occur, and names of the ids")
NOTE = f"mode 2 has 12000009 rows, of which 9 hold nonzeros: {WAY}"


class LongModes(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("ids.tns", IDS)

    def test_are_noted_once(self):
        for command in (("info",), ("decompose", "--rank", 1, "--max-iterations", 1)):
            text = self.run_tool(command[0], "ids.tns", *command[1:]).stdout
            self.assertEqual(text.count("--compact"), 1, text)
            self.assertRegex(text, rf"\nnote +{NOTE}\n")
            result = self.run_json(command[0], "ids.tns", *command[1:])
            self.assertIn(NOTE.replace("mode", "Mode", 1) + ".", result["warnings"])

    def test_what_the_note_says_helps(self):
        self.run_tool("convert", "ids.tns", "compact.tns", "--compact")
        for command in (("info",), ("decompose", "--rank", 1), ("tucker", "--ranks", "1,1,1"),
                        ("rank", "--ranks", "1,2")):
            for given in (("compact.tns",), ("ids.tns", "--compact")):
                text = self.run_tool(command[0], *given, *command[1:]).stdout
                self.assertNotIn("--compact", text)
                self.assertIn("9 x 9 x 2, 9 nonzeros", text)

    def test_are_those_with_ten_rows_for_each_that_is_used(self):
        rows = 1_000
        self.write("long.tns", f"1 {rows} 1\n")
        self.assertIn("of which 1 holds", self.run_tool("info", "long.tns").stdout)
        self.write("short.tns", f"1 {rows - 1} 1\n")
        self.assertNotIn("note", self.run_tool("info", "short.tns").stdout)
        for used, times in ((100, 1), (101, 0)):
            lines = [f"1 {i} 1\n" for i in range(1, used)] + [f"1 {rows} 1\n"]
            self.write("used.tns", "".join(lines))
            for command in (("info",), ("decompose", "--rank", 1, "--max-iterations", 1)):
                text = self.run_tool(command[0], "used.tns", *command[1:]).stdout
                self.assertEqual(text.count(f"of which {used} hold nonzeros"), times, text)

    def test_of_tables_are_named_with_the_ways_out(self):
        # 50 films of up to 200,000; and times in seconds, one each.
        rows = [(user, 4000 * (1 + (user * 7 + k) % 50), 1 + user % 5,
                 1_700_000_000 + 31 * user + k) for user in range(40) for k in range(5)]
        self.write("r.csv", "user,film,stars,time\n" +
                   "".join(",".join(map(str, row)) + "\n" for row in rows))
        of_film = "mode 2 (film) has 200001 rows, of which 50 hold nonzeros"
        values = ("--values", "stars")
        said = (f"{of_film}; mode 3 (time) has 1700001214 rows, of which 200 hold nonzeros: where "
                f"a column is no mode, name the others, as in --modes user,film; {WAY}")
        for command in (("decompose", "--rank", 200), ("tucker", "--ranks", "20,20,20"),
                        ("rank", "--ranks", "200,201")):
            done = self.run_tool(command[0], "r.csv", *values, *command[1:], expect=FAILURE)
            self.assertRegex(done.stderr, "needs .* of memory")
            self.assertIn("; it is so much because " + said, done.stderr)
        self.assertIn(said, self.run_tool("info", "r.csv", *values).stdout)
        run = ("decompose", "r.csv", *values, "--rank", 2, "--modes", "user,film")
        self.assertIn(of_film + ": if subscripts", self.run_tool(*run).stdout)


class RoundedNumbers(ToolTest):
    TOLD = ("values, the first in line 4, are whole numbers beyond 2^53 that double precision does "
            "not have, and were rounded: numbers that stand for something, as ids do, are "
            "subscripts and no values")

    def test_are_told_of_with_the_first_line(self):
        values = ("1", "-9007199254740992", "9007199254740993", "9007199254740993.5", "1e30",
                  "90071992547409931234567", "+9007199254740996", "00000000000000000012")
        lines = [f"{i},a{i},{value}\n" for i, value in enumerate(values)]
        self.write("t.csv", "i,a,n\n" + "".join(lines))
        self.write("t.tns", "# a comment\n" + "".join(f"{i} 0 {value}\n"
                                                      for i, value in enumerate(values)))
        for file, *options in (("t.csv", "--values", "n"), ("t.tns", "--index-base", 0)):
            run = ("decompose", file, *options, "--rank", 1, "--max-iterations", 1)
            self.assertIn("2 " + self.TOLD, self.run_tool(*run).stdout)
            self.assertIn("2 " + self.TOLD, self.run_tool("info", file, *options).stdout)
            self.assertNotIn("2^53", self.run_tool(*run, "--precision", "float").stdout)
        self.write("t.tns", "1 1 9007199254740992\n1 2 9007199254740994\n")
        self.assertNotIn("2^53", self.run_tool("info", "t.tns").stdout)


class Results(ToolTest):
    def notes(self, *arguments):
        text = self.run_tool("decompose", TITANIC, "--rank", 2, *arguments).stdout
        return [line[4:].strip() for line in text.splitlines() if line.startswith("note ")]

    def warnings(self, *arguments):
        return self.run_json("decompose", TITANIC, "--rank", 2, *arguments)["warnings"]

    def test_sums_of_what_is_measured_are_told_of(self):
        self.write("stars.tns", "1 1 5\n2 2 1\n1 2 3\n1 1 4\n")
        run = ("decompose", "stars.tns", "--rank", 1, "--missing", "unlisted")
        told = "1 entry lies at the same subscripts as another, and sums count as known values"
        self.assertIn(told, self.run_tool(*run).stdout)
        note, = (n for n in self.run_json(*run)["notes"] if n["code"] == "merged_entries")
        self.assertEqual(note["numbers"], {"entries": 1.0})
        for rest in ((*run, "--duplicates", "mean"), run[:-2]):
            codes = [note["code"] for note in self.run_json(*rest)["notes"]]
            self.assertNotIn("merged_entries", codes)

    def test_good_ones_have_none(self):
        self.assertEqual(self.notes(), [])
        self.assertEqual(self.warnings(), [])

    def test_bounds_that_keep_the_data_out(self):
        arguments = ("--lower", 1000, "--upper", 1001)
        result = self.run_json("decompose", TITANIC, "--rank", 2, *arguments)
        self.assertLess(result["fit"], -1e6)
        note = (f"a fit of {result['fit']:.3g} is no better than that of a model of zeros: "
                "lower bounds and upper bounds may keep the factors from where the data are")
        self.assertIn(note, self.notes(*arguments))
        self.assertIn(note.replace("a", "A", 1) + ".", result["warnings"])

    def test_penalties_that_leave_nothing(self):
        notes = self.notes("--l1", 1e9)
        self.assertTrue(any(note.startswith("a fit of 0 is no better") and
                            "an l1 penalty may" in note for note in notes), notes)

    def test_a_fit_that_explains_hardly_anything(self):
        notes = self.notes("--upper", 0.1, "--tolerance", 1e-9)
        self.assertTrue(any("explains hardly anything: upper bounds may" in note for note in notes),
                        notes)

    def test_all_notes_are_in_the_json(self):
        arguments = ("--tolerance", 1, "--l1", 1e9)
        notes, warnings = self.notes(*arguments), self.warnings(*arguments)
        self.assertIn("2 components are zero", notes)
        self.assertEqual([note[0].upper() + note[1:] + "." for note in notes], warnings)

    def test_limits_are_in_the_json(self):
        before = "was reached before the run converged to the tolerance, 0.0001"
        self.assertEqual(self.warnings("--max-iterations", 3),
                         [f"The iteration limit, 3, {before}."])
        self.assertEqual(self.warnings("--time-limit", 1e-9),
                         [f"The time limit, 1e-09 s, {before}."])
        self.assertEqual(self.notes("--max-iterations", 3),
                         [f"the iteration limit, 3, {before}"])
        self.assertEqual(self.notes("--max-iterations", 3, "--tolerance", 0), [])

    def degenerate(self, *arguments, expected=True):
        """Two slices of de Silva and Lim's tensor, which no best model of rank 2 has."""
        self.write("border.tns", "2 1 1 1\n1 2 1 1\n1 1 2 1\n")
        result = self.run_json("decompose", "border.tns", "--rank", 2, "--tolerance", 1e-12,
                               "--max-iterations", 3000, *arguments)
        codes = [note["code"] for note in result["notes"]]
        self.assertEqual("degenerate" in codes, expected, codes)
        return result

    def test_degenerate_models_are_told_of(self):
        result = self.degenerate()
        note = result["notes"][[one["code"] for one in result["notes"]].index("degenerate")]
        self.assertGreater(result["weights"][0], 2 * result["tensor_norm"])
        self.assertEqual(note["numbers"]["components"], 2)
        self.assertAlmostEqual(note["numbers"]["ratio"],
                               result["weights"][0] / result["tensor_norm"], 6)
        self.assertIn("nonnegative factors cannot cancel, and the data have no negative value",
                      note["text"])
        self.assertIn(note["text"], result["warnings"])
        self.degenerate("--nonnegative", "all", expected=False)
        self.degenerate("--ridge", 0.1, expected=False)


class AbsentFiles(ToolTest):
    def hint(self, *arguments):
        """What stands behind the message that there is no such file."""
        error = self.run_tool(*arguments, expect=FILE_TROUBLE).stderr
        _, absent, hint = error.partition(": cannot be opened: No such file or directory")
        self.assertTrue(absent, error)
        return hint.rstrip("\n")

    def test_another_compression_comes_first(self):
        for name in ("counts.tns.zst", "counts.gtn", "count.tns"):
            self.write(name, "1 1 1\n")
        self.assertEqual(self.hint("info", "counts.tns"), "; did you mean counts.tns.zst?")
        self.assertEqual(self.hint("info", "counts.tns.gz"), "; did you mean counts.tns.zst?")
        self.assertEqual(self.hint("info", self.directory / "counts.tns"),
                         f"; did you mean {self.directory}/counts.tns.zst?")

    def test_then_another_form_of_the_same(self):
        self.write("counts.gkt", "")
        self.assertEqual(self.hint("info", "counts.tns"), "")  # that is a model
        self.assertEqual(self.hint("compare", "counts.ktensor", "x"), "; did you mean counts.gkt?")
        self.write("counts.gtn", "")
        self.write("kounts.tns", "")
        self.assertEqual(self.hint("info", "counts.tns"), "; did you mean counts.gtn?")

    def test_names_without_endings_are_of_what_the_command_takes(self):
        self.write("counts.gkt", "")
        self.assertEqual(self.hint("info", "counts"), "")
        self.assertEqual(self.hint("info", "count.gkt"), "")
        self.write("counts.gtn", "")
        for command in (("info", "counts"), ("decompose", "counts", "--rank", 2),
                        ("convert", "counts", "x.tns")):
            self.assertEqual(self.hint(*command), "; did you mean counts.gtn?")
        for command in (("compare", "counts", "x"), ("convert", "--model", "counts", "x.csv"),
                        ("evaluate", "counts", TITANIC), ("predict", "counts", TITANIC),
                        ("decompose", TITANIC, "--init", "counts")):
            self.assertEqual(self.hint(*command), "; did you mean counts.gkt?")
        (self.directory / "counts.gkt").unlink()
        self.assertEqual(self.hint("compare", "counts", "x"), "")

    def test_then_a_name_of_other_letters(self):
        self.write("airports.tns.gz", "")
        for name in ("airport.tns", "airprots.tns", "Airports.tns", "aiports.gtn"):
            self.assertEqual(self.hint("info", name), "; did you mean airports.tns.gz?")
        for name in ("harbours.tns", "airports.csv2", "airports.tns.gz.old"):
            self.assertEqual(self.hint("info", name), "")

    def test_short_names_are_all_alike(self):
        self.write("b.tns", "")
        self.assertEqual(self.hint("info", "a.tns"), "")

    def test_folders_are_no_files(self):
        (self.directory / "counts.gtn").mkdir()
        self.assertEqual(self.hint("info", "counts.tns"), "")
        self.assertEqual(self.hint("info", "there/counts.tns"), "; there is no folder there")

    def test_every_input_has_hints(self):
        self.run_tool(*RUN, "-o", "model.ktensor", "--checkpoint", "saved.gkt")
        self.write("names.labels", "a\nb\nc\nd\n")
        for arguments, meant in (
                (("decompose", TITANIC, "--init", "mode.ktensor"), "model.ktensor"),
                (("decompose", TITANIC, "--resume", "save.gkt"), "saved.gkt"),
                ((*RUN, "--top", 1, "--labels", "name.labels,,,"), "names.labels"),
                (("predict", "model.ktensr", TITANIC), "model.ktensor"),
                (("convert", "--model", "model.gkt", "x.csv"), "model.ktensor")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.hint(*arguments), f"; did you mean {meant}?")


class OtherKinds(ToolTest):
    def setUp(self):
        super().setUp()
        self.run_tool(*RUN, "-o", "m.ktensor", "-q")
        self.run_tool("convert", "--model", "m.ktensor", "m.gkt", "-q")
        self.run_tool("convert", TITANIC, "t.gtn", "-q")

    def said(self, *arguments):
        return self.run_tool(*arguments, expect=FILE_TROUBLE).stderr

    def test_arguments_in_the_wrong_order(self):
        for tensor, where in ((TITANIC, f"{TITANIC}:3"), ("t.gtn", "t.gtn")):
            for model in ("m.ktensor", "m.gkt"):
                for command, names in (("evaluate", "MODEL FILE"), ("predict", "MODEL SUBSCRIPTS")):
                    self.assertRegex(
                        self.said(command, tensor, model),
                        rf"^genten: {where}: expected a model, got a sparse tensor[^\n]*; "
                        rf"genten {command} takes {names}, the model first\n$")

    def test_two_models_are_no_matter_of_order(self):
        for command in ("evaluate", "predict"):
            self.assertEqual(self.said(command, "m.gkt", "m.ktensor"),
                             "genten: m.ktensor:1: expected a sparse tensor, got a model\n")

    def test_compare_takes_two_models(self):
        for pair in ((TITANIC, "m.gkt"), ("m.gkt", TITANIC), ("t.gtn", "m.gkt")):
            self.assertIn("; genten compare takes two models, and genten evaluate MODEL FILE "
                          "compares a model with a tensor\n", self.said("compare", *pair))

    def test_compare_takes_the_larger_model_first(self):
        self.run_tool("decompose", TITANIC, "--rank", 3, "-o", "three.gkt", "-q")
        self.run_tool("compare", "three.gkt", "m.gkt")
        error = self.run_tool("compare", "m.gkt", "three.gkt", expect=WRONG_USAGE).stderr
        self.assertEqual(error, "genten: m.gkt against three.gkt: expected a model of at least the "
                         "reference's 3 components, got 2; the larger one comes first\n")

    def test_commas_and_semicolons_are_no_blanks(self):
        for character, name in ((",", "commas"), (";", "semicolons")):
            self.write("t.csv", "1,1,2.5\n2,2,1\n".replace(",", character))
            self.assertEqual(self.said("info", "t.csv"), "genten: t.csv:1: expected an entry, the "
                             f"order or the word sptensor, got '1{character}1{character}2.5': "
                             f"blanks separate fields, not {name}, except in tables, which begin "
                             "with a line that names the columns: put one before it or, if this "
                             "is that line, name the column of the values by --values\n")
            self.write("t.csv", "1, 1, 2.5\n2, 2, 1\n".replace(",", character))
            self.assertTrue(self.said("info", "t.csv").endswith(
                f": blanks separate fields, not {name}\n"))

    def test_blanks_do_not_separate_the_fields_of_tables(self):
        self.write("t.csv", "a b v\nx y 1\n")
        why = "tables, whose fields are separated by commas, tabs, semicolons or bars (|), not by"
        self.assertTrue(self.said("info", "t.csv", "--values", "v").endswith(
            f"got 'v'; in {why} blanks\n".replace(", whose", "")))
        self.assertIn(f": names are in {why} blanks\n", self.said("info", "t.csv"))

    def test_decimals_of_text_stand_behind_a_point(self):
        self.write("t.tns", "1 1 2.5\n2 2 1,5\n")
        self.assertIn("t.tns:2: expected a number as the value, got '1,5': decimals stand behind a "
                      "point, not a comma\n", self.said("info", "t.tns"))

    def test_a_table_with_an_index_of_pandas(self):
        self.write("t.csv", ",a,b,v\n0,x,y,1\n1,z,y,2\n")
        self.assertEqual(self.said("info", "t.csv", "--values", "v"), "genten: t.csv:1: column 1 "
                         "has no name, as where it holds the numbers of rows: expected a name, or "
                         "the columns that are modes by --modes\n")
        self.run_tool("info", "t.csv", "--values", "v", "--modes", "a,b")

    def test_convert_is_told_which_it_is(self):
        for model in ("m.ktensor", "m.gkt"):
            self.assertRegex(self.said("convert", model, "x.tns"), r"got a model; models are "
                             r"converted to .ktensor, .gkt, .csv or .npz\n$")
        for tensor in (TITANIC, "t.gtn"):
            self.assertRegex(self.said("convert", "--model", tensor, "x.ktensor"),
                             r"got a sparse tensor.*; without --model it is converted as a "
                             r"tensor\n$")

    def test_a_tensor_is_no_guess(self):
        self.assertIn("titanic.tns:3: expected a model, got a sparse tensor: '1' stands where a "
                      "model has the word ktensor\n", self.said(*RUN, "--init", TITANIC))


class LostModels(ToolTest):
    NOTE = "genten: note: the model is not kept: add --output NAME\n"

    def test_are_told_of(self):
        for more in ((), ("--json", "result.json"), ("--json", "-"), ("--print-every", 0)):
            error = self.run_tool(*RUN, *more).stderr
            self.assertEqual(error.count(self.NOTE), 1, more)
            self.assertFalse([name for name in self.files() if name != "result.json"])

    def test_where_the_model_goes_somewhere_nothing_is_said(self):
        for more in (("-o", "m.gkt"), ("--top", 1), ("--checkpoint", "c.gkt"),
                     ("--json", "r.json", "--json-factors"), ("--json", "r.json", "-q")):
            self.assertEqual(self.run_tool(*RUN, *more).stderr, "", more)

    def test_a_quiet_run_for_nothing_is_refused(self):
        for quiet in ("-q", "--quiet"):
            done = self.run_tool(*RUN, quiet, "--seed", 3, expect=WRONG_USAGE)
            self.assertEqual(done.stderr, "genten: --quiet: expected something that the run "
                             "leaves: --output for the model, --json, --top or --checkpoint\n"
                             "Try: genten decompose --help\n")


class LargeRanks(ToolTest):
    EXACT = "more than the 8 with which any tensor of this shape is exact"

    def notes(self, *arguments):
        text = self.run_tool(*arguments).stdout
        return [line[4:].strip() for line in text.splitlines() if line.startswith("note ")]

    def warnings(self, *arguments):
        return self.run_json(*arguments, "-q")["warnings"]

    def test_are_noted(self):
        for command in ("decompose", "info"):
            self.assertIn(f"rank 9 is {self.EXACT}", self.notes(command, TITANIC, "--rank", 9))
            self.assertIn(f"Rank 9 is {self.EXACT}.", self.warnings(command, TITANIC, "--rank", 9))
            for rank in (3, 8):
                self.assertNotIn("any tensor", str(self.notes(command, TITANIC, "--rank", rank)))

    def test_the_one_that_nobody_has_asked_for(self):
        self.assertIn(f"no rank was given, and the default, 16, is {self.EXACT}: give a smaller "
                      "one, as --rank 3", self.notes("decompose", TITANIC))
        self.write("t.tns", "1 1 1 1\n10 9 8 1\n")
        why = ("more than every mode is long, at most 10, so that the columns of each factor "
               "depend on each other: give a smaller one, as --rank 3")
        self.assertIn(f"no rank was given, and the default, 16, is {why}",
                      self.notes("decompose", "t.tns"))
        for rank in (11, 16, 72):
            self.assertNotIn("more than", str(self.notes("decompose", "t.tns", "--rank", rank)))
        self.write("long.tns", "1 1 1 1\n17 9 8 1\n")
        self.assertNotIn("more than", str(self.notes("decompose", "long.tns")))
        self.assertEqual(self.notes("info", TITANIC), [])

    def test_of_guesses_and_checkpoints(self):
        self.run_tool(*RUN[:2], "--rank", 9, "-o", "m.gkt", "--checkpoint", "c.gkt", "-q")
        for option, file in (("--init", "m.gkt"), ("--resume", "c.gkt")):
            self.assertIn(f"rank 9 is {self.EXACT}", self.notes("decompose", TITANIC, option, file))

    def test_of_counts_and_missing_entries(self):
        for more in (("--loss", "poisson"), ("--missing", "unlisted")):
            self.assertIn(f"rank 9 is {self.EXACT}",
                          self.notes("decompose", TITANIC, "--rank", 9, *more))

    def test_constrained_factors_are_not_said_to_be_exact(self):
        for more in (("--nonnegative", "1"), ("--ridge", 1), ("--upper", 3)):
            self.assertNotIn("exact", str(self.notes("decompose", TITANIC, "--rank", 9, *more)))
            notes = self.notes("decompose", TITANIC, *more)
            self.assertTrue(any(note.startswith("no rank was given, and the default, 16, is more "
                                                "than every mode is long") for note in notes))
        self.assertIn("exact", str(self.notes("decompose", TITANIC, "--rank", 9, "--ridge", 0)))

    def test_the_smaller_one_is_not_too_large_itself(self):
        self.write("t.tns", "1 1 1\n2 5 2\n")
        self.assertIn("give a smaller one, as --rank 2", str(self.notes("decompose", "t.tns")))

    def test_labels_change_nothing(self):
        self.assertIn(f"rank 9 is {self.EXACT}", self.notes(
            "decompose", TITANIC, "--rank", 9, "--top", 1, "--labels", TITANIC_LABELS))


class Trust(ToolTest):
    def test_known_answers(self):
        result = self.run_json("decompose", ADMISSIONS, "--rank", 1, "--loss", "poisson",
                               "--standard-errors", "--json-factors", "--tolerance", "1e-10",
                               "--quiet", "--top", 1)
        errors = result["standard_errors"]
        self.assertEqual(errors["information"], "whole")
        self.assertTrue(errors["determined"])
        self.assertAlmostEqual(errors["weights"][0], 67.2755528, places=6)
        self.assertAlmostEqual(errors["factors"][0][0][0], 0.00724244, places=7)
        self.assertIsNone(errors["upper_limits"][0][0][0])
        self.assertAlmostEqual(result["top"][0]["standard_error"], 67.2755528, places=6)
        self.assertNotIn("stability", result)
        self.assertIn("error_bars", result["timings"])
        total = sum(seconds for phase, seconds in result["timings"].items() if phase != "total")
        self.assertAlmostEqual(total, result["timings"]["total"], delta=0.02)

    def test_text(self):
        text = self.run_tool("decompose", ADMISSIONS, "--rank", 1, "--loss", "poisson",
                             "--standard-errors", "--bootstrap", 40, "--top", 1).stdout
        self.assertRegex(text, r"\nfound +components in 100% of 40 refits\n")
        self.assertRegex(text, r"\nerrors +of weights 67\.\d+, by second derivatives, all together")
        self.assertRegex(text, r"\ncomponent 1, weight 4526 \+- 67\.\d+ \[4\d+, 4\d+\], found in "
                               r"100% of the refits\n")
        self.assertRegex(text, r"0\.\d{4} \+- 0\.00\d\d \[0\.\d{4}, 0\.\d{4}\]")

    def test_starts_say_what_they_find(self):
        result = self.run_json("decompose", TITANIC, "--rank", 4, "--starts", 6, "--quiet")
        shares = [each["starts"] for each in result["stability"]]
        self.assertEqual(len(shares), 4)
        for each in result["stability"]:
            self.assertGreaterEqual(each["starts"], 1 / 6 - 1e-12)  # its own
            self.assertEqual(each["unstable"], each["starts"] <= 0.5)
            self.assertIsNone(each["refits"])

    def test_unstable_components_are_marked_wherever_they_are_listed(self):
        run = ("decompose", TITANIC, "--rank", 4, "--starts", 16, "--loss", "poisson")
        text = self.run_tool(*run).stdout
        self.assertRegex(text, r"found +components in 100% 94% 81% 19% of 16 starts; unstable: 4")
        self.assertRegex(text, r"\n +3 +339\.\d+ .*\nunstable 4 +55\.\d+ ")
        self.assertIn("found in 19% of the starts: unstable\n",
                      self.run_tool(*run, "--top", 1).stdout)
        result = self.run_json(*run)
        self.assertEqual([each["unstable"] for each in result["stability"]],
                         [False, False, False, True])
        note, = [each for each in result["notes"] if each["code"] == "unstable_components"]
        self.assertEqual(note["numbers"], {"components": 1, "rank": 4})
        self.assertEqual(note["text"], "Of 4 components, 4 (counted from 1) is found by "
                         "fewer than half of the other starts, though by all that came to the "
                         "least objective: those that ended at worse models say little, and refits "
                         "(--bootstrap 100) tell whether to build on it.")
        self.assertEqual(result["stability"][3]["best_starts"], 1)
        self.assertIn("note      " + note["text"][:40].replace("Of", "of"), text)

    def test_more_starts_are_no_advice_where_each_finds_other_components(self):
        self.write("m.tns", "".join(f"{i} {j} {1 + i * j % 5 + (i + j) % 3}\n"
                                    for i in range(1, 9) for j in range(1, 8)))
        result = self.run_json("decompose", "m.tns", "--rank", 3, "--starts", 8)
        notes = {note["code"]: note["text"] for note in result["notes"]}
        self.assertIn("the start decides which come out", notes["two_modes"])
        self.assertRegex(notes["unstable_components"], r"starts: do not build on (it|them)\.$")

    def test_the_same_seed_gives_the_same_intervals(self):
        def intervals(*options):
            return self.run_json("decompose", ADMISSIONS, "--rank", 1, "--bootstrap", 10, "--quiet",
                                 *options)["bootstrap"]

        self.assertEqual(intervals(), intervals())
        self.assertNotEqual(intervals(), intervals("--seed", 2))
        self.assertNotEqual(intervals(), intervals("--bootstrap-mode", 3))

    def test_what_cannot_be_had_is_refused_by_name(self):
        def refused(*options):
            return self.run_tool("decompose", ADMISSIONS, "--rank", 1, *options,
                                 expect=WRONG_USAGE).stderr

        text = refused("--loss", "huber", "--standard-errors")
        self.assertIn("--standard-errors: is not for --loss huber, which is no likelihood", text)
        self.assertIn("--bootstrap with --bootstrap-mode draws slices instead", text)
        self.assertIn("--bootstrap-mode", refused("--loss", "beta", "--bootstrap", 9))
        self.assertIn("has no effect without --bootstrap", refused("--bootstrap-mode", 1))
        self.assertIn("expected a mode of the tensor",
                      refused("--bootstrap", 9, "--bootstrap-mode", 4))
        self.assertIn("is not for --l1", refused("--l1", 1, "--standard-errors"))
        self.assertIn("bounds other than 0", refused("--upper", 1, "--standard-errors"))


if __name__ == "__main__":
    unittest.main()
