#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The tool's command line: help, versions, wrong usage."""
import json
import os
import re
import subprocess
import unittest

from cli_support import FILE_TROUBLE, TITANIC, TOOL, WRONG_USAGE, ToolTest

COMMANDS = ("decompose", "tucker", "info", "convert", "generate", "compare", "evaluate",
            "predict", "project")


class Help(ToolTest):
    def test_the_tool_lists_its_commands_and_exit_codes(self):
        text = self.run_tool("--help").stdout
        for command in COMMANDS:
            self.assertIn(f"  {command} ", text)
        self.assertIn("0 success, 1 numerical or runtime failure, 2 wrong usage", text)

    def test_every_command_has_help_with_an_example(self):
        for command in COMMANDS:
            text = self.run_tool(command, "--help").stdout
            self.assertIn(f"  genten {command} ", text)

    def test_help_fits_80_columns(self):
        for command in ((), *((command,) for command in COMMANDS)):
            for line in self.run_tool(*command, "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_options_show_default_and_range(self):
        text = self.run_tool("decompose", "--help").stdout
        lines = {}
        for option in re.split(r"\n  (?=-)", text)[1:]:
            lines[option.split()[0]] = " ".join(option.split())
        self.assertIn("1 to 1000000; default 16", lines["--rank"])
        self.assertIn("default 0.0001", lines["--tolerance"])
        self.assertIn("default 100", lines["--max-iterations"])
        self.assertIn("default auto", lines["--kernel"])
        for kernel in ("atomic", "team", "permuted"):
            self.assertIn(kernel, lines["--kernel"])

    def test_modes_are_said_to_count_from_1(self):
        text = " ".join(self.run_tool("decompose", "--help").stdout.split())
        self.assertIn("modes in the order of their updates; none: natural order (modes count "
                      "from 1, or are named)", text)
        self.assertNotIn("0-based", text)

    def test_version(self):
        self.assertRegex(self.run_tool("--version").stdout, r"^genten \d+\.\d+\.\d+ \(Kokkos \d")

    def test_the_instruction_set_can_be_lowered_and_is_told(self):
        best = json.loads(self.decompose_titanic({}))["instruction_set"]
        version = self.run_tool("--version").stdout
        self.assertIn(f", instruction set {best},", version)
        for lower in ("v2", "v3"):
            if lower > best:
                continue
            run = self.run_tool("--version", environment={"GENTEN_ISA": lower})
            self.assertIn(f", instruction set {lower},", run.stdout)
            report = json.loads(self.decompose_titanic({"GENTEN_ISA": lower}))
            self.assertEqual(report["instruction_set"], lower)
            best_fit = json.loads(self.decompose_titanic({}))["fit"]
            self.assertAlmostEqual(report["fit"], best_fit, 12)

    def test_an_instruction_set_that_is_not_there_is_wrong_usage(self):
        for command in (("decompose", TITANIC, "--rank", "1"), ("--version",)):
            run = self.run_tool(*command, expect=WRONG_USAGE, environment={"GENTEN_ISA": "v9"})
            self.assertIn("GENTEN_ISA: expected an instruction set that this library and this "
                          "processor have", run.stderr)
            self.assertIn("got 'v9'", run.stderr)
            self.assertEqual(run.stdout, "")

    def decompose_titanic(self, environment):
        return self.run_tool("decompose", TITANIC, "--rank", "2", "--seed", "1", "--json", "-",
                             environment=environment).stdout



class WrongUsage(ToolTest):
    def complaint(self, *arguments):
        done = self.run_tool(*arguments, expect=WRONG_USAGE)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("genten: "), done.stderr)
        return done.stderr

    def test_no_command(self):
        self.assertIn("genten --help", self.complaint())

    def test_a_misspelt_command_gets_a_hint(self):
        self.assertIn("did you mean decompose?", self.complaint("decompse", TITANIC))

    def test_what_others_call_it_gets_a_hint(self):
        for words, meant in ((("decompose", TITANIC, "-r", 3), "--rank"),
                             (("decompose", TITANIC, "--components=3"), "--rank"),
                             (("decompose", TITANIC, "--maxiters", 3), "--max-iterations"),
                             (("convert", TITANIC, "x", "--format", "binary"), "--to"),
                             (("decompose", TITANIC, "--rnak", 3), "--rank"),
                             (("man",), "man-page"), (("fit",), "decompose"),
                             (("score", "a", "b"), "compare")):
            with self.subTest(words=words):
                self.assertIn(f"; did you mean {meant}?", self.complaint(*words))
        # There is no --to here, and --fit is not --init.
        for words in (("decompose", TITANIC, "--format", "x"), ("decompose", TITANIC, "--fit")):
            self.assertNotIn("did you mean", self.complaint(*words))

    def test_a_file_without_a_command(self):
        self.assertIn(f"unknown command {TITANIC}; a command comes first, as in genten decompose "
                      f"{TITANIC}\n", self.complaint(TITANIC))
        for name in ("m.gkt", "m.ktensor.gz", "report"):
            self.write(name, "")
        for name in ("m.gkt", "m.ktensor.gz"):
            self.assertIn(f"as in genten evaluate {name} TENSOR\n", self.complaint(name))
        (self.directory / "data").mkdir()
        self.assertNotIn("a command comes first", self.complaint("data"))
        self.assertIn("the Python package makes reports", self.complaint("report"))

    def test_a_rank_without_its_option(self):
        self.assertIn("unexpected argument: 3; did you mean --rank 3?",
                      self.complaint("decompose", TITANIC, 3))
        for words in (("info", TITANIC, 3), ("decompose", TITANIC, "--rank", 2, 3),
                      ("decompose", TITANIC, "--json-factors", 3)):
            self.assertIn("unexpected argument: 3\n", self.complaint(*words))

    def test_help_of_flags_is_of_flags(self):
        self.assertNotIn("Needs:", self.run_tool("decompose", "--help").stdout)

    def test_what_the_python_package_does(self):
        for command in ("report", "plot"):
            self.assertIn(f"unknown command {command}; the Python package makes reports and "
                          "pictures: python -m genten report m.gkt -o report.html",
                          self.complaint(command, "m.gkt"))
        self.assertIn("report m.gkt --tensor 'my data.csv' -o report.html",
                      self.complaint("report", "m.gkt", "my data.csv"))
        self.assertIn("report MODEL -o report.html", self.complaint("report"))

    def test_an_option_before_its_command_is_told_where_it_stands(self):
        self.assertIn("--rank: it stands behind the command, as in genten decompose ... --rank\n",
                      self.complaint("--rank", 3, "decompose", TITANIC))
        self.assertIn("-o: it stands behind", self.complaint("-o", "m.gkt", "decompose", TITANIC))

    def test_an_exact_option_of_another_command_goes_before_a_near_one(self):
        self.assertIn("unknown option --mode, which is one of genten project, genten update: leave "
                      "it out of genten info, or did you mean --modes?\n",
                      self.complaint("info", TITANIC, "--mode", "class"))

    def test_models_are_converted_as_the_help_says(self):
        help_text = " ".join(self.run_tool("convert", "--help").stdout.split())
        self.assertIn("FILE may be a CP model instead: then OUTPUT is called .ktensor (text), "
                      ".gkt (binary), .csv or .npz.", help_text)
        self.run_tool("decompose", TITANIC, "--rank", 1, "-q", "-o", "m.gkt")
        for name in ("n.ktensor", "n.gkt", "n.csv", "n.npz"):
            self.run_tool("convert", "m.gkt", name)

    def test_models_where_tensors_are_expected(self):
        for name in ("c.npz", "c.gkt", "c.ktensor", "c.ktensor.gz"):
            self.assertIn("; is it a model? add --model; or a tensor? use --to",
                          self.complaint("convert", "a.ktensor", name))
        self.assertIn(".bin, .csv, .tsv); use --to\n",
                      self.complaint("convert", TITANIC, "c.dat"))

    def test_a_misspelt_option_gets_a_hint(self):
        message = self.complaint("decompose", TITANIC, "--max-iteration", "5")
        self.assertIn("unknown option --max-iteration; did you mean --max-iterations?", message)
        self.assertIn("genten decompose --help", message)

    def test_options_of_other_commands_are_told_with_the_way_out(self):
        self.assertIn("unknown option --permute, which is one of genten convert: leave it out of "
                      "genten info\n", self.complaint("info", TITANIC, "--permute", 1))
        self.assertIn("unknown option --permute, which is one of genten convert: it stands behind "
                      "the command\n", self.complaint("--permute", 1))

    def test_threads_are_not_an_option(self):
        how = ("; the environment says how many threads, as in OMP_NUM_THREADS={0} "
               "OMP_PROC_BIND=spread genten {1} ..., or --kokkos-num-threads={0}\n")
        for words, option, said in ((("--threads", 3), "--threads", 3),
                                    (("--threads=5",), "--threads", 5), (("-t", 6), "-t", 6),
                                    (("-j", 7), "-j", 7), (("-j8",), "-j8", 8), (("-j",), "-j", 4),
                                    (("--num-threads", "many"), "--num-threads", 4),
                                    (("--numthreads", 9), "--numthreads", 9)):
            for command in ("decompose", "info"):
                with self.subTest(command=command, words=words):
                    self.assertIn(f"unknown option {option}" + how.format(said, command),
                                  self.complaint(command, TITANIC, *words))
        self.assertIn("--threads" + how.format(2, "decompose"), self.complaint("--threads", 2))

    def test_an_option_of_nothing_alike_gets_none(self):
        message = self.complaint("info", TITANIC, "--zzzzzzzzz=4")
        self.assertIn("unknown option --zzzzzzzzz", message)
        self.assertNotIn("did you mean", message)

    def test_a_file_too_many(self):
        self.assertIn("other.tns", self.complaint("decompose", TITANIC, "other.tns"))
        self.assertIn("unexpected argument: -\n", self.complaint("decompose", "-", "-"))

    def test_a_file_before_its_command(self):
        self.assertIn(f"the command comes first, as in genten decompose {TITANIC}",
                      self.complaint(TITANIC, "decompose", "--rank", 2))

    def test_an_option_that_took_the_next_one(self):
        self.assertIn("--nonnegative: expected all|MODE,..., got '--top'; as in --nonnegative all",
                      self.complaint("decompose", TITANIC, "--nonnegative", "--top", 1))
        self.assertIn("--nonnegative: expected all|MODE,..., got '-o'; as in --nonnegative all",
                      self.complaint("decompose", TITANIC, "--nonnegative", "-o", "x"))

    def test_an_option_that_took_the_file(self):
        done = self.run_tool("decompose", "--nonnegative", TITANIC, "--rank", 1, expect=WRONG_USAGE)
        self.assertRegex(done.stderr, rf"^genten: --nonnegative: expected all\|.*, got the file "
                                      rf"{TITANIC}; as in --nonnegative all {TITANIC}\n")
        for name in ("3", "all", "0.5"):
            self.write(name, "")
        for option, value in (("--rank", 3), ("--nonnegative", "all"), ("--ridge", 0.5)):
            self.assertIn("expected FILE, got none\n", self.complaint("decompose", option, value))

    def test_words_for_what_is_the_default_or_said_otherwise(self):
        runs = [self.run_json("decompose", TITANIC, "--rank", 1, "-q", *how)["fit"]
                for how in ((), ("--missing", "none"))]
        self.assertEqual(*runs)
        done = self.run_tool("convert", TITANIC, "-", "--to", "csv", expect=WRONG_USAGE)
        self.assertIn("got 'csv'; without --to a name that ends in .csv says that form, of genten "
                      "convert and genten predict\n", done.stderr)
        done = self.run_tool("convert", TITANIC, "t.mtx", expect=WRONG_USAGE)
        self.assertIn("; .tns, .txt and .gtn are for any order\n", done.stderr)

    def test_help_of_a_command(self):
        for words in (("show",), ("decompose",), ()):
            self.assertEqual(self.run_tool("help", *words).stdout,
                             self.run_tool(*words, "--help").stdout)
        self.assertIn("unknown command shwo; did you mean show?", self.complaint("help", "shwo"))

    def test_no_file(self):
        self.assertIn("expected FILE, got none", self.complaint("decompose"))

    def test_what_the_parser_refuses(self):
        for arguments, expected in (
                ((), "expected a command: decompose, rank, tucker, info, show, convert"),
                (("convert", TITANIC), "expected OUTPUT, got none"),
                (("decompose", TITANIC, "--rank"), "--rank: expected N, got none"),
                (("decompose", TITANIC, "-o"), "--output: expected FILE, got none"),
                (("decompose", TITANIC, "-o", "-q"), "--output: expected a file, got '-q'"),
                (("decompose", TITANIC, "--json", "--rank=3"), "expected a file, got '--rank=3'"),
                (("decompose", TITANIC, "--rank", 3, "--rank", 4),
                 "--rank: expected once, got 2 times"),
                (("decompose", TITANIC, "--quiet=3"), "--quiet: expected no value"),
                (("decompose", TITANIC, "--labels", "a"), "--labels: expected 4 files"),
                (("decompose", TITANIC, "-q", "--json", "r.json", "--labels", "a"),
                 "--labels: expected something to name: --output "),
                (("generate", "x.tns", "--nnz", 3, "--dimensions", "3,4", "--rank", 2, "--support",
                  1), "--nnz: has no effect beside --support")):
            with self.subTest(arguments=arguments):
                self.assertIn(expected, self.complaint(*arguments))
        self.assertEqual(self.files(), [])

    def test_modes_count_from_1(self):
        for arguments, expected in (
                (("convert", TITANIC, "x.tns", "--permute", "1,2"),
                 "--permute: expected all modes from 1 to 4, got '1,2'"),
                (("convert", TITANIC, "x.tns", "--permute", "1,2,2,3"),
                 "--permute: expected each mode once, got '1,2,2,3'"),
                (("convert", TITANIC, "x.tns", "--permute", "5,1,2,3"),
                 "--permute: expected modes from 1 to 4, got '5'"),
                (("decompose", TITANIC, "--mode-order", "4,1"),
                 "--mode-order: expected all modes from 1 to 4, got '4,1'"),
                (("decompose", TITANIC, "--mode-order", "1,1,2,3"),
                 "--mode-order: expected each mode once, got '1,1,2,3'"),
                (("decompose", TITANIC, "--init", "nvecs", "--fixed-modes", "2,2"),
                 "--fixed-modes: expected each mode once, got '2,2'"),
                (("decompose", TITANIC, "--init", "nvecs", "--fixed-modes", "4,1,3,2"),
                 "--fixed-modes: expected a mode that is left to update")):
            with self.subTest(arguments=arguments):
                self.assertIn(expected, self.complaint(*arguments))

    def test_shapes(self):
        message = self.complaint("generate", "x.tns", "--shape", "foo")
        self.assertIn("--shape: expected uber|nell2|", message)
        self.assertNotIn("--dimensions", message)
        for sizes in ("3,3", "3x3"):
            self.assertIn(f", or --dimensions with numbers, got '{sizes}'\n",
                          self.complaint("generate", "x.tns", "--shape", sizes))
        message = self.complaint("generate", "x.tns", "--dimensions", "3,4", "--nnz", 13)
        self.assertIn("generate: expected from 0 to 12 nonzeros (the number of elements), got 13",
                      message)

    def test_numbers_out_of_range_and_no_numbers(self):
        for option, value, expected in (
                ("--rank", "0", "a whole number from 1 to 1000000, got '0'"),
                ("--rank", "3.5", "a whole number from 1 to 1000000, got '3.5'"),
                ("--rank", "-2", "got '-2'"),
                ("--rank", "99999999999999999999", "got '99999999999999999999'"),
                ("--tolerance", "2", "a number from 0 to 1, got '2'"),
                ("--tolerance", "nan", "got 'nan'"),
                ("--tolerance", "1e-4x", "got '1e-4x'"),
                ("--time-limit", "inf", "got 'inf'"),
                ("--seed", "-1", "got '-1'"),
                ("--starts", "0", "got '0'"),
                ("--mode-order", "0,1,2,3", "modes from 1 to the order of the tensor, got '0'"),
                ("--nonnegative", "0", "modes from 1 to the order of the tensor, got '0'"),
                ("--nonnegative", "5", "modes from 1 to 4, got '5'"),
                ("--kernel", "fast", "got 'fast'"),
                ("--index-base", "2", "auto|0|1, got '2'"),
                ("--precision", "half", "double|float, got 'half'"),
                ("--duplicates", "drop", "sum|mean|last|max|refuse, got 'drop'")):
            with self.subTest(option=option, value=value):
                message = self.complaint("decompose", TITANIC, f"{option}={value}")
                self.assertIn(option + ": expected", message)
                self.assertIn(expected, message)

    def test_a_missing_value(self):
        self.assertIn("--rank", self.complaint("decompose", TITANIC, "--rank"))

    def test_modes_that_the_tensor_does_not_have(self):
        for option, expected in (("--mode-order=1,2", "expected all modes from 1 to 4, got '1,2'"),
                                 ("--mode-order=1,1,2,3", "expected each mode once, got '1,1,2,3'"),
                                 ("--fixed-modes=5 --init=nvecs", "modes from 1 to 4, got '5'")):
            with self.subTest(option=option):
                self.assertIn(expected, self.complaint("decompose", TITANIC, *option.split()))

    def test_labels_for_too_few_modes(self):
        self.run_tool("decompose", TITANIC, "--labels", "one,two", expect=WRONG_USAGE)


class OptionsThatMeanNothing(ToolTest):
    def refused(self, *arguments):
        done = self.run_tool(*arguments, expect=WRONG_USAGE)
        self.assertEqual(done.stdout, "")
        self.assertEqual([name for name in self.files() if name.startswith("out")], [])
        return done.stderr

    def test_empty_values(self):
        for option in ("--output", "--json", "--labels", "--init", "--checkpoint", "--resume",
                       "--rank", "--kernel", "--fixed-modes", "--dimensions", "--index-base"):
            with self.subTest(option=option):
                self.assertIn(option, self.refused("decompose", TITANIC, option, ""))
                self.assertIn(option + ": expected a value",
                              self.refused("decompose", TITANIC, option + "=", "-q"))
        self.refused("info", "")
        self.refused("convert", TITANIC, "")
        self.refused("convert", TITANIC, "out.tns", "--permute", "")
        self.refused("generate", "out.tns", "--shape", "")
        self.refused("generate", "out.tns", "--dimensions", "3,4", "--nnz", 2, "--json", "")
        self.refused("compare", "", "x")

    def test_options_that_are_given_twice(self):
        for option, value in (("--rank", 2), ("--json", "out"), ("--output", "out")):
            self.refused("decompose", TITANIC, option, value, option, value)

    def test_convert_of_models(self):
        self.run_tool("decompose", TITANIC, "--rank", 2, "-o", "m.ktensor", "-q")
        for option in (("--permute", "2,1,3,4"), ("--index-base", 1), ("--header", "none"),
                       ("--duplicates", "sum"), ("--dimensions", "4,2,2,2"), ("--compact",),
                       ("--output-index-base", 1)):
            with self.subTest(option=option):
                message = self.refused("convert", "--model", "m.ktensor", "out.gkt", *option)
                self.assertIn(option[0] + ": has no effect beside --model", message)
        self.refused("convert", "--model", "m.ktensor", "out", "--to", "frostt")
        self.refused("convert", "--model", "m.ktensor", "out.gkt.zst")
        self.run_tool("convert", "--model", "m.ktensor", "x", "--to", "binary", "--precision",
                      "float")

    def test_convert_to_binary(self):
        self.refused("convert", TITANIC, "out.gtn", "--output-index-base", 1)
        self.refused("generate", "out.gtn", "--dimensions", "3,4", "--nnz", 2,
                     "--output-index-base", 0)

    def test_how_text_is_read_for_binary_files(self):
        self.run_tool("convert", TITANIC, "t.gtn")
        for option in (("--index-base", 0), ("--header", "none"), ("--duplicates", "refuse")):
            for command in ("info", "decompose"):
                self.assertIn(option[0] + ": has no effect",
                              self.refused(command, "t.gtn", *option))

    def test_a_guess_from_a_file(self):
        self.run_tool("decompose", TITANIC, "--rank", 2, "-o", "m.ktensor", "-q")
        guess = ("decompose", TITANIC, "--init", "m.ktensor", "--max-iterations", 2)
        self.run_tool(*guess, "--rank", 2)
        self.assertIn("--rank: expected that of the model in m.ktensor, 2, got '5'",
                      self.refused(*guess, "--rank", 5))
        self.assertIn("--rank: expected that", self.refused(*guess, "--rank", 16))
        self.assertIn("--seed", self.refused(*guess, "--seed", 3))
        self.assertIn("--starts", self.refused(*guess, "--starts", 4))

    def test_decompose(self):
        self.refused("decompose", TITANIC, "-q", "--json", "out", "--labels", ",,,")
        self.refused("decompose", TITANIC, "--checkpoint-every", 3)
        self.refused("decompose", TITANIC, "--quiet", "--print-every", 2)

    def test_generate(self):
        common = ("generate", "out.tns", "--dimensions", "30,40", "--rank", 2)
        self.refused(*common, "--nnz", 5, "--values", "ones")
        for option in (("--nnz", 5), ("--powers", "1,1"), ("--clusters", 2),
                       ("--factors", "normal")):
            self.refused(*common, "--support", 3, *option)


class KokkosArguments(ToolTest):
    def test_threads_pass_through(self):
        for name in ("--kokkos-num-threads", "--kokkos-threads"):
            with self.subTest(name=name):
                self.run_tool("decompose", TITANIC, name + "=1", "--json", "out.json", "--quiet")
                self.assertEqual(self.read_json("out.json")["threads"], 1)

    def test_their_help(self):
        self.assertIn("--kokkos-", self.run_tool("--kokkos-help").stdout)

    def test_a_value_that_is_none_is_refused(self):
        done = self.run_tool("info", TITANIC, "--kokkos-threads=some", expect=WRONG_USAGE)
        self.assertIn("--kokkos-threads: expected a whole number", done.stderr)

    def test_an_unknown_one_is_refused(self):
        done = self.run_tool("info", TITANIC, "--kokkos-nonsense", expect=WRONG_USAGE)
        self.assertEqual(done.stderr,
                         "genten: unknown option --kokkos-nonsense; see --kokkos-help\n")

    def test_a_value_stands_behind_an_equals_sign(self):
        done = self.run_tool("info", TITANIC, "--kokkos-num-threads", 2, expect=WRONG_USAGE)
        self.assertIn("--kokkos-num-threads: expected a value behind =, as in "
                      "--kokkos-num-threads=4\n", done.stderr)
        for name in ("num-devices", "numa", "tools-libs", "tools-library", "tools-args"):
            done = self.run_tool("info", TITANIC, "--kokkos-" + name, 1, expect=WRONG_USAGE)
            self.assertIn(f"--kokkos-{name}: expected a value behind =, as in --kokkos-{name}=",
                          done.stderr)

    def test_help_says_what_sets_the_threads(self):
        for command in ((), ("decompose",)):
            text = self.run_tool(*command, "--help").stdout
            for said in ("OMP_NUM_THREADS=4", "OMP_PROC_BIND=spread OMP_PLACES=threads",
                         "--kokkos-num-threads=4"):
                self.assertIn(said, text)

    def test_nothing_is_printed_that_was_not_asked_for(self):
        self.assertEqual(self.run_tool("info", TITANIC).stderr, "")


class ExitCodes(ToolTest):
    def test_a_missing_file_is_file_trouble(self):
        for command in ("decompose", "info"):
            done = self.run_tool(command, "absent.tns", expect=FILE_TROUBLE)
            self.assertIn("absent.tns", done.stderr)

    def test_a_directory_is_file_trouble(self):
        self.run_tool("info", self.directory, expect=FILE_TROUBLE)

    def test_signs_are_choices_in_quotes(self):
        done = self.run_tool("info", TITANIC, "--decimal", "comma", expect=WRONG_USAGE)
        self.assertIn("--decimal: expected auto|'.'|',', got 'comma'", done.stderr)

    def test_forms_that_others_write(self):
        for name, way in (("t.parquet", "to_parquet"), ("t.xlsx", "to_excel")):
            done = self.run_tool("convert", TITANIC, name, expect=WRONG_USAGE)
            self.assertIn(f"genten.read(FILE).to_pandas().{way}(...) writes it, got {name}",
                          done.stderr)

    def test_missing_entries_of_a_loss_without_zeros(self):
        table = self.write("t.csv", "user,item,n\nann,tea,1\nbob,milk,2\n")
        for command in (("decompose", "--rank", 1), ("rank", "--ranks", "1,2")):
            done = self.run_tool(command[0], table, "--values", "n", "--loss", "gamma",
                                 *command[1:], expect=WRONG_USAGE)
            self.assertIn("or unlisted entries that are missing (--missing unlisted); got ",
                          done.stderr)


class Benchmark(ToolTest):
    """perf_CpAlsRandomKtensor, where its reports go."""

    def run_benchmark(self, *arguments):
        benchmark = os.path.join(os.path.dirname(TOOL), "perf_CpAlsRandomKtensor")
        if not os.path.exists(benchmark):
            self.skipTest("the benchmarks were not built")
        return subprocess.run(
            [benchmark, "--nnz", "500", "--rank", "2", "--quiet", *arguments],
            cwd=self.directory, capture_output=True, text=True, timeout=120, check=False)

    def test_json_has_the_standard_output_alone(self):
        done = self.run_benchmark("--json", "-")
        self.assertEqual(json.loads(done.stdout)["iterations"], 10)
        self.assertIn("\nfit ", done.stderr)

    def test_a_place_that_cannot_be_written_is_refused_before_the_run(self):
        for option in ("--json", "--write-tensor"):
            done = self.run_benchmark(option, "absent/x")
            self.assertEqual((done.returncode, done.stdout), (FILE_TROUBLE, ""), done.stderr)
            self.assertIn("absent/x: cannot be written", done.stderr)


if __name__ == "__main__":
    unittest.main()
