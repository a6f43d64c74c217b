#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose: the report, the JSON form, the model, labels and options."""
import json
import math
import os
import re
import subprocess
import unittest

from cli_support import (ADMISSIONS, FAILURE, FILE_TROUBLE, SHARED, TITANIC, TITANIC_LABELS, TOOL,
                         WRONG_USAGE, Model, ToolTest, read_entries)

AMINOACID = SHARED / "aminoacid.txt"


class Json(ToolTest):
    def setUp(self):
        super().setUp()
        self.result = self.run_json("decompose", TITANIC, "--rank", 3, "--seed", 7, "--starts", 2,
                                    "--max-iterations", 40, "--tolerance", "1e-6",
                                    "--output", "model.ktensor")

    def test_it_has_all_of_the_result(self):
        result = self.result
        for key in ("fit", "residual_norm", "iterations", "stop_reason", "weights", "history",
                    "timings", "residual_route", "tensor_norm", "rank_deficient_solves", "kernel",
                    "kernel_description", "mttkrp_gflops", "mttkrp_gbytes", "starts",
                    "best_start", "versions", "machine", "backend", "threads", "seed", "options",
                    "tensor", "interrupted"):
            self.assertIn(key, result)
        self.assertEqual(list(result)[:2], ["fit", "residual_norm"])
        timings = dict(result["timings"])
        for phase in ("mttkrp", "solve", "norm", "arrange"):
            self.assertGreater(timings[phase], 0)
        total = timings.pop("total")
        self.assertLessEqual(sum(timings.values()), 1.02 * total)
        self.assertFalse(result["interrupted"])

    def test_its_figures_agree_with_each_other(self):
        result = self.result
        self.assertEqual(len(result["history"]), result["iterations"])
        self.assertEqual([r["iteration"] for r in result["history"]],
                         list(range(1, result["iterations"] + 1)))
        self.assertAlmostEqual(result["fit"],
                               1 - result["residual_norm"] / result["tensor_norm"], places=12)
        self.assertAlmostEqual(result["history"][-1]["fit"], result["fit"], places=6)
        self.assertEqual(len(result["starts"]), 2)
        best = result["starts"][result["best_start"] - 1]  # counted from 1
        self.assertEqual(best["fit"], max(s["fit"] for s in result["starts"]))
        self.assertEqual(best["seed"], 6 + result["best_start"])
        self.assertIn(result["stop_reason"], ("converged", "iteration_limit"))

    def test_it_has_the_tensor_and_the_options(self):
        self.assertEqual(self.result["tensor"]["dimensions"], [4, 2, 2, 2])
        self.assertEqual(self.result["tensor"]["nnz"], 24)
        self.assertEqual(self.result["tensor"]["ordinal_bits"], 32)
        options = self.result["options"]
        self.assertEqual(options["rank"], 3)
        self.assertEqual(options["max_iterations"], 40)
        self.assertEqual(options["tolerance"], 1e-6)
        self.assertEqual(options["starts"], 2)
        self.assertEqual(options["kernel"], "auto")
        self.assertEqual(options["init"], "uniform")
        self.assertEqual(options["precision"], "double")
        self.assertEqual(self.result["seed"], 7)

    def test_the_model_file_has_the_reported_weights(self):
        model = Model(self.directory / "model.ktensor")
        self.assertEqual(model.dimensions, [4, 2, 2, 2])
        self.assertEqual(model.weights, self.result["weights"])
        self.assertEqual(model.weights, sorted(model.weights, reverse=True))

    def test_nothing_else_is_left_in_the_directory(self):
        self.assertEqual(self.files(),
                         ["model.ktensor", "model.ktensor.labels.json", "result.json"])

    def test_it_goes_to_the_standard_output_alone_when_asked(self):
        done = self.run_tool("decompose", TITANIC, "--rank", 2, "--json", "-")
        self.write("stdout.json", done.stdout)
        self.assertEqual(self.read_json("stdout.json")["options"]["rank"], 2)
        self.assertIn("iteration", done.stderr)


class ModelFiles(ToolTest):
    """The files hold the model whose fit the JSON form states."""

    def check(self, tensor, rank, name, *options):
        entries = read_entries(tensor)
        result = self.run_json("decompose", tensor, "--rank", rank, "--output", name, *options)
        self.run_tool("convert", "--model", name, "read.ktensor")  # whatever the file's form
        model = Model(self.directory / "read.ktensor")
        self.assertEqual(model.dimensions, result["tensor"]["dimensions"])
        self.assertEqual(model.rank, rank)
        self.assertTrue(all(map(math.isfinite, model.numbers())))
        norm = math.sqrt(math.fsum(value ** 2 for value in entries.values()))
        self.assertAlmostEqual(1 - model.residual_norm(entries) / norm, result["fit"], places=9)
        self.assertGreater(result["fit"], 0.5)
        return model

    def test_text_and_binary_read_back_with_the_stated_fit(self):
        for tensor, rank in ((TITANIC, 3), (ADMISSIONS, 2)):
            with self.subTest(tensor=tensor.name):
                text = self.check(tensor, rank, "m.ktensor", "--seed", 3)
                binary = self.check(tensor, rank, "m.gkt", "--seed", 3)
                self.assertEqual(text.numbers(), binary.numbers())
                scores = self.run_json("compare", "m.ktensor", "m.gkt")
                for key in ("score", "score_without_weights"):
                    self.assertAlmostEqual(scores[key], 1, places=12)
                self.assertTrue((self.directory / "m.ktensor").read_bytes().startswith(b"ktensor"))
                self.assertFalse((self.directory / "m.gkt").read_bytes().startswith(b"ktensor"))

    def test_another_model_scores_less(self):
        self.run_tool("decompose", TITANIC, "--rank", 2, "--output", "a.gkt", "--quiet")
        self.run_tool("decompose", TITANIC, "--rank", 2, "--output", "b.gkt", "--quiet",
                      "--max-iterations", 0, "--seed", 9)
        self.assertLess(self.run_json("compare", "a.gkt", "b.gkt")["score"], 0.9)


class Report(ToolTest):
    ARGUMENTS = ("decompose", TITANIC, "--rank", 2, "--max-iterations", 12, "--tolerance", 0)

    def iterations(self, text):
        return [int(m) for m in re.findall(r"^ +(\d+)  +[01]\.\d{12} ", text, re.MULTILINE)]

    def test_some_twenty_lines_of_iterations(self):
        text = self.run_tool(*self.ARGUMENTS).stdout
        self.assertEqual(self.iterations(text), [1, 2, 3, 5, 7, 10, 12])
        long = self.run_tool("decompose", TITANIC, "--rank", 2, "--max-iterations", 1234,
                             "--tolerance", 0).stdout
        self.assertEqual(self.iterations(long),
                         [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000,
                          1234])
        starts = self.run_tool(*self.ARGUMENTS, "--starts", 8).stdout
        self.assertEqual(re.findall(r"^ +(\d+) +12  ", starts, re.MULTILINE),
                         ["1", "2", "3", "4", "5", "6", "7", "8"])

    def test_one_line_an_iteration(self):
        text = self.run_tool(*self.ARGUMENTS, "--print-every", 1).stdout
        self.assertEqual(self.iterations(text), list(range(1, 13)))
        self.assertNotIn("\r", text)
        self.assertNotIn("\033", text)
        self.assertIn("4 x 2 x 2 x 2, 24 nonzeros, density 0.75", text)
        self.assertIn("iteration limit reached, 12 iterations", text)
        for word in ("fit ", "residual ", "time ", "component  "):
            self.assertIn(word, text)

    def test_what_is_for_experts_is_said_where_it_is_asked_for(self):
        usual = self.run_tool(*self.ARGUMENTS).stdout
        verbose = self.run_tool(*self.ARGUMENTS, "--verbose").stdout
        for word in ("kernel ", "GFLOP/s", "GB/s", "mttkrp ", "-bit ordinals", "phase "):
            self.assertNotIn(word, usual)
            self.assertIn(word, verbose)
        self.run_tool("decompose", TITANIC, "--quiet", "--verbose", expect=WRONG_USAGE)

    def test_components_are_listed_by_name(self):
        arguments = (*self.ARGUMENTS, "--nonnegative", "all", "--labels", TITANIC_LABELS)
        text = self.run_tool(*arguments).stdout
        self.assertIn("\nmodes     1 class, 2 sex, 3 age, 4 survived\n", text)
        listed = text.split("\n\n")[-1].splitlines()
        self.assertEqual(listed[0].split(), ["component", "weight", "class", "sex", "age",
                                             "survived"])
        self.assertEqual([line for line in listed[3:] if not line.startswith("+N: ")], [])
        self.assertRegex(listed[1], r"^ +1 +\d+\.\d+  Crew")
        self.assertNotIn("weights ", text)
        top = self.run_tool(*arguments, "--top", 1).stdout
        self.assertIn("\nweights ", top)
        self.assertNotIn("component  ", top)
        many = self.run_tool("decompose", TITANIC, "--rank", 20, "--max-iterations", 1).stdout
        self.assertTrue(many.endswith("and 4 more, which --top 5 prints in full\n"), many)

    def test_every_fifth_and_the_last(self):
        text = self.run_tool(*self.ARGUMENTS, "--print-every", 5).stdout
        self.assertEqual(self.iterations(text), [1, 5, 10, 12])

    def test_none(self):
        text = self.run_tool(*self.ARGUMENTS, "--print-every", 0).stdout
        self.assertEqual(self.iterations(text), [])
        self.assertIn("12 iterations", text)

    def test_blank_lines_stand_alone(self):
        for options in ((), ("--print-every", 0), ("--max-iterations", 0), ("--top", 1),
                        ("--print-every", 0, "--top", 1)):
            text = self.run_tool("decompose", TITANIC, "--rank", 2, *options).stdout
            self.assertNotIn("\n\n\n", text, options)
            self.assertRegex(text, r"threads?\n\n *(iteration|stopped) ")

    def test_small_tensors_are_for_one_thread_unless_it_is_said_otherwise(self):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("OMP_NUM_THREADS", "KOKKOS_NUM_THREADS")}
        threads = {}
        for name, more in (("none", {}), ("two", {"OMP_NUM_THREADS": "2"})):
            done = subprocess.run(
                [TOOL, *map(str, self.ARGUMENTS), "--json", "-"], env={**environment, **more},
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60)
            result = json.loads(done.stdout)
            threads[name] = result["threads"], result["fit"], result["weights"]
        if threads["two"][0] == 2:  # not where one thread is all there is
            self.assertEqual(threads["none"][0], 1)
        self.assertEqual(threads["none"][1:], threads["two"][1:])

    def test_a_fit_that_is_computed_again_is_said_to_be(self):
        matrix = self.write("m.tns", "1 1 29\n1 2 39\n2 1 63\n2 2 85\n")
        note = "note      fit and residual are computed again"
        again = self.run_json("decompose", matrix, "--rank", 2)
        self.assertNotEqual(again["residual_route"], "identity")
        self.assertNotEqual(again["history"][-1]["residual_norm"], again["residual_norm"])
        self.assertIn(note, self.run_tool("decompose", matrix, "--rank", 2).stdout)
        self.assertNotIn(note, self.run_tool(*self.ARGUMENTS).stdout)

    def test_quiet(self):
        done = self.run_tool(*self.ARGUMENTS, "--quiet", "--json", "result.json")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_quiet_leaves_warnings(self):
        warned = ("genten: note: the iteration limit, 2, was reached before the run converged to "
                  "the tolerance, 1e-09\n")
        for command in ("decompose", "--rank", 2), ("tucker", "--ranks", "2,1,1,2"):
            done = self.run_tool(*command, TITANIC, "--tolerance", 1e-9, "--max-iterations", 2,
                                 "-q", "-o", "m.gkt")
            self.assertEqual((done.stdout, done.stderr), ("", warned))

    def test_tables_line_up(self):
        lines = self.run_tool(*self.ARGUMENTS).stdout.splitlines()
        head = next(i for i, line in enumerate(lines) if "iteration  " in line)
        self.assertEqual({len(line) for line in lines[head:head + 8]}, {len(lines[head])})

    def test_a_full_disk_is_noticed(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([TOOL, *map(str, self.ARGUMENTS)], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, FILE_TROUBLE)
        self.assertIn("standard output", done.stderr)


class Top(ToolTest):
    def test_entries_have_their_names(self):
        text = self.run_tool("decompose", TITANIC, "--rank", 1, "--top", 2,
                             "--labels", TITANIC_LABELS, "--quiet").stdout
        self.assertRegex(text, r"component 1, weight \d")
        self.assertRegex(text, r"mode 1 \(class\) +mode 2 \(sex\)")
        self.assertTrue(text.startswith("component 1"), text)
        # The largest group by far were the men of the crew, most of whom died.
        first = text.splitlines()[2]
        self.assertEqual(re.findall(r"[A-Z]\w*", first), ["Crew", "Male", "Adult", "No"])
        self.assertEqual(len(text.splitlines()), 4)

    def test_entries_have_numbers_from_1_without_names(self):
        text = self.run_tool("decompose", TITANIC, "--rank", 1, "--top", 1, "--quiet").stdout
        self.assertRegex(text.splitlines()[-1], r"^ +0\.\d+  4 +0\.\d+  1 +0\.\d+  2 ")

    def test_some_modes_may_have_names(self):
        only_sex = "," + TITANIC_LABELS.split(",")[1] + ",,"
        text = self.run_tool("decompose", TITANIC, "--rank", 1, "--top", 1, "--quiet",
                             "--labels", only_sex).stdout
        self.assertIn("  4 ", text)
        self.assertIn("Male", text)

    def test_json_has_them_too(self):
        result = self.run_json("decompose", TITANIC, "--rank", 2, "--top", 2,
                               "--labels", TITANIC_LABELS, "--output", "m.ktensor")
        model = Model(self.directory / "m.ktensor")
        self.assertEqual(len(result["top"]), 2)
        for r, component in enumerate(result["top"]):
            self.assertEqual(component["weight"], model.weights[r])
            for n, entries in enumerate(component["modes"]):
                column = [row[r] for row in model.factors[n]]
                self.assertEqual([e["value"] for e in entries],
                                 sorted(column, key=abs, reverse=True)[:2])
                for entry in entries:
                    self.assertEqual(column[entry["row"] - 1], entry["value"])  # from 1
        first = result["top"][0]["modes"][0][0]
        self.assertEqual(first["label"], ("1st", "2nd", "3rd", "Crew")[first["row"] - 1])

    def test_long_names_are_shortened_so_that_they_differ(self):
        def shown(*classes):
            file = self.write("class.labels", "".join(f"{name}\n" for name in classes))
            text = self.run_tool("decompose", TITANIC, "--rank", 1, "--top", 4, "--quiet",
                                 "--labels", f"{file},,,").stdout
            return sorted(line.split()[1] for line in text.splitlines()[2:6])

        self.assertEqual(shown(*(f"{'ü' * 40}-{each}" for each in "abcd")),
                         [f"{'ü' * 20}~{'ü' * 17}-{each}" for each in "abcd"])
        start, end = "s" * 19, "e" * 30
        apart = [f"{start}{'-' * row}+{'-' * (4 - row)}{end}" for row in range(4)]
        self.assertEqual(len(set(shown(*apart))), 4)
        self.assertEqual(shown("a" * 50, "b" * 50, "c" * 40, "d"),
                         [f"{'a' * 20}~{'a' * 19}", f"{'b' * 20}~{'b' * 19}", "c" * 40, "d"])

    def test_labels_that_do_not_fit_are_refused(self):
        short = self.write("short.labels", "1st\n2nd\n")
        done = self.run_tool("decompose", TITANIC, "--top", 1, "--labels", f"{short},,,",
                             expect=FILE_TROUBLE)
        self.assertIn("short.labels", done.stderr)


class Guess(ToolTest):
    def test_a_run_goes_on_from_a_model(self):
        first = self.run_json("decompose", ADMISSIONS, "--rank", 3, "--max-iterations", 5,
                              "--tolerance", 0, "--output", "m.ktensor")
        second = self.run_json("decompose", ADMISSIONS, "--init", "m.ktensor",
                               "--max-iterations", 5, "--tolerance", 0)
        whole = self.run_json("decompose", ADMISSIONS, "--rank", 3, "--max-iterations", 10,
                              "--tolerance", 0)
        self.assertEqual(second["options"]["rank"], 3)
        self.assertEqual(second["options"]["init"], "m.ktensor")
        self.assertGreaterEqual(second["history"][0]["fit"], first["fit"] - 1e-9)
        self.assertAlmostEqual(second["fit"], whole["fit"], places=4)

    def test_distributions_differ_and_random_is_uniform(self):
        fits = {init: self.run_json("decompose", ADMISSIONS, "--rank", 3, "--max-iterations", 2,
                                    "--init", init)["fit"]
                for init in ("uniform", "random", "normal")}
        self.assertEqual(fits["uniform"], fits["random"])
        self.assertNotEqual(fits["uniform"], fits["normal"])

    def test_leading_vectors(self):
        first = self.run_json("decompose", ADMISSIONS, "--rank", 2, "--init", "nvecs", "--quiet")
        self.assertEqual(first["options"]["init"], "nvecs")
        self.assertEqual((first["options"]["rank"], len(first["weights"])), (2, 2))
        # Rank 1 of a matrix: the vectors are the solution, and no sweep changes anything.
        self.write("m.tns", "1 1 3\n1 2 6\n3 1 4\n3 2 8\n")
        exact = self.run_json("decompose", "m.tns", "--rank", 1, "--init", "nvecs", "--quiet",
                              "--max-iterations", 1, "--tolerance", 0)
        self.assertAlmostEqual(exact["fit"], 1.0, places=6)
        for options in (("--loss", "poisson"), ("--nonnegative", "all"), ("--missing", "unlisted"),
                        ("--precision", "float"), ("--solver", "gcp")):
            result = self.run_json("decompose", ADMISSIONS, "--rank", 3, "--init", "nvecs",
                                   "--quiet", *options)
            self.assertEqual(len(result["weights"]), 3, options)
        for options, expected in (
                (("--seed", 2), "--seed: has no effect beside --init nvecs"),
                (("--starts", 2), "--starts: expected 1 beside --init nvecs, got 2"),
                (("--resume", "c.gkt"), "--init: has no effect beside --resume")):
            done = self.run_tool("decompose", ADMISSIONS, "--init", "nvecs", *options,
                                 expect=WRONG_USAGE)
            self.assertIn(expected, done.stderr)

    def test_a_guess_of_another_shape_is_refused(self):
        self.run_tool("decompose", ADMISSIONS, "--rank", 1, "--output", "m.ktensor", "--quiet")
        done = self.run_tool("decompose", TITANIC, "--init", "m.ktensor", "--top", 1,
                             expect=WRONG_USAGE)
        self.assertEqual(done.stderr, "genten: m.ktensor: expected an initial guess of the "
                         f"dimensions of {TITANIC}, 4 x 2 x 2 x 2, got 2 x 2 x 6\n")

    def test_an_absent_guess_is_file_trouble(self):
        done = self.run_tool("decompose", TITANIC, "--init", "absent", expect=FILE_TROUBLE)
        self.assertIn("absent", done.stderr)

    def test_fixed_modes_stay(self):
        self.run_tool("decompose", ADMISSIONS, "--rank", 2, "--max-iterations", 1, "--quiet",
                      "--output", "guess.ktensor")
        self.run_tool("decompose", ADMISSIONS, "--init", "guess.ktensor", "--fixed-modes", "3",
                      "--max-iterations", 9, "--quiet", "--output", "model.ktensor")
        guess = Model(self.directory / "guess.ktensor")
        model = Model(self.directory / "model.ktensor")

        def columns(m, n):
            return sorted(tuple(round(row[r], 9) for row in m.factors[n]) for r in range(m.rank))
        self.assertEqual(columns(guess, 2), columns(model, 2))
        self.assertNotEqual(columns(guess, 0), columns(model, 0))

    def test_fixed_modes_without_a_guess_are_refused(self):
        run = ("decompose", ADMISSIONS, "--rank", 2, "--max-iterations", 2, "--fixed-modes", "2,3")
        told = self.run_tool(*run, expect=WRONG_USAGE).stderr
        self.assertIn("--fixed-modes: expected --init beside it, a model that has the ", told)
        self.run_tool(*run, "--init", "nvecs")


class Options(ToolTest):
    def test_equal_seeds_give_equal_results(self):
        runs = [self.run_json("decompose", TITANIC, "--rank", 3, "--seed", seed)
                for seed in (5, 5, 6)]
        fits = [[r["fit"] for r in run["history"]] for run in runs]
        self.assertEqual(fits[0], fits[1])
        self.assertNotEqual(fits[0], fits[2])

    def test_every_kernel_gives_the_same_fit(self):
        text = self.run_tool("decompose", "--help").stdout
        kernels = re.search(r"--kernel (\S+)", text).group(1).split("|")
        fits = {}
        for kernel in kernels:
            result = self.run_json("decompose", TITANIC, "--rank", 2, "--kernel", kernel)
            fits[kernel] = result["fit"]
            if kernel != "auto":
                self.assertEqual(result["kernel"], kernel)
        self.assertGreater(len(fits), 3)
        for kernel, fit in fits.items():
            self.assertAlmostEqual(fit, fits["auto"], places=10, msg=kernel)

    def test_float(self):
        single = self.run_json("decompose", TITANIC, "--rank", 2, "--precision", "float")
        double = self.run_json("decompose", TITANIC, "--rank", 2)
        self.assertEqual(single["tensor"]["scalar_bits"], 32)
        self.assertEqual(double["tensor"]["scalar_bits"], 64)
        self.assertAlmostEqual(single["fit"], double["fit"], places=3)
        self.assertNotEqual(single["fit"], double["fit"])

    def test_mode_order(self):
        forth = self.run_json("decompose", TITANIC, "--rank", 2, "--max-iterations", 2)
        back = self.run_json("decompose", TITANIC, "--rank", 2, "--max-iterations", 2,
                             "--mode-order", "4,3,2,1")
        self.assertEqual(back["options"]["mode_order"], [4, 3, 2, 1])
        self.assertNotEqual(forth["fit"], back["fit"])

    def test_the_exact_fit_of_a_small_matrix(self):
        matrix = self.write("m.tns", "1 1 29\n1 2 39\n2 1 63\n2 2 85\n")
        result = self.run_json("decompose", matrix, "--rank", 2)
        self.assertAlmostEqual(result["fit"], 1, places=9)

    def test_long_modes_take_long_ordinals(self):
        tensor = self.write("long.tns", "1 1 2.0\n5000000000 2 3.0\n")
        result = self.run_json("info", tensor)
        self.assertEqual(result["ordinal_bits"], 64)
        self.assertEqual(result["dimensions"], [5000000000, 2])
        self.assertEqual(result["modes"][0]["used"], 2)
        self.assertEqual(result["modes"][0]["empty"], 4999999998)

    def test_values_of_any_size_have_a_model(self):
        for size in (1e307, 1e-200, 1e-307):
            entries = {(0, 0, 0): 1.0 * size, (1, 1, 1): 2.0 * size}
            tensor = self.write("sizes.tns", f"1 1 1 {size}\n2 2 2 {2 * size}\n")
            result = self.run_json("decompose", tensor, "--rank", 2, "--output", "m.ktensor",
                                   "--starts", 3, "--tolerance", 1e-9)
            self.assertAlmostEqual(result["fit"], 1.0, places=6)
            self.assertAlmostEqual(result["tensor_norm"] / size, math.sqrt(5), places=12)
            model = Model(self.directory / "m.ktensor")
            self.assertEqual(model.weights, result["weights"])
            for at, value in entries.items():
                self.assertAlmostEqual(model.entry(at) / value, 1.0, places=4)

    def test_weights_that_no_number_is_large_enough_for_end_with_exit_code_1(self):
        lines = [f"{i} {j} 1e38\n" for i in range(1, 9) for j in range(1, 9)]
        huge = self.write("huge.tns", "".join(lines))
        done = self.run_tool("decompose", huge, "--rank", 1, "--precision", "float",
                             "--output", "m.ktensor", expect=FAILURE)
        self.assertIn("the weight of component 1, 8.000e+38, is not representable in float",
                      done.stderr)
        self.assertEqual(self.files(), ["huge.tns"])

    def test_checkpoints(self):
        self.run_tool("decompose", TITANIC, "--rank", 2, "--max-iterations", 7, "--tolerance", 0,
                      "--checkpoint", "c.gkt", "--checkpoint-every", 7,
                      "--output", "m.ktensor", "--quiet")
        self.assertEqual(self.files(), ["c.gkt", "m.ktensor", "m.ktensor.labels.json"])
        self.run_tool("convert", "--model", "c.gkt", "c.ktensor")
        checkpoint = Model(self.directory / "c.ktensor")
        model = Model(self.directory / "m.ktensor")
        entries = read_entries(TITANIC)
        self.assertEqual(checkpoint.dimensions, model.dimensions)
        for at in entries:
            self.assertAlmostEqual(checkpoint.entry(at), model.entry(at), places=6)


@unittest.skipUnless(AMINOACID.exists(), f"{AMINOACID} is absent")
class AminoAcid(ToolTest):
    """The known answers of the amino-acid fluorescence data."""

    def test_info(self):
        result = self.run_json("info", AMINOACID, "--index-base", 0)
        self.assertEqual(result["dimensions"], [5, 201, 61])
        self.assertEqual(result["nnz"], 61305)
        self.assertAlmostEqual(result["values"]["norm"], 47991.9501320893, places=8)
        self.assertAlmostEqual(result["values"]["sum"], 6896373.007, places=4)

    def test_rank_3(self):
        result = self.run_json("decompose", AMINOACID, "--index-base", 0, "--rank", 3,
                               "--tolerance", "1e-10", "--starts", 5, "--max-iterations", 1000,
                               "--print-every", 0)
        self.assertEqual(result["stop_reason"], "converged")
        self.assertAlmostEqual(result["fit"], 0.974951482777, places=8)
        for weight, expected in zip(result["weights"], (33487.77, 23483.09, 21192.10)):
            self.assertAlmostEqual(weight / expected, 1, places=4)

    def test_acceleration(self):
        """The data have a swamp, which takes 60 to 200 plain sweeps, and less than half of them."""
        plain, accelerated = [], []
        for sweeps, how in ((plain, "none"), (accelerated, "nesterov")):
            for seed in range(1, 6):
                result = self.run_json("decompose", AMINOACID, "--index-base", 0, "--rank", 3,
                                       "--tolerance", 0, "--seed", seed, "--max-iterations", 250,
                                       "--acceleration", how, "--print-every", 0)
                fits = [record["fit"] for record in result["history"]]
                self.assertGreater(result["fit"], 0.97495)
                sweeps.append(next(k for k, fit in enumerate(fits, 1) if fit > 0.97495))
                self.assertEqual(result["momentum_restarts"] > 0, how == "nesterov")
        self.assertGreater(sum(plain), 2 * sum(accelerated))
        self.assertTrue(all(fewer < more for fewer, more in zip(accelerated, plain)))


if __name__ == "__main__":
    unittest.main()
