#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""genten decompose with nonnegative, bounded and penalized factors; modes by name in options;
the order in which modes are updated, given or chosen."""
import random
import unittest

from cli_support import ADMISSIONS, FILE_TROUBLE, TITANIC, WRONG_USAGE, Model, ToolTest

HOW = ("--rank", 2, "--max-iterations", 2)


class Constraints(ToolTest):
    def model_of(self, tensor, *arguments):
        """The JSON report and the model."""
        result = self.run_json("decompose", tensor, "--rank", 2, "--output", "m.ktensor", "--quiet",
                               *arguments)
        return result, Model(self.directory / "m.ktensor")

    def test_weights_of_models_within_bounds_say_why_they_are_one(self):
        line = "weights   1 each: normalized columns would leave their bounds\n"
        run = ("decompose", ADMISSIONS, "--rank", 2, "--loss", "poisson", "--output", "b.gkt")
        self.assertIn(line, self.run_tool(*run, "--lower", "1e-6").stdout)
        for options in ((), ("--lower", 0), ("--nonnegative", "all")):
            self.assertNotIn(line, self.run_tool(*run, *options).stdout)

    def test_nonnegative(self):
        for seed in (1, 2, 3):
            result, model = self.model_of(ADMISSIONS, "--nonnegative", "all", "--seed", seed,
                                          "--tolerance", "1e-13", "--max-iterations", 1000)
            self.assertEqual(result["stop_reason"], "converged")
            self.assertAlmostEqual(result["residual_norm"] ** 2, 43744.799419, places=5)
            self.assertAlmostEqual(2 * result["objective"], 43744.799419, places=5)
            self.assertLess(result["kkt_violation"], 1e-6)
            self.assertEqual(result["penalty"], 0)
            self.assertEqual(result["zero_components"], 0)
            self.assertEqual(result["options"]["nonnegative"], "all")
            self.assertTrue(all(x >= 0 for factor in model.factors for row in factor for x in row))
            objectives = [record["objective"] for record in result["history"]]
            self.assertEqual(objectives, sorted(objectives, reverse=True))
            self.assertEqual(result["starts"][0]["objective"], result["objective"])

    def test_negative_values_are_told_beside_a_nonnegative_model(self):
        draw = random.Random(1)
        self.write("x.tns", "".join(f"{i + 1} {j + 1} {k + 1} {draw.choice((2, 2, -1))}\n"
                                    for i in range(5) for j in range(5) for k in range(5)))
        text = "negative and hold 1. % of the sum of squares: a nonnegative model cannot follow"
        for command in ("decompose", "x.tns", "--rank", 1), ("rank", "x.tns", "--ranks", "1,2"):
            run = (*command, "--max-iterations", 3)
            self.assertRegex(self.run_tool(*run, "--nonnegative", "all").stdout, text)
            self.assertNotIn("cannot follow", self.run_tool(*run, "--nonnegative", "1,2").stdout)
            self.assertNotIn("cannot follow", self.run_tool(*run).stdout)

    def test_a_capped_mode_without_a_penalty_does_not_keep_the_others_from_sharing(self):
        options = ("--nonnegative", "all", "--upper", "1,inf,inf,inf", "--tolerance", 0,
                   "--max-iterations", 30, "--seed", 1)
        result, _ = self.model_of(TITANIC, *options, "--ridge", "0,100,1,1")
        self.assertLess(result["objective"], 7000)  # without sharing, above 8500 after 100

    def test_modes_and_lists(self):
        result, model = self.model_of(TITANIC, "--nonnegative", "1,3", "--ridge", "1,0,2,3",
                                      "--l1", "0.5", "--upper", "inf,inf,0.75,inf", "--lower",
                                      "-inf", "--max-iterations", 20)
        self.assertEqual(result["options"]["nonnegative"], [1, 3])
        self.assertEqual(result["options"]["ridge"], [1, 0, 2, 3])
        self.assertEqual(result["options"]["upper"], [None, None, 0.75, None])
        self.assertEqual(model.weights, [1, 1])
        self.assertGreaterEqual(min(x for row in model.factors[0] for x in row), 0)
        self.assertLessEqual(max(x for row in model.factors[2] for x in row), 0.75)
        penalty = sum(half / 2 * x * x + 0.5 * abs(x)
                      for half, factor in zip((1, 0, 2, 3), model.factors)
                      for row in factor for x in row)
        self.assertAlmostEqual(result["penalty"] / penalty, 1, places=9)
        self.assertAlmostEqual(result["objective"] / (result["residual_norm"] ** 2 / 2 + penalty),
                               1, places=9)

    def test_without_constraints_the_report_has_no_violation(self):
        result, _ = self.model_of(TITANIC)
        self.assertIsNone(result["kkt_violation"])
        self.assertIsNone(result["history"][0]["kkt_violation"])
        self.assertEqual(result["objective"], result["residual_norm"] ** 2 / 2)

    def test_text(self):
        text = self.run_tool("decompose", TITANIC, "--rank", 2, "--nonnegative", "1,2", "--ridge",
                             "10").stdout
        self.assertIn("rank 2, seed 1, nonnegative in mode 1,2, ridge 10, double", text)
        self.assertRegex(text, r"iteration +fit +objective +change +KKT +seconds\n")
        self.assertRegex(text, r"\n        1  .*e\+0\d          -   \d\.\d\de-0")
        self.assertRegex(text, r"\nobjective [0-9.]+, [0-9.]+ of it penalties\nKKT       the "
                               r"conditions of a minimum hold to within [-0-9.e]+ of the norm")
        text = self.run_tool("decompose", TITANIC, "--rank", 2, "--ridge", "10").stdout
        self.assertRegex(text, r"\n        2  .*          -       0\.")
        self.assertNotIn("violated", text)
        text = self.run_tool("decompose", TITANIC, "--rank", 2, "--l1", "1e9").stdout
        self.assertIn("\nnote      2 components are zero\n", text)
        text = self.run_tool("decompose", TITANIC, "--rank", 2).stdout
        self.assertNotIn("objective", text)

    def test_zeros_are_no_change(self):
        self.write("zeros.tns", "1 1 1 0\n2 2 2 0\n")
        for arguments in (("--nonnegative", "all"), ("--missing", "unlisted")):
            text = self.run_tool("decompose", "zeros.tns", "--rank", 2, *arguments).stdout
            self.assertNotIn("nan", text)
            self.assertRegex(text, r"\n        2 .* 0\.00e\+00 ")
            self.assertIn("\nstopped   converged, 2 iterations, one start: --starts 5 may find "
                          "better\n", text)

    def test_more_starts_are_advice_for_runs_that_have_come_to_their_end(self):
        text = self.run_tool("decompose", TITANIC, "--rank", 2, "--max-iterations", 1).stdout
        self.assertIn("\nstopped   iteration limit reached, 1 iteration, one start\n", text)

    def test_objectives_beyond_numbers(self):
        self.write("huge.tns", "1 1 1 1e300\n2 2 2 2e300\n1 2 1 1e300\n")
        for arguments in (("--nonnegative", "all"), ("--missing", "unlisted")):
            text = self.run_tool("decompose", "huge.tns", "--rank", 2, "--tolerance", "0.01",
                                 *arguments).stdout
            self.assertNotIn("nan", text)
            self.assertNotIn("\nobjective inf", text)
            self.assertRegex(text, r"\nstopped   converged, ")
        self.assertIn("\nnote      the objective is beyond the range of numbers: ", text)

    def test_what_cannot_be_is_refused(self):
        for arguments, expected in (
                (("--nonnegative", "some"), "--nonnegative: expected all, or modes from 1 to 4"),
                (("--nonnegative", "5"), "--nonnegative: expected modes from 1 to 4, got '5'"),
                (("--nonnegative", "1,1"), "--nonnegative: expected each mode once, got '1,1'"),
                (("--nonnegative", "0"), "--nonnegative: expected all, or modes from 1 to"),
                (("--ridge", "1,2"), "--ridge: expected one number for all modes or 4, one a mode"),
                (("--ridge", "-1"), "--ridge: expected a number of at least 0, got '-1'"),
                (("--l1", "inf"), "--l1: expected a number of at least 0, got 'inf'"),
                (("--lower", "nan"), "--lower: expected a number, got 'nan'"),
                (("--lower", "2", "--upper", "1"), "no number is from 2 to 1")):
            with self.subTest(arguments=arguments):
                done = self.run_tool("decompose", TITANIC, *arguments, expect=WRONG_USAGE)
                self.assertIn(expected, done.stderr)

    def test_a_guess_outside_the_bounds_is_refused_by_its_name(self):
        self.run_tool("decompose", TITANIC, "--rank", 3, "--output", "m.ktensor", "--quiet")
        done = self.run_tool("decompose", TITANIC, "--init", "m.ktensor", "--nonnegative", "all",
                             expect=WRONG_USAGE)
        self.assertRegex(done.stderr, r"genten: m\.ktensor: .*expected an initial guess within the "
                         r"bounds, got \d+ elements? outside them in the factor of mode \d")

    def test_a_checkpoint_goes_on_under_its_constraints(self):
        common = ("decompose", TITANIC, "--tolerance", 0, "--quiet", "--checkpoint", "c.gkt")
        constraints = ("--rank", 2, "--nonnegative", "all", "--ridge", 3, "--upper", 9)
        self.run_tool(*common, *constraints, "--max-iterations", 4)
        self.run_tool(*common, "--resume", "c.gkt", "--max-iterations", 9, "--output", "parts.gkt")
        self.run_tool(*common, *constraints, "--max-iterations", 9, "--output", "whole.gkt")
        self.assertEqual((self.directory / "parts.gkt").read_bytes(),
                         (self.directory / "whole.gkt").read_bytes())
        done = self.run_tool(*common, "--resume", "c.gkt", "--ridge", 4, expect=WRONG_USAGE)
        self.assertIn("--ridge: expected that of the checkpoint, 3, got 4", done.stderr)


class ModesByName(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("t.csv", "user,film,week,x\na,p,k,1\nb,p,l,-2\na,q,l,3\nb,q,k,-1\n")

    def run_on(self, command, *more, **how):
        return self.run_tool(command, "t.csv", "--values", "x", *more, **how)

    def test_are_those_of_the_numbers(self):
        for names, numbers in (("--nonnegative user,week", "--nonnegative 1,3"),
                               ("--mode-order film,user,week", "--mode-order 2,1,3")):
            for file, given in (("a.ktensor", names), ("b.ktensor", numbers)):
                self.run_on("decompose", *given.split(), "--rank", 2, "-o", file, "--json",
                            file + ".json")
            self.assertEqual((self.directory / "a.ktensor").read_text(),
                             (self.directory / "b.ktensor").read_text())
        self.assertEqual(self.read_json("a.ktensor.json")["options"]["mode_order"], [2, 1, 3])

    def test_with_commas_stand_in_quotes(self):
        self.write("q.csv", '"price, net",b,v\nx,y,1\nz,y,2\n')
        run = ("q.csv", "--values", "v", "--modes")
        done = self.run_tool("info", *run, "price, net,b", expect=FILE_TROUBLE)
        self.assertIn("""got 'price'; did you mean '"price, net"'?""", done.stderr)
        self.run_tool("decompose", *run, 'b,"price, net"', "--nonnegative", '"price, net"',
                      "--rank", 1, "-q", "-o", "q.gkt")
        self.assertEqual(self.read_json("q.gkt.labels.json")["mode_names"], ["b", "price, net"])

    def test_with_an_initial_guess(self):
        self.run_on("decompose", "--rank", 1, "-o", "m.gkt")
        self.run_on("decompose", "--init", "m.gkt", "--fixed-modes", "week", "-o", "n.gkt")
        done = self.run_on("decompose", "--init", "m.gkt", "--fixed-modes", "wek",
                           expect=WRONG_USAGE)
        self.assertEqual(done.stderr.splitlines()[0], "genten: --fixed-modes: expected modes from "
                         "1 to 3 or their names, user, film, week, got 'wek'; did you mean week?")

    def test_in_other_commands(self):
        self.run_on("convert", "p.gtn", "--permute", "week,user,film", "--quiet")
        self.assertEqual(self.read_json("p.gtn.labels.json")["mode_names"],
                         ["week", "user", "film"])
        self.run_on("rank", "--ranks", "1-2", "--nonnegative", "film", "--starts", 2, "-q")
        self.run_on("tucker", "--ranks", "1,1,1", "--mode-order", "week,film,user", "-q", "-o",
                    "t.ttensor")
        for command, option in (("rank", "--nonnegative"), ("tucker", "--mode-order"),
                                ("convert", "--permute")):
            more = {"tucker": ("--ranks", "1,1,1"), "convert": ("x.gtn",)}.get(command, ())
            done = self.run_on(command, *more, option, "usr", expect=WRONG_USAGE)
            self.assertIn("modes from 1 to 3 or their names, user, film, week, "
                          "got 'usr'; did you mean user?", done.stderr)

    def test_modes_without_names(self):
        self.write("t.tns", "1 1 5\n2 1 4\n")
        done = self.run_tool("decompose", "t.tns", "--nonnegative", "user", "--rank", 1,
                             expect=WRONG_USAGE)
        self.assertIn("--nonnegative: expected all, or modes from 1 to 2, since modes have no "
                      "names here, got 'user'", done.stderr)

    def test_numbers_are_told_at_once(self):
        done = self.run_tool("decompose", "absent.tns", "--nonnegative", "1,0", expect=WRONG_USAGE)
        self.assertIn("--nonnegative: expected all, or modes from 1 to the order of the tensor, "
                      "got '0'", done.stderr)

    def test_misspelled_words(self):
        done = self.run_on("decompose", "--loss", "poison", expect=WRONG_USAGE)
        self.assertIn("got 'poison'; did you mean poisson?", done.stderr)
        done = self.run_on("decompose", "--acceleration", "nestorov", expect=WRONG_USAGE)
        self.assertIn("got 'nestorov'; did you mean nesterov?", done.stderr)


class UpdateOrder(ToolTest):
    def test_the_report_tells_it(self):
        natural = self.run_json("decompose", TITANIC, *HOW)
        given = self.run_json("decompose", TITANIC, *HOW, "--mode-order", "4,3,2,1")
        self.assertEqual(natural["update_order"], [1, 2, 3, 4])
        self.assertEqual(given["update_order"], [4, 3, 2, 1])
        chosen = self.run_json("decompose", TITANIC, *HOW, "--update-order", "automatic")
        self.assertEqual(chosen["options"]["update_order"], "automatic")
        self.assertEqual(chosen["update_order"], [1, 2, 3, 4])  # factors that are near
        self.assertEqual(chosen["fit"], natural["fit"])
        done = self.run_tool("decompose", TITANIC, *HOW, "--mode-order", "4,3,2,1", "--verbose")
        self.assertRegex(done.stdout, r"updates +modes 4,3,2,1, in this order")

    def test_it_is_not_given_twice(self):
        automatic = ("decompose", TITANIC, *HOW, "--update-order", "automatic")
        done = self.run_tool(*automatic, "--mode-order", "4,3,2,1", expect=WRONG_USAGE)
        self.assertIn("--mode-order: has no effect beside --update-order automatic: leave one of "
                      "them out", done.stderr)
        done = self.run_tool(*automatic, "--loss", "poisson", expect=WRONG_USAGE)
        self.assertIn("--update-order: has no effect beside --loss poisson", done.stderr)

    def test_threads_do_not_change_it(self):
        """Tuples of modes 1 and 3, and of 2 and 4, of which few occur: chosen where caches are as
        large as most are."""
        draw = random.Random(3)
        pools = [[(draw.randrange(50000), draw.randrange(50000)) for _ in range(6000)]
                 for _ in range(2)]
        lines = []
        for _ in range(300000):
            (a, c), (b, d) = (draw.choice(pool) for pool in pools)
            lines.append(f"{a + 1} {b + 1} {c + 1} {d + 1} 1\n")
        tensor = self.write("pairs.tns", "".join(lines))
        found = []
        for threads in (1, 3):
            report = self.run_json(
                "decompose", tensor, "--rank", 16, "--max-iterations", 3, "--duplicates", "sum",
                "--update-order", "automatic", "--output", "m.gkt",
                f"--kokkos-num-threads={threads}")  # fmt: skip
            self.assertIn(report["update_order"], ([1, 2, 3, 4], [1, 3, 2, 4]))
            found.append((report["update_order"], (self.directory / "m.gkt").read_bytes()))
        self.assertEqual(found[0], found[1])


if __name__ == "__main__":
    unittest.main()
