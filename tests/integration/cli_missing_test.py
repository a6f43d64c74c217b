#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose --missing: models of tensors with missing entries."""
import json
import unittest
import zipfile

from cli_support import FILE_TROUBLE, SHARED, TITANIC, WRONG_USAGE, ToolTest

AMINOACID = SHARED / "aminoacid.txt"


class Missing(ToolTest):
    def write_part(self, keep, name="part.tns", rest="rest.tns"):
        """A rank-2 table of 8 x 9 x 7 in two files, by keep(i, j, k), counting from 1."""
        sides = {True: [], False: []}
        for i in range(8):
            for j in range(9):
                for k in range(7):
                    x = (1 + i) * (2 + j % 4) * (1 + k % 3) + (8 - i) * (1 + j) * (k + 2)
                    sides[bool(keep(i, j, k))].append(f"{i + 1} {j + 1} {k + 1} {x}\n")
        self.write(name, "".join(sides[True]))
        self.write(rest, "".join(sides[False]))

    def test_components_beyond_the_data_are_told_of_under_other_losses(self):
        self.run_tool("generate", "known.tns", "--dimensions", "30,20,6", "--rank", 2, "--nnz", 500,
                      "--noise", 0.3, "--quiet")
        fit = ["decompose", "known.tns", "--missing", "unlisted", "--loss", "huber", "--quiet"]
        many = {note["code"]: note for note in self.run_json(*fit, "--rank", 5)["notes"]}
        self.assertIn("times as large as the data would be", many["degenerate"]["text"])
        self.assertIn("--ridge", many["degenerate"]["text"])
        self.assertGreater(many["degenerate"]["numbers"]["ratio"], 2)
        few = self.run_json(*fit, "--rank", 2, "--ridge", 1)["notes"]
        self.assertNotIn("degenerate", [note["code"] for note in few])

    def test_words_for_no_value_are_no_files(self):
        self.write("t.csv", "user,item,n\nann,tea,3\nann,milk,1\nbob,tea,2\nbob,milk,\n")
        decompose = "decompose", "t.csv", "--values", "n", "--rank", 1, "-q", "-o", "m.gkt"
        for word in ("NaN", "nan", "NA"):
            told = self.run_tool(*decompose, "--missing", word, expect=WRONG_USAGE).stderr
            self.assertIn(f"got '{word}', which is no file: leave rows without a value out of the "
                          "data; --missing unlisted says that all entries are missing that they do "
                          "not list\n", told)
        self.write("t.csv", "user,item,n\nann,tea,3\nann,milk,1\nbob,tea,2\n")
        self.run_tool(*decompose, "--missing", "unlisted")
        told = self.run_tool("evaluate", "m.gkt", "t.csv", "--missing", "None", expect=WRONG_USAGE)
        self.assertIn("did you mean none?", told.stderr)
        self.write("NaN", "ann,milk\n")
        self.run_tool(*decompose, "--missing", "NaN", expect=FILE_TROUBLE)

    def test_unlisted_entries_are_found_again(self):
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 5 < 3)
        result = self.run_json("decompose", "part.tns", "--dimensions", "8,9,7", "--rank", 2,
                               "--missing", "unlisted", "--ridge", 0, "--tolerance", 1e-14,
                               "--max-iterations", 3000, "--starts", 3, "--quiet",
                               "--output", "m.ktensor")
        self.assertGreater(result["fit"], 1 - 1e-5)
        self.assertEqual(result["options"]["missing"], "unlisted")
        self.assertEqual(result["ridge"], [0, 0, 0])
        self.assertIsNone(result["holdout"])
        self.assertEqual(result["kernel"], "per-row normal equations")
        self.assertEqual(result["entries"], result["tensor"]["nnz"])
        self.assertIsInstance(result["entries"], int)
        evaluation = self.run_json("evaluate", "m.ktensor", "rest.tns", "--quiet")
        self.assertLess(evaluation["listed"]["rmse"], 0.1)
        # As zeros they are another tensor.
        zeros = self.run_json("decompose", "part.tns", "--rank", 2, "--quiet")
        self.assertLess(zeros["fit"], 0.9)
        self.assertNotIn("holdout", zeros)
        self.assertNotIn("holdout_rmse", zeros["history"][0])

    def test_the_ridge_that_nobody_gives_follows_the_noise(self):
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 5 < 3)
        run = ("decompose", "part.tns", "--dimensions", "8,9,7", "--rank", 2, "--missing",
               "unlisted", "--max-iterations", 500, "--starts", 3, "-o", "m.ktensor")
        text, result = self.run_tool(*run).stdout, self.run_json(*run)
        self.assertRegex(text, r"\nentries +\d+ count, RMSE \S+, with a ridge of "
                         f"{result['ridge'][0]:.3g}\n")
        self.assertNotIn("ridge that the run has chosen", text)
        errors = self.run_json("evaluate", "m.ktensor", "rest.tns", "-q")["listed"]
        self.assertLess(errors["rmse"], 0.5)  # of values up to 486
        # 56 entries for 8 components, of 176 free numbers.
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 9 == 0)
        run = (*run[:5], 8, *run[6:])
        result = self.run_json(*run)
        note, = (n for n in result["notes"] if n["code"] == "strong_ridge")
        self.assertEqual(note["numbers"], {"ridge": result["ridge"][0]})
        self.assertIn("decides much of the model: for so many components few entries are known; "
                      "try a lower --rank, or other values of --ridge, as "
                      f"{result['ridge'][0] / 10:.3g} and {10 * result['ridge'][0]:.3g}: with "
                      "--holdout 0.1 the least error over held-out entries says which predicts "
                      "best", self.run_tool(*run).stdout)
        text = self.run_tool(*run, "--ridge", result["ridge"][0]).stdout
        self.assertNotIn("decides much", text)
        self.assertNotIn("with a ridge of", text)

    def test_of_the_right_rank_and_of_good_predictions_no_ridge_decides(self):
        def found(dimensions, seed, nonzeros, *more):
            self.run_tool("generate", "x.tns", "--dimensions", dimensions, "--rank", 2, "--noise",
                          0.05, "--nnz", nonzeros, "--seed", seed, "--quiet")
            return self.run_json("decompose", "x.tns", "--rank", 2, "--missing", "unlisted",
                                 "--max-iterations", 300, "-q", *more)

        # Nine known entries a free number: the planted model is found, but for noise.
        codes = [note["code"] for note in found("40,30,20", 1, 1600)["notes"]]
        self.assertNotIn("strong_ridge", codes)
        # Fewer than two, and more than three, of which a tenth is held out.
        for seed, nonzeros, is_good in ((1, 400, False), (2, 900, True)):
            result = found("60,50,20", seed, nonzeros, "--holdout", 0.1)
            self.assertGreater(result["penalty"], 0.5 * result["residual_norm"] ** 2)
            self.assertEqual(result["holdout"]["rmse"] < 2 * result["rmse"], is_good)
            told = [note["text"] for note in result["notes"] if note["code"] == "strong_ridge"]
            self.assertEqual(len(told), not is_good)
            for text in told:
                self.assertRegex(text, "other values of --ridge, as .* and .*: the least error "
                                 "over held-out")

    def test_what_goes_on_from_its_models_knows_that_nobody_gave_the_ridge(self):
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 5 < 3)
        made = ("decompose", "part.tns", "--rank", 2, "--missing", "unlisted", "-q", "-o")
        self.run_tool(*made, "m.gkt")
        run = ("decompose", "part.tns", "--init", "m.gkt", "-q", "-o", "x.gkt")
        self.assertIn("genten: note: m.gkt was made with --missing unlisted, and this run is "
                      "without: add this to go on as before\n", self.run_tool(*run).stderr)
        self.assertEqual(self.run_tool(*run, "--missing", "unlisted").stderr, "")
        self.run_tool(*made, "m.gkt", "--ridge", 0.5)
        self.assertIn("m.gkt was made with --ridge 0.5, and",
                      self.run_tool(*run, "--missing", "unlisted").stderr)
        update = ("update", "m.gkt", "part.tns", "--mode", 3, "-o", "n.gkt")
        self.assertIn(
            "its run had missing entries, which an update takes for zeros: genten project finds "
            "rows of new slices alone, genten decompose ALL --init m.gkt "
            "--ridge 0.5 --missing unlisted -o NEW all rows from old and new data together; --run "
            "none updates it as a model by least squares without penalties, whose values are drawn "
            "towards zero by entries that are not listed",
            self.run_tool(*update, expect=WRONG_USAGE).stderr)
        self.run_tool(*update, "--run", "none")

    def test_advice_on_tables_without_a_header_has_the_values(self):
        self.write("u.csv", "user,item,n\nann,tea,5\nbob,milk,2\nann,milk,1\n")
        self.run_tool("decompose", "u.csv", "--values", "n", "--rank", 1, "-q", "-o", "u.gkt")
        self.write("h.csv", "ann,tea,5\nbob,milk,2\n")
        done = self.run_tool("evaluate", "u.gkt", "h.csv", "--values", 5, expect=FILE_TROUBLE)
        self.assertIn("put the line user,item,n before it", done.stderr)
        # Names of another tensor of the shape.
        self.run_tool("convert", "u.csv", "u.tns", "--values", "n", "-q")
        self.write("v.tns", (self.directory / "u.tns").read_text())
        done = self.run_tool("convert", "v.tns", "v.gtn", "--labels", "u.tns.labels.json")
        self.assertIn("names to v.gtn.labels.json", done.stdout)

    def test_ratings_whose_gaps_count_as_zeros(self):
        stars = "".join(f"u{u},i{(3 * u + k) % 30},{(4, 5, 3, 1 + u % 5)[k]}\n"
                        for u in range(40) for k in range(4))
        self.write("stars.csv", "user,item,stars\n" + stars)
        told = ("the values look like ratings, from 1 to 5, and all entries that are not listed "
                "count as zeros: if these are unknown, --missing unlisted leaves them out")
        for command, *more in (("decompose", "--rank", 2), ("rank", "--ranks", "1,2")):
            run = (command, "stars.csv", "--values", "stars", *more)
            self.assertEqual(self.run_tool(*run).stdout.count(told), 1)
            done = self.run_tool(*run, "-q", "--json", "r.json")
            self.assertIn(f"genten: note: {told}\n", done.stderr)
            self.assertNotIn("look like ratings",
                             self.run_tool(*run, "--missing", "unlisted").stdout)
        self.assertNotIn("look like ratings", self.run_tool(*run, "--loss", "poisson").stdout)
        # Those that take no --missing name the command that does.
        told = told.replace("unlisted leaves", "unlisted of genten decompose leaves")
        for command, *more in (("tucker", "--ranks", "2,2"), ("info",)):
            run = (command, "stars.csv", "--values", "stars", *more)
            self.assertEqual(self.run_tool(*run).stdout.count(told), 1)
            self.assertIn(told[1:] + ".", str(self.run_json(*run)["warnings"]))

    def test_known_entries_that_are_all_the_same(self):
        def write(often):
            self.write("e.csv", "who,what,week,n\n" + "".join(
                f"a{i},b{j},c{k},{often if i == j == 1 else 1}\n" for i in range(6)
                for j in range(5) for k in range(4) if (i * 7 + j * 3 + k) % 4))

        for often, told in ((1, "all 90 known entries are 1: a constant fits them, so that the "
                             "model tells nothing"),
                            (3, "of 90 known entries 87 are 1: a constant fits nearly all, so that "
                             "the model tells hardly anything")):
            write(often)
            for command, *more in (("decompose", "--rank", 2), ("rank", "--ranks", 1)):
                run = (command, "e.csv", "--values", "n", *more)
                self.assertIn(told + "; where entries that are not listed are zeros, as in a table "
                              "of events, leave --missing unlisted out\n",
                              self.run_tool(*run, "--missing", "unlisted").stdout)
                self.assertNotIn("constant", self.run_tool(*run).stdout)

    def test_missing_entries_of_which_there_are_none(self):
        def write(least):
            self.write("f.csv", "who,what,week,n\n" + "".join(
                f"a{i},b{j},c{k},{(i * j + k) % 5}\n" for i in range(6) for j in range(5)
                for k in range(4) if (i * j + k) % 5 >= least))

        write(0)
        run = ("decompose", "f.csv", "--values", "n", "--rank", 2, "--missing", "unlisted")
        zeros = (self.directory / "f.csv").read_text().count(",0\n")
        told = (f"all 120 entries are listed, {zeros} of them as zeros: none is missing, and "
                "--missing unlisted leaves nothing out; zeros that are listed count as known: ")
        self.assertIn(told, self.run_tool(*run).stdout)
        note, = (n for n in self.run_json(*run)["notes"] if n["code"] == "nothing_missing")
        self.assertEqual(note["numbers"], {"entries": 120, "zeros": zeros})
        self.assertNotIn("are listed", self.run_tool(*run[:-2]).stdout)
        write(1)
        self.assertNotIn("are listed", self.run_tool(*run).stdout)

    def test_gaps_of_nearly_full_tables_that_count_as_zeros(self):
        def write(value):
            self.write("t.csv", "site,hour,celsius\n" + "".join(
                f"s{i},h{j},{value(i, j)}\n" for i in range(12) for j in range(10)
                if (3 * i + j) % 10))

        run = ("decompose", "t.csv", "--values", "celsius", "--rank", 2)
        told = "12 of 120 entries are not listed and count as zeros, though "
        way = ": if they are unknown, --missing unlisted leaves them out"
        for value, why in (
                (lambda i, j: 15 + i + j % 4, "the others, from 15 to 29, are far from zero"),
                (lambda i, j: i - 5.25 + j % 3,
                 "none of the others, from -5.25 to 7.75, some with decimals, is zero"),
                (lambda i, j: (11 * i - 52 + j) / 10,
                 "the others, from -5.1 to 7.8, look measured, to a tenth"),
                (lambda i, j: i * (j - 4), "zeros are listed among the others"),
                (lambda i, j: 1 + i * j % 7, None)):
            write(value)
            text = self.run_tool(*run).stdout
            self.assertEqual(text.count("are not listed and count as zeros"), why is not None)
            if why is not None:
                self.assertIn(told + why + way, text)
                self.assertIn(told + why + way, self.run_tool("rank", *run[1:4], "--ranks", 1,
                                                              "-q").stderr)
                self.assertNotIn(told, self.run_tool(*run, "--missing", "unlisted").stdout)
                # The binary form, which arrays are saved in, too, does not say what zeros are.
                self.run_tool("convert", *run[1:4], "t.gtn", "-q")
                for command, *more in (("decompose", "--rank", 2), ("rank", "--ranks", 1)):
                    done = self.run_tool(command, "t.gtn", *more)
                    self.assertNotIn(told, done.stdout + done.stderr)

    def test_predictions_far_beyond_the_data(self):
        self.run_tool("generate", "x.tns", "--dimensions", "30,20,6", "--rank", 2, "--nnz", 500,
                      "--noise", 0.3, "--seed", 3, "--quiet")
        run = ("decompose", "x.tns", "--missing", "unlisted", "--rank", 8, "-q",
               "--max-iterations", 200)
        codes = [note["code"] for note in self.run_json(*run, "--ridge", 1e-9)["notes"]]
        self.assertIn("far_predictions", codes)
        codes = [note["code"] for note in self.run_json(*run)["notes"]]
        self.assertFalse({"degenerate", "far_predictions"} & set(codes), codes)

    def test_the_ridge_that_was_used_is_in_files_of_the_model_and_beside_them(self):
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 5 < 3)
        run = ("decompose", "part.tns", "--rank", 2, "--missing", "unlisted", "-q", "-o")
        result = self.run_json(*run, "m.gkt")
        kept = self.read_json("m.gkt.labels.json")["run"]
        self.assertEqual((kept["ridge"], kept["ridge_by_default"]), (result["ridge"], True))
        self.run_tool(*run, "m.npz")
        with zipfile.ZipFile(self.directory / "m.npz") as archive:
            text = archive.read("run.npy").replace(b"\0", b"").decode("latin-1")
        kept = json.loads(text[text.rindex('{"'):text.rindex("}") + 1])
        self.assertEqual((kept["ridge"], kept["ridge_by_default"]), (result["ridge"], True))
        self.run_tool(*run, "m.gkt", "--ridge", 0.5)
        kept = self.read_json("m.gkt.labels.json")["run"]
        self.assertEqual(kept["ridge"], [0.5])
        self.assertNotIn("ridge_by_default", kept)

    def test_without_an_iteration_the_guess_is_measured(self):
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 5 < 4)
        common = ("decompose", "part.tns", "--rank", 2, "-q", "--ridge", 0)
        self.run_tool(*common, "--missing", "unlisted", "--max-iterations", 9, "-o", "m.ktensor")
        for missing in ("unlisted", "rest.tns"):
            found = self.run_json("decompose", "part.tns", "--init", "m.ktensor", "--ridge", 0,
                                  "--max-iterations", 0, "--missing", missing)
            done = self.run_tool("decompose", "part.tns", "--init", "m.ktensor", "--ridge", 0,
                                 "--max-iterations", 0, "--missing", missing)
            self.assertNotIn("nan", done.stdout.lower())
            self.assertEqual(found["iterations"], 0)
            errors = self.run_json("evaluate", "m.ktensor", "part.tns", "-q")["listed"]
            # All entries are listed here or there.
            self.assertAlmostEqual(found["residual_norm"] / errors["residual_norm"], 1, 6)
            self.assertAlmostEqual(
                found["fit"], 1 - errors["residual_norm"] / found["tensor_norm"], 6)
        held = self.run_json(*common, "--missing", "unlisted", "--holdout", 0.2,
                             "--max-iterations", 0)
        self.assertGreater(held["holdout"]["rmse"], 0)

    def test_held_out_entries(self):
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 5 < 4)
        options = ("decompose", "part.tns", "--rank", 3, "--missing", "unlisted", "--tolerance", 0,
                   "--holdout", 0.2, "--holdout-seed", 3, "--patience", 4)
        result = self.run_json(*options, "--max-iterations", 500, "--quiet")
        errors = [record["holdout_rmse"] for record in result["history"]]
        self.assertEqual(result["holdout"]["rmse"], min(errors))
        self.assertEqual(result["returned_iteration"], errors.index(min(errors)) + 1)
        self.assertEqual(result["holdout"]["entries"] + result["entries"], result["tensor"]["nnz"])
        self.assertGreater(result["holdout"]["entries"], 0)
        self.assertLessEqual(result["holdout"]["mae"], result["holdout"]["rmse"])
        self.assertGreater(min(result["ridge"]), 0)
        self.assertEqual(result["options"]["ridge"], result["ridge"])
        self.assertEqual(result["starts"][0]["holdout_rmse"], min(errors))
        text = self.run_tool(*options, "--max-iterations", 5).stdout
        self.assertIn("rank 3, seed 1, unlisted entries missing, double", text)
        self.assertRegex(text, r"iteration +fit +objective +change +held out +seconds\n")
        self.assertRegex(text, r"\nentries +\d+ count, RMSE [0-9.]+, with a ridge of \S+\n"
                               r"held out +RMSE [0-9.]+, MAE [0-9.]+ over \d+ entries")

    def test_a_list_of_missing_entries(self):
        """The same entries, told the other way round, with and without values in the list."""
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 5 < 4)
        options = ("--rank", 2, "--ridge", 1, "--max-iterations", 40, "--tolerance", 0, "--quiet",
                   "--dimensions", "8,9,7")
        unlisted = self.run_json("decompose", "part.tns", "--missing", "unlisted", *options)
        rest = (self.directory / "rest.tns").read_text()
        self.write("bare.txt", "".join(line.rsplit(" ", 1)[0] + "\n" for line in
                                       rest.splitlines()))
        for file in ("rest.tns", "bare.txt"):
            listed = self.run_json("decompose", "part.tns", "--missing", file, *options)
            self.assertAlmostEqual(listed["objective"] / unlisted["objective"], 1, places=9)
            self.assertEqual(listed["entries"], unlisted["entries"])
            self.assertEqual(listed["options"]["missing"], file)
            self.assertTrue(listed["kernel"].startswith("per-row normal equations, "))

    def test_known_answer(self):
        if not AMINOACID.exists():
            self.skipTest("aminoacid.txt is not here")
        lines = AMINOACID.read_text().split("\n")
        kept = []
        for line in lines[4:]:
            if line:
                i, j, k = map(int, line.split()[:3])
                entry = ((i * 201 + j) * 61 + k) * 2654435761 % 2**32
                if entry >= int(0.35 * 2**32):
                    kept.append(line)
        self.write("part.txt", "\n".join(kept) + "\n")
        result = self.run_json("decompose", "part.txt", "--index-base", 0, "--header", "none",
                               "--rank", 3, "--missing", "unlisted", "--ridge", 0, "--tolerance",
                               1e-11, "--max-iterations", 3000, "--quiet")
        self.assertEqual(result["entries"], 39847)
        self.assertAlmostEqual(result["residual_norm"] ** 2 / 927845.6385, 1, places=8)
        self.assertAlmostEqual(result["weights"][0], 33488.655, delta=0.1)

    def test_weights_without_end_are_reported(self):
        self.write("few.tns", "1 1 1 1\n1 2 1 -1\n2 1 2 1\n2 2 1 1\n1 1 2 3\n")
        text = self.run_tool("decompose", "few.tns", "--rank", 1, "--missing", "unlisted",
                             "--dimensions", "2,2,3").stdout
        self.assertIn("1 row is zero, of which no entry counts", text)

    def test_nonnegative_and_bounded_factors(self):
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 5 < 4)
        for missing in ("unlisted", "rest.tns"):
            for options, low, high in ((("--nonnegative", "all"), 0, 1),
                                       (("--lower", 0, "--upper", 9, "--l1", 0.5), 0, 9)):
                with self.subTest(missing=missing, options=options):
                    run = ("decompose", "part.tns", "--dimensions", "8,9,7", "--rank", 3,
                           "--missing", missing, "--max-iterations", 50, "--tolerance", 0,
                           *options)
                    result = self.run_json(*run, "--json-factors", "--quiet")
                    objectives = [record["objective"] for record in result["history"]]
                    for now, before in zip(objectives[1:], objectives):
                        self.assertLessEqual(now, before * (1 + 1e-9))
                    self.assertLess(result["kkt_violation"], 0.1)
                    elements = [x for factor in result["factors"] for row in factor for x in row]
                    self.assertGreaterEqual(min(elements), low)
                    self.assertLessEqual(max(elements), high)
                    self.assertIn("KKT       the conditions of a minimum hold to within ",
                                  self.run_tool(*run).stdout)

    def test_runs_go_on_from_checkpoints(self):
        """To the same bytes, with a list of missing entries, held-out entries and bounds."""
        self.write_part(lambda i, j, k: (i * 31 + j * 17 + k * 7) % 5 < 4)
        for missing, more in (("unlisted", ("--holdout", 0.2)), ("rest.tns", ()),
                              ("unlisted", ("--nonnegative", "1,3"))):
            with self.subTest(missing=missing, more=more):
                run = ("decompose", "part.tns", "--dimensions", "8,9,7", "--rank", 3, "--tolerance",
                       0, "--starts", 2, "--missing", missing, *more, "--quiet")
                self.run_tool(*run, "--max-iterations", 20, "--output", "whole.gkt", "--json",
                              "whole.json")
                self.run_tool(*run, "--max-iterations", 20, "--checkpoint", "c.gkt",
                              "--checkpoint-every", 7, "--time-limit", 1e-9)
                self.run_tool("decompose", "part.tns", "--dimensions", "8,9,7", "--resume", "c.gkt",
                              "--time-limit", 0, *(("--missing", missing)
                                                   if missing != "unlisted" else ()),
                              "--output", "m.gkt", "--json", "m.json", "--quiet")
                self.assertEqual((self.directory / "m.gkt").read_bytes(),
                                 (self.directory / "whole.gkt").read_bytes())
                whole, resumed = self.read_json("whole.json"), self.read_json("m.json")
                for key in ("objective", "iterations", "stop_reason", "best_start", "holdout",
                            "returned_iteration", "kkt_violation", "options"):
                    self.assertEqual(resumed[key], whole[key], key)
        common = ("decompose", "part.tns", "--dimensions", "8,9,7", "--resume", "c.gkt")
        result = self.run_tool(*common, "--missing", "rest.tns", expect=WRONG_USAGE)
        self.assertIn("--missing: expected that of the checkpoint, 'unlisted'", result.stderr)
        self.run_tool("decompose", "part.tns", "--rank", 2, "--dimensions", "8,9,7", "--missing",
                      "rest.tns", "--checkpoint", "c.gkt", "--quiet")
        result = self.run_tool(*common, expect=WRONG_USAGE)
        self.assertIn("--missing: expected that of the checkpoint, a list of entries, got none",
                      result.stderr)

    def test_what_means_nothing_is_refused(self):
        self.write("entries.txt", "1 1 1 1\n")
        for arguments, expected in (
                (("--patience", "3"), "--patience: has no effect without --holdout"),
                (("--missing", "unlisted", "--patience", "3"),
                 "--patience: has no effect without --holdout"),
                (("--missing", "unlisted", "--mode-order", "1,2,3,4"),
                 "--mode-order: has no effect beside --missing"),
                (("--missing", "unlisted", "--acceleration", "nesterov"),
                 "--acceleration: has no effect beside --missing"),
                (("--missing", "unlisted", "--kernel", "atomic"),
                 "--kernel: has no effect beside --missing unlisted"),
                (("--missing", "unlisted", "--loss", "poisson", "--steps", "newton"),
                 "--steps: has no effect beside --loss poisson with --missing")):
            with self.subTest(arguments=arguments):
                result = self.run_tool("decompose", TITANIC, "--rank", 1, *arguments,
                                       expect=WRONG_USAGE)
                self.assertIn(expected, result.stderr)
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "m.gkt")
        for command in (("decompose", TITANIC), ("evaluate", "m.gkt", TITANIC),
                        ("project", "m.gkt", TITANIC, "--mode", 1)):
            result = self.run_tool(*command, "--missing", "unlistd", expect=WRONG_USAGE)
            self.assertIn("unlisted|FILE, got 'unlistd'; did you mean unlisted?", result.stderr)
        result = self.run_tool("decompose", TITANIC, "--rank", 1, "--missing", "nowhere.txt",
                               expect=FILE_TROUBLE)
        self.assertIn("nowhere.txt", result.stderr)
        self.write("beyond.txt", "9 1 1 1\n")
        result = self.run_tool("decompose", TITANIC, "--rank", 1, "--missing", "beyond.txt",
                               expect=FILE_TROUBLE)
        self.assertIn("beyond.txt", result.stderr)


if __name__ == "__main__":
    unittest.main()
